//! `Record`: a whole game.

use crate::convert::{seat, seed, to_python};
use crate::errors::{AzulejoError, Raise};
use crate::moves::{PyDeal, PyMove, deal_of, move_object, move_of};
use crate::position::PyPosition;
use crate::review::review;
use crate::rules::{PyRules, reduce, rules_of};
use azulejo_notation::{Action, Expect, Record, Records, check, verify_deals};
use azulejo_rules::Seat;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

/// A game as far as it has been played, with names, tags and comments. It never changes; methods that
/// add something return a new record.
#[pyclass(name = "Record", module = "azulejo_game", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyRecord(Record);

impl PyRecord {
    /// A copy that `change` has changed.
    fn with<E: Raise>(
        &self,
        change: impl FnOnce(&mut Record) -> Result<(), E>,
    ) -> PyResult<PyRecord> {
        let mut record = self.0.clone();
        change(&mut record).map_err(Raise::raise)?;
        Ok(PyRecord(record))
    }
}

#[pymethods]
impl PyRecord {
    #[new]
    #[pyo3(signature = (text, /))]
    fn new(text: &str) -> PyResult<PyRecord> {
        text.parse().map(PyRecord).map_err(Raise::raise)
    }

    /// The record of a new game, before its first deal.
    #[staticmethod]
    #[pyo3(signature = (rules, first = 0))]
    fn start(rules: &Bound<'_, PyAny>, first: usize) -> PyResult<PyRecord> {
        let rules = rules_of(rules)?;
        Record::new(rules, seat(&rules, first)?).map(PyRecord).map_err(Raise::raise)
    }

    /// A record that starts from a position.
    #[staticmethod]
    fn from_position(position: &PyPosition) -> PyRecord {
        PyRecord(Record::from_position(position.0))
    }

    /// All records of a text.
    #[staticmethod]
    fn parse_all(text: &str) -> PyResult<Vec<PyRecord>> {
        Records::new(text.lines())
            .map(|piece| piece.parse().map(PyRecord).map_err(Raise::raise))
            .collect()
    }

    #[staticmethod]
    fn from_json(json: &str) -> PyResult<PyRecord> {
        Record::from_json(json).map(PyRecord).map_err(Raise::raise)
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// A game in the interchange form. Results that came with it are compared with the game.
    #[staticmethod]
    fn from_interchange(json: &str) -> PyResult<PyRecord> {
        let (record, expect) = Record::from_interchange(json).map_err(Raise::raise)?;
        let differences = expect.map(|expect| check(&record, &expect)).unwrap_or_default();
        match differences.first() {
            None => Ok(PyRecord(record)),
            Some(difference) => Err(AzulejoError::new_err(difference.to_string())),
        }
    }

    /// The game in the interchange form, with results to check if `expect` is true.
    #[pyo3(signature = (expect = false))]
    fn to_interchange(&self, expect: bool) -> PyResult<String> {
        let expect = expect.then(|| Expect::of(&self.0));
        let no_place = "the interchange form has no place for a game that starts from a position";
        self.0.to_interchange(expect.as_ref()).ok_or_else(|| AzulejoError::new_err(no_place))
    }

    fn play(&self, m: &Bound<'_, PyAny>) -> PyResult<PyRecord> {
        let m = move_of(m)?;
        self.with(|record| record.play(m))
    }

    fn deal(&self, deal: &Bound<'_, PyAny>) -> PyResult<PyRecord> {
        let deal = deal_of(deal)?;
        self.with(|record| record.deal(&deal))
    }

    fn with_name(&self, seat: usize, name: &str) -> PyResult<PyRecord> {
        let seat = self::seat(self.0.rules(), seat)?;
        self.with(|record| record.set_name(seat, name))
    }

    fn with_tag(&self, name: &str, value: &str) -> PyResult<PyRecord> {
        self.with(|record| record.set_tag(name, value))
    }

    /// The comment of the last deal or move, or of the game before the first deal.
    fn with_comment(&self, text: &str) -> PyResult<PyRecord> {
        self.with(|record| record.set_comment(text))
    }

    fn with_seed(&self, seed: &Bound<'_, PyAny>) -> PyResult<PyRecord> {
        let mut record = self.0.clone();
        record.set_seed(Some(self::seed(seed)?));
        Ok(PyRecord(record))
    }

    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.0.rules())
    }

    #[getter]
    fn seed(&self) -> Option<String> {
        self.0.seed().map(ToString::to_string)
    }

    #[getter]
    fn names(&self) -> Vec<Option<String>> {
        self.0.names().to_vec()
    }

    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for (name, value) in self.0.tags() {
            tags.set_item(name, value)?;
        }
        Ok(tags)
    }

    /// The comment before the first round.
    #[getter]
    fn comment(&self) -> Option<String> {
        self.0.comment().map(str::to_owned)
    }

    #[getter]
    fn first_position(&self) -> PyPosition {
        PyPosition(self.0.first_position())
    }

    /// The position after everything that was played.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition(*self.0.final_position())
    }

    /// All moves, without the deals.
    #[getter]
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<Py<PyMove>>> {
        let turns = self.0.rounds().iter().flat_map(|round| &round.turns);
        turns.map(|turn| move_object(py, turn.m)).collect()
    }

    #[getter]
    fn deals(&self) -> Vec<PyDeal> {
        self.0.rounds().iter().filter_map(|round| round.deal.map(PyDeal)).collect()
    }

    /// The result as the record writes it, like `row 41-38`; `None` while the game goes on.
    #[getter]
    fn result(&self) -> Option<String> {
        self.0.end().map(|end| end.to_string())
    }

    /// Every deal and move with the position before it.
    fn replay<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let entries = self.0.replay().map(|step| {
            let action = match step.action {
                Action::Deal(deal) => PyDeal(deal).into_bound_py_any(py)?,
                Action::Move(m) => move_object(py, m)?.into_bound_py_any(py)?,
            };
            (PyPosition(step.before), action).into_bound_py_any(py)
        });
        PyList::new(py, entries.collect::<PyResult<Vec<_>>>()?)
    }

    /// The replay as the JSON interface shows it, with reports.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &azulejo_table::view::ReplayView::page(&self.0, 0, usize::MAX))
    }

    /// The judgement of the game: what each move lost, the luck of each deal, a ledger for each player.
    /// `progress(done, all)` is called while it is computed; if it returns `False`, the review ends
    /// early.
    #[pyo3(signature = (budget = None, *, seed = "review", progress = None))]
    fn review<'py>(
        &self,
        py: Python<'py>,
        budget: Option<Bound<'py, PyAny>>,
        seed: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let normal = || PyString::new(py, "normal").into_any();
        review(&self.0, &budget.unwrap_or_else(normal), seed, progress)
    }

    /// Checks that the first player and all deals are those of the seed.
    fn verify_deals(&self) -> PyResult<()> {
        verify_deals(&self.0).map(drop).map_err(Raise::raise)
    }

    /// The name of a seat.
    fn name(&self, seat: usize) -> PyResult<Option<String>> {
        let seat: Seat = self::seat(self.0.rules(), seat)?;
        Ok(self.0.name(seat).map(str::to_owned))
    }

    fn __len__(&self) -> usize {
        self.0.n_moves()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let state = self.result().unwrap_or_else(|| "under way".to_owned());
        format!("<Record of {}, {} moves, {state}>", self.0.rules(), self.0.n_moves())
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        reduce(slf, slf.get().0.to_string())
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }
}
