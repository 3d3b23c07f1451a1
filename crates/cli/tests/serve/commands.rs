//! `azulejo` alone, `serve` and its settings, `verify`, `bot`, `load` and `db`.

use crate::process::{AZULEJO, Process};
use azulejo_client::Method;
use azulejo_testkit::{Scratch, postgres};
use serde_json::{Value, json};
use std::process::{Command, Output};

fn azulejo(args: &[&str]) -> Output {
    Command::new(AZULEJO).args(args).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test]
async fn a_bot_plays_a_game_that_can_be_verified() {
    let folder = Scratch::new();
    let database = folder.file("games.db");
    let server = Process::start(&database, 0, &[]);
    let url = server.url.clone();
    let bot = {
        let url = url.clone();
        tokio::task::spawn_blocking(move || {
            azulejo(&["bot", "--server", &url, "--level", "3", "--against", "1", "--json"])
        })
        .await
        .unwrap()
    };
    assert!(bot.status.success(), "{}", err(&bot));
    let result: Value = serde_json::from_slice(&bot.stdout).unwrap();
    assert_eq!(result["result"]["ended_by"], "row");
    let id = result["game"].as_str().unwrap();
    let path = format!("/api/v1/games/{id}/record");
    let (_, record) = server.client().text(Method::GET, &path, None).await.unwrap();
    let file = folder.file("record.txt");
    std::fs::write(&file, &record).unwrap();
    let verified = azulejo(&["verify", &file]);
    assert!(verified.status.success(), "{}", err(&verified));
    assert!(out(&verified).contains("fair: the seed has the published hash"), "{}", out(&verified));
    let as_json: Value =
        serde_json::from_slice(&azulejo(&["verify", "--json", &file]).stdout).unwrap();
    assert_eq!(as_json["verdict"], "kept");
    // A wrong seed, and a record without a seed.
    let hash = record.split("[SeedHash \"").nth(1).unwrap().split('"').next().unwrap();
    std::fs::write(&file, record.replace(hash, &"0".repeat(64))).unwrap();
    let broken = azulejo(&["verify", &file]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(out(&broken).contains("does not have the published hash"), "{}", out(&broken));
    let seed = record.split("[Seed \"").nth(1).unwrap().split('"').next().unwrap();
    std::fs::write(&file, record.replace(&format!("[Seed \"{seed}\"]\n"), "")).unwrap();
    assert_eq!(azulejo(&["verify", &file]).status.code(), Some(2));
    std::fs::write(
        &file,
        record.replace(&format!("[Seed \"{seed}\"]"), "[Seed \"5\"]").replace(hash, ""),
    )
    .unwrap();
    assert_eq!(azulejo(&["verify", &file]).status.code(), Some(1));
    // The database is consistent, and can be backed up and restored.
    let check = azulejo(&["db", "check", "--database", &database]);
    assert!(out(&check).contains("1 game") && out(&check).contains("no faults"), "{}", out(&check));
    let (backup, other) = (folder.file("backup.jsonl"), folder.file("other.db"));
    assert!(azulejo(&["db", "backup", "--database", &database, &backup]).status.success());
    assert!(azulejo(&["db", "restore", "--database", &other, &backup]).status.success());
    let again = azulejo(&["db", "restore", "--database", &other, &backup]);
    assert_eq!(again.status.code(), Some(2));
    assert!(err(&again).contains("not empty"), "{}", err(&again));
    assert_eq!(
        azulejo(&["db", "check", "--database", &folder.file("none.db")]).status.code(),
        Some(2)
    );
    assert_eq!(server.stop(), Some(0));
}

#[tokio::test]
async fn two_bots_meet_by_invitation_and_in_the_lobby() {
    let folder = Scratch::new();
    let server = Process::start(&folder.file("games.db"), 0, &[]);
    let host = server.client().new_person("Host").await.unwrap();
    let seats = json!({ "seats": [{ "kind": "open" }, { "kind": "open" }] });
    let created = host.post("/games", &seats).await.unwrap();
    let bot = |join: Option<String>| {
        let url = server.url.clone();
        tokio::task::spawn_blocking(move || {
            let mut args = vec![
                "bot".to_owned(),
                "--server".to_owned(),
                url,
                "--level".to_owned(),
                "2".to_owned(),
            ];
            args.extend(join.into_iter().flat_map(|link| ["--join".to_owned(), link]));
            Command::new(AZULEJO).args(args).output().unwrap()
        })
    };
    let link = |i: usize| created["invitations"][i]["link"].as_str().unwrap().to_owned();
    let (one, two) = tokio::join!(bot(Some(link(0))), bot(Some(link(1))));
    for output in [one.unwrap(), two.unwrap()] {
        assert!(output.status.success(), "{}", err(&output));
        assert!(out(&output).contains(" as seat "), "{}", out(&output));
    }
    let one = bot(None);
    // The first bot waits in the lobby when the second joins.
    while server.client().get("/lobby").await.unwrap()["games"] == json!([]) {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let two = bot(None);
    for output in [one.await.unwrap(), two.await.unwrap()] {
        assert!(output.status.success(), "{}", err(&output));
    }
}

/// The bot of the documentation plays a game, if Python is installed.
#[tokio::test]
async fn the_python_bot_of_the_documentation_plays() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("Python is not installed: its example is not run");
        return;
    }
    let folder = Scratch::new();
    let server = Process::start(&folder.file("games.db"), 0, &[]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/bot.py");
    let url = server.url.clone();
    let played = tokio::task::spawn_blocking(move || {
        Command::new("python3").args([script, &url]).output().unwrap()
    })
    .await
    .unwrap();
    assert!(played.status.success(), "{}", err(&played));
    assert!(out(&played).contains("over"), "{}", out(&played));
}

#[tokio::test]
async fn options_override_variables_and_the_file() {
    let folder = Scratch::new();
    let config = folder.file("azulejo.toml");
    let [by_file, by_env, by_flag] = ["file.db", "env.db", "flag.db"].map(|name| folder.file(name));
    std::fs::write(
        &config,
        format!("# ours\nlisten = '127.0.0.1:0'\ndatabase = '{by_file}'\nlimits = false\n"),
    )
    .unwrap();
    for (env, flag, expected) in [
        (None, None, &by_file),
        (Some(&by_env), None, &by_env),
        (Some(&by_env), Some(&by_flag), &by_flag),
    ] {
        let mut command = Command::new("sh");
        // `Process` removes the variable, so the shell sets it.
        let line = match env {
            Some(env) => format!("AZULEJO_DATABASE='{env}' exec \"$0\" \"$@\""),
            None => "exec \"$0\" \"$@\"".to_owned(),
        };
        command.args(["-c", &line, AZULEJO, "serve", "--config", &config]);
        command.args(flag.into_iter().flat_map(|flag| ["--database", flag]));
        let server = Process::spawn(command);
        for file in [&by_file, &by_env, &by_flag] {
            let is_there = std::path::Path::new(file).exists();
            assert_eq!(is_there, file == expected, "{file}, with {env:?} and {flag:?}");
        }
        assert_eq!(server.stop(), Some(0));
        std::fs::remove_file(expected).unwrap();
    }
    for (text, expected) in [
        ("lisen = 'x'", "unknown field `lisen`"),
        ("listen = 'nowhere'", "1 | listen = 'nowhere'"),
        ("listen = nowhere", "Settings are TOML: text in quotes"),
        ("x", "line 1"),
    ] {
        std::fs::write(&config, text).unwrap();
        let failed = azulejo(&["serve", "--config", &config, "--database", &by_file]);
        assert_eq!(failed.status.code(), Some(2));
        assert!(err(&failed).contains(expected), "{}", err(&failed));
    }
}

#[test]
fn start_errors_are_explained() {
    let folder = Scratch::new();
    let database = folder.file("games.db");
    let server = Process::start(&database, 0, &[]);
    let listen = format!("127.0.0.1:{}", server.port());
    let other = folder.file("other.db");
    let taken = azulejo(&["serve", "--listen", &listen, "--database", &other]);
    assert_eq!(taken.status.code(), Some(2));
    assert!(err(&taken).contains("cannot listen on"), "{}", err(&taken));
    let shared = azulejo(&["serve", "--listen", "127.0.0.1:0", "--database", &database]);
    assert!(err(&shared).contains("used by another server"), "{}", err(&shared));
    let nowhere =
        azulejo(&["serve", "--listen", "127.0.0.1:0", "--database", "/nowhere/at/all.db"]);
    assert!(err(&nowhere).contains("/nowhere/at/all.db"), "{}", err(&nowhere));
    let no_database = "postgres://nobody:hush@127.0.0.1:1/none";
    let gone = azulejo(&["serve", "--listen", "127.0.0.1:0", "--database", no_database]);
    assert_eq!(gone.status.code(), Some(2));
    assert!(!err(&gone).contains("hush"), "no password is shown: {}", err(&gone));
}

/// `azulejo` alone serves and prints its address.
#[tokio::test]
async fn without_a_command_it_serves() {
    let folder = Scratch::new();
    let mut command = Command::new(AZULEJO);
    command.env("AZULEJO_LISTEN", "127.0.0.1:0").env("XDG_DATA_HOME", folder.path());
    let server = Process::spawn(command);
    let (status, page) = server.client().text(Method::GET, "/", None).await.unwrap();
    assert_eq!(status, 200);
    assert!(page.contains("<title>Azulejo"), "{page}");
    assert!(folder.path().join("azulejo/games.db").exists());
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn a_small_load_has_no_errors() {
    let load = azulejo(&[
        "load",
        "--games",
        "20",
        "--seconds",
        "2",
        "--think-ms",
        "100",
        "--watchers",
        "30",
        "--json",
    ]);
    assert!(load.status.success(), "{} {}", out(&load), err(&load));
    let report: Value = serde_json::from_slice(&load.stdout).unwrap();
    assert_eq!(
        (&report["games"], &report["watchers"], &report["errors"]),
        (&json!(20), &json!(30), &json!(0))
    );
    assert!(report["moves"].as_u64().unwrap() > 50, "{report}");
}

/// The players of a game are on different nodes over one PostgreSQL.
#[test]
fn a_load_over_two_nodes() {
    let Some(database) = postgres::new_database() else { return };
    let nodes = [0, 1].map(|_| Process::start(&database, 0, &[]));
    let load = azulejo(&[
        "load",
        "--games",
        "10",
        "--seconds",
        "2",
        "--think-ms",
        "100",
        "--server",
        &nodes[0].url,
        "--server",
        &nodes[1].url,
        "--json",
    ]);
    assert!(load.status.success(), "{} {}", out(&load), err(&load));
    let report: Value = serde_json::from_slice(&load.stdout).unwrap();
    assert_eq!((&report["games"], &report["errors"]), (&json!(10), &json!(0)));
    assert!(report["games_per_second"].as_f64() > Some(1.0), "{report}");
    assert!(report["moves"].as_u64() > Some(20), "{report}");
    for node in nodes {
        assert_eq!(node.stop(), Some(0));
    }
}

/// Five hundred watchers join a game while it is played, and others come and go all the time: no player
/// notices, and nobody is disconnected. `cargo xtask long watchers` asks for thousands, and p99 < 100 ms.
#[test]
fn watchers_of_one_game_do_not_delay_its_players() {
    let load = azulejo(&[
        "load",
        "--games",
        "4",
        "--seconds",
        "6",
        "--think-ms",
        "100",
        "--watchers",
        "500",
        "--one-game",
        "--visitors",
        "99",
        "--json",
    ]);
    assert!(load.status.success(), "{} {}", out(&load), err(&load));
    let report: Value = serde_json::from_slice(&load.stdout).unwrap();
    assert_eq!((&report["watchers"], &report["errors"]), (&json!(500), &json!(0)));
    assert!(report["visits"].as_u64() > Some(99), "{report}");
    let figure = |name: &str| report.pointer(name).and_then(Value::as_f64).unwrap_or(f64::MAX);
    // Generous, because a debug build and other tests share the machine.
    assert!(figure("/watched_latency_ms/p50") < 500.0, "{report}");
    assert!(figure("/join_seconds") < 15.0, "{report}");
    assert!(figure("/bytes_per_move/watcher") < 1_500.0, "{report}");
    assert!(figure("/bytes_per_move/moved") < 1_500.0, "{report}");
    assert!(figure("/bytes_per_move/to_move") < 5_000.0, "{report}");
    if cfg!(target_os = "linux") {
        assert!(figure("/cpu_ms_per_move") > 0.0 && figure("/memory_per_game_kib") > 0.0);
    }
}
