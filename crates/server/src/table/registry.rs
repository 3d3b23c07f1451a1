//! Where the tables are. Asking for a game sets its table up; news from other nodes and the time
//! reach those that are set up, and wake those that have to be.

use crate::ids::short;
use crate::metrics::Metrics;
use crate::store::{Append, Kind, NewGame, Ring, Store, StoreError, Write};
use crate::table::engines::Engines;
use crate::table::owner::{ActError, Done, Order, Owner};
use crate::table::watch::Subscription;
use crate::time::Clock;
use azulejo_notation::Seed;
use azulejo_table::view::Presence;
use azulejo_table::{Action, Fact, Game, Logged, Settings};
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{broadcast, mpsc, oneshot};

/// Orders that may wait at a table.
const QUEUE: usize = 32;

/// How often the games are looked for that wait for nobody but the server.
const SWEEP: Duration = Duration::from_secs(1);

/// A game whose node was killed is taken over after so long.
const OVERDUE_MS: i64 = 2_000;

/// How many such games are woken at a time.
const SWEEP_GAMES: u32 = 200;

/// How often the log is read again for rings that were lost.
const REREAD: Duration = Duration::from_secs(5);

/// How tables are run.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// How long a table is kept that nobody uses.
    pub keep: Duration,
    /// After a start nobody loses on time for so long: the players may have waited for the server.
    pub mercy: Duration,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms { keep: Duration::from_secs(60), mercy: Duration::from_secs(30) }
    }
}

/// All tables of this node.
#[derive(Clone)]
pub(crate) struct Tables(Arc<Shared>);

/// What all tables share.
pub(super) struct Shared {
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) engines: Engines,
    pub(super) metrics: Arc<Metrics>,
    pub(super) terms: Terms,
    doors: Mutex<HashMap<Arc<str>, mpsc::Sender<Order>>>,
}

/// A game as its table has it.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// The game.
    pub game: Arc<Game>,
    /// Who is there.
    pub presence: Presence,
}

impl Tables {
    /// No tables yet; they are set up when they are needed.
    #[must_use]
    pub(crate) fn new(
        store: Store,
        clock: Clock,
        engines: Engines,
        metrics: Arc<Metrics>,
        terms: Terms,
    ) -> Tables {
        let doors = Mutex::default();
        let tables = Tables(Arc::new(Shared { store, clock, engines, metrics, terms, doors }));
        tokio::spawn(tables.clone().sweep());
        if tables.0.store.kind() == Kind::Postgres {
            tokio::spawn(tables.clone().listen(tables.0.store.rings()));
            tokio::spawn(tables.clone().reread());
        }
        tables
    }

    /// Creates a game.
    ///
    /// # Errors
    /// If the settings make no game, or the database does not answer.
    pub(crate) async fn create(
        &self,
        id: Arc<str>,
        settings: Settings,
        seed: Seed,
    ) -> Result<Seen, ActError> {
        let settings = Arc::new(settings);
        let strange = |broken: azulejo_table::Broken| StoreError::Strange(broken.to_string());
        let mut game =
            Game::new(Arc::clone(&id), Arc::clone(&settings), seed.clone()).map_err(strange)?;
        let logged = Logged { number: 1, at_ms: self.0.clock.now_ms(), fact: Fact::Created };
        game.apply(&logged).map_err(strange)?;
        let first = Append::new(logged, &game);
        let new = NewGame { id: Arc::clone(&id), settings, seed, first };
        if !self.0.store.write(Write::Game(Box::new(new))).await? {
            return Err(ActError::Busy);
        }
        self.0.metrics.games_created.fetch_add(1, Relaxed);
        // An engine that begins should not wait for the first look at the game.
        if game.engine_turn().is_some() {
            self.wake(&id).await;
        }
        let presence = Presence { seats: vec![false; game.seats.len()], watchers: 0 };
        Ok(Seen { game: Arc::new(game), presence })
    }

    /// Does something in a game, or says why not.
    ///
    /// # Errors
    /// Why not.
    pub(crate) async fn act(
        &self,
        id: &str,
        person: Option<Arc<str>>,
        action: Action,
    ) -> Result<Done, ActError> {
        self.ask(id, |reply| Order::Act { person: person.clone(), action: action.clone(), reply })
            .await?
    }

    /// Looks at a game.
    ///
    /// # Errors
    /// If there is none, or the database does not answer.
    pub(crate) async fn look(&self, id: &str) -> Result<Seen, ActError> {
        self.ask(id, |reply| Order::Look { reply }).await
    }

