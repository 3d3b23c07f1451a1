//! Evidence that takes too long for every run, in one list. Times are for two idle cores, without
//! compiling: those of `laws`, `perft` and `hash` are scaled from measured processor time, the others
//! are estimates.

use crate::{cargo, cargo_command, fuzz, machine, program, root, step};
use anyhow::{Context, bail};
use std::process::Command;

/// A long run.
struct Long {
    name: &'static str,
    /// What an amount counts, and how much is run by default.
    amount: (&'static str, &'static str),
    time: &'static str,
    shows: &'static str,
    run: fn(&str) -> anyhow::Result<()>,
}

const LONG: &[Long] = &[
    Long {
        name: "laws",
        amount: ("games", "100000"),
        time: "14 min",
        shows: "every law of the rules and the agreement with the reference, in random games",
        run: |games| {
            let tests = ["--package", "azulejo-rules", "--test", "laws", "--test", "reference"];
            let games = [("AZULEJO_LAW_GAMES", games), ("AZULEJO_REFERENCE_GAMES", games)];
            tests_with(&tests, &games)
        },
    },
    Long {
        name: "perft",
        amount: ("leaves", "20000000"),
        time: "1 min",
        shows: "counts of move sequences agree with the reference to a greater depth",
        run: |limit| {
            let tests = ["--package", "azulejo-rules", "--test", "reference"];
            tests_with(&tests, &[("AZULEJO_PERFT_LIMIT", limit)])
        },
    },
    Long {
        name: "hash",
        amount: ("positions", "20000000"),
        time: "1 min",
        shows: "no two different positions of random games have the same hash",
        run: |positions| {
            let tests = ["--package", "azulejo-rules", "--test", "hash"];
            tests_with(&tests, &[("AZULEJO_HASH_POSITIONS", positions)])
        },
    },
    Long {
        name: "exact",
        amount: ("positions", "10000"),
        time: "5 min",
        shows: "exact and proved scores agree with brute force in late positions of every kind of game",
        run: |positions| {
            let tests = ["--package", "azulejo-engine", "--test", "late"];
            tests_with(&tests, &[("AZULEJO_EXACT_POSITIONS", positions)])
        },
    },
    Long {
        name: "review-ledger",
        amount: ("games of each kind", "1000"),
        time: "12 h",
        shows: "the residual of the ledger is small, luck is fair and independent of errors",
        run: |games| review("ledgers", games),
    },
    Long {
        name: "review-marks",
        amount: ("games of each kind", "100"),
        time: "2 h",
        shows: "marks stay with twice the budget",
        run: |games| review("marks", games),
    },
    Long {
        name: "review-order",
        amount: ("games of each level", "200"),
        time: "2 h",
        shows: "loss per decision falls from level to level",
        run: |games| review("loss", games),
    },
    Long {
        name: "review-proved",
        amount: ("games", "400"),
        time: "1 h",
        shows: "proved losses agree with brute force",
        run: |games| review("proved", games),
    },
    Long {
        name: "puzzles",
        amount: ("puzzles to skip between two", "0"),
        time: "1 min",
        shows: "a second, plain solver confirms the claim of every puzzle of the set",
        run: |skipped| {
            let every = skipped.parse::<u32>().map_or(1, |skipped| skipped + 1).to_string();
            let mut command = cargo_command(&["run", "--release", "--package", "azulejo", "--"]);
            command.args(["puzzles", "verify", "web/public/puzzles", "--every", &every]);
            step("azulejo puzzles verify", &mut command).map(drop)
        },
    },
    Long {
        name: "calibration",
        amount: ("games of each kind", "4000"),
        time: "6 min",
        shows: "win chances and expected differences agree with the results of games of every kind",
        run: |games| {
            let mut command = cargo_command(&["run", "--release", "--package", "azulejo-train"]);
            command.args(["--", "calibrate", "--games", games, "--nodes", "400"]);
            command.args(["--seed", "2", "--check", "--plot", "docs/calibration.svg"]);
            step("azulejo-train calibrate", &mut command).map(drop)
        },
    },
    Long {
        name: "engine-memory",
        amount: ("games", "50"),
        time: "10 min",
        shows: "the memory of the engine does not grow from game to game",
        run: |games| {
            let tests = ["--package", "azulejo-engine", "--test", "memory"];
            tests_with(&tests, &[("AZULEJO_MEMORY_GAMES", games)])
        },
    },
    Long {
        name: "python",
        amount: ("games", "100000"),
        time: "15 min",
        shows: "games through Python are those of the rules step by step; 20 million steps leak nothing",
        run: crate::python::long,
    },
    Long {
        name: "terminal",
        amount: ("inputs", "5000000"),
        time: "5 min",
        shows: "no sequence of keys, clicks and sizes breaks the terminal game",
        run: |inputs| {
            let tests = ["--package", "azulejo-tui", "--test", "anything"];
            tests_with(&tests, &[("AZULEJO_TUI_EVENTS", inputs)])
        },
    },
    Long {
        name: "lengths",
        amount: ("games", "2000000"),
        time: "2 min",
        shows: "no game of random moves comes near the length at which the server closes games",
        run: |games| {
            let tests = ["--package", "azulejo-server", "--test", "server", "honest"];
            tests_with(&tests, &[("AZULEJO_LENGTH_GAMES", games)])
        },
    },
    Long {
        name: "clients",
        amount: ("times the usual length", "30"),
        time: "10 min",
        shows: "clients that do anything at any time do no harm, on one node and on two",
        run: |times| {
            machine::need_postgres()?;
            let tests = ["--package", "azulejo-server", "concurrent_clients"];
            tests_with(&tests, &[("AZULEJO_STRESS", times), ("AZULEJO_REQUIRE_POSTGRES", "1")])
        },
    },
    Long {
        name: "kills",
        amount: ("kills", "100"),
        time: "15 min",
        shows: "servers killed in the middle of games lose no acknowledged move, on both databases",
        run: |kills| {
            machine::need_postgres()?;
            let mut command = cargo_command(&["test", "--package", "azulejo", "--test", "serve"]);
            command.args(["killed", "--", "--nocapture"]);
            command.env("AZULEJO_KILLS", kills).env("AZULEJO_REQUIRE_POSTGRES", "1");
            step("cargo test (kills)", &mut command).map(drop)
        },
    },
    Long {
        name: "faults",
        amount: ("refusals at most", "100"),
        time: "5 min",
        shows: "full disks, I/O errors and a read-only disk lose no acknowledged move (Linux, as root)",
        run: |refusals| {
            machine::need_postgres()?;
            let mut command = cargo_command(&["test", "--package", "azulejo", "--test", "serve"]);
            command.args(["faults", "--", "--nocapture"]);
            command.env("AZULEJO_REFUSALS", refusals).env("AZULEJO_REQUIRE_POSTGRES", "1");
            step("cargo test (faults)", &mut command).map(drop)
        },
    },
    Long {
        name: "proxies",
        amount: ("runs", "1"),
        time: "1 min",
        shows: "the proxies of deploy/, Caddy and nginx, in front of a server: TLS, sockets, addresses",
        run: |runs| {
            machine::need_program("caddy", "caddy")?;
            machine::need_program("nginx", "nginx-light")?;
            let runs: u32 = runs.parse()?;
            for _ in 0..runs {
                let mut command =
                    cargo_command(&["test", "--package", "azulejo", "--test", "serve"]);
                command.args(["proxies", "--", "--ignored", "--nocapture"]);
                step("cargo test (proxies)", &mut command)?;
            }
            Ok(())
        },
    },
    Long {
        name: "alerts",
        amount: ("runs", "1"),
        time: "1 min",
        shows: "Prometheus accepts the alerts of deploy/ (promtool)",
        run: |runs| {
            machine::need_program("promtool", "prometheus")?;
            for _ in 0..runs.parse()? {
                let mut command = Command::new("promtool");
                command.current_dir(root());
                command.args(["check", "rules", "deploy/alerts.yml"]);
                step("promtool check rules", &mut command)?;
            }
            Ok(())
        },
    },
    Long {
        name: "backups",
        amount: ("times", "1"),
        time: "2 min",
        shows: "the continuous backups of docs/backup.md, tried with the databases' own tools",
        run: |times| {
            machine::need_postgres()?;
            machine::need_program("sqlite3", "sqlite3")?;
            for _ in 0..times.parse()? {
                let mut command =
                    cargo_command(&["test", "--package", "azulejo", "--test", "serve"]);
                command.args(["backups::", "--", "--nocapture"]);
                command.env("AZULEJO_BACKUPS", "1").env("AZULEJO_REQUIRE_POSTGRES", "1");
                step("cargo test (backups)", &mut command)?;
            }
            Ok(())
        },
    },
    Long {
        name: "soak",
        amount: ("seconds", "3600"),
        time: "60 min",
        shows: "games, watchers, hints, backups and a fault every minute: nothing lost, no growth",
        run: |seconds| {
            machine::need_postgres()?;
            let tests = ["--package", "azulejo", "--test", "serve", "soak"];
            tests_with(
                &tests,
                &[("AZULEJO_SOAK_SECONDS", seconds), ("AZULEJO_REQUIRE_POSTGRES", "1")],
            )
        },
    },
    Long {
        name: "load",
        amount: ("seconds", "60"),
        time: "4 min",
        shows: "2,000 games at once on one server: latencies, errors, memory",
        run: |seconds| {
            cargo(&["build", "--release"])?;
            let mut command = Command::new(program("release"));
            command.args(["load", "--games", "2000", "--seconds", seconds]);
            step("azulejo load", &mut command).map(drop)
        },
    },
    Long {
        name: "watchers",
        amount: ("watchers", "5000"),
        time: "5 min",
        shows: "thousands of watchers join one game in seconds, others come and go, and no player notices",
        run: |watchers| {
            cargo(&["build", "--release"])?;
            for more in
                [["--watchers", watchers].as_slice(), &["--watchers", "2000", "--visitors", "99"]]
            {
                let mut command = Command::new(program("release"));
                command.args(["load", "--games", "100", "--think-ms", "500", "--seconds", "20"]);
                command.args(more).args(["--one-game", "--max-p99-ms", "100"]);
                step("azulejo load", &mut command)?;
            }
            Ok(())
        },
    },
    Long {
        name: "fuzz",
        amount: ("seconds for each target", "600"),
        time: "60 min",
        shows: "no input breaks a reader or a law (needs a nightly toolchain)",
        run: fuzz::run,
    },
    Long {
        name: "ladder",
        amount: ("shuffles", "60"),
        time: "60 min",
        shows: "every level beats the one below, and the weakest lose to greedy, in every kind of game",
        run: |shuffles| {
            let tests = ["--package", "azulejo-arena", "--test", "ladder", "whole"];
            tests_with(&tests, &[("AZULEJO_LADDER_SHUFFLES", shuffles)])
        },
    },
    Long {
        name: "strength",
        amount: ("games", "400"),
        time: "60 min",
        shows: "the engine against the classic evaluation, greedy and random, with error bars",
        run: |games| {
            cargo(&["build", "--release"])?;
            let learned = "name=learned movetime=20";
            for other in
                ["name=classic movetime=20 option.Eval=classic", "cmd=greedy", "cmd=random"]
            {
                let mut command = Command::new(program("release"));
                command.args(["arena", "-e", learned, "-e", other, "-n", games]);
                command.args(["-c", "2", "--seed", "5"]);
                step(&format!("azulejo arena: learned, {other}"), &mut command)?;
            }
            Ok(())
        },
    },
];

