//! What a game task does without a request: the engine's moves, flag falls, and retries.

use crate::ids::{TV, short};
use crate::tables::owner::{Owner, Request};
use crate::tables::scheduler::{Asker, Purpose, Ticket};
use azulejo_engine::Level;
use azulejo_rules::Move;
use azulejo_table::{Event, Ply};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// The pause before a retry, when too many searches wait or the database did not answer.
const RETRY_INTERVAL: Duration = Duration::from_millis(500);

impl Owner {
    pub(super) async fn run_due(&mut self) {
        self.send_presence();
        if self.retry_at.is_some_and(|at| at > Instant::now()) {
            return;
        }
        self.retry_at = None;
        if self.thinking.as_ref().is_some_and(|t| t.position_number != self.game.position_number) {
            // The position has passed: its search ends.
            self.thinking = None;
        }
        if self.is_behind && self.catch_up().await.is_err() {
            return self.retry_soon();
        }
        if self.log_outages().await.is_err() {
            return self.retry_soon();
        }
        let now_ms = self.shared.clock.now_ms();
        let is_certain = now_ms >= self.shared.start_grace_end_ms() || self.game.is_too_long();
        if let Some(event) = self.game.overdue(now_ms).filter(|_| is_certain) {
            // Without a recent beat it is unknown whether players could move at all.
            if !self.shared.store.is_beating() || self.log(event).await.is_err() {
                self.retry_soon();
            }
        } else if self.game.engine_turn().is_some() {
            self.ask_engine();
        }
    }

    pub(super) fn retry_soon(&mut self) {
        self.retry_at = Some(Instant::now() + RETRY_INTERVAL);
    }

    fn ask_engine(&mut self) {
        let position_number = self.game.position_number;
        let (Some(level), Some(mailbox)) = (self.game.engine_turn(), self.mailbox.upgrade()) else {
            return;
        };
        if self.thinking.is_some() {
            return;
        }
        let is_tv = self.game.settings.creator == TV;
        if is_tv {
            // Nobody looks: the game stands still until the next watcher comes.
            if self.has_no_watchers() {
                return;
            }
            let since = u64::try_from(self.now_ms() - self.game.at_ms).unwrap_or(0);
            let pace = self.shared.config.tv_pace.saturating_sub(Duration::from_millis(since));
            if !pace.is_zero() {
                self.retry_at = Some(Instant::now() + pace);
                return;
            }
        }
        let seed = self.game.engine_seed();
        let mut answer = Answer { mailbox, position_number, m: None };
        let done = move |m| answer.is(m);
        let level = Level::new(level).unwrap_or(Level::MAX);
        let purpose = if is_tv { Purpose::Tv(level) } else { Purpose::Move(level) };
        let asker = self.answered_person();
        let engines = &self.shared.engines;
        let ticket = engines.choose(asker, self.game.position, purpose, seed, done);
        self.thinking = Some(Thinking { position_number, _ticket: ticket });
    }

    /// The person whose move the engine answers: the last one who moved, or the creator.
    fn answered_person(&self) -> Asker {
        let person = |ply: &Ply| self.game.seats[ply.seat.index()].person();
        let last = self.game.plies.iter().rev().find_map(person);
        last.unwrap_or(&self.game.settings.creator).into()
    }

    pub(super) async fn engine_moved(&mut self, position_number: u64, m: Option<Move>) {
        if self.thinking.as_ref().is_some_and(|t| t.position_number == position_number) {
            self.thinking = None;
        }
        // The position may have changed: a take-back, or another node was faster.
        if position_number != self.game.position_number || self.game.engine_turn().is_none() {
            return;
        }
        let Some(m) = m.filter(|&m| self.game.position.is_legal(m)) else {
            tracing::warn!(game = short(&self.game.id), "the engine has no move yet; trying again");
            return self.retry_soon();
        };
        self.last_used = Instant::now();
        let Some(seat) = self.game.turn() else { return };
        match self.log(Event::Moved { seat, m: m.to_string(), id: None }).await {
            Ok(true) => {
                self.shared.metrics.engine_moves.fetch_add(1, Relaxed);
            }
            Ok(false) => {}
            Err(_) => self.retry_soon(),
        }
    }
}

/// The search for the engine's move. It ends when this is dropped.
pub(super) struct Thinking {
    /// The number of the position.
    position_number: u64,
    _ticket: Ticket,
}

/// The engine's answer. It is sent when it is dropped, so that the game task also hears of a search
/// that panicked.
struct Answer {
    mailbox: mpsc::Sender<Request>,
    position_number: u64,
    m: Option<Move>,
}

impl Answer {
    /// A method, so that a closure that calls it captures the whole answer.
    fn is(&mut self, m: Option<Move>) {
        self.m = m;
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        let request = Request::EngineMove { position_number: self.position_number, m: self.m };
        // A full mailbox is empty soon. If not, the game task misses the answer and asks again.
        let mut pending = Some(request);
        for _ in 0..100 {
            let Some(next) = pending.take() else { return };
            match self.mailbox.try_send(next) {
                Ok(()) | Err(mpsc::error::TrySendError::Closed(_)) => return,
                Err(mpsc::error::TrySendError::Full(full)) => pending = Some(full),
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
