//! `azulejo serve`: the server, and what `azulejo` runs without a command.

pub(crate) mod settings;

use crate::Answer;
use anyhow::{Context, bail};
use azulejo_server::Server;
use clap::ArgMatches;
use settings::Settings;
use std::io::Write;
use std::path::PathBuf;

/// Serve games over HTTP and WebSocket to browsers, bots and other programs.
///
/// Open the address that it prints to play in a browser. Games are stored in a SQLite file, or in a
/// PostgreSQL database that several servers may share. Every setting is an option, an environment
/// variable, or a line of the TOML file of --config, named like the option (`listen =
/// "127.0.0.1:8137"`). Options override variables, and variables override the file. `azulejo help
/// server` explains how to run a server for others and how to write a client.
///
/// Example: azulejo serve --listen 127.0.0.1:8137 --database games.db
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    settings: Settings,
    /// TOML file with settings
    #[arg(long, env = "AZULEJO_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

/// `matches` is what the arguments were parsed from: it knows which of them were given.
pub(crate) fn run(
    args: &Args,
    matches: &ArgMatches,
    out: &mut impl Write,
) -> anyhow::Result<Answer> {
    let settings = match (&args.config, matches.subcommand()) {
        (Some(path), Some((_, given))) => Settings::read(path, given)?,
        _ => args.settings.clone(),
    };
    let (filter, format) = settings.logs();
    if let Err(problem) = azulejo_server::start_logs(format, filter) {
        bail!("--log {filter}: {problem}");
    }
    let config = settings.config()?;
    let database = config.database.describe();
    let runtime = tokio::runtime::Runtime::new().context("cannot start the server's threads")?;
    runtime.block_on(async {
        let mut interrupted = interruption()?;
        let server = Server::start(config).await?;
        let welcome = format!(
            "Azulejo serves games at http://{}/\nGames are stored in {database}.\n\
             Ctrl-C stops the server; `azulejo help guide` shows what else there is.\n",
            server.address()
        );
        // The server runs even if its output is closed.
        let _ = out.write_all(welcome.as_bytes()).and_then(|()| out.flush());
        interrupted.recv().await;
        server.stop().await;
        Ok(Answer::Yes)
    })
}

/// Receives Ctrl-C and SIGTERM.
struct Interruption {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

#[allow(clippy::unnecessary_wraps, reason = "registering a signal can fail on Unix")]
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
