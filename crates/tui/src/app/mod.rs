//! The full screen without a terminal: what happens goes into [`App::update`], what is to be done
//! outside comes out, and [`App::draw`] draws. Time is an argument, so that tests own it.

mod chooser;
mod input;
mod picture;
mod replay;
mod showing;
mod start;
mod table;
mod views;

pub use showing::Speed;

pub(crate) use replay::Replay;
pub(crate) use start::{Field, Start};
use table::Table;
pub(crate) use table::pile;
pub(crate) use views::marker_letter;

use crate::draw;
use crate::look::Look;
use crate::session::{Choices, SavedGame, Session};
use crate::thinker::{Order, Report};
use azulejo_notation::{Record, Seed, verify_deals};
use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Everything that can happen.
#[derive(Debug)]
pub enum Happening {
    /// A key.
    Key(KeyEvent),
    /// The mouse.
    Mouse(MouseEvent),
    /// Text from the clipboard.
    Paste(String),
    /// The window has another size.
    Resize(u16, u16),
    /// The engine reports.
    Engine(Report),
    /// Time has passed.
    Tick,
    /// The kept games, the last played first.
    Games(Vec<SavedGame>),
    /// Something outside was done, or went wrong.
    Note(String),
    /// The system wants the program to end.
    Terminate,
}

/// Something to be done outside.
#[derive(Debug)]
pub enum Effect {
    /// Let the engine think about this.
    Think(Box<Order>),
    /// Let the engine rest.
    Rest,
    /// Another game begins; it has a file already, or needs one.
    TurnTo(Option<PathBuf>),
    /// Keep the game as it stands.
    Keep,
    /// Write the record of the game here.
    SaveAs(String),
    /// Remember this for the next start.
    Remember(Box<Choices>),
    /// Find the kept games.
    ListGames,
    /// End the program.
    Quit,
}

/// What a user may set before the first screen.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The terminal.
    pub look: Look,
    /// How fast things are shown.
    pub speed: Speed,
    /// How long the engine may think about a move.
    pub think: Duration,
    /// Where seeds of new games come from.
    pub luck: u64,
    /// The choices of the last time.
    pub choices: Choices,
}

/// The first screen.
#[derive(Debug)]
pub enum Opening {
    /// The start screen.
    Start,
    /// A game; it has a file already, or needs one.
    Game(Box<Session>, Option<PathBuf>),
    /// A replay.
    Replay(Box<Record>),
}

/// The full screen.
#[derive(Debug)]
pub struct App {
    look: Look,
    speed: Speed,
    think: Duration,
    luck: u64,
    choices: Choices,
    area: Rect,
    page: Page,
    /// A game that another page covers.
    parked: Option<Box<Table>>,
    overlay: Option<Overlay>,
    games: Vec<SavedGame>,
}

#[derive(Debug)]
pub(crate) enum Page {
    Start(Box<Start>),
    Table(Box<Table>),
    Replay(Box<Replay>),
    /// The kept games, and the cursor among them.
    Games(usize),
}

/// What lies over a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Overlay {
    /// A page of the help; the first is about keys.
    Help(usize),
    /// The name of a file to save to.
    SaveAs(String),
}

/// What parts of the app need to know, and where they say what is to be done.
pub(crate) struct Moment<'a> {
    pub(crate) now: Instant,
    pub(crate) speed: Speed,
    pub(crate) think: Duration,
    pub(crate) area: Rect,
    pub(crate) effects: &'a mut Vec<Effect>,
    luck: &'a mut u64,
}

impl Moment<'_> {
    /// A number that nobody can guess as long as nobody knows the first (SplitMix64).
    pub(crate) fn luck(&mut self) -> u64 {
        *self.luck = self.luck.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = *self.luck;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    fn seed(&mut self) -> Seed {
        let text = format!("{:016x}", self.luck());
        text.parse().expect("sixteen digits are a seed")
    }
}

