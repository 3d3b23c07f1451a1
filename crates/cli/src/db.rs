//! `azulejo db`: backs up, restores and checks the database of a server.

use crate::{Answer, output};
use anyhow::Context;
use azulejo_server::{Lock, Place, Store};
use azulejo_words as words;
use serde_json::json;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;

/// Back up, restore and check the database of a server.
///
/// Each task has its own help, like `azulejo db backup --help`.
///
/// Example: azulejo db check --database games.db
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(clap::Subcommand)]
enum Task {
    Backup(Backup),
    Restore(Restore),
    Check(Check),
}

/// Write the whole database to a file, even while a server runs.
///
/// The backup is the database of one moment, and the file appears when it is complete. It has the same
/// form for SQLite and PostgreSQL, so backup and restore move a server from one to the other. Keep it as
/// secret as the database: it contains the seeds of unfinished games. Only you can read the file.
///
/// Example: azulejo db backup --database games.db backup.jsonl
#[derive(clap::Args)]
struct Backup {
    #[command(flatten)]
    database: Database,
    /// File to write.
    file: PathBuf,
}

/// Read a backup into an empty database.
///
/// The database is created if it does not exist, and refused if it has games or a server uses it. The
/// backup is checked before anything is kept of it.
///
/// Example: azulejo db restore --database new.db backup.jsonl
#[derive(clap::Args)]
struct Restore {
    #[command(flatten)]
    database: Database,
    /// File with the backup.
    file: PathBuf,
}

/// Replay every game of a database from its log and report inconsistencies.
///
/// Everything stored beside the logs is compared, and every reference is followed. It works beside a
/// running server.
///
/// Exits with 1 if there are any.
///
/// Example: azulejo db check --database games.db
#[derive(clap::Args)]
struct Check {
    #[command(flatten)]
    database: Database,
}

#[derive(clap::Args)]
pub(crate) struct Database {
    /// Database: a file, or postgres://USER:PASSWORD@HOST/NAME [default: a file in your data
    /// folder]
    #[arg(long, env = "AZULEJO_DATABASE", hide_env_values = true)]
    database: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

impl Database {
    fn place(&self) -> anyhow::Result<Place> {
        Ok(match &self.database {
            Some(text) => Place::read(text),
            None => Place::File(crate::serve::settings::default_database()?),
        })
    }

    pub(crate) async fn open(&self, must_exist: bool) -> anyhow::Result<Store> {
        let place = self.place()?;
        if let (Place::File(path), true) = (&place, must_exist) {
            anyhow::ensure!(path.exists(), "there is no database {}", path.display());
        }
        let name = place.describe();
        Store::open(place, "db").await.with_context(|| format!("cannot open {name}"))
    }
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    if let Task::Backup(Backup { database, file }) = &args.task {
        let store = runtime.block_on(database.open(true))?;
        let mut lines = 0;
        output::write_private(file, |to| {
            lines = runtime.block_on(store.backup(to))?;
            Ok(())
        })
        .with_context(|| format!("cannot write {}", file.display()))?;
        say(out, database.json, lines, "written")?;
        return Ok(Answer::Yes);
    }
    runtime.block_on(async {
        match &args.task {
            Task::Backup(_) => {}
            Task::Restore(Restore { database, file }) => {
                let input =
                    File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
                let _lock = Lock::alone(&database.place()?)
                    .await
                    .context("stop the servers before you restore a backup")?;
                let store = database.open(false).await?;
                let lines = store.restore(&mut BufReader::new(input)).await?;
                say(out, database.json, lines, "restored")?;
            }
            Task::Check(Check { database }) => {
                let report = database.open(true).await?.check().await?;
                if database.json {
                    let value = json!({
                        "people": report.people, "games": report.games, "events": report.events,
                        "faults": report.faults,
                    });
                    writeln!(out, "{value}")?;
                } else {
                    for fault in &report.faults {
                        writeln!(out, "{fault}")?;
                    }
                    let verdict = match report.faults.len() {
                        0 => "no faults".to_owned(),
                        n => words::count(n as u64, "fault"),
                    };
                    let (games, events) =
                        (words::count(report.games, "game"), words::count(report.events, "event"));
                    writeln!(out, "{games}, {events}: {verdict}")?;
                }
                return Ok(if report.faults.is_empty() { Answer::Yes } else { Answer::No });
            }
        }
        Ok(Answer::Yes)
    })
}

fn say(out: &mut impl Write, as_json: bool, lines: u64, what: &str) -> anyhow::Result<()> {
    if as_json {
        writeln!(out, "{}", json!({ "lines": lines }))?;
    } else {
        writeln!(out, "{} {what}", words::count(lines, "line"))?;
    }
    Ok(())
}
