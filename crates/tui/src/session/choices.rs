//! What is chosen before a game: the rules, who plays, the seed, the clock. The last choice is
//! remembered as a small JSON object.

use super::clock::TimeControl;
use super::seats::{MAX_NAME, Player};
use azulejo_engine::Level;
use azulejo_notation::Seed;
use azulejo_rules::{Players, Rules};
use serde::{Deserialize, Serialize};

/// What is chosen before a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    rules: Rules,
    players: Vec<Player>,
    /// The seed of first player and deals; `None` is a random one.
    pub seed: Option<Seed>,
    /// The clock, if there is one.
    pub time: Option<TimeControl>,
}

/// Why choices do not make a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two to four can play, and there are {0} seats")]
pub struct SeatCount(pub usize);

impl Choices {
    /// Rules for as many as there are players. The number of players of `rules` does not matter.
    ///
    /// # Errors
    /// If nobody can play with so many.
    pub fn new(rules: Rules, mut players: Vec<Player>) -> Result<Choices, SeatCount> {
        let count = Players::from_count(players.len()).ok_or(SeatCount(players.len()))?;
        tell_apart(&mut players);
        Ok(Choices { rules: rules.with_players(count), players, seed: None, time: None })
    }

    /// The rules.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The players by seat.
    #[must_use]
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// As text for the next time. The seed is not among it: the next game is another.
    #[must_use]
    pub fn to_json(&self) -> String {
        let saved = Saved {
            rules: self.rules.to_string(),
            seats: self.players.iter().map(ToString::to_string).collect(),
            clock: self.time.map(|time| time.to_string()),
        };
        serde_json::to_string_pretty(&saved).unwrap_or_default() + "\n"
    }

    /// Reads what was chosen last. Something unreadable is no choice.
    #[must_use]
    pub fn from_json(text: &str) -> Option<Choices> {
        let saved: Saved = serde_json::from_str(text).ok()?;
        let players = saved.seats.iter().map(|seat| seat.parse().ok()).collect::<Option<_>>()?;
        let mut choices = Choices::new(saved.rules.parse().ok()?, players).ok()?;
        choices.time = saved.clock.and_then(|clock| clock.parse().ok());
        Some(choices)
    }
}

/// A first game: one person against a middling engine.
impl Default for Choices {
    fn default() -> Choices {
        let engine = Player::engine(Level::new(4).unwrap_or(Level::MAX));
        Choices {
            rules: Rules::official(Players::Two),
            players: vec![Player::me(), engine],
            seed: None,
            time: None,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Saved {
    rules: String,
    seats: Vec<String>,
    clock: Option<String>,
}

/// Numbers players of the same name.
fn tell_apart(players: &mut [Player]) {
    for i in 1..players.len() {
        let (before, rest) = players.split_at_mut(i);
        let is_taken = |name: &str| before.iter().any(|player| player.name == name);
        // With its number a name must still be one.
        let base: String = rest[0].name.chars().take(MAX_NAME - 2).collect();
        let mut number = 2;
        while is_taken(&rest[0].name) {
            rest[0].name = format!("{base} {number}");
            number += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(seats: &str) -> Result<Choices, SeatCount> {
        let players = seats.split(',').map(|seat| seat.parse().unwrap()).collect();
        Choices::new("2gj".parse().unwrap(), players)
    }

    #[test]
    fn choices_are_remembered_without_their_seed() {
        let mut chosen = choices("Ana,ai:3,ai:3").unwrap();
        assert_eq!(chosen.rules().to_string(), "3gj");
        assert_eq!(chosen.players()[2].name, "Learner 2");
        chosen.time = "5+3".parse().ok();
        let mut read = Choices::from_json(&chosen.to_json()).unwrap();
        assert_eq!(read, chosen);
        read.seed = "5".parse().ok();
        assert_eq!(Choices::from_json(&read.to_json()), Some(chosen));
    }

    #[test]
    fn what_cannot_be_a_game_is_refused() {
        assert_eq!(choices("Ana"), Err(SeatCount(1)));
        assert_eq!(choices("a,b,c,d,e"), Err(SeatCount(5)));
        for text in ["", "{}", "[]", r#"{"rules":"9x","seats":["a","b"],"clock":null}"#] {
            assert_eq!(Choices::from_json(text), None, "{text}");
        }
    }
}
