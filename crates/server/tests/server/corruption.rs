//! `db check` finds every damage of a table of damages, on both databases, and nothing in a sound one.

use crate::host::{Database, databases, pool, sqlite, text};
use azulejo_server::{Place, Store};
use serde_json::json;
use sqlx::{AnyPool, AssertSqlSafe};

/// What is done to a sound database, and a part of the fault that has to be reported. The names in braces
/// are ids of games: one being played, one that is over, its rematch, one that waits, one with an engine.
const DAMAGES: &[(&str, &str, &str)] = &[
    (
        "lost person",
        "DELETE FROM people WHERE id = (SELECT person FROM seats WHERE game = '{playing}' AND seat = 1)",
        "who has a seat, does not exist",
    ),
    (
        "lost creator",
        "DELETE FROM people WHERE id = (SELECT creator FROM games WHERE id = '{waiting}')",
        "who created it, does not exist",
    ),
    (
        "wakes too late",
        "UPDATE games SET wake_ms = wake_ms + 1 WHERE id = '{playing}'",
        "`wake_ms`",
    ),
    ("never wakes", "UPDATE games SET wake_ms = NULL WHERE id = '{waiting}'", "`wake_ms`"),
    ("wakes after its end", "UPDATE games SET wake_ms = 5 WHERE id = '{over}'", "`wake_ms`"),
    (
        "seat of another person",
        "UPDATE seats SET person = (SELECT creator FROM games WHERE id = '{waiting}') \
         WHERE game = '{playing}' AND seat = 2",
        "the stored seat 2 differs",
    ),
    (
        "wrong name at a seat",
        "UPDATE seats SET name = 'Eve' WHERE game = '{playing}' AND seat = 2",
        "the stored seat 2 differs",
    ),
    (
        "a taken seat is open",
        "UPDATE seats SET kind = 'open', person = NULL, name = NULL WHERE game = '{playing}' AND seat = 2",
        "the stored seat 2 differs",
    ),
    ("seat is missing", "DELETE FROM seats WHERE game = '{playing}' AND seat = 2", "1 of 2 seats"),
    (
        "one seat too many",
        "INSERT INTO seats (game, seat, kind) VALUES ('{playing}', 3, 'open')",
        "3 of 2 seats",
    ),
    (
        "a seat that left is back",
        "UPDATE seats SET left_why = NULL WHERE game = '{over}'",
        "the stored seat 1 differs",
    ),
    (
        "wrong place",
        "UPDATE seats SET place = 3 - place WHERE game = '{over}'",
        "the stored seat 1 differs",
    ),
    (
        "other level at a seat",
        "UPDATE seats SET level = 9 WHERE game = '{engine}' AND kind = 'engine'",
        "the stored seat 2 differs",
    ),
    (
        "event is missing",
        "DELETE FROM events WHERE game = '{playing}' AND number = 4",
        "follows event",
    ),
    (
        "first event is missing",
        "DELETE FROM events WHERE game = '{over}' AND number = 1",
        "follows event",
    ),
    (
        "last event is missing",
        "DELETE FROM events WHERE game = '{playing}' AND number = \
         (SELECT number FROM games WHERE id = '{playing}')",
        "number of the last event differs",
    ),
    ("log is missing", "DELETE FROM events WHERE game = '{waiting}'", "it has no events"),
    (
        "gap in the numbers",
        "UPDATE events SET number = number + 7 WHERE game = '{playing}' AND number > 4",
        "follows event",
    ),
    (
        "time goes backwards",
        "UPDATE events SET at_ms = 5 WHERE game = '{playing}' AND number = 3",
        "happened before the event before it",
    ),
    (
        "body is not JSON",
        "UPDATE events SET body = 'moved' WHERE game = '{playing}' AND number = 3",
        "event 3",
    ),
    (
        "unknown event",
        "UPDATE events SET body = '{\"type\":\"danced\"}' WHERE game = '{playing}' AND number = 3",
        "event 3",
    ),
    (
        "illegal move",
        "UPDATE events SET body = '{\"type\":\"moved\",\"seat\":1,\"move\":\"9W5\"}' \
         WHERE game = '{playing}' AND number = 4",
        "event 4",
    ),
    (
        "seat that does not exist",
        "UPDATE events SET body = '{\"type\":\"joined\",\"seat\":7,\"person\":\"p\",\"name\":\"x\"}' \
         WHERE game = '{playing}' AND number = 2",
        "event 2",
    ),
    (
        "columns of another game",
        "UPDATE games SET (status, turn, round, scores, ended_by, number) = \
         (SELECT status, turn, round, scores, ended_by, number FROM games WHERE id = '{over}') \
         WHERE id = '{playing}'",
        "the stored status differs",
    ),
    (
        "log of another game",
        "UPDATE events SET body = (SELECT body FROM events e WHERE e.game = '{over}' AND e.number = 3) \
         WHERE game = '{waiting}' AND number = 1",
        "game {waiting}",
    ),
    ("wrong status", "UPDATE games SET status = 'over' WHERE id = '{playing}'", "status differs"),
    (
        "wrong number",
        "UPDATE games SET number = number + 1 WHERE id = '{playing}'",
        "number of the last",
    ),
    (
        "wrong turn",
        "UPDATE games SET turn = 3 - turn WHERE id = '{playing}'",
        "seat to move differs",
    ),
    ("wrong round", "UPDATE games SET round = round + 1 WHERE id = '{playing}'", "round differs"),
    ("wrong scores", "UPDATE games SET scores = '99 0' WHERE id = '{playing}'", "scores differ"),
    (
        "wrong end",
        "UPDATE games SET ended_by = 'row' WHERE id = '{over}'",
        "reason of the end differs",
    ),
    ("no end", "UPDATE games SET ended_by = NULL WHERE id = '{over}'", "reason of the end differs"),
    ("not listed", "UPDATE games SET listed = 0 WHERE id = '{waiting}'", "`listed` differs"),
    (
        "other creator",
        "UPDATE games SET creator = (SELECT person FROM seats WHERE game = '{playing}' AND seat = 2) \
         WHERE id = '{playing}'",
        "the stored creator differs",
    ),
    ("wrong creation", "UPDATE games SET created_ms = 1 WHERE id = '{over}'", "`created_ms`"),
    ("wrong last change", "UPDATE games SET updated_ms = 1 WHERE id = '{over}'", "`updated_ms`"),
    ("another seed", "UPDATE games SET seed = 'abc' WHERE id = '{waiting}'", "published hash"),
    (
        "invalid seed",
        "UPDATE games SET seed = '' WHERE id = '{waiting}'",
        "the stored seed is invalid",
    ),
    (
        "another seed hash",
        "UPDATE games SET settings = REPLACE(settings, '\"seed_hash\":\"', '\"seed_hash\":\"0') \
         WHERE id = '{waiting}'",
        "published hash",
    ),
    (
        "settings are not JSON",
        "UPDATE games SET settings = '{' WHERE id = '{over}'",
        "invalid settings",
    ),
    (
        "unknown engine level",
        "UPDATE games SET settings = REPLACE(settings, '\"level\":2', '\"level\":77') \
         WHERE id = '{engine}'",
        "unknown level 77",
    ),
    (
        "rematch of another game",
        "UPDATE games SET settings = REPLACE(settings, '{over}', '{playing}') WHERE id = '{rematch}'",
        "is not its rematch",
    ),
    (
        "invitation to no game",
        "UPDATE invitations SET game = 'abcdefgh23456789' WHERE game = '{waiting}'",
        "1 invitations belong to no game",
    ),
    (
        "invitation to a taken seat",
        "UPDATE invitations SET seat = 1 WHERE game = '{waiting}'",
        "which was never open",
    ),
    (
        "invitation that is no hash",
        "UPDATE invitations SET hash = 'secret' WHERE game = '{waiting}'",
        "is not stored as a hash",
    ),
    (
        "event of no game",
        "INSERT INTO events (game, number, at_ms, body) VALUES ('abcdefgh23456789', 1, 1, '{}')",
        "1 events belong to no game",
    ),
    (
        "seat of no game",
        "INSERT INTO seats (game, seat, kind) VALUES ('abcdefgh23456789', 1, 'open')",
        "1 seats belong to no game",
    ),
    ("lost game", "DELETE FROM games WHERE id = '{over}'", "events belong to no game"),
    (
        "token of no person",
        "UPDATE tokens SET person = 'abcdefgh23456789' \
         WHERE hash = (SELECT MIN(hash) FROM tokens)",
        "1 tokens belong to no person",
    ),
    (
        "token that is no hash",
        "UPDATE tokens SET hash = 'secret' WHERE hash = (SELECT MIN(hash) FROM tokens)",
        "a token is not stored as a hash",
    ),
    (
        "person without a name",
        "UPDATE people SET name = ' ' WHERE id = (SELECT MIN(id) FROM people)",
        "the name is empty",
    ),
    (
        "person seen too early",
        "UPDATE people SET seen_ms = 0 WHERE id = (SELECT MIN(id) FROM people)",
        "was seen before it was created",
    ),
    (
        "ban of nobody",
        "INSERT INTO bans (kind, subject, reason, created_ms) VALUES ('address', 'there', '', 1)",
        "it has no effect",
    ),
];

