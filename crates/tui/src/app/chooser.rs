//! The chooser: makes a move out of choices of source, pick, destination and jokers, or of a wall space.
//! It offers only choices that some legal move contains, so it needs no rules.

use azulejo_rules::{Column, Destination, Draft, Move, Pick, Position, Preview, Row, Source, Tile};
use std::fmt;

/// A choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Where to take tiles.
    Source(Source),
    /// Which tiles to take.
    Pick(Pick),
    /// Where to put them.
    To(Destination),
    /// The number of extra jokers that enter the line instead of colored tiles.
    Jokers(u8),
    /// A column of the wall, for the row that is due.
    Space(Row, Column),
}

/// As it is typed; of a wall space, the column.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Source(source) => source.fmt(f),
            Choice::Pick(pick) => pick.fmt(f),
            Choice::To(to) => to.fmt(f),
            Choice::Jokers(n) => n.fmt(f),
            Choice::Space(_, column) => column.fmt(f),
        }
    }
}

/// The choices made so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chooser {
    pub(crate) source: Option<Source>,
    pub(crate) pick: Option<Pick>,
    to: Option<Destination>,
    /// The place of the cursor among the options.
    cursor: usize,
    /// An `r` was typed: the digit after it is a row.
    row_typed: bool,
}

impl Chooser {
    /// The options for the next choice, in the order of the cursor.
    pub(crate) fn options(&self, position: &Position) -> Vec<Choice> {
        let mut options = Vec::new();
        for m in position.legal_moves() {
            let option = match m {
                Move::Place { row, column } => Choice::Space(row, column),
                Move::Draft(draft) => match self.next_of(draft) {
                    Some(option) => option,
                    None => continue,
                },
            };
            if !options.contains(&option) {
                options.push(option);
            }
        }
        // From left to right on the table: the factories, then the center.
        options.sort_by_key(|option| match *option {
            Choice::Source(source) => (source == Source::Center, source.index()),
            Choice::Pick(pick) => (false, Pick::ALL.iter().position(|&p| p == pick).unwrap_or(0)),
            Choice::To(to) => (false, to.index()),
            Choice::Jokers(n) => (false, usize::from(n)),
            Choice::Space(_, column) => (false, column.index()),
        });
        options
    }

    /// The next choice that leads to this draft, if it agrees with the choices made.
    fn next_of(&self, draft: Draft) -> Option<Choice> {
        match (self.source, self.pick, self.to) {
            (None, ..) => Some(Choice::Source(draft.source)),
            (Some(source), ..) if source != draft.source => None,
            (_, None, _) => Some(Choice::Pick(draft.pick)),
            (_, Some(pick), _) if pick != draft.pick => None,
            (.., None) => Some(Choice::To(draft.to)),
            (.., Some(to)) => (to == draft.to).then_some(Choice::Jokers(draft.extra_jokers)),
        }
    }

    /// The option under the cursor.
    pub(crate) fn hover(&self, position: &Position) -> Option<Choice> {
        let options = self.options(position);
        options.get(self.cursor.min(options.len().saturating_sub(1))).copied()
    }

    /// Puts the cursor on an option; returns false if it is none.
    pub(crate) fn point_at(&mut self, position: &Position, choice: Choice) -> bool {
        let at = self.options(position).iter().position(|&option| option == choice);
        self.cursor = at.unwrap_or(self.cursor);
        at.is_some()
    }

    /// Moves the cursor, from the last option to the first.
    pub(crate) fn step(&mut self, position: &Position, forward: bool) {
        let n = self.options(position).len();
        if n > 0 {
            let at = self.cursor.min(n - 1);
            self.cursor = if forward { (at + 1) % n } else { (at + n - 1) % n };
        }
    }

    /// Takes the last choice back; returns false if there was none.
    pub(crate) fn back(&mut self) -> bool {
        self.cursor = 0;
        self.row_typed = false;
        self.to.take().is_some() || self.pick.take().is_some() || self.source.take().is_some()
    }

    /// Chooses an option. Returns the move when it is complete.
    fn choose(&mut self, position: &Position, choice: Choice) -> Option<Move> {
        self.cursor = 0;
        match choice {
            Choice::Source(source) => {
                self.source = Some(source);
                // With one kind of tile there is no choice.
                if let [Choice::Pick(pick)] = self.options(position)[..] {
                    self.pick = Some(pick);
                }
                None
            }
            Choice::Pick(pick) => {
                self.pick = Some(pick);
                None
            }
            Choice::To(to) => {
                self.to = Some(to);
                match self.options(position)[..] {
                    [only] => self.complete(only),
                    _ => None,
                }
            }
            Choice::Jokers(_) | Choice::Space(..) => self.complete(choice),
        }
    }

    /// Chooses the option under the cursor.
    pub(crate) fn choose_hovered(&mut self, position: &Position) -> Option<Move> {
        self.hover(position).and_then(|choice| self.choose(position, choice))
    }

    /// The move that a choice completes, if it does; it may be illegal.
    pub(crate) fn complete(&self, choice: Choice) -> Option<Move> {
        let (to, extra_jokers) = match choice {
            Choice::Source(_) | Choice::Pick(_) => return None,
            Choice::To(to) => (to, 0),
            Choice::Jokers(extra) => (self.to?, extra),
            Choice::Space(row, column) => return Some(Move::Place { row, column }),
        };
        Some(Move::Draft(Draft { source: self.source?, pick: self.pick?, to, extra_jokers }))
    }

    /// Chooses what was typed if it is an option. Returns the move when it is complete, and whether
    /// it was an option.
    fn choose_typed(&mut self, position: &Position, typed: Option<Choice>) -> (Option<Move>, bool) {
        match typed.filter(|choice| self.options(position).contains(choice)) {
            Some(choice) => (self.choose(position, choice), true),
            None => (None, false),
        }
    }

