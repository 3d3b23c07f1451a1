//! The animation of a report: its steps one after another, wall-tiling with the points of each tile,
//! floors, bonuses and the next deal.

use super::picture;
use azulejo_rules::{Setup, Step};
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

    #[must_use]
    pub(crate) fn faster(self) -> Speed {
        Speed(self.0.saturating_add(1).min(5))
    }

    #[must_use]
    pub(crate) fn slower(self) -> Speed {
        Speed(self.0.saturating_sub(1).max(1))
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
    steps: VecDeque<Step>,
    /// The step shown now.
    pub(crate) now: Option<Step>,
    /// The time of the next step.
    pub(crate) next: Instant,
}

impl Animation {
    /// Shows the first step. `None` if there is nothing to animate: all steps are applied at once.
    pub(crate) fn begin(
        steps: Vec<Step>,
        setup: &mut Setup,
        speed: Speed,
        now: Instant,
    ) -> Option<Animation> {
        // The draft itself is shown at once; only the steps that follow it are animated.
        if speed == Speed::INSTANT || steps.len() < 2 {
            steps.iter().for_each(|step| picture::apply(setup, step));
            return None;
        }
        let mut animation = Animation { steps: steps.into(), now: None, next: now };
        animation.advance(setup, speed, now).then_some(animation)
    }

    /// Shows the next step; returns false after the last.
    pub(crate) fn advance(&mut self, setup: &mut Setup, speed: Speed, now: Instant) -> bool {
        while let Some(step) = self.steps.pop_front() {
            picture::apply(setup, &step);
            if is_worth_showing(&step) {
                self.now = Some(step);
                self.next = now + speed.step();
                return true;
            }
        }
        self.now = None;
        false
    }
}

/// An empty floor and the end of a round need no pause.
fn is_worth_showing(step: &Step) -> bool {
    !matches!(step, Step::FloorCleared { n_spaces: 0, .. } | Step::RoundEnded { .. })
}
