//! Windows over a page: the help with keys and rules, the prompt for a file, a question.

use super::canvas::Canvas;
use super::table;
use crate::rulebook::{self, Piece};
use azulejo_rules::Rules;
use ratatui::layout::Rect;

/// A box in the middle of the window.
fn window(canvas: &mut Canvas<'_>, area: Rect, width: u16, height: u16, title: &str) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    let x = area.x + (area.width - width) / 2;
    let y = area.y + (area.height - height) / 2;
    let outer = Rect { x, y, width, height };
    canvas.clear(outer);
    let look = canvas.look;
    canvas.frame(outer, look.accent());
    canvas.text(x + 2, y, width.saturating_sub(4), &format!(" {title} "), look.accent());
    Rect { x: x + 2, y: y + 1, width: width.saturating_sub(4), height: height.saturating_sub(2) }
}

/// A page of the help.
pub(super) fn draw(canvas: &mut Canvas<'_>, area: Rect, number: usize, rules: &Rules) {
    let page = rulebook::page(number, rules);
    let look = canvas.look;
    let inner = window(canvas, area, 78, 24, &page.title);
    let bottom = inner.bottom().saturating_sub(1);
    for (y, line) in (inner.y..bottom).zip(&page.lines) {
        let mut x = inner.x;
        for piece in line {
            let room = inner.right().saturating_sub(x);
            let cell = Rect { x, y, width: 3.min(room), height: 1 };
            x = cell.right();
            match piece {
                Piece::Text(text) => x = canvas.text(cell.x, y, room, text, look.text()),
                Piece::Strong(text) => x = canvas.text(cell.x, y, room, text, look.accent()),
                Piece::Tile(tile) => canvas.tile(cell, *tile),
                Piece::Printed(color) => canvas.printed(cell, *color),
                Piece::Space => canvas.space(cell),
                Piece::Marker => canvas.marker(cell, azulejo_words::marker(rules)),
            }
        }
    }
    let count = format!("{} of {}", number + 1, rulebook::PAGES + 1);
    canvas.text_right(inner.right(), bottom, inner.width, &count, look.dim());
    let width = inner.width.saturating_sub(8);
    let keys = Rect { x: inner.x.saturating_sub(1), y: bottom, width, height: 1 };
    table::keys(canvas, keys, &[("← →", "turn the page"), ("esc", "close")]);
}

/// The name of a file to save to.
pub(super) fn save_as(canvas: &mut Canvas<'_>, area: Rect, path: &str) {
    let look = canvas.look;
    let inner = window(canvas, area, 64, 6, "Save the record as");
    let room = usize::from(inner.width.saturating_sub(1));
    // The end of a long path is where it is typed.
    let skip = path.chars().count().saturating_sub(room);
    let shown: String = path.chars().skip(skip).chain(['_']).collect();
    canvas.text(inner.x, inner.y + 1, inner.width, &shown, look.text());
    let keys = Rect { y: inner.y + 3, height: 1, x: inner.x.saturating_sub(1), ..inner };
    table::keys(canvas, keys, &[("enter", "save"), ("esc", "leave it")]);
}

/// The question before a replay becomes a game.
pub(super) fn play_on(canvas: &mut Canvas<'_>, area: Rect) {
    let look = canvas.look;
    let inner = window(canvas, area, 64, 7, "Play on from here?");
    for (y, line) in (inner.y + 1..).zip([
        "A new game begins at this position, in a file of its own.",
        "The record that you are looking at does not change.",
    ]) {
        canvas.text(inner.x, y, inner.width, line, look.text());
    }
    let keys = Rect { y: inner.y + 4, height: 1, x: inner.x.saturating_sub(1), ..inner };
    table::keys(canvas, keys, &[("enter", "play on"), ("esc", "back to the replay")]);
}