impl App {
    /// An app in a window, and what is to be done at once.
    #[must_use]
    pub fn new(
        settings: Settings,
        opening: Opening,
        (width, height): (u16, u16),
        now: Instant,
    ) -> (App, Vec<Effect>) {
        let Settings { look, speed, think, luck, choices } = settings;
        let start = Box::new(Start::new(&choices));
        let mut app = App {
            look,
            speed,
            think,
            luck,
            choices,
            area: Rect { x: 0, y: 0, width, height },
            page: Page::Start(start),
            parked: None,
            overlay: None,
            games: Vec::new(),
        };
        let mut effects = Vec::new();
        match opening {
            Opening::Start => effects.push(Effect::ListGames),
            Opening::Game(session, path) => {
                effects.push(Effect::TurnTo(path));
                effects.push(Effect::Keep);
                app.with(now, &mut effects, |app, moment| {
                    app.page = Page::Table(Box::new(Table::new(*session, moment)));
                });
            }
            Opening::Replay(record) => app.page = Page::Replay(Box::new(Replay::new(*record))),
        }
        (app, effects)
    }

    /// The game that is played, if one is.
    #[must_use]
    pub fn session(&self) -> Option<&Session> {
        match (&self.page, &self.parked) {
            (Page::Table(table), _) => Some(&table.session),
            (_, Some(table)) => Some(&table.session),
            _ => None,
        }
    }

