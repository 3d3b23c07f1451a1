//! Multi-player PUCT (max^n backup) over the rest of the round, for three and four players.
//!
//! With more than two players a bound on one seat's value says little about the others, so alpha-beta
//! does not apply without assuming that all others play against one seat (paranoid search, which is
//! weaker here: docs/log/2026-11-16-three-and-four-players.md). Every node keeps the values of all seats; the seat to move selects by its own
//! value plus an exploration term, whose prior is a softmax over static evaluations. Transpositions
//! share a node. With four players the value of a node is the mean over its visits mixed with the value of
//! its most visited move: an implicit max^n backup, because the mean alone still counts moves that were
//! tried and refuted. Nodes whose subtree reaches the end of the round everywhere are *solved*: their value is the
//! max^n value. When the root is solved, so is the round.
//!
//! Expected differences are backed up beside the values. Values are linear in difference and win
//! probability, so the two means give the mean win probability for the reports.

use super::order::{History, MoveStack};
use super::pack::PackedMove;
use super::{Memory, Task};
use crate::eval::{Certainty, Evaluator, Node, win_of_mean};
use crate::info::{Answer, Forecast, Info};
use azulejo_rules::{Move, Phase, Seat};

/// Softmax temperature of the prior computed from the static evaluation, in units of value.
const PRIOR_TEMPERATURE: f32 = 700.0;

/// PUCT exploration constant, in units of value. It is larger for four players: the more opponents,
/// the less likely they all play their best move (docs/log/2026-11-16-three-and-four-players.md).
const fn exploration(n_seats: usize) -> f32 {
    if n_seats < 4 { 5_000.0 } else { 10_000.0 }
}

/// The share of the most visited move in the value of a node; the rest is the mean over all visits. It
/// was measured with four players; with 0.8 the tree trusts moves that were visited a few times too much
/// (docs/log/2026-11-18-strength.md).
const fn best_share(n_seats: usize) -> f32 {
    if n_seats < 4 { 0.0 } else { 0.4 }
}

/// A number for each seat (max^n).
type Values = [f32; 4];

/// What the search backs up.
#[derive(Clone, Copy)]
struct Outlook {
    values: Values,
    /// The expected differences, in points.
    points: Values,
}

impl Outlook {
    /// `share` of another outlook and the rest of this one.
    fn mixed(self, share: f32, other: Outlook) -> Outlook {
        let mix = |a: Values, b: Values| std::array::from_fn(|i| a[i] + share * (b[i] - a[i]));
        Outlook { values: mix(self.values, other.values), points: mix(self.points, other.points) }
    }
}

/// The index that stands for no node or edge.
const NONE: u32 = u32::MAX;

/// A position in the tree.
struct TreeNode {
    /// The index of its first edge.
    edges: u32,
    n_edges: u16,
    n_solved: u16,
    /// The seat to move.
    seat: u8,
    visits: u32,
    /// The mean over all visits.
    mean: Outlook,
    /// The edge that was visited most often, of several the one that was best for the seat to move when
    /// it was last visited.
    most_visited: u32,
    /// The solved edge that is best for the seat to move.
    best_solved: u32,
    /// The least of its solved edges.
    certainty: Certainty,
}

impl TreeNode {
    fn is_solved(&self) -> bool {
        self.n_solved == self.n_edges
    }
}

/// A move from a node to its child.
#[derive(Clone, Copy)]
struct Edge {
    m: PackedMove,
    /// Whether its values are final instead of a mean.
    solved: bool,
    /// What final values rest on.
    certainty: Certainty,
    child: u32,
    visits: u32,
    /// The prior probability; those of a node add up to one.
    prior: f32,
    /// The value of the child; before the first visit only that of the seat to move.
    values: Values,
}

pub(super) fn search(
    task: Task,
    memory: &mut Memory,
    report: &mut dyn FnMut(&Info),
) -> Option<Answer> {
    let root = Node::new(task.root);
    let Memory { evaluator, history, .. } = memory;
    let mut tree = Tree::new(evaluator, history, task);
    tree.expand(&root);
    let mut next_report = 64;
    let mut n_visits = 0;
    while !tree.is_done(task) {
        tree.iterate(&root);
        n_visits += 1;
        if n_visits == next_report {
            next_report *= 2;
            tree.report(task, &root, report);
        }
    }
    tree.report(task, &root, report)
}

