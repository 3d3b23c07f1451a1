//! A quick match inside one process: two evaluations in the same search, the same deals with seats
//! changed. `azulejo arena` is the thorough one; this decides whether a network is accepted.

use crate::parallel;
use crate::player::{Brain, HASH_MB};
use crate::progress::Progress;
use crate::selfplay::Wall;
use anyhow::{Context, ensure};
use azulejo_arena::{Estimate, Mean, elo_of_share};
use azulejo_engine::{Engine, Limits, Stop};
use azulejo_notation::{Dealer, Seed};
use azulejo_rules::{Phase, Players, Position, Rules, Seat};
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Let two evaluations play a match in the same search.
///
/// Example: azulejo-train match --a net.bin --b classic --games 400 --nodes 10000
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file of a network, or `classic`.
    #[arg(long)]
    a: String,
    /// Whom it plays, likewise.
    #[arg(long)]
    b: String,
    /// How many games; rounded up so that each deal is played from every seat.
    #[arg(long, default_value_t = 400)]
    games: u64,
    /// Nodes for each move.
    #[arg(long, required_unless_present = "movetime", conflicts_with = "movetime")]
    nodes: Option<u64>,
    /// Milliseconds for each move.
    #[arg(long)]
    movetime: Option<u64>,
    /// Players at the table: the first against one or more of the second.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=4))]
    players: u8,
    /// The wall of the boards.
    #[arg(long, value_enum, default_value_t = Wall::Colored)]
    wall: Wall,
    /// Play with jokers.
    #[arg(long)]
    jokers: bool,
    /// Decides the deals.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games are played at a time.
    #[arg(long, default_value_t = crate::default_threads())]
    threads: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let players = Players::from_count(args.players.into()).context("two to four can play")?;
    let time = args.movetime.map(Duration::from_millis);
    let duel = Duel {
        a: Brain::parse(&args.a)?,
        b: Brain::parse(&args.b)?,
        rules: Rules { wall: args.wall.kind(), jokers: args.jokers, ..Rules::official(players) },
        limits: Limits { time, nodes: args.nodes, ..Limits::default() },
        seed: args.seed,
        n_games: args.games,
    };
    let score = duel.play(args.threads)?;
    println!("{} against {}: {score}", args.a, args.b);
    Ok(())
}

/// A match to be played: the first evaluation has one seat, the second all others.
pub(crate) struct Duel {
    pub(crate) a: Brain,
    pub(crate) b: Brain,
    pub(crate) rules: Rules,
    pub(crate) limits: Limits,
    pub(crate) seed: u64,
    pub(crate) n_games: u64,
}

/// How a match went for the first evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Score {
    pub(crate) games: u64,
    pub(crate) players: Players,
    /// The share of victories.
    pub(crate) share: Estimate,
    /// The final score minus the best other's, in points.
    pub(crate) difference: Estimate,
}

impl Score {
    /// The share that it would have if all were equally strong.
    pub(crate) fn fair_share(&self) -> f64 {
        1.0 / self.players.count() as f64
    }

    /// Whether it is the better one beyond reasonable doubt.
    pub(crate) fn is_won(&self) -> bool {
        self.share.low > self.fair_share()
    }

    /// The difference in Elo that would give this share among so many players.
    pub(crate) fn elo(&self) -> Estimate {
        let others = (self.players.count() - 1) as f64;
        // Against several, the odds are compared with those of equal players.
        self.share.map(|share| elo_of_share(share * others / (share * others + 1.0 - share)))
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (share, elo) = (self.share.map(|share| 100.0 * share), self.elo());
        write!(
            f,
            "{:.1} % of the wins in {} games with {} players ({:.1} to {:.1} %, fair is {:.1} %), Elo {:+.0} ({:+.0} to {:+.0}), {:+.2} ± {:.2} points",
            share.mean,
            self.games,
            self.players.count(),
            share.low,
            share.high,
            100.0 * self.fair_share(),
            elo.mean,
            elo.low,
            elo.high,
            self.difference.mean,
            self.difference.error(),
        )
    }
}

/// The results of all games with the same deals, in the mean.
#[derive(Clone, Copy)]
struct GroupResult {
    share: f64,
    difference: f64,
}

impl Duel {
    pub(crate) fn play(&self, threads: usize) -> anyhow::Result<Score> {
        let group_size = self.rules.players.count() as u64;
        let n_groups = self.n_games.div_ceil(group_size);
        ensure!(n_groups > 0, "a match has at least one game");
        let progress = Progress::new(n_groups * group_size, "games");
        let next_group = AtomicU64::new(0);
        let results: Mutex<Vec<Option<GroupResult>>> = Mutex::new(vec![None; n_groups as usize]);
        let worker = || -> anyhow::Result<()> {
            let mut engines = [self.a.engine(HASH_MB, 1), self.b.engine(HASH_MB, 1)];
            loop {
                let group = next_group.fetch_add(1, Ordering::Relaxed);
                if group >= n_groups {
                    return Ok(());
                }
                // A failure ends the match for all.
                let result = self.play_group(group, &mut engines).inspect_err(|_| {
                    next_group.store(n_groups, Ordering::Relaxed);
                })?;
                if let Ok(mut results) = results.lock() {
                    results[group as usize] = Some(result);
                    progress.remark(running(&results, group_size));
                }
                progress.add(group_size);
            }
        };
        let played = parallel::workers(threads, worker);
        progress.finish();
        played?;
        let (mut shares, mut differences) = (Mean::default(), Mean::default());
        for result in results.into_inner().unwrap_or_default().into_iter().flatten() {
            shares.add(result.share);
            differences.add(result.difference);
        }
        Ok(Score {
            games: n_groups * group_size,
            players: self.rules.players,
            share: shares.share(group_size as f64).context("no game was played")?,
            difference: differences.estimate().context("no game was played")?,
        })
    }

