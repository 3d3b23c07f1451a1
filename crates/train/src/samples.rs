//! Samples: what the network sees of a position, and what it should answer. All of them lie in a
//! few flat arrays.

use crate::game::{Game, ReplayError, Step};
use crate::luck::Luck;
use crate::targets::{Target, Timeline};
use azulejo_engine::features::{self, Feature};
use azulejo_rules::{Board, Phase, Players, Position, Seat};

/// Many samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Samples {
    features: Vec<Feature>,
    /// Where the features of each sample end.
    ends: Vec<usize>,
    facts: Vec<Facts>,
}

/// What a sample has beside its features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Facts {
    /// The lead if the round ended now, in points.
    pub(crate) lead: f32,
    /// What is learned.
    pub(crate) target: Target,
    /// How the game went from there, unmixed: what the network is measured by.
    pub(crate) outcome: Target,
    /// Whether the position stands between two rounds.
    pub(crate) between_rounds: bool,
}

/// A sample.
#[derive(Clone, Copy)]
pub(crate) struct Sample<'a> {
    pub(crate) features: &'a [Feature],
    pub(crate) facts: &'a Facts,
}

impl Samples {
    pub(crate) fn len(&self) -> usize {
        self.facts.len()
    }

    #[inline]
    pub(crate) fn get(&self, i: usize) -> Sample<'_> {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        Sample { features: &self.features[start..self.ends[i]], facts: &self.facts[i] }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Sample<'_>> {
        (0..self.len()).map(|i| self.get(i))
    }

    pub(crate) fn push(&mut self, features: &[Feature], facts: Facts) {
        self.features.extend_from_slice(features);
        self.ends.push(self.features.len());
        self.facts.push(facts);
    }

    /// Moves all samples of another to the end of these.
    pub(crate) fn append(&mut self, other: Samples) {
        let offset = self.features.len();
        self.features.extend_from_slice(&other.features);
        self.ends.extend(other.ends.into_iter().map(|end| end + offset));
        self.facts.extend_from_slice(&other.facts);
    }

    /// How many features a sample has in the mean.
    pub(crate) fn mean_features(&self) -> f64 {
        self.features.len() as f64 / self.len().max(1) as f64
    }

    /// Adds the samples of a game: every position where a seat moves, and every one between rounds.
    pub(crate) fn add_game(
        &mut self,
        game: &Game,
        lambda: f32,
        luck: &mut Luck,
    ) -> Result<(), ReplayError> {
        let end = game.replay(|_| {})?;
        if end.ended_by().is_none() {
            return Err(ReplayError::Unfinished);
        }
        let timeline = Timeline::new(game, &end);
        let seats = game.rules.players.seats();
        game.replay(|step| match step {
            // Before the first deal there is nothing to see.
            Step::Deal(position, _) if position.round() == 1 => {}
            Step::Deal(position, ply) => {
                let tilings = tilings(position);
                // The search asks with the eyes of the seat to move if there are two, and with
                // those of everybody if there are more.
                let viewers = match game.rules.players {
                    Players::Two => std::slice::from_ref(&seats[position.turn().index()]),
                    _ => seats,
                };
                for &seat in viewers {
                    let target = timeline.before_deal(ply, seat, lambda);
                    self.add(position, &tilings, seat, target, timeline.outcome(ply, seat));
                }
            }
            Step::Ply(position, ply) => {
                let seat = match game.rules.players {
                    Players::Two => position.turn(),
                    _ => seats[luck.below(seats.len() as u32) as usize],
                };
                let target = timeline.within_round(ply, seat, lambda);
                let outcome = timeline.outcome(ply, seat);
                self.add(position, &tilings(position), seat, target, outcome);
            }
        })?;
        Ok(())
    }

    fn add(
        &mut self,
        position: &Position,
        tilings: &[Board],
        seat: Seat,
        target: Target,
        outcome: Target,
    ) {
        let lead = features::lead(position, tilings, seat) as f32;
        let between_rounds = position.phase() == Phase::Deal;
        let list = features::all_features(position, tilings, seat);
        self.push(&list, Facts { lead, target, outcome, between_rounds });
    }
}

/// Each seat's board as it would be after wall-tiling; where there is a choice, the one with the
/// best score for now.
pub(crate) fn tilings(position: &Position) -> Vec<Board> {
    let seats = position.rules().players.seats().iter();
    seats
        .map(|&seat| {
            let mut best: Option<Board> = None;
            position.each_tiling(seat, |board| {
                if best.is_none_or(|best| board.score() > best.score()) {
                    best = Some(*board);
                }
            });
            best.unwrap_or(*position.board(seat))
        })
        .collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::game::tests::random_game;
    use azulejo_engine::features::N_FEATURES;

    /// The samples of some random games.
    pub(crate) fn random_samples(rules: &str, n_games: u64) -> Samples {
        let mut samples = Samples::default();
        for seed in 0..n_games {
            let game = random_game(rules, seed);
            samples.add_game(&game, 0.5, &mut Luck::new(seed)).unwrap();
        }
        samples
    }

    #[test]
    fn every_position_is_a_sample() {
        for rules in ["2c", "2gj", "3c", "4g"] {
            let game = random_game(rules, 3);
            let mut samples = Samples::default();
            samples.add_game(&game, 0.5, &mut Luck::new(1)).unwrap();
            let n_between = samples.iter().filter(|sample| sample.facts.between_rounds).count();
            let viewers = if rules.starts_with('2') { 1 } else { game.rules.players.count() };
            assert_eq!(n_between, (game.rounds.len() - 1) * viewers, "{rules}");
            assert_eq!(samples.len(), game.plies().count() + n_between, "{rules}");
            for sample in samples.iter() {
                let features = sample.features;
                assert!(features.len() > 10);
                assert!(features.iter().all(|&feature| usize::from(feature) < N_FEATURES));
            }
        }
    }

    #[test]
    fn appended_samples_stay_what_they_were() {
        let (one, two) = (random_samples("2c", 2), random_samples("3c", 1));
        let mut both = one.clone();
        both.append(two.clone());
        assert_eq!(both.len(), one.len() + two.len());
        for (i, expected) in one.iter().chain(two.iter()).enumerate() {
            let sample = both.get(i);
            assert_eq!((sample.features, sample.facts), (expected.features, expected.facts));
        }
    }

    #[test]
    fn unfinished_games_are_no_samples() {
        let mut game = random_game("2c", 3);
        game.rounds.pop();
        let added = Samples::default().add_game(&game, 0.5, &mut Luck::new(1));
        assert_eq!(added, Err(ReplayError::Unfinished));
    }

    #[test]
    fn choices_are_made_for_the_score_now() {
        for seed in 0..20 {
            let game = random_game("2gj", seed);
            game.replay(|step| {
                let (Step::Deal(position, _) | Step::Ply(position, _)) = step;
                let tilings = tilings(position);
                for (board, &seat) in tilings.iter().zip(position.rules().players.seats()) {
                    assert_eq!(board.score(), position.projection(seat).score);
                }
            })
            .unwrap();
        }
    }
}
