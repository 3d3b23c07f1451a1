//! The full screen as a pure state: [`App::update`] takes an [`Input`] and returns [`Effect`]s for the
//! driver to carry out, and [`App::draw`] draws. Time is an argument, so that tests control it.

mod animation;
mod chooser;
mod game;
mod input;
mod replay;
mod start;
mod views;

pub use animation::Speed;

use game::GamePage;
pub(crate) use game::pile;
pub(crate) use replay::Replay;
pub(crate) use start::{Field, Start};
pub(crate) use views::seat_tag;

use crate::draw;
use crate::engine_thread::{Report, SearchRequest};
use crate::look::Look;
use crate::review_thread::Judged;
use crate::session::{Choices, SavedGame, Session};
use azulejo_notation::{Record, Seed, verify_deals};
use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Everything that the app reacts to.
#[derive(Debug)]
pub enum Input {
    /// A key.
    Key(KeyEvent),
    /// The mouse.
    Mouse(MouseEvent),
    /// Text from the clipboard.
    Paste(String),
    /// The window has another size.
    Resize(u16, u16),
    /// A report of the engine.
    Engine(Report),
    /// A move of the replayed game is judged.
    Judged(Judged),
    /// Time has passed.
    Tick,
    /// The saved games, the last played first.
    Games(Vec<SavedGame>),
    /// A message about an effect that was carried out or failed.
    Note(String),
    /// The system wants the program to end.
    Terminate,
}

/// What the driver has to do.
#[derive(Debug)]
pub enum Effect {
    /// Start a search.
    Search(Box<SearchRequest>),
    /// Stop the search.
    StopSearch,
    /// Judge the moves of a record.
    Review {
        /// Repeated in the answers.
        id: u64,
        /// The record.
        record: Box<Record>,
    },
    /// Stop judging.
    StopReview,
    /// Save from now on into this file, or into a new one.
    UseFile(Option<PathBuf>),
    /// Save the game.
    Save,
    /// Write the record of the game into another file.
    SaveAs(String),
    /// Remember these choices for the next start.
    Remember(Box<Choices>),
    /// Send the saved games as an input.
    ListGames,
    /// End the program.
    Quit,
}

/// The settings from the command line.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Colors and characters.
    pub look: Look,
    /// The speed of animations.
    pub speed: Speed,
    /// The engine's time for a move.
    pub think: Duration,
    /// The state of the generator for the seeds of new games.
    pub random_state: u64,
    /// The choices of the last game.
    pub choices: Choices,
}

/// The first screen.
#[derive(Debug)]
pub enum Opening {
    /// The start screen.
    Start,
    /// A game with its file; without one it gets a new file.
    Game(Box<Session>, Option<PathBuf>),
    /// A replay.
    Replay(Box<Record>),
}

/// The full screen.
#[derive(Debug)]
pub struct App {
    pub(crate) settings: Settings,
    area: Rect,
    pub(crate) page: Page,
    /// The game to return to from another page.
    parked: Option<Box<GamePage>>,
    pub(crate) overlay: Option<Overlay>,
    pub(crate) games: Vec<SavedGame>,
    /// The number of reviews that were asked for, which is the id of the last one.
    n_reviews: u64,
    is_reviewing: bool,
}

#[derive(Debug)]
pub(crate) enum Page {
    Start(Box<Start>),
    Game(Box<GamePage>),
    Replay(Box<Replay>),
    /// The saved games, and the cursor among them.
    Games(usize),
}

impl Page {
    fn replay(record: Record) -> Page {
        Page::Replay(Box::new(Replay::new(record)))
    }
}

/// A window over a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Overlay {
    /// A page of the help; the first is about keys.
    Help(usize),
    /// The name of a file to save to.
    SaveAs(String),
    /// The question whether to play on from the current position of a replay.
    PlayOn,
}

