//! The tree of the multi-player PUCT search: nodes and edges, selection and backpropagation.
//!
//! The edges of a node are sorted by the static evaluation of their moves. Value and prior of edges that
//! were never visited fall in that order, so the first of them beats the others: selection reads only the
//! visited edges and the next one, and most of the tree stays out of the processor's cache.

use super::pack::PackedMove;
use crate::eval::Certainty;

/// PUCT exploration constant, in units of value. It is larger for four players: the more opponents,
/// the less likely they all play their best move (docs/log/2026-11-16-three-and-four-players.md).
const fn exploration(n_seats: usize) -> f32 {
    if n_seats < 4 { 5_000.0 } else { 10_000.0 }
}

/// The share of the most visited move in the value of a node; the rest is the mean over all visits. With
/// 0.8 the tree trusts moves that were visited a few times too much (docs/log/2026-11-18-strength.md).
const BEST_SHARE: f32 = 0.4;

/// A number for each seat (max^n).
pub(super) type Values = [f32; 4];

/// What the search backs up.
#[derive(Clone, Copy, Default)]
pub(super) struct Outlook {
    pub(super) values: Values,
    /// The expected differences, in points.
    pub(super) points: Values,
}

impl Outlook {
    /// `share` of another outlook and the rest of this one.
    fn mixed(self, share: f32, other: Outlook) -> Outlook {
        let mix = |a: Values, b: Values| std::array::from_fn(|i| a[i] + share * (b[i] - a[i]));
        Outlook { values: mix(self.values, other.values), points: mix(self.points, other.points) }
    }
}

/// The index that stands for no node, edge or visit.
pub(super) const NONE: u32 = u32::MAX;

/// A position in the tree; 64 bytes.
struct TreeNode {
    /// The transposition hash.
    hash: u64,
    /// The index of its first edge.
    edges: u32,
    n_edges: u16,
    /// All visited edges are among this many first ones.
    n_tried: u16,
    n_solved: u16,
    /// The seat to move.
    seat: u8,
    /// The least of its solved edges.
    certainty: Certainty,
    visits: u32,
    /// The edge that was visited most often, of several the one that was best for the seat to move when
    /// it was last visited.
    most_visited: u32,
    /// The solved edge that is best for the seat to move.
    best_solved: u32,
    /// The mean over all visits.
    mean: Outlook,
}

impl TreeNode {
    fn is_solved(&self) -> bool {
        self.n_solved == self.n_edges
    }
}

/// A move from a node to its child; 24 bytes.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) m: PackedMove,
    /// Whether its outlook is final instead of a mean.
    solved: bool,
    /// What a final outlook rests on.
    certainty: Certainty,
    pub(super) child: u32,
    /// Visits, with those that other threads have not finished: a virtual loss, which sends threads to
    /// different leaves.
    visits: u32,
    /// The prior probability; those of a node add up to one.
    pub(super) prior: f32,
    /// The value for the seat to move; before the first visit the static evaluation.
    pub(super) value: f32,
    /// The index of what was backed up, from the first visit on.
    backup: u32,
}

impl Edge {
    pub(super) fn new(m: PackedMove, value: f32) -> Edge {
        let certainty = Certainty::Estimated;
        Edge {
            m,
            solved: false,
            certainty,
            child: NONE,
            visits: 0,
            prior: 0.0,
            value,
            backup: NONE,
        }
    }
}

/// What an edge has backed up.
struct Backup {
    outlook: Outlook,
    /// Finished visits.
    visits: u32,
}

/// A node that is not in the tree yet.
#[derive(Default)]
pub(super) struct Expansion {
    pub(super) hash: u64,
    pub(super) seat: u8,
    /// The best first.
    pub(super) edges: Vec<Edge>,
    /// The edges that end the round, by index.
    pub(super) ends: Vec<(usize, Outlook, Certainty)>,
    pub(super) outlook: Outlook,
}

/// A step from a node along an edge.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) node: u32,
    pub(super) edge: u32,
    pub(super) m: PackedMove,
}

/// The tree. Its memory is used again by the next search.
#[derive(Default)]
pub(super) struct Tree {
    n_seats: usize,
    nodes: Vec<TreeNode>,
    edges: Vec<Edge>,
    backups: Vec<Backup>,
    /// Node indices by transposition hash; a newer one replaces an older one in the same slot. An
    /// index from an earlier search is no node of this one, or one with another hash.
    by_hash: Vec<u32>,
    max_bytes: usize,
    /// The rest of the node limit.
    nodes_left: u64,
    /// Whether the rest of the node limit is too small to expand a node.
    is_exhausted: bool,
}

/// The memory that an idle tree keeps.
const KEPT_BYTES: usize = 16 << 20;

impl Tree {
    /// Prepares for another search.
    pub(super) fn clear(&mut self, n_seats: usize, max_bytes: usize, max_nodes: u64) {
        self.by_hash.resize(1 << 16, NONE);
        (self.n_seats, self.max_bytes) = (n_seats, max_bytes);
        (self.nodes_left, self.is_exhausted) = (max_nodes, false);
        self.nodes.clear();
        self.edges.clear();
        self.backups.clear();
        if self.bytes() > KEPT_BYTES {
            self.nodes.shrink_to_fit();
            self.edges.shrink_to_fit();
            self.backups.shrink_to_fit();
        }
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<TreeNode>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.backups.capacity() * size_of::<Backup>()
    }

