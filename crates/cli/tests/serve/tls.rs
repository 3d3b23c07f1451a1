//! `azulejo bot` and `azulejo load` over HTTPS: through a proxy that ends TLS and serves the game
//! below a path, as an operator would set it up.

use crate::process::{AZULEJO, Process};
use azulejo_client::Method;
use azulejo_testkit::Scratch;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use serde_json::Value;
use std::net::SocketAddr;
use std::process::{Command, Output};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// A certificate authority, and the certificate and key that it issued for `localhost`.
pub(crate) struct Certificates {
    pub(crate) ca_pem: String,
    pub(crate) ca: CertificateDer<'static>,
    /// The certificate and the key as files have them.
    pub(crate) certificate_pem: String,
    pub(crate) key_pem: String,
    certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
}

pub(crate) fn issue() -> Certificates {
    let mut ca = CertificateParams::default();
    ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let ca_key = KeyPair::generate().unwrap();
    let ca_certificate = ca.self_signed(&ca_key).unwrap();
    let key = KeyPair::generate().unwrap();
    let server = CertificateParams::new(["localhost".to_owned()]).unwrap();
    let certificate = server.signed_by(&key, &Issuer::new(ca, ca_key)).unwrap();
    Certificates {
        ca_pem: ca_certificate.pem(),
        ca: ca_certificate.der().clone(),
        certificate_pem: certificate.pem(),
        key_pem: key.serialize_pem(),
        certificate: certificate.der().clone(),
        key: PrivateKeyDer::Pkcs8(key.serialize_der().into()),
    }
}

/// Ends TLS, takes `/azul` off the paths and passes everything on. Returns its port.
async fn tls_proxy(server: SocketAddr, certificates: Certificates) -> u16 {
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificates.certificate], certificates.key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(client) = acceptor.accept(stream).await else { return };
                let Ok(server) = TcpStream::connect(server).await else { return };
                let (mut from_client, mut to_client) = tokio::io::split(client);
                let (mut from_server, mut to_server) = server.into_split();
                tokio::spawn(async move {
                    let _ = tokio::io::copy(&mut from_server, &mut to_client).await;
                    let _ = to_client.shutdown().await;
                });
                let mut buffer = vec![0; 16 * 1024];
                while let Ok(n @ 1..) = from_client.read(&mut buffer).await {
                    let bytes = without_path(&buffer[..n]);
                    if to_server.write_all(&bytes).await.is_err() {
                        return;
                    }
                }
                let _ = to_server.shutdown().await;
            });
        }
    });
    port
}

/// Rewrites `GET /azul/…` to `GET /…`; other bytes stay.
fn without_path(bytes: &[u8]) -> Vec<u8> {
    let path = b" /azul/";
    let head_end = bytes.len().min(16);
    match bytes[..head_end].windows(path.len()).position(|window| window == path) {
        Some(at) => [&bytes[..at], b" /", &bytes[at + path.len()..]].concat(),
        None => bytes.to_vec(),
    }
}

async fn azulejo(args: &[&str], env: Option<(&str, &str)>) -> Output {
    let mut command = Command::new(AZULEJO);
    command.args(args).envs(env);
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

#[tokio::test]
async fn bots_and_load_work_over_https_below_a_path() {
    let folder = Scratch::new();
    let server = Process::start(&folder.file("games.db"), 0, &[]);
    let certificates = issue();
    let (ca, other_ca) = (folder.file("ca.pem"), folder.file("other.pem"));
    std::fs::write(&ca, &certificates.ca_pem).unwrap();
    std::fs::write(&other_ca, issue().ca_pem).unwrap();
    let address = SocketAddr::from(([127, 0, 0, 1], server.port()));
    let port = tls_proxy(address, certificates).await;
    let url = format!("https://localhost:{port}/azul");
    let bot = ["bot", "--server", &url, "--level", "1", "--against", "1"];
    let [by_ca, by_other_ca] = [&ca, &other_ca].map(|file| [&bot[..], &["--ca", file]].concat());

    let played = azulejo(&by_ca, None).await;
    let (out, err) = (text(&played.stdout), text(&played.stderr));
    assert!(played.status.success(), "{out}{err}");
    let page = out.lines().next().unwrap().rsplit(' ').next().unwrap();
    assert!(page.starts_with(&format!("{url}/game/")), "{page}");
    let client = server.client();
    let path = page.strip_prefix(&url).unwrap();
    let (status, html) = client.text(Method::GET, path, None).await.unwrap();
    // A build without the web app answers 404 for every page, with an explanation.
    let (lobby, _) = client.text(Method::GET, "/lobby", None).await.unwrap();
    assert_eq!(status, lobby, "a person can open {page}");
    assert!(html.contains("<html"), "{html}");

    // Other systems than Linux do not read SSL_CERT_FILE.
    if cfg!(target_os = "linux") {
        let played = azulejo(&bot, Some(("SSL_CERT_FILE", &ca))).await;
        assert!(played.status.success(), "{}", text(&played.stderr));
    }

    let load = [
        &["load", "--server", &url, "--ca", &ca, "--games", "4", "--watchers", "3", "--json"][..],
        &["--seconds", "1", "--think-ms", "50"],
    ]
    .concat();
    let load = azulejo(&load, None).await;
    assert!(load.status.success(), "{}{}", text(&load.stdout), text(&load.stderr));
    let report: Value = serde_json::from_slice(&load.stdout).unwrap();
    assert!(report["moves"].as_u64() > Some(10), "{report}");

    // An untrusted issuer, and a host that the certificate does not name.
    let ip_url = format!("https://127.0.0.1:{port}/azul");
    let by_ip = ["bot", "--server", &ip_url, "--against", "1", "--ca", &ca];
    for (args, expected) in
        [(&by_other_ca[..], "invalid peer certificate"), (&by_ip, "not valid for name")]
    {
        let refused = azulejo(args, None).await;
        assert_eq!(refused.status.code(), Some(2));
        let err = text(&refused.stderr);
        assert!(err.contains("no secure connection to https://"), "{err}");
        assert!(err.contains(expected), "{err}");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
