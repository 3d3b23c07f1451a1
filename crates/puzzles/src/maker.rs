//! The maker of puzzles: games of strong play, and in their last two rounds the positions in which one move
//! is better than all others, not greedy and not obvious. In the last round that is proved; in the one before
//! it rests on what the network expects after the round, which sampled deals must confirm.

use crate::claim::{Claim, Prover, after};
use crate::confirm::is_confirmed;
use crate::puzzle::{Certainty, MAX_LINE, Puzzle};
use crate::solver::{TooManyNodes, Value};
use crate::themes;
use azulejo_engine::network::Network;
use azulejo_engine::{Engine, Limits, Options, Stop};
use azulejo_notation::{Dealer, Seed, SeedError};
use azulejo_rules::{Move, Phase, Position, Rules, Setup, Tiles};

/// The kinds of games, in turn: every number of players and every wall, with and without jokers.
const KINDS: [&str; 12] =
    ["2c", "2g", "2cj", "3c", "2c", "2gj", "4c", "3g", "2c", "3cj", "4g", "4gj"];
/// The number of last rounds that are played from each game, with other deals.
const LAST_ROUNDS: u32 = 6;
/// Nodes for each move of the games: of two players, and of more, where a node takes longer.
const PLAY_NODES: [u64; 2] = [1_500, 600];

/// The smallest margin, in tenths of a point.
const MARGIN: Value = 50;
/// A choice between fewer moves is no puzzle.
const MIN_MOVES: u32 = 5;
/// Rounds with more piles left take too many nodes to solve.
const MAX_PILES: u32 = 10;
/// Nodes for each claim.
const PROOF_NODES: u64 = 20_000;
/// Nodes of the search that says whether a claim is worth trying, and the lead in points that the best
/// move must have in it.
const GLANCE: (u64, f32) = (600, 4.0);
/// The number of best moves after which a puzzle may begin, the played one among them.
const N_LINES: usize = 4;
/// Nodes of searches that find the best move or miss it; the first is the shallow one that must miss it.
const TRIES: [u64; 6] = [50, 200, 800, 3_200, 12_800, 51_200];

/// The puzzles of one game of a seed, at most one for each of the last rounds that are tried, and one for the
/// round before them. They follow from the seed, the number of the game and the engine's network.
///
/// # Errors
/// If the seed is not one, or too long for numbers to be appended.
pub fn make(seed: &Seed, game: u64) -> Result<Vec<Puzzle>, SeedError> {
    let rules = KINDS[(game % KINDS.len() as u64) as usize].parse().expect("rules");
    let seed: Seed = format!("{seed}-{game}").parse()?;
    let mut engine = Engine::new(Options { hash_mb: 4, ..Options::default() });
    let (first, dealer) = Dealer::new(&seed, &rules);
    let moves = play(&mut engine, Position::new(rules, first), dealer);
    let Some(before) = moves.iter().rev().find(|position| position.phase() == Phase::Deal) else {
        return Ok(Vec::new());
    };
    let mut puzzles = Vec::new();
    let round: Vec<Position> =
        moves.iter().filter(|at| at.round() + 1 == before.round()).copied().collect();
    puzzles.extend(best_puzzle(&mut engine, &rules, &round, Certainty::Solved));
    for i in 0..LAST_ROUNDS {
        let dealer = Dealer::resume(&format!("{seed}-{i}").parse()?, before);
        let mut positions = play(&mut engine, *before, dealer);
        // A round that does not end the game may follow another.
        let last = positions.last().map_or(0, Position::round);
        positions.retain(|position| position.round() == last);
        puzzles.extend(best_puzzle(&mut engine, &rules, &positions, Certainty::Proved));
    }
    Ok(puzzles)
}

