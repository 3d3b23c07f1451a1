//! A pseudoterminal: the test types keys, and a terminal emulator interprets the program's output as
//! a screen.

use azulejo_notation::Record;
use azulejo_rules::Position;
use pty_process::Size;
use pty_process::blocking::{Command, Pts, Pty, open};
use rustix::termios::{LocalModes, tcgetattr};
use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// The limit of every wait; far more than anything here takes on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A temporary data folder, removed at the end.
pub(crate) struct Home {
    path: PathBuf,
}

impl Home {
    pub(crate) fn new() -> Home {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("azulejo-play-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).expect("a folder can be made for temporary files");
        Home { path }
    }

    /// The only saved game, if there is one.
    pub(crate) fn record(&self) -> Option<Record> {
        let entries = fs::read_dir(self.path.join("games")).ok()?.flatten();
        let mut paths = entries.map(|entry| entry.path());
        let path = paths.find(|path| path.extension().is_some_and(|kind| kind == "txt"))?;
        let text = fs::read_to_string(path).ok()?;
        // The file is new, or a complete record.
        (!text.is_empty()).then(|| Record::parse(text).expect("a kept game can be read"))
    }

    pub(crate) fn position(&self) -> Option<Position> {
        self.record().map(|record| *record.final_position())
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path.join("games")).into_iter().flatten().flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

struct Seen {
    parser: Mutex<vt100::Parser>,
    changed: Condvar,
}

pub(crate) struct Terminal {
    pty: Arc<Pty>,
    /// A handle of the program's side, so that its state can be read after the end.
    pts: Option<Pts>,
    pub(crate) child: Child,
    seen: Arc<Seen>,
}

impl Terminal {
    /// Runs `azulejo play` in a new terminal of 80 × 24.
    pub(crate) fn play(args: &str, home: &Home) -> Terminal {
        Terminal::run(Terminal::command(args, home))
    }

    pub(crate) fn command(args: &str, home: &Home) -> Command {
        let args = ["play"].into_iter().chain(args.split_whitespace());
        Command::new(env!("CARGO_BIN_EXE_azulejo"))
            .args(args)
            .env("AZULEJO_DATA", &home.path)
            .env("COLORTERM", "truecolor")
            .env("LANG", "C.UTF-8")
            .env_remove("LC_ALL")
            .env_remove("NO_COLOR")
    }

    pub(crate) fn run(command: Command) -> Terminal {
        let (pty, pts) = open().expect("there are terminals");
        pty.resize(Size::new(24, 80)).expect("a terminal has a size");
        let mut command = command.env("TERM", "xterm-256color");
        let child = command.spawn_borrowed(&pts).expect("the program starts");
        let pty = Arc::new(pty);
        let seen = Arc::new(Seen {
            parser: Mutex::new(vt100::Parser::new(24, 80, 0)),
            changed: Condvar::new(),
        });
        let (source, target) = (Arc::clone(&pty), Arc::clone(&seen));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = (&*source).read(&mut bytes) {
                target.parser.lock().expect("nobody panics with it").process(&bytes[..n]);
                target.changed.notify_all();
            }
        });
        Terminal { pty, pts: Some(pts), child, seen }
    }

    pub(crate) fn send(&self, text: &str) {
        (&*self.pty).write_all(text.as_bytes()).expect("the terminal takes input");
    }

    pub(crate) fn resize(&self, width: u16, height: u16) {
        let mut parser = self.seen.parser.lock().expect("nobody panics with it");
        parser.screen_mut().set_size(height, width);
        drop(parser);
        self.pty.resize(Size::new(height, width)).expect("a terminal has a size");
    }

    /// Waits until the screen shows this text; returns the screen.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) -> String {
        self.wait_until(text, |screen| screen.contents().contains(text))
    }

    #[track_caller]
    pub(crate) fn wait_until(
        &self,
        what: &str,
        is_right: impl Fn(&vt100::Screen) -> bool,
    ) -> String {
        let parser = self.seen.parser.lock().expect("nobody panics with it");
        let wait = |parser: &mut vt100::Parser| !is_right(parser.screen());
        let (parser, late) =
            self.seen.changed.wait_timeout_while(parser, TIMEOUT, wait).expect("nobody panics");
        assert!(!late.timed_out(), "waited for {what}:\n{}", parser.screen().contents());
        parser.screen().contents()
    }

    /// Waits for the end of the program.
    #[track_caller]
    pub(crate) fn end(&mut self) -> ExitStatus {
        let start = Instant::now();
        while start.elapsed() < TIMEOUT {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return status;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        panic!("the program does not end");
    }

    /// Checks that the terminal is restored.
    #[track_caller]
    pub(crate) fn is_restored(&self) {
        self.wait_until("a terminal as before", |screen| {
            !screen.alternate_screen()
                && !screen.hide_cursor()
                && !screen.bracketed_paste()
                && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
        });
        let pts = self.pts.as_ref().expect("the terminal is open");
        let modes = tcgetattr(pts).expect("it is a terminal").local_modes;
        assert!(modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG));
    }

    #[track_caller]
    pub(crate) fn is_taken(&self) {
        self.wait_until("a full screen", |screen| {
            screen.alternate_screen() && screen.hide_cursor() && screen.bracketed_paste()
        });
        let pts = self.pts.as_ref().expect("the terminal is open");
        let modes = tcgetattr(pts).expect("it is a terminal").local_modes;
        assert!(!modes.contains(LocalModes::ICANON));
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, signal).expect("the program runs");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for a condition outside the screen.
#[track_caller]
pub(crate) fn eventually<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    while start.elapsed() < TIMEOUT {
        if let Some(found) = find() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("waited for {what}");
}
