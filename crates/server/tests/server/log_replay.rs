//! Replays the log of a two-player game by the rules alone: every move is in turn and legal, every
//! take-back has consent and stays within its round, and nothing happens after the end.

use azulejo_notation::{Dealer, Record};
use azulejo_rules::{Move, Phase, Players, Position, Rules};
use azulejo_table::{Event, LoggedEvent};
use std::collections::BTreeSet;

/// A replayed log.
pub(crate) struct Replay {
    /// Positions and dealers, from the first deal on; each move adds one.
    pub(crate) plies: Vec<(Position, Dealer)>,
    start: (Position, Dealer),
    pub(crate) has_resigned: bool,
}

impl Replay {
    pub(crate) fn of(log: &[LoggedEvent], record: &Record) -> Replay {
        let rules = Rules::official(Players::Two);
        let (first, dealer) = Dealer::new(record.seed().expect("the game is over"), &rules);
        let mut start = (Position::new(rules, first), dealer);
        deal(&mut start);
        let mut replay = Replay { plies: Vec::new(), start, has_resigned: false };
        let mut asked = None;
        let mut ids = BTreeSet::new();
        let mut last_ms = 0;
        for (logged, number) in log.iter().zip(1..) {
            assert_eq!(logged.number, number, "no gaps");
            assert!(logged.at_ms >= last_ms, "time goes forward");
            last_ms = logged.at_ms;
            let is_talk = matches!(logged.event, Event::Said { .. } | Event::Rematch { .. });
            assert!(is_talk || !replay.has_resigned, "nothing happens after the end: {logged:?}");
            match &logged.event {
                Event::Moved { seat, m, id } => {
                    let mut next = replay.now().clone();
                    assert_eq!(next.0.turn().index() + 1, usize::from(*seat), "in turn");
                    let m: Move = m.parse().expect("a move");
                    next.0.play(m).expect("a legal move");
                    deal(&mut next);
                    replay.plies.push(next);
                    asked = None;
                    let id = id.clone().expect("every client names its moves");
                    assert!(ids.insert((*seat, id)), "a move with one id is played once");
                }
                Event::TakebackAsked { seat } => asked = Some(*seat),
                Event::TakebackRefused { .. } => asked = None,
                Event::TakenBack { seat, n_moves } => {
                    assert_eq!(asked.take(), Some(*seat), "only with consent");
                    let round = replay.now().0.round();
                    replay.plies.truncate(*n_moves);
                    let back = &replay.now().0;
                    assert_eq!(back.round(), round, "never across a deal");
                    assert_eq!(back.turn().index() + 1, usize::from(*seat));
                }
                Event::Left { .. } => replay.has_resigned = true,
                Event::Created | Event::Joined { .. } => assert!(number <= 2),
                Event::Said { .. } | Event::Rematch { .. } => {}
                other => panic!("no client did that: {other:?}"),
            }
        }
        replay
    }

    pub(crate) fn now(&self) -> &(Position, Dealer) {
        self.plies.last().unwrap_or(&self.start)
    }
}

fn deal((position, dealer): &mut (Position, Dealer)) {
    if position.phase() == Phase::Deal {
        let deal = dealer.deal(position).expect("the dealer knows the bag");
        position.deal(&deal).expect("a deal is due");
    }
}
