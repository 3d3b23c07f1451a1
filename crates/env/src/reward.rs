//! Rewards: what each seat gets for a step.

use azulejo_rules::{Outcome, Position};

/// How steps are rewarded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reward {
    /// At the end, 1 for the only winner and equal parts of -1 for the others; winners who share a
    /// victory share its reward. The sum is 0.
    #[default]
    Outcome,
    /// At the end, the final score minus the best other's.
    Margin,
    /// After each step, the change of the own score.
    Score,
}

impl Reward {
    /// All kinds of reward, the default first.
    pub const ALL: [Reward; 3] = [Reward::Outcome, Reward::Margin, Reward::Score];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Reward::Outcome => "outcome",
            Reward::Margin => "margin",
            Reward::Score => "score",
        }
    }

    /// Writes the reward of each seat for the step between two positions.
    ///
    /// # Panics
    /// If `out` has fewer numbers than the game has seats.
    #[inline]
    pub fn write(self, before: &Position, after: &Position, out: &mut [f32]) {
        let n_seats = after.boards().len();
        let out = &mut out[..n_seats];
        match self {
            Reward::Score => {
                for ((out, before), after) in
                    out.iter_mut().zip(before.boards()).zip(after.boards())
                {
                    *out = f32::from(after.score()) - f32::from(before.score());
                }
            }
            Reward::Outcome | Reward::Margin => match after.outcome() {
                None => out.fill(0.0),
                Some(outcome) => self.write_end(&outcome, out),
            },
        }
    }

    #[cold]
    fn write_end(self, outcome: &Outcome, out: &mut [f32]) {
        let n_seats = out.len() as f32;
        let n_winners = outcome.winners().count() as f32;
        for (seat, out) in out.iter_mut().enumerate() {
            *out = match self {
                Reward::Margin => {
                    let others =
                        outcome.scores.iter().enumerate().filter(|&(other, _)| other != seat);
                    let best = others.map(|(_, &score)| score).max().unwrap_or(0);
                    f32::from(outcome.scores[seat]) - f32::from(best)
                }
                _ => {
                    let share = if outcome.ranks[seat] == 1 { 1.0 / n_winners } else { 0.0 };
                    (share * n_seats - 1.0) / (n_seats - 1.0)
                }
            };
        }
    }
}
