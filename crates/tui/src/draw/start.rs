//! The start screen and the list of saved games.

use super::canvas::{Canvas, wrap};
use super::table;
use crate::app::{Field, Start};
use crate::session::SavedGame;
use azulejo_rules::{Color, Tile};
use azulejo_words as words;
use ratatui::layout::Rect;

/// The width of the form.
const WIDTH: u16 = 62;

/// The rows of the form with their areas.
fn rows(area: Rect, start: &Start) -> Vec<(Field, Rect)> {
    let fields = start.fields();
    let n = fields.len() as u16;
    let width = WIDTH.min(area.width);
    let x = area.x + (area.width - width) / 2;
    // The form comes first; banner, gap and explanation share the remaining rows.
    let spare = area.height.saturating_sub(n + 4);
    let banner = banner_height(area, n);
    let gap = u16::from(spare > banner + 1);
    let used = banner + n + gap + 3;
    let mut y = area.y + banner + area.height.saturating_sub(used) / 3;
    let mut rows = Vec::new();
    for field in fields {
        if field == Field::Begin {
            y += gap;
        }
        rows.push((field, Rect { x, y, width, height: 1 }));
        y += 1;
    }
    rows
}

fn banner_height(area: Rect, n_fields: u16) -> u16 {
    match area.height.saturating_sub(n_fields + 5) {
        0 => 1,
        1..=2 => 2,
        3.. => 4,
    }
}

/// The row of the form at a point.
pub(crate) fn start_field_at(area: Rect, start: &Start, x: u16, y: u16) -> Option<Field> {
    let is_in = |rect: &Rect| rect.contains((x, y).into());
    rows(area, start).into_iter().find(|(_, rect)| is_in(rect)).map(|(field, _)| field)
}

pub(super) fn draw(canvas: &mut Canvas<'_>, area: Rect, start: &Start) {
    let look = canvas.look;
    let rows = rows(area, start);
    let top = rows.first().map_or(area.y, |(_, rect)| rect.y);
    banner(canvas, Rect { height: top.saturating_sub(area.y), ..area });
    for &(field, rect) in &rows {
        let is_here = start.field() == field;
        let style = if is_here { look.cursor() } else { look.text() };
        let value = start.value(field);
        let label = match field {
            Field::Players => "Players".to_owned(),
            Field::Seat(i) => format!("  Seat {}", i + 1),
            Field::Wall => "Wall".to_owned(),
            Field::Jokers => "Jokers".to_owned(),
            Field::Preset => "Rules".to_owned(),
            Field::Seed => "Seed".to_owned(),
            Field::Clock => "Clock".to_owned(),
            Field::Begin => "Begin the game".to_owned(),
            Field::Continue => "Continue the last game".to_owned(),
            Field::Games => "Your games".to_owned(),
            Field::Help => "How to play".to_owned(),
            Field::Quit => "Quit".to_owned(),
        };
        if value.is_empty() {
            canvas.text_center(rect, rect.y, &format!("  {label}  "), style);
            continue;
        }
        canvas.text(rect.x, rect.y, 14, &label, look.dim());
        let cursor = if is_here && start.is_text() { "_" } else { "" };
        let arrows = !start.is_text() || matches!(field, Field::Seat(_));
        let text = if is_here && arrows {
            format!(" ← {value}{cursor} → ")
        } else {
            format!("   {value}{cursor}   ")
        };
        canvas.text(rect.x + 14, rect.y, rect.width.saturating_sub(14), &text, style);
    }
    let (text, style) = match &start.note {
        Some(note) => (note.clone(), look.bad()),
        None => (start.explain(start.field()), look.dim()),
    };
    let bottom = rows.last().map_or(area.y, |(_, rect)| rect.bottom());
    let room = area.bottom().saturating_sub(1);
    let y = (bottom + 1).min(room.saturating_sub(2)).max(bottom);
    for (y, line) in (y..room).zip(wrap(&text, WIDTH.min(area.width))) {
        canvas.text_center(area, y, &line, style);
    }
    let keys =
        [("↑ ↓", "row"), ("← →", "change"), ("enter", "begin"), ("F1", "help"), ("ctrl-c", "quit")];
    table::keys(canvas, Rect { y: room, height: 1, ..area }, &keys);
}

