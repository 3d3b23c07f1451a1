//! The table between two positions: a setup to which the reported steps are applied one by one for the
//! animation. It moves tiles as the steps say and knows no rules.

use azulejo_rules::{Destination, Phase, Seat, Setup, Source, Step, Tiles};

/// Applies a step.
pub(crate) fn apply(setup: &mut Setup, step: &Step) {
    match *step {
        Step::Dealt { round, starter, deal, poured } => {
            if let Some(poured) = poured {
                setup.bag += poured;
                setup.lid = Tiles::EMPTY;
            }
            if setup.bag.contains(deal.total()) {
                setup.bag -= deal.total();
            }
            setup.factories = deal.factories().to_vec();
            setup.phase = Phase::Draft;
            (setup.round, setup.starter, setup.turn) = (round, starter, starter);
        }
        Step::Drafted { .. } => draft(setup, step),
        Step::Placed { seat, row, column, tile, points, to_lid, .. } => {
            setup.lid += to_lid;
            let Some(board) = setup.boards.get_mut(seat.index()) else { return };
            board.lines[row.index()] = Tiles::EMPTY;
            board.wall[row.index()][column.index()] = Some(tile);
            board.score = board.score.saturating_add(points as u16).min(Setup::MAX_SCORE);
        }
        Step::Spilled { seat, row, to_floor, to_lid } => {
            setup.lid += to_lid;
            let Some(board) = setup.boards.get_mut(seat.index()) else { return };
            board.lines[row.index()] = Tiles::EMPTY;
            board.floor += to_floor;
        }
        Step::FloorCleared { seat, score, to_lid, .. } => {
            setup.lid += to_lid;
            let Some(board) = setup.boards.get_mut(seat.index()) else { return };
            board.floor = Tiles::EMPTY;
            board.score = score;
        }
        Step::RoundEnded { next_starter, .. } => {
            for board in &mut setup.boards {
                board.has_marker = false;
            }
            setup.marker_in_center = true;
            (setup.starter, setup.turn) = (next_starter, next_starter);
        }
        Step::GameEnded { by } => setup.phase = Phase::Over(by),
        Step::BonusesScored { seat, score, .. } => {
            if let Some(board) = setup.boards.get_mut(seat.index()) {
                board.score = score;
            }
        }
    }
}

fn draft(setup: &mut Setup, step: &Step) {
    let Step::Drafted {
        seat,
        source,
        to,
        into_line,
        to_floor,
        to_lid,
        to_center,
        takes_marker,
        ..
    } = *step
    else {
        return;
    };
    match source {
        Source::Center => setup.center -= into_line + to_floor + to_lid,
        factory => {
            if let Some(tiles) = setup.factories.get_mut(factory.index() - 1) {
                *tiles = Tiles::EMPTY;
            }
            setup.center += to_center;
        }
    }
    setup.lid += to_lid;
    if let Some(board) = setup.boards.get_mut(seat.index()) {
        if let Destination::Line(row) = to {
            board.lines[row.index()] += into_line;
        }
        board.floor += to_floor;
        if takes_marker {
            board.has_marker = true;
            setup.marker_in_center = false;
        }
    }
    setup.turn = setup.rules.players().next(seat);
}

/// The seat of a step, if it concerns one board.
pub(crate) fn seat_of(step: &Step) -> Option<Seat> {
    match *step {
        Step::Drafted { seat, .. }
        | Step::Placed { seat, .. }
        | Step::Spilled { seat, .. }
        | Step::FloorCleared { seat, .. }
        | Step::BonusesScored { seat, .. } => Some(seat),
        Step::Dealt { .. } | Step::RoundEnded { .. } | Step::GameEnded { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_rules::Position;

    /// In random games of every kind the steps lead from each position to the next.
    #[test]
    fn steps_lead_to_the_next_position() {
        for (seed, rules) in ["2c", "2g", "2cj", "3gj", "4c", "4gj"].into_iter().enumerate() {
            let mut random = fastrand::Rng::with_seed(seed as u64);
            let mut position = Position::new(rules.parse().unwrap(), Seat::One);
            let mut setup = Setup::from(&position);
            for _ in 0..3000 {
                let mut steps = Vec::new();
                match position.phase() {
                    Phase::Deal => {
                        let deal = position.draw_deal(|n| random.u32(0..n));
                        position.deal_with(&deal, |step| steps.push(step)).unwrap();
                    }
                    Phase::Draft | Phase::Tiling(_) => {
                        let moves = position.legal_moves();
                        let m = moves[random.usize(0..moves.len())];
                        position.play_with(m, |step| steps.push(step)).unwrap();
                    }
                    Phase::Over(_) => {
                        position = Position::new(rules.parse().unwrap(), Seat::One);
                        setup = Setup::from(&position);
                    }
                }
                steps.iter().for_each(|step| apply(&mut setup, step));
                // Phase, turn and counters are not part of the picture.
                let shown = Setup::from(&position);
                (setup.phase, setup.turn) = (shown.phase, shown.turn);
                (setup.round, setup.dry_rounds) = (shown.round, shown.dry_rounds);
                assert_eq!(setup, shown, "{rules}, seed {seed}: {steps:?}");
            }
        }
    }
}
