//! `azulejo arena`: the command line of `azulejo-arena`, matches between engines. `docs/arena.md` is
//! its manual.

mod json;
mod progress;
mod records;
mod report;
mod tournament;

use crate::Answer;
use crate::input::{self, RulesArgs};
use anyhow::{Context, bail};
use azulejo_arena::{
    Contest, EndedBy, Engine, EngineSpec, GameResult, Sprt, Summary, Verdict, split_words,
};
use azulejo_rules::{Phase, Position, Rules};
use progress::Progress;
use records::Files;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tournament::Kind;

/// Play matches between engines: Elo with error bars, SPRT.
///
/// Words describe an engine: `cmd` (a program; `self`, `greedy` and `random` are built in), `name`,
/// `movetime`, `nodes`, `depth`, `clock` and `inc` (limits, times in milliseconds), `margin`
/// (tolerated excess of time), `seats`, `dir`, and `option.NAME`. Every shuffle is played once for
/// each rotation of the seats. `azulejo help arena` is the manual.
///
/// With --sprt the exit code is 0 only if H1 is accepted.
///
/// Example: azulejo arena --engine cmd=greedy --engine cmd=random --games 20 --seed 5
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Engine, like "cmd=./other name=B movetime=20 option.Threads=1"; once per engine.
    #[arg(short, long = "engine", value_name = "WORDS", required = true)]
    engines: Vec<String>,
    /// Defaults for all engines.
    #[arg(long, value_name = "WORDS", default_value = "", hide_default_value = true)]
    each: String,
    /// Number of games, rounded up to whole shuffles.
    #[arg(short = 'n', long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Number of games played at once.
    #[arg(short, long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Stop when the SPRT accepts a hypothesis, like "elo0=0 elo1=10 alpha=0.05 beta=0.05".
    #[arg(long, value_name = "WORDS")]
    sprt: Option<String>,
    /// Seed; shuffle 12 of seed 7 has the seed 7-12.
    #[arg(short, long)]
    seed: Option<String>,
    /// Rules in the notation, like `4gj`, instead of the options below.
    #[arg(long, value_name = "RULES", conflicts_with_all = ["players", "wall", "jokers", "preset", "rule"])]
    rules: Option<String>,
    /// Append the records of all finished games to this file.
    #[arg(short, long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Resume an interrupted match: the games in the file of --records count and are not played again.
    #[arg(long, requires_all = ["records", "seed"])]
    resume: bool,
    /// Start from the positions in this file, one on each line, another one for each shuffle.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rules", "players", "wall", "jokers", "preset", "rule"])]
    positions: Option<PathBuf>,
    /// A match for each pair of engines: the first against all others, or all against all.
    #[arg(long, value_name = "KIND", conflicts_with = "sprt")]
    tournament: Option<Kind>,
    /// Adjust the results by the luck of the deals, measured with this many nodes for each deal.
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    luck: Option<u64>,
    /// Without a terminal, print a line with the result so far this often.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    progress: f64,
    /// Longest time for an engine to start, or for a move without a time limit.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    timeout: f64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules_args: RulesArgs,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.05..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0.05 to 86400".to_owned()),
    }
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut contest = contest(args)?;
    let stop = stop_when_interrupted();
    if let Some(kind) = args.tournament {
        contest.meet(&stop)?;
        let mut files = Files::open(args)?;
        return tournament::run(kind, &contest, args, &mut files, &stop, out);
    }
    contest.check(&stop)?;
    let mut files = Files::open(args)?;
    let finished = files.finished(&contest, |_| true)?;
    let began = Instant::now();
    let summary = play(&contest, args, &mut files, &finished, &stop)?;
    if args.json {
        writeln!(out, "{}", json::summary(&contest, &summary, began.elapsed()))?;
    } else {
        out.write_all(report::text(&contest, &summary, began.elapsed()).as_bytes())?;
    }
    Ok(answer(&contest, &summary))
}

/// Plays the games of a match that are not finished, with its records and its progress.
fn play(
    contest: &Contest,
    args: &Args,
    files: &mut Files,
    finished: &[GameResult],
    stop: &AtomicBool,
) -> anyhow::Result<Summary> {
    let mut progress = Progress::new(contest, Duration::from_secs_f64(args.progress));
    let summary = contest.run(stop, finished, |result, tally| {
        files.add(&result.record)?;
        progress.show(contest, tally);
        anyhow::Ok(())
    });
    progress.clear();
    summary
}

/// With an SPRT, whether H1 was accepted; otherwise whether all games were played.
fn answer(contest: &Contest, summary: &Summary) -> Answer {
    let is_fine = match contest.sprt {
        Some(_) => summary.ended_by == EndedBy::Sprt(Verdict::AcceptH1),
        None => summary.ended_by == EndedBy::Complete,
    };
    if is_fine { Answer::Yes } else { Answer::No }
}

fn contest(args: &Args) -> anyhow::Result<Contest> {
    let starts = args.positions.as_deref().map_or(Ok(Vec::new()), starts)?;
    let rules: Rules = match (&args.rules, starts.first()) {
        (_, Some(start)) => *start.rules(),
        (Some(text), None) => {
            text.parse().with_context(|| format!("the rules `{}`", input::shorten(text)))?
        }
        (None, None) => args.rules_args.rules()?,
    };
    let each = EngineSpec::parse(&args.each).context("--each")?;
    let mut specs = Vec::new();
    for text in &args.engines {
        let spec = EngineSpec::parse(text).with_context(|| format!("--engine \"{text}\""))?;
        specs.push(spec.or(&each));
    }
    let n_seats = rules.players().count();
    let seats = match args.tournament {
        // Each match of a tournament has seats of its own.
        Some(_) => vec![1; specs.len()],
        None => seats(&specs, n_seats)?,
    };
    let this = std::env::current_exe().context("the path of this program")?;
    let engines: Vec<Engine> = specs.into_iter().map(|spec| spec.engine(&this)).collect();
    let sprt = args.sprt.as_deref().map(|text| sprt(text).context("--sprt")).transpose()?;
    Ok(Contest {
        rules,
        engines,
        seats,
        seed: input::seed(args.seed.as_deref())?,
        starts,
        n_games: args.games,
        concurrency: args.concurrency.into(),
        luck_nodes: args.luck,
        sprt,
        timeout: Duration::from_secs_f64(args.timeout),
    })
}

