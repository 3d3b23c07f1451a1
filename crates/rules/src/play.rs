//! Playing moves and deals, and the end of a round and of the game.
//!
//! [`play`](Position::play) checks the move, [`play_unchecked`](Position::play_unchecked) trusts
//! the caller, and the `_with` forms report every step to a closure;
//! [`play_watched`](Position::play_watched) also shows it the table after each step. An empty closure
//! costs nothing: it is compiled away.

use crate::check::IllegalMove;
use crate::deal::{Deal, DealError};
use crate::draft;
use crate::ending::{Bonuses, EndedBy};
use crate::legal::Fraction;
use crate::moves::{Draft, Move};
use crate::names::Source;
use crate::position::{Phase, Position};
use crate::step::Step;
use crate::tiles::Tiles;

impl Position {
    /// Plays a move. After the last draft of a round the walls are tiled, up to the first choice.
    ///
    /// # Errors
    /// If the move is illegal; nothing has changed then.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        self.play_with(m, |_| {})
    }

    /// Plays a move and reports every step of it.
    ///
    /// # Errors
    /// If the move is illegal; nothing has changed or been reported then.
    pub fn play_with(&mut self, m: Move, mut report: impl FnMut(Step)) -> Result<(), IllegalMove> {
        self.check(m)?;
        self.apply(m, &mut |_, step| report(step));
        Ok(())
    }

    /// Plays a move and shows the table after every step of it, for an animation. Every tile lies where
    /// the step has left it, and the phase is [`Phase::Deal`]: nobody has a move between two steps.
    ///
    /// ```
    /// use azulejo_rules::{Position, Seat, Step};
    ///
    /// let text = "az1_2c_d1_1s1_.-.-.-.-._1K_rest_._0~.-WW-BBB-....-.....~.....-.....-.....-.....-.....~._0~.-..-...-....-.....~.....-.....-.....-.....-.....~.";
    /// let mut position: Position = text.parse()?;
    /// let mut scores = Vec::new();
    /// position.play_watched("0K1".parse()?, |step, table| {
    ///     if let Step::Placed { .. } = step {
    ///         scores.push(table.board(Seat::One).score());
    ///     }
    /// })?;
    /// assert_eq!(scores, [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the move is illegal; nothing has changed or been shown then.
    pub fn play_watched(
        &mut self,
        m: Move,
        mut watch: impl FnMut(Step, &Position),
    ) -> Result<(), IllegalMove> {
        self.check(m)?;
        self.apply(m, &mut |table, step| watch(step, &Position { phase: Phase::Deal, ..*table }));
        Ok(())
    }

    /// Plays a move that the caller knows to be legal.
    ///
    /// # Panics
    /// May panic if it is not; otherwise the position may no longer be a legal one. It is never
    /// unsound.
    #[inline]
    pub fn play_unchecked(&mut self, m: Move) {
        debug_assert_eq!(self.check(m), Ok(()), "{m}");
        self.apply(m, &mut |_, _| {});
    }

    /// Lays out the next round.
    ///
    /// # Errors
    /// If no deal is due or the stock cannot supply this one; nothing has changed then.
    pub fn deal(&mut self, deal: &Deal) -> Result<(), DealError> {
        self.deal_with(deal, |_| {})
    }

    /// Lays out the next round and reports it.
    ///
    /// # Errors
    /// If no deal is due or the stock cannot supply this one; nothing has changed or been reported then.
    pub fn deal_with(&mut self, deal: &Deal, report: impl FnMut(Step)) -> Result<(), DealError> {
        if self.phase != Phase::Deal {
            return Err(DealError::NotNow);
        }
        self.stock.check(deal, &self.rules)?;
        self.lay_out(deal, report);
        Ok(())
    }

    /// Lays out the next round with a deal that the caller knows to be possible, for example one
    /// from [`draw_deal`](Position::draw_deal).
    ///
    /// # Panics
    /// May panic if it is not; otherwise the position may no longer be a legal one. It is never
    /// unsound.
    #[inline]
    pub fn deal_unchecked(&mut self, deal: &Deal) {
        debug_assert_eq!(self.phase, Phase::Deal);
        debug_assert_eq!(self.stock.check(deal, &self.rules), Ok(()));
        self.lay_out(deal, |_| {});
    }

    #[inline]
    fn lay_out(&mut self, deal: &Deal, mut report: impl FnMut(Step)) {
        let dealt = deal.total();
        let must_pour = dealt.total() > self.stock.bag.total();
        let poured = must_pour.then_some(self.stock.lid);
        self.stock = self.stock.after(dealt);
        self.offer.set_factories(deal.factories());
        self.phase = Phase::Draft;
        report(Step::Dealt { round: self.round, starter: self.starter, deal: *deal, poured });
    }

    /// Plays a random legal move, each equally likely, chosen by 64 random bits: one step of a
    /// playout (rollout). `None` where there is no move.
    #[inline]
    pub fn play_random(&mut self, random: u64) -> Option<Move> {
        let mut random = Fraction(random);
        // Fast path for the common case: the move is never numbered or packed.
        if matches!(self.phase, Phase::Draft) && !self.rules.jokers {
            let draft = self.random_plain_draft(random);
            self.apply(Move::Draft(draft), &mut |_, _| {});
            return Some(Move::Draft(draft));
        }
        let m = self.pick_move(|n| random.below(n))?;
        self.apply(m, &mut |_, _| {});
        Some(m)
    }

    #[inline]
    fn apply(&mut self, m: Move, report: &mut impl FnMut(&Position, Step)) {
        let seat = self.turn;
        self.take_turn(m, report);
        match m {
            Move::Draft(_) if !self.offer.is_empty() => self.turn = self.rules.players.next(seat),
            Move::Draft(_) => self.tile_walls(self.starter, report),
            Move::Place { .. } => self.tile_walls(seat, report),
        }
    }

    /// The player's own step, without the wall-tiling that may follow from it.
    #[inline]
    pub(crate) fn take_turn(&mut self, m: Move, report: &mut impl FnMut(&Position, Step)) {
        match m {
            Move::Draft(draft) => self.draft(draft, report),
            Move::Place { row, column } => {
                self.place(self.turn, self.board(self.turn).line(row), column, report);
            }
        }
    }

    #[inline]
    fn draft(&mut self, draft: Draft, report: &mut impl FnMut(&Position, Step)) {
        let seat = self.turn;
        let board = &mut self.boards[seat.index()];
        let floor_before = board.floor();
        let drafted = draft::play(draft, seat, &mut self.offer, board, &mut self.marker);
        self.stock.lid += drafted.to_lid;
        let to_floor = board.floor() - floor_before;
        let Draft { source, pick, to, .. } = draft;
        let step = Step::Drafted {
            seat,
            source,
            pick,
            to,
            into_line: drafted.into_line,
            to_floor,
            to_lid: drafted.to_lid,
            to_center: if source == Source::Center { Tiles::EMPTY } else { drafted.rest },
            takes_marker: drafted.takes_marker,
        };
        report(self, step);
    }

    pub(crate) fn finish_round(&mut self, report: &mut impl FnMut(&Position, Step)) {
        let ended_by = self.end_after_tiling();
        // Nobody took the marker: the same seat starts again.
        self.starter = self.marker.unwrap_or(self.starter);
        self.marker = None;
        self.turn = self.starter;
        report(self, Step::RoundEnded { round: self.round, next_starter: self.starter });
        match ended_by {
            Some(by) => self.end_game(by, report),
            None => {
                self.phase = Phase::Deal;
                self.round = self.round.saturating_add(1);
                self.dry_rounds = self.dry_rounds.saturating_add(1);
            }
        }
    }

    fn end_game(&mut self, by: EndedBy, report: &mut impl FnMut(&Position, Step)) {
        self.phase = Phase::Over(by);
        report(self, Step::GameEnded { by });
        for &seat in self.rules.players.seats() {
            let board = &mut self.boards[seat.index()];
            let bonuses = Bonuses::of(board, &self.rules);
            board.add_points(bonuses.total());
            let score = board.score();
            report(self, Step::BonusesScored { seat, bonuses, score });
        }
    }
}
