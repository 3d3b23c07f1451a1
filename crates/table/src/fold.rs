//! From facts to a state: a game before its first fact, and one fact after another folded into it.
//! The same facts give the same state, on every node and after every restart.

use crate::fact::{Fact, Logged};
use crate::settings::Settings;
use crate::state::{Asked, Game, Holder, MoveId, Ply, SeatState, Status, number};
use azulejo_notation::{Dealer, Seed};
use azulejo_rules::{Move, Phase, Position, Rules};
use std::sync::Arc;

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
        if settings.seats.len() != rules.players().count() {
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

/// Where a game starts, and the dealer of its deals.
pub(crate) fn start(
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
