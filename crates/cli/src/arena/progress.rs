//! The progress of a match with its running result: a bar on a terminal, otherwise a line from time to
//! time, for log files.

use super::report;
use azulejo_arena::{Contest, Tally};
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// The progress of a match.
pub(super) struct Progress {
    bar: ProgressBar,
    /// The time between two lines.
    interval: Duration,
    last_line: Instant,
}

impl Progress {
    /// Progress over all games of a match. Without a terminal there is a line every `interval`.
    pub(super) fn new(contest: &Contest, interval: Duration) -> Progress {
        let bar = ProgressBar::new(contest.planned());
        let template = "{bar:12} {human_pos}/{human_len} games, {eta} left  {wide_msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        // Keeps the clock running during a long game.
        bar.enable_steady_tick(Duration::from_secs(1));
        Progress { bar, interval, last_line: Instant::now() }
    }

    /// Shows the result so far.
    pub(super) fn show(&mut self, contest: &Contest, tally: &Tally) {
        let n_games = tally.games() + tally.unpaired();
        self.bar.set_position(n_games);
        if !self.bar.is_hidden() {
            self.bar.set_message(report::in_short(contest, tally));
        } else if self.last_line.elapsed() >= self.interval {
            self.last_line = Instant::now();
            let planned = contest.planned();
            eprintln!("{n_games}/{planned} games  {}", report::in_short(contest, tally));
        }
    }

    /// Removes the bar.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
