//! Laws that hold after every step of random play under every rule set: what lies where, which
//! moves are legal, what texts and hashes say, what reports and previews promise.
//!
//! `AZULEJO_LAW_GAMES` is the number of games; see `azulejo_testkit::random_play` for how to repeat one.

use azulejo_rules::{
    Bonuses, ColorBonus, Column, Deal, DealError, Destination, IllegalMove, Move, Phase,
    PlacementScoring, Position, Preview, Row, Rules, Seat, Setup, Source, Step, Tile, Tiles,
    WallKind,
};
use azulejo_testkit::laws::{check_all_moves, check_position, check_preview};
use azulejo_testkit::random_play::{Action, RandomGame, Sights, each_game};

/// One game in this number is checked thoroughly: at every step all conceivable moves are tried and
/// all legal ones previewed, which takes most of the time. In the other games only the listed moves
/// are checked and the played one is previewed. Coprime to the number of rule sets, so that each of
/// them is checked thoroughly.
const THOROUGH: u64 = 5;

#[test]
fn laws_hold_after_every_step() {
    each_game("AZULEJO_LAW_GAMES", 500, play_one);
}

fn play_one(seed: u64) -> Sights {
    let is_thorough = seed.is_multiple_of(THOROUGH);
    let mut game = RandomGame::new(seed);
    let mut ledger = Ledger::new(&game.position);
    // What the projections promise as scores of this round.
    let mut promised = [0; 4];
    check_position(&game.position);
    while let Some(action) = game.next_action() {
        let before = game.position;
        if is_thorough {
            check_all_moves(&before);
        }
        let report = game.play(action);
        match action {
            Action::Deal(deal) => check_deal(&before, &deal, &game.position),
            Action::Move(m) => {
                let others = if is_thorough { before.legal_moves() } else { Default::default() };
                for m in others.into_iter().chain([m]) {
                    check_preview(&before, m);
                }
                let preview = before.preview(m).unwrap();
                assert_eq!(preview.step, report[0]);
                let is_choice = before.phase() != Phase::Draft;
                for &seat in before.rules().players().seats() {
                    let best = promised[seat.index()];
                    promised[seat.index()] = promise(&before, &preview, seat);
                    assert!(
                        !is_choice || promised[seat.index()] <= best,
                        "no choice beats the best"
                    );
                }
            }
        }
        for step in report {
            ledger.enter(step);
            if let Step::FloorCleared { seat, score, .. } = step {
                // Seats without a choice score exactly what was projected. For the others
                // `check_preview` shows that they could have.
                let best = promised[seat.index()];
                let has_choice = before.rules().wall == WallKind::Grey || before.rules().jokers;
                assert!(if has_choice { score <= best } else { score == best }, "{score} {best}");
            }
        }
        ledger.settle();
        assert_eq!(
            ledger.setup,
            Setup::from(&game.position),
            "the reports do not lead to the position"
        );
        check_position(&game.position);
    }
    if is_thorough {
        check_all_moves(&game.position);
    }
    check_outcome(&game.position, &ledger);
    game.sights
}

/// A deal that was drawn, and some that cannot have been.
fn check_deal(before: &Position, deal: &Deal, after: &Position) {
    assert_eq!(deal.to_string().parse(), Ok(*deal));
    assert_eq!(deal.total().total(), before.stock().deal_size(before.rules()));
    let mut trusted = *before;
    trusted.deal_unchecked(deal);
    assert_eq!(trusted, *after);

    let mut position = *after;
    assert_eq!(position.deal(deal), Err(DealError::NotNow));
    assert_eq!(position, *after);
    let [first, rest @ ..] = deal.factories() else { panic!("there are always factories") };
    let smaller = *first - Tiles::of(first.each().next().unwrap(), 1);
    let strange =
        smaller + Tiles::of(Tile::Joker, 1 + before.rules().all_tiles().count(Tile::Joker));
    for wrong in [rest.to_vec(), [&[smaller], rest].concat(), [&[strange], rest].concat()] {
        let mut position = *before;
        assert!(position.deal(&Deal::new(&wrong).unwrap()).is_err());
        assert_eq!(position, *before, "a refused deal changed something");
    }
    assert_eq!(
        before.check(Move::Place { row: Row::One, column: Column::One }),
        Err(IllegalMove::DealDue)
    );
}

