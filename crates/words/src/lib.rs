//! Sentences about the game for people, in English: what a step did, what a move would do, the
//! state of a game, why a move is advised or judged. The terminal and the command line share them.
//!
//! Nothing here decides anything: the facts come from `azulejo-rules`, `azulejo-engine` and `azulejo-review`. The
//! web app has catalogs of its own, since it speaks two languages.

mod game;
mod hint;
mod review;
mod step;
mod text;
mod told_review;
mod wrap;

pub use game::{bonuses, destination, marker, phase, ranking, rules, tiles, winners};
pub use hint::{forecast, hint, line};
pub use review::{better, chance, luck, verdict};
pub use step::{brief, preview, step};
pub use text::{capital, change, clip, count, list};
pub use told_review::{ReviewWords, ToldReview, judged};
pub use wrap::wrap;

use azulejo_rules::Seat;

/// How sentences call the seats.
#[derive(Clone, Copy)]
pub enum Names<'a> {
    /// By number: `Seat 1`.
    Numbers,
    /// By the name that this function gives.
    Given(&'a dyn Fn(Seat) -> String),
}

impl Names<'_> {
    /// The name of a seat at the beginning of a sentence.
    #[must_use]
    pub fn name(self, seat: Seat) -> String {
        match self {
            Names::Numbers => format!("Seat {seat}"),
            Names::Given(name) => name(seat),
        }
    }

    /// The name of a seat within a sentence.
    fn within(self, seat: Seat) -> String {
        match self {
            Names::Numbers => format!("seat {seat}"),
            Names::Given(name) => name(seat),
        }
    }

    /// Several seats at the beginning of a sentence: `Seats 1 and 3`, `Ana and Rui`.
    fn several(self, seats: &[Seat]) -> String {
        match self {
            Names::Numbers => {
                let numbers: Vec<_> = seats.iter().map(ToString::to_string).collect();
                format!("Seats {}", list(&numbers))
            }
            Names::Given(name) => list(&seats.iter().copied().map(name).collect::<Vec<_>>()),
        }
    }
}
