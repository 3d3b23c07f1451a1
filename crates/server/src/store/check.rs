//! Check: replays every log and compares everything that is stored beside it. Whatever can be derived
//! is derived again, and every reference is followed.

use crate::ids;
use crate::store::backup::events;
use crate::store::read_model::{self, GameColumns, SeatRow};
use crate::store::rows::{Keyed, Rows};
use crate::store::{ERASED, Kind, Store, StoreError, bans, read};
use azulejo_engine::Level;
use azulejo_table::{Game, SeatKind, Settings};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// What a check found.
#[derive(Debug, Default)]
pub struct CheckReport {
    /// The number of people.
    pub people: u64,
    /// The number of games.
    pub games: u64,
    /// The number of events.
    pub events: u64,
    /// What is wrong.
    pub faults: Vec<String>,
}

impl CheckReport {
    fn fault(&mut self, fault: impl Into<String>) {
        self.faults.push(fault.into());
    }
}

impl Store {
    /// Replays every log and compares the result with everything stored beside it, as it is at one
    /// moment.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn check(&self) -> Result<CheckReport, StoreError> {
        if self.kind() == Kind::Postgres {
            return run(&mut *self.snapshot().await?).await;
        }
        let damage = match sqlx::query("PRAGMA integrity_check").fetch_all(&self.pool).await {
            Ok(rows) => {
                let verdicts = rows.iter().map(|row| row.try_get::<String, _>(0));
                verdicts.collect::<Result<Vec<_>, _>>()?
            }
            Err(error) => vec![error.to_string()],
        };
        let damage: Vec<String> = damage.into_iter().filter(|verdict| verdict != "ok").collect();
        // A damaged file is not worth reading further.
        if !damage.is_empty() {
            let faults = damage.iter().map(|damage| format!("SQLite: {damage}")).collect();
            return Ok(CheckReport { faults, ..CheckReport::default() });
        }
        run(&mut *self.snapshot().await?).await
    }
}

/// Checks what a connection sees.
pub(super) async fn run(connection: &mut AnyConnection) -> Result<CheckReport, StoreError> {
    let mut report = CheckReport::default();
    check_people(connection, &mut report).await?;
    check_tokens(connection, &mut report).await?;
    check_bans(connection, &mut report).await?;
    let mut rows = Rows::of(Keyed::Games);
    while let Some(row) = rows.next(connection).await? {
        check_game(connection, &row, &mut report).await?;
    }
    check_references(connection, &mut report).await?;
    Ok(report)
}

async fn check_people(
    connection: &mut AnyConnection,
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    let mut rows = Rows::of(Keyed::People);
    while let Some(row) = rows.next(connection).await? {
        report.people += 1;
        let (id, name): (String, String) = (row.try_get("id")?, row.try_get("name")?);
        let (created_ms, seen_ms): (i64, i64) =
            (row.try_get("created_ms")?, row.try_get("seen_ms")?);
        if !ids::is_id(&id) {
            report.fault(format!("person {id}: the id does not have the form of an id"));
        }
        if name.trim().is_empty() {
            report.fault(format!("person {id}: the name is empty"));
        }
        if seen_ms < created_ms {
            report.fault(format!("person {id}: was seen before it was created"));
        }
    }
    Ok(())
}

async fn check_tokens(
    connection: &mut AnyConnection,
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    let mut rows = Rows::of(Keyed::Tokens);
    while let Some(row) = rows.next(connection).await? {
        let (hash, person): (String, String) = (row.try_get("hash")?, row.try_get("person")?);
        if !ids::is_hash(&hash) {
            report.fault(format!("person {person}: a token is not stored as a hash"));
        }
    }
    Ok(())
}

async fn check_bans(
    connection: &mut AnyConnection,
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    for row in sqlx::query("SELECT kind, subject FROM bans").fetch_all(connection).await? {
        let (kind, subject): (String, String) = (row.try_get("kind")?, row.try_get("subject")?);
        if bans::Subject::read(&kind, &subject).is_none() {
            report.fault(format!("ban of {kind} {subject}: it has no effect"));
        }
    }
    Ok(())
}

