//! The thin part that owns the terminal: prepares it and always puts it back, waits for what
//! happens, and does what the app asks for.

use crate::app::{App, Effect, Happening, Opening, Settings};
use crate::keeper::Keeper;
use crate::session::Folder;
use crate::thinker::Thinker;
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

/// Runs the full screen until the user leaves. Gives the file of a game that is not over.
///
/// # Errors
/// If the terminal cannot be used, or is gone.
pub fn run(settings: Settings, opening: Opening, keeper: Keeper) -> io::Result<Option<PathBuf>> {
    let (sender, inbox) = mpsc::channel();
    listen_to_signals(&sender);
    let screen = Screen::enter()?;
    panic_tells(&sender);
    listen_to_input(&sender);
    let mut driver = Driver::new(screen, settings, opening, keeper, sender)?;
    driver.run(&inbox)?;
    let is_under_way = driver.app.session().is_some_and(|session| !session.is_over());
    Ok(driver.keeper.path().filter(|_| is_under_way).map(Path::to_path_buf))
}

/// What reaches the loop.
enum Message {
    Happening(Happening),
    /// A thread has failed; the panic has been printed.
    Failed,
    /// Nothing can be read any more.
    InputEnded,
}

struct Driver {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    app: App,
    keeper: Keeper,
    thinker: Thinker,
    /// What effects lead to.
    sender: Sender<Message>,
    is_over: bool,
    /// Put back when the driver is gone.
    _screen: Screen,
}

impl Driver {
    fn new(
        screen: Screen,
        settings: Settings,
        opening: Opening,
        keeper: Keeper,
        sender: Sender<Message>,
    ) -> io::Result<Driver> {
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        let size = terminal.size()?;
        let (app, effects) = App::new(settings, opening, (size.width, size.height), Instant::now());
        let reports = sender.clone();
        let thinker = Thinker::new(move |report| {
            let _ = reports.send(Message::Happening(Happening::Engine(report)));
        });
        let mut driver =
            Driver { terminal, app, keeper, thinker, sender, is_over: false, _screen: screen };
        driver.carry_out(effects);
        Ok(driver)
    }

    /// Draws, waits, takes in; as long as it goes.
    fn run(&mut self, inbox: &Receiver<Message>) -> io::Result<()> {
        loop {
            // What has come in the meantime is taken in before anything is drawn.
            while let Ok(message) = inbox.try_recv() {
                self.take_in(message)?;
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
                Ok(message) => self.take_in(message)?,
                Err(RecvTimeoutError::Timeout) => {
                    self.take_in(Message::Happening(Happening::Tick))?;
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

    fn take_in(&mut self, message: Message) -> io::Result<()> {
        let happening = match message {
            Message::Happening(happening) => happening,
            Message::InputEnded => Happening::Terminate,
            Message::Failed => return Err(io::Error::other("a part of the program has failed")),
        };
        if let Happening::Resize(..) = happening {
            self.terminal.autoresize()?;
        }
        // A key that plays a move is answered on the screen before the game is written to the disk.
        let is_input = matches!(happening, Happening::Key(_) | Happening::Mouse(_));
        let effects = self.app.update(happening, Instant::now());
        if is_input && effects.iter().any(|effect| matches!(effect, Effect::Keep)) {
            self.draw()?;
        }
        self.carry_out(effects);
        Ok(())
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Think(order) => self.thinker.think(*order),
                Effect::Rest => self.thinker.rest(),
                Effect::TurnTo(path) => {
                    if let Err(error) = self.keeper.turn_to(path) {
                        self.note(format!("This is a copy, kept in a new file: {error}."));
                    }
                }
                Effect::Keep => self.keep(),
                Effect::SaveAs(path) => self.save_as(&path),
                Effect::Remember(choices) => {
                    if let Some(Err(error)) =
                        self.keeper.folder().map(|folder| folder.remember(&choices))
                    {
                        self.note(format!("The choice cannot be remembered: {error}"));
                    }
                }
                Effect::ListGames => {
                    let games = self.keeper.folder().map(Folder::games).unwrap_or_default();
                    self.tell(Happening::Games(games));
                }
                Effect::Quit => self.is_over = true,
            }
        }
    }

    fn keep(&mut self) {
        let Some(session) = self.app.session() else { return };
        if let Err(error) = self.keeper.keep(session) {
            self.note(format!("The game cannot be kept: {error}"));
        }
    }

    fn save_as(&mut self, path: &str) {
        let Some(session) = self.app.session() else { return };
        let note = match Folder::save(path.as_ref(), session.record()) {
            Ok(()) => format!("Saved as {path}."),
            Err(error) => format!("The game cannot be saved: {error}"),
        };
        self.note(note);
    }

    fn note(&self, text: String) {
        self.tell(Happening::Note(text));
    }

    fn tell(&self, happening: Happening) {
        let _ = self.sender.send(Message::Happening(happening));
    }
}

/// The terminal as the full screen wants it. Dropping it puts everything back.
#[derive(Debug)]
pub struct Screen(());

/// Whether the terminal is ours now.
static IS_ENTERED: AtomicBool = AtomicBool::new(false);

impl Screen {
    /// Prepares the terminal. From now on also a panic puts it back, before it is printed.
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

/// Puts the terminal back, once.
fn leave() {
    if !IS_ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    // If the terminal is gone, nothing can be done about it.
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
fn panic_tells(sender: &Sender<Message>) {
    let sender = sender.clone();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        before(info);
        let _ = sender.send(Message::Failed);
    }));
}

/// Ctrl-C from outside, `kill`, a closed terminal: the loop ends, and the terminal is put back.
/// Where signals were ignored when the program started they stay so.
fn listen_to_signals(sender: &Sender<Message>) {
    let sender = sender.clone();
    let _ = ctrlc::try_set_handler(move || {
        let _ = sender.send(Message::Happening(Happening::Terminate));
    });
}

/// A thread that reads keys, mouse and sizes.
fn listen_to_input(sender: &Sender<Message>) {
    let sender = sender.clone();
    std::thread::spawn(move || {
        loop {
            let happening = match crossterm::event::read() {
                Ok(Event::Key(key)) => Happening::Key(key),
                Ok(Event::Mouse(mouse)) => Happening::Mouse(mouse),
                Ok(Event::Paste(text)) => Happening::Paste(text),
                Ok(Event::Resize(width, height)) => Happening::Resize(width, height),
                Ok(Event::FocusGained | Event::FocusLost) => continue,
                Err(_) => {
                    let _ = sender.send(Message::InputEnded);
                    return;
                }
            };
            if sender.send(Message::Happening(happening)).is_err() {
                return;
            }
        }
    });
}
