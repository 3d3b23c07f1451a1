//! The page of a game: prepares each turn, asks the engine, and animates the steps of a move.

use super::animation::Animation;
use super::chooser::{Choice, Chooser};
use super::{Context, Effect};
use crate::draw::{Layout, Place};
use crate::engine_thread::{BestLines, Report, SearchRequest};
use crate::session::{Player, PlayerKind, Session};
use azulejo_rules::{Destination, Move, Phase, Seat, Setup, Source, Step, Tiles};
use azulejo_words::{self as words, Names};
use std::time::{Duration, Instant};

/// The engine's time for a hint.
const HINT_TIME: Duration = Duration::from_millis(1500);
/// The engine's time for its thoughts about one position. After that the processor is idle.
const THOUGHTS_TIME: Duration = Duration::from_secs(30);

/// The page of a game.
#[derive(Debug)]
pub(crate) struct GamePage {
    pub(crate) session: Session,
    /// The position as drawn, which an animation keeps some steps behind.
    pub(crate) shown: Setup,
    pub(crate) animation: Option<Animation>,
    pub(crate) chooser: Chooser,
    pub(crate) task: Option<SearchTask>,
    pub(crate) lines: BestLines,
    pub(crate) hint: Option<Vec<String>>,
    pub(crate) has_thoughts: bool,
    /// The engine has used its time for thoughts about this position.
    is_analysis_done: bool,
    pub(crate) is_paused: bool,
    /// An error or a remark.
    pub(crate) note: Option<String>,
    /// The last draft.
    pub(crate) last: Option<Step>,
    /// The drafts since the last decision of a person, as sentences.
    pub(crate) news: Vec<String>,
    /// Tells the reports of one search request from those of another.
    next_id: u64,
}

/// The search under way.
#[derive(Clone, Debug)]
pub(crate) struct SearchTask {
    id: u64,
    pub(crate) kind: SearchKind,
    since: Instant,
    /// The engine's move, played after the pause that the speed prescribes.
    answer: Option<Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchKind {
    /// For the engine's own move.
    Turn,
    /// For a hint.
    Hint,
    /// For the engine's thoughts about a person's position.
    Thoughts,
}

impl GamePage {
    pub(crate) fn new(session: Session, context: &mut Context) -> GamePage {
        let shown = Setup::from(session.position());
        let mut page = GamePage {
            session,
            shown,
            animation: None,
            chooser: Chooser::default(),
            task: None,
            lines: BestLines::default(),
            hint: None,
            has_thoughts: false,
            is_analysis_done: false,
            is_paused: false,
            note: None,
            last: None,
            news: Vec::new(),
            // A random start, since reports for an earlier page may still arrive.
            next_id: context.random() & 0xffff_ffff,
        };
        page.prepare_turn(context);
        page
    }

    /// Whether a person is to choose a move; not during an animation.
    pub(crate) fn is_asking(&self) -> bool {
        self.animation.is_none() && self.session.to_move().is_some_and(Player::is_person)
    }

    /// Prepares the turn: starts or stops the clock, and asks the engine if it is to move.
    pub(crate) fn prepare_turn(&mut self, context: &mut Context) {
        if self.animation.is_some() {
            self.session.stop_clock(context.now);
            return;
        }
        let Some(player) = self.session.to_move() else {
            self.session.stop_clock(context.now);
            self.stop_search(context);
            return;
        };
        let kind = player.kind;
        if self.is_paused && kind != PlayerKind::Person {
            self.session.stop_clock(context.now);
            return;
        }
        self.session.start_clock(context.now);
        match kind {
            PlayerKind::Engine(level) => {
                if self.task.as_ref().is_none_or(|task| task.kind != SearchKind::Turn) {
                    let (think, now) = (context.think, context.now);
                    let request = SearchRequest::turn(&self.session, level, think, now);
                    self.ask(SearchKind::Turn, request, context);
                }
            }
            PlayerKind::Person => {
                if self.has_thoughts && !self.is_analysis_done && self.task.is_none() {
                    let request = SearchRequest::advice(self.session.position(), THOUGHTS_TIME);
                    self.ask(SearchKind::Thoughts, request, context);
                }
            }
        }
    }

