//! The views of a game and of a replay: the scene for the table and the words beside it.

use super::chooser::Choice;
use super::game::{GamePage, SearchKind};
use super::replay::Replay;
use super::{picture, pile};
use crate::draw::scene::{Focus, Ghost, Kind, Para, Scene, SeatTag, Space, Target};
use crate::session::{PlayerKind, show_ms};
use azulejo_rules::{Phase, Pick, Position, Preview, Seat, Step};
use azulejo_words::{self as words, Names};
use std::time::Instant;

impl GamePage {
    pub(crate) fn scene(&self, now: Instant) -> Scene<'_> {
        let position = self.session.position();
        let is_live = self.animation.is_none();
        let seat_tag = |&seat: &Seat| {
            let is_due = match &self.animation {
                Some(animation) => animation.now.as_ref().and_then(picture::seat_of) == Some(seat),
                None => self.session.to_move().is_some() && position.turn() == seat,
            };
            let clock = self.session.clock().map(|clock| {
                let left_ms = clock.left_ms(seat, now);
                (show_ms(left_ms), left_ms < 20_000)
            });
            SeatTag {
                name: self.session.name(seat),
                projected: projected(position, seat).filter(|_| is_live),
                clock,
                is_due,
            }
        };
        let seats = position.rules().players().seats().iter().map(seat_tag).collect();
        let (focus, words) = (self.focus(), self.words());
        Scene {
            setup: &self.shown,
            seats,
            title: self.title(),
            subtitle: words::rules(position.rules()),
            focus,
            words,
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
        if self.animation.is_some() {
            return vec![("space", "skip"), ("+ -", "speed"), ("?", "help"), ("q", "quit")];
        }
        if self.session.is_over() {
            return vec![
                ("n", "new game"),
                ("p", "replay"),
                ("o", "games"),
                ("u", "undo"),
                ("?", "help"),
                ("q", "quit"),
            ];
        }
        if !self.is_asking() {
            let pause = if self.is_paused { "go on" } else { "pause" };
            return vec![
                ("space", pause),
                ("t", "thoughts"),
                ("u", "undo"),
                ("+ -", "speed"),
                ("?", "help"),
                ("q", "quit"),
            ];
        }
        vec![
            ("← →", "choose"),
            ("enter", "take it"),
            ("esc", "back"),
            ("u", "undo"),
            ("h", "hint"),
            ("t", "thoughts"),
            ("?", "help"),
            ("q", "quit"),
        ]
    }

