//! A connection whose client must read. A write that makes no progress for the time limit fails, which
//! closes the connection: for every response and every WebSocket, whatever its length.
//!
//! The system reports progress in large steps, a good part of its send buffer, so a client that reads
//! byte by byte is not quick enough either.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream with a time limit for writes.
pub(crate) struct ReadingClient<S> {
    stream: S,
    limit: Duration,
    /// Runs while a write waits for the client.
    timer: Option<Pin<Box<Sleep>>>,
}

impl<S> ReadingClient<S> {
    pub(crate) fn new(stream: S, limit: Duration) -> ReadingClient<S> {
        ReadingClient { stream, limit, timer: None }
    }

    /// The result of a write, or the error that the client was too slow.
    fn in_time<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<Result<T>>,
    ) -> Poll<Result<T>> {
        if written.is_ready() {
            self.timer = None;
            return written;
        }
        let limit = self.limit;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(limit)));
        let late = || Error::new(ErrorKind::TimedOut, "the client does not read");
        timer.as_mut().poll(context).map(|()| Err(late()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ReadingClient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ReadingClient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.in_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn a_write_fails_when_the_client_stops_reading() {
        let (here, mut there) = tokio::io::duplex(1_000);
        let limit = Duration::from_millis(50);
        let mut client = ReadingClient::new(here, limit);
        // Slow, but always within the limit.
        let reader = tokio::spawn(async move {
            let mut bytes = [0; 500];
            for _ in 0..6 {
                tokio::time::sleep(limit / 5).await;
                there.read_exact(&mut bytes).await.unwrap();
            }
            there
        });
        client.write_all(&[7; 4_000]).await.expect("the client reads in time");
        let _there = reader.await.unwrap();
        let error = client.write_all(&[7; 4_000]).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }
}
