//! The state of a game, the actions, and `deal` and `play`, the only ways to change a state.

use crate::rules::{Rules, Tile};

/// The board of one player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The points, which never fall below 0.
    pub score: u32,
    /// The five pattern lines; line 0 has room for one tile, line 4 for five.
    pub lines: Vec<Vec<Tile>>,
    /// The five rows of five wall spaces.
    pub wall: Vec<Vec<Option<Tile>>>,
    /// The tiles on the floor in the order they fell, without the marker.
    pub floor: Vec<Tile>,
}

impl Player {
    /// An empty board with 0 points.
    pub(crate) fn new() -> Player {
        Player {
            score: 0,
            lines: vec![Vec::new(); 5],
            wall: vec![vec![None; 5]; 5],
            floor: Vec::new(),
        }
    }

    /// How many more tiles the line in `row` can take.
    pub(crate) fn room_in_line(&self, row: usize) -> usize {
        row + 1 - self.lines[row].len()
    }
}

/// Where a player drafts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// The center of the table.
    Center,
    /// One of the factories, counted from 0.
    Factory(usize),
}

/// Where the drafted tiles go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Destination {
    /// A pattern line, counted from 0; what does not fit falls to the floor.
    Line(usize),
    /// The floor.
    Floor,
}

/// A decision of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Take tiles and put them down.
    Draft {
        /// Where the tiles come from.
        source: Source,
        /// The color taken, or none when only jokers are taken.
        color: Option<Tile>,
        /// Whether the jokers of the source are taken.
        jokers: bool,
        /// Where the tiles go.
        destination: Destination,
        /// How many jokers enter the line; 0 for the floor.
        jokers_in_line: usize,
    },
    /// Move a tile of a full line to a space of the wall.
    Place {
        /// The row of the full line.
        row: usize,
        /// The column of the space.
        column: usize,
    },
}

/// What ended a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndedBy {
    /// Somebody has a full row.
    Row,
    /// No tile can be dealt.
    NoTiles,
    /// No tile that could be dealt fits any line of any player.
    DeadPosition,
    /// Too many rounds in a row went by without a placement.
    Stall,
}

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The factories wait for tiles.
    Deal,
    /// The seat to move drafts.
    Draft,
    /// A seat chooses the wall space for its full line in a row.
    Tiling {
        /// The seat that chooses.
        seat: usize,
        /// The row of the full line.
        row: usize,
    },
    /// The game is over, and the bonuses are in the scores.
    Over(EndedBy),
}

/// A game from the first deal to the final scores.
///
/// Equality compares the vectors as they are, although the order of the tiles in the bag, in the
/// lid, in the center and in a factory means nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// The rule keys.
    pub rules: Rules,
    /// The boards by seat.
    pub players: Vec<Player>,
    /// The tiles on each factory.
    pub factories: Vec<Vec<Tile>>,
    /// The tiles in the center, without the marker.
    pub center: Vec<Tile>,
    /// The tiles in the bag, in no order.
    pub bag: Vec<Tile>,
    /// The tiles in the lid, in no order.
    pub lid: Vec<Tile>,
    /// The seat that took the marker in this round; none while the marker lies in the center, and
    /// between rounds.
    pub marker: Option<usize>,
    /// The seat that started this round; once the round is completed, the seat that starts the
    /// next one, also when the game is over.
    pub starter: usize,
    /// The seat that decides next; the starter while the factories wait for tiles and when the
    /// game is over.
    pub to_move: usize,
    /// The number of this round, from 1; it does not grow when the game ends.
    pub round: u32,
    /// How many completed rounds in a row saw no placement on any wall.
    pub dry_rounds: u32,
    /// Whether a tile was placed on any wall in this round.
    pub placed_this_round: bool,
    /// What happens next.
    pub phase: Phase,
}

