//! Multi-player PUCT (max^n backup) over the rest of the round, for three and four players.
//!
//! With more than two players a bound on one seat's value says little about the others, so alpha-beta
//! does not apply without assuming that all others play against one seat (paranoid search, which is
//! weaker here: docs/log/2026-11-16-three-and-four-players.md). Every node keeps the values of all seats;
//! the seat to move selects by its own value plus an exploration term, whose prior is a softmax over
//! static evaluations. Transpositions share a node. The value of a node is the mean over its visits mixed
//! with the value of its most visited move: an implicit max^n backup, because the mean alone still counts
//! moves that were tried and refuted. Nodes whose subtree reaches the end of the round everywhere are
//! *solved*: their value is the max^n value. When the root is solved, so is the round.
//!
//! All threads share one tree (tree parallelism): they take turns to select and to backpropagate, and
//! evaluate the moves of their leaves at the same time, which takes most of the time.
//!
//! Expected differences are backed up beside the values. Values are linear in difference and win
//! probability, so the two means give the mean win probability for the reports.

use super::order::{History, MoveStack};
use super::pack::PackedMove;
use super::tree::{Edge, Expansion, NONE, Outlook, Step, Tree};
use super::{Memory, Task};
use crate::eval::{Certainty, Evaluator, Judged, Node, win_of_mean};
use crate::info::{Answer, Forecast, Info};
use arrayvec::ArrayVec;
use azulejo_rules::Move;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Softmax temperature of the prior computed from the static evaluation, in units of value.
const PRIOR_TEMPERATURE: f32 = 700.0;

pub(super) fn search(
    task: Task,
    memories: &mut [Option<Memory>],
    report: &mut dyn FnMut(&Info),
) -> Option<Answer> {
    let (first, others) = memories.split_first_mut()?;
    let first = task.prepare(first);
    let n_seats = task.root.rules().players().count();
    let mut tree = std::mem::take(&mut first.tree);
    tree.clear(n_seats, task.table.bytes(), task.deadline.nodes.unwrap_or(u64::MAX));
    let shared = Mutex::new(tree);
    let mut main = Worker::new(task, first, &shared);
    main.node(&Node::new(task.root));
    let mut main_thread = || {
        main.run(report);
        task.deadline.end();
        main.report(report)
    };
    let answer = if others.is_empty() {
        // A web page has no threads.
        main_thread()
    } else {
        std::thread::scope(|scope| {
            for memory in others {
                let shared = &shared;
                scope.spawn(move || {
                    Worker::new(task, task.prepare(memory), shared).run(&mut |_| {});
                });
            }
            main_thread()
        })
    };
    first.tree = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    answer
}

/// One thread of a search.
struct Worker<'a> {
    task: Task<'a>,
    root: Node,
    evaluator: &'a mut Evaluator,
    history: &'a History,
    shared: &'a Mutex<Tree>,
    moves: MoveStack,
    n_seats: usize,
    /// The steps of the current iteration.
    path: Vec<Step>,
    expansion: Expansion,
    /// The moves of the expansion, and the numbers that sort them: the value above the move.
    drafts: Vec<PackedMove>,
    ranking: Vec<i64>,
    /// Nodes evaluated since the limits were last checked.
    uncounted: u64,
    max_depth: usize,
}

