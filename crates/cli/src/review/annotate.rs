//! A record with the review in its comments.

use super::report::name_of;
use azulejo_notation::{Action, Record, Start};
use azulejo_review::{Decision, Review};
use azulejo_rules::Seat;
use azulejo_words::{self as words, Names};

/// The longest comment of a record, in characters.
const MAX_COMMENT: usize = azulejo_notation::MAX_LABEL;

/// The record with what the review says after each deal and move. Comments that are there already stay
/// in front.
pub(super) fn annotate(record: &Record, review: &Review) -> Record {
    let name = |seat: Seat| name_of(record, seat);
    let names = Names::Given(&name);
    let mut annotated = match *record.start() {
        Start::New { first } => {
            Record::new(*record.rules(), first).expect("the record began like that")
        }
        Start::Position(position) => Record::from_position(position),
    };
    annotated.set_seed(record.seed().cloned());
    for (&seat, name) in record.rules().players().seats().iter().zip(record.names()) {
        if let Some(name) = name {
            annotated.set_name(seat, name).expect("the record has this name");
        }
    }
    for (tag, value) in record.tags() {
        annotated.set_tag(tag, value).expect("the record has this tag");
    }
    let accuracies = review.players.iter().map(|player| {
        let accuracy = player.all.accuracy.map_or("-".to_owned(), |mean| format!("{mean:.1}"));
        format!("{} {accuracy}", names.name(player.seat))
    });
    let head = format!(
        "Review by azulejo {}, budget {}. Accuracy: {}.",
        review.program,
        review.budget,
        accuracies.collect::<Vec<_>>().join(", ")
    );
    comment(&mut annotated, record.comment(), &head);
    let (mut deals, mut decisions) = (review.deals.iter(), review.decisions.iter());
    for step in record.replay() {
        let said = match step.action {
            Action::Deal(deal) => {
                annotated.deal(&deal).expect("the record was dealt like that");
                deals.next().map(|deal| words::luck(deal, names))
            }
            Action::Move(m) => {
                annotated.play(m).expect("the record was played like that");
                decisions.next().map(|decision| judgement(decision, names))
            }
        };
        comment(&mut annotated, step.comment, &said.unwrap_or_default());
    }
    annotated
}

/// The win chance of the seat that moved; for an error also the loss and the better move.
fn judgement(decision: &Decision, names: Names<'_>) -> String {
    let chance = words::chance(decision.after[decision.seat.index()]);
    if !decision.judgement.is_mark() && decision.judgement.sign().is_empty() {
        return chance;
    }
    let mut parts = vec![format!("{chance}. {}", words::verdict(decision))];
    parts.extend(words::better(decision, names));
    parts.join(" ")
}

fn comment(record: &mut Record, old: Option<&str>, new: &str) {
    // Names may hold braces, which a comment cannot.
    let new = new.replace('{', "(").replace('}', ")");
    let both = [old.unwrap_or_default(), &new].join(" ");
    let text =
        if both.chars().count() <= MAX_COMMENT { both.trim() } else { old.unwrap_or_default() };
    record.set_comment(text).expect("neither has braces or control characters");
}
