//! The state of a game and questions about it. [`apply`](crate::Game::apply) makes it from events.

use crate::decide::{MAX_EVENTS, MAX_MOVES};
use crate::ending;
use crate::event::{CloseReason, Event, LeaveReason};
use crate::settings::{SeatKind, Settings};
use azulejo_notation::{Dealer, Seed};
use azulejo_rules::{Move, Position, Seat, Step};
use std::sync::Arc;

/// A game without a clock is closed as abandoned after 30 days without an event.
const ABANDONED_MS: i64 = 30 * 24 * 3_600_000;

/// A game that waits for players is closed after 7 days without an event.
const FORGOTTEN_MS: i64 = 7 * 24 * 3_600_000;

/// The level of the engine that plays on for a seat that left a game of three or four.
const SUBSTITUTE_LEVEL: u8 = 3;

/// A game under way: the state that follows from its settings, its seed and its log. The
/// [documentation of the crate](crate) shows how a game is created, decided and applied.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its id.
    pub id: Arc<str>,
    /// What was agreed before it began.
    pub settings: Arc<Settings>,
    /// The number of the last event.
    pub number: u64,
    /// The number of the last event that changed the position, the turn or who plays.
    pub position_number: u64,
    /// When the last event happened, in milliseconds since 1970.
    pub at_ms: i64,
    /// When the last event happened, later by the pauses since. Games without a clock are abandoned a
    /// time after it.
    pub quiet_since_ms: i64,
    /// When the first event happened.
    pub created_ms: i64,
    /// The seats.
    pub seats: Vec<SeatState>,
    /// The position. Before the game begins, the position from which it will begin.
    pub position: Position,
    /// The steps of the last move, and of the deal that followed it.
    pub report: Vec<Step>,
    /// The moves that were played and not taken back.
    pub plies: Vec<Ply>,
    /// The time left to each seat, as of `since_ms`.
    pub left_ms: [i64; 4],
    /// When the clock of the seat to move started.
    pub since_ms: i64,
    /// The open take-back request.
    pub takeback: Option<TakebackRequest>,
    /// Why the game ended without a result.
    pub closed: Option<CloseReason>,
    /// The id of the rematch.
    pub rematch: Option<Arc<str>>,
    pub(crate) seed: Seed,
    pub(crate) dealer: Dealer,
    /// The starts of the last rounds, so that a take-back need not play the whole game again.
    pub(crate) checkpoints: Vec<Arc<Checkpoint>>,
    /// The ids that clients gave their moves, also of moves taken back.
    pub(crate) move_ids: Vec<MoveId>,
    pub(crate) said_ms: [i64; 4],
}

/// A seat and its holder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatState {
    /// Who holds it.
    pub holder: Holder,
    /// Why the seat left the game, if it did.
    pub left: Option<LeaveReason>,
}

/// Who holds a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Nobody yet.
    Vacant,
    /// Nobody yet; only this person may take it.
    Reserved {
        /// The id.
        person: Arc<str>,
        /// The name to show.
        name: Arc<str>,
    },
    /// A person, or a bot, which is a person to the server.
    Person {
        /// The id.
        person: Arc<str>,
        /// The name to show.
        name: Arc<str>,
    },
    /// The engine.
    Engine {
        /// Its level.
        level: u8,
    },
}

/// A move that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The seat that moved.
    pub seat: Seat,
    /// The move.
    pub m: Move,
    /// The round it belongs to.
    pub round: u16,
}

/// The start of a round, after its deal.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    /// The number of moves before it.
    pub(crate) n_moves: usize,
    pub(crate) position: Position,
    pub(crate) dealer: Dealer,
}

/// A request to take a move back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakebackRequest {
    /// The seat that asks.
    pub seat: u8,
    /// The seats that have agreed.
    pub agreed: Vec<u8>,
}

/// The id of a move.
#[derive(Clone, Debug)]
pub(crate) struct MoveId {
    pub(crate) seat: u8,
    /// Shared, since the game is cloned for every event.
    pub(crate) id: Arc<str>,
    pub(crate) m: Move,
    pub(crate) number: u64,
}

/// The stage of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It waits for players: a seat is free.
    Waiting,
    /// It is being played.
    Playing,
    /// It is over.
    Over,
}

impl Status {
    /// The name that databases store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Status::Waiting => "waiting",
            Status::Playing => "playing",
            Status::Over => "over",
        }
    }
}

/// Questions about a game.
impl Game {
    /// The stage of the game.
    #[must_use]
    pub fn status(&self) -> Status {
        if self.closed.is_some() || self.position.ended_by().is_some() || ending::is_deserted(self)
        {
            Status::Over
        } else if self.seats.iter().any(SeatState::is_vacant) {
            Status::Waiting
        } else {
            Status::Playing
        }
    }

