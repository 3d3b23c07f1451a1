//! The input features of the network: numbered binary facts about a position, a few dozen of which
//! are active at a time.
//!
//! Boards are encoded as they would be after wall-tiling if the round ended now. Each perspective has
//! separate features for its own board and for the others', and shares those of factories, center
//! and bag. Once a wall has a full row the game ends with the round and other features are active:
//! an unfinished line then counts only for what finishing it would bring.

pub use super::tilings::tilings;

use arrayvec::ArrayVec;
use azulejo_rules::{
    Board, Bonuses, Color, ColorBonus, Column, FACTORY_SIZE, Line, Phase, Position, Row, Rules,
    Seat, Source, Tile, Tiles, Wall, WallKind,
};

/// The number of a feature.
pub type Feature = u16;

/// The active features from one seat's perspective. The capacity is above the sum of all groups.
pub type Features = ArrayVec<Feature, 192>;

/// Whose board it is from the perspective seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The perspective seat's own.
    Own,
    /// Another seat's.
    Other,
}

/// A range of feature numbers.
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

/// States of a wall row together with its line: the line is empty, or it holds some tiles that aim at
/// one of the five columns, which must be free.
const fn row_states(row_idx: usize) -> usize {
    32 + 5 * row_idx * 16
}

/// The state of a row with `n_tiles` in its line, which aim at a column.
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

// Features of a board, once for `Role::Own` and once for `Role::Other`.
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
/// A partly filled line with the points it would score, the tiles in its column, those of its color.
const LINE_POINTS: Group = Group::after(COLORS, PARTLY_FILLED * MOST_POINTS);
const LINE_COLUMN: Group = Group::after(LINE_POINTS, PARTLY_FILLED * 5);
const LINE_COLOR: Group = Group::after(LINE_COLUMN, PARTLY_FILLED * 5);
/// … and the supply of its color expected in the next round.
const LINE_SUPPLY: Group = Group::after(LINE_COLOR, PARTLY_FILLED * SUPPLIES);
const FLOOR: Group = Group::after(LINE_SUPPLY, 8);
/// In the last round: a partly filled line with the points and bonuses it would score.
const FINAL_LINE: Group = Group::after(FLOOR, PARTLY_FILLED * (MOST_FINAL_POINTS + 1));
const FINAL_FLOOR: Group = Group::after(FINAL_LINE, 8);
/// A partly filled line with a joker, which will place a joker.
const LINE_JOKER: Group = Group::after(FINAL_FLOOR, PARTLY_FILLED);
/// A color that a joker on one of its spaces bars from the color bonus, by the number of its tiles.
const BARRED_COLOR: Group = Group::after(LINE_JOKER, 5);
const BOARD: usize = BARRED_COLOR.start + BARRED_COLOR.len;

// Features of the table and of the game.
const FACTORY: Group = Group { start: 2 * BOARD, len: 71 };
const CENTER: Group = Group::after(FACTORY, 6 * (MOST_IN_CENTER + 1));
const MARKER: Group = Group::after(CENTER, 3);
const PILES: Group = Group::after(MARKER, 32);
const LEAD: Group = Group::after(PILES, LEADS);
const FINAL_LEAD: Group = Group::after(LEAD, LEADS * 4);
/// How many seats move before this one, within a round and between rounds.
const WAIT: Group = Group::after(FINAL_LEAD, 2 * 4);
const ROUND: Group = Group::after(WAIT, 8);
const BAG: Group = Group::after(ROUND, 5 * 21);
const PLAYERS: Group = Group::after(BAG, 3);
/// The kind of wall, with or without jokers.
const VARIANT: Group = Group::after(PLAYERS, 4);

/// A full factory with jokers.
const JOKER_FACTORY: Group = Group::after(VARIANT, 35 + 15 + 5 + 1);

/// The number of features.
pub const N_FEATURES: usize = JOKER_FACTORY.start + JOKER_FACTORY.len;

/// Leads from -40 to 40 points in steps of two.
const LEADS: usize = 41;

/// The step of a lead in points.
#[inline]
fn lead_step(points: i32) -> usize {
    (points.clamp(-40, 40) + 41) as usize / 2
}

/// The expected count of each color in the next round, in nine steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Supply([u8; 5]);

