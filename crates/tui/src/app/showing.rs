//! Steps shown one after another: wall-tiling with the points of each tile, floors, bonuses, the
//! next deal.

use super::picture;
use azulejo_rules::{Setup, Step};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How fast things are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Speed(u8);

impl Speed {
    /// Everything at once.
    pub const INSTANT: Speed = Speed(5);
    /// Where a new player begins.
    pub const USUAL: Speed = Speed(3);

    /// A speed from 1, slow, to 5, at once.
    #[must_use]
    pub const fn new(number: u8) -> Option<Speed> {
        if number >= 1 && number <= 5 { Some(Speed(number)) } else { None }
    }

    /// From 1 to 5.
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

    /// How long a step is shown.
    pub(crate) const fn step(self) -> Duration {
        Duration::from_millis([2200, 1300, 750, 300, 0][self.0 as usize - 1])
    }

    /// How long a move of the engine takes at least, so that it can be followed.
    pub(crate) const fn pace(self) -> Duration {
        Duration::from_millis([2000, 1200, 700, 250, 0][self.0 as usize - 1])
    }
}

/// Steps that are still to be shown.
#[derive(Clone, Debug)]
pub(crate) struct Showing {
    steps: VecDeque<Step>,
    /// The step that is shown now.
    pub(crate) now: Option<Step>,
    /// When the next one comes.
    pub(crate) next: Instant,
}

impl Showing {
    /// Shows the first step at once. `None` if nothing is left to wait for then: all steps are
    /// carried out.
    pub(crate) fn begin(
        events: Vec<Step>,
        setup: &mut Setup,
        speed: Speed,
        now: Instant,
    ) -> Option<Showing> {
        // A player sees at once what the move itself does; only what follows is shown slowly.
        if speed == Speed::INSTANT || events.len() < 2 {
            events.iter().for_each(|event| picture::apply(setup, event));
            return None;
        }
        let mut showing = Showing { steps: events.into(), now: None, next: now };
        showing.advance(setup, speed, now).then_some(showing)
    }

    /// Shows the next step; false after the last.
    pub(crate) fn advance(&mut self, setup: &mut Setup, speed: Speed, now: Instant) -> bool {
        while let Some(event) = self.steps.pop_front() {
            picture::apply(setup, &event);
            if is_worth_showing(&event) {
                self.now = Some(event);
                self.next = now + speed.step();
                return true;
            }
        }
        self.now = None;
        false
    }
}

/// A floor that costs nothing needs no pause.
fn is_worth_showing(event: &Step) -> bool {
    !matches!(event, Step::FloorCleared { n_spaces: 0, .. } | Step::RoundEnded { .. })
}
