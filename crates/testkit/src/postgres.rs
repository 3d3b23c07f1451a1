//! A PostgreSQL server for one run of the tests, started from the installed programs on a free port
//! and in a folder that is removed afterwards, also when the tests are killed.
//!
//! Where PostgreSQL is not installed, tests that need it do nothing, unless AZULEJO_REQUIRE_POSTGRES
//! is set, as `cargo xtask test` does: then it is an error.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// PostgreSQL refuses to run as root; this is the number of "nobody" on every system.
pub const NOBODY: u32 = 65_534;

/// Runs the server, and stops it and cleans up when the standard input is closed.
const KEEPER: &str = r#"
"$1" -D "$2" -k "$2" -p "$3" -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200 \
    >"$2/log" 2>&1 </dev/null &
server=$!
cat >/dev/null
kill -INT $server
wait $server
rm -rf "$2"
"#;

/// A running PostgreSQL server.
#[derive(Debug)]
pub struct Postgres {
    bin: PathBuf,
    folder: PathBuf,
    port: u16,
    _keeper: Child,
}

/// The server of this run; `None` if PostgreSQL is not installed.
fn shared() -> Option<&'static Postgres> {
    static SHARED: OnceLock<Option<Postgres>> = OnceLock::new();
    SHARED.get_or_init(start).as_ref()
}

/// The URL of a new, empty database; `None` if PostgreSQL is not installed.
///
/// # Panics
/// If PostgreSQL does not start, or is required and not installed.
pub fn new_database() -> Option<String> {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let postgres = shared()?;
    let name = format!("t{}", NEXT.fetch_add(1, Ordering::Relaxed));
    postgres.sql(&format!("CREATE DATABASE {name}"));
    Some(format!("postgres://postgres@127.0.0.1:{}/{name}", postgres.port))
}

/// The URL of a new database with the content of a dump; `None` if PostgreSQL is not installed.
///
/// # Panics
/// If PostgreSQL does not start, or is required and not installed, or does not take the dump.
pub fn new_database_from(dump: &Path) -> Option<String> {
    let url = new_database()?;
    let psql = shared()?.bin.join("psql");
    let loaded = Command::new(psql)
        .args([url.as_str(), "-q", "-v", "ON_ERROR_STOP=1", "-f"])
        .arg(dump)
        .stdout(Stdio::null())
        .status();
    assert!(loaded.is_ok_and(|status| status.success()), "the dump is loaded");
    Some(url)
}

/// A server for one test, which may stop it and start it again.
///
/// # Panics
/// If PostgreSQL does not start, or is required and not installed.
pub fn start() -> Option<Postgres> {
    start_prepared(|_| {})
}

/// The same with a folder that is prepared before the start: settings, certificates.
///
/// # Panics
/// If PostgreSQL does not start, or is required and not installed.
pub fn start_prepared(prepare: impl FnOnce(&Path)) -> Option<Postgres> {
    let is_required = std::env::var_os("AZULEJO_REQUIRE_POSTGRES").is_some();
    let Some(bin) = programs() else {
        assert!(!is_required, "PostgreSQL is required here and not installed");
        eprintln!("PostgreSQL is not installed: tests with it are not run");
        return None;
    };
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("azulejo-pg-{}-{n}", std::process::id()));
    fs::create_dir(&folder).expect("a folder for PostgreSQL");
    let initdb = run_as(&folder, &bin.join("initdb"))
        .args(["-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C", "-D"])
        .arg(&folder)
        .stdout(Stdio::null())
        .output()
        .expect("initdb runs");
    assert!(initdb.status.success(), "{}", String::from_utf8_lossy(&initdb.stderr));
    prepare(&folder);
    for entry in fs::read_dir(&folder).expect("our own folder").flatten() {
        own(&entry.path());
    }
    Some(Postgres::run(bin, folder))
}

/// A server on a base backup, which recovers with these lines of `postgresql.conf` to the moment that they
/// say. The folder is removed afterwards.
///
/// # Panics
/// If PostgreSQL does not start.
#[must_use]
pub fn recover(base: &Path, settings: &str) -> Postgres {
    set(base, settings);
    fs::write(base.join("recovery.signal"), "").expect("the base backup is a folder");
    own(&base.join("recovery.signal"));
    Postgres::run(programs().expect("PostgreSQL is installed"), base.to_owned())
}

