//! The views of a game and of a replay: the scene for the table and the words beside it.

use super::animation::{Animation, destination_of, seat_of};
use super::chooser::Choice;
use super::game::{GamePage, SearchKind};
use super::pile;
use super::replay::Replay;
use crate::draw::scene::{Focus, Ghost, Kind, Para, Scene, SeatTag, Space, Target};
use crate::session::{PlayerKind, show_ms};
use azulejo_rules::{Phase, Pick, Position, Seat, Step};
use azulejo_words::{self as words, Names};
use std::time::Instant;

impl GamePage {
    pub(crate) fn scene(&self, now: Instant) -> Scene<'_> {
        let position = self.session.position();
        let header = |&seat: &Seat| {
            let clock = self.session.clock().map(|clock| {
                let left_ms = clock.left_ms(seat, now);
                (show_ms(left_ms), left_ms < 20_000)
            });
            let name = self.session.name(seat);
            SeatTag { clock, ..seat_tag(position, seat, name, self.animation.as_ref()) }
        };
        Scene {
            setup: &self.shown,
            seats: position.rules().players().seats().iter().map(header).collect(),
            title: self.title(),
            subtitle: words::rules(position.rules()),
            focus: self.focus(),
            words: self.words(),
            keys: self.keys(),
        }
    }

    fn title(&self) -> String {
        let position = self.session.position();
        if let Some(animation) = &self.animation {
            let what = match animation.now {
                Some(Step::GameEnded { .. } | Step::BonusesScored { .. }) => "the end of the game",
                Some(Step::Dealt { .. }) => "the next deal",
                _ => "wall-tiling",
            };
            return format!("Round {} · {what}", self.shown.round);
        }
        match position.phase() {
            Phase::Over(_) => "The game is over".to_owned(),
            Phase::Tiling(row) => {
                let name = self.session.name(position.turn());
                format!("Round {} · {name} chooses a wall space for line {row}", position.round())
            }
            Phase::Draft | Phase::Deal => {
                format!(
                    "Round {} · {} to move",
                    position.round(),
                    self.session.name(position.turn())
                )
            }
        }
    }

    fn keys(&self) -> Vec<(&'static str, &'static str)> {
        let pause = if self.is_paused { "go on" } else { "pause" };
        let mut keys = if self.animation.is_some() {
            vec![("space", "skip"), ("+ -", "speed")]
        } else if self.session.is_over() {
            vec![("n", "new game"), ("p", "replay"), ("o", "games"), ("u", "undo")]
        } else if self.is_asking() {
            let mut keys = vec![("← →", "choose"), ("enter", "take it"), ("esc", "back")];
            keys.extend([("u", "undo"), ("h", "hint"), ("t", "thoughts")]);
            keys
        } else {
            vec![("space", pause), ("t", "thoughts"), ("u", "undo"), ("+ -", "speed")]
        };
        keys.extend([("?", "help"), ("q", "quit")]);
        keys
    }

    /// The highlights for the cursor, the choices and the last move.
    fn focus(&self) -> Focus {
        if let Some(animation) = &self.animation {
            return animation.focus();
        }
        let mut focus =
            Focus { last: self.last.as_ref().and_then(destination_of), ..Focus::default() };
        if !self.is_asking() {
            return focus;
        }
        let position = self.session.position();
        let seat = position.turn();
        (focus.source, focus.pick) = (self.chooser.source, self.chooser.pick);
        let hover = self.chooser.hover(position);
        match hover {
            Some(Choice::Source(source)) => focus.source = Some(source),
            Some(Choice::Pick(pick)) => focus.pick = Some(pick),
            _ => {}
        }
        for (choice, preview) in self.chooser.previews(position) {
            let is_hovered = hover == Some(choice);
            match (choice, preview.step) {
                (Choice::To(to), _) => {
                    let change = preview.change();
                    focus.targets.push(Target { seat, to, change, is_hovered });
                }
                (Choice::Space(row, column), Step::Placed { points, .. }) => {
                    focus.spaces.push(Space { seat, row, column, points, is_hovered });
                }
                _ => {}
            }
            if is_hovered
                && let Step::Drafted { to, into_line, to_floor, takes_marker, .. } = preview.step
            {
                focus.ghost = Some(Ghost { seat, to, into_line, to_floor, takes_marker });
            }
        }
        focus
    }

    /// The words beside the boards.
    fn words(&self) -> Vec<Para> {
        let mut words = Vec::new();
        if let Some(note) = &self.note {
            words.push(Para::new(Kind::Bad, note));
        }
        let name = |seat| self.session.name(seat);
        let names = Names::Given(&name);
        let rules = self.session.position().rules();
        if let Some(animation) = &self.animation {
            if let Some(step) = &animation.now {
                let kind = match step {
                    Step::FloorCleared { .. } | Step::Spilled { .. } => Kind::Bad,
                    Step::Placed { .. } | Step::BonusesScored { .. } => Kind::Good,
                    _ => Kind::Text,
                };
                words.push(Para::new(kind, words::step(step, rules, names)));
            }
            return words;
        }
        if let Some(outcome) = self.session.position().outcome() {
            words.push(Para::new(Kind::Head, format!("{}!", words::winners(&outcome, names))));
            words.push(Para::new(Kind::Text, format!("The end: {}.", outcome.by.describe())));
            words.push(Para::gap());
            let ranking = words::ranking(&outcome, rules, names);
            words.extend(ranking.into_iter().map(|line| Para::new(Kind::Text, line)));
            return words;
        }
        self.hints(&mut words);
        if self.is_asking() {
            self.prompt(&mut words);
        } else if let Some(player) = self.session.to_move() {
            let text = match player.kind {
                _ if self.is_paused => "Paused.".to_owned(),
                PlayerKind::Engine(level) => {
                    format!("{} thinks (level {}).", player.name, level.number())
                }
                PlayerKind::Person => String::new(),
            };
            words.push(Para::new(Kind::Head, text));
            self.thoughts(&mut words);
        }
        if !self.news.is_empty() {
            words.push(Para::gap());
            words.extend(self.news.iter().rev().map(|text| Para::new(Kind::Dim, text)));
        }
        words
    }

    /// The question, and what the choice under the cursor would do.
    fn prompt(&self, words: &mut Vec<Para>) {
        let position = self.session.position();
        let options = self.chooser.options(position);
        let typed: Vec<_> = options.iter().map(ToString::to_string).collect();
        let typed = typed.join(" ");
        let head = match options.first() {
            Some(Choice::Source(_)) => {
                "Take tiles: choose a factory by its number, or 0 for the center.".to_owned()
            }
            Some(Choice::Pick(_)) => format!("Which tiles? {typed}"),
            Some(Choice::To(_)) => {
                let taken = self.chooser.pick.map_or(String::new(), describe_pick);
                format!("Where do the {taken} tiles go? {typed}")
            }
            Some(Choice::Jokers(_)) => format!(
                "Not all fit. How many jokers enter the line instead of colored tiles? {typed}"
            ),
            Some(Choice::Space(row, _)) => {
                format!("Which column for the tile of line {row}? {typed}")
            }
            None => String::new(),
        };
        words.push(Para::new(Kind::Head, head));
        self.thoughts(words);
        let hover = self.chooser.hover(position);
        let preview =
            self.chooser.previews(position).into_iter().find(|(choice, _)| Some(*choice) == hover);
        if let Some((_, preview)) = preview {
            let name = |seat| self.session.name(seat);
            let lines = words::preview(&preview, position.rules(), Names::Given(&name));
            words.extend(lines.into_iter().map(|line| Para::new(Kind::Text, line)));
        } else if let Some(Choice::Source(source)) = hover {
            let (tiles, marker) = pile(&self.shown, source);
            let with = if marker { " and the marker" } else { "" };
            let text =
                format!("{}: {}{with}.", words::capital(&source.describe()), words::tiles(tiles));
            words.push(Para::new(Kind::Text, text));
        }
    }

    /// The hint.
    fn hints(&self, words: &mut Vec<Para>) {
        if self.task.as_ref().is_some_and(|task| task.kind == SearchKind::Hint) {
            words.push(Para::new(Kind::Good, "The engine is looking for a hint…"));
        }
        if let Some([first, rest @ ..]) = self.hint.as_deref() {
            words.push(Para::new(Kind::Good, format!("Hint: {first}")));
            words.extend(rest.iter().map(|line| Para::new(Kind::Text, line)));
            words.push(Para::gap());
        }
    }

    /// The engine's thoughts: depth, line and forecast of the best lines.
    fn thoughts(&self, words: &mut Vec<Para>) {
        if !self.has_thoughts {
            return;
        }
        let seat = self.session.position().turn();
        let lines = self.lines.all();
        if lines.is_empty() {
            words.push(Para::new(Kind::Dim, "The engine starts thinking…"));
        }
        for info in lines {
            let exact = if info.exact { "=" } else { "" };
            let forecast = words::forecast(info, seat);
            let text = format!("{}{exact}  {}  {forecast}", info.depth, words::line(info, 6));
            words.push(Para::new(Kind::Good, text));
        }
    }
}

