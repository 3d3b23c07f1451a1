//! A board: lines, wall and floor, with highlights and previews.

use super::canvas::Canvas;
use super::layout::{BoardLayout, Layout};
use super::scene::{Scene, SeatTag};
use azulejo_rules::{Column, Destination, Row, Rules, Seat, Tile, WallKind};
use azulejo_words as words;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

pub(super) fn draw(canvas: &mut Canvas<'_>, layout: &Layout, scene: &Scene<'_>, seat: Seat) {
    let (Some(board), Some(tag)) = (layout.boards.get(seat.index()), scene.seats.get(seat.index()))
    else {
        return;
    };
    if layout.framed {
        let style = if tag.is_due { canvas.look.accent() } else { canvas.look.frame() };
        canvas.frame(board.area, style.remove_modifier(Modifier::BOLD));
    }
    header(canvas, board, scene, seat, tag);
    for row in Row::ALL {
        line(canvas, board, scene, seat, row);
        wall_row(canvas, board, scene, seat, row);
    }
    floor(canvas, board, scene, seat);
}

/// Name, clock, score, and the score if the round ended now.
fn header(
    canvas: &mut Canvas<'_>,
    board: &BoardLayout,
    scene: &Scene<'_>,
    seat: Seat,
    tag: &SeatTag,
) {
    let look = canvas.look;
    let Rect { x, y, width, .. } = board.header;
    let score = scene.setup.boards[seat.index()].score;
    let mut right = x + width;
    let mut put = |canvas: &mut Canvas<'_>, text: &str, style: Style| {
        let text = format!(" {text} ");
        let w = text.chars().count() as u16;
        right = right.saturating_sub(w).max(x);
        canvas.text(right, y, w, &text, style);
        // Neighboring texts share the space between them.
        right += 1;
    };
    if let Some(projected) = tag.projected.filter(|&projected| projected != score) {
        let style = if projected > score { look.good() } else { look.bad() };
        put(canvas, &format!("→ {projected}"), style);
    }
    put(canvas, &score.to_string(), look.text().add_modifier(Modifier::BOLD));
    if let Some((clock, is_short)) = &tag.clock {
        put(canvas, clock, if *is_short { look.bad() } else { look.dim() });
    }
    let left = right.saturating_sub(1 + x);
    let (mark, style) = if tag.is_due {
        (look.pick(" ▸ ", " > "), look.accent())
    } else {
        (" ", look.text().add_modifier(Modifier::BOLD))
    };
    let at = canvas.text(x, y, left, mark, style);
    let room = left.saturating_sub(at - x + 1);
    let at = canvas.text(at, y, room, &words::clip(&tag.name, room.into()), style);
    canvas.text(at, y, 1, " ", style);
}

fn line(canvas: &mut Canvas<'_>, board: &BoardLayout, scene: &Scene<'_>, seat: Seat, row: Row) {
    let look = canvas.look;
    let tiles: Vec<Tile> = scene.setup.boards[seat.index()].lines[row.index()].each().collect();
    let to = Destination::Line(row);
    let ghosts: Vec<Tile> = match scene.focus.ghost {
        Some(ghost) if ghost.seat == seat && ghost.to == to => ghost.into_line.each().collect(),
        _ => Vec::new(),
    };
    for i in 0..row.capacity() as u16 {
        let area = board.line_cell(row, i);
        let i = usize::from(i);
        match (tiles.get(i), i.checked_sub(tiles.len()).and_then(|i| ghosts.get(i))) {
            (Some(&tile), _) => canvas.tile(area, tile),
            (None, Some(&ghost)) => canvas.ghost(area, ghost),
            (None, None) => canvas.space(area),
        }
    }
    let (x, y) = board.number(row);
    let target = scene.focus.target(seat, to);
    let number_style = if target.is_some() { look.accent() } else { look.dim() };
    canvas.text(x, y, 1, &row.to_string(), number_style);
    let arrow = board.arrow(row);
    let is_full = tiles.len() as u32 == row.capacity();
    let is_last = scene.focus.last == Some((seat, to));
    match target {
        Some(target) => {
            change(canvas, arrow, target.change, target.is_hovered);
        }
        None if is_full => {
            canvas.text(arrow.x + 1, arrow.y, 1, look.pick("▸", ">"), look.good());
        }
        None if is_last => {
            canvas.text(arrow.x + 1, arrow.y, 1, look.pick("•", "*"), look.accent());
        }
        None => {}
    }
}

