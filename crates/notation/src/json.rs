//! A record as one JSON object, and reading it with the same checks as the text.

use crate::parse::rules_problem;
use crate::problem::{Place, Problem, RecordError, quoted, shown};
use crate::record::{End, Record, Start};
use crate::repair::repairs;
use crate::scan::MAX_JSON;
use azulejo_rules::{Phase, Rules, RulesError, Seat};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::str::FromStr;

/// The version of the form.
const VERSION: u64 = 1;

impl Record {
    /// The record as one JSON object on one line, without a line end.
    #[must_use]
    pub fn to_json(&self) -> String {
        to_line(&JsonRecord::from(self))
    }

    /// Reads one JSON object and checks everything in it.
    ///
    /// # Errors
    /// The first fault.
    pub fn from_json(json: impl AsRef<[u8]>) -> Result<Record, RecordError> {
        whole(read(json.as_ref())?)
    }

    /// Reads one JSON object as far as it is right, even a truncated one: the game up to the
    /// first fault, and the fault, if there is one.
    #[must_use]
    pub fn salvage_json(json: impl AsRef<[u8]>) -> (Option<Record>, Option<RecordError>) {
        let json = json.as_ref();
        let error = match read(json) {
            Ok((record, error)) => return (Some(record), error),
            Err(error) => error,
        };
        let mut repairs = repairs(json, &error.place).into_iter();
        let record = repairs.find_map(|repaired| read(&repaired).ok());
        (record.map(|(record, _)| record), Some(error))
    }
}

/// The record as far as it can be played, with the fault that ends it.
fn read(json: &[u8]) -> Result<(Record, Option<RecordError>), RecordError> {
    // The version comes first: another version may have other keys.
    let Version { azulejo } = from_line(json)?;
    check_version(azulejo)?;
    from_line::<JsonRecord>(json)?.read()
}

/// A record that can be played to its end.
pub(crate) fn whole(read: (Record, Option<RecordError>)) -> Result<Record, RecordError> {
    read.1.map_or(Ok(read.0), Err)
}

/// Reads a value from its text form.
fn parse<T: FromStr<Err: ToString>>(text: &str) -> Result<T, Problem> {
    text.parse().map_err(|error: T::Err| Problem::Form(error.to_string()))
}

fn check_version(azulejo: u64) -> Result<(), RecordError> {
    if azulejo == VERSION {
        return Ok(());
    }
    Err(RecordError::path("azulejo", Problem::Version(azulejo.to_string())))
}

#[derive(Deserialize)]
struct Version {
    azulejo: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JsonRecord {
    azulejo: u64,
    rules: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seats: Option<Vec<Option<String>>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "pairs")]
    tags: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    rounds: Vec<JsonRound>,
    // Required: without this attribute a missing end would count as a game under way.
    #[serde(deserialize_with = "Option::deserialize")]
    end: Option<JsonEnd>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonRound {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deal: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    moves: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "pairs")]
    comments: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonEnd {
    by: String,
    scores: Vec<u16>,
}

impl From<&Record> for JsonRecord {
    fn from(record: &Record) -> JsonRecord {
        let (first, position) = match record.start() {
            Start::New { first } => (Some(first.index() as u8 + 1), None),
            Start::Position(position) => (None, Some(position.to_string())),
        };
        let rounds = record.rounds().iter().map(|round| {
            let comment =
                |(i, turn): (usize, &crate::Turn)| Some((i.to_string(), turn.comment.clone()?));
            JsonRound {
                deal: round.deal.map(|deal| deal.to_string()),
                comment: round.comment.clone(),
                moves: round.turns.iter().map(|turn| turn.m.to_string()).collect(),
                comments: round.turns.iter().enumerate().filter_map(comment).collect(),
            }
        });
        let end = |End { by, scores }| JsonEnd { by: by.name().to_owned(), scores };
        JsonRecord {
            azulejo: VERSION,
            rules: record.rules().to_string(),
            first,
            position,
            seed: record.seed().map(ToString::to_string),
            seats: record.names().iter().any(Option::is_some).then(|| record.names().to_vec()),
            tags: record.tags().to_vec(),
            comment: record.comment().map(str::to_owned),
            rounds: rounds.collect(),
            end: record.end().map(end),
        }
    }
}

