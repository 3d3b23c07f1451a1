//! Our side of the conversation with one engine: the introduction, a new game, a move.

use crate::fault::Fault;
use crate::process::{Line, NoLine, Process};
use crate::spec::Engine;
use azulejo_notation::protocol::{FromEngine, Go, Info, OptionSpec, ToEngine};
use azulejo_rules::{Move, Position};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long an engine that has used up its time may take to answer `stop`. It has lost the game
/// already; this only tells a slow one from one that hangs.
const GRACE: Duration = Duration::from_millis(500);

/// An engine that has introduced itself.
pub(crate) struct Client {
    process: Process,
    options: Vec<OptionSpec>,
}

/// Why a conversation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The engine is to blame.
    Fault(Fault),
    /// The match was stopped.
    Stopped,
}

/// A move of an engine.
pub(crate) struct Reply {
    pub(crate) m: Move,
    pub(crate) time: Duration,
    /// The last it said about its best line.
    pub(crate) info: Info,
}

/// What holds for all conversations of a match.
#[derive(Clone, Copy)]
pub(crate) struct Manners<'a> {
    /// How long an engine may take where it has no time limit.
    pub(crate) patience: Duration,
    /// Whether to end everything.
    pub(crate) stop: &'a AtomicBool,
}

impl Client {
    /// Starts an engine and sets its options.
    pub(crate) fn start(engine: &Engine, manners: Manners<'_>) -> Result<Client, Halt> {
        let start_fault = |why: String| Halt::Fault(Fault::Start(why));
        let Some((program, args)) = engine.command.split_first() else {
            return Err(start_fault("there is no command".to_owned()));
        };
        let mut command = Command::new(program);
        command.args(args);
        if let Some(folder) = &engine.folder {
            command.current_dir(folder);
        }
        let process = Process::start(&mut command)
            .map_err(|error| start_fault(format!("cannot run `{program}`: {error}")))?;
        let mut client = Client { process, options: Vec::new() };
        client.introduce(engine, manners).map_err(|halt| match halt {
            Halt::Fault(fault) => Halt::Fault(Fault::Start(fault.to_string())),
            Halt::Stopped => Halt::Stopped,
        })?;
        Ok(client)
    }

    fn introduce(&mut self, engine: &Engine, manners: Manners<'_>) -> Result<(), Halt> {
        self.send(&[ToEngine::Azi])?;
        let mut options = Vec::new();
        self.wait_for("aziok", manners, |message| match message {
            FromEngine::AziOk => true,
            FromEngine::Option(option) => {
                options.push(option);
                false
            }
            _ => false,
        })?;
        self.options = options;
        let set = |(name, value): &(String, String)| ToEngine::SetOption {
            name: name.clone(),
            value: value.clone(),
        };
        let messages: Vec<_> = engine.options.iter().map(set).collect();
        self.send(&messages)?;
        self.get_ready(manners)
    }

    /// The options that the engine offers.
    pub(crate) fn options(&self) -> &[OptionSpec] {
        &self.options
    }

    /// Tells the engine that another game begins, and waits until it is ready.
    pub(crate) fn new_game(&mut self, manners: Manners<'_>) -> Result<(), Halt> {
        self.send(&[ToEngine::NewGame])?;
        self.get_ready(manners)
    }

    fn get_ready(&mut self, manners: Manners<'_>) -> Result<(), Halt> {
        self.send(&[ToEngine::IsReady])?;
        self.wait_for("readyok", manners, |message| message == FromEngine::ReadyOk)
    }

    /// Asks for a move. `limit` is the time that it may take, if it is limited.
    pub(crate) fn search(
        &mut self,
        position: &Position,
        go: Go,
        limit: Option<Duration>,
        manners: Manners<'_>,
    ) -> Result<Reply, Halt> {
        self.process.forget_lines();
        let allowed = limit.unwrap_or(manners.patience);
        let start = Box::new(*position);
        let began = Instant::now();
        self.send(&[ToEngine::Position { start, moves: Vec::new() }, ToEngine::Go(go)])?;
        match self.best_move(began, began + allowed, manners) {
            Err(Wait::Late) => {
                self.send(&[ToEngine::Stop])?;
                match self.best_move(began, Instant::now() + GRACE, manners) {
                    Ok(reply) => Err(Fault::Time { used: reply.time, allowed }.into()),
                    Err(Wait::Late) => Err(Fault::NoAnswer { waited: began.elapsed() }.into()),
                    Err(Wait::Halt(halt)) => Err(halt),
                }
            }
            Ok(reply) if reply.time > allowed => {
                Err(Fault::Time { used: reply.time, allowed }.into())
            }
            Ok(reply) => Ok(reply),
            Err(Wait::Halt(halt)) => Err(halt),
        }
    }

    /// Waits for `bestmove` and keeps what is said about the best line on the way.
    fn best_move(
        &mut self,
        began: Instant,
        until: Instant,
        manners: Manners<'_>,
    ) -> Result<Reply, Wait> {
        let mut info = Info::default();
        loop {
            let Line { bytes, at } = self.line(until, manners)?;
            match FromEngine::parse(&bytes) {
                Ok(Some(FromEngine::BestMove(Some(m)))) => {
                    return Ok(Reply { m, time: at.saturating_duration_since(began), info });
                }
                Ok(Some(FromEngine::BestMove(None))) => {
                    return Err(Fault::NoMove.into());
                }
                Ok(Some(FromEngine::Info(found))) if found.multi_pv.unwrap_or(1) == 1 => {
                    info = found;
                }
                Err(error) if bytes.trim_ascii_start().starts_with(b"bestmove") => {
                    return Err(Fault::Unreadable(error.to_string()).into());
                }
                // Unknown and malformed lines are none of our business.
                _ => {}
            }
            // An engine that never stops talking leaves no time to notice that its time is over.
            if at > until {
                return Err(Wait::Late);
            }
        }
    }

    /// Waits for one message; `is_it` sees all others on the way.
    fn wait_for(
        &mut self,
        word: &'static str,
        manners: Manners<'_>,
        mut is_it: impl FnMut(FromEngine) -> bool,
    ) -> Result<(), Halt> {
        let began = Instant::now();
        let until = began + manners.patience;
        loop {
            match self.line(until, manners) {
                Ok(line) if line.at <= until => match FromEngine::parse(&line.bytes) {
                    Ok(Some(message)) if is_it(message.clone()) => return Ok(()),
                    _ => {}
                },
                Ok(_) | Err(Wait::Late) => {
                    return Err(Fault::NotReady { word, waited: began.elapsed() }.into());
                }
                Err(Wait::Halt(halt)) => return Err(halt),
            }
        }
    }

    fn line(&mut self, until: Instant, manners: Manners<'_>) -> Result<Line, Wait> {
        self.process.line(until, manners.stop).map_err(|why| match why {
            NoLine::Late => Wait::Late,
            NoLine::Stopped => Wait::Halt(Halt::Stopped),
            NoLine::Closed => Fault::Crash(self.process.obituary()).into(),
        })
    }

    fn send(&mut self, messages: &[ToEngine]) -> Result<(), Halt> {
        let text: String = messages.iter().map(|message| format!("{message}\n")).collect();
        let sent = self.process.send(&text);
        sent.map_err(|_| Fault::Crash(self.process.obituary()).into())
    }
}

/// Why there is no answer.
enum Wait {
    Late,
    Halt(Halt),
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Halt {
        Halt::Fault(fault)
    }
}

impl From<Fault> for Wait {
    fn from(fault: Fault) -> Wait {
        Wait::Halt(Halt::Fault(fault))
    }
}
