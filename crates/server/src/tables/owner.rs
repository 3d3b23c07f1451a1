//! The task that owns one game (an actor). Only this task changes the state, and only after the event
//! is in the log.
//!
//! Everything that reaches a game is a [`Request`] in the task's mailbox, or a timer. If another node
//! has logged an event first (optimistic concurrency), the task reads that event and decides the
//! command again.

use crate::ids::short;
use crate::payload::Payload;
use crate::store::{Append, Kind, StoreError, Write};
use crate::tables::due::Thinking;
use crate::tables::fanout::{Fanout, Form, SUBSCRIBER_QUEUE_LEN, Viewer};
use crate::tables::registry::{Shared, Snapshot};
use crate::tables::subscription::{Feed, Start};
use azulejo_rules::Move;
use azulejo_table::view::GameView;
use azulejo_table::{Command, Decision, Event, Game, LoggedEvent, Rejection, ToClient};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::{mpsc, oneshot};
use tracing::{Instrument, Span};

/// A client that reconnects is sent at most this many missed events; after a longer absence it gets
/// the state alone.
const MAX_CATCH_UP: u64 = 200;

/// How often a command is decided again when other nodes keep logging first.
const MAX_ATTEMPTS: usize = 5;

/// A task that has something to do at once still lets others run.
const MIN_SLEEP: Duration = Duration::from_millis(1);

/// A request to the task of a game.
pub(super) enum Request {
    /// Execute a command.
    Execute {
        person: Option<Arc<str>>,
        command: Command,
        /// The request that sent it, for the logs.
        span: Span,
        reply: oneshot::Sender<Result<Executed, CommandError>>,
    },
    /// Read the game.
    Snapshot { reply: oneshot::Sender<Snapshot> },
    /// Subscribe to the game.
    Subscribe { viewer: Viewer, after: Option<u64>, reply: oneshot::Sender<Feed> },
    /// Read the game again from the log, for a subscriber that found a gap.
    Resync { reply: oneshot::Sender<Snapshot> },
    /// A subscriber has disconnected.
    Unsubscribe { id: u64 },
    /// The engine has chosen a move in the position of that number.
    EngineMove { position_number: u64, m: Option<Move> },
    /// Something else than an event has changed the game: its names, or that it exists.
    Reload { reply: oneshot::Sender<()> },
    /// Another node has logged events up to this number.
    Notified { number: u64 },
    /// Something may be due.
    Wake,
}

/// A command that was executed.
#[derive(Clone, Debug)]
pub(crate) struct Executed {
    /// The number of the event that did it.
    pub number: u64,
    /// Whether the command was a repetition.
    pub is_repeated: bool,
    /// The game after it.
    pub game: Arc<Game>,
}

/// Why a command was not executed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The game rejected it.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// There is no such game.
    #[error("there is no such game")]
    NoGame,
    /// The database does not answer; it is unknown whether the event was logged.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Other nodes were faster in every attempt.
    #[error("too much happens at once; try again")]
    Busy,
}

/// The owner of a game: its state, its subscribers and its mailbox.
pub(super) struct Owner {
    pub(super) shared: Arc<Shared>,
    pub(super) game: Arc<Game>,
    fanout: Fanout,
    requests: mpsc::Receiver<Request>,
    /// The sending end of the mailbox, for subscriptions and the engine's answers.
    pub(super) mailbox: mpsc::WeakSender<Request>,
    /// The search for the engine's move.
    pub(super) thinking: Option<Thinking>,
    /// Whether the log may hold events that are not applied here, because a write was not answered.
    pub(super) is_behind: bool,
    /// Whether the game was deleted: the task ends, and its subscribers with it.
    is_deleted: bool,
    pub(super) last_used: Instant,
    /// When to retry what failed.
    pub(super) retry_at: Option<Instant>,
}

