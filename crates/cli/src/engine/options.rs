//! The options of the engine protocol, one table: name, type, default, help, and how to set it.
//! `azi`, `setoption`, `azulejo engine --help` and the test of `docs/protocol.md` all read it.

use azulejo_engine::network::{Network, NetworkError};
use azulejo_engine::{EvalKind, Level, Options};
use azulejo_notation::protocol::{OptionKind, OptionSpec};
use azulejo_words::wrap;
use std::fs::File;
use std::sync::Arc;

/// What `setoption` changes. It takes effect with the next search.
#[derive(Default)]
pub(super) struct Settings {
    pub(super) options: Options,
    /// A network that has not been handed to the engine yet.
    pub(super) new_network: Option<Arc<Network>>,
}

/// An option.
struct Entry {
    name: &'static str,
    /// Its type, default and values, given the engine's defaults.
    kind: fn(&Options) -> OptionKind,
    help: &'static str,
    /// Applies a value that `kind` accepts, or says why it cannot and what is used instead.
    set: fn(&mut Settings, &str) -> Result<(), String>,
}

const ENTRIES: &[Entry] = &[
    Entry {
        name: "Threads",
        kind: |defaults| spin(defaults.threads, 1, Options::MAX_THREADS),
        help: "number of search threads with two players; with three and four the search uses one",
        set: |settings, value| put(&mut settings.options.threads, value.parse().ok()),
    },
    Entry {
        name: "Hash",
        kind: |defaults| spin(defaults.hash_mb, 1, Options::MAX_HASH_MB),
        help: "size of the transposition table in MiB",
        set: set_hash,
    },
    Entry {
        name: "Eval",
        kind: |defaults| OptionKind::Combo {
            default: defaults.eval.name().to_owned(),
            choices: EvalKind::ALL.map(|eval| eval.name().to_owned()).to_vec(),
        },
        help: "evaluation: the network trained from self-play, or the hand-written one",
        set: |settings, value| put(&mut settings.options.eval, value.parse().ok()),
    },
    Entry {
        name: "EvalFile",
        kind: |_| OptionKind::String { default: String::new() },
        help: "path of another network; empty for the built-in one, which is also used if the \
               file is missing or damaged",
        set: set_network,
    },
    Entry {
        name: "MultiPV",
        kind: |defaults| spin(defaults.multi_pv, 1, Options::MAX_MULTI_PV),
        help: "number of best moves to report, each with its line",
        set: |settings, value| put(&mut settings.options.multi_pv, value.parse().ok()),
    },
    Entry {
        name: "Level",
        kind: |defaults| spin(defaults.level.number(), 1_u8, Level::MAX.number()),
        help: "playing strength; the highest level is full strength",
        set: |settings, value| {
            put(&mut settings.options.level, value.parse().ok().and_then(Level::new))
        },
    },
    Entry {
        name: "Seed",
        kind: |defaults| OptionKind::Spin { default: defaults.seed, min: 0, max: u64::MAX },
        help: "seed of the random choices that lower levels make",
        set: |settings, value| put(&mut settings.options.seed, value.parse().ok()),
    },
];

/// Stores a parsed value.
fn put<T>(place: &mut T, value: Option<T>) -> Result<(), String> {
    *place = value.ok_or("the value is out of range")?;
    Ok(())
}

/// Accepts only a size that can be allocated: running out of memory would abort the process.
fn set_hash(settings: &mut Settings, value: &str) -> Result<(), String> {
    let place = &mut settings.options.hash_mb;
    let mut hash_mb = *place;
    put(&mut hash_mb, value.parse().ok())?;
    if Vec::<u8>::new().try_reserve_exact(hash_mb << 20).is_err() {
        return Err(format!("Hash: cannot allocate {hash_mb} MiB; it stays at {place}"));
    }
    *place = hash_mb;
    Ok(())
}

/// Loads the network of a file, or the built-in one if the path is empty or loading fails.
fn set_network(settings: &mut Settings, path: &str) -> Result<(), String> {
    settings.new_network = Some(Network::built_in());
    if path.is_empty() {
        return Ok(());
    }
    let network = File::open(path).map_err(NetworkError::from).and_then(Network::read);
    let network = network.map_err(|error| {
        format!("EvalFile `{path}`: {error}; the built-in network is used instead")
    })?;
    settings.new_network = Some(Arc::new(network));
    Ok(())
}

fn spin<T: TryInto<u64>>(default: T, min: T, max: T) -> OptionKind {
    let [default, min, max] = [default, min, max].map(|n| n.try_into().unwrap_or(u64::MAX));
    OptionKind::Spin { default, min, max }
}

impl Entry {
    fn spec(&self) -> OptionSpec {
        OptionSpec { name: self.name.to_owned(), kind: (self.kind)(&Options::default()) }
    }
}

