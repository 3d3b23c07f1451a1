//! Training targets: the game result mixed with the search's forecast one round later, as in TD(λ).
//!
//! The result is unbiased but noisy, because many deals are still to come. The forecast of a later
//! search has less noise and more bias. A random exploration move ends a game for this purpose: what
//! follows says little about the positions before it, so the forecast for the search's own move
//! takes the place of the result.

use crate::game::{Ply, SelfPlayGame, StoredForecast};
use azulejo_rules::{Position, Seat};

/// The result, real or expected, for a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Target {
    /// Final score minus the best other's, in points.
    pub(crate) difference: f32,
    /// The share of the victory.
    pub(crate) win: f32,
}

impl Target {
    /// `share` times this plus the rest of the other.
    fn mixed(self, share: f32, other: Target) -> Target {
        let mix = |a: f32, b: f32| share * a + (1.0 - share) * b;
        Target { difference: mix(self.difference, other.difference), win: mix(self.win, other.win) }
    }
}

impl From<StoredForecast> for Target {
    fn from(forecast: StoredForecast) -> Target {
        Target { difference: forecast.points(), win: forecast.win_share() }
    }
}

/// The result of a finished game for a seat.
pub(crate) fn result(end: &Position, seat: Seat) -> Target {
    let score = |seat: Seat| i32::from(end.board(seat).score());
    let others = end.rules().players().seats().iter().filter(|&&other| other != seat);
    let best = others.map(|&other| score(other)).max().unwrap_or(0);
    let winners: Vec<Seat> =
        end.outcome().iter().flat_map(|o| o.winners().collect::<Vec<_>>()).collect();
    let win = if winners.contains(&seat) { 1.0 / winners.len() as f32 } else { 0.0 };
    Target { difference: (score(seat) - best) as f32, win }
}

/// How much the targets rest on results, and how much on forecasts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix {
    /// The share of the result; the rest is the forecast one round later.
    pub(crate) lambda: f32,
    /// Whether the result counts past exploration moves.
    pub(crate) past_exploration: bool,
}

/// The targets of all positions of a game.
pub(crate) struct Timeline {
    lambda: f32,
    forecasts: Vec<[StoredForecast; 4]>,
    /// By ply, the next exploration move from there on.
    next_explored: Vec<Option<usize>>,
    /// The first ply of each round.
    starts: Vec<usize>,
    /// By seat.
    results: [Target; 4],
}

impl Timeline {
    /// The targets of a game with its final position.
    pub(crate) fn new(game: &SelfPlayGame, end: &Position, mix: Mix) -> Timeline {
        let forecasts: Vec<_> = game.plies().map(|ply| ply.forecast).collect();
        let is_end = |ply: &Ply| ply.explored && !mix.past_exploration;
        let explored: Vec<bool> = game.plies().map(is_end).collect();
        let mut next_explored = vec![None; explored.len()];
        let mut next = None;
        for (ply, explored) in explored.into_iter().enumerate().rev() {
            next = if explored { Some(ply) } else { next };
            next_explored[ply] = next;
        }
        let mut starts = Vec::with_capacity(game.rounds.len());
        let mut ply = 0;
        for round in &game.rounds {
            starts.push(ply);
            ply += round.plies.len();
        }
        let mut results = [Target::default(); 4];
        for &seat in game.rules.players().seats() {
            results[seat.index()] = result(end, seat);
        }
        Timeline { lambda: mix.lambda, forecasts, next_explored, starts, results }
    }

    /// The result from a ply on, or the forecast at the next exploration move.
    pub(crate) fn outcome(&self, ply: usize, seat: Seat) -> Target {
        match self.next_explored.get(ply).copied().flatten() {
            Some(explored) => self.forecasts[explored][seat.index()].into(),
            None => self.results[seat.index()],
        }
    }

    /// The target of the position before a ply.
    pub(crate) fn within_round(&self, ply: usize, seat: Seat) -> Target {
        let next_start = self.starts.iter().copied().find(|&start| start > ply);
        self.mixed(ply, next_start, seat)
    }

    /// The target of the position before the deal of the round that starts with a ply. The forecast
    /// after the deal is one sample of the value before it.
    pub(crate) fn before_deal(&self, ply: usize, seat: Seat) -> Target {
        self.mixed(ply, Some(ply), seat)
    }

