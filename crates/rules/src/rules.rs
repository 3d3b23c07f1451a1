//! The rule set of a game: the number of players, the wall, jokers, and the keys in which the
//! source documents of the game differ from the official rules; and the presets.
//!
//! A rule set is chosen when a game starts and never changes. The table of its keys, with their
//! text forms, is in [`rule_keys`](crate::rule_keys).

use crate::names::{Color, Row, Seat};
use crate::rule_keys::RulesError;
use crate::tiles::Tiles;

/// The number of players, two to four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Players {
    /// Two players, five factories.
    Two = 2,
    /// Three players, seven factories.
    Three = 3,
    /// Four players, nine factories.
    Four = 4,
}

impl Players {
    /// Two, three and four.
    pub const ALL: [Players; 3] = [Players::Two, Players::Three, Players::Four];

    /// The number itself.
    #[inline]
    #[must_use]
    pub const fn count(self) -> usize {
        self as usize
    }

    /// The variant for a number from 2 to 4.
    #[must_use]
    pub fn from_count(n: usize) -> Option<Players> {
        Players::ALL.into_iter().find(|players| players.count() == n)
    }

    /// The number of factories on the table.
    #[inline]
    #[must_use]
    pub const fn factories(self) -> usize {
        2 * self.count() + 1
    }

    /// The seats of the game, in playing order.
    #[inline]
    #[must_use]
    pub fn seats(self) -> &'static [Seat] {
        &Seat::ALL[..self.count()]
    }

    /// The seat that plays after `seat`.
    #[inline]
    #[must_use]
    pub const fn next(self, seat: Seat) -> Seat {
        use Seat::{Four, One, Three, Two};
        /// By number of players and seat; cheaper than comparing.
        const NEXT: [[Seat; 4]; 3] =
            [[Two, One, One, One], [Two, Three, One, One], [Two, Three, Four, One]];
        NEXT[self.count() - 2][seat.index()]
    }
}

/// Which side of the boards is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WallKind {
    /// Every space shows the color it takes.
    Colored,
    /// Any color anywhere, but none twice in a row or column.
    Grey,
}

/// How placing a tile on the wall scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlacementScoring {
    /// The lengths of the horizontal and of the vertical run, those longer than one; 1 for a lone tile.
    Official,
    /// One point, and one for every other tile of both runs.
    OnePlusNeighbors,
}

/// What happens when too few tiles are left to fill every factory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefillRemainder {
    /// All that is left is dealt; the last factory may be partly filled.
    PartialDisplay,
    /// Only whole factories of four are dealt; the rest stays where it is.
    FullDisplaysOnly,
}

/// The third bonus at the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorBonus {
    /// Points for each color with all five tiles on the wall.
    FiveOfColor(u8),
    /// Points for each tile in the bottom row of the wall.
    BottomRowTiles(u8),
}

/// What the spaces of the floor cost, from the left: each 0 to 9 points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FloorPenalties([u8; FloorPenalties::SPACES]);

impl FloorPenalties {
    /// The number of spaces on the floor.
    pub const SPACES: usize = 7;

    /// As printed on the board.
    pub const OFFICIAL: FloorPenalties = FloorPenalties([1, 1, 2, 2, 2, 3, 3]);

    /// Other penalties, if each is at most 9.
    #[must_use]
    pub fn new(each: [u8; Self::SPACES]) -> Option<FloorPenalties> {
        each.iter().all(|&points| points <= 9).then_some(FloorPenalties(each))
    }

    /// The cost of each space.
    #[must_use]
    pub const fn each(self) -> [u8; Self::SPACES] {
        self.0
    }

    /// What the first `n` spaces cost together; more than seven cost no more.
    #[inline]
    #[must_use]
    pub const fn loss(self, n: u32) -> u16 {
        let [a, b, c, d, e, f, g] = self.0;
        let all = u64::from_le_bytes([a, b, c, d, e, f, g, 0]);
        let n = if n > 7 { 7 } else { n };
        let counted = all & ((1 << (8 * n)) - 1);
        // The top byte of the product is the sum of all bytes, at most 63.
        (counted.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u16
    }
}

/// A named rule set, so that each source document can be played as it is written.
///
/// ```
/// use azulejo_rules::{Players, Preset, Rules};
///
/// let rules = Rules::official(Players::Three).with_preset(Preset::QuickGuide)?;
/// assert_eq!((rules.row_bonus, rules.preset()), (3, Some(Preset::QuickGuide)));
/// assert_eq!(rules.to_string(), "3c-quick-guide");
/// # Ok::<(), azulejo_rules::RulesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Preset {
    /// The official rules.
    Official,
    /// The rules overview.
    Overview,
    /// The quick guide.
    QuickGuide,
    /// The two-player text version.
    Duel,
}

named! {
    Preset, RulesError, |name| {
        let names = Preset::ALL.map(Preset::name).join(", ");
        RulesError::new(name, format!("no such preset; the presets are {names}"))
    },
    Official = "official", Overview = "overview", QuickGuide = "quick-guide", Duel = "duel",
}

