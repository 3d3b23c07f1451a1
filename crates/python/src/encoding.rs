//! `Encoding`: moves and positions as numbers.

use crate::convert::{seat, slice, writable};
use crate::errors::{IllegalMoveError, Raise};
use crate::moves::{PyMove, move_object, move_of};
use crate::position::PyPosition;
use crate::rules::{PyRules, rules_of, same_rules};
use azulejo_env::{ActionSpace, ENCODING_VERSION, Layout, Observation, Part, Reward, Shape};
use azulejo_rules::{Position, Rules, Seat};
use numpy::{PyArray1, PyArrayDyn, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};

/// Actions, observations and masks of a rule set.
#[pyclass(name = "Encoding", module = "azulejo_game", frozen)]
pub(crate) struct PyEncoding {
    rules: Rules,
    actions: ActionSpace,
    flat: Observation,
    planes: Observation,
}

impl PyEncoding {
    fn observed(&self, position: &Position, observer: Option<usize>) -> PyResult<Seat> {
        same_rules(&self.rules, position.rules())?;
        observer.map_or(Ok(position.turn()), |observer| seat(&self.rules, observer))
    }

    /// Writes into the caller's array, or into a new one.
    fn write<'py>(
        &self,
        observation: &Observation,
        shape: &[usize],
        position: &PyPosition,
        observer: Option<usize>,
        out: Option<Bound<'py, PyAny>>,
        py: Python<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let observer = self.observed(&position.0, observer)?;
        let array = out.unwrap_or_else(|| PyArrayDyn::<i16>::zeros(py, shape, false).into_any());
        let mut numbers = writable::<i16>(&array, "out", shape)?;
        observation.write(&position.0, observer, slice(&mut numbers, "out")?);
        drop(numbers);
        Ok(array)
    }
}

/// The parts of a layout as a dictionary of slices.
fn slices<'py>(py: Python<'py>, layout: &Layout) -> PyResult<Bound<'py, PyDict>> {
    let slices = PyDict::new(py);
    for Part { name, start, len, .. } in &layout.parts {
        slices.set_item(name, PySlice::new(py, *start as isize, (start + len) as isize, 1))?;
    }
    Ok(slices)
}

/// A kind of reward by its name.
pub(crate) fn reward_of(name: &str) -> PyResult<Reward> {
    let reward = Reward::ALL.into_iter().find(|reward| reward.name() == name);
    reward.ok_or_else(|| {
        let names = Reward::ALL.map(|reward| format!("\"{}\"", reward.name())).join(", ");
        PyValueError::new_err(format!("a reward is one of {names}"))
    })
}

/// The reward of each seat for the step between two positions.
#[pyfunction]
#[pyo3(signature = (before, after, reward = "outcome"))]
pub(crate) fn rewards(before: &PyPosition, after: &PyPosition, reward: &str) -> PyResult<Vec<f32>> {
    same_rules(before.0.rules(), after.0.rules())?;
    let mut rewards = vec![0.0; after.0.boards().len()];
    reward_of(reward)?.write(&before.0, &after.0, &mut rewards);
    Ok(rewards)
}

/// The form of an observation by its name.
pub(crate) fn shape_of(name: &str) -> PyResult<Shape> {
    match name {
        "flat" => Ok(Shape::Flat),
        "planes" => Ok(Shape::Planes),
        _ => Err(PyValueError::new_err("an observation is \"flat\" or \"planes\"")),
    }
}

/// The shape of the array of one observation.
pub(crate) fn array_shape(observation: &Observation) -> Vec<usize> {
    match observation.shape() {
        Shape::Flat => vec![observation.len()],
        Shape::Planes => vec![observation.len() / 25, 5, 5],
    }
}

#[pymethods]
impl PyEncoding {
    #[new]
    fn new(rules: &Bound<'_, PyAny>) -> PyResult<PyEncoding> {
        let rules = rules_of(rules)?;
        Ok(PyEncoding {
            rules,
            actions: ActionSpace::new(&rules),
            flat: Observation::new(&rules, Shape::Flat),
            planes: Observation::new(&rules, Shape::Planes),
        })
    }

