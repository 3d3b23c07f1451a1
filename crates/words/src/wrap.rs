//! Breaks text into lines.

/// Words on lines of at most `width` columns, the first with one indent and the rest with another.
/// A word that is longer than a line gets a line of its own.
#[must_use]
pub fn wrap(text: &str, width: usize, first: &str, rest: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) => lines.push(format!("{rest}{word}")),
            None => lines.push(format!("{first}{word}")),
        }
    }
    lines
}
