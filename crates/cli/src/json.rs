//! What the commands print with `--json`. The shapes are documented in `docs/json.md` and do not
//! change without a new version of that page.

use azulejo_rules::{
    Bonuses, Deal, DealError, EndedBy, Event, IllegalMove, Move, Outcome, Phase, Position, Preset,
    Preview, Projection, Row, Rules, Seat, Source, Tile, Tiles,
};
use serde_json::{Map, Value, json};

/// Seats are numbered from 1, as in the notation.
pub(crate) fn seat(seat: Seat) -> usize {
    seat.index() + 1
}

fn row(row: Row) -> usize {
    row.index() + 1
}

/// Tiles as letters; the empty text for none.
fn letters(tiles: Tiles) -> String {
    tiles.each().map(Tile::letter).collect()
}

fn counts(tiles: Tiles) -> Value {
    let counts = tiles.iter().map(|(tile, n)| (tile.letter().to_string(), json!(n)));
    Value::Object(counts.collect::<Map<_, _>>())
}

pub(crate) fn rules(rules: &Rules) -> Value {
    let mut object = Map::new();
    object.insert("text".to_owned(), json!(rules.to_string()));
    object.insert("preset".to_owned(), json!(rules.preset().map(Preset::name)));
    for (key, value) in rules.keys() {
        object.insert(key.to_owned(), json!(value));
    }
    Value::Object(object)
}

pub(crate) fn position(position: &Position) -> Value {
    let marker = position.marker().map_or(json!("center"), |holder| json!(seat(holder)));
    let boards = position.rules().players.seats().iter().map(|&seat| board(position, seat));
    let due_row = match position.phase() {
        Phase::Tiling(due) => Some(row(due)),
        _ => None,
    };
    json!({
        "position": position.to_string(),
        "hash": format!("{:016x}", position.hash()),
        "rules": rules(position.rules()),
        "phase": phase(position.phase()),
        "turn": seat(position.turn()),
        "row": due_row,
        "round": position.round(),
        "starter": seat(position.starter()),
        "dry_rounds": position.dry_rounds(),
        "marker": marker,
        "factories": position.factories().map(|(_, tiles)| letters(tiles)).collect::<Vec<_>>(),
        "center": letters(position.pile(Source::Center)),
        "bag": counts(position.stock().bag),
        "lid": counts(position.stock().lid),
        "boards": boards.collect::<Vec<_>>(),
        "n_legal_moves": position.n_legal_moves(),
        "outcome": position.outcome().as_ref().map(outcome),
    })
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Draft => "draft",
        Phase::Tiling(_) => "tiling",
        Phase::Deal => "deal",
        Phase::Over(_) => "over",
    }
}

fn board(position: &Position, of: Seat) -> Value {
    let board = position.board(of);
    let lines = Row::ALL.map(|at| {
        let line = board.line(at);
        json!({
            "color": line.color.map(|color| color.letter().to_string()),
            "tiles": letters(line.tiles()),
            "room": line.room(),
        })
    });
    let wall = Row::ALL.map(|at| -> String {
        let space = |column| board.wall().tile(at, column).map_or('.', Tile::letter);
        azulejo_rules::Column::ALL.map(space).iter().collect()
    });
    json!({
        "seat": seat(of),
        "score": board.score(),
        "lines": lines,
        "wall": wall,
        "floor": letters(board.floor()),
        "has_marker": position.marker() == Some(of),
        "floor_spaces": position.floor_spaces(of),
        "projection": projection(&position.projection(of)),
        "bonuses": bonuses(&Bonuses::of(board, position.rules())),
    })
}

fn projection(projection: &Projection) -> Value {
    let rows = projection.rows.map(|row| {
        row.map(|row| {
            json!({
                "column": row.column.map(|column| column.index() + 1),
                "points": row.points,
            })
        })
    });
    json!({ "rows": rows, "points": projection.points(), "loss": projection.loss, "score": projection.score })
}

