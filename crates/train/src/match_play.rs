//! The gating match: two evaluations in the same search inside one process, on the same deals with
//! seats swapped. It decides whether a network is accepted; `azulejo arena` is for everything else.

use crate::parallel;
use crate::player::{Evaluation, HASH_MB};
use crate::progress::Progress;
use anyhow::{Context, ensure};
use azulejo_arena::{Estimate, Mean, elo_of_share};
use azulejo_engine::{Engine, Limits, Stop};
use azulejo_notation::{Dealer, Seed};
use azulejo_rules::{Phase, Players, Position, Rules, Seat};
use std::fmt;
use std::sync::Mutex;

/// Play a match between two evaluations in the same search.
///
/// Example: azulejo-train match --a net.bin --b classic --games 400 --nodes 10000
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The path of a network, or `classic`.
    #[arg(long)]
    a: String,
    /// Its opponent, likewise.
    #[arg(long)]
    b: String,
    /// The number of games; rounded up so that each deal is played from every seat.
    #[arg(long, default_value_t = 400)]
    games: u64,
    /// Nodes for each move.
    #[arg(long)]
    nodes: u64,
    /// The rules: the first evaluation has one seat, the second all others.
    #[arg(long, default_value = "2c")]
    rules: Rules,
    /// The seed of the deals.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played at the same time.
    #[arg(long, default_value_t = crate::default_threads())]
    threads: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let contest = Match {
        a: Evaluation::parse(&args.a)?,
        b: Evaluation::parse(&args.b)?,
        rules: args.rules,
        nodes: args.nodes,
        seed: args.seed,
        n_games: args.games,
    };
    let score = contest.play(args.threads)?;
    println!("{} against {}: {score}", args.a, args.b);
    Ok(())
}

/// A match to be played: the first evaluation has one seat, the second all others.
pub(crate) struct Match {
    pub(crate) a: Evaluation,
    pub(crate) b: Evaluation,
    pub(crate) rules: Rules,
    /// Nodes for each move.
    pub(crate) nodes: u64,
    pub(crate) seed: u64,
    pub(crate) n_games: u64,
}

/// The result of a match for the first evaluation.
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
    /// The share of victories among equally strong players.
    pub(crate) fn fair_share(&self) -> f64 {
        1.0 / self.players.count() as f64
    }

    /// Whether the 95 % interval is above the fair share.
    pub(crate) fn is_won(&self) -> bool {
        self.share.low > self.fair_share()
    }

    /// The difference in Elo that gives this share with this number of players.
    pub(crate) fn elo(&self) -> Estimate {
        let others = (self.players.count() - 1) as f64;
        // Against several players the odds are compared with those of equal players.
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

/// The mean result of all games with the same deals.
#[derive(Clone, Copy)]
struct GroupResult {
    share: f64,
    difference: f64,
}

impl Match {
    pub(crate) fn play(&self, threads: usize) -> anyhow::Result<Score> {
        let group_size = self.rules.players().count() as u64;
        let n_groups = self.n_games.div_ceil(group_size);
        ensure!(n_groups > 0, "a match needs at least one game");
        let progress = Progress::new(n_groups * group_size, "games");
        let running = Mutex::new(Mean::default());
        let engines = || [self.a.engine(HASH_MB, 1), self.b.engine(HASH_MB, 1)];
        let played = parallel::map(threads, 0..n_groups, engines, |engines, group| {
            let result = self.play_group(group, engines)?;
            if let Ok(mut shares) = running.lock() {
                shares.add(result.share);
                let so_far =
                    shares.share(group_size as f64).map(|all| all.map(|share| 100.0 * share));
                if let Some(share) = so_far {
                    progress.remark(format!("{:.1} % ± {:.1}", share.mean, share.error()));
                }
            }
            progress.add(group_size);
            Ok(result)
        });
        progress.finish();
        let (mut shares, mut differences) = (Mean::default(), Mean::default());
        for result in played? {
            shares.add(result.share);
            differences.add(result.difference);
        }
        Ok(Score {
            games: n_groups * group_size,
            players: self.rules.players(),
            share: shares.share(group_size as f64).context("no game was played")?,
            difference: differences.estimate().context("no game was played")?,
        })
    }

    /// Plays one shuffle with the first evaluation in every seat.
    fn play_group(&self, group: u64, engines: &mut [Engine; 2]) -> anyhow::Result<GroupResult> {
        let seats = self.rules.players().seats();
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
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        engines.iter_mut().for_each(Engine::new_game);
        while position.ended_by().is_none() {
            if position.phase() == Phase::Deal {
                position.deal_unchecked(&dealer.deal(&position)?);
                continue;
            }
            let engine = &mut engines[usize::from(position.turn() != seat)];
            let answer = engine.search(&position, &limits, &Stop::new(), &mut |_| {});
            let m = answer.map(|answer| answer.best);
            let m = m.with_context(|| format!("the engine has no move in {position}"))?;
            position.play(m).with_context(|| format!("the engine plays {m} in {position}"))?;
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::quantize::quantize;
    use crate::rng::Rng;
    use azulejo_engine::features::N_FEATURES;
    use azulejo_engine::network::{FIRST_HIDDEN, Network};
    use std::sync::Arc;

    fn mirror_match(players: Players, nodes: u64, n_games: u64) -> Match {
        Match {
            a: Evaluation::Classic,
            b: Evaluation::Classic,
            rules: Rules::official(players),
            nodes,
            seed: 1,
            n_games,
        }
    }

    #[test]
    fn mirror_match_is_even() {
        for players in Players::ALL {
            let score = mirror_match(players, 30, 13).play(2).unwrap();
            assert_eq!(score.games, 13_u64.next_multiple_of(players.count() as u64));
            assert!((score.share.mean - score.fair_share()).abs() < 1e-6, "{score}");
            assert!(!score.is_won());
            assert!(score.elo().mean.abs() < 1e-3);
        }
    }

    #[test]
    fn noise_loses() {
        let mut rng = Rng::new(1);
        let mut model = Model::new(N_FEATURES, &mut rng);
        for row in &mut model.rows[..N_FEATURES] {
            row.0[..FIRST_HIDDEN].fill_with(|| rng.within(0.5));
        }
        let mut noise = Network::blank();
        noise.set_section(&[Rules::official(Players::Two)], quantize(&model).unwrap().into());
        let mut contest = mirror_match(Players::Two, 100, 20);
        contest.b = Evaluation::Learned(Arc::new(noise), "noise".to_owned());
        let score = contest.play(2).unwrap();
        assert!(score.is_won(), "{score}");
        assert!(score.difference.low > 0.0, "{score}");
        std::mem::swap(&mut contest.a, &mut contest.b);
        assert!((contest.play(1).unwrap().share.mean + score.share.mean - 1.0).abs() < 1e-9);
    }

    #[test]
    fn fair_share_is_zero_elo() {
        for (players, share, expected) in [
            (Players::Two, 0.75, 190.848),
            (Players::Four, 0.25, 0.0),
            // Half of the wins against two opponents: twice the odds of equal players.
            (Players::Three, 0.5, 120.412),
        ] {
            let share = Estimate { mean: share, low: 0.0, high: 1.0 };
            let score = Score { games: 1, players, share, difference: share };
            assert!((score.elo().mean - expected).abs() < 1e-2, "{score}");
        }
    }
}
