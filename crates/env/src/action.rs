//! The action space: every move of a rule set has a number, the same in all positions.
//!
//! Drafts come first, source by source (the center, then the factories). A source has six actions,
//! one for each destination, for every kind of tile. With jokers there follow 21 actions for jokers
//! with each color: line `n` can take such a pick in `n + 1` ways, by the number of extra jokers, and
//! the floor in one. The last 25 actions are wall choices, if the rules have any, row by row.

use azulejo_rules::{
    Color, Column, Destination, Draft, Move, Phase, Pick, Position, Row, Rules, Source, Tile,
};

const N_DESTINATIONS: usize = Destination::ALL.len();
/// The first action of each destination among the 21 of jokers with a color.
const MIXED_STARTS: [usize; N_DESTINATIONS + 1] = [0, 2, 5, 9, 14, 20, 21];
const N_MIXED: usize = MIXED_STARTS[N_DESTINATIONS];
const N_PLACES: usize = Row::ALL.len() * Column::ALL.len();

/// For every set of destinations, the six entries of a mask.
static MASKS: [[i8; N_DESTINATIONS]; 1 << N_DESTINATIONS] = {
    let mut masks = [[0; N_DESTINATIONS]; 1 << N_DESTINATIONS];
    let mut set = 0;
    while set < masks.len() {
        let mut to = 0;
        while to < N_DESTINATIONS {
            masks[set][to] = (set >> to & 1) as i8;
            to += 1;
        }
        set += 1;
    }
    masks
};

/// The numbers of all moves under a rule set.
///
/// ```
/// use azulejo_env::ActionSpace;
/// use azulejo_rules::{Players, Rules};
///
/// let space = ActionSpace::new(&Rules::official(Players::Two));
/// // Six sources, five colors, six destinations.
/// assert_eq!(space.n_actions(), 180);
/// let action = space.action("3B2".parse()?).expect("factory 3 is in the game");
/// assert_eq!((action, space.get(action)), (91, Some("3B2".parse()?)));
/// assert_eq!(space.action("9B2".parse()?), None);
/// # Ok::<(), azulejo_rules::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionSpace {
    n_sources: usize,
    has_jokers: bool,
    has_places: bool,
}

impl ActionSpace {
    /// The action space of a rule set.
    #[must_use]
    pub fn new(rules: &Rules) -> ActionSpace {
        ActionSpace {
            n_sources: rules.players().factories() + 1,
            has_jokers: rules.jokers,
            has_places: rules.has_wall_choices(),
        }
    }

    /// The number of actions.
    #[must_use]
    pub const fn n_actions(&self) -> usize {
        self.n_drafts() + if self.has_places { N_PLACES } else { 0 }
    }

    const fn n_drafts(&self) -> usize {
        self.n_sources * self.per_source()
    }

    /// The drafts of one kind of tile from one source.
    const fn n_plain(&self) -> usize {
        N_DESTINATIONS * if self.has_jokers { Tile::ALL.len() } else { Color::ALL.len() }
    }

    const fn per_source(&self) -> usize {
        self.n_plain() + if self.has_jokers { Color::ALL.len() * N_MIXED } else { 0 }
    }

    /// The number of a move; `None` if no position of these rules has it.
    #[must_use]
    pub fn action(&self, m: Move) -> Option<usize> {
        match m {
            Move::Place { row, column } => {
                let at = row.index() * Column::ALL.len() + column.index();
                self.has_places.then_some(self.n_drafts() + at)
            }
            Move::Draft(Draft { source, pick, to, extra_jokers }) => {
                let extra_jokers = usize::from(extra_jokers);
                let is_plain = !matches!(pick, Pick::JokersAnd(_));
                if source.index() >= self.n_sources
                    || pick.has_jokers() && !self.has_jokers
                    || is_plain && extra_jokers > 0
                {
                    return None;
                }
                let within = match pick {
                    Pick::Color(color) => color.index() * N_DESTINATIONS + to.index(),
                    Pick::Jokers => Tile::Joker.index() * N_DESTINATIONS + to.index(),
                    Pick::JokersAnd(color) => {
                        let at = MIXED_STARTS[to.index()] + extra_jokers;
                        if at >= MIXED_STARTS[to.index() + 1] {
                            return None;
                        }
                        self.n_plain() + color.index() * N_MIXED + at
                    }
                };
                Some(source.index() * self.per_source() + within)
            }
        }
    }

