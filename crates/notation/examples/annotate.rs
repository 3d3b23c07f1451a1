//! Reads a record from standard input and prints it with a comment after every move: how the move
//! changed the projected score of its seat.
//!
//! `azulejo random --format text | cargo run -p azulejo-notation --example annotate`

use azulejo_notation::{Action, Record};
use std::io::Read;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    print!("{}", annotated(&Record::parse(&text)?)?);
    Ok(())
}

fn annotated(record: &Record) -> Result<Record, Box<dyn std::error::Error>> {
    let mut annotated = Record::from_position(record.first_position());
    annotated.set_seed(record.seed().cloned());
    for &seat in record.rules().players().seats() {
        if let Some(name) = record.name(seat) {
            annotated.set_name(seat, name)?;
        }
    }
    for step in record.replay() {
        match step.action {
            Action::Deal(deal) => annotated.deal(&deal)?,
            Action::Move(m) => {
                let change = step.before.preview(m)?.change();
                annotated.play(m)?;
                annotated.set_comment(&format!("{change:+}"))?;
            }
        }
    }
    Ok(annotated)
}
