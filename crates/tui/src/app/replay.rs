//! The page of a replay: step by step, round by round or automatically, and play on from any point.

use super::Context;
use super::animation::Animation;
use azulejo_notation::{Action, Record};
use azulejo_review::Decision;
use azulejo_rules::{Move, Position, Seat, Setup, Step};
use azulejo_words as words;
use std::time::Instant;

/// The page of a replay.
#[derive(Debug)]
pub(crate) struct Replay {
    pub(crate) record: Record,
    first: Position,
    pub(crate) frames: Vec<Frame>,
    /// The number of frames played.
    pub(crate) at: usize,
    pub(crate) shown: Setup,
    pub(crate) animation: Option<Animation>,
    /// When the automatic replay goes on.
    pub(crate) plays: Option<Instant>,
    /// The review that was asked for.
    pub(crate) review_id: Option<u64>,
    /// The moves judged so far, in order.
    pub(crate) judged: Vec<Decision>,
    /// Whether the better move is shown beside a mistake.
    pub(crate) shows_better: bool,
}

/// A move or deal of the record.
#[derive(Debug)]
pub(crate) struct Frame {
    /// The move; none for a deal.
    pub(crate) m: Option<Move>,
    /// The move or deal as text.
    pub(crate) text: String,
    pub(crate) comment: Option<String>,
    pub(crate) after: Position,
    pub(crate) report: Vec<Step>,
}

impl Replay {
    pub(crate) fn new(record: Record) -> Replay {
        let frame = |step: azulejo_notation::ReplayStep<'_>| Frame {
            m: match step.action {
                Action::Move(m) => Some(m),
                Action::Deal(_) => None,
            },
            text: match step.action {
                Action::Move(m) => m.to_string(),
                Action::Deal(deal) => deal.to_string(),
            },
            comment: step.comment.map(str::to_owned),
            after: step.after,
            report: step.report,
        };
        let frames: Vec<_> = record.replay().map(frame).collect();
        let first = record.first_position();
        // The first deal is part of the start.
        let at = usize::from(frames.first().is_some_and(|frame| frame.m.is_none()));
        let shown = Setup::from(&first);
        let mut replay = Replay {
            record,
            first,
            frames,
            at: 0,
            shown,
            animation: None,
            plays: None,
            review_id: None,
            judged: Vec::new(),
            shows_better: false,
        };
        replay.jump(at);
        replay
    }

    /// The position after the frames played.
    pub(crate) fn position(&self) -> &Position {
        self.last().map_or(&self.first, |frame| &frame.after)
    }

    /// The frame played last.
    pub(crate) fn last(&self) -> Option<&Frame> {
        self.at.checked_sub(1).and_then(|last| self.frames.get(last))
    }

    /// The number of moves played.
    pub(crate) fn n_moves(&self) -> usize {
        self.frames[..self.at].iter().filter(|frame| frame.m.is_some()).count()
    }

    pub(crate) fn name(&self, seat: Seat) -> String {
        let name = self.record.name(seat).filter(|name| !name.is_empty());
        name.map_or_else(
            || format!("Seat {seat}"),
            |name| words::clip(name, crate::session::MAX_NAME),
        )
    }

    /// Jumps to a frame without animation.
    pub(crate) fn jump(&mut self, at: usize) {
        self.at = at.min(self.frames.len());
        self.animation = None;
        self.shown = Setup::from(self.position());
    }

    /// One frame forward, with an animation if it includes wall-tiling.
    pub(crate) fn forward(&mut self, context: &Context) {
        if self.animation.is_some() {
            self.jump(self.at);
            return;
        }
        let Some(frame) = self.frames.get(self.at) else {
            self.plays = None;
            return;
        };
        let steps = frame.report.clone();
        let before = *self.position();
        self.animation =
            Animation::begin(steps, (&before, frame.m), &mut self.shown, &frame.after, context);
        self.at += 1;
    }

    pub(crate) fn back(&mut self) {
        let at = if self.animation.is_some() { self.at } else { self.at.saturating_sub(1) };
        self.jump(at);
    }

    /// Jumps to the next deal or the end, or back to the last deal before this frame.
    pub(crate) fn round(&mut self, forward: bool) {
        let starts = self.round_starts();
        let target = if forward {
            starts.into_iter().find(|&start| start > self.at).unwrap_or(self.frames.len())
        } else {
            starts.into_iter().rev().find(|&start| start < self.at).unwrap_or(0)
        };
        self.jump(target);
    }

    /// Jumps to the deal of a round, counted from 1.
    pub(crate) fn jump_to_round(&mut self, number: usize) {
        let start = number.checked_sub(1).and_then(|i| self.round_starts().get(i).copied());
        if let Some(start) = start {
            self.jump(start);
        }
    }

    /// The frames after the deal of each round.
    fn round_starts(&self) -> Vec<usize> {
        let frames = self.frames.iter().enumerate();
        frames.filter(|(_, frame)| frame.m.is_none()).map(|(i, _)| i + 1).collect()
    }

    /// The judgement of the move played last.
    pub(crate) fn judgement(&self) -> Option<&Decision> {
        let is_move = self.last().is_some_and(|frame| frame.m.is_some());
        let ply = self.n_moves().checked_sub(1).filter(|_| is_move)?;
        self.judged.get(ply)
    }

    /// Jumps to the move after the next mistake, or back to the one before.
    pub(crate) fn mistake(&mut self, forward: bool) {
        let frames = self.frames.iter().enumerate();
        let moves = frames.filter(|(_, frame)| frame.m.is_some()).map(|(i, _)| i + 1);
        let mut mistakes = moves.zip(&self.judged).filter(|(_, judged)| judged.judgement.is_mark());
        let target = if forward {
            mistakes.find(|&(at, _)| at > self.at)
        } else {
            mistakes.take_while(|&(at, _)| at < self.at).last()
        };
        if let Some(at) = target.map(|(at, _)| at) {
            self.jump(at);
        }
    }

    pub(crate) fn toggle_play(&mut self, context: &Context) {
        self.plays = match self.plays {
            Some(_) => None,
            None => {
                if self.at == self.frames.len() {
                    self.jump(0);
                }
                Some(context.now)
            }
        };
    }

    pub(crate) fn tick(&mut self, context: &Context) {
        if let Some(animation) = &mut self.animation {
            if context.now >= animation.next && !animation.advance(&mut self.shown, context) {
                self.jump(self.at);
            }
            return;
        }
        if self.plays.is_some_and(|next| context.now >= next) {
            self.forward(context);
            let is_over = self.at == self.frames.len();
            // At any speed a move stays visible for at least 120 ms.
            let pause = context.speed.pace().max(std::time::Duration::from_millis(120));
            self.plays = (!is_over).then(|| context.now + pause);
        }
    }

    pub(crate) fn wake(&self) -> Option<Instant> {
        self.animation.as_ref().map(|animation| animation.next).or(self.plays)
    }
}
