//! What the pages around the games ask the server: taking a person to another device, TV, quick pairing,
//! link previews, boards in frames, and long lists of games.

use crate::host::{Host, code, databases, raw, sqlite, text, wait_for};
use azulejo_client::{Client, Method};
use azulejo_server::{Config, Store, WebFile};
use serde_json::{Value, json};
use std::time::Duration;

async fn delete(client: &Client, path: &str) -> Result<Value, azulejo_client::ClientError> {
    client.json(Method::DELETE, path, None).await
}

async fn take(host: &Host, code: &str) -> Result<Value, azulejo_client::ClientError> {
    host.client.post("/transfers", &json!({ "code": code })).await
}

#[tokio::test]
async fn a_code_takes_a_person_to_another_device_once() {
    for database in databases() {
        let host = database.host().await;
        let phone = host.person("Ana").await;
        let offered = phone.post("/me/transfer", &json!({ "games": "packed" })).await.unwrap();
        let code_text = text(&offered["code"]).to_owned();
        assert_eq!(code_text.len(), 14, "{code_text}");
        // As a person may type it.
        let typed = code_text.to_lowercase().replace('-', " ");
        let taken = take(&host, &typed).await.unwrap();
        assert_eq!((&taken["person"]["name"], &taken["games"]), (&json!("Ana"), &json!("packed")));
        let laptop = host.client.with_token(text(&taken["token"]));
        assert_eq!(laptop.get("/me").await.unwrap(), phone.get("/me").await.unwrap());
        assert_eq!(code(take(&host, &code_text).await), "not_found", "it works once");
        // The new device is in the list of devices, and can be signed out there.
        let tokens = phone.get("/me/tokens").await.unwrap();
        let other = tokens["tokens"].as_array().unwrap().iter().find(|t| t["is_current"] == false);
        delete(&phone, &format!("/me/tokens/{}", text(&other.unwrap()["id"]))).await.unwrap();
        assert_eq!(code(laptop.get("/me").await), "unknown_token");
        host.server.stop().await;
    }
}

#[tokio::test]
async fn an_offer_can_be_withdrawn_and_ends_with_what_it_belongs_to() {
    let database = sqlite();
    let host = database.host().await;
    let phone = host.person("Ana").await;
    let offer = async || {
        let offered = phone.post("/me/transfer", &json!({})).await.unwrap();
        text(&offered["code"]).to_owned()
    };
    let first = offer().await;
    delete(&phone, "/me/transfer").await.unwrap();
    assert_eq!(code(take(&host, &first).await), "not_found", "withdrawn");
    let (second, third) = (offer().await, offer().await);
    assert_eq!(code(take(&host, &second).await), "not_found", "replaced");
    delete(&phone, "/me/tokens").await.unwrap();
    assert_eq!(code(take(&host, &third).await), "not_found", "signed out everywhere else");
    let fourth = offer().await;
    let confirm = json!({ "confirm": "delete" });
    phone.json(Method::DELETE, "/me", Some(&confirm)).await.unwrap();
    assert_eq!(code(take(&host, &fourth).await), "not_found", "deleted");
    for wrong in ["", "AAAA-AAAA-AAAA", "0000-0000-0000", "ÄÄÄÄÄÄ", &"a".repeat(40)] {
        assert_eq!(code(take(&host, wrong).await), "not_found", "{wrong}");
    }
    let eve = host.person("Eve").await;
    let large = json!({ "games": "x".repeat(256 * 1024 + 1) });
    assert_eq!(code(eve.post("/me/transfer", &large).await), "bad_request");
    host.server.stop().await;
}

/// Only one of many devices that use the same code gets the person.
#[tokio::test]
async fn of_many_devices_with_one_code_one_gets_the_person() {
    for database in databases() {
        let host = database.host().await;
        let phone = host.person("Ana").await;
        let offered = phone.post("/me/transfer", &json!({})).await.unwrap();
        let code = text(&offered["code"]);
        let taken = futures_util::future::join_all((0..8).map(|_| take(&host, code))).await;
        assert_eq!(taken.iter().filter(|taken| taken.is_ok()).count(), 1);
        host.server.stop().await;
    }
}

#[tokio::test]
async fn tv_plays_while_somebody_watches_and_goes_on_with_the_next_game() {
    for database in databases() {
        let mut config = database.config();
        config.tables.tv_pace = Duration::from_millis(1);
        config.engine_time = Duration::from_millis(15);
        let host = Host::start(config).await;
        let on = host.client.get("/tv").await.unwrap()["game"].clone();
        assert_eq!(on["status"], "playing");
        assert!(on["seats"].as_array().unwrap().iter().all(|seat| seat["level"] == 10), "{on}");
        let id = text(&on["id"]).to_owned();
        assert_eq!(host.client.get("/tv").await.unwrap()["game"]["id"], id, "the same for all");
        let lobby = host.client.get("/lobby").await.unwrap();
        assert_eq!(lobby["games"], json!([]), "the lobby is for people");
        // Nobody watches, so nothing happens.
        tokio::time::sleep(Duration::from_millis(300)).await;
        let state = host.client.get(&format!("/games/{id}")).await.unwrap();
        assert_eq!(state["n_moves"], 0);
        let mut watcher = host.client.socket(&id, None).await.unwrap();
        wait_for(&mut watcher, |message| message["event"]["type"] == "moved").await;
        let over = async {
            while host.client.get("/tv").await.unwrap()["game"]["status"] != "over" {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), over).await.expect("the game ends");
        assert_eq!(host.client.get("/tv").await.unwrap()["game"]["id"], id, "its result stays");
        host.server.stop().await;
        // `azulejo db check` accepts a game that nobody created.
        let store = Store::open(database.place.clone(), "check").await.unwrap();
        assert_eq!(store.check().await.unwrap().faults, Vec::<String>::new());
        store.close().await;
    }
}