    /// Plays one shuffle with the first evaluation in every seat.
    fn play_group(&self, group: u64, engines: &mut [Engine; 2]) -> anyhow::Result<GroupResult> {
        let seats = self.rules.players.seats();
        let mut result = GroupResult { share: 0.0, difference: 0.0 };
        for &seat in seats {
            let end = self.play_game(group, seat, engines)?;
            let target = crate::targets::result(&end, seat);
            result.share += f64::from(target.win) / seats.len() as f64;
            result.difference += f64::from(target.difference) / seats.len() as f64;
        }
        Ok(result)
    }

    fn play_game(
        &self,
        group: u64,
        seat: Seat,
        engines: &mut [Engine; 2],
    ) -> anyhow::Result<Position> {
        let seed: Seed = format!("{}-{group}", self.seed).parse()?;
        let (first, mut dealer) = Dealer::new(&seed, &self.rules);
        let mut position = Position::new(self.rules, first);
        engines.iter_mut().for_each(Engine::new_game);
        while position.ended_by().is_none() {
            if position.phase() == Phase::Deal {
                position.deal_unchecked(&dealer.deal(&position)?);
                continue;
            }
            let engine = &mut engines[usize::from(position.turn() != seat)];
            let answer = engine.search(&position, &self.limits, &Stop::new(), &mut |_| {});
            let m = answer.map(|answer| answer.best);
            let m = m.with_context(|| format!("the engine has no move in {position}"))?;
            position.play(m).with_context(|| format!("the engine plays {m} in {position}"))?;
        }
        Ok(position)
    }
}

/// The share so far, as a remark.
fn running(results: &[Option<GroupResult>], group_size: u64) -> String {
    let mut shares = Mean::default();
    results.iter().flatten().for_each(|result| shares.add(result.share));
    shares.share(group_size as f64).map_or(String::new(), |share| {
        format!("{:.1} % ± {:.1}", 100.0 * share.mean, 100.0 * share.error())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::luck::Luck;
    use crate::model::Model;
    use crate::quantize::quantize;
    use azulejo_engine::features::N_FEATURES;
    use azulejo_engine::network::{FIRST_HIDDEN, Network};
    use std::sync::Arc;

    fn duel(players: Players, nodes: u64, n_games: u64) -> Duel {
        Duel {
            a: Brain::Classic,
            b: Brain::Classic,
            rules: Rules::official(players),
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
            seed: 1,
            n_games,
        }
    }

    #[test]
    fn against_itself_a_match_is_even() {
        for players in Players::ALL {
            let score = duel(players, 30, 13).play(2).unwrap();
            assert_eq!(score.games, 13_u64.next_multiple_of(players.count() as u64));
            assert!((score.share.mean - score.fair_share()).abs() < 1e-6, "{score}");
            assert!(!score.is_won());
            assert!(score.elo().mean.abs() < 1e-3);
        }
    }

    #[test]
    fn noise_loses() {
        let mut luck = Luck::new(1);
        let mut model = Model::new(N_FEATURES, &mut luck);
        for row in &mut model.rows[..N_FEATURES] {
            row.0[..FIRST_HIDDEN].fill_with(|| luck.within(0.5));
        }
        let noise = Network { two: quantize(&model).unwrap(), ..Network::blank() };
        let mut duel = duel(Players::Two, 100, 20);
        duel.b = Brain::Learned(Arc::new(noise), "noise".to_owned());
        let score = duel.play(2).unwrap();
        assert!(score.is_won(), "{score}");
        assert!(score.difference.low > 0.0, "{score}");
        std::mem::swap(&mut duel.a, &mut duel.b);
        assert!((duel.play(1).unwrap().share.mean + score.share.mean - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_fair_share_is_no_difference_in_elo() {
        for (players, share, expected) in [
            (Players::Two, 0.75, 190.848),
            (Players::Four, 0.25, 0.0),
            // Half of the wins against two others: twice the odds of equal players.
            (Players::Three, 0.5, 120.412),
        ] {
            let share = Estimate { mean: share, low: 0.0, high: 1.0 };
            let score = Score { games: 1, players, share, difference: share };
            assert!((score.elo().mean - expected).abs() < 1e-2, "{score}");
        }
    }
}
