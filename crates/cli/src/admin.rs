//! `azulejo admin`: what the operator of a server decides about games and people.

use crate::Answer;
use crate::db::Database;
use anyhow::{Context, bail};
use azulejo_server::{Store, Subject, check_name};
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};
use std::io::Write;
use std::time::Duration;

/// List, close, rename, delete and ban on a server.
///
/// It works on the database, beside running servers of both kinds, which act on it within seconds. Ids
/// of games and people are in the lists and in the links of games. Each task has its own help, like
/// `azulejo admin ban --help`.
///
/// A first look, and a ban of everybody at an address for a day:
///
///   azulejo admin games --status playing
///   azulejo admin people --name bob
///   azulejo admin ban 192.0.2.7 --hours 24 --reason "floods the lobby"
///
/// Example: azulejo admin games --database games.db
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(clap::Subcommand)]
enum Task {
    Games(Games),
    People(People),
    Close(Close),
    Rename(Rename),
    DeleteGame(DeleteGame),
    DeletePerson(DeletePerson),
    Ban(BanArgs),
    Unban(Unban),
    Bans(Bans),
}

/// List games, the latest first.
///
/// Example: azulejo admin games --person abcdefgh23456789 --status over
#[derive(clap::Args)]
struct Games {
    #[command(flatten)]
    database: Database,
    /// Only the games of the person with this id.
    #[arg(long, value_name = "ID")]
    person: Option<String>,
    /// Only games in this stage.
    #[arg(long, value_parser = PossibleValuesParser::new(["waiting", "playing", "over"]))]
    status: Option<String>,
    /// Longest list.
    #[arg(long, default_value_t = 50)]
    limit: u32,
}

/// List people, the last seen first.
///
/// Example: azulejo admin people --name bob
#[derive(clap::Args)]
struct People {
    #[command(flatten)]
    database: Database,
    /// Only people whose name contains this text.
    #[arg(long, default_value = "")]
    name: String,
    /// Longest list.
    #[arg(long, default_value_t = 50)]
    limit: u32,
}

/// Close a game without a result.
///
/// Connected players see it at once: "the operator closed it". Exits with 1 if the game was over.
///
/// Example: azulejo admin close abcdefgh23456789
#[derive(clap::Args)]
struct Close {
    #[command(flatten)]
    database: Database,
    /// Id of the game.
    game: String,
}

/// Give a person another name, which new games show.
///
/// Example: azulejo admin rename abcdefgh23456789 Guest
#[derive(clap::Args)]
struct Rename {
    #[command(flatten)]
    database: Database,
    /// Id of the person.
    person: String,
    /// The new name.
    name: String,
}

/// Delete a game with its log. It cannot be undone.
///
/// Example: azulejo admin delete-game abcdefgh23456789 --yes
#[derive(clap::Args)]
struct DeleteGame {
    #[command(flatten)]
    database: Database,
    /// Id of the game.
    game: String,
    /// Do it.
    #[arg(long)]
    yes: bool,
}

/// Delete a person. It cannot be undone.
///
/// Running games are resigned, name and id disappear from all games, and the person's tokens are
/// revoked, as if the person had asked for it.
///
/// Example: azulejo admin delete-person abcdefgh23456789 --yes
#[derive(clap::Args)]
struct DeletePerson {
    #[command(flatten)]
    database: Database,
    /// Id of the person.
    person: String,
    /// Do it.
    #[arg(long)]
    yes: bool,
}

/// Refuse a person, an address or a network.
///
/// Requests are refused, and open connections are closed. An IPv6 address means its /64 network, which
/// is what one customer has.
///
/// Examples: azulejo admin ban abcdefgh23456789
///           azulejo admin ban 192.0.2.0/24 --hours 24 --reason "floods the lobby"
#[derive(clap::Args)]
struct BanArgs {
    #[command(flatten)]
    database: Database,
    /// Id of a person, or an IP address, or a network.
    whom: String,
    /// How long, in hours [default: forever]
    #[arg(long)]
    hours: Option<u32>,
    /// Why, for the list of bans.
    #[arg(long, default_value = "")]
    reason: String,
}