impl Preset {
    /// One sentence that says how the preset differs from the official rules.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Preset::Official => "The official rules.",
            Preset::Overview => {
                "A placement scores 1 point plus 1 for every other tile of its row and column runs."
            }
            Preset::QuickGuide => {
                "3 points per full row, 10 per tile in the bottom row, only whole factories are dealt."
            }
            Preset::Duel => "Two players; the last two floor spaces cost 2 points each, not 3.",
        }
    }

    /// Whether the preset can be played with this number of players.
    #[must_use]
    pub const fn allows(self, players: Players) -> bool {
        !matches!(self, Preset::Duel) || matches!(players, Players::Two)
    }
}

/// A complete rule set, always a playable one: the first player is a seat of the game.
///
/// ```
/// use azulejo_rules::{Players, Preset, Rules, Seat, WallKind};
///
/// let mut rules = Rules::official(Players::Three).with_wall(WallKind::Grey).with_jokers(true);
/// rules.row_bonus = 3;
/// assert_eq!(rules.to_string(), "3gj-row3");
/// assert_eq!("3gj-row3".parse(), Ok(rules));
///
/// // A preset for two players, and a seat that does not exist, are refused.
/// assert!(rules.with_preset(Preset::Duel).is_err());
/// assert!(rules.with_first_player(Some(Seat::Four)).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The number of players. Private with `first_player`, which must be one of their seats.
    pub(crate) players: Players,
    /// The side of the boards.
    pub wall: WallKind,
    /// Whether Joker tiles are in play.
    pub jokers: bool,
    /// The seat that starts a new game; `None` is a random one.
    pub(crate) first_player: Option<Seat>,
    /// Points for each full row at the end.
    pub row_bonus: u8,
    /// Points for each full column at the end.
    pub column_bonus: u8,
    /// The third bonus at the end.
    pub color_bonus: ColorBonus,
    /// What the floor costs.
    pub floor_penalties: FloorPenalties,
    /// How placements score.
    pub placement_scoring: PlacementScoring,
    /// What happens to the last few tiles.
    pub refill_remainder: RefillRemainder,
    /// The game ends after this number of rounds in a row without a placement; 0 is never.
    pub stall_rounds: u8,
}

impl Rules {
    /// The official rules on the colored wall.
    #[must_use]
    pub const fn official(players: Players) -> Rules {
        Rules {
            players,
            wall: WallKind::Colored,
            jokers: false,
            first_player: None,
            row_bonus: 2,
            column_bonus: 7,
            color_bonus: ColorBonus::FiveOfColor(10),
            floor_penalties: FloorPenalties::OFFICIAL,
            placement_scoring: PlacementScoring::Official,
            refill_remainder: RefillRemainder::PartialDisplay,
            stall_rounds: 5,
        }
    }

    getters! {
        /// The number of players.
        players: Players,
        /// The seat that starts a new game; `None` is a random one.
        first_player: Option<Seat>,
    }

    /// The same rules on the other or the same side of the boards.
    #[must_use]
    pub const fn with_wall(self, wall: WallKind) -> Rules {
        Rules { wall, ..self }
    }

    /// The same rules with or without Joker tiles.
    #[must_use]
    pub const fn with_jokers(self, jokers: bool) -> Rules {
        Rules { jokers, ..self }
    }

    /// The same rules for another number of players. A first player who has no seat among them
    /// becomes a random one.
    #[must_use]
    pub fn with_players(self, players: Players) -> Rules {
        let first_player = self.first_player.filter(|first| players.seats().contains(first));
        Rules { players, first_player, ..self }
    }

    /// The same rules with another first player.
    ///
    /// # Errors
    /// If the seat is not in the game.
    pub fn with_first_player(self, first_player: Option<Seat>) -> Result<Rules, RulesError> {
        Rules { first_player, ..self }.checked()
    }

    /// The same game with the keys of a preset; players, wall, jokers and first player stay.
    ///
    /// # Errors
    /// If the preset is not for this number of players.
    pub fn with_preset(self, preset: Preset) -> Result<Rules, RulesError> {
        if !preset.allows(self.players) {
            return Err(RulesError::new(preset.name(), "this preset is for two players"));
        }
        let mut rules = Rules {
            wall: self.wall,
            jokers: self.jokers,
            first_player: self.first_player,
            ..Rules::official(self.players)
        };
        match preset {
            Preset::Official => {}
            Preset::Overview => rules.placement_scoring = PlacementScoring::OnePlusNeighbors,
            Preset::QuickGuide => {
                rules.row_bonus = 3;
                rules.color_bonus = ColorBonus::BottomRowTiles(10);
                rules.refill_remainder = RefillRemainder::FullDisplaysOnly;
            }
            Preset::Duel => rules.floor_penalties = FloorPenalties([1, 1, 2, 2, 2, 2, 2]),
        }
        Ok(rules)
    }