    /// Handles a letter or digit of the notation for the next choice. Returns the move when it is
    /// complete, and whether the letter meant anything.
    pub(crate) fn letter(&mut self, position: &Position, letter: char) -> (Option<Move>, bool) {
        let upper = letter.to_ascii_uppercase();
        match self.options(position).first() {
            None => (None, false),
            Some(&Choice::Space(row, _)) => self.wall_letter(position, row, upper),
            Some(Choice::Jokers(_)) if upper == 'J' => (None, true),
            Some(Choice::Jokers(_)) => {
                let n = letter.to_digit(10);
                self.choose_typed(position, n.map(|n| Choice::Jokers(n as u8)))
            }
            Some(Choice::Pick(_) | Choice::To(_)) => {
                let to = Destination::from_letter(upper).map(Choice::To);
                match self.choose_typed(position, to) {
                    // A color or `J` may still change the pick.
                    (_, false) => {
                        let tile = Tile::from_letter(upper);
                        (None, tile.is_some_and(|tile| self.add_tile(position, tile)))
                    }
                    chosen => chosen,
                }
            }
            Some(Choice::Source(_)) => {
                self.choose_typed(position, Source::from_letter(upper).map(Choice::Source))
            }
        }
    }

    /// `r2c3`, or the column alone.
    fn wall_letter(&mut self, position: &Position, row: Row, letter: char) -> (Option<Move>, bool) {
        match letter {
            'R' => {
                self.row_typed = true;
                return (None, true);
            }
            'C' => return (None, true),
            _ => {}
        }
        if std::mem::take(&mut self.row_typed) {
            return (None, Row::from_letter(letter) == Some(row));
        }
        let column = Column::from_letter(letter);
        self.choose_typed(position, column.map(|column| Choice::Space(row, column)))
    }

    /// Adds a kind of tile to the pick: jokers and a color make a mixed pick, a second color replaces
    /// the first.
    pub(crate) fn add_tile(&mut self, position: &Position, tile: Tile) -> bool {
        let alone = match tile {
            Tile::Color(color) => Pick::Color(color),
            Tile::Joker => Pick::Jokers,
        };
        let wanted = match (self.pick, tile) {
            (Some(Pick::Jokers), Tile::Color(color)) => Pick::JokersAnd(color),
            (Some(Pick::Color(color)), Tile::Joker) => Pick::JokersAnd(color),
            _ => alone,
        };
        let before = self.clone();
        (self.pick, self.to) = (None, None);
        let mut picks = [wanted, alone].into_iter();
        let is_option = picks.any(|pick| self.choose_typed(position, Some(Choice::Pick(pick))).1);
        if !is_option {
            *self = before;
        }
        is_option
    }

    /// Starts again from a source, if it is an option.
    pub(crate) fn take_from(&mut self, position: &Position, source: Source) {
        let before = std::mem::take(self);
        if !self.choose_typed(position, Some(Choice::Source(source))).1 {
            *self = before;
        }
    }

    /// The previews of all options that complete a move.
    pub(crate) fn previews(&self, position: &Position) -> Vec<(Choice, Preview)> {
        let preview = |choice| Some((choice, position.preview(self.complete(choice)?).ok()?));
        self.options(position).into_iter().filter_map(preview).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Position {
        text.parse().unwrap()
    }

    const JOKERS: &str = "az1_2cj_d1_1s1_BBRJ-KKKK-.-.-._1_rest_._0~.-..-...-....-.....~.....-.....-.....-.....-.....~._0~.-..-...-....-.....~.....-.....-.....-.....-.....~.";
    const GREY: &str = "az1_2g_w2r3_3s1_.-.-.-.-._._rest_._9~.-..-...-....-.....~B....-.....-.....-.....-.....~1_4~.-..-YYY-....-RRR..~.....-.....-.....-.....-.....~KK";

    /// Types letters; gives the move if they make one.
    fn typed(position: &Position, text: &str) -> Option<String> {
        let mut chooser = Chooser::default();
        let mut made = None;
        for letter in text.chars() {
            assert_eq!(made, None, "{text}");
            made = chooser.letter(position, letter).0;
        }
        made.map(|m| m.to_string())
    }

    #[test]
    fn every_legal_move_can_be_typed_and_nothing_else() {
        for text in [JOKERS, GREY] {
            let position = position(text);
            for m in position.legal_moves() {
                let text = m.to_string();
                let made = typed(&position, &text);
                // Where extra jokers can be chosen, a zero means none.
                let made = made.or_else(|| typed(&position, &format!("{text}0")));
                assert_eq!(made, Some(text));
            }
        }
        let position = position(JOKERS);
        assert_eq!(typed(&position, "3B"), None);
        assert_eq!(typed(&position, "1W2"), None);
        assert_eq!(typed(&position, "2 3").as_deref(), Some("2K3"));
    }

    #[test]
    fn arrows_reach_every_option_and_back_leads_to_the_start() {
        let position = position(JOKERS);
        let mut chooser = Chooser::default();
        assert_eq!(chooser.options(&position).len(), 2);
        chooser.step(&position, false);
        assert_eq!(chooser.hover(&position), Some(Choice::Source(Source::Factory2)));
        chooser.step(&position, true);
        chooser.choose_hovered(&position);
        assert_eq!(chooser.options(&position).len(), 5);
        assert!(chooser.add_tile(&position, Tile::Joker));
        assert!(chooser.letter(&position, 'r').1);
        assert_eq!(chooser.pick.unwrap().to_string(), "JR");
        assert_eq!(chooser.previews(&position).len(), 6);
        assert!(chooser.back() && chooser.back() && !chooser.back());
        assert_eq!(chooser, Chooser::default());
    }
}
