//! A review in sentences: what a move lost, what would have been better and why, the luck of a deal.

use crate::{Names, capital, count, list};
use azulejo_review::{Certainty, DealLuck, Decision, Judgement, Reason, Share};
use azulejo_rules::Seat;

/// The most reasons that are given for one move.
const MAX_REASONS: usize = 3;

/// A win chance, within 0 and 100 %: `61.5 %`. Corrected by samples, a chance may leave that range.
#[must_use]
pub fn chance(share: Share) -> String {
    Share::new(share.get().clamp(0.0, 1.0)).to_string()
}

/// A move and its judgement: `4R2?? loses 14.2 % and 5.3 points (proved).`
#[must_use]
pub fn verdict(decision: &Decision) -> String {
    let Decision { played, judgement, loss, loss_points, .. } = decision;
    let sign = judgement.sign();
    let points = match loss_points.get() {
        points if points >= 0.05 => format!(" and {points:.1} points"),
        points if points <= -0.05 => format!(" for {:.1} points more", -points),
        _ => String::new(),
    };
    match judgement {
        Judgement::Brilliant => format!("{played}{sign} is the only good move, and hard to see."),
        Judgement::Best if decision.n_moves == 1 => format!("{played} is the only move."),
        Judgement::Best => format!("{played} is best."),
        _ if decision.is_error() => {
            format!("{played}{sign} loses {loss}{points} ({}).", certainty(decision))
        }
        _ => format!("{played} is good: it loses no win chance{points}."),
    }
}

/// How sure a loss is: `proved`, `solved`, `estimated, ±0.8 %`.
fn certainty(decision: &Decision) -> String {
    match decision.certainty {
        Certainty::Estimated if decision.error > Share::ZERO => {
            format!("estimated, ±{}", decision.error)
        }
        certainty => certainty.name().to_owned(),
    }
}

/// What would have been better, and why; nothing if the played move is the best.
#[must_use]
pub fn better(decision: &Decision, names: Names<'_>) -> Vec<String> {
    if decision.best == decision.played {
        return Vec::new();
    }
    let line: Vec<_> = decision.line.iter().skip(1).take(4).map(ToString::to_string).collect();
    let line = if line.is_empty() { String::new() } else { format!(", then {}", line.join(" ")) };
    let mut told = vec![format!("Better: {}{line}.", decision.best)];
    let gains: Vec<_> = decision.reasons.iter().filter(|reason| reason.is_gain()).collect();
    let gains = gains.into_iter().take(MAX_REASONS);
    let gains: Vec<_> = gains.map(|&gain| reason(gain, decision.seat, names)).collect();
    if !gains.is_empty() {
        told.push(format!("{}.", capital(&list(&gains))));
    }
    told
}

/// Why the best move is better, within a sentence: `it brings 3 points more this round`.
fn reason(reason: Reason, seat: Seat, names: Names<'_>) -> String {
    let points = |n: i32| count(n.unsigned_abs(), "point");
    match reason {
        Reason::Placements { points: n } => format!("it places tiles for {} more", points(n)),
        Reason::Floor { points: n } => format!("it saves {} on the floor", points(n)),
        Reason::Bonuses { points: n } => {
            format!("it leads to {} more by rows, columns and colors", points(n))
        }
        Reason::Denies { seat, points: n } => {
            format!("it costs {} {}", names.within(seat), points(n))
        }
        Reason::Lines { tiles } => {
            format!("it leaves {} more in unfinished lines", count(tiles.unsigned_abs(), "tile"))
        }
        Reason::Starter { best, .. } if best == seat => "it starts the next round".to_owned(),
        Reason::Starter { best, .. } => {
            format!("it leaves the start of the next round to {}", names.within(best))
        }
        Reason::Ending { best: true } => "it ends the game with this round".to_owned(),
        Reason::Ending { best: false } => "it keeps the game going".to_owned(),
    }
}

/// The luck of a deal, by seat: `The deal of round 3 brings Ana +4.1 % and costs Rui 4.1 % (±1.9 %).`
#[must_use]
pub fn luck(deal: &DealLuck, names: Names<'_>) -> String {
    let seat = |(i, &luck): (usize, &Share)| {
        let name = Seat::from_index(i).map_or(String::new(), |seat| names.within(seat));
        let what = if luck < Share::ZERO { "costs" } else { "brings" };
        format!("{what} {name} {}", luck.abs())
    };
    let seats: Vec<_> = deal.luck.iter().enumerate().map(seat).collect();
    let error = deal.error.iter().max().copied().unwrap_or(Share::ZERO);
    format!("The deal of round {} {} (±{error}).", deal.round, list(&seats))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_within_a_sentence() {
        let check = |why: Reason, expected: &str| {
            assert_eq!(reason(why, Seat::One, Names::Numbers), expected);
        };
        check(Reason::Placements { points: 3 }, "it places tiles for 3 points more");
        check(Reason::Denies { seat: Seat::Two, points: 1 }, "it costs seat 2 1 point");
        let (best, played) = (Seat::One, Seat::Two);
        check(Reason::Starter { best, played }, "it starts the next round");
        check(Reason::Ending { best: false }, "it keeps the game going");
    }

    #[test]
    fn chances_stay_within_their_range() {
        assert_eq!(chance(Share::new(1.021)), "100.0 %");
        assert_eq!(chance(Share::new(-0.003)), "0.0 %");
    }
}
