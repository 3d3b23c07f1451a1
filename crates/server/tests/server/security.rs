//! Security: rate limits, headers, cookies, size limits, hostile names, metrics.

use crate::host::{Host, code, post, raw, sqlite, text};
use azulejo_client::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[tokio::test]
async fn a_browser_gets_an_http_only_cookie() {
    let database = sqlite();
    let mut config = database.config();
    config.is_secure = true;
    let host = Host::start(config).await;
    let answer = raw(&host, &post("/people", "", "{\"name\":\"Ana\",\"cookie\":true}")).await;
    assert!(answer.contains("\"token\":null"), "{answer}");
    let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/", "Secure"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    let pair = cookie.split(';').next().unwrap();
    let game = "{\"seats\":[{\"kind\":\"me\"},{\"kind\":\"open\"}]}";
    let with = |origin: &str| format!("Cookie: a=b; {pair}\r\n{origin}");
    let fine = raw(&host, &post("/games", &with("Origin: http://azulejo.test\r\n"), game)).await;
    assert!(fine.starts_with("HTTP/1.1 201"), "{fine}");
    // Another site cannot act in the name of a visitor.
    for origin in [
        "Origin: http://evil.test\r\n",
        "Origin: null\r\n",
        "Origin: http://azulejo.test.evil.test\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
    ] {
        let refused = raw(&host, &post("/games", &with(origin), game)).await;
        assert!(refused.contains("bad_origin"), "{origin}{refused}");
    }
    let form = post("/games", &with("Origin: http://azulejo.test\r\n"), game)
        .replace("application/json", "text/plain");
    assert!(raw(&host, &form).await.contains("not_json"));
    host.server.stop().await;
}

#[tokio::test]
async fn every_answer_has_a_strict_content_security_policy() {
    let database = sqlite();
    let host = database.host().await;
    for path in ["/", "/api", "/api/v1/options", "/nowhere", "/api/v1/games/x", "/healthz"] {
        let answer =
            raw(&host, &format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .await;
        let head = answer.split("\r\n\r\n").next().unwrap();
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; ",
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
            "x-content-type-options: nosniff",
            "x-frame-options: DENY",
            "referrer-policy: no-referrer",
            "x-request-id: ",
        ] {
            assert!(head.contains(header), "{path}: {header}\n{head}");
        }
        // WebAssembly may be compiled; no text becomes code.
        assert!(!head.replace("'wasm-unsafe-eval'", "").contains("unsafe"), "{head}");
    }
    host.server.stop().await;
}

#[tokio::test]
async fn requests_are_limited_per_address() {
    let database = sqlite();
    let mut config = database.config();
    config.limits.is_on = true;
    config.limits.requests = 1.0;
    config.limits.new = 0.05;
    config.limits.sockets = 3;
    config.trusts_proxy = true;
    let host = Host::start(config).await;
    let from = |address: &str| format!("X-Forwarded-For: 6.6.6.6, {address}\r\n");
    let mut n_fine = 0;
    for _ in 0..6 {
        let answer = raw(&host, &post("/people", &from("10.0.0.1"), "{}")).await;
        n_fine += usize::from(answer.starts_with("HTTP/1.1 201"));
    }
    assert_eq!(n_fine, 3, "three new people at once");
    let other = raw(&host, &post("/people", &from("10.0.0.2"), "{}")).await;
    assert!(other.starts_with("HTTP/1.1 201"), "{other}");
    let get = |address: &str| {
        format!(
            "GET /api/v1/options HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{}\r\n",
            from(address)
        )
    };
    let mut n_limited = 0;
    for _ in 0..20 {
        let answer = raw(&host, &get("10.0.0.3")).await;
        n_limited += usize::from(answer.starts_with("HTTP/1.1 429") && answer.contains("too_many"));
    }
    assert!((8..=11).contains(&n_limited), "{n_limited}");
    // Probes have no limit.
    for _ in 0..20 {
        let (status, _) = host.client.text(Method::GET, "/readyz", None).await.unwrap();
        assert_eq!(status, 200);
    }
    host.server.stop().await;
}

