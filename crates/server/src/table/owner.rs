//! The task that owns a game. It alone changes the state, and only after the log has the fact.
//!
//! Everything that can happen to a table is an [`Order`] in one queue, or the time. A fact that
//! another node has logged first is read, and the wish is thought over again.

use crate::ids::short;
use crate::store::{Append, Kind, StoreError, Write};
use crate::table::fanout::Fanout;
use crate::table::message::{ToClient, welcome};
use crate::table::registry::{Seen, Shared};
use crate::table::watch::Subscription;
use azulejo_rules::Move;
use azulejo_table::view::GameView;
use azulejo_table::{Action, Decision, Fact, Game, Logged, Refusal};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// A client that comes back is told at most so many events; after a longer absence only how
/// things stand.
const CATCH_UP: u64 = 200;

/// How often a wish is thought over when other nodes keep getting ahead.
const ATTEMPTS: usize = 5;

/// Something that a table has to deal with.
pub(super) enum Order {
    /// Somebody wants to do something.
    Act { person: Option<Arc<str>>, action: Action, reply: oneshot::Sender<Result<Done, ActError>> },
    /// Somebody wants to see the game.
    Look { reply: oneshot::Sender<Seen> },
    /// Somebody wants to follow the game.
    Watch { person: Option<Arc<str>>, after: Option<u64>, reply: oneshot::Sender<Subscription> },
    /// A follower wants to see everything anew.
    Resync { person: Option<Arc<str>>, reply: oneshot::Sender<ToClient> },
    /// A follower has gone.
    Unwatch { id: u64 },
    /// The engine has decided, for the position of that number.
    Engine { position_number: u64, m: Option<Move> },
    /// Another node has written.
    Ring { number: u64 },
    /// There may be something to do.
    Wake,
}

/// An action that was done.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    /// The event in which it was done.
    pub number: u64,
    /// Whether it had been done before.
    pub is_repeated: bool,
    /// The game after it.
    pub game: Arc<Game>,
}

/// Why an action was not done.
#[derive(Debug, thiserror::Error)]
pub enum ActError {
    /// It is not allowed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// There is no such game.
    #[error("there is no such game")]
    NoGame,
    /// The database does not answer; whether it was done is unknown.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Others were faster, again and again.
    #[error("too much happens at once; try again")]
    Busy,
}

/// A table.
pub(super) struct Owner {
    pub(super) shared: Arc<Shared>,
    pub(super) game: Arc<Game>,
    fanout: Fanout,
    orders: mpsc::Receiver<Order>,
    /// The door for the engine's answers.
    pub(super) door: mpsc::WeakSender<Order>,
    /// The position that the engine thinks about.
    pub(super) thinking: Option<u64>,
    /// Whether the log may hold more than we know, because a write was not answered.
    pub(super) is_behind: bool,
    pub(super) last_used: Instant,
    /// When to try again what did not work.
    pub(super) again: Option<Instant>,
}

impl Owner {
    pub(super) fn new(
        shared: Arc<Shared>,
        game: Game,
        orders: mpsc::Receiver<Order>,
        door: mpsc::WeakSender<Order>,
    ) -> Owner {
        shared.metrics.tables.fetch_add(1, Relaxed);
        Owner {
            shared,
            game: Arc::new(game),
            fanout: Fanout::default(),
            orders,
            door,
            thinking: None,
            is_behind: false,
            last_used: Instant::now(),
            again: None,
        }
    }

    /// Serves the table until nobody has needed it for a while.
    pub(super) async fn run(mut self) {
        loop {
            self.do_what_is_due().await;
            let sleep = self.until_something_is_due();
            tokio::select! {
                order = self.orders.recv() => match order {
                    Some(order) => self.obey(order).await,
                    None => break,
                },
                () = tokio::time::sleep(sleep) => {}
            }
            if self.is_idle() {
                // From here on others set up a table of their own; what is in the queue is still
                // done here, and the log decides if both want to write.
                self.shared.forget(&self.game.id);
                self.orders.close();
                while let Some(order) = self.orders.recv().await {
                    if !matches!(order, Order::Watch { .. }) {
                        self.obey(order).await;
                    }
                }
                break;
            }
        }
    }