/// The score that a seat was promised at the end of the round, once a move is made.
fn promise(before: &Position, preview: &Preview, seat: Seat) -> u16 {
    if seat == preview.seat { preview.after.score } else { before.projection(seat).score }
}

/// The result agrees with what was reported.
fn check_outcome(position: &Position, ledger: &Ledger) {
    let Some(outcome) = position.outcome() else {
        assert_eq!(position.rules().stall_rounds, 0, "only such games are cut off");
        assert!(ledger.bonuses.is_empty());
        return;
    };
    assert_eq!(ledger.setup.phase, Phase::Over(outcome.by));
    assert_eq!(*outcome.bonuses, ledger.bonuses);
    let standings: Vec<_> = ledger
        .setup
        .boards
        .iter()
        .zip(&ledger.bonuses)
        .map(|(b, bonus)| (b.score, bonus.rows))
        .collect();
    for (seat, standing) in standings.iter().enumerate() {
        let n_better = standings.iter().filter(|&other| other > standing).count();
        assert_eq!(usize::from(outcome.ranks[seat]), n_better + 1);
        assert_eq!(outcome.scores[seat], standing.0);
    }
    let best = standings.iter().max();
    let is_best = |seat: &Seat| Some(&standings[seat.index()]) == best;
    let expected = position.rules().players().seats().iter().copied().filter(is_best);
    assert!(outcome.winners().eq(expected));
}

/// The table as the reports tell it: it starts as the position and then follows the steps alone,
/// with the plainest arithmetic there is.
struct Ledger {
    setup: Setup,
    has_tiled: [bool; 4],
    bonuses: Vec<Bonuses>,
}

impl Ledger {
    fn new(position: &Position) -> Ledger {
        Ledger { setup: Setup::from(position), has_tiled: [false; 4], bonuses: Vec::new() }
    }

