//! An engine's process: lines in, lines out, and an end that leaves nothing behind.
//!
//! A thread of its own reads what the engine prints and notes when each line came, so that the
//! time of a move does not depend on when we get to look. Whatever the engine does, we hold only
//! so much of its output: when nobody takes the lines, the engine has to wait.

use azulejo_notation::protocol::MAX_MESSAGE;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How many lines may wait for us.
const MAX_WAITING: usize = 256;

/// How much of the standard error is kept for messages.
const MAX_COMPLAINT: usize = 300;

/// How long a process may take to end when it is asked to, before it is killed.
const FAREWELL: Duration = Duration::from_millis(300);

/// How often a waiting thread looks whether the match was stopped.
const GLANCE: Duration = Duration::from_millis(50);

/// A running engine. Dropping it ends it, with all processes it has started.
pub(crate) struct Process {
    child: Child,
    /// `None` once it is closed.
    stdin: Option<ChildStdin>,
    lines: Receiver<Line>,
    complaint: Arc<Mutex<String>>,
    /// How it ended; `None` until we have asked and been told.
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
    /// Starts a process in a group of its own, so that an interrupt in the terminal reaches only
    /// us, and so that we can end it with everything it has started.
    pub(crate) fn start(command: &mut Command) -> io::Result<Process> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (sender, lines) = sync_channel(MAX_WAITING);
        let complaint = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&complaint);
        // From here on the process is ended if anything fails.
        let process = Process { child, stdin, lines, complaint, status: None };
        let thread = || std::thread::Builder::new().name("engine".to_owned());
        if let Some(stdout) = stdout {
            thread().spawn(move || read_lines(stdout, &sender))?;
        }
        if let Some(stderr) = stderr {
            thread().spawn(move || read_complaints(stderr, &kept))?;
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
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(NoLine::Closed),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(NoLine::Late),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Forgets the lines that have come and that nobody asked for. As many as can wait at once
    /// are enough: an engine that keeps printing must not keep us here.
    pub(crate) fn forget_lines(&self) {
        for _ in 0..=MAX_WAITING {
            if matches!(
                self.lines.try_recv(),
                Err(TryRecvError::Empty | TryRecvError::Disconnected)
            ) {
                break;
            }
        }
    }

    /// How the process ended, or that it has not, with the last thing it said on standard error.
    pub(crate) fn obituary(&mut self) -> String {
        // The output closes a moment before the process is gone.
        let status = match self.end(FAREWELL) {
            Some(status) => format!("the process ended with {status}"),
            None => "the process closed its output".to_owned(),
        };
        // The other thread may not have read the last words yet.
        std::thread::sleep(Duration::from_millis(10));
        let complaint = self.complaint.lock().map(|text| text.trim().to_owned());
        match complaint {
            Ok(text) if !text.is_empty() => format!("{status}: {text}"),
            _ => status,
        }
    }

    /// How the process ended, if it does so in time.
    fn end(&mut self, patience: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + patience;
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

    /// Ends the process, if it has not ended, and everything that it has started. Its number is
    /// that of its group and stays taken until we have asked how it ended; so the group is ended
    /// first, and can be no other.
    fn end_now(&mut self) {
        kill_group(&self.child);
        let _ = self.child.kill();
        self.status = self.child.wait().ok();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.send("quit\n");
        // The end of its input tells even an engine that knows no `quit`.
        self.stdin = None;
        if self.end(FAREWELL).is_none() {
            self.end_now();
        }
    }
}

/// Whether a process has ended. Its number stays taken.
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

/// Hands on the lines of an engine until it closes its output or nobody listens. What exceeds the
/// longest line of the protocol is dropped.
fn read_lines(output: impl Read, lines: &SyncSender<Line>) {
    let mut output = BufReader::new(output);
    loop {
        let mut bytes = Vec::new();
        // One byte more than allowed shows the reader that the line was too long.
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

/// Keeps the end of what an engine says on standard error.
fn read_complaints(output: impl Read, complaint: &Mutex<String>) {
    let mut output = BufReader::new(output);
    let mut chunk = [0; 4096];
    while let Ok(n @ 1..) = output.read(&mut chunk) {
        let Ok(mut kept) = complaint.lock() else { return };
        kept.push_str(&String::from_utf8_lossy(&chunk[..n]).replace(char::is_control, " "));
        let excess = kept.chars().count().saturating_sub(MAX_COMPLAINT);
        *kept = kept.chars().skip(excess).collect();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    fn shell(script: &str) -> Process {
        Process::start(Command::new("sh").args(["-c", script])).unwrap()
    }

    fn line(process: &Process) -> Result<String, NoLine> {
        let line = process.line(Instant::now() + PATIENCE, &AtomicBool::new(false))?;
        Ok(String::from_utf8_lossy(&line.bytes).trim().to_owned())
    }

    /// Whether a process is there and not merely waiting to be counted as gone.
    fn is_alive(pid: &str) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    }

    /// Waits until something is so, for a machine may be busy.
    fn soon(is_so: impl Fn() -> bool) -> bool {
        let until = Instant::now() + PATIENCE;
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
    fn waiting_ends_in_time_and_when_stopped() {
        let process = shell("exec sleep 1000");
        let stop = AtomicBool::new(false);
        let began = Instant::now();
        let nothing = process.line(began + Duration::from_millis(30), &stop).err();
        assert_eq!(nothing, Some(NoLine::Late));
        assert!(began.elapsed() >= Duration::from_millis(30));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(process.line(began + PATIENCE, &stop).err(), Some(NoLine::Stopped));
    }

    #[test]
    fn dropping_ends_a_process_and_all_it_has_started() {
        let process = shell("trap '' TERM HUP; sleep 1000 & echo $!; sleep 1001; sleep 1002");
        let own = process.child.id().to_string();
        let started = line(&process).unwrap();
        assert!(is_alive(&own) && is_alive(&started));
        drop(process);
        // Its own child is waited for, so that not even a trace of it is left.
        assert!(!std::path::Path::new("/proc").join(&own).exists());
        assert!(soon(|| !is_alive(&started)));
    }

    #[test]
    fn last_words_are_kept() {
        let mut process = shell("echo 'no network file' >&2; exit 7");
        assert_eq!(line(&process), Err(NoLine::Closed));
        let words = process.obituary();
        assert_eq!(words, "the process ended with exit status: 7: no network file");
        let mut process = shell("exec >&-; sleep 1000");
        assert_eq!(line(&process), Err(NoLine::Closed));
        assert_eq!(process.obituary(), "the process closed its output");
    }

    /// An engine that never stops talking waits for us, and we hold only so much.
    #[test]
    fn a_flood_is_held_back() {
        let process = shell("while :; do echo flood; done");
        assert_eq!(line(&process), Ok("flood".to_owned()));
        std::thread::sleep(Duration::from_millis(50));
        process.forget_lines();
        assert_eq!(line(&process), Ok("flood".to_owned()));
    }

    #[test]
    fn endless_lines_are_cut() {
        let process = shell("head -c 3000000 /dev/zero; echo; echo x");
        let mut lengths = Vec::new();
        while let Ok(line) = process.line(Instant::now() + PATIENCE, &AtomicBool::new(false)) {
            lengths.push(line.bytes.len());
        }
        assert!(lengths.iter().all(|&length| length <= MAX_MESSAGE + 2), "{lengths:?}");
        assert_eq!(lengths.iter().sum::<usize>(), 3_000_003);
    }
}
