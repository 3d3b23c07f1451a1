//! The state of a game: what follows from its settings, its seed and its facts.

use crate::game::ending;
use crate::game::fact::{Close, Fact, Leave, Logged};
use crate::game::settings::{SeatKind, Settings};
use azulejo_notation::{Dealer, Seed};
use azulejo_rules::{Event, Move, Phase, Position, Rules, Seat};
use std::sync::Arc;

/// A game that nobody has touched for so long is closed.
const ABANDONED_MS: i64 = 30 * 24 * 3_600_000;

/// A game that has waited for players for so long is closed.
const FORGOTTEN_MS: i64 = 7 * 24 * 3_600_000;

/// The level at which the engine plays on for a seat that left a game of three or four.
const SUBSTITUTE: u8 = 3;

/// A game as it stands.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its id.
    pub id: Arc<str>,
    /// What was agreed.
    pub settings: Arc<Settings>,
    /// The number of the last fact.
    pub number: u64,
    /// The number of the last fact that changed the position, the turn or who plays.
    pub position_number: u64,
    /// When the last fact happened.
    pub at_ms: i64,
    /// When the first did.
    pub created_ms: i64,
    /// The seats.
    pub seats: Vec<SeatState>,
    /// Where the game stands. Before it begins, where it will begin.
    pub position: Position,
    /// Everything that happened in the last move, with the deal that followed.
    pub report: Vec<Event>,
    /// The moves that were played and not taken back.
    pub plies: Vec<Ply>,
    /// What is left on the clocks, as of `since_ms`.
    pub left_ms: [i64; 4],
    /// Since when the clock of the seat to move runs.
    pub since_ms: i64,
    /// Who would like to take a move back.
    pub takeback: Option<Asked>,
    /// Why the game ended without a result.
    pub closed: Option<Close>,
    /// The rematch.
    pub rematch: Option<Arc<str>>,
    pub(super) seed: Seed,
    dealer: Dealer,
    /// The ids that clients gave their moves, also of moves taken back.
    pub(super) move_ids: Vec<MoveId>,
    pub(super) said_ms: [i64; 4],
}

/// A seat and who sits there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatState {
    /// Who.
    pub holder: Holder,
    /// Why the seat left the game, if it did.
    pub left: Option<Leave>,
}

/// Who sits on a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Nobody yet.
    Vacant,
    /// Nobody yet, and only this person may.
    Reserved {
        /// The id.
        person: Arc<str>,
        /// The name to show.
        name: Arc<str>,
    },
    /// A person, or a program that is one to the server.
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
    /// Who.
    pub seat: Seat,
    /// What.
    pub m: Move,
    /// The round it belongs to.
    pub round: u16,
}

/// A request to take a move back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Who asks.
    pub seat: u8,
    /// Which seats have agreed.
    pub agreed: Vec<u8>,
}

/// The id of a move.
#[derive(Clone, Debug)]
pub(super) struct MoveId {
    pub(super) seat: u8,
    pub(super) id: Box<str>,
    pub(super) m: Move,
    pub(super) number: u64,
}

/// How far a game is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A seat is free.
    Waiting,
    /// It is played.
    Playing,
    /// It is over.
    Over,
}

impl Status {
    /// As it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Status::Waiting => "waiting",
            Status::Playing => "playing",
            Status::Over => "over",
        }
    }
}

/// Why a log is not the log of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// The settings make no game.
    #[error("the settings: {0}")]
    Settings(String),
    /// A number is missing.
    #[error("event {found} follows event {last}")]
    Gap {
        /// The last good one.
        last: u64,
        /// The one after it.
        found: u64,
    },
    /// A fact cannot have happened.
    #[error("event {number}: {problem}")]
    Fact {
        /// Its number.
        number: u64,
        /// Why not.
        problem: String,
    },
}

impl Game {
    /// A game before its first fact.
    ///
    /// # Errors
    /// If the settings make no game.
    pub fn new(id: Arc<str>, settings: Arc<Settings>, seed: Seed) -> Result<Game, Broken> {
        let broken = |problem: String| Broken::Settings(problem);
        let rules: Rules = settings.rules.parse().map_err(|e| broken(format!("{e}")))?;
        if settings.seats.len() != rules.players.count() {
            return Err(broken("not as many seats as players".to_owned()));
        }
        let (position, dealer) = start(&settings, &seed, rules)?;
        let seats = settings.seats.iter().map(SeatState::new).collect();
        let left_ms = [settings.clock.start_ms().unwrap_or(0); 4];
        Ok(Game {
            id,
            settings,
            number: 0,
            position_number: 0,
            at_ms: 0,
            created_ms: 0,
            seats,
            position,
            report: Vec::new(),
            plies: Vec::new(),
            left_ms,
            since_ms: 0,
            takeback: None,
            closed: None,
            rematch: None,
            seed,
            dealer,
            move_ids: Vec::new(),
            said_ms: [0; 4],
        })
    }

