//! The parser of records. It plays everything while it reads, so that every record can be replayed.

use crate::label::KnownTag;
use crate::problem::{Problem, RecordError, quoted};
use crate::record::{End, Record};
use crate::scan::{Scanner, Spot, Tag, Token, Word};
use crate::seed::{Seed, SeedError};
use azulejo_rules::{
    Deal, Draft, EndedBy, Move, ParseDealError, ParseMoveError, ParsePositionError, Position,
    Rules, RulesError, Seat,
};
use std::str::FromStr;

impl Record {
    /// Reads the text of one record and checks everything in it.
    ///
    /// # Errors
    /// The first fault.
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Record, RecordError> {
        match read(text.as_ref())? {
            (record, None) => Ok(record),
            (_, Some(error)) => Err(error),
        }
    }

    /// Reads the text of one record as far as it is right: the game up to the first fault, and
    /// the fault, if there is one. There is no record if the fault is in the tags.
    #[must_use]
    pub fn salvage(text: impl AsRef<[u8]>) -> (Option<Record>, Option<RecordError>) {
        match read(text.as_ref()) {
            Ok((record, error)) => (Some(record), error),
            Err(error) => (None, Some(error)),
        }
    }
}

/// The record as far as it is right, with the fault that ends it. A fault in the tags leaves none.
fn read(text: &[u8]) -> Result<(Record, Option<RecordError>), RecordError> {
    let mut scanner = Scanner::new(text);
    let mut record = read_tags(&mut scanner)?;
    let error = read_game(&mut scanner, &mut record).err();
    Ok((record, error))
}

impl FromStr for Record {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Record, RecordError> {
        Record::parse(text)
    }
}

/// The tags as they are read, with the places of those that can still turn out wrong.
#[derive(Default)]
struct Tags<'a> {
    rules: Option<Rules>,
    first: Option<(Seat, Spot)>,
    position: Option<(Position, Spot)>,
    seed: Option<Seed>,
    names: [Option<(String, Spot)>; 4],
    others: Vec<Tag<'a>>,
}

fn read_tags(scanner: &mut Scanner<'_>) -> Result<Record, RecordError> {
    let opening = scanner.next_spot();
    let opens = |tag: &Tag<'_>| tag.name.text == "Azulejo" && opening.column == 1;
    let Some(tag) = scanner.tag()?.filter(opens) else {
        return Err(scanner.broken_off(opening, "a record begins with a line `[Azulejo \"1\"]`"));
    };
    if tag.value != "1" {
        return Err(tag.value_spot.fault(Problem::Version(quoted(&tag.value))));
    }
    let mut tags = Tags::default();
    while let Some(tag) = scanner.tag()? {
        tags.add(tag)?;
    }
    tags.begin(scanner)
}

impl<'a> Tags<'a> {
    fn add(&mut self, tag: Tag<'a>) -> Result<(), RecordError> {
        let (name, at) = (tag.name, tag.value_spot);
        let is_new = match KnownTag::from_name(name.text) {
            Some(KnownTag::Azulejo) => false,
            Some(KnownTag::Rules) => {
                let rules = tag
                    .value
                    .parse()
                    .map_err(|error: RulesError| at.fault(rules_problem(&error)))?;
                self.rules.replace(rules).is_none()
            }
            Some(KnownTag::First) => {
                let seat = read_seat(&tag.value);
                let seat = seat.ok_or_else(|| at.fault("expected the seat that starts"))?;
                self.first.replace((seat, at)).is_none()
            }
            Some(KnownTag::Position) => {
                let position = tag.value.parse().map_err(|error| position_fault(at, &error))?;
                self.position.replace((position, at)).is_none()
            }
            Some(KnownTag::Seed) => {
                let seed =
                    tag.value.parse().map_err(|error: SeedError| at.fault(error.to_string()))?;
                self.seed.replace(seed).is_none()
            }
            Some(KnownTag::Seat(seat)) => {
                self.names[seat.index()].replace((tag.value, at)).is_none()
            }
            None => {
                self.others.push(tag);
                true
            }
        };
        if is_new { Ok(()) } else { Err(name.duplicate()) }
    }

    /// The record before its first deal or move.
    fn begin(self, scanner: &mut Scanner<'_>) -> Result<Record, RecordError> {
        let mut missing = |tag| scanner.broken_off(scanner.last_end(), Problem::MissingTag(tag));
        let Some(rules) = self.rules else { return Err(missing("Rules")) };
        let (record, at) = match (self.first, self.position) {
            (Some((first, at)), None) => (Record::new(rules, first), at),
            (None, Some((position, at))) => (Record::from_position_with(position, &rules), at),
            (Some((_, at)), Some(_)) => {
                return Err(at.fault("a record that begins at a Position has no First"));
            }
            (None, None) => return Err(missing("First")),
        };
        let mut record = record.map_err(|problem| at.fault(problem))?;
        record.set_seed(self.seed);
        for (seat, name) in Seat::ALL.into_iter().zip(self.names) {
            let Some((name, at)) = name else { continue };
            record.set_name(seat, &name).map_err(|problem| at.fault(problem))?;
        }
        for Tag { name, value, value_spot } in self.others {
            record.add_tag(name.text, &value).map_err(|problem| match problem {
                Problem::DuplicateTag(_) => name.duplicate(),
                problem => value_spot.fault(problem),
            })?;
        }
        Ok(record)
    }
}

impl Word<'_> {
    /// The fault of a tag that was there before.
    fn duplicate(self) -> RecordError {
        self.spot.fault(Problem::DuplicateTag(self.text.to_owned()))
    }
}

