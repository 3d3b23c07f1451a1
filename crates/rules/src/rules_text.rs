//! The text of a rule set: the short form of positions (`4gj-row3`) and its keys with values
//! (`row_bonus = 3`), as people write them in options and records show them.

use crate::names::Seat;
use crate::rules::{
    ColorBonus, FloorPenalties, PlacementScoring, Players, Preset, RefillRemainder, Rules, WallKind,
};
use std::fmt;
use std::str::FromStr;

/// Why a text is not a rule set, or a value not one for a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError {
    /// The part of the text at fault.
    pub part: String,
    /// What is wrong with it.
    pub problem: String,
}

impl RulesError {
    fn new(part: &str, problem: impl Into<String>) -> RulesError {
        // Input can be huge; what is shown of it should not be.
        let mut part: String = part.chars().take(40).collect();
        if part.is_empty() {
            part = "(nothing)".to_owned();
        }
        RulesError { part, problem: problem.into() }
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The part can be any text, also one that a terminal would obey.
        write!(f, "rules: `{}`: {}", self.part.escape_debug(), self.problem)
    }
}

impl std::error::Error for RulesError {}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wall = match self.wall {
            WallKind::Colored => 'c',
            WallKind::Grey => 'g',
        };
        write!(f, "{}{wall}", self.players.count())?;
        if self.jokers {
            write!(f, "j")?;
        }
        if let Some(preset) = self.preset().filter(|&preset| preset != Preset::Official) {
            write!(f, "-{}", preset.name())?;
            return match self.first_player {
                Some(seat) => write!(f, "-first{seat}"),
                None => Ok(()),
            };
        }
        self.write_options(f)
    }
}

impl Rules {
    /// What differs from the official rules, in the fixed order.
    fn write_options(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let official = Rules::official(self.players);
        if let Some(seat) = self.first_player {
            write!(f, "-first{seat}")?;
        }
        if self.row_bonus != official.row_bonus {
            write!(f, "-row{}", self.row_bonus)?;
        }
        if self.column_bonus != official.column_bonus {
            write!(f, "-col{}", self.column_bonus)?;
        }
        match self.color_bonus {
            bonus if bonus == official.color_bonus => {}
            ColorBonus::FiveOfColor(points) => write!(f, "-five{points}")?,
            ColorBonus::BottomRowTiles(points) => write!(f, "-bottom{points}")?,
        }
        if self.floor_penalties != official.floor_penalties {
            write!(f, "-floor")?;
            self.floor_penalties.each().iter().try_for_each(|points| write!(f, "{points}"))?;
        }
        if self.placement_scoring != official.placement_scoring {
            write!(f, "-neighbors")?;
        }
        if self.refill_remainder != official.refill_remainder {
            write!(f, "-whole")?;
        }
        if self.stall_rounds != official.stall_rounds {
            write!(f, "-stall{}", self.stall_rounds)?;
        }
        Ok(())
    }

    /// All keys with their values, in the words of the rules.
    #[must_use]
    pub fn keys(&self) -> Vec<(&'static str, String)> {
        let first = self.first_player.map_or("random".to_owned(), |seat| format!("seat:{seat}"));
        let color_bonus = match self.color_bonus {
            ColorBonus::FiveOfColor(points) => format!("five_of_color:{points}"),
            ColorBonus::BottomRowTiles(points) => format!("bottom_row_tiles:{points}"),
        };
        let floor = self.floor_penalties.each().map(|points| points.to_string()).join(",");
        let wall = match self.wall {
            WallKind::Colored => "colored",
            WallKind::Grey => "grey",
        };
        let scoring = match self.placement_scoring {
            PlacementScoring::Official => "official",
            PlacementScoring::OnePlusNeighbors => "one_plus_neighbors",
        };
        let refill = match self.refill_remainder {
            RefillRemainder::PartialDisplay => "partial_display",
            RefillRemainder::FullDisplaysOnly => "full_displays_only",
        };
        vec![
            ("players", self.players.count().to_string()),
            ("wall", wall.to_owned()),
            ("jokers", if self.jokers { "on" } else { "off" }.to_owned()),
            ("first_player", first),
            ("row_bonus", self.row_bonus.to_string()),
            ("column_bonus", self.column_bonus.to_string()),
            ("color_bonus", color_bonus),
            ("floor_penalties", floor),
            ("placement_scoring", scoring.to_owned()),
            ("refill_remainder", refill.to_owned()),
            ("stall_rounds", self.stall_rounds.to_string()),
        ]
    }

