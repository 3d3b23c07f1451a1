//! Taking moves back: freely where one person plays with engines or with others at the same
//! screen, by consent between people, and between people never across a deal, because then the
//! tiles of the next round would be known.

use crate::fact::Fact;
use crate::refusal::Refusal;
use crate::state::{Game, SeatState, number};

impl Game {
    /// What comes of the wish to take a move back, or to let somebody else do so.
    pub(crate) fn decide_takeback(&self, person: Option<&str>) -> Result<Fact, Refusal> {
        self.check_playing()?;
        let seat = self.acting_seat(person, None, true)?;
        if !self.settings.takebacks {
            return Err(Refusal::NoTakebacks);
        }
        if let Some(asked) = &self.takeback {
            let asker = self.seats[usize::from(asked.seat) - 1].person();
            if asker == person {
                return Err(Refusal::AlreadyAsked);
            }
            let agrees = |s: &SeatState, n: u8| {
                s.person() == asker || s.person() == person || asked.agreed.contains(&n)
            };
            let everybody = self
                .seats
                .iter()
                .zip(1..)
                .filter(|(s, _)| s.person().is_some() && s.left.is_none())
                .all(|(s, n)| agrees(s, n));
            if !everybody {
                return Ok(Fact::TakebackAgreed { seat });
            }
            let n_moves = self.takeback_to(asker)?;
            return Ok(Fact::TakenBack { seat: asked.seat, n_moves });
        }
        let n_moves = self.takeback_to(person)?;
        if !self.is_between_people() {
            return Ok(Fact::TakenBack { seat, n_moves });
        }
        if self.is_log_long() {
            return Err(Refusal::TooChatty);
        }
        let seat = number(self.plies[n_moves].seat);
        Ok(Fact::TakebackAsked { seat })
    }

    /// What comes of saying no, or of taking the wish itself back.
    pub(crate) fn refuse_takeback(&self, person: Option<&str>) -> Result<Fact, Refusal> {
        self.check_playing()?;
        let seat = self.acting_seat(person, None, true)?;
        self.takeback.as_ref().ok_or(Refusal::NothingAsked)?;
        Ok(Fact::TakebackRefused { seat })
    }

    /// How many moves are left when the last one of a person is taken back, with all after it.
    fn takeback_to(&self, person: Option<&str>) -> Result<usize, Refusal> {
        let seats: Vec<u8> = self.seats_of(person).collect();
        let last = self.plies.iter().rposition(|ply| seats.contains(&number(ply.seat)));
        let last = last.ok_or(Refusal::NothingToTakeBack)?;
        if self.is_between_people() && self.plies[last].round != self.position.round() {
            return Err(Refusal::AcrossDeal);
        }
        Ok(last)
    }
}
