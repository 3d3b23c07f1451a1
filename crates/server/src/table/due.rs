//! What happens at a table by itself: the engine's moves, the end of somebody's time, and whatever
//! did not work the first time.

use crate::ids::short;
use crate::table::owner::{Order, Owner};
use azulejo_rules::Move;
use azulejo_table::Fact;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// How soon the engine is asked again when too much is waiting, or the database did not answer.
const AGAIN: Duration = Duration::from_millis(500);

impl Owner {
    pub(super) async fn do_what_is_due(&mut self) {
        if self.again.is_some_and(|at| at > Instant::now()) {
            return;
        }
        self.again = None;
        if self.is_behind && self.catch_up().await.is_err() {
            return self.try_again_soon();
        }
        if self.game.engine_turn().is_some() {
            self.ask_engine();
        } else if self.shared.clock.now_ms() >= self.shared.mercy_ms()
            && let Some(fact) = self.game.overdue(self.shared.clock.now_ms())
            && self.log(fact).await.is_err()
        {
            self.try_again_soon();
        }
    }

    pub(super) fn try_again_soon(&mut self) {
        self.again = Some(Instant::now() + AGAIN);
    }

    fn ask_engine(&mut self) {
        let position_number = self.game.position_number;
        let (Some(level), Some(door)) = (self.game.engine_turn(), self.door.upgrade()) else {
            return;
        };
        if self.thinking == Some(position_number) {
            return;
        }
        let seed = self.game.id.bytes().fold(0_u64, |sum, b| sum.wrapping_mul(31) + u64::from(b));
        let mut answer = Answer { door, position_number, m: None };
        let is_asked =
            self.shared.engines.choose(self.game.position, level, seed, move |m| answer.is(m));
        if is_asked {
            self.thinking = Some(position_number);
        } else {
            self.try_again_soon();
        }
    }

    pub(super) async fn engine_moved(&mut self, position_number: u64, m: Option<Move>) {
        if self.thinking == Some(position_number) {
            self.thinking = None;
        }
        // The game may have gone on: a take-back, or another node was faster.
        if position_number != self.game.position_number || self.game.engine_turn().is_none() {
            return;
        }
        let Some(m) = m.filter(|&m| self.game.position.is_legal(m)) else {
            tracing::warn!(
                game = short(&self.game.id),
                "the engine gave no move; it is asked again"
            );
            return self.try_again_soon();
        };
        self.last_used = Instant::now();
        let Some(seat) = self.game.turn() else { return };
        match self.log(Fact::Moved { seat, m: m.to_string(), id: None }).await {
            Ok(true) => {
                self.shared.metrics.engine_moves.fetch_add(1, Relaxed);
            }
            Ok(false) => {}
            Err(_) => self.try_again_soon(),
        }
    }
}

/// The engine's answer. It is sent when it is dropped, so that a table hears of a search that
/// failed as well.
struct Answer {
    door: mpsc::Sender<Order>,
    position_number: u64,
    m: Option<Move>,
}

impl Answer {
    /// A method, so that a closure that calls it holds the whole answer.
    fn is(&mut self, m: Option<Move>) {
        self.m = m;
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        let order = Order::Engine { position_number: self.position_number, m: self.m };
        // The table takes its orders soon, and if not, it finds no answer and asks again.
        let mut order = Some(order);
        for _ in 0..100 {
            let Some(next) = order.take() else { return };
            match self.door.try_send(next) {
                Ok(()) | Err(mpsc::error::TrySendError::Closed(_)) => return,
                Err(mpsc::error::TrySendError::Full(full)) => order = Some(full),
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
