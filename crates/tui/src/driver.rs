//! The event loop and the terminal itself: prepares the terminal and always restores it, feeds inputs
//! to the app, and carries out its effects.

use crate::app::{App, Effect, Input, Opening, Settings};
use crate::autosave::Autosave;
use crate::engine_thread::EngineThread;
use crate::review_thread::ReviewThread;
use crate::session::Folder;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, Event,
};
use crossterm::{cursor, execute, terminal};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use std::io::{self, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Instant;

/// Runs the full screen until the user quits. Returns the file of a game that is not over.
///
/// # Errors
/// If the terminal cannot be used or is gone.
pub fn run(
    settings: Settings,
    opening: Opening,
    autosave: Autosave,
) -> io::Result<Option<PathBuf>> {
    let (sender, inbox) = mpsc::channel();
    listen_to_signals(&sender);
    let screen = Screen::enter()?;
    end_loop_on_panic(&sender);
    listen_to_input(&sender);
    let mut driver = Driver::new(screen, settings, opening, autosave, sender)?;
    driver.run(&inbox)?;
    let is_under_way = driver.app.session().is_some_and(|session| !session.is_over());
    Ok(driver.autosave.path().filter(|_| is_under_way).map(Path::to_path_buf))
}

/// A message to the loop.
enum Message {
    Input(Input),
    /// A thread has panicked; the message is printed already.
    Failed,
}

struct Driver {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    app: App,
    autosave: Autosave,
    engine_thread: EngineThread,
    review_thread: ReviewThread,
    /// For inputs that effects lead to.
    sender: Sender<Message>,
    is_over: bool,
    /// Restores the terminal when dropped.
    _screen: Screen,
}

impl Driver {
    fn new(
        screen: Screen,
        settings: Settings,
        opening: Opening,
        autosave: Autosave,
        sender: Sender<Message>,
    ) -> io::Result<Driver> {
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        let size = terminal.size()?;
        let (app, effects) = App::new(settings, opening, (size.width, size.height), Instant::now());
        let reports = sender.clone();
        let engine_thread = EngineThread::new(move |report| {
            let _ = reports.send(Message::Input(Input::Engine(report)));
        });
        let mut driver = Driver {
            terminal,
            app,
            autosave,
            engine_thread,
            review_thread: ReviewThread::default(),
            sender,
            is_over: false,
            _screen: screen,
        };
        driver.carry_out(effects);
        Ok(driver)
    }

    /// The loop: draw, wait, handle.
    fn run(&mut self, inbox: &Receiver<Message>) -> io::Result<()> {
        loop {
            // Handle everything that has arrived before drawing once.
            while let Ok(message) = inbox.try_recv() {
                self.handle(message)?;
            }
            if self.is_over {
                return Ok(());
            }
            self.draw()?;
            let now = Instant::now();
            let message = match self.app.wake(now) {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(wake) => inbox.recv_timeout(wake.saturating_duration_since(now)),
            };
            match message {
                Ok(message) => self.handle(message)?,
                Err(RecvTimeoutError::Timeout) => {
                    self.handle(Message::Input(Input::Tick))?;
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        let now = Instant::now();
        self.terminal.draw(|frame| self.app.draw(frame.buffer_mut(), now))?;
        Ok(())
    }

    fn handle(&mut self, message: Message) -> io::Result<()> {
        let input = match message {
            Message::Input(input) => input,
            Message::Failed => return Err(io::Error::other("a thread has panicked")),
        };
        if let Input::Resize(..) = input {
            self.terminal.autoresize()?;
        }
        // Draw the answer to a key before the game is written to the disk.
        let is_input = matches!(input, Input::Key(_) | Input::Mouse(_));
        let effects = self.app.update(input, Instant::now());
        if is_input && effects.iter().any(|effect| matches!(effect, Effect::Save)) {
            self.draw()?;
        }
        self.carry_out(effects);
        Ok(())
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Search(request) => self.engine_thread.search(*request),
                Effect::StopSearch => self.engine_thread.stop(),
                Effect::Review { id, record } => {
                    let sender = self.sender.clone();
                    self.review_thread.start(id, &record, move |judged| {
                        let _ = sender.send(Message::Input(Input::Judged(judged)));
                    });
                }
                Effect::StopReview => self.review_thread.stop(),
                Effect::UseFile(path) => {
                    if let Err(error) = self.autosave.use_file(path) {
                        self.note(format!("This is a copy in a new file: {error}."));
                    }
                }
                Effect::Save => self.save(),
                Effect::SaveAs(path) => self.save_as(&path),
                Effect::Remember(choices) => {
                    if let Some(Err(error)) =
                        self.autosave.folder().map(|folder| folder.remember(&choices))
                    {
                        self.note(format!("The choices cannot be saved: {error}"));
                    }
                }
                Effect::ListGames => {
                    let games = self.autosave.folder().map(Folder::games).unwrap_or_default();
                    self.send(Input::Games(games));
                }
                Effect::Quit => self.is_over = true,
            }
        }
    }

    fn save(&mut self) {
        let Some(session) = self.app.session() else { return };
        if let Err(error) = self.autosave.save(session) {
            self.note(format!("The game cannot be saved: {error}"));
        }
    }

    fn save_as(&mut self, path: &str) {
        let Some(session) = self.app.session() else { return };
        let note = match Folder::save_as(path.as_ref(), session.record()) {
            Ok(()) => format!("Saved as {path}."),
            Err(error) => format!("The game cannot be saved: {error}"),
        };
        self.note(note);
    }

    fn note(&self, text: String) {
        self.send(Input::Note(text));
    }

    fn send(&self, input: Input) {
        let _ = self.sender.send(Message::Input(input));
    }
}

/// The terminal in full-screen mode. Dropping it restores the terminal.
#[derive(Debug)]
pub struct Screen(());

/// Whether the terminal is in full-screen mode.
static IS_ENTERED: AtomicBool = AtomicBool::new(false);

impl Screen {
    /// Enters full-screen mode. From now on a panic restores the terminal before its message is printed.
    ///
    /// # Errors
    /// If there is no terminal.
    pub fn enter() -> io::Result<Screen> {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            leave();
            before(info);
        }));
        terminal::enable_raw_mode()?;
        IS_ENTERED.store(true, Ordering::SeqCst);
        let screen = Screen(());
        execute!(
            io::stdout(),
            terminal::EnterAlternateScreen,
            EnableMouseCapture,
            EnableBracketedPaste,
            cursor::Hide
        )?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

/// Restores the terminal, once.
fn leave() {
    if !IS_ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    // If the terminal is gone there is nothing to restore.
    let _ = execute!(
        io::stdout(),
        DisableBracketedPaste,
        DisableMouseCapture,
        terminal::LeaveAlternateScreen,
        cursor::Show
    );
    let _ = terminal::disable_raw_mode();
    let _ = io::stdout().flush();
}

/// Makes a panic in any thread end the loop.
fn end_loop_on_panic(sender: &Sender<Message>) {
    let sender = sender.clone();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        before(info);
        let _ = sender.send(Message::Failed);
    }));
}

/// Ends the loop on SIGINT, SIGTERM and SIGHUP. Signals that were ignored when the program started stay
/// ignored.
fn listen_to_signals(sender: &Sender<Message>) {
    let sender = sender.clone();
    let _ = ctrlc::try_set_handler(move || {
        let _ = sender.send(Message::Input(Input::Terminate));
    });
}

/// Starts a thread that reads keys, mouse and window sizes.
fn listen_to_input(sender: &Sender<Message>) {
    let sender = sender.clone();
    std::thread::spawn(move || {
        loop {
            let input = match crossterm::event::read() {
                Ok(Event::Key(key)) => Input::Key(key),
                Ok(Event::Mouse(mouse)) => Input::Mouse(mouse),
                Ok(Event::Paste(text)) => Input::Paste(text),
                Ok(Event::Resize(width, height)) => Input::Resize(width, height),
                Ok(Event::FocusGained | Event::FocusLost) => continue,
                // The terminal is closed.
                Err(_) => {
                    let _ = sender.send(Message::Input(Input::Terminate));
                    return;
                }
            };
            if sender.send(Message::Input(input)).is_err() {
                return;
            }
        }
    });
}
