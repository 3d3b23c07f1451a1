//! The list of levels, from a first game to full strength.
//!
//! The weakest levels are [beginners](Beginner), who look at their own board and do not search. Then
//! come levels that judge every draft with the network and misjudge it by a few points, then node
//! limits. None depends on time, so a level is the same on every machine.

use crate::beginner::{Beginner, noise};
use crate::info::Info;
use crate::limits::Limits;
use azulejo_rules::{Destination, Move, Seat};
use std::fmt;
use std::str::FromStr;

/// How strong the engine plays, from 1 to [`Level::MAX`].
///
/// ```
/// use azulejo_engine::Level;
///
/// let level: Level = "5".parse()?;
/// assert_eq!((level.number(), level.name()), (5, "Tiler"));
/// assert_eq!("tiler".parse(), Ok(level));
/// assert!(Level::all().any(|other| other == level) && level < Level::MAX);
/// # Ok::<(), azulejo_engine::ParseLevelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// One row of the list of levels.
struct Skill {
    name: &'static str,
    summary: &'static str,
    method: Method,
}

/// How a level finds its moves.
#[derive(Clone, Copy)]
enum Method {
    /// Without a search, on its own board only.
    Beginner(Beginner),
    /// A search of one ply, with errors of up to this many points in the value of each move.
    Noisy(f32),
    /// A search of this many nodes.
    Nodes(u64),
    /// A search without limits of its own.
    Full,
}

/// The list of levels, weakest first. Every interface reads names, summaries and the number of
/// levels from here.
const SKILLS: &[Skill] = &[
    Skill {
        name: "Visitor",
        summary: "Takes what looks nice, forgets the marker and does not count what falls.",
        method: Method::Beginner(Beginner {
            neighbors: 0.0,
            floor: 0.0,
            marker: false,
            progress: 0.3,
            error: 3.3,
        }),
    },
    Skill {
        name: "Novice",
        summary: "Fills lines for their points, but overlooks neighbors and much of what falls.",
        method: Method::Beginner(Beginner {
            neighbors: 0.3,
            floor: 0.5,
            marker: false,
            progress: 1.0,
            error: 2.8,
        }),
    },
    Skill {
        name: "Learner",
        summary: "Counts well on its own board and does not look at the others.",
        method: Method::Beginner(Beginner {
            neighbors: 1.0,
            floor: 1.0,
            marker: true,
            progress: 2.5,
            error: 0.3,
        }),
    },
    Skill {
        name: "Apprentice",
        summary: "Looks at all boards, one draft ahead, and misjudges each by up to 4 points.",
        method: Method::Noisy(4.0),
    },
    Skill {
        name: "Tiler",
        summary: "Considers 50 positions for each move: its drafts and a few answers.",
        method: Method::Nodes(50),
    },
    Skill {
        name: "Craftsman",
        summary: "Considers 200 positions for each move and sees the answer to each draft.",
        method: Method::Nodes(200),
    },
    Skill {
        name: "Artisan",
        summary: "Considers 900 positions for each move and plans the next few drafts.",
        method: Method::Nodes(900),
    },
    Skill {
        name: "Designer",
        summary: "Considers 4,000 positions for each move and plays the end of a round well.",
        method: Method::Nodes(4_000),
    },
    Skill {
        name: "Master",
        summary: "Considers 40,000 positions for each move and often solves half a round.",
        method: Method::Nodes(40_000),
    },
    Skill {
        name: "Azulejo",
        summary: "Plays at full strength and searches as long as its time allows.",
        method: Method::Full,
    },
];

impl Level {
    /// For a first game: it counts its own points and leaves the others alone.
    pub const FIRST: Level = Level(3);
    /// For the daily deal: a node limit, so that it plays the same moves everywhere.
    pub const DAILY: Level = Level(5);
    /// Full strength.
    pub const MAX: Level = Level(SKILLS.len() as u8);

    /// The level with a number from 1 to [`Level::MAX`].
    #[must_use]
    pub const fn new(number: u8) -> Option<Level> {
        if number >= 1 && number <= Level::MAX.0 { Some(Level(number)) } else { None }
    }

