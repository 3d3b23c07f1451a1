//! Random inputs: AZULEJO_TUI_EVENTS keys, mouse events, sizes, engine reports and ticks. Nothing panics,
//! every state can be drawn, and the game can always be saved and read back.

use azulejo_engine::{Answer, Forecast, Info};
use azulejo_notation::Record;
use azulejo_rules::{Position, Rules};
use azulejo_tui::app::{App, Effect, Input, Opening, Settings, Speed};
use azulejo_tui::engine_thread::{Report, SearchRequest};
use azulejo_tui::look::{Depth, Look};
use azulejo_tui::session::{Choices, Player, SavedGame, Session, read_record};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use fastrand::Rng;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

/// The default number of inputs, which takes a few seconds.
const N_EVENTS: u64 = 20_000;

#[test]
fn random_inputs_do_no_harm() {
    let n_events = std::env::var("AZULEJO_TUI_EVENTS").ok().and_then(|n| n.parse().ok());
    let n_events: u64 = n_events.unwrap_or(N_EVENTS);
    let (mut n_done, mut n_moves, mut seed) = (0, 0, 0);
    while n_done < n_events {
        println!("seed {seed}");
        let mut world = World::new(seed);
        for _ in 0..3000 {
            if !world.step() {
                break;
            }
            n_done += 1;
        }
        n_moves += world.n_saves;
        seed += 1;
    }
    // Random keys play moves, so that more than the first turn is tested.
    assert!(n_moves as u64 > n_events / 200, "{n_moves} moves in {n_done} events");
}

struct World {
    random: Rng,
    app: App,
    now: Instant,
    size: (u16, u16),
    /// The last search request.
    request: Option<Box<SearchRequest>>,
    n_saves: usize,
    is_over: bool,
}

impl World {
    fn new(seed: u64) -> World {
        let mut random = Rng::with_seed(seed);
        let now = Instant::now();
        let size = (random.u16(0..180), random.u16(0..60));
        let settings = Settings {
            look: Look { depth: Depth::ALL[random.usize(0..4)], ascii: random.bool() },
            speed: Speed::new(random.u8(1..=5)).unwrap(),
            think: Duration::from_secs(1),
            random_state: seed,
            choices: choices(&mut random),
        };
        let opening = match random.u8(0..4) {
            0 => Opening::Start,
            1 => Opening::Replay(Box::new(record(&mut random))),
            _ => {
                let session =
                    Session::start(&choices(&mut random), &format!("s{seed}").parse().unwrap());
                Opening::Game(Box::new(session), None)
            }
        };
        let (app, effects) = App::new(settings, opening, size, now);
        let mut world = World { random, app, now, size, request: None, n_saves: 0, is_over: false };
        world.take(effects);
        world
    }

    /// Handles one input and draws; returns false when the program would end.
    fn step(&mut self) -> bool {
        let input = self.input();
        if let Input::Resize(width, height) = input {
            self.size = (width, height);
        }
        let effects = self.app.update(input, self.now);
        self.take(effects);
        self.draw();
        !self.is_over
    }

    fn input(&mut self) -> Input {
        let random = &mut self.random;
        match random.u8(0..100) {
            0..=69 => Input::Key(key(random)),
            70..=79 => Input::Mouse(mouse(random)),
            80..=82 => {
                // Mostly windows of a usual size.
                let (w, h) = if random.u8(0..4) == 0 { (300, 100) } else { (130, 45) };
                Input::Resize(random.u16(0..w), random.u16(0..h))
            }
            83..=89 => {
                let wake = self.app.wake(self.now).unwrap_or(self.now);
                self.now = wake.max(self.now) + Duration::from_millis(random.u64(0..400));
                Input::Tick
            }
            90 => Input::Paste("3B2\u{1b}\u{0}é漢".repeat(random.usize(0..40))),
            91 => Input::Note("Something was written.\u{7}".to_owned()),
            _ => self.engine(),
        }
    }

