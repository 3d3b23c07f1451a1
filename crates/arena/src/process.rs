//! An engine process: lines in, lines out, and a clean end of its whole process group.
//!
//! A thread reads the output and timestamps each line, so that the time of a move does not depend on
//! when the line is taken. At most 256 lines wait; then the engine blocks on its output
//! (backpressure).

use azulejo_notation::protocol::MAX_MESSAGE;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Lines that may wait to be taken.
const LINE_QUEUE_LEN: usize = 256;

/// Characters of standard error kept for messages.
const MAX_STDERR: usize = 300;

/// How long a process may take to end after `quit` before it is killed.
const EXIT_TIMEOUT: Duration = Duration::from_millis(300);

/// How often a waiting thread checks whether the match was stopped.
const STOP_POLL: Duration = Duration::from_millis(50);

/// A running engine. Dropping it ends its process and all processes that it has started.
pub(crate) struct Process {
    child: Child,
    /// `None` once it is closed.
    stdin: Option<ChildStdin>,
    lines: Receiver<Line>,
    /// The end of its standard error.
    stderr_tail: Arc<Mutex<String>>,
    /// How it ended; `None` while it runs.
    status: Option<ExitStatus>,
}

/// A line that an engine printed, and when.
pub(crate) struct Line {
    pub(crate) bytes: Vec<u8>,
    pub(crate) at: Instant,
}

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoLine {
    /// None came in time.
    Late,
    /// None will come: the process has ended or closed its output.
    Closed,
    /// The match was stopped.
    Stopped,
}

impl Process {
    /// Starts a process in its own group, so that an interrupt in the terminal reaches only this
    /// program, and so that the process can be ended with everything it has started.
    pub(crate) fn start(command: &mut Command) -> io::Result<Process> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (sender, lines) = sync_channel(LINE_QUEUE_LEN);
        let stderr_tail = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&stderr_tail);
        // From here on, dropping `process` ends it if anything fails.
        let process = Process { child, stdin, lines, stderr_tail, status: None };
        let thread = || std::thread::Builder::new().name("engine".to_owned());
        if let Some(stdout) = stdout {
            thread().spawn(move || read_lines(stdout, &sender))?;
        }
        if let Some(stderr) = stderr {
            thread().spawn(move || read_stderr(stderr, &kept))?;
        }
        Ok(process)
    }

    /// Sends lines.
    pub(crate) fn send(&mut self, text: &str) -> io::Result<()> {
        let stdin = self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        stdin.write_all(text.as_bytes())
    }

    /// Waits for the next line.
    pub(crate) fn line(&self, until: Instant, stop: &AtomicBool) -> Result<Line, NoLine> {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(NoLine::Stopped);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(STOP_POLL)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(NoLine::Closed),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(NoLine::Late),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Drops waiting lines, at most one queue of them: an engine that keeps printing must not keep
    /// this call from returning.
    pub(crate) fn drop_waiting_lines(&self) {
        self.lines.try_iter().take(LINE_QUEUE_LEN + 1).for_each(drop);
    }

    /// How the process ended, or that it has not, with the end of its standard error.
    pub(crate) fn exit_message(&mut self) -> String {
        // The output closes a moment before the process exits.
        let status = match self.end(EXIT_TIMEOUT) {
            Some(status) => format!("the process ended with {status}"),
            None => "the process closed its output".to_owned(),
        };
        // The other thread may not have read the end of standard error yet.
        std::thread::sleep(Duration::from_millis(10));
        let stderr_tail = self.stderr_tail.lock().map(|text| text.trim().to_owned());
        match stderr_tail {
            Ok(text) if !text.is_empty() => format!("{status}: {text}"),
            _ => status,
        }
    }

    /// How the process ended, if it does so within the timeout.
    fn end(&mut self, timeout: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + timeout;
        while self.status.is_none() {
            if has_ended(&mut self.child) {
                self.end_now();
            } else if Instant::now() < until {
                std::thread::sleep(Duration::from_millis(2));
            } else {
                break;
            }
        }
        self.status
    }

    /// Kills the process group and waits for the process. The process id is also the id of the group
    /// and stays reserved until the wait, so the group killed first cannot be another one.
    fn end_now(&mut self) {
        kill_group(&self.child);
        let _ = self.child.kill();
        self.status = self.child.wait().ok();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.send("quit\n");
        // Closing its input ends even an engine that does not know `quit`.
        self.stdin = None;
        if self.end(EXIT_TIMEOUT).is_none() {
            self.end_now();
        }
    }
}

/// Whether a process has ended. Its process id stays reserved.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let Some(pid) = pid(child) else { return false };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_)))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(Some(_)))
}

#[cfg(unix)]
fn kill_group(child: &Child) {
    use rustix::process::{Signal, kill_process_group};
    if let Some(pid) = pid(child) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}

#[cfg(unix)]
fn pid(child: &Child) -> Option<rustix::process::Pid> {
    i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw)
}

