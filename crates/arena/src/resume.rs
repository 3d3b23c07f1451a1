//! Resuming a match: finished games are read back from their records.

use crate::contest::Contest;
use crate::fault::Fault;
use crate::game::{Ending, GameResult, MAX_ROUNDS, Thinking, shares_and_ranks};
use crate::luck::LuckMeter;
use crate::schedule::ScheduledGame;
use azulejo_notation::{Record, Start};
use azulejo_rules::{Phase, Seat};

/// Why a record does not belong to a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The tag `Game` is missing or has no numbers.
    #[error("it has no tag `Game` with the numbers of shuffle and rotation")]
    NoNumber,
    /// The match has no such game.
    #[error("the match has no game {0}")]
    NoSuchGame(String),
    /// Something is different from the match.
    #[error("game {game} has {what} {found}, but the match has {expected}")]
    Other {
        /// The number of the game.
        game: String,
        /// What differs.
        what: &'static str,
        /// As recorded.
        found: String,
        /// As in the match.
        expected: String,
    },
    /// The game is neither over nor lost by a fault.
    #[error("game {0} is not finished")]
    Unfinished(String),
}

impl Contest {
    /// Reads the results of finished games back from their records, in any order. The time that engines
    /// needed is not in the records.
    ///
    /// # Errors
    /// If a record is not of this match.
    pub fn resume(&self, records: &[Record]) -> Result<Vec<GameResult>, ResumeError> {
        let mut meter = self.luck_nodes.map(LuckMeter::new);
        records.iter().map(|record| self.restore(record, meter.as_mut())).collect()
    }

    fn restore(
        &self,
        record: &Record,
        meter: Option<&mut LuckMeter>,
    ) -> Result<GameResult, ResumeError> {
        let number = record.tag("Game").ok_or(ResumeError::NoNumber)?.to_owned();
        let game = self.scheduled(&number)?;
        self.compare(record, &game, &number)?;
        let ending = ending(record).ok_or(ResumeError::Unfinished(number))?;
        let (shares, ranks) = shares_and_ranks(record, &ending);
        let luck = meter.map_or(Vec::new(), |meter| meter.of_game(record));
        let thinking = vec![Thinking::default(); game.engines.len()];
        Ok(GameResult { game, record: record.clone(), ending, shares, ranks, luck, thinking })
    }

    /// The scheduled game with a number like `12.2`.
    fn scheduled(&self, number: &str) -> Result<ScheduledGame, ResumeError> {
        let (shuffle, rotation) = number.split_once('.').ok_or(ResumeError::NoNumber)?;
        let parse = |text: &str| text.parse::<u64>().map_err(|_| ResumeError::NoNumber);
        let (shuffle, rotation) = (parse(shuffle)?, parse(rotation)?);
        let missing = || ResumeError::NoSuchGame(number.to_owned());
        let schedule = self.schedule().map_err(|_| missing())?;
        let group_size = schedule.group_size() as u64;
        let n_shuffles = self.planned() / group_size;
        if !(1..=n_shuffles).contains(&shuffle) || !(1..=group_size).contains(&rotation) {
            return Err(missing());
        }
        Ok(schedule.game((shuffle - 1) * group_size + rotation - 1))
    }

    /// Checks that a record could be of this match.
    fn compare(
        &self,
        record: &Record,
        game: &ScheduledGame,
        number: &str,
    ) -> Result<(), ResumeError> {
        let names = |names: &mut dyn Iterator<Item = Option<&str>>| {
            names.map(|name| name.unwrap_or("?")).collect::<Vec<_>>().join(" and ")
        };
        let start = |start: &Start| match start {
            Start::New { .. } => "a new game".to_owned(),
            Start::Position(position) => position.to_string(),
        };
        let seats = self.rules.players().seats();
        let own = game.engines.iter().map(|&engine| Some(self.engines[engine].name.as_str()));
        let expected_start = self.new_record(game).0;
        let facts = [
            ("the rules", record.rules().to_string(), self.rules.to_string()),
            (
                "the seed",
                record.seed().map_or("none".to_owned(), ToString::to_string),
                game.seed.to_string(),
            ),
            (
                "the engines",
                names(&mut seats.iter().map(|&seat| record.name(seat))),
                names(&mut own.into_iter()),
            ),
            ("the start", start(record.start()), start(expected_start.start())),
        ];
        for (what, found, expected) in facts {
            if found != expected {
                return Err(ResumeError::Other { game: number.to_owned(), what, found, expected });
            }
        }
        Ok(())
    }
}

/// How a recorded game ended; `None` if it is not finished.
fn ending(record: &Record) -> Option<Ending> {
    let position = record.final_position();
    if let Phase::Over(_) = position.phase() {
        return Some(Ending::Played(
            position.boards().iter().map(azulejo_rules::Board::score).collect(),
        ));
    }
    let reason = record.tag("Reason")?.to_owned();
    let Some(forfeit) = record.tag("Forfeit") else {
        return (position.round() > MAX_ROUNDS).then_some(Ending::Endless);
    };
    let (seat, code) = forfeit.split_once(' ')?;
    let seat: Seat =
        record.rules().players().seats().iter().copied().find(|s| s.to_string() == seat)?;
    let code = Fault::CODES.into_iter().find(|known| *known == code)?;
    // The reason starts with the seat.
    let text = reason
        .split_once(&format!("seat {seat} "))
        .map_or(reason.clone(), |(_, text)| text.to_owned());
    Some(Ending::Forfeit(seat, Fault::Recorded { code, text }))
}
