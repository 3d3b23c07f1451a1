//! Training samples: the active features of a position and its labels, in a few flat arrays.

use crate::game::{ReplayError, ReplayPoint, SelfPlayGame};
use crate::rng::Rng;
use crate::targets::{Mix, Target, Timeline};
use azulejo_engine::features::{self, Feature};
use azulejo_engine::network::Network;
use azulejo_rules::{Board, Phase, Players, Position, Seat};

/// A set of samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Samples {
    features: Vec<Feature>,
    /// Where the features of each sample end.
    ends: Vec<usize>,
    labels: Vec<Labels>,
}

/// The labels of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Labels {
    /// The lead if the round ended now, in points.
    pub(crate) lead: f32,
    /// The training target.
    pub(crate) target: Target,
    /// The unmixed result, for validation.
    pub(crate) outcome: Target,
    /// Whether the position is between two rounds.
    pub(crate) between_rounds: bool,
}

/// A sample.
#[derive(Clone, Copy)]
pub(crate) struct Sample<'a> {
    pub(crate) features: &'a [Feature],
    pub(crate) labels: &'a Labels,
}

impl Samples {
    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    #[inline]
    pub(crate) fn get(&self, i: usize) -> Sample<'_> {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        Sample { features: &self.features[start..self.ends[i]], labels: &self.labels[i] }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Sample<'_>> {
        (0..self.len()).map(|i| self.get(i))
    }

    pub(crate) fn push(&mut self, features: &[Feature], labels: Labels) {
        self.features.extend_from_slice(features);
        self.ends.push(self.features.len());
        self.labels.push(labels);
    }

    /// Appends all samples of another set.
    pub(crate) fn append(&mut self, other: Samples) {
        let offset = self.features.len();
        self.features.extend_from_slice(&other.features);
        self.ends.extend(other.ends.into_iter().map(|end| end + offset));
        self.labels.extend_from_slice(&other.labels);
    }

    /// The mean number of active features.
    pub(crate) fn mean_features(&self) -> f64 {
        self.features.len() as f64 / self.len().max(1) as f64
    }

    /// Adds the samples of a game: every position with a draft and every position between rounds.
    /// Wall choices are those that the engine expects with `network`; before one the engine
    /// evaluates the position after the round.
    pub(crate) fn add_game(
        &mut self,
        game: &SelfPlayGame,
        network: &Network,
        mix: Mix,
        rng: &mut Rng,
    ) -> Result<(), ReplayError> {
        let end = game.replay(|_| {})?;
        if end.ended_by().is_none() {
            return Err(ReplayError::Unfinished);
        }
        let timeline = Timeline::new(game, &end, mix);
        let seats = game.rules.players().seats();
        let layers = network.section(&game.rules);
        game.replay(|step| match step {
            // Before the first deal all positions are alike.
            ReplayPoint::Deal(position, _) if position.round() == 1 => {}
            ReplayPoint::Deal(position, ply) => {
                let tilings = features::tilings(position, layers);
                // With two players the search evaluates from the perspective of the seat to move,
                // with more from that of every seat.
                let perspectives = match game.rules.players() {
                    Players::Two => std::slice::from_ref(&seats[position.turn().index()]),
                    _ => seats,
                };
                for &seat in perspectives {
                    let target = timeline.before_deal(ply, seat);
                    self.add(position, &tilings, seat, target, timeline.outcome(ply, seat));
                }
            }
            ReplayPoint::Ply(position, _) if position.phase() != Phase::Draft => {}
            ReplayPoint::Ply(position, ply) => {
                let seat = match game.rules.players() {
                    Players::Two => position.turn(),
                    _ => seats[rng.below(seats.len() as u32) as usize],
                };
                let target = timeline.within_round(ply, seat);
                let outcome = timeline.outcome(ply, seat);
                let tilings = features::tilings(position, layers);
                self.add(position, &tilings, seat, target, outcome);
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
        self.push(&list, Labels { lead, target, outcome, between_rounds });
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::game::Ply;
    use crate::game::tests::random_game;
    use azulejo_engine::features::N_FEATURES;
    use azulejo_rules::Move;

    const MIX: Mix = Mix { lambda: 0.5, past_exploration: false };

    /// The samples of some random games.
    pub(crate) fn random_samples(rules: &str, n_games: u64) -> Samples {
        let mut samples = Samples::default();
        for seed in 0..n_games {
            let game = random_game(rules, seed);
            samples.add_game(&game, &Network::blank(), MIX, &mut Rng::new(seed)).unwrap();
        }
        samples
    }

    #[test]
    fn every_evaluated_position_is_a_sample() {
        for rules in ["2c", "2gj", "3c", "4g"] {
            let game = random_game(rules, 3);
            let mut samples = Samples::default();
            samples.add_game(&game, &Network::blank(), MIX, &mut Rng::new(1)).unwrap();
            let n_between = samples.iter().filter(|sample| sample.labels.between_rounds).count();
            let n_perspectives =
                if rules.starts_with('2') { 1 } else { game.rules.players().count() };
            assert_eq!(n_between, (game.rounds.len() - 1) * n_perspectives, "{rules}");
            let is_draft = |ply: &&Ply| matches!(ply.m, Move::Draft(_));
            let n_drafts = game.plies().filter(is_draft).count();
            assert_eq!(samples.len(), n_drafts + n_between, "{rules}");
            for sample in samples.iter() {
                let features = sample.features;
                assert!(features.len() > 10);
                assert!(features.iter().all(|&feature| usize::from(feature) < N_FEATURES));
            }
        }
    }

    #[test]
    fn appended_samples_are_unchanged() {
        let (one, two) = (random_samples("2c", 2), random_samples("3c", 1));
        let mut both = one.clone();
        both.append(two.clone());
        assert_eq!(both.len(), one.len() + two.len());
        for (i, expected) in one.iter().chain(two.iter()).enumerate() {
            let sample = both.get(i);
            assert_eq!((sample.features, sample.labels), (expected.features, expected.labels));
        }
    }

    #[test]
    fn unfinished_games_are_refused() {
        let mut game = random_game("2c", 3);
        game.rounds.pop();
        let added = Samples::default().add_game(&game, &Network::blank(), MIX, &mut Rng::new(1));
        assert_eq!(added, Err(ReplayError::Unfinished));
    }
}
