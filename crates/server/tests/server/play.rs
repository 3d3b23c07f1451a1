//! Creating, joining and playing games by HTTP requests, and every rejection.

use crate::host::{any_move, code, databases, post, raw, sqlite, text};
use azulejo_notation::Record;
use azulejo_testkit::Rng;
use serde_json::json;

#[tokio::test]
async fn two_people_play_a_whole_game() {
    for database in databases() {
        let host = database.host().await;
        let game = host.two_player_game().await;
        let end = game.finish().await;
        assert_eq!(end["result"]["ended_by"], "row");
        let (_, record) = game.players[0]
            .text(azulejo_client::Method::GET, &format!("/api/v1{}", game.path("/record")), None)
            .await
            .unwrap();
        // The record is played while it is read, and its result is checked.
        let record = Record::parse(&record).expect("a good record");
        let scores: Vec<u64> = record.end().unwrap().scores.iter().map(|&n| n.into()).collect();
        assert_eq!(json!(scores), end["result"]["scores"]);
        assert_eq!(record.n_moves() as u64, end["n_moves"].as_u64().unwrap());
        assert_eq!(record.names(), [Some("Ana".to_owned()), Some("Bob".to_owned())]);
        let replay = game.players[1].get(&game.path("/replay")).await.unwrap();
        let steps = replay["steps"].as_array().unwrap();
        assert_eq!(steps.last().unwrap()["position"], end["position"]);
        assert_eq!(steps[0]["report"][0]["type"], "dealt");
        let by_json = game.players[0].get(&game.path("/record?format=json")).await.unwrap();
        assert_eq!(Record::from_json(by_json.to_string()).unwrap(), record);
        host.server.stop().await;
    }
}

#[tokio::test]
async fn every_variant_can_be_played() {
    let database = sqlite();
    let host = database.host().await;
    let me = host.person("Ana").await;
    for n in 2..=4 {
        for (wall, jokers) in
            [("colored", false), ("grey", false), ("colored", true), ("grey", true)]
        {
            let seats: Vec<_> = (0..n).map(|_| json!({ "kind": "here" })).collect();
            let body = json!({ "seats": seats, "wall": wall, "jokers": jokers });
            let created = me.post("/games", &body).await.unwrap();
            let path = format!("/games/{}", text(&created["game"]["id"]));
            let mut state = created["game"].clone();
            let mut rng = Rng::new(5);
            for _ in 0..2_000 {
                if state["status"] == "over" {
                    break;
                }
                assert_eq!(state["your_turn"], true);
                assert_eq!(
                    state["position"]["n_legal_moves"],
                    state["moves"].as_array().unwrap().len()
                );
                let m = any_move(&state, &mut rng);
                let body = json!({ "type": "move", "move": m, "after": state["number"] });
                state = me.post(&format!("{path}/commands"), &body).await.unwrap()["game"].clone();
            }
            assert_eq!(state["status"], "over", "{n} {wall} {jokers}");
            let ranks = state["result"]["ranks"].as_array().unwrap();
            assert_eq!(ranks.len(), n);
        }
    }
    host.server.stop().await;
}

