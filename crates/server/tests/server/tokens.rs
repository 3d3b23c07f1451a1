//! Tokens: several for one person, replaced and revoked, on one node and on two.

use crate::host::{Host, code, databases, text};
use azulejo_client::{Client, Method};
use azulejo_server::Place;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

async fn delete(client: &Client, path: &str) -> Result<Value, azulejo_client::ClientError> {
    client.json(Method::DELETE, path, None).await
}

#[tokio::test]
async fn a_person_may_have_several_tokens_and_revoke_them() {
    for database in databases() {
        let host = database.host().await;
        let phone = host.person("Ana").await;
        let made = phone.post("/me/tokens", &json!({})).await.unwrap();
        let laptop = host.client.with_token(text(&made["token"]));
        assert_eq!(laptop.get("/me").await.unwrap(), phone.get("/me").await.unwrap());
        let list = laptop.get("/me/tokens").await.unwrap();
        let tokens = list["tokens"].as_array().unwrap();
        assert_eq!(tokens.len(), 2);
        let current: Vec<&Value> = tokens.iter().filter(|one| one["is_current"] == true).collect();
        assert_eq!((current.len(), &current[0]["id"]), (1, &made["id"]));
        for client in [&phone, &laptop] {
            assert!(!list.to_string().contains(client.token().unwrap()), "no secret is listed");
        }
        // Rotation: the new token works, the old one does not.
        let rotated = laptop.post("/me/tokens", &json!({ "replace": true })).await.unwrap();
        assert_eq!(code(laptop.get("/me").await), "unknown_token");
        let laptop = host.client.with_token(text(&rotated["token"]));
        laptop.get("/me").await.unwrap();
        // One by its id; nobody else's.
        let eve = host.person("Eve").await;
        let path = format!("/me/tokens/{}", text(&rotated["id"]));
        assert_eq!(code(delete(&eve, &path).await), "not_found");
        assert_eq!(delete(&phone, &path).await.unwrap()["tokens"].as_array().unwrap().len(), 1);
        assert_eq!(code(laptop.get("/me").await), "unknown_token");
        assert_eq!(code(delete(&phone, &path).await), "not_found");
        // Everywhere else.
        let mut others = Vec::new();
        for _ in 0..3 {
            let made = phone.post("/me/tokens", &json!({})).await.unwrap();
            others.push(host.client.with_token(text(&made["token"])));
        }
        others[0].get("/me").await.unwrap();
        delete(&phone, "/me/tokens").await.unwrap();
        for other in &others {
            assert_eq!(code(other.get("/me").await), "unknown_token");
        }
        phone.get("/me").await.unwrap();
        eve.get("/me").await.unwrap();
        // Not without end.
        for _ in 1..20 {
            phone.post("/me/tokens", &json!({})).await.unwrap();
        }
        assert_eq!(code(phone.post("/me/tokens", &json!({})).await), "forbidden");
        phone.post("/me/tokens", &json!({ "replace": true })).await.unwrap();
        host.server.stop().await;
    }
}

/// What one node changes, the other knows within seconds, although it has the person in its cache.
#[tokio::test]
async fn names_and_revoked_tokens_reach_all_nodes() {
    let shared = databases().into_iter().find(|one| matches!(one.place, Place::Postgres(_)));
    let Some(database) = shared else { return };
    let (one, two) = (database.host().await, database.host().await);
    let here = one.person("Ana").await;
    let there = two.client.with_token(here.token().unwrap());
    assert_eq!(there.get("/me").await.unwrap()["name"], "Ana");
    here.json(Method::PATCH, "/me", Some(&json!({ "name": "Anna" }))).await.unwrap();
    soon("the name", async || there.get("/me").await.unwrap()["name"] == "Anna").await;
    here.post("/me/tokens", &json!({ "replace": true })).await.unwrap();
    soon("the revoked token", async || there.get("/me").await.is_err()).await;
    one.server.stop().await;
    two.server.stop().await;
}

pub(crate) async fn soon(what: &str, is_so: impl AsyncFn() -> bool) {
    let start = Instant::now();
    while !is_so().await {
        assert!(start.elapsed() < Duration::from_secs(5), "{what} takes more than 5 s");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A browser's cookie is replaced by a new one.
#[tokio::test]
async fn a_cookie_is_rotated() {
    let database = crate::host::sqlite();
    let host: Host = database.host().await;
    let answer =
        crate::host::raw(&host, &crate::host::post("/people", "", "{\"cookie\":true}")).await;
    let cookie = |answer: &str| {
        let line = answer.lines().find(|line| line.to_lowercase().starts_with("set-cookie:"));
        let line = line.unwrap_or_else(|| panic!("no cookie: {answer}"));
        line.split_once(':').unwrap().1.split(';').next().unwrap().trim().to_owned()
    };
    let old = cookie(&answer);
    let body = "{\"cookie\":true,\"replace\":true}";
    let headers = format!("Cookie: {old}\r\n");
    let answer = crate::host::raw(&host, &crate::host::post("/me/tokens", &headers, body)).await;
    let new = cookie(&answer);
    assert_ne!(old, new);
    assert!(answer.contains("\"token\":null"), "{answer}");
    let secret = new.split_once('=').unwrap().1;
    assert!(!answer.split("\r\n\r\n").nth(1).unwrap().contains(secret), "the body has no secret");
    host.client.with_token(secret).get("/me").await.unwrap();
    let old = host.client.with_token(old.split_once('=').unwrap().1);
    assert_eq!(code(old.get("/me").await), "unknown_token");
    host.server.stop().await;
}