/// The fingerprint of the built-in network, on which the games and the choice of puzzles depend: FNV-1a.
#[must_use]
pub fn network_fingerprint() -> String {
    let mut bytes = Vec::new();
    Network::built_in().write(&mut bytes).expect("memory takes all bytes");
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// The positions of a game that the engine plays on to its end.
fn play(engine: &mut Engine, mut position: Position, mut dealer: Dealer) -> Vec<Position> {
    let nodes = PLAY_NODES[usize::from(position.boards().len() > 2)];
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut positions = Vec::new();
    loop {
        positions.push(position);
        match position.phase() {
            Phase::Over(_) => return positions,
            Phase::Deal => {
                let deal = dealer.deal(&position).expect("a deal is due");
                position.deal(&deal).expect("the dealer's deals are possible");
            }
            Phase::Draft | Phase::Tiling(_) => {
                let answer = engine.search(&position, &limits, &Stop::new(), &mut |_| {});
                position.play_unchecked(answer.expect("there is a move").best);
            }
        }
    }
}

/// The puzzle of a round that has most moves to find; of several the one that begins first.
fn best_puzzle(
    engine: &mut Engine,
    rules: &Rules,
    round: &[Position],
    certainty: Certainty,
) -> Option<Puzzle> {
    let start = |position: &Position| match certainty {
        Certainty::Proved => without_lid(position),
        Certainty::Solved => *position,
    };
    let choices: Vec<Choice> = round
        .iter()
        .filter(|position| is_choice(position))
        .flat_map(|position| Choice::here_and_after(engine, &start(position)))
        .collect();
    let mut best: Option<Puzzle> = None;
    for &seat in rules.players().seats() {
        let mut prover = Prover::new(seat, certainty);
        // From the end of the round: what was proved there is used before.
        let own = choices.iter().rev().filter(|choice| choice.position.turn() == seat);
        for Choice { position, .. } in own.filter(|choice| choice.is_promising) {
            let Ok(puzzle) = puzzle(engine, &mut prover, position) else { break };
            let Some(puzzle) = puzzle else { continue };
            let n_own_moves = puzzle.n_own_moves();
            if best.as_ref().is_none_or(|best| best.n_own_moves() <= n_own_moves) {
                best = Some(puzzle);
            }
        }
    }
    best
}

/// Whether a position gives a choice that can be solved.
fn is_choice(position: &Position) -> bool {
    position.n_legal_moves() >= MIN_MOVES && position.n_piles() <= MAX_PILES
}

/// A position that may be a puzzle.
struct Choice {
    position: Position,
    /// Whether a claim is worth trying: a small search finds a move that leads by several points and is
    /// not greedy.
    is_promising: bool,
}

impl Choice {
    /// A position of a game, and those after the next best moves that were not played in it.
    fn here_and_after(engine: &mut Engine, position: &Position) -> Vec<Choice> {
        let (here, others) = Choice::new(engine, position, N_LINES);
        let mut choices = vec![here];
        for m in others {
            let next = after(position, m);
            if is_choice(&next) {
                choices.push(Choice::new(engine, &next, 2).0);
            }
        }
        choices
    }

    /// A choice, and the best moves but the first.
    fn new(engine: &mut Engine, position: &Position, n_lines: usize) -> (Choice, Vec<Move>) {
        let (seat, (nodes, lead)) = (position.turn(), GLANCE);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut lines: Vec<(Move, f32)> = Vec::new();
        engine.set_options(Options { multi_pv: n_lines, ..engine.options().clone() });
        engine.search(position, &limits, &Stop::new(), &mut |info| {
            lines.truncate(info.multi_pv - 1);
            lines.push((info.pv[0], info.forecast.value(seat)));
        });
        engine.set_options(Options { multi_pv: 1, ..engine.options().clone() });
        let is_promising = match lines[..] {
            [(m, best), (_, second), ..] => best - second >= lead && !is_greedy(position, m),
            _ => false,
        };
        let others = lines.iter().skip(1).map(|&(m, _)| m).collect();
        (Choice { position: *position, is_promising }, others)
    }
}

/// The puzzle that a position is, if it is one.
fn puzzle(
    engine: &mut Engine,
    prover: &mut Prover,
    position: &Position,
) -> Result<Option<Puzzle>, TooManyNodes> {
    let Some(claim) = prover.claim(position, MARGIN, PROOF_NODES)? else { return Ok(None) };
    if is_greedy(position, claim.best) {
        return Ok(None);
    }
    let Some(n_missed) = n_missed(engine, position, claim.best) else { return Ok(None) };
    let lines = [
        [vec![claim.best], prover.line_for(&after(position, claim.best))?].concat(),
        [vec![claim.second], prover.line_against(&after(position, claim.second))?].concat(),
    ];
    let is_solved = prover.certainty() == Certainty::Solved;
    if is_solved && !is_confirmed(engine, position, &lines, MARGIN) {
        return Ok(None);
    }
    let puzzle = complete(prover, position, claim, &lines, n_missed)?;
    let is_fit = !puzzle.themes.is_empty() && puzzle.to_string().len() <= MAX_LINE;
    Ok(is_fit.then_some(puzzle))
}

/// The same position with the lid's tiles in the bag: shorter, and no deal follows.
fn without_lid(position: &Position) -> Position {
    let mut setup = Setup::from(position);
    setup.lid = Tiles::EMPTY;
    setup.with_rest_in_bag().validate().expect("tiles may be in the bag")
}

/// Whether no move scores more at once.
fn is_greedy(position: &Position, m: Move) -> bool {
    let change = |m: Move| position.preview(m).expect("the move is legal").change();
    let most = position.legal_moves().into_iter().map(change).max();
    most == Some(change(m))
}

/// How many searches of [`TRIES`] miss a move before one finds it; `None` if the first finds it.
fn n_missed(engine: &mut Engine, position: &Position, best: Move) -> Option<usize> {
    let best = after(position, best).hash_key();
    let mut finds = |nodes: u64| {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let answer = engine.search(position, &limits, &Stop::new(), &mut |_| {});
        answer.is_some_and(|answer| after(position, answer.best).hash_key() == best)
    };
    let first = TRIES.iter().position(|&nodes| finds(nodes)).unwrap_or(TRIES.len());
    (first > 0).then_some(first)
}

/// The puzzle of a claim: its solution goes on as long as each of the solver's moves is the only one.
fn complete(
    prover: &mut Prover,
    position: &Position,
    claim: Claim,
    lines: &[Vec<Move>; 2],
    n_missed: usize,
) -> Result<Puzzle, TooManyNodes> {
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
    let themes = themes::of(position, &solution, lines);
    let mut puzzle = Puzzle {
        position: *position,
        solution,
        certainty: prover.certainty(),
        margin: (margin / 10) as u32,
        rating: 0,
        themes,
    };
    puzzle.rating = rating(&puzzle, n_missed);
    Ok(puzzle)
}

/// How hard a puzzle is: 200 for each search that misses the first move, 100 for each further move, and a
/// little for many moves to choose from.
fn rating(puzzle: &Puzzle, n_missed: usize) -> u32 {
    let (n_missed, n_more) = (n_missed as u32, puzzle.n_own_moves() as u32 - 1);
    900 + 200 * n_missed + 100 * n_more + 2 * puzzle.position.n_legal_moves().min(60)
}
