//! Pauses: time in which no host was running is not charged. The host knows that time and asks for an
//! event; the clocks and time limits then follow from the log alone.

use crate::event::Event;
use crate::state::{Game, Status};

/// A shorter pause is not worth an event.
const MIN_PAUSE_MS: i64 = 1_000;

impl Game {
    /// Whether clocks run in this game.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.settings.clock.start_ms().is_some() && self.status() == Status::Playing
    }

    /// The event to log before any other, if no host was running for `down_ms` since the last event.
    /// Without a clock it is needed only where the game would end, since every other event starts the
    /// time limit anew.
    #[must_use]
    pub fn pause(&self, down_ms: i64, now_ms: i64) -> Option<Event> {
        let ms = down_ms.min(now_ms.saturating_sub(self.at_ms));
        let is_needed = self.is_timed() || self.overdue(now_ms).is_some();
        (ms >= MIN_PAUSE_MS && is_needed).then_some(Event::Paused { ms })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ClockSpec, CloseReason, LeaveReason, LoggedEvent, SeatKind, SeedBy, Settings};
    use azulejo_rules::{Players, Rules};

    const DAY: i64 = 24 * 3_600_000;

    fn game(clock: ClockSpec, second: SeatKind) -> Game {
        let settings = Settings {
            rules: Rules::official(Players::Two).to_string(),
            seats: vec![SeatKind::Person { person: "a".into(), name: "Ana".into() }, second],
            clock,
            listed: false,
            takebacks: true,
            hints: true,
            seed_hash: String::new(),
            seed_by: SeedBy::Server,
            position: None,
            rematch_of: None,
            daily: None,
            creator: "a".to_owned(),
        };
        let mut game = Game::new("g".into(), settings.into(), "7".parse().unwrap()).unwrap();
        log(&mut game, 1_000, Event::Created);
        game
    }

    fn log(game: &mut Game, at_ms: i64, event: Event) {
        game.apply(&LoggedEvent { number: game.number + 1, at_ms, event }).unwrap();
    }

    fn bob() -> SeatKind {
        SeatKind::Person { person: "b".into(), name: "Bob".into() }
    }

    #[test]
    fn a_pause_moves_the_deadline_by_its_length() {
        let mut game = game(ClockSpec::Total { seconds: 600, increment: 0 }, bob());
        assert_eq!(game.deadline_ms(), Some(601_000));
        let now_ms = 40 * DAY;
        let event = game.pause(39 * DAY, now_ms).expect("a clock runs");
        assert_eq!(event, Event::Paused { ms: 39 * DAY });
        log(&mut game, now_ms, event);
        assert_eq!(game.deadline_ms(), Some(601_000 + 39 * DAY));
        let turn = game.turn().unwrap();
        let timed_out = Event::Left { seat: turn, why: LeaveReason::TimedOut };
        assert_eq!(game.overdue(now_ms), Some(timed_out), "a day was charged");
        assert_eq!(game.pause(0, now_ms), None);
    }

    #[test]
    fn a_move_after_a_pause_is_charged_without_it() {
        let mut game = game(ClockSpec::Total { seconds: 600, increment: 0 }, bob());
        let turn = game.position.turn();
        let event = game.pause(DAY, DAY + 11_000).unwrap();
        log(&mut game, DAY + 11_000, event);
        let m = game.position.legal_moves()[0].to_string();
        let seat = game.turn().unwrap();
        log(&mut game, DAY + 21_000, Event::Moved { seat, m, id: None });
        assert_eq!(game.left_ms[turn.index()], 580_000);
    }

    #[test]
    fn time_limits_without_a_clock_are_moved_when_they_would_end_the_game() {
        for (second, limit) in [(SeatKind::Open, 7 * DAY), (bob(), 30 * DAY)] {
            let mut game = game(ClockSpec::None, second);
            assert_eq!(game.wake_ms(), Some(1_000 + limit));
            assert_eq!(game.pause(DAY, 2 * DAY), None, "nothing is due");
            let now_ms = limit + DAY;
            let event = game.pause(3 * DAY, now_ms).expect("the game would end");
            log(&mut game, now_ms, event);
            assert_eq!(game.wake_ms(), Some(1_000 + limit + 3 * DAY));
            assert_eq!(game.overdue(now_ms), None);
            let closed = Event::Closed { why: CloseReason::Abandoned };
            assert_eq!(game.overdue(now_ms + 3 * DAY), Some(closed));
        }
    }

    /// A log cannot give a player more time than has passed.
    #[test]
    fn impossible_pauses_are_refused() {
        let timed = || game(ClockSpec::PerMove { days: 2 }, bob());
        assert_eq!(timed().pause(5 * DAY, 1_000 + DAY), Some(Event::Paused { ms: DAY }));
        for ms in [-1, 0, DAY + 1] {
            let logged = LoggedEvent { number: 2, at_ms: 1_000 + DAY, event: Event::Paused { ms } };
            assert!(timed().apply(&logged).is_err(), "{ms}");
        }
    }
}