#[tokio::test]
async fn rejected_moves_change_nothing() {
    for database in databases() {
        let host = database.host().await;
        let game = host.two_player_game().await;
        let (i, state) = game.turn().await;
        let other = 1 - i;
        let number = state["number"].as_u64().unwrap();
        let good = text(&state["moves"][0]["move"]).to_owned();
        let stranger = host.person("Eve").await;
        let play = |body: serde_json::Value| body;
        for (player, body, expected) in [
            (Some(other), json!({ "type": "move", "move": good }), "not_your_turn"),
            (None, json!({ "type": "move", "move": good }), "not_seated"),
            (Some(i), json!({ "type": "move", "move": good, "seat": other + 1 }), "not_your_seat"),
            (Some(i), json!({ "type": "move", "move": good, "seat": 9 }), "no_such_seat"),
            (Some(i), json!({ "type": "move", "move": "9B1" }), "illegal_move"),
            (Some(i), json!({ "type": "move", "move": "r1c1" }), "illegal_move"),
            (Some(i), json!({ "type": "move", "move": "x" }), "not_a_move"),
            (Some(i), json!({ "type": "move", "move": "" }), "not_a_move"),
            (Some(i), json!({ "type": "move", "move": good, "after": number - 1 }), "stale"),
            (Some(i), json!({ "type": "move", "move": good, "id": "" }), "bad_move_id"),
            (Some(i), json!({ "type": "move", "move": good, "id": "a b" }), "bad_move_id"),
            (Some(i), json!({ "type": "move", "move": good, "id": "x".repeat(65) }), "bad_move_id"),
            (Some(i), json!({ "type": "move", "mov": good }), "bad_request"),
            (Some(i), json!([good]), "bad_request"),
            (Some(i), json!({ "type": "move", "move": 5 }), "bad_request"),
        ] {
            let person = player.map_or(&stranger, |player| &game.players[player]);
            let found = code(person.post(&game.path("/commands"), &play(body.clone())).await);
            assert_eq!(found, expected, "{body}");
        }
        assert_eq!(
            code(
                host.client
                    .post(&game.path("/commands"), &json!({ "type": "move", "move": good }))
                    .await
            ),
            "no_token"
        );
        let nowhere = json!({ "type": "move", "move": good });
        for path in ["/games/abcdefghijkmnpqr/commands", "/games/x/commands"] {
            assert_eq!(code(game.players[i].post(path, &nowhere).await), "not_found", "{path}");
        }
        // Clients resolve `%2e%2e` before they send it, so this request is written by hand.
        let token = format!("Authorization: Bearer {}\r\n", game.players[i].token().unwrap());
        let body = nowhere.to_string();
        let answer = raw(&host, &post("/games/%2e%2e/commands", &token, &body)).await;
        assert!(answer.contains("\"not_found\""), "{answer}");
        let after = game.state(i).await;
        assert_eq!(after["position"], state["position"]);
        assert_eq!(after["number"], state["number"]);
        // A legal move is still accepted.
        game.act(i, "/commands", &json!({ "type": "move", "move": good, "after": number }))
            .await
            .unwrap();
        host.server.stop().await;
    }
}

#[tokio::test]
async fn a_move_that_is_sent_twice_is_played_once() {
    for database in databases() {
        let host = database.host().await;
        let game = host.two_player_game().await;
        let (i, state) = game.turn().await;
        let body = json!({ "type": "move", "move": state["moves"][0]["move"], "id": "m-1", "after": state["number"] });
        let first = game.act(i, "/commands", &body).await.unwrap();
        let second = game.act(i, "/commands", &body).await.unwrap();
        assert_eq!((&first["repeated"], &second["repeated"]), (&json!(false), &json!(true)));
        assert_eq!(first["number"], second["number"]);
        assert_eq!(first["game"]["position"], second["game"]["position"]);
        let other = json!({ "type": "move", "move": state["moves"][1]["move"], "id": "m-1" });
        assert_eq!(code(game.act(i, "/commands", &other).await), "move_id_reused");
        // Ids are per player.
        let (j, state) = game.turn().await;
        assert_ne!(i, j);
        let body = json!({ "type": "move", "move": state["moves"][0]["move"], "id": "m-1" });
        assert_eq!(game.act(j, "/commands", &body).await.unwrap()["repeated"], false);
        game.play(3).await;
        // Later, and after a restart, the id still names the same move.
        host.server.stop().await;
        let host = database.host().await;
        let again = host.client.with_token(game.players[i].token().unwrap());
        let body =
            json!({ "type": "move", "move": first["game"]["last_move"], "id": "m-1", "after": 1 });
        let third = again.post(&game.path("/commands"), &body).await.unwrap();
        assert_eq!((&third["repeated"], &third["number"]), (&json!(true), &first["number"]));
        host.server.stop().await;
    }
}

