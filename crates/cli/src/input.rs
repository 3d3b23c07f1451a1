//! Parses command line arguments: positions, moves, rule sets, seeds.

use anyhow::{Context, anyhow, bail};
use azulejo_engine::Level;
use azulejo_notation::Seed;
use azulejo_rules::{
    Deal, Move, ParsePositionError, Players, Position, Preset, RuleKey, Rules, WallKind,
};
use azulejo_words as words;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::io::Read;

/// The longest line read from standard input; a position is far shorter.
const MAX_INPUT: u64 = 64 * 1024;

/// The options that choose a rule set.
#[derive(clap::Args)]
pub(crate) struct RulesArgs {
    /// Number of players.
    #[arg(short, long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=4))]
    players: u8,
    #[command(flatten)]
    variant: VariantArgs,
}

/// The options that choose a rule set, without the number of players.
#[derive(clap::Args)]
pub(crate) struct VariantArgs {
    /// Side of the boards.
    #[arg(short, long, value_enum, default_value_t = WallArg::Colored)]
    wall: WallArg,
    /// Play with Joker tiles.
    #[arg(short, long)]
    jokers: bool,
    /// Named rule set.
    #[arg(long, value_parser = presets(), default_value_t = Preset::Official)]
    preset: Preset,
    /// Change one rule, like `row_bonus=3`; may be given several times.
    #[arg(long = "rule", value_name = "KEY=VALUE", long_help = rule_help())]
    rule: Vec<String>,
}

fn presets() -> impl TypedValueParser<Value = Preset> {
    let preset = |preset: Preset| PossibleValue::new(preset.name()).help(preset.summary());
    PossibleValuesParser::new(Preset::ALL.map(preset)).try_map(|name| name.parse::<Preset>())
}

fn rule_help() -> String {
    let mut help =
        "Change one rule, like `row_bonus=3`; may be given several times. The rules:".to_owned();
    for RuleKey { name, help: what, values, .. } in RuleKey::ALL {
        help.push_str(&format!("\n- {name}: {what} Values: {values}."));
    }
    help
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum WallArg {
    Colored,
    Grey,
}

impl RulesArgs {
    pub(crate) fn rules(&self) -> anyhow::Result<Rules> {
        self.variant.rules(self.players.into())
    }
}

impl VariantArgs {
    /// Whether any option differs from its default.
    pub(crate) fn is_chosen(&self) -> bool {
        let is_plain = matches!(self.wall, WallArg::Colored) && !self.jokers;
        !is_plain || self.preset != Preset::Official || !self.rule.is_empty()
    }

    /// The rules for a number of players.
    pub(crate) fn rules(&self, n_players: usize) -> anyhow::Result<Rules> {
        let players = Players::from_count(n_players).context("a game has 2 to 4 players")?;
        if !self.preset.allows(players) {
            bail!("the preset {} is for two players", self.preset);
        }
        let mut rules = Rules::official(players);
        rules.wall = match self.wall {
            WallArg::Colored => WallKind::Colored,
            WallArg::Grey => WallKind::Grey,
        };
        rules.jokers = self.jokers;
        rules = rules.with_preset(self.preset)?;
        for rule in &self.rule {
            let (key, value) = rule
                .split_once('=')
                .with_context(|| format!("`{rule}` is not a rule: write KEY=VALUE"))?;
            rules.set(key.trim(), value.trim())?;
        }
        Ok(rules)
    }
}

/// The levels of the engine, for the end of a help text.
pub(crate) fn levels_help() -> String {
    let level = |level: Level| {
        format!("\n  {:>2}  {:<10}  {}", level.number(), level.name(), level.summary())
    };
    format!("Levels:{}", Level::all().map(level).collect::<String>())
}

/// The given seed, or a random one.
pub(crate) fn seed(given: Option<&str>) -> anyhow::Result<Seed> {
    if let Some(text) = given {
        return text.parse().with_context(|| format!("the seed `{}`", shorten(text)));
    }
    use std::hash::{BuildHasher, Hasher, RandomState};
    // The standard library seeds the keys of its hash maps from the operating system.
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    Ok(format!("{:016x}", hasher.finish()).parse()?)
}

/// A position: the text itself, or for `-` the first line of standard input that is not blank.
pub(crate) fn position(text: &str) -> anyhow::Result<Position> {
    if text != "-" {
        return parse_position(text);
    }
    let mut input = Vec::new();
    std::io::stdin().lock().take(MAX_INPUT).read_to_end(&mut input)?;
    let input = String::from_utf8(input).context("standard input is not UTF-8 text")?;
    let line = input.lines().map(str::trim).find(|line| !line.is_empty());
    parse_position(line.context("standard input is empty: expected a position")?)
}

pub(crate) fn parse_position(text: &str) -> anyhow::Result<Position> {
    text.parse().map_err(|error| match error {
        ParsePositionError::Syntax(error) => {
            let hint = if text.starts_with("az") {
                ""
            } else {
                "\nA position is a text like the one that `azulejo new` prints; \
                 see `azulejo help notation`."
            };
            anyhow!("{error}\n{}{hint}", pointer(text, error.column))
        }
        ParsePositionError::Invalid(error) => {
            let list: String =
                error.faults().iter().map(|fault| format!("\n  - {fault}")).collect();
            anyhow!("not a legal position:{list}")
        }
    })
}

/// The part of a text around a column (from 1), with a caret below that column. It fits 80 columns:
/// a whole position would wrap, and the caret would point at nothing.
fn pointer(text: &str, column: usize) -> String {
    const BEFORE: usize = 40;
    const WIDTH: usize = 72;
    let start = column.saturating_sub(1 + BEFORE);
    let (before, rest) = (if start > 0 { "…" } else { "" }, text.chars().skip(start));
    let part: String = rest.clone().take(WIDTH).collect();
    let after = if rest.count() > WIDTH { "…" } else { "" };
    let indent = column.saturating_sub(1 + start) + before.chars().count();
    format!("  {before}{part}{after}\n  {:indent$}^", "")
}

/// A move or a deal.
pub(crate) enum MoveOrDeal {
    Move(Move),
    Deal(Deal),
}

/// Reads a move (`3B2`, `r2c3`) or a deal (`BBYR-KKKK-…`).
pub(crate) fn move_or_deal(text: &str) -> anyhow::Result<MoveOrDeal> {
    let is_deal = text.contains('-');
    let context = || format!("`{}`", shorten(text));
    if is_deal {
        Ok(MoveOrDeal::Deal(text.parse().with_context(context)?))
    } else {
        Ok(MoveOrDeal::Move(text.parse().with_context(context)?))
    }
}

/// A move.
pub(crate) fn single_move(text: &str) -> anyhow::Result<Move> {
    text.parse().with_context(|| format!("`{}`", shorten(text)))
}

/// The beginning of a long text.
pub(crate) fn shorten(text: &str) -> String {
    words::clip(text, 60)
}
