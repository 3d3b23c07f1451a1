//! The reviewer goes through a record step by step, so that a screen can show what is done, stop, and
//! go on later.

use crate::amount::{Shares, change, even, of_outcome, of_ranks};
use crate::analyst::{Analyst, is_played};
use crate::budget::Budget;
use crate::deals::{self, DealLuck};
use crate::decision::{self, Decision, Outlook};
use crate::ledger::{Events, Ledger};
use crate::player::Player;
use crate::review::{Early, Review, VERSION};
use azulejo_engine::{Engine, Options, Stop};
use azulejo_notation::{Action, Record, Start};
use azulejo_rules::{Move, Position, Seat};

/// What a review is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How much it computes.
    pub budget: Budget,
    /// The seed of the sampled deals: letters, digits, `-`, `_` and `.`.
    pub seed: String,
    /// Seats that the engine took over, each with the index of the first move that it made for them.
    pub substitutes: Vec<(Seat, usize)>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { budget: Budget::NORMAL, seed: "review".to_owned(), substitutes: Vec::new() }
    }
}

impl Settings {
    fn analyst(&self, engine: Engine) -> Result<Analyst, ReviewError> {
        // The number of a round is appended.
        let is_seed = self.seed.len() <= 48 && self.seed.parse::<azulejo_notation::Seed>().is_ok();
        if is_seed {
            Ok(Analyst::new(engine, self.budget.clamped(), &self.seed))
        } else {
            Err(ReviewError::Seed)
        }
    }
}

/// Why a record cannot be reviewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReviewError {
    /// It has no move.
    #[error("the record has no move to review")]
    NoMoves,
    /// The seed of the sampled deals is not a seed.
    #[error("the seed of a review is 1 to 48 letters, digits, `-`, `_` and `.`")]
    Seed,
}

/// Judges one move of a position, as the review of a game with that move would: for those who try a
/// mistake again. `None` if the move is not legal or the search was stopped.
///
/// # Errors
/// If the seed of the settings is not a seed.
pub fn judge_move(
    position: &Position,
    m: Move,
    settings: &Settings,
    engine: Engine,
    stop: &Stop,
) -> Result<Option<Decision>, ReviewError> {
    let mut analyst = settings.analyst(engine)?;
    if !position.is_legal(m) {
        return Ok(None);
    }
    let outlook = Outlook::new(&mut analyst, position, stop);
    let judged = outlook.and_then(|outlook| decision::judge(&mut analyst, &outlook, 0, m, stop));
    Ok(judged.map(|(decision, _)| decision))
}

/// Reviews a record step by step.
///
/// ```
/// use azulejo_engine::{Engine, Options, Stop};
/// use azulejo_notation::Record;
/// use azulejo_review::{Budget, Reviewer, Settings};
///
/// let record: Record = "[Azulejo \"1\"]\n[Rules \"2c\"]\n[First \"1\"]\n\n\
///     round 1 BBYR-KKKK-BYRK-YWWW-RRKK\n1B2 2K4\n*\n".parse()?;
/// let budget = Budget { nodes: 1_000, n_deals: 2, deal_nodes: 1_000 };
/// let mut reviewer = Reviewer::new(&record, Settings { budget, ..Settings::default() })?;
/// let stop = Stop::new();
/// while reviewer.step(&stop) {
///     println!("{} of {}", reviewer.n_done(), reviewer.n_steps());
/// }
/// let review = reviewer.review();
/// assert_eq!((review.deals.len(), review.decisions.len()), (1, 2));
/// for player in &review.players {
///     assert_eq!(player.ledger.sum(), player.ledger.result);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reviewer {
    record: Record,
    settings: Settings,
    analyst: Analyst,
    steps: Vec<(Action, Position, Position)>,
    n_done: usize,
    start: Option<Begun>,
    deals: Vec<DealLuck>,
    decisions: Vec<Decision>,
    /// What is expected of the current position, within a round.
    outlook: Option<Outlook>,
}

/// The chances at the beginning.
struct Begun {
    /// Before the lot.
    start: Shares,
    /// After it.
    first: Shares,
}

impl Reviewer {
    /// A reviewer at the beginning of a record.
    ///
    /// # Errors
    /// If the record has no move, or if the seed of the settings is not a seed.
    pub fn new(record: &Record, settings: Settings) -> Result<Reviewer, ReviewError> {
        Reviewer::with_engine(record, settings, Engine::new(Options::default()))
    }

    /// The same with the network of an engine instead of the built-in one.
    ///
    /// # Errors
    /// As for [`new`](Reviewer::new).
    pub fn with_engine(
        record: &Record,
        settings: Settings,
        engine: Engine,
    ) -> Result<Reviewer, ReviewError> {
        if record.n_moves() == 0 {
            return Err(ReviewError::NoMoves);
        }
        let analyst = settings.analyst(engine)?;
        let steps = record.replay().map(|step| (step.action, step.before, step.after)).collect();
        Ok(Reviewer {
            record: record.clone(),
            settings,
            analyst,
            steps,
            n_done: 0,
            start: None,
            deals: Vec::new(),
            decisions: Vec::new(),
            outlook: None,
        })
    }

