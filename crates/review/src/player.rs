//! The review of one player: loss per decision, accuracy, phases, turning points, points by kind.

use crate::amount::Share;
use crate::deals::DealLuck;
use crate::decision::Decision;
use crate::judgement::{Judgement, accuracy};
use crate::ledger::Ledger;
use azulejo_notation::Record;
use azulejo_rules::{Seat, Step};

/// How many turning points a player is shown.
const N_TURNING_POINTS: usize = 3;

/// The review of one player.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Player {
    /// The seat.
    #[cfg_attr(feature = "serde", serde(with = "crate::seat_number"))]
    pub seat: Seat,
    /// The name, if the record has one.
    pub name: Option<String>,
    /// Everything together.
    pub all: Summary,
    /// Opening (rounds 1 and 2), middle and last round.
    pub phases: Phases,
    /// The number of decisions by judgement, the best first, as in [`Judgement::ALL`].
    pub judgements: [u32; 6],
    /// The three deals and moves that changed the win chance most, the largest change first.
    pub turning_points: Vec<TurningPoint>,
    /// Where the points came from.
    pub points: PointsByKind,
    /// How the win chance came about.
    pub ledger: Ledger,
}

/// The decisions of a part of the game. Only decisions with two or more legal moves count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Summary {
    /// The number of decisions.
    pub n_decisions: u32,
    /// The sum of what they lost.
    pub loss: Share,
    /// The mean of it.
    pub loss_per_decision: Share,
    /// The mean of their accuracies, from 0 to 100, to one decimal; `None` without a decision.
    pub accuracy: Option<f64>,
}

/// The phases of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Phases {
    /// Rounds 1 and 2.
    pub opening: Summary,
    /// The rounds between.
    pub middle: Summary,
    /// The last round of a finished game.
    pub ending: Summary,
}

/// A deal or a move that changed the win chance of a player much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TurningPoint {
    /// The index of the move in the record; for a deal that of the move after it.
    pub ply: usize,
    /// Whether it is a deal.
    pub is_deal: bool,
    /// The change of the player's win chance.
    pub change: Share,
}

/// Where the points of a player came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PointsByKind {
    /// Tiles placed on the wall.
    pub placements: i32,
    /// The floor; never positive. A score never falls below 0, so it may have cost less than shown.
    pub floor: i32,
    /// The bonus for rows.
    pub rows: i32,
    /// The bonus for columns.
    pub columns: i32,
    /// The bonus for colors.
    pub colors: i32,
}

impl Player {
    pub(crate) fn new(
        record: &Record,
        seat: Seat,
        (deals, decisions): (&[DealLuck], &[Decision]),
        ledger: Ledger,
    ) -> Player {
        let own: Vec<&Decision> =
            decisions.iter().filter(|decision| decision.seat == seat).collect();
        let is_over = record.end().is_some();
        let last = decisions.last().map_or(0, |decision| decision.round);
        let is_ending = |decision: &Decision| is_over && decision.round == last;
        let summary = |is_counted: &dyn Fn(&Decision) -> bool| {
            Summary::new(own.iter().copied().filter(|decision| is_counted(decision)))
        };
        let mut judgements = [0; 6];
        for decision in own.iter().filter(|decision| decision.is_choice()) {
            judgements[decision.judgement as usize] += 1;
        }
        Player {
            seat,
            name: record.name(seat).map(str::to_owned),
            all: summary(&|_| true),
            phases: Phases {
                opening: summary(&|decision| decision.round <= 2 && !is_ending(decision)),
                middle: summary(&|decision| decision.round > 2 && !is_ending(decision)),
                ending: summary(&is_ending),
            },
            judgements,
            turning_points: turning_points(seat, deals, decisions),
            points: PointsByKind::new(record, seat),
            ledger,
        }
    }

    /// The number of decisions with this judgement.
    #[must_use]
    pub fn count(&self, judgement: Judgement) -> u32 {
        self.judgements[judgement as usize]
    }
}

impl Decision {
    /// Whether there was more than one legal move.
    #[must_use]
    pub fn is_choice(&self) -> bool {
        self.n_moves > 1
    }
}

impl Summary {
    /// The summary of decisions.
    pub fn new<'a>(decisions: impl Iterator<Item = &'a Decision>) -> Summary {
        let (mut n, mut loss, mut sum) = (0_u32, Share::ZERO, 0.0);
        for decision in decisions.filter(|decision| decision.is_choice()) {
            n += 1;
            loss += decision.loss;
            sum += accuracy(decision.loss);
        }
        Summary {
            n_decisions: n,
            loss,
            loss_per_decision: Share::new(loss.get() / f64::from(n.max(1))),
            accuracy: (n > 0).then(|| (sum / f64::from(n) * 10.0).round() / 10.0),
        }
    }
}

fn turning_points(seat: Seat, deals: &[DealLuck], decisions: &[Decision]) -> Vec<TurningPoint> {
    let i = seat.index();
    let deals = deals.iter().map(|deal| TurningPoint {
        ply: deal.ply,
        is_deal: true,
        change: deal.luck[i],
    });
    let moves = decisions.iter().map(|decision| TurningPoint {
        ply: decision.ply,
        is_deal: false,
        change: decision.cost()[i],
    });
    let mut all: Vec<_> = deals.chain(moves).filter(|at| at.change != Share::ZERO).collect();
    all.sort_by_key(|at| (-at.change.abs(), at.ply, !at.is_deal));
    all.truncate(N_TURNING_POINTS);
    all
}

impl PointsByKind {
    fn new(record: &Record, seat: Seat) -> PointsByKind {
        let mut points = PointsByKind::default();
        for step in record.replay().flat_map(|step| step.report) {
            match step {
                Step::Placed { seat: other, points: n, .. } if other == seat => {
                    points.placements += n as i32;
                }
                Step::FloorCleared { seat: other, loss, .. } if other == seat => {
                    points.floor -= i32::from(loss);
                }
                Step::BonusesScored { seat: other, bonuses, .. } if other == seat => {
                    points.rows += i32::from(bonuses.row_points);
                    points.columns += i32::from(bonuses.column_points);
                    points.colors += i32::from(bonuses.color_points);
                }
                _ => {}
            }
        }
        points
    }
}
