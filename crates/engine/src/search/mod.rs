//! Finding a move. With two players by iterative deepening over the root's moves, on one thread or
//! several; with more by a tree.

mod alpha_beta;
mod clock;
mod order;
mod pack;
mod table;
mod tiling;
mod tree;

pub(crate) use clock::Deadline;
pub(crate) use table::Table;

use crate::eval::{Evaluator, INFINITE, Node, Value};
use crate::info::{Answer, Forecast, Info};
use alpha_beta::{Searcher, Window};
use azulejo_rules::{Move, Phase, Players, Position};
use order::Experience;
use pack::PackedMove;
use table::{NEAR_BYTES, Tables};

/// No round is longer: a seat that takes a tile at a time from four players' factories.
const MAX_DEPTH: u32 = 100;

/// What one thread keeps between searches.
pub(crate) struct Memory {
    evaluator: Evaluator,
    experience: Experience,
    /// See [`Tables`].
    near: Table,
}

impl Memory {
    pub(crate) fn new(evaluator: Evaluator) -> Memory {
        Memory { evaluator, experience: Experience::new(), near: Table::new(NEAR_BYTES) }
    }

    pub(crate) fn new_game(&mut self) {
        self.experience = Experience::new();
        self.near.clear();
    }

    fn prepare(&mut self, root: &Position, is_fresh: bool) {
        self.evaluator.prepare(root);
        self.near.next_generation(is_fresh);
        if is_fresh {
            self.experience = Experience::new();
        } else {
            self.experience.fade();
        }
    }
}

/// A move of the root with what is known of it.
#[derive(Clone, Copy)]
struct RootMove {
    m: PackedMove,
    value: Value,
    exact: bool,
}

/// What all threads of a search are given.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) root: &'a Position,
    pub(crate) table: &'a Table,
    pub(crate) deadline: &'a Deadline,
    /// Of so many of the best moves the lines are reported.
    pub(crate) n_lines: usize,
    /// Whether nothing from earlier searches may matter.
    pub(crate) is_fresh: bool,
    /// Makes the memory of a thread that has none yet.
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

/// Searches a position where there is a move to find, with one thread for each memory.
pub(crate) fn find(
    task: Task,
    memories: &mut [Option<Memory>],
    report: &mut dyn FnMut(&Info),
) -> Option<Answer> {
    let (first, others) = memories.split_first_mut()?;
    if let Phase::Tiling(_) = task.root.phase() {
        let evaluator = &mut task.prepare(first).evaluator;
        return tiling::find(task.root, evaluator, task.deadline, task.n_lines, report);
    }
    if task.root.rules().players != Players::Two {
        return tree::find(task, task.prepare(first), report);
    }
    std::thread::scope(|scope| {
        for (i, memory) in others.iter_mut().enumerate() {
            scope.spawn(move || {
                // Every second one begins a ply deeper, so that they do not all do the same.
                let first_depth = 1 + (i as u32 + 1) % 2;
                let mut root_search = RootSearch::new(task, task.prepare(memory));
                root_search.deepen(first_depth, 1, &mut |_| {});
            });
        }
        let mut root_search = RootSearch::new(task, task.prepare(first));
        root_search.deepen(1, task.n_lines, &mut |this| {
            this.tell(task.n_lines, report);
        });
        let answer = root_search.tell(1, &mut |_| {});
        task.deadline.end();
        answer
    })
}

struct RootSearch<'a> {
    root: Node,
    searcher: Searcher<'a>,
    moves: Vec<RootMove>,
    /// The last depth that was finished.
    depth: u32,
}