struct Tree<'a> {
    evaluator: &'a mut Evaluator,
    history: &'a History,
    moves: MoveStack,
    n_seats: usize,
    nodes: Vec<TreeNode>,
    edges: Vec<Edge>,
    /// The expected differences of each edge, in points, from its first visit on. They are not in the
    /// edge because selection, which reads all edges of a node, does not need them.
    points: Vec<Values>,
    /// Node indices by transposition hash; a newer one replaces an older one in the same slot.
    by_hash: Vec<(u64, u32)>,
    /// Nodes and edges of the current iteration.
    path: Vec<(u32, u32)>,
    /// Nodes evaluated since the limits were last checked.
    uncounted: u64,
    /// The rest of the node limit.
    nodes_left: u64,
    /// Whether the rest of the node limit is too small to expand a node.
    is_exhausted: bool,
    max_depth: usize,
    max_edges: usize,
}

impl<'a> Tree<'a> {
    fn new(evaluator: &'a mut Evaluator, history: &'a History, task: Task) -> Tree<'a> {
        Tree {
            evaluator,
            history,
            moves: MoveStack::default(),
            n_seats: task.root.rules().players().count(),
            nodes: Vec::new(),
            edges: Vec::new(),
            points: Vec::new(),
            by_hash: vec![(0, NONE); 1 << 16],
            path: Vec::new(),
            uncounted: 0,
            nodes_left: task.deadline.nodes.unwrap_or(u64::MAX),
            is_exhausted: false,
            max_depth: task.deadline.depth.map_or(usize::MAX, |depth| depth as usize),
            max_edges: task.table.bytes() / (size_of::<Edge>() + size_of::<Values>()),
        }
    }

    /// Whether a limit is reached or the root is decided.
    fn is_done(&mut self, task: Task) -> bool {
        let root = &self.nodes[0];
        root.is_solved()
            || root.n_edges == 1
            || self.is_exhausted
            || self.edges.len() >= self.max_edges
            || task.deadline.check(std::mem::take(&mut self.uncounted))
            || task.deadline.is_spent()
    }

    /// One iteration: selects down to a leaf of the tree, expands it and backpropagates its value.
    fn iterate(&mut self, root: &Node) {
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        let mut position = *root;
        let mut node = 0;
        while let Some(edge) = self.select(node) {
            path.push((node, edge));
            let Edge { m, child, .. } = self.edges[edge as usize];
            position.play(Move::Draft(m.unpack()));
            if child == NONE {
                if path.len() >= self.max_depth {
                    let (outlook, certainty) = self.evaluate(&position);
                    self.set_final(edge, outlook, certainty);
                    self.solve(node, edge);
                } else if let Some(child) = self.expand(&position) {
                    self.edges[edge as usize].child = child;
                } else {
                    path.clear();
                }
                break;
            }
            node = child;
        }
        for &(node, edge) in path.iter().rev() {
            self.backpropagate(node, edge);
        }
        self.path = path;
    }

    /// The unsolved edge with the largest sum of value and exploration term (PUCT).
    fn select(&self, node: u32) -> Option<u32> {
        let TreeNode { edges, n_edges, seat, visits, .. } = self.nodes[node as usize];
        let exploration = exploration(self.n_seats) * (visits as f32).sqrt();
        let mut best = (None, f32::MIN);
        let range = edges as usize..edges as usize + usize::from(n_edges);
        for (i, edge) in self.edges[range].iter().enumerate().filter(|(_, edge)| !edge.solved) {
            let score = edge.values[usize::from(seat)]
                + exploration * edge.prior / (1 + edge.visits) as f32;
            if score > best.1 {
                best = (Some(edges + i as u32), score);
            }
        }
        best.0
    }

    /// Adds a node with all its moves, or finds the one of a transposition. `None` if the node limit
    /// leaves too few nodes; the root is expanded with as many moves as the limit allows.
    fn expand(&mut self, node: &Node) -> Option<u32> {
        let hash = self.evaluator.hash(node);
        let slot = hash as usize % self.by_hash.len();
        if self.by_hash[slot].0 == hash && self.by_hash[slot].1 != NONE {
            return Some(self.by_hash[slot].1);
        }
        let seat = node.position.turn();
        let number = self.nodes.len() as u32;
        let first = self.edges.len();
        // Ply 0 stands for all: this search has no cutoffs, so there are no killer moves.
        let mut span = self.moves.push(&node.position, self.history, PackedMove::NONE, 0);
        self.is_exhausted = self.moves.count(span) as u64 > self.nodes_left;
        if self.is_exhausted && number > 0 {
            self.moves.pop(span);
            return None;
        }
        // A draft takes one pile, or two: a color and the jokers beside it.
        let may_end = node.position.n_piles() <= 2;
        let mut ends = arrayvec::ArrayVec::<u32, 256>::new();
        while let Some(m) = self.moves.next(&mut span) {
            let draft = m.unpack();
            let end = may_end.then(|| node.after(Move::Draft(draft)));
            self.uncounted += 1;
            self.nodes_left = self.nodes_left.saturating_sub(1);
            let edge = self.edges.len() as u32;
            self.edges.push(Edge {
                m,
                solved: false,
                certainty: Certainty::Estimated,
                child: NONE,
                visits: 0,
                prior: 0.0,
                values: [0.0; 4],
            });
            self.points.push([0.0; 4]);
            if let Some(end) = end.filter(|end| end.position.phase() != Phase::Draft) {
                let (outlook, certainty) = self.evaluate(&end);
                self.set_final(edge, outlook, certainty);
                let _ = ends.try_push(edge);
            } else {
                let found = self.evaluator.value_after(node, draft, seat);
                self.edges[edge as usize].values[seat.index()] = found.value as f32;
            }
            if self.nodes_left == 0 {
                break;
            }
        }
        self.moves.pop(span);
        let best = set_priors(&mut self.edges[first..], seat);
        let m = self.edges[first + best].m;
        let (mean, _) = self.evaluate(&node.after(Move::Draft(m.unpack())));
        self.nodes.push(TreeNode {
            edges: first as u32,
            n_edges: (self.edges.len() - first) as u16,
            n_solved: 0,
            seat: seat.index() as u8,
            visits: 1,
            mean,
            most_visited: NONE,
            best_solved: NONE,
            certainty: Certainty::Proved,
        });
        for edge in ends {
            self.solve(number, edge);
        }
        self.by_hash[slot] = (hash, number);
        Some(number)
    }

    /// The static evaluation for every seat.
    fn evaluate(&mut self, node: &Node) -> (Outlook, Certainty) {
        let mut outlook = Outlook { values: [0.0; 4], points: [0.0; 4] };
        let mut certainty = Certainty::Proved;
        for &seat in &Seat::ALL[..self.n_seats] {
            let judged = self.evaluator.judge(node, seat);
            outlook.values[seat.index()] = judged.found.value as f32;
            outlook.points[seat.index()] = judged.points();
            certainty = certainty.min(judged.found.certainty);
        }
        (outlook, certainty)
    }

    /// Sets the values of an edge that will not change.
    fn set_final(&mut self, edge: u32, outlook: Outlook, certainty: Certainty) {
        self.edges[edge as usize].values = outlook.values;
        self.edges[edge as usize].certainty = certainty;
        self.points[edge as usize] = outlook.points;
    }

    /// Marks the values of an edge as final.
    fn solve(&mut self, node: u32, edge: u32) {
        let Edge { values, certainty, .. } = self.edges[edge as usize];
        self.edges[edge as usize].solved = true;
        let node = &mut self.nodes[node as usize];
        node.n_solved += 1;
        node.certainty = node.certainty.min(certainty);
        let seat = usize::from(node.seat);
        let is_better = node.best_solved == NONE
            || values[seat] > self.edges[node.best_solved as usize].values[seat];
        if is_better {
            node.best_solved = edge;
        }
    }

    /// Backpropagation: takes the value of the child over into an edge and the mean of its node.
    fn backpropagate(&mut self, node: u32, edge: u32) {
        let Edge { child, visits, solved, .. } = self.edges[edge as usize];
        let old = self.outlook(edge);
        let new = if child == NONE { old } else { self.outlook_of(child) };
        if child != NONE {
            self.set_final(edge, new, self.nodes[child as usize].certainty);
        }
        self.edges[edge as usize].visits += 1;
        if child != NONE && self.nodes[child as usize].is_solved() && !solved {
            self.solve(node, edge);
        }
        let node = &mut self.nodes[node as usize];
        let seat = usize::from(node.seat);
        let rank =
            |edge: u32| (self.edges[edge as usize].visits, self.edges[edge as usize].values[seat]);
        if node.most_visited == NONE || rank(edge) > rank(node.most_visited) {
            node.most_visited = edge;
        }
        node.visits += 1;
        let (n, n_visits) = (visits as f32, node.visits as f32);
        let update = |means: &mut Values, new: Values, old: Values| {
            for ((mean, new), old) in means.iter_mut().zip(new).zip(old) {
                // Earlier visits of the edge count with its new value.
                let change = new + n * (new - old);
                *mean += (change - *mean) / n_visits;
            }
        };
        update(&mut node.mean.values, new.values, old.values);
        update(&mut node.mean.points, new.points, old.points);
    }

    /// What an edge has backed up.
    fn outlook(&self, edge: u32) -> Outlook {
        Outlook { values: self.edges[edge as usize].values, points: self.points[edge as usize] }
    }

    /// What a node is worth: the mean, unless a solved move is better for the seat to move. Without a
    /// solved move the mean is mixed with the most visited one.
    fn outlook_of(&self, node: u32) -> Outlook {
        let node = &self.nodes[node as usize];
        if node.best_solved == NONE {
            return match node.most_visited {
                NONE => node.mean,
                edge => node.mean.mixed(best_share(self.n_seats), self.outlook(edge)),
            };
        }
        let best = self.outlook(node.best_solved);
        let seat = usize::from(node.seat);
        let is_better = best.values[seat] > node.mean.values[seat];
        if node.is_solved() || is_better { best } else { node.mean }
    }

    /// Reports the best lines and returns the best one.
    fn report(&mut self, task: Task, root: &Node, report: &mut dyn FnMut(&Info)) -> Option<Answer> {
        task.deadline.check(std::mem::take(&mut self.uncounted));
        let is_complete = self.nodes[0].is_solved() && !self.is_exhausted;
        let certainty = if is_complete { self.nodes[0].certainty } else { Certainty::Estimated };
        let mut edges = self.ranked(0);
        edges.truncate(task.n_lines.max(1));
        let mut lines: Vec<_> = edges.into_iter().map(|edge| self.line(edge, root)).collect();
        let seat = root.position.turn();
        lines.sort_by(|(_, a), (_, b)| b.value(seat).total_cmp(&a.value(seat)));
        let mut best = None;
        for (i, (pv, forecast)) in lines.into_iter().enumerate() {
            let info = Info {
                depth: pv.iter().filter(|m| matches!(m, Move::Draft(_))).count() as u32,
                nodes: task.deadline.nodes(),
                time: task.deadline.elapsed(),
                hash_full: (self.edges.len() * 1000 / self.max_edges.max(1)).min(1000) as u32,
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
    fn line(&mut self, first: u32, root: &Node) -> (Vec<Move>, Forecast) {
        let mut node = *root;
        let mut pv = Vec::new();
        let mut next = Some(first);
        while let Some(edge) = next {
            let Edge { m, child, .. } = self.edges[edge as usize];
            let m = Move::Draft(m.unpack());
            pv.push(m);
            node.play(m);
            next = if child == NONE { None } else { self.ranked(child).first().copied() };
        }
        self.evaluator.tile(&mut node, |m| pv.push(m));
        let Edge { solved, visits, .. } = self.edges[first as usize];
        if !solved && visits == 0 {
            return (pv, self.evaluator.forecast(&node));
        }
        let Outlook { values, points } = self.outlook(first);
        let seats = values.into_iter().zip(points).take(self.n_seats);
        let forecast =
            Forecast::of_seats(seats.map(|(value, points)| (points, win_of_mean(value, points))));
        (pv, forecast)
    }

    /// The edges of a node, best first: by visits, unless a solved move is better.
    fn ranked(&self, node: u32) -> Vec<u32> {
        let TreeNode { edges, n_edges, seat, best_solved, n_solved, .. } =
            self.nodes[node as usize];
        let mut all: Vec<u32> = (edges..edges + u32::from(n_edges)).collect();
        let edge = |i: u32| &self.edges[i as usize];
        let value = |i: u32| edge(i).values[usize::from(seat)];
        let by_value = n_solved == n_edges;
        all.sort_by(|&a, &b| {
            let visits = |i: u32| if by_value { 0 } else { edge(i).visits };
            visits(b).cmp(&visits(a)).then(value(b).total_cmp(&value(a)))
        });
        if best_solved != NONE && value(best_solved) >= value(all[0]) {
            all.retain(|&i| i != best_solved);
            all.insert(0, best_solved);
        }
        all
    }
}

/// Sets the priors of a node's edges, a softmax over their static evaluations. Returns the index of
/// the best one.
fn set_priors(edges: &mut [Edge], seat: Seat) -> usize {
    let value = |edge: &Edge| edge.values[seat.index()];
    let (mut best, mut most) = (0, f32::MIN);
    for (i, edge) in edges.iter().enumerate() {
        if value(edge) > most {
            (best, most) = (i, value(edge));
        }
    }
    let mut sum = 0.0;
    for edge in &mut *edges {
        edge.prior = exp_neg((most - value(edge)) / PRIOR_TEMPERATURE);
        sum += edge.prior;
    }
    for edge in edges {
        edge.prior /= sum;
    }
    best
}

/// About `exp(-x)`, by operations that give the same result on every machine.
fn exp_neg(x: f32) -> f32 {
    let mut power = 1.0 / (1.0 + x / 16.0);
    for _ in 0..4 {
        power *= power;
    }
    power
}
