//! A trial of one server against a fault of its storage: moves are played while the fault comes and
//! goes, and everything acknowledged is looked up by a connection of the test's own.

use crate::process::{AZULEJO, Process};
use azulejo_client::{Client, ClientError, Method};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection, Row};
use std::process::Command;
use std::time::{Duration, Instant};

/// The longest time that a server may need to recover.
const RECOVERY: Duration = Duration::from_secs(2);

/// A fault that can be switched on and off.
pub(crate) trait Fault {
    fn begin(&mut self);
    fn end(&mut self);
    /// A part of what `/readyz` says meanwhile.
    fn words(&self) -> &'static str;
}

pub(crate) struct Trial {
    pub(crate) server: Process,
    /// The database as the program is told it, and as sqlx is.
    database: String,
    url: String,
    me: Client,
    game: Option<Value>,
    /// Game, number and move.
    acknowledged: Vec<(String, u64, String)>,
}

impl Trial {
    pub(crate) async fn start(command: Command, database: &str) -> Trial {
        sqlx::any::install_default_drivers();
        let server = Process::spawn(command);
        let me = server.client().new_person("Ana").await.unwrap();
        let url = if database.starts_with("postgres:") {
            database.to_owned()
        } else {
            format!("sqlite://{database}?mode=ro")
        };
        let database = database.to_owned();
        Trial { server, database, url, me, game: None, acknowledged: Vec::new() }
    }

    /// The command that starts a server on a database.
    pub(crate) fn command(program: &str, database: &str) -> Command {
        let mut command = Command::new(program);
        command.args(["serve", "--listen", "127.0.0.1:0", "--limits", "no", "--grace", "2"]);
        command.args(["--database", database]);
        command
    }

    /// Sends the next move, or creates the next game. Whatever is acknowledged has to be visible to
    /// another connection at once.
    pub(crate) async fn act(&mut self) -> Result<(), ClientError> {
        let game = match self.game.take().filter(|game| game["status"] == "playing") {
            Some(game) => game,
            None => {
                let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
                self.me.post("/games", &seats).await?["game"].clone()
            }
        };
        let id = game["id"].as_str().unwrap().to_owned();
        let m = game["moves"][0]["move"].as_str().unwrap().to_owned();
        let after = game["number"].clone();
        self.game = Some(game);
        // The id belongs to the position: a repetition after a refusal is the same move.
        let body = json!({ "type": "move", "move": m, "id": format!("m{after}"), "after": after });
        let played = self.me.post(&format!("/games/{id}/commands"), &body).await?;
        let number = played["number"].as_u64().unwrap();
        self.game = Some(played["game"].clone());
        self.acknowledged.push((id.clone(), number, m.clone()));
        let mut reader = AnyConnection::connect(&self.url).await.unwrap();
        check_stored(&mut reader, &id, number, &m).await;
        let _ = reader.close().await;
        Ok(())
    }

    pub(crate) async fn play(&mut self, n_moves: usize) {
        for _ in 0..n_moves {
            self.act().await.expect("a move is accepted");
        }
    }

    /// Begins the fault, goes on until a number of requests was refused, ends the fault, and expects
    /// the server to recover.
    pub(crate) async fn endure(&mut self, fault: &mut impl Fault, n_refusals: usize) {
        fault.begin();
        let (mut refused, mut accepted) = (0, 0);
        while refused < n_refusals {
            match self.act().await {
                // What has room in the file already is still written.
                Ok(()) => accepted += 1,
                Err(error) => {
                    assert_eq!(error.code(), Some("unavailable"), "{error}");
                    refused += 1;
                }
            }
            assert!(accepted < 2_000, "the fault refuses nothing");
        }
        self.wait_for_readiness(503, fault.words()).await;
        fault.end();
        let start = Instant::now();
        while let Err(error) = self.act().await {
            assert_eq!(error.code(), Some("unavailable"), "{error}");
            assert!(start.elapsed() < RECOVERY, "after {n_refusals} refusals: {error}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.wait_for_readiness(200, "ready").await;
        self.play(5).await;
    }

    pub(crate) async fn wait_for_readiness(&self, expected: u16, words: &str) {
        let start = Instant::now();
        loop {
            let client = self.server.client();
            let (status, text) = client.text(Method::GET, "/readyz", None).await.unwrap();
            if status == expected && text.contains(words) {
                return;
            }
            assert!(
                start.elapsed() < Duration::from_secs(5),
                "expected {expected} with `{words}`, got {status}: {text}"
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Kills the server and compares the database with what was acknowledged; then the next server
    /// goes on. Returns the number of acknowledged moves.
    pub(crate) async fn kill_and_compare(self) -> usize {
        let Trial { server, database, url, me, acknowledged, game, .. } = self;
        server.kill();
        let mut reader = AnyConnection::connect(&url.replace("mode=ro", "mode=rw")).await.unwrap();
        for (id, number, m) in &acknowledged {
            check_stored(&mut reader, id, *number, m).await;
        }
        let _ = reader.close().await;
        let check = Command::new(AZULEJO).args(["db", "check", "--database", &database]).output();
        let check = check.unwrap();
        assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
        let server = Process::spawn(Trial::command(AZULEJO, &database));
        let me = server.client().with_token(me.token().unwrap());
        let (id, number, _) = acknowledged.last().expect("some moves were accepted");
        let state = me.get(&format!("/games/{id}")).await.unwrap();
        assert_eq!(state["number"].as_u64(), Some(*number), "{game:?}");
        let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
        me.post("/games", &seats).await.expect("the next server goes on");
        acknowledged.len()
    }
}

async fn check_stored(reader: &mut AnyConnection, game: &str, number: u64, m: &str) {
    let row = sqlx::query("SELECT body FROM events WHERE game = $1 AND number = $2")
        .bind(game)
        .bind(i64::try_from(number).unwrap())
        .fetch_optional(reader)
        .await
        .expect("the database can be read");
    let row = row.unwrap_or_else(|| panic!("event {number} was acknowledged and is not stored"));
    let body: Value = serde_json::from_str(row.get("body")).unwrap();
    assert_eq!(body["move"], m, "event {number} of {game}");
}
