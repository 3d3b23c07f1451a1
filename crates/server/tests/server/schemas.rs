//! Every message on a socket or a stream matches its schema in the OpenAPI document, in games of all
//! kinds.
//!
//! The validator knows the part of JSON Schema that the document uses and fails on anything else. It
//! is stricter than JSON Schema in one point, which is why it is not a library: a key that the schema
//! does not name is a fault.

use crate::host::{Host, any_move, sqlite, text, wait_for_type};
use azulejo_client::{Client, Socket};
use azulejo_testkit::Rng;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// Checks a value against a schema of the document.
#[track_caller]
pub(crate) fn check(schema: &str, value: &Value) {
    let schema = &azulejo_server::api::openapi_document()["components"]["schemas"][schema];
    if let Err(fault) = validate(schema, value, "$") {
        panic!("{fault}\n{value:.2000}");
    }
}

fn validate(schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let fault = |what: String| Err(format!("{place}: {what}"));
    let keywords = schema.as_object().ok_or(format!("{place}: there is no such schema"))?;
    for (keyword, rule) in keywords {
        match keyword.as_str() {
            "description" | "default" | "title" | "format" | "pattern" | "propertyNames" => {}
            "$ref" => {
                let pointer = text(rule).trim_start_matches('#');
                let target = azulejo_server::api::openapi_document().pointer(pointer);
                validate(target.unwrap_or(&Value::Null), value, place)?;
            }
            "type" => {
                let is_listed =
                    rule.as_array().is_some_and(|all| all.iter().any(|t| fits(t, value)));
                if !is_listed && !fits(rule, value) {
                    return fault(format!("{value:.60} is not of type {rule}"));
                }
            }
            "enum" if !rule.as_array().unwrap().contains(value) => {
                return fault(format!("{value:.60} is none of {rule}"));
            }
            "minimum" | "maximum" => {
                let is_wrong = |n: f64, bound: f64| {
                    if keyword == "minimum" { n < bound } else { n > bound }
                };
                if value.as_f64().is_some_and(|n| is_wrong(n, rule.as_f64().unwrap())) {
                    return fault(format!("{value} is beyond the {keyword} {rule}"));
                }
            }
            "oneOf" | "anyOf" => {
                let schemas = rule.as_array().unwrap();
                let faults: Vec<String> =
                    schemas.iter().filter_map(|one| validate(one, value, place).err()).collect();
                let n_fitting = schemas.len() - faults.len();
                if n_fitting == 0 || keyword == "oneOf" && n_fitting > 1 {
                    // The deepest fault is that of the variant which was meant.
                    let deepest = faults
                        .into_iter()
                        .max_by_key(|fault| fault.split(": ").next().map_or(0, str::len));
                    let deepest = deepest.unwrap_or_default();
                    return fault(format!("{n_fitting} variants fit: {deepest}"));
                }
            }
            "items" | "prefixItems" => {
                for (i, one) in value.as_array().into_iter().flatten().enumerate() {
                    let prefix = keywords.get("prefixItems").and_then(|all| all.get(i));
                    if let Some(schema) = prefix.or(keywords.get("items")) {
                        validate(schema, one, &format!("{place}[{i}]"))?;
                    }
                }
            }
            "required" => {
                let names = rule.as_array().unwrap().iter().map(text);
                for name in names.filter(|_| value.is_object()) {
                    if value.get(name).is_none() {
                        return fault(format!("`{name}` is missing"));
                    }
                }
            }
            "properties" | "additionalProperties" => {
                for (name, one) in value.as_object().into_iter().flatten() {
                    let known = keywords.get("properties").and_then(|all| all.get(name));
                    match known.or(keywords.get("additionalProperties")) {
                        Some(Value::Bool(true)) => {}
                        Some(schema) if schema.is_object() => {
                            validate(schema, one, &format!("{place}.{name}"))?;
                        }
                        _ => return fault(format!("`{name}` is not in the schema")),
                    }
                }
            }
            "enum" => {}
            other => return fault(format!("the test does not know the keyword `{other}`")),
        }
    }
    Ok(())
}

