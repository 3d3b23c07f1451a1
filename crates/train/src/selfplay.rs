//! Self-play: the engine plays whole games against itself and records moves and forecasts.
//!
//! Games are played in shards. The content of a shard depends on the seed and its number only, so a
//! job that was killed resumes and produces the same games.

use crate::game::{Ply, Round, SelfPlayGame, StoredForecast};
use crate::kinds::Kinds;
use crate::parallel;
use crate::player::{Evaluation, SelfPlayer};
use crate::progress::Progress;
use crate::rng::Rng;
use crate::shard::Shard;
use anyhow::{Context, bail};
use azulejo_engine::Limits;
use azulejo_rules::{Phase, Players, Position, Rules, WallKind};
use clap::ValueEnum;
use std::fs;
use std::path::{Path, PathBuf};

/// The probability that the first move of a game is an exploration move. Without it, openings would
/// be too uniform.
const EXPLORE_FIRST: f64 = 0.5;

/// Play and record games of the engine against itself.
///
/// A folder that holds some of the games already is completed. Example: azulejo-train selfplay
/// --out data --games 20000 --nodes 10000 --classic
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder for the games.
    #[arg(long)]
    out: PathBuf,
    /// The number of games in the folder at the end.
    #[arg(long)]
    games: u64,
    /// The network to evaluate with. Default: the built-in one.
    #[arg(long, conflicts_with = "classic")]
    net: Option<PathBuf>,
    /// Use the hand-written evaluation.
    #[arg(long)]
    classic: bool,
    /// The seed of deals, rules and exploration.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play only these kinds of game, such as `2cj`, equally often.
    #[arg(long, conflicts_with_all = ["players", "variants"])]
    kinds: Option<Kinds>,
    /// Games played at the same time.
    #[arg(long, default_value_t = crate::default_threads())]
    threads: usize,
    #[command(flatten)]
    how: PlayOptions,
}

/// The settings of self-play.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct PlayOptions {
    /// Nodes for each move.
    #[arg(long, default_value_t = 10_000)]
    pub(crate) nodes: u64,
    /// The number of players; `mixed` alternates between three and four.
    #[arg(long, value_enum, default_value_t = PlayerCount::Two)]
    pub(crate) players: PlayerCount,
    /// The share of games with variants: grey wall, jokers, or both, each equally often.
    #[arg(long, default_value_t = 0.0, value_parser = crate::share)]
    pub(crate) variants: f64,
    /// The probability that a move is an exploration move: a random one of the best at depth 1.
    #[arg(long, default_value_t = 0.08, value_parser = crate::share)]
    pub(crate) explore: f64,
    /// Games in a file. A killed program loses the files it was writing.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) shard_games: u32,
}

/// The number of players of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlayerCount {
    /// Two players.
    #[value(name = "2")]
    Two,
    /// Three players.
    #[value(name = "3")]
    Three,
    /// Four players.
    #[value(name = "4")]
    Four,
    /// Three and four alternately.
    Mixed,
}

impl PlayerCount {
    /// The number of players in a game.
    pub(crate) fn players(self, game: u64) -> Players {
        match self {
            PlayerCount::Two => Players::Two,
            PlayerCount::Three => Players::Three,
            PlayerCount::Four => Players::Four,
            PlayerCount::Mixed if game.is_multiple_of(2) => Players::Three,
            PlayerCount::Mixed => Players::Four,
        }
    }
}

impl PlayOptions {
    /// The rules of a game.
    fn rules(&self, game: u64, rng: &mut Rng) -> Rules {
        let (mut wall, mut jokers) = (WallKind::Colored, false);
        if rng.chance(self.variants) {
            (wall, jokers) =
                [(WallKind::Grey, false), (WallKind::Colored, true), (WallKind::Grey, true)]
                    [rng.below(3) as usize];
        }
        Rules::official(self.players.players(game)).with_wall(wall).with_jokers(jokers)
    }

