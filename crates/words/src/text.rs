//! Numbers, lists and long texts within sentences.

/// A number with its noun: `1 point`, `2 points`. All our nouns have a simple plural.
#[must_use]
pub fn count(n: impl Into<u64>, noun: &str) -> String {
    match n.into() {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

/// A change of a score: `+3`, `-1`, and a plain `0`.
#[must_use]
pub fn change(n: i32) -> String {
    if n == 0 { "0".to_owned() } else { format!("{n:+}") }
}

/// The beginning of a text, cut to at most `max` characters.
#[must_use]
pub fn clip(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    text.chars().take(max.saturating_sub(1)).chain(['…']).collect()
}

/// A text with its first letter in upper case.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(char::to_uppercase).into_iter().flatten().chain(letters).collect()
}

/// `1`, `1 and 2`, `1, 2 and 3`.
#[must_use]
pub fn list<T: AsRef<str>>(parts: &[T]) -> String {
    let parts: Vec<_> = parts.iter().map(AsRef::as_ref).collect();
    match parts.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_lists_read_well() {
        assert_eq!(count(0_u32, "point"), "0 points");
        assert_eq!(count(1_u32, "point"), "1 point");
        assert_eq!([0, 3, -2].map(change), ["0", "+3", "-2"]);
        assert_eq!([3, 4, 5].map(|n| clip("four", n)), ["fo…", "four", "four"]);
        assert_eq!(list(&["1"]), "1");
        assert_eq!(list(&["1", "2", "3"]), "1, 2 and 3");
    }
}