/// End a ban.
///
/// Exits with 1 if there was none.
///
/// Example: azulejo admin unban 192.0.2.0/24
#[derive(clap::Args)]
struct Unban {
    #[command(flatten)]
    database: Database,
    /// Id of a person, or an IP address, or a network.
    whom: String,
}

/// List the bans, the latest first.
///
/// Example: azulejo admin bans
#[derive(clap::Args)]
struct Bans {
    #[command(flatten)]
    database: Database,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let database = args.task.database();
        let store = database.open(true).await?;
        let answer = args.task.run(&store, &mut Printer { out, as_json: database.json }).await;
        store.close().await;
        answer
    })
}

/// Prints answers as text or as JSON.
struct Printer<'a, W> {
    out: &'a mut W,
    as_json: bool,
}

impl<W: Write> Printer<'_, W> {
    fn line(&mut self, text: &str, value: &Value) -> anyhow::Result<()> {
        if self.as_json {
            writeln!(self.out, "{value}")?;
        } else {
            // Names are checked, but reasons and old rows may hold anything.
            let harmless = text.replace(|c: char| c.is_control(), "?");
            writeln!(self.out, "{harmless}")?;
        }
        Ok(())
    }

    fn done(&mut self, text: &str, is_done: bool) -> anyhow::Result<Answer> {
        self.line(text, &json!({ "done": is_done }))?;
        Ok(if is_done { Answer::Yes } else { Answer::No })
    }
}

impl Task {
    fn database(&self) -> &Database {
        match self {
            Task::Games(args) => &args.database,
            Task::People(args) => &args.database,
            Task::Close(args) => &args.database,
            Task::Rename(args) => &args.database,
            Task::DeleteGame(args) => &args.database,
            Task::DeletePerson(args) => &args.database,
            Task::Ban(args) => &args.database,
            Task::Unban(args) => &args.database,
            Task::Bans(args) => &args.database,
        }
    }

    async fn run(
        &self,
        store: &Store,
        out: &mut Printer<'_, impl Write>,
    ) -> anyhow::Result<Answer> {
        match self {
            Task::Games(args) => list_games(args, store, out).await,
            Task::People(args) => list_people(args, store, out).await,
            Task::Close(Close { game, .. }) => match store.close_game(game).await? {
                None => bail!("there is no game {game}; `azulejo admin games` lists them"),
                Some(true) => out.done("closed", true),
                Some(false) => out.done("the game was over already", false),
            },
            Task::Rename(Rename { person, name, .. }) => {
                let name = check_name(name).with_context(|| format!("the name `{name}`"))?;
                match store.rename_person(person, &name).await? {
                    true => out.done(&format!("renamed to {name}"), true),
                    false => bail!("{}", no_person(person)),
                }
            }
            Task::DeleteGame(DeleteGame { game, yes, .. }) => {
                confirm(*yes)?;
                match store.delete_game(game).await? {
                    true => out.done("deleted", true),
                    false => bail!("there is no game {game}; `azulejo admin games` lists them"),
                }
            }
            Task::DeletePerson(DeletePerson { person, yes, .. }) => {
                confirm(*yes)?;
                match store.delete_person(person).await? {
                    true => out.done("deleted", true),
                    false => bail!("{}", no_person(person)),
                }
            }
            Task::Ban(BanArgs { whom, hours, reason, .. }) => {
                let subject = subject(store, whom).await?;
                let length = hours.map(|hours| Duration::from_secs(3_600 * u64::from(hours)));
                let text = format!("banned {subject}");
                store.ban(subject, reason, length).await?;
                out.done(&text, true)
            }
            Task::Unban(Unban { whom, .. }) => {
                let subject = match whom.parse() {
                    Ok(network) => Subject::Network(network),
                    Err(_) => Subject::Person(whom.clone()),
                };
                let is_done = store.unban(&subject).await?;
                let text = if is_done { "the ban has ended" } else { "there was no such ban" };
                out.done(text, is_done)
            }
            Task::Bans(_) => list_bans(store, out).await,
        }
    }
}

