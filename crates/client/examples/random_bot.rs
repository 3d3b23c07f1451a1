//! A bot that plays random legal moves against level 1 of the server's engine:
//! `cargo run -p azulejo-client --example random_bot -- http://127.0.0.1:8137`.

use azulejo_client::{Client, ClientError};
use serde_json::json;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), ClientError> {
    let server = std::env::args().nth(1).unwrap_or("http://127.0.0.1:8137".to_owned());
    let me = Client::new(&server)?.new_person("Random").await?;
    let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "engine", "level": 1 }] });
    let created = me.post("/games", &seats).await?;
    let id = created["game"]["id"].as_str().unwrap_or_default();
    println!("watch at {}", me.url(&format!("/game/{id}")));

    let mut seed = 1_usize;
    let mut lines = me.lines(&format!("/games/{id}/stream")).await?;
    while let Some(message) = lines.next().await? {
        let game = &message["game"];
        if game["your_turn"] == true
            && let Some(moves) = game["moves"].as_array()
        {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let m = &moves[(seed >> 33) % moves.len()]["move"];
            println!("{}", m.as_str().unwrap_or_default());
            me.post(&format!("/games/{id}/commands"), &json!({ "type": "move", "move": m }))
                .await?;
        }
        if game["status"] == "over" {
            println!("scores {}", game["result"]["scores"]);
        }
    }
    Ok(())
}