impl Owner {
    pub(super) fn new(
        shared: Arc<Shared>,
        game: Game,
        requests: mpsc::Receiver<Request>,
        mailbox: mpsc::WeakSender<Request>,
    ) -> Owner {
        shared.metrics.tables.fetch_add(1, Relaxed);
        Owner {
            shared,
            game: Arc::new(game),
            fanout: Fanout::default(),
            requests,
            mailbox,
            thinking: None,
            is_behind: false,
            is_deleted: false,
            last_used: Instant::now(),
            retry_at: None,
        }
    }

    /// Serves the game until nobody has used it for a while.
    pub(super) async fn run(mut self) {
        loop {
            self.run_due().await;
            if self.fanout.is_sending() {
                match self.requests.try_recv() {
                    Ok(request) => self.handle(request).await,
                    Err(TryRecvError::Empty) => {}
                    Err(TryRecvError::Disconnected) => break,
                }
                self.fanout.send_batch();
                self.count_too_slow();
                // The sessions of these watchers, and everybody else, run before the next batch.
                tokio::task::yield_now().await;
                continue;
            }
            let sleep = self.time_until_due();
            tokio::select! {
                request = self.requests.recv() => match request {
                    Some(request) => self.handle(request).await,
                    None => break,
                },
                () = tokio::time::sleep(sleep) => {}
            }
            if self.is_deleted {
                self.shared.forget(&self.game.id);
                break;
            }
            if self.is_idle() {
                // From here on a new request starts a new task. Queued requests are still handled
                // here; if both tasks write, the log decides.
                self.shared.forget(&self.game.id);
                self.requests.close();
                while let Some(request) = self.requests.recv().await {
                    // The new task may have written meanwhile.
                    self.is_behind = true;
                    if !matches!(request, Request::Subscribe { .. }) {
                        self.handle(request).await;
                    }
                }
                self.shared.notify(&self.game.id, self.game.number);
                break;
            }
        }
    }

    pub(super) fn has_no_watchers(&self) -> bool {
        self.fanout.is_empty()
    }

    fn is_idle(&self) -> bool {
        self.fanout.is_empty()
            && self.thinking.is_none()
            && self.last_used.elapsed() >= self.shared.config.keep
    }

    fn time_until_due(&self) -> Duration {
        let keep = self.shared.config.keep.saturating_sub(self.last_used.elapsed());
        let keep = if self.fanout.is_empty() { keep } else { Duration::from_secs(3_600) };
        let until = |at: Instant| at.saturating_duration_since(Instant::now());
        let keep = self.fanout.presence_at().map_or(keep, until).min(keep);
        // What is overdue waits for the retry.
        if let Some(at) = self.retry_at {
            return until(at).min(keep).max(MIN_SLEEP);
        }
        let flag = self.game.wake_ms().filter(|_| self.game.engine_turn().is_none()).map(|at| {
            let at = at.max(self.shared.start_grace_end_ms());
            Duration::from_millis(u64::try_from(at - self.shared.clock.now_ms()).unwrap_or(0) + 1)
        });
        flag.unwrap_or(keep).min(keep).max(MIN_SLEEP)
    }

    async fn handle(&mut self, request: Request) {
        match request {
            Request::Execute { person, command, span, reply } => {
                self.last_used = Instant::now();
                let executed = self.execute(person.as_deref(), &command).instrument(span).await;
                if executed.is_ok() {
                    self.shared.metrics.latency.add(self.last_used.elapsed());
                }
                let _ = reply.send(executed);
            }
            Request::Snapshot { reply } => {
                self.last_used = Instant::now();
                // A client that moved on another node should see its move on this one.
                if self.is_behind || self.has_others() {
                    let _ = self.catch_up().await;
                }
                let presence = self.fanout.presence(&self.game);
                let _ = reply.send(Snapshot { game: Arc::clone(&self.game), presence });
            }
            Request::Subscribe { viewer, after, reply } => {
                self.subscribe(viewer, after, reply).await;
            }
            Request::Resync { reply } => {
                let _ = self.catch_up().await;
                let presence = self.fanout.presence(&self.game);
                let _ = reply.send(Snapshot { game: Arc::clone(&self.game), presence });
            }
            Request::Unsubscribe { id } => {
                self.last_used = Instant::now();
                self.fanout.remove(id);
                self.presence_changed();
            }
            Request::EngineMove { position_number, m } => {
                self.engine_moved(position_number, m).await;
            }
            Request::Reload { reply } => {
                self.reload().await;
                let _ = reply.send(());
            }
            Request::Notified { number } if number > self.game.number => {
                if self.catch_up().await.is_err() {
                    self.retry_soon();
                }
            }
            Request::Notified { .. } => {}
            Request::Wake => self.last_used = Instant::now(),
        }
    }

