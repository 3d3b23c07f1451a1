//! The ten levels, from a beginner who plays sensible moves to full strength.
//!
//! The lower ones look less far ahead and misjudge each move by a few points, more or less at
//! random. Since nobody misjudges by ten points, they never throw a handful of tiles away for nothing.

use crate::info::Info;
use crate::limits::Limits;
use azulejo_rules::Seat;
use std::fmt;

/// How strong the engine plays, from 1 to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// What a level can do.
struct Skill {
    name: &'static str,
    /// The nodes it looks at, at most.
    nodes: Option<u64>,
    /// The plies it looks ahead, at most.
    depth: Option<u32>,
    /// By how many points it misjudges a move at worst.
    slip: f32,
}

const SKILLS: [Skill; 10] = [
    Skill { name: "Visitor", nodes: None, depth: Some(1), slip: 8.0 },
    Skill { name: "Novice", nodes: None, depth: Some(1), slip: 4.0 },
    Skill { name: "Learner", nodes: Some(40), depth: None, slip: 0.0 },
    Skill { name: "Apprentice", nodes: Some(120), depth: None, slip: 0.0 },
    Skill { name: "Tiler", nodes: Some(460), depth: None, slip: 0.0 },
    Skill { name: "Craftsman", nodes: Some(1_200), depth: None, slip: 0.0 },
    Skill { name: "Artisan", nodes: Some(3_800), depth: None, slip: 0.0 },
    Skill { name: "Designer", nodes: Some(16_000), depth: None, slip: 0.0 },
    Skill { name: "Master", nodes: Some(130_000), depth: None, slip: 0.0 },
    Skill { name: "Azulejo", nodes: None, depth: None, slip: 0.0 },
];

impl Level {
    /// Full strength.
    pub const MAX: Level = Level(10);

    /// The level of a number from 1 to 10.
    #[must_use]
    pub const fn new(number: u8) -> Option<Level> {
        if number >= 1 && number <= 10 { Some(Level(number)) } else { None }
    }

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=10).map(Level)
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

    const fn skill(self) -> &'static Skill {
        &SKILLS[self.0 as usize - 1]
    }

    /// The limits within which it searches.
    pub(crate) fn limit(self, limits: &Limits) -> Limits {
        let Skill { nodes, depth, .. } = *self.skill();
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        Limits {
            nodes: least(limits.nodes, nodes),
            depth: least(limits.depth.map(u64::from), depth.map(u64::from)).map(|n| n as u32),
            ..*limits
        }
    }

    /// Whether it misjudges moves, and so needs the values of all of them.
    pub(crate) fn slips(self) -> bool {
        self.skill().slip > 0.0
    }

    /// Which of the lines it plays, given what each leads to. `luck` decides how it misjudges them.
    pub(crate) fn choose(self, lines: &[Info], seat: Seat, luck: u64) -> usize {
        let slip = self.skill().slip;
        let judged = lines.iter().enumerate().map(|(i, line)| {
            let (points, win) =
                (line.forecast.difference[seat.index()], line.forecast.win[seat.index()]);
            // A certain win is worth some points more than an even game.
            let worth = points + 10.0 * win;
            (i, worth + slip * misjudgment(luck.wrapping_add(i as u64)))
        });
        let best = judged.reduce(|a, b| if b.1 > a.1 { b } else { a });
        best.map_or(0, |(i, _)| i)
    }
}

/// A number from -1 to 1, more often small than large.
fn misjudgment(luck: u64) -> f32 {
    // SplitMix64, and the mean of four sixteen-bit numbers.
    let mut bits = luck.wrapping_mul(0x9e37_79b9_7f4a_7c15);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_names_of_their_own() {
        let names: std::collections::HashSet<_> = Level::all().map(Level::name).collect();
        assert_eq!(names.len(), 10);
        assert_eq!(Level::MAX.to_string(), "10 Azulejo");
        assert_eq!((Level::new(0), Level::new(11)), (None, None));
    }

    #[test]
    fn misjudgments_are_bounded_and_even() {
        let all: Vec<f32> = (0..10_000).map(misjudgment).collect();
        assert!(all.iter().all(|slip| slip.abs() <= 1.0));
        let mean = all.iter().sum::<f32>() / all.len() as f32;
        assert!(mean.abs() < 0.02, "{mean}");
    }

    #[test]
    fn the_stricter_limit_holds() {
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        assert_eq!(Level(5).limit(&limits).nodes, Some(460));
        assert_eq!(Level(6).limit(&limits).nodes, Some(500));
        assert_eq!(Level::MAX.limit(&limits), limits);
        assert_eq!(Level(1).limit(&limits).depth, Some(1));
    }
}