/// What the pages of the app need to know, and the effects that they ask for.
pub(crate) struct Context {
    pub(crate) now: Instant,
    pub(crate) speed: Speed,
    pub(crate) think: Duration,
    pub(crate) area: Rect,
    pub(crate) effects: Vec<Effect>,
    random_state: u64,
}

impl Context {
    /// A random number (SplitMix64).
    pub(crate) fn random(&mut self) -> u64 {
        self.random_state = self.random_state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.random_state;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    fn seed(&mut self) -> Seed {
        let text = format!("{:016x}", self.random());
        text.parse().expect("sixteen digits are a seed")
    }
}

impl App {
    /// An app in a window of this size, and its first effects.
    #[must_use]
    pub fn new(
        settings: Settings,
        opening: Opening,
        (width, height): (u16, u16),
        now: Instant,
    ) -> (App, Vec<Effect>) {
        let page = Page::Start(Box::new(Start::new(&settings.choices)));
        let area = Rect { x: 0, y: 0, width, height };
        let mut app = App {
            settings,
            area,
            page,
            parked: None,
            overlay: None,
            games: Vec::new(),
            n_reviews: 0,
            is_reviewing: false,
        };
        let mut context = app.context(now);
        match opening {
            Opening::Start => context.effects.push(Effect::ListGames),
            Opening::Game(session, path) => {
                context.effects.extend([Effect::UseFile(path), Effect::Save]);
                app.page = Page::Game(Box::new(GamePage::new(*session, &mut context)));
            }
            Opening::Replay(record) => app.page = Page::replay(*record),
        }
        let effects = app.finish(context);
        (app, effects)
    }

    /// The game under way, if there is one.
    #[must_use]
    pub fn session(&self) -> Option<&Session> {
        let game = match &self.page {
            Page::Game(game) => Some(game),
            _ => self.parked.as_ref(),
        };
        game.map(|game| &game.session)
    }

    /// Handles an input.
    pub fn update(&mut self, input: Input, now: Instant) -> Vec<Effect> {
        let mut context = self.context(now);
        self.handle(input, &mut context);
        self.finish(context)
    }

    /// When the app wants a [`Input::Tick`], if no other input comes before.
    #[must_use]
    pub fn wake(&self, now: Instant) -> Option<Instant> {
        match &self.page {
            Page::Game(game) => game.wake(&self.context(now)),
            Page::Replay(replay) => replay.wake(),
            Page::Start(_) | Page::Games(_) => None,
        }
    }

    /// Draws the whole screen.
    pub fn draw(&self, buf: &mut Buffer, now: Instant) {
        draw::screen(self, buf, now);
    }

    fn context(&self, now: Instant) -> Context {
        let Settings { speed, think, random_state, .. } = self.settings;
        Context { now, speed, think, area: self.area, effects: Vec::new(), random_state }
    }

    fn finish(&mut self, mut context: Context) -> Vec<Effect> {
        self.settings.random_state = context.random_state;
        self.keep_reviewing(&mut context);
        context.effects
    }

    /// Has the game of a replay judged while its page is open.
    fn keep_reviewing(&mut self, context: &mut Context) {
        match &mut self.page {
            Page::Replay(replay) if replay.review_id.is_none() => {
                self.n_reviews += 1;
                self.is_reviewing = true;
                replay.review_id = Some(self.n_reviews);
                let record = Box::new(replay.record.clone());
                context.effects.push(Effect::Review { id: self.n_reviews, record });
            }
            Page::Replay(_) => {}
            _ if self.is_reviewing => {
                self.is_reviewing = false;
                context.effects.push(Effect::StopReview);
            }
            _ => {}
        }
    }