    /// The same game before its first fact.
    #[must_use]
    pub fn restart(&self) -> Game {
        let settings = Arc::clone(&self.settings);
        Game::new(Arc::clone(&self.id), settings, self.seed.clone())
            .expect("the game was made from these settings")
    }

    /// Folds one fact into the state.
    ///
    /// # Errors
    /// If it cannot have happened here; the game is of no more use then.
    pub fn apply(&mut self, logged: &Logged) -> Result<(), Broken> {
        if logged.number != self.number + 1 {
            return Err(Broken::Gap { last: self.number, found: logged.number });
        }
        let was_waiting = self.number == 0 || self.status() == Status::Waiting;
        let changes = self
            .apply_fact(&logged.fact, logged)
            .map_err(|problem| Broken::Fact { number: logged.number, problem })?;
        self.number = logged.number;
        self.at_ms = logged.at_ms;
        if self.number == 1 {
            self.created_ms = logged.at_ms;
        }
        let begins = was_waiting && self.status() == Status::Playing;
        if begins {
            self.since_ms = logged.at_ms;
            self.deal().map_err(|problem| Broken::Fact { number: logged.number, problem })?;
        }
        if changes || begins {
            self.position_number = logged.number;
        }
        Ok(())
    }

    /// Whether the fact changes the position or whose turn it is.
    fn apply_fact(&mut self, fact: &Fact, logged: &Logged) -> Result<bool, String> {
        match fact {
            Fact::Created => self.position_number = logged.number,
            Fact::Joined { seat, person, name } => {
                let seat = self.seat_state(*seat)?;
                seat.holder =
                    Holder::Person { person: person.as_str().into(), name: name.as_str().into() };
            }
            Fact::Moved { seat, m, id } => {
                let m: Move = m.parse().map_err(|e| format!("{e}"))?;
                if number(self.position.turn()) != *seat {
                    return Err(format!("seat {seat} moved out of turn"));
                }
                self.play(m, logged)?;
                if let Some(id) = id {
                    let (seat, id) = (*seat, id.as_str().into());
                    self.move_ids.push(MoveId { seat, id, m, number: logged.number });
                }
                return Ok(true);
            }
            Fact::TakebackAsked { seat } => {
                self.takeback = Some(Asked { seat: *seat, agreed: Vec::new() });
            }
            Fact::TakebackAgreed { seat } => {
                self.takeback.as_mut().ok_or("nobody had asked")?.agreed.push(*seat);
            }
            Fact::TakebackRefused { .. } => self.takeback = None,
            Fact::TakenBack { n_moves, .. } => {
                self.rewind(*n_moves)?;
                self.since_ms = logged.at_ms;
                return Ok(true);
            }
            Fact::Said { seat, .. } => {
                self.seat_state(*seat)?;
                self.said_ms[usize::from(*seat) - 1] = logged.at_ms;
            }
            Fact::Left { seat, why } => {
                self.seat_state(*seat)?.left = Some(*why);
                self.takeback = None;
                return Ok(true);
            }
            Fact::Closed { why } => {
                self.closed = Some(*why);
                return Ok(true);
            }
            Fact::Rematch { game, .. } => self.rematch = Some(game.as_str().into()),
        }
        Ok(false)
    }

    fn play(&mut self, m: Move, logged: &Logged) -> Result<(), String> {
        let (seat, round) = (self.position.turn(), self.position.round());
        self.report.clear();
        let report = &mut self.report;
        self.position.play_with(m, |event| report.push(event)).map_err(|e| e.to_string())?;
        self.plies.push(Ply { seat, m, round });
        self.takeback = None;
        let left_ms = &mut self.left_ms[seat.index()];
        *left_ms = self.settings.clock.after_move(*left_ms, logged.at_ms - self.since_ms);
        self.since_ms = logged.at_ms;
        self.deal()
    }

    /// Deals, if a deal is due.
    fn deal(&mut self) -> Result<(), String> {
        if self.position.phase() == Phase::Deal {
            let deal = self.dealer.deal(&self.position).map_err(|e| e.to_string())?;
            let report = &mut self.report;
            self.position
                .deal_with(&deal, |event| report.push(event))
                .map_err(|e| e.to_string())?;
        }
        Ok(())
    }