    /// Sets one key.
    ///
    /// # Errors
    /// If there is no such key, or the value is not one of its values; nothing has changed then.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), RulesError> {
        let wrong = |allowed: &str| {
            RulesError::new(value, format!("not a value for {key}; expected {allowed}"))
        };
        let number = || value.parse::<u8>().map_err(|_| wrong("a number from 0 to 255"));
        let mut rules = *self;
        match key {
            "players" => {
                let n = value.parse().ok().and_then(Players::from_count);
                rules.players = n.ok_or_else(|| wrong("2, 3 or 4"))?;
            }
            "wall" => {
                rules.wall = match value {
                    "colored" => WallKind::Colored,
                    "grey" => WallKind::Grey,
                    _ => return Err(wrong("colored or grey")),
                }
            }
            "jokers" => {
                rules.jokers = match value {
                    "on" => true,
                    "off" => false,
                    _ => return Err(wrong("on or off")),
                }
            }
            "first_player" => {
                rules.first_player =
                    read_first_player(value).ok_or_else(|| wrong("random or seat:1 to seat:4"))?;
            }
            "row_bonus" => rules.row_bonus = number()?,
            "column_bonus" => rules.column_bonus = number()?,
            "color_bonus" => {
                rules.color_bonus = read_color_bonus(value)
                    .ok_or_else(|| wrong("five_of_color:N or bottom_row_tiles:N"))?;
            }
            "floor_penalties" => {
                rules.floor_penalties = read_floor(value.split(','))
                    .ok_or_else(|| wrong("seven numbers from 0 to 9, as in 1,1,2,2,2,3,3"))?;
            }
            "placement_scoring" => {
                rules.placement_scoring = match value {
                    "official" => PlacementScoring::Official,
                    "one_plus_neighbors" => PlacementScoring::OnePlusNeighbors,
                    _ => return Err(wrong("official or one_plus_neighbors")),
                }
            }
            "refill_remainder" => {
                rules.refill_remainder = match value {
                    "partial_display" => RefillRemainder::PartialDisplay,
                    "full_displays_only" => RefillRemainder::FullDisplaysOnly,
                    _ => return Err(wrong("partial_display or full_displays_only")),
                }
            }
            "stall_rounds" => rules.stall_rounds = number()?,
            _ => {
                let known: Vec<_> = self.keys().into_iter().map(|(key, _)| key).collect();
                let problem = format!("no such rule; the rules are {}", known.join(", "));
                return Err(RulesError::new(key, problem));
            }
        }
        rules.check_first_player().map(|()| *self = rules)
    }

    fn check_first_player(&self) -> Result<(), RulesError> {
        match self.first_player {
            Some(seat) if !self.players.seats().contains(&seat) => {
                let n = self.players.count();
                Err(RulesError::new(&format!("first{seat}"), format!("the game has {n} seats")))
            }
            _ => Ok(()),
        }
    }

    /// Sets one option of the short form.
    fn set_option(&mut self, option: &str) -> Result<(), RulesError> {
        let digits = option.find(|letter: char| letter.is_ascii_digit()).unwrap_or(option.len());
        let (name, value) = option.split_at(digits);
        let number = || {
            // One way to write a number: no leading zeros.
            let is_canonical = value == "0" || !value.starts_with('0');
            value
                .parse::<u8>()
                .ok()
                .filter(|_| is_canonical)
                .ok_or_else(|| RulesError::new(option, "expected a number from 0 to 255"))
        };
        match name {
            "first" => {
                let seat = read_first_player(&format!("seat:{value}"));
                self.first_player =
                    seat.ok_or_else(|| RulesError::new(option, "expected a seat"))?;
            }
            "row" => self.row_bonus = number()?,
            "col" => self.column_bonus = number()?,
            "five" => self.color_bonus = ColorBonus::FiveOfColor(number()?),
            "bottom" => self.color_bonus = ColorBonus::BottomRowTiles(number()?),
            "floor" => {
                let digits =
                    value.as_bytes().chunks(1).map(|digit| str::from_utf8(digit).unwrap_or(""));
                self.floor_penalties = read_floor(digits)
                    .ok_or_else(|| RulesError::new(option, "expected seven digits"))?;
            }
            "neighbors" if value.is_empty() => {
                self.placement_scoring = PlacementScoring::OnePlusNeighbors;
            }
            "whole" if value.is_empty() => {
                self.refill_remainder = RefillRemainder::FullDisplaysOnly;
            }
            "stall" => self.stall_rounds = number()?,
            _ => return Err(RulesError::new(option, "no such option")),
        }
        Ok(())
    }
}

