//! The animation of a report: its steps one after another, wall-tiling with the points of each tile,
//! floors, bonuses and the next deal.

use super::Context;
use crate::draw::scene::Focus;
use azulejo_rules::{Destination, Move, Position, Seat, Setup, Step};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The speed of animations and of the engine's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Speed(u8);

impl Speed {
    /// No pauses.
    pub const INSTANT: Speed = Speed(5);
    /// The default.
    pub const USUAL: Speed = Speed(3);

    /// A speed from 1 (slow) to 5 (no pauses).
    #[must_use]
    pub const fn new(number: u8) -> Option<Speed> {
        if number >= 1 && number <= 5 { Some(Speed(number)) } else { None }
    }

    /// The number from 1 to 5.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The time for which a step is shown.
    pub(crate) const fn step(self) -> Duration {
        Duration::from_millis([2200, 1300, 750, 300, 0][self.0 as usize - 1])
    }

    /// The least time for a move of the engine, so that a person can follow.
    pub(crate) const fn pace(self) -> Duration {
        Duration::from_millis([2000, 1200, 700, 250, 0][self.0 as usize - 1])
    }
}

/// The steps that remain to be shown.
#[derive(Clone, Debug)]
pub(crate) struct Animation {
    /// Each with the table after it.
    steps: VecDeque<(Step, Position)>,
    /// The step shown now.
    pub(crate) now: Option<Step>,
    /// The time of the next step.
    pub(crate) next: Instant,
}

impl Animation {
    /// Shows the first step of a move, or of a move and the deal that follows it. `None` if there is
    /// nothing to animate: the position reached is shown.
    pub(crate) fn begin(
        steps: Vec<Step>,
        (before, m): (&Position, Option<Move>),
        shown: &mut Setup,
        reached: &Position,
        context: &Context,
    ) -> Option<Animation> {
        // The draft itself is shown at once; only the steps that follow it are animated.
        if context.speed != Speed::INSTANT && steps.len() > 1 {
            let mut tables = Vec::new();
            let mut table = *before;
            if let Some(m) = m {
                let played = table.play_watched(m, |_, table| tables.push(*table));
                debug_assert_eq!(played, Ok(()));
            }
            // The deal is the last step.
            let tables = tables.into_iter().chain(std::iter::repeat(*reached));
            let steps = steps.into_iter().zip(tables).collect();
            let mut animation = Animation { steps, now: None, next: context.now };
            if animation.advance(shown, context) {
                return Some(animation);
            }
        }
        *shown = Setup::from(reached);
        None
    }

    /// Shows the next step; returns false after the last.
    pub(crate) fn advance(&mut self, shown: &mut Setup, context: &Context) -> bool {
        while let Some((step, table)) = self.steps.pop_front() {
            *shown = Setup::from(&table);
            if is_worth_showing(&step) {
                self.now = Some(step);
                self.next = context.now + context.speed.step();
                return true;
            }
        }
        self.now = None;
        false
    }

    /// The highlights for the step shown now.
    pub(crate) fn focus(&self) -> Focus {
        let mut focus = Focus::default();
        match self.now {
            Some(Step::Placed { seat, row, column, points, .. }) => {
                focus.placed = Some((seat, row, column, points));
            }
            Some(Step::FloorCleared { seat, loss, .. }) => focus.paid = Some((seat, loss)),
            _ => focus.last = self.now.as_ref().and_then(destination_of),
        }
        focus
    }
}

/// The seat and the destination of a draft.
pub(super) fn destination_of(step: &Step) -> Option<(Seat, Destination)> {
    match *step {
        Step::Drafted { seat, to, .. } => Some((seat, to)),
        _ => None,
    }
}

/// The seat of a step, if it concerns one board.
pub(super) fn seat_of(step: &Step) -> Option<Seat> {
    match *step {
        Step::Drafted { seat, .. }
        | Step::Placed { seat, .. }
        | Step::Spilled { seat, .. }
        | Step::FloorCleared { seat, .. }
        | Step::BonusesScored { seat, .. } => Some(seat),
        Step::Dealt { .. } | Step::RoundEnded { .. } | Step::GameEnded { .. } => None,
    }
}

/// An empty floor and the end of a round need no pause.
fn is_worth_showing(step: &Step) -> bool {
    !matches!(step, Step::FloorCleared { n_spaces: 0, .. } | Step::RoundEnded { .. })
}
