//! Self-play: an engine plays whole games against itself and writes down what it expected.
//!
//! Games are made in shards. What a shard holds follows from the seed and its number alone,
//! whichever thread plays it and whenever: a job that was killed goes on where it was, and gives the
//! same games.

use crate::game::{Game, Outlook, Ply, Round};
use crate::luck::Luck;
use crate::parallel;
use crate::player::{Brain, Explorer};
use crate::progress::Progress;
use crate::shard::Shard;
use anyhow::{Context, bail};
use azulejo_engine::Limits;
use azulejo_rules::{Phase, Players, Position, Rules, WallKind};
use clap::ValueEnum;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The chance that the very first move of a game is explored. Otherwise there would be few
/// beginnings, because equal deals do not happen but equal plans do.
const EXPLORE_FIRST: f64 = 0.5;

/// Play games of the engine against itself and write them down.
///
/// A folder that holds some of the games already is completed. Example: azulejo-train selfplay
/// --out data --games 20000 --nodes 10000 --classic
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder for the games.
    #[arg(long)]
    out: PathBuf,
    /// How many games the folder should hold in the end.
    #[arg(long)]
    games: u64,
    /// The network that evaluates; without one, the one that is built in.
    #[arg(long, conflicts_with = "classic")]
    net: Option<PathBuf>,
    /// Evaluate with the hand-written evaluation.
    #[arg(long)]
    classic: bool,
    /// Decides everything that chance decides.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games are played at a time.
    #[arg(long, default_value_t = crate::default_threads())]
    threads: usize,
    #[command(flatten)]
    how: PlayOptions,
}

/// How games are played.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct PlayOptions {
    /// Nodes for each move.
    #[arg(long, default_value_t = 10_000)]
    pub(crate) nodes: u64,
    /// Players at the table; `mixed` is three and four in turn.
    #[arg(long, value_enum, default_value_t = Table::Two)]
    pub(crate) players: Table,
    /// The wall of the boards.
    #[arg(long, value_enum, default_value_t = Wall::Colored)]
    pub(crate) wall: Wall,
    /// Play with jokers.
    #[arg(long)]
    pub(crate) jokers: bool,
    /// The share of games on other boards: grey wall, jokers, or both, each equally often.
    #[arg(long, default_value_t = 0.0, value_parser = crate::share)]
    pub(crate) variants: f64,
    /// The chance of each move to be explored: to be one of the best at first sight.
    #[arg(long, default_value_t = 0.08, value_parser = crate::share)]
    pub(crate) explore: f64,
    /// Games in a file. What is lost when the program is killed are unfinished files.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) shard_games: u32,
}

/// How many play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Table {
    /// Two players.
    #[value(name = "2")]
    Two,
    /// Three players.
    #[value(name = "3")]
    Three,
    /// Four players.
    #[value(name = "4")]
    Four,
    /// Three and four in turn.
    Mixed,
}

impl Table {
    /// The number of players in a game.
    pub(crate) fn players(self, game: u64) -> Players {
        match self {
            Table::Two => Players::Two,
            Table::Three => Players::Three,
            Table::Four => Players::Four,
            Table::Mixed if game.is_multiple_of(2) => Players::Three,
            Table::Mixed => Players::Four,
        }
    }
}

/// The wall, as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Wall {
    /// Every space shows its color.
    Colored,
    /// Any color anywhere.
    Grey,
}

impl Wall {
    pub(crate) fn kind(self) -> WallKind {
        match self {
            Wall::Colored => WallKind::Colored,
            Wall::Grey => WallKind::Grey,
        }
    }
}

impl PlayOptions {
    /// The rules of a game.
    fn rules(&self, game: u64, luck: &mut Luck) -> Rules {
        let (mut wall, mut jokers) = (self.wall.kind(), self.jokers);
        if luck.happens(self.variants) {
            (wall, jokers) =
                [(WallKind::Grey, false), (WallKind::Colored, true), (WallKind::Grey, true)]
                    [luck.below(3) as usize];
        }
        Rules { wall, jokers, ..Rules::official(self.players.players(game)) }
    }

