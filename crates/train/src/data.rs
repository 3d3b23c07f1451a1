//! The data set: reads self-play games of many folders into training and validation samples.

use crate::kinds::Kinds;
use crate::parallel;
use crate::progress::Progress;
use crate::rng::Rng;
use crate::samples::Samples;
use crate::shard::Shard;
use crate::targets::Mix;
use anyhow::{Context, ensure};
use azulejo_engine::network::Network;
use std::path::{Path, PathBuf};

/// The share of games that are held out for validation.
const HELD_OUT: f64 = 0.04;

/// Training samples, and validation samples from other games.
#[derive(Default)]
pub(crate) struct Data {
    pub(crate) training: Samples,
    pub(crate) validation: Samples,
    pub(crate) n_games: u64,
}

impl Data {
    /// Reads all games of some kinds in some folders. Damaged files are reported and skipped. `network`
    /// makes the wall choices.
    pub(crate) fn read(
        folders: &[PathBuf],
        kinds: &Kinds,
        network: &Network,
        mix: Mix,
        threads: usize,
    ) -> anyhow::Result<Data> {
        let mut paths = Vec::new();
        for folder in folders {
            let shards =
                Shard::list(folder).with_context(|| format!("games in {}", folder.display()))?;
            ensure!(!shards.is_empty(), "{} holds no games", folder.display());
            paths.extend(shards);
        }
        let progress = Progress::new(paths.len() as u64, "files");
        let parts = parallel::map(
            threads,
            paths.iter(),
            || (),
            |(), path| {
                let part = read_shard(path, kinds, network, mix);
                progress.add(1);
                Ok(part)
            },
        )?;
        progress.finish();
        let mut all = Data::default();
        for part in parts.into_iter().flatten() {
            all.training.append(part.training);
            all.validation.append(part.validation);
            all.n_games += part.n_games;
        }
        ensure!(all.n_games > 0, "there are no games of these kinds");
        Ok(all)
    }
}

/// The samples of a file, or `None` if it is damaged.
fn read_shard(path: &Path, kinds: &Kinds, network: &Network, mix: Mix) -> Option<Data> {
    let shard = match Shard::read(path) {
        Ok(shard) => shard,
        Err(error) => {
            eprintln!("{}: {error}; the file is skipped", path.display());
            return None;
        }
    };
    // The forecasts of the hand-written evaluation rank moves well but are poor estimates.
    let mix = if shard.is_classic() { Mix { lambda: 1.0, ..mix } } else { mix };
    let mut data = Data::default();
    for (i, game) in shard.games.iter().enumerate() {
        if !kinds.0.contains(&game.rules) {
            continue;
        }
        // Whether a game is held out depends on the game, not on the run, so that a network is never
        // validated on games that an earlier generation was trained on.
        let stream = u64::from(shard.number) << 32 | i as u64;
        let mut rng = Rng::stream(shard.seed, stream);
        let is_held_out = rng.chance(HELD_OUT);
        let samples = if is_held_out { &mut data.validation } else { &mut data.training };
        match samples.add_game(game, network, mix, &mut rng) {
            Ok(()) => data.n_games += 1,
            Err(error) => eprintln!("{}, game {}: {error}", path.display(), i + 1),
        }
    }
    Some(data)
}
