//! From a wish to a fact, or to a reason why not. Nothing changes here.

use crate::action::Action;
use crate::fact::{Close, Fact, Leave};
use crate::refusal::Refusal;
use crate::state::{Game, Holder, Status, number};
use azulejo_rules::Move;

/// The longest id of a move.
pub const MAX_MOVE_ID: usize = 64;

/// A seat may speak so often.
const QUIET_MS: i64 = 1_000;

/// When the log is so long, only what decides the game is added to it.
const LONG_LOG: u64 = 2_000;

/// What comes of a wish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This has to be logged.
    Log(Fact),
    /// It was done before, in the event of that number.
    Done(u64),
}

impl Game {
    /// What comes of somebody's wish.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn decide(
        &self,
        person: Option<&str>,
        action: &Action,
        now_ms: i64,
    ) -> Result<Decision, Refusal> {
        match action {
            Action::Move { m, id, after, seat } => {
                self.decide_move(person, m, id.as_deref(), *after, *seat)
            }
            Action::Join { seat, name, is_invited } => {
                self.decide_join(person, *seat, name, *is_invited)
            }
            Action::Resign { seat } => {
                self.check_playing()?;
                let seat = self.acting_seat(person, *seat, true)?;
                Ok(Decision::Log(Fact::Left { seat, why: Leave::Resigned }))
            }
            Action::Abort => {
                self.acting_seat(person, None, false).or_else(|refusal| {
                    let is_creator = person == Some(self.settings.creator.as_str());
                    if is_creator { Ok(0) } else { Err(refusal) }
                })?;
                match self.status() {
                    Status::Over => Err(Refusal::GameOver),
                    Status::Playing if !self.plies.is_empty() => Err(Refusal::AlreadyBegun),
                    _ => Ok(Decision::Log(Fact::Closed { why: Close::Aborted })),
                }
            }
            Action::Takeback => self.decide_takeback(person).map(Decision::Log),
            Action::RefuseTakeback => self.refuse_takeback(person).map(Decision::Log),
            Action::Say { phrase, seat } => {
                let seat = self.acting_seat(person, *seat, false)?;
                let said_ms = self.said_ms[usize::from(seat) - 1];
                if now_ms - said_ms < QUIET_MS || self.number >= LONG_LOG {
                    return Err(Refusal::TooChatty);
                }
                Ok(Decision::Log(Fact::Said { seat, phrase: *phrase }))
            }
            Action::Rematch { game } => {
                let seat = self.acting_seat(person, None, false)?;
                if self.status() != Status::Over {
                    return Err(Refusal::NotOver);
                }
                match &self.rematch {
                    Some(game) => Err(Refusal::RematchExists(game.to_string())),
                    None => Ok(Decision::Log(Fact::Rematch { seat, game: game.clone() })),
                }
            }
        }
    }

    fn decide_move(
        &self,
        person: Option<&str>,
        text: &str,
        id: Option<&str>,
        after: Option<u64>,
        seat: Option<u8>,
    ) -> Result<Decision, Refusal> {
        if id.is_some_and(|id| !is_move_id(id)) {
            return Err(Refusal::BadMoveId);
        }
        let m: Move = text.parse().map_err(|e| Refusal::NotAMove(format!("{e}")))?;
        let seats: Vec<u8> = self.seats_of(person).collect();
        // A move that was sent twice is one move, even if the game has gone on or ended since.
        if let Some(known) =
            self.move_ids.iter().find(|known| id == Some(&*known.id) && seats.contains(&known.seat))
        {
            let is_same = known.m == m && seat.is_none_or(|seat| seat == known.seat);
            return if is_same {
                Ok(Decision::Done(known.number))
            } else {
                Err(Refusal::MoveIdReused)
            };
        }
        let any = self.acting_seat(person, seat, false)?;
        self.check_playing()?;
        let turn = number(self.position.turn());
        // Somebody who plays for several seats means the one whose turn it is.
        let seat = if seat.is_none() && seats.contains(&turn) { turn } else { any };
        if after.is_some_and(|after| after < self.position_number) {
            return Err(Refusal::Stale { number: self.position_number });
        }
        if seat != turn || self.engine_turn().is_some() {
            return Err(Refusal::NotYourTurn { turn });
        }
        self.position.check(m).map_err(|reason| Refusal::Illegal { m: m.to_string(), reason })?;
        Ok(Decision::Log(Fact::Moved { seat, m: m.to_string(), id: id.map(str::to_owned) }))
    }

    fn decide_join(
        &self,
        person: Option<&str>,
        seat: Option<u8>,
        name: &str,
        is_invited: bool,
    ) -> Result<Decision, Refusal> {
        let person = person.ok_or(Refusal::NotSeated)?;
        if let Some(seat) = seat.filter(|&seat| seat == 0 || usize::from(seat) > self.seats.len()) {
            return Err(Refusal::NoSuchSeat(seat));
        }
        if self.status() == Status::Over {
            return Err(Refusal::GameOver);
        }
        let sits = |seat: u8| self.seats[usize::from(seat) - 1].person() == Some(person);
        if let Some(seat) = seat.filter(|&seat| sits(seat)) {
            return Err(if sits(seat) { Refusal::AlreadySeated } else { Refusal::SeatTaken(seat) });
        }
        if self.seats_of(Some(person)).next().is_some() {
            return Err(Refusal::AlreadySeated);
        }
        let may_sit = |holder: &Holder| match holder {
            Holder::Vacant => is_invited || self.settings.listed,
            Holder::Reserved { person: kept, .. } => **kept == *person,
            _ => false,
        };
        let seat = match seat {
            Some(seat) => {
                let state = &self.seats[usize::from(seat) - 1];
                match &state.holder {
                    holder if may_sit(holder) => seat,
                    Holder::Vacant => return Err(Refusal::NotInvited),
                    _ => return Err(Refusal::SeatTaken(seat)),
                }
            }
            None => {
                let free = self.seats.iter().zip(1..).find(|(seat, _)| may_sit(&seat.holder));
                let any_vacant = self.seats.iter().any(|seat| seat.holder == Holder::Vacant);
                free.map(|(_, n)| n).ok_or(if any_vacant {
                    Refusal::NotInvited
                } else {
                    Refusal::Full
                })?
            }
        };
        let (person, name) = (person.to_owned(), name.to_owned());
        Ok(Decision::Log(Fact::Joined { seat, person, name }))
    }

    /// The seat for which a person acts. With several, the one to move if it is among them.
    pub(crate) fn acting_seat(
        &self,
        person: Option<&str>,
        wanted: Option<u8>,
        still_there: bool,
    ) -> Result<u8, Refusal> {
        let mut seats = self
            .seats_of(person)
            .filter(|&seat| !still_there || self.seats[usize::from(seat) - 1].left.is_none());
        if let Some(wanted) = wanted {
            return match usize::from(wanted) {
                n if n == 0 || n > self.seats.len() => Err(Refusal::NoSuchSeat(wanted)),
                _ => seats.find(|&seat| seat == wanted).ok_or(Refusal::NotYourSeat(wanted)),
            };
        }
        let all: Vec<u8> = seats.collect();
        let turn = self.turn().filter(|turn| all.contains(turn));
        turn.or(all.first().copied()).ok_or(Refusal::NotSeated)
    }

    pub(crate) fn check_playing(&self) -> Result<(), Refusal> {
        match self.status() {
            Status::Waiting => Err(Refusal::NotStarted),
            Status::Playing => Ok(()),
            Status::Over => Err(Refusal::GameOver),
        }
    }

    pub(crate) fn is_log_long(&self) -> bool {
        self.number >= LONG_LOG
    }
}

fn is_move_id(id: &str) -> bool {
    let is_fine = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=MAX_MOVE_ID).contains(&id.len()) && id.bytes().all(is_fine)
}