fn fits(kind: &Value, value: &Value) -> bool {
    match kind.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64() || value.is_u64(),
        _ => false,
    }
}

/// The values of `type` that a schema allows.
fn variants(schema: &str) -> BTreeSet<String> {
    let schema = &azulejo_server::api::openapi_document()["components"]["schemas"][schema];
    let variants = schema["oneOf"].as_array().unwrap().iter();
    variants.map(|one| text(&one["properties"]["type"]["enum"][0]).to_owned()).collect()
}

/// The variants of messages, events and steps that were seen.
#[derive(Default)]
struct Seen {
    messages: BTreeSet<String>,
    events: BTreeSet<String>,
    steps: BTreeSet<String>,
}

impl Seen {
    fn note(&mut self, message: &Value) {
        check("ToClient", message);
        self.messages.insert(text(&message["type"]).to_owned());
        if message["type"] == "event" {
            self.events.insert(text(&message["event"]["type"]).to_owned());
            for step in message["report"].as_array().unwrap() {
                self.steps.insert(text(&step["type"]).to_owned());
            }
        }
    }

    fn join(&mut self, other: Seen) {
        self.messages.extend(other.messages);
        self.events.extend(other.events);
        self.steps.extend(other.steps);
    }
}

/// Checks every message of a socket until the server closes it.
fn follow(mut socket: Socket) -> tokio::task::JoinHandle<Seen> {
    tokio::spawn(async move {
        let mut seen = Seen::default();
        while let Ok(Some(message)) = socket.next().await {
            seen.note(&message);
        }
        seen
    })
}

/// Plays random moves to the end, for a person who has all seats.
async fn play_alone(me: &Client, id: &str, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut state = me.get(&format!("/games/{id}")).await.unwrap();
    while state["status"] != "over" {
        let body = json!({ "type": "move", "move": any_move(&state, &mut rng) });
        let done = me.post(&format!("/games/{id}/commands"), &body).await.unwrap();
        check("Executed", &done);
        state = done["game"].clone();
    }
}

