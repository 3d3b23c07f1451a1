//! The ladder of levels: each is stronger than the one below, in every kind of game, and the weakest ones
//! are weaker than the greedy player. Every shuffle is played with all rotations of the seats, and all
//! seeds are fixed.
//!
//! By default a few games of the quick levels are played. `AZULEJO_LADDER_SHUFFLES` plays the whole
//! ladder, with this many shuffles for two players on the colored wall and a third of them elsewhere,
//! and prints the tables of `docs/engine.md`.

use azulejo_arena::{Estimate, Mean, Player, Schedule};
use azulejo_engine::{Engine, Level, Limits, Options, Stop};
use azulejo_notation::Dealer;
use azulejo_rules::{Move, Phase, Players, Position, Rules, WallKind};

/// The nodes of level 10, which has no limit of its own: about a tenth of a second.
const FULL_NODES: u64 = 1_000_000;

enum Contestant {
    Greedy,
    Level(Box<Engine>),
}

impl Contestant {
    fn level(number: u8) -> Contestant {
        let level = Level::new(number).expect("there are ten levels");
        let options = Options { level, hash_mb: 8, ..Options::default() };
        Contestant::Level(Box::new(Engine::new(options)))
    }

    fn choose(&mut self, position: &Position) -> Move {
        let m = match self {
            Contestant::Greedy => Player::Greedy.choose(position, 0),
            Contestant::Level(engine) => {
                let is_full = engine.options().level == Level::MAX;
                let limits = Limits { nodes: is_full.then_some(FULL_NODES), ..Limits::default() };
                let answer = engine.search(position, &limits, &Stop::new(), &mut |_| {});
                answer.map(|answer| answer.best)
            }
        };
        m.expect("there is a move to play")
    }
}

/// The share of victories of one against the other in all other seats.
fn share(rules: Rules, mut pair: [Contestant; 2], n_shuffles: u64) -> Estimate {
    let n_seats = rules.players().count();
    let schedule = Schedule::new(&[1, n_seats - 1], "31".parse().unwrap()).unwrap();
    let mut shares = Mean::default();
    for shuffle in 0..n_shuffles {
        let mut share = 0.0;
        for number in 0..n_seats as u64 {
            let game = schedule.game(shuffle * n_seats as u64 + number);
            let (first, mut dealer) = Dealer::new(&game.seed, &rules);
            let mut position = Position::new(rules, first);
            let outcome = loop {
                match position.phase() {
                    Phase::Over(_) => break position.outcome().expect("the game is over"),
                    Phase::Deal => {
                        let deal = dealer.deal(&position).expect("the dealer follows the game");
                        position.deal(&deal).expect("the dealer deals what there is");
                    }
                    Phase::Draft | Phase::Tiling(_) => {
                        let turn = position.turn();
                        let m = pair[game.engines[turn.index()]].choose(&position);
                        position.play(m).expect("all play legal moves");
                    }
                }
            };
            let one = game.engines.iter().position(|&engine| engine == 0).unwrap_or(0);
            if outcome.ranks[one] == 1 {
                share += 1.0 / outcome.winners().count() as f64;
            }
        }
        shares.add(share / n_seats as f64);
    }
    shares.share(n_seats as f64).expect("at least one shuffle")
}

fn levels(rules: Rules, high: u8, low: u8, n_shuffles: u64) -> Estimate {
    share(rules, [Contestant::level(high), Contestant::level(low)], n_shuffles)
}

fn against_greedy(rules: Rules, level: u8, n_shuffles: u64) -> Estimate {
    share(rules, [Contestant::level(level), Contestant::Greedy], n_shuffles)
}

fn kinds(players: Players) -> impl Iterator<Item = Rules> {
    let official = Rules::official(players);
    [
        (WallKind::Colored, false),
        (WallKind::Grey, false),
        (WallKind::Colored, true),
        (WallKind::Grey, true),
    ]
    .into_iter()
    .map(move |(wall, jokers)| official.with_wall(wall).with_jokers(jokers))
}

/// The shuffles of the whole ladder, if it is to be played.
fn whole_ladder() -> Option<u64> {
    let text = std::env::var("AZULEJO_LADDER_SHUFFLES").ok()?;
    Some(text.parse().expect("AZULEJO_LADDER_SHUFFLES is a number"))
}

#[test]
fn quick_levels_are_in_order() {
    let rules = Rules::official(Players::Two);
    for high in 2..=8 {
        let n_shuffles = if high < 7 { 24 } else { 8 };
        let share = levels(rules, high, high - 1, n_shuffles);
        assert!(share.mean > 0.55, "level {high} against {}: {share:?}", high - 1);
    }
    let shares = [1, 2, 3].map(|level| against_greedy(rules, level, 50).mean);
    assert!(shares[0] <= 0.08, "level 1 against greedy: {shares:?}");
    assert!((0.1..0.35).contains(&shares[1]), "level 2 against greedy: {shares:?}");
    assert!((0.35..0.65).contains(&shares[2]), "level 3 against greedy: {shares:?}");
}

/// A few games in each of the other kinds of game, two levels apart: neighbors would need more.
#[test]
fn quick_levels_are_in_order_in_every_kind_of_game() {
    for rules in Players::ALL.into_iter().flat_map(kinds).skip(1) {
        let fair = 1.0 / rules.players().count() as f64;
        for (high, low) in [(3, 1), (5, 3)] {
            let share = levels(rules, high, low, 5);
            assert!(share.mean > fair, "{rules}, level {high} against {low}: {share:?}");
        }
    }
}

#[test]
fn whole_ladder_with_two_players() {
    climb(Players::Two);
}

#[test]
fn whole_ladder_with_three_players() {
    climb(Players::Three);
}

#[test]
fn whole_ladder_with_four_players() {
    climb(Players::Four);
}

fn climb(players: Players) {
    let Some(n_shuffles) = whole_ladder() else { return };
    let mut wrong = Vec::new();
    for rules in kinds(players) {
        let is_main = rules == Rules::official(Players::Two);
        let n_shuffles = if is_main { n_shuffles } else { n_shuffles.div_ceil(3) };
        let fair = 1.0 / players.count() as f64;
        let mut row = format!("| {rules} |");
        let mut note = |what: String, share: Estimate, is_right: bool| {
            row += &format!(
                " {:.0} % ({:.0} to {:.0}) |",
                100.0 * share.mean,
                100.0 * share.low,
                100.0 * share.high
            );
            if !is_right {
                wrong.push(format!("{rules}, {what}: {share:?}"));
            }
        };
        // The intervals must reach the range: a smaller run is not stricter than a larger one.
        let reaches = |share: Estimate, low: f64, high: f64| share.high >= low && share.low <= high;
        for (level, low, high) in [(1, 0.0, 0.05), (2, 0.15, 0.25), (3, 0.4, 0.6)] {
            let share = against_greedy(rules, level, 3 * n_shuffles);
            let is_right = !is_main || reaches(share, low, high);
            note(format!("level {level} against greedy"), share, is_right);
        }
        for level in Level::all().skip(1).map(Level::number) {
            // The games of the strongest take longest.
            let n_shuffles = if level < 9 { n_shuffles } else { n_shuffles.div_ceil(3) };
            let share = levels(rules, level, level - 1, n_shuffles);
            let is_right = share.mean > fair && (!is_main || reaches(share, 0.65, 0.88));
            note(format!("level {level} against {}", level - 1), share, is_right);
        }
        println!("{row}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