    /// How full the memory is, in parts of a thousand.
    pub(super) fn permille_full(&self) -> u32 {
        (self.used() * 1000 / self.max_bytes.max(1)).min(1000) as u32
    }

    fn used(&self) -> usize {
        self.nodes.len() * size_of::<TreeNode>()
            + self.edges.len() * size_of::<Edge>()
            + self.backups.len() * size_of::<Backup>()
    }

    /// Whether the root is decided or the tree cannot grow.
    pub(super) fn is_done(&self) -> bool {
        let root = &self.nodes[0];
        root.is_solved() || root.n_edges == 1 || self.is_exhausted || self.used() >= self.max_bytes
    }

    /// What the root rests on.
    pub(super) fn certainty(&self) -> Certainty {
        let is_complete = self.nodes[0].is_solved() && !self.is_exhausted;
        if is_complete { self.nodes[0].certainty } else { Certainty::Estimated }
    }

    /// Selects from the root down to a leaf of the tree. Returns whether the path leads to a new node,
    /// not to one whose edges are all solved.
    pub(super) fn select(&mut self, path: &mut Vec<Step>) -> bool {
        path.clear();
        let mut node = 0;
        while let Some(edge) = self.select_edge(node) {
            let Edge { m, child, .. } = self.edges[edge as usize];
            path.push(Step { node, edge, m });
            if child == NONE {
                return true;
            }
            node = child;
        }
        false
    }

    /// Visits the unsolved edge with the largest sum of value and exploration term (PUCT).
    fn select_edge(&mut self, node: u32) -> Option<u32> {
        let node = &mut self.nodes[node as usize];
        let exploration = exploration(self.n_seats) * (node.visits as f32).sqrt();
        let edges = &mut self.edges[node.edges as usize..][..usize::from(node.n_edges)];
        let (tried, untried) = edges.split_at(usize::from(node.n_tried));
        let next = untried.iter().position(|edge| !edge.solved);
        let n_candidates = next.map_or(tried.len(), |next| tried.len() + next + 1);
        let mut best = (None, f32::MIN);
        for (i, edge) in edges[..n_candidates].iter().enumerate() {
            let score = edge.value + exploration * edge.prior / (1 + edge.visits) as f32;
            if score > best.1 && !edge.solved {
                best = (Some(i), score);
            }
        }
        let best = best.0?;
        edges[best].visits += 1;
        node.n_tried = node.n_tried.max(best as u16 + 1);
        Some(node.edges + best as u32)
    }

    /// The node with a hash.
    fn find(&self, hash: u64) -> Option<u32> {
        let number = self.by_hash[hash as usize % self.by_hash.len()];
        self.nodes.get(number as usize).is_some_and(|node| node.hash == hash).then_some(number)
    }

    /// The node with a hash as an error, or else how many of the moves of a new one may be evaluated:
    /// all, none if the node limit is too small for all, or, at the root, as many as it allows, at
    /// least one.
    pub(super) fn find_or_reserve(&mut self, hash: u64, n_moves: usize) -> Result<usize, u32> {
        if let Some(found) = self.find(hash) {
            return Err(found);
        }
        self.is_exhausted |= n_moves as u64 > self.nodes_left;
        if !self.is_exhausted {
            self.nodes_left -= n_moves as u64;
            return Ok(n_moves);
        }
        let is_root = self.nodes.is_empty();
        let rest = std::mem::take(&mut self.nodes_left) as usize;
        Ok(if is_root { rest.max(1) } else { 0 })
    }

    /// Adds a node, unless another thread was faster.
    pub(super) fn insert(&mut self, expansion: &Expansion) -> u32 {
        let Expansion { hash, seat, outlook, .. } = *expansion;
        if let Some(found) = self.find(hash) {
            return found;
        }
        let number = self.nodes.len() as u32;
        let first = self.edges.len();
        self.edges.extend_from_slice(&expansion.edges);
        self.nodes.push(TreeNode {
            hash,
            edges: first as u32,
            n_edges: expansion.edges.len() as u16,
            n_tried: 0,
            n_solved: 0,
            seat,
            certainty: Certainty::Proved,
            visits: 1,
            most_visited: NONE,
            best_solved: NONE,
            mean: outlook,
        });
        for &(i, outlook, certainty) in &expansion.ends {
            self.back_up((first + i) as u32, seat, outlook, certainty);
            self.solve(number, (first + i) as u32);
        }
        let slot = hash as usize % self.by_hash.len();
        self.by_hash[slot] = number;
        number
    }

    /// Links the last edge of a path to its node.
    pub(super) fn link(&mut self, path: &[Step], child: u32) {
        if let Some(step) = path.last() {
            self.edges[step.edge as usize].child = child;
        }
    }

