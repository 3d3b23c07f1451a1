//! Prints a review for people: accuracy, ledger, a graph of the win chances, luck, mistakes.

use azulejo_notation::Record;
use azulejo_review::{Certainty, Decision, Judgement, Ledger, Player, Review, Share};
use azulejo_rules::Seat;
use azulejo_words::{self as words, Names, wrap};
use std::fmt::Write;

/// The most columns of the graph.
const GRAPH: usize = 64;
/// The width of a report.
const WIDTH: usize = 80;

pub(super) fn full(place: &str, record: &Record, review: &Review) -> String {
    let name = |seat: Seat| name_of(record, seat);
    let names = Names::Given(&name);
    let mut text = format!("{place}: {}\n", words::rules(record.rules()));
    let _ = writeln!(text, "Budget {}; {}\n", review.budget, state(review));
    text += &table(record, review);
    text += "\n";
    text += &graph(record, review);
    text += "\n";
    for deal in &review.deals {
        text += &paragraph(&words::luck(deal, names), "");
    }
    text += "\n";
    text += &mistakes(review, names);
    text
}

/// The name of a seat, short enough for a table.
pub(super) fn name_of(record: &Record, seat: Seat) -> String {
    let name = record.name(seat).filter(|name| !name.is_empty());
    name.map_or_else(|| format!("Seat {seat}"), |name| words::clip(name, 12))
}

fn state(review: &Review) -> String {
    match (&review.ended_early, review.is_over) {
        _ if !review.is_complete() => {
            format!("stopped after {} of {} steps", review.n_done, review.n_steps)
        }
        (Some(by), _) => format!("the game ended early: {}", by.replace('_', " ")),
        (None, true) => "the game is over".to_owned(),
        (None, false) => "the game is not over; the result is a forecast".to_owned(),
    }
}

/// A column for each player: accuracy, judgements, ledger, points by kind.
fn table(record: &Record, review: &Review) -> String {
    let row = |label: &str, cell: &dyn Fn(&Player) -> String| -> String {
        let cells = review.players.iter().map(|player| format!("{:>13}", cell(player)));
        let line = format!("{label:<26}{}", cells.collect::<String>());
        format!("{}\n", line.trim_end())
    };
    // A line that is zero for everybody may be left out.
    let entry = |label: &str, share: &dyn Fn(&Ledger) -> Share, is_always: bool| {
        let is_zero = review.players.iter().all(|player| share(&player.ledger) == Share::ZERO);
        if is_zero && !is_always {
            return String::new();
        }
        row(label, &|player| format!("{:+}", share(&player.ledger)))
    };
    let mut text = row("", &|player| name_of(record, player.seat));
    text += &row("Accuracy", &|player| accuracy(player.all.accuracy));
    text += &row("  rounds 1 and 2", &|player| accuracy(player.phases.opening.accuracy));
    text += &row("  middle", &|player| accuracy(player.phases.middle.accuracy));
    text += &row("  last round", &|player| accuracy(player.phases.ending.accuracy));
    text += &row("Loss per decision", &|player| hundredths(player.all.loss_per_decision));
    for judgement in Judgement::ALL {
        let label = words::capital(judgement.name());
        text += &row(&label, &|player| player.count(judgement).to_string());
    }
    text += "\n";
    text += &row("Chance at the start", &|player| words::chance(player.ledger.start));
    text += &entry("Lot (who starts)", &|ledger| ledger.lot, false);
    text += &entry("Luck of the deals", &|ledger| ledger.luck, true);
    text += &entry("Own errors", &|ledger| ledger.own_errors, true);
    text += &entry("Errors of others", &|ledger| ledger.others_errors, true);
    text += &entry("Choices of others", &|ledger| ledger.others_choices, false);
    text += &entry("Errors of the substitute", &|ledger| ledger.substitute, false);
    text += &entry("Early end", &|ledger| ledger.ended_early, false);
    text += &entry("Residual", &|ledger| ledger.residual, true);
    text += &row("Result", &|player| words::chance(player.ledger.result));
    text += "\n";
    text += &row("Points for placements", &|player| player.points.placements.to_string());
    text += &row("  floor", &|player| player.points.floor.to_string());
    text += &row("  rows, columns, colors", &|player| {
        let points = player.points;
        format!("{}+{}+{}", points.rows, points.columns, points.colors)
    });
    text
}

fn accuracy(mean: Option<f64>) -> String {
    mean.map_or("-".to_owned(), |mean| format!("{mean:.1}"))
}

/// A small share, with two decimals.
fn hundredths(share: Share) -> String {
    format!("{:.2} %", 100.0 * share.get())
}

/// The win chance of each player from move to move, one line of blocks each; `|` is a deal.
fn graph(record: &Record, review: &Review) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let every = review.decisions.len().div_ceil(GRAPH).max(1);
    let mut text = String::new();
    for player in &review.players {
        let i = player.seat.index();
        let mut line = String::new();
        let mut round = 0;
        for decision in review.decisions.iter().step_by(every) {
            if decision.round != round {
                round = decision.round;
                line.push('|');
            }
            let chance = decision.after[i].get().clamp(0.0, 1.0);
            line.push(BLOCKS[(chance * 7.99) as usize]);
        }
        let _ = writeln!(text, "{:<12} {line}|", name_of(record, player.seat));
    }
    text
}

/// The mistakes of all players, in order, with what was better and why.
fn mistakes(review: &Review, names: Names<'_>) -> String {
    let marked: Vec<&Decision> = review
        .decisions
        .iter()
        .filter(|at| at.judgement.is_mark() || at.judgement == Judgement::Brilliant)
        .collect();
    if marked.is_empty() {
        return "No move lost 2 % or more.\n".to_owned();
    }
    let mut text = String::new();
    for decision in &marked {
        let head = format!(
            "{}. Round {}, {}: {}",
            decision.ply + 1,
            decision.round,
            names.name(decision.seat),
            words::verdict(decision)
        );
        text += &paragraph(&head, "");
        for line in words::better(decision, names) {
            text += &paragraph(&line, "   ");
        }
    }
    let sure: Vec<Certainty> =
        marked.iter().filter(|at| at.judgement.is_mark()).map(|at| at.certainty).collect();
    let count = |certainty| sure.iter().filter(|&&at| at == certainty).count();
    let (proved, solved) = (count(Certainty::Proved), count(Certainty::Solved));
    let n = sure.len();
    let _ = writeln!(
        text,
        "\n{}: {proved} proved, {solved} solved, {} estimated.",
        words::count(n as u64, "mark"),
        n - proved - solved
    );
    text
}

fn paragraph(text: &str, indent: &str) -> String {
    let rest = format!("{indent}   ");
    wrap(text, WIDTH, indent, &rest).iter().map(|line| format!("{line}\n")).collect()
}
