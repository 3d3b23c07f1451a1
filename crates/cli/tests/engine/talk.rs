//! A conversation with the program through pipes, with a timeout on every wait.

use azulejo_notation::protocol::{FromEngine, Info};
use azulejo_rules::{Move, Position};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The limit of every wait; far more than an answer takes on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A round of two players, just dealt.
pub(crate) const DEALT: &str = "az1_2c_d1_1s1_BBYR-KKKK-BYRK-YWWW-RRKK_1_rest_._\
    0~.-..-...-....-.....~.....-.....-.....-.....-.....~._\
    0~.-..-...-....-.....~.....-.....-.....-.....-.....~.";

/// A round with one move to go, which the search solves at once.
pub(crate) const LAST_MOVE: &str = "az1_2c_d1_1s1_.-.-.-.-._W_rest_._\
    0~.-..-...-....-.....~.....-.....-.....-.....-.....~1_\
    0~.-..-...-....-.....~.....-.....-.....-.....-.....~.";

/// A game that is over.
pub(crate) const OVER: &str = "az1_2c_xrow_6s1i0_.-.-.-.-._1_B8Y9R10K10W8_B6Y5R5K3W4_\
    0~.-..-K..-WW..-.....~BYR.W-.BYRK-..BY.-....Y-...W.~._\
    2~.-K.-WW.-KKK.-.....~BYRKW-WBYR.-.....-R....-....B~.";

/// A game between two rounds.
pub(crate) const BETWEEN: &str = "az1_2c_n_1s2_.-.-.-.-._1_B20Y20R20K20W20_._\
    0~.-..-...-....-.....~.....-.....-.....-.....-.....~._\
    0~.-..-...-....-.....~.....-.....-.....-.....-.....~.";

/// A conversation.
pub(crate) struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    /// `None` marks the end of the output.
    lines: Receiver<Option<String>>,
}

/// The messages of one search.
pub(crate) struct Search {
    pub(crate) infos: Vec<Info>,
    pub(crate) remarks: Vec<String>,
    pub(crate) best: Option<Move>,
}

impl Talk {
    /// Starts `azulejo engine`.
    pub(crate) fn new() -> Talk {
        let mut command = Command::new(env!("CARGO_BIN_EXE_azulejo"));
        command.arg("engine");
        Talk::with(command)
    }

    /// Starts any program.
    pub(crate) fn with(mut command: Command) -> Talk {
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().expect("the program starts");
        let input = child.stdin.take();
        let output = child.stdout.take().expect("standard output is a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                // The receiver is gone after the end of a test.
                let _ = sender.send(Some(line.expect("the program prints UTF-8")));
            }
            let _ = sender.send(None);
        });
        Talk { child, input, lines }
    }

    /// Sends a line.
    pub(crate) fn say(&mut self, line: &str) {
        self.send(format!("{line}\n").as_bytes());
    }

    /// Sends any bytes.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the program listens");
    }

    /// The next line; `None` at the end of the output.
    pub(crate) fn hear(&self) -> Option<String> {
        self.lines.recv_timeout(TIMEOUT).expect("the program says something")
    }

    /// The next line as a message.
    pub(crate) fn message(&self) -> FromEngine {
        let line = self.hear().expect("the output has not ended");
        match FromEngine::parse(&line) {
            Ok(Some(message)) => {
                assert_eq!(message.to_string(), line, "it is printed canonically");
                message
            }
            other => panic!("{line}: {other:?}"),
        }
    }

    /// Whether no line comes for a while.
    pub(crate) fn is_silent(&self, time: Duration) -> bool {
        matches!(self.lines.recv_timeout(time), Err(RecvTimeoutError::Timeout))
    }

    /// Reads everything up to `bestmove`.
    pub(crate) fn search(&self) -> Search {
        let mut search = Search { infos: Vec::new(), remarks: Vec::new(), best: None };
        loop {
            match self.message() {
                FromEngine::Info(info) => search.infos.push(info),
                FromEngine::InfoString(remark) => search.remarks.push(remark),
                FromEngine::BestMove(best) => return Search { best, ..search },
                other => panic!("{other} during a search"),
            }
        }
    }

    /// Asks for a move in a position and checks that the answer is legal and has been announced.
    pub(crate) fn best_move(&mut self, position: &Position, go: &str) -> Search {
        self.say(&format!("position {position}"));
        self.say(go);
        let search = self.search();
        assert_eq!(search.remarks, [""; 0], "{position}: {go}");
        check_answer(position, &search);
        search
    }

    /// The messages before the answer to `isready`, without infos.
    pub(crate) fn remarks(&mut self) -> Vec<String> {
        self.say("isready");
        let mut remarks = Vec::new();
        loop {
            match self.message() {
                FromEngine::ReadyOk => return remarks,
                FromEngine::Info(_) => {}
                other => remarks.push(other.to_string()),
            }
        }
    }

    /// Closes the input.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// Waits for the end with exit code 0: the rest of the output, and standard error.
    pub(crate) fn end(mut self) -> (Vec<String>, String) {
        let mut rest = Vec::new();
        while let Some(line) = self.hear() {
            rest.push(line);
        }
        let (code, complaint) = self.exit();
        assert_eq!(code, Some(0), "{complaint}");
        (rest, complaint)
    }

    /// Waits for the end of the process.
    pub(crate) fn exit(&mut self) -> (Option<i32>, String) {
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the process is ours") {
                break status;
            }
            assert!(begin.elapsed() < TIMEOUT, "the program does not end");
            thread::sleep(Duration::from_millis(2));
        };
        let mut complaint = String::new();
        let stderr = self.child.stderr.as_mut().expect("standard error is a pipe");
        stderr.read_to_string(&mut complaint).expect("the program complains in UTF-8");
        (status.code(), complaint)
    }
}

impl Drop for Talk {
    /// A failed test leaves no process behind.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Checks that the answer is legal and that the last line about the best move is about it.
pub(crate) fn check_answer(position: &Position, search: &Search) {
    let best = search.best.unwrap_or_else(|| panic!("{position}: there is a move"));
    assert!(position.is_legal(best), "{position}: {best}");
    let last = search.infos.iter().rfind(|info| info.multi_pv == Some(1));
    let last = last.unwrap_or_else(|| panic!("{position}: nothing was said about {best}"));
    assert_eq!(last.pv.first(), Some(&best), "{position}");
    let n_seats = position.boards().len();
    let score = last.score.as_ref().unwrap_or_else(|| panic!("{position}: no score"));
    assert_eq!((score.diff().len(), score.win().len()), (n_seats, n_seats), "{position}");
    // Every line can be played.
    for info in &search.infos {
        let mut position = *position;
        for &m in &info.pv {
            position.play(m).unwrap_or_else(|reason| panic!("{info}: {m}: {reason}"));
        }
    }
}