/// Checks a game, its log, its seats and its invitations.
async fn check_game(
    connection: &mut AnyConnection,
    row: &AnyRow,
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    report.games += 1;
    let id: String = row.try_get("id")?;
    if !ids::is_id(&id) {
        report.fault(format!("game {id}: the id does not have the form of an id"));
    }
    let log = events(connection, &id).await?;
    report.events += log.len() as u64;
    let mut faults = Vec::new();
    match replay(&id, row, &log, &mut faults) {
        Ok(game) => {
            compare(&game, row, &mut faults)?;
            compare_seats(connection, &game, &mut faults).await?;
            compare_rematch(connection, &game, &mut faults).await?;
            check_invitations(connection, &id, &game.settings, &mut faults).await?;
        }
        Err(StoreError::Corrupt(problem)) => report.fault(problem),
        Err(error) => return Err(error),
    }
    report.faults.extend(faults.into_iter().map(|fault| format!("game {id}: {fault}")));
    Ok(())
}

/// The game of a log, whose order is checked.
fn replay(
    id: &str,
    row: &AnyRow,
    rows: &[AnyRow],
    faults: &mut Vec<String>,
) -> Result<Game, StoreError> {
    let (settings, seed): (String, String) = (row.try_get("settings")?, row.try_get("seed")?);
    let log = rows.iter().map(|row| read::logged(id, row)).collect::<Result<Vec<_>, _>>()?;
    for pair in log.windows(2) {
        if pair[1].at_ms < pair[0].at_ms {
            faults.push(format!("event {} happened before the event before it", pair[1].number));
        }
    }
    if log.is_empty() {
        return Err(StoreError::Corrupt(format!("game {id}: it has no events")));
    }
    read::replay(id, &settings, &seed, &log)
}

/// Compares the columns of a game with its log.
fn compare(game: &Game, row: &AnyRow, faults: &mut Vec<String>) -> Result<(), StoreError> {
    let (stored, expected) = (GameColumns::read(row)?, GameColumns::of(game));
    let listed: i64 = row.try_get("listed")?;
    let creator: String = row.try_get("creator")?;
    let created_ms: i64 = row.try_get("created_ms")?;
    for (is_right, fault) in [
        (stored.status == expected.status, "the stored status differs from the log"),
        (stored.turn == expected.turn, "the stored seat to move differs from the log"),
        (stored.round == expected.round, "the stored round differs from the log"),
        (stored.scores == expected.scores, "the stored scores differ from the log"),
        (stored.ended_by == expected.ended_by, "the stored reason of the end differs from the log"),
        (
            stored.number == expected.number,
            "the stored number of the last event differs from the log",
        ),
        (
            stored.updated_ms == expected.updated_ms,
            "`updated_ms` is not the time of the last event",
        ),
        (
            stored.wake_ms == expected.wake_ms,
            "`wake_ms` is wrong: the game would wake at the wrong time",
        ),
        (listed == i64::from(game.settings.listed), "`listed` differs from the settings"),
        (creator == game.settings.creator, "the stored creator differs from the settings"),
        (created_ms == game.created_ms, "`created_ms` is not the time of the first event"),
        (
            azulejo_table::seed_hash(game.seed()) == game.settings.seed_hash,
            "the seed does not have the published hash",
        ),
    ] {
        if !is_right {
            faults.push(fault.to_owned());
        }
    }
    for (seat, kind) in (1..).zip(&game.settings.seats) {
        if let SeatKind::Engine { level } = kind
            && Level::new(*level).is_none()
        {
            faults.push(format!("seat {seat} has an engine of the unknown level {level}"));
        }
    }
    Ok(())
}

async fn compare_seats(
    connection: &mut AnyConnection,
    game: &Game,
    faults: &mut Vec<String>,
) -> Result<(), StoreError> {
    let rows = sqlx::query(
        "SELECT seat, kind, person, name, level, left_why, place FROM seats WHERE game = $1 \
         ORDER BY seat",
    );
    let rows = rows.bind(&*game.id).fetch_all(connection).await?;
    let stored = rows.iter().map(SeatRow::read).collect::<Result<Vec<_>, _>>()?;
    let expected = read_model::seats(game);
    if stored.len() != expected.len() {
        faults.push(format!("{} of {} seats are stored", stored.len(), expected.len()));
    }
    for (stored, expected) in stored.iter().zip(&expected) {
        if stored != expected {
            faults.push(format!("the stored seat {} differs from the log", stored.seat));
        }
    }
    Ok(())
}