#[tokio::test]
async fn seats_are_taken_by_invitation() {
    for database in databases() {
        let host = database.host().await;
        let (ana, bob, eve) =
            (host.person("Ana").await, host.person("Bob").await, host.person("Eve").await);
        let body = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }, { "kind": "open" }] });
        let created = ana.post("/games", &body).await.unwrap();
        let (game, invitations) = (&created["game"], created["invitations"].as_array().unwrap());
        assert_eq!((game["status"].as_str(), invitations.len()), (Some("waiting"), 2));
        let path = format!("/games/{}", text(&game["id"]));
        let join = format!("{path}/join");
        let [two, three] = [0, 1].map(|i| text(&invitations[i]["secret"]).to_owned());
        assert_eq!(code(bob.post(&join, &json!({})).await), "not_invited");
        assert_eq!(code(bob.post(&join, &json!({ "secret": "no" })).await), "not_invited");
        assert_eq!(
            code(bob.post(&join, &json!({ "secret": two, "seat": 3 })).await),
            "not_invited"
        );
        assert_eq!(
            code(bob.post(&join, &json!({ "seat": 7, "secret": two })).await),
            "not_invited"
        );
        assert_eq!(code(ana.post(&join, &json!({ "secret": two })).await), "already_seated");
        assert_eq!(
            code(
                ana.post(&format!("{path}/commands"), &json!({ "type": "move", "move": "1B1" }))
                    .await
            ),
            "not_started"
        );
        // A new invitation takes the place of the old one, and only the creator makes it.
        assert_eq!(
            code(bob.post(&format!("{path}/invitations"), &json!({ "seat": 3 })).await),
            "forbidden"
        );
        assert_eq!(
            code(ana.post(&format!("{path}/invitations"), &json!({ "seat": 1 })).await),
            "seat_taken"
        );
        let new = ana.post(&format!("{path}/invitations"), &json!({ "seat": 3 })).await.unwrap();
        assert_eq!(code(bob.post(&join, &json!({ "secret": three })).await), "not_invited");
        let joined =
            bob.post(&join, &json!({ "secret": new["secret"], "name": "Bobby" })).await.unwrap();
        assert_eq!(joined["game"]["your_seats"], json!([3]));
        assert_eq!(joined["game"]["seats"][2]["name"], "Bobby");
        assert_eq!(code(eve.post(&join, &json!({ "secret": new["secret"] })).await), "seat_taken");
        let begun = eve.post(&join, &json!({ "secret": two })).await.unwrap();
        assert_eq!(begun["game"]["status"], "playing");
        assert_eq!(begun["game"]["report"][0]["type"], "dealt");
        let last = host.person("Last").await;
        assert_eq!(code(last.post(&join, &json!({})).await), "full");
        host.server.stop().await;
    }
}

#[tokio::test]
async fn invalid_games_are_not_created() {
    let database = sqlite();
    let host = database.host().await;
    let me = host.person("Ana").await;
    let two = json!([{ "kind": "me" }, { "kind": "here", "name": "Bob" }]);
    for (body, expected) in [
        (json!({}), "two to four"),
        (json!({ "seats": [{ "kind": "me" }] }), "two to four"),
        (json!({ "seats": two, "wall": "blue" }), "`wall`"),
        (json!({ "seats": two, "preset": "chess" }), "`preset`"),
        (json!({ "seats": two, "rules": { "row_bonus": "many" } }), "row_bonus"),
        (json!({ "seats": two, "rules": { "players": "3" } }), "must not contain"),
        (json!({ "seats": two, "seed": "a b" }), "seed"),
        (json!({ "seats": two, "clock": { "kind": "total", "seconds": 0 } }), "clock.seconds"),
        (json!({ "seats": two, "clock": { "kind": "hourglass" } }), "unknown variant"),
        (json!({ "seats": two, "position": "az1" }), "position"),
        (json!({ "seats": two, "extra": 1 }), "unknown field"),
        (json!({ "seats": [{ "kind": "engine", "level": 11 }, { "kind": "me" }] }), "`level`"),
        (
            json!({ "seats": [{ "kind": "engine", "level": 1 }, { "kind": "engine", "level": 1 }] }),
            "at least one",
        ),
        (json!({ "seats": [{ "kind": "me", "name": "\u{7}" }, { "kind": "open" }] }), "a name"),
        (
            json!({ "seats": [{ "kind": "me" }, { "kind": "me" }, { "kind": "me" }], "preset": "duel" }),
            "two players",
        ),
    ] {
        let error = me.post("/games", &body).await.unwrap_err();
        assert_eq!(error.code(), Some("bad_request"), "{body}: {error}");
        assert!(error.to_string().contains(expected), "{body}: {error}");
    }
    // From a position, in the middle of a round.
    let position = "az1_2c_d2_2s2_.-.-.-.-._1RRR_rest_._7~.-..-RR.-....-.....~B....-.....-K....-.....-.....~BBBBBB_3~.-..-...-B...-KKKK.~.....-W....-.....-.....-.....~BBBBB";
    let body = json!({ "seats": two, "position": position });
    let game = me.post("/games", &body).await.unwrap()["game"].clone();
    assert_eq!((&game["position"]["turn"], &game["position"]["round"]), (&json!(2), &json!(2)));
    assert_eq!(game["moves"].as_array().unwrap().len(), 4);
    host.server.stop().await;
}
