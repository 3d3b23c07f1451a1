//! The root of the search: iterative deepening over the root moves with two players, on one thread or
//! several (lazy SMP); multi-player PUCT with more; exhaustive search of wall choices.

mod alpha_beta;
mod clock;
mod order;
mod pack;
mod puct;
mod tiling;
mod transposition;

pub(crate) use clock::Deadline;
pub(crate) use transposition::TranspositionTable;

use crate::eval::{Evaluator, INFINITE, Node, Value};
use crate::info::{Answer, Forecast, Info};
use alpha_beta::{Searcher, Window};
use azulejo_rules::{Move, Phase, Players, Position};
use order::History;
use pack::PackedMove;
use transposition::{LOCAL_BYTES, Tables};

/// Above the longest round: nine factories hold 36 tiles, so there are at most 36 drafts.
const MAX_DEPTH: u32 = 100;

/// What one thread keeps between searches.
pub(crate) struct Memory {
    evaluator: Evaluator,
    history: History,
    /// The local one of its [`Tables`].
    local: TranspositionTable,
}

impl Memory {
    pub(crate) fn new(evaluator: Evaluator) -> Memory {
        Memory { evaluator, history: History::new(), local: TranspositionTable::new(LOCAL_BYTES) }
    }

    pub(crate) fn new_game(&mut self) {
        self.history = History::new();
        self.local.clear();
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
#[derive(Clone, Copy)]
struct RootMove {
    m: PackedMove,
    value: Value,
    exact: bool,
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
    let (first, others) = memories.split_first_mut()?;
    if let Phase::Tiling(_) = task.root.phase() {
        let evaluator = &mut task.prepare(first).evaluator;
        return tiling::search(task.root, evaluator, task.deadline, task.n_lines, report);
    }
    if task.root.rules().players() != Players::Two {
        return puct::search(task, task.prepare(first), report);
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
        let mut root_search = RootSearch::new(task, task.prepare(first));
        root_search.deepen(1, task.n_lines, &mut |this| {
            this.report(task.n_lines, report);
        });
        let answer = root_search.report(1, &mut |_| {});
        task.deadline.end();
        answer
    })
}

struct RootSearch<'a> {
    root: Node,
    searcher: Searcher<'a>,
    moves: Vec<RootMove>,
    /// The last completed iteration.
    depth: u32,
}

impl<'a> RootSearch<'a> {
    fn new(task: Task<'a>, memory: &'a mut Memory) -> RootSearch<'a> {
        let Task { root, table, deadline, .. } = task;
        let node = Node::new(root);
        let Memory { evaluator, history, local } = memory;
        let tables = Tables { local, shared: table };
        let mut searcher = Searcher::new(root.turn(), evaluator, history, tables, deadline);
        let entry = tables.get(searcher.evaluator.hash(&node), MAX_DEPTH);
        let hash_move = entry.map_or(PackedMove::NONE, |entry| entry.best);
        let mut span = searcher.moves.push(root, searcher.history, hash_move, 0);
        let mut moves = Vec::new();
        while let Some(m) = searcher.moves.next(&mut span) {
            moves.push(RootMove { m, value: -INFINITE, exact: false });
        }
        searcher.moves.pop(span);
        RootSearch { root: node, searcher, moves, depth: 0 }
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
                is_solved &= self.search_line(line, depth as i32);
                if self.searcher.stopped {
                    return;
                }
            }
            self.depth = depth;
            on_iteration(self);
            if is_solved || self.searcher.deadline.is_late() || self.searcher.deadline.is_over() {
                return;
            }
        }
    }

    /// Finds the best of the root moves from `line` on and moves it there. Returns whether all were
    /// searched exactly.
    fn search_line(&mut self, line: usize, depth: i32) -> bool {
        let mut best = line;
        let mut all_exact = true;
        let mut window = Window::FULL;
        for i in line..self.moves.len() {
            let m = self.moves[i].m;
            let found = self.searcher.search_move(&self.root, m, i - line, depth, window, 0);
            if self.searcher.stopped {
                break;
            }
            all_exact &= found.exact;
            if i == line || found.value > window.alpha {
                self.moves[i].value = found.value;
                self.moves[i].exact = found.exact;
                window.alpha = found.value;
                best = i;
            } else {
                self.moves[i].value = -INFINITE;
            }
        }
        // The others keep their order, so that earlier best moves are tried early.
        self.moves[line..=best].rotate_right(1);
        all_exact &= !self.searcher.stopped;
        self.moves[line].exact &= all_exact;
        all_exact
    }

    /// Reports the best lines and returns the best one.
    fn report(&mut self, n_lines: usize, report: &mut dyn FnMut(&Info)) -> Option<Answer> {
        self.searcher.check_limits();
        let time = self.searcher.deadline.elapsed();
        let nodes = self.searcher.deadline.nodes();
        let hash_full = self.searcher.tables.shared.permille_full();
        let mut best = None;
        for line in 0..n_lines.min(self.moves.len()) {
            let RootMove { m, exact, .. } = self.moves[line];
            let (pv, forecast) = self.line(m, exact);
            // The evaluation makes wall choices well but not perfectly.
            let exact = exact && !self.root.position.rules().has_wall_choices();
            let (depth, multi_pv) = (self.depth, line + 1);
            let info = Info { depth, nodes, time, hash_full, multi_pv, forecast, exact, pv };
            report(&info);
            best = best.or(Some(Answer { best: info.pv[0], info }));
        }
        best
    }

    /// The principal variation that starts with a move, as far as the transposition table knows it, and
    /// its forecast. The line of an exact move is completed to the end of the round.
    fn line(&mut self, first: PackedMove, is_exact: bool) -> (Vec<Move>, Forecast) {
        let mut node = self.root;
        let mut pv = Vec::new();
        let mut next = Some(first);
        while let Some(packed) = next {
            let m = Move::Draft(packed.unpack());
            node.play(m);
            pv.push(m);
            next = match node.position.phase() {
                Phase::Draft if is_exact => self.solve(&node),
                Phase::Draft => self.stored_move(&node),
                _ => None,
            };
        }
        (pv, self.searcher.evaluator.forecast(&node))
    }

    /// The best move by the transposition table.
    fn stored_move(&self, node: &Node) -> Option<PackedMove> {
        let hash = self.searcher.evaluator.hash(node);
        let best = self.searcher.tables.get(hash, MAX_DEPTH)?.best;
        let is_legal = |packed: PackedMove| {
            packed != PackedMove::NONE && node.position.is_legal(Move::Draft(packed.unpack()))
        };
        Some(best).filter(|&best| is_legal(best))
    }

    /// The best move by a complete search, most of which is in the transposition table.
    fn solve(&mut self, node: &Node) -> Option<PackedMove> {
        let history = &*self.searcher.history;
        let mut span = self.searcher.moves.push(&node.position, history, PackedMove::NONE, 0);
        let mut window = Window::FULL;
        let (mut best, mut n_tried) = (None, 0);
        while let Some(m) = self.searcher.moves.next(&mut span) {
            let depth = node.position.n_piles() as i32;
            let found = self.searcher.search_move(node, m, n_tried, depth, window, 0);
            if self.searcher.stopped {
                break;
            }
            if found.value > window.alpha {
                window.alpha = found.value;
                best = Some(m);
            }
            n_tried += 1;
        }
        self.searcher.moves.pop(span);
        best
    }
}
