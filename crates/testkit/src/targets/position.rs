//! Any text as a position. What can be read is printed canonically, obeys the laws of positions,
//! and goes on as in the reference.

use super::text;
use crate::laws::{Lockstep, check_all_moves, check_position, check_preview, check_turned};
use azulejo_rules::{ParsePositionError, Position, Setup};

/// The number of moves checked closely in each position, spread over the list.
const N_CLOSE: usize = 12;

pub(super) fn check_bytes(data: &[u8]) {
    let text = text(data);
    let setup = match text.parse::<Setup>() {
        Ok(setup) => setup,
        Err(error) => {
            let n_letters = text.chars().count();
            assert!((1..=n_letters + 1).contains(&error.column), "{error}");
            assert!(!error.problem.chars().any(char::is_control), "{error:?}");
            assert_eq!(text.parse::<Position>(), Err(ParsePositionError::Syntax(error)));
            return;
        }
    };
    // A wrong setup that has been read has a canonical text too.
    let canonical = setup.to_string();
    assert_eq!(canonical.parse().as_ref(), Ok(&setup), "{canonical}");
    assert_eq!(setup.validate().map_err(ParsePositionError::Invalid), text.parse());
    match text.parse::<Position>() {
        Ok(position) => {
            assert_eq!(position.to_string(), canonical);
            check(&position);
        }
        Err(error) => assert!(error.to_string().starts_with("not a legal position: ")),
    }
}

fn check(position: &Position) {
    check_position(position);
    check_turned(position);
    check_all_moves(position);
    let lockstep = Lockstep::new(position);
    if let Some(lockstep) = &lockstep {
        lockstep.check_same(position);
    }
    let moves = position.legal_moves();
    let stride = moves.len().div_ceil(N_CLOSE).max(1);
    for (n, &m) in moves.iter().enumerate() {
        let next = check_preview(position, m);
        if n % stride != 0 {
            continue;
        }
        check_position(&next);
        if let Some(mut lockstep) = lockstep.clone() {
            lockstep.play(position, m, true);
            lockstep.check_same(&next);
        }
    }
}
