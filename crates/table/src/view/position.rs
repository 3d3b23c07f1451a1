//! A position, as `docs/json.md` describes it.

use crate::ResultBy;
use azulejo_rules::{
    Bonuses, Column, Move, Outcome, Phase, Position, Preset, Projection, Row, Rules, Seat, Source,
    Tile, Tiles,
};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Seats, rows and columns count from 1.
pub(super) fn seat(seat: Seat) -> u8 {
    seat.index() as u8 + 1
}

/// Tiles as letters; the empty text for none.
pub(super) fn letters(tiles: Tiles) -> String {
    tiles.each().map(Tile::letter).collect()
}

/// The number of tiles of each kind, without zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts(pub Tiles);

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (tile, n) in self.0.iter() {
            map.serialize_entry(&tile.letter(), &n)?;
        }
        map.end()
    }
}

/// A rule set: its text and preset, then all its keys as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulesView(pub Rules);

impl Serialize for RulesView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("text", &self.0.to_string())?;
        map.serialize_entry("preset", &self.0.preset().map(Preset::name))?;
        for (key, value) in self.0.keys() {
            map.serialize_entry(key, &value)?;
        }
        map.end()
    }
}

/// A position with everything that players can see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PositionView {
    /// The position in the notation.
    pub position: String,
    /// 16 hexadecimal digits, the same for equal positions.
    pub hash: String,
    /// The rule set: `text`, `preset` and every key as text.
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::HashMap<String, Option<String>>))]
    pub rules: RulesView,
    /// The phase.
    pub phase: PhaseName,
    /// The seat that drafts or chooses.
    pub turn: u8,
    /// The line whose tile is to be placed, in a wall choice.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub row: Option<u8>,
    /// The round, from 1.
    pub round: u16,
    /// The seat that started the round.
    pub starter: u8,
    /// The number of consecutive rounds in which no tile reached a wall.
    pub dry_rounds: u8,
    /// The seat that holds the marker, or `center`.
    pub marker: Marker,
    /// The tiles of each factory, as letters.
    pub factories: Vec<String>,
    /// The tiles in the center, without the marker.
    pub center: String,
    /// The number of tiles of each kind in the bag. Their order is secret.
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::HashMap<String, u32>))]
    pub bag: Counts,
    /// The number of tiles of each kind in the lid.
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::HashMap<String, u32>))]
    pub lid: Counts,
    /// The boards, by seat.
    pub boards: Vec<BoardView>,
    /// The number of legal moves.
    pub n_legal_moves: u32,
    /// The result by the rules, if the game ended by them.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub outcome: Option<OutcomeView>,
}

/// The phase of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    /// A seat takes tiles.
    Draft,
    /// A seat chooses a space on its wall.
    Tiling,
    /// The next round is to be dealt.
    Deal,
    /// The game is over.
    Over,
}

/// Where the marker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum Marker {
    /// With a seat.
    Seat(u8),
    /// In the center.
    Center(Center),
}

/// The center, in the place of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Center {
    /// The center.
    Center,
}

/// The board of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BoardView {
    /// Whose board it is.
    pub seat: u8,
    /// The score; after the end with the bonuses.
    pub score: u16,
    /// Lines 1 to 5.
    pub lines: [LineView; 5],
    /// Rows 1 to 5 of the wall, with `.` for a free space.
    pub wall: [String; 5],
    /// The tiles on the floor, without the marker.
    pub floor: String,
    /// Whether this seat holds the marker.
    pub has_marker: bool,
    /// The number of floor spaces taken by tiles or the marker.
    pub floor_spaces: u32,
    /// The score if the round ended now.
    pub projection: ProjectionView,
    /// The bonuses of the wall as it is now.
    pub bonuses: BonusesView,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LineView {
    /// The letter of its color; null if it is empty or holds only jokers.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub color: Option<char>,
    /// The tiles on it.
    pub tiles: String,
    /// The free spaces.
    pub room: u32,
}

/// The score of a seat if the round ended now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProjectionView {
    /// The points of the lines that are full now, by row; null for other lines.
    pub rows: [Option<ProjectedRowView>; 5],
    /// The points of all of them.
    pub points: u32,
    /// The points that the floor will cost.
    pub loss: u16,
    /// The score then, without bonuses.
    pub score: u16,
}

/// What a full line will score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProjectedRowView {
    /// The column of the tile; null if no space takes it and the tiles will fall.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub column: Option<u8>,
    /// The points for it.
    pub points: u32,
}

/// The bonuses of a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BonusesView {
    /// Full rows.
    pub rows: u32,
    /// Full columns.
    pub columns: u32,
    /// Complete colors; with `bottom_row_tiles`, the tiles of the bottom row.
    pub colors: u32,
    /// Points for the rows.
    pub row_points: u16,
    /// Points for the columns.
    pub column_points: u16,
    /// Points for the colors.
    pub color_points: u16,
    /// All of them.
    pub total: u16,
}

