//! What the engine found, in words: the best move, what it does, how play may go on, and how much
//! better it is than the next.

use crate::words;
use azulejo_engine::Info;
use azulejo_rules::{Position, Seat};

/// The best lines of play so far, by rank.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    lines: Vec<Info>,
}

impl Findings {
    /// Takes in what the engine found. The first line of a deeper search replaces everything of
    /// the search before.
    pub fn add(&mut self, info: Info) {
        let rank = info.multi_pv.max(1);
        self.lines.truncate(rank - 1);
        self.lines.push(info);
    }

    /// The best line.
    #[must_use]
    pub fn best(&self) -> Option<&Info> {
        self.lines.first()
    }

    /// All lines, the best first.
    #[must_use]
    pub fn lines(&self) -> &[Info] {
        &self.lines
    }
}

/// How a line stands for a seat: `3.4 points ahead, 71 % to win`.
#[must_use]
pub fn forecast(info: &Info, seat: Seat) -> String {
    let i = seat.index();
    let (points, win) = (info.forecast.difference.get(i), info.forecast.win.get(i));
    let (points, win) = (points.copied().unwrap_or(0.0), win.copied().unwrap_or(0.0));
    let place = if points < 0.0 { "behind" } else { "ahead" };
    format!("{:.1} points {place}, {:.0}% to win", points.abs(), 100.0 * win)
}

/// The moves of a line: `3B2 0KF 4R1`, at most so many.
#[must_use]
pub fn line(info: &Info, most: usize) -> String {
    let moves: Vec<_> = info.pv.iter().take(most).map(ToString::to_string).collect();
    moves.join(" ")
}

/// A hint: the best move, what it does, how it goes on, and how it compares.
#[must_use]
pub fn hint(
    findings: &Findings,
    position: &Position,
    name: &dyn Fn(Seat) -> String,
) -> Vec<String> {
    let seat = position.turn();
    let Some((best, &m)) = findings.best().and_then(|best| Some((best, best.pv.first()?))) else {
        return vec!["The engine had no time to find anything.".to_owned()];
    };
    let exact = if best.exact { ", the round seen to its end" } else { "" };
    let mut lines = vec![format!("{m}: {} (depth {}{exact}).", forecast(best, seat), best.depth)];
    if best.pv.len() > 1 {
        let goes_on: Vec<_> = best.pv.iter().skip(1).take(5).map(ToString::to_string).collect();
        lines.push(format!("Play may go on {}.", goes_on.join(", ")));
    }
    if let Some((other, next)) =
        findings.lines.get(1).and_then(|next| Some((next.pv.first()?, next)))
    {
        let points = |info: &Info| info.forecast.difference.get(seat.index()).copied();
        let less = points(best).unwrap_or(0.0) - points(next).unwrap_or(0.0);
        let compared = if less < 0.05 {
            "is as good".to_owned()
        } else {
            format!("expects {less:.1} points less")
        };
        lines.push(format!("The next best, {other}, {compared}."));
    }
    if let Ok(preview) = position.preview(m) {
        lines.extend(words::preview(&preview, position.rules(), name));
    }
    lines
}