    fn ask(&mut self, kind: SearchKind, mut request: SearchRequest, context: &mut Context) {
        self.next_id += 1;
        self.lines = BestLines::default();
        self.task = Some(SearchTask { id: self.next_id, kind, since: context.now, answer: None });
        request.id = self.next_id;
        context.effects.push(Effect::Search(Box::new(request)));
    }

    pub(crate) fn stop_search(&mut self, context: &mut Context) {
        if self.task.take().is_some() {
            context.effects.push(Effect::StopSearch);
        }
    }

    /// Takes in a report of the engine.
    pub(crate) fn on_report(&mut self, report: Report, context: &mut Context) {
        let Some(task) = &mut self.task else { return };
        match report {
            Report::Found { id, info } if id == task.id => self.lines.add(info),
            Report::Done { id, answer } if id == task.id => match task.kind {
                SearchKind::Turn => {
                    task.answer = answer.map(|answer| answer.best);
                    self.play_answer(context);
                }
                SearchKind::Hint => {
                    self.task = None;
                    let name = |seat| self.session.name(seat);
                    let (lines, position) = (self.lines.all(), self.session.position());
                    self.hint = Some(words::hint(lines, position, Names::Given(&name)));
                    self.prepare_turn(context);
                }
                SearchKind::Thoughts => {
                    self.task = None;
                    self.is_analysis_done = true;
                }
            },
            _ => {}
        }
    }

    /// Plays the engine's move when its pause is over.
    fn play_answer(&mut self, context: &mut Context) {
        let Some(SearchTask { answer: Some(m), since, .. }) = self.task else { return };
        if context.now >= since + context.speed.pace() {
            self.play(m, context);
        }
    }

    /// Plays a move; an illegal one is explained.
    pub(crate) fn play(&mut self, m: Move, context: &mut Context) {
        let by_engine = self.session.to_move().is_some_and(|player| !player.is_person());
        let before = *self.session.position();
        let steps = match self.session.play(m, context.now) {
            Ok(steps) => steps,
            Err(error) => {
                self.note = Some(format!("{m} is illegal: {error}."));
                // Without the pause the engine would be asked the same again and again.
                if by_engine {
                    self.stop_search(context);
                    self.is_paused = true;
                }
                return;
            }
        };
        self.stop_search(context);
        self.clear_analysis();
        if !by_engine {
            self.news.clear();
        }
        let draft = steps.iter().find(|step| matches!(step, Step::Drafted { .. })).copied();
        let name = |seat| self.session.name(seat);
        let rules = self.session.position().rules();
        self.news.extend(draft.map(|step| words::step(&step, rules, Names::Given(&name))));
        let n_old = self.news.len().saturating_sub(4);
        self.news.drain(..n_old);
        // After a new deal the last draft is no longer visible on the table.
        let is_new_round = steps.iter().any(|step| matches!(step, Step::Dealt { .. }));
        self.last = draft.filter(|_| !is_new_round);
        let reached = self.session.position();
        self.animation =
            Animation::begin(steps, (&before, Some(m)), &mut self.shown, reached, context);
        context.effects.push(Effect::Save);
        self.prepare_turn(context);
    }

    /// Drops choices, hints and thoughts about the previous position.
    fn clear_analysis(&mut self) {
        self.chooser = Chooser::default();
        self.lines = BestLines::default();
        self.is_analysis_done = false;
        (self.hint, self.note) = (None, None);
    }

    /// Time has passed.
    pub(crate) fn tick(&mut self, context: &mut Context) {
        if let Some(animation) = &mut self.animation
            && context.now >= animation.next
            && !animation.advance(&mut self.shown, context)
        {
            self.show_rest(context);
        }
        self.play_answer(context);
    }

    /// Ends the animation and shows the position itself.
    pub(crate) fn show_rest(&mut self, context: &mut Context) {
        self.animation = None;
        self.shown = Setup::from(self.session.position());
        self.prepare_turn(context);
    }

    /// When the next tick is wanted: for the animation, the engine's move or the clock.
    pub(crate) fn wake(&self, context: &Context) -> Option<Instant> {
        let animates = self.animation.as_ref().map(|animation| animation.next);
        let plays = self.task.as_ref().filter(|task| task.answer.is_some());
        let plays = plays.map(|task| task.since + context.speed.pace());
        let clock = self.session.clock().and_then(|clock| clock.next_change(context.now));
        [animates, plays, clock].into_iter().flatten().min()
    }