/// The result by the rules. Lists are by seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OutcomeView {
    /// Why the game ended.
    pub ended_by: ResultBy,
    /// The final scores.
    pub scores: Vec<u16>,
    /// The bonuses in them.
    pub bonuses: Vec<BonusesView>,
    /// From 1; equal seats share a rank.
    pub ranks: Vec<u8>,
    /// The seats of rank 1.
    pub winners: Vec<u8>,
}

impl PositionView {
    /// The positions after each step of a move, so that a page can animate it without bookkeeping.
    ///
    /// # Errors
    /// If the position or the move cannot be read, or the move is illegal.
    pub fn after_each_step(position: &str, m: &str) -> Result<Vec<PositionView>, String> {
        let mut position: Position = position.parse().map_err(|e| format!("{e}"))?;
        let m: Move = m.parse().map_err(|e| format!("{e}"))?;
        let mut views = Vec::new();
        position
            .play_watched(m, |_, table| views.push(PositionView::new(table)))
            .map_err(|e| e.to_string())?;
        Ok(views)
    }

    /// The view of a position.
    #[must_use]
    pub fn new(position: &Position) -> PositionView {
        let phase = match position.phase() {
            Phase::Draft => PhaseName::Draft,
            Phase::Tiling(_) => PhaseName::Tiling,
            Phase::Deal => PhaseName::Deal,
            Phase::Over(_) => PhaseName::Over,
        };
        let row = match position.phase() {
            Phase::Tiling(row) => Some(row.index() as u8 + 1),
            _ => None,
        };
        let seats = position.rules().players().seats();
        PositionView {
            position: position.to_string(),
            hash: format!("{:016x}", position.hash_key()),
            rules: RulesView(*position.rules()),
            phase,
            turn: seat(position.turn()),
            row,
            round: position.round(),
            starter: seat(position.starter()),
            dry_rounds: position.dry_rounds(),
            marker: position
                .marker()
                .map_or(Marker::Center(Center::Center), |s| Marker::Seat(seat(s))),
            factories: position.factories().map(|(_, tiles)| letters(tiles)).collect(),
            center: letters(position.pile(Source::Center)),
            bag: Counts(position.stock().bag),
            lid: Counts(position.stock().lid),
            boards: seats.iter().map(|&seat| BoardView::new(position, seat)).collect(),
            n_legal_moves: position.n_legal_moves(),
            outcome: position.outcome().as_ref().map(OutcomeView::new),
        }
    }
}

impl BoardView {
    fn new(position: &Position, of: Seat) -> BoardView {
        let board = position.board(of);
        let line = |at| {
            let line = board.line(at);
            let color = line.color.map(azulejo_rules::Color::letter);
            LineView { color, tiles: letters(line.tiles()), room: line.room() }
        };
        let wall = |at| {
            let space = |column| board.wall().tile(at, column).map_or('.', Tile::letter);
            Column::ALL.map(space).iter().collect()
        };
        BoardView {
            seat: seat(of),
            score: board.score(),
            lines: Row::ALL.map(line),
            wall: Row::ALL.map(wall),
            floor: letters(board.floor()),
            has_marker: position.marker() == Some(of),
            floor_spaces: position.floor_spaces(of),
            projection: ProjectionView::new(&position.projection(of)),
            bonuses: BonusesView::new(&Bonuses::of(board, position.rules())),
        }
    }
}

impl ProjectionView {
    /// The view of a projection.
    #[must_use]
    pub fn new(projection: &Projection) -> ProjectionView {
        let rows = projection.rows.map(|row| {
            row.map(|row| ProjectedRowView {
                column: row.column.map(|column| column.index() as u8 + 1),
                points: row.points,
            })
        });
        let Projection { loss, score, .. } = *projection;
        ProjectionView { rows, points: projection.points(), loss, score }
    }
}

impl BonusesView {
    /// The view of bonuses.
    #[must_use]
    pub fn new(bonuses: &Bonuses) -> BonusesView {
        BonusesView {
            rows: bonuses.rows,
            columns: bonuses.columns,
            colors: bonuses.colors,
            row_points: bonuses.row_points,
            column_points: bonuses.column_points,
            color_points: bonuses.color_points,
            total: bonuses.total(),
        }
    }
}

impl OutcomeView {
    /// The view of an outcome.
    #[must_use]
    pub fn new(outcome: &Outcome) -> OutcomeView {
        OutcomeView {
            ended_by: outcome.by.into(),
            scores: outcome.scores.to_vec(),
            bonuses: outcome.bonuses.iter().map(BonusesView::new).collect(),
            ranks: outcome.ranks.to_vec(),
            winners: outcome.winners().map(seat).collect(),
        }
    }
}
