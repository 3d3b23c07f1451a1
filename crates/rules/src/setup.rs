//! A setup: any arrangement of tiles, legal or not, and the validation that turns a legal one into a
//! [`Position`]. All faults are reported at once.
//!
//! A valid position obeys every rule about what may lie where. Whether a game can reach it is not
//! checked.

use crate::board::{Board, Line};
use crate::deal::{FACTORY_SIZE, Stock};
use crate::ending::{Bonuses, EndedBy};
use crate::fault::{Fault, InvalidSetup};
use crate::names::{Color, Column, Row, Seat, Source, Tile};
use crate::offer::Offer;
use crate::position::{Phase, Position};
use crate::rules::{FloorPenalties, Rules, WallKind};
use crate::tiles::Tiles;
use crate::wall::Wall;

/// Any arrangement of everything on the table. Its fields are public; [`new`](Setup::new) and the
/// `with_` methods build one step by step.
///
/// ```
/// use azulejo_rules::{BoardSetup, Phase, Players, Row, Rules, Seat, Setup, Source};
///
/// // Seat 2 to draft: red tiles in the center, and a full line on the board of seat 1.
/// let position = Setup::new(Rules::official(Players::Two))
///     .with_phase(Phase::Draft, Seat::Two)
///     .with_pile(Source::Factory3, "BBYR".parse()?)
///     .with_pile(Source::Center, "RR".parse()?)
///     .with_board(Seat::One, BoardSetup::default().with_line(Row::Two, "YY".parse()?))
///     .with_rest_in_bag()
///     .validate()?;
/// assert_eq!(position.projection(Seat::One).score, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The rules of the game.
    pub rules: Rules,
    /// What the game waits for.
    pub phase: Phase,
    /// Who drafts or chooses; the starter between rounds and after the end.
    pub turn: Seat,
    /// Who started the round, or will start the next one.
    pub starter: Seat,
    /// The round, from 1.
    pub round: u16,
    /// How many rounds in a row, this one included, no tile has been placed on any wall.
    pub dry_rounds: u8,
    /// The tiles of each factory.
    pub factories: Vec<Tiles>,
    /// The tiles in the center.
    pub center: Tiles,
    /// Whether the marker lies in the center.
    pub marker_in_center: bool,
    /// The tiles in the bag.
    pub bag: Tiles,
    /// The tiles in the lid.
    pub lid: Tiles,
    /// The boards, by seat.
    pub boards: Vec<BoardSetup>,
}

/// Any arrangement of one board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BoardSetup {
    /// The points so far.
    pub score: u16,
    /// The tiles of each line, from the top.
    pub lines: [Tiles; 5],
    /// The wall, row by row.
    pub wall: [[Option<Tile>; 5]; 5],
    /// The tiles on the floor, without the marker.
    pub floor: Tiles,
    /// Whether the marker is held here.
    pub has_marker: bool,
}

impl Setup {
    /// The largest score there is; no game comes near it.
    pub const MAX_SCORE: u16 = 9999;

    /// A new game before its first deal: all tiles in the bag, and the first player to start (seat 1
    /// if the rules leave it to chance).
    #[must_use]
    pub fn new(rules: Rules) -> Setup {
        Setup::from(&Position::new(rules, rules.first_player.unwrap_or(Seat::One)))
    }

    /// Sets the phase and the seat to move.
    #[must_use]
    pub fn with_phase(self, phase: Phase, turn: Seat) -> Setup {
        Setup { phase, turn, ..self }
    }

    /// Sets the tiles of a factory or the center. A factory that the game does not have is added.
    #[must_use]
    pub fn with_pile(mut self, source: Source, tiles: Tiles) -> Setup {
        match source.index().checked_sub(1) {
            None => self.center = tiles,
            Some(i) => {
                self.factories.resize(self.factories.len().max(i + 1), Tiles::EMPTY);
                self.factories[i] = tiles;
            }
        }
        self
    }

    /// Sets the board of a seat. The marker goes there if the board has it.
    #[must_use]
    pub fn with_board(mut self, seat: Seat, board: BoardSetup) -> Setup {
        self.boards.resize(self.boards.len().max(seat.index() + 1), BoardSetup::default());
        self.marker_in_center &= !board.has_marker;
        self.boards[seat.index()] = board;
        self
    }

