//! The whole training pipeline: a small run that is killed and resumed several times ends with the
//! same files as an undisturbed one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn train(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_azulejo-train"));
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Two small generations.
fn run(dir: &Path) -> Command {
    let mut command = train(&["run", "--generations", "2", "--games", "24", "--nodes", "40"]);
    command.args(["--shard-games", "4", "--epochs", "3", "--batch", "64", "--gate-games", "20"]);
    command.arg("--dir").arg(dir);
    command
}

fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

fn succeed(mut command: Command) -> Output {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    output
}

/// Kills the run as soon as a file exists; the run may have ended before.
fn kill_when_there(mut child: Child, file: &Path) {
    let start = Instant::now();
    while !file.exists() && child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(120), "{} was not written", file.display());
        sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn killed_and_resumed_run_gives_the_same_files() {
    let (whole, killed) = (scratch("whole"), scratch("killed"));
    succeed(run(&whole));
    for file in ["gen-000/games/shard-00002.azg", "gen-000/net.bin", "gen-001/losses.csv"] {
        kill_when_there(run(&killed).spawn().unwrap(), &killed.join(file));
    }
    succeed(run(&killed));
    for file in ["gen-000/net.bin", "gen-001/net.bin", "state.json", "matches.csv"] {
        assert_eq!(
            fs::read(whole.join(file)).unwrap(),
            fs::read(killed.join(file)).unwrap(),
            "{file}"
        );
    }
    let losses = fs::read_to_string(killed.join("losses.csv")).unwrap();
    assert_eq!(losses.lines().count(), 1 + 2 * 3, "{losses}");

    // A finished run does nothing.
    let before = fs::metadata(killed.join("state.json")).unwrap().modified().unwrap();
    succeed(run(&killed));
    let after = fs::metadata(killed.join("state.json")).unwrap().modified().unwrap();
    assert_eq!(before, after);

    let picture = killed.join("training.svg");
    let mut plot = train(&["plot"]);
    plot.arg("--dir").arg(&killed).arg("--out").arg(&picture);
    succeed(plot);
    assert!(fs::read_to_string(&picture).unwrap().starts_with("<svg"));
}

/// The commands one by one, as the README shows them.
#[test]
fn steps_work_one_by_one() {
    let dir = scratch("steps");
    let path = |name: &str| dir.join(name).display().to_string();
    let (games, net, log) = (path("games"), path("net.bin"), path("losses.csv"));
    let nodes = ["--nodes", "30"];
    let mut selfplay = train(&["selfplay", "--classic", "--games", "8", "--out", &games]);
    selfplay.args(nodes);
    succeed(selfplay);
    let fit = ["fit", "--data", &games, "--epochs", "2", "--out", &net, "--log", &log];
    succeed(train(&fit));
    let lines = fs::read_to_string(&log).unwrap();
    assert_eq!(lines.lines().count(), 3, "{lines}");
    let mut contest = train(&["match", "--a", &net, "--b", "classic", "--games", "4"]);
    contest.args(nodes);
    let output = succeed(contest);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("in 4 games with 2 players"), "{text}");
}

#[test]
fn errors_are_one_line() {
    let dir = scratch("problems");
    let path = |name: &str| dir.join(name).display().to_string();
    fs::write(dir.join("bad.bin"), b"nothing").unwrap();
    fs::create_dir(dir.join("empty")).unwrap();
    let (bad, empty, net) = (path("bad.bin"), path("empty"), path("net.bin"));
    for (args, problem) in [
        (vec!["match", "--a", &bad, "--b", "classic", "--nodes", "10"], "not a network"),
        (vec!["match", "--a", &net, "--b", "classic", "--nodes", "10"], "net.bin"),
        (vec!["fit", "--data", &empty, "--out", &net], "holds no games"),
        (vec!["fit", "--data", "/nowhere", "--out", &net], "/nowhere"),
        (vec!["plot", "--dir", &empty, "--out", &net], "losses.csv"),
        (vec!["selfplay", "--out", &empty, "--games", "1", "--explore", "2"], "0 to 1"),
    ] {
        let output = train(&args).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(problem), "{args:?}: {text}");
    }
}
