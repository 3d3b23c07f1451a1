//! The table: title, factories and center, bag and lid, the boards, words, keys.

use super::board;
use super::canvas::{Canvas, wrap};
use super::layout::Layout;
use super::scene::{Kind, Para, Scene};
use crate::app::pile;
use azulejo_rules::{Pick, Source, Tile, Tiles};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

pub(super) fn draw(canvas: &mut Canvas<'_>, layout: &Layout, scene: &Scene<'_>) {
    title(canvas, layout.title, &scene.title, &scene.subtitle);
    for source in Source::ALL.into_iter().take(layout.factories.len() + 1) {
        draw_source(canvas, layout, scene, source);
    }
    stock(canvas, layout.stock, scene);
    for &seat in scene.setup.rules.players().seats() {
        board::draw(canvas, layout, scene, seat);
    }
    words(canvas, layout.words, &scene.words);
    keys(canvas, layout.keys, &scene.keys);
}

/// The title line: the name of the program, the state of the game, and the rules at the right end.
pub(super) fn title(canvas: &mut Canvas<'_>, area: Rect, text: &str, remark: &str) {
    let look = canvas.look;
    let x = canvas.text(area.x, area.y, area.width, " Azulejo ", look.cursor());
    let room = area.right().saturating_sub(x + 1);
    let x = canvas.text(x + 1, area.y, room, text, look.text().add_modifier(Modifier::BOLD));
    let left = area.right().saturating_sub(x + 2);
    if (remark.chars().count() as u16) < left {
        canvas.text_right(area.right().saturating_sub(1), area.y, left, remark, look.dim());
    }
}

fn draw_source(canvas: &mut Canvas<'_>, layout: &Layout, scene: &Scene<'_>, source: Source) {
    let look = canvas.look;
    let area = layout.source(source);
    let (tiles, has_marker) = pile(scene.setup, source);
    let is_chosen = scene.focus.source == Some(source);
    let is_empty = tiles.is_empty() && !has_marker;
    let style = match (is_chosen, is_empty) {
        (true, _) => look.cursor(),
        (false, true) => look.dim(),
        (false, false) => look.text(),
    };
    if layout.framed {
        let frame = if is_chosen { look.accent() } else { look.frame() };
        canvas.frame(area, frame.remove_modifier(Modifier::BOLD));
        let label = match source {
            Source::Center => " 0 center ".to_owned(),
            factory => format!(" {factory} "),
        };
        canvas.text(area.x + 1, area.y, area.width.saturating_sub(2), &label, style);
    } else {
        canvas.text(area.x, area.y, 1, &source.to_string(), style);
    }
    for cell in layout.pile(source, tiles, has_marker) {
        match cell.tile {
            None => canvas.marker(cell.area, azulejo_words::marker(&scene.setup.rules)),
            Some(tile) => {
                canvas.tile(cell.area, tile);
                if let Some(pick) = scene.focus.pick.filter(|_| is_chosen) {
                    // Taken tiles are underlined; the others, which go to the center, are dimmed.
                    let is_taken = takes(pick, tile);
                    let mark = if is_taken { Modifier::UNDERLINED } else { Modifier::DIM };
                    canvas.modify(cell.area, mark);
                }
                if let Some(n) = cell.n {
                    let text = format!("×{n}");
                    let y = cell.area.y + cell.area.height.saturating_sub(1) / 2;
                    canvas.text(cell.area.right(), y, 3, &text, look.text());
                }
            }
        }
    }
}

fn takes(pick: Pick, tile: Tile) -> bool {
    match tile {
        Tile::Color(color) => pick.color() == Some(color),
        Tile::Joker => pick.has_jokers(),
    }
}

/// Bag and lid by color.
fn stock(canvas: &mut Canvas<'_>, area: Rect, scene: &Scene<'_>) {
    let look = canvas.look;
    let all = scene.setup.rules.all_tiles();
    let kinds: Vec<Tile> = Tile::ALL.into_iter().filter(|&tile| all.count(tile) > 0).collect();
    let piles = [("bag", scene.setup.bag), ("lid", scene.setup.lid)];
    let width = |tiles: Tiles| 4 + tiles.total().to_string().len() + kinds.len() * 4;
    let total: usize = piles.iter().map(|(_, tiles)| width(*tiles)).sum::<usize>() + 4;
    let is_long = total <= usize::from(area.width);
    let shown = if is_long {
        total
    } else {
        piles.iter().map(|(_, t)| 5 + t.total().to_string().len()).sum()
    };
    let mut x = area.x + area.width.saturating_sub(shown as u16) / 2;
    for (name, tiles) in piles {
        let right = area.right();
        x = canvas.text(x, area.y, right.saturating_sub(x), &format!("{name} "), look.dim());
        let count = tiles.total().to_string();
        x = canvas.text(x, area.y, right.saturating_sub(x), &count, look.text());
        for &tile in kinds.iter().filter(|_| is_long) {
            let letter = letter_style(canvas, tile);
            x = canvas.text(x + 1, area.y, 1, &tile.to_string(), letter);
            let n = tiles.count(tile);
            let text = format!("{n:<2}");
            x = canvas.text(x, area.y, 2, &text, if n == 0 { look.dim() } else { look.text() });
        }
        x += 3;
    }
}

/// The style of a tile's letter in the tile's color.
pub(super) fn letter_style(canvas: &Canvas<'_>, tile: Tile) -> Style {
    match tile {
        Tile::Color(color) => {
            let style = canvas.look.faint(color);
            Style { bg: None, ..style }.add_modifier(Modifier::BOLD)
        }
        Tile::Joker => canvas.look.accent(),
    }
}

/// As many paragraphs as fit.
pub(super) fn words(canvas: &mut Canvas<'_>, area: Rect, words: &[Para]) {
    let look = canvas.look;
    let mut y = area.y;
    let is_tight = area.height < 9;
    for para in words {
        let style = match para.kind {
            Kind::Gap => {
                y += u16::from(!is_tight);
                continue;
            }
            Kind::Head => look.accent(),
            Kind::Text => look.text(),
            Kind::Dim => look.dim(),
            Kind::Good => look.good(),
            Kind::Bad => look.bad(),
        };
        let is_table = para.text.starts_with("  ");
        // Lines of a ranking keep their columns if they fit.
        let lines = if is_table && para.text.chars().count() <= usize::from(area.width) {
            vec![para.text.clone()]
        } else {
            let indent = if is_table { "  " } else { "" };
            let lines = wrap(&para.text, area.width.saturating_sub(indent.len() as u16));
            lines.into_iter().map(|line| format!("{indent}{line}")).collect()
        };
        for line in lines {
            if y >= area.bottom() {
                return;
            }
            canvas.text(area.x, y, area.width, &line, style);
            y += 1;
        }
    }
}

/// As many keys with their meanings as fit.
pub(super) fn keys(canvas: &mut Canvas<'_>, area: Rect, keys: &[(&str, &str)]) {
    let look = canvas.look;
    let mut x = area.x + 1;
    for (key, what) in keys {
        let w = key.chars().count() + 1 + what.chars().count();
        if x + w as u16 > area.right() {
            break;
        }
        x = canvas.text(x, area.y, area.right() - x, key, look.accent());
        x = canvas.text(x + 1, area.y, area.right().saturating_sub(x + 1), what, look.dim()) + 2;
    }
}
