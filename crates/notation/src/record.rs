//! A record: the moves of a game from its start, with names, tags and comments.
//!
//! Every record can be replayed: it is made by playing, or by parsing, which plays too. It stores no
//! result that could contradict the moves.

use crate::label::{MAX_TAGS, check_label, check_tag, comment};
use crate::problem::Problem;
use crate::seed::Seed;
use azulejo_rules::{
    Board, Deal, DealError, EndedBy, IllegalMove, Move, Phase, Position, Rules, Seat, Step,
};
use std::fmt;

/// A game as far as it has been played, with names, tags and comments.
///
/// ```
/// use azulejo_notation::Record;
/// use azulejo_rules::{Rules, Seat};
///
/// let mut record = Record::new("2c".parse::<Rules>()?, Seat::One)?;
/// record.set_name(Seat::One, "Ana")?;
/// record.deal(&"BBYR-KKKK-BYRK-YWWW-RRKK".parse()?)?;
/// record.play("1B2".parse()?)?;
/// record.set_comment("completes line 2")?;
/// let text = record.to_string();
/// assert!(text.contains("1B2 {completes line 2}"));
/// assert_eq!(text.parse::<Record>()?, record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Equality
/// Two records are equal if their canonical texts are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    start: Start,
    seed: Option<Seed>,
    names: [Option<String>; 4],
    tags: Vec<(String, String)>,
    comment: Option<String>,
    rounds: Vec<Round>,
    /// The position after all of them.
    position: Position,
}

/// Where a record begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::large_enum_variant, reason = "a record has one")]
pub enum Start {
    /// At a new game.
    New {
        /// The seat that starts round 1.
        first: Seat,
    },
    /// At any position.
    Position(Position),
}

/// A round of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Round {
    /// The deal; `None` only in the first round of a record that starts in the middle of one.
    pub deal: Option<Deal>,
    /// The comment after the deal.
    pub comment: Option<String>,
    /// The moves, wall choices among them.
    pub turns: Vec<Turn>,
}

/// A move of a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The move.
    pub m: Move,
    /// The comment after it.
    pub comment: Option<String>,
}

/// The result of a finished game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// Why it ended.
    pub by: EndedBy,
    /// The final scores by seat.
    pub scores: Vec<u16>,
}

/// As a record says it: `row 41-38`.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scores: Vec<String> = self.scores.iter().map(ToString::to_string).collect();
        write!(f, "{} {}", self.by.name(), scores.join("-"))
    }
}

/// Making a record.
impl Record {
    /// A record of a new game, before its first deal.
    ///
    /// # Errors
    /// If the seat is not in the game, or the rules name another one to start.
    pub fn new(rules: Rules, first: Seat) -> Result<Record, Problem> {
        if !rules.players().seats().contains(&first) {
            return Err(Problem::NoSuchSeat(first));
        }
        if let Some(named) = rules.first_player().filter(|&named| named != first) {
            return Err(Problem::OtherFirstPlayer { first, named });
        }
        Ok(Record::at(Start::New { first }, Position::new(rules, first)))
    }

    /// A record that starts from a position.
    #[must_use]
    pub fn from_position(position: Position) -> Record {
        Record::at(Start::Position(position), position)
    }

    fn at(start: Start, position: Position) -> Record {
        Record {
            start,
            seed: None,
            names: [const { None }; 4],
            tags: Vec::new(),
            comment: None,
            rounds: Vec::new(),
            position,
        }
    }

    /// Deals the next round.
    ///
    /// # Errors
    /// If no deal is due or the stock cannot supply this one; nothing has changed then.
    pub fn deal(&mut self, deal: &Deal) -> Result<(), DealError> {
        self.deal_with(deal, |_| {})
    }

    /// Deals the next round and reports it.
    ///
    /// # Errors
    /// As [`deal`](Record::deal).
    pub fn deal_with(&mut self, deal: &Deal, report: impl FnMut(Step)) -> Result<(), DealError> {
        self.position.deal_with(deal, report)?;
        self.rounds.push(Round { deal: Some(*deal), ..Round::default() });
        Ok(())
    }

