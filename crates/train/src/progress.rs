//! Progress of a long job: a bar on a terminal, otherwise a line every minute.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The interval between lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(60);

/// The progress of one job. Shared by its threads.
pub(crate) struct Progress {
    bar: ProgressBar,
    unit: &'static str,
    /// When the last line was printed, where there is no terminal.
    last_line: Option<Mutex<Instant>>,
    start: Instant,
    /// Steps done in an earlier run.
    done_before: u64,
}

impl Progress {
    /// A job of `n` steps, counted in `unit`.
    pub(crate) fn new(n: u64, unit: &'static str) -> Progress {
        let is_terminal = std::io::stderr().is_terminal();
        let bar = if is_terminal { ProgressBar::new(n) } else { ProgressBar::hidden() };
        bar.set_length(n);
        let template =
            format!("{{bar:30}} {{pos}}/{{len}} {unit}  {{per_sec}}  {{eta}} left  {{msg}}");
        // If the template were invalid, the plain bar would do.
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        let last_line = (!is_terminal).then(|| Mutex::new(Instant::now()));
        Progress { bar, unit, last_line, start: Instant::now(), done_before: 0 }
    }

    /// Counts steps of an earlier run, which do not count for the speed.
    pub(crate) fn already(&mut self, n: u64) {
        self.done_before += n;
        self.bar.inc(n);
        self.bar.reset_eta();
    }

    /// Counts steps done.
    pub(crate) fn add(&self, n: u64) {
        self.bar.inc(n);
        let Some(last_line) = &self.last_line else { return };
        if let Ok(mut last) = last_line.try_lock()
            && last.elapsed() >= BETWEEN_LINES
        {
            *last = Instant::now();
            eprintln!("{}", self.line());
        }
    }

    /// Sets the text beside the bar.
    pub(crate) fn remark(&self, text: String) {
        self.bar.set_message(text);
    }

    /// Steps per second in this run.
    pub(crate) fn per_second(&self) -> f64 {
        let n = self.bar.position() - self.done_before;
        n as f64 / self.start.elapsed().as_secs_f64().max(1e-9)
    }

    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }

    fn line(&self) -> String {
        let n = self.bar.length().unwrap_or(0);
        format!("{}/{n} {}, {:.1} per second", self.bar.position(), self.unit, self.per_second())
    }
}
