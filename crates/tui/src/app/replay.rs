//! A record on the screen: forward and back, from round to round, by itself at a speed, and taken
//! over at any point.

use super::Moment;
use super::showing::Showing;
use azulejo_notation::{Action, Record};
use azulejo_rules::{Position, Seat, Setup, Step};
use azulejo_words as words;
use std::time::Instant;

/// A record on the screen.
#[derive(Debug)]
pub(crate) struct Replay {
    pub(crate) record: Record,
    first: Position,
    pub(crate) steps: Vec<Frame>,
    /// How many steps are done.
    pub(crate) at: usize,
    pub(crate) shown: Setup,
    pub(crate) showing: Option<Showing>,
    /// When the next step comes by itself.
    pub(crate) plays: Option<Instant>,
}

/// A step of the record.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) is_move: bool,
    /// The move or deal as text.
    pub(crate) text: String,
    pub(crate) comment: Option<String>,
    pub(crate) after: Position,
    pub(crate) events: Vec<Step>,
}

impl Replay {
    pub(crate) fn new(record: Record) -> Replay {
        let step = |step: azulejo_notation::ReplayStep<'_>| Frame {
            is_move: matches!(step.action, Action::Move(_)),
            text: match step.action {
                Action::Move(m) => m.to_string(),
                Action::Deal(deal) => deal.to_string(),
            },
            comment: step.comment.map(str::to_owned),
            after: step.after,
            events: step.report,
        };
        let steps: Vec<_> = record.replay().map(step).collect();
        let first = record.first_position();
        // The first deal is part of the start.
        let at = usize::from(steps.first().is_some_and(|step| !step.is_move));
        let shown = Setup::from(&first);
        let mut replay = Replay { record, first, steps, at: 0, shown, showing: None, plays: None };
        replay.jump(at);
        replay
    }

    /// The position after the steps that are done.
    pub(crate) fn position(&self) -> &Position {
        match self.at.checked_sub(1).and_then(|last| self.steps.get(last)) {
            Some(step) => &step.after,
            None => &self.first,
        }
    }

    /// The step that was done last.
    pub(crate) fn last(&self) -> Option<&Frame> {
        self.at.checked_sub(1).and_then(|last| self.steps.get(last))
    }

    /// How many moves are done.
    pub(crate) fn n_moves(&self) -> usize {
        self.steps[..self.at].iter().filter(|step| step.is_move).count()
    }

    pub(crate) fn name(&self, seat: Seat) -> String {
        let name = self.record.name(seat).filter(|name| !name.is_empty());
        name.map_or_else(
            || format!("Seat {seat}"),
            |name| words::clip(name, crate::session::MAX_NAME),
        )
    }

    /// Goes to a place at once.
    pub(crate) fn jump(&mut self, at: usize) {
        self.at = at.min(self.steps.len());
        self.showing = None;
        self.shown = Setup::from(self.position());
    }

    /// One step forward, shown slowly if walls are tiled in it.
    pub(crate) fn forward(&mut self, moment: &Moment<'_>) {
        if self.showing.is_some() {
            self.jump(self.at);
            return;
        }
        let Some(step) = self.steps.get(self.at) else {
            self.plays = None;
            return;
        };
        let events = step.events.clone();
        self.at += 1;
        self.showing = Showing::begin(events, &mut self.shown, moment.speed, moment.now);
        if self.showing.is_none() {
            self.shown = Setup::from(self.position());
        }
    }

    pub(crate) fn back(&mut self) {
        let at = if self.showing.is_some() { self.at } else { self.at.saturating_sub(1) };
        self.jump(at);
    }

    /// The next round's deal, or the end; or this round's deal, or the one before.
    pub(crate) fn round(&mut self, forward: bool) {
        let starts = self.round_starts();
        let target = if forward {
            starts.into_iter().find(|&start| start > self.at).unwrap_or(self.steps.len())
        } else {
            starts.into_iter().rev().find(|&start| start < self.at).unwrap_or(0)
        };
        self.jump(target);
    }

    /// Goes to the deal of a round, counted from 1.
    pub(crate) fn jump_to_round(&mut self, number: usize) {
        let start = number.checked_sub(1).and_then(|i| self.round_starts().get(i).copied());
        if let Some(start) = start {
            self.jump(start);
        }
    }

    /// After the deal of each round.
    fn round_starts(&self) -> Vec<usize> {
        let steps = self.steps.iter().enumerate();
        steps.filter(|(_, step)| !step.is_move).map(|(i, _)| i + 1).collect()
    }

    pub(crate) fn toggle_play(&mut self, moment: &Moment<'_>) {
        self.plays = match self.plays {
            Some(_) => None,
            None => {
                if self.at == self.steps.len() {
                    self.jump(0);
                }
                Some(moment.now)
            }
        };
    }

    pub(crate) fn tick(&mut self, moment: &Moment<'_>) {
        if let Some(showing) = &mut self.showing {
            if moment.now >= showing.next
                && !showing.advance(&mut self.shown, moment.speed, moment.now)
            {
                self.jump(self.at);
            }
            return;
        }
        if self.plays.is_some_and(|next| moment.now >= next) {
            self.forward(moment);
            let is_over = self.at == self.steps.len();
            // A move is looked at a little longer than a step of tiling, at any speed.
            let pause = moment.speed.pace().max(std::time::Duration::from_millis(120));
            self.plays = (!is_over).then(|| moment.now + pause);
        }
    }

    pub(crate) fn wake(&self) -> Option<Instant> {
        self.showing.as_ref().map(|showing| showing.next).or(self.plays)
    }
}
