//! The interchange form: JSON games of other programs, with indices from 0 and expected results.

use crate::expect::Expect;
use crate::json::{from_line, pairs, to_line};
use crate::problem::{Problem, RecordError, quoted};
use crate::record::{Record, Start};
use crate::replay::Action;
use azulejo_rules::{
    Color, Column, Deal, Destination, Draft, Move, Phase, Pick, Players, Position, Row, Rules,
    Seat, Source, Tile, Tiles, WallKind,
};
use serde::{Deserialize, Serialize};
use std::ops::Not;

/// The number of a joker where a color is expected.
const JOKER: u8 = 5;

/// The keys of a rule set that the form has keys of its own for.
const OWN_KEYS: [&str; 3] = ["players", "wall", "jokers"];

impl Record {
    /// Reads a game in the interchange form and plays it. It may stop before its end. The results
    /// that came with it, if any, are for [`check`](crate::check).
    ///
    /// # Errors
    /// The first fault.
    pub fn from_interchange(
        json: impl AsRef<[u8]>,
    ) -> Result<(Record, Option<Expect>), RecordError> {
        let game: Game = from_line(json.as_ref())?;
        let first = Seat::from_index(game.first.into());
        let first =
            first.ok_or_else(|| Problem::from(format!("there is no player {}", game.first)));
        let rules = game.rule_set()?;
        let mut record = first
            .and_then(|first| Record::new(rules, first))
            .map_err(|problem| RecordError::path("first", problem))?;
        for (i, round) in game.rounds.iter().enumerate() {
            round.play(&mut record, &format!("rounds[{i}]"))?;
        }
        Ok((record, game.expect))
    }

    /// The game in the interchange form on one line, with the results to check, if there are any;
    /// [`Expect::of`] has all. Names, tags, comments and the seed have no place there, and neither
    /// has a game that starts from a position: that gives `None`.
    #[must_use]
    pub fn to_interchange(&self, expect: Option<&Expect>) -> Option<String> {
        let &Start::New { first } = self.start() else { return None };
        let mut game = Game::new(self.rules(), first);
        game.expect = expect.cloned();
        for step in self.replay() {
            match step.action {
                Action::Deal(deal) => game.rounds.push(GameRound::new(&deal)),
                Action::Move(m) => {
                    game.rounds.last_mut()?.moves.push(GameMove::new(m, &step.before));
                }
            }
        }
        Some(to_line(&game))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Game {
    players: u8,
    first: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wall: Option<WallName>,
    #[serde(default, skip_serializing_if = "Not::not")]
    jokers: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "pairs")]
    rules: Vec<(String, String)>,
    rounds: Vec<GameRound>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expect: Option<Expect>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WallName {
    Colored,
    Grey,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameRound {
    factories: Vec<Vec<u8>>,
    moves: Vec<GameMove>,
}

/// A draft or a wall choice: one struct and not an enum, so that a message can say what is wrong.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameMove {
    player: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<NumberOrWord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<NumberOrWord>,
    #[serde(default, skip_serializing_if = "Not::not")]
    jokers: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    jokers_in_line: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    row: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    column: Option<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number, \"center\" or \"floor\"")]
enum NumberOrWord {
    Number(u8),
    Word(String),
}

impl Game {
    fn new(rules: &Rules, first: Seat) -> Game {
        let official = Rules::official(rules.players()).keys();
        let differs =
            |key: &(&'static str, String)| !OWN_KEYS.contains(&key.0) && !official.contains(key);
        let keys = rules.keys().into_iter().filter(differs);
        Game {
            players: rules.players() as u8,
            first: first.index() as u8,
            wall: (rules.wall == WallKind::Grey).then_some(WallName::Grey),
            jokers: rules.jokers,
            rules: keys.map(|(key, value)| (key.to_owned(), value)).collect(),
            rounds: Vec::new(),
            expect: None,
        }
    }

    fn rule_set(&self) -> Result<Rules, RecordError> {
        let players = Players::from_count(self.players.into());
        let players =
            players.ok_or_else(|| RecordError::path("players", "expected 2, 3 or 4 players"))?;
        let mut rules = Rules::official(players);
        if self.wall == Some(WallName::Grey) {
            rules.wall = WallKind::Grey;
        }
        rules.jokers = self.jokers;
        for (key, value) in &self.rules {
            let at = |problem: String| RecordError::path(format!("rules.{}", quoted(key)), problem);
            if OWN_KEYS.contains(&key.as_str()) {
                return Err(at("this key belongs next to `rules`, not inside it".to_owned()));
            }
            rules.set(key, value).map_err(|error| at(error.problem))?;
        }
        Ok(rules)
    }
}

impl GameRound {
    fn new(deal: &Deal) -> GameRound {
        let numbers = |tiles: &Tiles| tiles.each().map(|tile| tile.index() as u8).collect();
        let factories = deal.factories().iter().map(numbers);
        GameRound { factories: factories.collect(), moves: Vec::new() }
    }

    fn play(&self, record: &mut Record, path: &str) -> Result<(), RecordError> {
        record.check_deal_due().map_err(|problem| RecordError::path(path, problem))?;
        let at = |problem| RecordError::path(format!("{path}.factories"), problem);
        let deal = self.deal().map_err(at)?;
        record.deal(&deal).map_err(|error| at(error.into()))?;
        for (i, m) in self.moves.iter().enumerate() {
            let at = |problem| RecordError::path(format!("{path}.moves[{i}]"), problem);
            let m = m.read(record.final_position()).map_err(at)?;
            record.play(m).map_err(|reason| at(Problem::Move { m, reason }))?;
        }
        Ok(())
    }

