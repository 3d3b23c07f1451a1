//! Reviews as a caller sees them: reproducible, stopped and resumed, of unfinished games, of games that
//! ended early, of records that begin in the middle.

#[allow(dead_code, reason = "shared with the evidence")]
mod common;

use azulejo_engine::{Engine, Options, Stop};
use azulejo_notation::Record;
use azulejo_review::{
    Budget, Certainty, Judgement, Ledger, Review, ReviewError, Reviewer, Settings, Share,
    judge_move,
};
use azulejo_rules::Seat;
use common::{game, review};

const SMALL: Budget = Budget { nodes: 1_000, n_deals: 2, deal_nodes: 1_000 };

/// The first moves of a record.
fn beginning(record: &Record, n_moves: usize) -> Record {
    let Some(azulejo_notation::Start::New { first }) = Some(*record.start()) else {
        panic!("the games of these tests begin at the beginning");
    };
    let mut part = Record::new(*record.rules(), first).unwrap();
    for step in record.replay() {
        match step.action {
            azulejo_notation::Action::Deal(deal) => part.deal(&deal).unwrap(),
            azulejo_notation::Action::Move(m) if part.n_moves() < n_moves => part.play(m).unwrap(),
            azulejo_notation::Action::Move(_) => break,
        }
    }
    part
}

fn check_sums(review: &Review) {
    for player in &review.players {
        let ledger = &player.ledger;
        assert_eq!(ledger.sum(), ledger.result, "{ledger:?}");
        assert!(ledger.own_errors <= Share::ZERO, "{ledger:?}");
        let n: u32 = player.judgements.iter().sum();
        assert_eq!(n, player.all.n_decisions);
        assert!(player.turning_points.len() <= 3);
        let changes: Vec<_> = player.turning_points.iter().map(|at| at.change.abs()).collect();
        assert!(changes.is_sorted_by(|a, b| a >= b), "{changes:?}");
    }
    // What one player has, the others lack; chances are rounded to hundredths of a percent at each move.
    let most = 0.000_05 * (review.decisions.len() + review.deals.len()) as f64;
    for line in [|ledger: &Ledger| ledger.others_choices, |ledger: &Ledger| ledger.residual] {
        let sum: Share = review.players.iter().map(|player| line(&player.ledger)).sum();
        assert!(sum.abs().get() <= most, "{sum} over all seats");
    }
}

/// The judgement of a move does not use sampled deals, so no mark depends on their seed.
#[test]
fn other_sampled_deals_change_luck_only() {
    let record = game("2c", &[3, 4], "seeds");
    let [first, other] = ["review", "other"].map(|seed| review(&record, SMALL, seed));
    assert_eq!(first.decisions, other.decisions);
    assert_ne!(first.deals, other.deals);
}

#[test]
fn whole_games_of_every_kind_add_up() {
    for (rules, levels) in
        [("2c", &[1, 4][..]), ("2gj", &[2, 3]), ("3g", &[2, 3, 4]), ("4cj", &[3; 4])]
    {
        let record = game(rules, levels, "kinds");
        let review = review(&record, SMALL, "review");
        assert!(review.is_complete() && review.is_over);
        assert_eq!(review.decisions.len(), record.n_moves());
        assert_eq!(review.deals.len(), record.rounds().len());
        check_sums(&review);
        let total: f64 = review.result.iter().map(|share| share.get()).sum();
        assert!((total - 1.0).abs() < 0.001, "{:?}", review.result);
        for (ply, decision) in review.decisions.iter().enumerate() {
            assert_eq!(decision.ply, ply);
            assert!(decision.loss >= Share::ZERO, "{decision:?}");
            assert_eq!(decision.line[0], decision.best, "{decision:?}");
            let is_best = decision.judgement <= Judgement::Best;
            assert_eq!(decision.best == decision.played, is_best, "{decision:?}");
            assert_eq!(is_best, decision.reply.is_empty(), "{decision:?}");
            assert!(decision.n_good >= 1 && decision.n_good <= 5, "{decision:?}");
            // With more than two players an estimate is not sure enough for a mark.
            let is_sure = levels.len() == 2 || decision.certainty > Certainty::Estimated;
            assert!(is_sure || !decision.judgement.is_mark(), "{decision:?}");
        }
        let last = review.decisions.last().unwrap();
        assert_eq!(last.certainty, Certainty::Proved, "the game ends with the last move");
        // Points by kind add up to the score, unless a floor cost more than there was.
        for (player, &score) in review.players.iter().zip(&record.end().unwrap().scores) {
            let points = player.points;
            let sum =
                points.placements + points.floor + points.rows + points.columns + points.colors;
            assert!(sum <= i32::from(score), "{points:?} for {score}");
        }
    }
}