/// The change of the score for a destination: `+3`, `-1`, `0`.
fn change(canvas: &mut Canvas<'_>, area: Rect, change: i32, is_hovered: bool) {
    let look = canvas.look;
    let text = format!("{:^3}", words::change(change));
    let style = match change {
        _ if is_hovered => look.cursor(),
        1.. => look.good(),
        0 => look.text(),
        _ => look.bad(),
    };
    canvas.text(area.x, area.y, 3, &text, style);
}

fn wall_row(canvas: &mut Canvas<'_>, board: &BoardLayout, scene: &Scene<'_>, seat: Seat, row: Row) {
    let look = canvas.look;
    for column in Column::ALL {
        let area = board.wall_cell(row, column);
        match scene.setup.boards[seat.index()].wall[row.index()][column.index()] {
            Some(tile) => canvas.tile(area, tile),
            None if scene.setup.rules.wall == WallKind::Colored => {
                canvas.printed(area, Rules::printed_color(row, column));
            }
            None => canvas.space(area),
        }
        let is_here = |s: Seat, r: Row, c: Column| (s, r, c) == (seat, row, column);
        let space =
            scene.focus.spaces.iter().find(|space| is_here(space.seat, space.row, space.column));
        if let Some(space) = space {
            let style = if space.is_hovered { look.cursor() } else { look.accent() };
            number(canvas, area, &format!("+{}", space.points), style);
        }
        if let Some((s, r, c, points)) = scene.focus.placed
            && is_here(s, r, c)
        {
            number(canvas, area, &format!("+{points}"), look.cursor());
        }
    }
}

/// A number that covers a cell.
fn number(canvas: &mut Canvas<'_>, area: Rect, text: &str, style: Style) {
    canvas.fill(area, style);
    canvas.text_center(area, area.y + (area.height - 1) / 2, text, style);
}

fn floor(canvas: &mut Canvas<'_>, board: &BoardLayout, scene: &Scene<'_>, seat: Seat) {
    let look = canvas.look;
    let data = &scene.setup.boards[seat.index()];
    let area = board.floor;
    let left = board.header.x;
    let label_width = area.x.saturating_sub(left);
    let target = scene.focus.target(seat, Destination::Floor);
    let style = if target.is_some() { look.accent() } else { look.dim() };
    let is_wide = label_width >= 8;
    let label = if is_wide && target.is_none() { "F floor" } else { "F" };
    canvas.text(left + u16::from(is_wide), area.y, label_width, label, style);
    match target {
        Some(target) => {
            let at = Rect { x: area.x.saturating_sub(4), width: 3, ..area };
            change(canvas, at, target.change, target.is_hovered);
        }
        None if scene.focus.last == Some((seat, Destination::Floor)) => {
            canvas.text(area.x.saturating_sub(2), area.y, 1, look.pick("•", "*"), look.accent());
        }
        None => {}
    }
    if let Some((s, loss)) = scene.focus.paid
        && s == seat
    {
        let text = format!("-{loss}");
        canvas.text_right(area.x.saturating_sub(1), area.y, label_width, &text, look.cursor());
    }
    let penalties = scene.setup.rules.floor_penalties.each();
    for (i, penalty) in penalties.into_iter().enumerate() {
        number(canvas, board.floor_cell(i as u16), &format!("-{penalty}"), look.space());
    }
    let ghost = scene.focus.ghost.filter(|ghost| ghost.seat == seat);
    let takes_marker = ghost.is_some_and(|ghost| ghost.takes_marker);
    let tiles: Vec<Tile> = data.floor.each().collect();
    let n_spaces = penalties.len();
    let mut next = 0;
    if data.has_marker || takes_marker {
        // The marker lies beside a floor that was already full.
        let at = if tiles.len() >= n_spaces { n_spaces as u16 } else { 0 };
        canvas.marker(board.floor_cell(at), words::marker(&scene.setup.rules));
        if takes_marker {
            canvas.modify(board.floor_cell(at), Modifier::ITALIC);
        }
        next = u16::from(at == 0);
    }
    for tile in tiles {
        canvas.tile(board.floor_cell(next), tile);
        next += 1;
    }
    for tile in ghost.map(|ghost| ghost.to_floor).unwrap_or_default().each() {
        if usize::from(next) < n_spaces {
            canvas.ghost(board.floor_cell(next), tile);
            next += 1;
        }
    }
}
