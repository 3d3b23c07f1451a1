//! The search for three and four players: a tree that grows where every seat's best play leads.
//!
//! With two players what is good for one is bad for the other, and alpha-beta need not look at
//! most of it. With more, each seat plays for itself. So the tree keeps for every position the
//! values of all seats; a seat prefers moves by what they have been worth to it so far and, while
//! they were hardly tried, by the evaluation's first sight. Positions that are reached in several
//! ways are kept once. Where the rest of the round is known completely, its value is no average
//! any more but what each seat's best move leads to; when that reaches the root, the round is solved.

use super::order::{Experience, MoveStack};
use super::pack::PackedMove;
use super::{Memory, Task};
use crate::eval::{Evaluator, Node};
use crate::info::{Answer, Info};
use azulejo_rules::{Move, Phase, Seat};

/// A move that looks worse by so much at first sight is e times less likely to be tried.
const TEMPERATURE: f32 = 700.0;

/// How strongly moves are tried that were tried little, in units of value. The more others there are, the
/// less can be expected that they all play what is best for them (docs/engine.md).
const fn curiosity(n_seats: usize) -> f32 {
    if n_seats < 4 { 5_000.0 } else { 10_000.0 }
}

/// The values of a position for all seats.
type Values = [f32; 4];

/// The number of a branch that is not there.
const NONE: u32 = u32::MAX;

/// A position in the tree.
struct Branch {
    /// Its edges are in the tree's list from here on.
    edges: u32,
    n_edges: u16,
    n_solved: u16,
    /// Who moves.
    seat: u8,
    visits: u32,
    /// The mean of all visits.
    mean: Values,
    /// The edge that is best for the mover among those that are solved.
    best_solved: u32,
}

impl Branch {
    fn is_solved(&self) -> bool {
        self.n_solved == self.n_edges
    }
}

/// A move from a position in the tree.
#[derive(Clone, Copy)]
struct Edge {
    m: PackedMove,
    /// Whether its values are not an average but final.
    solved: bool,
    child: u32,
    visits: u32,
    /// How promising it looks at first sight; those of a branch add up to one.
    prior: f32,
    /// What it has been worth; before its first visit only the mover's is known.
    values: Values,
}

pub(super) fn find(
    task: Task,
    memory: &mut Memory,
    report: &mut dyn FnMut(&Info),
) -> Option<Answer> {
    let root = Node::new(task.root);
    let Memory { evaluator, experience, .. } = memory;
    let mut tree = Tree::new(evaluator, experience, task);
    tree.expand(&root);
    let mut next_report = 64;
    let mut n_visits = 0;
    while !tree.is_done(task) {
        tree.visit(&root);
        n_visits += 1;
        if n_visits == next_report {
            next_report *= 2;
            tree.tell(task, &root, report);
        }
    }
    tree.tell(task, &root, report)
}

struct Tree<'a> {
    evaluator: &'a mut Evaluator,
    experience: &'a Experience,
    moves: MoveStack,
    n_seats: usize,
    branches: Vec<Branch>,
    edges: Vec<Edge>,
    /// Branches by the hash of their position; a later one may take an earlier one's place.
    by_hash: Vec<(u64, u32)>,
    /// The way of the current visit: branches and the edges taken.
    path: Vec<(u32, u32)>,
    /// Nodes since the last look at the clock.
    uncounted: u64,
    /// How many nodes the limit leaves.
    nodes_left: u64,
    /// Whether they are not enough for another position.
    is_exhausted: bool,
    max_depth: usize,
    /// Whether the limit of depth has cut a line.
    is_cut: bool,
    max_edges: usize,
}