    /// The move of a number.
    #[must_use]
    pub fn get(&self, action: usize) -> Option<Move> {
        if let Some(place) = action.checked_sub(self.n_drafts()) {
            let row = Row::from_index(place / Column::ALL.len())?;
            let column = Column::from_index(place % Column::ALL.len())?;
            return self.has_places.then_some(Move::Place { row, column });
        }
        let source = Source::from_index(action / self.per_source())?;
        let within = action % self.per_source();
        let (pick, to, extra_jokers) = match within.checked_sub(self.n_plain()) {
            None => {
                let pick = match Tile::from_index(within / N_DESTINATIONS)? {
                    Tile::Color(color) => Pick::Color(color),
                    Tile::Joker => Pick::Jokers,
                };
                (pick, within % N_DESTINATIONS, 0)
            }
            Some(mixed) => {
                let at = mixed % N_MIXED;
                let to = (0..N_DESTINATIONS).rfind(|&to| MIXED_STARTS[to] <= at)?;
                let color = Color::from_index(mixed / N_MIXED)?;
                (Pick::JokersAnd(color), to, at - MIXED_STARTS[to])
            }
        };
        let to = Destination::from_index(to)?;
        Some(Move::Draft(Draft { source, pick, to, extra_jokers: extra_jokers as u8 }))
    }

    /// Writes 1 for every legal action and 0 for the others.
    ///
    /// # Panics
    /// If the mask has another length than the action space, or the position other rules.
    pub fn write_mask(&self, position: &Position, mask: &mut [i8]) {
        assert_eq!(mask.len(), self.n_actions(), "the length of a mask is the number of actions");
        mask.fill(0);
        if self.has_jokers || position.phase() != Phase::Draft {
            for &m in &position.legal_moves() {
                mask[self.action(m).expect("every legal move has a number")] = 1;
            }
            return;
        }
        // Without jokers the mask of a pile is a table entry.
        let board = position.board(position.turn());
        for (tile, source) in position.piles() {
            let at = source.index() * self.n_plain() + tile.index() * N_DESTINATIONS;
            let set = board.destinations(tile).bits() as usize % MASKS.len();
            mask[at..at + N_DESTINATIONS].copy_from_slice(&MASKS[set]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_action_is_one_move() {
        for (rules, n_actions) in
            [("2c", 180), ("4c", 300), ("3g", 265), ("2cj", 871), ("4gj", 1435)]
        {
            let space = ActionSpace::new(&rules.parse().unwrap());
            assert_eq!(space.n_actions(), n_actions, "{rules}");
            let moves: HashSet<Move> =
                (0..n_actions).map(|action| space.get(action).unwrap()).collect();
            assert_eq!(moves.len(), n_actions, "{rules}");
            for action in 0..n_actions {
                assert_eq!(space.action(space.get(action).unwrap()), Some(action), "{rules}");
            }
            assert_eq!(space.get(n_actions), None);
            assert_eq!(space.get(usize::MAX), None);
        }
    }

    #[test]
    fn moves_of_other_rules_have_no_number() {
        let space = ActionSpace::new(&"2c".parse().unwrap());
        for m in ["6B1", "1J1", "1JB1", "r1c1"] {
            assert_eq!(space.action(m.parse().unwrap()), None, "{m}");
        }
        let space = ActionSpace::new(&"2cj".parse().unwrap());
        assert_eq!(space.action("1JB1j2".parse().unwrap()), None);
        assert_eq!(space.action("1JBFj1".parse().unwrap()), None);
        assert_eq!(space.action("1B1j1".parse().unwrap()), None);
        assert!(space.action("1JB1j1".parse().unwrap()).is_some());
    }
}