    fn enter(&mut self, step: Step) {
        let due = self.due();
        let setup = &mut self.setup;
        match step {
            Step::Dealt { round, starter, deal, poured } => {
                assert_eq!((round, starter), (setup.round, setup.starter));
                assert_eq!(poured.is_some(), deal.total().total() > setup.bag.total());
                if let Some(poured) = poured {
                    assert_eq!(poured, std::mem::take(&mut setup.lid));
                    setup.bag += poured;
                }
                assert!(setup.bag.contains(deal.total()));
                setup.bag -= deal.total();
                setup.factories = deal.factories().to_vec();
                setup.phase = Phase::Draft;
                self.has_tiled = [false; 4];
            }
            Step::Drafted { seat, to, into_line, to_floor, to_lid, takes_marker, .. } => {
                assert_eq!(seat, setup.turn);
                self.take(&step);
                let board = &mut self.setup.boards[seat.index()];
                board.has_marker |= takes_marker;
                let room = match to {
                    Destination::Floor => 0,
                    Destination::Line(row) => {
                        let line = &mut board.lines[row.index()];
                        *line += into_line;
                        row.capacity() - line.total()
                    }
                };
                assert!(to == Destination::Floor || !into_line.is_empty());
                assert!((to_floor + to_lid).is_empty() || room == 0, "tiles that fit fell");
                self.fall(seat, to_floor, to_lid);
                self.setup.turn = self.setup.rules.players().next(seat);
            }
            Step::Placed { seat, row, column, tile, horizontal, vertical, points, to_lid } => {
                let line = self.take_line(seat, row);
                assert_eq!(tile == Tile::Joker, line.count(Tile::Joker) > 0);
                assert_eq!(to_lid, line - Tiles::of(tile, 1));
                let setup = &mut self.setup;
                setup.lid += to_lid;
                setup.dry_rounds = 0;
                let board = &mut setup.boards[seat.index()];
                let space = &mut board.wall[row.index()][column.index()];
                assert_eq!(space.replace(tile), None);
                let across = board.wall[row.index()].map(|space| space.is_some());
                let down = board.wall.map(|spaces| spaces[column.index()].is_some());
                let runs = (run(across, column.index()), run(down, row.index()));
                assert_eq!((horizontal, vertical), runs);
                assert_eq!(points, placement_points(&setup.rules, runs));
                board.score += points as u16;
            }
            Step::Spilled { seat, row, to_floor, to_lid } => {
                let line = self.take_line(seat, row);
                assert_eq!(to_floor + to_lid, line);
                let wall = &self.setup.boards[seat.index()].wall;
                let color = line.each().next();
                let is_closed = |column: &Column| {
                    let mut down = wall.iter().map(|spaces| spaces[column.index()]);
                    wall[row.index()][column.index()].is_some() || down.any(|tile| tile == color)
                };
                assert!(Column::ALL.iter().all(is_closed), "it could have been placed");
                self.fall(seat, to_floor, to_lid);
            }
            Step::FloorCleared { seat, n_spaces, loss, score, to_lid } => {
                assert_eq!(due, Some((seat, None)));
                let board = &mut setup.boards[seat.index()];
                let taken = board.floor.total() + u32::from(board.has_marker);
                assert_eq!(n_spaces, taken.min(7));
                let costs = setup.rules.floor_penalties.each();
                assert_eq!(
                    loss,
                    costs[..n_spaces as usize].iter().map(|&cost| u16::from(cost)).sum::<u16>()
                );
                board.score = (i32::from(board.score) - i32::from(loss)).max(0) as u16;
                assert_eq!((score, to_lid), (board.score, std::mem::take(&mut board.floor)));
                setup.lid += to_lid;
                self.has_tiled[seat.index()] = true;
            }
            Step::RoundEnded { round, next_starter } => {
                assert_eq!(due, None);
                assert_eq!(round, setup.round);
                let holder = setup.boards.iter().position(|board| board.has_marker);
                assert_eq!(
                    next_starter,
                    holder.and_then(Seat::from_index).unwrap_or(setup.starter)
                );
                setup.boards.iter_mut().for_each(|board| board.has_marker = false);
                setup.marker_in_center = true;
                (setup.starter, setup.turn) = (next_starter, next_starter);
                setup.phase = Phase::Deal;
            }
            Step::GameEnded { by } => {
                assert_eq!(setup.phase, Phase::Deal);
                setup.phase = Phase::Over(by);
            }
            Step::BonusesScored { seat, bonuses, score } => {
                assert_eq!(seat.index(), self.bonuses.len());
                let board = &mut setup.boards[seat.index()];
                assert_eq!(bonuses, plain_bonuses(&board.wall, &setup.rules));
                board.score += bonuses.row_points + bonuses.column_points + bonuses.color_points;
                assert_eq!(score, board.score);
                self.bonuses.push(bonuses);
            }
        }
    }

    /// Takes the tiles of a draft from the table.
    fn take(&mut self, step: &Step) {
        let &Step::Drafted {
            source,
            pick,
            into_line,
            to_floor,
            to_lid,
            to_center,
            takes_marker,
            ..
        } = step
        else {
            panic!("{step:?} is not a draft");
        };
        let setup = &mut self.setup;
        let is_center = source == Source::Center;
        let pile =
            if is_center { &mut setup.center } else { &mut setup.factories[source.index() - 1] };
        let taken = into_line + to_floor + to_lid;
        let colored = pick.color().map(|color| pile.only(color.into())).unwrap_or_default();
        let jokers = if pick.has_jokers() { pile.only(Tile::Joker) } else { Tiles::EMPTY };
        assert_eq!(taken, colored + jokers);
        *pile -= taken;
        if !is_center {
            assert_eq!(to_center, std::mem::take(pile));
        }
        setup.center += to_center;
        assert!(!is_center || to_center.is_empty());
        assert_eq!(takes_marker, is_center && setup.marker_in_center);
        setup.marker_in_center &= !takes_marker;
    }

