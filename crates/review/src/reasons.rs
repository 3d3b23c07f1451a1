//! Why one line is better than another, in numbers: both are played to the end of the round and
//! compared. `azulejo-words` makes sentences of them.

use azulejo_rules::{Bonuses, Move, Position, Seat, Step};

/// A difference between the best line and the line after the played move, seen by the seat that moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "snake_case"))]
pub enum Reason {
    /// Points more for placements this round.
    Placements {
        /// How many more; negative for fewer.
        points: i32,
    },
    /// Points more because of a cheaper floor.
    Floor {
        /// How many more; negative for fewer.
        points: i32,
    },
    /// Points more by bonuses for rows, columns and colors that are complete after the round.
    Bonuses {
        /// How many more; negative for fewer.
        points: i32,
    },
    /// Points fewer for an opponent this round, floor and bonuses included.
    Denies {
        /// The opponent.
        #[cfg_attr(feature = "serde", serde(with = "crate::seat_number"))]
        seat: Seat,
        /// How many fewer; negative for more.
        points: i32,
    },
    /// More tiles in unfinished lines, a start for the next round.
    Lines {
        /// How many more; negative for fewer.
        tiles: i32,
    },
    /// Who starts the next round is different.
    Starter {
        /// Who starts it after the best line.
        #[cfg_attr(feature = "serde", serde(with = "crate::seat_number"))]
        best: Seat,
        /// Who starts it after the played move.
        #[cfg_attr(feature = "serde", serde(with = "crate::seat_number"))]
        played: Seat,
    },
    /// Whether the game ends with this round is different.
    Ending {
        /// Whether it ends after the best line.
        best: bool,
    },
}

/// What happens to the end of a round.
struct Totals {
    placements: [i32; 4],
    floors: [i32; 4],
    bonuses: [i32; 4],
    lines: [i32; 4],
    starter: Seat,
    is_over: bool,
}

impl Totals {
    fn of(position: &Position, line: &[Move]) -> Totals {
        let mut end = *position;
        let (mut placements, mut floors) = ([0; 4], [0; 4]);
        for &m in line {
            let legal = end.play_with(m, |step| match step {
                Step::Placed { seat, points, .. } => placements[seat.index()] += points as i32,
                Step::FloorCleared { seat, loss, .. } => floors[seat.index()] -= i32::from(loss),
                _ => {}
            });
            debug_assert!(legal.is_ok(), "{m} in {end}");
        }
        let (mut bonuses, mut lines) = ([0; 4], [0; 4]);
        for (i, board) in end.boards().iter().enumerate() {
            bonuses[i] = i32::from(Bonuses::of(board, end.rules()).total());
            lines[i] = board.tiles().total() as i32 - board.wall().n_tiles() as i32;
        }
        let is_over = end.ended_by().is_some();
        Totals { placements, floors, bonuses, lines, starter: end.starter(), is_over }
    }

    fn points(&self, i: usize) -> i32 {
        self.placements[i] + self.floors[i] + self.bonuses[i]
    }
}

/// The differences between two lines to the end of the round, the largest first.
pub(crate) fn compare(position: &Position, best: &[Move], played: &[Move]) -> Vec<Reason> {
    let (best, played) = (Totals::of(position, best), Totals::of(position, played));
    let (seat, i) = (position.turn(), position.turn().index());
    let mut reasons = vec![
        Reason::Placements { points: best.placements[i] - played.placements[i] },
        Reason::Floor { points: best.floors[i] - played.floors[i] },
        Reason::Bonuses { points: best.bonuses[i] - played.bonuses[i] },
        Reason::Lines { tiles: best.lines[i] - played.lines[i] },
    ];
    for &other in position.rules().players().seats().iter().filter(|&&other| other != seat) {
        let points = played.points(other.index()) - best.points(other.index());
        reasons.push(Reason::Denies { seat: other, points });
    }
    if best.starter != played.starter {
        reasons.push(Reason::Starter { best: best.starter, played: played.starter });
    }
    if best.is_over != played.is_over {
        reasons.push(Reason::Ending { best: best.is_over });
    }
    reasons.retain(|reason| reason.weight() != 0);
    reasons.sort_by_key(|reason| -reason.weight());
    reasons
}

impl Reason {
    /// Whether it speaks for the best move. A change of the starter speaks for nobody by itself.
    #[must_use]
    pub fn is_gain(self) -> bool {
        match self {
            Reason::Placements { points }
            | Reason::Floor { points }
            | Reason::Bonuses { points }
            | Reason::Denies { points, .. } => points > 0,
            Reason::Lines { tiles } => tiles > 0,
            Reason::Starter { .. } | Reason::Ending { .. } => true,
        }
    }

    /// How much it matters, in points, roughly: the end of the game most of all, a tile in a line half
    /// a point.
    fn weight(self) -> i32 {
        match self {
            Reason::Placements { points }
            | Reason::Floor { points }
            | Reason::Bonuses { points }
            | Reason::Denies { points, .. } => 2 * points.abs(),
            Reason::Lines { tiles } => tiles.abs(),
            Reason::Starter { .. } => 3,
            Reason::Ending { .. } => 1_000,
        }
    }
}