    /// Goes back to the first moves and plays them again: moves are few and quickly played.
    fn rewind(&mut self, n_moves: usize) -> Result<(), String> {
        let moves: Vec<Move> = self.plies.iter().take(n_moves).map(|ply| ply.m).collect();
        let rules = *self.position.rules();
        let (position, dealer) =
            start(&self.settings, &self.seed, rules).map_err(|e| e.to_string())?;
        (self.position, self.dealer) = (position, dealer);
        self.plies.clear();
        self.takeback = None;
        self.report.clear();
        self.deal()?;
        for m in moves {
            let (seat, round) = (self.position.turn(), self.position.round());
            self.report.clear();
            let report = &mut self.report;
            self.position.play_with(m, |event| report.push(event)).map_err(|e| e.to_string())?;
            self.plies.push(Ply { seat, m, round });
            self.deal()?;
        }
        Ok(())
    }

    fn seat_state(&mut self, seat: u8) -> Result<&mut SeatState, String> {
        let idx = usize::from(seat).wrapping_sub(1);
        self.seats.get_mut(idx).ok_or_else(|| format!("there is no seat {seat}"))
    }
}

/// Questions about a game.
impl Game {
    /// How far it is.
    #[must_use]
    pub fn status(&self) -> Status {
        if self.closed.is_some() || self.position.ended_by().is_some() || ending::has_deserted(self)
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

    /// The level at which the engine moves now, if it is its turn.
    #[must_use]
    pub fn engine_turn(&self) -> Option<u8> {
        let seat = &self.seats[usize::from(self.turn()?) - 1];
        match seat.holder {
            Holder::Engine { level } => Some(level),
            _ => seat.left.is_some().then_some(SUBSTITUTE),
        }
    }

    /// When the time of the seat to move is over, if a clock runs.
    #[must_use]
    pub fn deadline_ms(&self) -> Option<i64> {
        self.settings.clock.start_ms()?;
        let turn = self.turn()?;
        (self.engine_turn().is_none())
            .then(|| self.since_ms.saturating_add(self.left_ms[usize::from(turn) - 1]))
    }

    /// When somebody has to look at the game even if nobody asks for it.
    #[must_use]
    pub fn wake_ms(&self) -> Option<i64> {
        match self.status() {
            Status::Over => None,
            Status::Waiting => Some(self.at_ms.saturating_add(FORGOTTEN_MS)),
            Status::Playing if self.engine_turn().is_some() => Some(self.at_ms),
            Status::Playing => {
                Some(self.deadline_ms().unwrap_or(self.at_ms.saturating_add(ABANDONED_MS)))
            }
        }
    }

    /// What has to happen because of the time.
    #[must_use]
    pub fn overdue(&self, now_ms: i64) -> Option<Fact> {
        if self.engine_turn().is_some() || now_ms < self.wake_ms()? {
            return None;
        }
        match (self.deadline_ms(), self.turn()) {
            (Some(_), Some(seat)) => Some(Fact::Left { seat, why: Leave::TimedOut }),
            _ => Some(Fact::Closed { why: Close::Abandoned }),
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
    fn new(kind: &SeatKind) -> SeatState {
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

    /// Whether somebody is still to sit down.
    #[must_use]
    pub fn is_vacant(&self) -> bool {
        matches!(self.holder, Holder::Vacant | Holder::Reserved { .. })
    }

    /// The person on the seat.
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
            Holder::Engine { level } => {
                let name = azulejo_engine::Level::new(*level).map_or("Engine", |l| l.name());
                Some(format!("{name} (level {level})"))
            }
        }
    }
}

/// The number of a seat, from 1.
pub(crate) fn number(seat: Seat) -> u8 {
    seat.index() as u8 + 1
}

/// Where a game starts, and the dealer of its deals.
pub(super) fn start(
    settings: &Settings,
    seed: &Seed,
    rules: Rules,
) -> Result<(Position, Dealer), Broken> {
    match &settings.position {
        None => {
            let (first, dealer) = Dealer::new(seed, &rules);
            Ok((Position::new(rules, first), dealer))
        }
        Some(text) => {
            let position: Position = text.parse().map_err(|e| Broken::Settings(format!("{e}")))?;
            if *position.rules() != rules {
                return Err(Broken::Settings("the position has other rules".to_owned()));
            }
            Ok((position, Dealer::resume(seed, &position)))
        }
    }
}
