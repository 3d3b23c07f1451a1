//! What the engine found: the best move, how play may go on, how much better it is than the next,
//! and what it does.

use crate::{Names, preview};
use azulejo_engine::Info;
use azulejo_rules::{Position, Seat};

/// How a line of play stands for a seat: `3.4 points ahead, 71% to win`.
#[must_use]
pub fn forecast(info: &Info, seat: Seat) -> String {
    let i = seat.index();
    let (points, win) = (info.forecast.difference.get(i), info.forecast.win.get(i));
    let (points, win) = (points.copied().unwrap_or(0.0), win.copied().unwrap_or(0.0));
    let place = if points < 0.0 { "behind" } else { "ahead" };
    format!("{:.1} points {place}, {:.0}% to win", points.abs(), 100.0 * win)
}

/// The first `max` moves of a principal variation: `3B2 0KF 4R1`.
#[must_use]
pub fn line(info: &Info, max: usize) -> String {
    let moves: Vec<_> = info.pv.iter().take(max).map(ToString::to_string).collect();
    moves.join(" ")
}

/// A hint from the lines that the engine found, the best first.
#[must_use]
pub fn hint(lines: &[Info], position: &Position, names: Names<'_>) -> Vec<String> {
    let seat = position.turn();
    let Some((best, &m)) = lines.first().and_then(|best| Some((best, best.pv.first()?))) else {
        return vec!["The engine found no move in the time it had.".to_owned()];
    };
    let exact = match best {
        Info { proved: true, .. } => ", to the end of the game",
        Info { exact: true, .. } => ", to the end of the round",
        _ => "",
    };
    let mut told = vec![format!("{m}: {} (depth {}{exact}).", forecast(best, seat), best.depth)];
    if best.pv.len() > 1 {
        let goes_on: Vec<_> = best.pv.iter().skip(1).take(5).map(ToString::to_string).collect();
        told.push(format!("Likely next: {}.", goes_on.join(", ")));
    }
    if let Some((next, other)) = lines.get(1).and_then(|next| Some((next, next.pv.first()?))) {
        let points = |info: &Info| info.forecast.difference.get(seat.index()).copied();
        let less = points(best).unwrap_or(0.0) - points(next).unwrap_or(0.0);
        let compared = if less < 0.05 {
            "is as good".to_owned()
        } else {
            format!("expects {less:.1} points less")
        };
        told.push(format!("The next best, {other}, {compared}."));
    }
    if let Ok(seen) = position.preview(m) {
        told.extend(preview(&seen, position.rules(), names));
    }
    told
}
