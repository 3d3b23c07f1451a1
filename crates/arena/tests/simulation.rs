//! Coverage of the statistics over simulated matches with known strength: intervals contain the true
//! value at their confidence level, and the SPRT keeps its error rates.

use azulejo_arena::{Controlled, Pentanomial, Sprt, Verdict, elo_of_share, share_of_elo};
use azulejo_notation::Chance;

/// One pair of games. Each shuffle favors a seat, so the games of a pair are not independent, but over
/// all shuffles the first engine wins with this probability.
fn pair(chance: &mut Chance, share: f64) -> usize {
    let bias = 0.3 * share.min(1.0 - share) * if chance.below(2) == 0 { 1.0 } else { -1.0 };
    let mut won = |share: f64| f64::from(chance.below(1_000_000)) < share * 1e6;
    2 * (usize::from(won(share + bias)) + usize::from(won(share - bias)))
}

#[test]
fn intervals_contain_the_true_share_in_95_percent() {
    let mut chance = Chance::new(&"intervals".parse().unwrap());
    for (share, n_pairs) in [(0.5, 100), (0.7, 50), (0.95, 200), (0.99, 200)] {
        let n_matches = 1000;
        let mut n_inside = 0;
        for _ in 0..n_matches {
            let mut pairs = Pentanomial::default();
            (0..n_pairs).for_each(|_| pairs.add(pair(&mut chance, share)));
            let (share_range, elo) = (pairs.share(), pairs.elo());
            let is_inside = (share_range.low..=share_range.high).contains(&share);
            assert_eq!(is_inside, (elo.low..=elo.high).contains(&elo_of_share(share)));
            n_inside += u32::from(is_inside);
        }
        let inside = f64::from(n_inside) / f64::from(n_matches);
        // With four lost games expected, a whole game more or less makes a difference of 3 %.
        assert!((0.91..0.985).contains(&inside), "{share} over {n_pairs} pairs: {inside}");
    }
}

/// Pairs whose result depends on luck with the mean zero: the adjusted share has no bias, its interval
/// contains the truth in 95 %, and it is narrower than the plain one.
#[test]
fn adjusted_shares_have_no_bias_and_smaller_errors() {
    let mut chance = Chance::new(&"luck".parse().unwrap());
    for (share, n_pairs) in [(0.5, 40), (0.5, 100), (0.7, 60)] {
        let n_matches = 1000;
        let (mut n_inside, mut sum, mut width, mut plain_width) = (0, 0.0, 0.0, 0.0);
        for _ in 0..n_matches {
            let (mut results, mut pairs) = (Controlled::default(), Pentanomial::default());
            for _ in 0..n_pairs {
                let luck = f64::from(chance.below(1001)) / 1000.0 * 0.5 - 0.25;
                let mut won = || f64::from(chance.below(1_000_000)) < (share + luck) * 1e6;
                let points = usize::from(won()) + usize::from(won());
                pairs.add(2 * points);
                results.add(points as f64 / 2.0, luck);
            }
            let adjusted = results.adjusted_share(2.0).unwrap();
            n_inside += u32::from((adjusted.low..=adjusted.high).contains(&share));
            sum += adjusted.mean;
            width += adjusted.error();
            plain_width += pairs.share().error();
        }
        let inside = f64::from(n_inside) / f64::from(n_matches);
        assert!((0.92..0.98).contains(&inside), "{share} over {n_pairs} pairs: {inside}");
        let mean = sum / f64::from(n_matches);
        assert!((mean - share).abs() < 0.01, "{share} over {n_pairs} pairs: {mean}");
        assert!(width < 0.97 * plain_width, "{width} {plain_width}");
    }
}

#[test]
fn sprt_keeps_its_error_rates() {
    let mut chance = Chance::new(&"sprt".parse().unwrap());
    let sprt = Sprt::new(0.0, 40.0, 0.05, 0.1).unwrap();
    for (elo, wrong, most) in [(0.0, Verdict::AcceptH1, 0.05), (40.0, Verdict::AcceptH0, 0.1)] {
        let n_matches = 300;
        let mut n_wrong = 0;
        for _ in 0..n_matches {
            let mut pairs = Pentanomial::default();
            let mut verdict = Verdict::Undecided;
            while verdict == Verdict::Undecided {
                pairs.add(pair(&mut chance, share_of_elo(elo)));
                assert!(pairs.pairs() < 10_000, "the test does not end");
                verdict = sprt.verdict(&pairs);
            }
            n_wrong += u32::from(verdict == wrong);
        }
        let rate = f64::from(n_wrong) / f64::from(n_matches);
        // Three standard errors above the nominal rate.
        let error = (most * (1.0 - most) / f64::from(n_matches)).sqrt();
        assert!(rate < most + 3.0 * error, "at {elo} Elo it is wrong in {rate} of matches");
        assert!(rate > 0.0, "a test that is never wrong plays too many games");
    }
}

#[test]
fn los_is_uniform_for_equal_engines() {
    // Between equally strong engines the LOS is uniformly distributed.
    let mut chance = Chance::new(&"los".parse().unwrap());
    let mut n_sure = 0;
    let n_matches = 1000;
    for _ in 0..n_matches {
        let mut pairs = Pentanomial::default();
        (0..100).for_each(|_| pairs.add(pair(&mut chance, 0.5)));
        n_sure += u32::from(pairs.los() > 0.9);
    }
    let sure = f64::from(n_sure) / f64::from(n_matches);
    assert!((0.07..0.13).contains(&sure), "{sure}");
}
