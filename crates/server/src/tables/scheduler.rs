//! The order of searches (a fair queue): who is next, and how long a search may take. It has no threads
//! and no clock: [`Engines`](super::engines::Engines) puts them around it.
//!
//! - **Fair between askers** (start-time fair queuing): every search belongs to a round, in which each
//!   asker has one. An asker with many searches waits behind everyone else.
//! - **Urgent before patient**: within a round, moves come before hints and hints before evaluations, and
//!   weak levels before strong ones, because their searches are short.
//! - **TV and reviews last**: a move on TV starts when no player waits, a step of a review when nothing else
//!   does, and both stop when something more urgent arrives.
//! - **Shorter under load** (processor sharing): the time until [`ANSWER_GOAL`] is divided among the
//!   askers, and the part of an asker among its searches. A running search is cut when more arrive.

use azulejo_engine::{Level, Stop};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// Searches that may wait. In a full queue a search that is more urgent takes the last one's place.
const MAX_WAITING: usize = 512;

/// The time from a question to its answer that the time slices aim at, unless a search without load
/// takes longer.
const ANSWER_GOAL: Duration = Duration::from_secs(2);

/// The shortest time slice; the best move of a few plies is found in it.
const MIN_SLICE: Duration = Duration::from_millis(10);

/// A running hint or evaluation gives way to a more urgent search after this time.
const PATIENCE: Duration = Duration::from_millis(200);

/// How often running searches are checked for askers that have gone.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Who a search is for: the id of a person, or an address.
pub(crate) type Asker = Arc<str>;

/// What a search is for, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
    /// A move of a level.
    Move(Level),
    /// A hint for a player.
    Hint,
    /// An evaluation for anybody.
    Evaluation,
    /// A move on TV, for which nobody waits: it gives way to everything above.
    Tv(Level),
    /// A step of a review, which gives way to everything else. It has a node limit and no time slice: a step
    /// that is stopped has to be made again.
    Review,
}

impl Purpose {
    /// Moves are 0, hints 1, evaluations 2, moves on TV 3, reviews 4.
    const fn rank(self) -> u8 {
        match self {
            Purpose::Move(_) => 0,
            Purpose::Hint => 1,
            Purpose::Evaluation => 2,
            Purpose::Tv(_) => 3,
            Purpose::Review => 4,
        }
    }

    /// 0 for the searches that share the time fairly; the others start when none of a smaller class waits.
    const fn class(self) -> u8 {
        match self {
            Purpose::Move(_) | Purpose::Hint | Purpose::Evaluation => 0,
            Purpose::Tv(_) => 1,
            Purpose::Review => 2,
        }
    }

    /// The level that searches: full strength for analyses.
    pub(super) const fn level(self) -> Level {
        match self {
            Purpose::Move(level) | Purpose::Tv(level) => level,
            Purpose::Hint | Purpose::Evaluation | Purpose::Review => Level::MAX,
        }
    }

    /// Whether the search takes a few milliseconds.
    pub(super) const fn is_quick(self) -> bool {
        matches!(self, Purpose::Move(level) if level.is_quick())
    }
}

/// Held by the asker: when it is dropped, the search is no longer wanted.
#[derive(Debug, Default)]
pub(crate) struct Ticket(Arc<()>);

/// A search that somebody asked for.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) asker: Asker,
    pub(super) purpose: Purpose,
    pub(super) since: Instant,
    ticket: Weak<()>,
}

impl Request {
    pub(super) fn new(asker: Asker, purpose: Purpose, since: Instant, ticket: &Ticket) -> Request {
        Request { asker, purpose, since, ticket: Arc::downgrade(&ticket.0) }
    }

    fn is_wanted(&self) -> bool {
        self.ticket.strong_count() > 0
    }
}

/// A search that has begun.
#[derive(Clone, Debug)]
pub(super) struct Started {
    pub(super) request: Request,
    pub(super) at: Instant,
    /// The time slice at the start.
    pub(super) slice: Duration,
    /// Ends the search.
    pub(super) stop: Stop,
    number: u64,
}

/// A search that waits, with the work that it brings.
struct Waiting<W> {
    request: Request,
    round: u64,
    work: W,
}

