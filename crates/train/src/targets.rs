//! What a position should have been worth, seen from the end of its game.
//!
//! The truth about a position is how its game ended, which is noisy: a game has many deals to come.
//! What the engine expected a round later has less noise and more prejudice. Targets mix both. And
//! where chance chose a move, what came after says little about what was before: the
//! game counts as ended there, with what the search expected of its own move.

use crate::game::{Game, Outlook};
use azulejo_rules::{Position, Seat};

/// What a seat gets, or can expect.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Target {
    /// Final score minus the best other's, in points.
    pub(crate) difference: f32,
    /// The share of the victory.
    pub(crate) win: f32,
}

impl Target {
    /// `share` of this one and the rest of the other.
    fn mixed(self, share: f32, other: Target) -> Target {
        let mix = |a: f32, b: f32| share * a + (1.0 - share) * b;
        Target { difference: mix(self.difference, other.difference), win: mix(self.win, other.win) }
    }
}

impl From<Outlook> for Target {
    fn from(outlook: Outlook) -> Target {
        Target { difference: outlook.points(), win: outlook.win_share() }
    }
}

/// What a finished game brought a seat.
pub(crate) fn result(end: &Position, seat: Seat) -> Target {
    let score = |seat: Seat| i32::from(end.board(seat).score());
    let others = end.rules().players.seats().iter().filter(|&&other| other != seat);
    let best = others.map(|&other| score(other)).max().unwrap_or(0);
    let winners: Vec<Seat> =
        end.outcome().iter().flat_map(|o| o.winners().collect::<Vec<_>>()).collect();
    let win = if winners.contains(&seat) { 1.0 / winners.len() as f32 } else { 0.0 };
    Target { difference: (score(seat) - best) as f32, win }
}

/// The targets of all positions of a game.
pub(crate) struct Timeline {
    outlooks: Vec<[Outlook; 4]>,
    /// By ply, the next one from there on that chance chose.
    next_explored: Vec<Option<usize>>,
    /// The first ply of each round.
    starts: Vec<usize>,
    /// By seat.
    results: [Target; 4],
}

impl Timeline {
    /// The timeline of a game that ended so.
    pub(crate) fn new(game: &Game, end: &Position) -> Timeline {
        let outlooks: Vec<_> = game.plies().map(|ply| ply.outlook).collect();
        let explored: Vec<bool> = game.plies().map(|ply| ply.explored).collect();
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
        for &seat in game.rules.players.seats() {
            results[seat.index()] = result(end, seat);
        }
        Timeline { outlooks, next_explored, starts, results }
    }

    /// What a seat had in the end from a ply on, or would have had without the next exploration.
    pub(crate) fn outcome(&self, ply: usize, seat: Seat) -> Target {
        match self.next_explored.get(ply).copied().flatten() {
            Some(explored) => self.outlooks[explored][seat.index()].into(),
            None => self.results[seat.index()],
        }
    }

    /// The target of the position before a ply.
    pub(crate) fn within_round(&self, ply: usize, seat: Seat, lambda: f32) -> Target {
        let next_start = self.starts.iter().copied().find(|&start| start > ply);
        self.mixed(ply, next_start, seat, lambda)
    }

    /// The target of the position before the deal of the round that begins with a ply. That round
    /// is the next one, and what is expected after the deal is one sample of what the
    /// position is worth before it.
    pub(crate) fn before_deal(&self, ply: usize, seat: Seat, lambda: f32) -> Target {
        self.mixed(ply, Some(ply), seat, lambda)
    }

    fn mixed(&self, ply: usize, next_start: Option<usize>, seat: Seat, lambda: f32) -> Target {
        let outcome = self.outcome(ply, seat);
        let explored = self.next_explored.get(ply).copied().flatten();
        let next_start = next_start.filter(|&start| explored.is_none_or(|ply| start <= ply));
        match next_start.and_then(|start| self.outlooks.get(start)) {
            Some(outlooks) => outcome.mixed(lambda, outlooks[seat.index()].into()),
            None => outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::random_game;

    /// A random game whose forecasts say where they are from: ply 7 expects 7 points. Rounds are
    /// as chance made them; `explored` are the plies that chance chose.
    fn timeline(explored: &[usize]) -> (Timeline, Vec<usize>, f32) {
        let mut game = random_game("2c", 11);
        let mut starts = Vec::new();
        let mut n = 0;
        for round in &mut game.rounds {
            starts.push(n);
            for ply in &mut round.plies {
                let outlook = Outlook::new(n as f32, 0.25);
                ply.outlook = [outlook, outlook.mirrored(), Outlook::default(), Outlook::default()];
                ply.explored = explored.contains(&n);
                n += 1;
            }
        }
        let end = game.replay(|_| {}).unwrap();
        assert!(starts.len() >= 3);
        let result =
            i32::from(end.board(Seat::One).score()) - i32::from(end.board(Seat::Two).score());
        (Timeline::new(&game, &end), starts, result as f32)
    }

    fn assert_difference(target: Target, expected: f32) {
        assert!((target.difference - expected).abs() < 0.05, "{target:?}: not {expected}");
    }

    #[test]
    fn results_are_mixed_with_the_forecast_of_the_next_round() {
        let (timeline, starts, result) = timeline(&[]);
        for lambda in [0.0, 0.25, 1.0] {
            let mixed = |expected: usize| lambda * result + (1.0 - lambda) * expected as f32;
            let target = timeline.within_round(starts[1], Seat::One, lambda);
            assert_difference(target, mixed(starts[2]));
            let target = timeline.within_round(starts[1] - 1, Seat::One, lambda);
            assert_difference(target, mixed(starts[1]));
            // The other seat sees it the other way round.
            let target = timeline.within_round(starts[1] - 1, Seat::Two, lambda);
            assert_difference(target, -mixed(starts[1]));
            let target = timeline.before_deal(starts[1], Seat::One, lambda);
            assert_difference(target, mixed(starts[1]));
            // There is no round after the last.
            let last = *starts.last().unwrap();
            assert_difference(timeline.within_round(last, Seat::One, lambda), result);
        }
    }

    #[test]
    fn a_game_ends_where_it_was_explored() {
        let second_start = timeline(&[]).1[1];
        let explored = second_start + 2;
        let (timeline, starts, result) = timeline(&[explored]);
        // In the same round, also at the explored ply itself, only its forecast counts.
        for ply in [starts[1], explored] {
            assert_difference(timeline.outcome(ply, Seat::One), explored as f32);
            assert_difference(timeline.within_round(ply, Seat::One, 0.5), explored as f32);
        }
        // The round before has the start of the next one as well.
        let expected = 0.5 * explored as f32 + 0.5 * starts[1] as f32;
        assert_difference(timeline.within_round(0, Seat::One, 0.5), expected);
        assert_difference(timeline.before_deal(starts[1], Seat::One, 0.5), expected);
        // What comes after knows nothing of it.
        assert_difference(timeline.outcome(explored + 1, Seat::One), result);
        let expected = 0.5 * result + 0.5 * starts[2] as f32;
        assert_difference(timeline.within_round(explored + 1, Seat::One, 0.5), expected);
    }

    #[test]
    fn victories_are_shared() {
        let check = |rules: &str| {
            let mut n_draws = 0;
            for seed in 0..200 {
                let end = random_game(rules, seed).replay(|_| {}).unwrap();
                let seats = end.rules().players.seats();
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
