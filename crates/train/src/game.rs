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
