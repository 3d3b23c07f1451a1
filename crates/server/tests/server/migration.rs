//! Databases of a released version: the current program opens them, migrates them, and their games go
//! on.

use crate::host::{Database, Host, databases_from, text};
use azulejo_client::Client;
use azulejo_server::Store;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

const RELEASE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/release-0.1.0");

#[tokio::test]
async fn games_of_the_released_version_go_on() {
    let keys = std::fs::read(format!("{RELEASE}/keys.json")).unwrap();
    let keys: Value = serde_json::from_slice(&keys).unwrap();
    for database in databases_from(Path::new(RELEASE)) {
        let host = database.host().await;
        let old = Old { host: &host, keys: &keys };
        old.check_states().await;
        old.check_lists().await;
        old.play_on().await;
        host.server.stop().await;
        check(&database).await;
        // The second start finds nothing to migrate.
        let host = database.host().await;
        Old { host: &host, keys: &keys }.check_lists().await;
        host.server.stop().await;
    }
}

async fn check(database: &Database) {
    let store = Store::open(database.place.clone(), "check").await.unwrap();
    let report = store.check().await.unwrap();
    assert_eq!(report.faults, Vec::<String>::new());
    assert_eq!((report.people, report.games), (3, 9));
    store.close().await;
}

struct Old<'a> {
    host: &'a Host,
    keys: &'a Value,
}

impl Old<'_> {
    fn person(&self, name: &str) -> Client {
        self.host.client.with_token(text(&self.keys["tokens"][name]))
    }

    fn path(&self, game: &str, rest: &str) -> String {
        format!("/games/{}{rest}", text(&self.keys["games"][game]["id"]))
    }

    async fn check_states(&self) {
        let ana = self.person("ana");
        for (name, game) in self.keys["games"].as_object().unwrap() {
            let state = ana.get(&self.path(name, "")).await.unwrap();
            assert_eq!(state["status"], game["status"], "{name}");
            // Engines and pauses may have added events.
            assert!(state["number"].as_u64() >= game["number"].as_u64(), "{name}");
        }
        let finished = ana.get(&self.path("finished", "")).await.unwrap();
        assert_eq!(finished["result"]["ended_by"], "row");
        assert!(finished["fair"]["seed"].is_string());
    }

    async fn check_lists(&self) {
        let mine = self.person("ana").get("/me/games").await.unwrap();
        let mut ids: Vec<&str> =
            mine["games"].as_array().unwrap().iter().map(|game| text(&game["id"])).collect();
        ids.sort_unstable();
        let names = ["waiting", "timed", "three", "finished", "rematch", "resigned"];
        let mut expected = names.map(|name| text(&self.keys["games"][name]["id"]));
        expected.sort_unstable();
        assert_eq!(ids, expected);
    }

    /// Somebody does something in every game that is not over.
    async fn play_on(&self) {
        let (ana, bob, cid) = (self.person("ana"), self.person("bob"), self.person("cid"));
        let secret = json!({ "secret": self.keys["invitation"] });
        let joined = bob.post(&self.path("waiting", "/join"), &secret).await.unwrap();
        assert_eq!(joined["game"]["status"], "playing");
        bob.post(&self.path("rematch", "/join"), &json!({})).await.unwrap();
        for (name, players) in [
            ("waiting", [&ana, &bob]),
            ("rematch", [&ana, &bob]),
            ("timed", [&ana, &bob]),
            ("engine", [&cid, &cid]),
            ("three", [&ana, &ana]),
        ] {
            self.play(name, players).await;
        }
        // One of the two has asked to take a move back, and the other one agrees.
        let path = self.path("asked", "/commands");
        let takeback = json!({ "type": "takeback" });
        let agreed =
            [bob.post(&path, &takeback).await.is_ok(), cid.post(&path, &takeback).await.is_ok()];
        assert!(agreed.contains(&true), "{agreed:?}");
        self.play("asked", [&bob, &cid]).await;
    }

    /// Plays four moves of people; engines play in between.
    async fn play(&self, name: &str, players: [&Client; 2]) {
        let mut n_moves = 0;
        let start = Instant::now();
        while n_moves < 4 {
            assert!(start.elapsed() < Duration::from_secs(20), "{name} is stuck");
            for player in players {
                let state = player.get(&self.path(name, "")).await.unwrap();
                if state["your_turn"] == true {
                    let m = json!({ "type": "move", "move": state["moves"][0]["move"] });
                    player.post(&self.path(name, "/commands"), &m).await.unwrap();
                    n_moves += 1;
                }
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
