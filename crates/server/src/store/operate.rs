//! What operators and the server itself do to games and people from outside: close, rename, delete, ban.
//! Everything works beside running servers, which hear of it by events and by
//! [notices](crate::store::notices).

use crate::ids;
use crate::store::bans::{Ban, Subject};
use crate::store::people::{Change, PersonRow};
use crate::store::read_model::SeatRow;
use crate::store::writer::{Append, Write};
use crate::store::{ERASED, Store, StoreError};
use crate::time::since_1970_ms;
use azulejo_table::{CloseReason, Event, Game, LeaveReason, LoggedEvent, Status};
use sqlx::Row;
use std::time::{Duration, SystemTime};

/// How often an event is decided again when servers keep logging first.
const MAX_ATTEMPTS: usize = 20;

/// The number of games that are changed between two queries.
const BATCH: u32 = 100;

/// Every node has acted on a notice after this time.
const NOTICE_TIME: Duration = Duration::from_secs(2);

/// A game in the list of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// The id.
    pub id: String,
    /// Its stage: `waiting`, `playing` or `over`.
    pub status: String,
    /// The number of the last event.
    pub number: i64,
    /// When it was created, in milliseconds since 1970.
    pub created_ms: i64,
    /// When the last event happened.
    pub updated_ms: i64,
    /// The people at its seats, by seat: id and name.
    pub people: Vec<(i64, String, String)>,
}

impl Store {
    /// The time for what is written from outside a server: that of the database, or of this machine.
    async fn now_ms(&self) -> Result<i64, StoreError> {
        let machine_ms = since_1970_ms(SystemTime::now());
        let now_ms = self.time_ms().await?.unwrap_or(machine_ms);
        Ok(now_ms.max(self.last_event_ms().await?))
    }

