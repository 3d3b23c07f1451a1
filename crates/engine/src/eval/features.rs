//! What the network sees: numbered facts about a position, of which a few dozen hold at a time.
//!
//! Boards are seen as they would be if the round ended now. Each seat looks at its own board and at
//! those of the others with different weights, and at the table. When a wall has a full row the
//! game is certain to end with the round, and other facts count: what lies on the lines is worth
//! nothing unless it gets finished.

use arrayvec::ArrayVec;
use azulejo_rules::{
    Board, Bonuses, Color, Column, FACTORY_SIZE, Line, Phase, Position, Row, Rules, Seat, Source,
    Tile, Tiles, Wall, WallKind,
};

/// The number of a feature.
pub type Feature = u16;

/// The features of one seat's view. The capacity is more than all groups below can give.
pub type Features = ArrayVec<Feature, 192>;

/// Whose board it is, for the seat that looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// One's own.
    Own,
    /// Somebody else's.
    Other,
}

/// A range of features: where it begins and how many there are.
#[derive(Clone, Copy)]
struct Group {
    start: usize,
    len: usize,
}

impl Group {
    const fn after(previous: Group, len: usize) -> Group {
        Group { start: previous.start + previous.len, len }
    }

    #[inline]
    fn at(self, index: usize) -> Feature {
        debug_assert!(index < self.len);
        (self.start + index) as Feature
    }
}

/// States of a row of the wall with its line: with an empty line, or with some tiles in it that aim
/// at one of five columns, of which the row has nothing yet.
const fn row_states(row_idx: usize) -> usize {
    32 + 5 * row_idx * 16
}

/// The state of a row with `n_tiles` in its line that aim at a column.
#[inline]
fn row_state(row_bits: u32, n_tiles: u32, aim: Option<Column>) -> usize {
    let Some(column) = aim.map(Column::index) else { return row_bits as usize };
    let right = row_bits & ((1 << column) - 1);
    let left = row_bits >> (column + 1) << column;
    32 + ((n_tiles as usize - 1) * 5 + column) * 16 + (left | right) as usize
}

/// Partly filled lines by row and count: one for line 2, two for line 3, …
const PARTLY_FILLED: usize = 10;
const MOST_POINTS: usize = 10;
const MOST_IN_CENTER: usize = 12;
const MOST_FINAL_POINTS: usize = 24;

// Each board, once for `Role::Own` and once for `Role::Other`.
/// A row of the wall together with its line.
const ROWS: [Group; 5] = {
    let mut groups = [Group { start: 0, len: row_states(0) }; 5];
    let mut row = 1;
    while row < 5 {
        groups[row] = Group::after(groups[row - 1], row_states(row));
        row += 1;
    }
    groups
};
const COLUMNS: Group = Group::after(ROWS[4], 5 * 32);
const COLORS: Group = Group::after(COLUMNS, 5 * 6);
/// A partly filled line with the points it would bring, the tiles in its column, of its color.
const LINE_POINTS: Group = Group::after(COLORS, PARTLY_FILLED * MOST_POINTS);
const LINE_COLUMN: Group = Group::after(LINE_POINTS, PARTLY_FILLED * 5);
const LINE_COLOR: Group = Group::after(LINE_COLUMN, PARTLY_FILLED * 5);
/// … and how many tiles of its color are to be expected in the next round.
const LINE_SUPPLY: Group = Group::after(LINE_COLOR, PARTLY_FILLED * SUPPLIES);
const FLOOR: Group = Group::after(LINE_SUPPLY, 8);
/// In the last round: a partly filled line with the points it would bring in the end.
const FINAL_LINE: Group = Group::after(FLOOR, PARTLY_FILLED * (MOST_FINAL_POINTS + 1));
const FINAL_FLOOR: Group = Group::after(FINAL_LINE, 8);
const BOARD: usize = FINAL_FLOOR.start + FINAL_FLOOR.len;