    /// What tells apart folders whose games must not be mixed.
    fn settings(&self, brain: &Brain) -> String {
        let PlayOptions { nodes, players, wall, jokers, variants, explore, shard_games } = self;
        format!(
            "{players:?} {wall:?} jokers={jokers} variants={variants} nodes={nodes} explore={explore} file={shard_games} eval={}",
            brain.mark()
        )
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let brain = match &args.net {
        _ if args.classic => Brain::Classic,
        Some(path) => Brain::read(path)?,
        None => Brain::built_in(),
    };
    let job = Job { brain, how: args.how.clone(), seed: args.seed, n_games: args.games };
    job.complete(&args.out, args.threads)
}

/// A collection of games to be played.
pub(crate) struct Job {
    pub(crate) brain: Brain,
    pub(crate) how: PlayOptions,
    pub(crate) seed: u64,
    pub(crate) n_games: u64,
}

impl Job {
    /// Plays the games that a folder does not hold yet.
    pub(crate) fn complete(&self, folder: &Path, threads: usize) -> anyhow::Result<()> {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let missing = self.missing(folder)?;
        let n_missing: u64 = missing.iter().map(|&number| self.games_in(number)).sum();
        let mut progress = Progress::new(self.n_games, "games");
        progress.already(self.n_games - n_missing);
        let queue = Mutex::new(missing.into_iter());
        let failed = AtomicBool::new(false);
        parallel::workers(threads, || {
            loop {
                let next = queue.lock().ok().and_then(|mut queue| queue.next());
                let Some(number) = next.filter(|_| !failed.load(Ordering::Relaxed)) else {
                    return Ok(());
                };
                let played = self.play_shard(number, &progress).and_then(|shard| {
                    let path = Shard::path(folder, number);
                    shard.write(&path).with_context(|| path.display().to_string())
                });
                // A failure ends the work of all.
                played.inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
            }
        })?;
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

    /// The shards that are not there, or damaged, or too short because fewer games were wanted.
    fn missing(&self, folder: &Path) -> anyhow::Result<Vec<u32>> {
        let settings = self.how.settings(&self.brain);
        let mut missing = Vec::new();
        for number in 0..self.n_shards() {
            let path = Shard::path(folder, number);
            if !path.exists() {
                missing.push(number);
                continue;
            }
            match Shard::read(&path) {
                Ok(shard) if shard.settings != settings || shard.seed != self.seed => bail!(
                    "{} was played otherwise ({}, seed {}); choose another folder",
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
        let mut explorer = Explorer::new(&self.brain, limits);
        let first = self.first_game(number);
        let mut games = Vec::new();
        for game in first..first + self.games_in(number) {
            let mut luck = Luck::stream(self.seed, game);
            let rules = self.how.rules(game, &mut luck);
            games.push(play_game(rules, &mut explorer, self.how.explore, &mut luck)?);
            progress.add(1);
        }
        Ok(Shard { seed: self.seed, number, settings: self.how.settings(&self.brain), games })
    }
}

/// Plays one game.
fn play_game(
    rules: Rules,
    explorer: &mut Explorer,
    explore: f64,
    luck: &mut Luck,
) -> anyhow::Result<Game> {
    explorer.new_game();
    let seats = rules.players.seats();
    let first = seats[luck.below(seats.len() as u32) as usize];
    let mut position = Position::new(rules, first);
    let mut rounds: Vec<Round> = Vec::new();
    while position.ended_by().is_none() {
        if position.phase() == Phase::Deal {
            let deal = position.draw_deal(|n| luck.below(n));
            position.deal_unchecked(&deal);
            rounds.push(Round { deal, plies: Vec::new() });
            continue;
        }
        let Some(answer) = explorer.think(&position) else {
            bail!("the engine has no move in {position}");
        };
        let is_first_move = rounds.len() == 1 && rounds[0].plies.is_empty();
        let chance = if is_first_move { explore.max(EXPLORE_FIRST) } else { explore };
        let mut m = answer.best;
        // With a chance of none at all, nothing is explored, not even the first move.
        if explore > 0.0 && position.phase() == Phase::Draft && luck.happens(chance) {
            m = explorer.explore(&position, luck).unwrap_or(m);
        }
        // Chance may well choose what the search would have chosen.
        let explored = m != answer.best;
        let outlook = Outlook::all(&answer.info.forecast);
        position.play(m).with_context(|| format!("the engine plays {m} in {position}"))?;
        if let Some(round) = rounds.last_mut() {
            round.plies.push(Ply { m, explored, outlook });
        }
    }
    Ok(Game { rules, first, rounds })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A small collection of quick games.
    pub(crate) fn job(n_games: u64, players: Table) -> Job {
        let how = PlayOptions {
            nodes: 20,
            players,
            wall: Wall::Colored,
            jokers: false,
            variants: 0.2,
            explore: 0.2,
            shard_games: 4,
        };
        Job { brain: Brain::Classic, how, seed: 9, n_games }
    }

    fn files(folder: &Path) -> Vec<Vec<u8>> {
        Shard::list(folder).unwrap().iter().map(|path| fs::read(path).unwrap()).collect()
    }

    #[test]
    fn games_follow_from_the_seed() {
        let (one, two) = (crate::scratch("one-thread"), crate::scratch("two-threads"));
        job(10, Table::Two).complete(&one, 1).unwrap();
        job(10, Table::Two).complete(&two, 2).unwrap();
        assert_eq!(files(&one).len(), 3);
        assert_eq!(files(&one), files(&two));
        let shard = Shard::read(&Shard::path(&one, 0)).unwrap();
        assert!(shard.is_classic());
        assert_ne!(shard.games[0], shard.games[1]);
        assert!(shard.games.iter().flat_map(Game::plies).any(|ply| ply.explored));
        for game in &shard.games {
            assert!(game.replay(|_| {}).unwrap().ended_by().is_some());
        }
    }

    #[test]
    fn what_is_missing_is_played_again() {
        let dir = crate::scratch("resume");
        job(12, Table::Mixed).complete(&dir, 1).unwrap();
        let whole = files(&dir);
        // One cut off, one gone, one as if the program had been killed while writing it.
        let path = |number| Shard::path(&dir, number);
        fs::write(path(0), &whole[0][..whole[0].len() / 2]).unwrap();
        fs::remove_file(path(1)).unwrap();
        fs::write(dir.join("shard-00001.azg.part"), &whole[1][..100]).unwrap();
        let kept = fs::metadata(path(2)).unwrap().modified().unwrap();
        assert_eq!(job(12, Table::Mixed).missing(&dir).unwrap(), [0, 1]);
        job(12, Table::Mixed).complete(&dir, 1).unwrap();
        assert_eq!(files(&dir), whole);
        assert_eq!(fs::metadata(path(2)).unwrap().modified().unwrap(), kept);
        // More games are wanted: a shard that is too short is completed.
        assert_eq!(job(14, Table::Mixed).missing(&dir).unwrap(), [3]);
        let players =
            |number| Shard::read(&path(number)).unwrap().games[number as usize % 4].rules.players;
        assert_eq!([players(0), players(1)], [Players::Three, Players::Four]);
    }

    #[test]
    fn other_settings_need_another_folder() {
        let dir = crate::scratch("other-settings");
        job(4, Table::Two).complete(&dir, 1).unwrap();
        let mut other = job(4, Table::Two);
        other.how.nodes += 1;
        let error = other.complete(&dir, 1).unwrap_err().to_string();
        assert!(error.contains("another folder"), "{error}");
        let other = Job { seed: 10, ..job(4, Table::Two) };
        assert!(other.complete(&dir, 1).is_err());
    }
}
