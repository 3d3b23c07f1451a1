//! Printing a record: its one canonical text.

use crate::record::{Record, Start};
use crate::scan::OPENING;
use azulejo_rules::Seat;
use std::fmt::{self, Write};

/// The largest width of a line, in characters; words are wrapped.
const WIDTH: usize = 80;

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tags(f)?;
        writeln!(f)?;
        if let Some(comment) = self.comment() {
            write_paragraph(f, comment_words(Some(comment)))?;
        }
        let first_round = self.first_position().round();
        for (number, round) in (usize::from(first_round)..).zip(self.rounds()) {
            if let Some(deal) = round.deal {
                // A game of more rounds than can be counted stays at the last number.
                let number = number.min(usize::from(u16::MAX)).to_string();
                let head = ["round".to_owned(), number, deal.to_string()];
                let comment = comment_words(round.comment.as_deref());
                write_paragraph(f, head.into_iter().chain(comment))?;
            }
            let moves = round.turns.iter().flat_map(|turn| {
                [turn.m.to_string()].into_iter().chain(comment_words(turn.comment.as_deref()))
            });
            write_paragraph(f, moves)?;
        }
        match self.end() {
            Some(end) => writeln!(f, "end {end}"),
            None => writeln!(f, "*"),
        }
    }
}

impl Record {
    fn write_tags(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tag(f, "Azulejo", "1")?;
        write_tag(f, "Rules", &self.rules().to_string())?;
        match self.start() {
            Start::New { first } => write_tag(f, "First", &first.to_string())?,
            Start::Position(position) => write_tag(f, "Position", &position.to_string())?,
        }
        if let Some(seed) = self.seed() {
            write_tag(f, "Seed", seed.as_str())?;
        }
        for seat in Seat::ALL {
            if let Some(name) = self.name(seat) {
                write_tag(f, &format!("Seat{seat}"), name)?;
            }
        }
        self.tags().iter().try_for_each(|(name, value)| write_tag(f, name, value))
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    write!(f, "[{name} \"")?;
    for c in value.chars() {
        if matches!(c, '"' | '\\') {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
    }
    writeln!(f, "\"]")
}

/// The words of a comment, with its braces.
fn comment_words(comment: Option<&str>) -> impl Iterator<Item = String> {
    let text = comment.map(|comment| format!("{{{comment}}}")).unwrap_or_default();
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    words.into_iter().filter(|word| !word.is_empty())
}

/// Writes words, wrapped; nothing if there are none.
fn write_paragraph(f: &mut fmt::Formatter<'_>, words: impl Iterator<Item = String>) -> fmt::Result {
    let mut column = 0;
    for word in words {
        let width = word.chars().count();
        // A line must not look like the beginning of a record.
        let may_wrap = word != OPENING.trim_end();
        if column > 0 && column + 1 + width > WIDTH && may_wrap {
            f.write_char('\n')?;
            column = 0;
        } else if column > 0 {
            f.write_char(' ')?;
            column += 1;
        }
        f.write_str(&word)?;
        column += width;
    }
    if column > 0 { f.write_char('\n') } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_rules::{Players, Rules};

    #[test]
    fn tags_are_in_order_and_escaped() {
        let mut record = Record::new(Rules::official(Players::Two), Seat::One).unwrap();
        record.set_tag("Date", "2026-11-15").unwrap();
        record.set_name(Seat::Two, "a \"b\" \\").unwrap();
        record.set_seed(Some("5".parse().unwrap()));
        record.set_tag("Event", "").unwrap();
        record.set_tag("Date", "later").unwrap();
        let expected = r#"[Azulejo "1"]
[Rules "2c"]
[First "1"]
[Seed "5"]
[Seat2 "a \"b\" \\"]
[Date "later"]
[Event ""]

*
"#;
        assert_eq!(record.to_string(), expected);
    }

    #[test]
    fn words_are_wrapped_at_80_columns() {
        struct Paragraph(&'static str);
        impl fmt::Display for Paragraph {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_paragraph(f, comment_words(Some(self.0)))
            }
        }
        let ten = "123456789 123456789 123456789 123456789 123456789 123456789 123456789 ";
        let check = |rest: &str, expected: &str| {
            let text: &'static str = (ten.to_owned() + rest).leak();
            assert_eq!(Paragraph(text).to_string(), format!("{{{ten}{expected}}}\n"));
        };
        check("1234567", "1234567");
        check("12345678 90", "12345678\n90");
        check("123456789 90", "123456789\n90");
        check("1234567é 9", "1234567é\n9");
        check("1234567 [Azulejo x", "1234567 [Azulejo\nx");
        assert_eq!(Paragraph("").to_string(), "{}\n");
    }
}
