//! The start screen: a form with the choices before a game.

use crate::session::{Choices, MAX_NAME, Player, PlayerKind, TimeControl};
use azulejo_engine::Level;
use azulejo_notation::Seed;
use azulejo_rules::{Players, Preset, Rules, WallKind};

/// A row of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Players,
    /// A seat, from 0.
    Seat(usize),
    Wall,
    Jokers,
    Preset,
    Seed,
    Clock,
    Begin,
    Continue,
    Games,
    Help,
    Quit,
}

/// The form.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// Four players, of whom the first `n_players` play.
    players: Vec<Player>,
    n_players: usize,
    rules: Rules,
    pub(crate) seed: String,
    time: Option<TimeControl>,
    pub(crate) cursor: usize,
    pub(crate) can_continue: bool,
    pub(crate) note: Option<String>,
}

/// The clocks to choose from.
const CLOCKS: [Option<TimeControl>; 6] = [
    None,
    Some(TimeControl { minutes: 3, increment_s: 2 }),
    Some(TimeControl { minutes: 5, increment_s: 5 }),
    Some(TimeControl { minutes: 10, increment_s: 5 }),
    Some(TimeControl { minutes: 20, increment_s: 10 }),
    Some(TimeControl { minutes: 45, increment_s: 15 }),
];

impl Start {
    pub(crate) fn new(choices: &Choices) -> Start {
        let mut players = choices.players().to_vec();
        let n_players = players.len();
        while players.len() < 4 {
            players.push(Player::engine(Level::FIRST));
        }
        let seed = choices.seed.as_ref().map_or(String::new(), ToString::to_string);
        let mut start = Start {
            players,
            n_players,
            rules: *choices.rules(),
            seed,
            time: choices.time,
            cursor: 0,
            can_continue: false,
            note: None,
        };
        start.point_at(Field::Begin);
        start
    }

    /// The rows of the form.
    pub(crate) fn fields(&self) -> Vec<Field> {
        let mut fields = vec![Field::Players];
        fields.extend((0..self.n_players).map(Field::Seat));
        fields.extend([Field::Wall, Field::Jokers, Field::Preset, Field::Seed, Field::Clock]);
        fields.push(Field::Begin);
        if self.can_continue {
            fields.push(Field::Continue);
        }
        fields.extend([Field::Games, Field::Help, Field::Quit]);
        fields
    }

    pub(crate) fn field(&self) -> Field {
        let fields = self.fields();
        fields[self.cursor.min(fields.len() - 1)]
    }

    pub(crate) fn point_at(&mut self, field: Field) {
        if let Some(at) = self.fields().iter().position(|&known| known == field) {
            self.cursor = at;
        }
    }

    pub(crate) fn step(&mut self, forward: bool) {
        let n = self.fields().len();
        self.cursor = next(Some(self.cursor.min(n - 1)), n, forward);
        self.note = None;
    }

