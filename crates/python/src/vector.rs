//! `VectorEnv`: many games stepped at once, written into NumPy arrays of the caller.

use crate::convert::{slice, writable};
use crate::encoding::{array_shape, reward_of, shape_of};
use crate::errors::Raise;
use crate::position::PyPosition;
use crate::rules::{PyRules, rules_of};
use azulejo_env::{Buffers, Observation, VectorEnv};
use azulejo_rules::Rules;
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyInt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most games of one environment.
const MAX_GAMES: usize = 1 << 20;
const MAX_THREADS: usize = 1024;

/// Many games of one rule set. Several threads may use it, one after the other.
#[pyclass(name = "VectorEnv", module = "azulejo_game", frozen)]
pub(crate) struct PyVectorEnv {
    /// `None` after `close`.
    env: Mutex<Option<VectorEnv>>,
    rules: Rules,
    n_games: usize,
    n_actions: usize,
    observation: Observation,
}

/// The shapes of the arrays: observations, masks, rewards, dones, turns.
struct Shapes([Vec<usize>; 5]);

/// The seed of every game, from one seed or a list of them.
fn seeds_of(value: &Bound<'_, PyAny>, n_games: usize) -> PyResult<Vec<u64>> {
    if value.is_instance_of::<PyInt>() {
        let first: u64 = value.extract()?;
        return Ok((0..n_games as u64).map(|i| first.wrapping_add(i)).collect());
    }
    let seeds: Vec<u64> = value.extract().map_err(|_| {
        PyTypeError::new_err("`seed` is a whole number from 0, or one for each game")
    })?;
    if seeds.len() != n_games {
        let message = format!("there are {} seeds for {n_games} games", seeds.len());
        return Err(PyValueError::new_err(message));
    }
    Ok(seeds)
}

/// The given seeds, or one after the other from 0.
fn first_seeds(seed: Option<&Bound<'_, PyAny>>, n_games: usize) -> PyResult<Vec<u64>> {
    seed.map_or_else(|| Ok((0..n_games as u64).collect()), |seed| seeds_of(seed, n_games))
}

impl PyVectorEnv {
    fn lock(&self) -> MutexGuard<'_, Option<VectorEnv>> {
        self.env.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn shapes(&self) -> Shapes {
        let n = self.n_games;
        let mut observations = vec![n];
        observations.extend(array_shape(&self.observation));
        let n_seats = self.rules.players().count();
        Shapes([observations, vec![n, self.n_actions], vec![n, n_seats], vec![n], vec![n]])
    }