fn read_first_player(value: &str) -> Option<Option<Seat>> {
    if value == "random" {
        return Some(None);
    }
    let mut letters = value.strip_prefix("seat:")?.chars();
    let seat = Seat::from_letter(letters.next()?)?;
    letters.next().is_none().then_some(Some(seat))
}

fn read_color_bonus(value: &str) -> Option<ColorBonus> {
    let (kind, points) = value.split_once(':')?;
    let points = points.parse().ok()?;
    match kind {
        "five_of_color" => Some(ColorBonus::FiveOfColor(points)),
        "bottom_row_tiles" => Some(ColorBonus::BottomRowTiles(points)),
        _ => None,
    }
}

fn read_floor<'a>(mut values: impl Iterator<Item = &'a str>) -> Option<FloorPenalties> {
    let mut each = [0; FloorPenalties::SPACES];
    for points in &mut each {
        *points = values.next()?.trim().parse().ok()?;
    }
    if values.next().is_some() { None } else { FloorPenalties::new(each) }
}

/// Reads the short form: `2c`, `4gj`, `2c-duel`, `3c-row3-stall0`.
impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        let (game, mut options) = match text.split_once('-') {
            Some((game, options)) => (game, Some(options)),
            None => (text, None),
        };
        let shape = "expected players and wall, as in 2c, 3g or 4cj";
        let mut letters = game.chars();
        let players = letters.next().and_then(|digit| digit.to_digit(10));
        let players = players.and_then(|n| Players::from_count(n as usize));
        let players = players.ok_or_else(|| RulesError::new(game, shape))?;
        let mut rules = Rules::official(players);
        rules.wall = match letters.next() {
            Some('c') => WallKind::Colored,
            Some('g') => WallKind::Grey,
            _ => return Err(RulesError::new(game, shape)),
        };
        rules.jokers = match letters.as_str() {
            "" => false,
            "j" => true,
            _ => return Err(RulesError::new(game, shape)),
        };
        if let Some(text) = options {
            let named = Preset::ALL.into_iter().find_map(|preset| {
                let rest = text.strip_prefix(preset.name())?;
                let rest = if rest.is_empty() { None } else { Some(rest.strip_prefix('-')?) };
                Some((preset, rest))
            });
            if let Some((preset, rest)) = named {
                if !preset.allows(players) {
                    return Err(RulesError::new(text, "this preset is for two players"));
                }
                rules = rules.with_preset(preset);
                options = rest;
            }
        }
        for option in options.into_iter().flat_map(|options| options.split('-')) {
            rules.set_option(option)?;
        }
        rules.check_first_player()?;
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_round_trip() {
        for text in [
            "2c",
            "3g",
            "4cj",
            "2gj",
            "2c-duel",
            "3c-overview",
            "4g-quick-guide",
            "2c-duel-first2",
            "2c-first1",
            "2c-row3",
            "2c-col0",
            "2c-five255",
            "2c-bottom10",
            "3c-floor1122222",
            "2c-neighbors-whole",
            "2c-stall0",
            "4gj-first4-row3-col5-bottom9-floor0000009-neighbors-whole-stall99",
        ] {
            assert_eq!(text.parse::<Rules>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_ways_to_write_them_become_canonical() {
        let check = |text: &str, canonical: &str| {
            assert_eq!(text.parse::<Rules>().unwrap().to_string(), canonical, "{text}");
        };
        check("2c-official", "2c");
        check("2c-row2", "2c");
        check("2c-floor1122222", "2c-duel");
        check("2c-whole-bottom10-row3", "2c-quick-guide");
        check("2c-quick-guide-row4", "2c-row4-bottom10-whole");
        check("2c-overview-stall0", "2c-neighbors-stall0");
    }

    #[test]
    fn wrong_texts_are_refused() {
        for text in [
            "",
            "c",
            "5c",
            "1c",
            "2",
            "2x",
            "2cjj",
            "2cJ",
            "2c-",
            "2c--row3",
            "2c-row",
            "2c-row256",
            "2c-row03",
            "2c-rowx",
            "3c-duel",
            "2c-floor112222",
            "2c-floor11222222",
            "2c-first3",
            "2c-first0",
            "2c-first",
            "2c-neighbors1",
            "2c-house",
            "2c-duelx",
            "2é",
        ] {
            assert!(text.parse::<Rules>().is_err(), "{text}");
        }
        let long = "2c-".to_owned() + &"x".repeat(1000);
        assert!(long.parse::<Rules>().unwrap_err().to_string().len() < 120);
        let strange = "3\0\u{1b}[2J".parse::<Rules>().unwrap_err().to_string();
        assert!(strange.starts_with(r"rules: `3\0\u{1b}[2J`: "), "{strange}");
    }

    #[test]
    fn keys_can_be_set_to_their_own_values() {
        let rules: Rules =
            "4gj-first4-row3-col5-bottom9-floor0000009-neighbors-whole-stall99".parse().unwrap();
        let mut copy = Rules::official(Players::Two);
        for (key, value) in rules.keys() {
            copy.set(key, &value).unwrap();
        }
        assert_eq!(copy, rules);
        let mut back = rules;
        back.set("first_player", "random").unwrap();
        for (key, value) in Rules::official(Players::Two).keys() {
            back.set(key, &value).unwrap();
        }
        assert_eq!(back, Rules::official(Players::Two));
    }

    #[test]
    fn wrong_values_say_what_is_allowed() {
        let check = |key: &str, value: &str, expected: &str| {
            let mut rules = Rules::official(Players::Two);
            let error = rules.set(key, value).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert_eq!(rules, Rules::official(Players::Two));
        };
        check("players", "5", "2, 3 or 4");
        check("wall", "gray", "colored or grey");
        check("jokers", "yes", "on or off");
        check("first_player", "seat:3", "2 seats");
        check("first_player", "seat:12", "random or seat:1");
        check("first_player", "me", "random or seat:1");
        check("row_bonus", "-1", "0 to 255");
        check("color_bonus", "ten", "five_of_color:N");
        check("color_bonus", "ten:10", "five_of_color:N");
        check("floor_penalties", "1,1", "seven numbers");
        check("floor_penalties", "1,1,2,2,2,3,10", "seven numbers");
        check("placement_scoring", "x", "one_plus_neighbors");
        check("refill_remainder", "x", "full_displays_only");
        check("stall_rounds", "256", "0 to 255");
        check("house", "x", "the rules are players, wall");
    }
}