impl<W> Waiting<W> {
    /// The search with the smallest order is next.
    const fn order(&self) -> (u8, u64, Purpose) {
        let purpose = self.request.purpose;
        (purpose.class(), self.round, purpose)
    }
}

/// The waiting and the running searches of some threads.
pub(super) struct Scheduler<W> {
    n_threads: u32,
    /// The time slice without load.
    full_time: Duration,
    /// In the order of arrival.
    waiting: Vec<Waiting<W>>,
    running: Vec<Started>,
    /// The round of the last search that began.
    round: u64,
    /// The last rounds of the askers, unless they have passed.
    last_rounds: HashMap<Asker, u64>,
    /// What had to go from a full queue.
    refused: Vec<W>,
    n_started: u64,
}

impl<W> Scheduler<W> {
    /// A scheduler for a number of threads.
    pub(super) fn new(n_threads: usize, full_time: Duration) -> Scheduler<W> {
        let n_threads = u32::try_from(n_threads.max(1)).unwrap_or(1);
        Scheduler {
            n_threads,
            full_time,
            waiting: Vec::new(),
            running: Vec::new(),
            round: 0,
            last_rounds: HashMap::new(),
            refused: Vec::new(),
            n_started: 0,
        }
    }

    /// Adds a search. When the queue is full, the search that would be served last is refused.
    pub(super) fn push(&mut self, request: Request, work: W) {
        let next = self.last_rounds.get(&request.asker).map_or(0, |last| last + 1);
        let round = self.round.max(next);
        self.last_rounds.insert(Arc::clone(&request.asker), round);
        self.waiting.push(Waiting { request, round, work });
        let order = |i: &usize| self.waiting[*i].order();
        if self.waiting.len() > MAX_WAITING
            && let Some(last) = (0..self.waiting.len()).max_by_key(order)
        {
            self.refused.push(self.waiting.remove(last).work);
        }
    }

    /// Starts the next search.
    pub(super) fn start_next(&mut self, now: Instant) -> Option<(Started, W)> {
        let wanted = (0..self.waiting.len()).filter(|&i| self.waiting[i].request.is_wanted());
        // Of equals the first, which has waited longest.
        let next = wanted.min_by_key(|&i| self.waiting[i].order())?;
        let Waiting { request, round, work } = self.waiting.remove(next);
        self.round = self.round.max(round);
        // A new round begins when nobody waits, or when too many were served in this one to be kept.
        if self.waiting.is_empty() || self.last_rounds.len() > 8 * MAX_WAITING {
            self.round += 1;
        }
        self.last_rounds.retain(|_, last| *last >= self.round);
        self.n_started += 1;
        let slice = self.slice(&request, now, None);
        let number = self.n_started;
        let started = Started { request, at: now, slice, stop: Stop::new(), number };
        self.running.push(started.clone());
        Some((started, work))
    }

    /// Removes a search that has ended.
    pub(super) fn finish(&mut self, started: &Started) {
        self.running.retain(|running| running.number != started.number);
    }

    /// Removes the refused searches, and the waiting ones that nobody wants anymore.
    pub(super) fn take_dropped(&mut self) -> Vec<W> {
        let unwanted = self.waiting.extract_if(.., |waiting| !waiting.request.is_wanted());
        let unwanted = unwanted.map(|waiting| waiting.work);
        self.refused.drain(..).chain(unwanted).collect()
    }

    /// Stops the running searches that have used up their time slice or are no longer wanted.
    /// Returns the time until this has to be called again.
    pub(super) fn cut(&self, now: Instant) -> Duration {
        let mut wait = if self.running.is_empty() { ANSWER_GOAL } else { CHECK_INTERVAL };
        for started in &self.running {
            let slice = self.slice(&started.request, started.at, Some(started.number));
            let left = (started.at + slice).saturating_duration_since(now);
            // The engine itself ends a search after the full time.
            let is_cut = slice < self.full_time && left.is_zero();
            if is_cut || !started.request.is_wanted() {
                started.stop.stop();
            } else if slice < self.full_time {
                wait = wait.min(left);
            }
        }
        wait
    }

    /// Stops all running searches and removes the waiting ones.
    pub(super) fn close(&mut self) -> Vec<W> {
        self.running.iter().for_each(|started| started.stop.stop());
        let waiting = self.waiting.drain(..).map(|waiting| waiting.work);
        self.refused.drain(..).chain(waiting).collect()
    }

