//! The whole way from nothing to a network, generation by generation.
//!
//! A generation plays games against itself with the last network that was accepted, learns from
//! them and from those of the generations before, and plays a match against that network. Only if
//! it wins is it accepted. Every step leaves a file behind, and a step whose file is there is not
//! done again: the program can be killed at any moment and started again.

use crate::data::Section;
use crate::duel::Duel;
use crate::luck::Luck;
use crate::player::Brain;
use crate::selfplay::Table;
use crate::shard::write_whole;
use crate::state::{Generation, State, folder, write_losses};
use crate::{fit, selfplay};
use anyhow::Context;
use azulejo_engine::Limits;
use azulejo_rules::Rules;
use std::fs;
use std::path::{Path, PathBuf};

/// Go the whole way: play, learn, and accept what wins, for some generations.
///
/// A run that was ended goes on where it was. Example: azulejo-train run --dir run --generations 8
/// --games 20000 --nodes 5000
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder of the run.
    #[arg(long)]
    dir: PathBuf,
    /// How many generations there should be in the end.
    #[arg(long)]
    generations: usize,
    /// Games of self-play in each generation.
    #[arg(long, default_value_t = 20_000)]
    games: u64,
    /// The network to begin with, instead of the hand-written evaluation.
    #[arg(long)]
    from: Option<PathBuf>,
    /// Begin each training with chance weights instead of the accepted network.
    #[arg(long)]
    afresh: bool,
    /// From how many generations' games a network learns, the last ones.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    window: u32,
    /// Games of the match that decides.
    #[arg(long, default_value_t = 1000)]
    gate_games: u64,
    /// Nodes for each move of that match; as in self-play if not given.
    #[arg(long)]
    gate_nodes: Option<u64>,
    /// Decides everything that chance decides.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games are played at a time.
    #[arg(long, default_value_t = crate::default_threads())]
    threads: usize,
    /// How many threads learn. Another number gives a slightly different network.
    #[arg(long, default_value_t = 2)]
    fit_threads: usize,
    #[command(flatten)]
    play: selfplay::PlayOptions,
    #[command(flatten)]
    learn: fit::FitOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    fs::create_dir_all(&args.dir).with_context(|| args.dir.display().to_string())?;
    let mut state = State::read(&args.dir)?;
    while state.generations.len() < args.generations {
        let generation = args.generation(&state)?;
        state.generations.push(generation);
        state.write(&args.dir)?;
    }
    match state.accepted() {
        Some(number) => {
            let best = args.dir.join("best.bin");
            println!("generation {number} is the best; its network is {}", best.display());
        }
        None => println!("no network has won its match"),
    }
    Ok(())
}

impl Args {
    /// What the next generation plays with and has to beat: its name and its file.
    fn champion(&self, state: &State) -> (String, Option<PathBuf>) {
        match (state.accepted(), &self.from) {
            (Some(number), _) => (number.to_string(), Some(self.network(number))),
            (None, Some(path)) => ("start".to_owned(), Some(path.clone())),
            (None, None) => ("classic".to_owned(), None),
        }
    }

    fn network(&self, generation: usize) -> PathBuf {
        folder(&self.dir, generation).join("net.bin")
    }

    /// Does what is left to do of the next generation.
    fn generation(&self, state: &State) -> anyhow::Result<Generation> {
        let number = state.generations.len();
        let (name, champion_path) = self.champion(state);
        let champion = match &champion_path {
            Some(path) => Brain::read(path)?,
            None => Brain::Classic,
        };
        // Three seeds of its own for each generation.
        let mut luck = Luck::stream(self.seed, number as u64);
        let [play_seed, learn_seed, match_seed] = [(); 3].map(|()| luck.bits());
        eprintln!("generation {number}: self-play with {name}");
        let games = selfplay::Job {
            brain: champion.clone(),
            how: self.play.clone(),
            seed: play_seed,
            n_games: self.games,
        };
        games.complete(&self.data(number), self.threads)?;
        let path = self.network(number);
        if !path.exists() {
            eprintln!("generation {number}: training");
            self.train(number, champion_path.as_deref(), learn_seed)?;
        }
        write_losses(&self.dir, number)?;
        eprintln!("generation {number}: match against {name}");
        let duel = Duel {
            a: Brain::read(&path)?,
            b: champion,
            rules: self.rules(),
            limits: Limits {
                nodes: Some(self.gate_nodes.unwrap_or(self.play.nodes)),
                ..Limits::default()
            },
            seed: match_seed,
            n_games: self.gate_games,
        };
        let score = duel.play(self.threads)?;
        let generation = Generation::new(name, &score);
        let verdict = if generation.accepted { "accepted" } else { "not accepted" };
        eprintln!("generation {number}: {score}; {verdict}");
        if generation.accepted {
            let best = self.dir.join("best.bin");
            write_whole(&best, &fs::read(&path)?).with_context(|| best.display().to_string())?;
        }
        Ok(generation)
    }

    fn data(&self, generation: usize) -> PathBuf {
        folder(&self.dir, generation).join("games")
    }

    /// Trains a generation and writes its losses and then, last, its network.
    fn train(&self, number: usize, from: Option<&Path>, seed: u64) -> anyhow::Result<()> {
        let oldest = (number + 1).saturating_sub(self.window as usize);
        let folders: Vec<PathBuf> = (oldest..=number).map(|number| self.data(number)).collect();
        let job = fit::Job {
            folders: &folders,
            from,
            afresh: self.afresh,
            section: self.section(),
            seed,
            threads: self.fit_threads,
            how: &self.learn,
        };
        let (network, epochs) = job.run()?;
        let log = folder(&self.dir, number).join("losses.csv");
        fit::write_log(&log, &epochs)?;
        fit::write_network(&self.network(number), &network)
    }

    fn section(&self) -> Section {
        match self.play.players {
            Table::Two => Section::Two,
            Table::Three => Section::Three,
            Table::Four => Section::Four,
            Table::Mixed => Section::More,
        }
    }

    /// The rules of the match.
    fn rules(&self) -> Rules {
        // The last game of a mixed table has four seats.
        let players = self.play.players.players(1);
        Rules { wall: self.play.wall.kind(), jokers: self.play.jokers, ..Rules::official(players) }
    }
}
