//! Applying events: folds the log of a game into its state (event sourcing). The same events give the
//! same state, on every node and after every restart.

use crate::event::{Event, LoggedEvent};
use crate::settings::Settings;
use crate::state::{
    Checkpoint, Game, Holder, MoveId, Ply, SeatState, Status, TakebackRequest, number,
};
use azulejo_notation::{Dealer, Seed};
use azulejo_rules::{Move, Phase, Position, Rules};
use std::sync::Arc;

/// The rounds whose start is kept. Take-backs go back one round at a time, so that two starts are
/// enough to play at most two rounds again for almost every take-back.
const N_CHECKPOINTS: usize = 2;

/// Why settings or a log do not make a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogError {
    /// The settings do not make a game.
    #[error("invalid settings: {0}")]
    Settings(String),
    /// The numbers have a gap.
    #[error("event {found} follows event {last}")]
    Gap {
        /// The number of the last applied event.
        last: u64,
        /// The number of the event after it.
        found: u64,
    },
    /// An event is impossible in the state before it.
    #[error("event {number}: {problem}")]
    Event {
        /// Its number.
        number: u64,
        /// Why it is impossible.
        problem: String,
    },
}

impl Game {
    /// A game before its first event.
    ///
    /// # Errors
    /// If the settings do not make a game.
    pub fn new(id: Arc<str>, settings: Arc<Settings>, seed: Seed) -> Result<Game, LogError> {
        let invalid = LogError::Settings;
        let rules: Rules = settings.rules.parse().map_err(|e| invalid(format!("{e}")))?;
        if settings.seats.len() != rules.players().count() {
            let (n_seats, n_players) = (settings.seats.len(), rules.players().count());
            return Err(invalid(format!("{n_seats} seats for {n_players} players")));
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
            quiet_since_ms: 0,
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
            checkpoints: Vec::new(),
            move_ids: Vec::new(),
            said_ms: [0; 4],
        })
    }

    /// The same game before its first event.
    #[must_use]
    pub fn restart(&self) -> Game {
        let settings = Arc::clone(&self.settings);
        Game::new(Arc::clone(&self.id), settings, self.seed.clone())
            .expect("the game was made from these settings")
    }

    /// Applies one event.
    ///
    /// # Errors
    /// If the event is impossible in this state. The game must not be used after that.
    pub fn apply(&mut self, logged: &LoggedEvent) -> Result<(), LogError> {
        if logged.number != self.number + 1 {
            return Err(LogError::Gap { last: self.number, found: logged.number });
        }
        let was_waiting = self.number == 0 || self.status() == Status::Waiting;
        let changes = self
            .apply_event(logged)
            .map_err(|problem| LogError::Event { number: logged.number, problem })?;
        self.number = logged.number;
        self.at_ms = logged.at_ms;
        if !matches!(logged.event, Event::Paused { .. }) {
            self.quiet_since_ms = logged.at_ms;
        }
        if self.number == 1 {
            self.created_ms = logged.at_ms;
        }
        let begins = was_waiting && self.status() == Status::Playing;
        if begins {
            self.since_ms = logged.at_ms;
            self.deal().map_err(|problem| LogError::Event { number: logged.number, problem })?;
        }
        if changes || begins {
            self.position_number = logged.number;
        }
        Ok(())
    }

    /// Returns whether the event changes the position or the turn.
    fn apply_event(&mut self, logged: &LoggedEvent) -> Result<bool, String> {
        match &logged.event {
            Event::Created => self.position_number = logged.number,
            Event::Joined { seat, person, name } => {
                let seat = self.seat_state(*seat)?;
                seat.holder =
                    Holder::Person { person: person.as_str().into(), name: name.as_str().into() };
            }
            Event::Moved { seat, m, id } => {
                let m: Move = m.parse().map_err(|e| format!("{e}"))?;
                if number(self.position.turn()) != *seat {
                    return Err(format!("seat {seat} moved out of turn"));
                }
                self.play(m, logged.at_ms)?;
                if let Some(id) = id {
                    let (seat, id) = (*seat, id.as_str().into());
                    self.move_ids.push(MoveId { seat, id, m, number: logged.number });
                }
                return Ok(true);
            }
            Event::TakebackAsked { seat } => {
                self.takeback = Some(TakebackRequest { seat: *seat, agreed: Vec::new() });
            }
            Event::TakebackAgreed { seat } => {
                self.takeback.as_mut().ok_or("nobody asked for a take-back")?.agreed.push(*seat);
            }
            Event::TakebackRefused { .. } => self.takeback = None,
            Event::TakenBack { n_moves, .. } => {
                self.rewind(*n_moves)?;
                self.since_ms = logged.at_ms;
                return Ok(true);
            }
            Event::Said { seat, .. } => {
                self.seat_state(*seat)?;
                self.said_ms[usize::from(*seat) - 1] = logged.at_ms;
            }
            Event::Left { seat, why } => {
                self.seat_state(*seat)?.left = Some(*why);
                self.takeback = None;
                return Ok(true);
            }
            Event::Closed { why } => {
                self.closed = Some(*why);
                return Ok(true);
            }
            Event::Paused { ms } => {
                let passed_ms = logged.at_ms - self.at_ms;
                if !(1..=passed_ms).contains(ms) {
                    return Err(format!("{ms} ms of {passed_ms} ms were paused"));
                }
                self.since_ms += ms;
                self.quiet_since_ms += ms;
            }
            Event::Rematch { game, .. } => self.rematch = Some(game.as_str().into()),
        }
        Ok(false)
    }

    /// Plays a move at a time and charges the clock of its seat.
    fn play(&mut self, m: Move, at_ms: i64) -> Result<(), String> {
        let left_ms = &mut self.left_ms[self.position.turn().index()];
        *left_ms = self.settings.clock.after_move(*left_ms, at_ms - self.since_ms);
        self.since_ms = at_ms;
        self.takeback = None;
        self.play_move(m)
    }

    /// Plays a move, and deals if that is due.
    fn play_move(&mut self, m: Move) -> Result<(), String> {
        let (seat, round) = (self.position.turn(), self.position.round());
        self.report.clear();
        let report = &mut self.report;
        self.position.play_with(m, |step| report.push(step)).map_err(|e| e.to_string())?;
        self.plies.push(Ply { seat, m, round });
        self.deal()
    }

    /// Deals, if a deal is due.
    fn deal(&mut self) -> Result<(), String> {
        if self.position.phase() == Phase::Deal {
            let deal = self.dealer.deal(&self.position).map_err(|e| e.to_string())?;
            let report = &mut self.report;
            self.position.deal_with(&deal, |step| report.push(step)).map_err(|e| e.to_string())?;
            if self.checkpoints.len() == N_CHECKPOINTS {
                self.checkpoints.remove(0);
            }
            let (n_moves, position, dealer) =
                (self.plies.len(), self.position, self.dealer.clone());
            self.checkpoints.push(Arc::new(Checkpoint { n_moves, position, dealer }));
        }
        Ok(())
    }

    /// Goes back to the first `n_moves` moves, by playing the moves since the last checkpoint again.
    fn rewind(&mut self, n_moves: usize) -> Result<(), String> {
        self.takeback = None;
        self.report.clear();
        // A checkpoint at `n_moves` would not do: the report of the move before it is needed.
        self.checkpoints.retain(|checkpoint| checkpoint.n_moves < n_moves);
        let n_kept = match self.checkpoints.last() {
            Some(checkpoint) => {
                (self.position, self.dealer) = (checkpoint.position, checkpoint.dealer.clone());
                checkpoint.n_moves
            }
            None => {
                let rules = *self.position.rules();
                (self.position, self.dealer) =
                    start(&self.settings, &self.seed, rules).map_err(|e| e.to_string())?;
                0
            }
        };
        let moves: Vec<Move> =
            self.plies.iter().take(n_moves).skip(n_kept).map(|ply| ply.m).collect();
        self.plies.truncate(n_kept);
        self.deal()?;
        moves.into_iter().try_for_each(|m| self.play_move(m))
    }

    fn seat_state(&mut self, seat: u8) -> Result<&mut SeatState, String> {
        let idx = usize::from(seat).wrapping_sub(1);
        self.seats.get_mut(idx).ok_or_else(|| format!("there is no seat {seat}"))
    }
}

/// The position where a game starts, and the dealer of its deals.
pub(crate) fn start(
    settings: &Settings,
    seed: &Seed,
    rules: Rules,
) -> Result<(Position, Dealer), LogError> {
    match &settings.position {
        None => {
            let (first, dealer) = Dealer::new(seed, &rules);
            Ok((Position::new(rules, first), dealer))
        }
        Some(text) => {
            let position: Position =
                text.parse().map_err(|e| LogError::Settings(format!("{e}")))?;
            if *position.rules() != rules {
                return Err(LogError::Settings(
                    "the rules of the position differ from the rules of the game".to_owned(),
                ));
            }
            Ok((position, Dealer::resume(seed, &position)))
        }
    }
}
