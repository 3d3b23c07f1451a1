//! A PostgreSQL that takes only encrypted connections with a password. The program reaches it, checks
//! its certificate if told so, and shows the password nowhere.

use crate::process::{AZULEJO, Process};
use crate::tls::issue;
use azulejo_testkit::{Scratch, postgres};
use serde_json::json;
use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// A password without reserved characters, easy to find.
const PASSWORD: &str = "geheim9173";

/// A PostgreSQL with the database `games` of `ana`, and the certificate of its authority in a file.
fn start(folder: &Scratch) -> Option<(postgres::Postgres, String)> {
    let certificates = issue();
    let ca = folder.write("ca.pem", &certificates.ca_pem);
    let prepare = |folder: &Path| {
        fs::write(folder.join("server.crt"), &certificates.certificate_pem).unwrap();
        let mut key = fs::OpenOptions::new();
        let mut key = key.create(true).write(true).mode(0o600).open(folder.join("server.key"));
        key.as_mut().unwrap().write_all(certificates.key_pem.as_bytes()).unwrap();
        let mut settings = fs::OpenOptions::new();
        let settings = settings.append(true).open(folder.join("postgresql.conf"));
        settings.unwrap().write_all(b"ssl = on\n").unwrap();
        let access = "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n";
        fs::write(folder.join("pg_hba.conf"), access).unwrap();
    };
    let server = postgres::start_prepared(prepare)?;
    server.sql(&format!("CREATE ROLE ana LOGIN PASSWORD '{PASSWORD}'"));
    server.sql("CREATE DATABASE games OWNER ana");
    Some((server, ca))
}

#[tokio::test]
async fn postgresql_is_reached_over_tls() {
    let folder = Scratch::new();
    let Some((server, ca)) = start(&folder) else { return };
    let other_ca = folder.write("other.pem", issue().ca_pem);
    let url = format!("postgres://ana:{PASSWORD}@localhost:{}/games", server.port());
    for query in [
        String::new(),
        "?sslmode=require".to_owned(),
        format!("?sslmode=verify-full&sslrootcert={ca}"),
    ] {
        let log = folder.file("log");
        let mut command = Command::new(AZULEJO);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "trace", "--database"]);
        command.arg(format!("{url}{query}"));
        let server = Process::spawn_with_logs(command, fs::File::create(&log).unwrap().into());
        let ana = server.client().new_person("Ana").await.unwrap();
        let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
        let created = ana.post("/games", &seats).await.unwrap();
        let path = format!("/games/{}/commands", created["game"]["id"].as_str().unwrap());
        let m = json!({ "type": "move", "move": created["game"]["moves"][0]["move"] });
        ana.post(&path, &m).await.expect("a move is stored");
        assert_eq!(server.stop(), Some(0));
        assert!(!fs::read_to_string(&log).unwrap().contains(PASSWORD), "a password is in the log");
    }
    for (query, words) in [
        ("?sslmode=disable".to_owned(), "no encryption"),
        (format!("?sslmode=verify-full&sslrootcert={other_ca}"), "certificate"),
        (format!("?sslmode=verify-full&sslrootcert={ca}&hostaddr=127.0.0.1"), "certificate"),
    ] {
        let said = refused(&serve(&format!("{url}{query}")));
        assert!(said.contains(words), "{query}: {said}");
    }
}

/// Every way to write a password, with every kind of failure.
#[tokio::test]
async fn no_password_is_shown() {
    let folder = Scratch::new();
    let Some((server, _)) = start(&folder) else { return };
    let port = server.port();
    let wrong = format!("{PASSWORD}x");
    for (address, words) in [
        // A wrong password, or the right one for a database that is not there.
        (
            format!("postgres://ana:{wrong}@localhost:{port}/games"),
            "password authentication failed",
        ),
        (format!("postgres://localhost:{port}/games?user=ana&password={wrong}"), "authentication"),
        (format!("postgres://ana:{PASSWORD}@localhost:{port}/none"), "does not exist"),
        // Mistakes in the address.
        (format!("postgres://ana@localhost:{port}/games?pass={PASSWORD}"), "unknown parameter"),
        (format!("postgres://ana:7/{PASSWORD}@localhost:{port}/games"), "%2F"),
        (format!("postgres://ana:7#{PASSWORD}@localhost:{port}/games"), "%23"),
        (format!("postgres:ana:{PASSWORD}@localhost:{port}/games"), "postgres://USER"),
        (format!("host=localhost port={port} user=ana password={PASSWORD}"), "postgres://USER"),
    ] {
        for output in [serve(&address), check(&address)] {
            let said = refused(&output);
            assert!(said.contains(words), "{address}: {said}");
        }
    }
}

fn serve(database: &str) -> Output {
    let mut command = Command::new(AZULEJO);
    command.args(["serve", "--listen", "127.0.0.1:0", "--log", "trace", "--database", database]);
    command.output().unwrap()
}

fn check(database: &str) -> Output {
    Command::new(AZULEJO).args(["db", "check", "--database", database]).output().unwrap()
}

/// What a program that failed said; the password is not in it.
#[track_caller]
fn refused(output: &Output) -> String {
    let said = [&output.stdout[..], &output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(!said.contains(PASSWORD), "{said}");
    said
}