    pub(crate) fn undo(&mut self, context: &mut Context) {
        self.stop_search(context);
        self.animation = None;
        let undone = self.session.undo();
        self.shown = Setup::from(self.session.position());
        self.clear_analysis();
        self.last = None;
        self.news.clear();
        self.note =
            Some(if undone { "Taken back." } else { "There is nothing to take back." }.into());
        if undone {
            context.effects.push(Effect::Save);
        }
        // If engines alone play, the same move would follow at once.
        self.is_paused |= self.session.players().iter().all(|player| !player.is_person());
        self.prepare_turn(context);
    }

    pub(crate) fn ask_hint(&mut self, context: &mut Context) {
        if self.is_asking() {
            self.stop_search(context);
            self.hint = None;
            let request = SearchRequest::advice(self.session.position(), HINT_TIME);
            self.ask(SearchKind::Hint, request, context);
        }
    }

    pub(crate) fn toggle_thoughts(&mut self, context: &mut Context) {
        self.has_thoughts = !self.has_thoughts;
        let is_thinking = |task: &SearchTask| task.kind == SearchKind::Thoughts;
        if !self.has_thoughts && self.task.as_ref().is_some_and(is_thinking) {
            self.stop_search(context);
        }
        self.is_analysis_done = false;
        self.prepare_turn(context);
    }

    pub(crate) fn toggle_pause(&mut self, context: &mut Context) {
        self.is_paused = !self.is_paused;
        if self.is_paused && self.session.to_move().is_some_and(|player| !player.is_person()) {
            self.stop_search(context);
        }
        self.prepare_turn(context);
    }

    /// Handles a letter or digit of the notation; returns whether it meant anything.
    pub(crate) fn letter(&mut self, letter: char, context: &mut Context) -> bool {
        if !self.is_asking() {
            return false;
        }
        let position = *self.session.position();
        let (made, is_known) = self.chooser.letter(&position, letter);
        if is_known {
            self.note = None;
        }
        if let Some(m) = made {
            self.play(m, context);
        }
        is_known
    }

    pub(crate) fn choose_hovered(&mut self, context: &mut Context) {
        let position = *self.session.position();
        self.note = None;
        if let Some(m) = self.chooser.choose_hovered(&position) {
            self.play(m, context);
        }
    }

    /// Handles the mouse at a place; a click chooses.
    pub(crate) fn point(&mut self, x: u16, y: u16, is_click: bool, context: &mut Context) {
        let Ok(layout) = Layout::new(context.area, self.shown.rules.players()) else { return };
        let Some(place) = layout.hit(x, y, &self.shown).filter(|_| self.is_asking()) else {
            return;
        };
        let position = *self.session.position();
        let is_ours = |seat: Seat| seat == position.turn();
        let choice = match place {
            Place::Tile(source, _) | Place::Source(source) if !is_click => Choice::Source(source),
            Place::Tile(source, tile) => {
                self.note = None;
                if self.chooser.source != Some(source) {
                    self.chooser.take_from(&position, source);
                }
                self.chooser.add_tile(&position, tile);
                return;
            }
            Place::Source(source) => return self.chooser.take_from(&position, source),
            Place::Floor(seat) if is_ours(seat) => Choice::To(Destination::Floor),
            Place::Space(seat, row, column)
                if is_ours(seat) && matches!(position.phase(), Phase::Tiling(_)) =>
            {
                Choice::Space(row, column)
            }
            // During the draft a click on the wall means the line of that row.
            Place::Line(seat, row) | Place::Space(seat, row, _) if is_ours(seat) => {
                Choice::To(Destination::Line(row))
            }
            _ => return,
        };
        let is_option = self.chooser.point_at(&position, choice);
        if is_click && is_option {
            self.choose_hovered(context);
        } else if is_click && let Some(m) = self.chooser.complete(choice) {
            let why = position.check(m).err().map(|error| error.to_string());
            self.note = why.map(|why| format!("{m} is illegal: {why}."));
        }
    }
}

/// The tiles of a source as shown, and whether the marker is there.
pub(crate) fn pile(setup: &Setup, source: Source) -> (Tiles, bool) {
    match source {
        Source::Center => (setup.center, setup.marker_in_center && setup.phase == Phase::Draft),
        factory => (setup.factories.get(factory.index() - 1).copied().unwrap_or_default(), false),
    }
}