    /// Puts all tiles into the bag that are nowhere else.
    #[must_use]
    pub fn with_rest_in_bag(mut self) -> Setup {
        self.bag = Tiles::EMPTY;
        self.bag = self.missing_tiles();
        self
    }

    /// Checks everything and makes a position of it.
    ///
    /// # Errors
    /// All faults found.
    pub fn validate(&self) -> Result<Position, InvalidSetup> {
        let mut faults = Vec::new();
        self.check_table(&mut faults);
        self.check_marker(&mut faults);
        for (&seat, board) in self.rules.players.seats().iter().zip(&self.boards) {
            board.check(seat, &self.rules, &mut faults);
        }
        self.check_tile_counts(&mut faults);
        if !faults.is_empty() {
            return Err(InvalidSetup { faults });
        }
        // Each part is valid by itself; now they must fit the phase.
        let position = self.assemble();
        position.check_phase(&mut faults);
        if faults.is_empty() { Ok(position) } else { Err(InvalidSetup { faults }) }
    }

    fn check_table(&self, faults: &mut Vec<Fault>) {
        let players = self.rules.players;
        if self.boards.len() != players.count() {
            faults.push(Fault::BoardCount { found: self.boards.len(), expected: players.count() });
        }
        if self.factories.len() != players.factories() {
            let (found, expected) = (self.factories.len(), players.factories());
            faults.push(Fault::FactoryCount { found, expected });
        }
        for seat in [self.turn, self.starter] {
            let fault = Fault::NoSuchSeat(seat);
            if !players.seats().contains(&seat) && !faults.contains(&fault) {
                faults.push(fault);
            }
        }
        for (&tiles, &factory) in self.factories.iter().zip(&Source::ALL[1..]) {
            if tiles.total() > FACTORY_SIZE {
                faults.push(Fault::FactoryTooFull { factory, n_tiles: tiles.total() });
            }
        }
        if self.round == 0 {
            faults.push(Fault::NoRound);
        }
        if u16::from(self.dry_rounds) > self.round {
            let (dry, round) = (self.dry_rounds, self.round);
            faults.push(Fault::MoreDryRoundsThanRounds { dry, round });
        }
    }

    fn check_marker(&self, faults: &mut Vec<Fault>) {
        let held = self.boards.iter().filter(|board| board.has_marker).count();
        let places = held + usize::from(self.marker_in_center);
        if places != 1 {
            faults.push(Fault::MarkerPlaces(places));
        }
    }

    /// The tiles of each kind everywhere, as numbers that cannot overflow.
    fn tile_count(&self, tile: Tile) -> u32 {
        let piles = self.factories.iter().chain([&self.center, &self.bag, &self.lid]);
        let on_boards: u32 = self.boards.iter().map(|board| board.tile_count(tile)).sum();
        piles.map(|pile| pile.count(tile)).sum::<u32>() + on_boards
    }

    /// The tiles of the game that are nowhere in the setup.
    #[must_use]
    pub fn missing_tiles(&self) -> Tiles {
        let all = self.rules.all_tiles();
        let missing = |tile| all.count(tile).saturating_sub(self.tile_count(tile));
        Tile::ALL.into_iter().map(|tile| Tiles::of(tile, missing(tile))).sum()
    }

    fn check_tile_counts(&self, faults: &mut Vec<Fault>) {
        let all = self.rules.all_tiles();
        for tile in Tile::ALL {
            let (found, expected) = (self.tile_count(tile), all.count(tile));
            if found != expected {
                faults.push(Fault::TileCount { tile, found, expected });
            }
        }
    }

    /// The position, once every part is known to be right.
    fn assemble(&self) -> Position {
        let mut offer = Offer::default();
        offer.set_center(self.center);
        offer.set_factories(&self.factories);
        let mut boards = [Board::EMPTY; 4];
        for (board, setup) in boards.iter_mut().zip(&self.boards) {
            *board = setup.assemble(&self.rules);
        }
        let holder = self.boards.iter().position(|board| board.has_marker);
        Position {
            offer,
            boards,
            stock: Stock { bag: self.bag, lid: self.lid },
            rules: self.rules,
            phase: self.phase,
            turn: self.turn,
            starter: self.starter,
            marker: holder.and_then(Seat::from_index),
            round: self.round,
            dry_rounds: self.dry_rounds,
        }
    }
}