const TABLES: [&str; 7] = ["people", "tokens", "games", "events", "seats", "invitations", "bans"];

/// A server's database with games in every stage; their ids by name.
async fn sound(database: &Database) -> Vec<(&'static str, String)> {
    let host = database.host().await;
    let playing = host.two_player_game().await;
    playing.play(6).await;
    let over = host.two_player_game().await;
    over.play(2).await;
    over.act(0, "/commands", &json!({ "type": "resign" })).await.unwrap();
    let rematch = over.act(0, "/rematch", &json!({})).await.unwrap();
    let ana = host.person("Anna").await;
    let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }], "listed": true });
    let waiting = ana.post("/games", &seats).await.unwrap();
    let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "engine", "level": 2 }] });
    let engine = ana.post("/games", &seats).await.unwrap();
    host.server.stop().await;
    let id = |created: &serde_json::Value| text(&created["game"]["id"]).to_owned();
    vec![
        ("{playing}", playing.id),
        ("{over}", over.id),
        ("{rematch}", id(&rematch)),
        ("{waiting}", id(&waiting)),
        ("{engine}", id(&engine)),
    ]
}

async fn execute(pool: &AnyPool, statement: String) {
    if let Err(error) = sqlx::query(AssertSqlSafe(statement.clone())).execute(pool).await {
        panic!("{statement}: {error}");
    }
}

