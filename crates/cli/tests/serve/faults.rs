//! Faults of the storage, done to a real server on Linux: a full disk, I/O errors, a read-only file
//! system, lost permissions, a removed or replaced file. Nothing is acknowledged that another
//! connection does not see, readiness says what is wrong, the server recovers by itself, and after
//! `kill -9` the database has every acknowledged move.
//!
//! The faults that need no root are made by a small library in C that the server is started with
//! (fault_shim.c). `cargo xtask long faults` runs every number of refusals with a server of its own.

use crate::process::{AZULEJO, Process};
use crate::trial::{Fault, Trial};
use azulejo_testkit::{Scratch, postgres};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const EIO: i32 = 5;
const ENOSPC: i32 = 28;
const EROFS: i32 = 30;

/// How many requests are refused, one list for each server.
fn refusals() -> Vec<Vec<usize>> {
    let few = vec![1, 2, 3, 4, 10];
    match std::env::var("AZULEJO_REFUSALS").ok().and_then(|n| n.parse().ok()) {
        None => vec![few],
        Some(many) => {
            let mut lists: Vec<_> = few.iter().map(|&n| vec![n]).collect();
            lists.push(vec![many]);
            lists.push([&few[..], &[many]].concat());
            lists
        }
    }
}

/// Endures a fault in every number of refusals.
async fn endure<F: Fault>(name: &str, mut start: impl AsyncFnMut() -> (Trial, F)) {
    for list in refusals() {
        let (mut trial, mut fault) = start().await;
        trial.play(3).await;
        for &n_refusals in &list {
            trial.endure(&mut fault, n_refusals).await;
        }
        let n_acknowledged = trial.kill_and_compare().await;
        println!("{name}: {list:?} refusals, {n_acknowledged} acknowledged moves");
    }
}

/// A file that makes system calls of the server fail while it exists.
struct Shim {
    control: PathBuf,
    calls: &'static str,
    error: i32,
    words: &'static str,
}

impl Fault for Shim {
    fn begin(&mut self) {
        fs::write(&self.control, format!("{} {}", self.calls, self.error)).unwrap();
    }

    fn end(&mut self) {
        fs::remove_file(&self.control).unwrap();
    }

    fn words(&self) -> &'static str {
        self.words
    }
}

async fn endure_shim(calls: &'static str, error: i32, words: &'static str) {
    let shim_folder = Scratch::new();
    let library = shim_folder.file("shim.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/serve/fault_shim.c");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", &library, source, "-ldl"])
        .status();
    assert!(built.expect("a C compiler, which Rust needs, too").success());
    let mut folders = Vec::new();
    endure(&format!("{calls} {error}"), async || {
        let folder = Scratch::new();
        let database = folder.file("games.db");
        let control = folder.path().join("fault");
        let mut command = Trial::command(AZULEJO, &database);
        command.env("LD_PRELOAD", &library).env("AZULEJO_FAULT_FILE", &control);
        command.env("AZULEJO_FAULT_PREFIX", &database);
        folders.push(folder);
        (Trial::start(command, &database).await, Shim { control, calls, error, words })
    })
    .await;
}

#[tokio::test]
async fn writes_find_no_space() {
    endure_shim("write", ENOSPC, "the disk is full").await;
}

#[tokio::test]
async fn writes_fail() {
    endure_shim("write", EIO, "input/output error").await;
}

#[tokio::test]
async fn flushes_fail() {
    endure_shim("fsync", EIO, "input/output error").await;
}

/// What a file system answers after the kernel has made it read-only because of errors. A read-only
/// remount by hand is refused while a server has its files open.
#[tokio::test]
async fn the_file_system_becomes_read_only() {
    endure_shim("write open", EROFS, "the database").await;
}