    fn mixed(&self, ply: usize, next_start: Option<usize>, seat: Seat) -> Target {
        let outcome = self.outcome(ply, seat);
        let explored = self.next_explored.get(ply).copied().flatten();
        let next_start = next_start.filter(|&start| explored.is_none_or(|ply| start <= ply));
        match next_start.and_then(|start| self.forecasts.get(start)) {
            Some(forecasts) => outcome.mixed(self.lambda, forecasts[seat.index()].into()),
            None => outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::random_game;

    /// A random game whose forecasts are their ply numbers: ply 7 expects 7 points. `explored` are the
    /// exploration plies.
    fn timeline(explored: &[usize], mix: Mix) -> (Timeline, Vec<usize>, f32) {
        let mut game = random_game("2c", 11);
        let mut starts = Vec::new();
        let mut n = 0;
        for round in &mut game.rounds {
            starts.push(n);
            for ply in &mut round.plies {
                let forecast = StoredForecast::new(n as f32, 0.25);
                ply.forecast = [
                    forecast,
                    forecast.mirrored(),
                    StoredForecast::default(),
                    StoredForecast::default(),
                ];
                ply.explored = explored.contains(&n);
                n += 1;
            }
        }
        let end = game.replay(|_| {}).unwrap();
        assert!(starts.len() >= 3);
        let result =
            i32::from(end.board(Seat::One).score()) - i32::from(end.board(Seat::Two).score());
        (Timeline::new(&game, &end, mix), starts, result as f32)
    }

    fn assert_difference(target: Target, expected: f32) {
        assert!((target.difference - expected).abs() < 0.05, "{target:?}: not {expected}");
    }

    #[test]
    fn results_are_mixed_with_the_forecast_of_the_next_round() {
        for lambda in [0.0, 0.25, 1.0] {
            let mix = Mix { lambda, past_exploration: false };
            let (timeline, starts, result) = timeline(&[], mix);
            let mixed = |expected: usize| lambda * result + (1.0 - lambda) * expected as f32;
            let target = timeline.within_round(starts[1], Seat::One);
            assert_difference(target, mixed(starts[2]));
            let target = timeline.within_round(starts[1] - 1, Seat::One);
            assert_difference(target, mixed(starts[1]));
            // The other seat has the opposite target.
            let target = timeline.within_round(starts[1] - 1, Seat::Two);
            assert_difference(target, -mixed(starts[1]));
            let target = timeline.before_deal(starts[1], Seat::One);
            assert_difference(target, mixed(starts[1]));
            // There is no round after the last.
            let last = *starts.last().unwrap();
            assert_difference(timeline.within_round(last, Seat::One), result);
        }
    }

    #[test]
    fn exploration_ends_a_game() {
        let mix = Mix { lambda: 0.5, past_exploration: false };
        let second_start = timeline(&[], mix).1[1];
        let explored = second_start + 2;
        let past = Mix { past_exploration: true, ..mix };
        assert_difference(
            timeline(&[explored], past).0.outcome(0, Seat::One),
            timeline(&[], mix).2,
        );
        let (timeline, starts, result) = timeline(&[explored], mix);
        // In the same round, also at the explored ply itself, only its forecast counts.
        for ply in [starts[1], explored] {
            assert_difference(timeline.outcome(ply, Seat::One), explored as f32);
            assert_difference(timeline.within_round(ply, Seat::One), explored as f32);
        }
        // The round before has the start of the next one as well.
        let expected = 0.5 * explored as f32 + 0.5 * starts[1] as f32;
        assert_difference(timeline.within_round(0, Seat::One), expected);
        assert_difference(timeline.before_deal(starts[1], Seat::One), expected);
        // Later positions are not affected.
        assert_difference(timeline.outcome(explored + 1, Seat::One), result);
        let expected = 0.5 * result + 0.5 * starts[2] as f32;
        assert_difference(timeline.within_round(explored + 1, Seat::One), expected);
    }

    #[test]
    fn victories_are_shared() {
        let check = |rules: &str| {
            let mut n_draws = 0;
            for seed in 0..200 {
                let end = random_game(rules, seed).replay(|_| {}).unwrap();
                let seats = end.rules().players().seats();
                let wins: Vec<f32> = seats.iter().map(|&seat| result(&end, seat).win).collect();
                assert!((wins.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{wins:?}");
                n_draws += usize::from(wins.iter().all(|&win| win < 1.0));
                for &seat in seats {
                    let Target { difference, win } = result(&end, seat);
                    // Equal scores may be decided by rows.
                    assert!((difference > 0.0) <= (win == 1.0));
                    assert!((difference < 0.0) <= (win == 0.0));
                }
            }
            n_draws
        };
        assert!(check("2c") + check("4g") > 0, "no shared victory among 400 games");
    }
}
