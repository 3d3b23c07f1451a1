//! Deciding: turns a command into an event to log, or into a rejection. Nothing changes here.

use crate::command::Command;
use crate::event::{CloseReason, Event, LeaveReason};
use crate::rejection::Rejection;
use crate::state::{Game, Holder, Status, number};
use azulejo_rules::Move;

/// The longest move id, in bytes.
pub const MAX_MOVE_ID: usize = 64;

/// The most moves of a game, not counting those taken back. Players who want to win need 40 to 150, and
/// the longest of 200,000 games of random moves has 541. Only players who avoid every end get here, and
/// rules without `stall_rounds` let them.
pub const MAX_MOVES: usize = 1_000;

/// The most events of a game: room for every one of [`MAX_MOVES`] moves to be taken back and played
/// again once, with phrases. It bounds the time and the memory that loading a game takes.
pub const MAX_EVENTS: u64 = 4_000;

/// A seat may say one phrase in this time.
const SAY_INTERVAL_MS: i64 = 1_000;

/// From this number on the log only takes events that decide the game: phrases and take-back requests
/// are rejected.
const LONG_LOG: u64 = 2_000;

/// What follows from an accepted command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Log this event.
    Log(Event),
    /// The command was a repetition: the event with this number already did it.
    Done(u64),
}

impl Game {
    /// Decides a command of a person (`None` for a caller without a token).
    ///
    /// # Errors
    /// Why the command is rejected. Then nothing has changed.
    pub fn decide(
        &self,
        person: Option<&str>,
        command: &Command,
        now_ms: i64,
    ) -> Result<Decision, Rejection> {
        match command {
            Command::Move { m, id, after, seat } => {
                return self.decide_move(person, m, id.as_deref(), *after, *seat);
            }
            Command::Join { seat, name, is_invited } => {
                self.decide_join(person, *seat, name, *is_invited)
            }
            Command::Resign { seat } => {
                self.check_playing()?;
                let seat = self.acting_seat(person, *seat, true)?;
                Ok(Event::Left { seat, why: LeaveReason::Resigned })
            }
            Command::Abort {} => {
                self.acting_seat(person, None, false).or_else(|rejection| {
                    let is_creator = person == Some(self.settings.creator.as_str());
                    if is_creator { Ok(0) } else { Err(rejection) }
                })?;
                match self.status() {
                    Status::Over => Err(Rejection::GameOver),
                    Status::Playing if !self.plies.is_empty() => Err(Rejection::AlreadyBegun),
                    _ => Ok(Event::Closed { why: CloseReason::Aborted }),
                }
            }
            Command::Takeback {} => self.decide_takeback(person),
            Command::RefuseTakeback {} => self.refuse_takeback(person),
            Command::Say { phrase, seat } => {
                let seat = self.acting_seat(person, *seat, false)?;
                let said_ms = self.said_ms[usize::from(seat) - 1];
                if now_ms - said_ms < SAY_INTERVAL_MS || self.is_log_long() {
                    return Err(Rejection::TooChatty);
                }
                Ok(Event::Said { seat, phrase: *phrase })
            }
            Command::Rematch { game } => {
                let seat = self.check_rematch(person)?;
                Ok(Event::Rematch { seat, game: game.clone() })
            }
        }
        .map(Decision::Log)
    }

    fn decide_move(
        &self,
        person: Option<&str>,
        text: &str,
        id: Option<&str>,
        after: Option<u64>,
        seat: Option<u8>,
    ) -> Result<Decision, Rejection> {
        if id.is_some_and(|id| !is_move_id(id)) {
            return Err(Rejection::BadMoveId);
        }
        let m: Move = text.parse().map_err(|e| Rejection::NotAMove(format!("{e}")))?;
        let seats: Vec<u8> = self.seats_of(person).collect();
        // A move that was sent twice is one move, even if the game has gone on or ended since.
        if let Some(known) =
            self.move_ids.iter().find(|known| id == Some(&*known.id) && seats.contains(&known.seat))
        {
            let is_same = known.m == m && seat.is_none_or(|seat| seat == known.seat);
            return if is_same {
                Ok(Decision::Done(known.number))
            } else {
                Err(Rejection::MoveIdReused)
            };
        }
        let any = self.acting_seat(person, seat, false)?;
        self.check_playing()?;
        self.check_length()?;
        let turn = number(self.position.turn());
        // A person who plays several seats moves for the one whose turn it is.
        let seat = if seat.is_none() && seats.contains(&turn) { turn } else { any };
        if after.is_some_and(|after| after < self.position_number) {
            return Err(Rejection::Stale { number: self.position_number });
        }
        if seat != turn || self.engine_turn().is_some() {
            return Err(Rejection::NotYourTurn { turn });
        }
        self.position.check(m).map_err(|reason| Rejection::Illegal { m: m.to_string(), reason })?;
        Ok(Decision::Log(Event::Moved { seat, m: m.to_string(), id: id.map(str::to_owned) }))
    }

