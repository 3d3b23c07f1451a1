//! `Position`, with the boards on it and the outcome of a game.

use crate::convert::{letters, seat, to_python};
use crate::errors::Raise;
use crate::moves::{PyDeal, PyMove, deal_of, move_object, move_of};
use crate::rules::{PyRules, reduce, rules_of};
use azulejo_rules::{Board, Column, Outcome, Phase, Position, Row, Source};
use azulejo_table::view::{MoveView, OutcomeView, PositionView, ProjectionView, StepView};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

/// A position: everything on the table, always a legal one. It never changes; `play` and `deal` return
/// the next one.
#[pyclass(name = "Position", module = "azulejo_game", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyPosition(pub(crate) Position);

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (text, /))]
    fn new(text: &str) -> PyResult<PyPosition> {
        text.parse().map(PyPosition).map_err(Raise::raise)
    }

    /// A new game before its first deal. The first player of the rules starts, or else seat 0.
    #[staticmethod]
    #[pyo3(signature = (rules = None, first = None))]
    fn start(rules: Option<&Bound<'_, PyAny>>, first: Option<usize>) -> PyResult<PyPosition> {
        let rules = rules.map_or_else(|| "2c".parse().map_err(Raise::raise), rules_of)?;
        let named = rules.first_player().map(azulejo_rules::Seat::index);
        let first = seat(&rules, first.or(named).unwrap_or(0))?;
        Ok(PyPosition(Position::new(rules, first)))
    }

    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.0.rules())
    }

    /// What the game waits for: `draft`, `tiling`, `deal`, or `over`.
    #[getter]
    fn phase(&self) -> &'static str {
        match self.0.phase() {
            Phase::Draft => "draft",
            Phase::Tiling(_) => "tiling",
            Phase::Deal => "deal",
            Phase::Over(_) => "over",
        }
    }

    /// The row of a wall choice, from 1.
    #[getter]
    fn tiling_row(&self) -> Option<usize> {
        match self.0.phase() {
            Phase::Tiling(row) => Some(row.index() + 1),
            _ => None,
        }
    }

    #[getter]
    fn is_over(&self) -> bool {
        matches!(self.0.phase(), Phase::Over(_))
    }

    /// The seat that decides; between rounds the one that will start.
    #[getter]
    fn turn(&self) -> usize {
        self.0.turn().index()
    }

    #[getter]
    fn starter(&self) -> usize {
        self.0.starter().index()
    }

    #[getter]
    fn round(&self) -> u16 {
        self.0.round()
    }

    #[getter]
    fn dry_rounds(&self) -> u8 {
        self.0.dry_rounds()
    }

    /// The seat that holds the marker; `None` if it lies in the center.
    #[getter]
    fn marker(&self) -> Option<usize> {
        self.0.marker().map(azulejo_rules::Seat::index)
    }

    #[getter]
    fn bag(&self) -> String {
        letters(self.0.stock().bag)
    }

    #[getter]
    fn lid(&self) -> String {
        letters(self.0.stock().lid)
    }

    /// The number of tiles of the next deal.
    #[getter]
    fn deal_size(&self) -> u32 {
        self.0.stock().deal_size(self.0.rules())
    }

    #[getter]
    fn factories(&self) -> Vec<String> {
        self.0.factories().map(|(_, tiles)| letters(tiles)).collect()
    }

    #[getter]
    fn center(&self) -> String {
        letters(self.0.pile(Source::Center))
    }

    #[getter]
    fn scores(&self) -> Vec<u16> {
        self.0.boards().iter().map(Board::score).collect()
    }

    #[getter]
    fn boards(&self) -> Vec<PyBoard> {
        let seats = self.0.rules().players().seats();
        seats
            .iter()
            .map(|&seat| PyBoard {
                board: *self.0.board(seat),
                has_marker: self.0.marker() == Some(seat),
            })
            .collect()
    }

    /// The result, if the game is over.
    #[getter]
    fn outcome(&self) -> Option<PyOutcome> {
        self.0.outcome().map(PyOutcome)
    }

    /// All legal moves; empty between rounds and at the end.
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let moves = self.0.legal_moves();
        let moves: Vec<Py<PyMove>> =
            moves.iter().map(|&m| move_object(py, m)).collect::<PyResult<_>>()?;
        PyList::new(py, moves)
    }

    #[getter]
    fn n_legal_moves(&self) -> u32 {
        self.0.n_legal_moves()
    }

    /// The legal move of a number from 0, in the order of `legal_moves`.
    fn nth_legal_move(&self, py: Python<'_>, n: usize) -> PyResult<Py<PyMove>> {
        let m = u32::try_from(n).ok().and_then(|n| self.0.nth_legal_move(n));
        let too_large =
            || pyo3::exceptions::PyIndexError::new_err(format!("there is no legal move {n}"));
        move_object(py, m.ok_or_else(too_large)?)
    }

    fn is_legal(&self, m: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.0.is_legal(move_of(m)?))
    }

    /// The position after a move.
    fn play(&self, m: &Bound<'_, PyAny>) -> PyResult<PyPosition> {
        let mut next = self.0;
        next.play(move_of(m)?).map_err(Raise::raise)?;
        Ok(PyPosition(next))
    }

    /// The position after a deal.
    fn deal(&self, deal: &Bound<'_, PyAny>) -> PyResult<PyPosition> {
        let mut next = self.0;
        next.deal(&deal_of(deal)?).map_err(Raise::raise)?;
        Ok(PyPosition(next))
    }

    /// A random deal for this position, which follows from the seed.
    fn draw_deal(&self, seed: &Bound<'_, PyAny>) -> PyResult<PyDeal> {
        let mut dealer = azulejo_notation::Dealer::resume(&crate::convert::seed(seed)?, &self.0);
        dealer.deal(&self.0).map(PyDeal).map_err(Raise::raise)
    }

    /// What happens while a move or a deal is played, step by step.
    fn report<'py>(
        &self,
        py: Python<'py>,
        move_or_deal: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (mut next, mut steps) = (self.0, Vec::new());
        let mut report = |step| steps.push(StepView::new(&step));
        match move_or_deal.cast::<PyDeal>() {
            Ok(deal) => next.deal_with(&deal.get().0, &mut report).map_err(Raise::raise)?,
            Err(_) => next.play_with(move_of(move_or_deal)?, &mut report).map_err(Raise::raise)?,
        }
        to_python(py, &steps)
    }

    /// What a move would do, without playing it.
    fn preview<'py>(&self, py: Python<'py>, m: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let m = move_of(m)?;
        self.0.check(m).map_err(Raise::raise)?;
        to_python(py, &MoveView::new(&self.0, m))
    }

    /// The score of a seat if the round ended now.
    fn projection<'py>(&self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyAny>> {
        let seat = self::seat(self.0.rules(), seat)?;
        to_python(py, &ProjectionView::new(&self.0.projection(seat)))
    }

    /// The position as the JSON interface shows it.
    #[allow(clippy::wrong_self_convention, reason = "methods of a Python class borrow")]
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &PositionView::new(&self.0))
    }

    /// A drawing for a terminal.
    #[pyo3(signature = (width = 80, colors = false))]
    fn draw(&self, width: u16, colors: bool) -> String {
        azulejo_draw::picture(&self.0, width.into(), colors)
    }

    /// A drawing as an SVG document.
    fn svg(&self) -> String {
        azulejo_draw::svg(&self.0)
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position('{}')", self.0)
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

/// What one seat has.
#[pyclass(name = "Board", module = "azulejo_game", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyBoard {
    board: Board,
    has_marker: bool,
}

