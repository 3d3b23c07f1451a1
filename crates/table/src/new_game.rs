//! Creating a game: from what a person asks for to settings that a [`Game`](crate::Game) can be made of.

use crate::clock::ClockSpec;
use crate::settings::{SeatKind, SeedBy, Settings};
use crate::state::{Game, Holder};
use crate::transcript::seed_hash;
use azulejo_engine::Level;
use azulejo_notation::{Day, Seed};
use azulejo_rules::{Phase, Players, Position, Preset, Rules, RulesError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A game to create.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct CreateGame {
    /// Two to four seats, in playing order.
    #[cfg_attr(feature = "openapi", schema(required = true, min_items = 2, max_items = 4))]
    pub seats: Vec<SeatSpec>,
    /// `colored` (if left out) or `grey`.
    #[cfg_attr(feature = "openapi", schema(pattern = "^(colored|grey)$"))]
    pub wall: Option<String>,
    /// Whether to play with the Joker tiles.
    pub jokers: bool,
    /// `official` (if left out), `overview`, `quick-guide` or `duel`.
    #[cfg_attr(feature = "openapi", schema(pattern = "^(official|overview|quick-guide|duel)$"))]
    pub preset: Option<String>,
    /// Single rules, by key, as in `{"row_bonus": "3"}`.
    pub rules: BTreeMap<String, String>,
    /// A position to start from, in the notation. It contains its rules, so `wall`, `jokers`, `preset`
    /// and `rules` must be left out.
    pub position: Option<String>,
    /// A seed for the deals. The creator may then know the deals, which `fair.seed_by` tells all
    /// players. If left out, the server draws a random seed.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[A-Za-z0-9_.-]{1,64}$"))]
    pub seed: Option<String>,
    /// The date of a daily deal, like `2026-11-18`: the seed is `daily-` and the date. `seats` must be the
    /// creator and the engine at the level of `GET /options`, in this order; everything else must be left
    /// out. There are no take-backs and no hints.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
    pub daily: Option<String>,
    /// The clock; none if left out.
    pub clock: ClockSpec,
    /// Whether the lobby lists the game; otherwise only people with its link find it.
    pub listed: bool,
    /// Whether moves may be taken back; yes if left out.
    pub takebacks: Option<bool>,
    /// Whether players may ask the engine for hints. If left out: yes if one person plays, else no.
    pub hints: Option<bool>,
}

/// Who takes a seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum SeatSpec {
    /// Another person, by invitation; in a listed game also from the lobby.
    Open {},
    /// The creator of the game.
    Me {
        /// The name to show in this game; the person's if left out.
        #[cfg_attr(feature = "openapi", schema(min_length = 1))]
        name: Option<String>,
    },
    /// Another person on the creator's device, who plays with the creator's token.
    Here {
        /// The name to show.
        #[cfg_attr(feature = "openapi", schema(min_length = 1))]
        name: Option<String>,
    },
    /// The engine.
    Engine {
        /// The level, from 1; `GET /options` lists them.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 10))]
        level: u8,
    },
}

/// The person who creates a game.
#[derive(Clone, Copy)]
pub struct Creator<'a> {
    /// The id.
    pub id: &'a str,
    /// The name to show; without one, the number of the seat is the name.
    pub name: Option<&'a str>,
    /// Checks a name and returns the form to store, or what is wrong with it.
    pub check_name: &'a dyn Fn(&str) -> Result<String, String>,
}

/// What is wrong with a game to create.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NewGameError(String);

impl NewGameError {
    pub(crate) fn new(problem: impl Into<String>) -> NewGameError {
        NewGameError(problem.into())
    }
}

impl CreateGame {
    /// The settings and the seed of the new game; `new_seed` is used if the creator gives none.
    ///
    /// # Errors
    /// What is wrong with the request.
    pub fn settings(
        &self,
        creator: Creator,
        new_seed: Seed,
    ) -> Result<(Settings, Seed), NewGameError> {
        let day = self.day()?;
        let (rules, position) = match &self.position {
            Some(text) => {
                let has_more = self.wall.is_some()
                    || self.jokers
                    || self.preset.is_some()
                    || !self.rules.is_empty();
                if has_more {
                    return bad(
                        "a position contains its rules: leave out `wall`, `jokers`, `preset` and `rules`",
                    );
                }
                let position: Position =
                    text.parse().or_else(|e| bad(format!("`position`: {e}")))?;
                if matches!(position.phase(), Phase::Over(_)) {
                    return bad("`position`: the game is over");
                }
                (*position.rules(), Some(position.to_string()))
            }
            None => (self.new_rules()?, None),
        };
        if self.seats.len() != rules.players().count() {
            return bad(format!("this position needs {} seats", rules.players().count()));
        }
        let seats = self.seats.iter().zip(1..).map(|(spec, n)| spec.kind(n, creator));
        let seats = seats.collect::<Result<Vec<_>, _>>()?;
        self.clock.check().or_else(bad)?;
        let is_solo = !seats.contains(&SeatKind::Open);
        if is_solo && seats.iter().all(|seat| matches!(seat, SeatKind::Engine { .. })) {
            return bad("at least one seat must not be the engine's");
        }
        let (seed, seed_by) = match (&self.seed, day) {
            (_, Some(day)) => (day.seed(), SeedBy::Date),
            (Some(seed), None) => {
                (seed.parse().or_else(|e| bad(format!("`seed`: {e}")))?, SeedBy::Creator)
            }
            (None, None) => (new_seed, SeedBy::Server),
        };
        let settings = Settings {
            rules: rules.to_string(),
            seats,
            clock: self.clock,
            listed: self.listed,
            takebacks: self.takebacks.unwrap_or(day.is_none()),
            hints: self.hints.unwrap_or(is_solo && day.is_none()),
            seed_hash: seed_hash(&seed),
            seed_by,
            position,
            rematch_of: None,
            daily: day.map(|day| day.to_string()),
            creator: creator.id.to_owned(),
        };
        Ok((settings, seed))
    }

