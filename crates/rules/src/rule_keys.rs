//! The table of rule keys: name, help, values and short form of every field of [`Rules`], with
//! their parsing and printing (`row_bonus = 3`, and `4gj-row3` in positions) and hashing.
//!
//! A new field of [`Rules`] does not compile before it has a row in the table and is hashed.

use crate::names::Seat;
use crate::rules::{
    ColorBonus, FloorPenalties, PlacementScoring, Players, Preset, RefillRemainder, Rules, WallKind,
};
use std::fmt;
use std::str::FromStr;

/// A key of a rule set: what options, records and JSON call a field of [`Rules`].
///
/// ```
/// use azulejo_rules::{Players, RuleKey, Rules};
///
/// let rules = Rules::official(Players::Two);
/// let key = RuleKey::find("row_bonus").unwrap();
/// assert_eq!((key.value(&rules).as_str(), key.values), ("2", "a number from 0 to 255"));
/// assert_eq!(RuleKey::ALL.len(), 11);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RuleKey {
    /// The name, as in `row_bonus`.
    pub name: &'static str,
    /// What it decides, in one sentence.
    pub help: &'static str,
    /// The values that it takes, in words.
    pub values: &'static str,
    /// The options of the short form: a word, and the beginning of the value for which it stands.
    /// Digits after the word are the rest of the value; [`LIST`] separates them.
    short: &'static [(&'static str, &'static str)],
    print: fn(&Rules) -> String,
    /// Sets the field, without the check of the whole; `false` if the text is not a value.
    parse: fn(&mut Rules, &str) -> bool,
}

/// The separator of a value that is a list of digits.
const LIST: &str = ",";

macro_rules! rule_keys {
    ($($field:ident, $help:literal, $short:expr;)+) => {
        impl RuleKey {
            /// All keys, in the order of records and of the short form.
            pub const ALL: &[RuleKey] = &[$(RuleKey {
                name: stringify!($field),
                help: $help,
                values: values_of(|rules| &rules.$field),
                short: &$short,
                print: |rules| rules.$field.print(),
                parse: |rules, text| {
                    RuleValue::parse(text).map(|value| rules.$field = value).is_some()
                },
            }),+];
        }

        // A field of `Rules` that has no row does not compile.
        const _: fn(Rules) = |Rules { $($field: _),+ }| {};
    };
}

rule_keys! {
    players, "The number of players.", [];
    wall, "The side of the boards.", [];
    jokers, "Whether the Joker tiles are in play.", [];
    first_player, "The seat that starts the game.", [("first", "seat:")];
    row_bonus, "Points for each full row at the end.", [("row", "")];
    column_bonus, "Points for each full column at the end.", [("col", "")];
    color_bonus, "The third bonus: points for each complete color, or for each tile in the bottom row.",
        [("five", "five_of_color:"), ("bottom", "bottom_row_tiles:")];
    floor_penalties, "What the spaces of the floor cost, from the left.", [("floor", LIST)];
    placement_scoring, "How placing a tile on the wall scores.",
        [("neighbors", "one_plus_neighbors")];
    refill_remainder, "Whether the last factory may be filled partly when tiles run out.",
        [("whole", "full_displays_only")];
    stall_rounds, "The game ends after this number of rounds in a row without a placement; 0 is never.",
        [("stall", "")];
}

const fn values_of<T: RuleValue>(_: fn(&Rules) -> &T) -> &'static str {
    T::VALUES
}

impl RuleKey {
    /// The key of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static RuleKey> {
        RuleKey::ALL.iter().find(|key| key.name == name)
    }

    /// The value of a rule set as text.
    #[must_use]
    pub fn value(&self, rules: &Rules) -> String {
        (self.print)(rules)
    }

    /// The option of the short form, unless it begins with this key.
    fn option(&self, rules: &Rules) -> Option<String> {
        let value = self.value(rules);
        self.short.iter().find_map(|&(word, begin)| match begin {
            LIST => Some(format!("{word}{}", value.replace(LIST, ""))),
            _ => Some(format!("{word}{}", value.strip_prefix(begin)?)),
        })
    }

    /// The value for which an option of the short form stands, if it is one of this key.
    fn value_of_option(&self, word: &str, digits: &str) -> Option<String> {
        let &(_, begin) = self.short.iter().find(|(short, _)| *short == word)?;
        // There is one way to write a number: without leading zeros.
        let is_canonical = begin == LIST || digits.len() < 2 || !digits.starts_with('0');
        match begin {
            LIST => Some(digits.chars().map(String::from).collect::<Vec<_>>().join(LIST)),
            _ => is_canonical.then(|| format!("{begin}{digits}")),
        }
    }
}

/// A type of rule values with its text.
trait RuleValue: Sized {
    /// The values in words, after "expected".
    const VALUES: &'static str;
    fn print(&self) -> String;
    fn parse(text: &str) -> Option<Self>;
}

impl RuleValue for u8 {
    const VALUES: &'static str = "a number from 0 to 255";

