//! A position that is being set up by hand: any arrangement, its faults in words, and its text.

use crate::view::position::{letters, seat};
use azulejo_rules::{BoardSetup, Phase, Rules, Seat, Setup, Tile, Tiles};
use serde::{Deserialize, Serialize};

/// An arrangement as an editor shows and changes it. Tiles are letters in one text; seats count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupForm {
    /// The rules in the notation.
    pub rules: String,
    /// Whether the seats draft, or wait for a deal.
    pub is_dealt: bool,
    /// The seat to move; the starter if they wait for a deal.
    pub turn: u8,
    /// The round.
    pub round: u16,
    /// The tiles of each factory.
    pub factories: Vec<String>,
    /// The tiles in the center.
    pub center: String,
    /// The seat that holds the marker, or `None` if it lies in the center.
    pub marker: Option<u8>,
    /// The tiles in the bag; `None` puts all tiles there that are nowhere else.
    pub bag: Option<String>,
    /// The tiles in the lid.
    pub lid: String,
    /// The boards, by seat.
    pub boards: Vec<BoardForm>,
}

/// One board of a [`SetupForm`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardForm {
    /// The points so far.
    pub score: u16,
    /// The tiles of each line.
    pub lines: [String; 5],
    /// The rows of the wall, `.` for an empty space.
    pub wall: [String; 5],
    /// The tiles on the floor, without the marker.
    pub floor: String,
}

/// What the rules say about an arrangement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SetupView {
    /// The arrangement, with the bag filled.
    pub form: SetupForm,
    /// Its text: that of a position if it has no fault.
    pub text: String,
    /// All its faults in words; none if it is a position.
    pub faults: Vec<String>,
}

impl SetupView {
    /// Reads the text of an arrangement, with faults or without.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(text: &str) -> Result<SetupView, String> {
        let setup: Setup =
            text.trim().parse().map_err(|e: azulejo_rules::ParseSetupError| e.to_string())?;
        Ok(SetupView::new(&setup))
    }

    /// A new game before its first deal, to begin with.
    ///
    /// # Errors
    /// If the rules cannot be read.
    pub fn of_rules(rules: &str) -> Result<SetupView, String> {
        let rules: Rules = rules.parse().map_err(|e| format!("{e}"))?;
        Ok(SetupView::new(&Setup::new(rules)))
    }

    /// Checks an arrangement.
    ///
    /// # Errors
    /// If it has letters or seats that do not exist.
    pub fn check(form: &SetupForm) -> Result<SetupView, String> {
        Ok(SetupView::new(&form.setup()?))
    }

    fn new(setup: &Setup) -> SetupView {
        let faults = match setup.validate() {
            Ok(_) => Vec::new(),
            Err(invalid) => invalid.faults().iter().map(ToString::to_string).collect(),
        };
        SetupView { form: SetupForm::new(setup), text: setup.to_string(), faults }
    }
}

impl SetupForm {
    fn new(setup: &Setup) -> SetupForm {
        let board = |board: &BoardSetup| BoardForm {
            score: board.score,
            lines: board.lines.map(letters),
            wall: board
                .wall
                .map(|row| row.map(|tile| tile.map_or('.', Tile::letter)).iter().collect()),
            floor: letters(board.floor),
        };
        let holder = setup.boards.iter().position(|board| board.has_marker);
        SetupForm {
            rules: setup.rules.to_string(),
            is_dealt: matches!(setup.phase, Phase::Draft),
            turn: seat(setup.turn),
            round: setup.round,
            factories: setup.factories.iter().map(|&tiles| letters(tiles)).collect(),
            center: letters(setup.center),
            marker: holder.map(|i| i as u8 + 1),
            bag: Some(letters(setup.bag)),
            lid: letters(setup.lid),
            boards: setup.boards.iter().map(board).collect(),
        }
    }

    fn setup(&self) -> Result<Setup, String> {
        let rules: Rules = self.rules.parse().map_err(|e| format!("{e}"))?;
        let turn = read_seat(self.turn)?;
        let mut boards = self.boards.iter().map(BoardForm::setup).collect::<Result<Vec<_>, _>>()?;
        if let Some(holder) = self.marker {
            let board = boards.get_mut(usize::from(holder).wrapping_sub(1));
            board.ok_or("nobody holds the marker")?.has_marker = true;
        }
        let setup = Setup {
            rules,
            phase: if self.is_dealt { Phase::Draft } else { Phase::Deal },
            turn,
            starter: turn,
            round: self.round,
            // A setup by hand has no history: as few rounds without a placement as possible.
            dry_rounds: 1,
            factories: self.factories.iter().map(|text| tiles(text)).collect::<Result<_, _>>()?,
            center: tiles(&self.center)?,
            marker_in_center: self.marker.is_none(),
            bag: self.bag.as_deref().map_or(Ok(Tiles::EMPTY), tiles)?,
            lid: tiles(&self.lid)?,
            boards,
        };
        Ok(if self.bag.is_none() { setup.with_rest_in_bag() } else { setup })
    }
}

impl BoardForm {
    fn setup(&self) -> Result<BoardSetup, String> {
        let mut board =
            BoardSetup { score: self.score, floor: tiles(&self.floor)?, ..BoardSetup::default() };
        for (line, text) in board.lines.iter_mut().zip(&self.lines) {
            *line = tiles(text)?;
        }
        for (row, text) in board.wall.iter_mut().zip(&self.wall) {
            for (space, letter) in row.iter_mut().zip(text.chars()) {
                *space = Tile::from_letter(letter);
            }
        }
        Ok(board)
    }
}

fn read_seat(number: u8) -> Result<Seat, String> {
    let seat = usize::from(number).checked_sub(1).and_then(Seat::from_index);
    seat.ok_or_else(|| "a seat is a number from 1 to 4".to_owned())
}

fn tiles(text: &str) -> Result<Tiles, String> {
    if text.is_empty() {
        return Ok(Tiles::EMPTY);
    }
    text.parse().map_err(|e: azulejo_rules::ParseTilesError| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_rules::{Players, Position};

    #[test]
    fn a_position_survives_the_editor() {
        let text = Position::new(Rules::official(Players::Three), Seat::Two).to_string();
        let view = SetupView::read(&text).unwrap();
        assert_eq!(SetupView::check(&view.form).unwrap(), view);
        assert!(SetupView::of_rules("4gj").unwrap().faults.is_empty());
        assert!(SetupView::of_rules("9x").is_err());
        assert_eq!((view.text, view.faults.len()), (text, 0));
    }

    #[test]
    fn faults_are_named_while_it_is_edited() {
        let text = Position::new(Rules::official(Players::Two), Seat::One).to_string();
        let mut form = SetupView::read(&text).unwrap().form;
        form.factories[0] = "BBBBB".to_owned();
        form.boards[1].lines[0] = "RY".to_owned();
        let view = SetupView::check(&form).unwrap();
        let expected = ["factory 1 holds 5 tiles", "2 tiles on line 1", "blue tiles: 25"];
        for words in expected {
            assert!(view.faults.iter().any(|fault| fault.contains(words)), "{:?}", view.faults);
        }
        form.bag = None;
        let view = SetupView::check(&form).unwrap();
        assert!(!view.faults.iter().any(|fault| fault.contains("blue tiles")), "{:?}", view.faults);
        form.turn = 7;
        assert!(SetupView::check(&form).is_err());
        form.turn = 1;
        form.center = "XYZ".to_owned();
        assert!(SetupView::check(&form).is_err());
    }
}
