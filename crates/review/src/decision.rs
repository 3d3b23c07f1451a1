//! A decision of the game: what was best, what was played, what that lost, and how sure that is.

use crate::amount::{Points, Share, Shares, change, difference, shares, win};
use crate::analyst::{Alternatives, Analyst, Course, Look, is_played};
use crate::judgement::{Certainty, Judgement};
use crate::reasons::{self, Reason};
use azulejo_engine::Stop;
use azulejo_rules::{Move, Position, Seat};

/// A search of this many nodes must miss a brilliant move: level 7 of the engine does.
const HARD: u64 = 4_000;
/// A brilliant move is the only one: the second best loses at least this much.
const ONLY: f64 = 0.05;

/// Two courses are as good if they differ by at most this, in points.
const AS_GOOD: f32 = 0.1;

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
    /// By seat, the win chance after the move, with the next deal sampled: the graph of the game.
    pub after: Shares,
    /// By seat, what the move changed, compared with the best move.
    pub change: Shares,
    /// By seat, how a new search had changed them before the move was played.
    pub revision: Shares,
}

/// The state of a review within a round: a position and what is expected of it.
#[derive(Clone, Debug)]
pub(crate) struct Outlook {
    pub(crate) position: Position,
    pub(crate) look: Look,
    pub(crate) course: Course,
    /// The win chances that the ledger has reached: those after the last move. The search of this
    /// position may change them.
    pub(crate) reached: Shares,
}

impl Outlook {
    pub(crate) fn new(analyst: &mut Analyst, position: &Position, stop: &Stop) -> Option<Outlook> {
        let look = analyst.look(position, stop)?;
        let course = analyst.course(position, &look, stop)?;
        let mut outlook = Outlook { position: *position, look, course, reached: Shares::new() };
        outlook.reached = outlook.worth();
        Some(outlook)
    }

    /// The outlook after a move that followed the expected course.
    fn follow(&self, analyst: &mut Analyst, after: &Position, stop: &Stop) -> Option<Outlook> {
        let course = Course { line: self.course.line[1..].to_vec(), ..self.course.clone() };
        let (look, reached) = (analyst.look(after, stop)?, self.worth());
        Some(Outlook { position: *after, look, course, reached })
    }

    /// The win chances. With two players the search stands on one line, so they are those of the end of
    /// the expected course, with the next deal sampled. With more it is a mean over many lines, and the
    /// end of one of them only corrects it.
    pub(crate) fn worth(&self) -> Shares {
        if self.course.worth.len() == 2 {
            return self.course.worth.clone();
        }
        let seen = shares(&self.look.forecast);
        let beyond = change(&shares(&self.course.forecast), &self.course.worth);
        seen.iter().zip(beyond).map(|(&seen, beyond)| seen + beyond).collect()
    }

    /// Expects another course if the search of this position found a better one than the searches
    /// before it; of two that are as good, the expected one stays.
    fn revise(&mut self, analyst: &mut Analyst, stop: &Stop) -> Option<()> {
        let seat = self.position.turn();
        let (expected, found) = (&self.course.forecast, &self.look.forecast);
        let is_same = self.course.line.first() == self.look.line.first();
        let is_as_good = (expected.value(seat) - found.value(seat)).abs() <= AS_GOOD;
        if !is_same && !is_as_good {
            self.course = analyst.course(&self.position, &self.look, stop)?;
        }
        Some(())
    }
}

/// Judges a move, and returns the outlook after it.
pub(crate) fn judge(
    analyst: &mut Analyst,
    mut outlook: Outlook,
    ply: usize,
    played: Move,
    stop: &Stop,
) -> Option<(Decision, Outlook)> {
    let position = outlook.position;
    let seat = position.turn();
    outlook.revise(analyst, stop)?;
    let revision = change(&outlook.reached, &outlook.worth());
    let best = *outlook.course.line.first()?;
    let after = position_after(&position, played);
    let after_best = position_after(&position, best);
    let Alternatives { n_good, second_loss } = analyst.alternatives(&position, stop)?;
    let mut decision = Decision {
        ply,
        round: position.round(),
        seat,
        played,
        best: played,
        judgement: Judgement::Best,
        loss: Share::ZERO,
        loss_points: Points::ZERO,
        certainty: outlook.look.certainty,
        error: Share::ZERO,
        win_best: Share::ZERO,
        win_played: Share::ZERO,
        n_moves: position.n_legal_moves(),
        n_good,
        seen_after: outlook.look.seen_after,
        line: outlook.course.line.clone(),
        reply: Vec::new(),
        reasons: Vec::new(),
        after: Shares::new(),
        change: Shares::new(),
        revision,
    };
    // Moves from equal factories lead to the same position.
    if after.hash_key() == after_best.hash_key() {
        decision.line[0] = played;
        let next = if played == best {
            outlook.follow(analyst, &after, stop)?
        } else {
            // The rest of the line may name the factories in another order.
            Outlook::new(analyst, &after, stop)?
        };
        decision.win_best = win(&next.look.forecast, seat);
        decision.win_played = decision.win_best;
        let is_only = n_good == 1 && second_loss.get() >= ONLY;
        if is_only && decision.seen_after > HARD {
            decision.judgement = Judgement::Brilliant;
        }
        decision.change = change(&outlook.worth(), &next.reached);
        decision.after = next.reached.clone();
        return Some((decision, next));
    }
    let next = Outlook::new(analyst, &after, stop)?;
    let certainty = outlook.look.certainty.min(next.look.certainty);
    // Like is compared with like: where not all is solved, the best move is searched as the played one.
    let best_forecast = match certainty {
        Certainty::Estimated => analyst.look(&after_best, stop)?.forecast,
        Certainty::Solved | Certainty::Proved => outlook.look.forecast.clone(),
    };
    let played_forecast = &next.look.forecast;
    // The mean over many lines is compared with another such mean, the end of a line with another end.
    let change = if outlook.course.worth.len() == 2 {
        change(&outlook.worth(), &next.reached)
    } else {
        change(&shares(&best_forecast), &shares(played_forecast))
    };
    decision.certainty = certainty;
    decision.win_best = win(&best_forecast, seat);
    decision.win_played = win(played_forecast, seat);
    decision.error = (decision.win_best - win(&outlook.look.forecast, seat)).abs();
    let reply: Vec<Move> = [played].into_iter().chain(next.course.line.iter().copied()).collect();
    if played_forecast.value(seat) < best_forecast.value(seat) {
        decision.best = best;
        decision.loss = (decision.win_best - decision.win_played).max(Share::ZERO);
        decision.loss_points = difference(&best_forecast, seat) - difference(played_forecast, seat);
        decision.judgement = Judgement::of_loss(decision.loss);
        decision.reasons = reasons::compare(&position, &decision.line, &reply);
        decision.reply = reply;
    } else {
        decision.win_best = decision.win_played;
        decision.line = reply;
    }
    decision.change = change;
    decision.after = next.reached.clone();
    Some((decision, next))
}

impl Decision {
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
