//! One game of an environment: a position that always waits for a decision, with its dealer.

use azulejo_notation::{Dealer, Seed};
use azulejo_rules::{Move, Phase, Position, Rules};

/// A game whose deals follow from a seed. Deals are played as soon as they are due.
///
/// The first game of seed 7 has the deals of the [`Seed`] `7`, the next one those of `7.1`, so that
/// every program that knows seeds can deal the same games.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    dealer: Dealer,
    seed: u64,
    /// How many games were played with the seed before.
    n_games: u64,
}

impl Game {
    /// The first game of a seed, after its first deal.
    #[must_use]
    pub fn new(rules: Rules, seed: u64) -> Game {
        Game::numbered(rules, seed, 0)
    }

    fn numbered(rules: Rules, seed: u64, n_games: u64) -> Game {
        let (first, dealer) = Dealer::new(&seed_of(seed, n_games), &rules);
        let mut game = Game { position: Position::new(rules, first), dealer, seed, n_games };
        game.deal_if_due();
        game
    }

    /// The position, in which a seat has to decide unless the game is over.
    #[inline]
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The seed of this game's deals.
    #[must_use]
    pub fn seed(&self) -> Seed {
        seed_of(self.seed, self.n_games)
    }

    /// Plays a move that the caller knows to be legal, and the deal that may follow.
    #[inline]
    pub fn play(&mut self, m: Move) {
        self.position.play_unchecked(m);
        self.deal_if_due();
    }

    /// Begins the next game of the seed.
    pub fn restart(&mut self) {
        *self = Game::numbered(*self.position.rules(), self.seed, self.n_games + 1);
    }

    #[inline]
    fn deal_if_due(&mut self) {
        if self.position.phase() == Phase::Deal {
            self.deal();
        }
    }

    #[cold]
    fn deal(&mut self) {
        let deal = self.dealer.deal(&self.position).expect("the dealer of this game");
        self.position.deal_unchecked(&deal);
    }
}

fn seed_of(seed: u64, n_games: u64) -> Seed {
    let text = if n_games == 0 { seed.to_string() } else { format!("{seed}.{n_games}") };
    text.parse().expect("digits and a dot are a seed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Observation, Shape};

    /// The observation of a game whose bag lies in another order is the same until the next deal.
    #[test]
    fn the_order_of_the_bag_is_not_observed() {
        for rules in ["2c", "3g", "4gj"] {
            let rules: Rules = rules.parse().unwrap();
            let mut game = Game::new(rules, 5);
            let mut other = game.clone();
            other.dealer = Dealer::resume(&"another-order".parse().unwrap(), &game.position);
            let round = game.position.round();
            let mut deals_differ = false;
            for n in 0.. {
                for shape in [Shape::Flat, Shape::Planes] {
                    let observation = Observation::new(&rules, shape);
                    let [mut a, mut b] = [vec![0; observation.len()], vec![-1; observation.len()]];
                    for &seat in rules.players().seats() {
                        observation.write(&game.position, seat, &mut a);
                        observation.write(&other.position, seat, &mut b);
                        if game.position.round() == round {
                            assert_eq!(a, b);
                        } else {
                            deals_differ |= a != b;
                        }
                    }
                }
                if game.position.round() > round {
                    break;
                }
                let m = game.position.pick_move(|n_moves| n % n_moves).unwrap();
                game.play(m);
                other.play(m);
            }
            assert!(deals_differ, "the other order was never dealt");
        }
    }

    #[test]
    fn games_of_a_seed_are_numbered() {
        let mut game = Game::new("2c".parse().unwrap(), 7);
        assert_eq!(game.seed().as_str(), "7");
        game.restart();
        assert_eq!(game.seed().as_str(), "7.1");
        let (_, mut dealer) = Dealer::new(&game.seed(), game.position.rules());
        let start = Position::new(*game.position.rules(), game.position.starter());
        let deal = dealer.deal(&start).unwrap();
        assert!(
            game.position.factories().map(|(_, tiles)| tiles).eq(deal.factories().iter().copied())
        );
    }
}
