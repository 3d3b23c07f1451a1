//! A game under way: the record, the dealer, the players, the clock. The full screen and the plain
//! mode both play through it. It reads no files and knows no screen.

mod choices;
mod clock;
mod folder;
mod seats;

pub use choices::{Choices, SeatCount};
pub use clock::{GameClock, TimeControl, TimeControlError, show_ms};
pub use folder::{Folder, FolderError, GameFile, SavedGame, read_record};
pub use seats::{MAX_NAME, Mind, Player, PlayerError};

use azulejo_notation::{Action, Dealer, Record, Seed, Start, verify_deals};
use azulejo_rules::{IllegalMove, Move, Phase, Position, Seat, Step};
use std::time::Instant;

/// A game under way.
#[derive(Clone, Debug)]
pub struct Session {
    record: Record,
    dealer: Dealer,
    players: Vec<Player>,
    clock: Option<GameClock>,
}

impl Session {
    /// A new game, its first round dealt. `seed` is used if none was chosen.
    #[must_use]
    pub fn start(choices: &Choices, seed: &Seed) -> Session {
        let seed = choices.seed.as_ref().unwrap_or(seed).clone();
        let (first, dealer) = Dealer::new(&seed, choices.rules());
        let mut record = Record::new(*choices.rules(), first).expect("the dealer knows who starts");
        record.set_seed(Some(seed));
        let mut session = Session {
            record,
            dealer,
            players: choices.players().to_vec(),
            clock: choices.time.map(GameClock::new),
        };
        session.sign();
        session.deal(&mut Vec::new());
        session
    }

    /// Goes on with a recorded game. Where its deals do not follow from its seed, a new record
    /// begins at the position reached, with this seed for what comes.
    #[must_use]
    pub fn resume(record: Record, seed: &Seed) -> Session {
        let players = players_of(&record);
        let clock = clock_of(&record);
        let (record, dealer) = match verify_deals(&record) {
            Ok(dealer) => (record, dealer),
            Err(_) => restart(&record, seed),
        };
        let mut session = Session { record, dealer, players, clock };
        session.sign();
        session.deal(&mut Vec::new());
        session
    }

    /// The game so far.
    #[must_use]
    pub const fn record(&self) -> &Record {
        &self.record
    }

    /// Where it stands.
    #[must_use]
    pub const fn position(&self) -> &Position {
        self.record.final_position()
    }

    /// The players by seat.
    #[must_use]
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// The player of a seat of the game.
    #[must_use]
    pub fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index().min(self.players.len() - 1)]
    }

    /// The name of a seat.
    #[must_use]
    pub fn name(&self, seat: Seat) -> String {
        self.player(seat).name.clone()
    }

    /// Who has to decide now; `None` after the end.
    #[must_use]
    pub fn to_move(&self) -> Option<&Player> {
        let is_due = matches!(self.position().phase(), Phase::Draft | Phase::Tiling(_));
        is_due.then(|| self.player(self.position().turn()))
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.position().ended_by().is_some()
    }

    /// The clock.
    #[must_use]
    pub const fn clock(&self) -> Option<&GameClock> {
        self.clock.as_ref()
    }

    /// Lets the time of whoever has to decide run.
    pub fn start_clock(&mut self, now: Instant) {
        let (turn, is_over) = (self.position().turn(), self.is_over());
        match &mut self.clock {
            Some(clock) if !is_over => clock.start(turn, now),
            _ => {}
        }
    }

    /// Stops the time, as while walls are tiled.
    pub fn stop_clock(&mut self, now: Instant) {
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
    }

    /// Plays a move, and deals the next round if that is due. Gives everything that happened.
    ///
    /// # Errors
    /// If the move is illegal; nothing has changed then.
    pub fn play(&mut self, m: Move, now: Instant) -> Result<Vec<Step>, IllegalMove> {
        let seat = self.position().turn();
        let mut events = Vec::new();
        self.record.play_with(m, |event| events.push(event))?;
        if let Some(clock) = &mut self.clock {
            clock.press(seat, now);
        }
        self.deal(&mut events);
        self.sign();
        Ok(events)
    }

    /// Takes moves back: to the last decision of a person, or one move where nobody is one. Tells
    /// whether there was something to take back.
    pub fn undo(&mut self) -> bool {
        let n_moves = self.record.n_moves();
        let has_people = self.players.iter().any(Player::is_person);
        let mut target = None;
        let mut n = 0;
        for step in self.record.replay() {
            if let Action::Move(_) = step.action {
                if !has_people || self.player(step.before.turn()).is_person() {
                    target = Some(n);
                }
                n += 1;
            }
        }
        match target {
            Some(n) if n < n_moves => {
                self.rewind(n);
                true
            }
            _ => false,
        }
    }

    /// The same game after its first moves only, to be played on from there.
    #[must_use]
    pub fn at(record: &Record, n_moves: usize, seed: &Seed) -> Session {
        Session::resume(prefix(record, n_moves), seed)
    }

    fn rewind(&mut self, n_moves: usize) {
        self.record = prefix(&self.record, n_moves);
        self.dealer = verify_deals(&self.record).expect("a part of the game has the same deals");
        self.deal(&mut Vec::new());
        self.sign();
    }

    fn deal(&mut self, events: &mut Vec<Step>) {
        while self.position().phase() == Phase::Deal {
            let position = *self.position();
            let deal = self.dealer.deal(&position).expect("the dealer is this game's");
            let dealt = self.record.deal_with(&deal, |event| events.push(event));
            dealt.expect("the dealer deals what is there");
        }
    }

    /// Writes into the record who plays and what time is left, so that the file is the whole game.
    fn sign(&mut self) {
        // Names and tags of ours are short and plain, so that none is refused.
        for (&seat, player) in self.record.rules().players().seats().iter().zip(&self.players) {
            // A name that is only shortened for the screen stays whole in the record.
            let known = self.record.name(seat).map(|name| Player::person(name).name);
            if known.as_ref() != Some(&player.name) {
                let _ = self.record.set_name(seat, &player.name);
            }
            let _ = self.record.set_tag(&format!("Player{seat}"), &player.mind.to_string());
            if let Some(clock) = &self.clock {
                let left_ms = clock.stopped_ms(seat);
                let _ = self.record.set_tag("Clock", &clock.control().to_string());
                let _ = self.record.set_tag(&format!("Left{seat}"), &format!("{left_ms} ms"));
            }
        }
    }
}