async fn list_games(
    Games { person, status, limit, .. }: &Games,
    store: &Store,
    out: &mut Printer<'_, impl Write>,
) -> anyhow::Result<Answer> {
    for game in store.find_games(person.as_deref(), status.as_deref(), *limit).await? {
        let people: Vec<String> =
            game.people.iter().map(|(seat, id, name)| format!("{seat} {name} [{id}]")).collect();
        let text = format!(
            "{}  {:7}  {:>4} events  last {}  {}",
            game.id,
            game.status,
            game.number,
            day(game.updated_ms),
            people.join(", ")
        );
        let people = game
            .people
            .iter()
            .map(|(seat, id, name)| json!({ "seat": seat, "person": id, "name": name }));
        let value = json!({
            "game": game.id, "status": game.status, "events": game.number,
            "created_ms": game.created_ms, "updated_ms": game.updated_ms,
            "people": people.collect::<Vec<_>>(),
        });
        out.line(&text, &value)?;
    }
    Ok(Answer::Yes)
}

async fn list_people(
    People { name, limit, .. }: &People,
    store: &Store,
    out: &mut Printer<'_, impl Write>,
) -> anyhow::Result<Answer> {
    for person in store.find_people(name, *limit).await? {
        let (created, seen) = (day(person.created_ms), day(person.seen_ms));
        let text = format!("{}  since {created}  seen {seen}  {}", person.id, person.name);
        let value = json!({
            "person": person.id, "name": person.name,
            "created_ms": person.created_ms, "seen_ms": person.seen_ms,
        });
        out.line(&text, &value)?;
    }
    Ok(Answer::Yes)
}

async fn list_bans(store: &Store, out: &mut Printer<'_, impl Write>) -> anyhow::Result<Answer> {
    for ban in store.bans().await? {
        let until = ban.until_ms.map_or("forever".to_owned(), |ms| format!("until {}", day(ms)));
        let (kind, subject) = (ban.subject.kind(), &ban.subject);
        let text = format!("{kind:7}  {subject}  {until}  {}", ban.reason);
        let value = json!({
            "kind": kind, "subject": subject.to_string(), "reason": ban.reason,
            "created_ms": ban.created_ms, "until_ms": ban.until_ms,
        });
        out.line(&text, &value)?;
    }
    Ok(Answer::Yes)
}

/// Whom to ban: a network, or a person who exists.
async fn subject(store: &Store, whom: &str) -> anyhow::Result<Subject> {
    if let Ok(network) = whom.parse() {
        return Ok(Subject::Network(network));
    }
    match store.person_by_id(whom).await? {
        Some(person) => Ok(Subject::Person(person.id)),
        None => bail!("{}, and `{whom}` is not an address like 192.0.2.7", no_person(whom)),
    }
}

fn no_person(id: &str) -> String {
    format!("there is no person {id}; `azulejo admin people` lists them")
}

fn confirm(yes: bool) -> anyhow::Result<()> {
    anyhow::ensure!(yes, "this cannot be undone; repeat the command with --yes to do it");
    Ok(())
}

/// The day of a time, as 2026-11-17.
fn day(ms: i64) -> String {
    // Days since 1970 to the calendar, by the algorithm for the proleptic Gregorian calendar that counts
    // years from March, so that the leap day is the last.
    let days = ms.div_euclid(86_400_000) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        for (days, date) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (19_782, "2024-02-29"),
            (20_774, "2026-11-17"),
            (-1, "1969-12-31"),
        ] {
            assert_eq!(day(days * 86_400_000 + 5), date);
        }
    }
}