fn read_seat(text: &str) -> Option<Seat> {
    let mut letters = text.chars();
    let seat = letters.next().and_then(Seat::from_letter)?;
    letters.next().is_none().then_some(seat)
}

/// The problem of a rule set; its part can be any text.
pub(crate) fn rules_problem(error: &RulesError) -> Problem {
    Problem::Form(format!("not a rule set: {}: {}", quoted(&error.part), error.problem))
}

fn position_fault(at: Spot, error: &ParsePositionError) -> RecordError {
    match error {
        ParsePositionError::Syntax(error) => {
            at.right(error.column - 1).fault(format!("not a position: {}", error.problem))
        }
        ParsePositionError::Invalid(_) => at.fault(error.to_string()),
    }
}

fn read_game(scanner: &mut Scanner<'_>, record: &mut Record) -> Result<(), RecordError> {
    loop {
        match scanner.token()? {
            Token::Comment(comment) => {
                record.add_comment(comment.text).map_err(|p| comment.spot.fault(p))?;
            }
            Token::Word(word) if word.text == "round" => read_round(scanner, record, word)?,
            Token::Word(word) if word.text == "end" => {
                read_end(scanner, record, word)?;
                break;
            }
            Token::Word(word) if word.text == "*" => {
                record.check_end(None).map_err(|problem| word.spot.fault(problem))?;
                break;
            }
            Token::Word(word) => read_move(scanner, record, word)?,
            Token::End(spot) => {
                record.check_end(None).map_err(|problem| spot.fault(problem))?;
                return Err(spot.fault("the end is missing: `*` closes a game under way"));
            }
        }
    }
    match scanner.token()? {
        Token::End(_) => Ok(()),
        Token::Word(Word { spot, .. }) | Token::Comment(Word { spot, .. }) => {
            Err(spot.fault(Problem::AfterEnd))
        }
    }
}

/// Reads the word that must come next.
fn expect_word<'a>(scanner: &mut Scanner<'a>, expected: &str) -> Result<Word<'a>, RecordError> {
    match scanner.token()? {
        Token::Word(word) => Ok(word),
        Token::Comment(Word { spot, .. }) | Token::End(spot) => {
            Err(spot.fault(format!("expected {expected}")))
        }
    }
}

fn read_round(
    scanner: &mut Scanner<'_>,
    record: &mut Record,
    round: Word<'_>,
) -> Result<(), RecordError> {
    record.check_deal_due().map_err(|problem| round.spot.fault(problem))?;
    let expected = record.final_position().round();
    let number = expect_word(scanner, "the number of the round")?;
    if number.text != expected.to_string() {
        return Err(number.spot.fault(Problem::RoundNumber { expected }));
    }
    let word = expect_word(scanner, "a deal")?;
    let deal: Deal = word.text.parse().map_err(|error: ParseDealError| {
        word.spot.right(error.column - 1).fault(format!("not a deal: {}", error.problem))
    })?;
    record.deal(&deal).map_err(|error| word.spot.fault(error))
}

fn read_move(
    scanner: &Scanner<'_>,
    record: &mut Record,
    word: Word<'_>,
) -> Result<(), RecordError> {
    let m: Move = word.text.parse().map_err(|error: ParseMoveError| {
        let problem = match error.column {
            1 if word.text.starts_with('[') => {
                "tags come before the game; is the end of the record missing?".to_owned()
            }
            1 => "expected a move, a comment, `round`, `end` or `*`".to_owned(),
            _ => format!("not a move: expected {}", error.expected),
        };
        word.spot.right(error.column - 1).fault(problem)
    })?;
    if scanner.is_at_end() && could_go_on(record.final_position(), m) {
        return Err(scanner.last_end().fault("the text is cut off here, perhaps before a `j`"));
    }
    record.play(m).map_err(|reason| word.spot.fault(Problem::Move { m, reason }))
}

/// Whether a move would be another legal one with a `j` after it. All other moves are illegible
/// when they are cut short, but this one must not be salvaged.
fn could_go_on(position: &Position, m: Move) -> bool {
    match m {
        Move::Draft(draft) if draft.extra_jokers == 0 => {
            position.is_legal(Move::Draft(Draft { extra_jokers: 1, ..draft }))
        }
        _ => false,
    }
}

fn read_end(
    scanner: &mut Scanner<'_>,
    record: &mut Record,
    end: Word<'_>,
) -> Result<(), RecordError> {
    let reason = expect_word(scanner, "why the game ended")?;
    let by = EndedBy::from_name(reason.text).ok_or_else(|| {
        let names = EndedBy::ALL.map(EndedBy::name).join(", ");
        reason.spot.fault(format!("expected why the game ended: one of {names}"))
    })?;
    let scores_word = expect_word(scanner, "the scores")?;
    let scores = scores_word.text.split('-').map(read_score).collect::<Option<Vec<u16>>>();
    let scores = scores.ok_or_else(|| scores_word.spot.fault("expected scores, as in 41-38"))?;
    record.check_end(Some(&End { by, scores })).map_err(|problem| {
        let spot = match &problem {
            Problem::NotOver => end.spot,
            Problem::WrongResult(end) if end.by != by => reason.spot,
            _ => scores_word.spot,
        };
        spot.fault(problem)
    })
}

/// A number as it is printed, without sign or leading zeros.
fn read_score(text: &str) -> Option<u16> {
    text.parse().ok().filter(|score: &u16| score.to_string() == text)
}
