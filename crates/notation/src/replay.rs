//! Replaying a record: each deal and move with the positions before and after it and its report.

use crate::record::Record;
use azulejo_rules::{Deal, Move, Position, Step};

/// An entry of a record: a deal or a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The deal of a round.
    Deal(Deal),
    /// A move of the seat to move.
    Move(Move),
}

/// One entry of a replay; see [`Record::replay`].
///
/// ```
/// use azulejo_notation::{Action, Record};
/// use azulejo_rules::{Rules, Seat};
///
/// let mut record = Record::new("2c".parse::<Rules>()?, Seat::One)?;
/// record.deal(&"BBYR-KKKK-BYRK-YWWW-RRKK".parse()?)?;
/// record.play("1B2".parse()?)?;
/// let moves = record.replay().filter(|step| matches!(step.action, Action::Move(_)));
/// assert_eq!(moves.map(|step| step.before.turn()).collect::<Vec<_>>(), [Seat::One]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReplayStep<'a> {
    /// The index of the round in [`Record::rounds`].
    pub round_idx: usize,
    /// The deal or move.
    pub action: Action,
    /// The comment after it.
    pub comment: Option<&'a str>,
    /// The position before it.
    pub before: Position,
    /// The position after it.
    pub after: Position,
    /// Every step of it, including wall-tiling and the end of the game.
    pub report: Vec<Step>,
}

/// Iterator over the entries of a record; see [`Record::replay`].
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    record: &'a Record,
    position: Position,
    round_idx: usize,
    /// The next move of the round; `None` before the deal.
    turn_idx: Option<usize>,
}

impl Record {
    /// All entries, starting with the first deal.
    #[must_use]
    pub fn replay(&self) -> Replay<'_> {
        Replay { record: self, position: self.first_position(), round_idx: 0, turn_idx: None }
    }
}

impl<'a> Replay<'a> {
    fn next_action(&mut self) -> Option<(usize, Action, Option<&'a str>)> {
        loop {
            let round = self.record.rounds().get(self.round_idx)?;
            let entry = match self.turn_idx {
                None => round.deal.map(|deal| (Action::Deal(deal), &round.comment)),
                Some(i) => round.turns.get(i).map(|turn| (Action::Move(turn.m), &turn.comment)),
            };
            let has_ended = self.turn_idx.is_some() && entry.is_none();
            self.turn_idx = if has_ended { None } else { Some(self.turn_idx.map_or(0, |i| i + 1)) };
            match entry {
                Some((action, comment)) => {
                    return Some((self.round_idx, action, comment.as_deref()));
                }
                None => self.round_idx += usize::from(has_ended),
            }
        }
    }
}

impl<'a> Iterator for Replay<'a> {
    type Item = ReplayStep<'a>;

    fn next(&mut self) -> Option<ReplayStep<'a>> {
        let (round_idx, action, comment) = self.next_action()?;
        let before = self.position;
        let mut report = Vec::new();
        match action {
            Action::Deal(deal) => self
                .position
                .deal_with(&deal, |step| report.push(step))
                .expect("the deals of a record are valid"),
            Action::Move(m) => self
                .position
                .play_with(m, |step| report.push(step))
                .expect("the moves of a record are legal"),
        }
        Some(ReplayStep { round_idx, action, comment, before, after: self.position, report })
    }
}
