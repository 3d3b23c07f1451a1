//! The file of settings: `name = value` to a line, `#` for comments. What was given as an option
//! or in the environment counts more.

use anyhow::{Context, anyhow, bail};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::str::FromStr;

/// The settings of a file.
#[derive(Debug, Default)]
pub(super) struct File {
    name: String,
    values: BTreeMap<String, String>,
    /// Which of them somebody has asked for.
    known: RefCell<BTreeSet<&'static str>>,
}

impl File {
    pub(super) fn read(path: &Path) -> anyhow::Result<File> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        File::parse(name, &text)
    }

    fn parse(name: String, text: &str) -> anyhow::Result<File> {
        let mut values = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (key, value) = line
                .split_once('=')
                .with_context(|| format!("{name}, line {number}: write NAME = VALUE"))?;
            let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
            if values.insert(key.clone(), value).is_some() {
                bail!("{name}, line {number}: `{key}` stands here a second time");
            }
        }
        Ok(File { name, values, known: RefCell::default() })
    }

    /// What was given, or what the file says.
    pub(super) fn text<'a>(&'a self, given: Option<&'a str>, key: &'static str) -> Option<&'a str> {
        self.known.borrow_mut().insert(key);
        given.or_else(|| self.values.get(key).map(String::as_str))
    }

    /// The same for a value that can be read from a text.
    pub(super) fn parsed<T: FromStr<Err: std::fmt::Display>>(
        &self,
        given: Option<T>,
        key: &'static str,
    ) -> anyhow::Result<Option<T>> {
        match (given, self.text(None, key)) {
            (Some(given), _) => Ok(Some(given)),
            (None, None) => Ok(None),
            (None, Some(text)) => {
                text.parse().map(Some).map_err(|error| self.bad(key, text, &format!("{error}")))
            }
        }
    }

    /// The same for one of a few words.
    pub(super) fn or<T: clap::ValueEnum>(
        &self,
        given: Option<T>,
        key: &'static str,
    ) -> anyhow::Result<Option<T>> {
        match (given, self.text(None, key)) {
            (Some(given), _) => Ok(Some(given)),
            (None, None) => Ok(None),
            (None, Some(text)) => {
                T::from_str(text, false).map(Some).map_err(|error| self.bad(key, text, &error))
            }
        }
    }

    fn bad(&self, key: &str, value: &str, problem: &str) -> anyhow::Error {
        anyhow!("{}: {key} = {value}: {problem}", self.name)
    }

    /// Complains about settings that nobody knows: a typing error should not go unnoticed.
    pub(super) fn check_all_used(&self) -> anyhow::Result<()> {
        let known = self.known.borrow();
        match self.values.keys().find(|key| !known.contains(key.as_str())) {
            Some(key) => {
                let all: Vec<_> = known.iter().copied().collect();
                bail!("{}: there is no setting `{key}`; there are {}", self.name, all.join(", "))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_value_counts() {
        let text = "# a server\nlisten = 127.0.0.1:9000\n\n grace=3\nlimits = maybe\n";
        let file = File::parse("x".to_owned(), text).unwrap();
        assert_eq!(file.text(None, "listen"), Some("127.0.0.1:9000"));
        assert_eq!(file.text(Some("given"), "listen"), Some("given"));
        assert_eq!(file.parsed(None::<u64>, "grace").unwrap(), Some(3));
        assert_eq!(file.parsed(Some(4_u64), "grace").unwrap(), Some(4));
        assert_eq!(file.parsed(None::<u64>, "engine-ms").unwrap(), None);
        let complaint = file.check_all_used().unwrap_err().to_string();
        assert!(complaint.contains("no setting `limits`"), "{complaint}");
        assert!(file.or(None::<super::super::YesNo>, "limits").is_err());
        for bad in ["nonsense", "a = 1\na = 2"] {
            assert!(File::parse("x".to_owned(), bad).is_err(), "{bad}");
        }
    }
}
