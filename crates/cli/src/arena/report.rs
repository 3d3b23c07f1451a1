//! The result of a match as text and a table.

use azulejo_arena::{
    Contest, EndedBy, EngineTally, Estimate, HeadToHead, Sprt, Summary, Tally, Thinking, Verdict,
    elo_of_share,
};
use azulejo_words::{clip, count};
use std::fmt::Write;
use std::time::Duration;

/// The whole report.
pub(super) fn text(contest: &Contest, summary: &Summary, time: Duration) -> String {
    let tally = &summary.tally;
    let mut text = String::new();
    let names: Vec<_> = contest.engines.iter().map(|engine| clip(&engine.name, 40)).collect();
    let _ = writeln!(
        text,
        "{}: {} on {} (rules {}, seed {}), {:.1} s",
        names.join(" against "),
        count(tally.games(), "game"),
        count(tally.shuffles(), "shuffle"),
        contest.rules,
        contest.seed,
        time.as_secs_f64()
    );
    match summary.ended_by {
        EndedBy::Stopped => text.push_str("The match was stopped before its end.\n"),
        EndedBy::Sprt(_) | EndedBy::Complete => {}
    }
    if tally.unpaired() > 0 {
        let unpaired = count(tally.unpaired(), "game");
        let _ = writeln!(text, "Not counted: {unpaired} of incomplete shuffles.");
    }
    if let Some(head_to_head) = tally.head_to_head().filter(|_| tally.games() > 0) {
        let _ = writeln!(text, "\n{}:", names[0]);
        head_to_head_lines(&mut text, head_to_head, &tally.engines()[0], contest.sprt.as_ref());
    }
    text.push('\n');
    table(&mut text, contest, tally);
    for (engine, name) in tally.engines().iter().zip(&names) {
        if let Some(adjusted) = engine.adjusted_share().filter(|_| tally.head_to_head().is_none()) {
            let share = percent(&adjusted);
            let _ = writeln!(text, "\n{name} without the luck of the deals: {share} %");
        }
    }
    for (engine, name) in tally.engines().iter().zip(&names) {
        fault_lines(&mut text, engine, name);
    }
    text
}

/// The running result, for the progress bar.
pub(super) fn in_short(contest: &Contest, tally: &Tally) -> String {
    let mut text = clip(&contest.engines[0].name, 20);
    let Some(share) = tally.engines()[0].share() else { return text };
    let _ = write!(text, " {} %", percent(&share));
    if let Some(head_to_head) = tally.head_to_head() {
        let _ = write!(text, ", Elo {}", signed_range(&head_to_head.pairs.elo()));
        if let Some(sprt) = &contest.sprt {
            let (lower, upper) = sprt.bounds();
            let llr = sprt.llr(&head_to_head.pairs);
            let _ = write!(text, ", LLR {llr:.2} ({lower:.2} to {upper:.2})");
        }
    }
    let n_faults: u64 = tally.engines().iter().flat_map(|engine| engine.faults.values()).sum();
    if n_faults > 0 {
        let _ = write!(text, ", {}", count(n_faults, "fault"));
    }
    text
}

