//! The root of the search: iterative deepening over the root moves with two players, on one thread or
//! several (lazy SMP); multi-player PUCT with more; exhaustive search of wall choices.

mod alpha_beta;
mod clock;
mod order;
mod pack;
mod puct;
mod pv;
mod tiling;
mod transposition;
mod tree;

pub(crate) use clock::Deadline;
pub(crate) use transposition::TranspositionTable;

use crate::eval::{Certainty, Evaluator, INFINITE, Node, Value};
use crate::info::{Answer, Forecast, Info};
use alpha_beta::{Searcher, Window};
use azulejo_rules::{Move, Phase, Players, Position};
use order::History;
use pack::PackedMove;
use pv::Line;
use transposition::{LOCAL_BYTES, Tables};
use tree::Tree;

/// Above the longest round: nine factories hold 36 tiles, so there are at most 36 drafts.
const MAX_DEPTH: u32 = 100;

/// What one thread keeps between searches.
pub(crate) struct Memory {
    evaluator: Evaluator,
    history: History,
    /// The local one of its [`Tables`].
    local: TranspositionTable,
    /// Of the search with three and four players; only the first thread's is used.
    tree: Tree,
}

impl Memory {
    pub(crate) fn new(evaluator: Evaluator) -> Memory {
        let (history, local) = (History::new(), TranspositionTable::new(LOCAL_BYTES));
        Memory { evaluator, history, local, tree: Tree::default() }
    }

    pub(crate) fn new_game(&mut self) {
        self.history = History::new();
        self.local.clear();
    }

    /// The static forecast of a position.
    pub(crate) fn forecast(&mut self, position: &Position) -> Forecast {
        self.evaluator.prepare(position);
        self.evaluator.forecast(&Node::new(position))
    }

    fn prepare(&mut self, root: &Position, is_fresh: bool) {
        self.evaluator.prepare(root);
        self.local.next_generation(is_fresh);
        if is_fresh {
            self.history = History::new();
        } else {
            self.history.age();
        }
    }
}

/// A root move with the result of its last search.
struct RootMove {
    m: PackedMove,
    value: Value,
    certainty: Certainty,
    /// The iteration that the value and the line come from; 0 before the first.
    depth: u32,
    /// The principal variation, at whose end the value was found.
    line: Line,
}

/// The input of a search, shared by its threads.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) root: &'a Position,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) deadline: &'a Deadline,
    /// The number of best moves whose lines are reported (MultiPV).
    pub(crate) n_lines: usize,
    /// Whether the result must not depend on earlier searches.
    pub(crate) is_fresh: bool,
    /// Makes the memory of a new thread.
    pub(crate) new_memory: &'a (dyn Fn() -> Memory + Sync),
}

impl Task<'_> {
    /// A thread's memory, ready for this task.
    fn prepare<'m>(&self, memory: &'m mut Option<Memory>) -> &'m mut Memory {
        let memory = memory.get_or_insert_with(self.new_memory);
        memory.prepare(self.root, self.is_fresh);
        memory
    }
}

/// Searches a position that has a legal move, with one thread for each memory.
pub(crate) fn search(
    task: Task,
    memories: &mut [Option<Memory>],
    report: &mut dyn FnMut(&Info),
) -> Option<Answer> {
    if task.root.phase() == Phase::Draft && task.root.rules().players() != Players::Two {
        return puct::search(task, memories, report);
    }
    let (first, others) = memories.split_first_mut()?;
    if let Phase::Tiling(_) = task.root.phase() {
        return tiling::search(task, &mut task.prepare(first).evaluator, report);
    }
    let mut main_thread = || {
        let mut root_search = RootSearch::new(task, task.prepare(first));
        root_search.deepen(1, task.n_lines, &mut |this| {
            this.report(task.n_lines, report);
        });
        let answer = root_search.report(1, &mut |_| {});
        task.deadline.end();
        answer
    };
    if others.is_empty() {
        // A web page has no threads.
        return main_thread();
    }
    std::thread::scope(|scope| {
        for (i, memory) in others.iter_mut().enumerate() {
            scope.spawn(move || {
                // Every second thread starts a ply deeper, so that they search different nodes.
                let first_depth = 1 + (i as u32 + 1) % 2;
                let mut root_search = RootSearch::new(task, task.prepare(memory));
                root_search.deepen(first_depth, 1, &mut |_| {});
            });
        }
        main_thread()
    })
}

struct RootSearch<'a> {
    root: Node,
    searcher: Searcher<'a>,
    moves: Vec<RootMove>,
}

