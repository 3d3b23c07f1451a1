//! `azulejo puzzles make`: makes a set of puzzles from a seed, on several threads, and goes on where it
//! was stopped.

use super::set;
use crate::{Answer, interrupt};
use anyhow::{Context, bail};
use azulejo_engine::Stop;
use azulejo_notation::Seed;
use azulejo_puzzles::{Puzzle, make, network_fingerprint, read_part};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Make a set of puzzles from games of the engine.
///
/// The same seed, count and version give the same set, byte for byte, with any number of threads. What is
/// found is kept in the file making.txt of the folder: Ctrl-C stops, and the same command goes on.
///
/// Example: azulejo puzzles make --seed first --count 20 --out puzzles
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The seed of the games.
    #[arg(short, long)]
    seed: Seed,
    /// The number of puzzles.
    #[arg(short = 'n', long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// The folder of the set.
    #[arg(short, long)]
    out: PathBuf,
    /// The number of threads.
    #[arg(short, long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Print JSON: the number of puzzles and games.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot create {}", args.out.display()))?;
    let head =
        format!("# azulejo puzzles 1, seed {}, network {}", args.seed, network_fingerprint());
    let path = args.out.join("making.txt");
    let mut making = Making::resume(&path, &head)?;
    let count = args.count as usize;
    let progress = ProgressBar::new(count as u64);
    progress.set_style(ProgressStyle::with_template("{wide_bar} {pos}/{len} puzzles, {eta} left")?);
    let stop = interrupt::stop_when_interrupted();
    let mut games = Games::start(&args.seed, making.n_games, args.threads, &stop);
    while making.puzzles.len() < count
        && let Some(puzzles) = games.next()?
    {
        making.add(puzzles)?;
        progress.set_position(making.puzzles.len() as u64);
    }
    games.end()?;
    progress.finish_and_clear();
    let (n_games, n_found) = (making.n_games, making.puzzles.len().min(count));
    if n_found < count {
        crate::complain(&format!(
            "stopped with {n_found} of {count} puzzles; the same command goes on"
        ));
        return Ok(Answer::No);
    }
    making.puzzles.truncate(count);
    set::write(&args.out, &head, making.puzzles)?;
    fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    if args.json {
        writeln!(out, "{}", json!({ "puzzles": n_found, "games": n_games }))?;
    } else {
        writeln!(out, "{n_found} puzzles from {n_games} games in {}", args.out.display())?;
    }
    Ok(Answer::Yes)
}

/// The file of what was found: after the head the puzzles of each game, closed by a comment with its
/// number.
struct Making {
    file: File,
    puzzles: Vec<Puzzle>,
    ids: HashSet<String>,
    n_games: u64,
}

impl Making {
    /// Goes on with a file, or begins one. A game that is not closed is made again.
    fn resume(path: &Path, head: &str) -> anyhow::Result<Making> {
        let name = path.display();
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => format!("{head}\n"),
            Err(error) => return Err(error).with_context(|| format!("cannot read {name}")),
        };
        if text.lines().next() != Some(head) {
            bail!("{name} belongs to another seed or network: remove it, or choose another folder");
        }
        let n_games = text.lines().filter(|line| line.starts_with("# game ")).count() as u64;
        let end = text.rfind("# game ").map_or(head.len() + 1, |at| {
            at + text[at..].find('\n').map_or(text.len() - at, |length| length + 1)
        });
        let mut puzzles = Vec::new();
        for (line, puzzle) in read_part(&text[..end]) {
            puzzles.push(puzzle.with_context(|| format!("{name}, line {line}"))?);
        }
        azulejo_files::write_atomic(path, &text.as_bytes()[..end])
            .with_context(|| format!("cannot write {name}"))?;
        let file = OpenOptions::new().append(true).open(path);
        let file = file.with_context(|| format!("cannot write {name}"))?;
        let mut making = Making { file, puzzles: Vec::new(), ids: HashSet::new(), n_games };
        making.keep(puzzles);
        Ok(making)
    }

    fn add(&mut self, puzzles: Vec<Puzzle>) -> anyhow::Result<()> {
        let mut text: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
        text += &format!("# game {}\n", self.n_games);
        self.file.write_all(text.as_bytes()).context("cannot write what was found")?;
        self.n_games += 1;
        self.keep(puzzles);
        Ok(())
    }

    fn keep(&mut self, puzzles: Vec<Puzzle>) {
        let is_new = |puzzle: &Puzzle| self.ids.insert(puzzle.id());
        self.puzzles.extend(puzzles.into_iter().filter(is_new));
    }
}

/// Threads that make the puzzles of one game after the other; the results come in the order of the games.
struct Games {
    results: mpsc::Receiver<(u64, Vec<Puzzle>)>,
    /// Results of later games.
    early: BTreeMap<u64, Vec<Puzzle>>,
    next: u64,
    /// Ends the threads after their games.
    end: Stop,
    threads: Vec<thread::JoinHandle<anyhow::Result<()>>>,
}

impl Games {
    fn start(seed: &Seed, first: u64, n_threads: u16, interrupted: &Stop) -> Games {
        // A thread waits if it is many games ahead.
        let (sender, results) = mpsc::sync_channel(64);
        let counter = std::sync::Arc::new(AtomicU64::new(first));
        let end = Stop::new();
        let threads = (0..n_threads).map(|_| {
            let (seed, sender, counter) = (seed.clone(), sender.clone(), counter.clone());
            let (end, interrupted) = (end.clone(), interrupted.clone());
            thread::spawn(move || {
                while !end.is_stopped() && !interrupted.is_stopped() {
                    let game = counter.fetch_add(1, Ordering::Relaxed);
                    let puzzles = make(&seed, game)?;
                    if sender.send((game, puzzles)).is_err() {
                        break;
                    }
                }
                Ok(())
            })
        });
        Games { threads: threads.collect(), results, early: BTreeMap::new(), next: first, end }
    }

    /// The puzzles of the next game; `None` after an interruption.
    fn next(&mut self) -> anyhow::Result<Option<Vec<Puzzle>>> {
        loop {
            if let Some(puzzles) = self.early.remove(&self.next) {
                self.next += 1;
                return Ok(Some(puzzles));
            }
            let Ok((game, puzzles)) = self.results.recv() else { return Ok(None) };
            self.early.insert(game, puzzles);
        }
    }

    /// Waits for the threads.
    fn end(self) -> anyhow::Result<()> {
        self.end.stop();
        drop(self.results);
        for thread in self.threads {
            match thread.join() {
                Ok(done) => done?,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(())
    }
}