    /// Plays a move. When it ends the game, the record has ended too.
    ///
    /// # Errors
    /// If the move is illegal; nothing has changed then.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        self.play_with(m, |_| {})
    }

    /// Plays a move and reports every step of it.
    ///
    /// # Errors
    /// As [`play`](Record::play).
    pub fn play_with(&mut self, m: Move, report: impl FnMut(Step)) -> Result<(), IllegalMove> {
        self.position.play_with(m, report)?;
        if self.rounds.is_empty() {
            // The record started in the middle of a round.
            self.rounds.push(Round::default());
        }
        let round = self.rounds.last_mut().expect("there is a round now");
        round.turns.push(Turn { m, comment: None });
        Ok(())
    }

    /// Sets the comment of the last move; after a deal that of the deal, and before the first deal that
    /// of the game. Runs of white space become one space; an empty text removes the comment.
    ///
    /// # Errors
    /// If the comment is too long or has braces or control characters in it.
    pub fn set_comment(&mut self, text: &str) -> Result<(), Problem> {
        let comment = comment(text)?;
        *self.comment_here() = comment;
        Ok(())
    }

    pub(crate) fn comment_here(&mut self) -> &mut Option<String> {
        match self.rounds.last_mut() {
            None => &mut self.comment,
            Some(Round { turns, comment, .. }) => match turns.last_mut() {
                None => comment,
                Some(turn) => &mut turn.comment,
            },
        }
    }

    /// Sets the seed of the deals. It is not checked here: see [`verify_deals`](crate::verify_deals).
    pub fn set_seed(&mut self, seed: Option<Seed>) {
        self.seed = seed;
    }

    /// Names a seat.
    ///
    /// # Errors
    /// If the seat is not in the game, or the name too long or with control characters in it.
    pub fn set_name(&mut self, seat: Seat, name: &str) -> Result<(), Problem> {
        if !self.rules().players().seats().contains(&seat) {
            return Err(Problem::NoSuchSeat(seat));
        }
        check_label(name, "a name")?;
        self.names[seat.index()] = Some(name.to_owned());
        Ok(())
    }

    /// Adds a tag, or changes the one of that name.
    ///
    /// # Errors
    /// If the name is not letters, digits and `_`, or has a meaning of its own; if the value is
    /// too long or has control characters in it; or if there are too many tags.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), Problem> {
        check_tag(name, value)?;
        if let Some(tag) = self.tags.iter_mut().find(|tag| tag.0 == name) {
            value.clone_into(&mut tag.1);
        } else if self.tags.len() < MAX_TAGS {
            self.tags.push((name.to_owned(), value.to_owned()));
        } else {
            return Err(Problem::TooLong { what: "the record", most: MAX_TAGS, unit: "tags" });
        }
        Ok(())
    }
}

/// Looking at a record.
impl Record {
    /// The rules of the game.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        self.position.rules()
    }

    /// Where the record begins.
    #[must_use]
    pub const fn start(&self) -> &Start {
        &self.start
    }

    /// The position in which the record begins.
    #[must_use]
    pub fn first_position(&self) -> Position {
        match self.start {
            Start::New { first } => Position::new(*self.rules(), first),
            Start::Position(position) => position,
        }
    }

    /// The position after everything that has been played.
    #[must_use]
    pub const fn final_position(&self) -> &Position {
        &self.position
    }

    /// The seed the deals came from, if it is known.
    #[must_use]
    pub const fn seed(&self) -> Option<&Seed> {
        self.seed.as_ref()
    }

    /// The name of a seat.
    #[must_use]
    pub fn name(&self, seat: Seat) -> Option<&str> {
        self.names[seat.index()].as_deref()
    }

    /// The names by seat.
    #[must_use]
    pub fn names(&self) -> &[Option<String>] {
        &self.names[..self.rules().players().count()]
    }

    /// The other tags, in order.
    #[must_use]
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// The value of one of the other tags.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.0 == name).map(|tag| tag.1.as_str())
    }

    /// The comment before the first round.
    #[must_use]
    pub fn comment(&self) -> Option<&str> {
        self.comment.as_deref()
    }

    /// What was dealt and played.
    #[must_use]
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// How many moves were played, wall choices among them.
    #[must_use]
    pub fn n_moves(&self) -> usize {
        self.rounds.iter().map(|round| round.turns.len()).sum()
    }

    /// The result, if the game is over.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        let by = self.position.ended_by()?;
        Some(End { by, scores: self.position.boards().iter().map(Board::score).collect() })
    }
}

/// Checks for the parsers.
impl Record {
    /// Checks a result that the record claims; `None` is a game under way.
    pub(crate) fn check_end(&self, claimed: Option<&End>) -> Result<(), Problem> {
        match (self.end(), claimed) {
            (None, None) => Ok(()),
            (None, Some(_)) => Err(Problem::NotOver),
            (Some(end), None) => Err(Problem::EndMissing(end)),
            (Some(end), Some(claimed)) if end == *claimed => Ok(()),
            (Some(end), Some(_)) => Err(Problem::WrongResult(end)),
        }
    }

