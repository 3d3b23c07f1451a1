//! Search of wall choices: every way for the seat to tile the rest of its wall, each with the best
//! tilings of the seats after it (max^n), or, where these are too many, with the tilings that the
//! evaluation expects. When the time is up, every move has the tilings that the evaluation expects.

use super::{Deadline, Task};
use crate::eval::{Certainty, Evaluator, Node, Value};
use crate::info::{Answer, Forecast, Info};
use azulejo_rules::{Move, Phase, Position, Seat};

/// The most combinations of tilings that are searched completely, in a few milliseconds.
const MAX_WAYS: u64 = 4_096;

pub(super) fn search(
    task: Task,
    evaluator: &mut Evaluator,
    report: &mut dyn FnMut(&Info),
) -> Option<Answer> {
    let root = Node::new(task.root);
    let seat = task.root.turn();
    let max_ways = task.deadline.nodes.unwrap_or(u64::MAX).min(MAX_WAYS);
    let chooser = if n_ways(task.root) <= max_ways { Chooser::Everyone } else { Chooser::Mover };
    let mut choices = Choices { evaluator, deadline: task.deadline, seat, chooser, nodes: 0 };
    let mut lines = choices.lines(&root).unwrap_or_else(|TimeUp| {
        (choices.chooser, choices.nodes) = (Chooser::Nobody, 0);
        choices.lines(&root).unwrap_or_default()
    });
    task.deadline.check(choices.nodes);
    let least = lines.iter().map(|line| line.certainty).min()?;
    // A stable sort: of equal moves the leftmost comes first.
    lines.sort_by_key(|line| -line.values[seat.index()]);
    lines.truncate(task.n_lines.max(1));
    let mut lines: Vec<(Vec<Move>, Forecast)> =
        lines.into_iter().map(|line| (line.moves, evaluator.forecast(&line.end))).collect();
    // With three or four players the win probabilities of a forecast are normalized.
    lines.sort_by(|(_, a), (_, b)| b.value(seat).total_cmp(&a.value(seat)));
    let mut best = None;
    for (i, (pv, forecast)) in lines.into_iter().enumerate() {
        let info = Info {
            depth: 1,
            nodes: task.deadline.nodes(),
            time: task.deadline.elapsed(),
            hash_full: 0,
            multi_pv: i + 1,
            forecast,
            exact: least >= Certainty::Exact,
            proved: least == Certainty::Proved,
            pv,
        };
        report(&info);
        best = best.or(Some(Answer { best: info.pv[0], info }));
    }
    best
}

/// The number of ways in which all seats together can tile their walls.
fn n_ways(position: &Position) -> u64 {
    let seats = position.rules().players().seats().iter();
    let ways = seats.map(|&seat| position.tilings(seat).take(MAX_WAYS as usize + 1).count());
    ways.fold(1, |product, n| product.saturating_mul(n as u64))
}

struct Choices<'a> {
    evaluator: &'a mut Evaluator,
    deadline: &'a Deadline,
    /// The seat to move at the root.
    seat: Seat,
    chooser: Chooser,
    nodes: u64,
}

/// Whose choices are searched; the others tile their walls as the evaluation expects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chooser {
    /// Those of all seats.
    Everyone,
    /// Those of the seat to move at the root.
    Mover,
    /// Only the move at the root, in no time.
    Nobody,
}

/// The time is up.
struct TimeUp;

/// A way to the end of the round.
struct Line {
    /// By seat.
    values: [Value; 4],
    certainty: Certainty,
    /// In the order of play.
    moves: Vec<Move>,
    end: Node,
}

impl Choices<'_> {
    /// The best line for each move.
    fn lines(&mut self, root: &Node) -> Result<Vec<Line>, TimeUp> {
        root.position.legal_moves().into_iter().map(|m| self.best_after(root, m)).collect()
    }

    /// The best line that starts with a move.
    fn best_after(&mut self, node: &Node, m: Move) -> Result<Line, TimeUp> {
        self.nodes += 1;
        let mut line = self.best(&node.after(m))?;
        line.moves.insert(0, m);
        Ok(line)
    }

    /// The best line from a node on. Its certainty is the least of all lines.
    fn best(&mut self, node: &Node) -> Result<Line, TimeUp> {
        let mover = node.position.turn();
        let is_choice = matches!(node.position.phase(), Phase::Tiling(_))
            && match self.chooser {
                Chooser::Everyone => true,
                Chooser::Mover => mover == self.seat,
                Chooser::Nobody => false,
            };
        if !is_choice {
            return self.end(node);
        }
        let mut least = Certainty::Proved;
        let mut best: Option<Line> = None;
        for m in node.position.legal_moves() {
            let line = self.best_after(node, m)?;
            least = least.min(line.certainty);
            let value = |line: &Line| line.values[mover.index()];
            if best.as_ref().is_none_or(|best| value(&line) > value(best)) {
                best = Some(line);
            }
        }
        let best = best.expect("a wall choice has at least two spaces");
        Ok(Line { certainty: least, ..best })
    }

    /// The end of the round, with the expected choices if there are any left.
    fn end(&mut self, node: &Node) -> Result<Line, TimeUp> {
        if self.chooser != Chooser::Nobody && self.deadline.is_time_up() {
            return Err(TimeUp);
        }
        let (mut end, mut moves) = (*node, Vec::new());
        let is_settled = self.evaluator.tile(&mut end, |m| moves.push(m));
        let mut certainty = if is_settled { Certainty::Proved } else { Certainty::Drafted };
        let mut values = [0; 4];
        for &seat in node.position.rules().players().seats() {
            let found = self.evaluator.value(&end, seat);
            values[seat.index()] = found.value;
            certainty = certainty.min(found.certainty);
        }
        Ok(Line { values, certainty, moves, end })
    }
}