impl<'a> RootSearch<'a> {
    fn new(task: Task<'a>, memory: &'a mut Memory) -> RootSearch<'a> {
        let Task { root, table, deadline, .. } = task;
        let node = Node::new(root);
        let Memory { evaluator, experience, near } = memory;
        let tables = Tables { near, far: table };
        let mut searcher = Searcher::new(root.turn(), evaluator, experience, tables, deadline);
        let entry = tables.get(searcher.evaluator.hash(&node), MAX_DEPTH);
        let first = entry.map_or(PackedMove::NONE, |entry| entry.best);
        let mut span = searcher.moves.push(root, searcher.experience, first, 0);
        let mut moves = Vec::new();
        while let Some(m) = searcher.moves.next(&mut span) {
            moves.push(RootMove { m, value: -INFINITE, exact: false });
        }
        searcher.moves.pop(span);
        RootSearch { root: node, searcher, moves, depth: 0 }
    }

    /// Searches deeper and deeper until a limit is reached or the round is solved.
    fn deepen(&mut self, first_depth: u32, n_lines: usize, finished: &mut dyn FnMut(&mut Self)) {
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
            finished(self);
            if is_solved || self.searcher.deadline.is_late() || self.searcher.deadline.is_over() {
                return;
            }
        }
    }

    /// Finds the best of the moves from `line` on and puts it there. Whether that is certain.
    fn search_line(&mut self, line: usize, depth: i32) -> bool {
        let mut best = line;
        let mut all_exact = true;
        let mut window = Window::FULL;
        for i in line..self.moves.len() {
            let m = self.moves[i].m;
            let found = self.searcher.try_move(&self.root, m, i - line, depth, window, 0);
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
        // The others keep their order: what was best before is tried early.
        self.moves[line..=best].rotate_right(1);
        all_exact &= !self.searcher.stopped;
        self.moves[line].exact &= all_exact;
        all_exact
    }

    /// Reports the best lines and returns the best of all.
    fn tell(&mut self, n_lines: usize, report: &mut dyn FnMut(&Info)) -> Option<Answer> {
        self.searcher.look();
        let time = self.searcher.deadline.elapsed();
        let nodes = self.searcher.deadline.nodes();
        let hash_full = self.searcher.tables.far.permille_full();
        let mut best = None;
        for line in 0..n_lines.min(self.moves.len()) {
            let RootMove { m, exact, .. } = self.moves[line];
            let (pv, forecast) = self.line(m, exact);
            // Wall choices are left to the evaluation, which makes them well but not perfectly.
            let exact = exact && !self.root.position.rules().has_wall_choices();
            let (depth, multi_pv) = (self.depth, line + 1);
            let info = Info { depth, nodes, time, hash_full, multi_pv, forecast, exact, pv };
            report(&info);
            best = best.or(Some(Answer { best: info.pv[0], info }));
        }
        best
    }

    /// The line that begins with a move, as far as the table knows it, and what it leads to. A line
    /// that was searched to its end is told to its end.
    fn line(&mut self, first: PackedMove, to_the_end: bool) -> (Vec<Move>, Forecast) {
        let mut node = self.root;
        let mut pv = Vec::new();
        let mut next = Some(first);
        while let Some(packed) = next {
            let m = Move::Draft(packed.unpack());
            node.play(m);
            pv.push(m);
            next = match node.position.phase() {
                Phase::Draft if to_the_end => self.solve(&node),
                Phase::Draft => self.remembered(&node),
                _ => None,
            };
        }
        (pv, self.searcher.evaluator.forecast(&node))
    }

    /// The best move by the table.
    fn remembered(&self, node: &Node) -> Option<PackedMove> {
        let hash = self.searcher.evaluator.hash(node);
        let best = self.searcher.tables.get(hash, MAX_DEPTH)?.best;
        let is_legal = |packed: PackedMove| {
            packed != PackedMove::NONE && node.position.is_legal(Move::Draft(packed.unpack()))
        };
        Some(best).filter(|&best| is_legal(best))
    }

    /// The best move by a complete search, most of which is in the table.
    fn solve(&mut self, node: &Node) -> Option<PackedMove> {
        let experience = &*self.searcher.experience;
        let mut span = self.searcher.moves.push(&node.position, experience, PackedMove::NONE, 0);
        let mut window = Window::FULL;
        let (mut best, mut n_tried) = (None, 0);
        while let Some(m) = self.searcher.moves.next(&mut span) {
            let depth = node.position.n_piles() as i32;
            let found = self.searcher.try_move(node, m, n_tried, depth, window, 0);
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
