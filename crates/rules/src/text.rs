//! The text of a position: one line, canonical, safe in a URL and a shell. The grammar is in
//! `docs/notation.md`.

use crate::deal::Deal;
use crate::ending::EndedBy;
use crate::fault::InvalidSetup;
use crate::names::{Row, Seat, Tile};
use crate::position::{Phase, Position};
use crate::setup::{BoardSetup, Setup};
use crate::tiles::{ParseTilesError, Tiles};
use std::fmt;
use std::str::FromStr;

/// The first field, with the version of the notation.
const VERSION: &str = "az1";
/// Longer texts are refused unread; no position comes near.
const MAX_LENGTH: usize = 2000;

parse_error! {
    /// Where a text cannot be read as a position.
    ParseSetupError, "not a position at character {}: {}", problem: String
}

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ParsePositionError {
    /// It cannot be read.
    Syntax(ParseSetupError),
    /// It can be read but is not a legal position.
    Invalid(InvalidSetup),
}

impl fmt::Display for ParsePositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParsePositionError::Syntax(error) => error.fmt(f),
            ParsePositionError::Invalid(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ParsePositionError {}

impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        let setup: Setup = text.parse().map_err(ParsePositionError::Syntax)?;
        setup.validate().map_err(ParsePositionError::Invalid)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Setup::from(self).fmt(f)
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{VERSION}_{}_", self.rules)?;
        match self.phase {
            Phase::Draft => write!(f, "d{}", self.turn)?,
            Phase::Tiling(row) => write!(f, "w{}r{row}", self.turn)?,
            Phase::Deal => write!(f, "n")?,
            Phase::Over(by) => write!(f, "x{}", end_word(by))?,
        }
        write!(f, "_{}s{}", self.round, self.starter)?;
        if self.dry_rounds != 1 {
            write!(f, "i{}", self.dry_rounds)?;
        }
        for (i, tiles) in self.factories.iter().enumerate() {
            write!(f, "{}{tiles}", if i == 0 { "_" } else { "-" })?;
        }
        write!(f, "_{}", WithMarker(self.marker_in_center, self.center))?;
        write!(f, "_{}_{}", Counts(self.bag), Counts(self.lid))?;
        self.boards.iter().try_for_each(|board| write!(f, "_{board}"))
    }
}

impl fmt::Display for BoardSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.score)?;
        for (row, tiles) in Row::ALL.into_iter().zip(self.lines) {
            f.write_str(if row == Row::One { "~" } else { "-" })?;
            let jokers = tiles.only(Tile::Joker);
            jokers
                .each()
                .chain((tiles - jokers).each())
                .try_for_each(|tile| write!(f, "{tile}"))?;
            (tiles.total()..row.capacity()).try_for_each(|_| f.write_str("."))?;
        }
        for (row, spaces) in Row::ALL.into_iter().zip(&self.wall) {
            f.write_str(if row == Row::One { "~" } else { "-" })?;
            for space in spaces {
                write!(f, "{}", space.map_or('.', Tile::letter))?;
            }
        }
        write!(f, "~{}", WithMarker(self.has_marker, self.floor))
    }
}

/// Tiles with the marker before them.
struct WithMarker(bool, Tiles);

impl fmt::Display for WithMarker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WithMarker(false, tiles) => tiles.fmt(f),
            WithMarker(true, Tiles::EMPTY) => f.write_str("1"),
            WithMarker(true, tiles) => write!(f, "1{tiles}"),
        }
    }
}

/// Tiles as numbers by kind.
struct Counts(Tiles);

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str(".");
        }
        self.0.iter().try_for_each(|(tile, n)| write!(f, "{tile}{n}"))
    }
}

/// The word for an end. [`EndedBy::name`] has underscores, which separate fields here.
const fn end_word(by: EndedBy) -> &'static str {
    match by {
        EndedBy::Row => "row",
        EndedBy::NoTiles => "tiles",
        EndedBy::DeadPosition => "dead",
        EndedBy::Stall => "stall",
    }
}

impl FromStr for Setup {
    type Err = ParseSetupError;

