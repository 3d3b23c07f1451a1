//! Who sits where: people, and levels of the engine, each with a name. As text a seat is `Ana`,
//! `ai:7` or `ai:7=Bruno`; `me` is the person at the keyboard.

use azulejo_engine::Level;
use std::fmt;
use std::str::FromStr;

/// The longest name of a player.
pub const MAX_NAME: usize = 20;

/// The level of an engine when none is given.
const USUAL_LEVEL: u8 = 5;

/// Who decides for a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mind {
    /// A person at the keyboard.
    Person,
    /// The engine.
    Engine(Level),
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// As shown.
    pub name: String,
    /// Who decides.
    pub mind: Mind,
}

/// Why a text is not a player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// There is no such level.
    #[error("`{0}` is no level of the engine: write ai:1 to ai:10")]
    Level(String),
    /// The name cannot be shown.
    #[error("a name has 1 to {MAX_NAME} characters, none of them a control character")]
    Name,
}

impl Player {
    /// A person. The name is shortened, and cleaned of what no screen can show.
    #[must_use]
    pub fn person(name: &str) -> Player {
        Player { name: clean(name, "Player"), mind: Mind::Person }
    }

    /// A level of the engine under its own name.
    #[must_use]
    pub fn engine(level: Level) -> Player {
        Player { name: level.name().to_owned(), mind: Mind::Engine(level) }
    }

    /// The person who uses this computer.
    #[must_use]
    pub fn me() -> Player {
        let user = ["USER", "LOGNAME", "USERNAME"]
            .into_iter()
            .find_map(|name| std::env::var(name).ok().filter(|user| !user.trim().is_empty()));
        let mut letters = user.as_deref().unwrap_or("player").chars();
        let first = letters.next().map(char::to_uppercase).into_iter().flatten();
        Player::person(&first.chain(letters).collect::<String>())
    }

    /// Whether a person decides.
    #[must_use]
    pub const fn is_person(&self) -> bool {
        matches!(self.mind, Mind::Person)
    }
}

fn clean(name: &str, otherwise: &str) -> String {
    let kept: String = name.trim().chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
    if kept.trim().is_empty() { otherwise.to_owned() } else { kept }
}

/// In what a record says about a seat: `person`, `level 7`.
impl fmt::Display for Mind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mind::Person => write!(f, "person"),
            Mind::Engine(level) => write!(f, "level {}", level.number()),
        }
    }
}

impl Mind {
    /// Reads what a record says about a seat.
    #[must_use]
    pub fn from_tag(text: &str) -> Option<Mind> {
        match text.strip_prefix("level ") {
            Some(number) => Some(Mind::Engine(Level::new(number.parse().ok()?)?)),
            None => (text == "person").then_some(Mind::Person),
        }
    }
}

/// As it is read back.
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mind {
            // A name that looks like something else is said to be one.
            Mind::Person if self.name.contains('=') || self.name.starts_with("ai") => {
                write!(f, "me={}", self.name)
            }
            Mind::Person if self.name == "me" => write!(f, "me=me"),
            Mind::Person => write!(f, "{}", self.name),
            Mind::Engine(level) if self.name == level.name() => write!(f, "ai:{}", level.number()),
            Mind::Engine(level) => write!(f, "ai:{}={}", level.number(), self.name),
        }
    }
}

impl FromStr for Player {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Player, PlayerError> {
        let text = text.trim();
        let (kind, name) = match text.split_once('=') {
            Some((kind, name)) => (kind, Some(name.trim())),
            None => (text, None),
        };
        let check = |name: &str| {
            let n = name.chars().count();
            let is_fine = n > 0 && n <= MAX_NAME && !name.chars().any(char::is_control);
            if is_fine { Ok(name.to_owned()) } else { Err(PlayerError::Name) }
        };
        let level = match kind.split_once(':') {
            Some(("ai", level)) => Some(level),
            None if kind == "ai" => Some(""),
            _ => None,
        };
        let Some(level) = level else {
            return match (kind, name) {
                ("me", None) => Ok(Player::me()),
                ("me", Some(name)) => Ok(Player { name: check(name)?, mind: Mind::Person }),
                _ => Ok(Player { name: check(text)?, mind: Mind::Person }),
            };
        };
        let number = if level.is_empty() { Some(USUAL_LEVEL) } else { level.parse().ok() };
        let level = number.and_then(Level::new).ok_or_else(|| PlayerError::Level(text.into()))?;
        let name = name.map_or(Ok(level.name().to_owned()), check)?;
        Ok(Player { name, mind: Mind::Engine(level) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_and_printed() {
        let check = |text: &str, name: &str, mind: &str| {
            let player: Player = text.parse().unwrap();
            assert_eq!((player.name.as_str(), player.mind.to_string().as_str()), (name, mind));
            assert_eq!(player.to_string().parse(), Ok(player.clone()));
            assert_eq!(Mind::from_tag(mind), Some(player.mind));
        };
        check("Ana", "Ana", "person");
        check("me=Ana", "Ana", "person");
        check("ai", "Tiler", "level 5");
        check("ai:7", "Artisan", "level 7");
        check(" ai:10=Deep Tile ", "Deep Tile", "level 10");
        check("Maria João", "Maria João", "person");
        check("me=me", "me", "person");
        check("me=ai:3", "ai:3", "person");
        check("me=a=b", "a=b", "person");
    }

    #[test]
    fn what_is_no_player_is_refused() {
        for text in ["ai:0", "ai:11", "ai:x"] {
            assert_eq!(text.parse::<Player>(), Err(PlayerError::Level(text.to_owned())));
        }
        for text in ["", "  ", "ai:3=", "a name of more than twenty letters", "bell\u{7}s"] {
            assert_eq!(text.parse::<Player>(), Err(PlayerError::Name), "{text}");
        }
        assert_eq!(Mind::from_tag("level 12"), None);
        assert_eq!(Player::person(" \u{1b} ").name, "Player");
    }
}