    fn is_idle(&self) -> bool {
        self.fanout.is_empty()
            && self.thinking.is_none()
            && self.last_used.elapsed() >= self.shared.terms.keep
    }

    fn until_something_is_due(&self) -> Duration {
        let keep = self.shared.terms.keep.saturating_sub(self.last_used.elapsed());
        let keep = if self.fanout.is_empty() { keep } else { Duration::from_secs(3_600) };
        let flag = self.game.wake_ms().filter(|_| self.game.engine_turn().is_none()).map(|at| {
            let at = at.max(self.shared.mercy_ms());
            Duration::from_millis(u64::try_from(at - self.shared.clock.now_ms()).unwrap_or(0) + 1)
        });
        let again = self.again.map(|at| at.saturating_duration_since(Instant::now()));
        [flag, again].into_iter().flatten().fold(keep, Duration::min).max(Duration::from_millis(1))
    }

    async fn obey(&mut self, order: Order) {
        match order {
            Order::Act { person, action, reply } => {
                self.last_used = Instant::now();
                let done = self.act(person.as_deref(), &action).await;
                if done.is_ok() {
                    self.shared.metrics.latency.add(self.last_used.elapsed());
                }
                let _ = reply.send(done);
            }
            Order::Look { reply } => {
                self.last_used = Instant::now();
                // Whoever has moved on another node should see the move on this one.
                if self.is_behind || self.has_others() {
                    let _ = self.catch_up().await;
                }
                let presence = self.fanout.presence(&self.game);
                let _ = reply.send(Seen { game: Arc::clone(&self.game), presence });
            }
            Order::Watch { person, after, reply } => self.watch(person, after, reply).await,
            Order::Resync { person, reply } => {
                let _ = self.catch_up().await;
                let presence = self.fanout.presence(&self.game);
                let now_ms = self.shared.clock.now_ms();
                let _ = reply.send(welcome(&self.game, person.as_deref(), &presence, now_ms));
            }
            Order::Unwatch { id } => {
                self.last_used = Instant::now();
                self.fanout.remove(id);
                self.tell_presence();
            }
            Order::Engine { position_number, m } => self.engine_moved(position_number, m).await,
            Order::Ring { number } if number > self.game.number => {
                if self.catch_up().await.is_err() {
                    self.try_again_soon();
                }
            }
            Order::Ring { .. } => {}
            Order::Wake => self.last_used = Instant::now(),
        }
    }

    /// Decides, logs, and only then changes anything.
    async fn act(&mut self, person: Option<&str>, action: &Action) -> Result<Done, ActError> {
        let mut is_fresh = !self.has_others();
        for _ in 0..ATTEMPTS {
            if self.is_behind {
                self.catch_up().await?;
                is_fresh = true;
            }
            match self.game.decide(person, action, self.now_ms()) {
                // Another node may know better, and its news be under way: nothing is refused
                // before the log has been asked.
                Err(_) if !is_fresh => {
                    self.catch_up().await?;
                    is_fresh = true;
                }
                Err(refusal) => return Err(refusal.into()),
                Ok(Decision::Done(number)) => {
                    let game = Arc::clone(&self.game);
                    return Ok(Done { number, is_repeated: true, game });
                }
                Ok(Decision::Log(fact)) => {
                    if self.log(fact).await? {
                        let game = Arc::clone(&self.game);
                        return Ok(Done { number: game.number, is_repeated: false, game });
                    }
                }
            }
        }
        Err(ActError::Busy)
    }

    /// Whether other nodes may write to the log.
    fn has_others(&self) -> bool {
        self.shared.store.kind() == Kind::Postgres
    }