    fn from_str(text: &str) -> Result<Setup, ParseSetupError> {
        let all = Part { text, column: 1 };
        if text.len() > MAX_LENGTH {
            return Err(all.fault(format!("longer than {MAX_LENGTH} bytes")));
        }
        let mut fields = all.split('_');
        let version = fields.next("the version, az1")?;
        if version.text != VERSION {
            return Err(version.fault(format!("a position must start with `{VERSION}`")));
        }
        let rules_part = fields.next("the rules")?;
        let rules: crate::Rules =
            rules_part.text.parse().map_err(|error| rules_part.fault(format!("{error}")))?;
        let (phase, turn) = fields.next("the phase")?.phase()?;
        let (round, starter, dry_rounds) = fields.next("the round")?.round()?;
        let factories = fields.next("the factories")?.deal()?.factories().to_vec();
        let (marker_in_center, center) = fields.next("the center")?.with_marker()?;
        let (bag_part, lid_part) = (fields.next("the bag")?, fields.next("the lid")?);
        let (bag, lid) = (bag_part.counts()?, lid_part.counts()?);
        let mut boards = Vec::new();
        while let Some(part) = fields.next_if_any() {
            if boards.len() == Seat::ALL.len() {
                return Err(part.fault("more than four boards"));
            }
            boards.push(part.board()?);
        }
        let mut setup = Setup {
            rules,
            phase,
            turn: turn.unwrap_or(starter),
            starter,
            round,
            dry_rounds,
            factories,
            center,
            marker_in_center,
            bag: bag.unwrap_or_default(),
            lid: lid.unwrap_or_default(),
            boards,
        };
        match (bag, lid) {
            (None, None) => return Err(lid_part.fault("only one of bag and lid can be `rest`")),
            (None, Some(_)) => setup.bag = setup.missing_tiles(),
            (Some(_), None) => setup.lid = setup.missing_tiles(),
            (Some(_), Some(_)) => {}
        }
        Ok(setup)
    }
}

/// A piece of the text with its offset.
#[derive(Clone, Copy)]
struct Part<'a> {
    text: &'a str,
    column: usize,
}

/// The pieces of a part between separators.
struct Parts<'a> {
    pieces: std::str::Split<'a, char>,
    column: usize,
}

impl<'a> Parts<'a> {
    fn next_if_any(&mut self) -> Option<Part<'a>> {
        let text = self.pieces.next()?;
        let part = Part { text, column: self.column };
        self.column += text.chars().count() + 1;
        Some(part)
    }

    fn next(&mut self, what: &str) -> Result<Part<'a>, ParseSetupError> {
        let column = self.column;
        self.next_if_any().ok_or_else(|| ParseSetupError {
            column: column - 1,
            problem: format!("the text ends before {what}"),
        })
    }

    fn end(mut self, separator: char) -> Result<(), ParseSetupError> {
        match self.next_if_any() {
            None => Ok(()),
            Some(part) => Err(part.fault(format!("there is one `{separator}` too many"))),
        }
    }
}

impl<'a> Part<'a> {
    fn fault(self, problem: impl Into<String>) -> ParseSetupError {
        ParseSetupError { column: self.column, problem: problem.into() }
    }

