//! The rules against the reference, a slow implementation written from the rule book alone: random
//! games in lockstep with everything compared after every step, and counts of move sequences.
//!
//! `AZULEJO_REFERENCE_GAMES` is the number of games, `AZULEJO_PERFT_LIMIT` the largest count that
//! the reference recounts, then also beyond the depths of the tables; see `azulejo_testkit::random_play` for how to repeat a game.

use azulejo_reference::{Action, Game, Phase};
use azulejo_rules::{Deal, Position, Rules, Seat, Tiles, perft};
use azulejo_testkit::Rng;
use azulejo_testkit::laws::Lockstep;
use azulejo_testkit::random_play::Action as RandomAction;
use azulejo_testkit::random_play::{RandomGame, Sights, each_game, number_from};

#[test]
fn games_go_as_in_the_reference() {
    each_game("AZULEJO_REFERENCE_GAMES", 5000, play_in_lockstep);
}

fn play_in_lockstep(seed: u64) -> Sights {
    let mut random = RandomGame::new(seed);
    let mut reference = Lockstep::new(&random.position).expect("games start before their end");
    // Not the generator of the game, which would then no longer be that of its seed.
    let mut rng = Rng::new(!seed);
    reference.check_same(&random.position);
    while let Some(action) = random.next_action() {
        let before = random.position;
        match action {
            RandomAction::Deal(deal) => {
                check_wrong_deals(&before, &deal, &reference, &mut rng);
                reference.deal(&before, &deal, true);
            }
            RandomAction::Move(m) => reference.play(&before, m, true),
        }
        random.play(action);
        reference.check_same(&random.position);
    }
    random.sights
}

/// Exchanges a tile of a deal for another, or two tiles, and asks both implementations.
fn check_wrong_deals(position: &Position, deal: &Deal, reference: &Lockstep, rng: &mut Rng) {
    let mut factories = deal.factories().to_vec();
    for _ in 0..4 {
        let (a, b) = (rng.below(factories.len() as u32), rng.below(factories.len() as u32));
        let (a, b) = (a as usize, b as usize);
        let (Some(gone), Some(come)) = (factories[a].each().next(), factories[b].each().last())
        else {
            continue;
        };
        factories[a] = factories[a] - Tiles::of(gone, 1) + Tiles::of(come, 1);
        if rng.below(2) == 0 {
            factories[b] = factories[b] - Tiles::of(come, 1) + Tiles::of(gone, 1);
        }
        let wrong = Deal::new(&factories).unwrap();
        let is_dealt = position.clone().deal(&wrong).is_ok();
        reference.clone().deal(position, &wrong, is_dealt);
    }
}

/// Rules, a first deal, and how many sequences of one, two and three moves follow it, as the
/// reference counted them.
const OPENINGS: [(&str, &str, [u64; 3]); 12] = [
    ("2c", "BBYR-KKKK-BYRK-YWWW-RRKK", [72, 4_752, 238_128]),
    ("2g", "BBYR-KKKK-BYRK-YWWW-RRKK", [72, 4_752, 238_128]),
    ("2cj", "BBYJ-KKKK-BYRJ-YWWW-RJJJ", [117, 11_430, 827_183]),
    ("2gj", "BBYJ-KKKK-BYRJ-YWWW-RJJJ", [117, 11_430, 827_183]),
    ("3c", "BBYR-KKKK-BYRK-YWWW-RRKK-BBBY-RRWW", [96, 8_640, 704_592]),
    ("3g", "BBYR-KKKK-BYRK-YWWW-RRKK-BBBY-RRWW", [96, 8_640, 704_592]),
    ("3cj", "BBYJ-KKKK-BYRJ-YWWW-RJJJ-JJKW-BBRR", [163, 23_490, 3_018_006]),
    ("3gj", "BBYJ-KKKK-BYRJ-YWWW-RJJJ-JJKW-BBRR", [163, 23_490, 3_018_006]),
    ("4c", "BBYR-KKKK-BYRK-YWWW-RRKK-BBBY-RRWW-BYKW-YYYY", [126, 15_120, 1_677_888]),
    ("4g", "BBYR-KKKK-BYRK-YWWW-RRKK-BBBY-RRWW-BYKW-YYYY", [126, 15_120, 1_677_888]),
    ("4cj", "BBYJ-KKKK-BYRJ-YWWW-RJJJ-JJKW-BBRR-JKKW-YYYY", [202, 36_996, 6_189_816]),
    ("4gj", "BBYJ-KKKK-BYRJ-YWWW-RJJJ-JJKW-BBRR-JKKW-YYYY", [202, 36_996, 6_189_816]),
];

