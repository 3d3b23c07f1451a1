//! Values before a deal, and the luck of a deal.
//!
//! Between rounds a position waits for a deal. Its value then is the mean over all deals of the value
//! after the deal, as a search of the new round finds it. The value after a deal minus that mean is
//! the luck of the deal, whose mean over all deals is zero.

use crate::engine::Engine;
use crate::info::Forecast;
use crate::limits::{Limits, Stop};
use arrayvec::ArrayVec;
use azulejo_rules::{Deal, DealError, Phase, Position};

/// The expected result before a deal: a mean over sampled deals.
///
/// ```
/// use azulejo_engine::{Engine, Limits, Options, Stop};
/// use azulejo_rules::{Deal, Players, Position, Rules, Seat};
///
/// let position = Position::new(Rules::official(Players::Two), Seat::One);
/// let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
/// let (limits, stop) = (Limits { nodes: Some(100), ..Limits::default() }, Stop::new());
/// // A poor generator is enough for an example.
/// let mut state = 1_u32;
/// let below = |n: u32| {
///     state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
///     (state >> 8) % n
/// };
/// let before = engine.deal_value(&position, 20, &limits, &stop, below).expect("a deal is due");
/// println!("{:+.1} ± {:.1} points", before.mean.difference[0], before.error.difference[0]);
///
/// let deal: Deal = "BBYR-KKKK-BYRK-YWWW-RRKK".parse()?;
/// let luck = before.luck(&engine.after_deal(&position, &deal, &limits, &stop)?);
/// // With two players one seat's luck is the other's misfortune.
/// assert!((luck.difference[0] + luck.difference[1]).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DealValue {
    /// By seat, the mean of the forecasts after the deals.
    pub mean: Forecast,
    /// The standard error of each number in the mean; infinite for a single deal.
    pub error: Forecast,
    /// The number of deals.
    pub n_deals: u32,
}

/// What a deal is worth to each seat, compared with the mean of all deals.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Luck {
    /// By seat, in points of expected difference.
    pub difference: ArrayVec<f32, 4>,
    /// By seat, in win probability.
    pub win: ArrayVec<f32, 4>,
}

impl DealValue {
    /// The luck of a deal with a forecast after it.
    ///
    /// Its mean over all deals is zero if that forecast comes from a search with the same limits, and
    /// if its deal is not one of those in the mean.
    #[must_use]
    pub fn luck(&self, after: &Forecast) -> Luck {
        let minus = |after: &ArrayVec<f32, 4>, before: &ArrayVec<f32, 4>| {
            after.iter().zip(before).map(|(after, before)| after - before).collect()
        };
        Luck {
            difference: minus(&after.difference, &self.mean.difference),
            win: minus(&after.win, &self.mean.win),
        }
    }
}

impl Engine {
    /// The value before the next deal: searches the rounds that follow from `n_deals` deals, each with
    /// the same limits. `None` if the position does not wait for a deal, if `n_deals` is 0, or if it
    /// was stopped before the first search.
    ///
    /// `below` returns a random number below its argument, as for [`Position::draw_deal`]. With node
    /// limits and one thread the value follows from these numbers. The same numbers for two
    /// positions give them nearly the same deals, so that their difference has less noise.
    ///
    /// For a quick estimate of the same from the network alone see [`Engine::forecast`].
    pub fn deal_value(
        &mut self,
        position: &Position,
        n_deals: u32,
        limits: &Limits,
        stop: &Stop,
        mut below: impl FnMut(u32) -> u32,
    ) -> Option<DealValue> {
        if position.phase() != Phase::Deal {
            return None;
        }
        let mut moments = Moments::default();
        for _ in 0..n_deals {
            let deal = position.draw_deal(&mut below);
            let after = self.after_deal(position, &deal, limits, stop).ok()?;
            if stop.is_stopped() {
                break;
            }
            moments.add(&after);
        }
        moments.value()
    }

    /// The forecast after a deal, from a search of the round.
    ///
    /// With three and four players the best move is searched once more, with the same limits, and its value is
    /// the forecast: at the start of a round, where others have most to choose, a second search often changes
    /// the chances by several percentage points.
    ///
    /// # Errors
    /// If the position does not wait for this deal.
    pub fn after_deal(
        &mut self,
        position: &Position,
        deal: &Deal,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Forecast, DealError> {
        let mut dealt = *position;
        dealt.deal(deal)?;
        let Some(answer) = self.search(&dealt, limits, stop, &mut |_| {}) else {
            return Ok(self.forecast(&dealt));
        };
        if position.boards().len() == 2 || answer.info.exact {
            return Ok(answer.info.forecast);
        }
        dealt.play_unchecked(answer.best);
        let next = self.search(&dealt, limits, stop, &mut |_| {});
        Ok(next.map_or(answer.info.forecast, |next| next.info.forecast))
    }
}

/// Mean and variance of forecasts (Welford's algorithm), differences before wins.
#[derive(Default)]
struct Moments {
    n: u32,
    n_seats: usize,
    mean: [f64; 8],
    /// Sums of squared deviations from the mean.
    squares: [f64; 8],
}

impl Moments {
    fn add(&mut self, forecast: &Forecast) {
        self.n += 1;
        self.n_seats = forecast.win.len();
        let numbers = forecast.difference.iter().chain(&forecast.win);
        for ((&x, mean), squares) in numbers.zip(&mut self.mean).zip(&mut self.squares) {
            let off = f64::from(x) - *mean;
            *mean += off / f64::from(self.n);
            *squares += off * (f64::from(x) - *mean);
        }
    }

    fn value(&self) -> Option<DealValue> {
        let forecast = |numbers: [f64; 8]| {
            let (n, part) = (self.n_seats, |at: f64| at as f32);
            Forecast {
                difference: numbers[..n].iter().copied().map(part).collect(),
                win: numbers[n..2 * n].iter().copied().map(part).collect(),
            }
        };
        let n = f64::from(self.n);
        let error = self.squares.map(|squares| match self.n {
            0 | 1 => f64::INFINITY,
            _ => (squares / (n - 1.0) / n).sqrt(),
        });
        let value =
            DealValue { mean: forecast(self.mean), error: forecast(error), n_deals: self.n };
        (self.n > 0).then_some(value)
    }
}