impl<'a> RootSearch<'a> {
    fn new(task: Task<'a>, memory: &'a mut Memory) -> RootSearch<'a> {
        let Task { root, table, deadline, .. } = task;
        let node = Node::new(root);
        let Memory { evaluator, history, local, .. } = memory;
        let tables = Tables { local, shared: table };
        let mut searcher = Searcher::new(root.turn(), evaluator, history, tables, deadline);
        let entry = tables.get(searcher.evaluator.hash(&node), MAX_DEPTH);
        let hash_move = entry.map_or(PackedMove::NONE, |entry| entry.best);
        let mut span = searcher.moves.push(root, searcher.history, hash_move, 0);
        let mut moves = Vec::new();
        while let Some(m) = searcher.moves.next(&mut span) {
            let certainty = Certainty::Estimated;
            moves.push(RootMove { m, value: -INFINITE, certainty, depth: 0, line: Line::new() });
        }
        searcher.moves.pop(span);
        RootSearch { root: node, searcher, moves }
    }

    /// Iterative deepening until a limit is reached or the round is solved.
    fn deepen(
        &mut self,
        first_depth: u32,
        n_lines: usize,
        on_iteration: &mut dyn FnMut(&mut Self),
    ) {
        let last_depth = self.searcher.deadline.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let n_lines = n_lines.min(self.moves.len());
        for depth in first_depth..=last_depth {
            let mut is_solved = true;
            for line in 0..n_lines {
                is_solved &= self.search_line(line, depth) >= Certainty::Drafted;
                if self.searcher.stopped {
                    return;
                }
            }
            // A later line may look better than it did in the search of an earlier one, where it
            // was reduced.
            self.moves[..n_lines].sort_by_key(|root_move| -root_move.value);
            on_iteration(self);
            if is_solved || self.searcher.deadline.is_late() || self.searcher.deadline.is_over() {
                return;
            }
        }
    }

    /// Finds the best of the root moves from `line` on and moves it there. Returns the least certainty
    /// of all.
    fn search_line(&mut self, line: usize, depth: u32) -> Certainty {
        let mut best = line;
        let mut least = Certainty::Proved;
        let mut window = Window::FULL;
        for i in line..self.moves.len() {
            let m = self.moves[i].m;
            let found = self.searcher.search_move(&self.root, m, i - line, depth as i32, window, 0);
            if self.searcher.stopped {
                break;
            }
            least = least.min(found.certainty);
            let root_move = &mut self.moves[i];
            if i == line || found.value > window.alpha {
                self.searcher.lines.extend(0, m);
                root_move.line.clone_from(self.searcher.lines.from(0));
                (root_move.value, root_move.depth) = (found.value, depth);
                window.alpha = found.value;
                best = i;
            } else {
                root_move.value = -INFINITE;
            }
        }
        // The others keep their order, so that earlier best moves are tried early.
        self.moves[line..=best].rotate_right(1);
        if self.searcher.stopped {
            least = Certainty::Estimated;
        }
        self.moves[line].certainty = least;
        least
    }

    /// Reports the best lines and returns the best one.
    fn report(&mut self, n_lines: usize, report: &mut dyn FnMut(&Info)) -> Option<Answer> {
        self.searcher.check_limits();
        let time = self.searcher.deadline.elapsed();
        let nodes = self.searcher.deadline.nodes();
        let hash_full = self.searcher.tables.shared.permille_full();
        let mut best = None;
        for line in 0..n_lines.min(self.moves.len()) {
            let RootMove { depth, certainty, .. } = self.moves[line];
            let (pv, forecast) = self.line(line);
            let info = Info {
                depth,
                nodes,
                time,
                hash_full,
                multi_pv: line + 1,
                forecast,
                exact: certainty >= Certainty::Exact,
                proved: certainty == Certainty::Proved,
                pv,
            };
            report(&info);
            best = best.or(Some(Answer { best: info.pv[0], info }));
        }
        best
    }

    /// A principal variation with its wall choices, and the forecast at its end, which is the value
    /// that the search backed up.
    fn line(&mut self, line: usize) -> (Vec<Move>, Forecast) {
        let RootMove { m, value, depth, ref line, .. } = self.moves[line];
        let evaluator = &mut *self.searcher.evaluator;
        let mut node = self.root;
        let mut pv = Vec::new();
        // A move that was not searched is a line by itself.
        let drafts = if depth == 0 { &[m][..] } else { &line[..] };
        for packed in drafts {
            let m = Move::Draft(packed.unpack());
            node.play(m);
            pv.push(m);
        }
        evaluator.tile(&mut node, |m| pv.push(m));
        debug_assert!(
            depth == 0 || evaluator.value(&node, self.root.position.turn()).value == value,
            "{pv:?} does not lead to {value} in {}",
            self.root.position
        );
        (pv, evaluator.forecast(&node))
    }
}