    fn settings(&self, evaluation: &Evaluation) -> String {
        let PlayOptions { nodes, players, variants, explore, shard_games } = self;
        format!(
            "{players:?} variants={variants} nodes={nodes} explore={explore} file={shard_games} eval={}",
            evaluation.fingerprint()
        )
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let evaluation = match &args.net {
        _ if args.classic => Evaluation::Classic,
        Some(path) => Evaluation::read(path)?,
        None => Evaluation::built_in(),
    };
    let job = Job {
        evaluation,
        how: args.how.clone(),
        kinds: args.kinds.clone(),
        seed: args.seed,
        n_games: args.games,
    };
    job.complete(&args.out, args.threads)
}

/// A self-play job.
pub(crate) struct Job {
    pub(crate) evaluation: Evaluation,
    pub(crate) how: PlayOptions,
    /// The kinds of game, if the options do not say them.
    pub(crate) kinds: Option<Kinds>,
    pub(crate) seed: u64,
    pub(crate) n_games: u64,
}

impl Job {
    /// Plays the games that are missing in a folder.
    pub(crate) fn complete(&self, folder: &Path, threads: usize) -> anyhow::Result<()> {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let missing = self.missing(folder)?;
        let n_missing: u64 = missing.iter().map(|&number| self.games_in(number)).sum();
        let mut progress = Progress::new(self.n_games, "games");
        progress.already(self.n_games - n_missing);
        parallel::map(
            threads,
            missing.into_iter(),
            || (),
            |(), number| {
                let path = Shard::path(folder, number);
                let shard = self.play_shard(number, &progress)?;
                shard.write(&path).with_context(|| path.display().to_string())
            },
        )?;
        if n_missing > 0 {
            eprintln!("{n_missing} games played, {:.1} per second", progress.per_second());
        }
        progress.finish();
        Ok(())
    }

    fn n_shards(&self) -> u32 {
        self.n_games.div_ceil(self.how.shard_games.into()) as u32
    }

    fn first_game(&self, number: u32) -> u64 {
        u64::from(number) * u64::from(self.how.shard_games)
    }

    fn games_in(&self, number: u32) -> u64 {
        (self.n_games - self.first_game(number)).min(self.how.shard_games.into())
    }

    fn rules(&self, game: u64, rng: &mut Rng) -> Rules {
        match &self.kinds {
            Some(Kinds(kinds)) => kinds[(game % kinds.len() as u64) as usize],
            None => self.how.rules(game, rng),
        }
    }

    /// Tells apart folders whose games must not be mixed.
    fn settings(&self) -> String {
        let mut settings = self.how.settings(&self.evaluation);
        for rules in self.kinds.iter().flat_map(|kinds| &kinds.0) {
            settings += &format!(" {rules}");
        }
        settings
    }

    /// The shards that are missing, damaged, or too short because fewer games were asked for.
    fn missing(&self, folder: &Path) -> anyhow::Result<Vec<u32>> {
        let settings = self.settings();
        let mut missing = Vec::new();
        for number in 0..self.n_shards() {
            let path = Shard::path(folder, number);
            if !path.exists() {
                missing.push(number);
                continue;
            }
            match Shard::read(&path) {
                Ok(shard) if shard.settings != settings || shard.seed != self.seed => bail!(
                    "{} has other settings ({}, seed {}); choose another folder",
                    path.display(),
                    shard.settings,
                    shard.seed
                ),
                Ok(shard) if shard.games.len() as u64 >= self.games_in(number) => {}
                Ok(_) => missing.push(number),
                Err(error) => {
                    eprintln!("{}: {error}; its games are played again", path.display());
                    missing.push(number);
                }
            }
        }
        Ok(missing)
    }

