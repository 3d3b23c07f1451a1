//! Players: people and levels of the engine, each with a name. On the command line a player is `Ana`,
//! `ai:7` or `ai:7=Bruno`; `me` is the person at the keyboard.

use azulejo_engine::Level;
use std::fmt;
use std::str::FromStr;

/// The longest name of a player, in characters.
pub const MAX_NAME: usize = 20;

/// The level for `ai` without a number.
const DEFAULT_LEVEL: u8 = 5;

/// A person or the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// A person at the keyboard.
    Person,
    /// The engine.
    Engine(Level),
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The name shown.
    pub name: String,
    /// Person or engine.
    pub kind: PlayerKind,
}

/// Why a text is not a player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// There is no such level.
    #[error("`{0}` is not a level of the engine: write ai:1 to ai:{max}", max = Level::MAX.number())]
    Level(String),
    /// The name is too long or has control characters.
    #[error("a name has 1 to {MAX_NAME} characters, none of them a control character")]
    Name,
}

impl Player {
    /// A person. The name is shortened, and control characters are removed.
    #[must_use]
    pub fn person(name: &str) -> Player {
        Player { name: clean(name, "Player"), kind: PlayerKind::Person }
    }

    /// A level of the engine under the name of the level.
    #[must_use]
    pub fn engine(level: Level) -> Player {
        Player { name: level.name().to_owned(), kind: PlayerKind::Engine(level) }
    }

    /// The person who uses this computer.
    #[must_use]
    pub fn me() -> Player {
        let user = ["USER", "LOGNAME", "USERNAME"]
            .into_iter()
            .find_map(|name| std::env::var(name).ok().filter(|user| !user.trim().is_empty()));
        Player::person(&azulejo_words::capital(user.as_deref().unwrap_or("player")))
    }

    /// Whether it is a person.
    #[must_use]
    pub const fn is_person(&self) -> bool {
        matches!(self.kind, PlayerKind::Person)
    }
}

fn clean(name: &str, otherwise: &str) -> String {
    let kept: String = name.trim().chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
    if kept.trim().is_empty() { otherwise.to_owned() } else { kept }
}

/// As a tag of a record: `person`, `level 7`.
impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerKind::Person => write!(f, "person"),
            PlayerKind::Engine(level) => write!(f, "level {}", level.number()),
        }
    }
}

impl PlayerKind {
    /// Reads a tag of a record.
    #[must_use]
    pub fn from_tag(text: &str) -> Option<PlayerKind> {
        match text.strip_prefix("level ") {
            Some(number) => Some(PlayerKind::Engine(Level::new(number.parse().ok()?)?)),
            None => (text == "person").then_some(PlayerKind::Person),
        }
    }
}

/// As on the command line.
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            // A name that would be read as something else is marked as a name.
            PlayerKind::Person if self.name.contains('=') || self.name.starts_with("ai") => {
                write!(f, "me={}", self.name)
            }
            PlayerKind::Person if self.name == "me" => write!(f, "me=me"),
            PlayerKind::Person => write!(f, "{}", self.name),
            PlayerKind::Engine(level) if self.name == level.name() => {
                write!(f, "ai:{}", level.number())
            }
            PlayerKind::Engine(level) => write!(f, "ai:{}={}", level.number(), self.name),
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
                ("me", Some(name)) => Ok(Player { name: check(name)?, kind: PlayerKind::Person }),
                _ => Ok(Player { name: check(text)?, kind: PlayerKind::Person }),
            };
        };
        let number = if level.is_empty() { Some(DEFAULT_LEVEL) } else { level.parse().ok() };
        let level = number.and_then(Level::new).ok_or_else(|| PlayerError::Level(text.into()))?;
        let name = name.map_or(Ok(level.name().to_owned()), check)?;
        Ok(Player { name, kind: PlayerKind::Engine(level) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_and_printed() {
        let check = |text: &str, name: &str, kind: &str| {
            let player: Player = text.parse().unwrap();
            assert_eq!((player.name.as_str(), player.kind.to_string().as_str()), (name, kind));
            assert_eq!(player.to_string().parse(), Ok(player.clone()));
            assert_eq!(PlayerKind::from_tag(kind), Some(player.kind));
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
    fn invalid_players_are_refused() {
        for text in ["ai:0", "ai:11", "ai:x"] {
            assert_eq!(text.parse::<Player>(), Err(PlayerError::Level(text.to_owned())));
        }
        for text in ["", "  ", "ai:3=", "a name of more than twenty letters", "bell\u{7}s"] {
            assert_eq!(text.parse::<Player>(), Err(PlayerError::Name), "{text}");
        }
        assert_eq!(PlayerKind::from_tag("level 12"), None);
        assert_eq!(Player::person(" \u{1b} ").name, "Player");
    }
}
