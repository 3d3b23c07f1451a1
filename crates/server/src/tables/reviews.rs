//! Reviews for clients without an engine of their own: a short queue, worked off one review at a time, in
//! steps that the [`scheduler`](super::scheduler) starts when nothing else is to be searched.
//!
//! A review is found by its key, the hash of the record and the budget. Somebody must want it: an asker who
//! has not looked at it for [`PATIENCE`] has gone, and what nobody wants is given up. Finished
//! reviews are kept in a bounded cache.

use crate::tables::engines::Engines;
use crate::tables::scheduler::Asker;
use azulejo_engine::Stop;
use azulejo_notation::Record;
use azulejo_review::{Budget, Reviewer, Settings};
use azulejo_table::record_key;
use azulejo_words::ToldReview;
use moka::sync::Cache;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};

/// Reviews that may wait or be worked at.
const MAX_JOBS: usize = 32;

/// How many of them one asker may want.
const MAX_OF_ASKER: usize = 3;

/// An asker who has not looked for this time has gone.
const PATIENCE: Duration = Duration::from_secs(60);

/// Memory for finished reviews, in bytes.
const KEPT_BYTES: u64 = 32 << 20;

/// A step that cannot begin because the engine's queue is full is tried again after this time.
const PAUSE: Duration = Duration::from_secs(1);

/// A review is given up after this many steps that did not begin or did not end.
const MAX_FAILURES: u32 = 30;

/// All reviews are one asker of the engine: they take no turn from the people who asked for them.
const ASKER: &str = "reviews";

/// The reviews of this node.
#[derive(Clone)]
pub(crate) struct Reviews(Arc<Shared>);

struct Shared {
    /// In the order of arrival. The first is worked at.
    jobs: Mutex<Vec<Job>>,
    /// Wakes the worker.
    changed: Notify,
    /// The JSON of finished reviews, by key.
    done: Cache<String, Arc<str>>,
    engines: Engines,
}

struct Job {
    key: String,
    record: Record,
    budget: Budget,
    /// Who wants it, and when they looked last.
    askers: HashMap<Asker, Instant>,
    /// The JSON of what is done.
    review: Option<Arc<str>>,
}

impl Job {
    fn is_wanted(&self, now: Instant) -> bool {
        self.askers.values().any(|&looked| now.duration_since(looked) < PATIENCE)
    }
}

/// How far a review is.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// The number of reviews before it.
    pub(crate) n_ahead: usize,
    /// Whether it is complete.
    pub(crate) is_done: bool,
    /// The JSON of what is done.
    pub(crate) review: Option<Arc<str>>,
}

/// Why a review is not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// Too many wait.
    Full,
    /// The asker waits for too many.
    TooMany,
    /// The record has no move.
    NoMoves,
}

/// The key of a review.
pub(crate) fn review_key(record: &Record, budget: Budget) -> String {
    format!("{}-{budget}", record_key(record))
}

impl Reviews {
    /// Starts the worker, which ends when the server closes.
    pub(crate) fn start(engines: Engines, closing: watch::Receiver<bool>) -> Reviews {
        let done = Cache::builder()
            .max_capacity(KEPT_BYTES)
            .weigher(|key: &String, review: &Arc<str>| {
                u32::try_from(key.len() + review.len()).unwrap_or(u32::MAX)
            })
            .build();
        let (jobs, changed) = (Mutex::default(), Notify::new());
        let reviews = Reviews(Arc::new(Shared { jobs, changed, done, engines }));
        let worker = reviews.clone();
        tokio::spawn(async move {
            let mut closing = closing;
            tokio::select! {
                () = worker.work() => {}
                _ = closing.wait_for(|is_closing| *is_closing) => {}
            }
        });
        reviews
    }

    /// How far a review is. A look of somebody who asked for it keeps it wanted. `None` if it is not known.
    pub(crate) fn look(&self, key: &str, asker: &Asker) -> Option<Progress> {
        let mut jobs = self.jobs();
        if let Some(i) = jobs.iter().position(|job| job.key == key) {
            if let Some(looked) = jobs[i].askers.get_mut(asker) {
                *looked = Instant::now();
            }
            return Some(progress(&jobs, i));
        }
        let review = self.0.done.get(key)?;
        Some(Progress { n_ahead: 0, is_done: true, review: Some(review) })
    }

    /// Adds an asker to a review that waits or is worked at.
    pub(crate) fn join(&self, key: &str, asker: &Asker) -> Option<Progress> {
        if let Some(job) = self.jobs().iter_mut().find(|job| job.key == key) {
            job.askers.insert(Arc::clone(asker), Instant::now());
        }
        self.look(key, asker)
    }

