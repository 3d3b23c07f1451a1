//! The list of levels, from a beginner who plays sensible moves to full strength.
//!
//! Most levels are node limits. The weakest search one ply and add noise of a few points to the value
//! of each move. The noise is bounded, so even they do not drop many tiles without need.

use crate::info::Info;
use crate::limits::Limits;
use azulejo_rules::Seat;
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
    /// Node limit.
    nodes: Option<u64>,
    /// Depth limit in plies.
    depth: Option<u32>,
    /// Largest error added to the value of a move, in points.
    noise: f32,
}

/// The list of levels, weakest first. Every interface reads names, summaries and the number of
/// levels from here.
const SKILLS: &[Skill] = &[
    Skill {
        name: "Visitor",
        summary: "Looks one draft ahead and misjudges each move by up to 8 points.",
        nodes: None,
        depth: Some(1),
        noise: 8.0,
    },
    Skill {
        name: "Novice",
        summary: "Looks one draft ahead and misjudges each move by up to 4 points.",
        nodes: None,
        depth: Some(1),
        noise: 4.0,
    },
    Skill::limited("Learner", 40, "Considers 40 positions for each move."),
    Skill::limited("Apprentice", 120, "Considers 120 positions for each move."),
    Skill::limited("Tiler", 460, "Considers 460 positions for each move."),
    Skill::limited("Craftsman", 1_200, "Considers 1,200 positions for each move."),
    Skill::limited("Artisan", 3_800, "Considers 3,800 positions for each move."),
    Skill::limited("Designer", 16_000, "Considers 16,000 positions for each move."),
    Skill::limited("Master", 130_000, "Considers 130,000 positions for each move."),
    Skill {
        name: "Azulejo",
        summary: "Plays at full strength and searches as long as its time allows.",
        nodes: None,
        depth: None,
        noise: 0.0,
    },
];

impl Skill {
    const fn limited(name: &'static str, nodes: u64, summary: &'static str) -> Skill {
        Skill { name, summary, nodes: Some(nodes), depth: None, noise: 0.0 }
    }
}

impl Level {
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

    /// One sentence for players: how it finds its moves.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        self.skill().summary
    }

    /// Whether a search takes a few milliseconds: one ply, or at most 4,000 nodes.
    #[must_use]
    pub const fn is_quick(self) -> bool {
        let Skill { nodes, depth, .. } = self.skill();
        matches!(nodes, Some(0..=4_000)) || matches!(depth, Some(1))
    }

    const fn skill(self) -> &'static Skill {
        &SKILLS[self.0 as usize - 1]
    }

    /// The stricter of the given limits and the level's own.
    pub(crate) fn limit(self, limits: &Limits) -> Limits {
        let Skill { nodes, depth, .. } = *self.skill();
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        Limits {
            nodes: least(limits.nodes, nodes),
            depth: least(limits.depth.map(u64::from), depth.map(u64::from)).map(|n| n as u32),
            ..*limits
        }
    }

    /// Whether it adds noise to the values of moves, and so needs the values of all of them.
    pub(crate) fn is_noisy(self) -> bool {
        self.skill().noise > 0.0
    }

    /// The index of the line that it plays, after adding noise made from `seed`.
    pub(crate) fn choose(self, lines: &[Info], seat: Seat, seed: u64) -> usize {
        let scale = self.skill().noise;
        let values = lines.iter().enumerate().map(|(i, line)| {
            let (points, win) =
                (line.forecast.difference[seat.index()], line.forecast.win[seat.index()]);
            // A certain win is worth 10 points more than a certain loss.
            let value = points + 10.0 * win;
            (i, value + scale * noise(seed.wrapping_add(i as u64)))
        });
        let best = values.reduce(|a, b| if b.1 > a.1 { b } else { a });
        best.map_or(0, |(i, _)| i)
    }
}

/// A number from -1 to 1, more often small than large.
fn noise(seed: u64) -> f32 {
    // SplitMix64, and the mean of four sixteen-bit numbers.
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    let sum: u64 = (0..4).map(|i| bits >> (16 * i) & 0xffff).sum();
    sum as f32 / (2.0 * 65_535.0) - 1.0
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

    #[test]
    fn weak_levels_are_quick() {
        let quick: Vec<u8> = Level::all().filter(|l| l.is_quick()).map(Level::number).collect();
        assert_eq!(quick, [1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn noise_is_bounded_and_unbiased() {
        let all: Vec<f32> = (0..10_000).map(noise).collect();
        assert!(all.iter().all(|noise| noise.abs() <= 1.0));
        let mean = all.iter().sum::<f32>() / all.len() as f32;
        assert!(mean.abs() < 0.02, "{mean}");
    }

    #[test]
    fn stricter_limit_applies() {
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        assert_eq!(Level(5).limit(&limits).nodes, Some(460));
        assert_eq!(Level(6).limit(&limits).nodes, Some(500));
        assert_eq!(Level::MAX.limit(&limits), limits);
        assert_eq!(Level(1).limit(&limits).depth, Some(1));
    }
}
