//! A game on the screen: who has to decide, what the engine is asked, what is shown step by step.

use super::chooser::{Choice, Chooser};
use super::showing::Showing;
use super::{Effect, Moment};
use crate::draw::{Layout, Place};
use crate::session::{Mind, Player, Session};
use crate::thinker::{BestLines, Order, Report};
use azulejo_rules::{Move, Phase, Seat, Setup, Source, Step};
use azulejo_words::{self as words, Names};
use std::time::{Duration, Instant};

/// How long the engine looks for a hint.
const HINT: Duration = Duration::from_millis(1500);
/// How long it thinks on demand about one position; then it rests, and so does the processor.
const THOUGHTS: Duration = Duration::from_secs(30);

/// A game on the screen.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) session: Session,
    /// What is seen, which may be some steps behind.
    pub(crate) shown: Setup,
    pub(crate) showing: Option<Showing>,
    pub(crate) chooser: Chooser,
    pub(crate) work: Option<Work>,
    pub(crate) lines: BestLines,
    pub(crate) hint: Option<Vec<String>>,
    pub(crate) has_thoughts: bool,
    /// Nothing more is found about this position on demand.
    is_thought_through: bool,
    pub(crate) is_paused: bool,
    /// What was wrong with the last input, or a remark.
    pub(crate) note: Option<String>,
    /// The last draft.
    pub(crate) last: Option<Step>,
    /// What happened since somebody decided last, in words.
    pub(crate) news: Vec<String>,
    /// Told from one order to the next.
    next_id: u64,
}

/// What the engine is asked.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    id: u64,
    pub(crate) kind: WorkKind,
    since: Instant,
    /// The move, held back until it can be followed.
    answer: Option<Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkKind {
    /// To play.
    Turn,
    /// For a hint.
    Hint,
    /// For its thoughts.
    Thoughts,
}

impl Table {
    pub(crate) fn new(session: Session, moment: &mut Moment<'_>) -> Table {
        let shown = Setup::from(session.position());
        let mut table = Table {
            session,
            shown,
            showing: None,
            chooser: Chooser::default(),
            work: None,
            lines: BestLines::default(),
            hint: None,
            has_thoughts: false,
            is_thought_through: false,
            is_paused: false,
            note: None,
            last: None,
            news: Vec::new(),
            // Orders of an earlier table must not be taken for ours.
            next_id: moment.luck() & 0xffff_ffff,
        };
        table.settle(moment);
        table
    }

    /// Whether a person has to decide, and sees the position as it is.
    pub(crate) fn is_asking(&self) -> bool {
        self.showing.is_none() && self.session.to_move().is_some_and(Player::is_person)
    }

    /// Sees to it that whoever has to decide can.
    pub(crate) fn settle(&mut self, moment: &mut Moment<'_>) {
        if self.showing.is_some() {
            self.session.stop_clock(moment.now);
            return;
        }
        let Some(player) = self.session.to_move() else {
            self.session.stop_clock(moment.now);
            self.rest(moment);
            return;
        };
        let mind = player.mind;
        if self.is_paused && mind != Mind::Person {
            self.session.stop_clock(moment.now);
            return;
        }
        self.session.start_clock(moment.now);
        match mind {
            Mind::Engine(level) => {
                if self.work.as_ref().is_none_or(|work| work.kind != WorkKind::Turn) {
                    let order = Order::turn(0, &self.session, level, moment.think, moment.now);
                    self.ask(WorkKind::Turn, order, moment);
                }
            }
            Mind::Person => {
                if self.has_thoughts && !self.is_thought_through && self.work.is_none() {
                    let order = Order::advice(0, self.session.position(), THOUGHTS);
                    self.ask(WorkKind::Thoughts, order, moment);
                }
            }
        }
    }

    fn ask(&mut self, kind: WorkKind, mut order: Order, moment: &mut Moment<'_>) {
        self.next_id += 1;
        self.lines = BestLines::default();
        self.work = Some(Work { id: self.next_id, kind, since: moment.now, answer: None });
        order.id = self.next_id;
        moment.effects.push(Effect::Think(Box::new(order)));
    }

    pub(crate) fn rest(&mut self, moment: &mut Moment<'_>) {
        if self.work.take().is_some() {
            moment.effects.push(Effect::Rest);
        }
    }