    fn deal(&self) -> Result<Deal, Problem> {
        let mut factories = Vec::new();
        for numbers in &self.factories {
            let mut tiles = Tiles::EMPTY;
            for &number in numbers {
                let tile = Tile::ALL.get(usize::from(number));
                let tile = *tile.ok_or_else(|| format!("there is no tile {number}"))?;
                tiles = tiles.checked_with(tile, 1).ok_or("there are too many tiles")?;
            }
            factories.push(tiles);
        }
        Deal::new(&factories).ok_or_else(|| Problem::from("there are more than nine factories"))
    }
}

impl GameMove {
    fn new(m: Move, position: &Position) -> GameMove {
        let player = position.turn().index() as u8;
        match m {
            Move::Place { row, column } => GameMove {
                player,
                row: Some(row.index() as u8),
                column: Some(column.index() as u8),
                ..GameMove::default()
            },
            Move::Draft(draft) => {
                let extra = draft.extra_jokers;
                let jokers_in_line = || fewest_jokers(&draft, position) as u8 + extra;
                GameMove {
                    player,
                    source: Some(match draft.source {
                        Source::Center => NumberOrWord::Word("center".to_owned()),
                        factory => NumberOrWord::Number(factory.index() as u8 - 1),
                    }),
                    color: Some(draft.pick.color().map_or(JOKER, |color| color.index() as u8)),
                    line: Some(match draft.to {
                        Destination::Floor => NumberOrWord::Word("floor".to_owned()),
                        Destination::Line(row) => NumberOrWord::Number(row.index() as u8),
                    }),
                    jokers: matches!(draft.pick, Pick::JokersAnd(_)),
                    jokers_in_line: (extra > 0).then(jokers_in_line),
                    ..GameMove::default()
                }
            }
        }
    }

    fn read(&self, position: &Position) -> Result<Move, Problem> {
        let turn = position.turn().index();
        let is_moving = matches!(position.phase(), Phase::Draft | Phase::Tiling(_));
        if is_moving && usize::from(self.player) != turn {
            let player = self.player;
            return Err(format!("player {player} moves when it is player {turn}'s turn").into());
        }
        if self.row.is_some() || self.column.is_some() {
            self.read_place()
        } else {
            self.read_draft(position)
        }
    }

    fn read_place(&self) -> Result<Move, Problem> {
        let GameMove { source: None, color: None, line: None, jokers_in_line: None, .. } = self
        else {
            return Err("a wall choice has only a player, a row and a column".into());
        };
        let row = self.row.and_then(|row| Row::from_index(row.into()));
        let column = self.column.and_then(|column| Column::from_index(column.into()));
        match (row, column) {
            (Some(row), Some(column)) => Ok(Move::Place { row, column }),
            _ => Err("a wall choice has a row and a column from 0 to 4".into()),
        }
    }

    fn read_draft(&self, position: &Position) -> Result<Move, Problem> {
        let source = match &self.source {
            Some(NumberOrWord::Word(word)) if word == "center" => Some(Source::Center),
            Some(NumberOrWord::Number(n)) => Source::from_index(usize::from(*n) + 1),
            _ => None,
        };
        let source = source.ok_or("expected a source: a factory from 0 to 8 or \"center\"")?;
        let to = match &self.line {
            Some(NumberOrWord::Word(word)) if word == "floor" => Some(Destination::Floor),
            Some(NumberOrWord::Number(n)) => Row::from_index((*n).into()).map(Destination::Line),
            _ => None,
        };
        let to = to.ok_or("expected a line from 0 to 4 or \"floor\"")?;
        let color = self.color.and_then(|color| Color::from_index(color.into()));
        let pick = match (color, self.jokers) {
            (Some(color), false) => Pick::Color(color),
            (Some(color), true) => Pick::JokersAnd(color),
            (None, false) if self.color == Some(JOKER) => Pick::Jokers,
            _ => return Err("expected a color from 0 to 4, or 5 for jokers alone".into()),
        };
        let mut draft = Draft { source, pick, to, extra_jokers: 0 };
        if let Some(n_jokers) = self.jokers_in_line {
            let fewest = fewest_jokers(&draft, position);
            let extra = u32::from(n_jokers).checked_sub(fewest);
            let extra = extra.ok_or_else(|| format!("at least {fewest} jokers enter the line"))?;
            draft.extra_jokers = extra as u8;
        }
        Ok(Move::Draft(draft))
    }
}

/// How many jokers a draft brings into its line when colored tiles go first.
fn fewest_jokers(draft: &Draft, position: &Position) -> u32 {
    let pile = position.pile(draft.source);
    let colored = draft.pick.color().map_or(0, |color| pile.count(color.into()));
    let jokers = if draft.pick.has_jokers() { pile.count(Tile::Joker) } else { 0 };
    let room = match draft.to {
        Destination::Line(row) => position.board(position.turn()).line(row).room(),
        Destination::Floor => 0,
    };
    room.min(colored + jokers).saturating_sub(colored)
}