    /// The seats of a person, from 1.
    pub fn seats_of<'a>(&'a self, person: Option<&'a str>) -> impl Iterator<Item = u8> + 'a {
        let seats = self.seats.iter().zip(1..);
        seats.filter(move |(seat, _)| person.is_some() && seat.person() == person).map(|(_, n)| n)
    }

    /// The seat to move, while the game is played.
    #[must_use]
    pub fn turn(&self) -> Option<u8> {
        (self.status() == Status::Playing).then(|| number(self.position.turn()))
    }

    /// The level of the engine whose turn it is, if it is an engine's turn.
    #[must_use]
    pub fn engine_turn(&self) -> Option<u8> {
        let seat = &self.seats[usize::from(self.turn()?) - 1];
        match seat.holder {
            Holder::Engine { level } => Some(level),
            _ => seat.left.is_some().then_some(SUBSTITUTE_LEVEL),
        }
    }

    /// When the seat to move runs out of time, if a clock runs.
    #[must_use]
    pub fn deadline_ms(&self) -> Option<i64> {
        self.settings.clock.start_ms()?;
        let turn = self.turn()?;
        (self.engine_turn().is_none())
            .then(|| self.since_ms.saturating_add(self.left_ms[usize::from(turn) - 1]))
    }

    /// When the host has to act without a command: for an engine's move, the end of a clock, or an
    /// abandoned game.
    #[must_use]
    pub fn wake_ms(&self) -> Option<i64> {
        match self.status() {
            Status::Over => None,
            Status::Waiting => Some(self.quiet_since_ms.saturating_add(FORGOTTEN_MS)),
            Status::Playing if self.engine_turn().is_some() || self.is_too_long() => {
                Some(self.at_ms)
            }
            Status::Playing => {
                let abandoned_ms = self.quiet_since_ms.saturating_add(ABANDONED_MS);
                Some(self.deadline_ms().unwrap_or(abandoned_ms))
            }
        }
    }

    /// Whether the game has reached the limit of its length. Then it is closed without a result.
    #[must_use]
    pub fn is_too_long(&self) -> bool {
        self.plies.len() >= MAX_MOVES || self.number >= MAX_EVENTS
    }

    /// The event that is due at a time, if there is one: the game is too long, a player ran out of
    /// time, or the game is abandoned.
    #[must_use]
    pub fn overdue(&self, now_ms: i64) -> Option<Event> {
        if self.status() == Status::Playing && self.is_too_long() {
            return Some(Event::Closed { why: CloseReason::TooLong });
        }
        if self.engine_turn().is_some() || now_ms < self.wake_ms()? {
            return None;
        }
        match (self.deadline_ms(), self.turn()) {
            (Some(_), Some(seat)) => Some(Event::Left { seat, why: LeaveReason::TimedOut }),
            _ => Some(Event::Closed { why: CloseReason::Abandoned }),
        }
    }

    /// Whether more than one person plays.
    #[must_use]
    pub fn is_between_people(&self) -> bool {
        let mut people: Vec<_> = self.seats.iter().filter_map(SeatState::person).collect();
        people.sort_unstable();
        people.dedup();
        people.len() > 1
    }
}

impl SeatState {
    pub(crate) fn new(kind: &SeatKind) -> SeatState {
        let holder = match kind {
            SeatKind::Open => Holder::Vacant,
            SeatKind::Person { person, name } => {
                Holder::Person { person: person.as_str().into(), name: name.as_str().into() }
            }
            SeatKind::Reserved { person, name } => {
                Holder::Reserved { person: person.as_str().into(), name: name.as_str().into() }
            }
            SeatKind::Engine { level } => Holder::Engine { level: *level },
        };
        SeatState { holder, left: None }
    }

    /// Whether the seat waits for a player.
    #[must_use]
    pub fn is_vacant(&self) -> bool {
        matches!(self.holder, Holder::Vacant | Holder::Reserved { .. })
    }

    /// The id of the person who holds the seat.
    #[must_use]
    pub fn person(&self) -> Option<&str> {
        match &self.holder {
            Holder::Person { person, .. } => Some(person),
            _ => None,
        }
    }

    /// The name to show.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        match &self.holder {
            Holder::Vacant => None,
            Holder::Person { name, .. } | Holder::Reserved { name, .. } => Some(name.to_string()),
            Holder::Engine { level } => Some(engine_name(*level)),
        }
    }
}

/// The name to show for the engine at a level, such as `Azulejo (level 10)`.
#[must_use]
pub fn engine_name(level: u8) -> String {
    let name = azulejo_engine::Level::new(level).map_or("Engine", |l| l.name());
    format!("{name} (level {level})")
}

/// The number of a seat, from 1.
pub(crate) fn number(seat: Seat) -> u8 {
    seat.index() as u8 + 1
}