    /// Checks that a round can begin.
    pub(crate) fn check_deal_due(&self) -> Result<(), Problem> {
        match self.position.phase() {
            Phase::Deal => Ok(()),
            Phase::Over(_) => Err(Problem::from("the game is over")),
            Phase::Draft | Phase::Tiling(_) => {
                Err(Problem::from(format!("round {} is still under way", self.position.round())))
            }
        }
    }

    /// Begins a record at a position whose rules should be these.
    pub(crate) fn from_position_with(position: Position, rules: &Rules) -> Result<Record, Problem> {
        if position.rules() == rules {
            return Ok(Record::from_position(position));
        }
        let (position, record) = (position.rules().to_string(), rules.to_string());
        Err(Problem::OtherRules { position, record })
    }

    /// Adds a tag that must be new.
    pub(crate) fn add_tag(&mut self, name: &str, value: &str) -> Result<(), Problem> {
        if self.tag(name).is_some() {
            return Err(Problem::DuplicateTag(name.to_owned()));
        }
        self.set_tag(name, value)
    }

    /// Adds a comment where there must be none yet.
    pub(crate) fn add_comment(&mut self, text: &str) -> Result<(), Problem> {
        if self.comment_here().is_some() {
            return Err(Problem::SecondComment);
        }
        self.set_comment(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_rules::Players;

    fn rules(text: &str) -> Rules {
        text.parse().unwrap()
    }

    fn play(record: &mut Record, moves: &str) {
        for m in moves.split(' ') {
            record.play(m.parse().unwrap()).unwrap();
        }
    }

    #[test]
    fn the_seat_that_starts_must_be_right() {
        assert!(Record::new(rules("2c"), Seat::Two).is_ok());
        let no_seat = Record::new(rules("2c"), Seat::Three);
        assert_eq!(no_seat, Err(Problem::NoSuchSeat(Seat::Three)));
        let other = Problem::OtherFirstPlayer { first: Seat::One, named: Seat::Two };
        assert_eq!(Record::new(rules("2c-first2"), Seat::One), Err(other));
    }

    #[test]
    fn a_record_ends_with_its_game() {
        let mut record = Record::new(rules("2c-stall1"), Seat::One).unwrap();
        record.deal(&"BBBB-YYYY-RRRR-KKKK-WWWW".parse().unwrap()).unwrap();
        play(&mut record, "1BF 2Y5 3RF 4KF");
        assert_eq!(record.end(), None);
        play(&mut record, "5W5");
        assert_eq!(record.end(), Some(End { by: EndedBy::Stall, scores: vec![0, 0] }));
        assert_eq!(record.play("1BF".parse().unwrap()), Err(IllegalMove::GameOver));
        let deal = "BBBB-YYYY-RRRR-KKKK-WWWW".parse().unwrap();
        assert_eq!(record.deal(&deal), Err(DealError::NotNow));
        assert_eq!(record.n_moves(), 5);
    }

    #[test]
    fn comments_go_to_the_last_thing_that_happened() {
        let mut record = Record::new(rules("2c"), Seat::One).unwrap();
        record.set_comment("game").unwrap();
        record.deal(&"BBYR-KKKK-BYRK-YWWW-RRKK".parse().unwrap()).unwrap();
        record.set_comment("deal").unwrap();
        play(&mut record, "1B2");
        record.set_comment("first").unwrap();
        record.set_comment("move").unwrap();
        play(&mut record, "2K4");
        record.set_comment("gone").unwrap();
        record.set_comment("  ").unwrap();
        let round = &record.rounds()[0];
        assert_eq!(record.comment(), Some("game"));
        assert_eq!(round.comment.as_deref(), Some("deal"));
        assert_eq!(round.turns[0].comment.as_deref(), Some("move"));
        assert_eq!(round.turns[1].comment, None);
    }

    #[test]
    fn the_number_of_tags_is_limited() {
        let mut record = Record::new(Rules::official(Players::Two), Seat::One).unwrap();
        for n in 0..MAX_TAGS {
            record.set_tag(&format!("T{n}"), "x").unwrap();
        }
        assert!(record.set_tag("T0", "y").is_ok());
        assert!(record.set_tag("More", "y").is_err());
        assert_eq!(record.tag("T0"), Some("y"));
        assert!(record.set_name(Seat::Three, "Ana").is_err());
    }
}
