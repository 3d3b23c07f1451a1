//! A game under way in the terminal: record, dealer, players and clock. The full screen and the plain
//! mode both play through it; it reads no files and draws nothing.

mod choices;
mod clock;
mod folder;
mod seats;

pub use choices::{Choices, SeatCount};
pub use clock::{GameClock, TimeControl, TimeControlError, show_ms};
pub use folder::{Folder, FolderError, GameFile, SavedGame, read_record};
pub use seats::{MAX_NAME, Player, PlayerError, PlayerKind};

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
    /// How often moves were taken back.
    n_undos: u64,
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
            n_undos: 0,
        };
        session.write_tags();
        session.deal(&mut Vec::new());
        session
    }

    /// Resumes a recorded game. If its deals do not follow from its seed, a new record begins at the
    /// position reached, with `seed` for the deals to come.
    #[must_use]
    pub fn resume(record: Record, seed: &Seed) -> Session {
        let players = players_of(&record);
        let clock = clock_of(&record);
        let (record, dealer) = match verify_deals(&record) {
            Ok(dealer) => (record, dealer),
            Err(_) => restart(&record, seed),
        };
        let mut session = Session { record, dealer, players, clock, n_undos: 0 };
        session.write_tags();
        session.deal(&mut Vec::new());
        session
    }

    /// The game so far.
    #[must_use]
    pub const fn record(&self) -> &Record {
        &self.record
    }

    /// The position.
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

    /// The player to move; `None` after the end.
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

    /// Starts the clock of the player to move.
    pub fn start_clock(&mut self, now: Instant) {
        let (turn, is_over) = (self.position().turn(), self.is_over());
        match &mut self.clock {
            Some(clock) if !is_over => clock.start(turn, now),
            _ => {}
        }
    }

    /// Stops the clock, as during an animation.
    pub fn stop_clock(&mut self, now: Instant) {
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
    }

    /// Plays a move, and deals the next round if that is due. Returns all steps.
    ///
    /// # Errors
    /// If the move is illegal; nothing has changed then.
    pub fn play(&mut self, m: Move, now: Instant) -> Result<Vec<Step>, IllegalMove> {
        let seat = self.position().turn();
        let mut steps = Vec::new();
        self.record.play_with(m, |step| steps.push(step))?;
        if let Some(clock) = &mut self.clock {
            clock.press(seat, now);
        }
        self.deal(&mut steps);
        self.write_tags();
        Ok(steps)
    }

    /// Takes moves back to the last decision of a person, or one move if only engines play. Returns
    /// false if there was none.
    pub fn undo(&mut self) -> bool {
        let has_people = self.players.iter().any(Player::is_person);
        let moves = self.record.replay().filter(|step| matches!(step.action, Action::Move(_)));
        let is_decision = |turn| !has_people || self.player(turn).is_person();
        let decisions = moves.enumerate().filter(|(_, step)| is_decision(step.before.turn()));
        let Some(n_moves) = decisions.map(|(n, _)| n).last() else { return false };
        self.record = prefix(&self.record, n_moves);
        self.dealer = verify_deals(&self.record).expect("a part of the game has the same deals");
        self.deal(&mut Vec::new());
        self.write_tags();
        self.n_undos += 1;
        true
    }

    /// How often moves were taken back.
    #[must_use]
    pub fn n_undos(&self) -> u64 {
        self.n_undos
    }

    /// The same game after its first `n_moves` moves, to play on from there.
    #[must_use]
    pub fn at(record: &Record, n_moves: usize, seed: &Seed) -> Session {
        Session::resume(prefix(record, n_moves), seed)
    }

    fn deal(&mut self, steps: &mut Vec<Step>) {
        while self.position().phase() == Phase::Deal {
            let position = *self.position();
            let deal = self.dealer.deal(&position).expect("the dealer belongs to this game");
            let dealt = self.record.deal_with(&deal, |step| steps.push(step));
            dealt.expect("the dealer draws from the bag");
        }
    }

    /// Writes players and clocks into the tags of the record, so that the file is the whole game.
    fn write_tags(&mut self) {
        // Our names and tags are short and plain, so no error is possible.
        for (&seat, player) in self.record.rules().players().seats().iter().zip(&self.players) {
            // A long name that is only shown shortened stays whole in the record.
            let known = self.record.name(seat).map(|name| Player::person(name).name);
            if known.as_ref() != Some(&player.name) {
                let _ = self.record.set_name(seat, &player.name);
            }
            let _ = self.record.set_tag(&format!("Player{seat}"), &player.kind.to_string());
            if let Some(clock) = &self.clock {
                let left_ms = clock.stopped_ms(seat);
                let _ = self.record.set_tag("Clock", &clock.control().to_string());
                let _ = self.record.set_tag(&format!("Left{seat}"), &format!("{left_ms} ms"));
            }
        }
    }
}

/// A record of the first moves of another, with its tags and comments.
fn prefix(record: &Record, n_moves: usize) -> Record {
    let mut part = match *record.start() {
        Start::New { first } => {
            Record::new(*record.rules(), first).expect("the record began the same way")
        }
        Start::Position(position) => Record::from_position(position),
    };
    part.set_seed(record.seed().cloned());
    copy_tags(record, &mut part);
    let _ = part.set_comment(record.comment().unwrap_or_default());
    let mut n = 0;
    for step in record.replay() {
        match step.action {
            Action::Deal(deal) => part.deal(&deal).expect("the record has this deal"),
            Action::Move(_) if n == n_moves => break,
            Action::Move(m) => {
                part.play(m).expect("the record has this move");
                n += 1;
            }
        }
        let _ = part.set_comment(step.comment.unwrap_or_default());
    }
    part
}

/// A record that starts from the final position of another.
fn restart(record: &Record, seed: &Seed) -> (Record, Dealer) {
    let position = *record.final_position();
    let mut next = Record::from_position(position);
    copy_tags(record, &mut next);
    next.set_seed(Some(seed.clone()));
    (next, Dealer::resume(seed, &position))
}

fn copy_tags(record: &Record, next: &mut Record) {
    for (&seat, name) in record.rules().players().seats().iter().zip(record.names()) {
        let _ = next.set_name(seat, name.as_deref().unwrap_or_default());
    }
    for (name, value) in record.tags() {
        let _ = next.set_tag(name, value);
    }
}

/// The players of a recorded game. Seats without a tag are people.
fn players_of(record: &Record) -> Vec<Player> {
    let player = |&seat: &Seat| {
        let tag = record.tag(&format!("Player{seat}"));
        let otherwise = format!("Seat {seat}");
        let name = record.name(seat).filter(|name| !name.trim().is_empty()).unwrap_or(&otherwise);
        let kind = tag.and_then(PlayerKind::from_tag).unwrap_or(PlayerKind::Person);
        Player { kind, ..Player::person(name) }
    };
    record.rules().players().seats().iter().map(player).collect()
}

fn clock_of(record: &Record) -> Option<GameClock> {
    let mut clock = GameClock::new(record.tag("Clock")?.parse().ok()?);
    for &seat in record.rules().players().seats() {
        let left = record.tag(&format!("Left{seat}")).and_then(|left| left.strip_suffix(" ms"));
        // A damaged tag must not overflow the clock.
        if let Some(left_ms) = left.and_then(|left| left.parse().ok()) {
            const DAY_MS: i64 = 24 * 60 * 60 * 1000;
            clock.set_left_ms(seat, i64::clamp(left_ms, -DAY_MS, DAY_MS));
        }
    }
    Some(clock)
}

#[cfg(test)]
mod tests;