/// All options as the protocol announces them.
pub(super) fn specs() -> impl Iterator<Item = OptionSpec> {
    ENTRIES.iter().map(Entry::spec)
}

/// The options for `azulejo engine --help`.
pub(super) fn help() -> String {
    let lines = ENTRIES.iter().map(|entry| {
        let name = format!("  {:<8}  ", entry.name);
        let text = format!("{} ({})", entry.help, entry.spec().kind.describe());
        "\n".to_owned() + &wrap(&text, 98, &name, &" ".repeat(name.len())).join("\n")
    });
    format!("Options (setoption name NAME value VALUE):{}", lines.collect::<String>())
}

/// Sets an option, or says why not.
pub(super) fn set(settings: &mut Settings, name: &str, value: &str) -> Result<(), String> {
    let Some(entry) = ENTRIES.iter().find(|entry| entry.name.eq_ignore_ascii_case(name)) else {
        let names: Vec<_> = ENTRIES.iter().map(|entry| entry.name).collect();
        let names = names.join(", ");
        return Err(format!("there is no option `{}`; the options are {names}", clip(name)));
    };
    let kind = entry.spec().kind;
    if !kind.accepts(value) {
        let (name, takes, value) = (entry.name, kind.describe(), clip(value));
        return Err(format!("{name} takes {takes}, not `{value}`"));
    }
    (entry.set)(settings, value)
}

fn clip(text: &str) -> String {
    azulejo_words::clip(text, 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set() {
        let mut settings = Settings::default();
        let rows = [
            ("Threads", "2"),
            ("hash", "17"),
            ("EVAL", "classic"),
            ("MultiPV", "3"),
            ("Level", "4"),
            ("Seed", "18446744073709551615"),
        ];
        for (name, value) in rows {
            let before = settings.options.clone();
            assert_eq!(set(&mut settings, name, value), Ok(()));
            assert_ne!(settings.options, before, "{name}");
        }
        let expected = Options {
            threads: 2,
            hash_mb: 17,
            eval: EvalKind::Classic,
            multi_pv: 3,
            level: Level::new(4).expect("a level"),
            seed: u64::MAX,
        };
        assert_eq!(settings.options, expected);
        assert!(settings.new_network.is_none());
        assert_eq!(set(&mut settings, "EvalFile", ""), Ok(()));
        assert!(settings.new_network.is_some_and(|network| network == Network::built_in()));
    }

    #[test]
    fn every_default_is_accepted() {
        let mut settings = Settings::default();
        for spec in specs() {
            let default = match &spec.kind {
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Combo { default, .. } | OptionKind::String { default } => {
                    default.clone()
                }
                other => panic!("{other:?}"),
            };
            assert_eq!(set(&mut settings, &spec.name, &default), Ok(()));
            assert_eq!(settings.options, Options::default(), "{}", spec.name);
        }
    }

    #[test]
    fn hash_is_refused_if_it_cannot_be_allocated() {
        // Whether 64 GiB can be allocated depends on the machine; both outcomes are correct.
        let mut settings = Settings::default();
        match set(&mut settings, "Hash", &Options::MAX_HASH_MB.to_string()) {
            Ok(()) => assert_eq!(settings.options.hash_mb, Options::MAX_HASH_MB),
            Err(problem) => {
                assert_eq!(problem, "Hash: cannot allocate 65536 MiB; it stays at 64");
                assert_eq!(settings.options, Options::default());
            }
        }
    }

    #[test]
    fn refused_values_are_explained() {
        let check = |name: &str, value: &str, words: &str| {
            let mut settings = Settings::default();
            let problem = set(&mut settings, name, value).unwrap_err();
            assert!(problem.contains(words), "{problem}");
            assert_eq!(settings.options, Options::default());
        };
        check("Speed", "9", "there is no option `Speed`; the options are Threads, Hash,");
        check("Threads", "0", "Threads takes a number from 1 to 256, not `0`");
        check("Threads", "257", "1 to 256");
        check("threads", "-1", "Threads takes");
        check("Threads", "", "not ``");
        check("Hash", "0", "a number from 1 to 65536");
        check("Hash", "1e3", "a number from 1 to 65536");
        check("Hash", "99999999999999999999", "a number from 1 to 65536");
        check("Level", "11", "a number from 1 to 10");
        check("Level", "266", "a number from 1 to 10");
        check("MultiPV", "65", "a number from 1 to 64");
        check("Eval", "Classic", "Eval takes one of `learned`, `classic`, not `Classic`");
        check("Seed", "18446744073709551616", "a number from 0 to 18446744073709551615");
        check("EvalFile", "/no/such/file", "EvalFile `/no/such/file`: cannot read the network");
        check("EvalFile", "a\0b", "; the built-in network is used instead");
    }
}