    fn print(&self) -> String {
        self.to_string()
    }

    fn parse(text: &str) -> Option<u8> {
        text.parse().ok()
    }
}

impl RuleValue for Players {
    const VALUES: &'static str = "2, 3 or 4";

    fn print(&self) -> String {
        self.count().to_string()
    }

    fn parse(text: &str) -> Option<Players> {
        Players::from_count(text.parse().ok()?)
    }
}

impl RuleValue for ColorBonus {
    const VALUES: &'static str = "five_of_color:N or bottom_row_tiles:N";

    fn print(&self) -> String {
        match self {
            ColorBonus::FiveOfColor(points) => format!("five_of_color:{points}"),
            ColorBonus::BottomRowTiles(points) => format!("bottom_row_tiles:{points}"),
        }
    }

    fn parse(text: &str) -> Option<ColorBonus> {
        let (kind, points) = text.split_once(':')?;
        let points = points.parse().ok()?;
        match kind {
            "five_of_color" => Some(ColorBonus::FiveOfColor(points)),
            "bottom_row_tiles" => Some(ColorBonus::BottomRowTiles(points)),
            _ => None,
        }
    }
}

impl RuleValue for FloorPenalties {
    const VALUES: &'static str = "seven numbers from 0 to 9, as in 1,1,2,2,2,3,3";

    fn print(&self) -> String {
        self.each().map(|points| points.to_string()).join(LIST)
    }

    fn parse(text: &str) -> Option<FloorPenalties> {
        let each: Option<Vec<u8>> = text.split(LIST).map(|n| n.trim().parse().ok()).collect();
        FloorPenalties::new(each?.try_into().ok()?)
    }
}

/// A type with few values, each of which is a word.
macro_rules! words {
    ($type:ty, $values:literal, $([$($value:tt)+] = $word:literal),+) => {
        impl RuleValue for $type {
            const VALUES: &'static str = $values;

            fn print(&self) -> String {
                match self { $($($value)+ => $word),+ }.to_owned()
            }

            fn parse(text: &str) -> Option<$type> {
                match text { $($word => Some($($value)+),)+ _ => None }
            }
        }
    };
}

words! { bool, "on or off", [true] = "on", [false] = "off" }
words! { Option<Seat>, "random or seat:1 to seat:4", [None] = "random",
    [Some(Seat::One)] = "seat:1", [Some(Seat::Two)] = "seat:2",
    [Some(Seat::Three)] = "seat:3", [Some(Seat::Four)] = "seat:4"
}
words! { WallKind, "colored or grey", [WallKind::Colored] = "colored", [WallKind::Grey] = "grey" }
words! { PlacementScoring, "official or one_plus_neighbors",
    [PlacementScoring::Official] = "official",
    [PlacementScoring::OnePlusNeighbors] = "one_plus_neighbors"
}
words! { RefillRemainder, "partial_display or full_displays_only",
    [RefillRemainder::PartialDisplay] = "partial_display",
    [RefillRemainder::FullDisplaysOnly] = "full_displays_only"
}

/// `Display` and `FromStr` as in the values of the keys.
macro_rules! text_forms {
    ($($type:ident),+) => {$(
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.print())
            }
        }

        impl FromStr for $type {
            type Err = RulesError;

            fn from_str(text: &str) -> Result<$type, RulesError> {
                let wrong = || RulesError::new(text, format!("expected {}", $type::VALUES));
                $type::parse(text).ok_or_else(wrong)
            }
        }
    )+};
}

text_forms!(Players, WallKind, ColorBonus, FloorPenalties, PlacementScoring, RefillRemainder);

/// Why a text is not a rule set, a value is not one of its key, or rules do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RulesError {
    /// The part of the text at fault.
    pub part: String,
    /// What is wrong with it.
    pub problem: String,
}

impl RulesError {
    pub(crate) fn new(part: &str, problem: impl Into<String>) -> RulesError {
        // Input can be huge; an error shows only its beginning.
        let mut part: String = part.chars().take(40).collect();
        if part.is_empty() {
            part = "(nothing)".to_owned();
        }
        RulesError { part, problem: problem.into() }
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The part is foreign text: a terminal must not obey control characters in it.
        write!(f, "rules: `{}`: {}", self.part.escape_debug(), self.problem)
    }
}

impl std::error::Error for RulesError {}

impl Rules {
    /// All keys with their values as text.
    #[must_use]
    pub fn keys(&self) -> Vec<(&'static str, String)> {
        RuleKey::ALL.iter().map(|key| (key.name, key.value(self))).collect()
    }

