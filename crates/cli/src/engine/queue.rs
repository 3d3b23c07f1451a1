//! The event queue of the engine: lines that come in, reports of a search and its end arrive in
//! one bounded channel.

use azulejo_engine::{Answer, Engine};
use azulejo_notation::protocol::{Info, MAX_MESSAGE};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// An event of the engine's main loop.
pub(super) enum LoopEvent {
    /// A line of input. A line that is too long is cut, but not below the limit.
    Line(Vec<u8>),
    /// The input has ended, or reading it has failed.
    EndOfInput(io::Result<()>),
    /// An intermediate result of the search.
    Found(Info),
    /// The search is over and returns the engine.
    Searched {
        engine: Box<Engine>,
        /// The result; `None` where there is no legal move.
        answer: Option<Box<Answer>>,
    },
    /// The search has panicked, and the engine is lost.
    Failed,
}

/// The capacity of the channel. It is small because one line can have a megabyte.
const QUEUE_LEN: usize = 16;

/// The events that the main loop has not handled yet.
pub(super) struct Queue {
    sender: SyncSender<LoopEvent>,
    receiver: Receiver<LoopEvent>,
    /// Input that arrived while the loop waited for the search alone.
    deferred: VecDeque<LoopEvent>,
}

impl Queue {
    pub(super) fn new() -> Queue {
        let (sender, receiver) = sync_channel(QUEUE_LEN);
        Queue { sender, receiver, deferred: VecDeque::new() }
    }

    /// The sending end, for another thread.
    pub(super) fn sender(&self) -> SyncSender<LoopEvent> {
        self.sender.clone()
    }

    /// Waits for the next event.
    pub(super) fn next(&mut self) -> LoopEvent {
        self.deferred.pop_front().unwrap_or_else(|| self.receive())
    }

    /// Waits for the next event of the search, and defers input that arrives before it.
    pub(super) fn next_of_search(&mut self) -> LoopEvent {
        loop {
            match self.receive() {
                other @ (LoopEvent::Line(_) | LoopEvent::EndOfInput(_)) => {
                    self.deferred.push_back(other);
                }
                found => return found,
            }
        }
    }

    fn receive(&self) -> LoopEvent {
        // The channel stays open: `self` holds a sender.
        self.receiver.recv().unwrap_or(LoopEvent::EndOfInput(Ok(())))
    }
}

/// Reads lines to the end of the input, in a thread of its own.
pub(super) fn read_lines(input: impl Read + Send + 'static, queue: &Queue) -> io::Result<()> {
    let sender = queue.sender();
    let read = move || {
        let mut input = BufReader::new(input);
        loop {
            let event = match read_line(&mut input) {
                Ok(Some(line)) => LoopEvent::Line(line),
                Ok(None) => LoopEvent::EndOfInput(Ok(())),
                Err(error) => LoopEvent::EndOfInput(Err(error)),
            };
            let is_end = matches!(event, LoopEvent::EndOfInput(_));
            // Sending fails only when the program is about to end.
            if sender.send(event).is_err() || is_end {
                return;
            }
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(read).map(drop)
}

/// The next line without its line feed; `None` after the last. A line that is too long is cut to
/// `MAX_MESSAGE + 2` bytes, which the parser still refuses.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if input.by_ref().take(MAX_MESSAGE as u64 + 2).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > MAX_MESSAGE {
        input.skip_until(b'\n')?;
    }
    Ok(Some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_at_line_feeds() {
        let long = vec![b'x'; 3 * MAX_MESSAGE];
        let check = |input: &[u8], expected: &[&[u8]]| {
            let mut input = input;
            let lines = std::iter::from_fn(|| read_line(&mut input).expect("memory can be read"));
            assert_eq!(lines.collect::<Vec<_>>(), expected);
        };
        check(b"", &[]);
        check(b"\n", &[b""]);
        check(b"azi", &[b"azi"]);
        check(b"azi\r\n\nquit\n", &[b"azi\r", b"", b"quit"]);
        check(&[&long[..MAX_MESSAGE], b"\nquit"].concat(), &[&long[..MAX_MESSAGE], b"quit"]);
        check(
            &[&long[..MAX_MESSAGE], b"\r\nquit"].concat(),
            &[&[&long[..MAX_MESSAGE], b"\r"].concat(), b"quit"],
        );
        check(&[&long[..], b"\nquit"].concat(), &[&long[..MAX_MESSAGE + 2], b"quit"]);
        check(&long, &[&long[..MAX_MESSAGE + 2]]);
    }
}