// The table and what concerns all boards.
const FACTORY: Group = Group { start: 2 * BOARD, len: 71 };
const CENTER: Group = Group::after(FACTORY, 6 * (MOST_IN_CENTER + 1));
const MARKER: Group = Group::after(CENTER, 3);
const PILES: Group = Group::after(MARKER, 32);
const LEAD: Group = Group::after(PILES, LEADS);
const FINAL_LEAD: Group = Group::after(LEAD, LEADS * 4);
/// How many seats move before this one; in two parts, in a round and before it.
const WAIT: Group = Group::after(FINAL_LEAD, 2 * 4);
const ROUND: Group = Group::after(WAIT, 8);
const BAG: Group = Group::after(ROUND, 5 * 21);
const PLAYERS: Group = Group::after(BAG, 3);
/// The wall and whether there are jokers.
const VARIANT: Group = Group::after(PLAYERS, 4);

/// How many features there are.
pub const N_FEATURES: usize = VARIANT.start + VARIANT.len;

/// Leads from -40 to 40 points in steps of two.
const LEADS: usize = 41;

/// The step of a lead in points.
#[inline]
fn lead_step(points: i32) -> usize {
    (points.clamp(-40, 40) + 41) as usize / 2
}

/// How plentiful each color will be in the next round, in nine steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Supply([u8; 5]);

/// From two tiles or fewer among twenty to six or more, in steps of half a tile.
const SUPPLIES: usize = 9;

impl Supply {
    /// The supply of the round after a position's.
    #[must_use]
    pub fn of(position: &Position) -> Supply {
        let stock = position.stock();
        let needed = FACTORY_SIZE * position.rules().players.factories() as u32;
        // What falls into the lid during this round may come back too; that is left out.
        let tiles = if stock.bag.total() >= needed { stock.bag } else { stock.bag + stock.lid };
        let total = tiles.total().max(1);
        Supply(Color::ALL.map(|color| {
            let half_tiles = (40 * tiles.count(color.into()) + total / 2) / total;
            half_tiles.clamp(4, 12) as u8 - 4
        }))
    }

    fn step(self, color: Color) -> usize {
        usize::from(self.0[color.index()])
    }

    /// A number for each supply.
    #[must_use]
    pub fn number(self) -> u64 {
        self.0.iter().fold(0, |number, &step| number * SUPPLIES as u64 + u64::from(step))
    }
}

/// A board as the network sees it: tiled as if the round ended now.
pub struct TiledBoard<'a> {
    /// The board after wall-tiling.
    pub board: &'a Board,
    /// The spaces taken on its floor before.
    pub floor_spaces: u32,
    /// Whether some wall of the game has a full row, so that the game ends with this round.
    pub is_last_round: bool,
    /// What the next round will bring.
    pub supply: Supply,
}

impl Role {
    /// What is added to a feature of one's own board for that of a board in this role.
    #[inline]
    #[must_use]
    pub const fn offset(self) -> Feature {
        match self {
            Role::Own => 0,
            Role::Other => BOARD as Feature,
        }
    }
}

/// Calls `push` with the features of a board as its owner's.
#[inline]
pub fn board_features(tiled: &TiledBoard, rules: &Rules, mut push: impl FnMut(Feature)) {
    let board = tiled.board;
    let floor = tiled.floor_spaces.min(7) as usize;
    if tiled.is_last_round {
        push(FINAL_FLOOR.at(floor));
        for line in partly_filled(board) {
            let points = final_points(board, line, rules).min(MOST_FINAL_POINTS as u32) as usize;
            push(FINAL_LINE.at(partly_filled_index(line) * (MOST_FINAL_POINTS + 1) + points));
        }
        return;
    }
    push(FLOOR.at(floor));
    let wall = board.wall();
    for row in Row::ALL {
        let line = board.line(row);
        let mut aims_at = None;
        if line.n_tiles > 0 {
            aims_at = aim(board, line, rules);
            let column = aims_at.unwrap_or(NOWHERE);
            let points = board.points_at(row, column, rules).min(MOST_POINTS as u32) as usize - 1;
            let index = partly_filled_index(line);
            push(LINE_POINTS.at(index * MOST_POINTS + points));
            push(LINE_COLUMN.at(index * 5 + wall.column(column).count_ones().min(4) as usize));
            if let Some(color) = line.color {
                push(LINE_COLOR.at(index * 5 + wall.count(color.into()).min(4) as usize));
                push(LINE_SUPPLY.at(index * SUPPLIES + tiled.supply.step(color)));
            }
        }
        push(ROWS[row.index()].at(row_state(wall.row(row), line.n_tiles, aims_at)));
    }
    column_features(wall, &mut push);
    for color in Color::ALL {
        push(COLORS.at(color.index() * 6 + wall.count(color.into()).min(5) as usize));
    }
}

