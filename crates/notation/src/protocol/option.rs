//! An option that an engine offers: its name, and which values it takes.

use super::go::set;
use super::problem::{LineError, LineProblem};
use super::words::{Words, free_text};
use std::fmt;

/// An option of an engine.
///
/// ```
/// use azulejo_notation::protocol::{FromEngine, OptionKind};
///
/// let line = "option name Hash type spin default 64 min 1 max 65536";
/// let Some(FromEngine::Option(hash)) = FromEngine::parse(line)? else { unreachable!() };
/// assert_eq!(hash.kind, OptionKind::Spin { default: 64, min: 1, max: 65536 });
/// assert!(hash.kind.accepts("128") && !hash.kind.accepts("0"));
/// # Ok::<(), azulejo_notation::protocol::LineError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OptionSpec {
    /// Its name, which has no word `type` or `value` in it. Case does not matter in `setoption`.
    pub name: String,
    /// Its values.
    pub kind: OptionKind,
}

/// The values of an option.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The default.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The default.
        default: u64,
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// One of some words.
    Combo {
        /// The default.
        default: String,
        /// The words.
        choices: Vec<String>,
    },
    /// Any text.
    String {
        /// The default.
        default: String,
    },
    /// No value: setting it triggers the action.
    Button,
}

impl OptionKind {
    /// Whether a text is one of the values.
    #[must_use]
    pub fn accepts(&self, value: &str) -> bool {
        match self {
            OptionKind::Check { .. } => matches!(value, "true" | "false"),
            OptionKind::Spin { min, max, .. } => {
                value.parse().is_ok_and(|number: u64| (min..=max).contains(&&number))
            }
            OptionKind::Combo { choices, .. } => choices.iter().any(|choice| choice == value),
            OptionKind::String { .. } => true,
            OptionKind::Button => value.is_empty(),
        }
    }

    /// The values in words, as in `a number from 1 to 10`.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            OptionKind::Check { .. } => "`true` or `false`".to_owned(),
            OptionKind::Spin { min, max, .. } => format!("a number from {min} to {max}"),
            OptionKind::Combo { choices, .. } => format!("one of `{}`", choices.join("`, `")),
            OptionKind::String { .. } => "any text".to_owned(),
            OptionKind::Button => "no value".to_owned(),
        }
    }
}

impl OptionSpec {
    /// Reads the words after `option`.
    pub(super) fn read(words: &mut Words<'_>) -> Result<OptionSpec, LineError> {
        if !words.skip("name") {
            return Err(words.expected("`name` and the name of the option", words.peek()));
        }
        let name = words.name_before(&["type"]);
        if name.is_empty() {
            return Err(words.expected("the name of the option", words.peek()));
        }
        if !words.skip("type") {
            return Err(words.expected("`type` and the type of the option", words.peek()));
        }
        let kind = words.next();
        let kind = match kind.map(|word| word.text) {
            Some("check") => check(words)?,
            Some("spin") => spin(words)?,
            Some("combo") => combo(words)?,
            Some("string") => {
                words.skip("default");
                OptionKind::String { default: words.rest() }
            }
            Some("button") => OptionKind::Button,
            _ => return Err(words.expected("check, spin, combo, string or button", kind)),
        };
        Ok(OptionSpec { name, kind })
    }
}

fn check(words: &mut Words<'_>) -> Result<OptionKind, LineError> {
    let what = "`default true` or `default false`";
    if !words.skip("default") {
        return Err(words.expected(what, words.peek()));
    }
    let word = words.next();
    match word.map(|word| word.text) {
        Some("true") => Ok(OptionKind::Check { default: true }),
        Some("false") => Ok(OptionKind::Check { default: false }),
        _ => Err(words.expected(what, word)),
    }
}

fn spin(words: &mut Words<'_>) -> Result<OptionKind, LineError> {
    let (mut default, mut min, mut max) = (None, None, None);
    while let Some(word) = words.next() {
        let (name, is_new) = match word.text {
            "default" => ("default", set(&mut default, words.number("default")?)),
            "min" => ("min", set(&mut min, words.number("min")?)),
            "max" => ("max", set(&mut max, words.number("max")?)),
            _ => continue,
        };
        if !is_new {
            return Err(words.fault(Some(word), LineProblem::Twice(name)));
        }
    }
    let (Some(default), Some(min), Some(max)) = (default, min, max) else {
        return Err(words.expected("`default`, `min` and `max`, each with a number", None));
    };
    if !(min..=max).contains(&default) {
        return Err(words.fault(None, LineProblem::Default));
    }
    Ok(OptionKind::Spin { default, min, max })
}

fn combo(words: &mut Words<'_>) -> Result<OptionKind, LineError> {
    let mut default = None;
    let mut choices = Vec::new();
    while let Some(word) = words.next() {
        let is_default = match word.text {
            "default" => true,
            "var" => false,
            _ => continue,
        };
        let value = words.next();
        let Some(value) = value.map(|value| free_text(value.text)) else {
            return Err(words.expected("a value", value));
        };
        if !is_default {
            choices.push(value);
        } else if !set(&mut default, value) {
            return Err(words.fault(Some(word), LineProblem::Twice("default")));
        }
    }
    match default {
        Some(default) if choices.contains(&default) => Ok(OptionKind::Combo { default, choices }),
        Some(_) => Err(words.fault(None, LineProblem::Default)),
        None => Err(words.expected("`default` and a value", None)),
    }
}

impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", free_text(&self.name))?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {}", free_text(default))?;
                choices.iter().try_for_each(|choice| write!(f, " var {}", free_text(choice)))
            }
            OptionKind::String { default } => match free_text(default) {
                none if none.is_empty() => f.write_str("string default"),
                default => write!(f, "string default {default}"),
            },
            OptionKind::Button => f.write_str("button"),
        }
    }
}
