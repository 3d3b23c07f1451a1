//! The state of a run: the gating matches of its generations in a JSON file that is replaced
//! atomically, and CSV files of losses and matches for people and plots.
//!
//! All other state is which files exist: an existing network is trained, an existing shard is
//! played.

use crate::fit::LOSS_HEADER;
use crate::match_play::Score;
use anyhow::{Context, bail};
use azulejo_arena::Estimate;
use azulejo_files::write_atomic;
use serde_json::{Value, json};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The finished generations of a run, by number.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    pub(crate) generations: Vec<Generation>,
}

/// A finished generation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Generation {
    /// The opponent of its network: a generation, `start` or `classic`.
    pub(crate) against: String,
    pub(crate) games: u64,
    pub(crate) share: Estimate,
    pub(crate) elo: Estimate,
    pub(crate) difference: Estimate,
    pub(crate) accepted: bool,
}

impl Generation {
    pub(crate) fn new(against: String, score: &Score) -> Generation {
        // JSON has no infinity, and a larger difference has no meaning. Five decimals are enough and
        // read back exactly.
        let short = |x: f64| (x.clamp(-2000.0, 2000.0) * 1e5).round() / 1e5;
        Generation {
            against,
            games: score.games,
            share: score.share.map(short),
            elo: score.elo().map(short),
            difference: score.difference.map(short),
            accepted: score.is_won(),
        }
    }
}

/// The folder of a generation.
pub(crate) fn folder(dir: &Path, generation: usize) -> PathBuf {
    dir.join(format!("gen-{generation:03}"))
}

impl State {
    fn path(dir: &Path) -> PathBuf {
        dir.join("state.json")
    }

    /// The state of a run; empty for a new one.
    pub(crate) fn read(dir: &Path) -> anyhow::Result<State> {
        let path = State::path(dir);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(State::default()),
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        let value: Value =
            serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        let Some(generations) = value["generations"].as_array() else {
            bail!("{}: expected a list `generations`", path.display());
        };
        let generations = generations.iter().map(generation_from_json).collect::<Option<Vec<_>>>();
        let generations = generations.with_context(|| {
            format!("{}: a generation has a missing or wrong field", path.display())
        })?;
        Ok(State { generations })
    }

    /// Writes the state and the table of matches.
    pub(crate) fn write(&self, dir: &Path) -> anyhow::Result<()> {
        let generations: Vec<Value> = self.generations.iter().map(generation_to_json).collect();
        let text = serde_json::to_string_pretty(&json!({ "generations": generations }))?;
        write(&dir.join("matches.csv"), &self.matches())?;
        // Last: the state decides what is done again.
        write(&State::path(dir), &(text + "\n"))
    }

    /// The last accepted generation.
    pub(crate) fn accepted(&self) -> Option<usize> {
        self.generations.iter().rposition(|generation| generation.accepted)
    }

    fn matches(&self) -> String {
        let mut text = String::from(
            "generation,against,games,share,share_low,share_high,elo,elo_low,elo_high,difference,difference_error,accepted\n",
        );
        for (number, generation) in self.generations.iter().enumerate() {
            let Generation { against, games, share, elo, difference, accepted } = generation;
            text += &format!(
                "{number},{against},{games},{:.4},{:.4},{:.4},{:.1},{:.1},{:.1},{:.3},{:.3},{accepted}\n",
                share.mean,
                share.low,
                share.high,
                elo.mean,
                elo.low,
                elo.high,
                difference.mean,
                difference.error(),
            );
        }
        text
    }
}

/// Writes the losses of all generations up to `last` into one file.
pub(crate) fn write_losses(dir: &Path, last: usize) -> anyhow::Result<()> {
    let mut all = format!("generation,{LOSS_HEADER}\n");
    for generation in 0..=last {
        let path = folder(dir, generation).join("losses.csv");
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        for line in text.lines().skip(1) {
            all += &format!("{generation},{line}\n");
        }
    }
    write(&dir.join("losses.csv"), &all)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    write_atomic(path, text.as_bytes()).with_context(|| path.display().to_string())
}

fn generation_to_json(generation: &Generation) -> Value {
    let Generation { against, games, share, elo, difference, accepted } = generation;
    json!({
        "against": against,
        "games": games,
        "share": [share.mean, share.low, share.high],
        "elo": [elo.mean, elo.low, elo.high],
        "difference": [difference.mean, difference.low, difference.high],
        "accepted": accepted,
    })
}

fn generation_from_json(value: &Value) -> Option<Generation> {
    let estimate = |key: &str| {
        let [mean, low, high] = [0, 1, 2].map(|i| value[key][i].as_f64());
        Some(Estimate { mean: mean?, low: low?, high: high? })
    };
    Some(Generation {
        against: value["against"].as_str()?.to_owned(),
        games: value["games"].as_u64()?,
        share: estimate("share")?,
        elo: estimate("elo")?,
        difference: estimate("difference")?,
        accepted: value["accepted"].as_bool()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_rules::Players;

    fn score(mean: f64, low: f64) -> Score {
        Score {
            games: 100,
            players: Players::Two,
            share: Estimate { mean, low, high: mean },
            difference: Estimate::symmetric(3.0, 1.0),
        }
    }

    #[test]
    fn state_reads_back() {
        let dir = crate::scratch("state");
        assert_eq!(State::read(&dir).unwrap(), State::default());
        let generations = vec![
            Generation::new("classic".to_owned(), &score(1.0, 0.96)),
            Generation::new("0".to_owned(), &score(0.52, 0.48)),
        ];
        let state = State { generations };
        state.write(&dir).unwrap();
        assert_eq!(State::read(&dir).unwrap(), state);
        assert_eq!(state.accepted(), Some(0));
        assert_eq!(state.generations[0].elo.mean, 2000.0);
        let matches = fs::read_to_string(dir.join("matches.csv")).unwrap();
        assert_eq!(matches.lines().count(), 3);
        assert!(matches.lines().nth(2).unwrap().starts_with("1,0,100,0.5200,0.4800,"));
    }

    #[test]
    fn damaged_state_is_an_error() {
        let dir = crate::scratch("damaged-state");
        for text in ["", "{", "{}", r#"{"generations":[{"games":1}]}"#] {
            fs::write(State::path(&dir), text).unwrap();
            let error = State::read(&dir).unwrap_err();
            assert!(format!("{error:#}").contains("state.json"), "{error:#}");
        }
    }
}
