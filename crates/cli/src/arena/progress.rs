//! The progress bar of a match, with its running result. indicatif hides it where there is no
//! terminal.

use super::report;
use azulejo_arena::{Contest, Tally};
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// A progress bar.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar over all games of a match.
    pub(super) fn new(contest: &Contest) -> Progress {
        let bar = ProgressBar::new(contest.planned());
        let template = "{bar:12} {human_pos}/{human_len} games, {eta} left  {wide_msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        // Keeps the clock running during a long game.
        bar.enable_steady_tick(Duration::from_secs(1));
        Progress { bar }
    }

    /// Shows the result so far.
    pub(super) fn show(&self, contest: &Contest, tally: &Tally) {
        self.bar.set_position(tally.games() + tally.unpaired());
        if !self.bar.is_hidden() {
            self.bar.set_message(report::in_short(contest, tally));
        }
    }

    /// Removes the bar.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