/// The first moves of a record, with everything that is said about the game.
fn prefix(record: &Record, n_moves: usize) -> Record {
    let mut part = match *record.start() {
        Start::New { first } => Record::new(*record.rules(), first).expect("it began so before"),
        Start::Position(position) => Record::from_position(position),
    };
    part.set_seed(record.seed().cloned());
    label_like(record, &mut part);
    let _ = part.set_comment(record.comment().unwrap_or_default());
    let mut n = 0;
    for step in record.replay() {
        match step.action {
            Action::Deal(deal) => part.deal(&deal).expect("it was dealt before"),
            Action::Move(_) if n == n_moves => break,
            Action::Move(m) => {
                part.play(m).expect("it was played before");
                n += 1;
            }
        }
        let _ = part.set_comment(step.comment.unwrap_or_default());
    }
    part
}

/// A record that begins where another one stands.
fn restart(record: &Record, seed: &Seed) -> (Record, Dealer) {
    let position = *record.final_position();
    let mut next = Record::from_position(position);
    label_like(record, &mut next);
    next.set_seed(Some(seed.clone()));
    (next, Dealer::resume(seed, &position))
}

fn label_like(record: &Record, next: &mut Record) {
    for (&seat, name) in record.rules().players().seats().iter().zip(record.names()) {
        let _ = next.set_name(seat, name.as_deref().unwrap_or_default());
    }
    for (name, value) in record.tags() {
        let _ = next.set_tag(name, value);
    }
}

/// Who plays a recorded game. Of seats that it says nothing about people take care.
fn players_of(record: &Record) -> Vec<Player> {
    let player = |&seat: &Seat| {
        let tag = record.tag(&format!("Player{seat}"));
        let otherwise = format!("Seat {seat}");
        let name = record.name(seat).filter(|name| !name.trim().is_empty()).unwrap_or(&otherwise);
        let mind = tag.and_then(Mind::from_tag).unwrap_or(Mind::Person);
        Player { mind, ..Player::person(name) }
    };
    record.rules().players().seats().iter().map(player).collect()
}

fn clock_of(record: &Record) -> Option<GameClock> {
    let mut clock = GameClock::new(record.tag("Clock")?.parse().ok()?);
    for &seat in record.rules().players().seats() {
        let left = record.tag(&format!("Left{seat}")).and_then(|left| left.strip_suffix(" ms"));
        // No clock shows more than the longest game could have.
        if let Some(left_ms) = left.and_then(|left| left.parse().ok()) {
            const DAY_MS: i64 = 24 * 60 * 60 * 1000;
            clock.set_left_ms(seat, i64::clamp(left_ms, -DAY_MS, DAY_MS));
        }
    }
    Some(clock)
}

#[cfg(test)]
mod tests;