/// Calls `push` with the features of an owner's wall that depend on where its tiles are, as if all lines
/// were empty.
#[inline]
pub fn wall_features(wall: &Wall, mut push: impl FnMut(Feature)) {
    for row in Row::ALL {
        push(ROWS[row.index()].at(row_state(wall.row(row), 0, None)));
    }
    column_features(wall, push);
}

#[inline]
fn column_features(wall: &Wall, mut push: impl FnMut(Feature)) {
    for column in Column::ALL {
        push(COLUMNS.at(column.index() * 32 + wall.column(column) as usize));
    }
}

/// The lines of a tiled board that hold something.
fn partly_filled(board: &Board) -> impl Iterator<Item = Line> {
    Row::ALL.into_iter().map(|row| board.line(row)).filter(|line| line.n_tiles > 0)
}

fn partly_filled_index(line: Line) -> usize {
    let row = line.row.index();
    row * (row - 1) / 2 + line.n_tiles as usize - 1
}

/// The column where a line is going: the only one on the colored wall, elsewhere the one that
/// brings the most points; `None` if no space takes it.
pub(super) fn aim(board: &Board, line: Line, rules: &Rules) -> Option<Column> {
    let spaces = board.spaces_for(line, rules);
    if spaces & spaces.wrapping_sub(1) == 0 {
        return Column::from_index(spaces.trailing_zeros() as usize);
    }
    let columns = Column::ALL.into_iter().filter(|column| spaces >> column.index() & 1 == 1);
    columns.max_by_key(|&column| {
        (board.points_at(line.row, column, rules), std::cmp::Reverse(column.index()))
    })
}

/// A line that no space takes will fall; it is seen as aiming here.
pub(super) const NOWHERE: Column = Column::One;

/// What a line would bring if it were finished in the last round: points and bonuses.
fn final_points(board: &Board, line: Line, rules: &Rules) -> u32 {
    let column = aim(board, line, rules).unwrap_or(NOWHERE);
    let wall = board.wall();
    let mut points = board.points_at(line.row, column, rules);
    if wall.row(line.row).count_ones() == 4 {
        points += u32::from(rules.row_bonus);
    }
    if wall.column(column).count_ones() == 4 {
        points += u32::from(rules.column_bonus);
    }
    if let Some(color) = line.color
        && wall.count(color.into()) == 4
    {
        points += 10;
    }
    points
}

/// The score of a tiled board, with its bonuses if the game ends.
#[inline]
pub fn score_now(board: &Board, is_last_round: bool, rules: &Rules) -> i32 {
    let bonuses = if is_last_round { Bonuses::of(board, rules).total() } else { 0 };
    i32::from(board.score()) + i32::from(bonuses)
}

/// The feature of the tiles of a factory.
pub fn factory_feature(tiles: Tiles) -> Feature {
    let counts = Color::ALL.map(|color| tiles.count(color.into()) as usize);
    let is_full = counts.iter().sum::<usize>() == 4;
    // The tiles in order are four numbers that never fall; counting all such sequences before
    // this one numbers it.
    let index = if is_full { sequence_number(counts) } else { FACTORY.len - 1 };
    FACTORY.at(index)
}

