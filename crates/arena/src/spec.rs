//! Engine specifications of the command line: `cmd=./other name=B movetime=20 option.Threads=1`.

use crate::player::Player;
use crate::quoting::{OpenQuote, join_words, split_words};
use azulejo_notation::protocol::Go;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The specification of an engine; what is not given is `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSpec {
    /// The command that starts it; empty for the built-in engine.
    pub command: Vec<String>,
    /// The folder in which it runs.
    pub folder: Option<PathBuf>,
    /// Its name in tables and records.
    pub name: Option<String>,
    /// The limits of its searches.
    pub limits: Limits,
    /// By how much a move may exceed its time.
    pub margin_ms: Option<u64>,
    /// The number of its seats.
    pub seats: Option<usize>,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
}

/// The limits of a search. The first limit that is reached ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Milliseconds for a move.
    pub movetime_ms: Option<u64>,
    /// Nodes for a move.
    pub nodes: Option<u64>,
    /// Plies for a move.
    pub depth: Option<u32>,
    /// Milliseconds for all moves of a game.
    pub clock_ms: Option<u64>,
    /// Milliseconds added to that clock after each move.
    pub increment_ms: Option<u64>,
}

impl Limits {
    /// The `go` command for a move with `left_ms` on the clock, if there is one.
    #[must_use]
    pub fn go(&self, left_ms: Option<u64>) -> Go {
        let Limits { movetime_ms, nodes, depth, increment_ms, .. } = *self;
        let increment_ms = increment_ms.filter(|_| left_ms.is_some());
        Go { movetime_ms, nodes, depth, clock_ms: left_ms, increment_ms, infinite: false }
    }

    /// The time limit of a move, if it has one.
    pub(crate) fn time(&self, left_ms: Option<u64>) -> Option<Duration> {
        let times = self.movetime_ms.into_iter().chain(left_ms);
        times.min().map(Duration::from_millis)
    }
}

/// Writes the limits as on the command line.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = [
            ("movetime", self.movetime_ms),
            ("nodes", self.nodes),
            ("depth", self.depth.map(u64::from)),
            ("clock", self.clock_ms),
            ("inc", self.increment_ms),
        ];
        let words = limits.into_iter().filter_map(|(key, limit)| Some(format!("{key}={}", limit?)));
        f.write_str(&words.collect::<Vec<_>>().join(" "))
    }
}

/// Why a specification is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// A quote is not closed.
    #[error(transparent)]
    Quote(#[from] OpenQuote),
    /// A word is not of the form `key=value`.
    #[error("`{0}` is not of the form KEY=VALUE")]
    NoValue(String),
    /// A key is unknown.
    #[error(
        "there is no key `{0}`; there are cmd, dir, name, movetime, nodes, depth, clock, inc, margin, seats and option.NAME"
    )]
    Key(String),
    /// A key is given twice.
    #[error("`{0}` is given twice")]
    Twice(String),
    /// A value is invalid.
    #[error("`{key}={value}`: expected {expected}")]
    Value {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What is valid.
        expected: &'static str,
    },
    /// An increment without a clock.
    #[error("`inc` needs a `clock`")]
    NoClock,
}

impl EngineSpec {
    /// Parses a specification.
    ///
    /// # Errors
    /// The first problem found.
    pub fn parse(text: &str) -> Result<EngineSpec, SpecError> {
        let mut spec = EngineSpec::default();
        let mut seen: Vec<String> = Vec::new();
        for word in split_words(text)? {
            let Some((key, value)) = word.split_once('=') else {
                return Err(SpecError::NoValue(word));
            };
            if seen.iter().any(|other| other == key) {
                return Err(SpecError::Twice(key.to_owned()));
            }
            seen.push(key.to_owned());
            spec.set(key, value)?;
        }
        if spec.limits.increment_ms.is_some() && spec.limits.clock_ms.is_none() {
            return Err(SpecError::NoClock);
        }
        Ok(spec)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        let wrong =
            |expected| SpecError::Value { key: key.to_owned(), value: value.to_owned(), expected };
        let number = || {
            // At most a day, so that sums of times cannot overflow.
            let most = 24 * 60 * 60 * 1000;
            let number = value.parse().ok().filter(|ms| *ms <= most);
            number.ok_or_else(|| wrong("whole milliseconds, at most a day")).map(Some)
        };
        let count = || {
            let count = value.parse().ok().filter(|n| *n > 0);
            count.ok_or_else(|| wrong("a whole number above 0"))
        };
        match key {
            "cmd" => self.command = split_words(value)?,
            "dir" => self.folder = Some(PathBuf::from(value)),
            "name" if value.is_empty() || value.chars().any(char::is_control) => {
                return Err(wrong("a name"));
            }
            "name" => self.name = Some(value.to_owned()),
            "movetime" => self.limits.movetime_ms = number()?,
            "clock" => self.limits.clock_ms = number()?,
            "inc" => self.limits.increment_ms = number()?,
            "margin" => self.margin_ms = number()?,
            "nodes" => self.limits.nodes = Some(count()?),
            "depth" => self.limits.depth = Some(u32::try_from(count()?).unwrap_or(u32::MAX)),
            "seats" => {
                let seats = value.parse().ok().filter(|n| (1..=4).contains(n));
                self.seats = Some(seats.ok_or_else(|| wrong("a number from 1 to 4"))?);
            }
            _ => match key.strip_prefix("option.").filter(|name| !name.is_empty()) {
                Some(name) => self.options.push((name.to_owned(), value.to_owned())),
                None => return Err(SpecError::Key(key.to_owned())),
            },
        }
        Ok(())
    }

    /// Fills gaps from the specification for all engines. An engine with any limit takes none of
    /// the common ones: `nodes=5000` must not end after 20 ms.
    #[must_use]
    pub fn or(mut self, each: &EngineSpec) -> EngineSpec {
        if self.command.is_empty() {
            self.command.clone_from(&each.command);
        }
        if self.limits == Limits::default() {
            self.limits = each.limits;
        }
        self.folder = self.folder.or_else(|| each.folder.clone());
        self.margin_ms = self.margin_ms.or(each.margin_ms);
        self.seats = self.seats.or(each.seats);
        let has = |name: &str| self.options.iter().any(|own| own.0.eq_ignore_ascii_case(name));
        let more: Vec<_> = each.options.iter().filter(|theirs| !has(&theirs.0)).cloned().collect();
        // Common options come first, so that an engine can override their effects.
        self.options.splice(0..0, more);
        self
    }

    /// The engine of this specification. `this` is the path of the azulejo program, which is used if
    /// the command is empty, `self`, or the name of a baseline [`Player`].
    #[must_use]
    pub fn engine(self, this: &Path) -> Engine {
        let ours = |args: &[&str]| {
            let program = this.to_string_lossy().into_owned();
            std::iter::once(program).chain(args.iter().map(|&arg| arg.to_owned())).collect()
        };
        let mut is_named = true;
        let (command, plain_name) = match self.command.as_slice() {
            [] => (ours(&["engine"]), "azulejo".to_owned()),
            [own] if own == "self" => (ours(&["engine"]), "azulejo".to_owned()),
            [word] if Player::from_name(word).is_some() => {
                (ours(&["player", word]), word.to_owned())
            }
            [program, ..] => {
                is_named = self.name.is_some();
                let stem = Path::new(program).file_stem().unwrap_or_default();
                (self.command.clone(), stem.to_string_lossy().into_owned())
            }
        };
        Engine {
            name: self.name.unwrap_or(plain_name),
            is_named,
            command,
            folder: self.folder,
            limits: self.limits,
            margin: Duration::from_millis(self.margin_ms.unwrap_or(Engine::MARGIN_MS)),
            options: self.options,
        }
    }
}

/// An engine with everything needed to start it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Its name in tables and records.
    pub name: String,
    /// Whether it keeps this name; otherwise the `id name` that it sends replaces it.
    pub is_named: bool,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The folder in which it runs.
    pub folder: Option<PathBuf>,
    /// The limits of its searches.
    pub limits: Limits,
    /// By how much a move may exceed its time.
    pub margin: Duration,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
}

impl Engine {
    /// The default margin. A process on a busy machine may wait this long for its turn, and that must
    /// not decide games; the mean time of an engine shows whether it exploits the margin.
    pub const MARGIN_MS: u64 = 250;

    /// The command as a shell line.
    #[must_use]
    pub fn command_line(&self) -> String {
        join_words(&self.command)
    }
}

/// Numbers engines with the same name: `azulejo`, `azulejo-2`.
pub(crate) fn number_duplicate_names(engines: &mut [Engine]) {
    for i in 1..engines.len() {
        let is_taken = |name: &str| engines[..i].iter().any(|other| other.name == name);
        let own = &engines[i].name;
        if is_taken(own) {
            let numbered = (2..).map(|n| format!("{own}-{n}")).find(|name| !is_taken(name));
            engines[i].name = numbered.expect("some number is free");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> EngineSpec {
        EngineSpec::parse(text).unwrap()
    }

    #[test]
    fn all_keys_are_parsed() {
        let text = "cmd='./other --quiet' dir=/tmp name=\"B 2\" movetime=20 nodes=5 depth=3 \
                    clock=1000 inc=0 margin=7 seats=3 option.Threads=1 option.Eval=a=b";
        let options = [("Threads", "1"), ("Eval", "a=b")];
        assert_eq!(
            spec(text),
            EngineSpec {
                command: vec!["./other".to_owned(), "--quiet".to_owned()],
                folder: Some("/tmp".into()),
                name: Some("B 2".to_owned()),
                limits: Limits {
                    movetime_ms: Some(20),
                    nodes: Some(5),
                    depth: Some(3),
                    clock_ms: Some(1000),
                    increment_ms: Some(0),
                },
                margin_ms: Some(7),
                seats: Some(3),
                options: options.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec(),
            }
        );
        assert_eq!(spec(""), EngineSpec::default());
    }

    #[test]
    fn errors_name_the_problem() {
        let check = |text: &str, expected: &str| {
            let error = EngineSpec::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        };
        check("greedy", "`greedy` is not of the form KEY=VALUE");
        check("tc=1", "there is no key `tc`");
        check("option.=1", "there is no key `option.`");
        check("name=", "expected a name");
        check("movetime=20 movetime=30", "`movetime` is given twice");
        check("movetime=-1", "whole milliseconds");
        check("movetime=86400001", "at most a day");
        check("nodes=0", "above 0");
        check("nodes=many", "above 0");
        check("seats=5", "from 1 to 4");
        check("inc=5", "needs a `clock`");
        check("name='a", "not closed");
        check("cmd=\"a 'b\"", "not closed");
    }

    #[test]
    fn common_specification_fills_gaps() {
        let each = spec("movetime=20 margin=5 option.Hash=1 option.Eval=classic");
        let own = spec("name=A nodes=10 option.eval=learned").or(&each);
        assert_eq!(own.limits, Limits { nodes: Some(10), ..Limits::default() });
        assert_eq!(own.margin_ms, Some(5));
        let options: Vec<_> = own.options.iter().map(|(a, b)| format!("{a} {b}")).collect();
        assert_eq!(options, ["Hash 1", "eval learned"]);
        assert_eq!(spec("name=A").or(&each).limits.movetime_ms, Some(20));
    }

    #[test]
    fn built_in_engines_use_this_program() {
        let check = |text: &str, name: &str, command: &str| {
            let engine = spec(text).engine(Path::new("/bin/azulejo"));
            assert_eq!((engine.name.as_str(), engine.command_line().as_str()), (name, command));
        };
        check("", "azulejo", "/bin/azulejo engine");
        check("cmd=self name=A", "A", "/bin/azulejo engine");
        check("cmd=greedy", "greedy", "/bin/azulejo player greedy");
        check("cmd=random", "random", "/bin/azulejo player random");
        check("cmd='./x/other.sh 1'", "other", "./x/other.sh 1");
    }

    #[test]
    fn equal_names_get_numbers() {
        let mut engines = ["name=a", "name=a-2", "name=a", "name=a"]
            .map(|text| spec(text).engine(Path::new("azulejo")));
        number_duplicate_names(&mut engines);
        assert_eq!(engines.map(|engine| engine.name), ["a", "a-2", "a-3", "a-4"]);
    }

    #[test]
    fn limits_become_a_go_command() {
        let check = |text: &str, left, go: &str, time_ms: Option<u64>| {
            let limits = spec(text).limits;
            assert_eq!(limits.go(left).to_string(), go);
            assert_eq!(limits.time(left), time_ms.map(Duration::from_millis));
            assert_eq!(limits.to_string(), text);
        };
        check("movetime=20", None, "go movetime 20", Some(20));
        check("nodes=500", None, "go nodes 500", None);
        check("depth=5", None, "go depth 5", None);
        check("clock=1000 inc=10", Some(321), "go clock 321 inc 10", Some(321));
        check("movetime=20 clock=1000", Some(5), "go movetime 20 clock 5", Some(5));
        check("", None, "go", None);
    }
}
