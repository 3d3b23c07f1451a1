//! The result of a match as JSON. The shape is documented in `docs/arena.md`.

use azulejo_arena::{
    Contest, EndedBy, Engine, EngineTally, Estimate, Fault, HeadToHead, Sprt, Summary, Tally,
    Verdict, elo_of_share,
};
use serde_json::{Map, Value, json};
use std::time::Duration;

pub(super) fn summary(contest: &Contest, summary: &Summary, time: Duration) -> Value {
    let Summary { tally, ended_by } = summary;
    let engines = contest.engines.iter().enumerate();
    let engines: Vec<_> = engines.map(|(i, of)| engine(of, i, tally)).collect();
    let head_to_head = tally.head_to_head().filter(|_| tally.games() > 0);
    let adjusted = tally.engines()[0].adjusted_share();
    let sprt = contest
        .sprt
        .as_ref()
        .zip(tally.head_to_head())
        .map(|(test, head_to_head)| sprt(test, head_to_head));
    json!({
        "rules": contest.rules.to_string(),
        "seed": contest.seed.as_str(),
        "ended_by": match ended_by {
            EndedBy::Complete => "complete",
            EndedBy::Sprt(_) => "sprt",
            EndedBy::Stopped => "stopped",
        },
        "planned": contest.planned(),
        "games": tally.games(),
        "shuffles": tally.shuffles(),
        "unpaired": tally.unpaired(),
        "seconds": time.as_secs_f64(),
        "engines": engines,
        "head_to_head": head_to_head.map(|of| head_to_head_object(of, adjusted)),
        "sprt": sprt,
    })
}

fn engine(engine: &Engine, i: usize, tally: &Tally) -> Value {
    let of: &EngineTally = &tally.engines()[i];
    let options = engine.options.iter().map(|(name, value)| (name.clone(), json!(value)));
    let thinking = &of.thinking;
    let faults = Fault::CODES.map(|code| {
        let n = of.faults.get(code).copied().unwrap_or(0);
        (code.to_owned(), json!(n))
    });
    json!({
        "name": engine.name,
        "command": engine.command_line(),
        "limits": engine.limits.to_string(),
        "options": Value::Object(options.collect::<Map<_, _>>()),
        "seats": tally.seats(i),
        "share": estimate(of.share()),
        "adjusted_share": estimate(of.adjusted_share()),
        "variance_left": of.with_luck().variance_left(),
        "fair_share": tally.fair_share(i),
        "rank": estimate(of.rank()),
        "score": of.score(),
        "moves": thinking.n_moves,
        "mean_ms": thinking.mean_ms(),
        "worst_ms": thinking.worst.as_secs_f64() * 1000.0,
        "depth": thinking.mean_depth(),
        "nps": thinking.nps(),
        "faults": Value::Object(faults.into_iter().collect::<Map<_, _>>()),
        "first_fault": of.first_fault,
    })
}

fn head_to_head_object(head_to_head: &HeadToHead, adjusted: Option<Estimate>) -> Value {
    let HeadToHead { wins, draws, losses, pairs, .. } = head_to_head;
    json!({
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "share": estimate(Some(pairs.share())),
        "elo": estimate(Some(pairs.elo())),
        "adjusted_share": estimate(adjusted),
        "adjusted_elo": estimate(adjusted.map(|share| share.map(elo_of_share))),
        "normalized_elo": estimate(pairs.normalized_elo()),
        "los": pairs.los(),
        "pairs": pairs.0,
        "margin": estimate(head_to_head.margin()),
    })
}

fn sprt(sprt: &Sprt, head_to_head: &HeadToHead) -> Value {
    let (lower, upper) = sprt.bounds();
    json!({
        "elo0": sprt.elo0(),
        "elo1": sprt.elo1(),
        "alpha": sprt.alpha(),
        "beta": sprt.beta(),
        "llr": sprt.llr(&head_to_head.pairs),
        "lower": lower,
        "upper": upper,
        "verdict": match sprt.verdict(&head_to_head.pairs) {
            Verdict::Undecided => "undecided",
            Verdict::AcceptH0 => "H0",
            Verdict::AcceptH1 => "H1",
        },
    })
}

/// A mean with its interval. JSON has no infinity: an Elo without end is null.
pub(super) fn estimate(of: Option<Estimate>) -> Value {
    json!(of.map(|of| json!({ "mean": of.mean, "low": of.low, "high": of.high })))
}