/// The start positions of a file. Blank lines and lines that start with `#` are ignored.
fn starts(path: &Path) -> anyhow::Result<Vec<Position>> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let mut starts: Vec<Position> = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let position: Position =
            input::parse_position(line).with_context(|| format!("line {number} of {shown}"))?;
        if matches!(position.phase(), Phase::Over(_)) {
            bail!("line {number} of {shown}: the game is over in this position");
        }
        if let Some(first) = starts.first().filter(|first| first.rules() != position.rules()) {
            bail!(
                "line {number} of {shown} has the rules {}, but the first position has {}",
                position.rules(),
                first.rules()
            );
        }
        starts.push(position);
    }
    if starts.is_empty() {
        bail!("{shown} has no position");
    }
    Ok(starts)
}

/// The number of seats of each engine: as given, otherwise one; the last engine without a number
/// takes the remaining seats.
fn seats(specs: &[EngineSpec], n_seats: usize) -> anyhow::Result<Vec<usize>> {
    let mut seats: Vec<usize> = specs.iter().map(|spec| spec.seats.unwrap_or(1)).collect();
    let taken: usize = seats.iter().sum();
    if taken > n_seats {
        bail!("the engines take {taken} seats, but the game has {n_seats}; change --players");
    }
    if taken < n_seats {
        let Some(last) = specs.iter().rposition(|spec| spec.seats.is_none()) else {
            bail!("the engines take only {taken} of {n_seats} seats; change `seats` or --players");
        };
        seats[last] += n_seats - taken;
    }
    Ok(seats)
}

/// Parses `elo0=0 elo1=10 alpha=0.05 beta=0.05`; alpha and beta may be left out.
fn sprt(text: &str) -> anyhow::Result<Sprt> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, None, None);
    for word in split_words(text)? {
        let (key, value) = word
            .split_once('=')
            .with_context(|| format!("`{word}` is not of the form KEY=VALUE"))?;
        let place = match key {
            "elo0" => &mut elo0,
            "elo1" => &mut elo1,
            "alpha" => &mut alpha,
            "beta" => &mut beta,
            _ => bail!("there is no key `{key}`; the keys are elo0, elo1, alpha and beta"),
        };
        let number: f64 = value.parse().with_context(|| format!("`{word}` is not a number"))?;
        if place.replace(number).is_some() {
            bail!("`{key}` is given twice");
        }
    }
    let elo0 = elo0.context("`elo0` is missing")?;
    let elo1 = elo1.context("`elo1` is missing")?;
    Ok(Sprt::new(elo0, elo1, alpha.unwrap_or(0.05), beta.unwrap_or(0.05))?)
}

/// A flag set by Ctrl-C and SIGTERM: the match ends and reports its result so far. A second signal
/// exits at once.
fn stop_when_interrupted() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::new(AtomicBool::new(false));
    let switch = Arc::clone(&stop);
    // Fails where signals were ignored when the program started; they stay ignored.
    let _ = ctrlc::try_set_handler(move || {
        if interrupted.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        switch.store(true, Ordering::Relaxed);
    });
    stop
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specs(texts: &[&str]) -> Vec<EngineSpec> {
        texts.iter().map(|text| EngineSpec::parse(text).unwrap()).collect()
    }

    #[test]
    fn seats_are_distributed() {
        let check = |texts: &[&str], n: usize, expected: Option<&[usize]>| {
            assert_eq!(seats(&specs(texts), n).ok().as_deref(), expected, "{texts:?} {n}");
        };
        check(&["", ""], 2, Some(&[1, 1]));
        check(&["", ""], 4, Some(&[1, 3]));
        check(&["seats=2", ""], 4, Some(&[2, 2]));
        check(&["", "seats=2", ""], 4, Some(&[1, 2, 1]));
        check(&["", "seats=2"], 4, Some(&[2, 2]));
        check(&[""], 3, Some(&[3]));
        check(&["", "", ""], 2, None);
        check(&["seats=1", "seats=2"], 4, None);
    }

    #[test]
    fn sprt_is_parsed() {
        let check = |text: &str, expected: &str| {
            let found = match sprt(text) {
                Ok(sprt) => {
                    format!("{} {} {} {}", sprt.elo0(), sprt.elo1(), sprt.alpha(), sprt.beta())
                }
                Err(error) => format!("{error:#}"),
            };
            assert!(found.contains(expected), "{text}: {found}");
        };
        check("elo0=0 elo1=10", "0 10 0.05 0.05");
        check("elo1=5 elo0=-5 beta=0.1 alpha=0.01", "-5 5 0.01 0.1");
        check("elo0=0", "`elo1` is missing");
        check("elo0=0 elo1=x", "not a number");
        check("elo0=0 elo1=0", "elo0 must be below elo1");
        check("elo0=0 elo0=0 elo1=1", "`elo0` is given twice");
        check("elo2=0", "there is no key `elo2`");
        check("0 10", "not of the form");
    }
}
