//! What time it is. Events carry the time of day, which all nodes share; but a clock that is set
//! while the server runs must not take anybody's thinking time away. So the time of day is read
//! once, at the start, and from then on counted. It is not believed if it is before the last event
//! in the log: time does not go back.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A clock that never jumps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    started_ms: i64,
    started: Instant,
}

impl Clock {
    /// A clock that is set to a time, in milliseconds since 1970.
    #[must_use]
    pub(crate) fn new(now_ms: i64) -> Clock {
        Clock { started_ms: now_ms, started: Instant::now() }
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub(crate) fn now_ms(&self) -> i64 {
        self.started_ms.saturating_add(millis(self.started.elapsed()))
    }

    /// When the server started.
    #[must_use]
    pub(crate) const fn started_ms(&self) -> i64 {
        self.started_ms
    }
}

/// A time of day in milliseconds since 1970.
pub(crate) fn since_1970_ms(time: SystemTime) -> i64 {
    millis(time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO))
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// A day as records write it: `2026-11-15`.
#[must_use]
pub(crate) fn date(ms: i64) -> String {
    // Days since 1970-01-01 to the calendar, by counting eras of 400 years from a March 1st.
    let days = ms.div_euclid(86_400_000) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let check = |day: i64, expected: &str| assert_eq!(date(day * 86_400_000), expected);
        check(0, "1970-01-01");
        check(59, "1970-03-01");
        check(11_016, "2000-02-29");
        check(20_772, "2026-11-15");
        assert_eq!(date(20_772 * 86_400_000 + 86_399_999), "2026-11-15");
    }

    #[test]
    fn time_goes_forward() {
        let clock = Clock::new(since_1970_ms(SystemTime::now()));
        let before = clock.now_ms();
        assert!(clock.now_ms() >= before && before >= clock.started_ms());
    }
}
