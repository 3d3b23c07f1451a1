//! Fan-out: sends the messages of a game to its subscribers. Each subscriber has a bounded queue; one
//! whose queue is full misses messages and starts again from the state (backpressure). Nobody waits for
//! it, and it is not disconnected.
//!
//! Players are served at once. Watchers follow in batches, between which the game's task handles
//! requests and other tasks run: a move is not slower for its players because thousands watch.

use crate::payload::Payload;
use azulejo_table::view::Presence;
use azulejo_table::{Game, Holder, ToClient};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// Messages that may wait for a client.
pub(super) const SUBSCRIBER_QUEUE_LEN: usize = 32;

/// Watchers that are sent a message in one go.
const BATCH_LEN: usize = 64;

/// Messages that may be on their way to the watchers. When there are more, the oldest is sent without
/// pauses.
const MAX_BROADCASTS: usize = 8;

/// A subscriber to a game.
#[derive(Clone, Debug)]
pub(crate) struct Viewer {
    /// The person; `None` for somebody without a token.
    pub(crate) person: Option<Arc<str>>,
    pub(crate) form: Form,
}

/// The form in which a client takes messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Whole views, as text.
    Whole,
    /// Patches; long messages are compressed.
    Patches,
}

impl Form {
    const COUNT: usize = 2;

    pub(crate) fn payload(self, message: &ToClient) -> Payload {
        match self {
            Form::Whole => Payload::text(message),
            Form::Patches => Payload::compact(message),
        }
    }
}

/// The subscribers of a game.
#[derive(Debug, Default)]
pub(super) struct Fanout {
    /// In the order of their ids.
    subscribers: Vec<Subscriber>,
    next_id: u64,
    /// The messages that some watchers have not been sent yet, the oldest first.
    broadcasts: VecDeque<Broadcast>,
    n_messages: u64,
    /// When the change of presence is to be sent.
    presence_at: Option<Instant>,
    presence_sent: Option<(Presence, Instant)>,
    /// The number of subscribers that missed messages because they did not read.
    pub(super) n_too_slow: u64,
}

#[derive(Debug)]
struct Subscriber {
    id: u64,
    viewer: Viewer,
    queue: mpsc::Sender<Payload>,
    /// The last message in its queue, or the last one before it subscribed.
    last_message: u64,
    /// Whether its queue was full, or is closed.
    is_gone: bool,
}

/// A message on its way to the watchers.
#[derive(Debug)]
struct Broadcast {
    message: u64,
    /// The message in every form that a watcher takes.
    payloads: [Option<Payload>; Form::COUNT],
    /// The last subscriber that was served.
    after_id: u64,
}

impl Broadcast {
    fn send_to(&self, subscriber: &mut Subscriber) {
        if subscriber.last_message < self.message
            && let Some(payload) = &self.payloads[subscriber.viewer.form as usize]
        {
            subscriber.send(self.message, payload.clone());
        }
    }
}

impl Subscriber {
    fn send(&mut self, message: u64, payload: Payload) {
        self.last_message = message;
        self.is_gone = self.is_gone || self.queue.try_send(payload).is_err();
    }
}

impl Fanout {
    /// Adds a subscriber, which is sent the messages from now on.
    pub(super) fn add(&mut self, viewer: Viewer, queue: mpsc::Sender<Payload>) -> u64 {
        self.next_id += 1;
        let (id, last_message) = (self.next_id, self.n_messages);
        self.subscribers.push(Subscriber { id, viewer, queue, last_message, is_gone: false });
        id
    }