    /// Empties a full line whose turn it is.
    fn take_line(&mut self, seat: Seat, row: Row) -> Tiles {
        assert_eq!(self.due(), Some((seat, Some(row))));
        std::mem::take(&mut self.setup.boards[seat.index()].lines[row.index()])
    }

    fn fall(&mut self, seat: Seat, to_floor: Tiles, to_lid: Tiles) {
        let board = &mut self.setup.boards[seat.index()];
        board.floor += to_floor;
        self.setup.lid += to_lid;
        let taken = board.floor.total() + u32::from(board.has_marker);
        assert!(to_floor.is_empty() || taken <= 7, "too many tiles on the floor");
        assert!(to_lid.is_empty() || taken >= 7, "the floor had room");
    }

    /// Who is next in wall-tiling, and with which line: seats from the starter on, lines from the
    /// top, then the floor. `None` once all have finished.
    fn due(&self) -> Option<(Seat, Option<Row>)> {
        let setup = &self.setup;
        let mut seat = setup.starter;
        while self.has_tiled[seat.index()] {
            seat = setup.rules.players().next(seat);
            if seat == setup.starter {
                return None;
            }
        }
        let lines = &setup.boards[seat.index()].lines;
        let is_full = |row: &Row| lines[row.index()].total() == row.capacity();
        Some((seat, Row::ALL.into_iter().find(is_full)))
    }

    /// Derives the phase after the steps of a move.
    fn settle(&mut self) {
        let setup = &mut self.setup;
        let is_empty = setup.center.is_empty() && setup.factories.iter().all(|f| f.is_empty());
        match setup.phase {
            Phase::Deal => {
                setup.round += 1;
                setup.dry_rounds = setup.dry_rounds.saturating_add(1);
            }
            Phase::Draft | Phase::Tiling(_) if is_empty => {
                let (seat, row) = self.due().expect("the round has not ended");
                self.setup.phase = Phase::Tiling(row.expect("a floor needs no choice"));
                self.setup.turn = seat;
            }
            _ => {}
        }
    }
}

/// How many spaces in a row are taken around one of them.
fn run(taken: [bool; 5], at: usize) -> u32 {
    let before = taken[..at].iter().rev().take_while(|&&is_taken| is_taken).count();
    (before + taken[at..].iter().take_while(|&&is_taken| is_taken).count()) as u32
}

fn placement_points(rules: &Rules, (horizontal, vertical): (u32, u32)) -> u32 {
    match (rules.placement_scoring, horizontal, vertical) {
        (PlacementScoring::OnePlusNeighbors, ..) => 1 + (horizontal - 1) + (vertical - 1),
        (PlacementScoring::Official, 1, 1) => 1,
        (PlacementScoring::Official, ..) => {
            [horizontal, vertical].into_iter().filter(|&length| length > 1).sum()
        }
    }
}

fn plain_bonuses(wall: &[[Option<Tile>; 5]; 5], rules: &Rules) -> Bonuses {
    let rows = wall.iter().filter(|spaces| spaces.iter().all(Option::is_some)).count();
    let columns = (0..5).filter(|&at| wall.iter().all(|spaces| spaces[at].is_some())).count();
    let of = |tile| wall.iter().flatten().filter(|&&space| space == Some(tile)).count();
    let (colors, each) = match rules.color_bonus {
        ColorBonus::FiveOfColor(points) => (
            azulejo_rules::Color::ALL.iter().filter(|&&color| of(color.into()) == 5).count(),
            points,
        ),
        ColorBonus::BottomRowTiles(points) => (wall[4].iter().flatten().count(), points),
    };
    Bonuses {
        rows: rows as u32,
        columns: columns as u32,
        colors: colors as u32,
        row_points: rows as u16 * u16::from(rules.row_bonus),
        column_points: columns as u16 * u16::from(rules.column_bonus),
        color_points: colors as u16 * u16::from(each),
    }
}
