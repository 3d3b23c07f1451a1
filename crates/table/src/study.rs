//! Positions outside of a game, for an analysis board: look at one, play on from it, deal by hand or by
//! chance, and write what was tried as a record.

use crate::view::{Blocked, LegalMove, PositionView, StepView, blocked, moves};
use azulejo_notation::{Chance, MAX_LABEL, Record, Seed};
use azulejo_rules::{Deal, Move, Phase, Position, Seat};
use serde::{Deserialize, Serialize};

/// A position with all that can be done in it.
#[derive(Clone, Debug, Serialize)]
pub struct StudyView {
    /// The position.
    pub position: PositionView,
    /// The legal moves.
    pub moves: Vec<LegalMove>,
    /// Why lines do not take a pick.
    pub blocked: Vec<Blocked>,
}

impl StudyView {
    fn new(position: &Position) -> StudyView {
        StudyView {
            position: PositionView::new(position),
            moves: moves(position),
            blocked: blocked(position),
        }
    }

    /// Reads a position.
    ///
    /// # Errors
    /// What is wrong with the text, all faults of a position at once.
    pub fn read(position: &str) -> Result<StudyView, String> {
        Ok(StudyView::new(&read(position)?))
    }
}

/// What a move or a deal did, and the position after it.
#[derive(Clone, Debug, Serialize)]
pub struct StudyStep {
    /// The move or the deal in the notation.
    pub action: String,
    /// What happened, step by step.
    pub report: Vec<StepView>,
    /// What follows.
    #[serde(flatten)]
    pub then: StudyView,
}

impl StudyStep {
    /// Plays a move, or lays out a deal, in a position.
    ///
    /// # Errors
    /// If the position cannot be read, or if the move or deal is not possible in it.
    pub fn act(position: &str, action: &str) -> Result<StudyStep, String> {
        let mut position = read(position)?;
        let mut report = Vec::new();
        let mut note = |step| report.push(StepView::new(&step));
        let action = match read_action(action)? {
            Action::Deal(deal) => {
                position.deal_with(&deal, &mut note).map_err(|e| e.to_string())?;
                deal.to_string()
            }
            Action::Move(m) => {
                position.play_with(m, &mut note).map_err(|e| e.to_string())?;
                m.to_string()
            }
        };
        Ok(StudyStep { action, report, then: StudyView::new(&position) })
    }
}

/// Draws the next deal of a position with a seed.
///
/// # Errors
/// If the position cannot be read or does not wait for a deal.
pub fn draw_deal(position: &str, seed: &Seed) -> Result<String, String> {
    let position = read(position)?;
    if position.phase() != Phase::Deal {
        return Err("the position does not wait for a deal".to_owned());
    }
    let mut chance = Chance::new(seed);
    Ok(position.draw_deal(|n| chance.below(n)).to_string())
}

enum Action {
    Deal(Deal),
    Move(Move),
}

/// A deal has a `-` between its factories; no move has one.
fn read_action(text: &str) -> Result<Action, String> {
    if text.contains('-') {
        text.parse().map(Action::Deal).map_err(|e: azulejo_rules::ParseDealError| e.to_string())
    } else {
        text.parse().map(Action::Move).map_err(|e: azulejo_rules::ParseMoveError| e.to_string())
    }
}

fn read(position: &str) -> Result<Position, String> {
    position.trim().parse().map_err(|e: azulejo_rules::ParsePositionError| e.to_string())
}

/// A tree of variations, as a list: a node comes after its parent, and the first child of a node
/// continues its line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Variations {
    /// The position in which the tree begins.
    pub start: String,
    /// The names of the players, by seat.
    pub names: Vec<Option<String>>,
    /// The moves and deals.
    pub nodes: Vec<Variation>,
}

/// A move or a deal in a tree.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Variation {
    /// The index of the node before it; `None` at the beginning.
    pub parent: Option<usize>,
    /// The move or the deal.
    pub action: String,
    /// What somebody wrote about it.
    #[serde(default)]
    pub comment: String,
}