/// A rematch that still exists knows the game of which it is the rematch.
async fn compare_rematch(
    connection: &mut AnyConnection,
    game: &Game,
    faults: &mut Vec<String>,
) -> Result<(), StoreError> {
    let Some(rematch) = &game.rematch else { return Ok(()) };
    let row = sqlx::query("SELECT settings FROM games WHERE id = $1").bind(&**rematch);
    let Some(row) = row.fetch_optional(connection).await? else { return Ok(()) };
    let settings: String = row.try_get("settings")?;
    // Invalid settings are a fault of that game.
    let of = serde_json::from_str::<Settings>(&settings).ok().and_then(|other| other.rematch_of);
    if of.is_some_and(|of| *of != *game.id) {
        faults.push(format!("game {rematch} is not its rematch"));
    }
    Ok(())
}

async fn check_invitations(
    connection: &mut AnyConnection,
    id: &str,
    settings: &Settings,
    faults: &mut Vec<String>,
) -> Result<(), StoreError> {
    let rows = sqlx::query("SELECT seat, hash FROM invitations WHERE game = $1").bind(id);
    for row in rows.fetch_all(connection).await? {
        let (seat, hash): (i64, String) = (row.try_get("seat")?, row.try_get("hash")?);
        let idx = usize::try_from(seat).ok().and_then(|seat| seat.checked_sub(1));
        if idx.and_then(|idx| settings.seats.get(idx)) != Some(&SeatKind::Open) {
            faults.push(format!("an invitation is for seat {seat}, which was never open"));
        }
        if !ids::is_hash(&hash) {
            faults.push(format!("the invitation to seat {seat} is not stored as a hash"));
        }
    }
    Ok(())
}

/// Rows that belong to a game or a person that does not exist.
async fn check_references(
    connection: &mut AnyConnection,
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    const ORPHANS: [(&str, &str); 4] = [
        (
            "SELECT game AS subject, COUNT(*) AS n FROM events \
             WHERE game NOT IN (SELECT id FROM games) GROUP BY game",
            "events belong to no game",
        ),
        (
            "SELECT game AS subject, COUNT(*) AS n FROM seats \
             WHERE game NOT IN (SELECT id FROM games) GROUP BY game",
            "seats belong to no game",
        ),
        (
            "SELECT game AS subject, COUNT(*) AS n FROM invitations \
             WHERE game NOT IN (SELECT id FROM games) GROUP BY game",
            "invitations belong to no game",
        ),
        (
            "SELECT person AS subject, COUNT(*) AS n FROM tokens \
             WHERE person NOT IN (SELECT id FROM people) GROUP BY person",
            "tokens belong to no person",
        ),
    ];
    for (query, fault) in ORPHANS {
        for row in sqlx::query(query).fetch_all(&mut *connection).await? {
            let (subject, n): (String, i64) = (row.try_get("subject")?, row.try_get("n")?);
            report.fault(format!("{n} {fault} ({subject})"));
        }
    }
    const LOST: [(&str, &str); 2] = [
        (
            "SELECT game, person FROM seats WHERE person IS NOT NULL \
             AND person NOT IN (SELECT id FROM people)",
            "who has a seat",
        ),
        (
            "SELECT id AS game, creator AS person FROM games \
             WHERE creator NOT IN (SELECT id FROM people)",
            "who created it",
        ),
    ];
    for (query, who) in LOST {
        for row in sqlx::query(query).fetch_all(&mut *connection).await? {
            let (game, person): (String, String) = (row.try_get("game")?, row.try_get("person")?);
            if !person.starts_with(ERASED) && person != ids::TV {
                report.fault(format!("game {game}: the person {person}, {who}, does not exist"));
            }
        }
    }
    Ok(())
}