    /// The time of the next fact: never before the last one, whatever the clocks of nodes say.
    fn now_ms(&self) -> i64 {
        self.shared.clock.now_ms().max(self.game.at_ms)
    }

    /// Writes a fact and applies it. `false` if its number was taken; then the state is that of
    /// the log.
    pub(super) async fn log(&mut self, fact: Fact) -> Result<bool, StoreError> {
        let logged = Logged { number: self.game.number + 1, at_ms: self.now_ms(), fact };
        let mut next = (*self.game).clone();
        next.apply(&logged).map_err(|broken| StoreError::Strange(broken.to_string()))?;
        let append = Write::Append(Append::new(logged.clone(), &next));
        match self.shared.store.write(append).await {
            Ok(true) => {
                self.shared.metrics.facts.fetch_add(1, Relaxed);
                self.game = Arc::new(next);
                self.announce(&logged);
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

    /// Reads what others have logged, or what we wrote without hearing of it.
    pub(super) async fn catch_up(&mut self) -> Result<(), StoreError> {
        for logged in self.shared.store.facts(&self.game.id, self.game.number).await? {
            let mut next = (*self.game).clone();
            if let Err(broken) = next.apply(&logged) {
                // The log was changed behind our back. Nothing more is written on top of it.
                tracing::error!(game = short(&self.game.id), %broken, "the log is broken");
                return Err(StoreError::Strange(broken.to_string()));
            }
            self.game = Arc::new(next);
            self.announce(&logged);
        }
        self.is_behind = false;
        Ok(())
    }

    /// Tells everybody who follows.
    fn announce(&mut self, logged: &Logged) {
        let presence = self.fanout.presence(&self.game);
        let (game, now_ms) = (&self.game, self.shared.clock.now_ms());
        self.fanout.send(game, |person| {
            let view = GameView::new(game, person, &presence, now_ms);
            ToClient::event(logged, game, Some(view)).text()
        });
        self.count_too_slow();
    }

    fn tell_presence(&mut self) {
        let presence = self.fanout.presence(&self.game);
        let text = ToClient::Presence { presence }.text();
        self.fanout.send(&self.game, |_| text.clone());
        self.count_too_slow();
    }

    fn count_too_slow(&mut self) {
        let n = std::mem::take(&mut self.fanout.n_too_slow);
        self.shared.metrics.too_slow.fetch_add(n, Relaxed);
    }

    async fn watch(
        &mut self,
        person: Option<Arc<str>>,
        after: Option<u64>,
        reply: oneshot::Sender<Subscription>,
    ) {
        self.last_used = Instant::now();
        if self.is_behind || self.has_others() {
            let _ = self.catch_up().await;
        }
        let mut first = self.missed(after).await;
        let (sender, queue) = mpsc::channel(super::fanout::QUEUE);
        let id = self.fanout.add(person.clone(), sender);
        let presence = self.fanout.presence(&self.game);
        let now_ms = self.shared.clock.now_ms();
        first.push(welcome(&self.game, person.as_deref(), &presence, now_ms));
        let Some(door) = self.door.upgrade() else { return };
        let subscription = Subscription::new(id, first, queue, door);
        // The others hear of it, and so does the new one, which does no harm.
        if reply.send(subscription).is_ok() {
            self.tell_presence();
        } else {
            self.fanout.remove(id);
        }
    }

    /// The events that a client missed which has seen everything up to `after`.
    async fn missed(&self, after: Option<u64>) -> Vec<ToClient> {
        let wanted = |after: &u64| {
            *after > 0 && *after < self.game.number && self.game.number - *after <= CATCH_UP
        };
        let Some(after) = after.filter(wanted) else { return Vec::new() };
        match self.shared.store.missed(&self.game, after).await {
            Ok(missed) => {
                missed.iter().map(|(logged, game)| ToClient::event(logged, game, None)).collect()
            }
            // The state is sent anyway; only the way to it is not.
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