impl Replay {
    pub(crate) fn scene(&self) -> Scene<'_> {
        let position = self.position();
        let header =
            |&seat: &Seat| seat_tag(position, seat, self.name(seat), self.animation.as_ref());
        let focus = match &self.animation {
            Some(animation) => animation.focus(),
            None => {
                let draft = self.last().and_then(|frame| frame.report.first());
                Focus { last: draft.and_then(destination_of), ..Focus::default() }
            }
        };
        let (n, of) = (self.n_moves(), self.record.n_moves());
        let play = if self.plays.is_some() { "pause" } else { "play" };
        let mut keys = vec![("← →", "step"), ("↑ ↓", "round"), ("space", play)];
        if self.judged.is_empty() {
            keys.push(("+ -", "speed"));
        } else {
            keys.extend([("n p", "mistakes"), ("h", "better move")]);
        }
        keys.extend([("enter", "play on from here"), ("esc", "leave")]);
        Scene {
            setup: &self.shown,
            seats: position.rules().players().seats().iter().map(header).collect(),
            title: format!("Replay · round {} · move {n} of {of}", self.shown.round),
            subtitle: words::rules(position.rules()),
            focus,
            words: self.words(),
            keys,
        }
    }

    fn words(&self) -> Vec<Para> {
        let name = |seat| self.name(seat);
        let names = Names::Given(&name);
        let rules = self.record.rules();
        if let Some(step) = self.animation.as_ref().and_then(|animation| animation.now.as_ref()) {
            return vec![Para::new(Kind::Text, words::step(step, rules, names))];
        }
        let mut words = Vec::new();
        if self.at == self.frames.len() {
            match self.position().outcome() {
                Some(outcome) => {
                    words.push(Para::new(Kind::Head, words::winners(&outcome, names)));
                    let ranking = words::ranking(&outcome, rules, names);
                    words.extend(ranking.into_iter().map(|line| Para::new(Kind::Text, line)));
                }
                None => {
                    words.push(Para::new(Kind::Dim, "The record ends here; the game is not over."));
                }
            }
        }
        match self.last() {
            None => {
                words.push(Para::new(Kind::Head, "The start of the game."));
                words.extend(self.record.comment().map(|text| Para::new(Kind::Text, text)));
            }
            Some(frame) => {
                if frame.m.is_some() {
                    words.push(Para::new(Kind::Head, &frame.text));
                }
                self.judgement_words(names, &mut words);
                words.extend(frame.comment.iter().map(|text| Para::new(Kind::Good, text)));
                let told = frame.report.iter().map(|step| words::step(step, rules, names));
                words.extend(told.map(|text| Para::new(Kind::Text, text)));
            }
        }
        words
    }
}

