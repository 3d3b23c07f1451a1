//! The review of a replayed game in a thread of its own: it reports each move as soon as it is judged.

use azulejo_engine::Stop;
use azulejo_notation::Record;
use azulejo_review::{Budget, Decision, Reviewer, Settings};

/// A move of a record and its judgement.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The number of the review that was asked for.
    pub id: u64,
    /// The judgement; those of a review come in the order of the moves.
    pub decision: Box<Decision>,
}

/// The handle of the thread. Dropping it stops the review.
#[derive(Debug, Default)]
pub struct ReviewThread {
    stop: Stop,
}

impl ReviewThread {
    /// Stops the review under way and starts one of this record, which calls `report` for each move.
    pub fn start(&mut self, id: u64, record: &Record, report: impl Fn(Judged) + Send + 'static) {
        self.stop();
        let settings = Settings { budget: Budget::NORMAL, ..Settings::default() };
        // A record without a move has nothing to judge.
        let Ok(mut reviewer) = Reviewer::new(record, settings) else { return };
        let stop = self.stop.clone();
        std::thread::spawn(move || {
            let mut n_reported = 0;
            while reviewer.step(&stop) {
                for decision in &reviewer.decisions()[n_reported..] {
                    report(Judged { id, decision: Box::new(decision.clone()) });
                }
                n_reported = reviewer.decisions().len();
            }
        });
    }

    /// Stops the review.
    pub fn stop(&mut self) {
        self.stop.stop();
        self.stop = Stop::new();
    }
}

impl Drop for ReviewThread {
    fn drop(&mut self) {
        self.stop.stop();
    }
}
