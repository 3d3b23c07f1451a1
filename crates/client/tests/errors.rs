//! The errors that a user of the client meets, against servers that answer wrongly.

use azulejo_client::{Client, ClientError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// The URL of a server that gives every connection the same bytes.
async fn server_that_says(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 4096]).await;
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    format!("http://{address}")
}

async fn error_from(url: &str) -> ClientError {
    Client::new(url).unwrap().get("/options").await.unwrap_err()
}

#[tokio::test]
async fn errors_name_the_server_and_what_to_do() {
    for (answer, expected) in [
        ("", "no connection to"),
        ("HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{}", "no connection to"),
        ("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>", "is this the address of an Azulejo"),
        ("HTTP/1.1 404 No\r\ncontent-length: 2\r\n\r\n{}", "HTTP 404"),
        (
            "HTTP/1.1 301 Moved\r\nlocation: https://azul.test/\r\ncontent-length: 0\r\n\r\n",
            "a redirection to https://azul.test/",
        ),
    ] {
        let url = server_that_says(answer).await;
        let error = error_from(&url).await;
        assert!(error.to_string().contains(expected), "{answer:?}: {error}");
        assert!(error.to_string().contains(&url), "{error}");
        let socket = Client::new(&url).unwrap().socket("abc", None).await;
        assert!(socket.is_err(), "{answer:?}");
    }
    let url = server_that_says(
        "HTTP/1.1 403 No\r\ncontent-length: 56\r\n\r\n\
         {\"error\":{\"code\":\"forbidden\",\"message\":\"not your game\"}}",
    )
    .await;
    let expected = ClientError::Rejected {
        status: 403,
        code: "forbidden".to_owned(),
        message: "not your game".to_owned(),
    };
    assert_eq!(error_from(&url).await, expected);
    assert_eq!(expected.to_string(), "not your game (forbidden, HTTP 403)");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let error = error_from(&format!("http://{free}")).await;
    let ClientError::Connection { server, reason } = &error else { panic!("{error}") };
    assert_eq!(*server, format!("http://{free}"));
    assert!(reason.contains("refused"), "{reason}");
    let socket = Client::new(server).unwrap().socket("abc", None).await;
    assert!(matches!(socket, Err(ClientError::Connection { .. })));
}

#[tokio::test]
async fn plain_http_on_a_tls_address_is_a_tls_error() {
    let url = server_that_says("HTTP/1.1 400 Bad Request\r\n\r\n").await.replace("http", "https");
    let error = error_from(&url).await;
    assert!(matches!(error, ClientError::Tls { .. }), "{error}");
}
