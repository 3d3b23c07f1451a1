//! `azulejo load`: a load test of a server.

use crate::{Answer, bot};
use anyhow::{Context, bail};
use azulejo_client::{LoadConfig, LoadReport, MoveBytes, run_load};
use azulejo_words as words;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Measure a server while scripted clients play many games at once.
///
/// Starts a server on this machine, with a database in a folder that is removed at the end, or
/// takes the one of --server, which must run with `--limits no`; several --server are nodes over one
/// database, and the players of a game are on different nodes. Two clients play each game over
/// WebSockets, with think times like those of people. Reports how long a move takes to reach the
/// opponent, its bytes, and the processor time and memory of the server.
///
/// Exits with 1 if there was any error.
///
/// Example: azulejo load --games 20 --seconds 2 --think-ms 100
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many games at once.
    #[arg(short, long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    games: u32,
    /// How many further sockets watch.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=50_000))]
    watchers: u32,
    /// All watchers join one game that is being played, while the measurement runs.
    #[arg(long, requires = "watchers")]
    one_game: bool,
    /// How many sockets join that game and leave again, all the time.
    #[arg(long, default_value_t = 0, requires = "one_game", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    visitors: u32,
    /// For how long to measure.
    #[arg(short, long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    seconds: u64,
    /// How long a player thinks, on average.
    #[arg(long, default_value_t = 5_000, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=600_000))]
    think_ms: u64,
    /// The database of the server, if not a file: postgres://USER:PASSWORD@HOST/NAME.
    #[arg(long)]
    database: Option<String>,
    /// Measure a running server, over http or https, instead of starting one; once for each node.
    #[arg(long, value_name = "URL", conflicts_with = "database")]
    server: Vec<String>,
    /// Also trust the certificates in this PEM file.
    #[arg(long, value_name = "FILE", requires = "server")]
    ca: Option<PathBuf>,
    /// Also exit with 1 if one move in a hundred takes longer than this.
    #[arg(long, value_name = "MS")]
    max_p99_ms: Option<f64>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let own_server = match args.server.is_empty() {
        true => Some(OwnServer::start(args.database.as_deref())?),
        false => None,
    };
    let urls = args.server.iter().chain(own_server.as_ref().map(|own| &own.url));
    let config = LoadConfig {
        nodes: urls.map(|url| bot::client(url, args.ca.as_deref())).collect::<Result<_, _>>()?,
        pid: own_server.as_ref().map(|own| own.process.id()),
        games: args.games as usize,
        watchers: args.watchers as usize,
        one_game: args.one_game,
        visitors: args.visitors as usize,
        duration: Duration::from_secs(args.seconds),
        think: Duration::from_millis(args.think_ms),
    };
    let bar = ProgressBar::new(u64::from(args.games) + u64::from(args.watchers));
    if let Ok(style) = ProgressStyle::with_template("{bar:12} {wide_msg}") {
        bar.set_style(style);
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let report = runtime.block_on(run_load(&config, &mut |progress| {
        bar.set_position(progress.games + progress.watchers);
        let errors = words::count(progress.errors, "error");
        bar.set_message(format!(
            "{} games, {} watchers, {} moves, {errors}",
            progress.games, progress.watchers, progress.moves
        ));
    }));
    bar.finish_and_clear();
    let report = report?;
    drop(own_server);
    if args.json {
        writeln!(out, "{}", to_json(&report))?;
    } else {
        write_text(&report, out)?;
    }
    let p99 = report.watched_latency_ms.map_or(0.0, |watched| watched[2]).max(report.latency_ms[2]);
    let is_slow = args.max_p99_ms.is_some_and(|max| p99 > max);
    Ok(if report.errors == 0 && !is_slow { Answer::Yes } else { Answer::No })
}

/// A server in a process of its own, with its database in a temporary folder.
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
        "{} at once, set up at {:.0} a second, {} finished, {}",
        words::count(report.games, "game"),
        report.games_per_second,
        report.finished,
        words::count(report.watchers, "watching socket"),
    )?;
    writeln!(out, "{} moves, {:.0} a second", report.moves, report.moves_per_second)?;
    writeln!(
        out,
        "from a move to the opponent's event: median {p50:.1} ms, 90% {p90:.1} ms, \
         99% {p99:.1} ms, 99.9% {p999:.1} ms, worst {worst:.1} ms"
    )?;
    if let (Some(seconds), Some([p50, _, p99, _, worst])) =
        (report.join_seconds, report.watched_latency_ms)
    {
        writeln!(
            out,
            "all watchers joined one game in {seconds:.1} s; its moves: median {p50:.1} ms, \
             99% {p99:.1} ms, worst {worst:.1} ms"
        )?;
    }
    if report.visits > 0 {
        writeln!(out, "{} came and left", words::count(report.visits, "visitor"))?;
    }
    let MoveBytes { to_move, moved, watcher, largest } = report.bytes_per_move;
    let watcher = watcher.map(|bytes| format!(", a watcher {bytes:.0}")).unwrap_or_default();
    writeln!(
        out,
        "bytes of a move: the player to move {to_move:.0}, the player who moved {moved:.0}{watcher}; \
         the largest {largest}"
    )?;
    if let Some(ms) = report.cpu_ms_per_move {
        writeln!(out, "processor time of the server: {ms:.3} ms a move")?;
    }
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
    let latency = |[p50, p90, p99, p999, worst]: [f64; 5]| json!({ "p50": p50, "p90": p90, "p99": p99, "p999": p999, "max": worst });
    let bytes = report.bytes_per_move;
    json!({
        "games": report.games,
        "games_per_second": report.games_per_second,
        "finished": report.finished,
        "watchers": report.watchers,
        "visits": report.visits,
        "moves": report.moves,
        "moves_per_second": report.moves_per_second,
        "latency_ms": latency(report.latency_ms),
        "watched_latency_ms": report.watched_latency_ms.map(latency),
        "join_seconds": report.join_seconds,
        "bytes_per_move": {
            "to_move": bytes.to_move, "moved": bytes.moved, "watcher": bytes.watcher,
            "largest": bytes.largest,
        },
        "cpu_ms_per_move": report.cpu_ms_per_move,
        "memory_before_kib": report.memory_before_kib,
        "memory_idle_kib": report.memory_idle_kib,
        "memory_after_kib": report.memory_after_kib,
        "memory_per_game_kib": report.memory_per_game_kib,
        "memory_per_watcher_kib": report.memory_per_watcher_kib,
        "errors": report.errors,
        "examples": report.examples,
    })
}