pub(crate) fn bonuses(bonuses: &Bonuses) -> Value {
    json!({
        "rows": bonuses.rows,
        "columns": bonuses.columns,
        "colors": bonuses.colors,
        "row_points": bonuses.row_points,
        "column_points": bonuses.column_points,
        "color_points": bonuses.color_points,
        "total": bonuses.total(),
    })
}

pub(crate) fn outcome(outcome: &Outcome) -> Value {
    json!({
        "ended_by": outcome.by.name(),
        "scores": outcome.scores.as_slice(),
        "bonuses": outcome.bonuses.iter().map(bonuses).collect::<Vec<_>>(),
        "ranks": outcome.ranks.as_slice(),
        "winners": outcome.winners().map(seat).collect::<Vec<_>>(),
    })
}

pub(crate) fn ended_by(by: Option<EndedBy>) -> Value {
    json!(by.map(EndedBy::name))
}

pub(crate) fn illegal(m: Move, reason: &IllegalMove) -> Value {
    json!({ "move": m.to_string(), "legal": false, "code": reason.code(), "reason": reason.to_string() })
}

pub(crate) fn illegal_deal(deal: &Deal, reason: &DealError) -> Value {
    let code = match reason {
        DealError::NotNow => "not_now",
        DealError::FactoryCount { .. } => "factory_count",
        DealError::FactorySize { .. } => "factory_size",
        DealError::NotInStock { .. } => "not_in_stock",
    };
    json!({ "deal": deal.to_string(), "legal": false, "code": code, "reason": reason.to_string() })
}

pub(crate) fn preview(m: Move, preview: &Preview) -> Value {
    json!({
        "move": m.to_string(),
        "legal": true,
        "seat": seat(preview.seat),
        "event": event(&preview.event),
        "completes_line": preview.completes_line,
        "line_points": preview.line().map(|line| line.points),
        "before": projection(&preview.before),
        "after": projection(&preview.after),
        "change": preview.change(),
    })
}

pub(crate) fn event(event: &Event) -> Value {
    match *event {
        Event::Dealt { round, starter, deal, poured } => json!({
            "event": "dealt", "round": round, "starter": seat(starter),
            "deal": deal.to_string(), "poured": poured.map(counts),
        }),
        Event::Drafted {
            seat: who,
            source,
            pick,
            to,
            into_line,
            to_floor,
            to_lid,
            to_center,
            takes_marker,
        } => json!({
            "event": "drafted", "seat": seat(who), "source": source.index(),
            "pick": pick.to_string(), "to": to.to_string(), "into_line": letters(into_line),
            "to_floor": letters(to_floor), "to_lid": letters(to_lid),
            "to_center": letters(to_center), "takes_marker": takes_marker,
        }),
        Event::Placed {
            seat: who,
            row: at,
            column,
            tile,
            horizontal,
            vertical,
            points,
            to_lid,
        } => json!({
            "event": "placed", "seat": seat(who), "row": row(at), "column": column.index() + 1,
            "tile": tile.to_string(), "horizontal": horizontal, "vertical": vertical,
            "points": points, "to_lid": letters(to_lid),
        }),
        Event::Spilled { seat: who, row: at, to_floor, to_lid } => json!({
            "event": "spilled", "seat": seat(who), "row": row(at),
            "to_floor": letters(to_floor), "to_lid": letters(to_lid),
        }),
        Event::FloorCleared { seat: who, n_spaces, loss, score, to_lid } => json!({
            "event": "floor_cleared", "seat": seat(who), "n_spaces": n_spaces, "loss": loss,
            "score": score, "to_lid": letters(to_lid),
        }),
        Event::RoundEnded { round, next_starter } => json!({
            "event": "round_ended", "round": round, "next_starter": seat(next_starter),
        }),
        Event::GameEnded { by } => json!({ "event": "game_ended", "by": by.name() }),
        Event::BonusesScored { seat: who, bonuses: bonus, score } => json!({
            "event": "bonuses_scored", "seat": seat(who), "bonuses": bonuses(&bonus), "score": score,
        }),
    }
}
