//! Plain mode: the game line by line, for screen readers, pipes and scripts. It prints what happened,
//! asks for a move and reads a line. Nothing moves the cursor or depends on color.

mod report;

use crate::autosave::Autosave;
use crate::draw::ascii_table;
use crate::engine_thread::{self, BestLines, SearchRequest};
use crate::rulebook;
use crate::session::{Folder, Player, PlayerKind, Session};
use crate::typed::read_move;
use azulejo_engine::{Engine, Stop};
use azulejo_rules::{Draft, Move, Step};
use azulejo_words::{self as words, Names};
use std::io::{self, BufRead, Read, Write};
use std::time::{Duration, Instant};

/// The longest line that is read, in bytes.
const MAX_LINE: u64 = 1000;

const HELP: &str = "\
Type a move: source, color, line. 3B2 takes the blue tiles of factory 3 to line 2.
0 is the center and F the floor: 0KF. With jokers: 3J2 takes the jokers alone, 3JB2 jokers and blue.
A wall space is chosen by row and column: r2c3.
Other words:
  show    everything on the table, in words
  table   the same as a table
  moves   all legal moves
  hint    the best move the engine finds, and why
  undo    take the last move back
  save FILE   write the record of the game into a file
  rules   how the game is played
  quit    stop; the game is saved, and `azulejo play --continue` continues it";

/// Input, output and settings of plain mode.
pub struct Plain<'a> {
    /// The lines typed.
    pub input: &'a mut dyn BufRead,
    /// The lines printed.
    pub out: &'a mut dyn Write,
    /// Saves the game after each move.
    pub autosave: &'a mut Autosave,
    /// The engine's time for a move.
    pub think: Duration,
}

/// Plays a game to its end, or to the end of the input.
///
/// # Errors
/// If input or output fails.
pub fn play(session: &mut Session, plain: Plain<'_>) -> io::Result<()> {
    let Plain { input, out, autosave, think } = plain;
    let mut dialog = Dialog { session, out, autosave, think, engine: None };
    dialog.say_all(&report::opening(dialog.session))?;
    dialog.save_game()?;
    if dialog.session.players().iter().any(Player::is_person) {
        dialog.say("Type a move such as 3B2, or help.")?;
    }
    let mut asks_anew = true;
    loop {
        let Some(player) = dialog.session.to_move() else { return dialog.end() };
        let kind = player.kind;
        dialog.session.start_clock(Instant::now());
        if let PlayerKind::Engine(level) = kind {
            dialog.engine_moves(level)?;
            asks_anew = true;
            continue;
        }
        if asks_anew {
            dialog.say_all(&report::turn(dialog.session))?;
        }
        let name = dialog.session.name(dialog.session.position().turn());
        dialog.say(&format!("{name}, your move?"))?;
        dialog.out.flush()?;
        match read_line(input)? {
            None => {
                dialog.say("The input has ended.")?;
                return dialog.stop();
            }
            Some(line) => match dialog.answer(line.trim())? {
                Next::Ask => asks_anew = false,
                Next::Show => asks_anew = true,
                Next::Stop => return dialog.stop(),
            },
        }
    }
}

enum Next {
    /// Nothing has changed: ask again.
    Ask,
    /// The position has changed: show it and ask.
    Show,
    Stop,
}

struct Dialog<'a> {
    session: &'a mut Session,
    out: &'a mut dyn Write,
    autosave: &'a mut Autosave,
    think: Duration,
    engine: Option<Engine>,
}

