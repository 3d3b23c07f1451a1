//! Round trips: what the program prints it reads back, in every variant and format.

use crate::run::{Folder, VARIANTS, azulejo, azulejo_reading, sh, with_options};
use serde_json::Value;

/// A random game: where it starts, and its deals and moves in order.
pub(crate) struct RandomGame {
    pub(crate) start: String,
    pub(crate) steps: Vec<String>,
}

impl RandomGame {
    pub(crate) fn new(variant: &str, seed: &str) -> RandomGame {
        // Game 1 of a seed has this seed.
        let first_seed = format!("{seed}-1");
        let start = with_options("new --undealt", &options(variant, &["--seed", &first_seed]));
        let record = with_options("random --json", &options(variant, &["--seed", seed])).json();
        let mut steps = Vec::new();
        for round in record["rounds"].as_array().unwrap() {
            steps.push(round["deal"].as_str().unwrap().to_owned());
            let moves = round["moves"].as_array().unwrap();
            steps.extend(moves.iter().map(|m| m.as_str().unwrap().to_owned()));
        }
        RandomGame { start: start.fine().trim().to_owned(), steps }
    }

    /// Plays the first `n_steps` steps.
    pub(crate) fn apply(&self, n_steps: usize, more: &[&str]) -> crate::run::Run {
        let mut args = vec!["apply", &self.start];
        args.extend(self.steps[..n_steps].iter().map(String::as_str));
        args.extend(more);
        azulejo(&args)
    }

    /// The position after `n_steps` steps.
    pub(crate) fn position(&self, n_steps: usize) -> String {
        match n_steps {
            0 => self.start.clone(),
            n => self.apply(n, &[]).fine().trim().to_owned(),
        }
    }
}

fn options<'a>(variant: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    variant.split_whitespace().chain(more.iter().copied()).collect()
}

#[test]
fn random_games_replay_in_every_form() {
    for variant in VARIANTS {
        let games = ["text", "json", "interchange"].map(|format| {
            let args = options(variant, &["--seed", "forms", "--games", "2", "--format", format]);
            let written = with_options("random", &args).fine();
            let quiet = azulejo_reading(&["replay", "-", "--quiet"], written.as_bytes()).fine();
            assert_eq!(quiet, "2 games, 2 fine\n", "{variant}, {format}");
            let report = azulejo_reading(&["replay", "-", "--json"], written.as_bytes()).fine();
            let lines = report.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
            lines.map(|line| line["game"].clone()).collect::<Vec<_>>()
        });
        assert_eq!(games[0], games[1], "{variant}");
        assert_eq!(games[0], games[2], "{variant}");
    }
}

#[test]
fn a_game_applied_step_by_step_is_the_game_replayed() {
    for variant in VARIANTS {
        let game = RandomGame::new(variant, "steps");
        let text = with_options("random", &options(variant, &["--seed", "steps"])).fine();
        let replayed = azulejo_reading(&["replay", "-", "--json"], text.as_bytes()).json();
        let last = game.position(game.steps.len());
        assert_eq!(replayed["game"]["final_position"], last.as_str(), "{variant}");
        // In two halves, through a pipe.
        let middle = game.steps.len() / 2;
        let mut args = vec!["apply", "-"];
        args.extend(game.steps[middle..].iter().map(String::as_str));
        let rest = azulejo_reading(&args, game.position(middle).as_bytes()).fine();
        assert_eq!(rest.trim(), last, "{variant}");
    }
}

#[test]
fn commands_work_in_a_pipeline() {
    let here = Folder::new();
    for variant in VARIANTS {
        let pipeline = format!(
            "set -e; p=$(azulejo new {variant} --seed pipe); m=$(azulejo moves $p --plain | tail -1)
            echo $p | azulejo apply - $m | azulejo show - | head -1"
        );
        let title = sh(&pipeline, &here).fine();
        assert!(title.starts_with("Round 1: seat "), "{variant}: {title}");
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    for variant in VARIANTS {
        for command in ["new --seed again", "new --undealt --seed again", "random --seed again"] {
            let run = || with_options(command, &options(variant, &[])).fine();
            assert_eq!(run(), run(), "{command} {variant}");
        }
    }
    let several = azulejo(&["random", "--seed", "7", "--games", "3"]).fine();
    assert!(several.contains("[Seed \"7-3\"]"), "{several}");
    assert!(several.starts_with(&azulejo(&["random", "--seed", "7"]).fine()));
}

#[test]
fn a_random_seed_is_shown() {
    let [one, other] = [azulejo(&["new", "--json"]).json(), azulejo(&["new", "--json"]).json()];
    assert_ne!(one["seed"], other["seed"]);
    let again = azulejo(&["new", "--seed", one["seed"].as_str().unwrap()]).fine();
    assert_eq!(again.trim(), one["position"]);
}

#[test]
fn all_counts_of_legal_moves_agree() {
    for (variant, n_steps) in [("-p2", 1), ("-p3 -wgrey -j", 9), ("-p4 -j", 20)] {
        let position = RandomGame::new(variant, "count").position(n_steps);
        let plain = azulejo(&["moves", &position, "--plain"]).fine();
        let n = plain.lines().count();
        assert_eq!(azulejo(&["moves", &position, "--count"]).fine().trim(), n.to_string());
        assert_eq!(azulejo(&["moves", &position]).fine().lines().count(), n + 1);
        assert_eq!(azulejo(&["show", &position, "--json"]).json()["n_legal_moves"], n);
        assert_eq!(azulejo(&["moves", &position, "--json"]).json().as_array().unwrap().len(), n);
        assert_eq!(azulejo(&["perft", &position, "1", "--json"]).json()["n_sequences"], n);
        for m in plain.lines().step_by(7) {
            azulejo(&["explain", &position, m]).fine();
        }
    }
}