    /// The number of steps that are done.
    #[must_use]
    pub fn n_done(&self) -> usize {
        self.n_done
    }

    /// The number of all steps: one for each deal and move, and one for the beginning.
    #[must_use]
    pub fn n_steps(&self) -> usize {
        self.steps.len() + 1
    }

    /// Makes the next step. `false` if there is none, or if it was stopped; a stopped step is made
    /// again by the next call, with another switch.
    pub fn step(&mut self, stop: &Stop) -> bool {
        let is_made = match self.n_done.checked_sub(1).map(|i| self.steps.get(i).copied()) {
            None => self.begin(stop),
            Some(Some((action, before, after))) => self.advance(action, &before, &after, stop),
            Some(None) => return false,
        };
        self.n_done += usize::from(is_made.is_some());
        is_made.is_some()
    }

    fn begin(&mut self, stop: &Stop) -> Option<()> {
        let position = self.record.first_position();
        let first = if is_played(&position) {
            let outlook = Outlook::new(&mut self.analyst, &position, stop)?;
            let first = outlook.win();
            self.outlook = Some(outlook);
            first
        } else {
            self.analyst.worth(&position, stop)?
        };
        // By symmetry all seats have the same chance before the lot.
        let has_lot = matches!(self.record.start(), Start::New { .. })
            && self.record.rules().first_player().is_none();
        let n_seats = self.record.rules().players().count();
        let start = if has_lot { even(n_seats) } else { first.clone() };
        self.start = Some(Begun { start, first });
        Some(())
    }

    fn advance(
        &mut self,
        action: Action,
        before: &Position,
        after: &Position,
        stop: &Stop,
    ) -> Option<()> {
        let ply = self.decisions.len();
        match action {
            Action::Deal(deal) => {
                let (luck, outlook) =
                    deals::judge(&mut self.analyst, before, after, (deal, ply), stop)?;
                self.close_round(&luck.before);
                self.deals.push(luck);
                self.outlook = Some(outlook);
            }
            Action::Move(m) => {
                let outlook = self.outlook.as_ref()?;
                let (decision, next) = decision::judge(&mut self.analyst, outlook, ply, m, stop)?;
                self.decisions.push(decision);
                self.outlook = Some(next);
            }
        }
        Some(())
    }

    /// At the end of a round sampled deals say what the position is worth. The round was searched with what
    /// the network expects there; the difference is part of the luck of its deal.
    fn close_round(&mut self, worth: &Shares) {
        if let (Some(end), Some(deal)) = (&self.outlook, self.deals.last_mut()) {
            deal.look_beyond(change(&end.win(), worth));
        }
    }

    /// The deals judged so far.
    #[must_use]
    pub fn deals(&self) -> &[DealLuck] {
        &self.deals
    }

    /// The decisions judged so far.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// The review of what is done so far.
    #[must_use]
    pub fn review(&self) -> Review {
        let rules = *self.record.rules();
        let n_seats = rules.players().count();
        let Begun { start, first } = match &self.start {
            Some(begun) => Begun { start: begun.start.clone(), first: begun.first.clone() },
            None => Begun { start: even(n_seats), first: even(n_seats) },
        };
        let last = self.outlook.as_ref().map_or_else(|| first.clone(), Outlook::win);
        let is_complete = self.n_done == self.n_steps();
        let early = if is_complete { Early::of(&self.record) } else { None };
        let outcome = self.record.final_position().outcome().filter(|_| is_complete);
        let result = match (&outcome, &early) {
            (_, Some(early)) => of_ranks(&early.ranks),
            (Some(outcome), None) => of_outcome(outcome),
            (None, None) => last.clone(),
        };
        let lot = change(&start, &first);
        let (deals, decisions) = (&self.deals[..], &self.decisions[..]);
        let (last, result_shares) = (&last, &result);
        let events =
            Events { start: &start, lot: &lot, deals, decisions, last, result: result_shares };
        let substitutes = &self.settings.substitutes;
        let player = |&seat: &Seat| {
            let since = substitutes.iter().filter(|(other, _)| *other == seat);
            let since = since.map(|&(_, ply)| ply).min();
            let is_substitute = |decision: &Decision| since.is_some_and(|ply| decision.ply >= ply);
            let ledger = Ledger::new(&events, seat, is_substitute);
            Player::new(&self.record, seat, (deals, decisions), ledger)
        };
        Review {
            review: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            rules,
            budget: self.settings.budget.clamped(),
            seed: self.settings.seed.clone(),
            n_done: self.n_done,
            n_steps: self.n_steps(),
            players: rules.players().seats().iter().map(player).collect(),
            is_over: outcome.is_some() || early.is_some(),
            ended_early: early.map(|early| early.by),
            start,
            result,
            deals: self.deals.clone(),
            decisions: self.decisions.clone(),
        }
    }
}