impl<'a> Tree<'a> {
    fn new(evaluator: &'a mut Evaluator, experience: &'a Experience, task: Task) -> Tree<'a> {
        Tree {
            evaluator,
            experience,
            moves: MoveStack::default(),
            n_seats: task.root.rules().players.count(),
            branches: Vec::new(),
            edges: Vec::new(),
            by_hash: vec![(0, NONE); 1 << 16],
            path: Vec::new(),
            uncounted: 0,
            nodes_left: task.deadline.nodes.unwrap_or(u64::MAX),
            is_exhausted: false,
            max_depth: task.deadline.depth.map_or(usize::MAX, |depth| depth as usize),
            is_cut: false,
            max_edges: task.table.bytes() / size_of::<Edge>(),
        }
    }

    /// Whether a limit is reached or there is nothing more to find.
    fn is_done(&mut self, task: Task) -> bool {
        let root = &self.branches[0];
        root.is_solved()
            || root.n_edges == 1
            || self.is_exhausted
            || self.edges.len() >= self.max_edges
            || task.deadline.look(std::mem::take(&mut self.uncounted))
            || task.deadline.is_spent()
    }

    /// Goes down the tree to its edge, adds a position, and tells the way back what it is worth.
    fn visit(&mut self, root: &Node) {
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        let mut node = *root;
        let mut branch = 0;
        while let Some(edge) = self.choose(branch) {
            path.push((branch, edge));
            let Edge { m, child, .. } = self.edges[edge as usize];
            node.play(Move::Draft(m.unpack()));
            if child == NONE {
                if path.len() >= self.max_depth {
                    self.is_cut = true;
                    self.edges[edge as usize].values = self.values(&node);
                    self.solve(branch, edge);
                } else if let Some(child) = self.expand(&node) {
                    self.edges[edge as usize].child = child;
                } else {
                    path.clear();
                }
                break;
            }
            branch = child;
        }
        for &(branch, edge) in path.iter().rev() {
            self.update(branch, edge);
        }
        self.path = path;
    }

    /// The edge of a branch to follow: what was good so far, or what was tried too little.
    fn choose(&self, branch: u32) -> Option<u32> {
        let Branch { edges, n_edges, seat, visits, .. } = self.branches[branch as usize];
        let curiosity = curiosity(self.n_seats) * (visits as f32).sqrt();
        let mut best = (None, f32::MIN);
        let range = edges as usize..edges as usize + usize::from(n_edges);
        for (i, edge) in self.edges[range].iter().enumerate().filter(|(_, edge)| !edge.solved) {
            let merit =
                edge.values[usize::from(seat)] + curiosity * edge.prior / (1 + edge.visits) as f32;
            if merit > best.1 {
                best = (Some(edges + i as u32), merit);
            }
        }
        best.0
    }

    /// Adds a position with all its moves, or finds it if it is there. `None` if the limit of nodes
    /// leaves too few; the root has to do with as many moves as there may be.
    fn expand(&mut self, node: &Node) -> Option<u32> {
        let hash = self.evaluator.hash(node);
        let slot = hash as usize % self.by_hash.len();
        if self.by_hash[slot].0 == hash && self.by_hash[slot].1 != NONE {
            return Some(self.by_hash[slot].1);
        }
        let seat = node.position.turn();
        let number = self.branches.len() as u32;
        let first = self.edges.len();
        let mut span = self.moves.push(&node.position, self.experience, PackedMove::NONE, 63);
        self.is_exhausted = self.moves.count(span) as u64 > self.nodes_left;
        if self.is_exhausted && number > 0 {
            self.moves.pop(span);
            return None;
        }
        // A draft takes one pile, or a color's and the jokers beside it.
        let may_end = node.position.n_piles() <= 2;
        let mut ends = arrayvec::ArrayVec::<u32, 256>::new();
        while let Some(m) = self.moves.next(&mut span) {
            let draft = m.unpack();
            let end = may_end.then(|| node.after(Move::Draft(draft)));
            self.uncounted += 1;
            self.nodes_left = self.nodes_left.saturating_sub(1);
            let mut edge =
                Edge { m, solved: false, child: NONE, visits: 0, prior: 0.0, values: [0.0; 4] };
            if let Some(end) = end.filter(|end| end.position.phase() != Phase::Draft) {
                edge.values = self.values(&end);
                let _ = ends.try_push(self.edges.len() as u32);
            } else {
                let value = self.evaluator.value_after(node, draft, seat);
                edge.values[seat.index()] = value as f32;
            }
            self.edges.push(edge);
            if self.nodes_left == 0 {
                break;
            }
        }
        self.moves.pop(span);
        let best = set_priors(&mut self.edges[first..], seat);
        let m = self.edges[first + best].m;
        let mean = self.values(&node.after(Move::Draft(m.unpack())));
        self.branches.push(Branch {
            edges: first as u32,
            n_edges: (self.edges.len() - first) as u16,
            n_solved: 0,
            seat: seat.index() as u8,
            visits: 1,
            mean,
            best_solved: NONE,
        });
        for edge in ends {
            self.solve(number, edge);
        }
        self.by_hash[slot] = (hash, number);
        Some(number)
    }

    /// What a position is worth to every seat at first sight.
    fn values(&mut self, node: &Node) -> Values {
        let mut values = [0.0; 4];
        for (value, &seat) in values.iter_mut().zip(&Seat::ALL[..self.n_seats]) {
            *value = self.evaluator.value_for(node, seat) as f32;
        }
        values
    }

    /// The values of an edge are final.
    fn solve(&mut self, branch: u32, edge: u32) {
        let Edge { values, .. } = self.edges[edge as usize];
        self.edges[edge as usize].solved = true;
        let branch = &mut self.branches[branch as usize];
        branch.n_solved += 1;
        let seat = usize::from(branch.seat);
        let is_better = branch.best_solved == NONE
            || values[seat] > self.edges[branch.best_solved as usize].values[seat];
        if is_better {
            branch.best_solved = edge;
        }
    }

    /// Counts a visit that went along an edge, whose child has learned something.
    fn update(&mut self, branch: u32, edge: u32) {
        let Edge { child, visits, values: old, solved, .. } = self.edges[edge as usize];
        let new = if child == NONE { old } else { self.value_of(child) };
        let is_solved = child != NONE && self.branches[child as usize].is_solved();
        self.edges[edge as usize].values = new;
        self.edges[edge as usize].visits += 1;
        if is_solved && !solved {
            self.solve(branch, edge);
        }
        let branch = &mut self.branches[branch as usize];
        branch.visits += 1;
        let n = visits as f32;
        for ((mean, new), old) in branch.mean.iter_mut().zip(new).zip(old) {
            // All earlier visits of the edge count with what is now known of it.
            let change = new + n * (new - old);
            *mean += (change - *mean) / branch.visits as f32;
        }
    }

    /// What a branch is worth: the mean, unless a move that is known to its end is better.
    fn value_of(&self, branch: u32) -> Values {
        let branch = &self.branches[branch as usize];
        if branch.best_solved == NONE {
            return branch.mean;
        }
        let best = self.edges[branch.best_solved as usize].values;
        let seat = usize::from(branch.seat);
        if branch.is_solved() || best[seat] > branch.mean[seat] { best } else { branch.mean }
    }

    /// Reports the best lines and returns the best of all.
    fn tell(&mut self, task: Task, root: &Node, report: &mut dyn FnMut(&Info)) -> Option<Answer> {
        let mut lines = self.ranked(0);
        lines.truncate(task.n_lines.max(1));
        let is_complete = self.branches[0].is_solved() && !self.is_cut && !self.is_exhausted;
        let exact = is_complete && !task.root.rules().has_wall_choices();
        task.deadline.look(std::mem::take(&mut self.uncounted));
        let mut best = None;
        for (i, edge) in lines.into_iter().enumerate() {
            let mut node = *root;
            let mut pv = Vec::new();
            let mut next = Some(edge);
            while let Some(edge) = next {
                let Edge { m, child, .. } = self.edges[edge as usize];
                let m = Move::Draft(m.unpack());
                pv.push(m);
                node.play(m);
                next = if child == NONE { None } else { self.ranked(child).first().copied() };
            }
            let info = Info {
                depth: pv.len() as u32,
                nodes: task.deadline.nodes(),
                time: task.deadline.elapsed(),
                hash_full: (self.edges.len() * 1000 / self.max_edges.max(1)).min(1000) as u32,
                multi_pv: i + 1,
                forecast: self.evaluator.forecast(&node),
                exact,
                pv,
            };
            report(&info);
            best = best.or(Some(Answer { best: info.pv[0], info }));
        }
        best
    }

    /// The edges of a branch, best first: what was visited most, unless something that is known to
    /// its end is better.
    fn ranked(&self, branch: u32) -> Vec<u32> {
        let Branch { edges, n_edges, seat, best_solved, n_solved, .. } =
            self.branches[branch as usize];
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

/// Sets how promising the moves of a branch are and finds the one that is best at first sight.
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
        edge.prior = fade((most - value(edge)) / TEMPERATURE);
        sum += edge.prior;
    }
    for edge in edges {
        edge.prior /= sum;
    }
    best
}

/// About `exp(-x)`, by operations that give the same on every machine.
fn fade(x: f32) -> f32 {
    let mut power = 1.0 / (1.0 + x / 16.0);
    for _ in 0..4 {
        power *= power;
    }
    power
}
