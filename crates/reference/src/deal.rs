//! The deal: how many tiles each factory gets, and where they come from.

use crate::game::{Game, Phase};
use crate::rules::Tile;

impl Game {
    /// How many tiles each factory must get now; all 0 unless the game waits for a deal.
    pub fn tiles_to_deal(&self) -> Vec<usize> {
        if self.phase == Phase::Deal {
            self.next_deal()
        } else {
            vec![0; self.rules.factory_count()]
        }
    }

    /// How many tiles each factory gets from the bag and the lid as they are.
    pub(crate) fn next_deal(&self) -> Vec<usize> {
        let mut left = self.bag.len() + self.lid.len();
        let mut sizes = Vec::new();
        for _ in 0..self.rules.factory_count() {
            // Rules 1.5 and 4.2: four tiles for each factory, one factory after another.
            // Rule 4.4: the last one may be partly filled, and later ones stay empty.
            let mut size = left.min(4);
            if self.rules.full_displays_only && size < 4 {
                // Rule 8.2, full_displays_only: a remainder stays where it is.
                size = 0;
            }
            left -= size;
            sizes.push(size);
        }
        sizes
    }

    /// Puts these tiles on the factories and starts the draft.
    ///
    /// The tiles count as drawn one by one in the order given, factory by factory.
    ///
    /// # Errors
    ///
    /// Rejected without any change are: a deal outside the deal phase, wrong sizes, and tiles that
    /// could not have been drawn in this order.
    pub fn deal(&mut self, factories: &[Vec<Tile>]) -> Result<(), String> {
        if self.phase != Phase::Deal {
            return Err(format!("no deal in phase {:?}", self.phase));
        }
        let sizes: Vec<usize> = factories.iter().map(Vec::len).collect();
        let wanted = self.tiles_to_deal();
        if sizes != wanted {
            return Err(format!("the factories need {wanted:?} tiles, not {sizes:?}"));
        }
        let mut bag = self.bag.clone();
        let mut lid = self.lid.clone();
        for tile in factories.iter().flatten() {
            // Rule 4.3: the lid is poured in only when a tile must be drawn and the bag is empty.
            if bag.is_empty() {
                bag.append(&mut lid);
            }
            match bag.iter().position(|other| other == tile) {
                Some(index) => {
                    bag.swap_remove(index);
                }
                None => return Err(format!("no {tile:?} is left in the bag")),
            }
        }
        self.bag = bag;
        self.lid = lid;
        self.factories = factories.to_vec();
        // Rule 1.7: the starter puts the marker in the center and moves first.
        self.marker = None;
        self.to_move = self.starter;
        self.phase = Phase::Draft;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use crate::testing::{deal_in_order, tiles};

    /// A game that waits for a deal from this bag and lid.
    fn waiting(players: usize, bag: &str, lid: &str) -> Game {
        let mut game = Game::new(Rules::official(players), 0);
        game.bag = tiles(bag);
        game.lid = tiles(lid);
        game
    }

    #[test]
    fn t01_new_games() {
        for (players, factories, bag) in [(2, 5, 80), (3, 7, 72), (4, 9, 64)] {
            let mut game = Game::new(Rules::official(players), 0);
            assert_eq!(game.tiles_to_deal(), vec![4; factories]);
            deal_in_order(&mut game);
            assert_eq!(game.factories.len(), factories);
            assert_eq!(game.bag.len(), bag);
            assert!(game.lid.is_empty());
            assert_eq!(game.marker, None);
            assert_eq!(game.tiles_to_deal(), vec![0; factories]);
        }
    }

    #[test]
    fn t34_the_lid_is_poured_in_when_the_bag_is_empty() {
        let mut game = waiting(2, &"B".repeat(10), &"Y".repeat(40));
        assert_eq!(game.tiles_to_deal(), vec![4; 5]);
        let before = game.clone();
        let early = ["BBBB", "BBBB", "YBBY", "YYYY", "YYYY"].map(tiles);
        assert!(game.deal(&early).is_err());
        assert_eq!(game, before);
        let fair = ["BBBB", "BBBB", "BBYY", "YYYY", "YYYY"].map(tiles);
        game.deal(&fair).unwrap();
        assert_eq!((game.bag.len(), game.lid.len()), (30, 0));
        assert_eq!(game.phase, Phase::Draft);
    }

    #[test]
    fn t35_an_empty_bag_is_not_refilled_early() {
        let mut game = waiting(2, &"B".repeat(20), &"Y".repeat(30));
        deal_in_order(&mut game);
        assert_eq!((game.bag.len(), game.lid.len()), (0, 30));
    }

    #[test]
    fn t36_the_last_factory_may_be_partly_filled() {
        let mut game = waiting(4, &"B".repeat(5), &"Y".repeat(17));
        assert_eq!(game.tiles_to_deal(), [4, 4, 4, 4, 4, 2, 0, 0, 0]);
        deal_in_order(&mut game);
        assert_eq!((game.bag.len(), game.lid.len()), (0, 0));
        assert_eq!(game.phase, Phase::Draft);
        assert!(!game.legal_actions().is_empty());
    }

    #[test]
    fn full_displays_only_leaves_the_remainder_where_it_is() {
        let mut game = waiting(4, &"B".repeat(5), &"Y".repeat(17));
        game.rules.full_displays_only = true;
        assert_eq!(game.tiles_to_deal(), [4, 4, 4, 4, 4, 0, 0, 0, 0]);
        deal_in_order(&mut game);
        assert_eq!((game.bag.len(), game.lid.len()), (2, 0));

        let mut game = waiting(4, &"B".repeat(6), "Y");
        game.rules.full_displays_only = true;
        assert_eq!(game.tiles_to_deal(), [4, 0, 0, 0, 0, 0, 0, 0, 0]);
        deal_in_order(&mut game);
        assert_eq!((game.bag.len(), game.lid.len()), (2, 1));
    }

    #[test]
    fn wrong_deals_are_rejected() {
        let mut game = waiting(2, &"B".repeat(30), "");
        let before = game.clone();
        for wrong in [
            vec!["BBBB", "BBBB", "BBBB", "BBBB"],
            vec!["BBBB", "BBBB", "BBBB", "BBBB", "BBB"],
            vec!["BBBB", "BBBB", "BBBB", "BBBB", "BBBR"],
        ] {
            let factories: Vec<Vec<Tile>> = wrong.into_iter().map(tiles).collect();
            assert!(game.deal(&factories).is_err());
            assert_eq!(game, before);
        }
        deal_in_order(&mut game);
        let before = game.clone();
        assert!(game.deal(&vec![tiles("BBBB"); 5]).is_err());
        assert_eq!(game, before);
    }
}
