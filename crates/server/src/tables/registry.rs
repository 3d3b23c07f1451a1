//! The registry of game tasks. A request starts the task of its game if it is not running.
//! Notifications from other nodes reach running tasks; a sweep every second starts the tasks of games
//! in which something is due.

use crate::ids::short;
use crate::metrics::Metrics;
use crate::store::{Append, Kind, NewGame, Notification, Store, StoreError, Write};
use crate::tables::engines::Engines;
use crate::tables::fanout::Viewer;
use crate::tables::news::News;
use crate::tables::owner::{CommandError, Executed, Owner, Request};
use crate::tables::subscription::{Feed, Subscription};
use crate::time::Clock;
use azulejo_notation::Seed;
use azulejo_table::view::Presence;
use azulejo_table::{Command, Event, Game, LogError, LoggedEvent, Settings};
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{broadcast, mpsc, oneshot};

/// Requests that may wait in the mailbox of a game; callers wait when it is full (backpressure).
const MAILBOX_LEN: usize = 32;

/// How often the registry looks for games in which something is due.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// A game is taken over from another node when it is overdue for this time.
const TAKEOVER_MS: i64 = 2_000;

/// The largest number of games that one sweep wakes.
const MAX_SWEEP_GAMES: u32 = 200;

/// How often changed games are read again, to make up for lost notifications.
const REREAD_INTERVAL: Duration = Duration::from_secs(5);

/// How long games stay in memory, and the grace after a start.
#[derive(Clone, Copy, Debug)]
pub struct TableConfig {
    /// An unused game leaves memory after this time.
    pub keep: Duration,
    /// Nobody loses on time until this long after a start: players may have waited for the server.
    pub start_grace: Duration,
    /// Subscribers are told who is connected at most once in this time.
    pub presence: Duration,
    /// On TV the engine waits for this time after each move.
    pub tv_pace: Duration,
}

impl Default for TableConfig {
    fn default() -> TableConfig {
        let seconds = Duration::from_secs;
        TableConfig {
            keep: seconds(60),
            start_grace: seconds(30),
            presence: seconds(1),
            tv_pace: seconds(3),
        }
    }
}

/// The games of this node.
#[derive(Clone)]
pub(crate) struct Tables(Arc<Shared>);

/// What all game tasks share.
pub(super) struct Shared {
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) engines: Engines,
    pub(super) metrics: Arc<Metrics>,
    pub(super) config: TableConfig,
    pub(super) news: News,
    mailboxes: Mutex<HashMap<Arc<str>, mpsc::Sender<Request>>>,
}

/// A game at one time.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// The game.
    pub game: Arc<Game>,
    /// Who is connected.
    pub presence: Presence,
}

impl Tables {
    /// An empty registry; tasks start when they are needed.
    #[must_use]
    pub(crate) fn new(
        store: Store,
        clock: Clock,
        engines: Engines,
        metrics: Arc<Metrics>,
        config: TableConfig,
    ) -> Tables {
        let (news, mailboxes) = (News::default(), Mutex::default());
        let shared = Shared { store, clock, engines, metrics, config, news, mailboxes };
        let tables = Tables(Arc::new(shared));
        tokio::spawn(tables.clone().sweep());
        if tables.0.store.kind() == Kind::Postgres {
            tokio::spawn(tables.clone().listen(tables.0.store.notifications()));
            tokio::spawn(tables.clone().reread());
        }
        tables
    }

