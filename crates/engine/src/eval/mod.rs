//! Evaluation: an efficiently updated network over binary features, or a hand-written function.
//!
//! [`features`] numbers the facts that the [`network`] sees, [`Evaluator`] adds up their rows with a
//! cache of boards, `tilings` makes wall choices, [`Node`] is what the search hands to it, and `value`
//! folds the estimated win probability and point difference into the number that the search
//! maximizes.

mod classic;
mod evaluator;
pub mod features;
pub mod network;
mod node;
mod tilings;
mod value;

pub(crate) use evaluator::{Evaluator, Judged};
pub(crate) use node::Node;
pub(crate) use value::{Certainty, Found, INFINITE, Value, win_of_mean};
