//! A decision of the game: what was best, what was played, what that lost, and how sure that is.

use crate::amount::{Points, Share, Shares, change, difference, shares, win};
use crate::analyst::{Alternatives, Analyst, Look, is_played};
use crate::judgement::{Certainty, Judgement};
use crate::reasons::{self, Reason};
use azulejo_engine::Stop;
use azulejo_rules::{Move, Position, Seat};

/// A search of this many nodes must miss a brilliant move: level 7 of the engine does.
const HARD: u64 = 4_000;
/// A brilliant move is the only one: the second best loses at least this much.
const ONLY: f64 = 0.05;

/// A decision of the game. All chances are those of the seat that moved unless they are by seat.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Decision {
    /// The index of the move in the record, wall choices among them, from 0.
    pub ply: usize,
    /// The round.
    pub round: u16,
    /// The seat that moved.
    #[cfg_attr(feature = "serde", serde(with = "crate::seat_number"))]
    pub seat: Seat,
    /// The move that was played.
    pub played: Move,
    /// The best move; the played one if nothing is better.
    pub best: Move,
    /// The judgement.
    pub judgement: Judgement,
    /// The win chance that the played move lost.
    pub loss: Share,
    /// The expected points that it lost; negative if it gave up win chance for points.
    pub loss_points: Points,
    /// How much the loss rests on.
    pub certainty: Certainty,
    /// For an estimated loss, how much the win chance after the best move changed when it was searched a
    /// second time, one move deeper; 0 for others.
    pub error: Share,
    /// The win chance after the best move.
    pub win_best: Share,
    /// The win chance after the played move.
    pub win_played: Share,
    /// The number of legal moves.
    pub n_moves: u32,
    /// How many moves are as good as the best, within 0.5 %; 5 means five or more.
    pub n_good: u32,
    /// After how many nodes of the search the best move took the lead for good.
    pub seen_after: u64,
    /// How play goes on after the best move, starting with it.
    pub line: Vec<Move>,
    /// How play goes on after the played move, starting with it. Empty if it is the best.
    pub reply: Vec<Move>,
    /// Why the best move is better, the most important reason first.
    pub reasons: Vec<Reason>,
    /// By seat, the win chance after the move: the graph of the game.
    pub after: Shares,
    /// By seat, what the move changed, compared with the best move.
    pub change: Shares,
    /// By seat, how another search of the best move changed what was expected before it.
    pub revision: Shares,
}

/// The state of a review within a round: a position and what a search of it found.
#[derive(Clone, Debug)]
pub(crate) struct Outlook {
    pub(crate) position: Position,
    pub(crate) look: Look,
}

impl Outlook {
    pub(crate) fn new(analyst: &mut Analyst, position: &Position, stop: &Stop) -> Option<Outlook> {
        Some(Outlook { position: *position, look: analyst.look(position, stop)? })
    }

    /// The win chances that the search found.
    pub(crate) fn win(&self) -> Shares {
        shares(&self.look.forecast)
    }

    /// The rest of the round after a move that led to this position.
    fn line_with(&self, m: Move, analyst: &mut Analyst, stop: &Stop) -> Option<Vec<Move>> {
        let rest = analyst.line(&self.position, &self.look, stop)?;
        Some([vec![m], rest].concat())
    }
}

/// Judges a move, and returns the outlook after it.
pub(crate) fn judge(
    analyst: &mut Analyst,
    outlook: &Outlook,
    ply: usize,
    played: Move,
    stop: &Stop,
) -> Option<(Decision, Outlook)> {
    let Outlook { position, look } = outlook;
    let seat = position.turn();
    let best = *look.line.first()?;
    let after = position_after(position, played);
    let after_best = position_after(position, best);
    let Alternatives { n_good, second_loss } = analyst.alternatives(position, stop)?;
    let next = Outlook::new(analyst, &after, stop)?;
    let reply = next.line_with(played, analyst, stop)?;
    let mut decision = Decision {
        ply,
        round: position.round(),
        seat,
        played,
        best: played,
        judgement: Judgement::Best,
        loss: Share::ZERO,
        loss_points: Points::ZERO,
        certainty: look.certainty,
        error: Share::ZERO,
        win_best: win(&next.look.forecast, seat),
        win_played: win(&next.look.forecast, seat),
        n_moves: position.n_legal_moves(),
        n_good,
        seen_after: look.seen_after,
        line: Vec::new(),
        reply: Vec::new(),
        reasons: Vec::new(),
        after: next.win(),
        change: next.look.forecast.win.iter().map(|_| Share::ZERO).collect(),
        revision: change(&outlook.win(), &next.win()),
    };
    // Moves from equal factories lead to the same position.
    if after.hash_key() == after_best.hash_key() {
        let is_only = n_good == 1 && second_loss.get() >= ONLY;
        if is_only && decision.seen_after > HARD && decision.can_be_marked() {
            decision.judgement = Judgement::Brilliant;
        }
        decision.line = reply;
        return Some((decision, next));
    }
    decision.certainty = look.certainty.min(next.look.certainty);
    // Like is compared with like: where not all is solved, the best move is searched as the played one.
    let best_forecast = match decision.certainty {
        Certainty::Estimated => analyst.look(&after_best, stop)?.forecast,
        Certainty::Solved | Certainty::Proved => look.forecast.clone(),
    };
    decision.error = (win(&best_forecast, seat) - win(&look.forecast, seat)).abs();
    decision.change = change(&shares(&best_forecast), &next.win());
    decision.revision = change(&outlook.win(), &shares(&best_forecast));
    let played_forecast = &next.look.forecast;
    if played_forecast.value(seat) < best_forecast.value(seat) {
        decision.best = best;
        decision.win_best = win(&best_forecast, seat);
        decision.loss = (decision.win_best - decision.win_played).max(Share::ZERO);
        decision.loss_points = difference(&best_forecast, seat) - difference(played_forecast, seat);
        decision.judgement = match decision.can_be_marked() {
            true => Judgement::of_loss(decision.loss),
            false => Judgement::Good,
        };
        decision.line = analyst.line(position, look, stop)?;
        decision.reasons = reasons::compare(position, &decision.line, &reply);
        decision.reply = reply;
    } else {
        decision.line = reply;
    }
    Some((decision, next))
}

impl Decision {
    /// Whether the loss is sure enough for a mark. With three and four players, who choose among moves that are
    /// equal to them and not to the others, an estimate is not: with twice the nodes a third of such marks
    /// would change (docs/review.md).
    fn can_be_marked(&self) -> bool {
        self.after.len() == 2 || self.certainty > Certainty::Estimated
    }

    /// Whether the move was worse than the best, however little.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.loss > Share::ZERO
    }

    /// Whether it is as good as the best move: it loses less than 0.5 %.
    #[must_use]
    pub fn is_as_good(&self) -> bool {
        self.loss.get() < crate::analyst::AS_GOOD
    }
}

fn position_after(position: &Position, m: Move) -> Position {
    debug_assert!(is_played(position));
    let mut after = *position;
    after.play_unchecked(m);
    after
}
