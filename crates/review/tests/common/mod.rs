//! Games of the engine to review, and the figures of many reviews.

use azulejo_engine::{Engine, Level, Limits, Options, Stop};
use azulejo_notation::{Dealer, Record, Seed};
use azulejo_review::{Budget, Review, Reviewer, Settings};
use azulejo_rules::{Phase, Rules};
use std::thread;

/// Full strength stops after this many nodes, so that games are the same on every machine.
const FULL_STRENGTH: Limits = Limits { nodes: Some(400_000), time: None, depth: None, clock: None };

/// A game of the engine; by seat the level that plays.
pub(crate) fn game(rules: &str, levels: &[u8], seed: &str) -> Record {
    let rules: Rules = rules.parse().expect("rules");
    let seed: Seed = seed.parse().expect("a seed");
    let (first, mut dealer) = Dealer::new(&seed, &rules);
    let mut record = Record::new(rules, first).expect("the dealer names a seat of the game");
    record.set_seed(Some(seed.clone()));
    let noise = seed
        .as_str()
        .bytes()
        .fold(1, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let mut engine = Engine::new(Options { hash_mb: 16, seed: noise, ..Options::default() });
    loop {
        let position = *record.final_position();
        match position.phase() {
            Phase::Over(_) => return record,
            Phase::Deal => {
                let deal = dealer.deal(&position).expect("a deal is due");
                record.deal(&deal).expect("the dealer's deals are possible");
            }
            Phase::Draft | Phase::Tiling(_) => {
                let level = Level::new(levels[position.turn().index()]).expect("a level");
                engine.set_options(Options { level, ..engine.options().clone() });
                let answer = engine.search(&position, &FULL_STRENGTH, &Stop::new(), &mut |_| {});
                record.play(answer.expect("there is a move").best).expect("the move is legal");
            }
        }
    }
}

/// The whole review of a record.
pub(crate) fn review(record: &Record, budget: Budget, seed: &str) -> Review {
    let settings = Settings { budget, seed: seed.to_owned(), ..Settings::default() };
    let mut reviewer = Reviewer::new(record, settings).expect("the record has moves");
    while reviewer.step(&Stop::new()) {}
    reviewer.review()
}

/// The results of some work for the numbers below `n`, in order, done on all cores.
pub(crate) fn on_all_cores<T: Send>(n: u64, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let n_cores = thread::available_parallelism().map_or(1, usize::from) as u64;
    let mut done: Vec<(u64, T)> = thread::scope(|scope| {
        let work = &work;
        let part =
            |first| move || (first..n).step_by(n_cores as usize).map(|i| (i, work(i))).collect();
        let threads: Vec<_> =
            (0..n_cores).map(|first| scope.spawn::<_, Vec<_>>(part(first))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    done.sort_by_key(|&(i, _)| i);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Mean, standard error and mean absolute value of numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures(Vec<f64>);

impl Figures {
    pub(crate) fn add(&mut self, number: f64) {
        self.0.push(number);
    }

    pub(crate) fn n(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }

    pub(crate) fn mean_abs(&self) -> f64 {
        self.0.iter().map(|number| number.abs()).sum::<f64>() / self.0.len().max(1) as f64
    }

    pub(crate) fn deviation(&self) -> f64 {
        let (mean, n) = (self.mean(), self.0.len() as f64);
        let squares: f64 = self.0.iter().map(|number| (number - mean).powi(2)).sum();
        (squares / (n - 1.0).max(1.0)).sqrt()
    }

    pub(crate) fn error(&self) -> f64 {
        self.deviation() / (self.0.len().max(1) as f64).sqrt()
    }

    /// Whether the mean is zero within this many of its standard errors.
    pub(crate) fn is_zero_within(&self, errors: f64) -> bool {
        self.mean().abs() <= errors * self.error() + 1e-9
    }

    /// The coefficient of correlation with other numbers of the same games.
    pub(crate) fn correlation(&self, other: &Figures) -> f64 {
        let (a, b) = (self.mean(), other.mean());
        let products = self.0.iter().zip(&other.0).map(|(x, y)| (x - a) * (y - b));
        let n = (self.0.len() as f64 - 1.0).max(1.0);
        products.sum::<f64>() / n / (self.deviation() * other.deviation()).max(1e-12)
    }
}

/// `mean ± error` in percent.
impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:+.2} ± {:.2} %", 100.0 * self.mean(), 100.0 * self.error())
    }
}