/// Sends the lines of an engine to the queue until it closes its output or the queue is gone. Lines
/// above the limit of the protocol are cut into pieces, which do not parse.
fn read_lines(output: impl Read, lines: &SyncSender<Line>) {
    let mut output = BufReader::new(output);
    loop {
        let mut bytes = Vec::new();
        // One byte more than allowed, so that the parser refuses a line that is too long.
        let most = MAX_MESSAGE as u64 + 2;
        match output.by_ref().take(most).read_until(b'\n', &mut bytes) {
            Ok(n) if n > 0 => {}
            _ => return,
        }
        if lines.send(Line { bytes, at: Instant::now() }).is_err() {
            return;
        }
    }
}

/// Keeps the end of the standard error of an engine.
fn read_stderr(output: impl Read, tail: &Mutex<String>) {
    let mut output = BufReader::new(output);
    let mut chunk = [0; 4096];
    while let Ok(n @ 1..) = output.read(&mut chunk) {
        let Ok(mut kept) = tail.lock() else { return };
        kept.push_str(&String::from_utf8_lossy(&chunk[..n]).replace(char::is_control, " "));
        let excess = kept.chars().count().saturating_sub(MAX_STDERR);
        *kept = kept.chars().skip(excess).collect();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(20);

    fn shell(script: &str) -> Process {
        Process::start(Command::new("sh").args(["-c", script])).unwrap()
    }

    fn line(process: &Process) -> Result<String, NoLine> {
        let line = process.line(Instant::now() + TIMEOUT, &AtomicBool::new(false))?;
        Ok(String::from_utf8_lossy(&line.bytes).trim().to_owned())
    }

    /// Whether a process exists and is not a zombie.
    fn is_alive(pid: &str) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    }

    /// Waits until a condition holds, because the machine may be busy.
    fn eventually(is_so: impl Fn() -> bool) -> bool {
        let until = Instant::now() + TIMEOUT;
        while !is_so() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        is_so()
    }

    #[test]
    fn lines_go_both_ways() {
        let mut process = shell("while read line; do echo \"got $line\"; done; echo end");
        process.send("a\nb\n").unwrap();
        assert_eq!(line(&process), Ok("got a".to_owned()));
        assert_eq!(line(&process), Ok("got b".to_owned()));
        process.stdin = None;
        assert_eq!(line(&process), Ok("end".to_owned()));
        assert_eq!(line(&process), Err(NoLine::Closed));
    }

    #[test]
    fn waiting_ends_at_the_deadline_and_when_stopped() {
        let process = shell("exec sleep 1000");
        let stop = AtomicBool::new(false);
        let start = Instant::now();
        let nothing = process.line(start + Duration::from_millis(30), &stop).err();
        assert_eq!(nothing, Some(NoLine::Late));
        assert!(start.elapsed() >= Duration::from_millis(30));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(process.line(start + TIMEOUT, &stop).err(), Some(NoLine::Stopped));
    }

    #[test]
    fn drop_ends_the_process_group() {
        let process = shell("trap '' TERM HUP; sleep 1000 & echo $!; sleep 1001; sleep 1002");
        let own = process.child.id().to_string();
        let started = line(&process).unwrap();
        assert!(is_alive(&own) && is_alive(&started));
        drop(process);
        // The child was waited for, so not even a zombie is left.
        assert!(!std::path::Path::new("/proc").join(&own).exists());
        assert!(eventually(|| !is_alive(&started)));
    }

    #[test]
    fn exit_message_has_status_and_stderr() {
        let mut process = shell("echo 'no network file' >&2; exit 7");
        assert_eq!(line(&process), Err(NoLine::Closed));
        let message = process.exit_message();
        assert_eq!(message, "the process ended with exit status: 7: no network file");
        let mut process = shell("exec >&-; sleep 1000");
        assert_eq!(line(&process), Err(NoLine::Closed));
        assert_eq!(process.exit_message(), "the process closed its output");
    }

    /// An engine that never stops printing blocks, and the queue stays bounded.
    #[test]
    fn flood_is_held_back() {
        let process = shell("while :; do echo flood; done");
        assert_eq!(line(&process), Ok("flood".to_owned()));
        std::thread::sleep(Duration::from_millis(50));
        process.drop_waiting_lines();
        assert_eq!(line(&process), Ok("flood".to_owned()));
    }

    #[test]
    fn long_lines_are_cut() {
        let process = shell("head -c 3000000 /dev/zero; echo; echo x");
        let mut lengths = Vec::new();
        while let Ok(line) = process.line(Instant::now() + TIMEOUT, &AtomicBool::new(false)) {
            lengths.push(line.bytes.len());
        }
        assert!(lengths.iter().all(|&length| length <= MAX_MESSAGE + 2), "{lengths:?}");
        assert_eq!(lengths.iter().sum::<usize>(), 3_000_003);
    }
}