    /// The engine reports: mostly on the last request, sometimes on an old one.
    fn engine(&mut self) -> Input {
        let Some(request) = &self.request else { return Input::Tick };
        let moves = request.position.legal_moves();
        if moves.is_empty() {
            return Input::Tick;
        }
        let best = moves[self.random.usize(0..moves.len())];
        let n = request.position.boards().len();
        let info = Info {
            depth: self.random.u32(0..99),
            nodes: self.random.u64(..),
            time: Duration::ZERO,
            hash_full: 0,
            multi_pv: self.random.usize(0..5),
            forecast: Forecast {
                difference: (0..n).map(|_| 40.0 * self.random.f32() - 20.0).collect(),
                win: (0..n).map(|_| self.random.f32()).collect(),
            },
            exact: self.random.bool(),
            proved: self.random.bool(),
            pv: if self.random.u8(0..20) == 0 { Vec::new() } else { vec![best; 9] },
        };
        let id = if self.random.u8(0..8) == 0 { request.id.wrapping_sub(1) } else { request.id };
        Input::Engine(match self.random.bool() {
            true => Report::Found { id, info },
            false => Report::Done { id, answer: Some(Answer { best, info }) },
        })
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Search(request) => self.request = Some(request),
                Effect::StopSearch | Effect::Review { .. } | Effect::StopReview => {}
                Effect::Save => {
                    self.n_saves += 1;
                    let session = self.app.session().expect("there is a game to keep");
                    let text = session.record().to_string();
                    let read = Record::parse(&text).expect("a saved game can be read");
                    assert_eq!(read.final_position(), session.position());
                }
                Effect::ListGames => {
                    let games = (0..self.random.usize(0..4)).map(|_| SavedGame {
                        path: "games/2026-11-16-025503.txt".into(),
                        record: record(&mut self.random),
                        modified: SystemTime::UNIX_EPOCH,
                    });
                    let games = games.collect();
                    let effects = self.app.update(Input::Games(games), self.now);
                    self.take(effects);
                }
                Effect::Remember(choices) => {
                    assert_eq!(Choices::from_json(&choices.to_json()), Some(*choices));
                }
                Effect::UseFile(_) | Effect::SaveAs(_) => {}
                Effect::Quit => self.is_over = true,
            }
        }
    }

    fn draw(&self) {
        let (width, height) = self.size;
        let mut buf = Buffer::empty(Rect { x: 0, y: 0, width, height });
        self.app.draw(&mut buf, self.now);
        // No control character may reach a terminal.
        for cell in &buf.content {
            assert!(!cell.symbol().chars().any(char::is_control), "{:?}", cell.symbol());
        }
    }
}

fn choices(random: &mut Rng) -> Choices {
    let n = random.usize(2..=4);
    let mut seat = || if random.bool() { "Ana" } else { "ai:3" };
    let players: Vec<Player> = (0..n).map(|_| seat().parse().unwrap()).collect();
    let rules = ["2c", "2g", "2cj", "2gj"][random.usize(0..4)];
    let mut choices = Choices::new(rules.parse().unwrap(), players).unwrap();
    if random.bool() {
        choices.time = "1+1".parse().ok();
    }
    choices
}

/// A record from the test data, or one from a position in the middle of a game.
fn record(random: &mut Rng) -> Record {
    let names = ["two-players", "endings", "grey-jokers", "from-position"];
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/records");
    if random.bool() {
        return read_record(&testdata.join(format!("{}.txt", names[random.usize(0..4)]))).unwrap();
    }
    let rules: Rules = ["2c", "3gj", "4g"][random.usize(0..3)].parse().unwrap();
    let mut position = Position::new(rules, azulejo_rules::Seat::One);
    for _ in 0..random.usize(0..60) {
        if position.phase() == azulejo_rules::Phase::Deal {
            let deal = position.draw_deal(|n| random.u32(0..n));
            position.deal(&deal).unwrap();
        }
        let _ = position.play_random(random.u64(..));
    }
    Record::from_position(position)
}

fn key(random: &mut Rng) -> KeyEvent {
    let code = match random.u8(0..20) {
        0 => KeyCode::Esc,
        1 | 2 => KeyCode::Enter,
        3 => KeyCode::Left,
        4 => KeyCode::Right,
        5 => KeyCode::Up,
        6 => KeyCode::Down,
        7 => [KeyCode::Tab, KeyCode::BackTab, KeyCode::Home, KeyCode::End][random.usize(0..4)],
        8 => [KeyCode::PageUp, KeyCode::PageDown, KeyCode::F(1), KeyCode::Backspace]
            [random.usize(0..4)],
        9 => KeyCode::Char(random.char('\u{0}'..='\u{ffff}')),
        10 => KeyCode::Char(letter(random, b"uhtsnopi?+- rlq")),
        11 => KeyCode::Char(' '),
        _ => KeyCode::Char(letter(random, b"0123456789byrkwjfBYRKWJFc")),
    };
    // Leaving is rare, so that a game goes on.
    let code =
        if code == KeyCode::Char('q') && random.u8(0..10) > 0 { KeyCode::Enter } else { code };
    let modifiers = match random.u16(0..400) {
        0 => KeyModifiers::CONTROL,
        1 => KeyModifiers::ALT,
        2 => KeyModifiers::SHIFT,
        _ => KeyModifiers::NONE,
    };
    KeyEvent::new(code, modifiers)
}

fn letter(random: &mut Rng, letters: &[u8]) -> char {
    char::from(letters[random.usize(0..letters.len())])
}

fn mouse(random: &mut Rng) -> MouseEvent {
    let kind = match random.u8(0..8) {
        0..=3 => MouseEventKind::Down(MouseButton::Left),
        4 => MouseEventKind::Down(MouseButton::Right),
        5 => MouseEventKind::ScrollDown,
        6 => MouseEventKind::ScrollUp,
        _ => MouseEventKind::Moved,
    };
    let far = random.u8(0..30) == 0;
    let (w, h) = if far { (u16::MAX, u16::MAX) } else { (130, 45) };
    let (column, row) = (random.u16(0..w), random.u16(0..h));
    MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }
}
