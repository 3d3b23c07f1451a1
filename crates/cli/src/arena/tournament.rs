//! Tournaments: a match for each pair of engines, and a cross table.

use super::records::Files;
use super::{Args, json, play, report};
use crate::Answer;
use azulejo_arena::{Contest, EndedBy, Estimate, Summary};
use azulejo_words::{clip, count};
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Which engines meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Kind {
    /// The first against each of the others.
    Gauntlet,
    /// All against all.
    RoundRobin,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Gauntlet => "gauntlet",
            Kind::RoundRobin => "round-robin",
        }
    }

    /// The pairs of engines. With more than two seats one engine plays against several of the other, so
    /// a round robin has both ways.
    fn pairs(self, n_engines: usize, n_seats: usize) -> Vec<[usize; 2]> {
        let all = (0..n_engines).flat_map(|one| (0..n_engines).map(move |other| [one, other]));
        all.filter(|&[one, other]| match self {
            _ if one == other => false,
            Kind::Gauntlet => one == 0,
            Kind::RoundRobin => one < other || n_seats > 2,
        })
        .collect()
    }
}

/// A match of a tournament.
struct Match {
    pair: [usize; 2],
    contest: Contest,
    summary: Summary,
    time: Duration,
}

impl Match {
    /// The share of an engine in this match, if it took part and, with more than two seats, sat alone.
    fn share(&self, engine: usize) -> Option<Estimate> {
        let place = self.pair.iter().position(|&other| other == engine)?;
        let tally = &self.summary.tally;
        if tally.seats(place) > 1 {
            return None;
        }
        let engine = &tally.engines()[place];
        engine.adjusted_share().or_else(|| engine.share())
    }
}

/// Plays all matches, one after the other, and prints their results.
pub(super) fn run(
    kind: Kind,
    base: &Contest,
    args: &Args,
    files: &mut Files,
    stop: &AtomicBool,
    out: &mut impl Write,
) -> anyhow::Result<Answer> {
    let n_engines = base.engines.len();
    let n_seats = base.rules.players().count();
    anyhow::ensure!(n_engines > 1, "a tournament needs at least two engines");
    let names = |engines: &[usize]| -> BTreeSet<&str> {
        engines.iter().map(|&i| base.engines[i].name.as_str()).collect()
    };
    let pairs = kind.pairs(n_engines, n_seats);
    for record in files.resumed() {
        let found: BTreeSet<&str> = record.names().iter().flatten().map(String::as_str).collect();
        let is_ours = pairs.iter().any(|pair| names(pair) == found);
        anyhow::ensure!(is_ours, "the records have a game of {found:?}, who do not meet here");
    }
    let mut matches: Vec<Match> = Vec::new();
    for pair in pairs {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let contest = Contest {
            engines: pair.map(|i| base.engines[i].clone()).to_vec(),
            seats: vec![1, n_seats - 1],
            ..base.clone()
        };
        let finished = files.finished(&contest, |record| {
            let found: BTreeSet<&str> =
                record.names().iter().flatten().map(String::as_str).collect();
            // With several seats the first engine of the pair is the one that sits alone.
            let alone =
                record.names().iter().flatten().filter(|name| **name == contest.engines[0].name);
            found == names(&pair) && alone.count() == 1
        })?;
        let began = Instant::now();
        let summary = play(&contest, args, files, &finished, stop)?;
        matches.push(Match { pair, contest, summary, time: began.elapsed() });
    }
    if args.json {
        let all: Vec<_> =
            matches.iter().map(|one| json::summary(&one.contest, &one.summary, one.time)).collect();
        let standings: Vec<_> = (0..n_engines)
            .map(|i| {
                let share = json::estimate(standing(&matches, i));
                json!({ "name": base.engines[i].name, "share": share })
            })
            .collect();
        let whole = json!({ "tournament": kind.name(), "standings": standings, "matches": all });
        writeln!(out, "{whole}")?;
    } else {
        out.write_all(text(kind, base, &matches).as_bytes())?;
    }
    let is_complete = matches.iter().all(|one| one.summary.ended_by == EndedBy::Complete);
    let all = kind.pairs(n_engines, n_seats).len();
    Ok(if is_complete && matches.len() == all { Answer::Yes } else { Answer::No })
}

/// The mean share of an engine over its matches. The matches are independent of each other but for
/// their shuffles, so their errors add up as squares.
fn standing(matches: &[Match], engine: usize) -> Option<Estimate> {
    let shares: Vec<Estimate> = matches.iter().filter_map(|one| one.share(engine)).collect();
    let n = shares.len() as f64;
    if shares.is_empty() {
        return None;
    }
    let mean = shares.iter().map(|share| share.mean).sum::<f64>() / n;
    let down = shares.iter().map(|share| (share.mean - share.low).powi(2)).sum::<f64>().sqrt() / n;
    let up = shares.iter().map(|share| (share.high - share.mean).powi(2)).sum::<f64>().sqrt() / n;
    Some(Estimate { mean, low: mean - down, high: mean + up })
}

/// The cross table, the best engine first: the share of the row against the column.
fn text(kind: Kind, base: &Contest, matches: &[Match]) -> String {
    let mut text = String::new();
    let n_games: u64 = matches.iter().map(|one| one.summary.tally.games()).sum();
    let seconds: f64 = matches.iter().map(|one| one.time.as_secs_f64()).sum();
    let _ = writeln!(
        text,
        "{} of {}: {} matches, {} (rules {}, seed {}), {seconds:.1} s\n",
        kind.name(),
        count(base.engines.len() as u64, "engine"),
        matches.len(),
        count(n_games, "game"),
        base.rules,
        base.seed,
    );
    let mut order: Vec<usize> = (0..base.engines.len()).collect();
    let mean = |i: usize| standing(matches, i).map_or(-1.0, |share| share.mean);
    order.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)));
    let width = order.iter().map(|&i| clip(&base.engines[i].name, 24).chars().count()).max();
    let width = width.unwrap_or(0).max(6);
    let _ = write!(text, "    {:<width$}  {:>21}", "engine", "share %");
    for n in 1..=order.len() {
        let _ = write!(text, "  {n:>5}");
    }
    text.push('\n');
    for (n, &i) in (1..).zip(&order) {
        let share = standing(matches, i).map_or("-".to_owned(), |share| report::percent(&share));
        let _ = write!(text, "{n:>2}  {:<width$}  {share:>21}", clip(&base.engines[i].name, 24));
        for &other in &order {
            let one = matches.iter().filter(|one| one.pair.contains(&other) && other != i);
            let share = one.filter_map(|one| one.share(i)).next();
            let cell = share.map_or("-".to_owned(), |share| format!("{:.1}", 100.0 * share.mean));
            let _ = write!(text, "  {cell:>5}");
        }
        text.push('\n');
    }
    for one in matches {
        for (engine, of) in one.contest.engines.iter().zip(one.summary.tally.engines()) {
            report::fault_lines(&mut text, of, &engine.name);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_meets() {
        assert_eq!(Kind::RoundRobin.pairs(3, 2), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(Kind::Gauntlet.pairs(3, 2), [[0, 1], [0, 2]]);
        assert_eq!(Kind::Gauntlet.pairs(3, 4), [[0, 1], [0, 2]]);
        assert_eq!(Kind::RoundRobin.pairs(2, 4), [[0, 1], [1, 0]]);
    }
}
