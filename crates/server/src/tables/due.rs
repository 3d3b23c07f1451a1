//! What a game task does without a request: the engine's moves, flag falls, and retries.

use crate::ids::short;
use crate::tables::owner::{Owner, Request};
use azulejo_rules::Move;
use azulejo_table::Event;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// The pause before a retry, when the engine queue is full or the database did not answer.
const RETRY_INTERVAL: Duration = Duration::from_millis(500);

impl Owner {
    pub(super) async fn run_due(&mut self) {
        if self.retry_at.is_some_and(|at| at > Instant::now()) {
            return;
        }
        self.retry_at = None;
        if self.is_behind && self.catch_up().await.is_err() {
            return self.retry_soon();
        }
        if self.game.engine_turn().is_some() {
            self.ask_engine();
        } else if self.shared.clock.now_ms() >= self.shared.start_grace_end_ms()
            && let Some(event) = self.game.overdue(self.shared.clock.now_ms())
            && self.log(event).await.is_err()
        {
            self.retry_soon();
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
        if self.thinking == Some(position_number) {
            return;
        }
        let seed = self.game.id.bytes().fold(0_u64, |sum, b| sum.wrapping_mul(31) + u64::from(b));
        let mut answer = Answer { mailbox, position_number, m: None };
        let is_asked =
            self.shared.engines.choose(self.game.position, level, seed, move |m| answer.is(m));
        if is_asked {
            self.thinking = Some(position_number);
        } else {
            self.retry_soon();
        }
    }

    pub(super) async fn engine_moved(&mut self, position_number: u64, m: Option<Move>) {
        if self.thinking == Some(position_number) {
            self.thinking = None;
        }
        // The position may have changed: a take-back, or another node was faster.
        if position_number != self.game.position_number || self.game.engine_turn().is_none() {
            return;
        }
        let Some(m) = m.filter(|&m| self.game.position.is_legal(m)) else {
            tracing::warn!(game = short(&self.game.id), "the engine found no move; trying again");
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