    /// Borrows the arrays and lets `work` write them without the interpreter's lock.
    fn with_arrays<'py, R: Send>(
        &self,
        py: Python<'py>,
        arrays: [&Bound<'py, PyAny>; 5],
        work: impl FnOnce(&mut VectorEnv, &mut Buffers<'_>) -> R + Send,
    ) -> PyResult<R> {
        let Shapes(shapes) = self.shapes();
        let [observations, masks, rewards, dones, turns] = arrays;
        let mut observations = writable::<i16>(observations, "observations", &shapes[0])?;
        let mut masks = writable::<i8>(masks, "masks", &shapes[1])?;
        let mut rewards = writable::<f32>(rewards, "rewards", &shapes[2])?;
        // An array of bool may hold bytes that are no bool of Rust, so it is written as bytes.
        writable::<bool>(dones, "dones", &shapes[3])?;
        let dones = dones.call_method1("view", ("uint8",))?;
        let mut dones = writable::<u8>(&dones, "dones", &shapes[3])?;
        let mut turns = writable::<i8>(turns, "turns", &shapes[4])?;
        let mut buffers = Buffers {
            observations: slice(&mut observations, "observations")?,
            masks: slice(&mut masks, "masks")?,
            rewards: slice(&mut rewards, "rewards")?,
            dones: slice(&mut dones, "dones")?,
            turns: slice(&mut turns, "turns")?,
        };
        let result = py.detach(|| self.lock().as_mut().map(|env| work(env, &mut buffers)));
        result.ok_or_else(closed)
    }
}

fn closed() -> PyErr {
    PyRuntimeError::new_err("the environment is closed")
}

#[pymethods]
impl PyVectorEnv {
    #[new]
    #[pyo3(signature = (n_games, rules = None, *, seed = None, observation = "flat", reward = "outcome", threads = 0))]
    fn new(
        py: Python<'_>,
        n_games: usize,
        rules: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        observation: &str,
        reward: &str,
        threads: usize,
    ) -> PyResult<PyVectorEnv> {
        let rules = rules.map_or_else(|| "2c".parse().map_err(Raise::raise), rules_of)?;
        if !(1..=MAX_GAMES).contains(&n_games) {
            return Err(PyValueError::new_err(format!(
                "`n_games` is a number from 1 to {MAX_GAMES}"
            )));
        }
        if threads > MAX_THREADS {
            let message = format!("`threads` is at most {MAX_THREADS}; 0 is one for each core");
            return Err(PyValueError::new_err(message));
        }
        let shape = shape_of(observation)?;
        let reward = reward_of(reward)?;
        let seeds = first_seeds(seed, n_games)?;
        let env = py
            .detach(|| VectorEnv::new(rules, &seeds, shape, reward, threads))
            .map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))?;
        Ok(PyVectorEnv {
            rules,
            n_games,
            n_actions: env.actions().n_actions(),
            observation: *env.observation(),
            env: Mutex::new(Some(env)),
        })
    }

    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(self.rules)
    }

    #[getter]
    fn n_games(&self) -> usize {
        self.n_games
    }

    #[getter]
    fn n_actions(&self) -> usize {
        self.n_actions
    }

    /// New arrays of the right types and shapes: observations, masks, rewards, dones, turns.
    #[allow(clippy::type_complexity, reason = "a tuple of five arrays")]
    fn buffers<'py>(
        &self,
        py: Python<'py>,
    ) -> (
        Bound<'py, PyArrayDyn<i16>>,
        Bound<'py, PyArrayDyn<i8>>,
        Bound<'py, PyArrayDyn<f32>>,
        Bound<'py, PyArrayDyn<bool>>,
        Bound<'py, PyArrayDyn<i8>>,
    ) {
        let Shapes([observations, masks, rewards, dones, turns]) = self.shapes();
        (
            PyArrayDyn::zeros(py, observations, false),
            PyArrayDyn::zeros(py, masks, false),
            PyArrayDyn::zeros(py, rewards, false),
            PyArrayDyn::zeros(py, dones, false),
            PyArrayDyn::zeros(py, turns, false),
        )
    }

    /// Begins anew and writes the first observations.
    #[pyo3(signature = (observations, masks, rewards, dones, turns, *, seed = None))]
    #[allow(clippy::too_many_arguments, reason = "one for each array")]
    fn reset<'py>(
        &self,
        py: Python<'py>,
        observations: &Bound<'py, PyAny>,
        masks: &Bound<'py, PyAny>,
        rewards: &Bound<'py, PyAny>,
        dones: &Bound<'py, PyAny>,
        turns: &Bound<'py, PyAny>,
        seed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let seeds = first_seeds(seed, self.n_games)?;
        self.with_arrays(py, [observations, masks, rewards, dones, turns], |env, buffers| {
            env.reset(&seeds);
            env.observe(buffers);
        })
    }

    /// Writes the state of all games without a step.
    fn observe<'py>(
        &self,
        py: Python<'py>,
        observations: &Bound<'py, PyAny>,
        masks: &Bound<'py, PyAny>,
        rewards: &Bound<'py, PyAny>,
        dones: &Bound<'py, PyAny>,
        turns: &Bound<'py, PyAny>,
    ) -> PyResult<()> {
        self.with_arrays(py, [observations, masks, rewards, dones, turns], VectorEnv::observe)
    }

    /// Plays an action in each game and writes what the seats to move observe.
    #[allow(clippy::too_many_arguments, reason = "one for each array")]
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
        observations: &Bound<'py, PyAny>,
        masks: &Bound<'py, PyAny>,
        rewards: &Bound<'py, PyAny>,
        dones: &Bound<'py, PyAny>,
        turns: &Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let actions = readable(actions, self.n_games)?;
        let actions = actions
            .as_slice()
            .map_err(|error| PyValueError::new_err(format!("`actions`: {error}")))?;
        let arrays = [observations, masks, rewards, dones, turns];
        self.with_arrays(py, arrays, |env, buffers| env.step(actions, buffers))?
            .map_err(Raise::raise)
    }

    /// Writes a random legal action for each game.
    fn sample(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut actions = writable::<i64>(actions, "actions", &[self.n_games])?;
        let actions = slice(&mut actions, "actions")?;
        py.detach(|| self.lock().as_mut().map(|env| env.sample(actions))).ok_or_else(closed)
    }

    /// The position of a game.
    fn position(&self, py: Python<'_>, game: usize) -> PyResult<PyPosition> {
        let env = py
            .detach(|| self.lock().as_ref().map(|env| env.game(game).map(|game| *game.position())));
        let none =
            || PyIndexError::new_err(format!("there is no game {game} among {}", self.n_games));
        env.ok_or_else(closed)?.map(PyPosition).ok_or_else(none)
    }

    /// The seed of the deals of a game.
    fn seed(&self, py: Python<'_>, game: usize) -> PyResult<String> {
        let seed = py
            .detach(|| self.lock().as_ref().map(|env| env.game(game).map(azulejo_env::Game::seed)));
        let none =
            || PyIndexError::new_err(format!("there is no game {game} among {}", self.n_games));
        seed.ok_or_else(closed)?.map(|seed| seed.to_string()).ok_or_else(none)
    }

    /// Ends the threads; every later call raises an exception.
    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(self.lock().take()));
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }

    fn __len__(&self) -> usize {
        self.n_games
    }

    fn __repr__(&self) -> String {
        format!("<VectorEnv of {} games of {}>", self.n_games, self.rules)
    }
}

/// The actions of the caller, which are read in place.
fn readable<'py>(
    actions: &Bound<'py, PyAny>,
    n_games: usize,
) -> PyResult<numpy::PyReadonlyArrayDyn<'py, i64>> {
    let message =
        || format!("`actions` must be a C-contiguous NumPy array of int64 with shape ({n_games},)");
    let array = actions.cast::<PyArrayDyn<i64>>().map_err(|_| PyTypeError::new_err(message()))?;
    let array = array
        .try_readonly()
        .map_err(|error| PyValueError::new_err(format!("`actions`: {error}")))?;
    if numpy::PyUntypedArrayMethods::shape(array.as_untyped()) != [n_games] {
        return Err(PyValueError::new_err(message()));
    }
    Ok(array)
}
