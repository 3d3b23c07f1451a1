//! The proxies of `deploy/` in front of a real server: Caddy and nginx, as Debian packages them, with
//! a test certificate. `cargo xtask long proxies` installs them and runs this.

use crate::process::{AZULEJO, Process};
use crate::tls::{Certificates, issue};
use azulejo_client::Client;
use azulejo_testkit::{Scratch, free_port};
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

const DEPLOY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy");

#[tokio::test]
#[ignore = "needs Caddy: `cargo xtask long proxies`"]
async fn caddy_passes_everything_on() {
    let setup = Setup::new();
    let site = std::fs::read_to_string(format!("{DEPLOY}/Caddyfile")).unwrap();
    let address = format!("https://localhost:{}", setup.port);
    let (certificate, key) = (setup.folder.file("cert.pem"), setup.folder.file("key.pem"));
    // The certificate is ours, and Caddy changes nothing on the machine.
    let site =
        replace(&site, "azul.example.org {", &format!("{address} {{\n\ttls {certificate} {key}"));
    let site = replace(&site, "127.0.0.1:8137", &format!("127.0.0.1:{}", setup.server.port()));
    let file = setup.folder.file("Caddyfile");
    std::fs::write(&file, format!("{{\n\tadmin off\n\tauto_https off\n}}\n{site}")).unwrap();
    let mut command = Command::new("caddy");
    command.args(["run", "--adapter", "caddyfile", "--config", &file]);
    command.env("XDG_DATA_HOME", setup.folder.path()).env("XDG_CONFIG_HOME", setup.folder.path());
    check(setup, command).await;
}

#[tokio::test]
#[ignore = "needs nginx: `cargo xtask long proxies`"]
async fn nginx_passes_everything_on() {
    let setup = Setup::new();
    let site = std::fs::read_to_string(format!("{DEPLOY}/nginx.conf")).unwrap();
    // Other ports, names and files than on a real machine.
    let site = replace(&site, "azul.example.org;", "localhost;");
    let site = replace(&site, "127.0.0.1:8137", &format!("127.0.0.1:{}", setup.server.port()));
    let site = replace(&site, "listen 443 ", &format!("listen 127.0.0.1:{} ", setup.port));
    let site = replace(&site, "listen 80;", &format!("listen 127.0.0.1:{};", free_port()));
    let site = replace(&site, "    listen [::]:80;\n", "");
    let site = replace(&site, "    listen [::]:443 ssl http2;\n", "");
    let site =
        replace(&site, "/etc/ssl/certs/azul.example.org.pem", &setup.folder.file("cert.pem"));
    let site =
        replace(&site, "/etc/ssl/private/azul.example.org.key", &setup.folder.file("key.pem"));
    let folder = setup.folder.path().display().to_string();
    let paths: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {folder}/{name};\n"))
        .concat();
    let file = setup.folder.file("nginx.conf");
    let all = format!(
        "daemon off;\npid {folder}/nginx.pid;\nerror_log stderr;\nevents {{}}\n\
         http {{\naccess_log off;\n{paths}{site}}}\n"
    );
    std::fs::write(&file, all).unwrap();
    let program =
        if std::path::Path::new("/usr/sbin/nginx").exists() { "/usr/sbin/nginx" } else { "nginx" };
    let mut command = Command::new(program);
    command.args(["-p", &folder, "-c", &file]);
    check(setup, command).await;
}

/// A server with the settings of `deploy/`, and the files that a proxy needs.
struct Setup {
    folder: Scratch,
    server: Process,
    certificates: Certificates,
    /// The port of the proxy.
    port: u16,
}

impl Setup {
    fn new() -> Setup {
        let folder = Scratch::new();
        let certificates = issue();
        std::fs::write(folder.file("cert.pem"), &certificates.certificate_pem).unwrap();
        std::fs::write(folder.file("key.pem"), &certificates.key_pem).unwrap();
        let mut command = Command::new(AZULEJO);
        command.args(["serve", "--config", &format!("{DEPLOY}/azulejo.toml"), "--log", "warn"]);
        command.args(["--listen", "127.0.0.1:0", "--database", &folder.file("games.db")]);
        Setup { server: Process::spawn(command), folder, certificates, port: free_port() }
    }
}

/// Replaces something that must be there.
fn replace(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "`{from}` is not in the file");
    text.replace(from, to)
}

/// A proxy, which is stopped when this value is dropped.
struct Proxy(Child);

impl Drop for Proxy {
    fn drop(&mut self) {
        // Not killed: nginx would leave its workers behind.
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        let _ = self.0.wait();
    }
}

