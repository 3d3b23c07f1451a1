//! For operators: logs without secrets, a graceful stop, and deployment files that work.

use crate::process::{AZULEJO, Process};
use azulejo_client::Method;
use azulejo_testkit::Scratch;
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Logs a whole game at the most detailed level: the lines are JSON, every request appears with the
/// id that the client got, and no secret does.
#[tokio::test]
async fn logs_have_every_request_and_no_secret() {
    let folder = Scratch::new();
    let log = folder.file("log");
    let mut command = Command::new(AZULEJO);
    command.args(["serve", "--listen", "127.0.0.1:0", "--log", "trace", "--log-format", "json"]);
    command.args(["--engine-ms", "20", "--limits", "no", "--database", &folder.file("games.db")]);
    let server = Process::spawn_with_logs(command, std::fs::File::create(&log).unwrap().into());
    let nobody = server.client();
    let (ana, bob) =
        (nobody.new_person("Ana").await.unwrap(), nobody.new_person("Bob").await.unwrap());
    let terms = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }], "hints": true });
    let created = ana.post("/games", &terms).await.unwrap();
    let id = created["game"]["id"].as_str().unwrap().to_owned();
    let path = format!("/games/{id}");
    let secret = created["invitations"][0]["secret"].as_str().unwrap().to_owned();
    let again = ana.post(&format!("{path}/invitations"), &json!({ "seat": 2 })).await.unwrap();
    let second = again["secret"].as_str().unwrap().to_owned();
    let old = json!({ "secret": secret });
    assert!(bob.post(&format!("{path}/join"), &old).await.is_err(), "the first opens nothing");
    bob.post(&format!("{path}/join"), &json!({ "secret": second })).await.unwrap();
    let wrong = "5eed".repeat(16);
    assert!(nobody.with_token(&wrong).get("/me").await.is_err());
    let mut socket = ana.socket(&id, Some(1)).await.unwrap();
    let hello = json!({ "type": "say", "phrase": "hello" });
    socket.send(&json!({ "type": "command", "command": hello })).await.unwrap();
    while socket.next().await.unwrap().unwrap()["type"] != "done" {}
    ana.get(&format!("{path}/evaluation")).await.unwrap();
    let request_id = cookie_and_request_id(&server).await;
    let end = loop {
        let state = ana.get(&path).await.unwrap();
        if state["status"] == "over" {
            break state;
        }
        let (player, state) = if state["your_turn"] == true {
            (&ana, state)
        } else {
            (&bob, bob.get(&path).await.unwrap())
        };
        let m = &state["moves"][0]["move"];
        player
            .post(&format!("{path}/commands"), &json!({ "type": "move", "move": m }))
            .await
            .unwrap();
    };
    while socket.next().await.unwrap().unwrap()["game"]["status"] != "over" {}
    drop(socket);
    assert_eq!(server.stop(), Some(0));
    let text = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let access: Vec<&Value> =
        lines.iter().filter(|line| line["target"] == "azulejo::access").collect();
    assert!(access.len() > 100, "{}", access.len());
    for line in &access {
        let fields = &line["fields"];
        for key in ["request", "method", "path", "status", "ms"] {
            assert!(!fields[key].is_null(), "{key}: {line}");
        }
    }
    let asked: Vec<_> =
        access.iter().filter(|line| line["fields"]["request"] == request_id.0.as_str()).collect();
    assert_eq!(asked.len(), 1, "the id that the client got");
    assert_eq!(asked[0]["fields"]["path"], "/api/v1/people");
    // What a request or a socket caused has the id of the request.
    for path in ["/api/v1/games/{id}/commands", "/api/v1/games/{id}/socket"] {
        let ids = access.iter().filter(|line| line["fields"]["path"] == path);
        let ids: Vec<&Value> = ids.map(|line| &line["fields"]["request"]).collect();
        let is_caused = |line: &&Value| {
            line["fields"]["message"] == "logged an event"
                && ids.contains(&&line["span"]["request"])
        };
        assert!(lines.iter().any(|line| is_caused(&line)), "{path}: {ids:?}");
    }
    let closed = lines.iter().filter(|line| line["target"] == "azulejo::socket");
    assert!(
        closed.clone().count() == 1
            && closed.clone().all(|line| line["span"]["request"].is_string())
    );
    let seed = end["fair"]["seed"].as_str().unwrap();
    let secrets = [
        ana.token().unwrap(),
        bob.token().unwrap(),
        &secret,
        &second,
        seed,
        &wrong,
        &id,
        &request_id.1,
    ];
    for (n, secret) in secrets.iter().enumerate() {
        assert!(!text.contains(secret), "secret {n} is in the logs");
    }
}

/// The id of a request and the token in its cookie, as a browser gets them.
async fn cookie_and_request_id(server: &Process) -> (String, String) {
    let address = format!("127.0.0.1:{}", server.port());
    let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
    let body = "{\"cookie\":true}";
    let request = format!(
        "POST /api/v1/people HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let header = |name: &str| {
        let line = answer.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("{name}: {answer}")).to_owned()
    };
    let token = header("set-cookie: azulejo=");
    (header("x-request-id: "), token.split(';').next().unwrap().to_owned())
}

