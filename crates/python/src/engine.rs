//! `Engine`: searches that run without the interpreter's lock and can be stopped from another thread.

use crate::errors::{AzulejoError, Raise};
use crate::moves::{PyMove, move_object};
use crate::position::PyPosition;
use crate::watch::watched;
use azulejo_engine::{Engine, EvalKind, Forecast, Info, Level, Limits, Options, Stop};
use azulejo_rules::Phase;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The names of all levels, the weakest first.
pub(crate) fn level_names() -> Vec<&'static str> {
    Level::all().map(Level::name).collect()
}

/// A level from a number or a name.
fn level_of(value: &Bound<'_, PyAny>) -> PyResult<Level> {
    if let Ok(number) = value.extract::<i64>() {
        return number.to_string().parse().map_err(Raise::raise);
    }
    let text: String =
        value.extract().map_err(|_| PyTypeError::new_err("a level is a number or a name"))?;
    text.parse().map_err(Raise::raise)
}

/// Seconds as a duration; negative numbers and more than a year are refused.
fn seconds(time: f64) -> PyResult<Duration> {
    if !(0.0..=31_536_000.0).contains(&time) {
        return Err(PyValueError::new_err("`time` is a number of seconds from 0 to one year"));
    }
    Ok(Duration::from_secs_f64(time))
}

/// The expected result of a game, by seat.
#[pyclass(name = "Forecast", module = "azulejo_game", frozen, get_all)]
pub(crate) struct PyForecast {
    difference: Vec<f32>,
    win: Vec<f32>,
}

impl From<&Forecast> for PyForecast {
    fn from(forecast: &Forecast) -> PyForecast {
        PyForecast { difference: forecast.difference.to_vec(), win: forecast.win.to_vec() }
    }
}

#[pymethods]
impl PyForecast {
    fn __repr__(&self) -> String {
        format!("<Forecast win {:?}, difference {:?}>", self.win, self.difference)
    }
}

/// A principal variation with its forecast.
#[pyclass(name = "Info", module = "azulejo_game", frozen, get_all)]
pub(crate) struct PyInfo {
    best: Py<PyMove>,
    pv: Vec<Py<PyMove>>,
    win: Vec<f32>,
    difference: Vec<f32>,
    depth: u32,
    nodes: u64,
    time: f64,
    exact: bool,
    proved: bool,
}

impl PyInfo {
    fn new(py: Python<'_>, info: &Info) -> PyResult<PyInfo> {
        let pv: Vec<Py<PyMove>> =
            info.pv.iter().map(|&m| move_object(py, m)).collect::<PyResult<_>>()?;
        let best = pv.first().ok_or_else(|| AzulejoError::new_err("the search found no move"))?;
        Ok(PyInfo {
            best: best.clone_ref(py),
            win: info.forecast.win.to_vec(),
            difference: info.forecast.difference.to_vec(),
            depth: info.depth,
            nodes: info.nodes,
            time: info.time.as_secs_f64(),
            exact: info.exact,
            proved: info.proved,
            pv,
        })
    }
}

#[pymethods]
impl PyInfo {
    fn __repr__(&self) -> String {
        let (best, depth, nodes) = (self.best.get().0, self.depth, self.nodes);
        format!("<Info {best}, win {:?}, depth {depth}, {nodes} nodes>", self.win)
    }
}

/// An engine with its memory. Searches of one engine wait for each other.
#[pyclass(name = "Engine", module = "azulejo_game", frozen)]
pub(crate) struct PyEngine {
    engine: Mutex<Engine>,
    /// The switches of the searches under way and waiting.
    running: Mutex<Vec<Stop>>,
    limits: Limits,
    options: Options,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Refuses a number outside the bounds of an option.
fn within(name: &str, n: usize, min: usize, max: usize) -> PyResult<usize> {
    if (min..=max).contains(&n) {
        return Ok(n);
    }
    Err(PyValueError::new_err(format!("`{name}` is a number from {min} to {max}")))
}

impl PyEngine {
    fn limits(
        &self,
        nodes: Option<u64>,
        time: Option<f64>,
        depth: Option<u32>,
    ) -> PyResult<Limits> {
        let given = Limits { nodes, time: time.map(seconds).transpose()?, depth, clock: None };
        let limits = if given == Limits::default() { self.limits } else { given };
        let level_limits_itself = self.options.level < Level::MAX;
        if limits == Limits::default() && !level_limits_itself {
            let message = "full strength needs a limit: give `nodes`, `time` (seconds) or `depth`";
            return Err(PyValueError::new_err(message));
        }
        Ok(limits)
    }

