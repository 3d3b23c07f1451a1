//! Keys and the mouse on each page.

use super::{App, Context, Effect, Field, Overlay, Page, Speed};
use crate::draw;
use crate::rulebook;
use crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// The longest path that can be typed.
const MAX_PATH: usize = 200;

impl App {
    pub(super) fn key(&mut self, key: KeyEvent, context: &mut Context) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            if key.code == KeyCode::Char('c') {
                self.quit(context);
            }
            return;
        }
        if key.modifiers.contains(KeyModifiers::ALT) {
            return;
        }
        if self.overlay.is_some() {
            self.overlay_key(key.code, context);
            return;
        }
        let is_typing = matches!(&self.page, Page::Start(start) if start.is_text());
        if key.code == KeyCode::F(1) || key.code == KeyCode::Char('?') && !is_typing {
            self.overlay = Some(Overlay::Help(0));
            return;
        }
        match &self.page {
            Page::Start(_) => self.start_key(key.code, context),
            Page::Game(_) => self.table_key(key.code, context),
            Page::Replay(_) => self.replay_key(key.code, context),
            Page::Games(_) => self.games_key(key.code, context),
        }
    }

    fn overlay_key(&mut self, key: KeyCode, context: &mut Context) {
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
                        context.effects.push(Effect::SaveAs(path.trim().to_owned()));
                    }
                    self.overlay = None;
                }
                KeyCode::Esc => self.overlay = None,
                _ => {}
            },
            Some(Overlay::PlayOn) => {
                self.overlay = None;
                if matches!(key, KeyCode::Enter | KeyCode::Char('t' | 'y')) {
                    self.take_over(context);
                }
            }
            None => {}
        }
    }

    fn start_key(&mut self, key: KeyCode, context: &mut Context) {
        let Page::Start(start) = &mut self.page else { return };
        match key {
            KeyCode::Up | KeyCode::BackTab => start.step(false),
            KeyCode::Down | KeyCode::Tab => start.step(true),
            KeyCode::Left => start.change(false),
            KeyCode::Right => start.change(true),
            KeyCode::Home => start.cursor = 0,
            KeyCode::End => start.cursor = start.fields().len() - 1,
            KeyCode::Backspace => start.edit(None),
            KeyCode::Enter => self.activate(context),
            KeyCode::Esc if self.parked.is_some() => self.unpark(context),
            KeyCode::Char(c) if start.is_text() => start.edit(Some(c)),
            KeyCode::Char(' ') => self.activate(context),
            KeyCode::Char('i') => self.overlay = Some(Overlay::Help(1)),
            KeyCode::Char('q') => self.quit(context),
            _ => {}
        }
    }

    /// Enter on a row of the form.
    fn activate(&mut self, context: &mut Context) {
        let Page::Start(start) = &mut self.page else { return };
        match start.field() {
            // In a row with text and on the button Enter begins the game, elsewhere it changes the value.
            Field::Begin | Field::Seat(_) | Field::Seed => self.begin(context),
            Field::Continue => {
                let unfinished = self.games.iter().position(|game| game.record.end().is_none());
                if let Some(i) = unfinished {
                    self.open(i, context);
                }
            }
            Field::Games => self.page = Page::Games(0),
            Field::Help => self.overlay = Some(Overlay::Help(1)),
            Field::Quit => self.quit(context),
            Field::Players | Field::Wall | Field::Jokers | Field::Preset | Field::Clock => {
                start.change(true);
            }
        }
    }

    fn table_key(&mut self, key: KeyCode, context: &mut Context) {
        let Page::Game(game) = &mut self.page else { return };
        let skips =
            matches!(key, KeyCode::Char(' ') | KeyCode::Enter | KeyCode::Esc | KeyCode::Right);
        if skips && game.animation.is_some() {
            game.show_rest(context);
            return;
        }
        let position = *game.session.position();
        match key {
            KeyCode::Left | KeyCode::Up | KeyCode::BackTab if game.is_asking() => {
                game.chooser.step(&position, false);
            }
            KeyCode::Right | KeyCode::Down | KeyCode::Tab if game.is_asking() => {
                game.chooser.step(&position, true);
            }
            KeyCode::Enter | KeyCode::Char(' ') if game.is_asking() => {
                game.choose_hovered(context);
            }
            KeyCode::Esc | KeyCode::Backspace | KeyCode::Delete => {
                game.note = None;
                game.hint = None;
                game.chooser.back();
            }
            KeyCode::Char(' ') => game.toggle_pause(context),
            KeyCode::Char('+' | '=') => self.change_speed(1),
            KeyCode::Char('-' | '_') => self.change_speed(-1),
            KeyCode::Char('u') => game.undo(context),
            KeyCode::Char('h') => game.ask_hint(context),
            KeyCode::Char('t') => game.toggle_thoughts(context),
            KeyCode::Char('s') => self.overlay = Some(Overlay::SaveAs(String::new())),
            KeyCode::Char('p') => self.replay_game(context),
            KeyCode::Char('o') => {
                context.effects.push(Effect::ListGames);
                self.park(Page::Games(0), context);
            }
            KeyCode::Char('n') => self.show_start(context),
            KeyCode::Char('q') => self.quit(context),
            KeyCode::Char('i') => self.overlay = Some(Overlay::Help(1)),
            KeyCode::Char(c) => {
                game.letter(c, context);
            }
            _ => {}
        }
    }

    fn change_speed(&mut self, by: i8) {
        let speed = &mut self.settings.speed;
        *speed = Speed::new(speed.number().saturating_add_signed(by)).unwrap_or(*speed);
        if let Page::Game(game) = &mut self.page {
            game.note = Some(format!("Speed {} of 5.", speed.number()));
        }
    }

    fn replay_key(&mut self, key: KeyCode, context: &mut Context) {
        let Page::Replay(replay) = &mut self.page else { return };
        // Stepping by hand ends the automatic replay.
        let is_by_hand = !matches!(key, KeyCode::Char(' ' | '+' | '=' | '-' | '_'));
        if is_by_hand {
            replay.plays = None;
        }
        match key {
            KeyCode::Right => replay.forward(context),
            KeyCode::Left => replay.back(),
            KeyCode::Down | KeyCode::PageDown => replay.round(true),
            KeyCode::Up | KeyCode::PageUp => replay.round(false),
            KeyCode::Home => replay.jump(0),
            KeyCode::End => replay.jump(usize::MAX),
            KeyCode::Char(' ') => replay.toggle_play(context),
            KeyCode::Char('+' | '=') => self.change_speed(1),
            KeyCode::Char('-' | '_') => self.change_speed(-1),
            KeyCode::Char(digit @ '1'..='9') => {
                replay.jump_to_round(digit.to_digit(10).unwrap_or(1) as usize);
            }
            KeyCode::Enter | KeyCode::Char('t') => self.overlay = Some(Overlay::PlayOn),
            KeyCode::Char('n') => replay.mistake(true),
            KeyCode::Char('p') => replay.mistake(false),
            KeyCode::Char('h') => replay.shows_better = !replay.shows_better,
            KeyCode::Esc | KeyCode::Char('q') => self.unpark(context),
            _ => {}
        }
    }

    fn games_key(&mut self, key: KeyCode, context: &mut Context) {
        let Page::Games(cursor) = &mut self.page else { return };
        let (at, last) = (*cursor, self.games.len().saturating_sub(1));
        match key {
            KeyCode::Up => *cursor = at.saturating_sub(1),
            KeyCode::Down => *cursor = (at + 1).min(last),
            KeyCode::PageUp => *cursor = at.saturating_sub(10),
            KeyCode::PageDown => *cursor = (at + 10).min(last),
            KeyCode::Home => *cursor = 0,
            KeyCode::End => *cursor = last,
            KeyCode::Enter | KeyCode::Char(' ') => self.open(at, context),
            KeyCode::Char('r' | 'p') => {
                if let Some(game) = self.games.get(at) {
                    self.page = Page::replay(game.record.clone());
                }
            }
            KeyCode::Esc | KeyCode::Char('q' | 'o') => self.unpark(context),
            _ => {}
        }
    }

    pub(super) fn mouse(&mut self, mouse: MouseEvent, context: &mut Context) {
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
        match (&mut self.page, scroll) {
            (Page::Start(_), Some(key)) => self.start_key(key, context),
            (Page::Games(_), Some(key)) => self.games_key(key, context),
            (Page::Start(start), None) if is_click => {
                let Some(field) = draw::start_field_at(context.area, start, x, y) else { return };
                start.point_at(field);
                // A click on a text only puts the cursor there.
                if !start.is_text() {
                    self.activate(context);
                }
            }
            (Page::Games(cursor), None) if is_click => {
                match draw::game_at(context.area, self.games.len(), *cursor, y) {
                    Some(i) if i == *cursor => self.open(i, context),
                    Some(i) => *cursor = i,
                    None => {}
                }
            }
            (Page::Start(_) | Page::Games(_), None) => {}
            (Page::Game(game), _) => match mouse.kind {
                MouseEventKind::Moved => game.point(x, y, false, context),
                MouseEventKind::Down(MouseButton::Left) if game.animation.is_some() => {
                    game.show_rest(context);
                }
                MouseEventKind::Down(MouseButton::Left) => game.point(x, y, true, context),
                MouseEventKind::Down(MouseButton::Right) => {
                    game.chooser.back();
                }
                _ => {}
            },
            (Page::Replay(replay), _) => match mouse.kind {
                MouseEventKind::ScrollUp => replay.back(),
                MouseEventKind::ScrollDown | MouseEventKind::Down(MouseButton::Left) => {
                    replay.forward(context);
                }
                _ => {}
            },
        }
    }

    /// Pasted text is typed, up to the first end of a line.
    pub(super) fn paste(&mut self, text: &str, context: &mut Context) {
        for c in text.lines().next().unwrap_or_default().chars().take(MAX_PATH) {
            self.key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE), context);
        }
    }
}