    /// Sets one key.
    ///
    /// # Errors
    /// If there is no such key, the value is not one of its values, or the rules would not fit
    /// together; nothing has changed then.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), RulesError> {
        let Some(key) = RuleKey::find(key) else {
            let known: Vec<_> = RuleKey::ALL.iter().map(|key| key.name).collect();
            let problem = format!("no such rule; the rules are {}", known.join(", "));
            return Err(RulesError::new(key, problem));
        };
        let mut rules = *self;
        if !(key.parse)(&mut rules, value) {
            let problem = format!("not a value for {}; expected {}", key.name, key.values);
            return Err(RulesError::new(value, problem));
        }
        *self = rules.checked()?;
        Ok(())
    }

    /// Sets one option of the short form.
    fn set_option(&mut self, option: &str) -> Result<(), RulesError> {
        let at = option.find(|letter: char| letter.is_ascii_digit()).unwrap_or(option.len());
        let (word, digits) = option.split_at(at);
        let key = RuleKey::ALL.iter().find(|key| key.short.iter().any(|(short, _)| *short == word));
        let key = key.ok_or_else(|| RulesError::new(option, "no such option"))?;
        let value = key.value_of_option(word, digits);
        if !value.is_some_and(|value| (key.parse)(self, &value)) {
            return Err(RulesError::new(option, format!("not an option of {}", key.name)));
        }
        Ok(())
    }

    /// Everything in the rules that bears on a game under way, for the hash key of a position.
    pub(crate) fn hash_words(&self) -> [u64; 2] {
        let Rules {
            players,
            wall,
            jokers,
            // Has no effect once a game has started.
            first_player: _,
            row_bonus,
            column_bonus,
            color_bonus,
            floor_penalties,
            placement_scoring,
            refill_remainder,
            stall_rounds,
        } = *self;
        let penalties =
            floor_penalties.each().iter().fold(0, |n, &points| n * 10 + u64::from(points));
        let (bottom_row, color_points) = match color_bonus {
            ColorBonus::FiveOfColor(points) => (0, points),
            ColorBonus::BottomRowTiles(points) => (1, points),
        };
        let switches = players as u64
            | u64::from(wall == WallKind::Grey) << 3
            | u64::from(jokers) << 4
            | bottom_row << 5
            | u64::from(placement_scoring == PlacementScoring::OnePlusNeighbors) << 6
            | u64::from(refill_remainder == RefillRemainder::FullDisplaysOnly) << 7;
        let numbers = u32::from_le_bytes([row_bonus, column_bonus, color_points, stall_rounds]);
        [switches | u64::from(numbers) << 8, penalties]
    }
}

/// Prints the short form: players, wall and jokers, the preset, and the options that differ from it.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wall = match self.wall {
            WallKind::Colored => 'c',
            WallKind::Grey => 'g',
        };
        write!(f, "{}{wall}{}", self.players, if self.jokers { "j" } else { "" })?;
        let mut base = Rules::official(self.players);
        if let Some(preset) = self.preset().filter(|&preset| preset != Preset::Official) {
            write!(f, "-{preset}")?;
            base = Rules { first_player: None, ..*self };
        }
        let options = RuleKey::ALL.iter().filter(|key| key.value(self) != key.value(&base));
        options.filter_map(|key| key.option(self)).try_for_each(|option| write!(f, "-{option}"))
    }
}

/// Reads the short form: `2c`, `4gj`, `2c-duel`, `3c-row3-stall0`.
impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        let (game, mut options) = match text.split_once('-') {
            Some((game, options)) => (game, Some(options)),
            None => (text, None),
        };
        let shape = || RulesError::new(game, "expected players and wall, as in 2c, 3g or 4cj");
        let (players, board) = game.split_at_checked(1).ok_or_else(shape)?;
        let players = players.parse().map_err(|_| shape())?;
        let (wall, jokers) = match board {
            "c" => (WallKind::Colored, false),
            "cj" => (WallKind::Colored, true),
            "g" => (WallKind::Grey, false),
            "gj" => (WallKind::Grey, true),
            _ => return Err(shape()),
        };
        let mut rules = Rules::official(players).with_wall(wall).with_jokers(jokers);
        let preset = options.and_then(|text| {
            Preset::ALL.into_iter().find_map(|preset| {
                let rest = text.strip_prefix(preset.name())?;
                let rest = if rest.is_empty() { None } else { Some(rest.strip_prefix('-')?) };
                Some((preset, rest))
            })
        });
        if let Some((preset, rest)) = preset {
            rules = rules.with_preset(preset)?;
            options = rest;
        }
        for option in options.into_iter().flat_map(|options| options.split('-')) {
            rules.set_option(option)?;
        }
        rules.checked()
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
    fn values_have_text_forms_of_their_own() {
        assert_eq!("grey".parse(), Ok(WallKind::Grey));
        assert_eq!("3".parse(), Ok(Players::Three));
        assert_eq!("bottom_row_tiles:9".parse(), Ok(ColorBonus::BottomRowTiles(9)));
        assert_eq!(FloorPenalties::OFFICIAL.to_string().parse(), Ok(FloorPenalties::OFFICIAL));
        let error = "gray".parse::<WallKind>().unwrap_err().to_string();
        assert_eq!(error, "rules: `gray`: expected colored or grey");
        let error = "house".parse::<Preset>().unwrap_err().to_string();
        assert!(
            error.ends_with("the presets are official, overview, quick-guide, duel"),
            "{error}"
        );
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
