//! The choices before a game: rules, players, seed and clock. The last choices are remembered as a small
//! JSON object.

use super::clock::TimeControl;
use super::seats::{MAX_NAME, Player};
use azulejo_engine::Level;
use azulejo_notation::Seed;
use azulejo_rules::{Players, Rules};
use serde::{Deserialize, Serialize};

/// The choices before a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    rules: Rules,
    players: Vec<Player>,
    /// The seed of first player and deals; `None` is a random one.
    pub seed: Option<Seed>,
    /// The clock, if there is one.
    pub time: Option<TimeControl>,
}

/// The number of seats is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a game has two to four seats, not {0}")]
pub struct SeatCount(pub usize);

impl Choices {
    /// A game for these players, whose number replaces that of `rules`.
    ///
    /// # Errors
    /// If there are fewer than two or more than four.
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

    /// As JSON for the next start, without the seed.
    #[must_use]
    pub fn to_json(&self) -> String {
        let saved = Saved {
            rules: self.rules.to_string(),
            seats: self.players.iter().map(ToString::to_string).collect(),
            clock: self.time.map(|time| time.to_string()),
        };
        serde_json::to_string_pretty(&saved).unwrap_or_default() + "\n"
    }

    /// Reads the JSON; `None` if it is damaged.
    #[must_use]
    pub fn from_json(text: &str) -> Option<Choices> {
        let saved: Saved = serde_json::from_str(text).ok()?;
        let players = saved.seats.iter().map(|seat| seat.parse().ok()).collect::<Option<_>>()?;
        let mut choices = Choices::new(saved.rules.parse().ok()?, players).ok()?;
        choices.time = saved.clock.and_then(|clock| clock.parse().ok());
        Some(choices)
    }
}

/// The first game: one person against an easy level.
impl Default for Choices {
    fn default() -> Choices {
        let engine = Player::engine(Level::FIRST);
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

/// Adds a number to players of the same name.
fn tell_apart(players: &mut [Player]) {
    for i in 1..players.len() {
        let (before, rest) = players.split_at_mut(i);
        let is_taken = |name: &str| before.iter().any(|player| player.name == name);
        // The name must not become too long by its number.
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