    fn decide_join(
        &self,
        person: Option<&str>,
        seat: Option<u8>,
        name: &str,
        is_invited: bool,
    ) -> Result<Event, Rejection> {
        let person = person.ok_or(Rejection::NotSeated)?;
        if let Some(seat) = seat.filter(|&seat| !self.has_seat(seat)) {
            return Err(Rejection::NoSuchSeat(seat));
        }
        if self.status() == Status::Over {
            return Err(Rejection::GameOver);
        }
        if self.seats_of(Some(person)).next().is_some() {
            return Err(Rejection::AlreadySeated);
        }
        let may_sit = |holder: &Holder| match holder {
            Holder::Vacant => is_invited || self.settings.listed,
            Holder::Reserved { person: reserved_for, .. } => **reserved_for == *person,
            _ => false,
        };
        let seat = match seat {
            Some(seat) => match &self.seats[usize::from(seat) - 1].holder {
                holder if may_sit(holder) => seat,
                Holder::Vacant => return Err(Rejection::NotInvited),
                _ => return Err(Rejection::SeatTaken(seat)),
            },
            None => {
                let free = self.seats.iter().zip(1..).find(|(seat, _)| may_sit(&seat.holder));
                let any_vacant = self.seats.iter().any(|seat| seat.holder == Holder::Vacant);
                free.map(|(_, n)| n).ok_or(if any_vacant {
                    Rejection::NotInvited
                } else {
                    Rejection::Full
                })?
            }
        };
        Ok(Event::Joined { seat, person: person.to_owned(), name: name.to_owned() })
    }

    /// Whether a person may ask for a rematch now, and for which seat.
    ///
    /// # Errors
    /// Why a rematch is not possible.
    pub fn check_rematch(&self, person: Option<&str>) -> Result<u8, Rejection> {
        let seat = self.acting_seat(person, None, false)?;
        if self.status() != Status::Over {
            return Err(Rejection::NotOver);
        }
        match &self.rematch {
            Some(game) => Err(Rejection::RematchExists(game.to_string())),
            None => Ok(seat),
        }
    }

    /// The seat for which a person acts. Of several seats, the one to move if it is among them.
    pub(crate) fn acting_seat(
        &self,
        person: Option<&str>,
        wanted: Option<u8>,
        still_there: bool,
    ) -> Result<u8, Rejection> {
        let mut seats = self
            .seats_of(person)
            .filter(|&seat| !still_there || self.seats[usize::from(seat) - 1].left.is_none());
        if let Some(wanted) = wanted {
            if !self.has_seat(wanted) {
                return Err(Rejection::NoSuchSeat(wanted));
            }
            return seats.find(|&seat| seat == wanted).ok_or(Rejection::NotYourSeat(wanted));
        }
        let all: Vec<u8> = seats.collect();
        let turn = self.turn().filter(|turn| all.contains(turn));
        turn.or(all.first().copied()).ok_or(Rejection::NotSeated)
    }

    pub(crate) fn check_playing(&self) -> Result<(), Rejection> {
        match self.status() {
            Status::Waiting => Err(Rejection::NotStarted),
            Status::Playing => Ok(()),
            Status::Over => Err(Rejection::GameOver),
        }
    }

    pub(crate) fn check_length(&self) -> Result<(), Rejection> {
        if self.is_too_long() { Err(Rejection::TooLong) } else { Ok(()) }
    }

    pub(crate) fn is_log_long(&self) -> bool {
        self.number >= LONG_LOG
    }

    fn has_seat(&self, seat: u8) -> bool {
        (1..=self.seats.len()).contains(&usize::from(seat))
    }
}

fn is_move_id(id: &str) -> bool {
    let is_fine = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=MAX_MOVE_ID).contains(&id.len()) && id.bytes().all(is_fine)
}