    /// Creates a game.
    ///
    /// # Errors
    /// If the settings do not make a game, or the database does not answer.
    pub(crate) async fn create(
        &self,
        id: Arc<str>,
        settings: Settings,
        seed: Seed,
    ) -> Result<Snapshot, CommandError> {
        let settings = Arc::new(settings);
        let invalid = |error: LogError| StoreError::Corrupt(error.to_string());
        let mut game =
            Game::new(Arc::clone(&id), Arc::clone(&settings), seed.clone()).map_err(invalid)?;
        let logged = LoggedEvent { number: 1, at_ms: self.0.clock.now_ms(), event: Event::Created };
        game.apply(&logged).map_err(invalid)?;
        let first = Append::new(logged, &game);
        let new = NewGame { id: Arc::clone(&id), settings, seed, first };
        if !self.0.store.write(Write::Game(Box::new(new))).await? {
            return Err(CommandError::Busy);
        }
        self.0.metrics.games_created.fetch_add(1, Relaxed);
        self.0.news.notify_players(&game);
        // An engine that moves first should not wait until somebody asks for the game.
        if game.engine_turn().is_some() {
            self.wake(&id).await;
        }
        let presence = Presence { seats: vec![false; game.seats.len()], watchers: 0 };
        Ok(Snapshot { game: Arc::new(game), presence })
    }

    /// Executes a command.
    ///
    /// # Errors
    /// Why it was not executed.
    pub(crate) async fn execute(
        &self,
        id: &str,
        person: Option<Arc<str>>,
        command: Command,
    ) -> Result<Executed, CommandError> {
        let request = |reply| Request::Execute {
            person: person.clone(),
            command: command.clone(),
            span: tracing::Span::current(),
            reply,
        };
        self.ask(id, request).await?
    }

    /// Reads a game.
    ///
    /// # Errors
    /// If there is none, or the database does not answer.
    pub(crate) async fn snapshot(&self, id: &str) -> Result<Snapshot, CommandError> {
        self.ask(id, |reply| Request::Snapshot { reply }).await
    }

    /// Subscribes to a game, from the event after a number if one is given.
    ///
    /// # Errors
    /// If there is none, or the database does not answer.
    pub(crate) async fn subscribe(
        &self,
        id: &str,
        viewer: Viewer,
        after: Option<u64>,
    ) -> Result<Subscription, CommandError> {
        let feed = self.feed(id, &viewer, after).await?;
        Ok(Subscription::new(self.clone(), viewer, feed))
    }

    pub(super) async fn feed(
        &self,
        id: &str,
        viewer: &Viewer,
        after: Option<u64>,
    ) -> Result<Feed, CommandError> {
        self.ask(id, |reply| Request::Subscribe { viewer: viewer.clone(), after, reply }).await
    }

    /// The time, in milliseconds since 1970.
    pub(super) fn now_ms(&self) -> i64 {
        self.0.clock.now_ms()
    }

    /// News about the games of people.
    pub(crate) fn news(&self) -> &News {
        &self.0.news
    }

    /// Reads a game again from the beginning, because something else than an event has changed it.
    pub(crate) async fn reload(&self, id: &str) {
        let mailbox = self.0.mailboxes().get(id).cloned();
        if let Some(mailbox) = mailbox {
            let (reply, answer) = oneshot::channel();
            if mailbox.send(Request::Reload { reply }).await.is_ok() {
                let _ = answer.await;
            }
        }
    }

    /// Sends a request to the task of a game. A task that is ending may drop it; then a new task is
    /// started.
    async fn ask<T>(
        &self,
        id: &str,
        request: impl Fn(oneshot::Sender<T>) -> Request,
    ) -> Result<T, CommandError> {
        for _ in 0..5 {
            let mailbox = self.mailbox(id).await?;
            let (reply, answer) = oneshot::channel();
            if mailbox.send(request(reply)).await.is_err() {
                self.0.forget_closed(id);
                continue;
            }
            if let Ok(answer) = answer.await {
                return Ok(answer);
            }
            self.0.forget_closed(id);
        }
        Err(CommandError::Busy)
    }