    /// All levels, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Level> {
        (1..=Level::MAX.0).map(Level)
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.skill().name
    }

    /// One sentence for players: how it plays.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        self.skill().summary
    }

    /// Whether a move takes a few milliseconds: at most 4,000 nodes.
    #[must_use]
    pub const fn is_quick(self) -> bool {
        match self.skill().method {
            Method::Beginner(_) | Method::Noisy(_) => true,
            Method::Nodes(nodes) => nodes <= 4_000,
            Method::Full => false,
        }
    }

    const fn skill(self) -> &'static Skill {
        &SKILLS[self.0 as usize - 1]
    }

    /// What it sees, if it does not search.
    pub(crate) const fn beginner(self) -> Option<&'static Beginner> {
        match &self.skill().method {
            Method::Beginner(beginner) => Some(beginner),
            _ => None,
        }
    }

    /// The stricter of the given limits and the level's own.
    pub(crate) fn limit(self, limits: &Limits) -> Limits {
        let mut stricter = *limits;
        match self.skill().method {
            Method::Nodes(nodes) => {
                stricter.nodes = Some(limits.nodes.map_or(nodes, |n| n.min(nodes)));
            }
            Method::Noisy(_) => stricter.depth = Some(limits.depth.map_or(1, |depth| depth.min(1))),
            Method::Beginner(_) | Method::Full => {}
        }
        stricter
    }

    /// The largest error in the value of a move, in points, if it makes errors. It then needs the
    /// values of all moves.
    pub(crate) const fn error(self) -> Option<f32> {
        match self.skill().method {
            Method::Noisy(error) => Some(error),
            _ => None,
        }
    }
}

/// The index of the line that a level plays that errs by up to `error` points.
///
/// The best line is the first. It does not throw tiles away by mistake: a draft to the floor is played
/// only if it is the best.
pub(crate) fn choose_with_error(error: f32, lines: &[Info], seat: Seat, seed: u64) -> usize {
    let to_floor = |m: &Move| matches!(m, Move::Draft(draft) if draft.to == Destination::Floor);
    let sensible = |&(i, line): &(usize, &Info)| i == 0 || !line.pv.first().is_some_and(to_floor);
    let values = lines.iter().enumerate().filter(sensible).map(|(i, line)| {
        let (points, win) =
            (line.forecast.difference[seat.index()], line.forecast.win[seat.index()]);
        // A certain win is worth 10 points more than a certain loss.
        let value = points + 10.0 * win;
        (i, value + error * noise(seed.wrapping_add(i as u64)))
    });
    let best = values.reduce(|a, b| if b.1 > a.1 { b } else { a });
    best.map_or(0, |(i, _)| i)
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.name())
    }
}

/// The text is neither the number nor the name of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a level is a number from 1 to {}", Level::MAX.0)]
pub struct ParseLevelError;

impl FromStr for Level {
    type Err = ParseLevelError;

    /// Reads a number, a name in any case, or both as [`Display`](fmt::Display) writes them.
    fn from_str(text: &str) -> Result<Level, ParseLevelError> {
        let is_it = |level: &Level| {
            text.parse() == Ok(level.0)
                || text.eq_ignore_ascii_case(level.name())
                || text == level.to_string()
        };
        Level::all().find(is_it).ok_or(ParseLevelError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_names_are_unique() {
        let names: std::collections::HashSet<_> = Level::all().map(Level::name).collect();
        assert_eq!(names.len(), SKILLS.len());
        assert_eq!(Level::MAX.to_string(), "10 Azulejo");
        assert_eq!((Level::new(0), Level::new(11)), (None, None));
    }

    #[test]
    fn levels_are_read_as_they_are_written() {
        for level in Level::all() {
            assert_eq!(level.to_string().parse(), Ok(level));
            assert_eq!(level.number().to_string().parse(), Ok(level));
            assert_eq!(level.name().to_uppercase().parse(), Ok(level));
            assert!(level.summary().ends_with('.'), "{level}");
        }
        for wrong in ["", "0", "11", "266", "-1", "Visito", "2 Visitor"] {
            assert_eq!(wrong.parse::<Level>(), Err(ParseLevelError), "{wrong}");
        }
    }

    /// Everybody has the same opponent in the daily deal.
    #[test]
    fn daily_level_has_a_node_limit() {
        assert!(matches!(Level::DAILY.skill().method, Method::Nodes(_)));
    }

    #[test]
    fn weak_levels_are_quick() {
        let quick: Vec<u8> = Level::all().filter(|l| l.is_quick()).map(Level::number).collect();
        assert_eq!(quick, [1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn stricter_limit_applies() {
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        let nodes = |level: u8| Level(level).limit(&limits).nodes;
        assert!(nodes(6) < Some(500) && nodes(9) == Some(500));
        assert_eq!(Level::MAX.limit(&limits), limits);
        assert_eq!(Level(4).limit(&limits).depth, Some(1));
    }
}