impl Dialog<'_> {
    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    fn say_all(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.say(line))
    }

    fn save_game(&mut self) -> io::Result<()> {
        match self.autosave.save(self.session) {
            Ok(()) => Ok(()),
            Err(error) => self.say(&format!("The game cannot be saved: {error}")),
        }
    }

    /// Carries out a typed line.
    fn answer(&mut self, line: &str) -> io::Result<Next> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word.to_lowercase().as_str() {
            "" => {}
            "help" | "?" => self.say(HELP)?,
            "show" => self.say_all(&report::everything(self.session))?,
            "table" => self.say_all(&ascii_table(self.session))?,
            "moves" => self.list_moves()?,
            "hint" => self.hint()?,
            "rules" => self.say_all(&rulebook::plain(self.session.position().rules()))?,
            "undo" => {
                if self.session.undo() {
                    self.say("The move is taken back.")?;
                    self.save_game()?;
                    return Ok(Next::Show);
                }
                self.say("There is nothing to take back.")?;
            }
            "save" => self.save(rest.trim())?,
            "quit" | "exit" => return Ok(Next::Stop),
            _ => return self.play_typed(line),
        }
        Ok(Next::Ask)
    }

    fn play_typed(&mut self, line: &str) -> io::Result<Next> {
        let m = match read_move(line) {
            Ok(m) => m,
            Err(error) => {
                let shown = words::clip(&line.replace(char::is_control, "?"), 40);
                self.say(&format!("`{shown}` is {error}. Try help or moves."))?;
                return Ok(Next::Ask);
            }
        };
        match self.session.play(m, Instant::now()) {
            Ok(steps) => {
                self.report(&steps)?;
                Ok(Next::Show)
            }
            Err(error) => {
                self.say(&format!("{m} is illegal: {error}.{}", self.instead(m)))?;
                Ok(Next::Ask)
            }
        }
    }

    /// Where the same tiles may go instead.
    fn instead(&self, m: Move) -> String {
        let Move::Draft(Draft { source, pick, .. }) = m else { return String::new() };
        let same = |other: &Move| match *other {
            Move::Draft(other) if other.source == source && other.pick == pick => Some(other.to),
            _ => None,
        };
        let moves = self.session.position().legal_moves();
        let mut to: Vec<_> = moves.iter().filter_map(same).map(words::destination).collect();
        to.dedup();
        if to.is_empty() {
            return String::new();
        }
        format!(" These tiles may go to {}.", words::list(&to))
    }

    /// Saves the game and prints the steps of a move.
    fn report(&mut self, steps: &[Step]) -> io::Result<()> {
        self.save_game()?;
        let rules = *self.session.position().rules();
        for step in steps {
            // The tiles of a deal are part of the question that follows.
            let line = match step {
                Step::Dealt { round, .. } => format!("Round {round} is dealt."),
                step => words::step(step, &rules, Names::Given(&|seat| self.session.name(seat))),
            };
            self.say(&line)?;
        }
        Ok(())
    }

    fn engine_moves(&mut self, level: azulejo_engine::Level) -> io::Result<()> {
        self.out.flush()?;
        let request = SearchRequest::turn(self.session, level, self.think, Instant::now());
        let engine = self.engine.get_or_insert_with(engine_thread::new_engine);
        let answer = engine_thread::search(engine, &request, &Stop::new(), &mut |_| {});
        let Some(m) = answer.map(|answer| answer.best) else {
            return Err(io::Error::other("the engine found no move in a game that is not over"));
        };
        let name = self.session.name(self.session.position().turn());
        self.say(&format!("{name} plays {m}."))?;
        match self.session.play(m, Instant::now()) {
            Ok(steps) => self.report(&steps),
            Err(error) => Err(io::Error::other(format!("the engine played {m}: {error}"))),
        }
    }

    fn list_moves(&mut self) -> io::Result<()> {
        let moves = self.session.position().legal_moves();
        self.say(&format!("{}:", words::count(moves.len() as u64, "legal move")))?;
        for m in moves {
            let Ok(preview) = self.session.position().preview(m) else { continue };
            let (what, change) = (words::brief(&preview), words::change(preview.change()));
            self.say(&format!("  {m}: {what}; {change} for this round"))?;
        }
        Ok(())
    }

    fn hint(&mut self) -> io::Result<()> {
        let position = *self.session.position();
        let request = SearchRequest::advice(&position, self.think);
        let mut lines = BestLines::default();
        let engine = self.engine.get_or_insert_with(engine_thread::new_engine);
        engine_thread::search(engine, &request, &Stop::new(), &mut |info| lines.add(info.clone()));
        let name = |seat| self.session.name(seat);
        let lines = words::hint(lines.all(), &position, Names::Given(&name));
        self.say_all(&lines)
    }

    fn save(&mut self, path: &str) -> io::Result<()> {
        if path.is_empty() {
            return self.say("Give the name of a file: save my-game.txt");
        }
        match Folder::save_as(path.as_ref(), self.session.record()) {
            Ok(()) => self.say(&format!("Saved in {path}.")),
            Err(error) => self.say(&format!("The game cannot be saved: {error}")),
        }
    }

    fn stop(&mut self) -> io::Result<()> {
        self.session.stop_clock(Instant::now());
        self.save_game()?;
        if let Some(path) = self.autosave.path() {
            let path = path.display().to_string();
            self.say(&format!("The game is saved in {path}."))?;
            self.say("Continue it: azulejo play --continue")?;
        }
        self.out.flush()
    }

    fn end(&mut self) -> io::Result<()> {
        let position = *self.session.position();
        if let Some(outcome) = position.outcome() {
            let name = |seat| self.session.name(seat);
            let names = Names::Given(&name);
            let mut lines = vec![String::new(), format!("{}.", words::winners(&outcome, names))];
            lines.extend(words::ranking(&outcome, position.rules(), names));
            self.say_all(&lines)?;
        }
        if let Some(path) = self.autosave.path() {
            let path = path.display().to_string();
            self.say(&format!("The game is saved in {path}."))?;
        }
        self.out.flush()
    }
}

/// Reads a line; `None` at the end of the input. Bytes that are not UTF-8 are replaced.
fn read_line(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let n = (&mut *input).take(MAX_LINE).read_until(b'\n', &mut line)?;
    if n as u64 == MAX_LINE && line.last() != Some(&b'\n') {
        // Skip the rest of a line that is too long for any move.
        input.skip_until(b'\n')?;
    }
    Ok((n > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}
