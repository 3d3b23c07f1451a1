//! Which themes a puzzle has: differences between the best line and the second best.

use crate::theme::Theme;
use azulejo_rules::{Bonuses, Move, Position, Row, Seat, Step};

/// The themes of a solution. `lines` are the best and the second best, to the end of the round.
pub(crate) fn of(position: &Position, solution: &[Move], lines: &[Vec<Move>; 2]) -> Vec<Theme> {
    let seat = position.turn();
    let [best, second] = lines.each_ref().map(|line| Sides::after(position, line, seat));
    let mut takes_marker = false;
    let mut is_choice = false;
    let mut now = *position;
    for &m in solution {
        let is_own = now.turn() == seat;
        is_choice |= is_own && matches!(m, Move::Place { .. });
        let marker = now.marker();
        now.play_unchecked(m);
        takes_marker |= is_own && marker.is_none() && now.marker() == Some(seat);
    }
    let has = |theme: Theme| match theme {
        Theme::Deny => second.others.score - best.others.score >= DENIED,
        Theme::Overflow => {
            best.others.floor - second.others.floor >= SPILLED
                || second.own.floor - best.own.floor >= SPILLED
        }
        Theme::Marker => takes_marker,
        Theme::Column => {
            best.own.columns > second.own.columns || best.others.columns < second.others.columns
        }
        Theme::Color => {
            best.own.colors > second.own.colors || best.others.colors < second.others.colors
        }
        Theme::LastRound => (best.is_over || second.is_over) && !is_last_for_certain(position),
        Theme::WallChoice => is_choice,
    };
    Theme::ALL.into_iter().filter(|&theme| has(theme)).collect()
}

/// Points that an opponent must lose for `deny`.
const DENIED: i32 = 3;
/// Points that a floor must cost more for `overflow`.
const SPILLED: i32 = 3;

/// How the round ends for one side.
#[derive(Clone, Copy, Default)]
struct Side {
    score: i32,
    floor: i32,
    columns: u32,
    colors: u32,
}

/// The solver and the others: the best score among them, all else added up.
struct Sides {
    own: Side,
    others: Side,
    /// Whether the game ends with the round.
    is_over: bool,
}

impl Sides {
    fn after(position: &Position, line: &[Move], seat: Seat) -> Sides {
        let mut sides = Sides { own: Side::default(), others: Side::default(), is_over: false };
        let mut end = *position;
        for &m in line {
            let report = |step| {
                if let Step::FloorCleared { seat: of, loss, .. } = step {
                    let side = if of == seat { &mut sides.own } else { &mut sides.others };
                    side.floor += i32::from(loss);
                }
            };
            end.play_with(m, report).expect("the solver's moves are legal");
        }
        let players = end.rules().players();
        for (&of, board) in players.seats().iter().zip(end.boards()) {
            let bonuses = Bonuses::of(board, end.rules());
            let side = if of == seat { &mut sides.own } else { &mut sides.others };
            side.score = side.score.max(i32::from(board.score()));
            side.columns += bonuses.columns;
            side.colors += bonuses.colors;
        }
        sides.is_over = end.outcome().is_some();
        sides
    }
}

/// Whether some wall will have a full row after this round, whatever is played: a full line with one free
/// space in its row.
fn is_last_for_certain(position: &Position) -> bool {
    position.boards().iter().any(|board| {
        Row::ALL.into_iter().any(|row| {
            let line = board.line(row);
            line.is_full()
                && board.wall().row(row).len() == 4
                && !board.spaces_for(line, position.rules()).is_empty()
        })
    })
}