impl BoardSetup {
    /// Sets the tiles of a line.
    #[must_use]
    pub fn with_line(mut self, row: Row, tiles: Tiles) -> BoardSetup {
        self.lines[row.index()] = tiles;
        self
    }

    /// Puts a tile on the wall.
    #[must_use]
    pub fn with_tile(mut self, row: Row, column: Column, tile: Tile) -> BoardSetup {
        self.wall[row.index()][column.index()] = Some(tile);
        self
    }

    fn tile_count(&self, tile: Tile) -> u32 {
        let lines: u32 = self.lines.iter().map(|line| line.count(tile)).sum();
        let wall = self.wall.iter().flatten().filter(|&&space| space == Some(tile)).count();
        lines + wall as u32 + self.floor.count(tile)
    }

    fn check(&self, seat: Seat, rules: &Rules, faults: &mut Vec<Fault>) {
        if self.score > Setup::MAX_SCORE {
            faults.push(Fault::ScoreTooHigh { seat, score: self.score });
        }
        if self.floor.total() > FloorPenalties::SPACES as u32 {
            faults.push(Fault::FloorTooFull { seat, n_tiles: self.floor.total() });
        }
        match rules.wall {
            WallKind::Colored => self.check_colored_wall(seat, faults),
            WallKind::Grey => self.check_grey_wall(seat, faults),
        }
        let wall = self.assemble_wall();
        for (row, tiles) in Row::ALL.into_iter().zip(self.lines) {
            if tiles.total() > row.capacity() {
                faults.push(Fault::LineTooLong { seat, row, n_tiles: tiles.total() });
            }
            let is_row_full = self.wall[row.index()].iter().all(Option::is_some);
            if is_row_full && !tiles.is_empty() {
                faults.push(Fault::LineBesideFullRow { seat, row });
                continue;
            }
            let mut colors = Color::ALL.into_iter().filter(|&color| tiles.count(color.into()) > 0);
            let Some(color) = colors.next() else { continue };
            if colors.next().is_some() {
                faults.push(Fault::LineMixed { seat, row });
            } else if wall.barred_colors(row, rules.wall) >> color.index() & 1 == 1 {
                faults.push(Fault::LineBarred { seat, row, color });
            }
        }
    }

    fn check_colored_wall(&self, seat: Seat, faults: &mut Vec<Fault>) {
        for (row, column, tile) in self.wall_tiles() {
            let printed = Rules::printed_color(row, column);
            if tile != Tile::Joker && tile != Tile::Color(printed) {
                faults.push(Fault::WrongSpace { seat, row, column, tile, printed });
            }
        }
    }

    fn check_grey_wall(&self, seat: Seat, faults: &mut Vec<Fault>) {
        for color in Color::ALL {
            let here = || self.wall_tiles().filter(|&(_, _, tile)| tile == Tile::Color(color));
            for row in Row::ALL {
                if here().filter(|&(at, _, _)| at == row).count() > 1 {
                    faults.push(Fault::TwiceInRow { seat, row, color });
                }
            }
            for column in Column::ALL {
                if here().filter(|&(_, at, _)| at == column).count() > 1 {
                    faults.push(Fault::TwiceInColumn { seat, column, color });
                }
            }
        }
    }

    fn wall_tiles(&self) -> impl Iterator<Item = (Row, Column, Tile)> {
        Row::ALL.into_iter().zip(&self.wall).flat_map(|(row, spaces)| {
            let spaces = Column::ALL.into_iter().zip(spaces);
            spaces.filter_map(move |(column, tile)| Some((row, column, (*tile)?)))
        })
    }

    fn assemble_wall(&self) -> Wall {
        let mut wall = Wall::EMPTY;
        for (row, column, tile) in self.wall_tiles() {
            wall.place(row, column, tile);
        }
        wall
    }

    fn assemble(&self, rules: &Rules) -> Board {
        let lines = Row::ALL.map(|row| {
            let tiles = self.lines[row.index()];
            let color = Color::ALL.into_iter().find(|&color| tiles.count(color.into()) > 0);
            Line { row, color, jokers: tiles.count(Tile::Joker), n_tiles: tiles.total() }
        });
        Board::with(rules, lines, self.assemble_wall(), self.floor, self.score)
    }
}