impl Replay {
    /// The win chance and the judgement of the move played last, and the better move if it is wanted.
    fn judgement_words(&self, names: Names<'_>, words: &mut Vec<Para>) {
        let Some(judged) = self.judgement() else { return };
        let kind = if judged.judgement.is_mark() { Kind::Bad } else { Kind::Good };
        words.push(Para::new(kind, words::verdict(judged)));
        if self.shows_better {
            let better = words::better(judged, names);
            words.extend(better.into_iter().map(|line| Para::new(Kind::Good, line)));
        }
        let chances = judged.after.iter().zip(Seat::ALL);
        let chances: Vec<_> = chances
            .map(|(&share, seat)| format!("{} {}", names.name(seat), words::chance(share)))
            .collect();
        words.push(Para::new(Kind::Dim, format!("To win: {}.", chances.join(", "))));
    }
}

/// The header of a board. During an animation it shows whose step is shown, and no projected score.
pub(crate) fn seat_tag(
    position: &Position,
    seat: Seat,
    name: String,
    animation: Option<&Animation>,
) -> SeatTag {
    let is_under_way = matches!(position.phase(), Phase::Draft | Phase::Tiling(_));
    let (projected, is_due) = match animation {
        Some(animation) => (None, animation.now.as_ref().and_then(seat_of) == Some(seat)),
        None => (
            is_under_way.then(|| position.projection(seat).score),
            is_under_way && position.turn() == seat,
        ),
    };
    SeatTag { name, projected, clock: None, is_due }
}

fn describe_pick(pick: Pick) -> String {
    match pick {
        Pick::Color(color) => color.name().to_owned(),
        Pick::Jokers => "joker".to_owned(),
        Pick::JokersAnd(color) => format!("joker and {}", color.name()),
    }
}
