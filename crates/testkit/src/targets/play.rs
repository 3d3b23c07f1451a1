//! Games made of bytes: any rules, any start, deals and moves that may be impossible, and the laws
//! after every step. In half of the games the reference plays along.

use super::bytes::Bytes;
use super::records::check_record;
use super::start::start;
use crate::laws::{Lockstep, check_all_moves, check_position, check_preview};
use azulejo_notation::Record;
use azulejo_rules::{
    Column, Deal, DealError, Destination, Draft, Move, Phase, Pick, Position, Row, Source, Tile,
    Tiles,
};

/// No game goes on for longer.
const MAX_STEPS: usize = 200;

pub(super) fn check_bytes(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let position = start(&mut bytes);
    check_position(&position);
    let lockstep = if bytes.flip() { Lockstep::new(&position) } else { None };
    let mut game = Game { record: begin(position), position, lockstep, n_steps: 0 };
    while !bytes.is_empty() && game.is_open() {
        match bytes.below(8) {
            0 => {
                game.try_move(any_move(&mut bytes));
            }
            1 => {
                if let Some(deal) = any_deal(&mut bytes) {
                    game.try_deal(&deal);
                }
            }
            // A stretch of play out of two bytes.
            2 => {
                let n_steps = bytes.below(32);
                let mut below = bytes.stream();
                for _ in 0..n_steps {
                    game.go_on(&mut below);
                }
            }
            3 => check_all_moves(&game.position),
            _ => game.go_on(|n| bytes.below(n)),
        }
    }
    check_record(&game.record);
}

struct Game {
    position: Position,
    /// The same game, written down.
    record: Record,
    lockstep: Option<Lockstep>,
    n_steps: usize,
}

impl Game {
    fn is_open(&self) -> bool {
        self.position.ended_by().is_none() && self.n_steps < MAX_STEPS
    }

    /// Plays the next action: a deal that can be drawn, or a legal move.
    fn go_on(&mut self, mut below: impl FnMut(u32) -> u32) {
        if !self.is_open() {
            return;
        }
        if self.position.phase() == Phase::Deal {
            let deal = self.position.draw_deal(below);
            assert!(self.try_deal(&deal), "{}: {deal} was drawn", self.position);
            return;
        }
        let n = below(self.position.n_legal_moves());
        let m = self.position.nth_legal_move(n).expect("there are more moves");
        let (mut picked, before) = (self.position, self.position);
        assert_eq!(before.pick_move(|_| n), Some(m), "{before}");
        picked.play_unchecked(m);
        assert_eq!(check_preview(&before, m), picked, "{before}: {m}");
        assert!(self.try_move(m), "{before}: {m} was listed");
        assert_eq!(self.position, picked, "{before}: {m}");
    }

    /// Tries to deal and says whether that was possible.
    fn try_deal(&mut self, deal: &Deal) -> bool {
        let before = self.position;
        let dealt = self.position.deal(deal);
        let is_due = before.phase() == Phase::Deal;
        assert_eq!(dealt == Err(DealError::NotNow), !is_due, "{before}: {deal}");
        assert_eq!(self.record.deal(deal), dealt, "{before}: {deal}");
        if let Some(lockstep) = &mut self.lockstep {
            lockstep.deal(&before, deal, dealt.is_ok());
        }
        if dealt.is_ok() {
            let n_due = before.stock().deal_size(before.rules());
            assert_eq!(deal.total().total(), n_due, "{before}: {deal}");
            let mut trusted = before;
            trusted.deal_unchecked(deal);
            assert_eq!(trusted, self.position, "{before}: {deal}");
        }
        self.check_step(&before, dealt.is_ok());
        dealt.is_ok()
    }

    /// Tries a move and says whether it was legal.
    fn try_move(&mut self, m: Move) -> bool {
        let before = self.position;
        let played = self.position.play(m);
        assert_eq!(played, before.check(m), "{before}: {m}");
        assert_eq!(played.is_ok(), before.legal_moves().contains(&m), "{before}: {m}");
        assert_eq!(self.record.play(m), played, "{before}: {m}");
        if let Some(lockstep) = &mut self.lockstep {
            lockstep.play(&before, m, played.is_ok());
        }
        self.check_step(&before, played.is_ok());
        played.is_ok()
    }

    fn check_step(&mut self, before: &Position, is_done: bool) {
        if is_done {
            self.n_steps += 1;
            check_position(&self.position);
        } else {
            assert_eq!(self.position, *before, "a refused action has changed something");
        }
        assert_eq!(*self.record.final_position(), self.position);
        if let Some(lockstep) = &self.lockstep {
            lockstep.check_same(&self.position);
        }
    }
}

/// A record from here on, of a new game if it is one.
fn begin(position: Position) -> Record {
    match Record::new(*position.rules(), position.starter()) {
        Ok(record) if *record.final_position() == position => record,
        _ => Record::from_position(position),
    }
}

/// Any move that there is, legal or not.
fn any_move(bytes: &mut Bytes<'_>) -> Move {
    if bytes.below(4) == 0 {
        return Move::Place { row: bytes.pick(&Row::ALL), column: bytes.pick(&Column::ALL) };
    }
    Move::Draft(Draft {
        source: bytes.pick(&Source::ALL),
        pick: bytes.pick(&Pick::ALL),
        to: bytes.pick(&Destination::ALL),
        extra_jokers: if bytes.flip() { bytes.byte() } else { 0 },
    })
}

/// Any deal that there is, also of too many factories or tiles.
fn any_deal(bytes: &mut Bytes<'_>) -> Option<Deal> {
    let n_factories = bytes.below(11) as usize;
    let mut factories = vec![Tiles::EMPTY; n_factories];
    for factory in &mut factories {
        let n_kinds = bytes.below(5);
        for _ in 0..n_kinds {
            let tile = bytes.pick(&Tile::ALL);
            let n = if bytes.below(32) == 0 { bytes.below(Tiles::MAX + 1) } else { 1 };
            *factory = factory.checked_with(tile, n).unwrap_or(*factory);
        }
    }
    let deal = Deal::new(&factories);
    assert_eq!(deal.is_some(), n_factories <= 9);
    deal
}