    /// Adds a review to the queue, or the asker to one that is there.
    pub(crate) fn add(
        &self,
        record: &Record,
        budget: Budget,
        asker: &Asker,
    ) -> Result<Progress, Refused> {
        let key = review_key(record, budget);
        if let Some(progress) = self.join(&key, asker) {
            return Ok(progress);
        }
        if record.n_moves() == 0 {
            return Err(Refused::NoMoves);
        }
        let now = Instant::now();
        let mut jobs = self.jobs();
        jobs.retain(|job| job.is_wanted(now));
        if jobs.iter().filter(|job| job.askers.contains_key(asker)).count() >= MAX_OF_ASKER {
            return Err(Refused::TooMany);
        }
        if jobs.len() >= MAX_JOBS {
            return Err(Refused::Full);
        }
        let askers = HashMap::from([(Arc::clone(asker), now)]);
        jobs.push(Job { key, record: record.clone(), budget, askers, review: None });
        let progress = progress(&jobs, jobs.len() - 1);
        drop(jobs);
        self.0.changed.notify_one();
        Ok(progress)
    }

    /// Says that an asker no longer wants a review, which ends if nobody else does. `false` if they did
    /// not want it.
    pub(crate) fn cancel(&self, key: &str, asker: &Asker) -> bool {
        let mut jobs = self.jobs();
        let Some(i) = jobs.iter().position(|job| job.key == key) else { return false };
        let was_wanted = jobs[i].askers.remove(asker).is_some();
        if jobs[i].askers.is_empty() {
            jobs.remove(i);
        }
        drop(jobs);
        self.0.changed.notify_one();
        was_wanted
    }

    fn jobs(&self) -> MutexGuard<'_, Vec<Job>> {
        self.0.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works off one review after another.
    async fn work(self) {
        loop {
            let now = Instant::now();
            let first = {
                let mut jobs = self.jobs();
                jobs.retain(|job| job.is_wanted(now));
                jobs.first().map(|job| (job.key.clone(), job.record.clone(), job.budget))
            };
            let Some((key, record, budget)) = first else {
                self.0.changed.notified().await;
                continue;
            };
            // Only the review at work has a reviewer, whose search takes 32 MiB.
            let new = move |_: &Stop| {
                Reviewer::new(&record, Settings { budget, ..Settings::default() }).ok()
            };
            match self.0.engines.review(ASKER.into(), new).await {
                Some(Some(reviewer)) => self.work_at(&key, Arc::new(Mutex::new(reviewer))).await,
                Some(None) => self.jobs().retain(|job| job.key != key),
                None => tokio::time::sleep(PAUSE).await,
            }
        }
    }

    /// Makes the steps of a review until it is done, or nobody wants it. A step that gave way to a search is
    /// made again.
    async fn work_at(&self, key: &str, reviewer: Arc<Mutex<Reviewer>>) {
        let mut n_failures = 0;
        while self.jobs().iter().any(|job| job.key == key) {
            let (reviews, job, reviewer) = (self.clone(), key.to_owned(), Arc::clone(&reviewer));
            let step = self.0.engines.review(ASKER.into(), move |stop| {
                let mut reviewer = reviewer.lock().unwrap_or_else(PoisonError::into_inner);
                if reviewer.step(stop) {
                    reviews.note(&job, &reviewer);
                }
            });
            let begun = tokio::select! {
                begun = step => begun,
                () = self.until_unwanted(key) => return,
            };
            if begun.is_none() {
                n_failures += 1;
                tokio::time::sleep(PAUSE).await;
            }
            if n_failures == MAX_FAILURES {
                tracing::warn!("a review was given up: its steps do not begin, or fail");
                self.jobs().retain(|job| job.key != key);
            }
        }
    }

    /// Notes the result of a step. A finished review moves to the cache.
    fn note(&self, key: &str, reviewer: &Reviewer) {
        let told = ToldReview::new(reviewer.review());
        let Ok(json) = serde_json::to_string(&told) else { return };
        let json: Arc<str> = json.into();
        let is_done = reviewer.n_done() == reviewer.n_steps();
        if is_done {
            // Before it leaves the queue, so that a look finds it in one of the two.
            self.0.done.insert(key.to_owned(), Arc::clone(&json));
        }
        let mut jobs = self.jobs();
        if is_done {
            jobs.retain(|job| job.key != key);
        } else if let Some(job) = jobs.iter_mut().find(|job| job.key == key) {
            job.review = Some(json);
        }
    }

    /// Waits until nobody wants a review, and removes it then.
    async fn until_unwanted(&self, key: &str) {
        loop {
            let _ = tokio::time::timeout(PAUSE, self.0.changed.notified()).await;
            let now = Instant::now();
            let mut jobs = self.jobs();
            jobs.retain(|job| job.is_wanted(now));
            if !jobs.iter().any(|job| job.key == key) {
                return;
            }
        }
    }
}

fn progress(jobs: &[Job], i: usize) -> Progress {
    Progress { n_ahead: i, is_done: false, review: jobs[i].review.clone() }
}
