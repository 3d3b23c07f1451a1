#![doc = include_str!("../README.md")]

mod adam;
mod calibrate;
mod calibration;
mod calibration_plot;
mod data;
mod fit;
mod game;
mod join;
mod kinds;
mod match_play;
mod measure;
mod model;
mod parallel;
mod player;
mod plot;
mod progress;
mod quantize;
mod rng;
mod run;
mod samples;
mod selfplay;
mod shard;
mod state;
mod targets;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Train the evaluation of the azulejo engine: self-play, training and gating matches.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Selfplay(selfplay::Args),
    Fit(fit::Args),
    Match(match_play::Args),
    Run(run::Args),
    Join(join::Args),
    Calibrate(calibrate::Args),
    Plot(plot::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Selfplay(args) => selfplay::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Match(args) => match_play::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Join(args) => join::run(&args),
        Command::Calibrate(args) => calibrate::run(&args),
        Command::Plot(args) => plot::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("azulejo-train: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// The number of processors.
fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Reads a number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

/// An empty folder that is removed after a test.
#[cfg(test)]
struct Scratch(std::path::PathBuf);

#[cfg(test)]
fn scratch(name: &str) -> Scratch {
    let dir = std::env::temp_dir().join(format!("azulejo-train-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    Scratch(dir)
}

#[cfg(test)]
impl std::ops::Deref for Scratch {
    type Target = std::path::Path;

    fn deref(&self) -> &std::path::Path {
        &self.0
    }
}

#[cfg(test)]
impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_an_example() {
        for command in Cli::command().get_subcommands_mut() {
            let help = command.render_long_help().to_string();
            assert!(help.contains("Example"), "{}: {help}", command.get_name());
        }
    }
}