    /// Solves the last edge of a path.
    pub(super) fn finish(&mut self, path: &[Step], outlook: Outlook, certainty: Certainty) {
        let Some(&Step { node, edge, .. }) = path.last() else { return };
        let seat = self.nodes[node as usize].seat;
        self.back_up(edge, seat, outlook, certainty);
        self.solve(node, edge);
    }

    /// Takes back the visits of a path that found nothing.
    pub(super) fn undo(&mut self, path: &[Step]) {
        for step in path {
            self.edges[step.edge as usize].visits -= 1;
        }
    }

    /// Sets the outlook of an edge. Returns the old one with its number of visits.
    fn back_up(
        &mut self,
        edge: u32,
        seat: u8,
        outlook: Outlook,
        certainty: Certainty,
    ) -> (Outlook, u32) {
        let edge = &mut self.edges[edge as usize];
        (edge.value, edge.certainty) = (outlook.values[usize::from(seat)], certainty);
        if edge.backup == NONE {
            edge.backup = self.backups.len() as u32;
            self.backups.push(Backup { outlook, visits: 0 });
        }
        let backup = &mut self.backups[edge.backup as usize];
        (std::mem::replace(&mut backup.outlook, outlook), backup.visits)
    }

    /// Marks the outlook of an edge as final.
    fn solve(&mut self, node: u32, edge: u32) {
        let node = &mut self.nodes[node as usize];
        let Edge { value, certainty, solved, .. } = self.edges[edge as usize];
        if solved {
            return;
        }
        self.edges[edge as usize].solved = true;
        node.n_solved += 1;
        node.certainty = node.certainty.min(certainty);
        if node.best_solved == NONE || value > self.edges[node.best_solved as usize].value {
            node.best_solved = edge;
        }
    }

    /// Backpropagation: takes the outlook of each child over into its edge and the mean of its node.
    pub(super) fn backpropagate(&mut self, path: &[Step]) {
        for &Step { node, edge, .. } in path.iter().rev() {
            self.backpropagate_step(node, edge);
        }
    }

    fn backpropagate_step(&mut self, node_idx: u32, edge: u32) {
        let Edge { child, certainty, .. } = self.edges[edge as usize];
        let (new, certainty) = match child {
            NONE => (self.outlook(edge).unwrap_or_default(), certainty),
            child => (self.outlook_of(child), self.nodes[child as usize].certainty),
        };
        let seat = self.nodes[node_idx as usize].seat;
        let (old, n) = self.back_up(edge, seat, new, certainty);
        let backup = self.edges[edge as usize].backup;
        self.backups[backup as usize].visits += 1;
        if child != NONE && self.nodes[child as usize].is_solved() {
            self.solve(node_idx, edge);
        }
        let node = &mut self.nodes[node_idx as usize];
        let rank = |edge: u32| {
            let Edge { visits, value, .. } = self.edges[edge as usize];
            (visits, value)
        };
        if node.most_visited == NONE || rank(edge) > rank(node.most_visited) {
            node.most_visited = edge;
        }
        node.visits += 1;
        let (n, n_visits) = (n as f32, node.visits as f32);
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

    /// What an edge has backed up, if it was visited or ends the round.
    pub(super) fn outlook(&self, edge: u32) -> Option<Outlook> {
        let backup = self.edges[edge as usize].backup;
        self.backups.get(backup as usize).map(|backup| backup.outlook)
    }

    /// What a node is worth: the mean, unless a solved move is better for the seat to move. Without a
    /// solved move the mean is mixed with the most visited one.
    fn outlook_of(&self, node: u32) -> Outlook {
        let node = &self.nodes[node as usize];
        let mean = node.mean;
        let Some(best) = self.edges.get(node.best_solved as usize) else {
            let Some(edge) = self.edges.get(node.most_visited as usize) else { return mean };
            let most_visited = self.backups[edge.backup as usize].outlook;
            return mean.mixed(BEST_SHARE, most_visited);
        };
        let is_better = best.value > mean.values[usize::from(node.seat)];
        let is_best = node.is_solved() || is_better;
        if is_best { self.backups[best.backup as usize].outlook } else { mean }
    }

    pub(super) fn edge(&self, edge: u32) -> Edge {
        self.edges[edge as usize]
    }

    /// The edges of a node, best first: by visits, unless a solved move is better.
    pub(super) fn ranked(&self, node: u32) -> Vec<u32> {
        let TreeNode { edges, n_edges, best_solved, .. } = self.nodes[node as usize];
        let by_value = self.nodes[node as usize].is_solved();
        let mut all: Vec<u32> = (edges..edges + u32::from(n_edges)).collect();
        let edge = |i: u32| &self.edges[i as usize];
        all.sort_by(|&a, &b| {
            let visits = |i: u32| if by_value { 0 } else { edge(i).visits };
            visits(b).cmp(&visits(a)).then(edge(b).value.total_cmp(&edge(a).value))
        });
        if best_solved != NONE && edge(best_solved).value >= edge(all[0]).value {
            all.retain(|&i| i != best_solved);
            all.insert(0, best_solved);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_edges_fit_cache_lines() {
        assert_eq!((size_of::<TreeNode>(), size_of::<Edge>()), (64, 24));
    }
}