    /// The day of a daily deal, which is the same game for everybody.
    fn day(&self) -> Result<Option<Day>, NewGameError> {
        let Some(date) = &self.daily else { return Ok(None) };
        let day: Day = date.parse().or_else(|e| bad(format!("`daily`: {e}")))?;
        let level = Level::DAILY.number();
        let seats_fit = matches!(
            self.seats[..],
            [SeatSpec::Me { .. }, SeatSpec::Engine { level: given }] if given == level
        );
        if !seats_fit {
            return bad(format!(
                "`seats` of a daily deal must be `me` and `engine` at level {level}"
            ));
        }
        let has_more = self.wall.is_some()
            || self.jokers
            || self.preset.is_some()
            || !self.rules.is_empty()
            || self.position.is_some()
            || self.seed.is_some()
            || self.clock != ClockSpec::None
            || self.listed
            || self.takebacks.is_some()
            || self.hints.is_some();
        if has_more {
            return bad("a daily deal has no settings but `seats`");
        }
        Ok(Some(day))
    }

    fn new_rules(&self) -> Result<Rules, NewGameError> {
        let players = Players::from_count(self.seats.len())
            .map_or_else(|| bad("`seats` must list two to four seats"), Ok)?;
        let mut rules = Rules::official(players);
        if let Some(wall) = &self.wall {
            rules.wall =
                wall.parse().or_else(|e: RulesError| bad(format!("`wall`: {}", e.problem)))?;
        }
        rules.jokers = self.jokers;
        if let Some(name) = &self.preset {
            let names = || Preset::ALL.map(Preset::name).join(", ");
            let preset = Preset::from_name(name)
                .map_or_else(|| bad(format!("`preset` must be one of {}", names())), Ok)?;
            rules = rules.with_preset(preset).or_else(|e| bad(e.to_string()))?;
        }
        for (key, value) in &self.rules {
            if matches!(key.as_str(), "players" | "wall" | "jokers") {
                return bad("`rules` must not contain `players`, `wall` and `jokers`");
            }
            rules.set(key, value).or_else(|e| bad(e.to_string()))?;
        }
        Ok(rules)
    }
}

impl SeatSpec {
    fn kind(&self, number: u8, creator: Creator) -> Result<SeatKind, NewGameError> {
        let named = |name: Option<&str>| {
            let name = match name {
                Some(name) => (creator.check_name)(name).or_else(bad)?,
                None => format!("Player {number}"),
            };
            Ok(SeatKind::Person { person: creator.id.to_owned(), name })
        };
        match self {
            SeatSpec::Open {} => Ok(SeatKind::Open),
            SeatSpec::Me { name } => named(name.as_deref().or(creator.name)),
            SeatSpec::Here { name } => named(name.as_deref()),
            SeatSpec::Engine { level } => match Level::new(*level) {
                Some(level) => Ok(SeatKind::Engine { level: level.number() }),
                None => bad(format!("`level` must be 1 to {}", Level::MAX.number())),
            },
        }
    }
}

impl Game {
    /// The settings of a rematch that a person asks for: every seat is moved by one, and the seats of
    /// other people are reserved for them.
    #[must_use]
    pub fn rematch_settings(&self, person: &str, seed: &Seed) -> Settings {
        let seat_kind = |holder: &Holder| match holder {
            Holder::Vacant => SeatKind::Open,
            Holder::Engine { level } => SeatKind::Engine { level: *level },
            Holder::Person { person: id, name } | Holder::Reserved { person: id, name } => {
                let (id, name) = (id.to_string(), name.to_string());
                if id == person {
                    SeatKind::Person { person: id, name }
                } else {
                    SeatKind::Reserved { person: id, name }
                }
            }
        };
        let mut seats: Vec<SeatKind> =
            self.seats.iter().map(|seat| seat_kind(&seat.holder)).collect();
        seats.rotate_right(1);
        Settings {
            seats,
            seed_hash: seed_hash(seed),
            seed_by: SeedBy::Server,
            position: None,
            rematch_of: Some(self.id.to_string()),
            daily: None,
            creator: person.to_owned(),
            ..(*self.settings).clone()
        }
    }
}

fn bad<T>(problem: impl Into<String>) -> Result<T, NewGameError> {
    Err(NewGameError::new(problem))
}