impl<'a> Worker<'a> {
    fn new(task: Task<'a>, memory: &'a mut Memory, shared: &'a Mutex<Tree>) -> Worker<'a> {
        Worker {
            task,
            root: Node::new(task.root),
            evaluator: &mut memory.evaluator,
            history: &memory.history,
            shared,
            moves: MoveStack::default(),
            n_seats: task.root.rules().players().count(),
            path: Vec::new(),
            expansion: Expansion::default(),
            drafts: Vec::new(),
            ranking: Vec::new(),
            uncounted: 0,
            max_depth: task.deadline.depth.map_or(usize::MAX, |depth| depth as usize),
        }
    }

    /// The tree, for this thread alone until the guard is dropped.
    fn tree(&self) -> MutexGuard<'a, Tree> {
        // The panic of a thread ends the whole search.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Iterates until a limit is reached or the root is decided, and reports after 64 iterations, 128, …
    fn run(&mut self, report: &mut dyn FnMut(&Info)) {
        let mut n_iterations: u64 = 0;
        while !self.is_done() {
            self.iterate();
            n_iterations += 1;
            if n_iterations >= 64 && n_iterations.is_power_of_two() {
                self.report(report);
            }
        }
    }

    fn is_done(&mut self) -> bool {
        let deadline = self.task.deadline;
        deadline.check(std::mem::take(&mut self.uncounted))
            || deadline.is_spent()
            || self.tree().is_done()
    }

    /// One iteration: selects down to a leaf of the tree, expands it and backpropagates its value.
    fn iterate(&mut self) {
        let mut path = std::mem::take(&mut self.path);
        let is_leaf = self.tree().select(&mut path);
        if is_leaf {
            self.extend(&path);
        } else {
            self.tree().backpropagate(&path);
        }
        self.path = path;
    }

    /// Adds the node at the end of a path.
    fn extend(&mut self, path: &[Step]) {
        let mut leaf = self.root;
        for step in path {
            leaf.play(Move::Draft(step.m.unpack()));
        }
        if path.len() >= self.max_depth {
            let (outlook, certainty) = outlook(&self.evaluator.judge_all(&leaf));
            let mut tree = self.tree();
            tree.finish(path, outlook, certainty);
            tree.backpropagate(path);
            return;
        }
        let child = self.node(&leaf);
        let mut tree = self.tree();
        match child {
            Some(child) => {
                tree.link(path, child);
                tree.backpropagate(path);
            }
            None => tree.undo(path),
        }
    }

    /// The node of a position: that of a transposition, or a new one with all its moves. `None` if the
    /// node limit leaves too few nodes; the root is expanded with as many moves as the limit allows.
    fn node(&mut self, leaf: &Node) -> Option<u32> {
        let hash = self.evaluator.hash(leaf);
        // Ply 0 stands for all: this search has no cutoffs, so there are no killer moves.
        let mut span = self.moves.push(&leaf.position, self.history, PackedMove::NONE, 0);
        let n_moves = self.moves.count(span);
        let found = self.tree().find_or_reserve(hash, n_moves);
        self.drafts.clear();
        match found {
            Ok(n) if n == n_moves => self.drafts.extend(self.moves.all(span)),
            Ok(n) => {
                let best_first = std::iter::from_fn(|| self.moves.next(&mut span));
                self.drafts.extend(best_first.take(n));
            }
            Err(_) => {}
        }
        self.moves.pop(span);
        if let Err(node) = found {
            return Some(node);
        }
        if self.drafts.is_empty() {
            return None;
        }
        self.expand(leaf, hash);
        Some(self.tree().insert(&self.expansion))
    }

    /// Evaluates the drafts of a leaf.
    fn expand(&mut self, leaf: &Node, hash: u64) {
        let seat = leaf.position.turn();
        let mut expansion = std::mem::take(&mut self.expansion);
        let mut ends: ArrayVec<PackedMove, 256> = ArrayVec::new();
        self.ranking.clear();
        for &m in &self.drafts {
            let found = self.evaluator.value_after(leaf, m.unpack(), seat);
            self.ranking.push(i64::from(found.value) << 16 | i64::from(m.0));
            if found.certainty > Certainty::Estimated {
                ends.push(m);
            }
        }
        self.uncounted += self.drafts.len() as u64;
        self.ranking.sort_unstable_by(|a, b| b.cmp(a));
        expansion.edges.clear();
        expansion.edges.extend(
            self.ranking
                .iter()
                .map(|&number| Edge::new(PackedMove(number as u16), (number >> 16) as f32)),
        );
        set_priors(&mut expansion.edges);
        expansion.ends.clear();
        for (i, m) in expansion.edges.iter().map(|edge| edge.m).enumerate() {
            if ends.contains(&m) {
                let (outlook, certainty) = outlook(&self.evaluator.judge_after(leaf, m.unpack()));
                expansion.ends.push((i, outlook, certainty));
            }
        }
        (expansion.hash, expansion.seat) = (hash, seat.index() as u8);
        let best = expansion.edges[0].m.unpack();
        expansion.outlook = outlook(&self.evaluator.judge_after(leaf, best)).0;
        self.expansion = expansion;
    }

    /// Reports the best lines and returns the best one.
    fn report(&mut self, report: &mut dyn FnMut(&Info)) -> Option<Answer> {
        let Task { root, deadline, n_lines, .. } = self.task;
        deadline.check(std::mem::take(&mut self.uncounted));
        let tree = self.tree();
        let certainty = tree.certainty();
        let mut edges = tree.ranked(0);
        edges.truncate(n_lines.max(1));
        let mut lines: Vec<_> = edges.into_iter().map(|edge| self.line(&tree, edge)).collect();
        let seat = root.turn();
        lines.sort_by(|(_, a), (_, b)| b.value(seat).total_cmp(&a.value(seat)));
        let mut best = None;
        for (i, (pv, forecast)) in lines.into_iter().enumerate() {
            let info = Info {
                depth: pv.iter().filter(|m| matches!(m, Move::Draft(_))).count() as u32,
                nodes: deadline.nodes(),
                time: deadline.elapsed(),
                hash_full: tree.permille_full(),
                multi_pv: i + 1,
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

    /// The principal variation that starts with an edge of the root, and the forecast that was backed
    /// up to it; before its first visit the static one.
    fn line(&mut self, tree: &Tree, first: u32) -> (Vec<Move>, Forecast) {
        let mut node = self.root;
        let mut pv = Vec::new();
        let mut next = Some(first);
        while let Some(edge) = next {
            let Edge { m, child, .. } = tree.edge(edge);
            let m = Move::Draft(m.unpack());
            pv.push(m);
            node.play(m);
            next = if child == NONE { None } else { tree.ranked(child).first().copied() };
        }
        self.evaluator.tile(&mut node, |m| pv.push(m));
        let Some(Outlook { values, points }) = tree.outlook(first) else {
            return (pv, self.evaluator.forecast(&node));
        };
        let seats = values.into_iter().zip(points).take(self.n_seats);
        let forecast =
            Forecast::of_seats(seats.map(|(value, points)| (points, win_of_mean(value, points))));
        (pv, forecast)
    }
}

/// What the static evaluation says for all seats.
fn outlook(seats: &[Judged]) -> (Outlook, Certainty) {
    let mut outlook = Outlook::default();
    let mut certainty = Certainty::Proved;
    for (i, judged) in seats.iter().enumerate() {
        outlook.values[i] = judged.found.value as f32;
        outlook.points[i] = judged.points();
        certainty = certainty.min(judged.found.certainty);
    }
    (outlook, certainty)
}

/// Sets the priors of sorted edges, a softmax over their static evaluations.
fn set_priors(edges: &mut [Edge]) {
    let most = edges.first().map_or(0.0, |edge| edge.value);
    let mut sum = 0.0;
    for edge in &mut *edges {
        edge.prior = exp_neg((most - edge.value) / PRIOR_TEMPERATURE);
        sum += edge.prior;
    }
    for edge in edges {
        edge.prior /= sum;
    }
}

/// About `exp(-x)`, by operations that give the same result on every machine.
fn exp_neg(x: f32) -> f32 {
    let mut power = 1.0 / (1.0 + x / 16.0);
    for _ in 0..4 {
        power *= power;
    }
    power
}
