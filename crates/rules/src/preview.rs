//! Previews: the score if the round ended now, and what a move would do.

use crate::check::IllegalMove;
use crate::moves::Move;
use crate::names::{Column, Destination, Seat};
use crate::position::Position;
use crate::step::Step;
use std::cmp::Reverse;

/// What a full line will bring in wall-tiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProjectedRow {
    /// The column of its tile; `None` if no space takes it and the line will fall.
    pub column: Option<Column>,
    /// The points for it.
    pub points: u32,
}

/// A seat's score if the round ended now. Where the seat will have a choice, the projection is of
/// the choices that give the best score for this round.
///
/// ```
/// use azulejo_rules::{BoardSetup, Column, Phase, Players, Row, Rules, Seat, Setup, Source};
///
/// // A full yellow line 2, and one tile on the floor.
/// let mut board = BoardSetup::default().with_line(Row::Two, "YY".parse()?);
/// board.floor = "K".parse()?;
/// let position = Setup::new(Rules::official(Players::Two))
///     .with_phase(Phase::Draft, Seat::One)
///     .with_pile(Source::Center, "RR".parse()?)
///     .with_board(Seat::One, board)
///     .with_rest_in_bag()
///     .validate()?;
/// let projection = position.projection(Seat::One);
/// assert_eq!(projection.rows[1].and_then(|row| row.column), Some(Column::Three));
/// assert_eq!((projection.points(), projection.loss, projection.score), (1, 1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Projection {
    /// The lines that are full now, by row.
    pub rows: [Option<ProjectedRow>; 5],
    /// What the floor will cost.
    pub loss: u16,
    /// The score after it, without bonuses.
    pub score: u16,
}

impl Projection {
    /// The points of all placements.
    #[must_use]
    pub fn points(&self) -> u32 {
        self.rows.iter().flatten().map(|row| row.points).sum()
    }

    /// A higher score is better; ties go to the columns further left, compared from the top row down.
    fn is_better(&self, other: &Projection) -> bool {
        let key = |of: &Projection| (Reverse(of.score), of.rows.map(|row| row?.column));
        key(self) < key(other)
    }
}

/// What a move would do; see [`Position::preview`].
///
/// ```
/// use azulejo_rules::{Players, Position, Rules, Seat};
///
/// let mut position = Position::new(Rules::official(Players::Two), Seat::One);
/// position.deal(&"BBYR-KKKK-BYRK-YWWW-RRKK".parse()?)?;
/// let preview = position.preview("1B2".parse()?)?;
/// assert!(preview.completes_line);
/// assert_eq!((preview.change(), preview.line().map(|row| row.points)), (1, Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Preview {
    /// Who would play it.
    pub seat: Seat,
    /// The move's own step: [`Step::Drafted`] or [`Step::Placed`].
    pub step: Step,
    /// Whether a line would become full.
    pub completes_line: bool,
    /// The mover's projection before the move.
    pub before: Projection,
    /// The mover's projection right after it.
    pub after: Projection,
}

impl Preview {
    /// The change in the mover's projected score.
    #[must_use]
    pub fn change(&self) -> i32 {
        i32::from(self.after.score) - i32::from(self.before.score)
    }

    /// What the line of the draft would bring in wall-tiling, if the draft fills it.
    #[must_use]
    pub fn line(&self) -> Option<ProjectedRow> {
        match self.step {
            Step::Drafted { to: Destination::Line(row), .. } => self.after.rows[row.index()],
            _ => None,
        }
    }
}

impl Position {
    /// A seat's score if the round ended now.
    #[must_use]
    pub fn projection(&self, seat: Seat) -> Projection {
        let mut tilings = self.tilings(seat);
        tilings.advance();
        let mut best = tilings.projection;
        while tilings.advance() {
            if tilings.projection.is_better(&best) {
                best = tilings.projection;
            }
        }
        best
    }

    /// What a move would do.
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn preview(&self, m: Move) -> Result<Preview, IllegalMove> {
        self.check(m)?;
        let seat = self.turn;
        let mut first = None;
        let mut next = *self;
        next.take_turn(m, &mut |_, step| first = first.or(Some(step)));
        let full_before = self.board(seat).full_lines();
        Ok(Preview {
            seat,
            step: first.expect("every move reports itself"),
            completes_line: next.board(seat).full_lines().bits() & !full_before.bits() != 0,
            before: self.projection(seat),
            after: next.projection(seat),
        })
    }
}