    #[classattr]
    fn version() -> u32 {
        ENCODING_VERSION
    }

    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(self.rules)
    }

    #[getter]
    fn n_actions(&self) -> usize {
        self.actions.n_actions()
    }

    /// The length of a flat observation.
    #[getter]
    fn size(&self) -> usize {
        self.flat.len()
    }

    /// The shape of the planes.
    #[getter]
    fn planes_shape(&self) -> (usize, usize, usize) {
        (self.planes.len() / 25, 5, 5)
    }

    /// The slice of each part of a flat observation.
    #[getter]
    fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        slices(py, &Layout::flat(&self.rules))
    }

    /// The slice of each part of the planes, along the first axis.
    #[getter]
    fn planes_layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        slices(py, &Layout::planes(&self.rules))
    }

    /// The largest value of each number of a flat observation; the smallest is 0.
    #[getter]
    fn high<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i16>> {
        let parts = Layout::flat(&self.rules).parts;
        PyArray1::from_iter(
            py,
            parts.iter().flat_map(|part| std::iter::repeat_n(part.high, part.len)),
        )
    }

    /// The largest value of each plane.
    #[getter]
    fn planes_high<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i16>> {
        let parts = Layout::planes(&self.rules).parts;
        PyArray1::from_iter(
            py,
            parts.iter().flat_map(|part| std::iter::repeat_n(part.high, part.len)),
        )
    }

    /// What a seat observes, by default the seat to move.
    #[pyo3(signature = (position, seat = None, out = None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        position: &PyPosition,
        seat: Option<usize>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.write(&self.flat, &array_shape(&self.flat), position, seat, out, py)
    }

    /// What a seat observes as planes.
    #[pyo3(signature = (position, seat = None, out = None))]
    fn observe_planes<'py>(
        &self,
        py: Python<'py>,
        position: &PyPosition,
        seat: Option<usize>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.write(&self.planes, &array_shape(&self.planes), position, seat, out, py)
    }

    /// The position that an observation shows, flat or as planes, and the seat that observed it.
    fn decode(&self, observation: PyReadonlyArrayDyn<'_, i16>) -> PyResult<(PyPosition, usize)> {
        let contiguous = || PyValueError::new_err("the observation must be C-contiguous");
        let numbers = observation.as_slice().map_err(|_| contiguous())?;
        let decoded = match observation.ndim() {
            1 => Layout::decode(&self.rules, numbers),
            _ => Layout::decode_planes(&self.rules, numbers),
        };
        let (position, seat) = decoded.map_err(Raise::raise)?;
        Ok((PyPosition(position), seat.index()))
    }

    /// The legal actions: 1, and 0 for the others.
    #[pyo3(signature = (position, out = None))]
    fn mask<'py>(
        &self,
        py: Python<'py>,
        position: &PyPosition,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        same_rules(&self.rules, position.0.rules())?;
        let shape = [self.actions.n_actions()];
        let array =
            out.unwrap_or_else(|| PyArrayDyn::<i8>::zeros(py, shape.as_slice(), false).into_any());
        let mut mask = writable::<i8>(&array, "out", &shape)?;
        self.actions.write_mask(&position.0, slice(&mut mask, "out")?);
        drop(mask);
        Ok(array)
    }

    /// The number of a move.
    fn action(&self, m: &Bound<'_, PyAny>) -> PyResult<usize> {
        let m = move_of(m)?;
        let none =
            || IllegalMoveError::new_err(format!("no position of {} has the move {m}", self.rules));
        self.actions.action(m).ok_or_else(none)
    }

    /// The move of a number.
    fn r#move(&self, py: Python<'_>, action: i64) -> PyResult<Py<PyMove>> {
        let n_actions = self.actions.n_actions();
        let m = usize::try_from(action).ok().and_then(|action| self.actions.get(action));
        let none = || PyIndexError::new_err(format!("action {action} is not below {n_actions}"));
        move_object(py, m.ok_or_else(none)?)
    }

    fn __repr__(&self) -> String {
        let (rules, n_actions, size) = (self.rules, self.actions.n_actions(), self.flat.len());
        format!("<Encoding {ENCODING_VERSION} of {rules}: {n_actions} actions, {size} numbers>")
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, pyo3::types::PyTuple>)> {
        crate::rules::reduce(slf, slf.get().rules.to_string())
    }
}