    /// Decides a command, logs the event, and only then changes the state.
    async fn execute(
        &mut self,
        person: Option<&str>,
        command: &Command,
    ) -> Result<Executed, CommandError> {
        let mut is_fresh = false;
        for _ in 0..MAX_ATTEMPTS {
            if self.is_behind {
                self.catch_up().await?;
                is_fresh = true;
            }
            self.log_outages_before_command().await?;
            match self.game.decide(person, command, self.now_ms()) {
                // Another node, an operator or an earlier task of this game may have logged an event
                // that allows the command: read the log before rejecting it.
                Err(_) if !is_fresh => {
                    self.catch_up().await?;
                    is_fresh = true;
                }
                Err(rejection) => return Err(rejection.into()),
                Ok(Decision::Done(number)) => {
                    let game = Arc::clone(&self.game);
                    return Ok(Executed { number, is_repeated: true, game });
                }
                Ok(Decision::Log(event)) => {
                    if self.log(event).await? {
                        let game = Arc::clone(&self.game);
                        return Ok(Executed { number: game.number, is_repeated: false, game });
                    }
                }
            }
        }
        Err(CommandError::Busy)
    }

    /// Whether other nodes may write to this database.
    fn has_others(&self) -> bool {
        self.shared.store.kind() == Kind::Postgres
    }

    /// The time of the next event: never before the last one, even if the clocks of nodes differ.
    pub(super) fn now_ms(&self) -> i64 {
        self.shared.clock.now_ms().max(self.game.at_ms)
    }

    /// Logs an event and applies it. `false` if another event has its number; then the state has
    /// caught up with the log.
    pub(super) async fn log(&mut self, event: Event) -> Result<bool, StoreError> {
        let logged = LoggedEvent { number: self.game.number + 1, at_ms: self.now_ms(), event };
        let mut next = (*self.game).clone();
        next.apply(&logged).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        let append = Write::Append(Append::new(logged.clone(), &next));
        match self.shared.store.write(append).await {
            Ok(true) => {
                self.shared.metrics.events.fetch_add(1, Relaxed);
                let (game, number) = (short(&self.game.id), logged.number);
                tracing::debug!(game, number, "logged an event");
                self.publish(next, &logged);
                Ok(true)
            }
            Ok(false) => {
                self.shared.metrics.conflicts.fetch_add(1, Relaxed);
                self.is_behind = true;
                self.catch_up().await?;
                Ok(false)
            }
            Err(error) => {
                self.is_behind = true;
                Err(error)
            }
        }
    }

    /// Applies the events that other nodes have logged, and those of unanswered writes.
    pub(super) async fn catch_up(&mut self) -> Result<(), StoreError> {
        for logged in self.shared.store.events(&self.game.id, self.game.number).await? {
            let mut next = (*self.game).clone();
            if let Err(error) = next.apply(&logged) {
                // Something else has changed the log. Do not write on top of it.
                tracing::error!(game = short(&self.game.id), %error, "the log is invalid");
                return Err(StoreError::Corrupt(error.to_string()));
            }
            self.publish(next, &logged);
        }
        self.is_behind = false;
        Ok(())
    }

