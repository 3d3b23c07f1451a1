//! Calibration: plays games at a fixed node limit, takes one position from each round, and compares the
//! forecasts of the search there with the results of the games.

use crate::calibration::{Calibration, Sighting};
use crate::fit::write_network;
use crate::kinds::Kinds;
use crate::parallel;
use crate::player::{Evaluation, HASH_MB};
use crate::progress::Progress;
use crate::rng::Rng;
use crate::targets::{self, Target};
use crate::{calibration_plot, default_threads};
use anyhow::{Context, bail, ensure};
use azulejo_engine::{Engine, Limits, Stop};
use azulejo_files::write_atomic;
use azulejo_notation::{Dealer, Seed};
use azulejo_rules::{Phase, Position, Rules, Seat};
use std::path::{Path, PathBuf};

/// Compare predicted win chances and differences with what happens.
///
/// Example: azulejo-train calibrate --kinds 2c,4c --games 4000 --nodes 2000 --plot calibration.svg
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The kinds of game, such as `2c,4c`; `4` means all kinds with four players.
    #[arg(long, default_value = "2,3,4")]
    kinds: Kinds,
    /// Games of each kind. A game gives one position for each of its five or six rounds.
    #[arg(long, default_value_t = 4000)]
    games: u64,
    /// Nodes for each move.
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// The path of a network, or `classic`; the built-in network by default.
    #[arg(long)]
    eval: Option<String>,
    /// The seed of deals and samples.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played at the same time.
    #[arg(long, default_value_t = default_threads())]
    threads: usize,
    /// Write the plot to this SVG file.
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Fail if a win chance or an expected difference is off by more than docs/engine.md allows.
    #[arg(long)]
    check: bool,
    /// Write the network to this file, with the factors of the log odds and the corrections of the expected
    /// differences that fit best.
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    ensure!(args.games > 0, "calibration needs at least one game");
    let evaluation = args.eval.as_deref().map(Evaluation::parse).transpose()?;
    let evaluation = evaluation.unwrap_or_else(Evaluation::built_in);
    let mut all = Vec::new();
    for &rules in &args.kinds.0 {
        let job = Job { rules, nodes: args.nodes, seed: args.seed, evaluation: &evaluation };
        let calibration = job.measure(args.games, args.threads)?;
        println!("{calibration}");
        all.push(calibration);
    }
    if let Some(path) = &args.plot {
        let picture = calibration_plot::draw(&all);
        write_atomic(path, picture.as_bytes()).with_context(|| path.display().to_string())?;
    }
    if let Some(path) = &args.out {
        write_corrected(path, &evaluation, &all)?;
    }
    let faults: Vec<String> = all.iter().flat_map(Calibration::faults).collect();
    ensure!(!args.check || faults.is_empty(), "not calibrated:\n{}", faults.join("\n"));
    Ok(())
}

/// Writes the network with the corrections that fit best.
fn write_corrected(
    path: &Path,
    evaluation: &Evaluation,
    all: &[Calibration],
) -> anyhow::Result<()> {
    let Evaluation::Learned(network, _) = evaluation else {
        bail!("the hand-written evaluation has no corrections to write");
    };
    let mut network = (**network).clone();
    for calibration in all {
        let rules = &calibration.rules;
        network.set_correction(rules, calibration.corrected(network.correction(rules)));
    }
    write_network(path, &network)
}

struct Job<'a> {
    rules: Rules,
    nodes: u64,
    seed: u64,
    evaluation: &'a Evaluation,
}

impl Job<'_> {
    fn measure(&self, n_games: u64, threads: usize) -> anyhow::Result<Calibration> {
        let progress = Progress::new(n_games, "games");
        progress.remark(self.rules.to_string());
        let engine = || self.evaluation.engine(HASH_MB, 1);
        let games = parallel::map(threads, 0..n_games, engine, |engine, game| {
            let sightings = self.play(game, engine);
            progress.add(1);
            sightings
        });
        progress.finish();
        Ok(Calibration::new(self.rules, &games?))
    }

    /// Plays a game and returns a random position of each round, for a random seat.
    fn play(&self, game: u64, engine: &mut Engine) -> anyhow::Result<Vec<Sighting>> {
        let mut rng = Rng::stream(self.seed, game);
        let seed: Seed = format!("{}-{game}", self.seed).parse()?;
        let (first, mut dealer) = Dealer::new(&seed, &self.rules);
        let mut position = Position::new(self.rules, first);
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        engine.new_game();
        let mut seen: Vec<(u16, Seat, Target)> = Vec::new();
        let mut n_plies = 0;
        while position.ended_by().is_none() {
            if position.phase() == Phase::Deal {
                position.deal_unchecked(&dealer.deal(&position)?);
                n_plies = 0;
                continue;
            }
            let answer = engine.search(&position, &limits, &Stop::new(), &mut |_| {});
            let answer = answer.with_context(|| format!("the engine has no move in {position}"))?;
            // Reservoir sampling: each ply of the round is kept with the same probability.
            n_plies += 1;
            if rng.below(n_plies) == 0 {
                let seats = self.rules.players().seats();
                let seat = seats[rng.below(seats.len() as u32) as usize];
                let forecast = &answer.info.forecast;
                let (difference, win) =
                    (forecast.difference[seat.index()], forecast.win[seat.index()]);
                seen.truncate(usize::from(position.round()) - 1);
                seen.push((position.round(), seat, Target { difference, win }));
            }
            position.play(answer.best)?;
        }
        let sighting = |(round, seat, predicted)| Sighting {
            round,
            predicted,
            happened: targets::result(&position, seat),
        };
        Ok(seen.into_iter().map(sighting).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::read_network;
    use azulejo_engine::network::Network;

    #[test]
    fn each_round_of_a_game_gives_one_position() {
        let evaluation = Evaluation::built_in();
        for rules in Kinds::all().0 {
            let job = Job { rules, nodes: 30, seed: 3, evaluation: &evaluation };
            let mut engine = evaluation.engine(1, 1);
            let seen = job.play(5, &mut engine).unwrap();
            let rounds: Vec<u16> = seen.iter().map(|seen| seen.round).collect();
            assert!(rounds.iter().copied().eq(1..=rounds.len() as u16), "{rounds:?}");
            assert_eq!(seen, job.play(5, &mut engine).unwrap(), "{rules} is not reproducible");
        }
    }

    #[test]
    fn a_small_run_prints_its_table_and_plot() {
        let dir = crate::scratch("calibrate");
        let plot = dir.join("calibration.svg");
        let args = || Args {
            kinds: "2c".parse().unwrap(),
            games: 12,
            nodes: 40,
            eval: Some("classic".to_owned()),
            seed: 1,
            threads: 2,
            plot: Some(plot.clone()),
            out: None,
            check: false,
        };
        run(&args()).unwrap();
        let svg = std::fs::read_to_string(&plot).unwrap();
        assert!(svg.contains(">2c<") && !svg.contains("NaN"), "{svg}");
        let out = dir.join("scaled.net");
        let refused = run(&Args { out: Some(out.clone()), ..args() }).unwrap_err();
        assert!(refused.to_string().contains("no corrections"), "{refused}");
        run(&Args { out: Some(out.clone()), eval: None, ..args() }).unwrap();
        let (old, new) = (Network::built_in(), read_network(&out).unwrap());
        let [two, four] = ["2c", "4c"].map(|rules| rules.parse().unwrap());
        assert_ne!(new.correction(&two), old.correction(&two));
        assert_eq!(new.correction(&four), old.correction(&four));
        assert_eq!(new.section(&two), old.section(&two));
    }
}
