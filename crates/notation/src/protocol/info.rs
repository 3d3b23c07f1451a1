//! `info`: the principal variation and the figures of a search under way.

use super::go::set;
use super::problem::{LineError, LineProblem};
use super::words::{Word, Words};
use azulejo_rules::Move;
use std::fmt;

/// A principal variation with its score and the figures of the search. Every field is optional.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// Plies searched.
    pub depth: Option<u32>,
    /// 1 for the best line, 2 for the next.
    pub multi_pv: Option<u32>,
    /// The score of the line.
    pub score: Option<Score>,
    /// Whether the rest of the round was searched completely.
    pub exact: bool,
    /// Whether the game ends with the round on every line that matters, so that the score is the
    /// result of best play.
    pub proved: bool,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Positions visited per second.
    pub nps: Option<u64>,
    /// Time since the search began.
    pub time_ms: Option<u64>,
    /// The load of the transposition table, in permille.
    pub hashfull: Option<u32>,
    /// The moves.
    pub pv: Vec<Move>,
}

/// The expected result of the game.
///
/// Numbers are kept as exactly as they are written: differences to two decimals, probabilities to
/// three, so that a score is equal to the one read from its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    diff: Vec<f32>,
    win: Vec<f32>,
}

impl Score {
    /// A score, by seat: expected final score minus the best other's, and probability to win.
    /// Either list may be empty, if the engine has no such number; otherwise there is a number
    /// for each seat of the game, 2 to 4. Numbers out of range are clamped.
    #[must_use]
    pub fn new(diff: &[f32], win: &[f32]) -> Score {
        Score {
            diff: diff.iter().map(|&points| on_grid(points, MAX_DIFF, 100.0)).collect(),
            win: win.iter().map(|&share| on_grid(share.max(0.0), 1.0, 1000.0)).collect(),
        }
    }

    /// By seat, the expected final score minus the best other's; empty if unknown.
    #[must_use]
    pub fn diff(&self) -> &[f32] {
        &self.diff
    }

    /// By seat, the probability to win, from 0 to 1; empty if unknown.
    #[must_use]
    pub fn win(&self) -> &[f32] {
        &self.win
    }
}

/// No difference of scores is larger. Numbers of this size have more than two exact decimals.
const MAX_DIFF: f32 = 9999.0;

/// Rounds to a multiple of `1 / steps`. A missing number (NaN) counts as 0.
fn on_grid(number: f32, most: f32, steps: f32) -> f32 {
    if number.is_nan() {
        return 0.0;
    }
    // Adding 0 makes a plain zero out of a negative one.
    (number.clamp(-most, most) * steps).round() / steps + 0.0
}

impl Info {
    /// Reads the words after `info`. Unknown words are skipped.
    pub(super) fn read(words: &mut Words<'_>) -> Result<Info, LineError> {
        let mut info = Info::default();
        let (mut diff, mut win) = (None, None);
        while let Some(word) = words.next() {
            let (name, is_new) = match word.text {
                "depth" => ("depth", set(&mut info.depth, small(words.number("depth")?))),
                "multipv" => ("multipv", set(&mut info.multi_pv, small(words.number("multipv")?))),
                "diff" => ("diff", set(&mut diff, seats(words, "diff", word)?)),
                "win" => ("win", set(&mut win, seats(words, "win", word)?)),
                "nodes" => ("nodes", set(&mut info.nodes, words.number("nodes")?)),
                "nps" => ("nps", set(&mut info.nps, words.number("nps")?)),
                "time" => ("time", set(&mut info.time_ms, words.number("time")?)),
                "hashfull" => {
                    ("hashfull", set(&mut info.hashfull, small(words.number("hashfull")?)))
                }
                "exact" => {
                    info.exact = true;
                    continue;
                }
                "proved" => {
                    info.proved = true;
                    continue;
                }
                "pv" => {
                    info.pv = moves(words)?;
                    continue;
                }
                _ => continue,
            };
            if !is_new {
                return Err(words.fault(Some(word), LineProblem::Twice(name)));
            }
        }
        if let (Some(diff), Some(win)) = (&diff, &win)
            && diff.len() != win.len()
        {
            let (diff, win) = (diff.len(), win.len());
            return Err(words.fault(None, LineProblem::OtherSeats { diff, win }));
        }
        if diff.is_some() || win.is_some() {
            info.score = Some(Score::new(&diff.unwrap_or_default(), &win.unwrap_or_default()));
        }
        Ok(info)
    }
}

/// A number as `u32`; larger ones become the largest.
fn small(number: u64) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

/// The numbers that follow a word.
fn seats(
    words: &mut Words<'_>,
    after: &'static str,
    word: Word<'_>,
) -> Result<Vec<f32>, LineError> {
    let mut numbers = Vec::new();
    while let Some(number) = words.peek().and_then(|word| decimal(word.text)) {
        numbers.push(number);
        words.next();
    }
    match numbers.len() {
        2..=4 => Ok(numbers),
        found => Err(words.fault(Some(word), LineProblem::Seats { after, found })),
    }
}

/// A number with or without sign and decimals, and nothing else that Rust would read as one.
fn decimal(text: &str) -> Option<f32> {
    let is_plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+'));
    text.parse().ok().filter(|_| is_plain)
}

/// The moves that are the rest of the line.
fn moves(words: &mut Words<'_>) -> Result<Vec<Move>, LineError> {
    let mut moves = Vec::new();
    while let Some(word) = words.next() {
        moves.push(words.move_of(word)?);
    }
    Ok(moves)
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        let number = |f: &mut fmt::Formatter<'_>, word: &str, number: Option<u64>| {
            number.map_or(Ok(()), |number| write!(f, " {word} {number}"))
        };
        number(f, "depth", self.depth.map(u64::from))?;
        number(f, "multipv", self.multi_pv.map(u64::from))?;
        if let Some(score) = &self.score {
            write!(f, " {score}")?;
        }
        f.write_str(if self.exact { " exact" } else { "" })?;
        f.write_str(if self.proved { " proved" } else { "" })?;
        number(f, "nodes", self.nodes)?;
        number(f, "nps", self.nps)?;
        number(f, "time", self.time_ms)?;
        number(f, "hashfull", self.hashfull.map(u64::from))?;
        f.write_str(if self.pv.is_empty() { "" } else { " pv" })?;
        self.pv.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("score")?;
        f.write_str(if self.diff.is_empty() { "" } else { " diff" })?;
        self.diff.iter().try_for_each(|points| write!(f, " {points:.2}"))?;
        f.write_str(if self.win.is_empty() { "" } else { " win" })?;
        self.win.iter().try_for_each(|share| write!(f, " {share:.3}"))
    }
}
