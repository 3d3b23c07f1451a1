//! `azulejo load`: how much a server can carry, measured on this machine.

use crate::Answer;
use anyhow::{Context, bail};
use azulejo_client::{LoadPlan, LoadReport, run_load};
use azulejo_words as words;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Let scripted clients play many games at once, and measure.
///
/// Starts a server of its own on this machine, with a database in a folder that is removed at the
/// end, and lets two clients play each game over WebSockets, with pauses like those of people.
/// Reports how long a move takes to reach the opponent, and what a game costs in memory.
///
/// Exits with 1 if anything went wrong.
///
/// Example: azulejo load --games 20 --seconds 2 --think-ms 100
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many games at once.
    #[arg(short, long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    games: u32,
    /// How many sockets watch besides.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=50_000))]
    watchers: u32,
    /// For how long to measure.
    #[arg(short, long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    seconds: u64,
    /// How long a player thinks, on average.
    #[arg(long, default_value_t = 5_000, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=600_000))]
    think_ms: u64,
    /// The database of the server, if not a file: postgres://USER:PASSWORD@HOST/NAME.
    #[arg(long)]
    database: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let server = OwnServer::start(args.database.as_deref())?;
    let plan = LoadPlan {
        server: server.url.clone(),
        pid: Some(server.process.id()),
        games: args.games as usize,
        watchers: args.watchers as usize,
        duration: Duration::from_secs(args.seconds),
        think: Duration::from_millis(args.think_ms),
    };
    let bar = ProgressBar::new(u64::from(args.games) + u64::from(args.watchers));
    if let Ok(style) = ProgressStyle::with_template("{bar:12} {wide_msg}") {
        bar.set_style(style);
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let report = runtime.block_on(run_load(&plan, &mut |progress| {
        bar.set_position(progress.games + progress.watchers);
        let errors = words::count(progress.errors, "error");
        bar.set_message(format!(
            "{} games, {} watchers, {} moves, {errors}",
            progress.games, progress.watchers, progress.moves
        ));
    }));
    bar.finish_and_clear();
    let report = report?;
    drop(server);
    if args.json {
        writeln!(out, "{}", to_json(&report))?;
    } else {
        write_text(&report, out)?;
    }
    Ok(if report.errors == 0 { Answer::Yes } else { Answer::No })
}

/// A server of this program in a process and a folder of its own.
struct OwnServer {
    process: Child,
    url: String,
    folder: PathBuf,
}

impl OwnServer {
    fn start(database: Option<&str>) -> anyhow::Result<OwnServer> {
        let folder = std::env::temp_dir().join(format!("azulejo-load-{}", std::process::id()));
        std::fs::create_dir_all(&folder).with_context(|| format!("{}", folder.display()))?;
        let file = folder.join("games.db").display().to_string();
        let mut process = Command::new(std::env::current_exe()?)
            .args(["serve", "--listen", "127.0.0.1:0", "--limits", "no", "--grace", "1"])
            .args(["--database", database.unwrap_or(&file)])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start a server")?;
        let stdout = process.stdout.take().context("the server has no output")?;
        let mut line = String::new();
        let read = BufReader::new(stdout).read_line(&mut line);
        let mut server = OwnServer { process, url: String::new(), folder };
        read?;
        match line.split_whitespace().last() {
            Some(url) => server.url = url.trim_end_matches('/').to_owned(),
            None => bail!("the server did not start"),
        }
        Ok(server)
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn write_text(report: &LoadReport, out: &mut impl Write) -> anyhow::Result<()> {
    let [p50, p90, p99, p999, worst] = report.latency_ms;
    writeln!(
        out,
        "{} at once, {} finished, {}",
        words::count(report.games, "game"),
        report.finished,
        words::count(report.watchers, "watching socket"),
    )?;
    writeln!(out, "{} moves, {:.0} a second", report.moves, report.moves_per_second)?;
    writeln!(
        out,
        "from a move to the opponent's event: median {p50:.1} ms, 90% {p90:.1} ms, \
         99% {p99:.1} ms, 99.9% {p999:.1} ms, worst {worst:.1} ms"
    )?;
    if let (Some(before), Some(idle), Some(after)) =
        (report.memory_before_kib, report.memory_idle_kib, report.memory_after_kib)
    {
        writeln!(
            out,
            "memory of the server: {} MiB before, {} MiB with all games set up, {} MiB at the end",
            before / 1024,
            idle / 1024,
            after / 1024
        )?;
    }
    if let Some(kib) = report.memory_per_game_kib {
        writeln!(out, "an idle game with both players connected: {kib:.1} KiB")?;
    }
    if let Some(kib) = report.memory_per_watcher_kib {
        writeln!(out, "a watching socket: {kib:.1} KiB")?;
    }
    writeln!(out, "{}", words::count(report.errors, "error"))?;
    for example in &report.examples {
        writeln!(out, "  {example}")?;
    }
    Ok(())
}

fn to_json(report: &LoadReport) -> serde_json::Value {
    let [p50, p90, p99, p999, worst] = report.latency_ms;
    json!({
        "games": report.games,
        "finished": report.finished,
        "watchers": report.watchers,
        "moves": report.moves,
        "moves_per_second": report.moves_per_second,
        "latency_ms": { "p50": p50, "p90": p90, "p99": p99, "p999": p999, "max": worst },
        "memory_before_kib": report.memory_before_kib,
        "memory_idle_kib": report.memory_idle_kib,
        "memory_after_kib": report.memory_after_kib,
        "memory_per_game_kib": report.memory_per_game_kib,
        "memory_per_watcher_kib": report.memory_per_watcher_kib,
        "errors": report.errors,
        "examples": report.examples,
    })
}