    /// The same part from a byte on, which must start a character.
    fn from(self, byte: usize) -> Part<'a> {
        let (before, text) = self.text.split_at(byte);
        Part { text, column: self.column + before.chars().count() }
    }

    fn split(self, separator: char) -> Parts<'a> {
        Parts { pieces: self.text.split(separator), column: self.column }
    }

    /// Reads a number without sign or leading zero and returns the part after it.
    fn number<T: FromStr>(self) -> Result<(T, Part<'a>), ParseSetupError> {
        let digits = self.text.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.text.len());
        let text = &self.text[..digits];
        if text.is_empty() || (text.len() > 1 && text.starts_with('0')) {
            return Err(self.fault("expected a number"));
        }
        let number = text.parse().map_err(|_| self.fault("the number is too large"))?;
        Ok((number, self.from(digits)))
    }

    fn skip(self, letter: char) -> Option<Part<'a>> {
        self.text.strip_prefix(letter).map(|text| Part { text, column: self.column + 1 })
    }

    fn letter<T>(
        self,
        expected: &str,
        read: impl Fn(char) -> Option<T>,
    ) -> Result<(T, Part<'a>), ParseSetupError> {
        let mut letters = self.text.chars();
        let value = letters.next().and_then(read);
        let value = value.ok_or_else(|| self.fault(format!("expected {expected}")))?;
        Ok((value, Part { text: letters.as_str(), column: self.column + 1 }))
    }

    fn end(self) -> Result<(), ParseSetupError> {
        if self.text.is_empty() { Ok(()) } else { Err(self.fault("this does not belong here")) }
    }

    fn phase(self) -> Result<(Phase, Option<Seat>), ParseSetupError> {
        let (kind, rest) = self.letter("the phase: d, w, n or x", Some)?;
        let (phase, seat, rest) = match kind {
            'd' => {
                let (seat, rest) = rest.letter("a seat", Seat::from_letter)?;
                (Phase::Draft, Some(seat), rest)
            }
            'w' => {
                let (seat, rest) = rest.letter("a seat", Seat::from_letter)?;
                let ((), rest) = rest.letter("r and a row", |c| (c == 'r').then_some(()))?;
                let (row, rest) = rest.letter("a row", Row::from_letter)?;
                (Phase::Tiling(row), Some(seat), rest)
            }
            'n' => (Phase::Deal, None, rest),
            'x' => {
                let by = EndedBy::ALL.into_iter().find(|&by| end_word(by) == rest.text);
                let by = by.ok_or_else(|| rest.fault("expected row, tiles, dead or stall"))?;
                return Ok((Phase::Over(by), None));
            }
            _ => return Err(self.fault("expected the phase: d, w, n or x")),
        };
        rest.end()?;
        Ok((phase, seat))
    }

    fn round(self) -> Result<(u16, Seat, u8), ParseSetupError> {
        let (round, rest) = self.number()?;
        let ((), rest) = rest.letter("s and a seat", |c| (c == 's').then_some(()))?;
        let (starter, rest) = rest.letter("a seat", Seat::from_letter)?;
        let (dry_rounds, rest) = match rest.skip('i') {
            Some(rest) => rest.number()?,
            None => (1, rest),
        };
        rest.end()?;
        Ok((round, starter, dry_rounds))
    }

    fn deal(self) -> Result<Deal, ParseSetupError> {
        self.text.parse().map_err(|error: crate::ParseDealError| ParseSetupError {
            column: self.column + error.column - 1,
            problem: error.problem.to_owned(),
        })
    }

    /// Tiles by letter, any order, `.` for none.
    fn tiles(self) -> Result<Tiles, ParseSetupError> {
        self.text.parse().map_err(|error: ParseTilesError| ParseSetupError {
            column: self.column + error.column - 1,
            problem: error.problem.to_owned(),
        })
    }

    /// The marker, if it is there, and tiles.
    fn with_marker(self) -> Result<(bool, Tiles), ParseSetupError> {
        match self.skip('1') {
            Some(rest) if rest.text.is_empty() => Ok((true, Tiles::EMPTY)),
            Some(rest) => Ok((true, rest.tiles()?)),
            None => Ok((false, self.tiles()?)),
        }
    }

    /// Numbers of tiles by kind; `None` for `rest`.
    fn counts(self) -> Result<Option<Tiles>, ParseSetupError> {
        match self.text {
            "rest" => return Ok(None),
            "." => return Ok(Some(Tiles::EMPTY)),
            "" => return Err(self.fault("nothing is written `.`")),
            _ => {}
        }
        let mut tiles = Tiles::EMPTY;
        let mut part = self;
        while !part.text.is_empty() {
            let (tile, rest) =
                part.letter("a tile (B Y R K W J) and a number", Tile::from_letter)?;
            let (n, rest) = rest.number()?;
            tiles = tiles
                .checked_with(tile, n)
                .ok_or_else(|| part.fault(format!("more than {} of a kind", Tiles::MAX)))?;
            part = rest;
        }
        Ok(Some(tiles))
    }

    fn board(self) -> Result<BoardSetup, ParseSetupError> {
        let mut parts = self.split('~');
        let (score, rest) = parts.next("the score")?.number()?;
        rest.end()?;
        let lines = parts.next("the lines")?.lines()?;
        let wall = parts.next("the wall")?.wall()?;
        let (has_marker, floor) = parts.next("the floor")?.with_marker()?;
        parts.end('~')?;
        Ok(BoardSetup { score, lines, wall, floor, has_marker })
    }

    fn lines(self) -> Result<[Tiles; 5], ParseSetupError> {
        let mut lines = [Tiles::EMPTY; 5];
        let mut parts = self.split('-');
        for (row, line) in Row::ALL.into_iter().zip(&mut lines) {
            let part = parts.next("a line")?;
            part.check_width(row.capacity() as usize)?;
            let filled = part.text.trim_end_matches('.');
            if !filled.is_empty() {
                *line = Part { text: filled, ..part }.tiles()?;
            }
        }
        parts.end('-')?;
        Ok(lines)
    }

    fn wall(self) -> Result<[[Option<Tile>; 5]; 5], ParseSetupError> {
        let mut wall = [[None; 5]; 5];
        let mut parts = self.split('-');
        for spaces in &mut wall {
            let mut part = parts.next("a row of the wall")?;
            part.check_width(spaces.len())?;
            for space in spaces {
                let tile = |c| {
                    if c == '.' { Some(None) } else { Tile::from_letter(c).map(Some) }
                };
                (*space, part) = part.letter("a tile (B Y R K W J) or `.`", tile)?;
            }
        }
        parts.end('-')?;
        Ok(wall)
    }

    fn check_width(self, expected: usize) -> Result<(), ParseSetupError> {
        let found = self.text.chars().count();
        if found == expected {
            return Ok(());
        }
        Err(self.fault(format!("width {found} instead of {expected}")))
    }
}