#[tokio::test]
async fn every_damage_is_found() {
    for database in databases() {
        let ids = sound(&database).await;
        let store = Store::open(database.place.clone(), "check").await.unwrap();
        let report = store.check().await.unwrap();
        assert_eq!((report.faults, report.people, report.games), (vec![], 5, 5));
        let pool = pool(&database.place).await;
        for table in TABLES {
            execute(&pool, format!("CREATE TABLE sound_{table} AS SELECT * FROM {table}")).await;
        }
        for (name, statement, fault) in DAMAGES {
            let named = |text: &str| {
                ids.iter().fold(text.to_owned(), |text, (name, id)| text.replace(name, id))
            };
            execute(&pool, named(statement)).await;
            let faults = store.check().await.unwrap().faults;
            let is_found = faults.iter().any(|found| found.contains(&named(fault)));
            assert!(is_found, "{name}: expected {fault:?} among {faults:?}");
            for table in TABLES {
                execute(&pool, format!("DELETE FROM {table}")).await;
                execute(&pool, format!("INSERT INTO {table} SELECT * FROM sound_{table}")).await;
            }
        }
        assert_eq!(store.check().await.unwrap().faults, [""; 0], "the damages were undone");
        pool.close().await;
        store.close().await;
    }
}

/// A SQLite file that was cut off, or has a page of something else.
#[tokio::test]
async fn a_damaged_file_is_never_called_fine() {
    let database = sqlite();
    sound(&database).await;
    let Place::File(path) = &database.place else { panic!() };
    let bytes = std::fs::read(path).unwrap();
    let page = 4096;
    assert!(bytes.len() > 8 * page && bytes.len() % page == 0);
    let n_pages = bytes.len() / page;
    let cut = (1..n_pages).map(|n| bytes[..n * page].to_vec());
    let overwritten = (1..n_pages).map(|n| {
        let mut bytes = bytes.clone();
        bytes[n * page..(n + 1) * page].fill(0xa5);
        bytes
    });
    for (n, damaged) in cut.chain(overwritten).enumerate() {
        let folder = azulejo_testkit::Scratch::new();
        let copy = folder.path().join("games.db");
        std::fs::write(&copy, damaged).unwrap();
        // A database that cannot be opened is not called fine either.
        let Ok(store) = Store::open(Place::File(copy), "check").await else { continue };
        let is_fine = store.check().await.is_ok_and(|report| report.faults.is_empty());
        assert!(!is_fine, "damage {n} of {n_pages} pages");
        store.close().await;
    }
}
