//! A puzzle and its line of text.

use crate::short;
use crate::theme::Theme;
use azulejo_rules::{Move, Position, Seat};
use std::fmt;
use std::str::FromStr;

/// The longest line of a puzzle, in bytes.
pub const MAX_LINE: usize = 250;

/// A puzzle: a position in which one move is better than all others, and how play goes on.
///
/// Its text is one line of at most [`MAX_LINE`] bytes: id, certainty, margin, rating, themes, solution
/// and position, separated by spaces. docs/puzzles.md explains them.
///
/// ```
/// use azulejo_puzzles::Puzzle;
///
/// let line = azulejo_puzzles::samples().next().expect("a sample").to_string();
/// let puzzle: Puzzle = line.parse()?;
/// assert_eq!(puzzle.to_string(), line);
/// assert!(puzzle.position.is_legal(puzzle.solution[0]));
/// # Ok::<(), azulejo_puzzles::ParsePuzzleError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(into = "Form"))]
pub struct Puzzle {
    /// The position; the seat to move is the solver's.
    pub position: Position,
    /// The best move, the answers to it, the next best move and so on. The solver's moves are those
    /// where it is the solver's turn; the last one is.
    pub solution: Vec<Move>,
    /// How much the claim rests on.
    pub certainty: Certainty,
    /// How much the second best move is worse at least, at each move of the solver: points, where a
    /// win counts as 60.
    pub margin: u32,
    /// How hard it is, on the scale of ratings: 1500 is medium.
    pub rating: u32,
    /// What it is about, in the order of [`Theme::ALL`].
    pub themes: Vec<Theme>,
}

/// How much the claim of a puzzle rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Certainty {
    /// The game ends with this round; the margin is a fact, whatever the others play.
    Proved,
    /// The round is searched to its end; what comes after the next deal is an estimate, which sampled
    /// deals confirm.
    Solved,
}

impl Certainty {
    const ALL: [Certainty; 2] = [Certainty::Proved, Certainty::Solved];

    /// Its name in a puzzle's line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Certainty::Proved => "proved",
            Certainty::Solved => "solved",
        }
    }
}

impl Puzzle {
    /// The seat of the solver.
    #[must_use]
    pub fn seat(&self) -> Seat {
        self.position.turn()
    }

    /// Six letters and digits that follow from the position.
    #[must_use]
    pub fn id(&self) -> String {
        id(&short::shorten(&self.position))
    }

    /// The number of moves that the solver has to find.
    #[must_use]
    pub fn n_own_moves(&self) -> usize {
        self.replay().filter(|(position, _)| position.turn() == self.seat()).count()
    }

    /// The solution's moves, each with the position before it.
    pub fn replay(&self) -> impl Iterator<Item = (Position, Move)> {
        let mut position = self.position;
        self.solution.iter().map(move |&m| {
            let before = position;
            position.play_unchecked(m);
            (before, m)
        })
    }
}

/// FNV-1a in base 32, without letters that look like digits.
fn id(text: &str) -> String {
    const LETTERS: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (0..6).map(|i| char::from(LETTERS[(hash >> (34 + 5 * i)) as usize & 31])).collect()
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = short::shorten(&self.position);
        let (id, certainty) = (id(&position), self.certainty.name());
        let themes: Vec<&str> = self.themes.iter().map(|theme| theme.name()).collect();
        let themes = if themes.is_empty() { "-".to_owned() } else { themes.join(",") };
        let solution: Vec<String> = self.solution.iter().map(Move::to_string).collect();
        let (margin, rating, solution) = (self.margin, self.rating, solution.join(","));
        write!(f, "{id} {certainty} +{margin} {rating} {themes} {solution} {position}")
    }
}

/// Why a line is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePuzzleError {
    /// It has too many bytes.
    #[error("a puzzle has at most {MAX_LINE} bytes, not {0}")]
    Long(usize),
    /// It has not seven words.
    #[error("a puzzle has 7 words: id, certainty, margin, rating, themes, solution, position")]
    Words,
    /// A word is not what it should be.
    #[error("`{word}` is not {expected}")]
    Word {
        /// The word.
        word: String,
        /// What was expected.
        expected: &'static str,
    },
    /// The position is faulty.
    #[error("the position: {0}")]
    Position(#[from] azulejo_rules::ParsePositionError),
    /// The id belongs to another position.
    #[error("the id of this position is {0}")]
    Id(String),
    /// The solution cannot be played.
    #[error("the solution: {0} cannot be played")]
    Solution(Move),
    /// The solution does not end with a move of the solver.
    #[error("the solution does not end with a move of the solver")]
    End,
}

/// A puzzle as JSON, with what follows from it.
#[cfg(feature = "serde")]
#[derive(serde::Serialize)]
struct Form {
    id: String,
    certainty: Certainty,
    margin: u32,
    rating: u32,
    themes: Vec<Theme>,
    seat: usize,
    n_own_moves: usize,
    solution: Vec<Move>,
    position: Position,
}

#[cfg(feature = "serde")]
impl From<Puzzle> for Form {
    fn from(puzzle: Puzzle) -> Form {
        Form {
            id: puzzle.id(),
            seat: puzzle.seat().index() + 1,
            n_own_moves: puzzle.n_own_moves(),
            certainty: puzzle.certainty,
            margin: puzzle.margin,
            rating: puzzle.rating,
            themes: puzzle.themes,
            solution: puzzle.solution,
            position: puzzle.position,
        }
    }
}

impl FromStr for Puzzle {
    type Err = ParsePuzzleError;

    fn from_str(line: &str) -> Result<Puzzle, ParsePuzzleError> {
        if line.len() > MAX_LINE {
            return Err(ParsePuzzleError::Long(line.len()));
        }
        let words: Vec<&str> = line.split(' ').collect();
        let [id, certainty, margin, rating, themes, solution, position] = words[..] else {
            return Err(ParsePuzzleError::Words);
        };
        let puzzle = Puzzle {
            position: short::read(position)?,
            solution: read_list(solution, "a list of moves")?,
            certainty: Certainty::ALL
                .into_iter()
                .find(|known| known.name() == certainty)
                .ok_or_else(|| wrong(certainty, "`proved` or `solved`"))?,
            margin: read_number(margin.strip_prefix('+'), margin)?,
            rating: read_number(Some(rating), rating)?,
            themes: if themes == "-" { Vec::new() } else { read_list(themes, "a list of themes")? },
        };
        if puzzle.id() != id {
            return Err(ParsePuzzleError::Id(puzzle.id()));
        }
        let mut after = puzzle.position;
        let mut last = None;
        for &m in &puzzle.solution {
            last = Some(after.turn());
            after.play(m).map_err(|_| ParsePuzzleError::Solution(m))?;
        }
        if last != Some(puzzle.seat()) {
            return Err(ParsePuzzleError::End);
        }
        Ok(puzzle)
    }
}

fn wrong(word: &str, expected: &'static str) -> ParsePuzzleError {
    ParsePuzzleError::Word { word: word.to_owned(), expected }
}

fn read_list<T: FromStr>(word: &str, expected: &'static str) -> Result<Vec<T>, ParsePuzzleError> {
    word.split(',').map(|part| part.parse().map_err(|_| wrong(word, expected))).collect()
}

/// A number without sign or leading zeros.
fn read_number(digits: Option<&str>, word: &str) -> Result<u32, ParsePuzzleError> {
    let number = digits.and_then(|digits| {
        let number: u32 = digits.parse().ok()?;
        (number.to_string() == digits).then_some(number)
    });
    number.ok_or_else(|| wrong(word, "a number"))
}
