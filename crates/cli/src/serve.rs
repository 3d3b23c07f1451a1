//! `azulejo serve`: the server, and what `azulejo` does when it is asked nothing.

mod settings;

use crate::Answer;
use anyhow::{Context, bail};
use azulejo_server::{Config, Place, Server};
use settings::File;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Where people find the game, unless they say otherwise.
const LISTEN: &str = "127.0.0.1:8137";

/// Serve games: over HTTP and WebSocket, to browsers, bots and other programs.
///
/// Games are kept in a file, or in a PostgreSQL that several servers may share. Every setting can
/// be given as an option, in the environment, or in the file of --config, as `name = value` with
/// the name of the option; the first of these that has it counts. docs/server.md tells how to
/// write a client, and how to run a server for others.
///
/// Example: azulejo serve --listen 127.0.0.1:8137 --database games.db
#[derive(clap::Args, Default)]
pub(crate) struct Args {
    /// Where to listen: an address and a port (0 takes any that is free) [default: 127.0.0.1:8137]
    #[arg(long, env = "AZULEJO_LISTEN", hide_env_values = true)]
    listen: Option<SocketAddr>,
    /// Where the games are: a file, or postgres://USER:PASSWORD@HOST/NAME [default: a file in your
    /// data folder]
    #[arg(long, env = "AZULEJO_DATABASE", hide_env_values = true)]
    database: Option<String>,
    /// How many threads think for the engine's seats [default: all but one]
    #[arg(long, env = "AZULEJO_ENGINE_THREADS", value_name = "N")]
    engine_threads: Option<usize>,
    /// How long the engine thinks about a move at most [default: 1500]
    #[arg(long, env = "AZULEJO_ENGINE_MS", value_name = "MS")]
    engine_ms: Option<u64>,
    /// Another origin from which browsers may come, as `https://example.org`; several with commas
    #[arg(long, env = "AZULEJO_ORIGINS", value_name = "ORIGIN")]
    origins: Option<String>,
    /// Whether a proxy stands in front and tells the client's address [default: no]
    #[arg(long, env = "AZULEJO_TRUST_PROXY", value_enum, value_name = "YES|NO")]
    trust_proxy: Option<YesNo>,
    /// Whether browsers come by HTTPS, through that proxy: cookies are for HTTPS only [default: no]
    #[arg(long, env = "AZULEJO_HTTPS", value_enum, value_name = "YES|NO")]
    https: Option<YesNo>,
    /// Whether to limit what one address may ask [default: yes]
    #[arg(long, env = "AZULEJO_LIMITS", value_enum, value_name = "YES|NO")]
    limits: Option<YesNo>,
    /// How long answers that are under way may take when the server stops, in seconds [default: 10]
    #[arg(long, env = "AZULEJO_GRACE", value_name = "SECONDS")]
    grace: Option<u64>,
    /// What to log, as in `info` or `warn,azulejo::access=info` [default: warn]
    #[arg(long, env = "AZULEJO_LOG", value_name = "FILTER")]
    log: Option<String>,
    /// The form of the logs [default: text]
    #[arg(long, env = "AZULEJO_LOG_FORMAT", value_enum)]
    log_format: Option<LogFormat>,
    /// A file with settings
    #[arg(long, env = "AZULEJO_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum YesNo {
    Yes,
    No,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum LogFormat {
    Text,
    Json,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let file = match &args.config {
        Some(path) => File::read(path)?,
        None => File::default(),
    };
    let format = match file.or(args.log_format, "log-format")? {
        Some(LogFormat::Json) => azulejo_server::LogFormat::Json,
        _ => azulejo_server::LogFormat::Text,
    };
    let filter = file.text(args.log.as_deref(), "log").unwrap_or("warn").to_owned();
    if let Err(problem) = azulejo_server::start_logs(format, &filter) {
        bail!("--log {filter}: {problem}");
    }
    let config = config(args, &file)?;
    file.check_all_used()?;
    let database = config.database.describe();
    let runtime = tokio::runtime::Runtime::new().context("cannot start the server's threads")?;
    runtime.block_on(async {
        let mut interrupted = interruption()?;
        let server = Server::start(config).await?;
        let welcome = format!(
            "Azulejo serves games at http://{}/\nGames are kept in {database}.\n\
             Ctrl-C stops the server; `azulejo guide` shows what else there is.\n",
            server.address()
        );
        // Whoever started the server may not want to hear it; it serves all the same.
        let _ = out.write_all(welcome.as_bytes()).and_then(|()| out.flush());
        interrupted.recv().await;
        server.stop().await;
        Ok(Answer::Yes)
    })
}

fn config(args: &Args, file: &File) -> anyhow::Result<Config> {
    let listen = match file.parsed(args.listen, "listen")? {
        Some(listen) => listen,
        None => LISTEN.parse()?,
    };
    let database = match file.text(args.database.as_deref(), "database") {
        Some(text) => Place::read(text),
        None => Place::File(default_database()?),
    };
    let mut config = Config::new(listen, database);
    if let Some(threads) = file.parsed(args.engine_threads, "engine-threads")? {
        config.engine_threads = threads;
    }
    if let Some(ms) = file.parsed(args.engine_ms, "engine-ms")? {
        config.engine_time = Duration::from_millis(ms);
    }
    if let Some(origins) = file.text(args.origins.as_deref(), "origins") {
        config.origins = origins.split(',').map(|origin| origin.trim().to_owned()).collect();
    }
    config.trusts_proxy = file.or(args.trust_proxy, "trust-proxy")? == Some(YesNo::Yes);
    config.is_secure = file.or(args.https, "https")? == Some(YesNo::Yes);
    config.limits.is_on = file.or(args.limits, "limits")? != Some(YesNo::No);
    if let Some(seconds) = file.parsed(args.grace, "grace")? {
        config.grace = Duration::from_secs(seconds);
    }
    Ok(config)
}

/// A file in the place where programs of this system keep what belongs to a person.
pub(crate) fn default_database() -> anyhow::Result<PathBuf> {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let data = from("XDG_DATA_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(from("HOME")?).join(".local").join("share")));
    let folder = data.context("there is no data folder here: say --database FILE")?.join("azulejo");
    std::fs::create_dir_all(&folder).with_context(|| format!("{}", folder.display()))?;
    Ok(folder.join("games.db"))
}

/// Hears of Ctrl-C and of the signal by which a system ends a program.
struct Interruption {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

#[allow(clippy::unnecessary_wraps, reason = "it can fail where there are signals")]
fn interruption() -> anyhow::Result<Interruption> {
    #[cfg(unix)]
    let terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    Ok(Interruption {
        #[cfg(unix)]
        terminate,
    })
}

impl Interruption {
    async fn recv(&mut self) {
        #[cfg(unix)]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = self.terminate.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    }
}