    /// The mailbox of a game, whose task is started if necessary.
    async fn mailbox(&self, id: &str) -> Result<mpsc::Sender<Request>, CommandError> {
        if let Some(mailbox) = self.0.mailboxes().get(id) {
            return Ok(mailbox.clone());
        }
        if !crate::ids::is_id(id) {
            return Err(CommandError::NoGame);
        }
        let game = self.0.store.game(id).await?.ok_or(CommandError::NoGame)?;
        let mut mailboxes = self.0.mailboxes();
        // Another request may have started the task meanwhile.
        if let Some(mailbox) = mailboxes.get(id) {
            return Ok(mailbox.clone());
        }
        let (mailbox, requests) = mpsc::channel(MAILBOX_LEN);
        mailboxes.insert(Arc::clone(&game.id), mailbox.clone());
        let owner = Owner::new(Arc::clone(&self.0), game, requests, mailbox.downgrade());
        tokio::spawn(owner.run());
        Ok(mailbox)
    }

    async fn wake(&self, id: &str) {
        match self.mailbox(id).await {
            Ok(mailbox) => {
                let _ = mailbox.try_send(Request::Wake);
            }
            Err(error) => tracing::warn!(game = short(id), %error, "a game could not be loaded"),
        }
    }

    /// Starts the tasks of games in which something is due: after a restart, or because the node that
    /// had them is gone.
    async fn sweep(self) {
        loop {
            tokio::time::sleep(SWEEP_INTERVAL).await;
            let before_ms = self.0.clock.now_ms() - TAKEOVER_MS;
            let due = match self.0.store.due(before_ms, MAX_SWEEP_GAMES).await {
                Ok(due) => due,
                Err(error) => {
                    tracing::warn!(%error, "cannot query the games that are due");
                    continue;
                }
            };
            for id in due {
                let is_here = self.0.mailboxes().contains_key(id.as_str());
                if !is_here {
                    self.wake(&id).await;
                }
            }
        }
    }

    async fn listen(self, mut notifications: broadcast::Receiver<Notification>) {
        loop {
            match notifications.recv().await {
                Ok(Notification::Game(id, number)) => self.0.notify(&id, number),
                Ok(Notification::Person(person)) => self.0.news.notify_person(&person),
                Ok(Notification::All) | Err(broadcast::error::RecvError::Lagged(_)) => {
                    self.notify_all();
                    self.0.news.notify_all();
                }
                Err(broadcast::error::RecvError::Closed) => return,
            }
        }
    }

    fn notify_all(&self) {
        for mailbox in self.0.mailboxes().values() {
            let _ = mailbox.try_send(Request::Notified { number: u64::MAX });
        }
    }

    /// Makes up for lost notifications.
    async fn reread(self) {
        loop {
            tokio::time::sleep(REREAD_INTERVAL).await;
            // A margin of twelve intervals, because the clocks of nodes may differ.
            let since_ms = self.0.clock.now_ms() - 12 * REREAD_INTERVAL.as_millis() as i64;
            if let Ok(changed) = self.0.store.changed(since_ms).await {
                for (id, number) in changed {
                    self.0.notify(&id, number);
                }
            }
        }
    }
}

impl Shared {
    fn mailboxes(&self) -> MutexGuard<'_, HashMap<Arc<str>, mpsc::Sender<Request>>> {
        self.mailboxes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the task of a game, if there is one, that events up to a number are logged.
    pub(super) fn notify(&self, id: &str, number: u64) {
        if let Some(mailbox) = self.mailboxes().get(id) {
            // A full mailbox means that the task is busy; the log is read again later.
            let _ = mailbox.try_send(Request::Notified { number });
        }
    }

    /// Removes the task of a game that is ending.
    pub(super) fn forget(&self, id: &str) {
        self.mailboxes().remove(id);
    }

    /// Removes the task of a game if it has ended; a new one may be running already.
    pub(super) fn forget_closed(&self, id: &str) {
        let mut mailboxes = self.mailboxes();
        if mailboxes.get(id).is_some_and(mpsc::Sender::is_closed) {
            mailboxes.remove(id);
        }
    }

    /// Nobody loses on time before this time.
    pub(super) fn start_grace_end_ms(&self) -> i64 {
        let grace_ms = i64::try_from(self.config.start_grace.as_millis()).unwrap_or(0);
        self.clock.started_ms().saturating_add(grace_ms)
    }
}