    /// The highlights for the cursor, the choices and the last move.
    fn focus(&self) -> Focus {
        if let Some(animation) = &self.animation {
            return animation.now.as_ref().map_or_else(Focus::default, focus_of);
        }
        let mut focus = Focus { last: self.last.as_ref().and_then(last_of), ..Focus::default() };
        if !self.is_asking() {
            return focus;
        }
        let position = self.session.position();
        let seat = position.turn();
        let (source, pick, _) = self.chooser.chosen();
        (focus.source, focus.pick) = (source, pick);
        let hover = self.chooser.hover(position);
        match hover {
            Some(Choice::Source(source)) => focus.source = Some(source),
            Some(Choice::Pick(pick)) => focus.pick = Some(pick),
            _ => {}
        }
        for (choice, preview) in self.chooser.previews(position) {
            let is_hovered = hover == Some(choice);
            match choice {
                Choice::To(to) => {
                    let change = preview.change();
                    focus.targets.push(Target { seat, to, change, is_hovered });
                }
                Choice::Space(row, column) => {
                    let points = placed_points(&preview);
                    focus.spaces.push(Space { seat, row, column, points, is_hovered });
                }
                Choice::Jokers(_) | Choice::Source(_) | Choice::Pick(_) => {}
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
        let letters = |of: &dyn Fn(&Choice) -> Option<String>| {
            options.iter().filter_map(of).collect::<Vec<_>>().join(" ")
        };
        let head = match options.first() {
            Some(Choice::Source(_)) => {
                "Take tiles: choose a factory by its number, or 0 for the center.".to_owned()
            }
            Some(Choice::Pick(_)) => {
                let picks = letters(&|choice| match choice {
                    Choice::Pick(pick) => Some(pick.to_string()),
                    _ => None,
                });
                format!("Which tiles? {picks}")
            }
            Some(Choice::To(_)) => {
                let to = letters(&|choice| match choice {
                    Choice::To(to) => Some(to.to_string()),
                    _ => None,
                });
                let taken = self.chooser.chosen().1.map_or(String::new(), describe_pick);
                format!("Where do the {taken} tiles go? {to}")
            }
            Some(Choice::Jokers(_)) => {
                let n = letters(&|choice| match choice {
                    Choice::Jokers(n) => Some(n.to_string()),
                    _ => None,
                });
                format!("Not all fit. How many jokers enter the line instead of colored tiles? {n}")
            }
            Some(Choice::Space(row, _)) => {
                let columns = letters(&|choice| match choice {
                    Choice::Space(_, column) => Some(column.to_string()),
                    _ => None,
                });
                format!("Which column for the tile of line {row}? {columns}")
            }
            None => String::new(),
        };
        words.push(Para::new(Kind::Head, head));
        self.thoughts(words);
        let hover = self.chooser.hover(position);
        let preview =
            self.chooser.previews(position).into_iter().find(|(choice, _)| Some(*choice) == hover);
        if let Some((_, preview)) = preview {
            let lines = words::preview(
                &preview,
                position.rules(),
                Names::Given(&|seat| self.session.name(seat)),
            );
            words.extend(lines.into_iter().map(|line| Para::new(Kind::Text, line)));
        } else if let Some(Choice::Source(source)) = hover {
            let (tiles, marker) = pile(&self.shown, source);
            let with = if marker { " and the marker" } else { "" };
            let text = format!("{}: {}{with}.", capital(&source.describe()), words::tiles(tiles));
            words.push(Para::new(Kind::Text, text));
        }
    }

    /// The hint.
    fn hints(&self, words: &mut Vec<Para>) {
        if self.task.as_ref().is_some_and(|task| task.kind == SearchKind::Hint) {
            words.push(Para::new(Kind::Good, "The engine is looking for a hint…"));
        }
        if let Some(hint) = &self.hint {
            let lines = hint.iter().enumerate();
            words.extend(lines.map(|(i, line)| match i {
                0 => Para::new(Kind::Good, format!("Hint: {line}")),
                _ => Para::new(Kind::Text, line),
            }));
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
        let is_live = self.animation.is_none();
        let seat_tag = |&seat: &Seat| {
            let is_due = match &self.animation {
                Some(animation) => animation.now.as_ref().and_then(picture::seat_of) == Some(seat),
                None => {
                    matches!(position.phase(), Phase::Draft | Phase::Tiling(_))
                        && position.turn() == seat
                }
            };
            let projected = projected(position, seat).filter(|_| is_live);
            SeatTag { name: self.name(seat), projected, clock: None, is_due }
        };
        let seats = position.rules().players().seats().iter().map(seat_tag).collect();
        let focus = match &self.animation {
            Some(animation) => animation.now.as_ref().map_or_else(Focus::default, focus_of),
            None => {
                let draft = self.last().and_then(|frame| frame.report.first());
                Focus { last: draft.and_then(last_of), ..Focus::default() }
            }
        };
        let (n, of) = (self.n_moves(), self.record.n_moves());
        let play = if self.plays.is_some() { "pause" } else { "play" };
        Scene {
            setup: &self.shown,
            seats,
            title: format!("Replay · round {} · move {n} of {of}", self.shown.round),
            subtitle: words::rules(position.rules()),
            focus,
            words: self.words(),
            keys: vec![
                ("← →", "step"),
                ("↑ ↓", "round"),
                ("space", play),
                ("+ -", "speed"),
                ("enter", "play on from here"),
                ("esc", "leave"),
            ],
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
                if frame.is_move {
                    words.push(Para::new(Kind::Head, &frame.text));
                }
                words.extend(frame.comment.iter().map(|text| Para::new(Kind::Good, text)));
                let told = frame.report.iter().map(|step| words::step(step, rules, names));
                words.extend(told.map(|text| Para::new(Kind::Text, text)));
            }
        }
        words
    }
}

/// The score if the round ended now; `None` between rounds and after the end.
fn projected(position: &Position, seat: Seat) -> Option<u16> {
    let is_under_way = matches!(position.phase(), Phase::Draft | Phase::Tiling(_));
    is_under_way.then(|| position.projection(seat).score)
}

fn placed_points(preview: &Preview) -> u32 {
    match preview.step {
        Step::Placed { points, .. } => points,
        _ => 0,
    }
}

/// The highlights for a step of an animation.
fn focus_of(step: &Step) -> Focus {
    let mut focus = Focus::default();
    match *step {
        Step::Placed { seat, row, column, points, .. } => {
            focus.placed = Some((seat, row, column, points));
        }
        Step::FloorCleared { seat, loss, .. } => focus.paid = Some((seat, loss)),
        Step::Drafted { .. } => focus.last = last_of(step),
        _ => {}
    }
    focus
}

fn last_of(step: &Step) -> Option<(Seat, azulejo_rules::Destination)> {
    match *step {
        Step::Drafted { seat, to, .. } => Some((seat, to)),
        _ => None,
    }
}

fn describe_pick(pick: Pick) -> String {
    match pick {
        Pick::Color(color) => color.name().to_owned(),
        Pick::Jokers => "joker".to_owned(),
        Pick::JokersAnd(color) => format!("joker and {}", color.name()),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(char::to_uppercase).into_iter().flatten().chain(letters).collect()
}