async fn check(setup: Setup, mut command: Command) {
    let proxy = Proxy(command.stdin(Stdio::null()).spawn().expect("the proxy starts"));
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, setup.port));
    let start = Instant::now();
    while TcpStream::connect(address).await.is_err() {
        assert!(start.elapsed() < Duration::from_secs(20), "the proxy does not listen");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let url = format!("https://localhost:{}", setup.port);
    let client = Client::with_ca(&url, setup.certificates.ca_pem.as_bytes()).unwrap();
    play(&client).await;
    let visitor = Visitor::new(&setup.certificates, setup.port);
    headers(&visitor).await;
    addresses(&visitor).await;
    drop(proxy);
    assert_eq!(setup.server.stop(), Some(0));
}

/// Two people play some moves on secure WebSockets, and a bot's stream passes each line at once.
async fn play(client: &Client) {
    let (ana, bob) =
        (client.new_person("Ana").await.unwrap(), client.new_person("Bob").await.unwrap());
    let terms = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }] });
    let created = ana.post("/games", &terms).await.unwrap();
    let id = created["game"]["id"].as_str().unwrap();
    let secret = json!({ "secret": created["invitations"][0]["secret"] });
    bob.post(&format!("/games/{id}/join"), &secret).await.unwrap();
    let mut lines = client.lines(&format!("/games/{id}/stream")).await.unwrap();
    let mut sockets = [ana.socket(id, None).await.unwrap(), bob.socket(id, None).await.unwrap()];
    for _ in 0..6 {
        let state = ana.get(&format!("/games/{id}")).await.unwrap();
        let n = usize::from(state["your_turn"] != true);
        let state = [&ana, &bob][n].get(&format!("/games/{id}")).await.unwrap();
        let m = json!({ "type": "move", "move": state["moves"][0]["move"] });
        let number = state["number"].as_u64().unwrap() + 1;
        sockets[n].send(&json!({ "type": "command", "command": m })).await.unwrap();
        let is_event = |message: &Value| message["number"].as_u64() == Some(number);
        for socket in &mut sockets {
            while !is_event(&in_time(socket.next()).await.unwrap().unwrap()) {}
        }
        while !is_event(&in_time(lines.next()).await.unwrap().unwrap()) {}
    }
}

async fn in_time<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(10), future).await.expect("it comes in time")
}

/// What a browser gets, and what operators keep for themselves.
async fn headers(visitor: &Visitor) {
    let home = visitor.request(Ipv4Addr::LOCALHOST, "GET /api/v1/options", "", "").await;
    assert!(home.contains("strict-transport-security: max-age=31536000"), "{home}");
    let body = "{\"cookie\":true}";
    let new = visitor.request(Ipv4Addr::LOCALHOST, "POST /api/v1/people", "", body).await;
    assert!(new.contains("set-cookie: __host-azulejo="), "{new}");
    for path in ["/metrics", "/readyz", "/healthz"] {
        let answer = visitor.request(Ipv4Addr::LOCALHOST, &format!("GET {path}"), "", "").await;
        assert!(answer.starts_with("http/1.1 404"), "{path}: {answer}");
    }
}

/// The limits see the address of the visitor: not that of the proxy, and not what the visitor claims.
async fn addresses(visitor: &Visitor) {
    let (eve, other) = (Ipv4Addr::new(127, 0, 0, 7), Ipv4Addr::new(127, 0, 0, 8));
    let mut n_served = 0;
    let refused = loop {
        let forged = format!("X-Forwarded-For: 10.0.0.{n_served}\r\nX-Real-IP: 10.1.0.1\r\n");
        let answer = visitor.request(eve, "POST /api/v1/people", &forged, "{}").await;
        if !answer.starts_with("http/1.1 201") {
            break answer;
        }
        n_served += 1;
        assert!(n_served < 100, "the address can be forged");
    };
    assert!(refused.starts_with("http/1.1 429") && refused.contains("retry-after: "), "{refused}");
    assert!((25..60).contains(&n_served), "thirty new people at once: {n_served}");
    let answer = visitor.request(other, "POST /api/v1/people", "", "{}").await;
    assert!(answer.starts_with("http/1.1 201"), "another address is not limited: {answer}");
}

/// Sends requests over TLS from any address of this machine.
struct Visitor {
    tls: TlsConnector,
    port: u16,
}

impl Visitor {
    fn new(certificates: &Certificates, port: u16) -> Visitor {
        let mut roots = RootCertStore::empty();
        roots.add(certificates.ca.clone()).unwrap();
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        Visitor { tls: TlsConnector::from(Arc::new(config)), port }
    }

    /// The answer in lower case, since proxies write the names of headers in several ways.
    async fn request(&self, from: Ipv4Addr, line: &str, headers: &str, body: &str) -> String {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((from, 0).into()).unwrap();
        let stream = socket.connect((Ipv4Addr::LOCALHOST, self.port).into()).await.unwrap();
        let mut stream = self.tls.connect("localhost".try_into().unwrap(), stream).await.unwrap();
        let request = format!(
            "{line} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n{headers}\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        // Some proxies close the connection without closing TLS.
        let _ = in_time(stream.read_to_end(&mut answer)).await;
        String::from_utf8_lossy(&answer).to_lowercase()
    }
}
