//! Generates the positions that `azulejo bench` searches, from self-play games.
//!
//! ```sh
//! cargo run --release -p azulejo-engine --example make-positions -- bench > testdata/bench-positions.txt
//! cargo run --release -p azulejo-engine --example make-positions -- solve > testdata/solve-positions.txt
//! ```
//!
//! The games depend on the engine, so another version generates other positions. Figures can be
//! compared only over the same positions: generate new ones only for a good reason.

mod self_play;

use azulejo_engine::{Engine, EvalKind, Options};
use azulejo_rules::{Move, Phase, Position, Rules};
use azulejo_testkit::Rng;
use self_play::self_play;

const BENCH: &str = "\
# The positions of `azulejo bench search`
#
# One to a line, in the notation of docs/notation.md: the two-player game at all stages, then more
# players, the grey wall and jokers. A `#` begins a comment. The expected number of nodes is in
# bench.txt.
";

const SOLVE: &str = "\
# The positions of `azulejo bench solve`
#
# One round of a two-player game to a line: the position at its start and the drafts that were
# played, in the notation of docs/notation.md. Before the last draft there was one ply to go, before the
# one before it there were two, and so on. A `#` begins a comment.
";

/// The number of positions of each rule set.
const VARIANTS: [(&str, usize); 10] = [
    ("2c", 22),
    ("3c", 4),
    ("4c", 4),
    ("2g", 3),
    ("2cj", 2),
    ("2gj", 1),
    ("3g", 1),
    ("3cj", 1),
    ("4cj", 1),
    ("4gj", 1),
];

/// Rounds to solve.
const N_ROUNDS: usize = 60;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("bench") => bench_positions(),
        Some("solve") => solve_positions(),
        _ => eprintln!("expected `bench` or `solve`"),
    }
}

fn engine() -> Engine {
    Engine::new(Options { eval: EvalKind::Classic, hash_mb: 1, ..Options::default() })
}

/// One position from each game: rounds 1 to 5 in turn, some drafts into the round.
fn bench_positions() {
    print!("{BENCH}");
    let mut engine = engine();
    let mut n_games = 0;
    for (rules, n_positions) in VARIANTS {
        println!("\n# {rules}");
        let rules: Rules = rules.parse().expect("a rule set");
        for i in 0..n_positions {
            let round = 1 + ((n_games + i) % 5) as u16;
            let n_drafts = Rng::new((n_games + i) as u64).below(6);
            // A game may end before the round that is asked for.
            let position = (1..).find_map(|_| {
                n_games += 1;
                position_of(&mut engine, rules, n_games as u64, round, n_drafts as usize)
            });
            println!("{}", position.expect("some game is long enough"));
        }
    }
}

/// The position of a game after `n_drafts` of a round.
fn position_of(
    engine: &mut Engine,
    rules: Rules,
    seed: u64,
    round: u16,
    n_drafts: usize,
) -> Option<Position> {
    let style = (2_000, 5);
    let mut round_positions = Vec::new();
    self_play(engine, rules, seed, style, |position, _| {
        if position.round() == round && position.phase() == Phase::Draft {
            round_positions.push(*position);
        }
    });
    round_positions.get(n_drafts).copied()
}

/// All rounds of some games.
fn solve_positions() {
    println!("{SOLVE}");
    let mut engine = engine();
    let style = (30_000, 0);
    let rules: Rules = "2c".parse().expect("a rule set");
    let mut rounds: Vec<(Position, Vec<Move>)> = Vec::new();
    for seed in 1.. {
        self_play(&mut engine, rules, seed, style, |position, m| match rounds.last_mut() {
            Some((start, moves)) if start.round() == position.round() && !is_start(position) => {
                moves.push(m);
            }
            _ => rounds.push((*position, vec![m])),
        });
        if rounds.len() >= N_ROUNDS {
            break;
        }
    }
    for (start, moves) in &rounds[..N_ROUNDS] {
        let moves: Vec<_> = moves.iter().map(Move::to_string).collect();
        println!("{start} moves {}", moves.join(" "));
    }
}

/// Whether nothing has been drafted in this round.
fn is_start(position: &Position) -> bool {
    position.factories().all(|(_, tiles)| tiles.total() > 0)
}
