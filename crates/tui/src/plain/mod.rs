//! The game line by line: it prints what happened and what can be done, and asks. Nothing moves the
//! cursor, nothing depends on color, so that screen readers, pipes and scripts can play.

mod report;

use crate::keeper::Keeper;
use crate::rulebook;
use crate::session::{Mind, Player, Session};
use crate::thinker::{self, BestLines, Order};
use crate::typed::read_move;
use azulejo_engine::{Engine, Stop};
use azulejo_rules::{Destination, Draft, Move, Step};
use azulejo_words::{self as words, Names};
use std::io::{self, BufRead, Read, Write};
use std::time::{Duration, Instant};

/// The longest line that is read; a move is far shorter.
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
  quit    stop; the game is kept, and `azulejo play --continue` goes on with it";

/// What a plain game needs from outside.
pub struct Plain<'a> {
    /// Where lines are read.
    pub input: &'a mut dyn BufRead,
    /// Where they are printed.
    pub out: &'a mut dyn Write,
    /// Keeps the game after each move.
    pub keeper: &'a mut Keeper,
    /// How long the engine may think about a move.
    pub think: Duration,
}

/// Plays a game to its end, or to the end of the input.
///
/// # Errors
/// If nothing can be printed or read any more.
pub fn play(session: &mut Session, plain: Plain<'_>) -> io::Result<()> {
    let Plain { input, out, keeper, think } = plain;
    let mut game = Game { session, out, keeper, think, engine: None };
    for line in report::opening(game.session) {
        game.say(&line)?;
    }
    game.keep()?;
    if game.session.players().iter().any(Player::is_person) {
        game.say("Type a move such as 3B2, or help.")?;
    }
    let mut asks_anew = true;
    loop {
        let Some(player) = game.session.to_move() else { return game.end() };
        let mind = player.mind;
        game.session.start_clock(Instant::now());
        if let Mind::Engine(level) = mind {
            game.engine_moves(level)?;
            asks_anew = true;
            continue;
        }
        if asks_anew {
            for line in report::turn(game.session) {
                game.say(&line)?;
            }
        }
        let name = game.session.name(game.session.position().turn());
        game.say(&format!("{name}, your move?"))?;
        game.out.flush()?;
        match read_line(input)? {
            None => {
                game.say("The input has ended.")?;
                return game.stop();
            }
            Some(line) => match game.answer(line.trim())? {
                Next::Ask => asks_anew = false,
                Next::Show => asks_anew = true,
                Next::Stop => return game.stop(),
            },
        }
    }
}

enum Next {
    /// Nothing has changed: only the question is asked again.
    Ask,
    /// The position is another one.
    Show,
    Stop,
}

struct Game<'a> {
    session: &'a mut Session,
    out: &'a mut dyn Write,
    keeper: &'a mut Keeper,
    think: Duration,
    engine: Option<Engine>,
}

impl Game<'_> {
    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    fn say_all(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.say(line))
    }

    fn keep(&mut self) -> io::Result<()> {
        match self.keeper.keep(self.session) {
            Ok(()) => Ok(()),
            Err(error) => self.say(&format!("The game cannot be kept: {error}")),
        }
    }

    /// Does what a line asks for.
    fn answer(&mut self, line: &str) -> io::Result<Next> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word.to_lowercase().as_str() {
            "" => {}
            "help" | "?" => self.say(HELP)?,
            "show" => self.say_all(&report::everything(self.session))?,
            "table" => {
                let table = crate::draw::ascii_table(self.session);
                self.say_all(&table)?;
            }
            "moves" => self.list_moves()?,
            "hint" => self.hint()?,
            "rules" => self.say_all(&rulebook::plain(self.session.position().rules()))?,
            "undo" => {
                if self.session.undo() {
                    self.say("The move is taken back.")?;
                    self.keep()?;
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
            Ok(events) => {
                self.tell(&events)?;
                Ok(Next::Show)
            }
            Err(error) => {
                self.say(&format!("{m} is illegal: {error}.{}", self.instead(m)))?;
                Ok(Next::Ask)
            }
        }
    }

    /// Where else the same tiles may go.
    fn instead(&self, m: Move) -> String {
        let Move::Draft(Draft { source, pick, .. }) = m else { return String::new() };
        let same = |other: &Move| match *other {
            Move::Draft(other) if other.source == source && other.pick == pick => Some(other.to),
            _ => None,
        };
        let mut to: Vec<Destination> =
            self.session.position().legal_moves().iter().filter_map(same).collect();
        to.dedup();
        if to.is_empty() {
            return String::new();
        }
        let to: Vec<_> = to.into_iter().map(words::destination).collect();
        format!(" These tiles may go to {}.", words::list(&to))
    }

    /// Says what happened, and keeps the game.
    fn tell(&mut self, events: &[Step]) -> io::Result<()> {
        self.keep()?;
        let rules = *self.session.position().rules();
        for event in events {
            // What is dealt is said with the question that follows.
            let line = match event {
                Step::Dealt { round, .. } => format!("Round {round} is dealt."),
                event => words::step(event, &rules, Names::Given(&|seat| self.session.name(seat))),
            };
            self.say(&line)?;
        }
        Ok(())
    }

    fn engine_moves(&mut self, level: azulejo_engine::Level) -> io::Result<()> {
        self.out.flush()?;
        let order = Order::turn(0, self.session, level, self.think, Instant::now());
        let engine = self.engine.get_or_insert_with(thinker::new_engine);
        let answer = thinker::search(engine, &order, &Stop::new(), &mut |_| {});
        let Some(m) = answer.map(|answer| answer.best) else {
            return Err(io::Error::other("the engine finds no move in a game that is not over"));
        };
        let name = self.session.name(self.session.position().turn());
        self.say(&format!("{name} plays {m}."))?;
        match self.session.play(m, Instant::now()) {
            Ok(events) => self.tell(&events),
            Err(error) => Err(io::Error::other(format!("the engine plays {m}: {error}"))),
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
        let order = Order::advice(0, &position, self.think);
        let mut lines = BestLines::default();
        let engine = self.engine.get_or_insert_with(thinker::new_engine);
        thinker::search(engine, &order, &Stop::new(), &mut |info| lines.add(info.clone()));
        let name = |seat| self.session.name(seat);
        let lines = words::hint(lines.all(), &position, Names::Given(&name));
        self.say_all(&lines)
    }

    fn save(&mut self, path: &str) -> io::Result<()> {
        if path.is_empty() {
            return self.say("Say where: save my-game.txt");
        }
        let saved = crate::session::Folder::save(path.as_ref(), self.session.record());
        match saved {
            Ok(()) => self.say(&format!("Saved in {path}.")),
            Err(error) => self.say(&format!("The game cannot be saved: {error}")),
        }
    }

    fn stop(&mut self) -> io::Result<()> {
        self.session.stop_clock(Instant::now());
        self.keep()?;
        if let Some(path) = self.keeper.path() {
            let path = path.display().to_string();
            self.say(&format!("The game is kept in {path}."))?;
            self.say("Go on with it: azulejo play --continue")?;
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
        if let Some(path) = self.keeper.path() {
            let path = path.display().to_string();
            self.say(&format!("The game is kept in {path}."))?;
        }
        self.out.flush()
    }
}

/// A line of input without its end; `None` after the last. What is no text is read as `?`.
fn read_line(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let n = (&mut *input).take(MAX_LINE).read_until(b'\n', &mut line)?;
    if n as u64 == MAX_LINE && line.last() != Some(&b'\n') {
        // The rest of a line that no move can be.
        input.skip_until(b'\n')?;
    }
    Ok((n > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}
