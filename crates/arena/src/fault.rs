//! What an engine can do wrong. Each of these loses the game.

use azulejo_rules::{IllegalMove, Move};
use std::time::Duration;

/// Why an engine lost a game before its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It could not be started (again).
    #[error("did not start: {0}")]
    Start(String),
    /// Its process ended, or it closed its output.
    #[error("crashed: {0}")]
    Crash(String),
    /// It did not say that it is ready.
    #[error("no `{word}` after {:.1} s", .waited.as_secs_f64())]
    NotReady {
        /// What it should have said.
        word: &'static str,
        /// How long we waited.
        waited: Duration,
    },
    /// It answered too late.
    #[error("lost on time: {} ms instead of {} ms", .used.as_millis(), .allowed.as_millis())]
    Time {
        /// How long it took.
        used: Duration,
        /// How long it had, the margin included.
        allowed: Duration,
    },
    /// It did not even answer when it was told to stop.
    #[error("no answer after {:.1} s", .waited.as_secs_f64())]
    NoAnswer {
        /// How long we waited.
        waited: Duration,
    },
    /// It played a move against the rules.
    #[error("illegal move {m}: {why}")]
    Illegal {
        /// The move.
        m: Move,
        /// Why not.
        why: IllegalMove,
    },
    /// It answered with something that is no move.
    #[error("unreadable move: {0}")]
    Unreadable(String),
    /// It said that there is no move.
    #[error("`bestmove none` where there are moves")]
    NoMove,
}

impl Fault {
    /// The kinds of fault as programs know them.
    pub const CODES: [&str; 5] = ["start", "crash", "time", "no_answer", "illegal_move"];

    /// The kind, one of [`CODES`](Fault::CODES).
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Fault::Start(_) => "start",
            Fault::Crash(_) => "crash",
            Fault::Time { .. } => "time",
            Fault::NotReady { .. } | Fault::NoAnswer { .. } => "no_answer",
            Fault::Illegal { .. } | Fault::Unreadable(_) | Fault::NoMove => "illegal_move",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_a_kind_and_words() {
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
