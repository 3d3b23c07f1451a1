//! Runs the script of a scene.

use azulejo_engine::{Answer, Forecast, Info};
use azulejo_notation::Record;
use azulejo_rules::Move;
use azulejo_tui::app::{App, Effect, Input, Opening, Settings, Speed};
use azulejo_tui::engine_thread::Report;
use azulejo_tui::look::{Depth, Look};
use azulejo_tui::session::{Choices, Player, SavedGame, Session, TimeControl, read_record};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

pub(crate) struct Script {
    size: (u16, u16),
    look: Look,
    speed: Speed,
    clock: Option<TimeControl>,
    shows_styles: bool,
    now: Instant,
    app: Option<App>,
    /// The last search request.
    request: u64,
    found: Vec<Move>,
}

impl Default for Script {
    fn default() -> Script {
        Script {
            size: (80, 24),
            look: Look { depth: Depth::True, ascii: false },
            speed: Speed::INSTANT,
            clock: None,
            shows_styles: false,
            now: Instant::now(),
            app: None,
            request: 0,
            found: Vec::new(),
        }
    }
}

impl Script {
    pub(crate) fn run(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        match word {
            "#" | "" => {}
            "size" => self.size = pair(&words),
            "look" => {
                let depth = Depth::from_name(words[0]).unwrap();
                self.look = Look { depth, ascii: words.get(1) == Some(&"ascii") };
            }
            "speed" => self.speed = Speed::new(rest.parse().unwrap()).unwrap(),
            "clock" => self.clock = Some(rest.parse().unwrap()),
            "styles" => self.shows_styles = true,
            "start" => self.open(Opening::Start, players(words[0])),
            "game" => {
                let choices = self.choices(words[0], players(words[2]));
                let session = Session::start(&choices, &words[1].parse().unwrap());
                self.open(Opening::Game(Box::new(session), None), players(words[2]));
            }
            "position" => {
                let mut record = Record::from_position(words[0].parse().unwrap());
                for (seat, player) in azulejo_rules::Seat::ALL.into_iter().zip(players(words[1])) {
                    record.set_name(seat, &player.name).unwrap();
                    record.set_tag(&format!("Player{seat}"), &player.kind.to_string()).unwrap();
                }
                let session = Session::resume(record, &"5".parse().unwrap());
                self.open(Opening::Game(Box::new(session), None), players(words[1]));
            }
            "replay" => {
                let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
                let record = read_record(&testdata.join(words[0])).unwrap();
                self.open(Opening::Replay(Box::new(record)), players("Ana,Rui"));
            }
            "games" => {
                let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/records");
                let game = |name: &&str| SavedGame {
                    path: format!("games/{name}.txt").into(),
                    record: read_record(&testdata.join(format!("{name}.txt"))).unwrap(),
                    modified: SystemTime::UNIX_EPOCH,
                };
                self.happen(Input::Games(words.iter().map(game).collect()));
            }
            "keys" => words.iter().for_each(|name| self.happen(Input::Key(key(name)))),
            "click" => self.mouse(MouseEventKind::Down(MouseButton::Left), pair(&words)),
            "hover" => self.mouse(MouseEventKind::Moved, pair(&words)),
            "wait" => self.wait(Duration::from_millis(rest.parse().unwrap())),
            "resize" => {
                self.size = pair(&words);
                self.happen(Input::Resize(self.size.0, self.size.1));
            }
            "found" => self.find(words.iter().map(|m| m.parse().unwrap()).collect()),
            "done" => self.done(),
            _ => panic!("no such direction: {line}"),
        }
    }

    fn choices(&self, rules: &str, players: Vec<Player>) -> Choices {
        let mut choices = Choices::new(rules.parse().unwrap(), players).unwrap();
        choices.time = self.clock;
        choices
    }

    fn open(&mut self, opening: Opening, players: Vec<Player>) {
        let settings = Settings {
            look: self.look,
            speed: self.speed,
            think: Duration::from_secs(1),
            random_state: 5,
            choices: self.choices("2c", players),
        };
        let (app, effects) = App::new(settings, opening, self.size, self.now);
        self.app = Some(app);
        self.take(effects);
    }