/// From at most 2 tiles among 20 to at least 6, in steps of half a tile.
const SUPPLIES: usize = 9;

impl Supply {
    /// Stands in where no supply is needed.
    pub(super) const NONE: Supply = Supply([0; 5]);

    /// The supply of the round after a position's.
    pub(crate) fn of(position: &Position) -> Supply {
        let stock = position.stock();
        let needed = FACTORY_SIZE * position.rules().players().factories() as u32;
        // Tiles that fall into the lid during this round may come back too; they are left out.
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

    /// A unique number for each supply.
    pub(crate) fn number(self) -> u64 {
        self.0.iter().fold(0, |number, &step| number * SUPPLIES as u64 + u64::from(step))
    }
}

/// A board as the network sees it: tiled as if the round ended now.
pub(crate) struct TiledBoard<'a> {
    /// The board after wall-tiling.
    pub(crate) board: &'a Board,
    /// The spaces taken on its floor before.
    pub(crate) floor_spaces: u32,
    /// Whether some wall of the game has a full row, so that the game ends with this round.
    pub(crate) is_last_round: bool,
    pub(crate) supply: Supply,
}

impl Role {
    /// The offset from features of the perspective seat's own board to those of this role.
    #[inline]
    pub(crate) const fn offset(self) -> Feature {
        match self {
            Role::Own => 0,
            Role::Other => BOARD as Feature,
        }
    }
}

/// Calls `push` with the features of a board in [`Role::Own`].
#[inline]
pub(crate) fn board_features(tiled: &TiledBoard, rules: &Rules, mut push: impl FnMut(Feature)) {
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
            push(LINE_COLUMN.at(index * 5 + wall.column(column).len().min(4)));
            if let Some(color) = line.color {
                push(LINE_COLOR.at(index * 5 + wall.count(color.into()).min(4) as usize));
                push(LINE_SUPPLY.at(index * SUPPLIES + tiled.supply.step(color)));
            }
            if line.jokers > 0 {
                push(LINE_JOKER.at(index));
            }
        }
        push(ROWS[row.index()].at(row_state(wall.row(row).bits(), line.n_tiles, aims_at)));
    }
    column_features(wall, &mut push);
    for color in Color::ALL {
        push(COLORS.at(color.index() * 6 + wall.count(color.into()).min(5) as usize));
    }
    if rules.wall == WallKind::Colored && wall.count(Tile::Joker) > 0 {
        for color in Color::ALL.into_iter().filter(|&color| is_barred(wall, color)) {
            push(BARRED_COLOR.at(wall.count(color.into()).min(4) as usize));
        }
    }
}

/// Whether a joker lies on a space of a color, on the colored wall.
fn is_barred(wall: &Wall, color: Color) -> bool {
    let mut jokers = wall.tiles().filter(|&(_, _, tile)| tile == Tile::Joker);
    jokers.any(|(row, column, _)| Rules::printed_color(row, column) == color)
}

/// Calls `push` with the features of a wall in [`Role::Own`], as if all its lines were empty.
#[inline]
pub(crate) fn wall_features(wall: &Wall, mut push: impl FnMut(Feature)) {
    for row in Row::ALL {
        push(ROWS[row.index()].at(row_state(wall.row(row).bits(), 0, None)));
    }
    column_features(wall, push);
}

#[inline]
fn column_features(wall: &Wall, mut push: impl FnMut(Feature)) {
    for column in Column::ALL {
        push(COLUMNS.at(column.index() * 32 + wall.column(column).bits() as usize));
    }
}

/// The lines of a tiled board that hold tiles.
fn partly_filled(board: &Board) -> impl Iterator<Item = Line> {
    Row::ALL.into_iter().map(|row| board.line(row)).filter(|line| line.n_tiles > 0)
}

fn partly_filled_index(line: Line) -> usize {
    let row = line.row.index();
    row * (row - 1) / 2 + line.n_tiles as usize - 1
}

/// The column that a line will be placed in: the only one on the colored wall, elsewhere the one that
/// scores most; `None` if no space takes it.
pub(super) fn aim(board: &Board, line: Line, rules: &Rules) -> Option<Column> {
    let spaces = board.spaces_for(line, rules);
    if spaces.len() < 2 {
        return spaces.first();
    }
    spaces.iter().max_by_key(|&column| {
        (board.points_at(line.row, column, rules), std::cmp::Reverse(column.index()))
    })
}

