//! A server as a child process.

use azulejo_client::Client;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) const AZULEJO: &str = env!("CARGO_BIN_EXE_azulejo");

pub(crate) struct Process {
    pub(crate) child: Child,
    pub(crate) url: String,
    _stdout: BufReader<ChildStdout>,
}

impl Process {
    /// Starts a server on a port (0 for any) and waits until it listens.
    pub(crate) fn start(database: &str, port: u16, more: &[&str]) -> Process {
        let mut command = Command::new(AZULEJO);
        command.arg("serve").args(["--listen", &format!("127.0.0.1:{port}")]);
        command.args(["--database", database, "--limits", "no", "--grace", "2"]).args(more);
        Process::spawn(command)
    }

    /// Starts it by a line of shell, with `$azulejo` for the program.
    pub(crate) fn shell(line: &str, folder: &Path) -> Process {
        let mut command = Command::new("sh");
        command.args(["-c", line]).env("azulejo", AZULEJO).current_dir(folder);
        Process::spawn(command)
    }

    pub(crate) fn spawn(command: Command) -> Process {
        Process::spawn_with_logs(command, Stdio::null())
    }

    /// Starts it with a destination for the logs.
    pub(crate) fn spawn_with_logs(mut command: Command, logs: Stdio) -> Process {
        command.env_remove("AZULEJO_DATABASE");
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(logs)
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let url = line.split_whitespace().last().unwrap_or_else(|| panic!("it does not start"));
        Process { url: url.trim_end_matches('/').to_owned(), child, _stdout: stdout }
    }

    pub(crate) fn port(&self) -> u16 {
        self.url.rsplit(':').next().unwrap().parse().unwrap()
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(&self.url).unwrap()
    }

    /// Its resident memory; `None` where there is no /proc.
    pub(crate) fn resident_kib(&self) -> Option<u64> {
        self.memory_kib("VmRSS:")
    }

    /// The most that it has had.
    pub(crate) fn peak_kib(&self) -> Option<u64> {
        self.memory_kib("VmHWM:")
    }

    fn memory_kib(&self, key: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(key))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// The processor time that it has used; `None` where there is no /proc.
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // User and system time in hundredths of a second, after the name in parentheses.
        let (_, rest) = stat.rsplit_once(") ")?;
        let ticks = rest.split(' ').skip(11).take(2).map(str::parse::<u64>);
        Some(Duration::from_millis(10 * ticks.sum::<Result<u64, _>>().ok()?))
    }

    /// Kills it with SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Stops it with SIGTERM and returns its exit code.
    pub(crate) fn stop(mut self) -> Option<i32> {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(start.elapsed() < Duration::from_secs(20), "it does not stop");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
