#![doc = include_str!("../README.md")]

mod amount;
mod analyst;
mod budget;
mod deals;
mod decision;
mod judgement;
mod ledger;
mod player;
mod reasons;
mod review;
mod reviewer;

pub use amount::{Points, Share, Shares};
pub use budget::{Budget, ParseBudgetError};
pub use deals::DealLuck;
pub use decision::Decision;
pub use judgement::{Certainty, Judgement};
pub use ledger::Ledger;
pub use player::{Phases, Player, PointsByKind, Summary, TurningPoint};
pub use reasons::Reason;
pub use review::{Review, is_over};
pub use reviewer::{ReviewError, Reviewer, Settings, judge_move};

/// A seat as its number, as in all other JSON of the project.
#[cfg(feature = "serde")]
mod seat_number {
    use azulejo_rules::Seat;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(seat: &Seat, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(seat.index() as u64 + 1)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Seat, D::Error> {
        let number = usize::deserialize(from)?;
        let seat = number.checked_sub(1).and_then(Seat::from_index);
        seat.ok_or_else(|| D::Error::custom("a seat is a number from 1 to 4"))
    }
}