/// The column that stands in for a line that no space takes: its tiles will fall to the floor.
const NOWHERE: Column = Column::One;

/// The points and bonuses of a line if it were finished in the last round.
fn final_points(board: &Board, line: Line, rules: &Rules) -> u32 {
    let column = aim(board, line, rules).unwrap_or(NOWHERE);
    let wall = board.wall();
    let mut points = board.points_at(line.row, column, rules);
    if wall.row(line.row).len() == 4 {
        points += u32::from(rules.row_bonus);
    }
    if wall.column(column).len() == 4 {
        points += u32::from(rules.column_bonus);
    }
    points += u32::from(match rules.color_bonus {
        ColorBonus::FiveOfColor(bonus) => {
            let is_fifth = line.color.is_some_and(|color| wall.count(color.into()) == 4);
            if is_fifth { bonus } else { 0 }
        }
        ColorBonus::BottomRowTiles(bonus) => {
            if line.row == Row::Five {
                bonus
            } else {
                0
            }
        }
    });
    points
}

/// The score of a tiled board, with its bonuses if the game ends.
#[inline]
pub(crate) fn score_now(board: &Board, is_last_round: bool, rules: &Rules) -> i32 {
    let bonuses = if is_last_round { Bonuses::of(board, rules).total() } else { 0 };
    i32::from(board.score()) + i32::from(bonuses)
}

/// The feature of the tiles of a factory.
pub(crate) fn factory_feature(tiles: Tiles) -> Feature {
    let counts = Color::ALL.map(|color| tiles.count(color.into()) as usize);
    let n_jokers = tiles.count(Tile::Joker) as usize;
    if counts.iter().sum::<usize>() + n_jokers != FACTORY_SIZE as usize {
        return FACTORY.at(FACTORY.len - 1);
    }
    let number = multiset_number(counts);
    match n_jokers {
        0 => FACTORY.at(number),
        // Behind the factories with fewer jokers.
        1 => JOKER_FACTORY.at(number),
        2 => JOKER_FACTORY.at(35 + number),
        3 => JOKER_FACTORY.at(50 + number),
        _ => JOKER_FACTORY.at(55),
    }
}

