//! Keys and the mouse: what they mean on each page.

use super::{App, Effect, Field, Moment, Overlay, Page};
use crate::draw;
use crate::rulebook;
use crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// The longest path that can be typed.
const MAX_PATH: usize = 200;

impl App {
    pub(super) fn key(&mut self, key: KeyEvent, moment: &mut Moment<'_>) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            if key.code == KeyCode::Char('c') {
                self.quit(moment);
            }
            return;
        }
        if key.modifiers.contains(KeyModifiers::ALT) {
            return;
        }
        if self.overlay.is_some() {
            self.overlay_key(key.code, moment);
            return;
        }
        if key.code == KeyCode::F(1) {
            self.overlay = Some(Overlay::Help(0));
            return;
        }
        match &self.page {
            Page::Start(_) => self.start_key(key.code, moment),
            Page::Table(_) => self.table_key(key.code, moment),
            Page::Replay(_) => self.replay_key(key.code, moment),
            Page::Games(_) => self.games_key(key.code, moment),
        }
    }

    fn overlay_key(&mut self, key: KeyCode, moment: &mut Moment<'_>) {
        match &mut self.overlay {
            Some(Overlay::Help(page)) => {
                let last = rulebook::PAGES;
                match key {
                    KeyCode::Right | KeyCode::PageDown | KeyCode::Char(' ') | KeyCode::Down => {
                        *page = (*page + 1).min(last);
                    }
                    KeyCode::Left | KeyCode::PageUp | KeyCode::Up | KeyCode::Backspace => {
                        *page = page.saturating_sub(1);
                    }
                    KeyCode::Home => *page = 0,
                    KeyCode::End => *page = last,
                    KeyCode::Char('i') if *page == 0 => *page = 1,
                    KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | '?') | KeyCode::F(1) => {
                        self.overlay = None;
                    }
                    _ => {}
                }
            }
            Some(Overlay::SaveAs(path)) => match key {
                KeyCode::Char(c) if path.chars().count() < MAX_PATH && !c.is_control() => {
                    path.push(c);
                }
                KeyCode::Backspace => drop(path.pop()),
                KeyCode::Enter => {
                    if !path.trim().is_empty() {
                        moment.effects.push(Effect::SaveAs(path.trim().to_owned()));
                    }
                    self.overlay = None;
                }
                KeyCode::Esc => self.overlay = None,
                _ => {}
            },
            None => {}
        }
    }

    fn start_key(&mut self, key: KeyCode, moment: &mut Moment<'_>) {
        let Page::Start(start) = &mut self.page else { return };
        match key {
            KeyCode::Up | KeyCode::BackTab => start.step(false),
            KeyCode::Down | KeyCode::Tab => start.step(true),
            KeyCode::Left => start.change(false),
            KeyCode::Right => start.change(true),
            KeyCode::Home => start.cursor = 0,
            KeyCode::End => start.cursor = start.fields().len() - 1,
            KeyCode::Backspace => start.edit(None),
            KeyCode::Enter => self.activate(moment),
            KeyCode::Esc if self.parked.is_some() => self.unpark(moment),
            KeyCode::Char(c) if start.is_text() => start.edit(Some(c)),
            KeyCode::Char(' ') => self.activate(moment),
            KeyCode::Char('?') => self.overlay = Some(Overlay::Help(0)),
            KeyCode::Char('i') => self.overlay = Some(Overlay::Help(1)),
            KeyCode::Char('q') => self.quit(moment),
            _ => {}
        }
    }

    /// Enter on a row of the form.
    fn activate(&mut self, moment: &mut Moment<'_>) {
        let Page::Start(start) = &mut self.page else { return };
        match start.field() {
            // Enter in a row with text, or on the button, begins; elsewhere it changes the value.
            Field::Begin | Field::Seat(_) | Field::Seed => self.begin(moment),
            Field::Continue => {
                let unfinished = self.games.iter().position(|game| game.record.end().is_none());
                if let Some(i) = unfinished {
                    self.open(i, moment);
                }
            }
            Field::Games => self.page = Page::Games(0),
            Field::Help => self.overlay = Some(Overlay::Help(1)),
            Field::Quit => self.quit(moment),
            Field::Players | Field::Wall | Field::Jokers | Field::Preset | Field::Clock => {
                start.change(true);
            }
        }
    }

    fn table_key(&mut self, key: KeyCode, moment: &mut Moment<'_>) {
        let Page::Table(table) = &mut self.page else { return };
        if table.showing.is_some() {
            match key {
                KeyCode::Char(' ') | KeyCode::Enter | KeyCode::Esc | KeyCode::Right => {
                    table.show_rest(moment);
                    return;
                }
                _ => {}
            }
        }
        let position = *table.session.position();
        match key {
            KeyCode::Left | KeyCode::Up | KeyCode::BackTab if table.is_asking() => {
                table.chooser.step(&position, false);
            }
            KeyCode::Right | KeyCode::Down | KeyCode::Tab if table.is_asking() => {
                table.chooser.step(&position, true);
            }
            KeyCode::Enter | KeyCode::Char(' ') if table.is_asking() => {
                table.choose_hovered(moment);
            }
            KeyCode::Esc | KeyCode::Backspace | KeyCode::Delete => {
                table.note = None;
                table.hint = None;
                table.chooser.back();
            }
            KeyCode::Char(' ') => table.toggle_pause(moment),
            KeyCode::Char('+' | '=') => self.change_speed(true),
            KeyCode::Char('-' | '_') => self.change_speed(false),
            KeyCode::Char('u') => table.undo(moment),
            KeyCode::Char('h') => table.ask_hint(moment),
            KeyCode::Char('t') => table.toggle_thoughts(moment),
            KeyCode::Char('s') => self.overlay = Some(Overlay::SaveAs(String::new())),
            KeyCode::Char('p') => self.replay_game(moment),
            KeyCode::Char('o') => {
                moment.effects.push(Effect::ListGames);
                self.park(Page::Games(0), moment);
            }
            KeyCode::Char('n') => self.show_start(moment),
            KeyCode::Char('q') => self.quit(moment),
            KeyCode::Char('?') => self.overlay = Some(Overlay::Help(0)),
            KeyCode::Char('i') => self.overlay = Some(Overlay::Help(1)),
            KeyCode::Char(c) => {
                table.letter(c, moment);
            }
            _ => {}
        }
    }

    fn change_speed(&mut self, faster: bool) {
        self.speed = if faster { self.speed.faster() } else { self.speed.slower() };
        if let Page::Table(table) = &mut self.page {
            table.note = Some(format!("Speed {} of 5.", self.speed.number()));
        }
    }

    fn replay_key(&mut self, key: KeyCode, moment: &mut Moment<'_>) {
        let Page::Replay(replay) = &mut self.page else { return };
        // Whoever steps by hand wants no step by itself.
        let is_by_hand = !matches!(key, KeyCode::Char(' ' | '+' | '=' | '-' | '_' | '?'));
        if is_by_hand {
            replay.plays = None;
        }
        match key {
            KeyCode::Right => replay.forward(moment),
            KeyCode::Left => replay.back(),
            KeyCode::Down | KeyCode::PageDown => replay.round(true),
            KeyCode::Up | KeyCode::PageUp => replay.round(false),
            KeyCode::Home => replay.jump(0),
            KeyCode::End => replay.jump(usize::MAX),
            KeyCode::Char(' ') => replay.toggle_play(moment),
            KeyCode::Char('+' | '=') => self.speed = self.speed.faster(),
            KeyCode::Char('-' | '_') => self.speed = self.speed.slower(),
            KeyCode::Char(digit @ '1'..='9') => {
                replay.jump_to_round(digit.to_digit(10).unwrap_or(1) as usize);
            }
            KeyCode::Enter | KeyCode::Char('t') => self.take_over(moment),
            KeyCode::Char('?') => self.overlay = Some(Overlay::Help(0)),
            KeyCode::Esc | KeyCode::Char('q' | 'p') => self.unpark(moment),
            _ => {}
        }
    }

    fn games_key(&mut self, key: KeyCode, moment: &mut Moment<'_>) {
        let Page::Games(cursor) = &mut self.page else { return };
        let last = self.games.len().saturating_sub(1);
        match key {
            KeyCode::Up => *cursor = cursor.saturating_sub(1),
            KeyCode::Down => *cursor = (*cursor + 1).min(last),
            KeyCode::PageUp => *cursor = cursor.saturating_sub(10),
            KeyCode::PageDown => *cursor = (*cursor + 10).min(last),
            KeyCode::Home => *cursor = 0,
            KeyCode::End => *cursor = last,
            KeyCode::Enter | KeyCode::Char(' ') => {
                let i = *cursor;
                self.open(i, moment);
            }
            KeyCode::Char('r' | 'p') => {
                let i = *cursor;
                if let Some(game) = self.games.get(i) {
                    let replay = super::Replay::new(game.record.clone());
                    self.page = Page::Replay(Box::new(replay));
                }
            }
            KeyCode::Char('?') => self.overlay = Some(Overlay::Help(0)),
            KeyCode::Esc | KeyCode::Char('q' | 'o') => self.unpark(moment),
            _ => {}
        }
    }

    pub(super) fn mouse(&mut self, mouse: MouseEvent, moment: &mut Moment<'_>) {
        let is_click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        let (x, y) = (mouse.column, mouse.row);
        if let Some(Overlay::Help(page)) = &mut self.overlay {
            match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) if *page < rulebook::PAGES => *page += 1,
                MouseEventKind::Down(_) => self.overlay = None,
                _ => {}
            }
            return;
        }
        if self.overlay.is_some() {
            return;
        }
        let scroll = match mouse.kind {
            MouseEventKind::ScrollUp => Some(KeyCode::Up),
            MouseEventKind::ScrollDown => Some(KeyCode::Down),
            _ => None,
        };
        match &mut self.page {
            Page::Start(start) => {
                let field = draw::start_field_at(moment.area, start, x, y);
                match (field, is_click) {
                    (Some(field), true) => {
                        start.point_at(field);
                        // A click on text is meant to change it.
                        if !start.is_text() {
                            self.activate(moment);
                        }
                    }
                    _ => {
                        if let Some(key) = scroll {
                            self.start_key(key, moment);
                        }
                    }
                }
            }
            Page::Table(table) => match mouse.kind {
                MouseEventKind::Moved => table.point(x, y, false, moment),
                MouseEventKind::Down(MouseButton::Left) if table.showing.is_some() => {
                    table.show_rest(moment);
                }
                MouseEventKind::Down(MouseButton::Left) => table.point(x, y, true, moment),
                MouseEventKind::Down(MouseButton::Right) => {
                    table.chooser.back();
                }
                _ => {}
            },
            Page::Replay(replay) => match mouse.kind {
                MouseEventKind::ScrollUp => replay.back(),
                MouseEventKind::ScrollDown | MouseEventKind::Down(MouseButton::Left) => {
                    replay.forward(moment);
                }
                _ => {}
            },
            Page::Games(cursor) => {
                let line = draw::game_at(moment.area, self.games.len(), *cursor, y);
                match (line, is_click) {
                    (Some(i), true) if i == *cursor => self.open(i, moment),
                    (Some(i), true) => *cursor = i,
                    _ => {
                        if let Some(key) = scroll {
                            self.games_key(key, moment);
                        }
                    }
                }
            }
        }
    }

    /// Pasted text is typed, up to the first end of a line.
    pub(super) fn paste(&mut self, text: &str, moment: &mut Moment<'_>) {
        for c in text.lines().next().unwrap_or_default().chars().take(MAX_PATH) {
            self.key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE), moment);
        }
    }
}
