//! Amounts in fixed point, so that sums are exact and a review is the same on every machine: shares of
//! a win in steps of 0.01 %, points in steps of 0.01.

use arrayvec::ArrayVec;
use azulejo_engine::Forecast;
use azulejo_rules::{Outcome, Seat};
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Neg, Sub, SubAssign};

macro_rules! amounts {
    ($(#[$meta:meta])* $name:ident, $per_unit:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(i32);

        impl $name {
            /// Nothing.
            pub const ZERO: $name = $name(0);

            /// The nearest amount to a number.
            #[must_use]
            pub fn new(number: f64) -> $name {
                $name((number * f64::from($per_unit)).round() as i32)
            }

            /// As a number.
            #[must_use]
            pub fn get(self) -> f64 {
                f64::from(self.0) / f64::from($per_unit)
            }

            /// Without its sign.
            #[must_use]
            pub const fn abs(self) -> $name {
                $name(self.0.abs())
            }
        }

        impl Add for $name {
            type Output = $name;

            fn add(self, other: $name) -> $name {
                $name(self.0 + other.0)
            }
        }

        impl Sub for $name {
            type Output = $name;

            fn sub(self, other: $name) -> $name {
                $name(self.0 - other.0)
            }
        }

        impl Neg for $name {
            type Output = $name;

            fn neg(self) -> $name {
                $name(-self.0)
            }
        }

        impl Div<i32> for $name {
            type Output = $name;

            /// Rounds toward zero.
            fn div(self, n: i32) -> $name {
                $name(self.0 / n)
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: $name) {
                self.0 += other.0;
            }
        }

        impl SubAssign for $name {
            fn sub_assign(&mut self, other: $name) {
                self.0 -= other.0;
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = $name>>(amounts: I) -> $name {
                $name(amounts.map(|amount| amount.0).sum())
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_f64(self.get())
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(number: D) -> Result<$name, D::Error> {
                <f64 as serde::Deserialize>::deserialize(number).map($name::new)
            }
        }
    };
}

amounts! {
    /// A share of the win, or a difference of two: 1 is a certain win, and a victory shared by two is
    /// worth 0.5 to each. In JSON a number with at most four decimals.
    ///
    /// ```
    /// use azulejo_review::Share;
    ///
    /// let (before, after) = (Share::new(0.62), Share::new(0.55));
    /// assert_eq!((after - before).get(), -0.07);
    /// assert_eq!(after.to_string(), "55.0 %");
    /// ```
    Share, 10_000
}

amounts! {
    /// Points of the expected final difference, or a difference of two. In JSON a number with at most
    /// two decimals.
    Points, 100
}

/// In percent: `61.5 %`.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.get() * 100.0;
        if f.sign_plus() { write!(f, "{percent:+.1} %") } else { write!(f, "{percent:.1} %") }
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.sign_plus() { write!(f, "{:+.1}", self.get()) } else { write!(f, "{:.1}", self.get()) }
    }
}

/// The share of each seat.
pub type Shares = ArrayVec<Share, 4>;

/// The win chances of a forecast.
pub(crate) fn shares(forecast: &Forecast) -> Shares {
    forecast.win.iter().map(|&win| Share::new(f64::from(win))).collect()
}

/// The win chance of a seat.
pub(crate) fn win(forecast: &Forecast, seat: Seat) -> Share {
    Share::new(forecast.win.get(seat.index()).map_or(0.0, |&win| f64::from(win)))
}

/// The expected difference of a seat.
pub(crate) fn difference(forecast: &Forecast, seat: Seat) -> Points {
    Points::new(forecast.difference.get(seat.index()).map_or(0.0, |&points| f64::from(points)))
}

/// Equal shares for this many seats.
pub(crate) fn even(n_seats: usize) -> Shares {
    (0..n_seats).map(|_| Share::new(1.0 / n_seats as f64)).collect()
}

/// The shares of a finished game.
pub(crate) fn of_outcome(outcome: &Outcome) -> Shares {
    of_ranks(&outcome.ranks)
}

/// The seats of rank 1 share the win.
pub(crate) fn of_ranks(ranks: &[u8]) -> Shares {
    let n_winners = ranks.iter().filter(|&&rank| rank == 1).count().max(1);
    let share = Share::new(1.0 / n_winners as f64);
    ranks.iter().map(|&rank| if rank == 1 { share } else { Share::ZERO }).collect()
}

/// By seat, the change from one to the other.
pub(crate) fn change(from: &Shares, to: &Shares) -> Shares {
    from.iter().zip(to).map(|(&from, &to)| to - from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_exact_and_readable() {
        let third = Share::new(1.0 / 3.0);
        assert_eq!(third.get(), 0.3333);
        assert_eq!((third - Share::new(0.5)).to_string(), "-16.7 %");
        assert_eq!(format!("{:+}", Points::new(2.0)), "+2.0");
        assert_eq!([third; 3].into_iter().sum::<Share>().get(), 0.9999);
    }

    #[test]
    fn a_shared_victory_counts_in_parts() {
        let halves = of_ranks(&[1, 3, 1]);
        assert_eq!(halves.as_slice(), [Share::new(0.5), Share::ZERO, Share::new(0.5)]);
        assert_eq!(of_ranks(&[2, 1]).as_slice(), [Share::ZERO, Share::new(1.0)]);
    }
}