    /// Follows a game, from the event after a number if one is given.
    ///
    /// # Errors
    /// If there is none, or the database does not answer.
    pub(crate) async fn watch(
        &self,
        id: &str,
        person: Option<Arc<str>>,
        after: Option<u64>,
    ) -> Result<Subscription, ActError> {
        self.ask(id, |reply| Order::Watch { person: person.clone(), after, reply }).await
    }

    /// Asks a table. One that is being cleared may drop the question; then a new one is set up.
    async fn ask<T>(
        &self,
        id: &str,
        order: impl Fn(oneshot::Sender<T>) -> Order,
    ) -> Result<T, ActError> {
        for _ in 0..5 {
            let door = self.door(id).await?;
            let (reply, answer) = oneshot::channel();
            if door.send(order(reply)).await.is_err() {
                self.0.forget_closed(id);
                continue;
            }
            if let Ok(answer) = answer.await {
                return Ok(answer);
            }
            self.0.forget_closed(id);
        }
        Err(ActError::Busy)
    }

    /// The door of a table, which is set up if it has to be.
    async fn door(&self, id: &str) -> Result<mpsc::Sender<Order>, ActError> {
        if let Some(door) = self.0.doors().get(id) {
            return Ok(door.clone());
        }
        if !crate::ids::is_id(id) {
            return Err(ActError::NoGame);
        }
        let game = self.0.store.game(id).await?.ok_or(ActError::NoGame)?;
        let mut doors = self.0.doors();
        // Somebody else may have been faster.
        if let Some(door) = doors.get(id) {
            return Ok(door.clone());
        }
        let (door, orders) = mpsc::channel(QUEUE);
        doors.insert(Arc::clone(&game.id), door.clone());
        let owner = Owner::new(Arc::clone(&self.0), game, orders, door.downgrade());
        tokio::spawn(owner.run());
        Ok(door)
    }

    async fn wake(&self, id: &str) {
        match self.door(id).await {
            Ok(door) => {
                let _ = door.try_send(Order::Wake);
            }
            Err(error) => tracing::warn!(game = short(id), %error, "a game could not be woken"),
        }
    }

    /// Wakes the games in which something is due: after a restart, or because the node that had
    /// them is gone.
    async fn sweep(self) {
        loop {
            tokio::time::sleep(SWEEP).await;
            let before_ms = self.0.clock.now_ms() - OVERDUE_MS;
            let due = match self.0.store.due(before_ms, SWEEP_GAMES).await {
                Ok(due) => due,
                Err(error) => {
                    tracing::warn!(%error, "cannot look for games that are due");
                    continue;
                }
            };
            for id in due {
                let is_here = self.0.doors().contains_key(id.as_str());
                if !is_here {
                    self.wake(&id).await;
                }
            }
        }
    }

    async fn listen(self, mut rings: broadcast::Receiver<Ring>) {
        loop {
            match rings.recv().await {
                Ok(Ring::Game(id, number)) => self.ring(&id, number),
                Ok(Ring::All) | Err(broadcast::error::RecvError::Lagged(_)) => self.ring_all(),
                Err(broadcast::error::RecvError::Closed) => return,
            }
        }
    }

    fn ring(&self, id: &str, number: u64) {
        if let Some(door) = self.0.doors().get(id) {
            // A full queue means that the table is busy; the log is read again later.
            let _ = door.try_send(Order::Ring { number });
        }
    }

    fn ring_all(&self) {
        for door in self.0.doors().values() {
            let _ = door.try_send(Order::Ring { number: u64::MAX });
        }
    }

    /// Makes up for rings that were lost.
    async fn reread(self) {
        loop {
            tokio::time::sleep(REREAD).await;
            // The clocks of nodes may differ by a little.
            let since_ms = self.0.clock.now_ms() - 12 * REREAD.as_millis() as i64;
            if let Ok(changed) = self.0.store.changed(since_ms).await {
                for (id, number) in changed {
                    self.ring(&id, number);
                }
            }
        }
    }
}

impl Shared {
    fn doors(&self) -> MutexGuard<'_, HashMap<Arc<str>, mpsc::Sender<Order>>> {
        self.doors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets go of a table that is being cleared.
    pub(super) fn forget(&self, id: &str) {
        self.doors().remove(id);
    }

    /// Lets go of a table that is gone; another one of that game may be there already.
    pub(super) fn forget_closed(&self, id: &str) {
        let mut doors = self.doors();
        if doors.get(id).is_some_and(mpsc::Sender::is_closed) {
            doors.remove(id);
        }
    }

    /// Until when nobody loses on time.
    pub(super) fn mercy_ms(&self) -> i64 {
        let mercy = i64::try_from(self.terms.mercy.as_millis()).unwrap_or(0);
        self.clock.started_ms().saturating_add(mercy)
    }
}