    fn app(&mut self) -> &mut App {
        self.app.as_mut().expect("a scene begins with game, position, replay or start")
    }

    fn happen(&mut self, input: Input) {
        let now = self.now;
        let effects = self.app().update(input, now);
        self.take(effects);
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::Search(request) = effect {
                self.request = request.id;
            }
        }
    }

    fn mouse(&mut self, kind: MouseEventKind, (column, row): (u16, u16)) {
        let modifiers = KeyModifiers::NONE;
        self.happen(Input::Mouse(MouseEvent { kind, column, row, modifiers }));
    }

    /// Lets time pass, with a tick whenever the app wants one.
    fn wait(&mut self, time: Duration) {
        let end = self.now + time;
        while let Some(wake) = self.app.as_ref().and_then(|app| app.wake(self.now)) {
            if wake > end {
                break;
            }
            self.now = wake.max(self.now);
            self.happen(Input::Tick);
        }
        self.now = end;
    }

    fn info(&self) -> Info {
        let n =
            self.app.as_ref().and_then(App::session).map_or(2, |session| session.players().len());
        Info {
            depth: 9,
            nodes: 123_456,
            time: Duration::from_millis(1500),
            hash_full: 0,
            multi_pv: 1,
            forecast: Forecast {
                difference: [3.25, -3.25, -6.0, -9.0].into_iter().take(n).collect(),
                win: [0.64, 0.36, 0.1, 0.1].into_iter().take(n).collect(),
            },
            exact: false,
            proved: false,
            pv: self.found.clone(),
        }
    }

    fn find(&mut self, pv: Vec<Move>) {
        self.found = pv;
        let (id, info) = (self.request, self.info());
        self.happen(Input::Engine(Report::Found { id, info }));
    }

    fn done(&mut self) {
        let answer = self.found.first().map(|&best| Answer { best, info: self.info() });
        let id = self.request;
        self.happen(Input::Engine(Report::Done { id, answer }));
    }

    /// The screen as text.
    pub(crate) fn seen(&mut self) -> Vec<String> {
        let (width, height) = self.size;
        let mut buf = Buffer::empty(Rect { x: 0, y: 0, width, height });
        let now = self.now;
        self.app().draw(&mut buf, now);
        let mut lines = azulejo_tui::rows(&buf);
        if self.shows_styles {
            lines.extend(styles(&buf));
        }
        lines
    }
}

/// A map of the styles, with a legend of the letters.
fn styles(buf: &Buffer) -> Vec<String> {
    let mut known: Vec<Style> = Vec::new();
    let mut lines = vec![String::new()];
    for y in 0..buf.area.height {
        let mut line = String::new();
        for x in 0..buf.area.width {
            let style = buf[(x, y)].style();
            let i = known.iter().position(|known| *known == style).unwrap_or_else(|| {
                known.push(style);
                known.len() - 1
            });
            line.push(letter(i));
        }
        lines.push(line);
    }
    lines.push(String::new());
    for (i, style) in known.iter().enumerate() {
        let color = |color: Option<ratatui::style::Color>| {
            color.map_or("-".to_owned(), |color| color.to_string())
        };
        let modifiers = format!("{:?}", style.add_modifier).replace("NONE", "");
        let line = format!("{} {} on {} {modifiers}", letter(i), color(style.fg), color(style.bg));
        lines.push(line.trim_end().to_owned());
    }
    lines
}

fn letter(i: usize) -> char {
    let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    letters.into_iter().nth(i).unwrap_or('?')
}

fn pair(words: &[&str]) -> (u16, u16) {
    (words[0].parse().unwrap(), words[1].parse().unwrap())
}

fn players(seats: &str) -> Vec<Player> {
    seats.split(',').map(|seat| seat.parse().unwrap()).collect()
}

fn key(name: &str) -> KeyEvent {
    let code = match name {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Space" => KeyCode::Char(' '),
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "F1" => KeyCode::F(1),
        "Backspace" => KeyCode::Backspace,
        _ => KeyCode::Char(name.chars().next().unwrap()),
    };
    KeyEvent::new(code, KeyModifiers::NONE)
}
