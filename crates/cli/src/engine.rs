//! `azulejo engine`: the engine behind the protocol of `docs/protocol.md`.
//!
//! Three threads: one reads lines, one searches, and this one hears of everything that happens in
//! one queue and is the only one that writes. So nothing is said twice or out of order, and what
//! comes in during a search is answered at once.

mod happening;
mod options;
mod search;

use crate::Answer;
use anyhow::{Context, bail};
use azulejo_engine::{Answer as Found, Engine, Stop};
use azulejo_notation::protocol::{FromEngine, Go, Info, ToEngine, play_all};
use azulejo_rules::{Move, Phase, Position};
use happening::{Happening, Queue};
use options::Settings;
use std::io::Write;

/// Think about positions, for a screen, a server or a match.
///
/// Speaks the protocol of docs/protocol.md on standard input and output: `azi` introduces it,
/// `position` and `go` ask for a move, `stop` ends a search, `quit` or the end of input the
/// program.
///
/// Example: echo azi | azulejo engine
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let queue = Queue::new();
    happening::read_lines(std::io::stdin(), &queue)?;
    Session::new(out, queue).run()?;
    Ok(Answer::Yes)
}

const FAILED: &str = "the search has failed, which is a fault of the program";

/// A conversation with whoever is on the other side.
struct Session<'a, W> {
    out: &'a mut W,
    queue: Queue,
    /// The engine; `None` while a search has it.
    engine: Option<Box<Engine>>,
    /// How the next search is set up.
    settings: Settings,
    /// Whether the next search is of another game.
    is_new_game: bool,
    /// What the next search is about; `None` if nothing, or nothing possible, was given.
    position: Option<Position>,
    /// What the last `go` began, until it is answered.
    running: Option<Running>,
}

/// A search that has not been answered yet.
struct Running {
    stop: Stop,
    /// Whether the answer has to wait for `stop`.
    is_infinite: bool,
    /// The last thing said about the best line.
    last: Option<Info>,
    /// Its move, once it is known; the inner `None` where there is none.
    best: Option<Option<Move>>,
}

/// Whether the conversation goes on.
enum Then {
    GoOn,
    End,
}

