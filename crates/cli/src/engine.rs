//! `azulejo engine`: the engine behind the protocol of `docs/protocol.md`, as an event loop.
//!
//! Three threads: one reads lines, one searches, and this one receives the events of both through
//! one queue. It alone writes, so output stays in order, and input during a search is answered at
//! once.

mod options;
mod queue;
mod search;

use crate::Answer;
use anyhow::{Context, bail};
use azulejo_engine::{Answer as Found, Engine, Stop};
use azulejo_notation::protocol::{FromEngine, Go, Info, ToEngine, play_all};
use azulejo_rules::{Move, Phase, Position};
use options::Settings;
use queue::{LoopEvent, Queue};
use std::io::Write;

/// Run the engine for a program that speaks its protocol.
///
/// Reads commands from standard input and answers on standard output, like a UCI chess engine:
/// `azi` introduces it, `position` and `go` ask for a move, `stop` ends a search, `quit` ends the
/// program. At the end of input it finishes the current search, unless that is infinite, and quits.
/// `azulejo help protocol` describes every message.
///
/// Example: echo azi | azulejo engine
#[derive(clap::Args)]
#[command(after_long_help = options::help())]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let queue = Queue::new();
    queue::read_lines(std::io::stdin(), &queue)?;
    EngineLoop::new(out, queue).run()?;
    Ok(Answer::Yes)
}

const FAILED: &str = "the search has panicked; this is a bug in azulejo";

/// The main loop: the state of the conversation with the client.
struct EngineLoop<'a, W> {
    out: &'a mut W,
    queue: Queue,
    /// The engine; `None` while the search thread has it.
    engine: Option<Box<Engine>>,
    /// The options for the next search.
    settings: Settings,
    /// Whether `newgame` came since the last search.
    is_new_game: bool,
    /// The position to search next; `None` before the first valid `position`.
    position: Option<Position>,
    /// The search of the last `go`, until it is answered.
    running: Option<Running>,
}

/// A search that has not been answered yet.
struct Running {
    stop: Stop,
    /// Whether the answer has to wait for `stop`.
    is_infinite: bool,
    /// The last `info` about the best line.
    last: Option<Info>,
    /// The best move once the search is over; the inner `None` if there is no legal move.
    best: Option<Option<Move>>,
}

/// Whether the loop continues.
enum Next {
    Continue,
    Quit,
}

impl<'a, W: Write> EngineLoop<'a, W> {
    fn new(out: &'a mut W, queue: Queue) -> EngineLoop<'a, W> {
        let settings = Settings::default();
        let engine = Some(Box::new(Engine::new(settings.options.clone())));
        let (position, running) = (None, None);
        EngineLoop { out, queue, engine, settings, is_new_game: false, position, running }
    }

    fn run(mut self) -> anyhow::Result<()> {
        loop {
            match self.queue.next() {
                LoopEvent::Line(line) => {
                    if let Next::Quit = self.handle_line(&line)? {
                        return Ok(());
                    }
                }
                LoopEvent::EndOfInput(how) => {
                    self.finish_search()?;
                    return how.context("standard input");
                }
                LoopEvent::Found(info) => self.found(info)?,
                LoopEvent::Searched { engine, answer } => self.searched(engine, answer)?,
                LoopEvent::Failed => bail!(FAILED),
            }
        }
    }

    fn handle_line(&mut self, line: &[u8]) -> anyhow::Result<Next> {
        match ToEngine::parse(line) {
            Ok(None) => {}
            Ok(Some(ToEngine::Quit)) => {
                self.stop_search()?;
                return Ok(Next::Quit);
            }
            Ok(Some(message)) => self.handle(message)?,
            Err(error) => {
                // Searching the previous position instead would answer a question not asked.
                if error.message == Some("position") {
                    self.position = None;
                }
                self.complain(&error.to_string())?;
            }
        }
        Ok(Next::Continue)
    }

    fn handle(&mut self, message: ToEngine) -> anyhow::Result<()> {
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
            ToEngine::Stop => self.stop_search(),
            // The caller handles `quit`. Messages of later versions of the protocol are ignored.
            _ => Ok(()),
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
            Phase::Deal => self.remark("the next deal is due: there is no move")?,
            Phase::Draft | Phase::Tiling(_) => {}
        }
        let engine = self.engine.take().context("the engine is gone")?;
        let stop = Stop::new();
        search::spawn(engine, position, search::limits(go), stop.clone(), &self.queue)?;
        self.running = Some(Running { stop, is_infinite: go.infinite, last: None, best: None });
        Ok(())
    }

    /// Applies the options and `newgame` received since the last search, unless one is running.
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
        // The last `info` before `bestmove` is about that move.
        let last = answer.map(|answer| search::info(&answer.info));
        let unsent =
            last.filter(|info| !running.last.as_ref().is_some_and(|last| is_same(info, last)));
        if let Some(info) = unsent {
            self.say(&FromEngine::Info(info))?;
        }
        if is_held { Ok(()) } else { self.answer() }
    }

    /// Stops the search, if there is one, and answers it. Input that arrives meanwhile is deferred,
    /// so a client may send `stop` and the next `go` together.
    fn stop_search(&mut self) -> anyhow::Result<()> {
        let Some(running) = &self.running else { return Ok(()) };
        running.stop.stop();
        if running.best.is_some() {
            return self.answer();
        }
        self.wait_for_search()
    }

    /// Lets a search reach its limits and answers it; an infinite one has none and is stopped.
    fn finish_search(&mut self) -> anyhow::Result<()> {
        match &self.running {
            Some(running) if running.is_infinite => self.stop_search(),
            _ => self.wait_for_search(),
        }
    }

    fn wait_for_search(&mut self) -> anyhow::Result<()> {
        while self.running.is_some() {
            match self.queue.next_of_search() {
                LoopEvent::Found(info) => self.found(info)?,
                LoopEvent::Searched { engine, answer } => self.searched(engine, answer)?,
                LoopEvent::Failed => bail!(FAILED),
                LoopEvent::Line(_) | LoopEvent::EndOfInput(_) => {}
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

    fn remark(&mut self, text: &str) -> anyhow::Result<()> {
        self.say(&FromEngine::InfoString(text.to_owned()))
    }

    /// Sends a message and flushes it, so that the client sees it at once.
    fn say(&mut self, message: &FromEngine) -> anyhow::Result<()> {
        writeln!(self.out, "{message}")?;
        Ok(self.out.flush()?)
    }
}

/// Whether two results differ at most in time.
fn is_same(a: &Info, b: &Info) -> bool {
    let timeless = |info: &Info| Info { time_ms: None, nps: None, ..info.clone() };
    timeless(a) == timeless(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client must not wait for an answer that cannot come.
    #[test]
    fn panicking_search_ends_the_program() {
        let mut out = Vec::new();
        let queue = Queue::new();
        for event in [LoopEvent::Line(b"isready".to_vec()), LoopEvent::Failed] {
            queue.sender().send(event).expect("the queue is ours");
        }
        let error = EngineLoop::new(&mut out, queue).run().unwrap_err();
        assert_eq!(error.to_string(), FAILED);
        assert_eq!(out, b"readyok\n");
    }
}