/// The kernel makes a real file system read-only, as it does after an error of the disk. Nothing can be
/// written until it is mounted again, and then every acknowledged move is there.
#[tokio::test]
async fn ext4_becomes_read_only() {
    if !postgres::is_root() {
        return eprintln!("only root can mount a file system: not run");
    }
    let folder = Scratch::new();
    let (image, mount) = (folder.file("image"), folder.path().join("disk"));
    fs::create_dir(&mount).unwrap();
    fs::File::create(&image).unwrap().set_len(32 << 20).unwrap();
    let made = Command::new("mkfs.ext4").args(["-q", &image]).status();
    if !made.is_ok_and(|status| status.success()) {
        return eprintln!("mkfs.ext4 is not installed: not run");
    }
    let Some(disk) = Ext4::mount(Path::new(&image), &mount) else {
        return eprintln!("loop devices are not available: not run");
    };
    let database = mount.join("games.db").display().to_string();
    let mut trial = Trial::start(Trial::command(AZULEJO, &database), &database).await;
    trial.play(10).await;
    disk.fail();
    for _ in 0..5 {
        let refused = trial.act().await.expect_err("nothing can be written");
        assert_eq!(refused.code(), Some("unavailable"), "{refused}");
    }
    trial.wait_for_readiness(503, "the database").await;
    trial.server.child.kill().unwrap();
    trial.server.child.wait().unwrap();
    drop(disk);
    let _disk = Ext4::mount(Path::new(&image), &mount).expect("it can be mounted again");
    assert_eq!(trial.kill_and_compare().await, 10);
}

/// A file system in a file, which an error makes read-only.
struct Ext4 {
    mount: PathBuf,
    /// The name of its loop device.
    device: String,
}

impl Ext4 {
    fn mount(image: &Path, mount: &Path) -> Option<Ext4> {
        let mounted = Command::new("mount")
            .args(["-o", "loop,errors=remount-ro"])
            .args([image, mount])
            .status();
        mounted.ok().filter(std::process::ExitStatus::success)?;
        let mounts = fs::read_to_string("/proc/mounts").unwrap();
        let mut words = mounts.lines().map(|line| line.split(' '));
        let device = words.find_map(|mut words| {
            let device = words.next()?.strip_prefix("/dev/")?;
            (Path::new(words.next()?) == mount).then(|| device.to_owned())
        })?;
        Some(Ext4 { mount: mount.to_owned(), device })
    }

    /// Lets the kernel meet an error.
    fn fail(&self) {
        fs::write(format!("/sys/fs/ext4/{}/trigger_fs_error", self.device), "1").unwrap();
    }
}

impl Drop for Ext4 {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.mount).status();
    }
}

/// A file system of its own in memory, with little room.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn new(folder: &Path, megabytes: u32) -> SmallDisk {
        let options = format!("size={megabytes}m,mode=0777");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "none"])
            .arg(folder)
            .status();
        assert!(mounted.expect("mount runs").success(), "a small file system is mounted");
        SmallDisk(folder.to_owned())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// A file that takes all the room.
struct Filler {
    file: PathBuf,
    words: &'static str,
}

impl Fault for Filler {
    fn begin(&mut self) {
        let mut file = fs::File::create(&self.file).unwrap();
        for size in [1 << 16, 1 << 12] {
            while file.write_all(&vec![b'x'; size]).is_ok() {}
        }
    }

    fn end(&mut self) {
        fs::remove_file(&self.file).unwrap();
    }

    fn words(&self) -> &'static str {
        self.words
    }
}

#[tokio::test]
async fn a_small_disk_is_full() {
    if !postgres::is_root() {
        return eprintln!("only root can mount a small file system: not run");
    }
    let mut disks = Vec::new();
    endure("full disk", async || {
        let folder = Scratch::new();
        let disk = SmallDisk::new(folder.path(), 8);
        let database = folder.file("games.db");
        let filler = Filler { file: folder.path().join("filler"), words: "the disk is full" };
        disks.push((disk, folder));
        (Trial::start(Trial::command(AZULEJO, &database), &database).await, filler)
    })
    .await;
}

#[tokio::test]
async fn a_tablespace_of_postgresql_is_full() {
    if !postgres::is_root() {
        return eprintln!("only root can mount a small file system: not run");
    }
    let Some(server) = postgres::start() else { return };
    let mut disks = Vec::new();
    endure("full tablespace", async || {
        let n = disks.len();
        let folder = Scratch::new();
        // PostgreSQL, another user, has to reach the folder.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let mount = folder.path().join("small");
        fs::create_dir(&mount).unwrap();
        let disk = SmallDisk::new(&mount, 24);
        let space = mount.join("space");
        fs::create_dir(&space).unwrap();
        postgres::own(&space);
        server.sql(&format!("CREATE TABLESPACE small{n} LOCATION '{}'", space.display()));
        server.sql(&format!("CREATE DATABASE small{n} TABLESPACE small{n}"));
        let database = format!("postgres://postgres@127.0.0.1:{}/small{n}", server.port());
        let filler = Filler { file: mount.join("filler"), words: "is full" };
        disks.push((disk, folder));
        (Trial::start(Trial::command(AZULEJO, &database), &database).await, filler)
    })
    .await;
}

