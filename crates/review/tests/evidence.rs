//! What reviews must show over many games: ledgers whose residual is small, luck whose mean is zero,
//! marks that stay, losses that fall with the level, and proofs that brute force confirms.
//!
//! In every run these are small samples at a small budget, whose figures are only printed or bounded
//! loosely; `cargo xtask long review-…` runs them at full size, where the bounds of docs/review.md
//! hold.

mod common;

use azulejo_notation::{Action, ReplayStep};
use azulejo_review::{Budget, Certainty, Decision, Judgement, Review};
use azulejo_rules::Position;
use azulejo_testkit::brute::Brute;
use azulejo_testkit::random_play::number_from;
use azulejo_testkit::result::{self, GameResult};
use common::{Figures, game, on_all_cores, review};
use std::time::Instant;

/// The number of games, and whether a long run asked for it.
fn n_games(default: u64) -> (u64, bool) {
    let asked = number_from("AZULEJO_REVIEW_GAMES");
    (asked.unwrap_or(default), asked.is_some())
}

/// Long runs have the budget that the figures are about.
fn budget(is_long: bool) -> Budget {
    let named: Option<String> = std::env::var("AZULEJO_REVIEW_BUDGET").ok();
    let asked = named.map(|name| name.parse().expect("AZULEJO_REVIEW_BUDGET is a budget"));
    asked.unwrap_or(if is_long { Budget::NORMAL } else { SMALL })
}

const SMALL: Budget = Budget { nodes: 3_000, n_deals: 4, deal_nodes: 1_000 };

/// Kinds of games with the levels that play them.
const TABLES: [(&str, &[u8]); 6] = [
    ("2c", &[8, 8]),
    ("2c", &[3, 8]),
    ("3c", &[8, 8, 8]),
    ("4c", &[8, 8, 8, 8]),
    ("2g", &[8, 8]),
    ("3gj", &[4, 8, 6]),
];

#[test]
fn ledgers_add_up_and_luck_is_fair() {
    let (n, is_long) = n_games(1);
    for (rules, levels) in TABLES {
        let n_seats = levels.len();
        let (mut residual, mut choices) = (Figures::default(), Figures::default());
        let mut luck = vec![Figures::default(); n_seats];
        let mut sums = vec![(Figures::default(), Figures::default()); n_seats];
        let start = Instant::now();
        let mut n_moves = 0;
        let reviews = on_all_cores(n, |i| {
            review(&game(rules, levels, &format!("ledger-{i}")), budget(is_long), "review")
        });
        for (i, review) in reviews.iter().enumerate() {
            n_moves += review.decisions.len();
            for (seat, player) in review.players.iter().enumerate() {
                let ledger = &player.ledger;
                assert_eq!(ledger.sum(), ledger.result, "{rules} {i}: {ledger:?}");
                assert!(ledger.own_errors.get() <= 0.0, "{rules} {i}: {ledger:?}");
                residual.add(ledger.residual.get());
                choices.add(ledger.others_choices.get());
                sums[seat].0.add(ledger.luck.get());
                sums[seat].1.add(ledger.own_errors.get());
                review.deals.iter().for_each(|deal| luck[seat].add(deal.luck[seat].get()));
            }
        }
        let seconds = start.elapsed().as_secs_f64() / n as f64;
        println!(
            "{rules} {levels:?}: {n} games, {:.1} moves, {seconds:.2} s each: residual {residual}, \
             mean absolute {:.2} %, choices of others {:.2} %",
            n_moves as f64 / n as f64,
            100.0 * residual.mean_abs(),
            100.0 * choices.mean_abs()
        );
        // Where one wins what the other loses, a move that costs nothing gives nothing.
        assert_eq!(choices.mean_abs() > 0.0, n_seats > 2, "{rules}: choices of others {choices}");
        for (seat, (luck, (all, errors))) in luck.iter().zip(&sums).enumerate() {
            println!(
                "  seat {}: luck of a deal {luck} (deviation {:.1} %), of a game {all}, own errors \
                 {errors}, correlation {:+.2} ± {:.2}",
                seat + 1,
                100.0 * luck.deviation(),
                all.correlation(errors),
                1.0 / (all.n() as f64).sqrt(),
            );
            if is_long && n >= 100 {
                assert!(luck.is_zero_within(4.0), "{rules}: the mean luck is {luck}");
            }
        }
        if is_long && n >= 100 {
            assert!(residual.is_zero_within(4.0), "{rules}: {residual}");
            assert!(residual.mean_abs() <= 0.05, "{rules}: {}", residual.mean_abs());
        }
    }
}