impl Variations {
    /// The main line as a record. The other variations are in the comments of the moves that they
    /// replace: `(or 3B2 0KF)`.
    ///
    /// # Errors
    /// If an action of the main line is not possible, or the list is not a tree.
    pub fn record(&self) -> Result<Record, String> {
        let children = self.children()?;
        let start = read(&self.start)?;
        // A new game is one from its beginning.
        let mut record = match Record::new(*start.rules(), start.starter()) {
            Ok(record) if *record.final_position() == start => record,
            _ => Record::from_position(start),
        };
        for (seat, name) in Seat::ALL.into_iter().zip(&self.names) {
            if let Some(name) = name {
                record.set_name(seat, name).map_err(|e| e.to_string())?;
            }
        }
        let mut here = &children[0];
        while let [main, others @ ..] = here.as_slice() {
            let Variation { action, comment, .. } = &self.nodes[*main];
            match read_action(action)? {
                Action::Deal(deal) => record.deal(&deal).map_err(|e| e.to_string())?,
                Action::Move(m) => record.play(m).map_err(|e| e.to_string())?,
            }
            let mut told = comment.clone();
            for &other in others {
                told = format!("{told} (or {})", self.line(other, &children));
            }
            // Braces end a comment.
            let told: String = told.replace('{', "(").replace('}', ")");
            let told: String = told.chars().take(MAX_LABEL).collect();
            record.set_comment(&told).map_err(|e| e.to_string())?;
            here = &children[main + 1];
        }
        Ok(record)
    }

    /// The children of the beginning, then of each node.
    fn children(&self) -> Result<Vec<Vec<usize>>, String> {
        let mut children = vec![Vec::new(); self.nodes.len() + 1];
        for (i, node) in self.nodes.iter().enumerate() {
            match node.parent {
                None => children[0].push(i),
                Some(parent) if parent < i => children[parent + 1].push(i),
                Some(_) => return Err("a node comes after its parent".to_owned()),
            }
        }
        Ok(children)
    }

    /// A variation on one line, with the variations in it.
    fn line(&self, from: usize, children: &[Vec<usize>]) -> String {
        let mut words: Vec<String> = Vec::new();
        let (mut at, mut others): (usize, &[usize]) = (from, &[]);
        loop {
            let Variation { action, comment, .. } = &self.nodes[at];
            words.push(action.clone());
            if !comment.is_empty() {
                words.push(format!("[{comment}]"));
            }
            words.extend(others.iter().map(|&o| format!("(or {})", self.line(o, children))));
            match children[at + 1].as_slice() {
                [] => return words.join(" "),
                [next, rest @ ..] => (at, others) = (*next, rest),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_rules::{Players, Rules};

    fn new_game() -> String {
        Position::new(Rules::official(Players::Two), Seat::One).to_string()
    }

    const DEAL: &str = "BBYR-KKKK-BYRK-YWWW-RRKK";

    #[test]
    fn a_position_is_dealt_and_played_on() {
        let start = StudyView::read(&new_game()).unwrap();
        assert!(start.moves.is_empty());
        let dealt = StudyStep::act(&start.position.position, DEAL).unwrap();
        assert!(dealt.then.moves.iter().any(|legal| legal.m == "1B2"));
        let played = StudyStep::act(&dealt.then.position.position, "1B2").unwrap();
        assert_eq!((played.action.as_str(), played.report.len()), ("1B2", 1));
        assert_eq!(played.then.position.turn, 2);
    }

    #[test]
    fn what_is_impossible_is_refused_with_words() {
        let check = |result: Result<StudyStep, String>, expected: &str| {
            let why = result.unwrap_err();
            assert!(why.contains(expected), "{why}");
        };
        check(StudyStep::act("az1_2c", "1B2"), "the text ends before the phase");
        check(StudyStep::act(&new_game(), "1B2"), "dealt");
        check(StudyStep::act(&new_game(), "BBYR-KKKK"), "factories");
        check(StudyStep::act(&new_game(), "hello"), "expected");
        assert!(draw_deal(&new_game(), &"1".parse().unwrap()).unwrap().contains('-'));
        let dealt = StudyStep::act(&new_game(), DEAL).unwrap().then.position.position;
        assert!(draw_deal(&dealt, &"1".parse().unwrap()).is_err());
    }

    fn node(parent: Option<usize>, action: &str, comment: &str) -> Variation {
        Variation { parent, action: action.to_owned(), comment: comment.to_owned() }
    }

    #[test]
    fn variations_become_a_record_with_comments() {
        let nodes = vec![
            node(None, DEAL, ""),
            node(Some(0), "1B2", "quiet {really}"),
            node(Some(0), "2K4", "bold"),
            node(Some(1), "2K4", ""),
            node(Some(2), "1B2", ""),
            node(Some(2), "3R1", ""),
        ];
        let tree = Variations { start: new_game(), names: vec![Some("Ana".to_owned())], nodes };
        let text = tree.record().unwrap().to_string();
        assert!(text.contains("1B2 {quiet (really) (or 2K4 [bold] 1B2 (or 3R1))} 2K4"), "{text}");
        assert!(text.contains("[Seat1 \"Ana\"]") && text.contains("[First \"1\"]"), "{text}");
        let loops = Variations { nodes: vec![node(Some(0), DEAL, "")], ..tree };
        assert!(loops.record().is_err());
    }
}
