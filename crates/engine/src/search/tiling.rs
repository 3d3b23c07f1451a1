//! Exhaustive search of wall choices: every way for the seat to tile the rest of its wall, each valued
//! with the best tiling of the others.

use super::clock::Deadline;
use crate::eval::{Evaluator, Node, Value};
use crate::info::{Answer, Info};
use azulejo_rules::{Move, Phase, Position, Seat};

pub(super) fn search(
    root: &Position,
    evaluator: &mut Evaluator,
    deadline: &Deadline,
    n_lines: usize,
    report: &mut dyn FnMut(&Info),
) -> Option<Answer> {
    let mut nodes = 0;
    let mut lines: Vec<Line> = root
        .legal_moves()
        .into_iter()
        .map(|m| best_after(&Node::new(root), m, root.turn(), evaluator, &mut nodes))
        .collect();
    // A stable sort: of equal moves the leftmost comes first.
    lines.sort_by_key(|line| -line.value);
    deadline.check(nodes);
    let mut best = None;
    for (i, line) in lines.into_iter().take(n_lines.max(1)).enumerate() {
        let info = Info {
            depth: 1,
            nodes: deadline.nodes(),
            time: deadline.elapsed(),
            hash_full: 0,
            multi_pv: i + 1,
            forecast: evaluator.forecast(&line.end),
            exact: true,
            pv: line.moves,
        };
        report(&info);
        best = best.or(Some(Answer { best: info.pv[0], info }));
    }
    best
}

struct Line {
    value: Value,
    /// In the order of play.
    moves: Vec<Move>,
    end: Node,
}

/// The best line of a seat that starts with a move.
fn best_after(
    node: &Node,
    m: Move,
    seat: Seat,
    evaluator: &mut Evaluator,
    nodes: &mut u64,
) -> Line {
    *nodes += 1;
    let next = node.after(m);
    let continues =
        matches!(next.position.phase(), Phase::Tiling(_)) && next.position.turn() == seat;
    if !continues {
        return Line { value: evaluator.value(&next, seat), moves: vec![m], end: next };
    }
    let lines = next.position.legal_moves().into_iter();
    let best = lines
        .map(|m| best_after(&next, m, seat, evaluator, nodes))
        .reduce(|a, b| if b.value > a.value { b } else { a });
    let mut line = best.expect("a wall choice has at least two spaces");
    line.moves.insert(0, m);
    line
}
