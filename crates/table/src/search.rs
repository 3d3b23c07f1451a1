//! What a game asks the engine: moves, hints and evaluations. The threads of a server and the worker of
//! a page search by the same functions.

use crate::rejection::Rejection;
use crate::state::{Game, number};
use crate::view::{DealsView, HintView, SearchView};
use azulejo_engine::{Engine, Info, Level, Limits, Options, Stop};
use azulejo_rules::{Move, Position};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The number of moves that an analysis compares.
const N_LINES: usize = 3;

/// The engine's opinion of a position.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The best moves with their principal variations, the best first.
    pub lines: Vec<Info>,
    /// The time that the search took.
    pub time: Duration,
    /// Whether the search was stopped before its time was over.
    pub is_cut: bool,
}

impl Analysis {
    /// Searches for the best moves.
    pub fn search(
        engine: &mut Engine,
        position: &Position,
        limits: &Limits,
        stop: &Stop,
    ) -> Analysis {
        let hash_mb = engine.options().hash_mb;
        engine.set_options(Options { multi_pv: N_LINES, hash_mb, ..Options::default() });
        let mut lines = Vec::new();
        let answer = engine.search(position, limits, stop, &mut |info| {
            if info.multi_pv == 1 {
                lines.clear();
            }
            lines.push(info.clone());
        });
        let time = answer.as_ref().map_or(Duration::ZERO, |answer| answer.info.time);
        if lines.is_empty() {
            // The time ran out before depth 1 was finished: use the best move so far.
            lines.extend(answer.map(|answer| answer.info));
        }
        Analysis { lines, time, is_cut: stop.is_stopped() }
    }
}

/// Searches for the move of a level; `None` if there is no legal move.
pub fn choose_move(
    engine: &mut Engine,
    position: &Position,
    level: Level,
    seed: u64,
    limits: &Limits,
    stop: &Stop,
) -> Option<Move> {
    let hash_mb = engine.options().hash_mb;
    engine.set_options(Options { level, seed, hash_mb, ..Options::default() });
    engine.search(position, limits, stop, &mut |_| {}).map(|answer| answer.best)
}

/// A question to an engine in another thread or worker, which knows nothing of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchTask {
    /// The number of the event that made the position.
    pub number: u64,
    /// The position in the notation.
    pub position: String,
    /// The longest time, in milliseconds.
    pub time_ms: u64,
    /// What to find.
    #[serde(flatten)]
    pub purpose: SearchPurpose,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SearchPurpose {
    /// The move of an engine seat.
    Move {
        /// Its level.
        level: u8,
        /// The seed of its noise.
        seed: u64,
    },
    /// The best moves, with reasons.
    Hint,
    /// The value of the position.
    Evaluation,
    /// The values after sampled deals, each searched with this many nodes, whatever time that takes.
    Deals {
        /// The number of deals.
        n_deals: u32,
        /// The nodes of each search.
        nodes: u64,
        /// The seed of the deals.
        seed: u64,
    },
}

/// The answer to a [`SearchTask`]. A hint or an evaluation is shown as it is.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum SearchAnswer {
    /// The move of an engine seat, for [`LocalGame::engine_move`](crate::LocalGame::engine_move).
    Move(EngineMove),
    /// A hint or an evaluation.
    Hint(Box<HintView>),
    /// The values after deals.
    Deals(DealsView),
}

/// The move that an engine has chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineMove {
    /// The number of the task.
    pub number: u64,
    /// The move in the notation.
    #[serde(rename = "move")]
    pub m: String,
}

impl SearchTask {
    /// Searches.
    ///
    /// # Errors
    /// If the task is not one of a game: its position cannot be read or has no legal move.
    pub fn run(&self, engine: &mut Engine) -> Result<SearchAnswer, String> {
        let position: Position = self.position.parse().map_err(|e| format!("{e}"))?;
        let none = || "the position has no legal move".to_owned();
        if let SearchPurpose::Deals { n_deals, nodes, seed } = self.purpose {
            let view = DealsView::sample(engine, &position, n_deals, nodes, seed);
            return view
                .map(SearchAnswer::Deals)
                .ok_or("the position waits for no deal".to_owned());
        }
        let limits =
            Limits { time: Some(Duration::from_millis(self.time_ms)), ..Limits::default() };
        let (number, stop) = (self.number, Stop::new());
        if let SearchPurpose::Move { level, seed } = self.purpose {
            let level = Level::new(level).unwrap_or(Level::MAX);
            let m = choose_move(engine, &position, level, seed, &limits, &stop).ok_or_else(none)?;
            return Ok(SearchAnswer::Move(EngineMove { number, m: m.to_string() }));
        }
        let analysis = Analysis::search(engine, &position, &limits, &stop);
        let view = match self.purpose {
            SearchPurpose::Hint => HintView::hint(&position, number, &analysis),
            _ => HintView::evaluation(&position, number, &analysis),
        };
        view.map(|view| SearchAnswer::Hint(Box::new(view))).ok_or_else(none)
    }
}

/// Searches a position at full strength until a node limit. One thread and a node limit give the same
/// numbers on every machine.
///
/// # Errors
/// If the position cannot be read or has no legal move.
pub fn search_nodes(engine: &mut Engine, position: &str, nodes: u64) -> Result<SearchView, String> {
    let position: Position = position.parse().map_err(|e| format!("{e}"))?;
    let hash_mb = engine.options().hash_mb;
    engine.set_options(Options { hash_mb, ..Options::default() });
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let answer = engine.search(&position, &limits, &Stop::new(), &mut |_| {});
    answer.map(|answer| SearchView::new(&answer)).ok_or("the position has no legal move".to_owned())
}

impl Game {
    /// The seed of the errors that weak levels make in this position. After a take-back the same
    /// position has another number, and a weak level another idea.
    #[must_use]
    pub fn engine_seed(&self) -> u64 {
        let bytes = self.id.bytes().chain(self.position_number.to_le_bytes());
        bytes.fold(0, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
    }

    /// Whether a person may ask for a hint now.
    ///
    /// # Errors
    /// Why not.
    pub fn check_hint(&self, person: Option<&str>) -> Result<(), Rejection> {
        self.check_evaluation()?;
        let turn = number(self.position.turn());
        match self.seats_of(person).any(|own| own == turn) {
            true => Ok(()),
            false => Err(Rejection::NotYourTurn { turn }),
        }
    }

    /// Whether anybody may ask for an evaluation now.
    ///
    /// # Errors
    /// Why not.
    pub fn check_evaluation(&self) -> Result<(), Rejection> {
        if !self.settings.hints {
            return Err(Rejection::NoHints);
        }
        self.check_playing()
    }
}