impl JsonRecord {
    /// The record as far as it can be played, with the fault that ends it.
    pub(crate) fn read(&self) -> Result<(Record, Option<RecordError>), RecordError> {
        check_version(self.azulejo)?;
        let mut record = self.begin()?;
        let error = self.play(&mut record).err();
        Ok((record, error))
    }

    /// The record before its first deal or move.
    fn begin(&self) -> Result<Record, RecordError> {
        let rules: Rules = self
            .rules
            .parse()
            .map_err(|error: RulesError| RecordError::path("rules", rules_problem(&error)))?;
        let mut record = self.start(&rules)?;
        if let Some(seed) = &self.seed {
            let seed = parse(seed).map_err(|problem| RecordError::path("seed", problem))?;
            record.set_seed(Some(seed));
        }
        let names = self.seats.as_deref().unwrap_or_default();
        if self.seats.is_some() && names.len() != rules.players().count() {
            let problem = format!("{} names for {} seats", names.len(), rules.players().count());
            return Err(RecordError::path("seats", problem));
        }
        for (seat, name) in Seat::ALL.into_iter().zip(names) {
            let at = |problem| RecordError::path(format!("seats[{}]", seat.index()), problem);
            name.as_ref().map_or(Ok(()), |name| record.set_name(seat, name)).map_err(at)?;
        }
        for (name, value) in &self.tags {
            let at = |problem| RecordError::path(format!("tags.{}", quoted(name)), problem);
            record.add_tag(name, value).map_err(at)?;
        }
        let comment = self.comment.as_deref().unwrap_or_default();
        record.set_comment(comment).map_err(|problem| RecordError::path("comment", problem))?;
        Ok(record)
    }

    fn start(&self, rules: &Rules) -> Result<Record, RecordError> {
        match (self.first, &self.position) {
            (Some(first), None) => {
                let seat = usize::from(first).checked_sub(1).and_then(Seat::from_index);
                let seat = seat.ok_or_else(|| Problem::from("expected a seat from 1 to 4"));
                seat.and_then(|seat| Record::new(*rules, seat))
                    .map_err(|problem| RecordError::path("first", problem))
            }
            (None, Some(text)) => {
                let at = |problem| RecordError::path("position", problem);
                Record::from_position_with(parse(text).map_err(at)?, rules).map_err(at)
            }
            (Some(_), Some(_)) => {
                let problem = "a record that begins at a position has no first";
                Err(RecordError::path("first", problem))
            }
            (None, None) => Err(RecordError::path("first", "the seat that starts is missing")),
        }
    }

    fn play(&self, record: &mut Record) -> Result<(), RecordError> {
        for (i, round) in self.rounds.iter().enumerate() {
            round.play(record, i, &format!("rounds[{i}]"))?;
        }
        self.check_end(record)
    }

    fn check_end(&self, record: &Record) -> Result<(), RecordError> {
        let claimed = match &self.end {
            None => None,
            Some(JsonEnd { by, scores }) => {
                let by = parse(by).map_err(|problem| RecordError::path("end.by", problem))?;
                Some(End { by, scores: scores.clone() })
            }
        };
        record.check_end(claimed.as_ref()).map_err(|problem| {
            let path = match (&problem, claimed) {
                (Problem::WrongResult(end), Some(claimed)) if end.by != claimed.by => "end.by",
                (Problem::WrongResult(_), _) => "end.scores",
                _ => "end",
            };
            RecordError::path(path, problem)
        })
    }
}