/// Adds lines to the settings of a server in a folder.
///
/// # Panics
/// If the folder has no settings.
pub fn set(folder: &Path, settings: &str) {
    let path = folder.join("postgresql.conf");
    let before = fs::read_to_string(&path).expect("PostgreSQL has settings");
    fs::write(path, format!("{before}\n{settings}\n")).expect("settings can be written");
}

impl Postgres {
    fn run(bin: PathBuf, folder: PathBuf) -> Postgres {
        let port = crate::free_port();
        let keeper = keeper(&bin, &folder, port);
        let postgres = Postgres { bin, folder, port, _keeper: keeper };
        postgres.wait();
        postgres
    }

    /// One of its tools, such as `pg_basebackup`, connected to this server and run as its user.
    #[must_use]
    pub fn tool(&self, name: &str) -> Command {
        let mut command = run_as(&self.folder, &self.bin.join(name));
        command.args(["-h", "127.0.0.1", "-p", &self.port.to_string(), "-U", "postgres"]);
        command
    }

    /// The URL of its default database.
    #[must_use]
    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// The port on 127.0.0.1.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Stops the server at once and drops its connections.
    ///
    /// # Panics
    /// If it does not stop.
    pub fn stop(&self) {
        let pid = fs::read_to_string(self.folder.join("postmaster.pid")).expect("it runs");
        let pid = pid.lines().next().unwrap().trim().to_owned();
        let killed = Command::new("kill").args(["-INT", &pid]).status().unwrap();
        assert!(killed.success());
        let start = Instant::now();
        while self.folder.join("postmaster.pid").exists() {
            assert!(start.elapsed() < Duration::from_secs(20), "PostgreSQL does not stop");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Starts it again on the same port.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start_again(&self) {
        let started = run_as(&self.folder, &self.bin.join("pg_ctl"))
            .arg("-D")
            .arg(&self.folder)
            .arg("-o")
            .arg(format!(
                "-k {0} -p {1} -c listen_addresses=127.0.0.1",
                self.folder.display(),
                self.port
            ))
            .args(["-l"])
            .arg(self.folder.join("log2"))
            .args(["-w", "start"])
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(started.success());
        self.wait();
    }

    /// Runs a statement.
    ///
    /// # Panics
    /// If it fails.
    pub fn sql(&self, statement: &str) {
        assert!(self.try_sql(statement), "{statement}");
    }

    fn try_sql(&self, statement: &str) -> bool {
        let port = self.port.to_string();
        let done = Command::new(self.bin.join("psql"))
            .arg("-h")
            .arg(&self.folder)
            .args(["-p", &port, "-U", "postgres", "-q", "-c", statement])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        done.is_ok_and(|status| status.success())
    }

    fn wait(&self) {
        let start = Instant::now();
        while !self.try_sql("SELECT 1") {
            let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            assert!(start.elapsed() < Duration::from_secs(30), "PostgreSQL does not start: {log}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // After a restart the keeper no longer owns the server.
        let _ = run_as(&self.folder, &self.bin.join("pg_ctl"))
            .arg("-D")
            .arg(&self.folder)
            .args(["-m", "immediate", "stop"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
    }
}

fn keeper(bin: &Path, folder: &Path, port: u16) -> Child {
    run_as(folder, Path::new("sh"))
        .args(["-c", KEEPER, "keeper"])
        .arg(bin.join("postgres"))
        .arg(folder)
        .arg(port.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("sh runs")
}

/// A command that root runs as nobody, with the folder as its own.
fn run_as(folder: &Path, program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    own(folder);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// Whether the tests run as root.
#[must_use]
pub fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0)
}

/// Gives a file or folder to the user that PostgreSQL runs as.
pub fn own(path: &Path) {
    if is_root() {
        let _ = chown(path, Some(NOBODY), Some(NOBODY));
    }
}

/// The folder with the programs of PostgreSQL: the newest version that is installed.
fn programs() -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .chain(std::env::split_paths(&std::env::var_os("PATH")?))
        .filter(|bin| ["initdb", "postgres", "psql"].iter().all(|name| bin.join(name).exists()))
        .collect();
    found.sort();
    found.pop()
}
