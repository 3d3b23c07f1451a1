//! A game of self-play: the deals, the moves, and what the engine expected before each. Positions
//! are not kept; they are found again by replaying, which takes less time than reading them would.

use azulejo_engine::Forecast;
use azulejo_rules::{Deal, Position, Rules, Seat};

/// A whole game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Game {
    pub(crate) rules: Rules,
    /// Who started.
    pub(crate) first: Seat,
    pub(crate) rounds: Vec<Round>,
}

/// A round.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Round {
    pub(crate) deal: Deal,
    pub(crate) plies: Vec<Ply>,
}

/// A move and what was thought about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ply {
    pub(crate) m: azulejo_rules::Move,
    /// Whether chance chose the move and not the search.
    pub(crate) explored: bool,
    /// What the search expected with its own best move, by seat; nothing for unused ones.
    pub(crate) outlook: [Outlook; 4],
}

/// What a seat can expect, as small as it is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outlook {
    /// Final score minus the best other's, in 64ths of a point.
    pub(crate) difference: i16,
    /// The chance to win, in 65535ths.
    pub(crate) win: u16,
}

impl Outlook {
    pub(crate) fn new(points: f32, win: f32) -> Outlook {
        Outlook {
            difference: (points * 64.0).round().clamp(-32_767.0, 32_767.0) as i16,
            win: (win * 65_535.0).round().clamp(0.0, 65_535.0) as u16,
        }
    }

    /// The forecast of a search, by seat.
    pub(crate) fn all(forecast: &Forecast) -> [Outlook; 4] {
        let mut all = [Outlook::default(); 4];
        for (outlook, (&points, &win)) in
            all.iter_mut().zip(forecast.difference.iter().zip(&forecast.win))
        {
            *outlook = Outlook::new(points, win);
        }
        all
    }

    /// The same for the only opponent.
    pub(crate) fn mirrored(self) -> Outlook {
        Outlook { difference: -self.difference, win: 65_535 - self.win }
    }

    pub(crate) fn points(self) -> f32 {
        f32::from(self.difference) / 64.0
    }

    pub(crate) fn win_share(self) -> f32 {
        f32::from(self.win) / 65_535.0
    }
}

/// A step of a replay, before it is taken.
pub(crate) enum Step<'a> {
    /// A round is about to be dealt; the number of the ply that will be its first.
    Deal(&'a Position, usize),
    /// A move is about to be played; its number in the game, from 0.
    Ply(&'a Position, usize),
}

/// Why a game cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplayError {
    /// A deal cannot have been dealt.
    Deal,
    /// A move is illegal.
    Move,
    /// The game does not go to its end.
    Unfinished,
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ReplayError::Deal => "a deal is impossible",
            ReplayError::Move => "a move is illegal",
            ReplayError::Unfinished => "a game is not finished",
        })
    }
}

impl std::error::Error for ReplayError {}

impl Game {
    /// All plies in order.
    pub(crate) fn plies(&self) -> impl Iterator<Item = &Ply> {
        self.rounds.iter().flat_map(|round| &round.plies)
    }

    /// Plays it again, showing each position before something happens, and gives the last one.
    pub(crate) fn replay(&self, mut visit: impl FnMut(Step)) -> Result<Position, ReplayError> {
        let mut position = Position::new(self.rules, self.first);
        let mut ply_idx = 0;
        for round in &self.rounds {
            visit(Step::Deal(&position, ply_idx));
            position.deal(&round.deal).map_err(|_| ReplayError::Deal)?;
            for ply in &round.plies {
                visit(Step::Ply(&position, ply_idx));
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
    use crate::luck::Luck;
    use azulejo_rules::Phase;

    /// A game of random moves with random forecasts.
    pub(crate) fn random_game(rules: &str, seed: u64) -> Game {
        let rules: Rules = rules.parse().unwrap();
        let mut luck = Luck::new(seed);
        let first = rules.players.seats()[luck.below(rules.players.count() as u32) as usize];
        let mut position = Position::new(rules, first);
        let mut rounds: Vec<Round> = Vec::new();
        while position.ended_by().is_none() {
            if position.phase() == Phase::Deal {
                let deal = position.draw_deal(|n| luck.below(n));
                position.deal(&deal).unwrap();
                rounds.push(Round { deal, plies: Vec::new() });
                continue;
            }
            let m = position.play_random(luck.bits()).unwrap();
            let mut outlook = [Outlook::default(); 4];
            for outlook in &mut outlook[..rules.players.count()] {
                *outlook = Outlook::new(luck.within(90.0), luck.unit() as f32);
            }
            if rules.players.count() == 2 {
                outlook[1] = outlook[0].mirrored();
            }
            let explored = luck.happens(0.1);
            rounds.last_mut().unwrap().plies.push(Ply { m, explored, outlook });
        }
        Game { rules, first, rounds }
    }

    #[test]
    fn a_replay_shows_every_position() {
        for rules in ["2c", "3g", "4cj"] {
            let game = random_game(rules, 5);
            let (mut n_deals, mut next_ply) = (0, 0);
            let end = game
                .replay(|step| match step {
                    Step::Deal(position, ply) => {
                        assert_eq!(position.phase(), Phase::Deal);
                        assert_eq!(ply, next_ply);
                        n_deals += 1;
                    }
                    Step::Ply(position, ply) => {
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
    fn wrong_games_are_refused() {
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
    fn outlooks_are_nearly_what_they_were() {
        for (points, win) in [(0.0, 0.5), (-17.25, 0.031), (511.0, 1.0), (-9999.0, 0.0)] {
            let outlook = Outlook::new(points, win);
            assert!((outlook.points() - points.max(-512.0)).abs() < 0.02, "{points}");
            assert!((outlook.win_share() - win).abs() < 1e-4, "{win}");
            assert_eq!(outlook.mirrored().mirrored(), outlook);
            assert_eq!(outlook.mirrored().points(), -outlook.points());
        }
    }
}