/// Prints the list.
pub(crate) fn list() -> anyhow::Result<()> {
    println!("cargo xtask long NAME [AMOUNT]; times are for two idle cores\n");
    for Long { name, amount: (unit, default), time, shows, .. } in LONG {
        println!("{name:<14} {time:>7}  {shows} ({default} {unit})");
    }
    Ok(())
}

/// Runs one of the list.
pub(crate) fn run(name: &str, amount: Option<&str>) -> anyhow::Result<()> {
    let long = LONG.iter().find(|long| long.name == name);
    let long = long.with_context(|| format!("no long run is called `{name}`: see the list"))?;
    let amount = amount.unwrap_or(long.amount.1);
    if amount.parse::<u64>().is_err() {
        bail!("`{amount}` is not a number of {}", long.amount.0);
    }
    (long.run)(amount)
}

/// Runs one of the evidence tests of reviews.
fn review(test: &str, games: &str) -> anyhow::Result<()> {
    let tests = ["--package", "azulejo-review", "--test", "evidence", test];
    tests_with(&tests, &[("AZULEJO_REVIEW_GAMES", games)])
}

/// Runs tests in release mode with numbers for them in the environment.
fn tests_with(tests: &[&str], numbers: &[(&str, &str)]) -> anyhow::Result<()> {
    let mut command = cargo_command(&["test", "--release"]);
    command.args(tests).args(["--", "--nocapture"]).envs(numbers.iter().copied());
    step(&format!("cargo test {}", tests.join(" ")), &mut command).map(drop)
}
