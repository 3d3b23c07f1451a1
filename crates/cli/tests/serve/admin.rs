//! `azulejo admin` and `azulejo db` beside a running server, on both databases.

use crate::process::{AZULEJO, Process};
use azulejo_client::Client;
use azulejo_testkit::{Scratch, postgres};
use serde_json::{Value, json};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// The databases of a test: a file, and PostgreSQL if it is installed.
fn databases(folder: &Scratch) -> Vec<String> {
    [Some(folder.file("games.db")), postgres::new_database()].into_iter().flatten().collect()
}

async fn azulejo(args: &[&str]) -> Output {
    let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
    let run = move || Command::new(AZULEJO).args(args).output().unwrap();
    tokio::task::spawn_blocking(run).await.unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The answers of `azulejo admin … --json`.
async fn admin(database: &str, args: &[&str]) -> Vec<Value> {
    let output = azulejo(&[&["admin"], args, &["--database", database, "--json"]].concat()).await;
    assert!(output.status.success(), "{args:?}: {}", err(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

async fn soon(what: &str, is_so: impl AsyncFn() -> bool) {
    let start = Instant::now();
    while !is_so().await {
        assert!(start.elapsed() < Duration::from_secs(5), "{what} takes more than 5 s");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn id(person: &Client) -> String {
    person.get("/me").await.unwrap()["id"].as_str().unwrap().to_owned()
}

fn refused(answer: Result<Value, azulejo_client::ClientError>) -> Option<String> {
    answer.err().and_then(|error| error.code().map(str::to_owned))
}

#[tokio::test]
async fn an_operator_acts_beside_a_running_server() {
    let folder = Scratch::new();
    for database in databases(&folder) {
        let server = Process::start(&database, 0, &["--trust-proxy", "yes"]);
        let ana = server.client().new_person("Ana").await.unwrap();
        let bob = server.client().new_person("Bob").await.unwrap();
        let open = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }], "listed": true });
        let game = ana.post("/games", &open).await.unwrap()["game"]["id"].clone();
        let game = game.as_str().unwrap();
        bob.post(&format!("/games/{game}/join"), &json!({})).await.unwrap();
        let (ana_id, bob_id) = (id(&ana).await, id(&bob).await);

        // Lists.
        let games = admin(&database, &["games", "--status", "playing"]).await;
        assert_eq!((games.len(), &games[0]["game"]), (1, &json!(game)));
        assert_eq!(games[0]["people"][1], json!({ "seat": 2, "person": bob_id, "name": "Bob" }));
        assert_eq!(admin(&database, &["games", "--status", "over"]).await, [json!(null); 0]);
        assert_eq!(admin(&database, &["games", "--person", &bob_id]).await.len(), 1);
        let people = admin(&database, &["people", "--name", "BO"]).await;
        assert_eq!((people.len(), &people[0]["person"]), (1, &json!(bob_id)));
        assert_eq!(admin(&database, &["people"]).await.len(), 2);

        // A name.
        admin(&database, &["rename", &bob_id, "Robert"]).await;
        soon("the name", async || bob.get("/me").await.unwrap()["name"] == "Robert").await;
        let bad = azulejo(&["admin", "rename", "--database", &database, &bob_id, "Azulejo"]).await;
        assert_eq!(bad.status.code(), Some(2));
        assert!(err(&bad).contains("reserved"), "{}", err(&bad));

        // A game is closed while both play.
        let mut socket = ana.socket(game, None).await.unwrap();
        assert_eq!(admin(&database, &["close", game]).await, [json!({ "done": true })]);
        let closed = async {
            while let Some(message) = socket.next().await.unwrap() {
                if message["event"]["type"] == "closed" {
                    return message;
                }
            }
            panic!("the socket was closed before the game");
        };
        let closed = tokio::time::timeout(Duration::from_secs(5), closed).await.expect("in time");
        assert_eq!(closed["game"]["result"]["ended_by"], "operator");
        let again = azulejo(&["admin", "close", "--database", &database, game]).await;
        assert_eq!(again.status.code(), Some(1));
        let none = azulejo(&["admin", "close", "--database", &database, "nonsense"]).await;
        assert!(none.status.code() == Some(2) && err(&none).contains("there is no game"));

        // A ban of a person: requests are refused, the open socket and the streams are closed.
        let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
        let another = ana.post("/games", &seats).await.unwrap();
        let another = format!("/games/{}/stream", another["game"]["id"].as_str().unwrap());
        let mut streams = Vec::new();
        for (client, path) in [(&ana, "/me/stream"), (&ana, &another), (&bob, &another)] {
            streams.push(client.lines(path).await.unwrap());
        }
        let mut bobs_stream = streams.pop().unwrap();
        admin(&database, &["ban", &ana_id, "--reason", "rude"]).await;
        soon("the ban", async || refused(ana.get("/me").await).as_deref() == Some("banned")).await;
        let end = async { while socket.next().await.is_ok_and(|message| message.is_some()) {} };
        tokio::time::timeout(Duration::from_secs(5), end).await.expect("the socket is closed");
        for stream in &mut streams {
            let end = async { while stream.next().await.is_ok_and(|line| line.is_some()) {} };
            tokio::time::timeout(Duration::from_secs(5), end).await.expect("a stream is closed");
        }
        let end = async { while bobs_stream.next().await.is_ok_and(|line| line.is_some()) {} };
        let end = tokio::time::timeout(Duration::from_millis(300), end).await;
        assert!(end.is_err(), "other people's streams stay open");
        bob.get("/me").await.unwrap();
        let bans = admin(&database, &["bans"]).await;
        assert_eq!((&bans[0]["subject"], &bans[0]["reason"]), (&json!(ana_id), &json!("rude")));
        admin(&database, &["unban", &ana_id]).await;
        soon("the end of the ban", async || ana.get("/me").await.is_ok()).await;

        // A ban of an address, here that of everybody.
        admin(&database, &["ban", "127.0.0.0/8", "--hours", "1"]).await;
        soon("the ban", async || refused(bob.get("/lobby").await).as_deref() == Some("banned"))
            .await;
        let (status, _) = bob.text(azulejo_client::Method::GET, "/healthz", None).await.unwrap();
        assert_eq!(status, 200, "probes are not banned");
        admin(&database, &["unban", "127.0.0.0/8"]).await;
        soon("the end of the ban", async || bob.get("/lobby").await.is_ok()).await;
        let none = azulejo(&["admin", "unban", "--database", &database, "127.0.0.0/8"]).await;
        assert_eq!(none.status.code(), Some(1));

        // Deletion asks for a confirmation.
        for task in ["delete-game", "delete-person"] {
            let bare = azulejo(&["admin", task, "--database", &database, game]).await;
            assert!(
                bare.status.code() == Some(2) && err(&bare).contains("--yes"),
                "{}",
                err(&bare)
            );
        }
        admin(&database, &["delete-person", &ana_id, "--yes"]).await;
        soon("the person", async || ana.get("/me").await.is_err()).await;
        let path = format!("/games/{game}");
        soon("the name", async || {
            bob.get(&path).await.unwrap()["seats"][0]["name"] == "Deleted player"
        })
        .await;
        admin(&database, &["delete-game", game, "--yes"]).await;
        soon("the game", async || refused(bob.get(&path).await).as_deref() == Some("not_found"))
            .await;
        let check = azulejo(&["db", "check", "--database", &database]).await;
        assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
        assert_eq!(server.stop(), Some(0));
    }
}

/// A restore works alone: not beside a server, and no server starts beside it.
#[tokio::test]
async fn a_restore_refuses_a_running_server() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Scratch::new();
    for (n, database) in databases(&folder).into_iter().enumerate() {
        let backup = folder.file(&format!("backup-{n}.jsonl"));
        let server = Process::start(&database, 0, &[]);
        server.client().new_person("Ana").await.unwrap();
        let done = azulejo(&["db", "backup", "--database", &database, &backup]).await;
        assert!(done.status.success(), "{}", err(&done));
        let mode = std::fs::metadata(&backup).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "nobody else can read a backup");
        let refused = azulejo(&["db", "restore", "--database", &database, &backup]).await;
        assert_eq!(refused.status.code(), Some(2));
        assert!(err(&refused).contains("stop the servers"), "{}", err(&refused));
        assert_eq!(server.stop(), Some(0));
        let refused = azulejo(&["db", "restore", "--database", &database, &backup]).await;
        assert!(err(&refused).contains("not empty"), "{}", err(&refused));
        // The lock is free again after a restore that failed.
        let server = Process::start(&database, 0, &[]);
        assert_eq!(server.stop(), Some(0));
        // A backup that cannot be written leaves the one that is there.
        let before = std::fs::read(&backup).unwrap();
        let failed = azulejo(&["db", "backup", "--database", "/nowhere/games.db", &backup]).await;
        assert_eq!(failed.status.code(), Some(2));
        assert_eq!(std::fs::read(&backup).unwrap(), before);
    }
}
