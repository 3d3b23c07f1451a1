//! `azulejo play`: the game in the terminal, full screen or line by line.

use crate::Answer;
use crate::input::{self, VariantArgs};
use anyhow::{Context, bail};
use azulejo_engine::Level;
use azulejo_notation::{Seed, verify_deals};
use azulejo_tui::app::{Opening, Settings, Speed};
use azulejo_tui::look::{Depth, Look};
use azulejo_tui::session::{Choices, Folder, Player, Session, TimeControl, read_record};
use azulejo_tui::{Autosave, driver, plain};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Play in the terminal.
///
/// For two to four players: people sharing a keyboard, and levels of the engine. Without options a
/// start screen asks for everything; --seats or another option starts a game at once. Every game is
/// saved as a record in your data folder after each move. If the output is not a terminal, the game
/// is played line by line. `azulejo help terminal` explains the screen and the keys.
///
/// Example: azulejo play --seats me,ai:7 --wall grey --jokers --seed 5
#[derive(clap::Args)]
#[command(after_help = seats_help(), after_long_help = format!("{}\n\n{}", seats_help(), input::levels_help()))]
pub(crate) struct Args {
    /// Players, seat by seat.
    #[arg(long, value_name = "SEAT,SEAT,…", value_delimiter = ',')]
    seats: Vec<Player>,
    #[command(flatten)]
    variant: VariantArgs,
    /// Seed of the game: 1 to 64 letters, digits, `-`, `_` or `.`.
    #[arg(short, long)]
    seed: Option<String>,
    /// Clock for every player: minutes for the game, and seconds added after each move.
    #[arg(long, value_name = "MIN+SEC")]
    clock: Option<TimeControl>,
    /// Continue the last unfinished game.
    #[arg(long = "continue", conflicts_with_all = ["seats", "seed", "clock", "load", "replay"])]
    resume: bool,
    /// Continue the game of a record; the file is not changed.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seats", "seed", "clock", "replay"])]
    load: Option<PathBuf>,
    /// Replay a record step by step, and take over at any point.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seats", "seed", "clock", "plain"])]
    replay: Option<PathBuf>,
    /// Play line by line, for screen readers, pipes and scripts.
    #[arg(long)]
    plain: bool,
    /// Draw with ASCII characters only.
    #[arg(long)]
    ascii: bool,
    /// Color depth of the terminal [default: detected].
    #[arg(long, value_parser = ["truecolor", "256", "16", "none"])]
    colors: Option<String>,
    /// Time limit for each move of the engine, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = seconds)]
    think: f64,
    /// Speed of the animations, from 1 (slow) to 5 (none).
    #[arg(long, default_value_t = Speed::USUAL.number(), value_parser = clap::value_parser!(u8).range(1..=5))]
    speed: u8,
    /// Folder for saved games, instead of your data folder; AZULEJO_DATA sets it too.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

fn seats_help() -> String {
    format!(
        "Seats: a name is a person, `me` is you, `ai:1` to `ai:{}` are levels of the engine, and\n\
         `ai:7=Rita` is a level with a name.",
        Level::MAX.number()
    )
}

fn seconds(text: &str) -> Result<f64, String> {
    let fits = |s: &f64| (0.01..=3600.0).contains(s);
    text.parse().ok().filter(fits).ok_or_else(|| "expected a number from 0.01 to 3600".to_owned())
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let folder = match &args.data {
        Some(path) => Some(Folder::at(path.clone())),
        None => Folder::standard().ok(),
    };
    let last_choice = folder.as_ref().and_then(Folder::last_choice);
    let choices = args.choices(last_choice.as_ref())?;
    let is_terminal = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let is_plain = args.plain || !is_terminal || is_dumb;
    let seed = input::seed(None)?;
    let opening = args.opening(&choices, folder.as_ref(), &seed, is_plain)?;
    let think = Duration::from_secs_f64(args.think);
    let mut autosave = Autosave::new(folder);
    if let Opening::Game(_, path) = &opening {
        autosave.use_file(path.clone())?;
    }
    if is_plain {
        let Opening::Game(mut session, _) = opening else {
            bail!("a replay needs a terminal; `azulejo replay FILE` prints one");
        };
        let mut input = std::io::stdin().lock();
        let plain = plain::Plain { input: &mut input, out, autosave: &mut autosave, think };
        plain::play(&mut session, plain)?;
        return Ok(Answer::Yes);
    }
    let settings = Settings {
        look: args.look(),
        speed: Speed::new(args.speed).unwrap_or(Speed::USUAL),
        think,
        random_state: RandomState::new().build_hasher().finish(),
        choices,
    };
    let saved = driver::run(settings, opening, autosave).context("the terminal")?;
    if let Some(path) = saved {
        writeln!(out, "The game is saved in {}.", path.display())?;
        writeln!(out, "Continue it: azulejo play --continue")?;
    }
    Ok(Answer::Yes)
}

impl Args {
    /// The choices given by options; without any, those of the last game.
    fn choices(&self, last: Option<&Choices>) -> anyhow::Result<Choices> {
        if !self.has_choice() {
            return Ok(last.cloned().unwrap_or_default());
        }
        let usual = || Choices::default().players().to_vec();
        let players = if self.seats.is_empty() { usual() } else { self.seats.clone() };
        let n_players = players.len();
        if !(2..=4).contains(&n_players) {
            bail!("a game has two to four seats, not {n_players}");
        }
        let mut choices = Choices::new(self.variant.rules(n_players)?, players)?;
        choices.seed = self.seed.as_deref().map(|seed| input::seed(Some(seed))).transpose()?;
        choices.time = self.clock;
        Ok(choices)
    }

    /// Whether an option chooses a game, so that the start screen is skipped.
    fn has_choice(&self) -> bool {
        !self.seats.is_empty()
            || self.seed.is_some()
            || self.clock.is_some()
            || self.variant.is_chosen()
    }

    fn opening(
        &self,
        choices: &Choices,
        folder: Option<&Folder>,
        seed: &Seed,
        is_plain: bool,
    ) -> anyhow::Result<Opening> {
        if let Some(path) = &self.replay {
            return Ok(Opening::Replay(Box::new(read_record(path)?)));
        }
        if self.resume {
            let game = folder.and_then(Folder::unfinished);
            let game = game.context("there is no unfinished game; `azulejo play` starts one")?;
            // A game whose deals do not follow from its seed gets a new seed and a new file.
            let path = verify_deals(&game.record).is_ok().then_some(game.path);
            return Ok(Opening::Game(Box::new(Session::resume(game.record, seed)), path));
        }
        if let Some(path) = &self.load {
            // The file is not changed: the game is saved in the data folder.
            let session = Session::resume(read_record(path)?, seed);
            return Ok(Opening::Game(Box::new(session), None));
        }
        if self.has_choice() || is_plain {
            return Ok(Opening::Game(Box::new(Session::start(choices, seed)), None));
        }
        Ok(Opening::Start)
    }

    fn look(&self) -> Look {
        let mut look = Look::detect(&|name| std::env::var(name).ok());
        if anstream::ColorChoice::global() == anstream::ColorChoice::Never {
            look.depth = Depth::None;
        }
        if let Some(depth) = self.colors.as_deref().and_then(Depth::from_name) {
            look.depth = depth;
        }
        look.ascii |= self.ascii;
        look
    }
}