/// The limit of a token holds across addresses.
#[tokio::test]
async fn requests_are_limited_per_person() {
    let database = sqlite();
    let mut config = database.config();
    config.limits.is_on = true;
    config.limits.requests = 1.0;
    config.limits.new = 0.05;
    config.limits.sockets = 2;
    config.trusts_proxy = true;
    let host = Host::start(config).await;
    let from = |n: usize| format!("X-Forwarded-For: 10.0.0.{n}\r\n");
    let person = async |n: usize| -> String {
        let answer = raw(&host, &post("/people", &from(n), "{}")).await;
        let token = answer.split("\"token\":\"").nth(1).unwrap_or_else(|| panic!("{answer}"));
        format!("Authorization: Bearer {}\r\n", token.split('"').next().unwrap())
    };
    let (ana, bob) = (person(1).await, person(2).await);
    let game = "{\"seats\":[{\"kind\":\"me\"},{\"kind\":\"open\"}]}";
    let mut codes = Vec::new();
    for n in 10..14 {
        let answer = raw(&host, &post("/games", &format!("{}{ana}", from(n)), game)).await;
        codes.push(answer.split(' ').nth(1).unwrap().to_owned());
    }
    assert_eq!(codes, ["201", "201", "201", "429"], "three new games at once");
    let other = raw(&host, &post("/games", &format!("{}{bob}", from(14)), game)).await;
    assert!(other.starts_with("HTTP/1.1 201"), "{other}");
    let id = other.split("\"id\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let get = |n: usize, token: &str, path: &str| {
        let address = from(n);
        format!(
            "GET /api/v1{path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{address}{token}\r\n"
        )
    };
    let mut n_limited = 0;
    for n in 20..40 {
        let answer = raw(&host, &get(n, &ana, "/me")).await;
        n_limited += usize::from(answer.starts_with("HTTP/1.1 429") && answer.contains("too_many"));
    }
    assert!((8..=16).contains(&n_limited), "{n_limited}");
    assert!(raw(&host, &get(40, &bob, "/me")).await.starts_with("HTTP/1.1 200"));
    // Streams of one person, from several addresses.
    let mut open = Vec::new();
    for n in 50..53 {
        let mut stream = TcpStream::connect(host.server.address()).await.unwrap();
        let request = get(n, &bob, &format!("/games/{id}/stream"));
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        open.push((String::from_utf8_lossy(&answer).into_owned(), stream));
    }
    let statuses: Vec<&str> = open.iter().map(|(status, _)| status.as_str()).collect();
    assert_eq!(statuses, ["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 429"]);
    host.server.stop().await;
}

/// Without a proxy in front, forwarded addresses are ignored; and each address has a limited number
/// of connections and sockets.
#[tokio::test]
async fn forwarded_addresses_are_trusted_only_from_a_proxy() {
    let database = sqlite();
    let mut config = database.config();
    config.limits.is_on = true;
    config.limits.requests = 1.0;
    config.limits.connections = 5;
    let host = Host::start(config).await;
    let mut n_limited = 0;
    for n in 0..20 {
        let answer = raw(
            &host,
            &format!(
                "GET /api/v1/options HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
                 X-Forwarded-For: 10.0.0.{n}\r\n\r\n"
            ),
        )
        .await;
        n_limited += usize::from(answer.starts_with("HTTP/1.1 429"));
    }
    assert!(n_limited >= 8, "{n_limited}");
    // Five idle connections; the sixth is closed at once.
    let mut idle = Vec::new();
    for _ in 0..5 {
        idle.push(TcpStream::connect(host.server.address()).await.unwrap());
    }
    let closed = async || {
        let request = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        let mut stream = TcpStream::connect(host.server.address()).await.unwrap();
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer).await;
        answer.is_empty()
    };
    assert!(closed().await, "one connection too many");
    idle.clear();
    let start = std::time::Instant::now();
    while closed().await {
        assert!(
            start.elapsed() < std::time::Duration::from_secs(10),
            "closed connections are still counted"
        );
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    host.server.stop().await;
}

