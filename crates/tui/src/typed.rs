//! Reads typed moves, in upper or lower case and with spaces around.

use azulejo_rules::{Move, ParseMoveError};

/// Reads `3B2`, `3b2`, `0jb4j1` or `R2C3`.
///
/// # Errors
/// What the notation expects at the wrong character.
pub fn read_move(text: &str) -> Result<Move, ParseMoveError> {
    let text = text.trim();
    let upper = text.to_uppercase();
    // In `3JB2j1` the last letter is in lower case.
    let small_suffix = upper.rfind('J').map(|at| {
        let (start, end) = upper.split_at(at);
        start.to_owned() + &end.to_lowercase()
    });
    let forms = [Some(text.to_owned()), Some(upper), small_suffix, Some(text.to_lowercase())];
    let read = forms.into_iter().flatten().find_map(|form| form.parse().ok());
    read.map_or_else(|| text.parse(), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter() {
        for (text, expected) in [
            (" 3b2 ", "3B2"),
            ("0kf", "0KF"),
            ("0j5", "0J5"),
            ("3jb2", "3JB2"),
            ("3jb2j1", "3JB2j1"),
            ("3JB2J1", "3JB2j1"),
            ("R2C3", "r2c3"),
        ] {
            assert_eq!(read_move(text).unwrap().to_string(), expected);
        }
        for text in ["", "3", "b", "3B9", "hello", "é3B2", "3B2 4K1"] {
            assert!(read_move(text).is_err(), "{text}");
        }
    }
}
