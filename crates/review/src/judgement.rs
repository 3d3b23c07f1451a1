//! The scale of judgements, and accuracy. docs/review.md explains both; the numbers are here.

use crate::amount::Share;

/// The judgement of a decision, from the best to the worst.
///
/// ```
/// use azulejo_review::{Judgement, Share};
///
/// assert_eq!(Judgement::of_loss(Share::new(0.004)), Judgement::Good);
/// assert_eq!(Judgement::of_loss(Share::new(0.2)), Judgement::Blunder);
/// assert!(Judgement::Blunder.is_mark() && !Judgement::Good.is_mark());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Judgement {
    /// The only good move, and hard to see.
    Brilliant,
    /// Nothing is better.
    Best,
    /// Loses less than 2 % of a win, or, with three and four players, more by an estimate only.
    Good,
    /// Loses 2 % or more.
    Inaccuracy,
    /// Loses 5 % or more.
    Mistake,
    /// Loses 12 % or more.
    Blunder,
}

impl Judgement {
    /// All of them, the best first.
    pub const ALL: [Judgement; 6] = [
        Judgement::Brilliant,
        Judgement::Best,
        Judgement::Good,
        Judgement::Inaccuracy,
        Judgement::Mistake,
        Judgement::Blunder,
    ];

    /// The judgement of a move that is not the best.
    #[must_use]
    pub fn of_loss(loss: Share) -> Judgement {
        match loss {
            _ if loss >= Share::new(0.12) => Judgement::Blunder,
            _ if loss >= Share::new(0.05) => Judgement::Mistake,
            _ if loss >= Share::new(0.02) => Judgement::Inaccuracy,
            _ => Judgement::Good,
        }
    }

    /// Whether it is marked as an error: an inaccuracy, a mistake or a blunder.
    #[must_use]
    pub fn is_mark(self) -> bool {
        self >= Judgement::Inaccuracy
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Judgement::Brilliant => "brilliant",
            Judgement::Best => "best",
            Judgement::Good => "good",
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }

    /// The sign after the move, as in chess: `!!`, nothing, `?!`, `?`, `??`.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Judgement::Brilliant => "!!",
            Judgement::Best | Judgement::Good => "",
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }
}

/// How much a judgement rests on, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Certainty {
    /// The search did not reach the end of the round on every line that matters.
    Estimated,
    /// The round was searched to its end; only what comes after the next deal is an estimate.
    Solved,
    /// The game ends with this round, and all that matters was searched: the loss is a fact.
    Proved,
}

impl Certainty {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Certainty::Estimated => "estimated",
            Certainty::Solved => "solved",
            Certainty::Proved => "proved",
        }
    }
}

/// The loss at which a decision has an accuracy of 50.
const HALF: f64 = 0.05;

/// The accuracy of a decision, from 0 to 100: `100 / (1 + loss / 5 %)`. A hyperbola: one blunder does
/// not outweigh a whole game, and no library function is needed whose last digit depends on the machine.
pub(crate) fn accuracy(loss: Share) -> f64 {
    100.0 / (1.0 + loss.get().max(0.0) / HALF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_in_order() {
        let losses = [0.0, 0.0199, 0.02, 0.0499, 0.05, 0.1199, 0.12, 1.0];
        let judgements = losses.map(|loss| Judgement::of_loss(Share::new(loss)));
        assert!(judgements.is_sorted());
        use Judgement::{Blunder, Good, Inaccuracy, Mistake};
        let expected = [Good, Good, Inaccuracy, Inaccuracy, Mistake, Mistake, Blunder, Blunder];
        assert_eq!(judgements, expected);
    }

    #[test]
    fn accuracy_falls_with_the_loss() {
        let accuracies = [0.0, 0.01, 0.05, 0.2, 1.0].map(|loss| accuracy(Share::new(loss)));
        assert_eq!((accuracies[0], accuracies[2]), (100.0, 50.0));
        assert!(accuracies.iter().rev().is_sorted() && accuracies[4] > 0.0);
    }
}
