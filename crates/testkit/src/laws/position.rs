//! The laws of a position, as in the tests of the rules: what lies where, which moves are legal,
//! what texts and hashes say, what previews promise.

use azulejo_rules::{
    Board, Column, Destination, Draft, Move, Phase, Pick, Position, Row, Setup, Source, Step, Tiles,
};
use std::sync::LazyLock;

/// Everything that holds in a position whatever came before it.
pub fn check_position(position: &Position) {
    let setup = Setup::from(position);
    check_tiles(position, &setup);
    check_list(position);

    let text = position.to_string();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._~".contains(letter);
    assert!(text.chars().all(is_plain), "{text}");
    let reread: Position = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(reread, *position, "{text}");
    assert_eq!(reread.to_string(), text);
    assert_eq!(reread.hash_key(), position.hash_key(), "{text}");
    assert_eq!(setup.validate(), Ok(*position), "{text}");
    assert_eq!(text.parse().as_ref(), Ok(&setup));

    for &seat in position.rules().players().seats() {
        let projection = position.projection(seat);
        let points = u32::from(position.board(seat).score()) + projection.points();
        let score = points.min(Setup::MAX_SCORE.into()).saturating_sub(projection.loss.into());
        // A score at its limit may have lost points on the way to it.
        let is_same = u32::from(projection.score) == score || points > Setup::MAX_SCORE.into();
        assert!(is_same, "{text}: the projection of seat {seat} does not add up");
    }
    assert_eq!(position.outcome().is_some(), position.ended_by().is_some());
}

fn check_tiles(position: &Position, setup: &Setup) {
    let piles = position.factories().map(|(_, tiles)| tiles);
    let boards = position.boards().iter().map(Board::tiles);
    let stock = position.stock();
    let elsewhere = position.pile(Source::Center) + stock.bag + stock.lid;
    let all: Tiles = piles.chain(boards).chain([elsewhere]).sum();
    assert_eq!(all, position.rules().all_tiles(), "{position}: tiles appeared or disappeared");

    let holders = setup.boards.iter().filter(|board| board.has_marker).count();
    assert_eq!(holders + usize::from(setup.marker_in_center), 1, "{position}: the marker");
    assert_eq!(position.marker().is_none(), setup.marker_in_center);
}

/// The number of moves of a list that are also looked up by their numbers.
const N_NUMBERED: usize = 40;

/// The list of moves, their number and their texts.
fn check_list(position: &Position) {
    let moves = position.legal_moves();
    let is_waiting = matches!(position.phase(), Phase::Draft | Phase::Tiling(_));
    assert_eq!(moves.is_empty(), !is_waiting, "{position}: a player always has a move");
    assert_eq!(position.n_legal_moves() as usize, moves.len(), "{position}");
    let mut sorted = moves.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), moves.len(), "{position}: a move is listed twice");
    // Finding a move by its number is slow with jokers; a part of a long list will do.
    let stride = moves.len().div_ceil(N_NUMBERED).max(1);
    for (n, &m) in (0..).zip(&moves).step_by(stride) {
        assert_eq!(position.nth_legal_move(n), Some(m), "{position}");
    }
    for &m in &moves {
        assert_eq!(position.check(m), Ok(()), "{position}: {m}");
        let text = m.to_string();
        assert_eq!(text.parse(), Ok(m));
        assert!(text.chars().all(|letter| letter.is_ascii_alphanumeric()), "{text}");
    }
    for n in [moves.len() as u32, u32::MAX] {
        assert_eq!(position.nth_legal_move(n), None, "{position}");
    }
}

/// No rule asks for the number of a factory once it is filled, so the hash does not either.
pub fn check_turned(position: &Position) {
    let mut turned = Setup::from(position);
    turned.factories.reverse();
    let turned = turned.validate().unwrap_or_else(|faults| panic!("{position}: {faults:?}"));
    assert_eq!(turned.hash_key(), position.hash_key(), "{position}");
    assert_eq!(turned.n_legal_moves(), position.n_legal_moves(), "{position}");
}

/// All moves that can be written, in every kind of game.
static CONCEIVABLE: LazyLock<Vec<Move>> = LazyLock::new(|| {
    let mut moves = Vec::new();
    for source in Source::ALL {
        for pick in Pick::ALL {
            for to in Destination::ALL {
                let draft = |extra_jokers| Draft { source, pick, to, extra_jokers };
                moves.extend((0..=9).map(|extra_jokers| Move::Draft(draft(extra_jokers))));
            }
        }
    }
    for row in Row::ALL {
        moves.extend(Column::ALL.map(|column| Move::Place { row, column }));
    }
    moves
});