    fn handle(&mut self, input: Input, context: &mut Context) {
        match input {
            Input::Key(key) => self.key(key, context),
            Input::Mouse(mouse) => self.mouse(mouse, context),
            Input::Paste(text) => self.paste(&text, context),
            Input::Resize(width, height) => self.area = Rect { width, height, ..self.area },
            Input::Tick => match &mut self.page {
                Page::Game(game) => game.tick(context),
                Page::Replay(replay) => replay.tick(context),
                Page::Start(_) | Page::Games(_) => {}
            },
            Input::Engine(report) => {
                if let Page::Game(game) = &mut self.page {
                    game.on_report(report, context);
                }
            }
            Input::Judged(Judged { id, decision }) => {
                if let Page::Replay(replay) = &mut self.page
                    && replay.review_id == Some(id)
                {
                    replay.judged.push(*decision);
                }
            }
            Input::Games(games) => {
                self.games = games;
                self.note_unfinished();
            }
            Input::Note(text) => match &mut self.page {
                Page::Game(game) => game.note = Some(text),
                Page::Start(start) => start.note = Some(text),
                Page::Replay(_) | Page::Games(_) => {}
            },
            Input::Terminate => self.quit(context),
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

    fn quit(&mut self, context: &mut Context) {
        if let Page::Game(game) = &mut self.page {
            game.stop_search(context);
            game.session.stop_clock(context.now);
        }
        if self.session().is_some() {
            context.effects.push(Effect::Save);
        }
        context.effects.push(Effect::Quit);
    }

    /// Leaves the game for another page, to return to it later.
    fn park(&mut self, page: Page, context: &mut Context) {
        if let Page::Game(mut game) = std::mem::replace(&mut self.page, page) {
            game.stop_search(context);
            game.session.stop_clock(context.now);
            self.parked = Some(game);
        }
    }

    /// Returns to the parked game, or to the start screen.
    fn unpark(&mut self, context: &mut Context) {
        match self.parked.take() {
            Some(mut game) => {
                game.prepare_turn(context);
                self.page = Page::Game(game);
            }
            None => self.show_start(context),
        }
    }

    fn show_start(&mut self, context: &mut Context) {
        let start = Page::Start(Box::new(Start::new(&self.settings.choices)));
        self.park(start, context);
        context.effects.push(Effect::ListGames);
        self.note_unfinished();
    }

    /// Begins the game that the form of the start screen describes.
    fn begin(&mut self, context: &mut Context) {
        let Page::Start(start) = &mut self.page else { return };
        let choices = match start.choices() {
            Ok(choices) => choices,
            Err(error) => {
                start.note = Some(error);
                return;
            }
        };
        let session = Session::start(&choices, &context.seed());
        self.settings.choices = choices;
        self.settings.choices.seed = None;
        context.effects.push(Effect::Remember(Box::new(self.settings.choices.clone())));
        self.show_game(session, None, context);
    }

    fn show_game(&mut self, session: Session, path: Option<PathBuf>, context: &mut Context) {
        self.parked = None;
        context.effects.extend([Effect::StopSearch, Effect::UseFile(path)]);
        let has_thoughts = matches!(&self.page, Page::Game(game) if game.has_thoughts);
        let mut game = GamePage::new(session, context);
        game.has_thoughts = has_thoughts;
        self.page = Page::Game(Box::new(game));
        context.effects.push(Effect::Save);
    }

    /// Continues a saved game, or replays one that is over.
    fn open(&mut self, i: usize, context: &mut Context) {
        let Some(game) = self.games.get(i) else { return };
        if game.record.end().is_some() {
            self.page = Page::replay(game.record.clone());
            return;
        }
        // A game whose deals do not follow from its seed goes on as a new record, in a new file.
        let path = verify_deals(&game.record).is_ok().then(|| game.path.clone());
        let session = Session::resume(game.record.clone(), &context.seed());
        self.show_game(session, path, context);
    }

    /// Plays on from the current position of a replay.
    fn take_over(&mut self, context: &mut Context) {
        let Page::Replay(replay) = &self.page else { return };
        let session = Session::at(&replay.record, replay.n_moves(), &context.seed());
        self.show_game(session, None, context);
    }

    fn replay_game(&mut self, context: &mut Context) {
        let Page::Game(game) = &self.page else { return };
        self.park(Page::replay(game.session.record().clone()), context);
    }
}