    /// Whether letters go into the row.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.field(), Field::Seat(_) | Field::Seed)
    }

    /// The value of a row.
    pub(crate) fn value(&self, field: Field) -> String {
        match field {
            Field::Players => self.n_players.to_string(),
            Field::Seat(i) => match self.players[i].kind {
                PlayerKind::Person => format!("person   {}", self.players[i].name),
                PlayerKind::Engine(level) => {
                    format!("level {:<2} {}", level.number(), self.players[i].name)
                }
            },
            Field::Wall => match self.rules.wall {
                WallKind::Colored => "colored".to_owned(),
                WallKind::Grey => "grey".to_owned(),
            },
            Field::Jokers => if self.rules.jokers { "with" } else { "without" }.to_owned(),
            Field::Preset => match self.rules().preset() {
                Some(preset) => preset.name().to_owned(),
                None => "house rules".to_owned(),
            },
            Field::Seed if self.seed.is_empty() => "random".to_owned(),
            Field::Seed => self.seed.clone(),
            Field::Clock => match self.time {
                None => "none".to_owned(),
                Some(time) => time.to_string(),
            },
            // The others are buttons.
            _ => String::new(),
        }
    }

    /// The explanation of a row, for the line below the form.
    pub(crate) fn explain(&self, field: Field) -> String {
        let text = match field {
            Field::Players => "The number of players.",
            Field::Seat(i) => {
                const KEYS: &str = "← → choose a person or a level; type to change the name.";
                return match self.players[i].kind {
                    PlayerKind::Person => format!("A person at this keyboard. {KEYS}"),
                    PlayerKind::Engine(level) => format!("{} {KEYS}", level.summary()),
                };
            }
            Field::Wall => {
                "Colored: every space of the wall shows its color. Grey: you choose, no color \
                 twice in a row or column."
            }
            Field::Jokers => "A joker tile stands for any color while a line is filled.",
            Field::Preset => match self.rules().preset() {
                Some(preset) => preset.summary(),
                None => "House rules from the command line.",
            },
            Field::Seed => {
                "Fixes the first player and the deals. Type a word, or leave it empty for a \
                 random game."
            }
            Field::Clock => {
                "Minutes for the game and seconds added after each move. Nobody loses on \
                 time."
            }
            Field::Begin => "Enter begins the game.",
            Field::Continue => "Continues the last game that is not over.",
            Field::Games => "Your games: continue, replay, play on from any move.",
            Field::Help => "The rules in five minutes, and all keys.",
            Field::Quit => "Until next time.",
        };
        text.to_owned()
    }

    /// Changes the value of a row.
    pub(crate) fn change(&mut self, forward: bool) {
        self.note = None;
        match self.field() {
            Field::Players => {
                self.n_players = 2 + next(Some(self.n_players - 2), 3, forward);
                let players = Players::from_count(self.n_players).unwrap_or(Players::Two);
                let mut rules = self.rules;
                if rules.preset().is_some_and(|preset| !preset.allows(players)) {
                    rules = rules.with_preset(Preset::Official).unwrap_or(rules);
                }
                self.rules = rules.with_players(players);
            }
            Field::Seat(i) => self.change_kind(i, forward),
            Field::Wall => {
                self.rules.wall = match self.rules.wall {
                    WallKind::Colored => WallKind::Grey,
                    WallKind::Grey => WallKind::Colored,
                }
            }
            Field::Jokers => self.rules.jokers = !self.rules.jokers,
            Field::Preset => {
                let all: Vec<_> = Preset::ALL
                    .into_iter()
                    .filter(|preset| preset.allows(self.rules.players()))
                    .collect();
                let at =
                    self.rules().preset().and_then(|preset| all.iter().position(|&p| p == preset));
                let next = next(at, all.len(), forward);
                self.rules = self.rules.with_preset(all[next]).unwrap_or(self.rules);
            }
            Field::Clock => {
                let at = CLOCKS.iter().position(|&clock| clock == self.time);
                self.time = CLOCKS[next(at, CLOCKS.len(), forward)];
            }
            // The seed is typed, and buttons have no value.
            _ => {}
        }
    }

    /// Steps through a person and the levels, the weakest first.
    fn change_kind(&mut self, i: usize, forward: bool) {
        let player = &self.players[i];
        let at = match player.kind {
            PlayerKind::Person => 0,
            PlayerKind::Engine(level) => usize::from(level.number()),
        };
        let next = next(Some(at), 1 + Level::all().count(), forward);
        self.players[i] = match (Level::new(next as u8), player.kind) {
            // A name that was typed stays; the name of a level changes with it.
            (Some(level), PlayerKind::Engine(old)) if player.name != old.name() => {
                Player { name: player.name.clone(), kind: PlayerKind::Engine(level) }
            }
            (Some(level), _) => Player::engine(level),
            (None, _) if i == 0 => Player::me(),
            (None, _) => Player::person(&format!("Player {}", i + 1)),
        };
    }

    /// Adds a letter to the text of the row, or removes the last one.
    pub(crate) fn edit(&mut self, letter: Option<char>) {
        self.note = None;
        let (text, most) = match self.field() {
            Field::Seat(i) => (&mut self.players[i].name, MAX_NAME),
            Field::Seed => (&mut self.seed, Seed::MAX_LENGTH),
            _ => return,
        };
        match letter {
            Some(c) if c.is_control() || text.chars().count() >= most => {}
            Some(c) => text.push(c),
            None => drop(text.pop()),
        }
    }

    pub(crate) fn rules(&self) -> Rules {
        self.rules
    }

    /// The choices, or what is wrong with them.
    pub(crate) fn choices(&self) -> Result<Choices, String> {
        let mut players = self.players[..self.n_players].to_vec();
        for player in &mut players {
            let fallback = match player.kind {
                PlayerKind::Person => "Player",
                PlayerKind::Engine(level) => level.name(),
            };
            if player.name.trim().is_empty() {
                fallback.clone_into(&mut player.name);
            }
            player.name = player.name.trim().to_owned();
        }
        let mut choices = Choices::new(self.rules, players).map_err(|error| error.to_string())?;
        if !self.seed.is_empty() {
            choices.seed = Some(self.seed.parse().map_err(|error| format!("The seed: {error}"))?);
        }
        choices.time = self.time;
        Ok(choices)
    }
}

fn next(at: Option<usize>, n: usize, forward: bool) -> usize {
    match at {
        None => 0,
        Some(at) if forward => (at + 1) % n,
        Some(at) => (at + n - 1) % n,
    }
}
