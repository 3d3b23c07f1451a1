//! `Record.review`: the judgement of a game, as the dictionaries that `azulejo review --json` prints.

use crate::convert::to_python;
use crate::errors::Raise;
use crate::watch::watched;
use azulejo_engine::Stop;
use azulejo_notation::Record;
use azulejo_review::{Budget, Reviewer, Settings};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A budget from an argument: its name, or the numbers that a review reports.
fn budget_of(value: &Bound<'_, PyAny>) -> PyResult<Budget> {
    if let Ok(name) = value.cast::<PyString>() {
        return name.to_str()?.parse().map_err(Raise::raise);
    }
    if !value.is_instance_of::<PyDict>() {
        let message = "a budget is \"quick\", \"normal\", \"thorough\", or a dictionary with \
                       `nodes`, `n_deals` and `deal_nodes`";
        return Err(PyTypeError::new_err(message));
    }
    let json: String = value.py().import("json")?.call_method1("dumps", (value,))?.extract()?;
    serde_json::from_str(&json)
        .map_err(|error| PyValueError::new_err(format!("not a budget: {error}")))
}

/// Reviews a record without the interpreter's lock. `progress` is called with the numbers of steps done
/// and of all steps; if it returns `False`, the review is of what is done.
pub(crate) fn review<'py>(
    record: &Record,
    budget: &Bound<'py, PyAny>,
    seed: &str,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = budget.py();
    let settings =
        Settings { budget: budget_of(budget)?, seed: seed.to_owned(), ..Settings::default() };
    let mut reviewer = Reviewer::new(record, settings).map_err(Raise::raise)?;
    let (n_steps, n_done) = (reviewer.n_steps(), AtomicUsize::new(0));
    let stop = Stop::new();
    let progress = progress.map(|progress| progress.clone().unbind());
    let tell = |py: Python<'_>| -> PyResult<()> {
        let Some(progress) = &progress else { return Ok(()) };
        let answer = progress.call1(py, (n_done.load(Ordering::Relaxed), n_steps))?;
        if matches!(answer.extract(py), Ok(false)) {
            stop.stop();
        }
        Ok(())
    };
    let review = py.detach(|| {
        let steps = || {
            while reviewer.step(&stop) {
                n_done.store(reviewer.n_done(), Ordering::Relaxed);
            }
            reviewer.review()
        };
        watched(steps, &stop, tell)
    })?;
    tell(py)?;
    to_python(py, &review)
}
