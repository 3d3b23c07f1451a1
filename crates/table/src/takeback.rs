//! Take-backs. A person who plays only with engines, or with others on the same device, takes a move
//! back at once. Between people the others have to agree, and a move stays once the next round has
//! been dealt, because its tiles are known.

use crate::event::Event;
use crate::rejection::Rejection;
use crate::state::{Game, SeatState, number};

impl Game {
    /// Decides the request to take a move back, or the consent to another player's request.
    pub(crate) fn decide_takeback(&self, person: Option<&str>) -> Result<Event, Rejection> {
        self.check_playing()?;
        self.check_length()?;
        let seat = self.acting_seat(person, None, true)?;
        if !self.settings.takebacks {
            return Err(Rejection::NoTakebacks);
        }
        if let Some(request) = &self.takeback {
            let asker = self.seats[usize::from(request.seat) - 1].person();
            if asker == person {
                return Err(Rejection::AlreadyAsked);
            }
            let agrees = |s: &SeatState, n: u8| {
                s.person() == asker || s.person() == person || request.agreed.contains(&n)
            };
            let everybody = self
                .seats
                .iter()
                .zip(1..)
                .filter(|(s, _)| s.person().is_some() && s.left.is_none())
                .all(|(s, n)| agrees(s, n));
            if !everybody {
                return Ok(Event::TakebackAgreed { seat });
            }
            let n_moves = self.takeback_to(asker)?;
            return Ok(Event::TakenBack { seat: request.seat, n_moves });
        }
        let n_moves = self.takeback_to(person)?;
        if !self.is_between_people() {
            return Ok(Event::TakenBack { seat, n_moves });
        }
        if self.is_log_long() {
            return Err(Rejection::TooChatty);
        }
        let seat = number(self.plies[n_moves].seat);
        Ok(Event::TakebackAsked { seat })
    }

    /// Decides the refusal of a take-back request, or its withdrawal.
    pub(crate) fn refuse_takeback(&self, person: Option<&str>) -> Result<Event, Rejection> {
        self.check_playing()?;
        let seat = self.acting_seat(person, None, true)?;
        self.takeback.as_ref().ok_or(Rejection::NothingAsked)?;
        Ok(Event::TakebackRefused { seat })
    }

    /// The number of moves that remain when a person's last move, and every move after it, is taken
    /// back.
    fn takeback_to(&self, person: Option<&str>) -> Result<usize, Rejection> {
        let seats: Vec<u8> = self.seats_of(person).collect();
        let last = self.plies.iter().rposition(|ply| seats.contains(&number(ply.seat)));
        let last = last.ok_or(Rejection::NothingToTakeBack)?;
        if self.is_between_people() && self.plies[last].round != self.position.round() {
            return Err(Rejection::AcrossDeal);
        }
        Ok(last)
    }
}