    pub(super) fn remove(&mut self, id: u64) {
        if let Ok(idx) = self.subscribers.binary_search_by_key(&id, |subscriber| subscriber.id) {
            self.subscribers.remove(idx);
        }
        if self.subscribers.is_empty() {
            *self = Fanout { next_id: self.next_id, ..Fanout::default() };
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.subscribers.is_empty()
    }

    /// Sends every player a view, and starts to send the watchers theirs. The payload is made once for
    /// all watchers that take it in the same form.
    pub(super) fn send(&mut self, game: &Game, payload: impl Fn(&Viewer) -> Payload) {
        self.n_messages += 1;
        let message = self.n_messages;
        let mut payloads = [const { None }; Form::COUNT];
        for subscriber in &mut self.subscribers {
            let viewer = &subscriber.viewer;
            if game.seats_of(viewer.person.as_deref()).next().is_some() {
                let payload = payload(viewer);
                // A watcher who has just taken a seat may not have been sent everything before it.
                for broadcast in &self.broadcasts {
                    broadcast.send_to(subscriber);
                }
                subscriber.send(message, payload);
            } else {
                payloads[viewer.form as usize]
                    .get_or_insert_with(|| payload(&Viewer { person: None, form: viewer.form }));
            }
        }
        if payloads.iter().any(Option::is_some) {
            self.broadcasts.push_back(Broadcast { message, payloads, after_id: 0 });
        }
        self.drop_gone();
        // A small audience needs no pauses.
        while self.is_sending()
            && (self.subscribers.len() <= BATCH_LEN || self.broadcasts.len() > MAX_BROADCASTS)
        {
            self.send_batch();
        }
    }

    /// Whether watchers wait for a message.
    pub(super) fn is_sending(&self) -> bool {
        !self.broadcasts.is_empty()
    }

    /// Sends the oldest message on its way to the next watchers.
    pub(super) fn send_batch(&mut self) {
        let Some(broadcast) = self.broadcasts.front_mut() else { return };
        let from = self.subscribers.partition_point(|one| one.id <= broadcast.after_id);
        let to = self.subscribers.len().min(from + BATCH_LEN);
        for subscriber in &mut self.subscribers[from..to] {
            broadcast.send_to(subscriber);
            broadcast.after_id = subscriber.id;
        }
        if to == self.subscribers.len() {
            self.broadcasts.pop_front();
        }
        self.drop_gone();
    }

    /// Removes the subscribers whose queue is full or closed. A session whose queue was full notices
    /// when it has read the queue, and subscribes again.
    fn drop_gone(&mut self) {
        if self.subscribers.iter().any(|subscriber| subscriber.is_gone) {
            let is_full = |one: &&Subscriber| one.is_gone && !one.queue.is_closed();
            self.n_too_slow += self.subscribers.iter().filter(is_full).count() as u64;
            self.subscribers.retain(|subscriber| !subscriber.is_gone);
        }
    }

    /// Notes that somebody connected or disconnected. It is told at most once per `interval`, and to a
    /// large audience less often: at most a thousand watchers per second are told.
    pub(super) fn presence_changed(&mut self, interval: Duration) {
        let now = Instant::now();
        let pause = interval.max(Duration::from_millis(self.subscribers.len() as u64));
        let next = self.presence_sent.as_ref().map_or(now, |(_, at)| *at + pause);
        self.presence_at.get_or_insert(next.max(now));
    }

    /// When to call [`Fanout::take_presence`].
    pub(super) fn presence_at(&self) -> Option<Instant> {
        self.presence_at
    }

    /// The presence to send now, if it is time and anything has changed.
    pub(super) fn take_presence(&mut self, game: &Game) -> Option<Presence> {
        let now = Instant::now();
        self.presence_at.take_if(|at| *at <= now)?;
        let presence = self.presence(game);
        let is_known = self.presence_sent.as_ref().is_some_and(|(sent, _)| *sent == presence);
        self.presence_sent = Some((presence.clone(), now));
        (!is_known).then_some(presence)
    }

    /// Who is connected.
    pub(super) fn presence(&self, game: &Game) -> Presence {
        let mut seats: Vec<bool> =
            game.seats.iter().map(|seat| matches!(seat.holder, Holder::Engine { .. })).collect();
        let mut watchers = 0;
        for subscriber in &self.subscribers {
            let mut is_watcher = true;
            for seat in game.seats_of(subscriber.viewer.person.as_deref()) {
                seats[usize::from(seat) - 1] = true;
                is_watcher = false;
            }
            watchers += u32::from(is_watcher);
        }
        Presence { seats, watchers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewer(person: Option<&str>) -> Viewer {
        Viewer { person: person.map(Into::into), form: Form::Whole }
    }

    fn payload(text: &str) -> Payload {
        Payload::Text(text.into())
    }

    /// A game of Ana against an engine.
    fn game() -> Game {
        use azulejo_table::*;
        let seed: azulejo_notation::Seed = "1".parse().unwrap();
        let ana = SeatKind::Person { person: "ana".to_owned(), name: "Ana".to_owned() };
        let settings = Settings {
            rules: "2c".to_owned(),
            seats: vec![ana, SeatKind::Engine { level: 1 }],
            clock: ClockSpec::None,
            listed: false,
            takebacks: true,
            hints: true,
            seed_hash: seed_hash(&seed),
            seed_by: SeedBy::Server,
            position: None,
            rematch_of: None,
            daily: None,
            creator: "ana".to_owned(),
        };
        let mut game = Game::new("g1".into(), settings.into(), seed).unwrap();
        game.apply(&LoggedEvent { number: 1, at_ms: 0, event: Event::Created }).unwrap();
        game
    }

    #[test]
    fn players_come_before_a_crowd_of_watchers() {
        let (game, mut fanout) = (game(), Fanout::default());
        let mut queues = Vec::new();
        for n in 0..1_000 {
            let (sender, queue) = mpsc::channel(SUBSCRIBER_QUEUE_LEN);
            fanout.add(viewer((n == 999).then_some("ana")), sender);
            queues.push(queue);
        }
        for text in ["one", "two"] {
            fanout.send(&game, |_| payload(text));
        }
        let mut ana = queues.pop().unwrap();
        let both = [payload("one"), payload("two")];
        assert_eq!([ana.try_recv().unwrap(), ana.try_recv().unwrap()], both);
        assert!(queues.iter_mut().all(|queue| queue.try_recv().is_err()), "watchers wait");
        let mut n_batches = 0;
        while fanout.is_sending() {
            fanout.send_batch();
            n_batches += 1;
        }
        assert_eq!(n_batches, 2 * 1_000_usize.div_ceil(BATCH_LEN));
        for queue in &mut queues {
            assert_eq!([queue.try_recv().unwrap(), queue.try_recv().unwrap()], both);
            assert!(queue.try_recv().is_err(), "every message comes once");
        }
    }

    #[test]
    fn a_full_queue_ends_only_its_own_subscription() {
        let (game, mut fanout) = (game(), Fanout::default());
        let (sender, mut slow) = mpsc::channel(1);
        fanout.add(viewer(None), sender);
        let (sender, mut quick) = mpsc::channel(SUBSCRIBER_QUEUE_LEN);
        fanout.add(viewer(None), sender);
        for text in ["one", "two", "three"] {
            fanout.send(&game, |_| payload(text));
            assert_eq!(quick.try_recv().unwrap(), payload(text));
        }
        assert_eq!(slow.try_recv().unwrap(), payload("one"));
        assert_eq!(slow.try_recv(), Err(mpsc::error::TryRecvError::Disconnected));
        assert_eq!(fanout.n_too_slow, 1);
    }

    #[test]
    fn presence_is_sent_when_it_differs_and_not_too_often() {
        let (game, mut fanout) = (game(), Fanout::default());
        let (sender, _queue) = mpsc::channel(SUBSCRIBER_QUEUE_LEN);
        let interval = Duration::from_secs(600);
        fanout.add(viewer(Some("ana")), sender.clone());
        fanout.presence_changed(interval);
        let sent = fanout.take_presence(&game).expect("the first change is sent at once");
        assert_eq!((sent.seats, sent.watchers), (vec![true, true], 0));
        let id = fanout.add(viewer(None), sender);
        fanout.presence_changed(interval);
        assert_eq!(fanout.take_presence(&game), None, "the next change waits");
        assert!(fanout.presence_at().unwrap() > Instant::now() + interval / 2);
        fanout.remove(id);
        fanout.presence_at = Some(Instant::now());
        assert_eq!(fanout.take_presence(&game), None, "nothing has changed in the end");
        assert_eq!(fanout.presence_at(), None);
    }
}