#[test]
fn a_review_is_reproducible_and_can_be_resumed() {
    let record = beginning(&game("2c", &[3, 5], "resume"), 14);
    let whole = review(&record, SMALL, "review");
    assert_eq!(whole, review(&record, SMALL, "review"));
    let settings = Settings { budget: SMALL, ..Settings::default() };
    let mut reviewer = Reviewer::new(&record, settings).unwrap();
    let stopped = Stop::new();
    stopped.stop();
    let mut n_steps = 0;
    loop {
        // A step that is stopped changes nothing.
        assert!(!reviewer.step(&stopped));
        let part = reviewer.review();
        assert_eq!((part.n_done, part.is_complete()), (n_steps, n_steps == part.n_steps));
        check_sums(&part);
        assert_eq!(part.decisions, whole.decisions[..part.decisions.len()]);
        if !reviewer.step(&Stop::new()) {
            break;
        }
        n_steps += 1;
    }
    assert_eq!(reviewer.review(), whole);
}

#[test]
fn an_unfinished_game_ends_with_a_forecast() {
    let record = beginning(&game("2c", &[4, 4], "unfinished"), 5);
    let review = review(&record, SMALL, "review");
    assert!(review.is_complete() && !review.is_over && review.ended_early.is_none());
    check_sums(&review);
    assert_eq!(review.players[0].phases.ending.n_decisions, 0);
}

#[test]
fn an_early_end_has_a_line_of_its_own() {
    let mut record = beginning(&game("2c", &[4, 4], "early"), 5);
    record.set_tag("EndedBy", "resigned").unwrap();
    record.set_tag("Ranks", "2-1").unwrap();
    let review = review(&record, SMALL, "review");
    assert_eq!(review.ended_early.as_deref(), Some("resigned"));
    check_sums(&review);
    let [first, second] = [0, 1].map(|i| &review.players[i].ledger);
    assert_eq!((first.result.get(), second.result.get()), (0.0, 1.0));
    assert!(first.ended_early < Share::ZERO && second.ended_early > Share::ZERO);
    // Nonsense in the tags is no result.
    record.set_tag("Ranks", "1-x").unwrap();
    assert_eq!(common::review(&record, SMALL, "review").ended_early, None);
}

#[test]
fn errors_of_a_substitute_are_not_the_players() {
    let record = beginning(&game("2c", &[1, 1], "substitute"), 12);
    let own = review(&record, SMALL, "review");
    let settings =
        Settings { budget: SMALL, substitutes: vec![(Seat::One, 0)], ..Settings::default() };
    let mut reviewer = Reviewer::new(&record, settings).unwrap();
    while reviewer.step(&Stop::new()) {}
    let other = reviewer.review();
    check_sums(&other);
    let (own, other) = (&own.players[0].ledger, &other.players[0].ledger);
    assert!(own.own_errors < Share::ZERO && other.own_errors == Share::ZERO);
    assert_eq!(own.own_errors, other.substitute);
}

#[test]
fn a_record_may_begin_in_the_middle_of_a_round() {
    let all = game("2c", &[3, 3], "middle");
    let step = all.replay().nth(4).unwrap();
    let mut record = Record::from_position(step.before);
    for step in all.replay().skip(4).take(3) {
        let azulejo_notation::Action::Move(m) = step.action else { panic!("a round is longer") };
        record.play(m).unwrap();
    }
    let review = review(&record, SMALL, "review");
    assert_eq!((review.deals.len(), review.decisions.len()), (0, 3));
    assert!(review.players.iter().all(|player| player.ledger.lot == Share::ZERO));
    check_sums(&review);
}

#[test]
fn what_cannot_be_reviewed_is_refused() {
    let empty = Record::new("2c".parse().unwrap(), Seat::One).unwrap();
    let refused = Reviewer::new(&empty, Settings::default()).err();
    assert_eq!(refused, Some(ReviewError::NoMoves));
    let record = beginning(&game("2c", &[3, 3], "refused"), 1);
    for seed in ["", "white space", &"long".repeat(20)] {
        let settings = Settings { seed: seed.to_owned(), ..Settings::default() };
        assert_eq!(Reviewer::new(&record, settings).err(), Some(ReviewError::Seed), "{seed}");
    }
    // An absurd budget is made a sensible one.
    let budget = Budget { nodes: 0, n_deals: 0, deal_nodes: 0 };
    let review = common::review(&record, budget, "review");
    assert!(review.is_complete() && review.budget.n_deals >= 2);
}

#[test]
fn a_move_tried_again_is_judged_as_in_the_review() {
    let record = game("2c", &[1, 4], "retry");
    let settings = Settings { budget: SMALL, ..Settings::default() };
    let reviewed = review(&record, SMALL, "review");
    // The first decision of each round follows no other, so that both know the same.
    for deal in &reviewed.deals {
        let Some(decision) = reviewed.decision(deal.ply) else { continue };
        let position = record
            .replay()
            .filter(|step| matches!(step.action, azulejo_notation::Action::Move(_)))
            .nth(deal.ply)
            .unwrap()
            .before;
        let judge = |m| {
            let engine = Engine::new(Options::default());
            judge_move(&position, m, &settings, engine, &Stop::new()).unwrap()
        };
        let mut judged = judge(decision.played).unwrap();
        judged.ply = deal.ply;
        assert_eq!(judged, *decision);
        assert!(judge(decision.best).unwrap().is_as_good());
        assert_eq!(decision.is_as_good(), decision.loss < Share::new(0.005));
        assert_eq!(judge("9B1".parse().unwrap()), None);
    }
}
