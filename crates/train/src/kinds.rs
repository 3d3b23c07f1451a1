//! Kinds of game: numbers of players with each wall, with and without jokers. Each kind has its own
//! place in the network and its own calibration.

use azulejo_rules::{Players, Rules, WallKind};
use std::str::FromStr;

/// Some of the twelve kinds of game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(pub(crate) Vec<Rules>);

impl Kinds {
    /// All twelve.
    pub(crate) fn all() -> Kinds {
        Kinds::of_players(&Players::ALL)
    }

    /// The four kinds of each number of players.
    pub(crate) fn of_players(numbers: &[Players]) -> Kinds {
        let variants = [false, true].map(|jokers| {
            [WallKind::Colored, WallKind::Grey].map(|wall| {
                move |players| Rules::official(players).with_wall(wall).with_jokers(jokers)
            })
        });
        let all = numbers.iter().flat_map(|&players| {
            variants.as_flattened().iter().map(move |rules| rules(players)).collect::<Vec<_>>()
        });
        Kinds(all.collect())
    }
}

impl FromStr for Kinds {
    type Err = String;

    /// Reads a list such as `2g,2cj` or `3,4`, where a number of players stands for its four kinds.
    fn from_str(text: &str) -> Result<Kinds, String> {
        let mut kinds = Vec::new();
        for part in text.split(',') {
            let players = part.parse().ok().and_then(Players::from_count);
            match (players, part.parse()) {
                (Some(players), _) => kinds.extend(Kinds::of_players(&[players]).0),
                (None, Ok(rules)) if Kinds::all().0.contains(&rules) => kinds.push(rules),
                _ => return Err(format!("`{part}` is no kind of game such as 2c, 3g or 4gj")),
            }
        }
        Ok(Kinds(kinds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_listed_by_rules_or_players() {
        let texts = |text: &str| -> Result<Vec<String>, String> {
            Ok(text.parse::<Kinds>()?.0.iter().map(Rules::to_string).collect())
        };
        assert_eq!(texts("4gj,2c"), Ok(["4gj", "2c"].map(str::to_owned).to_vec()));
        assert_eq!(texts("3"), Ok(["3c", "3g", "3cj", "3gj"].map(str::to_owned).to_vec()));
        assert_eq!(Kinds::all().0.len(), 12);
        for text in ["", "5", "2x", "2c-stall1", "2c,,3c"] {
            assert!(texts(text).is_err_and(|error| error.contains("no kind")), "{text}");
        }
    }
}
