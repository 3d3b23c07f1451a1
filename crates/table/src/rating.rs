//! Ratings of players against levels of the engine, or against puzzles: Glicko-2, as described by Mark
//! Glickman (<http://www.glicko.net/glicko/glicko2.pdf>). The formulas are those of the library
//! `skillratings`; what is here are the ratings of the levels, and limits for numbers from outside.

use azulejo_engine::Level;
use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

/// How well somebody plays, and how sure that is.
///
/// ```
/// use azulejo_table::rating::{Outcome, RatedResult, Rating};
///
/// let new = Rating::default();
/// let won = RatedResult { rating: 1_500.0, deviation: 50.0, outcome: Outcome::Win };
/// let better = new.after(&[won]);
/// assert!(better.rating > new.rating && better.deviation < new.deviation);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The rating; 1,500 for a new player.
    pub rating: f64,
    /// The rating deviation: the true rating is within two deviations with a probability of 95 %.
    pub deviation: f64,
    /// How erratic the results are.
    pub volatility: f64,
}

impl Default for Rating {
    fn default() -> Rating {
        Rating { rating: 1_500.0, deviation: MAX_DEVIATION, volatility: 0.06 }
    }
}

/// How a game or a puzzle ended for the player who is rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Won, or solved.
    Win,
    /// A shared victory.
    Draw,
    /// Lost, or not solved.
    Loss,
}

/// The result of a game or a puzzle, with the rating of the opponent or the puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatedResult {
    /// The opponent's rating.
    pub rating: f64,
    /// The opponent's rating deviation.
    pub deviation: f64,
    /// How it ended for the player.
    pub outcome: Outcome,
}

/// The rating deviation of a new player.
const MAX_DEVIATION: f64 = 350.0;

impl Rating {
    /// The rating after one rating period. In a period without results only the deviation grows.
    #[must_use]
    pub fn after(self, results: &[RatedResult]) -> Rating {
        let results: Vec<_> = results
            .iter()
            .map(|result| {
                let outcome = match result.outcome {
                    Outcome::Win => Outcomes::WIN,
                    Outcome::Draw => Outcomes::DRAW,
                    Outcome::Loss => Outcomes::LOSS,
                };
                let Rating { volatility, .. } = Rating::default();
                (limited(result.rating, result.deviation, volatility), outcome)
            })
            .collect();
        let player = limited(self.rating, self.deviation, self.volatility);
        let after = glicko2_rating_period(&player, &results, &Glicko2Config::new());
        let Glicko2Rating { rating, deviation, volatility } =
            limited(after.rating, after.deviation, after.volatility);
        Rating { rating, deviation, volatility }
    }
}

/// Numbers from files and messages, where the formulas are defined: without a volatility above 0 the
/// library's iteration would not end.
fn limited(rating: f64, deviation: f64, volatility: f64) -> Glicko2Rating {
    Glicko2Rating {
        rating: rating.clamp(-10_000.0, 10_000.0),
        deviation: deviation.clamp(1.0, MAX_DEVIATION),
        volatility: volatility.clamp(0.001, 0.2),
    }
}

/// The rating of a level in games of two players, from the victories of each level over the one below
/// (docs/engine.md); the weakest has 800. Level 10 is a little above level 9 in the time of a page.
#[must_use]
pub fn level_rating(level: Level) -> u16 {
    const RATINGS: [u16; Level::MAX.number() as usize] =
        [800, 1_010, 1_160, 1_350, 1_550, 1_820, 2_040, 2_310, 2_570, 2_630];
    RATINGS[usize::from(level.number() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(rating: f64, deviation: f64, outcome: Outcome) -> RatedResult {
        RatedResult { rating, deviation, outcome }
    }

    /// The worked example of Glickman's paper.
    #[test]
    fn the_example_of_the_paper() {
        let player = Rating { rating: 1_500.0, deviation: 200.0, volatility: 0.06 };
        let after = player.after(&[
            result(1_400.0, 30.0, Outcome::Win),
            result(1_550.0, 100.0, Outcome::Loss),
            result(1_700.0, 300.0, Outcome::Loss),
        ]);
        assert_eq!(format!("{:.2} {:.2}", after.rating, after.deviation), "1464.05 151.52");
        assert_eq!(format!("{:.5}", after.volatility), "0.06000");
    }

    #[test]
    fn nothing_from_outside_breaks_a_rating() {
        let wild = [f64::MAX, f64::MIN, 0.0, -0.0, f64::MIN_POSITIVE, 1e9];
        for rating in wild {
            for other in wild {
                let player = Rating { rating, deviation: other, volatility: other };
                for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
                    let after = player.after(&[result(other, rating, outcome); 3]);
                    let all = [after.rating, after.deviation, after.volatility];
                    assert!(all.into_iter().all(f64::is_finite), "{player:?}: {after:?}");
                }
            }
        }
    }

    #[test]
    fn a_period_without_results_makes_a_rating_less_certain() {
        let player = Rating { deviation: 60.0, ..Rating::default() };
        let after = player.after(&[]);
        assert_eq!(after.rating, player.rating);
        assert!(after.deviation > player.deviation);
    }

    /// Somebody who wins three quarters of the games against a level is about 190 points above it.
    #[test]
    fn many_results_lead_to_the_expected_rating() {
        let level = f64::from(level_rating(Level::FIRST));
        let mut player = Rating::default();
        for n in 0..400 {
            let outcome = if n % 4 == 0 { Outcome::Loss } else { Outcome::Win };
            player = player.after(&[result(level, 50.0, outcome)]);
        }
        let above = player.rating - level;
        assert!((130.0..260.0).contains(&above), "{above} above, {player:?}");
        assert!(player.deviation < 80.0, "{player:?}");
    }

    #[test]
    fn stronger_levels_have_higher_ratings() {
        let ratings: Vec<u16> = Level::all().map(level_rating).collect();
        assert!(ratings.is_sorted_by(|a, b| a < b), "{ratings:?}");
    }
}