    fn play_shard(&self, number: u32, progress: &Progress) -> anyhow::Result<Shard> {
        let limits = Limits { nodes: Some(self.how.nodes), ..Limits::default() };
        let mut player = SelfPlayer::new(&self.evaluation, limits);
        let first = self.first_game(number);
        let mut games = Vec::new();
        for game in first..first + self.games_in(number) {
            let mut rng = Rng::stream(self.seed, game);
            let rules = self.rules(game, &mut rng);
            games.push(play_game(rules, &mut player, self.how.explore, &mut rng)?);
            progress.add(1);
        }
        Ok(Shard { seed: self.seed, number, settings: self.settings(), games })
    }
}

/// Plays one game.
fn play_game(
    rules: Rules,
    player: &mut SelfPlayer,
    explore: f64,
    rng: &mut Rng,
) -> anyhow::Result<SelfPlayGame> {
    player.new_game();
    let seats = rules.players().seats();
    let first = seats[rng.below(seats.len() as u32) as usize];
    let mut position = Position::new(rules, first);
    let mut rounds: Vec<Round> = Vec::new();
    while position.ended_by().is_none() {
        if position.phase() == Phase::Deal {
            let deal = position.draw_deal(|n| rng.below(n));
            position.deal_unchecked(&deal);
            rounds.push(Round { deal, plies: Vec::new() });
            continue;
        }
        let Some(answer) = player.search(&position) else {
            bail!("the engine has no move in {position}");
        };
        let is_first_move = rounds.len() == 1 && rounds[0].plies.is_empty();
        let chance = if is_first_move { explore.max(EXPLORE_FIRST) } else { explore };
        let mut m = answer.best;
        // With probability 0 there is no exploration, not even of the first move.
        if explore > 0.0 && position.phase() == Phase::Draft && rng.chance(chance) {
            m = player.explore(&position, rng).unwrap_or(m);
        }
        // Exploration may pick the best move.
        let explored = m != answer.best;
        let forecast = StoredForecast::all(&answer.info.forecast);
        position.play(m).with_context(|| format!("the engine plays {m} in {position}"))?;
        if let Some(round) = rounds.last_mut() {
            round.plies.push(Ply { m, explored, forecast });
        }
    }
    Ok(SelfPlayGame { rules, first, rounds })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A job of a few quick games.
    pub(crate) fn job(n_games: u64, players: PlayerCount) -> Job {
        let how = PlayOptions { nodes: 20, players, variants: 0.2, explore: 0.2, shard_games: 4 };
        Job { evaluation: Evaluation::Classic, how, kinds: None, seed: 9, n_games }
    }

    fn files(folder: &Path) -> Vec<Vec<u8>> {
        Shard::list(folder).unwrap().iter().map(|path| fs::read(path).unwrap()).collect()
    }

    #[test]
    fn seed_determines_the_games() {
        let (one, two) = (crate::scratch("one-thread"), crate::scratch("two-threads"));
        job(10, PlayerCount::Two).complete(&one, 1).unwrap();
        job(10, PlayerCount::Two).complete(&two, 2).unwrap();
        assert_eq!(files(&one).len(), 3);
        assert_eq!(files(&one), files(&two));
        let shard = Shard::read(&Shard::path(&one, 0)).unwrap();
        assert!(shard.is_classic());
        assert_ne!(shard.games[0], shard.games[1]);
        assert!(shard.games.iter().flat_map(SelfPlayGame::plies).any(|ply| ply.explored));
        for game in &shard.games {
            assert!(game.replay(|_| {}).unwrap().ended_by().is_some());
        }
    }

    #[test]
    fn missing_shards_are_played_again() {
        let dir = crate::scratch("resume");
        job(12, PlayerCount::Mixed).complete(&dir, 1).unwrap();
        let whole = files(&dir);
        // One truncated, one missing, one as if the program had been killed while writing it.
        let path = |number| Shard::path(&dir, number);
        fs::write(path(0), &whole[0][..whole[0].len() / 2]).unwrap();
        fs::remove_file(path(1)).unwrap();
        fs::write(dir.join("shard-00001.azg.part"), &whole[1][..100]).unwrap();
        let kept = fs::metadata(path(2)).unwrap().modified().unwrap();
        assert_eq!(job(12, PlayerCount::Mixed).missing(&dir).unwrap(), [0, 1]);
        job(12, PlayerCount::Mixed).complete(&dir, 1).unwrap();
        assert_eq!(files(&dir), whole);
        assert_eq!(fs::metadata(path(2)).unwrap().modified().unwrap(), kept);
        // With more games, a shard that is too short is completed.
        assert_eq!(job(14, PlayerCount::Mixed).missing(&dir).unwrap(), [3]);
        let players =
            |number| Shard::read(&path(number)).unwrap().games[number as usize % 4].rules.players();
        assert_eq!([players(0), players(1)], [Players::Three, Players::Four]);
    }

    #[test]
    fn chosen_kinds_take_turns() {
        let dir = crate::scratch("kinds");
        let kinds: Kinds = "2cj,3g".parse().unwrap();
        let chosen = Job { kinds: Some(kinds.clone()), ..job(4, PlayerCount::Two) };
        chosen.complete(&dir, 1).unwrap();
        let games = Shard::read(&Shard::path(&dir, 0)).unwrap().games;
        let played: Vec<Rules> = games.iter().map(|game| game.rules).collect();
        assert_eq!(played, [kinds.0.clone(), kinds.0].concat());
        assert!(job(4, PlayerCount::Two).complete(&dir, 1).is_err());
    }

    #[test]
    fn folder_with_other_settings_is_refused() {
        let dir = crate::scratch("other-settings");
        job(4, PlayerCount::Two).complete(&dir, 1).unwrap();
        let mut other = job(4, PlayerCount::Two);
        other.how.nodes += 1;
        let error = other.complete(&dir, 1).unwrap_err().to_string();
        assert!(error.contains("another folder"), "{error}");
        let other = Job { seed: 10, ..job(4, PlayerCount::Two) };
        assert!(other.complete(&dir, 1).is_err());
    }
}