/// SIGTERM in the middle of a game: every socket is told, streams end, the exit code is 0, and the
/// next server has the whole game.
#[tokio::test]
async fn a_stop_is_announced() {
    let folder = Scratch::new();
    let database = folder.file("games.db");
    let server = Process::start(&database, 0, &[]);
    let ana = server.client().new_person("Ana").await.unwrap();
    let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
    let created = ana.post("/games", &seats).await.unwrap();
    let id = created["game"]["id"].as_str().unwrap().to_owned();
    let m = json!({ "type": "move", "move": created["game"]["moves"][0]["move"] });
    let played = ana.post(&format!("/games/{id}/commands"), &m).await.unwrap();
    let mut sockets = Vec::new();
    for _ in 0..20 {
        sockets.push(server.client().socket(&id, None).await.unwrap());
    }
    let mut lines = ana.lines(&format!("/games/{id}/stream")).await.unwrap();
    let mut news = ana.lines("/me/stream").await.unwrap();
    let stop = tokio::task::spawn_blocking(move || server.stop());
    for socket in &mut sockets {
        let mut last = Value::Null;
        while let Some(message) =
            tokio::time::timeout(Duration::from_secs(10), socket.next()).await.unwrap().unwrap()
        {
            last = message;
        }
        assert_eq!(last["type"], "bye");
    }
    while lines.next().await.expect("the stream ends in order").is_some() {}
    while news.next().await.expect("the stream ends in order").is_some() {}
    assert_eq!(stop.await.unwrap(), Some(0));
    let server = Process::start(&database, 0, &[]);
    let ana = server.client().with_token(ana.token().unwrap());
    let state = ana.get(&format!("/games/{id}")).await.unwrap();
    assert_eq!(state["position"], played["game"]["position"]);
    let (status, _) = server.client().text(Method::GET, "/readyz", None).await.unwrap();
    assert_eq!(status, 200);
}

/// Every metric that the dashboard and the alerts use exists.
#[tokio::test]
async fn the_dashboard_shows_metrics_that_exist() {
    let folder = Scratch::new();
    let server = Process::start(&folder.file("games.db"), 0, &[]);
    server.client().new_person("Ana").await.unwrap();
    let (_, metrics) = server.client().text(Method::GET, "/metrics", None).await.unwrap();
    let names: Vec<&str> =
        metrics.lines().filter_map(|line| line.split(['{', ' ']).next()).collect();
    let deploy = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy");
    for (file, least) in [("grafana-dashboard.json", 16), ("alerts.yml", 7)] {
        let text = std::fs::read_to_string(format!("{deploy}/{file}")).unwrap();
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let used: std::collections::BTreeSet<&str> = words
            .filter(|word| word.starts_with("azulejo_") || word.starts_with("process_"))
            .collect();
        assert!(used.len() >= least, "{file}: {used:?}");
        for name in used {
            assert!(names.contains(&name), "{file} uses {name}, which does not exist\n{metrics}");
        }
    }
    let dashboard = std::fs::read_to_string(format!("{deploy}/grafana-dashboard.json")).unwrap();
    let dashboard: Value = serde_json::from_str(&dashboard).expect("JSON");
    assert!(dashboard["panels"].as_array().unwrap().len() >= 16);
}

/// The settings are valid, and so is the systemd unit, if systemd is installed.
#[test]
fn the_deployment_files_are_valid() {
    let deploy = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy");
    let folder = Scratch::new();
    let settings = std::fs::read_to_string(format!("{deploy}/azulejo.toml")).unwrap();
    // On another port, and with every commented setting.
    let settings: String = settings
        .lines()
        .map(|line| line.strip_prefix("# ").filter(|line| line.contains(" = ")).unwrap_or(line))
        .filter(|line| !line.starts_with("listen") && !line.starts_with("database"))
        .map(|line| format!("{line}\n"))
        .collect();
    let file = folder.file("azulejo.toml");
    std::fs::write(&file, settings).unwrap();
    let mut command = Command::new(AZULEJO);
    command.args(["serve", "--config", &file, "--listen", "127.0.0.1:0"]);
    command.args(["--database", &folder.file("games.db")]);
    assert_eq!(Process::spawn(command).stop(), Some(0));
    let unit = std::fs::read_to_string(format!("{deploy}/azulejo.service")).unwrap();
    // The program is in the build folder, not where it will be installed.
    let unit = unit.replace("/usr/local/bin/azulejo", AZULEJO);
    let file = folder.file("azulejo.service");
    std::fs::write(&file, unit).unwrap();
    let verify = Command::new("systemd-analyze")
        .args(["verify", "--man=no", "--recursive-errors=no", &file])
        .stdin(Stdio::null())
        .output();
    match verify {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() && !said.contains("azulejo.service"), "{said}");
        }
        Err(_) => eprintln!("systemd is not installed: the unit is not checked"),
    }
}
