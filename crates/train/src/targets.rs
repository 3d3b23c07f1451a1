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
    let winners: Vec<Seat> = end.outcome().iter().flat_map(|o| o.winners().collect::<Vec<_>>()).collect();
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