    /// Takes in what happened.
    pub fn update(&mut self, happening: Happening, now: Instant) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.with(now, &mut effects, |app, moment| app.take_in(happening, moment));
        effects
    }

    /// When something happens by itself next, if nothing else does before.
    #[must_use]
    pub fn wake(&self, now: Instant) -> Option<Instant> {
        let (mut effects, mut luck) = (Vec::new(), 0);
        let moment = Moment {
            now,
            speed: self.speed,
            think: self.think,
            area: self.area,
            effects: &mut effects,
            luck: &mut luck,
        };
        match &self.page {
            Page::Table(table) => table.wake(&moment),
            Page::Replay(replay) => replay.wake(),
            Page::Start(_) | Page::Games(_) => None,
        }
    }

    /// Draws the whole screen.
    pub fn draw(&self, buf: &mut Buffer, now: Instant) {
        draw::screen(self, buf, now);
    }

    pub(crate) const fn look(&self) -> Look {
        self.look
    }

    pub(crate) const fn page(&self) -> &Page {
        &self.page
    }

    pub(crate) const fn overlay(&self) -> Option<&Overlay> {
        self.overlay.as_ref()
    }

    pub(crate) fn games(&self) -> &[SavedGame] {
        &self.games
    }

    fn with(
        &mut self,
        now: Instant,
        effects: &mut Vec<Effect>,
        act: impl FnOnce(&mut App, &mut Moment<'_>),
    ) {
        let mut luck = self.luck;
        let mut moment = Moment {
            now,
            speed: self.speed,
            think: self.think,
            area: self.area,
            effects,
            luck: &mut luck,
        };
        act(self, &mut moment);
        self.luck = luck;
    }

    fn take_in(&mut self, happening: Happening, moment: &mut Moment<'_>) {
        match happening {
            Happening::Key(key) => self.key(key, moment),
            Happening::Mouse(mouse) => self.mouse(mouse, moment),
            Happening::Paste(text) => self.paste(&text, moment),
            Happening::Resize(width, height) => self.area = Rect { width, height, ..self.area },
            Happening::Tick => match &mut self.page {
                Page::Table(table) => table.tick(moment),
                Page::Replay(replay) => replay.tick(moment),
                Page::Start(_) | Page::Games(_) => {}
            },
            Happening::Engine(report) => {
                if let Page::Table(table) = &mut self.page {
                    table.hear(report, moment);
                }
            }
            Happening::Games(games) => {
                self.games = games;
                self.note_unfinished();
            }
            Happening::Note(text) => match &mut self.page {
                Page::Table(table) => table.note = Some(text),
                Page::Start(start) => start.note = Some(text),
                Page::Replay(_) | Page::Games(_) => {}
            },
            Happening::Terminate => self.quit(moment),
        }
    }

    fn note_unfinished(&mut self) {
        let has_unfinished = self.games.iter().any(|game| game.record.end().is_none());
        if let Page::Start(start) = &mut self.page {
            let field = start.field();
            start.can_continue = has_unfinished;
            start.point_at(field);
        }
    }

    fn quit(&mut self, moment: &mut Moment<'_>) {
        if let Page::Table(table) = &mut self.page {
            table.rest(moment);
            table.session.stop_clock(moment.now);
        }
        if self.session().is_some() {
            moment.effects.push(Effect::Keep);
        }
        moment.effects.push(Effect::Quit);
    }

    /// Leaves the game for another page; it can be returned to.
    fn park(&mut self, page: Page, moment: &mut Moment<'_>) {
        if let Page::Table(mut table) = std::mem::replace(&mut self.page, page) {
            table.rest(moment);
            table.session.stop_clock(moment.now);
            self.parked = Some(table);
        }
    }

    /// Returns to the game that was left, or to the start screen.
    fn unpark(&mut self, moment: &mut Moment<'_>) {
        match self.parked.take() {
            Some(mut table) => {
                table.settle(moment);
                self.page = Page::Table(table);
            }
            None => self.show_start(moment),
        }
    }

    fn show_start(&mut self, moment: &mut Moment<'_>) {
        let start = Page::Start(Box::new(Start::new(&self.choices)));
        self.park(start, moment);
        moment.effects.push(Effect::ListGames);
        self.note_unfinished();
    }

    /// Begins the game that the form describes.
    fn begin(&mut self, moment: &mut Moment<'_>) {
        let Page::Start(start) = &mut self.page else { return };
        let choices = match start.choices() {
            Ok(choices) => choices,
            Err(error) => {
                start.note = Some(error);
                return;
            }
        };
        let session = Session::start(&choices, &moment.seed());
        self.choices = choices;
        self.choices.seed = None;
        moment.effects.push(Effect::Remember(Box::new(self.choices.clone())));
        self.sit_down(session, None, moment);
    }

    fn sit_down(&mut self, session: Session, path: Option<PathBuf>, moment: &mut Moment<'_>) {
        self.parked = None;
        moment.effects.extend([Effect::Rest, Effect::TurnTo(path)]);
        let has_thoughts = matches!(&self.page, Page::Table(table) if table.has_thoughts);
        let mut table = Table::new(session, moment);
        table.has_thoughts = has_thoughts;
        self.page = Page::Table(Box::new(table));
        moment.effects.push(Effect::Keep);
    }

    /// Goes on with a kept game, or replays one that is over.
    fn open(&mut self, i: usize, moment: &mut Moment<'_>) {
        let Some(game) = self.games.get(i) else { return };
        if game.record.end().is_some() {
            self.page = Page::Replay(Box::new(Replay::new(game.record.clone())));
            return;
        }
        // What must begin anew gets a file of its own.
        let path = verify_deals(&game.record).is_ok().then(|| game.path.clone());
        let session = Session::resume(game.record.clone(), &moment.seed());
        self.sit_down(session, path, moment);
    }

    /// Plays on from where a replay stands.
    fn take_over(&mut self, moment: &mut Moment<'_>) {
        let Page::Replay(replay) = &self.page else { return };
        let session = Session::at(&replay.record, replay.n_moves(), &moment.seed());
        self.sit_down(session, None, moment);
    }

    fn replay_game(&mut self, moment: &mut Moment<'_>) {
        let Page::Table(table) = &self.page else { return };
        let replay = Replay::new(table.session.record().clone());
        self.park(Page::Replay(Box::new(replay)), moment);
    }
}