#[tokio::test]
async fn oversized_requests_are_refused() {
    let database = sqlite();
    let mut config = database.config();
    // An unfinished request head times out soon.
    config.timeouts.head = std::time::Duration::from_millis(300);
    let host = Host::start(config).await;
    let me = host.person("Ana").await;
    let long = json!({ "seats": [], "seed": "x".repeat(20_000) });
    assert_eq!(code(me.post("/games", &long).await), "too_large");
    let huge =
        raw(&host, &format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "x".repeat(1_000_000))).await;
    assert!(huge.starts_with("HTTP/1.1 4"), "{huge:.100}");
    let headers: String = (0..500).map(|i| format!("X-{i}: y\r\n")).collect();
    let many = raw(&host, &format!("GET / HTTP/1.1\r\nHost: x\r\n{headers}\r\n")).await;
    assert!(many.starts_with("HTTP/1.1 4"), "{many:.100}");
    for nonsense in ["\r\n\r\n", "GET\r\n\r\n", "\0\0\0\0\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"] {
        let answer = raw(&host, nonsense).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
    assert_eq!(me.get("/me").await.unwrap()["name"], "Ana", "the server goes on");
    host.server.stop().await;
}

#[tokio::test]
async fn a_hostile_name_is_only_text() {
    let database = sqlite();
    let host = database.host().await;
    let name = "<img src=x onerror=alert(1)>\"';--";
    let game = host
        .two_player_game_with(
            json!({ "seats": [{ "kind": "me", "name": name }, { "kind": "open" }] }),
        )
        .await;
    let state = game.state(0).await;
    assert_eq!(text(&state["seats"][0]["name"]), name);
    let path = format!("/api/v1{}", game.path("/record"));
    let (_, record) = game.players[0].text(Method::GET, &path, None).await.unwrap();
    let record = azulejo_notation::Record::parse(&record).unwrap();
    assert_eq!(record.name(azulejo_rules::Seat::One), Some(name));
    let answer = raw(&host, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await;
    assert!(answer.contains("text/html"));
    host.server.stop().await;
}

#[tokio::test]
async fn metrics_and_health_are_reported() {
    let database = sqlite();
    let host = database.host().await;
    let game = host.two_player_game().await;
    game.play(2).await;
    let (_, metrics) = host.client.text(Method::GET, "/metrics", None).await.unwrap();
    let value = |name: &str| -> f64 {
        let line = metrics.lines().find(|line| line.starts_with(&format!("azulejo_{name} ")));
        line.unwrap_or_else(|| panic!("{name}: {metrics}"))
            .split(' ')
            .nth(1)
            .unwrap()
            .parse()
            .unwrap()
    };
    assert_eq!(value("games_created_total"), 1.0);
    assert_eq!(value("events_total"), 3.0, "a join and two moves");
    assert_eq!(value("games_in_memory"), 1.0);
    assert_eq!(value("command_seconds_count"), 3.0);
    let route = "method=\"POST\",route=\"/api/v1/games/{id}/commands\"";
    assert_eq!(value(&format!("requests_total{{{route},status=\"200\"}}")), 2.0);
    assert_eq!(value(&format!("request_seconds_count{{{route}}}")), 2.0);
    assert!(value("database_read_seconds_count") > 1.0);
    assert!(value("database_write_seconds_count") >= 6.0, "two people, a game, three events");
    assert!(value("database_commit_seconds_count") >= 1.0);
    assert!(value("connections") >= 1.0);
    if cfg!(target_os = "linux") {
        for name in ["resident_memory_bytes", "cpu_seconds_total", "open_fds", "max_fds"] {
            assert!(metrics.contains(&format!("\nprocess_{name} ")), "{metrics}");
        }
    }
    let (status, body) = host.client.text(Method::GET, "/healthz", None).await.unwrap();
    assert_eq!((status.as_u16(), body.as_str()), (200, "alive\n"));
    host.server.stop().await;
}