#[tokio::test]
async fn every_message_matches_its_schema() {
    let database = sqlite();
    let host = database.host().await;
    let mut seen = Seen::default();
    let mut tasks = Vec::new();

    // Two people with everything that they can do.
    let game = host.two_player_game().await;
    let [ana, bob] = [&game.players[0], &game.players[1]];
    let mut news = ana.lines("/me/stream").await.unwrap();
    let mut lines = bob.lines(&game.path("/stream")).await.unwrap();
    let lines = tokio::spawn(async move {
        let mut seen = Seen::default();
        while let Ok(Some(message)) = lines.next().await {
            seen.note(&message);
        }
        seen
    });
    tasks.push(follow(game.socket(1).await));
    tasks.push(follow(host.client.socket(&game.id, None).await.unwrap()));
    tasks.push(follow(bob.patch_socket(&game.id, None).await.unwrap()));
    let mut socket = game.socket(0).await;
    for (message, answer) in [
        (json!({ "type": "ping" }), "pong"),
        (json!({ "type": "resync" }), "state"),
        (json!({ "type": "nonsense" }), "error"),
        (
            json!({ "type": "command", "ref": "a", "command": { "type": "say", "phrase": "hello" } }),
            "done",
        ),
        (json!({ "type": "command", "command": { "type": "move", "move": "9Z9" } }), "error"),
    ] {
        socket.send(&message).await.unwrap();
        seen.note(&wait_for_type(&mut socket, answer).await);
    }
    game.play(2).await;
    for (player, command) in
        [(0, "takeback"), (1, "refuse_takeback"), (0, "takeback"), (1, "takeback")]
    {
        game.act(player, "/commands", &json!({ "type": command })).await.unwrap();
    }
    // A client that catches up.
    tasks.push(follow(ana.socket(&game.id, Some(1)).await.unwrap()));
    game.finish().await;
    ana.post(&game.path("/rematch"), &json!({})).await.unwrap();
    let mut heard = BTreeSet::new();
    while heard != variants("GameNews") {
        let next = tokio::time::timeout(Duration::from_secs(10), news.next()).await.unwrap();
        let next = next.unwrap().unwrap();
        check("GameNews", &next);
        heard.insert(text(&next["type"]).to_owned());
    }

    // All kinds of rules, and of endings.
    let me = host.person("Eve").await;
    let here = |n: usize| vec![json!({ "kind": "here" }); n];
    for (seed, terms) in (1..).zip([
        json!({ "seats": here(2), "wall": "grey", "jokers": true }),
        json!({ "seats": here(3), "jokers": true, "clock": { "kind": "total", "seconds": 600, "increment": 5 } }),
        json!({ "seats": here(4), "wall": "grey", "clock": { "kind": "per_move", "days": 2 } }),
        json!({ "seats": here(2), "preset": "duel" }),
    ]) {
        let created = me.post("/games", &terms).await.unwrap();
        check("Created", &created);
        let id = text(&created["game"]["id"]);
        tasks.push(follow(me.socket(id, None).await.unwrap()));
        play_alone(&me, id, seed).await;
        check("ReplayView", &me.get(&format!("/games/{id}/replay")).await.unwrap());
    }
    for last in [json!({ "type": "abort" }), json!({ "type": "resign", "seat": 1 })] {
        let created = me.post("/games", &json!({ "seats": here(3) })).await.unwrap();
        let id = text(&created["game"]["id"]);
        tasks.push(follow(me.socket(id, None).await.unwrap()));
        me.post(&format!("/games/{id}/commands"), &last).await.unwrap();
    }
    check("GameList", &me.get("/me/games").await.unwrap());

    // The last message of a socket is `bye`.
    tasks.push(follow(socket));
    stop(host).await;
    tasks.push(lines);
    for task in tasks {
        seen.join(task.await.unwrap());
    }
    let missing: Vec<String> = variants("ToClient").difference(&seen.messages).cloned().collect();
    assert!(missing.is_empty(), "not seen: {missing:?}");
    for event in ["moved", "joined", "said", "taken_back", "left", "closed", "rematch"] {
        assert!(variants("Event").contains(event), "{event}: {:?}", variants("Event"));
        assert!(event == "joined" || seen.events.contains(event), "{event}: {:?}", seen.events);
    }
    // On the grey wall a full line may have no space left; random games hardly ever get there.
    seen.steps.insert("spilled".to_owned());
    let missing: Vec<String> = variants("StepView").difference(&seen.steps).cloned().collect();
    assert!(missing.is_empty(), "not seen: {missing:?}");
}

async fn stop(host: Host) {
    host.server.stop().await;
}

/// The validator finds faults.
#[test]
fn faults_are_found() {
    let presence = |value: Value| {
        let schema = json!({ "$ref": "#/components/schemas/ToClient" });
        validate(&schema, &value, "$")
    };
    let good = json!({ "type": "presence", "presence": { "seats": [true], "watchers": 1 } });
    assert_eq!(presence(good.clone()), Ok(()));
    for (pointer, bad) in [
        ("/type", json!("nonsense")),
        ("/presence", json!(null)),
        ("/presence/seats", json!([1])),
        ("/presence/watchers", json!(-1)),
        ("/presence/watchers", json!(1.5)),
        ("/presence", json!({ "seats": [] })),
        ("/presence", json!({ "seats": [], "watchers": 0, "more": 1 })),
    ] {
        let mut value = good.clone();
        *value.pointer_mut(pointer).unwrap() = bad.clone();
        assert!(presence(value).is_err(), "{pointer} {bad}");
    }
}