#[tokio::test]
async fn a_server_without_tv_says_so() {
    let database = sqlite();
    let mut config = database.config();
    config.has_tv = false;
    let host = Host::start(config).await;
    assert_eq!(host.client.get("/tv").await.unwrap(), json!({ "game": null }));
    host.server.stop().await;
}

#[tokio::test]
async fn strangers_are_paired_without_hints() {
    for database in databases() {
        let host = database.host().await;
        let (ana, bob, eve) =
            (host.person("Ana").await, host.person("Bob").await, host.person("Eve").await);
        // Another game in the lobby has other terms.
        let other = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }], "listed": true });
        eve.post("/games", &other).await.unwrap();
        let waits = ana.post("/pair", &json!({})).await.unwrap();
        assert_eq!(waits["begun"], false);
        assert_eq!(ana.post("/pair", &json!({})).await.unwrap(), waits, "asking twice waits once");
        let begun = bob.post("/pair", &json!({})).await.unwrap();
        assert_eq!(begun, json!({ "game": waits["game"], "begun": true }));
        let game = bob.get(&format!("/games/{}", text(&waits["game"]))).await.unwrap();
        assert_eq!((&game["status"], &game["hints"]), (&json!("playing"), &json!(false)));
        assert_eq!(game["your_seats"], json!([2]));
        assert_eq!(eve.post("/pair", &json!({})).await.unwrap()["begun"], false);
        assert_eq!(code(host.client.post("/pair", &json!({})).await), "no_token");
        host.server.stop().await;
    }
}

/// Many who ask at the same moment find each other.
#[tokio::test]
async fn a_crowd_is_paired_in_twos() {
    let database = sqlite();
    let host = database.host().await;
    let mut people = Vec::new();
    for n in 0..10 {
        people.push(host.person(&format!("P{n}")).await);
    }
    let body = json!({});
    let asked = people.iter().map(|person| person.post("/pair", &body));
    let answers = futures_util::future::join_all(asked).await;
    let begun = answers.iter().filter(|answer| answer.as_ref().unwrap()["begun"] == true).count();
    assert_eq!(begun, 5);
    host.server.stop().await;
}

#[tokio::test]
async fn all_games_can_be_listed() {
    let database = sqlite();
    let host = database.host().await;
    let ana = host.person("Ana").await;
    let body = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(ana.post("/games", &body).await.unwrap()["game"]["id"].clone());
    }
    let list = ana.get("/me/games?skip=1").await.unwrap();
    let ids: Vec<&Value> =
        list["games"].as_array().unwrap().iter().map(|game| &game["id"]).collect();
    assert_eq!(ids.len(), 2);
    assert_eq!(ana.get("/me/games?skip=3").await.unwrap()["games"], json!([]));
    assert_eq!(code(ana.get("/me/games?skip=x").await), "bad_request");
    host.server.stop().await;
}

async fn page(host: &Host, path: &str) -> String {
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: azulejo.localhost\r\nConnection: close\r\n\r\n");
    raw(host, &request).await
}

/// Other sites may show a board in a frame, and nothing else.
#[tokio::test]
async fn only_boards_may_be_framed() {
    let database = sqlite();
    let host = database.host().await;
    for (path, may_be_framed) in [
        ("/embed/abcdefghijkmnpqr", true),
        ("/embed", true),
        ("/", false),
        ("/embedded", false),
        ("/game/abcdefghijkmnpqr", false),
        ("/api/v1/options", false),
        ("/api/v1/embed/x", false),
        ("//embed/x", false),
    ] {
        let answer = page(&host, path).await.to_lowercase();
        assert_eq!(answer.contains("frame-ancestors *"), may_be_framed, "{path}: {answer}");
        assert_eq!(!answer.contains("x-frame-options: deny"), may_be_framed, "{path}");
        assert_eq!(!answer.contains("frame-ancestors 'none'"), may_be_framed, "{path}");
    }
    host.server.stop().await;
}

/// A web app of one document.
fn small_web_app(path: &str) -> Option<WebFile> {
    let content: &[u8] = match path {
        "index.html" => b"<html><head><meta property=\"og:title\" content=\"Azulejo\"></head>",
        "pages.json" => br#"["/","/game/:id","/replay/:id","/join/:id"]"#,
        _ => return None,
    };
    Some(WebFile { content: content.into(), hash: [7; 32] })
}

/// The document of a page about a game has the players and the score in its tags.
#[tokio::test]
async fn links_to_games_have_previews() {
    let database = sqlite();
    let host = Host::start(Config { web: small_web_app, ..database.config() }).await;
    assert!(page(&host, "/nonsense").await.starts_with("HTTP/1.1 404"));
    let hostile = "\"><script>x</script>";
    let ana = host.person("Ana").await;
    let body =
        json!({ "seats": [{ "kind": "me", "name": hostile }, { "kind": "here", "name": "Bob" }] });
    let game = ana.post("/games", &body).await.unwrap()["game"].clone();
    let id = text(&game["id"]);
    for path in [format!("/game/{id}"), format!("/replay/{id}"), format!("/join/{id}")] {
        let answer = page(&host, &path).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        assert!(
            answer.contains("&quot;&gt;&lt;script&gt;x&lt;/script&gt; – Bob, 0 : 0"),
            "{answer}"
        );
        assert!(!answer.contains("<script>x"), "{answer}");
        assert!(answer.contains("content=\"http://azulejo.localhost/social.png\""), "{answer}");
    }
    let other = page(&host, "/game/aaaaaaaaaaaaaaaa").await;
    assert!(other.contains("og:title\" content=\"Azulejo\""), "{other}");
    host.server.stop().await;
}