/// The number of a multiset of four out of five: 0 to 69.
fn sequence_number(counts: [usize; 5]) -> usize {
    // Stars and bars: positions of the four bars between the five colors, as a combination.
    let mut number = 0;
    let mut place = 0;
    for (bar, count) in counts[..4].iter().enumerate() {
        place += count;
        number += choose(place + bar, bar + 1);
    }
    number
}

const fn choose(n: usize, k: usize) -> usize {
    let (mut result, mut i) = (1, 0);
    while i < k {
        if n < k {
            return 0;
        }
        result = result * (n - i) / (i + 1);
        i += 1;
    }
    result
}

/// The features of the center: how many tiles of each kind lie there.
#[inline]
pub fn center_features(center: Tiles, jokers: bool, mut visit: impl FnMut(Feature)) {
    let mut count = |kind: usize, n: u32| {
        visit(CENTER.at(kind * (MOST_IN_CENTER + 1) + n.min(MOST_IN_CENTER as u32) as usize));
    };
    for color in Color::ALL {
        count(color.index(), center.count(color.into()));
    }
    if jokers {
        count(Tile::Joker.index(), center.count(Tile::Joker));
    }
}

/// How a round stands, apart from boards and tiles.
#[derive(Clone, Copy)]
pub struct Standing {
    /// Whether there is a round, or one is to be dealt.
    pub is_in_round: bool,
    /// Who drafts next.
    pub turn: Seat,
    /// Who holds the marker.
    pub marker: Option<Seat>,
    /// How much is left to draft.
    pub n_piles: u32,
}

impl Standing {
    /// How the round of a position stands.
    #[inline]
    pub fn of(position: &Position) -> Standing {
        Standing {
            is_in_round: matches!(position.phase(), Phase::Draft | Phase::Tiling(_)),
            turn: position.turn(),
            marker: position.marker(),
            n_piles: position.n_piles(),
        }
    }

    /// One number for each combination of what matters to a seat: where the marker is, how much is
    /// left to draft and how many seats draft before it.
    #[inline]
    pub fn context(self, seat: Seat, players: usize) -> usize {
        let (seat_idx, turn_idx) = (seat.index(), self.turn.index());
        // Not a remainder, which would be a division in every leaf.
        let wait = seat_idx + if seat_idx < turn_idx { players } else { 0 } - turn_idx;
        if !self.is_in_round {
            return 4 * 3 * PILES.len + wait;
        }
        let marker = match self.marker {
            None => 0,
            Some(holder) if holder == seat => 1,
            Some(_) => 2,
        };
        (wait * 3 + marker) * PILES.len + self.n_piles.min(31) as usize
    }
}

/// The features of each context, in the order of their numbers.
pub fn contexts() -> impl Iterator<Item = ArrayVec<Feature, 3>> {
    let in_round = (0..4 * 3 * PILES.len).map(|context| {
        let (piles, marker, wait) =
            (context % PILES.len, context / PILES.len % 3, context / PILES.len / 3);
        ArrayVec::from([PILES.at(piles), MARKER.at(marker), WAIT.at(wait)])
    });
    let between_rounds = (0..4).map(|wait| ArrayVec::from_iter([WAIT.at(4 + wait)]));
    in_round.chain(between_rounds)
}

/// The feature of a lead in points over the best of the others.
#[inline]
pub fn lead_feature(lead: i32, is_last_round: bool, n_piles: u32) -> Feature {
    if is_last_round {
        let left = match n_piles {
            0 => 0,
            1..=3 => 1,
            4..=7 => 2,
            _ => 3,
        };
        FINAL_LEAD.at(left * LEADS + lead_step(lead))
    } else {
        LEAD.at(lead_step(lead))
    }
}