/// Numbers the multisets of some tiles in five colors from 0: 70 of four tiles, 35 of three, …
fn multiset_number(counts: [usize; 5]) -> usize {
    // Stars and bars: the four bars between the five colors as a combination.
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

/// The features of the center: the count of each kind of tile.
#[inline]
pub(crate) fn center_features(center: Tiles, jokers: bool, mut push: impl FnMut(Feature)) {
    let mut count = |kind: usize, n: u32| {
        push(CENTER.at(kind * (MOST_IN_CENTER + 1) + n.min(MOST_IN_CENTER as u32) as usize));
    };
    for color in Color::ALL {
        count(color.index(), center.count(color.into()));
    }
    if jokers {
        count(Tile::Joker.index(), center.count(Tile::Joker));
    }
}

/// Whether there is a draft left in the round. A position in wall-tiling is encoded as it will be
/// after it, between rounds.
#[inline]
pub(super) fn is_in_round(position: &Position) -> bool {
    position.phase() == Phase::Draft
}

/// The seat to move, in wall-tiling that of the next draft.
#[inline]
pub(super) fn turn(position: &Position) -> Seat {
    match position.phase() {
        Phase::Tiling(_) => position.marker().unwrap_or(position.starter()),
        _ => position.turn(),
    }
}

/// The index among [`contexts`] of the state apart from boards and tiles: who holds the marker,
/// how many piles are left to draft (`None` between rounds) and how many seats move before it.
#[inline]
pub(crate) fn context(
    seat: Seat,
    n_seats: usize,
    turn: Seat,
    marker: Option<Seat>,
    n_piles: Option<u32>,
) -> usize {
    let (seat_idx, turn_idx) = (seat.index(), turn.index());
    // Not a remainder, which would be a division in every leaf.
    let wait = seat_idx + if seat_idx < turn_idx { n_seats } else { 0 } - turn_idx;
    let Some(n_piles) = n_piles else { return 4 * 3 * PILES.len + wait };
    let marker = match marker {
        None => 0,
        Some(holder) if holder == seat => 1,
        Some(_) => 2,
    };
    (wait * 3 + marker) * PILES.len + n_piles.min(31) as usize
}

/// The features of each [`context`], by index.
pub(crate) fn contexts() -> impl Iterator<Item = ArrayVec<Feature, 3>> {
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
pub(crate) fn lead_feature(lead: i32, is_last_round: bool, n_piles: u32) -> Feature {
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

/// The features that stay the same for a whole round: its number, the rules and the bag.
pub(crate) fn round_features(position: &Position, mut push: impl FnMut(Feature)) {
    push(ROUND.at(usize::from(coming_round(position).clamp(1, 8)) - 1));
    let rules = position.rules();
    push(PLAYERS.at(rules.players().count() - 2));
    let is_grey = rules.wall == WallKind::Grey;
    push(VARIANT.at(2 * usize::from(is_grey) + usize::from(rules.jokers)));
    let bag = position.stock().bag;
    for color in Color::ALL {
        push(BAG.at(color.index() * 21 + bag.count(color.into()).min(20) as usize));
    }
}

/// The round that comes after the boards as they are encoded: tiled as at the end of a round.
pub(crate) fn coming_round(position: &Position) -> u16 {
    match position.phase() {
        Phase::Draft | Phase::Tiling(_) => position.round().saturating_add(1),
        Phase::Deal | Phase::Over(_) => position.round(),
    }
}

/// All active features of a position from the perspective of a seat, for training and tests.
///
/// `tilings` are the boards by seat, as they would be after wall-tiling: see [`tilings`](fn@tilings).
#[must_use]
pub fn all_features(position: &Position, tilings: &[Board], seat: Seat) -> Features {
    let mut list = Features::new();
    let rules = position.rules();
    let is_last_round = tilings.iter().any(|board| board.wall().has_full_row());
    let supply = Supply::of(position);
    for (&other, board) in rules.players().seats().iter().zip(tilings) {
        let role = if other == seat { Role::Own } else { Role::Other };
        let floor_spaces = if is_in_round(position) { position.floor_spaces(other) } else { 0 };
        let tiled = TiledBoard { board, floor_spaces, is_last_round, supply };
        board_features(&tiled, rules, |feature| list.push(feature + role.offset()));
    }
    for (source, tiles) in position.factories() {
        if position.filled_sources().contains(source) {
            list.push(factory_feature(tiles));
        }
    }
    center_features(position.pile(Source::Center), rules.jokers, |feature| list.push(feature));
    let n_seats = rules.players().count();
    let n_piles = is_in_round(position).then(|| position.n_piles());
    let context = context(seat, n_seats, turn(position), position.marker(), n_piles);
    list.extend(contexts().nth(context).into_iter().flatten());
    list.push(lead_feature(lead(position, tilings, seat), is_last_round, position.n_piles()));
    round_features(position, |feature| list.push(feature));
    list
}

/// A seat's lead in points over the best of the others if the round ended now.
#[must_use]
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
    fn factory_features_are_unique() {
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
    fn row_states_are_unique() {
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
    fn last_tile_of_a_color_brings_the_bonus_of_the_rules() {
        // Four blue tiles on the wall, and the fifth on its line.
        let text = "az1_2c_d1_1s1_BBYR-KKKK-BYRK-YWWW-RRKK_1_rest_._\
            0~.-..-...-....-B....~B....-.B...-..B..-...B.-.....~._\
            0~.-..-...-....-.....~.....-.....-.....-.....-.....~.";
        let position: Position = text.parse().unwrap();
        let (board, official) = (position.board(Seat::One), *position.rules());
        let points = |color_bonus: ColorBonus| {
            let mut rules = official;
            rules.color_bonus = color_bonus;
            final_points(board, board.line(Row::Five), &rules)
        };
        // One point for the tile, which has no neighbors.
        assert_eq!(points(official.color_bonus), 1 + 10);
        assert_eq!(points(ColorBonus::FiveOfColor(3)), 1 + 3);
        assert_eq!(points(ColorBonus::BottomRowTiles(2)), 1 + 2);
    }

    #[test]
    fn leads_are_clamped_at_forty() {
        assert_eq!(lead_step(-100), 0);
        assert_eq!(lead_step(0), 20);
        assert_eq!(lead_step(1), 21);
        assert_eq!(lead_step(100), 40);
    }
}