fn head_to_head_lines(
    text: &mut String,
    head_to_head: &HeadToHead,
    engine: &EngineTally,
    sprt: Option<&Sprt>,
) {
    let HeadToHead { wins, draws, losses, pairs, .. } = head_to_head;
    let share = pairs.share();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<8} {value}");
    };
    line("games", format!("{wins} won, {draws} drawn, {losses} lost"));
    line("share", format!("{} %", percent(&share)));
    let normalized = pairs
        .normalized_elo()
        .map_or(String::new(), |elo| format!(", normalized {:+.0} ± {:.0}", elo.mean, elo.error()));
    line("Elo", format!("{}{normalized}", signed_range(&pairs.elo())));
    line("LOS", format!("{:.2} %", 100.0 * pairs.los()));
    let [p0, p1, p2, p3, p4] = pairs.0;
    line("pairs", format!("{p0}, {p1}, {p2}, {p3}, {p4} with 0, ½, 1, 1½, 2 points"));
    if let Some(margin) = head_to_head.margin() {
        let error = match margin.error() {
            error if error.is_finite() => format!(" ± {error:.1} points"),
            _ => " points (a single pair has no error)".to_owned(),
        };
        line("margin", format!("{:+.1}{error}", margin.mean));
    }
    if let Some(adjusted) = engine.adjusted_share() {
        let elo = signed_range(&adjusted.map(elo_of_share));
        line(
            "adjusted",
            format!("{} %, Elo {elo}: without the luck of the deals", percent(&adjusted)),
        );
    }
    if let Some(sprt) = sprt {
        let (lower, upper) = sprt.bounds();
        let verdict = match sprt.verdict(pairs) {
            Verdict::Undecided => "undecided",
            Verdict::AcceptH0 => "H0 is accepted",
            Verdict::AcceptH1 => "H1 is accepted",
        };
        let (elo0, elo1, llr) = (sprt.elo0(), sprt.elo1(), sprt.llr(pairs));
        line(
            "SPRT",
            format!(
                "LLR {llr:.2} ({lower:.2} to {upper:.2}), Elo {elo0} against {elo1}: {verdict}"
            ),
        );
    }
}

/// One row for each engine.
fn table(text: &mut String, contest: &Contest, tally: &Tally) {
    const HEAD: [&str; 12] = [
        "engine", "seats", "share %", "fair", "rank", "score", "moves", "ms", "worst", "depth",
        "nodes/s", "faults",
    ];
    let mut rows = vec![HEAD.map(str::to_owned)];
    for (i, engine) in tally.engines().iter().enumerate() {
        let number = |value: Option<f64>, decimals: usize| {
            value.map_or("-".to_owned(), |value| format!("{value:.decimals$}"))
        };
        let thinking: &Thinking = &engine.thinking;
        let n_faults: u64 = engine.faults.values().sum();
        rows.push([
            clip(&contest.engines[i].name, 24),
            tally.seats(i).to_string(),
            engine.share().map_or("-".to_owned(), |share| percent(&share)),
            format!("{:.0}", 100.0 * tally.fair_share(i)),
            number(engine.rank().map(|rank| rank.mean), 2),
            number(engine.score(), 1),
            thinking.n_moves.to_string(),
            number(thinking.mean_ms(), 1),
            format!("{:.0}", thinking.worst.as_secs_f64() * 1000.0),
            number(thinking.mean_depth(), 1),
            thinking.nps().map_or("-".to_owned(), rounded),
            n_faults.to_string(),
        ]);
    }
    let widths: Vec<usize> = (0..HEAD.len())
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    for row in &rows {
        let mut line = format!("{:<width$}", row[0], width = widths[0]);
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            let _ = write!(line, "  {cell:>width$}");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

pub(super) fn fault_lines(text: &mut String, engine: &EngineTally, name: &str) {
    let kinds: Vec<_> = engine.faults.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    if let Some(first) = &engine.first_fault {
        let _ = writeln!(text, "\n{name} lost by faults: {}.", kinds.join(", "));
        let _ = writeln!(text, "  The first: {}", clip(&first.replace(char::is_control, "?"), 300));
    }
}

/// `58.3 (53.6 to 62.8)`.
pub(super) fn percent(share: &Estimate) -> String {
    let Estimate { mean, low, high } = share.map(|share| 100.0 * share);
    format!("{mean:.1} ({low:.1} to {high:.1})")
}

/// `+58 (+25 to +91)`.
fn signed_range(elo: &Estimate) -> String {
    format!("{:+.0} ({:+.0} to {:+.0})", elo.mean, elo.low, elo.high)
}

/// `5.12 M`, `812 k`.
fn rounded(n: f64) -> String {
    match n {
        n if n >= 1e6 => format!("{:.2} M", n / 1e6),
        n if n >= 1e4 => format!("{:.0} k", n / 1e3),
        n => format!("{n:.0}"),
    }
}