/// The server loses the right to write its files. Root has every right, so that the server runs as
/// another user then. Open files can still be written: nothing is lost, and readiness warns.
#[tokio::test]
async fn permissions_are_lost() {
    let folder = Scratch::new();
    let database = folder.file("games.db");
    let mut command = Trial::command(AZULEJO, &database);
    if postgres::is_root() {
        // That user may be unable to read the build folder.
        let program = folder.file("azulejo");
        fs::copy(AZULEJO, &program).unwrap();
        postgres::own(folder.path());
        command = Trial::command(&program, &database);
        command.uid(postgres::NOBODY).gid(postgres::NOBODY);
    }
    let mut trial = Trial::start(command, &database).await;
    trial.play(5).await;
    let allow = |file: u32, directory: u32| {
        for name in folder.names().iter().filter(|name| name.starts_with("games.db")) {
            let path = folder.path().join(name);
            fs::set_permissions(path, fs::Permissions::from_mode(file)).unwrap();
        }
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(directory)).unwrap();
    };
    allow(0o444, 0o555);
    trial.wait_for_readiness(503, "read-only").await;
    let _ = trial.act().await;
    allow(0o644, 0o755);
    trial.wait_for_readiness(200, "ready").await;
    trial.play(5).await;
    trial.kill_and_compare().await;
}

/// A file that is removed or replaced can still be written by those who have it open, and all of that
/// would be lost.
#[tokio::test]
async fn the_file_is_removed_or_replaced() {
    let folder = Scratch::new();
    let (database, kept, other) =
        (folder.file("games.db"), folder.file("kept.db"), folder.file("other.db"));
    // Another valid database.
    Process::start(&other, 0, &[]).stop();
    let mut trial = Trial::start(Trial::command(AZULEJO, &database), &database).await;
    trial.play(3).await;
    fs::rename(&database, &kept).unwrap();
    assert_eq!(trial.act().await.unwrap_err().code(), Some("unavailable"));
    trial.wait_for_readiness(503, "was removed").await;
    assert!(!Path::new(&database).exists(), "no empty file takes its place");
    fs::copy(&other, &database).unwrap();
    trial.wait_for_readiness(503, "another file").await;
    assert_eq!(trial.act().await.unwrap_err().code(), Some("unavailable"));
    fs::rename(&kept, &database).unwrap();
    trial.wait_for_readiness(200, "ready").await;
    trial.play(3).await;
    trial.kill_and_compare().await;
}

/// Without a request, too: the log says so within seconds.
#[tokio::test]
async fn a_removed_file_is_logged() {
    let folder = Scratch::new();
    let (database, log) = (folder.file("games.db"), folder.file("log"));
    let command = Trial::command(AZULEJO, &database);
    let server = Process::spawn_with_logs(command, fs::File::create(&log).unwrap().into());
    fs::rename(&database, folder.file("kept.db")).unwrap();
    let start = Instant::now();
    while !fs::read_to_string(&log).unwrap().contains("the database file was removed") {
        assert!(start.elapsed() < Duration::from_secs(10), "nothing is logged");
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(server);
}

#[test]
fn files_that_are_no_database_are_named_at_once() {
    let folder = Scratch::new();
    let text = folder.write("notes.txt", "a shopping list\n".repeat(200));
    let inner = folder.file("folder");
    fs::create_dir(&inner).unwrap();
    for (database, words) in
        [(&text, "the file is not a SQLite database"), (&inner, "cannot be opened")]
    {
        let start = Instant::now();
        let output = Trial::command(AZULEJO, database).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words) && said.contains(database), "{said}");
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}: {said}", start.elapsed());
    }
}