    /// Searches and returns the best lines.
    fn run(
        &self,
        py: Python<'_>,
        position: &PyPosition,
        limits: Limits,
        n_lines: usize,
    ) -> PyResult<Vec<Info>> {
        if matches!(position.0.phase(), Phase::Deal | Phase::Over(_)) {
            return Err(AzulejoError::new_err(match position.0.phase() {
                Phase::Deal => "there is no move to search: the position waits for a deal",
                _ => "there is no move to search: the game is over",
            }));
        }
        let stop = Stop::new();
        locked(&self.running).push(stop.clone());
        let search = || {
            let mut engine = locked(&self.engine);
            let options = Options { multi_pv: n_lines, ..self.options.clone() };
            engine.set_options(options);
            // The lines of this iteration come before those of the last one with other first moves.
            let mut lines: Vec<Info> = Vec::new();
            let answer = engine.search(&position.0, &limits, &stop, &mut |info| {
                let (at, first) = (info.multi_pv - 1, info.pv.first());
                let mut older = lines.split_off(at.min(lines.len()));
                older.retain(|line| line.pv.first() != first);
                lines.push(info.clone());
                lines.append(&mut older);
            });
            lines.truncate(n_lines);
            (answer, lines)
        };
        let result = py.detach(|| watched(search, &stop, |_| Ok(())));
        // A switch that is on has nothing left to do.
        stop.stop();
        locked(&self.running).retain(|other| !other.is_stopped());
        let (answer, mut lines) = result?;
        let answer = answer.ok_or_else(|| AzulejoError::new_err("the search found no move"))?;
        if n_lines == 1 || lines.is_empty() {
            lines = vec![answer.info];
        }
        Ok(lines)
    }
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (level = None, *, nodes = None, time = None, depth = None, threads = 1, hash_mb = 16, seed = 0, evaluation = "learned"))]
    #[allow(clippy::too_many_arguments, reason = "keywords of a Python constructor")]
    fn new(
        level: Option<&Bound<'_, PyAny>>,
        nodes: Option<u64>,
        time: Option<f64>,
        depth: Option<u32>,
        threads: usize,
        hash_mb: usize,
        seed: u64,
        evaluation: &str,
    ) -> PyResult<PyEngine> {
        let eval: EvalKind =
            evaluation.parse().map_err(|error: azulejo_engine::ParseEvalKindError| {
                PyValueError::new_err(error.to_string())
            })?;
        let options = Options {
            level: level.map_or(Ok(Level::MAX), level_of)?,
            threads: within("threads", threads, 1, Options::MAX_THREADS)?,
            hash_mb: within("hash_mb", hash_mb, 1, Options::MAX_HASH_MB)?,
            seed,
            eval,
            ..Options::default()
        };
        let limits = Limits { nodes, time: time.map(seconds).transpose()?, depth, clock: None };
        let engine = Mutex::new(Engine::new(options.clone()));
        Ok(PyEngine { engine, running: Mutex::default(), limits, options })
    }

    /// The number of the level.
    #[getter]
    fn level(&self) -> u8 {
        self.options.level.number()
    }

    /// The best move and its line.
    #[pyo3(signature = (position, *, nodes = None, time = None, depth = None))]
    fn search(
        &self,
        py: Python<'_>,
        position: &PyPosition,
        nodes: Option<u64>,
        time: Option<f64>,
        depth: Option<u32>,
    ) -> PyResult<PyInfo> {
        let limits = self.limits(nodes, time, depth)?;
        let lines = self.run(py, position, limits, 1)?;
        PyInfo::new(py, &lines[0])
    }

    /// The best lines, the best first.
    #[pyo3(signature = (position, lines = 3, *, nodes = None, time = None, depth = None))]
    fn analyze(
        &self,
        py: Python<'_>,
        position: &PyPosition,
        lines: usize,
        nodes: Option<u64>,
        time: Option<f64>,
        depth: Option<u32>,
    ) -> PyResult<Vec<PyInfo>> {
        let limits = self.limits(nodes, time, depth)?;
        let lines = within("lines", lines, 1, Options::MAX_MULTI_PV)?;
        self.run(py, position, limits, lines)?.iter().map(|info| PyInfo::new(py, info)).collect()
    }

    /// The expected result by the evaluation alone, in every phase.
    fn forecast(&self, py: Python<'_>, position: &PyPosition) -> PyForecast {
        py.detach(|| PyForecast::from(&locked(&self.engine).forecast(&position.0)))
    }

    /// Ends all searches of this engine; they return the best that they have found.
    fn stop(&self) {
        locked(&self.running).iter().for_each(Stop::stop);
    }

    /// Forgets what was learned from the positions of a game.
    fn new_game(&self, py: Python<'_>) {
        py.detach(|| locked(&self.engine).new_game());
    }

    fn __repr__(&self) -> String {
        format!("<Engine of level {}>", self.options.level)
    }
}