/// The name, between two friezes of tiles.
fn banner(canvas: &mut Canvas<'_>, area: Rect) {
    let look = canvas.look;
    if area.height < 4 {
        let y = area.y + area.height.saturating_sub(1) / 2;
        canvas.text_center(area, y, " A Z U L E J O ", look.cursor());
        return;
    }
    let top = area.y + (area.height - 4) / 2;
    let n = (WIDTH.min(area.width) / 3).min(19);
    let x = area.x + (area.width - 3 * n) / 2;
    for (row, y) in [(0, top), (3, top + 2)] {
        for i in 0..n {
            let color = Color::ALL[usize::from(i + row) % 5];
            let cell = Rect { x: x + 3 * i, y, width: 3, height: 1 };
            if (i + row) % 2 == 0 {
                canvas.tile(cell, Tile::Color(color));
            } else {
                canvas.printed(cell, color);
            }
        }
    }
    canvas.text_center(area, top + 1, "A  Z  U  L  E  J  O", look.accent());
}

/// The rows of the list, and the first game shown.
fn window(area: Rect, n: usize, cursor: usize) -> (Rect, usize) {
    let list = Rect { y: area.y + 3, height: area.height.saturating_sub(6).max(1), ..area };
    let height = usize::from(list.height);
    let first = cursor.saturating_sub(height / 2).min(n.saturating_sub(height));
    (list, first)
}

/// The game in a row of the list.
pub(crate) fn game_at(area: Rect, n: usize, cursor: usize, y: u16) -> Option<usize> {
    let (list, first) = window(area, n, cursor);
    let i = first + usize::from(y.checked_sub(list.y)?);
    (y < list.bottom() && i < n).then_some(i)
}

pub(super) fn games(canvas: &mut Canvas<'_>, area: Rect, games: &[SavedGame], cursor: usize) {
    let look = canvas.look;
    let count = words::count(games.len() as u64, "game");
    table::title(canvas, Rect { height: 1, ..area }, "Your games", &count);
    let keys = [("↑ ↓", "choose"), ("enter", "go on, or replay"), ("r", "replay"), ("esc", "back")];
    table::keys(canvas, Rect { y: area.bottom().saturating_sub(1), height: 1, ..area }, &keys);
    let (list, first) = window(area, games.len(), cursor);
    if games.is_empty() {
        canvas.text_center(list, list.y, "No game has been saved yet.", look.dim());
    }
    for (i, game) in games.iter().enumerate().skip(first).take(usize::from(list.height)) {
        let y = list.y + (i - first) as u16;
        let style = if i == cursor { look.cursor() } else { look.text() };
        let text = describe(game);
        canvas.text(list.x + 1, y, list.width.saturating_sub(2), &text, style);
    }
    if let Some(game) = games.get(cursor) {
        let path = game.path.display().to_string();
        let y = area.bottom().saturating_sub(2);
        canvas.text(area.x + 1, y, area.width.saturating_sub(2), &path, look.dim());
    }
}

/// A game on one line: date, state, names and scores.
fn describe(game: &SavedGame) -> String {
    let date = game.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let record = &game.record;
    let seats = record.rules().players().seats();
    let position = record.final_position();
    let players: Vec<_> = seats
        .iter()
        .map(|&seat| {
            let otherwise = format!("Seat {seat}");
            let name = record.name(seat).unwrap_or(&otherwise);
            format!("{} {}", words::clip(name, 12), position.board(seat).score())
        })
        .collect();
    let state = match record.end() {
        Some(_) => "over".to_owned(),
        None => format!("round {}", position.round()),
    };
    format!(" {:<19} {:<8} {}", date.unwrap_or_default(), state, players.join(" · "))
}
