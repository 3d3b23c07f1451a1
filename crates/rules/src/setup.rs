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
        let mut faults = InvalidSetup::NO_FAULT;
        self.check_table(&mut faults);
        for (&seat, board) in self.rules.players.seats().iter().zip(&self.boards) {
            board.check(seat, &self.rules, &mut faults);
        }
        self.check_tile_counts(&mut faults);
        if !faults.faults().is_empty() {
            return Err(faults);
        }
        // Each part is valid by itself; now they must fit the phase.
        let position = self.assemble();
        position.check_phase(&mut faults);
        if faults.faults().is_empty() { Ok(position) } else { Err(faults) }
    }

    fn check_table(&self, faults: &mut InvalidSetup) {
        let players = self.rules.players;
        let (found, expected) = (self.boards.len(), players.count());
        faults.add_if(found != expected, Fault::BoardCount { found, expected });
        let (found, expected) = (self.factories.len(), players.factories());
        faults.add_if(found != expected, Fault::FactoryCount { found, expected });
        for seat in [self.turn, self.starter] {
            let fault = Fault::NoSuchSeat(seat);
            let is_known = faults.faults().contains(&fault);
            faults.add_if(!players.seats().contains(&seat) && !is_known, fault);
        }
        for (&tiles, &factory) in self.factories.iter().zip(&Source::ALL[1..]) {
            let n_tiles = tiles.total();
            faults.add_if(n_tiles > FACTORY_SIZE, Fault::FactoryTooFull { factory, n_tiles });
        }
        faults.add_if(self.round == 0, Fault::NoRound);
        let (dry, round) = (self.dry_rounds, self.round);
        let fault = Fault::MoreDryRoundsThanRounds { dry, round };
        faults.add_if(u16::from(dry) > round, fault);
        let held = self.boards.iter().filter(|board| board.has_marker).count();
        let places = held + usize::from(self.marker_in_center);
        faults.add_if(places != 1, Fault::MarkerPlaces(places));
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

    fn check_tile_counts(&self, faults: &mut InvalidSetup) {
        let all = self.rules.all_tiles();
        for tile in Tile::ALL {
            let (found, expected) = (self.tile_count(tile), all.count(tile));
            faults.add_if(found != expected, Fault::TileCount { tile, found, expected });
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

    fn check(&self, seat: Seat, rules: &Rules, faults: &mut InvalidSetup) {
        let (score, n_tiles) = (self.score, self.floor.total());
        faults.add_if(score > Setup::MAX_SCORE, Fault::ScoreTooHigh { seat, score });
        let is_too_full = n_tiles > FloorPenalties::SPACES as u32;
        faults.add_if(is_too_full, Fault::FloorTooFull { seat, n_tiles });
        match rules.wall {
            WallKind::Colored => self.check_colored_wall(seat, faults),
            WallKind::Grey => self.check_grey_wall(seat, faults),
        }
        let wall = self.assemble_wall();
        for (row, tiles) in Row::ALL.into_iter().zip(self.lines) {
            let n_tiles = tiles.total();
            faults.add_if(n_tiles > row.capacity(), Fault::LineTooLong { seat, row, n_tiles });
            let is_row_full = self.wall[row.index()].iter().all(Option::is_some);
            if is_row_full && !tiles.is_empty() {
                faults.add_if(true, Fault::LineBesideFullRow { seat, row });
                continue;
            }
            let mut colors = Color::ALL.into_iter().filter(|&color| tiles.count(color.into()) > 0);
            let Some(color) = colors.next() else { continue };
            let is_mixed = colors.next().is_some();
            faults.add_if(is_mixed, Fault::LineMixed { seat, row });
            let is_barred = wall.barred_colors(row, rules.wall) >> color.index() & 1 == 1;
            faults.add_if(is_barred && !is_mixed, Fault::LineBarred { seat, row, color });
        }
    }

    fn check_colored_wall(&self, seat: Seat, faults: &mut InvalidSetup) {
        for (row, column, tile) in self.wall_tiles() {
            let printed = Rules::printed_color(row, column);
            let is_wrong = tile != Tile::Joker && tile != Tile::Color(printed);
            faults.add_if(is_wrong, Fault::WrongSpace { seat, row, column, tile, printed });
        }
    }

    fn check_grey_wall(&self, seat: Seat, faults: &mut InvalidSetup) {
        for color in Color::ALL {
            let here = || self.wall_tiles().filter(|&(_, _, tile)| tile == Tile::Color(color));
            for row in Row::ALL {
                let n = here().filter(|&(at, _, _)| at == row).count();
                faults.add_if(n > 1, Fault::TwiceInRow { seat, row, color });
            }
            for column in Column::ALL {
                let n = here().filter(|&(_, at, _)| at == column).count();
                faults.add_if(n > 1, Fault::TwiceInColumn { seat, column, color });
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
    fn check_phase(&self, faults: &mut InvalidSetup) {
        let (is_draft, is_empty) = (self.phase == Phase::Draft, self.offer.is_empty());
        faults.add_if(is_draft && is_empty, Fault::NothingToDraft);
        faults.add_if(!is_draft && !is_empty, Fault::TilesOnTable);
        if let Phase::Deal | Phase::Over(_) = self.phase {
            faults.add_if(self.marker.is_some(), Fault::MarkerStillHeld);
            faults.add_if(self.turn != self.starter, Fault::TurnIsNotStarter);
        }
        let (stall, dry) = (self.rules.stall_rounds, self.dry_rounds);
        let is_untiled = matches!(self.phase, Phase::Draft | Phase::Deal);
        faults.add_if(is_untiled && dry == 0, Fault::NoDryRound);
        let is_stalled = self.ended_by().is_none() && stall > 0 && dry > stall;
        faults.add_if(is_stalled, Fault::GameShouldBeOver(EndedBy::Stall));
        for &seat in self.rules.players.seats() {
            self.check_seat_in_phase(seat, faults);
        }
        let is_fine = faults.faults().is_empty();
        match self.phase {
            Phase::Tiling(row) => {
                let board = self.board(self.turn);
                let line = board.line(row);
                let has_choice = line.is_full() && board.spaces_for(line, &self.rules).len() > 1;
                faults.add_if(!has_choice, Fault::NoWallChoice { seat: self.turn, row });
            }
            Phase::Deal if is_fine => {
                let ending = Position { dry_rounds: dry - 1, ..*self };
                if let Some(by) = ending.end_after_tiling() {
                    faults.add_if(true, Fault::GameShouldBeOver(by));
                }
            }
            Phase::Over(by) if is_fine => {
                faults.add_if(self.end_after_tiling() != Some(by), Fault::WrongEnd(by));
            }
            _ => {}
        }
    }

    fn check_seat_in_phase(&self, seat: Seat, faults: &mut InvalidSetup) {
        let board = self.board(seat);
        let is_tiled = !self.has_tiling_ahead(seat);
        // The number of rows, from the top, whose full lines should already be on the wall.
        let n_done = match self.phase {
            _ if is_tiled => Row::ALL.len(),
            Phase::Tiling(row) if seat == self.turn => row.index(),
            _ => 0,
        };
        for row in board.full_lines() {
            faults.add_if(row.index() < n_done, Fault::LineNotTiled { seat, row });
        }
        let is_cleared = board.floor().is_empty();
        faults.add_if(is_tiled && !is_cleared, Fault::FloorNotCleared { seat });
        let may_have_full_row = match self.phase {
            Phase::Draft | Phase::Deal => false,
            Phase::Tiling(_) => is_tiled || seat == self.turn,
            Phase::Over(_) => true,
        };
        let has_full_row = board.wall().has_full_row();
        faults.add_if(has_full_row && !may_have_full_row, Fault::FullRow { seat });
        let (score, bonuses) = (board.score(), Bonuses::of(board, &self.rules).total());
        let is_too_low = self.ended_by().is_some() && score < bonuses;
        faults.add_if(is_too_low, Fault::ScoreBelowBonuses { seat, score, bonuses });
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