/// What stays the same for a whole round: the round, the rules and the bag.
pub fn round_features(position: &Position, mut visit: impl FnMut(Feature)) {
    // Boards are seen after this round.
    let coming = match position.phase() {
        Phase::Draft | Phase::Tiling(_) => position.round().saturating_add(1),
        Phase::Deal | Phase::Over(_) => position.round(),
    };
    visit(ROUND.at(usize::from(coming.clamp(1, 8)) - 1));
    let rules = position.rules();
    visit(PLAYERS.at(rules.players.count() - 2));
    let is_grey = rules.wall == WallKind::Grey;
    visit(VARIANT.at(2 * usize::from(is_grey) + usize::from(rules.jokers)));
    let bag = position.stock().bag;
    for color in Color::ALL {
        visit(BAG.at(color.index() * 21 + bag.count(color.into()).min(20) as usize));
    }
}

/// All features of a seat's view of a position: the slow way, for training and for tests.
/// `tilings` are the boards as they would be after wall-tiling, by seat.
pub fn all_features(position: &Position, tilings: &[Board], seat: Seat) -> Features {
    let mut list = Features::new();
    let rules = position.rules();
    let is_last_round = tilings.iter().any(|board| board.wall().has_full_row());
    let supply = Supply::of(position);
    for (&other, board) in rules.players.seats().iter().zip(tilings) {
        let role = if other == seat { Role::Own } else { Role::Other };
        let floor_spaces = position.floor_spaces(other);
        let tiled = TiledBoard { board, floor_spaces, is_last_round, supply };
        board_features(&tiled, rules, |feature| list.push(feature + role.offset()));
    }
    for (source, tiles) in position.factories() {
        if position.filled_sources() >> source.index() & 1 == 1 {
            list.push(factory_feature(tiles));
        }
    }
    center_features(position.pile(Source::Center), rules.jokers, |feature| list.push(feature));
    list.extend(
        contexts()
            .nth(Standing::of(position).context(seat, rules.players.count()))
            .into_iter()
            .flatten(),
    );
    list.push(lead_feature(lead(position, tilings, seat), is_last_round, position.n_piles()));
    round_features(position, |feature| list.push(feature));
    list
}

/// A seat's lead over the best of the others if the round ended now.
pub fn lead(position: &Position, tilings: &[Board], seat: Seat) -> i32 {
    let rules = position.rules();
    let is_last_round = tilings.iter().any(|board| board.wall().has_full_row());
    let score = |board: &Board| score_now(board, is_last_round, rules);
    let others = tilings.iter().enumerate().filter(|&(i, _)| i != seat.index());
    let best = others.map(|(_, board)| score(board)).max();
    score(&tilings[seat.index()]) - best.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_factory_has_a_number_of_its_own() {
        let mut seen = [false; 70];
        for a in 0..5_u32 {
            for b in a..5 {
                for c in b..5 {
                    for d in c..5 {
                        let colors = [a, b, c, d].map(|i| Color::ALL[i as usize]);
                        let tiles = colors.into_iter().map(Tile::from).collect();
                        let index = usize::from(factory_feature(tiles)) - FACTORY.start;
                        assert!(!seen[index], "{tiles}");
                        seen[index] = true;
                    }
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }

    #[test]
    fn every_row_with_its_line_has_a_number_of_its_own() {
        for row in Row::ALL {
            let mut seen = vec![false; row_states(row.index())];
            for bits in 0..32 {
                let free = Column::ALL.into_iter().filter(|column| bits >> column.index() & 1 == 0);
                let partly = free.flat_map(|column| {
                    (1..=row.index() as u32).map(move |n_tiles| (n_tiles, Some(column)))
                });
                for (n_tiles, aim) in partly.chain([(0, None)]) {
                    let state = row_state(bits, n_tiles, aim);
                    assert!(!std::mem::replace(&mut seen[state], true), "{row:?} {bits:b} {aim:?}");
                }
            }
            assert!(seen.iter().all(|&seen| seen));
        }
    }

    #[test]
    fn leads_are_cut_off_at_forty() {
        assert_eq!(lead_step(-100), 0);
        assert_eq!(lead_step(0), 20);
        assert_eq!(lead_step(1), 21);
        assert_eq!(lead_step(100), 40);
    }
}
