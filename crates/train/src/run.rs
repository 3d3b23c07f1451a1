//! The training loop: generations of self-play, training and a gating match.
//!
//! A generation plays itself with the last accepted network, trains on these games and those of the
//! generations before, and plays a match against that network. It is accepted only if it wins. Every
//! step writes a file, and a step whose file exists is skipped, so the program can be killed and
//! resumed at any moment.

use crate::kinds::Kinds;
use crate::match_play::Match;
use crate::player::Evaluation;
use crate::rng::Rng;
use crate::selfplay::PlayerCount;
use crate::state::{Generation, State, folder, write_losses};
use crate::{fit, selfplay};
use anyhow::Context;
use azulejo_files::write_atomic;
use azulejo_rules::{Players, Rules};
use std::fs;
use std::path::{Path, PathBuf};

/// Run generations of self-play, training and gating matches.
///
/// A run that was killed resumes. Example: azulejo-train run --dir run --generations 8
/// --games 20000 --nodes 5000
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder of the run.
    #[arg(long)]
    dir: PathBuf,
    /// The number of generations at the end.
    #[arg(long)]
    generations: usize,
    /// Self-play games in each generation.
    #[arg(long, default_value_t = 20_000)]
    games: u64,
    /// The network to start with, instead of the hand-written evaluation.
    #[arg(long)]
    from: Option<PathBuf>,
    /// The number of latest generations whose games are trained on.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    window: u32,
    /// Games of the gating match.
    #[arg(long, default_value_t = 1000)]
    gate_games: u64,
    /// The seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played at the same time.
    #[arg(long, default_value_t = crate::default_threads())]
    threads: usize,
    /// Training threads. Another number gives a slightly different network.
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
            println!("the best network is generation {number}: {}", best.display());
        }
        None => println!("no network has won its gating match"),
    }
    Ok(())
}

impl Args {
    /// The evaluation that the next generation plays with and has to beat: its name and its file.
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

    /// Completes the next generation.
    fn generation(&self, state: &State) -> anyhow::Result<Generation> {
        let number = state.generations.len();
        let (name, champion_path) = self.champion(state);
        let champion = match &champion_path {
            Some(path) => Evaluation::read(path)?,
            None => Evaluation::Classic,
        };
        // Each generation has its own three seeds.
        let mut rng = Rng::stream(self.seed, number as u64);
        let [play_seed, learn_seed, match_seed] = [(); 3].map(|()| rng.bits());
        eprintln!("generation {number}: self-play with {name}");
        let games = selfplay::Job {
            evaluation: champion.clone(),
            how: self.play.clone(),
            seed: play_seed,
            kinds: None,
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
        let gate = Match {
            a: Evaluation::read(&path)?,
            b: champion,
            // The last game of a mixed job has four players.
            rules: Rules::official(self.play.players.players(1)),
            nodes: self.play.nodes,
            seed: match_seed,
            n_games: self.gate_games,
        };
        let score = gate.play(self.threads)?;
        let generation = Generation::new(name, &score);
        let verdict = if generation.accepted { "accepted" } else { "not accepted" };
        eprintln!("generation {number}: {score}; {verdict}");
        if generation.accepted {
            let best = self.dir.join("best.bin");
            write_atomic(&best, &fs::read(&path)?).with_context(|| best.display().to_string())?;
        }
        Ok(generation)
    }

    fn data(&self, generation: usize) -> PathBuf {
        folder(&self.dir, generation).join("games")
    }

    /// Trains a generation and writes its losses and, last, its network.
    fn train(&self, number: usize, from: Option<&Path>, seed: u64) -> anyhow::Result<()> {
        let oldest = (number + 1).saturating_sub(self.window as usize);
        let folders: Vec<PathBuf> = (oldest..=number).map(|number| self.data(number)).collect();
        let job = fit::Job {
            folders: &folders,
            from,
            kinds: &self.kinds(),
            seed,
            threads: self.fit_threads,
            how: &self.learn,
        };
        let (network, epochs) = job.run()?;
        let log = folder(&self.dir, number).join("losses.csv");
        fit::write_log(&log, &epochs)?;
        fit::write_network(&self.network(number), &network)
    }

    fn kinds(&self) -> Kinds {
        Kinds::of_players(match self.play.players {
            PlayerCount::Two => &[Players::Two],
            PlayerCount::Three => &[Players::Three],
            PlayerCount::Four => &[Players::Four],
            PlayerCount::Mixed => &[Players::Three, Players::Four],
        })
    }
}
