//! How much a review computes, counted in nodes of the search, so that the result does not depend on
//! the machine.

use azulejo_engine::Limits;
use std::fmt;
use std::str::FromStr;

/// How much a review computes.
///
/// ```
/// use azulejo_review::Budget;
///
/// assert_eq!("quick".parse(), Ok(Budget::QUICK));
/// assert_eq!(Budget::NORMAL.to_string(), "normal");
/// assert!("absurd".parse::<Budget>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Budget {
    /// Nodes for the search of each decision with two players; with more a tenth, since they take longer.
    pub nodes: u64,
    /// The number of deals that are sampled for a value before a deal.
    pub n_deals: u32,
    /// Nodes for the search after each of them.
    pub deal_nodes: u64,
}

impl Budget {
    /// A second or two for a game of two players.
    pub const QUICK: Budget = Budget { nodes: 100_000, n_deals: 8, deal_nodes: 10_000 };
    /// About ten seconds on one thread.
    pub const NORMAL: Budget = Budget { nodes: 4_000_000, n_deals: 24, deal_nodes: 100_000 };
    /// A minute or two.
    pub const THOROUGH: Budget = Budget { nodes: 32_000_000, n_deals: 64, deal_nodes: 400_000 };

    /// The named budgets, the smallest first.
    pub const ALL: [(&'static str, Budget); 3] =
        [("quick", Budget::QUICK), ("normal", Budget::NORMAL), ("thorough", Budget::THOROUGH)];

    /// Twice as much of everything.
    #[must_use]
    pub const fn doubled(self) -> Budget {
        Budget { nodes: 2 * self.nodes, n_deals: 2 * self.n_deals, deal_nodes: 2 * self.deal_nodes }
    }

    /// The budget with sensible numbers: at least enough to search every move once, and at most what
    /// ends within a day.
    #[must_use]
    pub(crate) fn clamped(self) -> Budget {
        Budget {
            nodes: self.nodes.clamp(1_000, 1_000_000_000),
            n_deals: self.n_deals.clamp(2, 10_000),
            deal_nodes: self.deal_nodes.clamp(1_000, 1_000_000_000),
        }
    }

    pub(crate) fn decision(self, n_seats: usize) -> Limits {
        let nodes = if n_seats > 2 { self.nodes / 10 } else { self.nodes };
        limits(nodes.max(1_000))
    }

    /// For the number of good moves, and for lines beyond the horizon of a search.
    pub(crate) fn side(self) -> Limits {
        limits((self.nodes / 100).max(1_000))
    }

    /// With more than two players the engine searches twice after a deal.
    pub(crate) fn deal(self, n_seats: usize) -> Limits {
        limits(if n_seats > 2 { self.deal_nodes / 2 } else { self.deal_nodes })
    }
}

fn limits(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Its name, or its numbers.
impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Budget::ALL.iter().find(|(_, budget)| budget == self) {
            Some((name, _)) => f.write_str(name),
            None => write!(f, "{} nodes, {} deals", self.nodes, self.n_deals),
        }
    }
}

/// The text is not the name of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a budget is `quick`, `normal` or `thorough`")]
pub struct ParseBudgetError;

impl FromStr for Budget {
    type Err = ParseBudgetError;

    fn from_str(text: &str) -> Result<Budget, ParseBudgetError> {
        let found = Budget::ALL.into_iter().find(|(name, _)| *name == text);
        found.map(|(_, budget)| budget).ok_or(ParseBudgetError)
    }
}
