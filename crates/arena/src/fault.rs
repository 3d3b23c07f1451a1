//! Faults of an engine, each of which loses the game.

use azulejo_rules::{IllegalMove, Move};
use std::time::Duration;

/// Why an engine lost a game before its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// It could not be started (again).
    #[error("did not start: {0}")]
    Start(String),
    /// Its process ended, or it closed its output.
    #[error("crashed: {0}")]
    Crash(String),
    /// It did not answer the handshake or `isready`.
    #[error("no `{word}` after {:.1} s", .waited.as_secs_f64())]
    NotReady {
        /// The expected word.
        word: &'static str,
        /// The time waited.
        waited: Duration,
    },
    /// It answered too late.
    #[error("lost on time: {} ms instead of {} ms", .used.as_millis(), .allowed.as_millis())]
    Time {
        /// The time it took.
        used: Duration,
        /// The time it had, with the margin.
        allowed: Duration,
    },
    /// It did not answer `stop` either.
    #[error("no answer after {:.1} s", .waited.as_secs_f64())]
    NoAnswer {
        /// The time waited.
        waited: Duration,
    },
    /// It played an illegal move.
    #[error("illegal move {m}: {why}")]
    Illegal {
        /// The move.
        m: Move,
        /// Why it is illegal.
        why: IllegalMove,
    },
    /// Its `bestmove` cannot be parsed.
    #[error("unreadable move: {0}")]
    Unreadable(String),
    /// It answered `bestmove none` although there are legal moves.
    #[error("`bestmove none` where there are moves")]
    NoMove,
    /// A fault of an earlier run, read from a record.
    #[error("{text}")]
    Recorded {
        /// Its code.
        code: &'static str,
        /// What happened.
        text: String,
    },
}

impl Fault {
    /// The codes of all kinds of fault, for programs.
    pub const CODES: [&str; 5] = ["start", "crash", "time", "no_answer", "illegal_move"];

    /// Its code, one of [`CODES`](Fault::CODES).
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Fault::Start(_) => "start",
            Fault::Crash(_) => "crash",
            Fault::Time { .. } => "time",
            Fault::NotReady { .. } | Fault::NoAnswer { .. } => "no_answer",
            Fault::Illegal { .. } | Fault::Unreadable(_) | Fault::NoMove => "illegal_move",
            Fault::Recorded { code, .. } => code,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_a_code_and_a_message() {
        let check = |fault: Fault, code: &str, text: &str| {
            assert_eq!((fault.code(), fault.to_string().as_str()), (code, text));
            assert!(Fault::CODES.contains(&code));
        };
        let ms = Duration::from_millis;
        check(Fault::Start("no file".to_owned()), "start", "did not start: no file");
        check(Fault::Crash("it ended".to_owned()), "crash", "crashed: it ended");
        let time = Fault::Time { used: ms(400), allowed: ms(270) };
        check(time, "time", "lost on time: 400 ms instead of 270 ms");
        check(Fault::NoAnswer { waited: ms(1270) }, "no_answer", "no answer after 1.3 s");
        let not_ready = Fault::NotReady { word: "readyok", waited: ms(2000) };
        check(not_ready, "no_answer", "no `readyok` after 2.0 s");
        let illegal = Fault::Illegal { m: "1B1".parse().unwrap(), why: IllegalMove::GameOver };
        check(illegal, "illegal_move", "illegal move 1B1: the game is over");
        let unreadable = Fault::Unreadable("column 10: what?".to_owned());
        check(unreadable, "illegal_move", "unreadable move: column 10: what?");
        check(Fault::NoMove, "illegal_move", "`bestmove none` where there are moves");
    }
}