    /// The engine has found something.
    pub(crate) fn hear(&mut self, report: Report, moment: &mut Moment<'_>) {
        let Some(work) = &mut self.work else { return };
        match report {
            Report::Found { id, info } if id == work.id => self.lines.add(info),
            Report::Done { id, answer } if id == work.id => match work.kind {
                WorkKind::Turn => {
                    work.answer = answer.map(|answer| answer.best);
                    self.play_answer(moment);
                }
                WorkKind::Hint => {
                    self.work = None;
                    let name = |seat| self.session.name(seat);
                    let (lines, position) = (self.lines.all(), self.session.position());
                    self.hint = Some(words::hint(lines, position, Names::Given(&name)));
                    self.settle(moment);
                }
                WorkKind::Thoughts => {
                    self.work = None;
                    self.is_thought_through = true;
                }
            },
            _ => {}
        }
    }

    /// Plays what the engine answered, as soon as its move can be followed.
    fn play_answer(&mut self, moment: &mut Moment<'_>) {
        let Some(Work { answer: Some(m), since, .. }) = self.work else { return };
        if moment.now >= since + moment.speed.pace() {
            self.play(m, moment);
        }
    }

    /// Plays a move; an illegal one is explained.
    pub(crate) fn play(&mut self, m: Move, moment: &mut Moment<'_>) {
        let by_engine = self.session.to_move().is_some_and(|player| !player.is_person());
        let events = match self.session.play(m, moment.now) {
            Ok(events) => events,
            Err(error) => {
                self.note = Some(format!("{m} is illegal: {error}."));
                // An engine that does so would be asked for ever.
                if by_engine {
                    self.rest(moment);
                    self.is_paused = true;
                }
                return;
            }
        };
        self.rest(moment);
        self.forget();
        if !by_engine {
            self.news.clear();
        }
        let name = |seat| self.session.name(seat);
        let rules = self.session.position().rules();
        let told = events.iter().filter(|event| matches!(event, Step::Drafted { .. }));
        self.news.extend(told.map(|event| words::step(event, rules, Names::Given(&name))));
        let n_old = self.news.len().saturating_sub(4);
        self.news.drain(..n_old);
        // What happened before a deal is no longer on the table.
        let is_new_round = events.iter().any(|event| matches!(event, Step::Dealt { .. }));
        let mut drafts = events.iter().filter(|event| matches!(event, Step::Drafted { .. }));
        self.last = drafts.next().copied().filter(|_| !is_new_round);
        self.showing = Showing::begin(events, &mut self.shown, moment.speed, moment.now);
        if self.showing.is_none() {
            self.shown = Setup::from(self.session.position());
        }
        moment.effects.push(Effect::Keep);
        self.settle(moment);
    }

    /// Drops what belongs to a position that is no longer there.
    fn forget(&mut self) {
        self.chooser = Chooser::default();
        self.lines = BestLines::default();
        self.is_thought_through = false;
        (self.hint, self.note) = (None, None);
    }

    /// Time has passed.
    pub(crate) fn tick(&mut self, moment: &mut Moment<'_>) {
        if self.showing.as_ref().is_some_and(|showing| moment.now >= showing.next) {
            self.show_next(moment);
        }
        self.play_answer(moment);
    }

    fn show_next(&mut self, moment: &mut Moment<'_>) {
        let Some(showing) = &mut self.showing else { return };
        if !showing.advance(&mut self.shown, moment.speed, moment.now) {
            self.show_rest(moment);
        }
    }

    /// Ends the showing; the position is seen as it is.
    pub(crate) fn show_rest(&mut self, moment: &mut Moment<'_>) {
        self.showing = None;
        self.shown = Setup::from(self.session.position());
        self.settle(moment);
    }

    /// When something happens by itself next.
    pub(crate) fn wake(&self, moment: &Moment<'_>) -> Option<Instant> {
        let shows = self.showing.as_ref().map(|showing| showing.next);
        let plays = self.work.as_ref().filter(|work| work.answer.is_some());
        let plays = plays.map(|work| work.since + moment.speed.pace());
        let clock = self.session.clock().and_then(|clock| clock.next_change(moment.now));
        [shows, plays, clock].into_iter().flatten().min()
    }

    pub(crate) fn undo(&mut self, moment: &mut Moment<'_>) {
        self.rest(moment);
        self.showing = None;
        let undone = self.session.undo();
        self.shown = Setup::from(self.session.position());
        self.forget();
        self.last = None;
        self.news.clear();
        self.note =
            Some(if undone { "Taken back." } else { "There is nothing to take back." }.into());
        if undone {
            moment.effects.push(Effect::Keep);
        }
        // Without people the next move would come at once.
        self.is_paused |= self.session.players().iter().all(|player| !player.is_person());
        self.settle(moment);
    }

