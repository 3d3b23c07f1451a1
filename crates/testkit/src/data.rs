//! Parser for the data tables in `testdata/`: one statement per line, comments, and short names for
//! long texts. The test that reads a table knows what its statements mean.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A line that says something, with its number in the file, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number in the file.
    pub number: usize,
    /// Its text, with everything written out.
    pub text: String,
}

impl Line {
    /// The first word and what follows it.
    pub fn statement(&self) -> (&str, &str) {
        let (word, rest) = self.text.split_once(char::is_whitespace).unwrap_or((&self.text, ""));
        (word, rest.trim_start())
    }
}

/// Reads the lines of a file without comments and blank lines, with everything written out:
/// `$name` after `let name = text`, `{B*7}` for seven times B, `{U+0009}` for a character by its
/// number.
///
/// # Errors
/// The number of the first line that cannot be read, and why.
pub fn read(file: &str) -> Result<Vec<Line>, (usize, String)> {
    let mut names = HashMap::new();
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(file.lines()) {
        let text = line.split('#').next().unwrap_or_default().trim();
        if text.is_empty() {
            continue;
        }
        let text = write_out(text, &names).map_err(|problem| (number, problem))?;
        match text.strip_prefix("let ") {
            Some(definition) => {
                let (name, text) = definition
                    .split_once(" = ")
                    .filter(|(name, _)| name.chars().all(|c| c.is_ascii_lowercase()))
                    .ok_or((
                        number,
                        "expected let NAME = TEXT, NAME in small letters".to_owned(),
                    ))?;
                names.insert(name.to_owned(), text.to_owned());
            }
            None => lines.push(Line { number, text }),
        }
    }
    Ok(lines)
}

fn write_out(text: &str, names: &HashMap<String, String>) -> Result<String, String> {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['$', '{']) {
        result.push_str(&rest[..at]);
        let (sign, after) = rest[at..].split_at(1);
        if sign == "$" {
            let end = after.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(after.len());
            let (name, after) = after.split_at(end);
            result.push_str(names.get(name).ok_or(format!("${name} has not been defined"))?);
            rest = after;
        } else {
            let (inside, after) = after.split_once('}').ok_or("a brace is not closed")?;
            result.push_str(&braces(inside).ok_or(format!("{{{inside}}} means nothing"))?);
            rest = after;
        }
    }
    Ok(result + rest)
}

fn braces(inside: &str) -> Option<String> {
    if let Some(number) = inside.strip_prefix("U+") {
        let character = char::from_u32(u32::from_str_radix(number, 16).ok()?)?;
        return Some(character.to_string());
    }
    let (text, times) = inside.rsplit_once('*')?;
    Some(text.repeat(times.parse().ok()?))
}

/// Runs a check so that a panic in it is a failure like any other, with the place of its line.
pub fn caught(check: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(check))
        .unwrap_or_else(|_| Err("the rules panicked; their message is above".to_owned()))
}
