//! `Move`, `Deal` and `Dealer`.

use crate::convert::{letters, seed};
use crate::errors::{ParseError, Raise};
use crate::position::PyPosition;
use crate::rules::{reduce, rules_of};
use azulejo_env::ActionSpace;
use azulejo_notation::Dealer;
use azulejo_rules::{Deal, Move, Players, Rules, Tiles, WallKind};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple};
use std::sync::{Mutex, PoisonError};

/// A move: a draft or a wall choice.
#[pyclass(name = "Move", module = "azulejo_game", frozen, eq, hash, ord)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PyMove(pub(crate) Move);

/// A move from an argument: a `Move`, or its text.
#[inline]
pub(crate) fn move_of(value: &Bound<'_, PyAny>) -> PyResult<Move> {
    if let Ok(m) = value.cast::<PyMove>() {
        return Ok(m.get().0);
    }
    let Ok(text) = value.cast::<PyString>() else {
        return Err(PyTypeError::new_err("a move is a `Move` or a text like \"3B2\""));
    };
    text.to_str()?.parse().map_err(Raise::raise)
}

/// The largest action space there is, which numbers all moves.
fn all_moves() -> ActionSpace {
    let largest = Rules::official(Players::Four).with_wall(WallKind::Grey).with_jokers(true);
    ActionSpace::new(&largest)
}

/// The object of a move. There is one for every move, made when the first is needed, so that lists of
/// moves cost no allocations.
pub(crate) fn move_object(py: Python<'_>, m: Move) -> PyResult<Py<PyMove>> {
    static MOVES: PyOnceLock<(ActionSpace, Vec<Py<PyMove>>)> = PyOnceLock::new();
    let (space, moves) = MOVES.get_or_try_init(py, || {
        let space = all_moves();
        let moves = (0..space.n_actions()).filter_map(|action| space.get(action));
        let moves: PyResult<Vec<_>> = moves.map(|m| Py::new(py, PyMove(m))).collect();
        PyResult::Ok((space, moves?))
    })?;
    match space.action(m) {
        Some(action) => Ok(moves[action].clone_ref(py)),
        None => Py::new(py, PyMove(m)),
    }
}

#[pymethods]
impl PyMove {
    #[new]
    #[pyo3(signature = (text, /))]
    fn new(text: &str) -> PyResult<PyMove> {
        text.parse().map(PyMove).map_err(Raise::raise)
    }

    /// Whether it is a draft, not a wall choice.
    #[getter]
    fn is_draft(&self) -> bool {
        matches!(self.0, Move::Draft(_))
    }

    /// The factory of a draft, or 0 for the center; `None` for a wall choice.
    #[getter]
    fn source(&self) -> Option<usize> {
        match self.0 {
            Move::Draft(draft) => Some(draft.source.index()),
            Move::Place { .. } => None,
        }
    }

    /// The tiles taken: `B`, `J`, `JB`; `None` for a wall choice.
    #[getter]
    fn pick(&self) -> Option<String> {
        match self.0 {
            Move::Draft(draft) => Some(draft.pick.to_string()),
            Move::Place { .. } => None,
        }
    }

    /// The line of a draft, `1` to `5`, or `F` for the floor; `None` for a wall choice.
    #[getter]
    fn to(&self) -> Option<String> {
        match self.0 {
            Move::Draft(draft) => Some(draft.to.to_string()),
            Move::Place { .. } => None,
        }
    }

    /// The row and the column of a wall choice, from 1; `None` for a draft.
    #[getter]
    fn space(&self) -> Option<(usize, usize)> {
        match self.0 {
            Move::Draft(_) => None,
            Move::Place { row, column } => Some((row.index() + 1, column.index() + 1)),
        }
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
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

/// The tiles of each factory, as dealt.
#[pyclass(name = "Deal", module = "azulejo_game", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyDeal(pub(crate) Deal);

/// A deal from an argument: a `Deal`, or its text.
pub(crate) fn deal_of(value: &Bound<'_, PyAny>) -> PyResult<Deal> {
    if let Ok(deal) = value.cast::<PyDeal>() {
        return Ok(deal.get().0);
    }
    let Ok(text) = value.cast::<PyString>() else {
        return Err(PyTypeError::new_err("a deal is a `Deal` or a text like \"BBYR-KKKK-…\""));
    };
    text.to_str()?.parse().map_err(Raise::raise)
}

#[pymethods]
impl PyDeal {
    #[new]
    #[pyo3(signature = (text, /))]
    fn new(text: &str) -> PyResult<PyDeal> {
        text.parse().map(PyDeal).map_err(Raise::raise)
    }

    /// A deal of these factories, each a text of letters.
    #[staticmethod]
    fn of(factories: Vec<String>) -> PyResult<PyDeal> {
        let tiles = factories.iter().map(|tiles| match tiles.as_str() {
            "" => Ok(Tiles::EMPTY),
            tiles => tiles.parse::<Tiles>().map_err(|error| ParseError::new_err(error.to_string())),
        });
        let tiles: Vec<Tiles> = tiles.collect::<PyResult<_>>()?;
        let too_many = || ParseError::new_err("a game has at most nine factories");
        Deal::new(&tiles).map(PyDeal).ok_or_else(too_many)
    }

    /// The tiles of each factory.
    #[getter]
    fn factories(&self) -> Vec<String> {
        self.0.factories().iter().map(|&tiles| letters(tiles)).collect()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Deal('{}')", self.0)
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

/// Deals from a seed, one after the other, as every program of Azulejo deals them.
#[pyclass(name = "Dealer", module = "azulejo_game", frozen)]
pub(crate) struct PyDealer {
    dealer: Mutex<Dealer>,
    #[pyo3(get)]
    first: usize,
}

#[pymethods]
impl PyDealer {
    /// The dealer of a new game, or of one that goes on from a position.
    #[new]
    #[pyo3(signature = (seed, rules_or_position))]
    fn new(seed: &Bound<'_, PyAny>, rules_or_position: &Bound<'_, PyAny>) -> PyResult<PyDealer> {
        let seed = self::seed(seed)?;
        let (first, dealer) = match rules_or_position.cast::<PyPosition>() {
            Ok(position) => {
                let position = position.get().0;
                (position.starter(), Dealer::resume(&seed, &position))
            }
            Err(_) => Dealer::new(&seed, &rules_of(rules_or_position)?),
        };
        Ok(PyDealer { dealer: Mutex::new(dealer), first: first.index() })
    }

    /// Draws the next deal.
    fn deal(&self, position: &PyPosition) -> PyResult<PyDeal> {
        let mut dealer = self.dealer.lock().unwrap_or_else(PoisonError::into_inner);
        dealer.deal(&position.0).map(PyDeal).map_err(Raise::raise)
    }

    fn __copy__(&self) -> PyDealer {
        let dealer = self.dealer.lock().unwrap_or_else(PoisonError::into_inner).clone();
        PyDealer { dealer: Mutex::new(dealer), first: self.first }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyDealer {
        self.__copy__()
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.dealer.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
