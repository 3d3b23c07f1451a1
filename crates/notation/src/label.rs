//! The free text in a record: names, tags and comments, with the checks on them.

use crate::problem::{Problem, quoted};
use azulejo_rules::Seat;

/// The most characters a name, a tag or a comment can have.
pub const MAX_LABEL: usize = 1000;

/// The most tags a record can have besides those with a meaning of their own.
pub const MAX_TAGS: usize = 100;

/// Checks the text of a name, a tag or a comment.
pub(crate) fn check_label(text: &str, what: &'static str) -> Result<(), Problem> {
    if text.chars().any(char::is_control) {
        return Err(Problem::ControlCharacter { what });
    }
    if text.chars().count() > MAX_LABEL {
        return Err(Problem::TooLong { what, most: MAX_LABEL, unit: "characters" });
    }
    Ok(())
}

/// Makes a comment of any text: white space, line breaks too, becomes one space between words, so
/// that a comment can be wrapped. A comment without words is none.
pub(crate) fn comment(text: &str) -> Result<Option<String>, Problem> {
    let words: Vec<&str> = text.split(is_space).filter(|word| !word.is_empty()).collect();
    let comment = words.join(" ");
    check_label(&comment, "a comment")?;
    if comment.contains(['{', '}']) {
        return Err(Problem::Brace);
    }
    Ok(if comment.is_empty() { None } else { Some(comment) })
}

/// White space between the words of a record.
pub(crate) const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// A tag that says something about the game, not about its circumstances.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum KnownTag {
    Azulejo,
    Rules,
    First,
    Position,
    Seed,
    Seat(Seat),
}

impl KnownTag {
    pub(crate) fn from_name(name: &str) -> Option<KnownTag> {
        match name {
            "Azulejo" => Some(KnownTag::Azulejo),
            "Rules" => Some(KnownTag::Rules),
            "First" => Some(KnownTag::First),
            "Position" => Some(KnownTag::Position),
            "Seed" => Some(KnownTag::Seed),
            _ => name.strip_prefix("Seat")?.parse().ok().map(KnownTag::Seat),
        }
    }
}

/// Whether a character can be in the name of a tag.
pub(crate) const fn is_tag_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Checks a tag that is not one of the [`KnownTag`]s.
pub(crate) fn check_tag(name: &str, value: &str) -> Result<(), Problem> {
    check_label(name, "the name of a tag")?;
    if name.is_empty() || !name.chars().all(is_tag_letter) || KnownTag::from_name(name).is_some() {
        return Err(Problem::TagName(quoted(name)));
    }
    check_label(value, "a tag")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_words() {
        let check = |text: &str, expected: Result<Option<&str>, Problem>| {
            assert_eq!(comment(text), expected.map(|text| text.map(str::to_owned)));
        };
        check("a quiet start", Ok(Some("a quiet start")));
        check("  a\n quiet\t\r\nstart ", Ok(Some("a quiet start")));
        check(" \n", Ok(None));
        check("a {b", Err(Problem::Brace));
        check("a } b", Err(Problem::Brace));
        check("bell \u{7}", Err(Problem::ControlCharacter { what: "a comment" }));
        check(&"é".repeat(1000), Ok(Some(&"é".repeat(1000))));
        let too_long = Problem::TooLong { what: "a comment", most: 1000, unit: "characters" };
        check(&"é".repeat(1001), Err(too_long));
    }

    #[test]
    fn tags_with_a_meaning_are_not_free() {
        for name in ["Azulejo", "Rules", "First", "Position", "Seed", "Seat1", "Seat4", "", "a b"] {
            assert!(check_tag(name, "x").is_err(), "{name}");
        }
        for name in ["Date", "date", "rules", "Seat5", "Seat12", "Seat", "x_1"] {
            assert_eq!(check_tag(name, "x"), Ok(()), "{name}");
        }
        assert!(check_tag("Date", "a\nb").is_err());
    }
}