    /// Games, the latest first: of all people or of one, in all stages or in one.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn find_games(
        &self,
        person: Option<&str>,
        status: Option<&str>,
        limit: u32,
    ) -> Result<Vec<GameRow>, StoreError> {
        let query = sqlx::query(
            "SELECT g.id AS id, status, number, created_ms, updated_ms, seat, kind, person, name, \
             level, left_why, place FROM (SELECT * FROM games WHERE ($1 = '' OR status = $1) AND \
             ($2 = '' OR id IN (SELECT game FROM seats WHERE person = $2)) \
             ORDER BY updated_ms DESC, id LIMIT $3) g JOIN seats s ON s.game = g.id \
             ORDER BY updated_ms DESC, g.id, seat",
        )
        .bind(status.unwrap_or_default())
        .bind(person.unwrap_or_default())
        .bind(i64::from(limit));
        let mut games: Vec<GameRow> = Vec::new();
        for row in self.in_time(query.fetch_all(&self.pool)).await? {
            let id: String = row.try_get("id")?;
            if games.last().is_none_or(|game| game.id != id) {
                games.push(GameRow {
                    id,
                    status: row.try_get("status")?,
                    number: row.try_get("number")?,
                    created_ms: row.try_get("created_ms")?,
                    updated_ms: row.try_get("updated_ms")?,
                    people: Vec::new(),
                });
            }
            let seat = SeatRow::read(&row)?;
            if let (Some(game), Some(person)) = (games.last_mut(), seat.person) {
                game.people.push((seat.seat, person, seat.name.unwrap_or_default()));
            }
        }
        Ok(games)
    }

    /// People whose name contains a text, whatever its case, the latest seen first.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn find_people(&self, name: &str, limit: u32) -> Result<Vec<PersonRow>, StoreError> {
        let query = sqlx::query(
            "SELECT id, name, created_ms, seen_ms FROM people \
             WHERE $1 = '' OR REPLACE(LOWER(name), LOWER($1), '') <> LOWER(name) \
             ORDER BY seen_ms DESC, id LIMIT $2",
        );
        let rows = query.bind(name).bind(i64::from(limit));
        let rows = self.in_time(rows.fetch_all(&self.pool)).await?;
        rows.iter().map(PersonRow::read).collect()
    }

    /// Closes a game without a result; `None` if there is none, `Some(false)` if it was over.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn close_game(&self, id: &str) -> Result<Option<bool>, StoreError> {
        self.log(id, |game| {
            (game.status() != Status::Over).then_some(Event::Closed { why: CloseReason::Operator })
        })
        .await
    }

    /// Deletes a game with its log; whether there was one.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn delete_game(&self, id: &str) -> Result<bool, StoreError> {
        // Players who are connected are told that it is over before it is gone.
        self.close_game(id).await?;
        let change = Change::DeleteGame { id: id.to_owned(), now_ms: self.now_ms().await? };
        let is_deleted = self.write(Write::People(change)).await?;
        self.scrub().await;
        Ok(is_deleted)
    }

    /// Gives a person another name in new games; whether there is the person. The name must be checked.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn rename_person(&self, id: &str, name: &str) -> Result<bool, StoreError> {
        let (id, name, now_ms) = (id.to_owned(), name.to_owned(), self.now_ms().await?);
        self.write(Write::People(Change::Rename { id, name, now_ms })).await
    }

    /// Deletes a person: leaves the person's games, removes id and name from all games, and deletes the
    /// person and all tokens. Whether there was the person.
    ///
    /// It is not one transaction, since it may touch thousands of games. The person is deleted after the
    /// games are changed, so that an interrupted deletion can be asked for again.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn delete_person(&self, id: &str) -> Result<bool, StoreError> {
        self.erase_from_games(id).await?;
        let change = Change::DeletePerson { id: id.to_owned(), now_ms: self.now_ms().await? };
        let is_deleted = self.write(Write::People(change)).await?;
        // A node that had not heard of it may have written the old name again, or made a game.
        tokio::time::sleep(NOTICE_TIME).await;
        self.erase_from_games(id).await?;
        let forget = Change::ForgetNotices { subject: id.to_owned() };
        self.write(Write::People(forget)).await?;
        self.scrub().await;
        Ok(is_deleted)
    }

    async fn erase_from_games(&self, person: &str) -> Result<(), StoreError> {
        let mut last = String::new();
        loop {
            let games = self.games_naming(person, &last, BATCH).await?;
            let Some(game) = games.last() else { return Ok(()) };
            last.clone_from(game);
            for game in games {
                self.leave(&game, person).await?;
                // Another stand-in for each game, so that nobody can tell which games belong together.
                let stand_in = format!("{ERASED}{}", ids::new_id());
                let (person, now_ms) = (person.to_owned(), self.now_ms().await?);
                let erase = Change::EraseFromGame { game, person, stand_in, now_ms };
                self.write(Write::People(erase)).await?;
            }
        }
    }

    /// Resigns all seats of a person in a game, or closes the game if it has not begun.
    async fn leave(&self, id: &str, person: &str) -> Result<(), StoreError> {
        let event = |game: &Game| match game.status() {
            Status::Over => None,
            // The creator of a game without a seat of the creator's leaves it to the players.
            Status::Waiting => {
                let has_seat = game.seats_of(Some(person)).next().is_some();
                has_seat.then_some(Event::Closed { why: CloseReason::Aborted })
            }
            Status::Playing => {
                let is_there = |seat: &u8| game.seats[usize::from(*seat) - 1].left.is_none();
                let seat = game.seats_of(Some(person)).find(is_there)?;
                Some(Event::Left { seat, why: LeaveReason::Resigned })
            }
        };
        while self.log(id, event).await? == Some(true) {}
        Ok(())
    }

    /// Refuses a person or a network.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn ban(
        &self,
        subject: Subject,
        reason: &str,
        length: Option<Duration>,
    ) -> Result<(), StoreError> {
        let created_ms = self.now_ms().await?;
        let until_ms = length.map(|length| {
            created_ms.saturating_add(i64::try_from(length.as_millis()).unwrap_or(i64::MAX))
        });
        let ban = Ban { subject, reason: reason.to_owned(), created_ms, until_ms };
        self.write(Write::People(Change::Ban(ban))).await.map(drop)
    }

    /// Ends a ban; whether there was one.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn unban(&self, subject: &Subject) -> Result<bool, StoreError> {
        let (kind, subject, now_ms) = (subject.kind(), subject.to_string(), self.now_ms().await?);
        self.write(Write::People(Change::Unban { kind, subject, now_ms })).await
    }

    /// Logs the event that `next` decides; `None` if there is no such game, `Some(false)` if there is
    /// nothing to log.
    async fn log(
        &self,
        id: &str,
        next: impl Fn(&Game) -> Option<Event>,
    ) -> Result<Option<bool>, StoreError> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(mut game) = self.game(id).await? else { return Ok(None) };
            let Some(event) = next(&game) else { return Ok(Some(false)) };
            let at_ms = self.now_ms().await?.max(game.at_ms);
            let logged = LoggedEvent { number: game.number + 1, at_ms, event };
            game.apply(&logged).map_err(|error| StoreError::Corrupt(error.to_string()))?;
            let append = Write::Append(Append::new(logged, &game));
            if self.write(append).await? {
                let change = Change::TouchGame { id: id.to_owned(), now_ms: at_ms };
                self.write(Write::People(change)).await?;
                return Ok(Some(true));
            }
        }
        Err(StoreError::Unavailable("the game changes all the time".to_owned()))
    }
}
