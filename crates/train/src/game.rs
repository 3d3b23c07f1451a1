//! A self-play game: deals, moves, and the forecast of the search before each move. Positions are not
//! stored: replaying a game takes less time than reading them would.

use azulejo_engine::Forecast;
use azulejo_rules::{Deal, Position, Rules, Seat};

/// A self-play game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SelfPlayGame {
    pub(crate) rules: Rules,
    /// The seat that started.
    pub(crate) first: Seat,
    pub(crate) rounds: Vec<Round>,
}

/// A round.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Round {
    pub(crate) deal: Deal,
    pub(crate) plies: Vec<Ply>,
}

/// A move and the forecast of the search before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ply {
    pub(crate) m: azulejo_rules::Move,
    /// Whether the move was chosen at random for exploration.
    pub(crate) explored: bool,
    /// The forecast of the search with its own best move, by seat; zero for unused seats.
    pub(crate) forecast: [StoredForecast; 4],
}

/// The forecast for a seat in the form that it is stored in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StoredForecast {
    /// Final score minus the best other's, in 64ths of a point.
    pub(crate) difference: i16,
    /// The win probability, in 65535ths.
    pub(crate) win: u16,
}

impl StoredForecast {
    pub(crate) fn new(points: f32, win: f32) -> StoredForecast {
        StoredForecast {
            difference: (points * 64.0).round().clamp(-32_767.0, 32_767.0) as i16,
            win: (win * 65_535.0).round().clamp(0.0, 65_535.0) as u16,
        }
    }

    /// The forecast of a search, by seat.
    pub(crate) fn all(forecast: &Forecast) -> [StoredForecast; 4] {
        let mut seats = forecast.difference.iter().zip(&forecast.win);
        let stored = |(&points, &win)| StoredForecast::new(points, win);
        std::array::from_fn(|_| seats.next().map(stored).unwrap_or_default())
    }

    /// The forecast of the only opponent.
    pub(crate) fn mirrored(self) -> StoredForecast {
        StoredForecast { difference: -self.difference, win: 65_535 - self.win }
    }

    pub(crate) fn points(self) -> f32 {
        f32::from(self.difference) / 64.0
    }

    pub(crate) fn win_share(self) -> f32 {
        f32::from(self.win) / 65_535.0
    }
}

/// Where a replay is.
pub(crate) enum ReplayPoint<'a> {
    /// Before a deal; with the number of the first ply after it.
    Deal(&'a Position, usize),
    /// Before a move; with its number in the game, from 0.
    Ply(&'a Position, usize),
}

/// Why a game cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ReplayError {
    #[error("a deal is impossible")]
    Deal,
    #[error("a move is illegal")]
    Move,
    #[error("a game is not finished")]
    Unfinished,
}

impl SelfPlayGame {
    /// All plies in order.
    pub(crate) fn plies(&self) -> impl Iterator<Item = &Ply> {
        self.rounds.iter().flat_map(|round| &round.plies)
    }

    /// Replays the game, calls `visit` before every deal and move, and returns the last position.
    pub(crate) fn replay(
        &self,
        mut visit: impl FnMut(ReplayPoint),
    ) -> Result<Position, ReplayError> {
        let mut position = Position::new(self.rules, self.first);
        let mut ply_idx = 0;
        for round in &self.rounds {
            visit(ReplayPoint::Deal(&position, ply_idx));
            position.deal(&round.deal).map_err(|_| ReplayError::Deal)?;
            for ply in &round.plies {
                visit(ReplayPoint::Ply(&position, ply_idx));
                position.play(ply.m).map_err(|_| ReplayError::Move)?;
                ply_idx += 1;
            }
        }
        Ok(position)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::rng::Rng;
    use azulejo_rules::Phase;

    /// A game of random moves with random forecasts.
    pub(crate) fn random_game(rules: &str, seed: u64) -> SelfPlayGame {
        let rules: Rules = rules.parse().unwrap();
        let mut rng = Rng::new(seed);
        let first = rules.players().seats()[rng.below(rules.players().count() as u32) as usize];
        let mut position = Position::new(rules, first);
        let mut rounds: Vec<Round> = Vec::new();
        while position.ended_by().is_none() {
            if position.phase() == Phase::Deal {
                let deal = position.draw_deal(|n| rng.below(n));
                position.deal(&deal).unwrap();
                rounds.push(Round { deal, plies: Vec::new() });
                continue;
            }
            let m = position.play_random(rng.bits()).unwrap();
            let mut forecast = [StoredForecast::default(); 4];
            for forecast in &mut forecast[..rules.players().count()] {
                *forecast = StoredForecast::new(rng.within(90.0), rng.unit() as f32);
            }
            if rules.players().count() == 2 {
                forecast[1] = forecast[0].mirrored();
            }
            let explored = rng.chance(0.1);
            rounds.last_mut().unwrap().plies.push(Ply { m, explored, forecast });
        }
        SelfPlayGame { rules, first, rounds }
    }

    #[test]
    fn replay_visits_every_position() {
        for rules in ["2c", "3g", "4cj"] {
            let game = random_game(rules, 5);
            let (mut n_deals, mut next_ply) = (0, 0);
            let end = game
                .replay(|step| match step {
                    ReplayPoint::Deal(position, ply) => {
                        assert_eq!(position.phase(), Phase::Deal);
                        assert_eq!(ply, next_ply);
                        n_deals += 1;
                    }
                    ReplayPoint::Ply(position, ply) => {
                        assert!(matches!(position.phase(), Phase::Draft | Phase::Tiling(_)));
                        assert_eq!(ply, next_ply);
                        next_ply += 1;
                    }
                })
                .unwrap();
            assert_eq!((n_deals, next_ply), (game.rounds.len(), game.plies().count()));
            assert!(end.ended_by().is_some());
        }
    }

    #[test]
    fn invalid_games_are_refused() {
        let game = random_game("2c", 1);
        let mut twice = game.clone();
        let first = twice.rounds[0].plies[0];
        twice.rounds[0].plies.insert(0, first);
        twice.rounds[0].plies.insert(0, first);
        assert_eq!(twice.replay(|_| {}), Err(ReplayError::Move));
        let mut early = game.clone();
        early.rounds[0].plies.pop();
        assert_eq!(early.replay(|_| {}), Err(ReplayError::Deal));
    }

    #[test]
    fn stored_forecasts_keep_their_precision() {
        for (points, win) in [(0.0, 0.5), (-17.25, 0.031), (511.0, 1.0), (-9999.0, 0.0)] {
            let forecast = StoredForecast::new(points, win);
            assert!((forecast.points() - points.max(-512.0)).abs() < 0.02, "{points}");
            assert!((forecast.win_share() - win).abs() < 1e-4, "{win}");
            assert_eq!(forecast.mirrored().mirrored(), forecast);
            assert_eq!(forecast.mirrored().points(), -forecast.points());
        }
    }
}
