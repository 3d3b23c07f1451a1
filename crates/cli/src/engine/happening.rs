//! Everything that can happen to an engine, in one queue: lines come in, a search finds
//! something, a search ends.

use azulejo_engine::{Answer, Engine};
use azulejo_notation::protocol::{Info, MAX_MESSAGE};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Something that happened.
pub(super) enum Happening {
    /// A line came in. One that is too long is cut, but still too long.
    Line(Vec<u8>),
    /// No more will come.
    EndOfInput(io::Result<()>),
    /// The search has something to say.
    Found(Info),
    /// The search is over, and the engine comes back.
    Searched {
        engine: Box<Engine>,
        /// What was found; `None` where there is no move.
        answer: Option<Box<Answer>>,
    },
    /// The search has panicked, and the engine is lost.
    Failed,
}

/// So many things can wait. A line can be a megabyte, so that there should not be many.
const CAPACITY: usize = 16;

/// What has happened and was not yet heard of.
pub(super) struct Queue {
    sender: SyncSender<Happening>,
    receiver: Receiver<Happening>,
    /// What came in while only the search was listened to.
    put_off: VecDeque<Happening>,
}

impl Queue {
    pub(super) fn new() -> Queue {
        let (sender, receiver) = sync_channel(CAPACITY);
        Queue { sender, receiver, put_off: VecDeque::new() }
    }

    /// Where another thread says what happens.
    pub(super) fn sender(&self) -> SyncSender<Happening> {
        self.sender.clone()
    }

    /// The next thing that happens.
    pub(super) fn next(&mut self) -> Happening {
        self.put_off.pop_front().unwrap_or_else(|| self.receive())
    }

    /// The next thing that happens to the search; what else happens before it is put off.
    pub(super) fn next_of_search(&mut self) -> Happening {
        loop {
            match self.receive() {
                other @ (Happening::Line(_) | Happening::EndOfInput(_)) => {
                    self.put_off.push_back(other);
                }
                found => return found,
            }
        }
    }

    fn receive(&self) -> Happening {
        // There is always a sender: our own.
        self.receiver.recv().unwrap_or(Happening::EndOfInput(Ok(())))
    }
}

/// Reads lines in a thread of their own, to the end of the input.
pub(super) fn read_lines(input: impl Read + Send + 'static, queue: &Queue) -> io::Result<()> {
    let sender = queue.sender();
    let read = move || {
        let mut input = BufReader::new(input);
        loop {
            let happening = match read_line(&mut input) {
                Ok(Some(line)) => Happening::Line(line),
                Ok(None) => Happening::EndOfInput(Ok(())),
                Err(error) => Happening::EndOfInput(Err(error)),
            };
            let is_end = matches!(happening, Happening::EndOfInput(_));
            // Nobody hears it when the program is about to end.
            if sender.send(happening).is_err() || is_end {
                return;
            }
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(read).map(drop)
}

/// The next line without its end; `None` after the last. Of a line that is too long only so much
/// is kept that it is still seen to be.
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
    fn lines_are_cut_where_they_end() {
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