    /// Reads the game from the beginning, because something else than an event has changed it. New events
    /// are sent as usual, and new names with the whole state; a deleted game ends.
    async fn reload(&mut self) {
        if self.catch_up().await.is_err() {
            return self.retry_soon();
        }
        match self.shared.store.game(&self.game.id).await {
            Ok(Some(game)) if game.number >= self.game.number => {
                let is_changed = game.seats != self.game.seats;
                self.game = Arc::new(game);
                if is_changed {
                    self.send_states();
                }
            }
            Ok(Some(_)) => {}
            Ok(None) => self.is_deleted = true,
            Err(_) => self.retry_soon(),
        }
    }

    /// Sends every subscriber the whole state.
    fn send_states(&mut self) {
        let (game, now_ms) = (&self.game, self.shared.clock.now_ms());
        let presence = self.fanout.presence(game);
        self.fanout.send(game, |viewer| {
            let state = ToClient::state(game, viewer.person.as_deref(), &presence, now_ms);
            viewer.form.payload(&state)
        });
        self.count_too_slow();
    }

    /// Takes over the game after an event, and sends the event to all subscribers.
    fn publish(&mut self, next: Game, logged: &LoggedEvent) {
        let last = std::mem::replace(&mut self.game, Arc::new(next));
        self.shared.news.notify(&last, &self.game);
        if self.fanout.is_empty() {
            return;
        }
        let (next, now_ms) = (&self.game, self.shared.clock.now_ms());
        let presence = self.fanout.presence(next);
        self.fanout.send(next, |viewer| {
            let person = viewer.person.as_deref();
            viewer.form.payload(&match viewer.form {
                Form::Patches => ToClient::patch(logged, &last, next, person, now_ms),
                Form::Whole => {
                    let view = GameView::new(next, person, &presence, now_ms);
                    ToClient::event(logged, next, Some(view))
                }
            })
        });
        self.count_too_slow();
    }

    fn presence_changed(&mut self) {
        if !self.fanout.is_empty() {
            self.fanout.presence_changed(self.shared.config.presence);
        }
    }

    /// Sends who is connected, if that is due.
    pub(super) fn send_presence(&mut self) {
        if let Some(presence) = self.fanout.take_presence(&self.game) {
            let payload = Payload::text(&ToClient::Presence { presence });
            self.fanout.send(&self.game, |_| payload.clone());
            self.count_too_slow();
        }
    }

    fn count_too_slow(&mut self) {
        let n = std::mem::take(&mut self.fanout.n_too_slow);
        if n > 0 {
            self.shared.metrics.too_slow.fetch_add(n, Relaxed);
            self.presence_changed();
        }
    }

    async fn subscribe(
        &mut self,
        viewer: Viewer,
        after: Option<u64>,
        reply: oneshot::Sender<Feed>,
    ) {
        self.last_used = Instant::now();
        if self.is_behind || self.has_others() {
            let _ = self.catch_up().await;
        }
        let missed = self.missed(after).await;
        let Some(mailbox) = self.mailbox.upgrade() else { return };
        let (sender, queue) = mpsc::channel(SUBSCRIBER_QUEUE_LEN);
        let id = self.fanout.add(viewer, sender);
        let presence = self.fanout.presence(&self.game);
        let start = Start { missed, game: Arc::clone(&self.game), presence };
        let game = Arc::clone(&self.game.id);
        // If the subscriber is gone, its feed is dropped, which unsubscribes it.
        let _ = reply.send(Feed { id, game, start: Some(start), queue, mailbox });
        self.presence_changed();
    }

    /// The events after `after`, which a reconnecting client has missed.
    async fn missed(&self, after: Option<u64>) -> Vec<ToClient> {
        let wanted = |after: &u64| {
            *after > 0 && *after < self.game.number && self.game.number - *after <= MAX_CATCH_UP
        };
        let Some(after) = after.filter(wanted) else { return Vec::new() };
        match self.shared.store.missed(&self.game, after).await {
            Ok(missed) => {
                missed.iter().map(|(logged, game)| ToClient::event(logged, game, None)).collect()
            }
            // The client still gets the state.
            Err(_) => Vec::new(),
        }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.shared.metrics.tables.fetch_sub(1, Relaxed);
        self.shared.forget_closed(&self.game.id);
    }
}