#[test]
fn marks_stay_with_twice_the_budget() {
    let (n, is_long) = n_games(1);
    let budget = budget(is_long);
    for (rules, levels) in [("2c", &[5, 7][..]), ("3c", &[5, 6, 7]), ("4c", &[5, 6, 7, 8])] {
        let (mut n_marks, mut by_budget) = (0, 0);
        let (mut n_unmarked, mut would_change) = (0, 0);
        let reviews = on_all_cores(n, |i| {
            let record = game(rules, levels, &format!("marks-{i}"));
            [review(&record, budget, "review"), review(&record, budget.doubled(), "review")]
        });
        for (i, [first, more]) in reviews.iter().enumerate() {
            n_marks += first.decisions.iter().filter(|at| at.judgement.is_mark()).count();
            by_budget += changes(first, more).count();
            for (a, b) in first.decisions.iter().zip(&more.decisions) {
                let is_proved = a.certainty == Certainty::Proved && b.certainty == a.certainty;
                assert!(!is_proved || a.loss == b.loss, "{rules} {i}: {a:?}\n{b:?}");
                let [was, is] = [a, b].map(|decision| Judgement::of_loss(decision.loss));
                if was.is_mark() && !a.judgement.is_mark() {
                    n_unmarked += 1;
                    would_change += u32::from(was != is);
                }
            }
        }
        println!(
            "{rules} {levels:?}: of {n_marks} marks {by_budget} change with twice the budget ({:.1} %)",
            100.0 * by_budget as f64 / f64::from(n_marks.max(1) as u32)
        );
        println!("  of {n_unmarked} larger losses without a mark {would_change} would change");
        if is_long && n_marks >= 400 {
            assert!(by_budget * 20 <= n_marks, "{rules}: {by_budget} of {n_marks} marks change");
        }
    }
}

/// The decisions that are marked in one review and otherwise, or not, in the other.
fn changes<'a>(a: &'a Review, b: &'a Review) -> impl Iterator<Item = (&'a Decision, &'a Decision)> {
    a.decisions.iter().zip(&b.decisions).filter(|(a, b)| {
        let is_marked = a.judgement.is_mark() || b.judgement.is_mark();
        is_marked && a.judgement != b.judgement
    })
}

#[test]
fn loss_falls_with_the_level() {
    let (n, is_long) = n_games(1);
    let levels: &[u8] = if is_long { &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } else { &[1, 7] };
    let mut last: Option<(u8, Figures, Figures)> = None;
    for &level in levels {
        let (mut loss, mut accuracy) = (Figures::default(), Figures::default());
        let reviews = on_all_cores(n, |i| {
            review(&game("2c", &[level, level], &format!("order-{i}")), budget(is_long), "review")
        });
        for player in reviews.into_iter().flat_map(|review| review.players) {
            loss.add(player.all.loss_per_decision.get());
            accuracy.add(player.all.accuracy.expect("there are decisions") / 100.0);
        }
        println!("level {level}: loss per decision {loss}, accuracy {accuracy}");
        if let Some((below, more, _)) = &last {
            let (more, less) = (more.mean(), loss.mean());
            assert!(less < more, "level {level} loses {less}, level {below} {more}");
        }
        last = Some((level, loss, accuracy));
    }
}

#[test]
fn proved_losses_agree_with_brute_force() {
    let (n, is_long) = n_games(3);
    let (mut n_compared, mut n_marks, mut n_given_up) = (0, 0, 0);
    for i in 0..n {
        let rules = ["2c", "2g", "2cj"][i as usize % 3];
        let record = game(rules, &[2, 5], &format!("proved-{i}"));
        let review = review(&record, budget(is_long), "review");
        let positions = record.replay().filter(is_move).map(|step| step.before);
        for (decision, position) in review.decisions.iter().zip(positions) {
            if decision.certainty != Certainty::Proved {
                continue;
            }
            let mut brute = Brute::new(3_000_000, |position: &Position| result::value(position));
            let Some((best, played)) = brute.each_move(&position).and_then(|moves| {
                let best = moves.iter().map(|&(_, value)| value).max()?;
                Some((best, brute.value_after(&position, decision.played)?))
            }) else {
                n_given_up += 1;
                continue;
            };
            let (best, played) = (GameResult::of(best), GameResult::of(played));
            let lost = f64::from(best.share() - played.share());
            assert_eq!(decision.loss.get(), lost, "{} in {position}", decision.played);
            let points = f64::from(best.difference - played.difference);
            assert_eq!(decision.loss_points.get(), points, "{} in {position}", decision.played);
            n_compared += 1;
            n_marks += u32::from(decision.judgement.is_mark());
        }
    }
    println!("{n_compared} proved losses agree, {n_marks} marks among them; {n_given_up} too long");
    assert!(n_compared > n, "only {n_compared} proved decisions in {n} games");
}

fn is_move(step: &ReplayStep<'_>) -> bool {
    matches!(step.action, Action::Move(_))
}