    /// The preset that these rules are, if they are one.
    #[must_use]
    pub fn preset(&self) -> Option<Preset> {
        Preset::ALL.into_iter().find(|&preset| self.with_preset(preset).as_ref() == Ok(self))
    }

    /// The invariant of a rule set.
    pub(crate) fn checked(self) -> Result<Rules, RulesError> {
        match self.first_player {
            Some(seat) if !self.players.seats().contains(&seat) => {
                let n = self.players.count();
                Err(RulesError::new(&format!("first{seat}"), format!("the game has {n} seats")))
            }
            _ => Ok(self),
        }
    }

    /// Whether wall-tiling may leave a choice: where a tile goes on the grey wall, or a joker on any.
    #[must_use]
    pub fn has_wall_choices(&self) -> bool {
        self.wall == WallKind::Grey || self.jokers
    }

    /// All tiles of the game.
    #[must_use]
    pub fn all_tiles(&self) -> Tiles {
        Tiles::of_game(self.jokers, self.players as u32)
    }

    /// The points for a placement, by the lengths of its runs with the new tile.
    #[inline]
    #[must_use]
    pub(crate) const fn placement_points(&self, horizontal: u32, vertical: u32) -> u32 {
        let is_alone = (horizontal == 1) as u32 | (vertical == 1) as u32;
        match self.placement_scoring {
            // A run of one tile counts only when it is alone in both directions.
            PlacementScoring::Official => horizontal + vertical - is_alone,
            PlacementScoring::OnePlusNeighbors => horizontal + vertical - 1,
        }
    }

    /// The column where the colored wall has a color in a row.
    #[inline]
    #[must_use]
    pub const fn printed_column(row: Row, color: Color) -> crate::Column {
        let column = color.index() + row.index();
        crate::Column::from_index_or_last(if column >= 5 { column - 5 } else { column })
    }

    /// The color printed on a space of the colored wall.
    #[inline]
    #[must_use]
    pub const fn printed_color(row: Row, column: crate::Column) -> Color {
        Color::ALL[(column.index() + 5 - row.index()) % 5]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    #[test]
    fn floor_losses_add_up() {
        let losses: Vec<u16> = (0..=9).map(|n| FloorPenalties::OFFICIAL.loss(n)).collect();
        assert_eq!(losses, [0, 1, 2, 4, 6, 8, 11, 14, 14, 14]);
        let duel = Rules::official(Players::Two).with_preset(Preset::Duel).unwrap();
        assert_eq!(duel.floor_penalties.loss(7), 12);
        assert_eq!(FloorPenalties::new([9; 7]).unwrap().loss(7), 63);
        assert!(FloorPenalties::new([1, 1, 2, 2, 2, 3, 10]).is_none());
    }

    #[test]
    fn presets_are_recognized() {
        for players in Players::ALL {
            for preset in Preset::ALL.into_iter().filter(|preset| preset.allows(players)) {
                let rules = Rules::official(players).with_preset(preset).unwrap();
                assert_eq!(rules.preset(), Some(preset));
                assert_eq!(preset.to_string().parse(), Ok(preset));
            }
        }
        let house = Rules { row_bonus: 4, ..Rules::official(Players::Two) };
        assert_eq!(house.preset(), None);
        assert!(Rules::official(Players::Three).with_preset(Preset::Duel).is_err());
        let like_duel = Rules {
            floor_penalties: FloorPenalties([1, 1, 2, 2, 2, 2, 2]),
            ..Rules::official(Players::Three)
        };
        assert_eq!(like_duel.preset(), None);
    }

    #[test]
    fn the_first_player_is_in_the_game() {
        let two = Rules::official(Players::Two);
        assert_eq!(two.with_first_player(Some(Seat::Two)).unwrap().first_player(), Some(Seat::Two));
        let error = two.with_first_player(Some(Seat::Four)).unwrap_err();
        assert_eq!(error.to_string(), "rules: `first4`: the game has 2 seats");
        let four = Rules::official(Players::Four).with_first_player(Some(Seat::Four)).unwrap();
        assert_eq!(four.with_players(Players::Three), Rules::official(Players::Three));
        assert_eq!(four.with_players(Players::Four), four);
    }

    #[test]
    fn the_printed_wall_is_a_latin_square() {
        for row in Row::ALL {
            for color in Color::ALL {
                let column = Rules::printed_column(row, color);
                assert_eq!(Rules::printed_color(row, column), color);
            }
            assert_eq!(Rules::printed_column(row, Color::Blue).index(), row.index());
        }
        assert_eq!(Rules::printed_column(Row::Three, Color::Yellow), Column::Four);
    }

    #[test]
    fn seats_go_round() {
        assert_eq!(Players::Three.next(Seat::Three), Seat::One);
        assert_eq!(Players::Four.next(Seat::Three), Seat::Four);
        assert_eq!(Players::from_count(5), None);
        assert_eq!(Players::Four.factories(), 9);
    }
}
