//! A server on a free port with a database of its own for one test, and the people who use it.

use azulejo_client::{Client, ClientError, Socket};
use azulejo_server::{Config, Place, Server};
use azulejo_testkit::{Rng, Scratch, postgres};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The databases that a test runs on: SQLite, and PostgreSQL if it is installed.
pub(crate) fn databases() -> Vec<Database> {
    let folder = Scratch::new();
    let file = Place::File(folder.path().join("games.db"));
    let mut databases = vec![Database { place: file, _folder: Some(folder) }];
    if let Some(url) = postgres::new_database() {
        databases.push(Database { place: Place::read(&url), _folder: None });
    }
    databases
}

/// The same with the content of `games.db` and `games.sql` in a folder.
pub(crate) fn databases_from(content: &Path) -> Vec<Database> {
    let mut databases = vec![sqlite()];
    let Place::File(file) = &databases[0].place else { panic!("SQLite has a file") };
    std::fs::copy(content.join("games.db"), file).unwrap();
    if let Some(url) = postgres::new_database_from(&content.join("games.sql")) {
        databases.push(Database { place: Place::read(&url), _folder: None });
    }
    databases
}

pub(crate) fn sqlite() -> Database {
    let folder = Scratch::new();
    Database { place: Place::File(folder.path().join("games.db")), _folder: Some(folder) }
}

/// A database that is removed when this value is dropped.
pub(crate) struct Database {
    pub(crate) place: Place,
    _folder: Option<Scratch>,
}

impl Database {
    pub(crate) fn config(&self) -> Config {
        let any: SocketAddr = "127.0.0.1:0".parse().unwrap();
        let mut config = Config::new(any, self.place.clone());
        config.limits.is_on = false;
        config.engine_time = Duration::from_millis(150);
        config.tables.start_grace = Duration::ZERO;
        config.tables.presence = Duration::from_millis(30);
        config.grace = Duration::from_secs(2);
        config
    }

    pub(crate) async fn host(&self) -> Host {
        Host::start(self.config()).await
    }
}

/// Connections to a database beside those of a server.
pub(crate) async fn pool(place: &Place) -> sqlx::AnyPool {
    sqlx::any::install_default_drivers();
    match place {
        Place::File(path) => {
            sqlx::AnyPool::connect(&format!("sqlite://{}", path.display())).await.unwrap()
        }
        Place::Postgres(url) => sqlx::AnyPool::connect(url).await.unwrap(),
    }
}

/// A running server.
pub(crate) struct Host {
    pub(crate) server: Server,
    pub(crate) client: Client,
}

impl Host {
    pub(crate) async fn start(config: Config) -> Host {
        let server = Server::start(config).await.expect("the server starts");
        let client = Client::new(&format!("http://{}", server.address())).unwrap();
        Host { server, client }
    }

    pub(crate) async fn person(&self, name: &str) -> Client {
        self.client.new_person(name).await.expect("a new person")
    }

    /// A game between two people, both seated.
    pub(crate) async fn two_player_game(&self) -> TwoPlayerGame {
        self.two_player_game_with(json!({})).await
    }

    /// The same with other settings.
    pub(crate) async fn two_player_game_with(&self, terms: Value) -> TwoPlayerGame {
        let (ana, bob) = (self.person("Ana").await, self.person("Bob").await);
        let mut body = terms;
        if body["seats"].is_null() {
            body["seats"] = json!([{ "kind": "me" }, { "kind": "open" }]);
        }
        let created = ana.post("/games", &body).await.expect("a new game");
        let id = text(&created["game"]["id"]).to_owned();
        let secret = &created["invitations"][0]["secret"];
        let body = json!({ "secret": secret });
        bob.post(&format!("/games/{id}/join"), &body).await.expect("a seat");
        TwoPlayerGame { players: vec![ana, bob], id }
    }
}

/// A game and its players, seat 1 first.
pub(crate) struct TwoPlayerGame {
    pub(crate) players: Vec<Client>,
    pub(crate) id: String,
}

impl TwoPlayerGame {
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/games/{}{rest}", self.id)
    }

    pub(crate) async fn state(&self, player: usize) -> Value {
        self.players[player].get(&self.path("")).await.expect("a state")
    }

    /// The index of the player to move, and that player's state.
    pub(crate) async fn turn(&self) -> (usize, Value) {
        for i in 0..self.players.len() {
            let state = self.state(i).await;
            if state["your_turn"] == true {
                return (i, state);
            }
        }
        panic!("no player is to move");
    }

    pub(crate) async fn act(
        &self,
        player: usize,
        what: &str,
        body: &Value,
    ) -> Result<Value, ClientError> {
        self.players[player].post(&self.path(what), body).await
    }

    /// Plays the first legal move, `n_moves` times.
    pub(crate) async fn play(&self, n_moves: usize) {
        for _ in 0..n_moves {
            let (i, state) = self.turn().await;
            let m = &state["moves"][0]["move"];
            self.act(i, "/commands", &json!({ "type": "move", "move": m }))
                .await
                .expect("a legal move");
        }
    }

    /// Plays random moves to the end.
    pub(crate) async fn finish(&self) -> Value {
        let mut rng = Rng::new(7);
        loop {
            let state = self.state(0).await;
            if state["status"] == "over" {
                return state;
            }
            let (i, state) = self.turn().await;
            let m = any_move(&state, &mut rng);
            self.act(i, "/commands", &json!({ "type": "move", "move": m }))
                .await
                .expect("a legal move");
        }
    }

    pub(crate) async fn socket(&self, player: usize) -> Socket {
        self.players[player].socket(&self.id, None).await.expect("a socket")
    }
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a text: {value}"))
}

/// A random legal move of a state.
pub(crate) fn any_move(state: &Value, rng: &mut Rng) -> String {
    let moves = state["moves"].as_array().expect("moves");
    text(&moves[rng.index(moves.len())]["move"]).to_owned()
}

/// Waits for a message that fits.
pub(crate) async fn wait_for(socket: &mut Socket, is_it: impl Fn(&Value) -> bool) -> Value {
    let wait = async {
        loop {
            let Some(message) = socket.next().await.expect("a message") else {
                panic!("the socket was closed: {:?}", socket.close_reason());
            };
            crate::schemas::check("ToClient", &message);
            if is_it(&message) {
                return message;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(15), wait).await.expect("the message comes in time")
}

pub(crate) async fn wait_for_type(socket: &mut Socket, kind: &str) -> Value {
    wait_for(socket, |message| message["type"] == kind).await
}

/// The code of a rejection.
#[track_caller]
pub(crate) fn code<T>(result: Result<T, ClientError>) -> String {
    match result {
        Ok(_) => panic!("it should have been refused"),
        Err(error) => error.code().unwrap_or_else(|| panic!("{error}")).to_owned(),
    }
}

/// Sends any bytes and returns everything the server answers within 5 s.
pub(crate) async fn raw(host: &Host, request: &str) -> String {
    let mut stream = TcpStream::connect(host.server.address()).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    let _ = tokio::time::timeout(Duration::from_secs(5), read).await;
    String::from_utf8_lossy(&answer).into_owned()
}

/// A whole POST request as text.
pub(crate) fn post(path: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST /api/v1{path} HTTP/1.1\r\nHost: azulejo.test\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    )
}