impl Game {
    /// A new game with all tiles in the bag; `first` is the seat that starts round 1.
    ///
    /// # Panics
    ///
    /// Panics unless there are 2 to 4 players and `first` is one of their seats.
    pub fn new(rules: Rules, first: usize) -> Game {
        assert!((2..=4).contains(&rules.players), "2 to 4 players");
        assert!(first < rules.players, "the first seat must be taken");
        // Rules 1.5 and 7.1: all tiles start in the bag.
        let counts = rules.tile_counts();
        let mut bag = Vec::new();
        for tile in Tile::COLORS.into_iter().chain([Tile::Joker]) {
            for _ in 0..counts[tile.index()] {
                bag.push(tile);
            }
        }
        Game {
            players: vec![Player::new(); rules.players],
            factories: vec![Vec::new(); rules.factory_count()],
            center: Vec::new(),
            bag,
            lid: Vec::new(),
            marker: None,
            starter: first,
            to_move: first,
            round: 1,
            dry_rounds: 0,
            placed_this_round: false,
            phase: Phase::Deal,
            rules,
        }
    }

    /// Every action that is legal now, each exactly once; none while tiles must be dealt and none
    /// when the game is over.
    pub fn legal_actions(&self) -> Vec<Action> {
        match self.phase {
            Phase::Draft => self.draft_actions(),
            Phase::Tiling { seat, row } => {
                let mut actions = Vec::new();
                for column in self.open_columns(seat, row) {
                    actions.push(Action::Place { row, column });
                }
                actions
            }
            Phase::Deal | Phase::Over(_) => Vec::new(),
        }
    }

    /// Plays a legal action and everything that follows from it without a further decision.
    ///
    /// # Errors
    ///
    /// Anything that is not in the list of legal actions is rejected and changes nothing.
    pub fn play(&mut self, action: &Action) -> Result<(), String> {
        if !self.legal_actions().contains(action) {
            let phase = self.phase;
            return Err(format!("{action:?} is not legal in phase {phase:?}"));
        }
        match *action {
            Action::Draft { source, color, jokers, destination, jokers_in_line } => {
                self.draft(source, color, jokers, destination, jokers_in_line);
                if self.no_tiles_on_the_table() {
                    // Rule 2.5: the phase ends at once, even with the marker in the center.
                    self.start_tiling();
                } else {
                    self.to_move = self.seat_after(self.to_move);
                }
            }
            Action::Place { row, column } => {
                let seat = self.to_move;
                self.place(seat, row, column);
                self.tile_from(seat);
            }
        }
        Ok(())
    }

    /// How many tiles of each kind are anywhere in the game, in the order of [`Tile::index`].
    pub fn all_tiles(&self) -> [usize; 6] {
        let mut counts = [0; 6];
        let mut count = |tiles: &[Tile]| {
            for tile in tiles {
                counts[tile.index()] += 1;
            }
        };
        count(&self.bag);
        count(&self.lid);
        count(&self.center);
        for factory in &self.factories {
            count(factory);
        }
        for player in &self.players {
            count(&player.floor);
            for line in &player.lines {
                count(line);
            }
            for row in &player.wall {
                for space in row.iter().flatten() {
                    count(&[*space]);
                }
            }
        }
        counts
    }

    /// The next seat clockwise.
    pub(crate) fn seat_after(&self, seat: usize) -> usize {
        // Rule 1.8: ascending seats, and after the last one the first.
        (seat + 1) % self.rules.players
    }

    /// Whether all factories and the center are without tiles.
    fn no_tiles_on_the_table(&self) -> bool {
        self.center.is_empty() && self.factories.iter().all(Vec::is_empty)
    }

    /// How many of the seven floor spaces of a seat are occupied.
    pub(crate) fn floor_spaces_taken(&self, seat: usize) -> usize {
        let tiles = self.players[seat].floor.len();
        if self.marker == Some(seat) {
            // Rule 2.3.3: the marker counts as a tile.
            // Rule 2.3.4: taken with seven tiles on the floor, it lies beside the board.
            (tiles + 1).min(7)
        } else {
            tiles
        }
    }

    /// Lets tiles fall to the floor of a seat in this order; what does not fit goes to the lid.
    pub(crate) fn fall(&mut self, seat: usize, tiles: &[Tile]) {
        for &tile in tiles {
            // Rule 2.4: seven spaces, then the lid.
            if self.floor_spaces_taken(seat) < 7 {
                self.players[seat].floor.push(tile);
            } else {
                self.lid.push(tile);
            }
        }
    }
}
