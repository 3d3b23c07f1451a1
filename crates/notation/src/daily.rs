//! The daily deal: one game a day that is the same for everybody, because its seed is the date.

use crate::date::utc_date;
use crate::seed::Seed;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A day of the calendar in UTC, from 1970 to 9999, and so a daily deal.
///
/// ```
/// use azulejo_notation::Day;
///
/// let day: Day = "2026-11-18".parse()?;
/// assert_eq!((day.to_string(), day), ("2026-11-18".to_owned(), Day::at(1_794_960_000_000)));
/// assert_eq!(day.seed().as_str(), "daily-2026-11-18");
/// assert!("2026-02-29".parse::<Day>().is_err());
/// # Ok::<(), azulejo_notation::DayError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(u32);

/// The days from 1970-01-01 to 9999-12-31.
const N_DAYS: u32 = 2_932_897;

const DAY_MS: i64 = 86_400_000;

impl Day {
    /// The day of a time in milliseconds since 1970. Earlier times count as 1970-01-01, times after
    /// 9999-12-31 as that day.
    #[must_use]
    pub fn at(ms: i64) -> Day {
        let days = ms.div_euclid(DAY_MS).clamp(0, i64::from(N_DAYS) - 1);
        Day(u32::try_from(days).unwrap_or_default())
    }

    /// The seed of the daily deal: `daily-` and the date.
    #[must_use]
    pub fn seed(self) -> Seed {
        format!("daily-{self}").parse().expect("a date has letters, digits and hyphens only")
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&utc_date(i64::from(self.0) * DAY_MS))
    }
}

/// A text is not a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("a day is written like 2026-11-18, from 1970 to 9999")]
pub struct DayError;

impl FromStr for Day {
    type Err = DayError;

    fn from_str(text: &str) -> Result<Day, DayError> {
        let number = |range: Range<usize>| text.get(range)?.parse::<u32>().ok();
        let (Some(year @ 1970..=9999), Some(month @ 1..=12), Some(day @ 1..=31)) =
            (number(0..4), number(5..7), number(8..10))
        else {
            return Err(DayError);
        };
        // Counts from a March 1, as `utc_date` does.
        let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let days = year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
        let found = Day(days.saturating_sub(719_469));
        // A day that the month does not have is written as one of the next month.
        if found.to_string() == text { Ok(found) } else { Err(DayError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_is_read_as_it_is_written() {
        for day in (0..N_DAYS).step_by(7).chain([N_DAYS - 1]).map(Day) {
            assert_eq!(day.to_string().parse(), Ok(day), "{day}");
        }
        for day in (0..366 * 8).map(Day) {
            assert_eq!(day.to_string().parse(), Ok(day), "{day}");
        }
    }

    #[test]
    fn other_texts_are_no_days() {
        let faults = [
            "",
            "2026",
            "2026-1-1",
            "2026-13-01",
            "2026-04-31",
            "2026-02-29",
            "1969-12-31",
            "2026-11-18 ",
            "2026/11/18",
            "+026-11-18",
            "２０２６-11-18",
        ];
        for text in faults {
            assert_eq!(text.parse::<Day>(), Err(DayError), "{text}");
        }
        assert_eq!(Day::at(-1).to_string(), "1970-01-01");
        assert_eq!(Day::at(i64::MAX).to_string(), "9999-12-31");
    }
}
