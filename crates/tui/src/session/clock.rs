//! The clock of a game at one keyboard: a time for the whole game and an increment after each move. It
//! only counts. A seat whose time is up plays on and its clock shows a negative time, because a record
//! has no loss on time.

use azulejo_rules::Seat;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// A time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Minutes for the whole game.
    pub minutes: u16,
    /// Seconds added after each move.
    pub increment_s: u16,
}

/// As in `10+5`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.minutes, self.increment_s)
    }
}

/// A text is not a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a clock is minutes and seconds per move, as in 10+5; both at most 999, the minutes at least 1"
)]
pub struct TimeControlError;

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let (minutes, increment) = text.split_once('+').unwrap_or((text, "0"));
        let number = |text: &str| text.trim().parse().ok().filter(|&n: &u16| n <= 999);
        let minutes = number(minutes).filter(|&n| n > 0).ok_or(TimeControlError)?;
        Ok(TimeControl { minutes, increment_s: number(increment).ok_or(TimeControlError)? })
    }
}

/// The clock of a game under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameClock {
    control: TimeControl,
    /// The time left by seat, in milliseconds; negative when it is up.
    left_ms: [i64; 4],
    /// The seat whose clock runs, and since when.
    running: Option<(Seat, Instant)>,
}

impl GameClock {
    /// A clock before the first move.
    #[must_use]
    pub fn new(control: TimeControl) -> GameClock {
        GameClock { control, left_ms: [i64::from(control.minutes) * 60_000; 4], running: None }
    }

    /// The time control.
    #[must_use]
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// Sets the time left, as read from a saved game.
    pub fn set_left_ms(&mut self, seat: Seat, left_ms: i64) {
        self.left_ms[seat.index()] = left_ms;
    }

    /// Starts the clock of a seat and stops the others.
    pub fn start(&mut self, seat: Seat, now: Instant) {
        if self.running.is_none_or(|(running, _)| running != seat) {
            self.stop(now);
            self.running = Some((seat, now));
        }
    }

    /// Stops the clock.
    pub fn stop(&mut self, now: Instant) {
        if let Some((seat, since)) = self.running.take() {
            self.left_ms[seat.index()] -= ms(now.saturating_duration_since(since));
        }
    }

    /// Stops the clock after a move and adds the increment.
    pub fn press(&mut self, seat: Seat, now: Instant) {
        self.stop(now);
        self.left_ms[seat.index()] += i64::from(self.control.increment_s) * 1000;
    }

    /// The time left, in milliseconds.
    #[must_use]
    pub fn left_ms(&self, seat: Seat, now: Instant) -> i64 {
        let spent = match self.running {
            Some((running, since)) if running == seat => ms(now.saturating_duration_since(since)),
            _ => 0,
        };
        self.left_ms[seat.index()] - spent
    }

    /// The time left when the clock stopped last, in milliseconds.
    #[must_use]
    pub const fn stopped_ms(&self, seat: Seat) -> i64 {
        self.left_ms[seat.index()]
    }

    /// When the display of the running clock changes next.
    #[must_use]
    pub fn next_change(&self, now: Instant) -> Option<Instant> {
        let (seat, _) = self.running?;
        let rest = self.left_ms(seat, now).rem_euclid(1000);
        Some(now + Duration::from_millis(rest as u64 + 1))
    }
}

fn ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Time as a clock shows it: `9:05`, `-0:12`.
#[must_use]
pub fn show_ms(left_ms: i64) -> String {
    // Seconds are rounded up, so that 0:00 means that the time is up.
    let (sign, s) = if left_ms < 0 { ("-", -left_ms / 1000) } else { ("", (left_ms + 999) / 1000) };
    format!("{sign}{}:{:02}", s / 60, s % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_printed() {
        for (text, minutes, increment_s) in [("10+5", 10, 5), ("3", 3, 0), ("999+999", 999, 999)] {
            let control = TimeControl { minutes, increment_s };
            assert_eq!(text.parse(), Ok(control));
            assert_eq!(control.to_string().parse(), Ok(control));
        }
        for text in ["", "0", "0+5", "1000", "5+", "5+-1", "x", "5:3"] {
            assert_eq!(text.parse::<TimeControl>(), Err(TimeControlError), "{text}");
        }
    }

    #[test]
    fn a_clock_runs_for_one_seat_and_adds_the_increment() {
        let start = Instant::now();
        let at = |s: u64| start + Duration::from_secs(s);
        let mut clock = GameClock::new(TimeControl { minutes: 1, increment_s: 5 });
        clock.start(Seat::One, at(0));
        assert_eq!(
            (clock.left_ms(Seat::One, at(10)), clock.left_ms(Seat::Two, at(10))),
            (50_000, 60_000)
        );
        clock.press(Seat::One, at(10));
        clock.start(Seat::Two, at(10));
        assert_eq!(
            (clock.left_ms(Seat::One, at(99)), clock.left_ms(Seat::Two, at(72))),
            (55_000, -2_000)
        );
        assert_eq!(clock.next_change(at(10)), Some(at(10) + Duration::from_millis(1)));
        assert_eq!(
            [59_001, 60_000, 500, 0, -2_000].map(show_ms),
            ["1:00", "1:00", "0:01", "0:00", "-0:02"]
        );
    }
}
