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

    /// A file with anything in it is read or refused with its name; and whatever was read is given
    /// or refused with its name too.
    #[test]
    fn any_file_is_read_or_refused() {
        let good =
            "# ours\nlisten = 127.0.0.1:0\nlimits = no\ngrace=3\ndatabase = postgres://a:b@c/d\n";
        let mut luck = 3_u64;
        let mut random = move |n: usize| {
            luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (luck >> 33) as usize % n
        };
        let (mut n_read, mut n_refused) = (0, 0);
        for _ in 0..20_000 {
            let mut text: Vec<char> = good.chars().collect();
            for _ in 0..random(4) {
                let at = random(text.len());
                match random(3) {
                    0 => text[at] = ['=', '\n', '#', '\0', 'é', ' ', '9', '-'][random(8)],
                    1 => text.truncate(at.max(1)),
                    _ => {
                        let other = text[random(text.len())..].to_vec();
                        text.splice(at.., other);
                    }
                }
            }
            let text: String = text.into_iter().collect();
            let file = match File::parse("x.conf".to_owned(), &text) {
                Ok(file) => file,
                Err(error) => {
                    assert!(error.to_string().starts_with("x.conf, line "), "{error}");
                    n_refused += 1;
                    continue;
                }
            };
            n_read += 1;
            let problems = [
                file.parsed(None::<std::net::SocketAddr>, "listen").err(),
                file.parsed(None::<u64>, "grace").err(),
                file.or(None::<super::super::YesNo>, "limits").err(),
                file.check_all_used().err(),
            ];
            for error in problems.into_iter().flatten() {
                assert!(error.to_string().starts_with("x.conf: "), "{error}");
            }
        }
        assert!(n_read > 5_000 && n_refused > 1_000, "{n_read} {n_refused}");
    }
}