    /// The number of searches that wait or run.
    pub(super) fn len(&self) -> usize {
        self.waiting.len() + self.running.len()
    }

    /// The time slice of a move at full strength for somebody who asks now.
    pub(super) fn current_slice(&self, now: Instant) -> Duration {
        let request = Request::new("".into(), Purpose::Move(Level::MAX), now, &Ticket::default());
        self.slice(&request, now, None)
    }

    /// The time slice of a search that starts, or has started, at a time. `running` is its own number
    /// if it is running.
    fn slice(&self, request: &Request, at: Instant, running: Option<u64>) -> Duration {
        let rank = request.purpose.rank();
        let waiting = || self.waiting.iter().map(|waiting| &waiting.request);
        let others = self.running.iter().filter(|other| Some(other.number) != running);
        let rivals = waiting().chain(others.map(|other| &other.request));
        let rivals = rivals.filter(|other| other.purpose.rank() <= rank);
        let mut askers = HashSet::from([&*request.asker]);
        let mut n_own = 1;
        for rival in rivals {
            askers.insert(&rival.asker);
            n_own += u32::from(rival.asker == request.asker);
        }
        let n_parts = u32::try_from(askers.len()).unwrap_or(u32::MAX).saturating_mul(n_own);
        let goal = ANSWER_GOAL.max(self.full_time * 4 / 3);
        let left = (request.since + goal).saturating_duration_since(at);
        let slice =
            (left * self.n_threads / n_parts).clamp(MIN_SLICE, self.full_time.max(MIN_SLICE));
        let is_pressed = running.is_some() && waiting().any(|other| other.purpose.rank() < rank);
        match request.purpose {
            Purpose::Tv(_) | Purpose::Review if is_pressed => slice.min(MIN_SLICE),
            Purpose::Review => self.full_time,
            _ if is_pressed => slice.min(PATIENCE),
            _ => slice,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: Duration = Duration::from_millis(1_500);

    /// A scheduler whose work is a name, and the tickets of its askers.
    struct Table {
        scheduler: Scheduler<String>,
        tickets: Vec<Ticket>,
        start: Instant,
    }

    impl Table {
        fn new(n_threads: usize) -> Table {
            let scheduler = Scheduler::new(n_threads, FULL);
            Table { scheduler, tickets: Vec::new(), start: Instant::now() }
        }

        fn at(&self, ms: u64) -> Instant {
            self.start + Duration::from_millis(ms)
        }

        fn ask(&mut self, asker: &str, purpose: Purpose, ms: u64) {
            let ticket = Ticket::default();
            let request = Request::new(asker.into(), purpose, self.at(ms), &ticket);
            self.tickets.push(ticket);
            self.scheduler.push(request, asker.to_owned());
        }

        fn next(&mut self, ms: u64) -> Option<(Started, String)> {
            self.scheduler.start_next(self.at(ms))
        }

        /// Serves one search after another, and returns the askers in that order.
        fn served(&mut self) -> Vec<String> {
            let mut served = Vec::new();
            while let Some((started, name)) = self.next(0) {
                self.scheduler.finish(&started);
                served.push(name);
            }
            served
        }
    }

    fn level(number: u8) -> Purpose {
        Purpose::Move(Level::new(number).unwrap())
    }

    #[test]
    fn urgent_searches_come_first() {
        let mut table = Table::new(1);
        for (asker, purpose) in [
            ("evaluation", Purpose::Evaluation),
            ("hint", Purpose::Hint),
            ("strong", level(10)),
            ("strong too", level(10)),
            ("weak", level(1)),
        ] {
            table.ask(asker, purpose, 0);
        }
        assert_eq!(table.served(), ["weak", "strong", "strong too", "hint", "evaluation"]);
    }

    #[test]
    fn tv_gives_way_to_everything() {
        let mut table = Table::new(1);
        table.ask("tv", Purpose::Tv(Level::MAX), 0);
        for _ in 0..2 {
            table.ask("greedy", Purpose::Evaluation, 0);
        }
        assert_eq!(table.served(), ["greedy", "greedy", "tv"], "also to an asker's second search");
        // A running move on TV stops at once, and nobody has less time because of it.
        table.ask("tv", Purpose::Tv(Level::MAX), 0);
        let (tv, _) = table.next(0).unwrap();
        assert_eq!(tv.slice, FULL);
        table.ask("ana", Purpose::Evaluation, 100);
        table.scheduler.cut(table.at(100));
        assert!(tv.stop.is_stopped());
        assert_eq!(table.next(100).unwrap().0.slice, FULL);
    }

    #[test]
    fn a_review_waits_for_everything_and_is_not_cut_by_another() {
        let mut table = Table::new(1);
        table.ask("review", Purpose::Review, 0);
        table.ask("tv", Purpose::Tv(Level::MAX), 0);
        table.ask("ana", Purpose::Evaluation, 0);
        assert_eq!(table.served(), ["ana", "tv", "review"]);
        table.ask("review", Purpose::Review, 0);
        let (review, _) = table.next(0).unwrap();
        // However long it takes, another review does not end it: the step would be lost.
        table.ask("another review", Purpose::Review, 0);
        table.scheduler.cut(table.at(60_000));
        assert!(!review.stop.is_stopped());
        table.ask("tv", Purpose::Tv(Level::MAX), 60_000);
        table.scheduler.cut(table.at(60_000));
        assert!(review.stop.is_stopped(), "a game does");
        assert_eq!(table.next(60_000).unwrap().0.slice, FULL, "and loses no time by it");
    }

    #[test]
    fn everybody_is_served_once_before_anybody_twice() {
        let mut table = Table::new(1);
        for _ in 0..3 {
            table.ask("greedy", level(10), 0);
        }
        table.ask("ana", Purpose::Hint, 0);
        table.ask("bob", Purpose::Evaluation, 0);
        assert_eq!(table.served(), ["greedy", "ana", "bob", "greedy", "greedy"]);
        assert!(table.scheduler.last_rounds.is_empty(), "nobody is remembered when nobody waits");
        // Who was served in this round waits for the next one.
        table.ask("greedy", level(10), 0);
        table.ask("ana", Purpose::Evaluation, 0);
        table.ask("bob", Purpose::Evaluation, 0);
        let (started, name) = table.next(0).unwrap();
        assert_eq!(name, "greedy");
        table.scheduler.finish(&started);
        table.ask("greedy", level(10), 0);
        assert_eq!(table.served(), ["ana", "bob", "greedy"]);
    }

    #[test]
    fn a_full_queue_drops_what_would_be_served_last() {
        let mut table = Table::new(1);
        for _ in 0..MAX_WAITING {
            table.ask("greedy", level(1), 0);
        }
        assert!(table.scheduler.take_dropped().is_empty());
        table.ask("ana", Purpose::Evaluation, 0);
        table.ask("greedy", level(1), 0);
        assert_eq!(table.scheduler.take_dropped(), ["greedy", "greedy"]);
        assert_eq!(table.scheduler.len(), MAX_WAITING);
        let served = table.served();
        assert_eq!(served.iter().position(|name| name == "ana"), Some(1));
    }

    #[test]
    fn time_is_shared_among_askers_and_then_among_their_searches() {
        let slice = |asker: &str, others: &[(&str, Purpose)]| {
            let mut table = Table::new(1);
            table.ask(asker, level(10), 0);
            for &(other, purpose) in others {
                table.ask(other, purpose, 0);
            }
            table.next(0).unwrap().0.slice.as_millis()
        };
        let (a, b) = (("a", level(10)), ("b", level(10)));
        assert_eq!(slice("a", &[]), 1_500);
        assert_eq!(slice("a", &[b]), 1_000);
        assert_eq!(slice("a", &[a]), 1_000);
        assert_eq!(slice("a", &[b, b, b]), 1_000, "b has one half, whatever b asks for");
        assert_eq!(
            slice("b", &[a, b, b]),
            333,
            "a has one half, each search of b a third of the other"
        );
        assert_eq!(
            slice("a", &[("b", Purpose::Hint), ("c", Purpose::Evaluation)]),
            1_500,
            "no rivals"
        );
        assert_eq!(slice("a", &[b; 300].map(|b| b)), 1_000);
        assert_eq!(slice("a", &[a; 300].map(|a| a)), 10, "the shortest slice");
    }

    /// Forty games ask at once: every answer comes within the goal, and all get the same time.
    #[test]
    fn forty_answers_come_in_time() {
        let mut table = Table::new(1);
        for n in 0..40 {
            table.ask(&n.to_string(), level(10), 0);
        }
        let mut now = table.at(0);
        while let Some((started, _)) = table.scheduler.start_next(now) {
            assert!((45..=55).contains(&started.slice.as_millis()), "{:?}", started.slice);
            now += started.slice;
            table.scheduler.finish(&started);
        }
        assert!(now <= table.at(2_001), "{:?}", now - table.start);
    }

    #[test]
    fn a_running_search_is_cut_when_others_arrive() {
        let mut table = Table::new(1);
        table.ask("a", level(10), 0);
        let (started, _) = table.next(0).unwrap();
        assert_eq!(started.slice, FULL);
        table.scheduler.cut(table.at(900));
        assert!(!started.stop.is_stopped());
        for n in 0..3 {
            table.ask(&n.to_string(), level(10), 400);
        }
        // A quarter of two seconds is left to it.
        assert_eq!(table.scheduler.cut(table.at(480)), Duration::from_millis(20));
        assert!(!started.stop.is_stopped());
        table.scheduler.cut(table.at(500));
        assert!(started.stop.is_stopped());
    }

    #[test]
    fn a_hint_gives_way_to_a_move() {
        let mut table = Table::new(1);
        table.ask("a", Purpose::Hint, 0);
        let (started, _) = table.next(0).unwrap();
        table.ask("b", Purpose::Evaluation, 100);
        table.scheduler.cut(table.at(250));
        assert!(!started.stop.is_stopped(), "nothing more urgent needs its thread");
        table.ask("b", level(10), 250);
        table.scheduler.cut(table.at(250));
        assert!(started.stop.is_stopped());
    }

    #[test]
    fn searches_end_when_the_asker_has_gone() {
        let mut table = Table::new(1);
        table.ask("a", level(10), 0);
        table.ask("b", level(10), 0);
        table.ask("c", level(10), 0);
        let (started, _) = table.next(0).unwrap();
        table.tickets.truncate(1);
        assert!(table.next(0).is_none(), "an unwanted search does not start");
        assert_eq!(table.scheduler.take_dropped(), ["b", "c"]);
        table.scheduler.cut(table.at(1));
        assert!(!started.stop.is_stopped());
        table.tickets.clear();
        table.scheduler.cut(table.at(2));
        assert!(started.stop.is_stopped());
    }

    /// Random load: while somebody's only search waits, nobody else is served more than twice (in this
    /// round and in the next one), and every search is served once.
    #[test]
    fn random_load_is_served_fairly() {
        let purposes = [level(8), level(10), level(10), Purpose::Hint, Purpose::Evaluation];
        for seed in 0..200 {
            let mut rng = azulejo_testkit::Rng::new(seed);
            let mut table = Table::new(1);
            let (mut ms, mut n_asked, mut n_served) = (0, 0, 0);
            // The waiting searches in the order of arrival: the asker, whether it is the only one of
            // the asker, and how often others were served since.
            let mut waiting: Vec<(String, bool, HashMap<String, u32>)> = Vec::new();
            for _ in 0..300 {
                // Some askers ask much more often than others.
                let asker = rng.below(12).min(rng.below(12)).to_string();
                if rng.below(5) < 3 {
                    table.ask(&asker, rng.pick(&purposes), ms);
                    let is_only = waiting.iter().all(|(other, ..)| *other != asker);
                    waiting.push((asker, is_only, HashMap::new()));
                    n_asked += 1;
                } else if let Some((started, served)) = table.next(ms) {
                    let first = waiting.iter().position(|(other, ..)| *other == served).unwrap();
                    waiting.remove(first);
                    for (asker, _, others) in waiting.iter_mut().filter(|(_, only, _)| *only) {
                        let n = others.entry(served.clone()).or_default();
                        *n += 1;
                        assert!(*asker == served || *n <= 2, "seed {seed}: {asker} waits");
                    }
                    n_served += 1;
                    ms += started.slice.as_millis() as u64;
                    table.scheduler.finish(&started);
                }
            }
            n_served += table.served().len();
            assert_eq!(n_asked, n_served, "seed {seed}");
            assert!(table.scheduler.last_rounds.is_empty() && table.scheduler.len() == 0);
        }
    }
}