impl JsonRound {
    fn play(&self, record: &mut Record, round_idx: usize, path: &str) -> Result<(), RecordError> {
        let at = |key: &str, problem| RecordError::path(format!("{path}{key}"), problem);
        let is_under_way =
            matches!(record.final_position().phase(), Phase::Draft | Phase::Tiling(_));
        match &self.deal {
            Some(text) => {
                record.check_deal_due().map_err(|problem| at("", problem))?;
                let deal = parse(text).map_err(|problem| at(".deal", problem))?;
                record.deal(&deal).map_err(|error| at(".deal", error.into()))?;
            }
            None if round_idx == 0 && is_under_way => {}
            None => return Err(at("", Problem::from("the deal is missing"))),
        }
        if let Some(comment) = &self.comment {
            if self.deal.is_none() {
                let problem =
                    "the comment of a round comes after its deal, and this round has none";
                return Err(at(".comment", Problem::from(problem)));
            }
            record.set_comment(comment).map_err(|problem| at(".comment", problem))?;
        }
        let mut comments: BTreeMap<&str, &str> =
            self.comments.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
        for (i, text) in self.moves.iter().enumerate() {
            let at_move = |problem| at(&format!(".moves[{i}]"), problem);
            let m = parse(text).map_err(at_move)?;
            record.play(m).map_err(|reason| at_move(Problem::Move { m, reason }))?;
            if let Some(text) = comments.remove(i.to_string().as_str()) {
                record
                    .set_comment(text)
                    .map_err(|problem| at(&format!(".comments.{i}"), problem))?;
            }
        }
        match comments.keys().next() {
            None => Ok(()),
            Some(key) => {
                let problem = format!("there is no move {} in this round", quoted(key));
                Err(at(".comments", Problem::from(problem)))
            }
        }
    }
}

/// Writes a value on one line.
pub(crate) fn to_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("strings, numbers and lists can always be written")
}

/// Reads one value. A fault of form has a line and a column.
pub(crate) fn from_line<T: DeserializeOwned>(json: &[u8]) -> Result<T, RecordError> {
    if json.len() > MAX_JSON {
        let problem = Problem::TooLong { what: "a record", most: MAX_JSON, unit: "bytes" };
        return Err(RecordError { place: Place::At { line: 1, column: 1 }, problem });
    }
    serde_json::from_slice(json).map_err(|error| {
        let (line, n_bytes) = (error.line().max(1), error.column());
        let text = json.split(|&byte| byte == b'\n').nth(line - 1).unwrap_or_default();
        let before = String::from_utf8_lossy(&text[..n_bytes.min(text.len())]);
        let column = before.chars().count().max(1);
        let message = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = message.strip_suffix(&place).unwrap_or(&message);
        // The message can quote the input, which can be long and strange.
        let problem = Problem::Form(shown(message, 200));
        RecordError { place: Place::At { line, column }, problem }
    })
}

/// An object of strings whose order is kept and in which no key appears twice.
pub(crate) mod pairs {
    use serde::de::{Error, MapAccess, Visitor};
    use serde::{Deserializer, Serializer};
    use std::collections::HashSet;
    use std::fmt;

    type Pairs = Vec<(String, String)>;

    pub(crate) fn serialize<S: Serializer>(pairs: &Pairs, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(pairs.iter().map(|(key, value)| (key, value)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Pairs, D::Error> {
        from.deserialize_map(PairsVisitor)
    }

    struct PairsVisitor;

    impl<'de> Visitor<'de> for PairsVisitor {
        type Value = Pairs;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of strings")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
            let mut pairs = Pairs::new();
            let mut keys = HashSet::new();
            while let Some((key, value)) = map.next_entry::<String, String>()? {
                if !keys.insert(key.clone()) {
                    return Err(A::Error::custom(format_args!("duplicate key {key:?}")));
                }
                pairs.push((key, value));
            }
            Ok(pairs)
        }
    }
}
