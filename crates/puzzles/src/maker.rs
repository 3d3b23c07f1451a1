//! The maker of puzzles: games of strong play, and in their last rounds the positions in which one move
//! is better than all others, not greedy and not obvious.

use crate::claim::{Claim, Prover, after};
use crate::puzzle::{Certainty, MAX_LINE, Puzzle};
use crate::solver::Value;
use crate::themes;
use azulejo_engine::{Engine, Limits, Options, Stop};
use azulejo_notation::{Dealer, Record, Seed};
use azulejo_rules::{Move, Phase, Position, Rules, Setup, Tiles};

/// The kinds of games, in turn.
const KINDS: [&str; 12] =
    ["2c", "2g", "2cj", "3c", "2c", "2gj", "4c", "3g", "2c", "3cj", "4g", "4gj"];
/// The smallest margin, in tenths of a point.
const MARGIN: Value = 50;
/// Nodes for each move of the games.
const PLAY_NODES: u64 = 3_000;
/// Nodes for each claim.
const PROOF_NODES: u64 = 200_000;
/// Nodes of searches that may find the best move or not; the first is the shallow one that must miss it.
const TRIES: [u64; 7] = [60, 250, 1_000, 4_000, 16_000, 64_000, 256_000];
/// A choice between fewer moves is no puzzle.
const MIN_MOVES: u32 = 5;

/// The puzzles of one game.
#[must_use]
pub fn puzzles_of_game(seed: &str, index: u64) -> Vec<Puzzle> {
    let rules: Rules = KINDS[(index % KINDS.len() as u64) as usize].parse().expect("rules");
    let seed: Seed = format!("{seed}-{index}").parse().expect("a seed");
    let mut engine = Engine::new(Options { hash_mb: 4, ..Options::default() });
    let record = play(&mut engine, rules, &seed);
    let positions: Vec<(Position, Move)> = last_round(&record);
    let mut puzzles = Vec::new();
    for &seat in rules.players().seats() {
        let mut prover = Prover::new(seat, Certainty::Proved);
        let mut found: Option<Puzzle> = None;
        for (position, _) in positions.iter().rev().filter(|(position, _)| position.turn() == seat)
        {
            if position.n_legal_moves() < MIN_MOVES {
                continue;
            }
            let position = without_lid(position);
            match prover.claim(&position, MARGIN, PROOF_NODES) {
                Err(_) => break,
                Ok(None) => {}
                Ok(Some(claim)) => {
                    if is_greedy(&position, claim.best) {
                        continue;
                    }
                    let Some(n_tries) = n_tries(&mut engine, &position, claim.best) else {
                        continue;
                    };
                    let Ok(puzzle) = complete(&mut prover, &position, claim, n_tries) else {
                        continue;
                    };
                    if puzzle.to_string().len() <= MAX_LINE
                        && found
                            .as_ref()
                            .is_none_or(|found| found.n_own_moves() <= puzzle.n_own_moves())
                    {
                        found = Some(puzzle);
                    }
                }
            }
        }
        puzzles.extend(found);
    }
    puzzles
}

fn play(engine: &mut Engine, rules: Rules, seed: &Seed) -> Record {
    let (first, mut dealer) = Dealer::new(seed, &rules);
    let mut record = Record::new(rules, first).expect("the dealer names a seat of the game");
    let limits = Limits { nodes: Some(PLAY_NODES), ..Limits::default() };
    loop {
        let position = *record.final_position();
        match position.phase() {
            Phase::Over(_) => return record,
            Phase::Deal => {
                let deal = dealer.deal(&position).expect("a deal is due");
                record.deal(&deal).expect("the dealer's deals are possible");
            }
            Phase::Draft | Phase::Tiling(_) => {
                let answer = engine.search(&position, &limits, &Stop::new(), &mut |_| {});
                record.play(answer.expect("there is a move").best).expect("the move is legal");
            }
        }
    }
}

/// The moves of the last round with the positions before them.
fn last_round(record: &Record) -> Vec<(Position, Move)> {
    let round = record.final_position().round();
    let moves = record.replay().filter_map(|step| match step.action {
        azulejo_notation::Action::Move(m) => Some((step.before, m)),
        azulejo_notation::Action::Deal(_) => None,
    });
    moves.filter(|(position, _)| position.round() == round).collect()
}

/// The same position with the lid's tiles in the bag: shorter, and of no matter where no deal follows.
fn without_lid(position: &Position) -> Position {
    let mut setup = Setup::from(position);
    setup.lid = Tiles::EMPTY;
    setup.with_rest_in_bag().validate().expect("tiles may be in the bag")
}

/// Whether a move is one that scores most at once.
fn is_greedy(position: &Position, m: Move) -> bool {
    let change = |m: Move| position.preview(m).expect("the move is legal").change();
    let most = position.legal_moves().into_iter().map(change).max();
    most == Some(change(m))
}

/// How many searches of [`TRIES`] miss a move before one finds it; `None` if the first finds it.
fn n_tries(engine: &mut Engine, position: &Position, best: Move) -> Option<usize> {
    let best = after(position, best).hash_key();
    let finds = |engine: &mut Engine, nodes: u64| {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let answer = engine.search(position, &limits, &Stop::new(), &mut |_| {});
        answer.is_some_and(|answer| after(position, answer.best).hash_key() == best)
    };
    let first = TRIES.iter().position(|&nodes| finds(engine, nodes)).unwrap_or(TRIES.len());
    (first > 0).then_some(first)
}

/// The puzzle of a claim: its solution goes on as long as each of the solver's moves is the only one.
fn complete(
    prover: &mut Prover,
    position: &Position,
    claim: Claim,
    n_tries: usize,
) -> Result<Puzzle, crate::solver::TooManyNodes> {
    let mut solution = vec![claim.best];
    let mut margin = claim.margin();
    let mut now = after(position, claim.best);
    loop {
        let answers = prover.answers(&now)?;
        answers.iter().for_each(|&m| now.play_unchecked(m));
        if now.n_legal_moves() < 2 {
            break;
        }
        let Some(next) = prover.claim(&now, MARGIN, PROOF_NODES)? else { break };
        solution.extend(answers);
        solution.push(next.best);
        margin = margin.min(next.margin());
        now.play_unchecked(next.best);
    }
    let second = after(position, claim.second);
    let lines = [prover.line_for(&after(position, claim.best))?, prover.line_against(&second)?];
    let themes = themes::of(position, &solution, [claim.best, claim.second], &lines);
    let mut puzzle = Puzzle {
        position: *position,
        solution,
        certainty: Certainty::Proved,
        margin: (margin / 10) as u32,
        rating: 0,
        themes,
    };
    puzzle.rating = rating(&puzzle, n_tries);
    Ok(puzzle)
}

/// How hard a puzzle is: 200 for each search that misses the first move, 100 for each further move.
fn rating(puzzle: &Puzzle, n_tries: usize) -> u32 {
    900 + 200 * n_tries as u32
        + 100 * (puzzle.n_own_moves() as u32 - 1)
        + 2 * puzzle.position.n_legal_moves().min(60)
}