#[pymethods]
impl PyBoard {
    #[getter]
    fn score(&self) -> u16 {
        self.board.score()
    }

    /// The tiles of each line.
    #[getter]
    fn lines(&self) -> Vec<String> {
        Row::ALL.map(|row| letters(self.board.line(row).tiles())).to_vec()
    }

    /// The rows of the wall; a free space is a dot.
    #[getter]
    fn wall(&self) -> Vec<String> {
        let space = |row, column| {
            self.board.wall().tile(row, column).map_or('.', azulejo_rules::Tile::letter)
        };
        Row::ALL.map(|row| Column::ALL.map(|column| space(row, column)).iter().collect()).to_vec()
    }

    /// The tiles on the floor, without the marker.
    #[getter]
    fn floor(&self) -> String {
        letters(self.board.floor())
    }

    #[getter]
    fn has_marker(&self) -> bool {
        self.has_marker
    }

    /// The spaces of the floor that are taken, by tiles and the marker.
    #[getter]
    fn floor_spaces(&self) -> u32 {
        self.board.floor_spaces(self.has_marker)
    }

    fn __repr__(&self) -> String {
        format!(
            "<Board with {} points, lines {:?}, wall {:?}>",
            self.score(),
            self.lines(),
            self.wall()
        )
    }
}

/// The result of a finished game.
#[pyclass(name = "Outcome", module = "azulejo_game", frozen, eq)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PyOutcome(Outcome);

#[pymethods]
impl PyOutcome {
    #[getter]
    fn scores(&self) -> Vec<u16> {
        self.0.scores.to_vec()
    }

    /// The rank of each seat, from 1; equal seats share one.
    #[getter]
    fn ranks(&self) -> Vec<usize> {
        self.0.ranks.iter().map(|&rank| rank.into()).collect()
    }

    #[getter]
    fn winners(&self) -> Vec<usize> {
        self.0.winners().map(azulejo_rules::Seat::index).collect()
    }

    /// Why the game ended: `row`, `no_tiles`, `dead_position` or `stall`.
    #[getter]
    fn ended_by(&self) -> &'static str {
        self.0.by.name()
    }

    /// The outcome as the JSON interface shows it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &OutcomeView::new(&self.0))
    }

    fn __repr__(&self) -> String {
        format!("<Outcome {:?} by {}>", self.scores(), self.ended_by())
    }
}
