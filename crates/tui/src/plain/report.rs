//! A position in sentences that a screen reader can read: no columns, no pictures.

use crate::session::{Player, PlayerKind, Session, show_ms};
use azulejo_rules::{Column, Phase, Position, Row, Rules, Seat, Source, Tile, Tiles, WallKind};
use azulejo_words as words;
use std::time::Instant;

/// The rules and the players.
pub(super) fn opening(session: &Session) -> Vec<String> {
    let kind = |player: &Player| match player.kind {
        PlayerKind::Person => player.name.clone(),
        PlayerKind::Engine(level) => {
            format!("{} (engine, level {})", player.name, level.number())
        }
    };
    let players: Vec<_> = session.players().iter().map(kind).collect();
    vec![
        format!("Azulejo: {}.", words::rules(session.position().rules())),
        format!("Players: {}.", words::list(&players)),
    ]
}

/// A turn: the round, the tiles on offer, the player's own board, and the scores of the others.
pub(super) fn turn(session: &Session) -> Vec<String> {
    let position = session.position();
    let seat = position.turn();
    let mut lines = vec![String::new()];
    lines.extend(situation(session));
    lines.extend(board(session, seat));
    let others = position.rules().players().seats().iter().filter(|&&other| other != seat);
    lines.extend(others.map(|&other| standing(session, other)));
    lines
}

/// The whole table.
pub(super) fn everything(session: &Session) -> Vec<String> {
    let position = session.position();
    let mut lines = situation(session);
    lines.push(format!("Bag: {}.", words::tiles(position.stock().bag)));
    lines.push(format!("Lid: {}.", words::tiles(position.stock().lid)));
    for &seat in position.rules().players().seats() {
        lines.extend(board(session, seat));
    }
    lines
}

/// The player to move, and the tiles on offer.
fn situation(session: &Session) -> Vec<String> {
    let mut lines = vec![due(session)];
    if session.position().phase() == Phase::Draft {
        lines.extend(offer(session.position()));
    }
    lines
}

fn due(session: &Session) -> String {
    let (position, name) = (session.position(), session.name(session.position().turn()));
    let round = position.round();
    match position.phase() {
        Phase::Tiling(row) => {
            let spaces: Vec<_> = position.legal_moves().iter().map(ToString::to_string).collect();
            format!(
                "Round {round}. {name} chooses a wall space for line {row}: {}.",
                words::list(&spaces)
            )
        }
        Phase::Over(by) => format!("The game is over after round {round}: {}.", by.describe()),
        Phase::Draft | Phase::Deal => format!("Round {round}. {name} has to move."),
    }
}

fn offer(position: &Position) -> Vec<String> {
    let factories = position.factories().filter(|(_, tiles)| !tiles.is_empty());
    let mut lines: Vec<_> = factories
        .map(|(source, tiles)| format!("Factory {source}: {}.", words::tiles(tiles)))
        .collect();
    let center = position.pile(Source::Center);
    let marker = position.marker().is_none();
    lines.push(match (marker, center.is_empty()) {
        (true, true) => "Center, 0: only the starting player marker.".to_owned(),
        (true, false) => {
            format!("Center, 0: {}, and the starting player marker.", words::tiles(center))
        }
        (false, _) => format!("Center, 0: {}.", words::tiles(center)),
    });
    lines
}

/// A seat's score and clock.
fn standing(session: &Session, seat: Seat) -> String {
    let position = session.position();
    let score = words::count(position.board(seat).score(), "point");
    let clock = session.clock().map_or(String::new(), |clock| {
        format!(", {} on the clock", show_ms(clock.left_ms(seat, Instant::now())))
    });
    let name = session.name(seat);
    if matches!(position.phase(), Phase::Draft | Phase::Tiling(_)) {
        format!(
            "{name} has {score}, {} if the round ended now{clock}.",
            position.projection(seat).score
        )
    } else {
        format!("{name} has {score}{clock}.")
    }
}

/// A board row by row. Rows with nothing in them are left out.
fn board(session: &Session, seat: Seat) -> Vec<String> {
    let position = session.position();
    let mut lines = vec![standing(session, seat)];
    for row in Row::ALL {
        let line = position.board(seat).line(row);
        let mut parts = Vec::new();
        if line.n_tiles > 0 {
            let tiles = words::tiles(line.tiles());
            parts.push(match line.room() {
                0 => format!("line full: {tiles}"),
                room => format!("line {tiles}, room for {room}"),
            });
        }
        let wall = wall_row(position, seat, row);
        if !wall.is_empty() {
            parts.push(format!("wall: {}", words::list(&wall)));
        }
        if !parts.is_empty() {
            lines.push(format!("  Row {row}: {}.", parts.join("; ")));
        }
    }
    if lines.len() == 1 {
        lines.push("  Lines and wall are empty.".to_owned());
    }
    let floor = position.board(seat).floor();
    let n = position.floor_spaces(seat);
    if n > 0 {
        let loss = position.rules().floor_penalties.loss(n);
        lines.push(format!(
            "  Floor: {}; it costs {}.",
            on_floor(position, seat, floor),
            words::count(loss, "point")
        ));
    }
    lines
}

fn on_floor(position: &Position, seat: Seat, floor: Tiles) -> String {
    match (position.marker() == Some(seat), floor.is_empty()) {
        (true, true) => "the starting player marker".to_owned(),
        (true, false) => format!("{} and the starting player marker", words::tiles(floor)),
        (false, _) => words::tiles(floor),
    }
}

/// The tiles of a row of the wall, on the grey wall with their columns.
fn wall_row(position: &Position, seat: Seat, row: Row) -> Vec<String> {
    let wall = position.board(seat).wall();
    let tiles =
        Column::ALL.into_iter().filter_map(|column| Some((column, wall.tile(row, column)?)));
    let is_grey = position.rules().wall == WallKind::Grey;
    let name = |(column, tile): (Column, Tile)| {
        let printed = Rules::printed_color(row, column);
        if is_grey || tile != printed.into() {
            format!("{} in column {column}", tile.name())
        } else {
            tile.name().to_owned()
        }
    };
    tiles.map(name).collect()
}
