//! Replaying a record step by step: what was done, the position before and after, and everything
//! that happened on the way.

use crate::record::Record;
use azulejo_rules::{Deal, Event, Move, Position};

/// Something that was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The tiles of a round were dealt.
    Deal(Deal),
    /// A seat moved.
    Move(Move),
}

/// A step of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// The place of the round in [`Record::rounds`].
    pub round_idx: usize,
    /// What was done.
    pub action: Action,
    /// The comment after it.
    pub comment: Option<&'a str>,
    /// The position before it.
    pub before: Position,
    /// The position after it.
    pub after: Position,
    /// Everything that happened, wall-tiling and the end of the game among it.
    pub events: Vec<Event>,
}

/// The steps of a record; see [`Record::replay`].
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    record: &'a Record,
    position: Position,
    round_idx: usize,
    /// The next move of the round; `None` before the deal.
    turn_idx: Option<usize>,
}

impl Record {
    /// All steps, from the first deal on.
    #[must_use]
    pub fn replay(&self) -> Replay<'_> {
        Replay { record: self, position: self.first_position(), round_idx: 0, turn_idx: None }
    }
}

impl<'a> Replay<'a> {
    fn next_action(&mut self) -> Option<(usize, Action, Option<&'a str>)> {
        loop {
            let round = self.record.rounds().get(self.round_idx)?;
            let Some(turn_idx) = self.turn_idx else {
                self.turn_idx = Some(0);
                match round.deal {
                    Some(deal) => {
                        return Some((
                            self.round_idx,
                            Action::Deal(deal),
                            round.comment.as_deref(),
                        ));
                    }
                    None => continue,
                }
            };
            if let Some(turn) = round.turns.get(turn_idx) {
                self.turn_idx = Some(turn_idx + 1);
                return Some((self.round_idx, Action::Move(turn.m), turn.comment.as_deref()));
            }
            self.round_idx += 1;
            self.turn_idx = None;
        }
    }
}

impl<'a> Iterator for Replay<'a> {
    type Item = Step<'a>;

    fn next(&mut self) -> Option<Step<'a>> {
        let (round_idx, action, comment) = self.next_action()?;
        let before = self.position;
        let mut events = Vec::new();
        match action {
            Action::Deal(deal) => self
                .position
                .deal_with(&deal, |event| events.push(event))
                .expect("the deals of a record are possible"),
            Action::Move(m) => self
                .position
                .play_with(m, |event| events.push(event))
                .expect("the moves of a record are legal"),
        }
        Some(Step { round_idx, action, comment, before, after: self.position, events })
    }
}
