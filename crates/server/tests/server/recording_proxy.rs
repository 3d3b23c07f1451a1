//! A TCP proxy that records every byte the server sends: heads and bodies of answers, WebSocket
//! frames, lines of streams.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The proxy and its recording.
pub(crate) struct RecordingProxy {
    /// Where clients connect.
    pub(crate) address: SocketAddr,
    /// The step of the test, under which bytes are recorded.
    pub(crate) step: Arc<AtomicUsize>,
    kept: Kept,
}

/// The bytes sent on each connection, in order, with their steps.
type Kept = Arc<Mutex<Vec<Vec<(usize, Vec<u8>)>>>>;

impl RecordingProxy {
    pub(crate) async fn to(server: SocketAddr) -> RecordingProxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (step, kept) = (Arc::<AtomicUsize>::default(), Kept::default());
        let proxy = RecordingProxy { address, step: Arc::clone(&step), kept: Arc::clone(&kept) };
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = TcpStream::connect(server).await else { return };
                let at = {
                    let mut kept = kept.lock().unwrap();
                    kept.push(Vec::new());
                    kept.len() - 1
                };
                tokio::spawn(pass(client, server, at, Arc::clone(&step), Arc::clone(&kept)));
            }
        });
        proxy
    }

    /// The bytes sent on each connection before a step.
    pub(crate) fn before(&self, step: usize) -> Vec<Vec<u8>> {
        let kept = self.kept.lock().unwrap();
        let sent = |connection: &Vec<(usize, Vec<u8>)>| {
            let early = connection.iter().filter(|(at, _)| *at < step);
            early.map(|(_, bytes)| bytes.as_slice()).collect::<Vec<_>>().concat()
        };
        kept.iter().map(sent).collect()
    }
}

async fn pass(client: TcpStream, server: TcpStream, at: usize, step: Arc<AtomicUsize>, kept: Kept) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    tokio::spawn(async move {
        let _ = tokio::io::copy(&mut from_client, &mut to_server).await;
        let _ = to_server.shutdown().await;
    });
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(n) = from_server.read(&mut buffer).await {
        if n == 0 {
            break;
        }
        // Recorded before it is passed on: no client can act on it earlier.
        let step = step.load(Ordering::SeqCst);
        kept.lock().unwrap()[at].push((step, buffer[..n].to_vec()));
        if to_client.write_all(&buffer[..n]).await.is_err() {
            break;
        }
    }
    let _ = to_client.shutdown().await;
}

/// Whether `bytes` contain `wanted`.
pub(crate) fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    let first = wanted[0];
    let mut from = 0;
    while let Some(at) = bytes[from..].iter().position(|&byte| byte == first) {
        if bytes[from + at..].starts_with(wanted) {
            return true;
        }
        from += at + 1;
    }
    false
}
