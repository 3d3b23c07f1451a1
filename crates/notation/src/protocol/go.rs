//! The limits of one search.

use super::problem::{LineError, LineProblem};
use super::words::Words;
use std::fmt;

/// When a search ends: at the first limit that is reached. Without any, the engine decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Go {
    /// Time limit.
    pub movetime_ms: Option<u64>,
    /// Node limit.
    pub nodes: Option<u64>,
    /// Depth limit, in plies.
    pub depth: Option<u32>,
    /// The time that the seat to move has left for the game.
    pub clock_ms: Option<u64>,
    /// The increment of that clock after each move; without a clock it has no meaning.
    pub increment_ms: Option<u64>,
    /// Search until `stop`, even if another limit is reached.
    pub infinite: bool,
}

impl Go {
    /// A search with a time limit in milliseconds.
    #[must_use]
    pub fn movetime(ms: u64) -> Go {
        Go { movetime_ms: Some(ms), ..Go::default() }
    }

    /// A search with a node limit.
    #[must_use]
    pub fn nodes(nodes: u64) -> Go {
        Go { nodes: Some(nodes), ..Go::default() }
    }

    /// A search to a depth in plies.
    #[must_use]
    pub fn depth(depth: u32) -> Go {
        Go { depth: Some(depth), ..Go::default() }
    }

    /// A search with a clock for the rest of the game.
    #[must_use]
    pub fn clock(left_ms: u64, increment_ms: u64) -> Go {
        Go { clock_ms: Some(left_ms), increment_ms: Some(increment_ms), ..Go::default() }
    }

    /// A search until `stop`.
    #[must_use]
    pub fn infinite() -> Go {
        Go { infinite: true, ..Go::default() }
    }

    /// Reads the words after `go`. Unknown words are skipped.
    pub(super) fn read(words: &mut Words<'_>) -> Result<Go, LineError> {
        let mut go = Go::default();
        while let Some(word) = words.next() {
            let (name, is_new) = match word.text {
                "movetime" => ("movetime", set(&mut go.movetime_ms, words.number("movetime")?)),
                "nodes" => ("nodes", set(&mut go.nodes, words.number("nodes")?)),
                "depth" => {
                    let depth = words.number("depth")?;
                    ("depth", set(&mut go.depth, u32::try_from(depth).unwrap_or(u32::MAX)))
                }
                "clock" => ("clock", set(&mut go.clock_ms, words.number("clock")?)),
                "inc" => ("inc", set(&mut go.increment_ms, words.number("inc")?)),
                "infinite" => {
                    go.infinite = true;
                    continue;
                }
                _ => continue,
            };
            if !is_new {
                return Err(words.fault(Some(word), LineProblem::Twice(name)));
            }
        }
        Ok(go)
    }
}

/// Sets a value and says whether there was none.
pub(super) fn set<T>(place: &mut Option<T>, value: T) -> bool {
    place.replace(value).is_none()
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Go { movetime_ms, nodes, depth, clock_ms, increment_ms, infinite } = *self;
        f.write_str("go")?;
        let limits = [
            ("movetime", movetime_ms),
            ("nodes", nodes),
            ("depth", depth.map(u64::from)),
            ("clock", clock_ms),
            ("inc", increment_ms),
        ];
        for (word, limit) in limits {
            if let Some(limit) = limit {
                write!(f, " {word} {limit}")?;
            }
        }
        f.write_str(if infinite { " infinite" } else { "" })
    }
}
