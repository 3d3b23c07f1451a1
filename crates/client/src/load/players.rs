//! Scripted clients who play one game after another, as the web app does: over a socket with
//! compressed patches.

use crate::load::tally::Tally;
use crate::load::{MESSAGE_TIMEOUT, Phase};
use crate::{Client, ClientError, Socket};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, watch};

/// Two scripted clients.
pub(super) struct Pair {
    pub(super) n: usize,
    /// The nodes of the two clients.
    pub(super) nodes: [Client; 2],
    pub(super) tally: Arc<Tally>,
    pub(super) phase: watch::Receiver<Phase>,
    pub(super) setups: Arc<Semaphore>,
    pub(super) think: Duration,
    /// Whether all watchers watch the first game of this pair.
    pub(super) is_watched: bool,
}

/// The part of a message that a scripted client needs. The rest is skipped without being stored,
/// which keeps the load test cheaper than the server that it measures.
#[derive(Deserialize)]
struct Message {
    #[serde(rename = "type")]
    kind: String,
    number: Option<u64>,
    #[serde(alias = "patch")]
    game: Option<GamePart>,
    #[serde(default)]
    error: serde_json::Value,
}

/// The part of a game, or of a patch.
#[derive(Deserialize)]
struct GamePart {
    number: u64,
    status: Option<String>,
    your_turn: Option<bool>,
    #[serde(default)]
    moves: Vec<MovePart>,
}

#[derive(Deserialize)]
struct MovePart {
    #[serde(rename = "move")]
    m: String,
}

/// The next move: the player, the number of the last event, and a random legal move.
type Turn = (usize, u64, String);

impl Pair {
    pub(super) async fn run(mut self) {
        let mut rng = 0x9e37_79b9_u64.wrapping_mul(self.n as u64 + 1);
        let mut is_first = true;
        loop {
            match self.game(&mut rng, is_first).await {
                Ok(true) => Tally::add(&self.tally.finished),
                Ok(false) => return,
                Err(error) => return self.tally.add_error(&error),
            }
            is_first = false;
        }
    }

    /// Plays a game. Returns `true` when it was finished, `false` when the load test stops.
    async fn game(&mut self, rng: &mut u64, is_first: bool) -> Result<bool, ClientError> {
        let permit = Arc::clone(&self.setups).acquire_owned().await;
        let (ana, bob, id) = self.set_up().await?;
        let mut sockets = [ana.patch_socket(&id, None).await?, bob.patch_socket(&id, None).await?];
        drop((ana, bob, permit));
        let mut turn: Option<Turn> = None;
        for (i, socket) in sockets.iter_mut().enumerate() {
            let message = receive(&self.nodes[i], socket).await?;
            turn = turn.or(to_move(i, &message, rng));
        }
        if is_first {
            if self.is_watched {
                self.tally.set_watched_game(&id);
            }
            self.tally.add_game();
        }
        // Wait until all games are set up. The sockets are read meanwhile, because only a socket
        // that is read answers the server's pings.
        loop {
            let [one, two] = &mut sockets;
            tokio::select! {
                phase = self.phase.wait_for(|phase| *phase != Phase::SetUp) => match phase {
                    Ok(_) => break,
                    Err(_) => return Ok(false),
                },
                message = one.next_text() => message.map(|_| ())?,
                message = two.next_text() => message.map(|_| ())?,
            }
        }
        loop {
            let Some(next) = turn.take() else {
                return Err(self.nodes[0].unexpected("no player is to move"));
            };
            let pause = self.think.mul_f64(0.4 + 1.2 * (random(rng) % 1000) as f64 / 1000.0);
            let wait = self.phase.wait_for(|phase| *phase == Phase::Stop);
            if tokio::time::timeout(pause, wait).await.is_ok() {
                return Ok(false);
            }
            let is_over = self.play(&mut sockets, &next, &mut turn, rng).await?;
            if is_over {
                return Ok(true);
            }
        }
    }

    /// Plays a move and waits until both players have heard of it. Returns whether the game is over.
    async fn play(
        &self,
        sockets: &mut [Socket; 2],
        (mover, number, m): &Turn,
        turn: &mut Option<Turn>,
        rng: &mut u64,
    ) -> Result<bool, ClientError> {
        let sent = Instant::now();
        let command =
            json!({ "type": "move", "move": m, "after": number, "id": format!("m{number}") });
        sockets[*mover].send(&json!({ "type": "command", "command": command })).await?;
        let mut is_over = false;
        // The opponent first: the latency is measured there.
        for player in [1 - mover, *mover] {
            let n_bytes = sockets[player].n_bytes();
            let message = loop {
                let message = receive(&self.nodes[player], &mut sockets[player]).await?;
                match message.kind.as_str() {
                    "patch" | "event" if message.number > Some(*number) => break message,
                    // The server starts again from the state when a client was too slow.
                    "state" if message.game.as_ref().is_some_and(|game| game.number > *number) => {
                        break message;
                    }
                    "error" => return Err(self.nodes[player].unexpected(&message.error)),
                    _ => {}
                }
            };
            if player != *mover {
                self.tally.add_move(sent.elapsed(), self.is_watched);
            }
            let game = message.game.as_ref();
            is_over |= game.is_some_and(|game| game.status.as_deref() == Some("over"));
            let next = to_move(player, &message, rng);
            let n_bytes = sockets[player].n_bytes() - n_bytes;
            self.tally.add_player_bytes(next.is_some(), n_bytes);
            *turn = turn.take().or(next);
        }
        Ok(is_over)
    }

    /// Creates a game between two new people.
    async fn set_up(&self) -> Result<(Client, Client, String), ClientError> {
        let ana = self.nodes[0].new_person("Ana").await?;
        let bob = self.nodes[1].new_person("Bob").await?;
        let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }] });
        let created = ana.post("/games", &seats).await?;
        let id = created["game"]["id"].as_str().unwrap_or_default().to_owned();
        let secret = &created["invitations"][0]["secret"];
        bob.post(&format!("/games/{id}/join"), &json!({ "secret": secret })).await?;
        Ok((ana, bob, id))
    }
}

/// The next message.
async fn receive(client: &Client, socket: &mut Socket) -> Result<Message, ClientError> {
    let text = tokio::time::timeout(MESSAGE_TIMEOUT, socket.next_text()).await;
    let text = text.map_err(|_| client.broken("no message for 30 s"))?;
    let text = text?.ok_or_else(|| client.broken("the server closed the socket"))?;
    serde_json::from_str(&text).map_err(|e| client.unexpected(e))
}

/// If a player is to move: the turn, with a random legal move. A patch has the moves whenever the
/// position changed, which it does with every move.
fn to_move(player: usize, message: &Message, rng: &mut u64) -> Option<Turn> {
    let game = message.game.as_ref().filter(|game| !game.moves.is_empty())?;
    if game.your_turn == Some(false) {
        return None;
    }
    let m = &game.moves[random(rng) as usize % game.moves.len()].m;
    Some((player, game.number, m.clone()))
}

/// Linear congruential generator, good enough to choose moves in a load test.
fn random(rng: &mut u64) -> u64 {
    *rng = rng.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *rng >> 33
}