impl Position {
    /// Checks what a phase demands of the table and the boards.
    fn check_phase(&self, faults: &mut Vec<Fault>) {
        match self.phase {
            Phase::Draft if self.offer.is_empty() => faults.push(Fault::NothingToDraft),
            Phase::Draft => {}
            _ if !self.offer.is_empty() => faults.push(Fault::TilesOnTable),
            _ => {}
        }
        if let Phase::Deal | Phase::Over(_) = self.phase {
            if self.marker.is_some() {
                faults.push(Fault::MarkerStillHeld);
            }
            if self.turn != self.starter {
                faults.push(Fault::TurnIsNotStarter);
            }
        }
        let stall = self.rules.stall_rounds;
        match self.phase {
            Phase::Draft | Phase::Deal if self.dry_rounds == 0 => faults.push(Fault::NoDryRound),
            Phase::Draft | Phase::Deal | Phase::Tiling(_)
                if stall > 0 && self.dry_rounds > stall =>
            {
                faults.push(Fault::GameShouldBeOver(EndedBy::Stall));
            }
            _ => {}
        }
        for &seat in self.rules.players.seats() {
            self.check_seat_in_phase(seat, faults);
        }
        match self.phase {
            Phase::Tiling(row) => {
                let board = self.board(self.turn);
                let line = board.line(row);
                if !line.is_full() || board.spaces_for(line, &self.rules).len() < 2 {
                    faults.push(Fault::NoWallChoice { seat: self.turn, row });
                }
            }
            Phase::Deal if faults.is_empty() => {
                let ending = Position { dry_rounds: self.dry_rounds - 1, ..*self };
                faults.extend(ending.end_after_tiling().map(Fault::GameShouldBeOver));
            }
            Phase::Over(by) if faults.is_empty() && self.end_after_tiling() != Some(by) => {
                faults.push(Fault::WrongEnd(by));
            }
            _ => {}
        }
    }

    fn check_seat_in_phase(&self, seat: Seat, faults: &mut Vec<Fault>) {
        let board = self.board(seat);
        let is_tiled = match self.phase {
            Phase::Draft => false,
            Phase::Tiling(_) => seat != self.turn && !self.tiles_later(seat),
            Phase::Deal | Phase::Over(_) => true,
        };
        // The number of rows, from the top, whose full lines should already be on the wall.
        let n_done = match self.phase {
            _ if is_tiled => Row::ALL.len(),
            Phase::Tiling(row) if seat == self.turn => row.index(),
            _ => 0,
        };
        let late = board.full_lines().iter().filter(|row| row.index() < n_done);
        faults.extend(late.map(|row| Fault::LineNotTiled { seat, row }));
        if is_tiled && !board.floor().is_empty() {
            faults.push(Fault::FloorNotCleared { seat });
        }
        let may_have_full_row = match self.phase {
            Phase::Draft | Phase::Deal => false,
            Phase::Tiling(_) => is_tiled || seat == self.turn,
            Phase::Over(_) => true,
        };
        if board.wall().has_full_row() && !may_have_full_row {
            faults.push(Fault::FullRow { seat });
        }
        let bonuses = Bonuses::of(board, &self.rules).total();
        if matches!(self.phase, Phase::Over(_)) && board.score() < bonuses {
            faults.push(Fault::ScoreBelowBonuses { seat, score: board.score(), bonuses });
        }
    }
}

/// Takes a position apart.
impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let boards = position.rules.players.seats().iter().map(|&seat| {
            let board = position.board(seat);
            BoardSetup {
                score: board.score(),
                lines: Row::ALL.map(|row| board.line(row).tiles()),
                wall: Row::ALL.map(|row| Column::ALL.map(|column| board.wall().tile(row, column))),
                floor: board.floor(),
                has_marker: position.marker == Some(seat),
            }
        });
        Setup {
            rules: position.rules,
            phase: position.phase,
            turn: position.turn,
            starter: position.starter,
            round: position.round,
            dry_rounds: position.dry_rounds,
            factories: position.factories().map(|(_, tiles)| tiles).collect(),
            center: position.pile(Source::Center),
            marker_in_center: position.marker.is_none(),
            bag: position.stock.bag,
            lid: position.stock.lid,
            boards: boards.collect(),
        }
    }
}