    pub(crate) fn ask_hint(&mut self, moment: &mut Moment<'_>) {
        if self.is_asking() {
            self.rest(moment);
            self.hint = None;
            let order = Order::advice(0, self.session.position(), HINT);
            self.ask(WorkKind::Hint, order, moment);
        }
    }

    pub(crate) fn toggle_thoughts(&mut self, moment: &mut Moment<'_>) {
        self.has_thoughts = !self.has_thoughts;
        let is_thinking = |work: &Work| work.kind == WorkKind::Thoughts;
        if !self.has_thoughts && self.work.as_ref().is_some_and(is_thinking) {
            self.rest(moment);
        }
        self.is_thought_through = false;
        self.settle(moment);
    }

    pub(crate) fn toggle_pause(&mut self, moment: &mut Moment<'_>) {
        self.is_paused = !self.is_paused;
        if self.is_paused && self.session.to_move().is_some_and(|player| !player.is_person()) {
            self.rest(moment);
        }
        self.settle(moment);
    }

    /// Chooses with the keys of a move.
    pub(crate) fn letter(&mut self, letter: char, moment: &mut Moment<'_>) -> bool {
        if !self.is_asking() {
            return false;
        }
        let position = *self.session.position();
        let (made, is_known) = self.chooser.letter(&position, letter);
        if is_known {
            self.note = None;
        }
        if let Some(m) = made {
            self.play(m, moment);
        }
        is_known
    }

    pub(crate) fn choose_hovered(&mut self, moment: &mut Moment<'_>) {
        let position = *self.session.position();
        self.note = None;
        if let Some(m) = self.chooser.choose_hovered(&position) {
            self.play(m, moment);
        }
    }

    /// The mouse is somewhere; `is_click` chooses.
    pub(crate) fn point(&mut self, x: u16, y: u16, is_click: bool, moment: &mut Moment<'_>) {
        let Ok(layout) = Layout::new(moment.area, self.shown.rules.players()) else { return };
        let setup = &self.shown;
        let Some(place) = layout.hit(x, y, &|source| pile(setup, source)) else { return };
        if !self.is_asking() {
            return;
        }
        let position = *self.session.position();
        let is_ours = |seat: Seat| seat == position.turn();
        let choice = match place {
            Place::Tile(source, tile) => {
                if is_click {
                    self.note = None;
                    if self.chooser.chosen().0 != Some(source) {
                        self.chooser.take_from(&position, source);
                    }
                    self.chooser.add_tile(&position, tile);
                    return;
                }
                Choice::Source(source)
            }
            Place::Source(source) => {
                if is_click {
                    self.chooser.take_from(&position, source);
                    return;
                }
                Choice::Source(source)
            }
            Place::Line(seat, row) if is_ours(seat) => {
                Choice::To(azulejo_rules::Destination::Line(row))
            }
            Place::Floor(seat) if is_ours(seat) => Choice::To(azulejo_rules::Destination::Floor),
            Place::Space(seat, row, column) if is_ours(seat) => match position.phase() {
                Phase::Tiling(_) => Choice::Space(row, column),
                // Beside the wall lies its line.
                _ => Choice::To(azulejo_rules::Destination::Line(row)),
            },
            _ => return,
        };
        let is_option = self.chooser.point_at(&position, choice);
        if is_click && is_option {
            self.choose_hovered(moment);
        } else if is_click && let Some(m) = self.refused(choice) {
            let why = position.check(m).err().map(|error| error.to_string());
            self.note = why.map(|why| format!("{m} is illegal: {why}."));
        }
    }

    /// The move that a click on a line or space meant, so that the rules can say why not.
    fn refused(&self, choice: Choice) -> Option<Move> {
        let (source, pick, _) = self.chooser.chosen();
        match choice {
            Choice::To(to) => Some(Move::Draft(azulejo_rules::Draft {
                source: source?,
                pick: pick?,
                to,
                extra_jokers: 0,
            })),
            Choice::Space(row, column) => Some(Move::Place { row, column }),
            _ => None,
        }
    }
}

/// The tiles of a source as shown, and whether the marker is there.
pub(crate) fn pile(setup: &Setup, source: Source) -> (azulejo_rules::Tiles, bool) {
    match source {
        Source::Center => (setup.center, setup.marker_in_center && setup.phase == Phase::Draft),
        factory => (setup.factories.get(factory.index() - 1).copied().unwrap_or_default(), false),
    }
}