impl<'a, W: Write> Session<'a, W> {
    fn new(out: &'a mut W, queue: Queue) -> Session<'a, W> {
        let settings = Settings::default();
        let engine = Some(Box::new(Engine::new(settings.options.clone())));
        let (position, running) = (None, None);
        Session { out, queue, engine, settings, is_new_game: false, position, running }
    }

    fn run(mut self) -> anyhow::Result<()> {
        loop {
            match self.queue.next() {
                Happening::Line(line) => {
                    if let Then::End = self.hear(&line)? {
                        return Ok(());
                    }
                }
                // Nobody is there any more, or nobody who could say more.
                Happening::EndOfInput(how) => {
                    self.finish_search()?;
                    return how.context("standard input");
                }
                Happening::Found(info) => self.found(info)?,
                Happening::Searched { engine, answer } => self.searched(engine, answer)?,
                Happening::Failed => bail!(FAILED),
            }
        }
    }

    fn hear(&mut self, line: &[u8]) -> anyhow::Result<Then> {
        match ToEngine::parse(line) {
            Ok(None) => {}
            Ok(Some(ToEngine::Quit)) => {
                self.finish_search()?;
                return Ok(Then::End);
            }
            Ok(Some(message)) => self.obey(message)?,
            Err(error) => {
                // Better no position than one that was not meant.
                if error.message == Some("position") {
                    self.position = None;
                }
                self.complain(&error.to_string())?;
            }
        }
        Ok(Then::GoOn)
    }

    fn obey(&mut self, message: ToEngine) -> anyhow::Result<()> {
        match message {
            ToEngine::Azi => self.introduce(),
            ToEngine::IsReady => {
                self.set_up();
                self.say(&FromEngine::ReadyOk)
            }
            ToEngine::NewGame => {
                self.is_new_game = true;
                Ok(())
            }
            ToEngine::SetOption { name, value } => {
                match options::set(&mut self.settings, &name, &value) {
                    Ok(()) => Ok(()),
                    Err(problem) => self.complain(&format!("`setoption`: {problem}")),
                }
            }
            ToEngine::Position { start, moves } => {
                let position = play_all(&start, &moves);
                self.position = position.ok();
                match position {
                    Ok(_) => Ok(()),
                    Err(error) => self.complain(&format!("`position`: {error}")),
                }
            }
            ToEngine::Go(go) => self.go(&go),
            ToEngine::Stop => self.finish_search(),
            ToEngine::Quit => Ok(()),
        }
    }

    fn introduce(&mut self) -> anyhow::Result<()> {
        let name = concat!("Azulejo ", env!("CARGO_PKG_VERSION"));
        self.say(&FromEngine::IdName(name.to_owned()))?;
        self.say(&FromEngine::IdAuthor("the authors of Azulejo".to_owned()))?;
        for spec in options::specs() {
            self.say(&FromEngine::Option(spec))?;
        }
        self.say(&FromEngine::AziOk)
    }

    fn go(&mut self, go: &Go) -> anyhow::Result<()> {
        if self.running.is_some() {
            return self.complain("`go`: a search is running; send `stop` before the next `go`");
        }
        self.set_up();
        let Some(position) = self.position else {
            self.complain("`go`: there is no position; send `position` first")?;
            return self.say(&FromEngine::BestMove(None));
        };
        match position.phase() {
            Phase::Over(_) => self.remark("the game is over: there is no move")?,
            Phase::Deal => self.remark("the next deal is awaited: there is no move")?,
            Phase::Draft | Phase::Tiling(_) => {}
        }
        let engine = self.engine.take().context("the engine is gone")?;
        let stop = Stop::new();
        search::spawn(engine, position, search::limits(go), stop.clone(), &self.queue)?;
        self.running = Some(Running { stop, is_infinite: go.infinite, last: None, best: None });
        Ok(())
    }

    /// Does what has been asked of the engine since the last search, if it is here.
    fn set_up(&mut self) {
        let Some(engine) = &mut self.engine else { return };
        if *engine.options() != self.settings.options {
            engine.set_options(self.settings.options.clone());
        }
        if let Some(network) = self.settings.new_network.take() {
            engine.set_network(network);
        }
        if std::mem::take(&mut self.is_new_game) {
            engine.new_game();
        }
    }

    fn found(&mut self, info: Info) -> anyhow::Result<()> {
        self.say(&FromEngine::Info(info.clone()))?;
        if let Some(running) = &mut self.running
            && info.multi_pv == Some(1)
        {
            running.last = Some(info);
        }
        Ok(())
    }

    fn searched(&mut self, engine: Box<Engine>, answer: Option<Box<Found>>) -> anyhow::Result<()> {
        self.engine = Some(engine);
        let Some(running) = &mut self.running else { return Ok(()) };
        running.best = Some(answer.as_ref().map(|answer| answer.best));
        let is_held = running.is_infinite && !running.stop.is_stopped();
        // The last line before the answer is about the answer.
        let news = answer.map(|answer| search::info(&answer.info));
        let news =
            news.filter(|info| !running.last.as_ref().is_some_and(|last| is_same(info, last)));
        if let Some(info) = news {
            self.say(&FromEngine::Info(info))?;
        }
        if is_held { Ok(()) } else { self.answer() }
    }

    /// Ends a search, if there is one, with its answer. What comes in meanwhile waits, so that
    /// the next `go` may follow a `stop` without a pause.
    fn finish_search(&mut self) -> anyhow::Result<()> {
        let Some(running) = &self.running else { return Ok(()) };
        running.stop.stop();
        if running.best.is_some() {
            return self.answer();
        }
        while self.running.is_some() {
            match self.queue.next_of_search() {
                Happening::Found(info) => self.found(info)?,
                Happening::Searched { engine, answer } => self.searched(engine, answer)?,
                Happening::Failed => bail!(FAILED),
                Happening::Line(_) | Happening::EndOfInput(_) => {}
            }
        }
        Ok(())
    }

    fn answer(&mut self) -> anyhow::Result<()> {
        let best = self.running.take().and_then(|running| running.best).flatten();
        self.say(&FromEngine::BestMove(best))
    }

    fn complain(&mut self, problem: &str) -> anyhow::Result<()> {
        self.remark(&format!("error: {problem}"))
    }

    fn remark(&mut self, words: &str) -> anyhow::Result<()> {
        self.say(&FromEngine::InfoString(words.to_owned()))
    }

    /// Whoever listens hears it now, not when a buffer is full.
    fn say(&mut self, message: &FromEngine) -> anyhow::Result<()> {
        writeln!(self.out, "{message}")?;
        Ok(self.out.flush()?)
    }
}

/// Whether two findings differ in the time alone.
fn is_same(a: &Info, b: &Info) -> bool {
    let timeless = |info: &Info| Info { time_ms: None, nps: None, ..info.clone() };
    timeless(a) == timeless(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that waits for an answer which cannot come should hear that it cannot.
    #[test]
    fn a_search_that_fails_ends_everything() {
        let mut out = Vec::new();
        let queue = Queue::new();
        for happening in [Happening::Line(b"isready".to_vec()), Happening::Failed] {
            queue.sender().send(happening).expect("the queue is ours");
        }
        let error = Session::new(&mut out, queue).run().unwrap_err();
        assert_eq!(error.to_string(), FAILED);
        assert_eq!(out, b"readyok\n");
    }
}