/// Positions near the end of a round, or of the tiles, or of the game, and how many sequences of
/// one to four moves follow them when every deal takes the first tiles of bag and lid by color.
const LATE_POSITIONS: [(&str, [u64; 4]); 7] = [
    // The last two drafts, then a deal.
    (
        "az1_2c_d2_3s1_.-.-.-.-._KW_rest_._9~B-KK-YY.-....-.....~....W-.....-.....-.....-.....~1_4~.-..-YYY-R...-KKKK.~.....-.....-.....-.....-.....~KK",
        [7, 21, 462, 8_560],
    ),
    // The same boards on the grey wall: the choices of both seats come in between.
    (
        "az1_2g_d2_3s1_.-.-.-.-._KW_rest_._9~B-KK-YY.-....-.....~....W-.....-.....-.....-.....~1_4~.-..-YYY-R...-KKKK.~.....-.....-.....-.....-.....~KK",
        [7, 21, 84, 420],
    ),
    // Lines of jokers to be placed on the colored wall, in the middle of wall-tiling.
    (
        "az1_3cj_w2r1_2s2_.-.-.-.-.-.-._._rest_._5~.-..-...-....-JJ...~...K.-.....-.....-.....-.....~._3~J-JJ-...-....-.....~.....-..Y..-.....-.....-.....~1B_0~.-YY-JJJ-....-.....~.....-.....-.....-.....-.....~.",
        [5, 20, 100, 4_215],
    ),
    // Jokers in the center, the marker with them.
    (
        "az1_2gj_d1_4s2_.-.-.-.-._1BBJJ_rest_._9~.-K.-BJ.-....-.....~B....-.R...-.....-.....-.....~._4~J-..-...-R...-KKKK.~.....-.....-.....-.....-.....~KK",
        [15, 63, 495, 8_795],
    ),
    // A deal that pours the lid into the bag in the middle of a factory.
    (
        "az1_2c_d1_4s2_.-.-.-.-._BB_B3W2_rest_9~.-K.-BB.-....-.....~.....-.....-.....-.....-.....~1_4~Y-..-...-R...-KKKK.~.....-.....-.....-.....-.....~KK",
        [5, 163, 4_222, 87_018],
    ),
    // Four players and few tiles: the deal is short.
    (
        "az1_4c_d3_6s1_.-.-.-.-.-BK-.-.-._R_Y2_rest_11~.-Y.-YY.-YYY.-YYYY.~B.RKW-WB.RK-KWB.R-RKWB.-.RKWB~._20~.-Y.-YY.-YYY.-Y....~B.RKW-WB.RK-KWB.R-RKWB.-.RKWB~1_0~.-..-...-....-.....~B.RKW-WB.RK-KWB.R-RKWB.-.RKWB~._5~.-..-...-....-.....~B.RKW-WB.R.-KWB..-RKWB.-.RK..~.",
        [3, 12, 12, 114],
    ),
    // The row may be finished and the game with it.
    (
        "az1_2c_d1_5s1_B-.-.-.-._1KB_rest_._30~.-..-...-....-.....~.YRKW-.....-.....-.....-.....~._20~.-..-...-....-.....~BYR.W-.....-.....-.....-.....~.",
        [17, 182, 940, 20_006],
    ),
];

#[test]
fn openings_have_the_counts_of_the_reference() {
    for (rules, deal, expected) in OPENINGS {
        let rules: Rules = rules.parse().unwrap();
        let mut position = Position::new(rules, Seat::One);
        position.deal(&deal.parse().unwrap()).unwrap();
        check_perft(&position, &expected);
    }
}

#[test]
fn late_positions_have_the_counts_of_the_reference() {
    for (text, expected) in LATE_POSITIONS {
        let position = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        check_perft(&position, &expected);
    }
}

/// Compares the counts of both implementations, those of the reference only where they are small. A
/// given limit also compares up to four depths beyond the table.
fn check_perft(position: &Position, expected: &[u64]) {
    let given_limit = number_from("AZULEJO_PERFT_LIMIT");
    let limit = given_limit.unwrap_or(1_000_000);
    let count = |depth| perft(position, depth, &mut |position| position.draw_deal(|_| 0));
    let reference = Lockstep::new(position).expect("the game goes on");
    let recount = |depth, expected| {
        let found = reference_perft(reference.game(), depth);
        assert_eq!(found, expected, "{position} at depth {depth}");
    };
    for (depth, &expected) in (1..).zip(expected) {
        if expected <= limit {
            recount(depth, expected);
        }
        assert_eq!(count(depth), expected, "{position} at depth {depth}");
    }
    if given_limit.is_some() {
        let depths = (1..).skip(expected.len()).take(4);
        let counts = depths.map(|depth| (depth, count(depth)));
        counts.take_while(|&(_, n)| n <= limit).for_each(|(depth, n)| recount(depth, n));
    }
}

/// What [`perft`] counts, by the reference.
fn reference_perft(game: &Game, depth: u32) -> u64 {
    if depth == 0 || matches!(game.phase, Phase::Over(_)) {
        return 1;
    }
    let mut game = game.clone();
    if game.phase == Phase::Deal {
        game.bag.sort();
        game.lid.sort();
        let mut stock = game.bag.iter().chain(&game.lid).copied();
        let sizes = game.tiles_to_deal().into_iter();
        let deal: Vec<_> = sizes.map(|size| stock.by_ref().take(size).collect()).collect();
        game.deal(&deal).unwrap();
    }
    let actions = game.legal_actions();
    if depth == 1 {
        return actions.len() as u64;
    }
    let after = |action: &Action| {
        let mut next = game.clone();
        next.play(action).unwrap();
        reference_perft(&next, depth - 1)
    };
    actions.iter().map(after).sum()
}
