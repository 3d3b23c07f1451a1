//! Draws a page of the app into a grid of cells. Nothing here changes the app.

mod board;
mod canvas;
mod help;
mod layout;
pub(crate) mod scene;
mod start;
mod table;

pub(crate) use canvas::wrap;
pub(crate) use layout::{Layout, Place};
pub(crate) use start::{game_at, start_field_at};

use crate::app::{App, Overlay, Page, seat_tag};
use crate::look::{Depth, Look};
use crate::session::Session;
use azulejo_rules::{Players, Rules};
use canvas::Canvas;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use scene::{Focus, Scene};
use std::time::Instant;
use unicode_width::UnicodeWidthStr;

/// The smallest window for pages without a table.
const LEAST: (u16, u16) = (40, 18);

/// The whole screen.
pub(crate) fn screen(app: &App, buf: &mut Buffer, now: Instant) {
    let area = buf.area;
    let mut canvas = Canvas { buf, look: app.settings.look };
    canvas.clear(area);
    let table = match &app.page {
        Page::Game(page) => Some(&page.shown),
        Page::Replay(page) => Some(&page.shown),
        Page::Start(_) | Page::Games(_) => None,
    };
    let players = table.map(|setup| setup.rules.players());
    let least = match players {
        Some(players) => Layout::new(area, players).err(),
        None => (area.width < LEAST.0 || area.height < LEAST.1).then_some(LEAST),
    };
    if let Some(least) = least {
        too_small(&mut canvas, area, players, least);
        return;
    }
    match &app.page {
        Page::Start(page) => start::draw(&mut canvas, area, page),
        Page::Games(cursor) => start::games(&mut canvas, area, &app.games, *cursor),
        Page::Game(page) => scene(&mut canvas, area, &page.scene(now)),
        Page::Replay(page) => scene(&mut canvas, area, &page.scene()),
    }
    let rules = match (table, &app.page) {
        (Some(setup), _) => setup.rules,
        (None, Page::Start(page)) => page.rules(),
        (None, _) => Rules::official(Players::Two),
    };
    match &app.overlay {
        Some(Overlay::Help(number)) => help::draw(&mut canvas, area, *number, &rules),
        Some(Overlay::SaveAs(path)) => help::save_as(&mut canvas, area, path),
        Some(Overlay::PlayOn) => help::play_on(&mut canvas, area),
        None => {}
    }
}

fn scene(canvas: &mut Canvas<'_>, area: Rect, scene: &Scene<'_>) {
    if let Ok(layout) = Layout::new(area, scene.setup.rules.players()) {
        table::draw(canvas, &layout, scene);
    }
}

fn too_small(canvas: &mut Canvas<'_>, area: Rect, players: Option<Players>, least: (u16, u16)) {
    let look = canvas.look;
    let what = players
        .map_or("This page".to_owned(), |players| format!("A table for {}", players.count()));
    let (width, height) = least;
    let text = format!(
        "{what} needs a window of {width} × {height}; this one is {} × {}. \
         Make it larger, or the letters smaller. The game waits.",
        area.width, area.height
    );
    let lines = wrap(&text, area.width.saturating_sub(2));
    let top = area.y + area.height.saturating_sub(lines.len() as u16) / 2;
    for (y, line) in (top..).zip(&lines) {
        canvas.text_center(area, y, line, look.accent());
    }
}

/// A game as a table of plain characters, line by line.
#[must_use]
pub(crate) fn ascii_table(session: &Session) -> Vec<String> {
    let position = session.position();
    let players = position.rules().players();
    let setup = azulejo_rules::Setup::from(position);
    let seats =
        players.seats().iter().map(|&seat| seat_tag(position, seat, session.name(seat), None));
    let scene = Scene {
        setup: &setup,
        seats: seats.collect(),
        title: format!("Round {}", position.round()),
        subtitle: String::new(),
        focus: Focus::default(),
        words: Vec::new(),
        keys: Vec::new(),
    };
    let (width, height) = match players {
        Players::Two | Players::Three => (80, 24),
        Players::Four => (120, 30),
    };
    let mut buf = Buffer::empty(Rect { x: 0, y: 0, width, height });
    let look = Look { depth: Depth::None, ascii: true };
    let area = buf.area;
    self::scene(&mut Canvas { buf: &mut buf, look }, area, &scene);
    let mut lines = rows(&buf);
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// The characters of a grid, row by row, without spaces at the end.
#[must_use]
pub fn rows(buf: &Buffer) -> Vec<String> {
    let row = |y: u16| {
        let mut text = String::new();
        let mut x = buf.area.left();
        while x < buf.area.right() {
            let symbol = buf[(x, y)].symbol();
            text.push_str(symbol);
            // A wide character has taken the cell after it too.
            x += symbol.width().max(1) as u16;
        }
        text.trim_end().to_owned()
    };
    (buf.area.top()..buf.area.bottom()).map(row).collect()
}
