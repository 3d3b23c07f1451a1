//! The client side of the engine protocol: handshake, new game, search.

use crate::fault::Fault;
use crate::process::{Line, NoLine, Process};
use crate::spec::Engine;
use azulejo_notation::protocol::{FromEngine, Go, Info, OptionSpec, ToEngine};
use azulejo_rules::{Move, Position};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long an engine that has lost on time may take to answer `stop`. This only tells a slow engine
/// from one that hangs.
const STOP_TIMEOUT: Duration = Duration::from_millis(500);

/// A running engine after the handshake.
pub(crate) struct Client {
    process: Process,
    options: Vec<OptionSpec>,
    /// Its `id name`.
    name: Option<String>,
}

/// Why an engine cannot continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The engine made a fault.
    Fault(Fault),
    /// The match was stopped.
    Stopped,
}

/// A move of an engine.
pub(crate) struct Reply {
    pub(crate) m: Move,
    pub(crate) time: Duration,
    /// The last info about its best line.
    pub(crate) info: Info,
}

/// What limits every engine of a match.
#[derive(Clone, Copy)]
pub(crate) struct EngineLimits<'a> {
    /// The timeout of the handshake and of moves without a time limit.
    pub(crate) timeout: Duration,
    /// Set to end the match.
    pub(crate) stop: &'a AtomicBool,
}

impl Client {
    /// Starts an engine and sets its options.
    pub(crate) fn start(engine: &Engine, limits: EngineLimits<'_>) -> Result<Client, Halt> {
        let start_fault = |why: String| Halt::Fault(Fault::Start(why));
        let Some((program, args)) = engine.command.split_first() else {
            return Err(start_fault("the command is empty".to_owned()));
        };
        let mut command = Command::new(program);
        command.args(args);
        if let Some(folder) = &engine.folder {
            command.current_dir(folder);
        }
        let process = Process::start(&mut command)
            .map_err(|error| start_fault(format!("cannot run `{program}`: {error}")))?;
        let mut client = Client { process, options: Vec::new(), name: None };
        client.handshake(engine, limits).map_err(|halt| match halt {
            Halt::Fault(fault) => Halt::Fault(Fault::Start(fault.to_string())),
            Halt::Stopped => Halt::Stopped,
        })?;
        Ok(client)
    }

    fn handshake(&mut self, engine: &Engine, limits: EngineLimits<'_>) -> Result<(), Halt> {
        self.send(&[ToEngine::Azi])?;
        let (mut options, mut id_name) = (Vec::new(), None);
        self.wait_for("aziok", limits, |message| match message {
            FromEngine::AziOk => true,
            FromEngine::IdName(name) => {
                id_name = Some(name);
                false
            }
            FromEngine::Option(option) => {
                options.push(option);
                false
            }
            _ => false,
        })?;
        (self.options, self.name) = (options, id_name);
        let set = |(name, value): &(String, String)| ToEngine::SetOption {
            name: name.clone(),
            value: value.clone(),
        };
        let messages: Vec<_> = engine.options.iter().map(set).collect();
        self.send(&messages)?;
        self.get_ready(limits)
    }

    /// The options that the engine declares.
    pub(crate) fn options(&self) -> &[OptionSpec] {
        &self.options
    }

    /// The name that it has sent, plain and at most 40 characters long.
    pub(crate) fn name(&self) -> Option<String> {
        let plain = self.name.as_ref()?.replace(char::is_control, " ");
        let short: String = plain.trim().chars().take(40).collect();
        (!short.is_empty()).then_some(short)
    }

    /// Announces a new game and waits until the engine is ready.
    pub(crate) fn new_game(&mut self, limits: EngineLimits<'_>) -> Result<(), Halt> {
        self.send(&[ToEngine::NewGame])?;
        self.get_ready(limits)
    }

    fn get_ready(&mut self, limits: EngineLimits<'_>) -> Result<(), Halt> {
        self.send(&[ToEngine::IsReady])?;
        self.wait_for("readyok", limits, |message| message == FromEngine::ReadyOk)
    }

    /// Asks for a move. `limit` is its time limit with the margin, if it has one.
    pub(crate) fn search(
        &mut self,
        position: &Position,
        go: Go,
        limit: Option<Duration>,
        limits: EngineLimits<'_>,
    ) -> Result<Reply, Halt> {
        self.process.drop_waiting_lines();
        let allowed = limit.unwrap_or(limits.timeout);
        let start = Box::new(*position);
        let start_time = Instant::now();
        self.send(&[ToEngine::Position { start, moves: Vec::new() }, ToEngine::Go(go)])?;
        match self.best_move(start_time, start_time + allowed, limits) {
            Err(Wait::Late) => {
                self.send(&[ToEngine::Stop])?;
                match self.best_move(start_time, Instant::now() + STOP_TIMEOUT, limits) {
                    Ok(reply) => Err(Fault::Time { used: reply.time, allowed }.into()),
                    Err(Wait::Late) => Err(Fault::NoAnswer { waited: start_time.elapsed() }.into()),
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

    /// Waits for `bestmove` and keeps the last info about the best line.
    fn best_move(
        &mut self,
        start_time: Instant,
        until: Instant,
        limits: EngineLimits<'_>,
    ) -> Result<Reply, Wait> {
        let mut info = Info::default();
        loop {
            let Line { bytes, at } = self.line(until, limits)?;
            match FromEngine::parse(&bytes) {
                Ok(Some(FromEngine::BestMove(Some(m)))) => {
                    return Ok(Reply { m, time: at.saturating_duration_since(start_time), info });
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
                // Unknown and malformed lines are ignored.
                _ => {}
            }
            // A constant stream of output must not hide that the time is up.
            if at > until {
                return Err(Wait::Late);
            }
        }
    }

    /// Waits for a message that `is_it` accepts.
    fn wait_for(
        &mut self,
        word: &'static str,
        limits: EngineLimits<'_>,
        mut is_it: impl FnMut(FromEngine) -> bool,
    ) -> Result<(), Halt> {
        let start_time = Instant::now();
        let until = start_time + limits.timeout;
        loop {
            match self.line(until, limits) {
                Ok(line) if line.at <= until => match FromEngine::parse(&line.bytes) {
                    Ok(Some(message)) if is_it(message.clone()) => return Ok(()),
                    _ => {}
                },
                Ok(_) | Err(Wait::Late) => {
                    return Err(Fault::NotReady { word, waited: start_time.elapsed() }.into());
                }
                Err(Wait::Halt(halt)) => return Err(halt),
            }
        }
    }

    fn line(&mut self, until: Instant, limits: EngineLimits<'_>) -> Result<Line, Wait> {
        self.process.line(until, limits.stop).map_err(|why| match why {
            NoLine::Late => Wait::Late,
            NoLine::Stopped => Wait::Halt(Halt::Stopped),
            NoLine::Closed => Fault::Crash(self.process.exit_message()).into(),
        })
    }

    fn send(&mut self, messages: &[ToEngine]) -> Result<(), Halt> {
        let text: String = messages.iter().map(|message| format!("{message}\n")).collect();
        let sent = self.process.send(&text);
        sent.map_err(|_| Fault::Crash(self.process.exit_message()).into())
    }
}

/// Why there is no line.
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
