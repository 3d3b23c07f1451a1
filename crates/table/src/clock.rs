//! Time controls. Every duration is a difference between the times of two events, so that all nodes
//! compute the same, before and after a restart.

use serde::{Deserialize, Serialize};

const SECOND: i64 = 1_000;
const DAY: i64 = 24 * 3_600 * SECOND;

/// The time control of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClockSpec {
    /// No clock.
    #[default]
    None,
    /// A time for all moves of a seat, with an increment after each move.
    Total {
        /// Seconds for the whole game, 1 to 86,400.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 86_400))]
        seconds: u32,
        /// Seconds added after each move, 0 to 3,600.
        #[cfg_attr(feature = "openapi", schema(maximum = 3_600))]
        #[serde(default)]
        increment: u32,
    },
    /// A time for each move.
    PerMove {
        /// Days, 1 to 30.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 30))]
        days: u32,
    },
}

impl ClockSpec {
    /// Checks that the numbers are in their ranges.
    ///
    /// # Errors
    /// A sentence that names the field and its range.
    pub fn check(&self) -> Result<(), &'static str> {
        match *self {
            ClockSpec::Total { seconds: 0 | 86_401.., .. } => {
                Err("`clock.seconds` must be 1 to 86400")
            }
            ClockSpec::Total { increment: 3_601.., .. } => {
                Err("`clock.increment` must be 0 to 3600")
            }
            ClockSpec::PerMove { days: 0 | 31.. } => Err("`clock.days` must be 1 to 30"),
            _ => Ok(()),
        }
    }

    /// The time of a seat at the start; `None` if there is no clock.
    pub(crate) fn start_ms(&self) -> Option<i64> {
        match *self {
            ClockSpec::None => None,
            ClockSpec::Total { seconds, .. } => Some(i64::from(seconds) * SECOND),
            ClockSpec::PerMove { days } => Some(i64::from(days) * DAY),
        }
    }

    /// The time left after a move that took `used_ms`.
    pub(crate) fn after_move(&self, left_ms: i64, used_ms: i64) -> i64 {
        match *self {
            ClockSpec::None => left_ms,
            ClockSpec::Total { increment, .. } => {
                (left_ms - used_ms).max(0) + i64::from(increment) * SECOND
            }
            ClockSpec::PerMove { days } => i64::from(days) * DAY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_use_time_and_gain_the_increment() {
        let total = ClockSpec::Total { seconds: 60, increment: 5 };
        assert_eq!(total.start_ms(), Some(60_000));
        assert_eq!(total.after_move(60_000, 12_500), 52_500);
        assert_eq!(total.after_move(1_000, 4_000), 5_000);
        let days = ClockSpec::PerMove { days: 3 };
        assert_eq!(days.after_move(1, 1_000_000), 3 * DAY);
        assert_eq!(ClockSpec::None.start_ms(), None);
    }

    #[test]
    fn numbers_outside_their_ranges_are_refused() {
        let total = |seconds, increment| ClockSpec::Total { seconds, increment };
        for fine in [total(1, 0), total(86_400, 3_600), ClockSpec::PerMove { days: 30 }] {
            assert_eq!(fine.check(), Ok(()));
        }
        for bad in [total(0, 0), total(86_401, 0), total(60, 3_601), ClockSpec::PerMove { days: 0 }]
        {
            assert!(bad.check().is_err(), "{bad:?}");
        }
    }
}