/// Tries all conceivable moves: exactly the listed ones are accepted, and the others leave no
/// trace.
pub fn check_all_moves(position: &Position) {
    let mut listed = position.legal_moves().to_vec();
    listed.sort_unstable();
    let mut n_accepted = 0;
    for &m in &*CONCEIVABLE {
        let checked = position.check(m);
        let is_listed = listed.binary_search(&m).is_ok();
        assert_eq!(checked.is_ok(), is_listed, "{position}: {m}: {checked:?}");
        n_accepted += usize::from(is_listed);
        if let Err(reason) = checked {
            let mut next = *position;
            assert_eq!(next.play(m), Err(reason), "{position}: {m}");
            assert_eq!(next, *position, "{m} was refused and changed something");
            assert_eq!(position.preview(m), Err(reason), "{position}: {m}");
        }
    }
    assert_eq!(n_accepted, listed.len(), "{position}");
    for (n, m) in (0..).zip(position.legal_moves()) {
        assert_eq!(position.pick_move(|_| n), Some(m), "{position}");
        // Any bits choose a legal move.
        let random = u64::MAX / listed.len() as u64 * u64::from(n);
        let (mut random_play, mut played) = (*position, *position);
        let chosen = random_play.play_random(random).expect("there is a move");
        assert_eq!(played.play(chosen), Ok(()), "{position}: {chosen}");
        assert_eq!(random_play, played, "{position}: {chosen}");
    }
}

/// Watches a legal move: the steps are those of the report, no tile is lost between them, each score
/// is the last one and the points of the step, and the last table is the position after the move.
fn check_watched(before: &Position, m: Move, report: &[Step], after: &Position) {
    let mut steps = Vec::new();
    let mut last = *before;
    let mut watched = *before;
    watched
        .play_watched(m, |step, table| {
            check_tiles(table, &Setup::from(table));
            assert_eq!((table.n_legal_moves(), table.outcome()), (0, None), "{before}: {m}");
            for &seat in before.rules().players().seats() {
                let (old, new) = (last.board(seat).score(), table.board(seat).score());
                let expected = match step {
                    Step::Placed { seat: who, points, .. } if who == seat => {
                        (old + points as u16).min(Setup::MAX_SCORE)
                    }
                    Step::FloorCleared { seat: who, score, .. }
                    | Step::BonusesScored { seat: who, score, .. }
                        if who == seat =>
                    {
                        score
                    }
                    _ => old,
                };
                assert_eq!(new, expected, "{before}: {m}: {step:?}, seat {seat}");
                assert_eq!(table.projection(seat).score, new, "{before}: {m}: {step:?}");
            }
            last = *table;
            steps.push(step);
        })
        .expect("it is legal");
    assert_eq!((watched, steps.as_slice()), (*after, report), "{before}: {m}");
    assert_eq!((last.boards(), last.stock()), (after.boards(), after.stock()), "{before}: {m}");
}

/// Plays a legal move, and wall choices as the projections advise, and compares with the preview.
/// Gives the position after the move alone.
pub fn check_preview(before: &Position, m: Move) -> Position {
    let preview = before.preview(m).unwrap_or_else(|error| panic!("{before}: {m}: {error}"));
    let seat = before.turn();
    assert_eq!((preview.seat, preview.before), (seat, before.projection(seat)), "{before}: {m}");
    let mut next = *before;
    let mut report = Vec::new();
    next.play_with(m, |step| report.push(step)).expect("it has been checked");
    let after = next;
    let mut trusted = *before;
    trusted.play_unchecked(m);
    assert_eq!(trusted, after, "{before}: {m}");
    check_watched(before, m, &report, &after);
    assert_eq!(report.first(), Some(&preview.step), "{before}: {m}");
    let completes = match report[0] {
        Step::Drafted { to: Destination::Line(row), into_line, .. } => {
            before.board(seat).line(row).room() == into_line.total()
        }
        _ => false,
    };
    assert_eq!(preview.completes_line, completes, "{before}: {m}");
    if next.phase() == Phase::Draft {
        assert_eq!(preview.after, next.projection(seat), "{before}: {m}");
    }
    while let Phase::Tiling(row) = next.phase() {
        let advice = next.projection(next.turn()).rows[row.index()].expect("its line is full");
        let column = advice.column.expect("there is a choice");
        next.play_with(Move::Place { row, column }, |step| report.push(step))
            .unwrap_or_else(|error| panic!("{next}: the advice is illegal: {error}"));
    }
    for step in report {
        if let Step::FloorCleared { seat, score, .. } = step {
            let promised = if seat == preview.seat {
                preview.after.score
            } else {
                before.projection(seat).score
            };
            assert_eq!(score, promised, "{before}: {m}: seat {seat}");
        }
    }
    after
}
