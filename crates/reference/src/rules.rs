//! The rules of a game: the tiles, the printed wall and the rule keys.

/// A tile: one of the five colors, or a joker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tile {
    /// The blue tile.
    Blue,
    /// The yellow tile.
    Yellow,
    /// The red tile.
    Red,
    /// The black tile.
    Black,
    /// The white tile.
    White,
    /// The joker, which has no color.
    Joker,
}

impl Tile {
    /// The five colors in the order in which row 1 of the colored wall shows them.
    pub const COLORS: [Tile; 5] = [Tile::Blue, Tile::Yellow, Tile::Red, Tile::Black, Tile::White];

    /// The place of this tile in a table of six counts: the colors in order, then the joker.
    pub fn index(self) -> usize {
        match self {
            Tile::Blue => 0,
            Tile::Yellow => 1,
            Tile::Red => 2,
            Tile::Black => 3,
            Tile::White => 4,
            Tile::Joker => 5,
        }
    }
}

/// The column of the colored wall that shows `color` in `row`, both counted from 0.
///
/// # Panics
///
/// Panics for a joker, which is printed nowhere.
pub fn printed_column(row: usize, color: Tile) -> usize {
    assert!(color != Tile::Joker, "no space of the wall shows a joker");
    // Rule 1.9: every row shows the colors of the row above, shifted one space to the right.
    (color.index() + row) % 5
}

/// What the third kind of final bonus is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorBonus {
    /// Points for each color with all five tiles on the wall.
    FiveOfColor(u32),
    /// Points for each tile in the bottom row of the wall.
    BottomRowTiles(u32),
}

/// The rule keys of one game, which never change while it is played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// The number of players, from 2 to 4.
    pub players: usize,
    /// Whether the grey side of the wall is used.
    pub grey: bool,
    /// Whether the joker tiles are in the bag.
    pub jokers: bool,
    /// Points for each full row at the end of the game.
    pub row_bonus: u32,
    /// Points for each full column at the end of the game.
    pub column_bonus: u32,
    /// Points for colors at the end of the game.
    pub color_bonus: ColorBonus,
    /// Points lost for each of the seven floor spaces.
    pub floor_penalties: [u32; 7],
    /// Whether a placement scores 1 plus its linked neighbors in both directions.
    pub one_plus_neighbors: bool,
    /// Whether only whole displays of four tiles are dealt.
    pub full_displays_only: bool,
    /// How many rounds in a row without a placement end the game; 0 means never.
    pub stall_rounds: u32,
}

impl Rules {
    /// The official rules for this many players: colored wall, no jokers.
    pub fn official(players: usize) -> Rules {
        // Rule 8.2: the defaults of all keys.
        Rules {
            players,
            grey: false,
            jokers: false,
            row_bonus: 2,
            column_bonus: 7,
            color_bonus: ColorBonus::FiveOfColor(10),
            floor_penalties: [1, 1, 2, 2, 2, 3, 3],
            one_plus_neighbors: false,
            full_displays_only: false,
            stall_rounds: 5,
        }
    }

    /// The number of factories on the table.
    pub fn factory_count(&self) -> usize {
        // Rule 1.2: two for each player and one more.
        2 * self.players + 1
    }

    /// How many tiles of each kind the game has, in the order of [`Tile::index`].
    pub fn tile_counts(&self) -> [usize; 6] {
        if !self.jokers {
            // Rule 1.1: 20 tiles of each color.
            [20, 20, 20, 20, 20, 0]
        } else if self.players == 2 {
            // Rule 7.1: with two players one tile of each color makes room for 5 jokers.
            [19, 19, 19, 19, 19, 5]
        } else {
            // Rule 7.1: with more players two tiles of each color make room for 10 jokers.
            [18, 18, 18, 18, 18, 10]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t02_printed_columns() {
        // The rules count rows and columns from 1, the code from 0.
        assert_eq!(printed_column(2, Tile::Yellow) + 1, 4);
        assert_eq!(printed_column(3, Tile::Black) + 1, 2);
        assert_eq!(printed_column(4, Tile::Blue) + 1, 5);
        assert_eq!(printed_column(1, Tile::White) + 1, 1);
    }

    #[test]
    fn there_are_always_100_tiles() {
        for players in 2..=4 {
            for jokers in [false, true] {
                let mut rules = Rules::official(players);
                rules.jokers = jokers;
                assert_eq!(rules.tile_counts().iter().sum::<usize>(), 100);
            }
        }
    }
}
