//! The engine against the reference, a slow engine written from the rules alone: random games in
//! lockstep with everything compared after every step, and counts of move sequences.
//!
//! `AZULEJO_REFERENCE_GAMES` is the number of games, `AZULEJO_PERFT_LIMIT` the largest count that
//! the reference recounts; see `random_play` for how to repeat a game.

mod random_play;

use azulejo_reference as reference;
use azulejo_rules::{
    Color, ColorBonus, Column, Deal, Destination, Draft, EndedBy, Move, Phase, Pick,
    PlacementScoring, Position, RefillRemainder, Row, Rules, Seat, Source, Stock, Tile, Tiles,
    WallKind, perft,
};
use random_play::{Chance, RandomGame, Sights, Step, each_game, number_from};
use reference::{Action, Game};

#[test]
fn games_go_as_in_the_reference() {
    each_game("AZULEJO_REFERENCE_GAMES", 5000, play_in_lockstep);
}

fn play_in_lockstep(seed: u64) -> Sights {
    let mut random = RandomGame::new(seed);
    let mut game = to_game(&random.position);
    // Not the generator of the game, which would then no longer be that of its seed.
    let mut chance = Chance::new(!seed);
    check_same(&random.position, &game);
    while let Some(step) = random.next_step() {
        match step {
            Step::Deal(deal) => {
                let position = random.position;
                check_wrong_deals(&position, &deal, &game, &mut chance);
                game.deal(&in_drawing_order(&deal, position.stock())).unwrap();
            }
            Step::Move(m) => game.play(&to_action(m, &game)).unwrap(),
        }
        random.play(step);
        check_same(&random.position, &game);
    }
    random.sights
}

/// Compares everything that a player could see.
fn check_same(position: &Position, game: &Game) {
    let mut moves = position.legal_moves().to_vec();
    let actions = game.legal_actions();
    let mut expected: Vec<Move> = actions.iter().map(|action| to_move(action, game)).collect();
    for (action, &m) in actions.iter().zip(&expected) {
        assert_eq!(to_action(m, game), *action, "{m} means something else");
    }
    moves.sort_unstable();
    expected.sort_unstable();
    assert_eq!(moves, expected, "legal moves");

    let (phase, dry_rounds) = match game.phase {
        reference::Phase::Deal => (Phase::Deal, game.dry_rounds + 1),
        reference::Phase::Draft => (Phase::Draft, game.dry_rounds + 1),
        reference::Phase::Tiling { seat, row } => {
            assert_eq!(seat, game.to_move);
            let dry_rounds = if game.placed_this_round { 0 } else { game.dry_rounds + 1 };
            (Phase::Tiling(Row::ALL[row]), dry_rounds)
        }
        reference::Phase::Over(by) => (Phase::Over(to_end(by)), game.dry_rounds),
    };
    assert_eq!(position.phase(), phase);
    assert_eq!(u32::from(position.dry_rounds()), dry_rounds, "dry rounds");
    assert_eq!(u32::from(position.round()), game.round, "round");
    assert_eq!(position.turn(), Seat::ALL[game.to_move], "turn");
    assert_eq!(position.starter(), Seat::ALL[game.starter], "starter");
    assert_eq!(position.marker(), game.marker.map(|seat| Seat::ALL[seat]), "marker");
    assert_eq!(position.stock().bag, to_tiles(&game.bag), "bag");
    assert_eq!(position.stock().lid, to_tiles(&game.lid), "lid");
    assert_eq!(position.pile(Source::Center), to_tiles(&game.center), "center");
    let factories = game.factories.iter().map(|tiles| to_tiles(tiles));
    assert!(position.factories().map(|(_, tiles)| tiles).eq(factories), "factories");
    assert_eq!(position.boards().len(), game.players.len());
    for seat in 0..game.players.len() {
        check_same_board(position, game, seat);
    }
    let outcome = position.outcome();
    assert_eq!(outcome.is_some(), matches!(game.phase, reference::Phase::Over(_)));
    if let Some(outcome) = outcome {
        assert_eq!(Phase::Over(outcome.by), phase);
        assert!(outcome.ranks.iter().map(|&rank| usize::from(rank)).eq(game.ranking()), "ranks");
        for (seat, bonuses) in outcome.bonuses.iter().enumerate() {
            let reference::Bonuses { rows, columns, colors } = game.bonuses(seat);
            let points = [bonuses.row_points, bonuses.column_points, bonuses.color_points];
            assert_eq!(points.map(u32::from), [rows, columns, colors], "bonuses");
            assert_eq!(bonuses.rows as usize, game.full_rows(seat));
        }
    }
}

fn check_same_board(position: &Position, game: &Game, seat: usize) {
    let (board, player) = (&position.boards()[seat], &game.players[seat]);
    assert_eq!(u32::from(board.score()), player.score, "score of seat {}", seat + 1);
    assert_eq!(board.floor(), to_tiles(&player.floor), "floor of seat {}", seat + 1);
    for row in Row::ALL {
        let line = &player.lines[row.index()];
        assert_eq!(board.line(row).tiles(), to_tiles(line), "line {row} of seat {}", seat + 1);
        for column in Column::ALL {
            let tile = player.wall[row.index()][column.index()].map(to_tile);
            assert_eq!(
                board.wall().tile(row, column),
                tile,
                "r{row}c{column} of seat {}",
                seat + 1
            );
        }
    }
}

/// Exchanges a tile of a deal for another, or two tiles, and asks both engines.
fn check_wrong_deals(position: &Position, deal: &Deal, game: &Game, chance: &mut Chance) {
    let mut factories = deal.factories().to_vec();
    for _ in 0..4 {
        let (a, b) = (chance.below(factories.len() as u32), chance.below(factories.len() as u32));
        let (a, b) = (a as usize, b as usize);
        let (Some(gone), Some(come)) = (factories[a].each().next(), factories[b].each().last())
        else {
            continue;
        };
        factories[a] = factories[a] - Tiles::of(gone, 1) + Tiles::of(come, 1);
        if chance.below(2) == 0 {
            factories[b] = factories[b] - Tiles::of(come, 1) + Tiles::of(gone, 1);
        }
        let wrong = Deal::new(&factories).unwrap();
        let dealt = position.clone().deal(&wrong);
        let expected = game.clone().deal(&in_drawing_order(&wrong, position.stock()));
        assert_eq!(dealt.is_ok(), expected.is_ok(), "{wrong}: {dealt:?}, {expected:?}");
    }
}

/// The tiles of a deal in an order in which they can have been drawn, if there is one: where the
/// bag ends within a factory, its tiles come first.
fn in_drawing_order(deal: &Deal, stock: Stock) -> Vec<Vec<reference::Tile>> {
    let Stock { mut bag, mut lid } = stock;
    let factories = deal.factories().iter().map(|&tiles| {
        let mut first = Tiles::EMPTY;
        if tiles.total() > bag.total() && tiles.contains(bag) {
            first = std::mem::replace(&mut bag, std::mem::take(&mut lid));
        }
        let rest = tiles - first;
        if bag.contains(rest) {
            bag -= rest;
        }
        first.each().chain(rest.each()).map(from_tile).collect()
    });
    factories.collect()
}

fn from_tile(tile: Tile) -> reference::Tile {
    match tile {
        Tile::Color(color) => reference::Tile::COLORS[color.index()],
        Tile::Joker => reference::Tile::Joker,
    }
}

fn to_tile(tile: reference::Tile) -> Tile {
    Tile::ALL[tile.index()]
}

fn to_tiles(tiles: &[reference::Tile]) -> Tiles {
    tiles.iter().copied().map(to_tile).collect()
}

fn to_end(by: reference::EndedBy) -> EndedBy {
    match by {
        reference::EndedBy::Row => EndedBy::Row,
        reference::EndedBy::NoTiles => EndedBy::NoTiles,
        reference::EndedBy::DeadPosition => EndedBy::DeadPosition,
        reference::EndedBy::Stall => EndedBy::Stall,
    }
}

fn to_rules(rules: &Rules) -> reference::Rules {
    reference::Rules {
        players: rules.players.count(),
        grey: rules.wall == WallKind::Grey,
        jokers: rules.jokers,
        row_bonus: rules.row_bonus.into(),
        column_bonus: rules.column_bonus.into(),
        color_bonus: match rules.color_bonus {
            ColorBonus::FiveOfColor(points) => reference::ColorBonus::FiveOfColor(points.into()),
            ColorBonus::BottomRowTiles(points) => {
                reference::ColorBonus::BottomRowTiles(points.into())
            }
        },
        floor_penalties: rules.floor_penalties.each().map(u32::from),
        one_plus_neighbors: rules.placement_scoring == PlacementScoring::OnePlusNeighbors,
        full_displays_only: rules.refill_remainder == RefillRemainder::FullDisplaysOnly,
        stall_rounds: rules.stall_rounds.into(),
    }
}

/// The same table in the reference; the game must not be over.
fn to_game(position: &Position) -> Game {
    let tiles = |tiles: Tiles| tiles.each().map(from_tile).collect::<Vec<_>>();
    let mut game = Game::new(to_rules(position.rules()), position.starter().index());
    game.phase = match position.phase() {
        Phase::Deal => reference::Phase::Deal,
        Phase::Draft => reference::Phase::Draft,
        Phase::Tiling(row) => {
            reference::Phase::Tiling { seat: position.turn().index(), row: row.index() }
        }
        Phase::Over(by) => panic!("the game is over: {by:?}"),
    };
    game.to_move = position.turn().index();
    game.round = position.round().into();
    game.dry_rounds = u32::from(position.dry_rounds()).saturating_sub(1);
    game.placed_this_round = position.dry_rounds() == 0;
    game.marker = position.marker().map(Seat::index);
    game.bag = tiles(position.stock().bag);
    game.lid = tiles(position.stock().lid);
    game.center = tiles(position.pile(Source::Center));
    game.factories = position.factories().map(|(_, pile)| tiles(pile)).collect();
    for (player, board) in game.players.iter_mut().zip(position.boards()) {
        player.score = board.score().into();
        player.floor = tiles(board.floor());
        player.lines = Row::ALL.map(|row| tiles(board.line(row).tiles())).to_vec();
        let spaces = |row| Column::ALL.map(|column| board.wall().tile(row, column).map(from_tile));
        player.wall = Row::ALL.map(|row| spaces(row).to_vec()).to_vec();
    }
    game
}

/// The fewest jokers that can enter a line with a pick: the engine counts from there, the
/// reference from none.
fn fewest_jokers(game: &Game, source: Source, pick: Pick, to: Destination) -> usize {
    let Destination::Line(row) = to else { return 0 };
    let pile = match source {
        Source::Center => &game.center,
        factory => &game.factories[factory.index() - 1],
    };
    let count = |tile| pile.iter().filter(|&&other| to_tile(other) == tile).count();
    let colored = pick.color().map_or(0, |color| count(color.into()));
    let jokers = if pick.has_jokers() { count(Tile::Joker) } else { 0 };
    let room = row.capacity() as usize - game.players[game.to_move].lines[row.index()].len();
    room.min(colored + jokers).saturating_sub(colored)
}

fn to_action(m: Move, game: &Game) -> Action {
    match m {
        Move::Place { row, column } => Action::Place { row: row.index(), column: column.index() },
        Move::Draft(Draft { source, pick, to, extra_jokers }) => Action::Draft {
            source: match source {
                Source::Center => reference::Source::Center,
                factory => reference::Source::Factory(factory.index() - 1),
            },
            color: pick.color().map(|color| from_tile(color.into())),
            jokers: pick.has_jokers(),
            destination: match to {
                Destination::Line(row) => reference::Destination::Line(row.index()),
                Destination::Floor => reference::Destination::Floor,
            },
            jokers_in_line: fewest_jokers(game, source, pick, to) + usize::from(extra_jokers),
        },
    }
}

fn to_move(action: &Action, game: &Game) -> Move {
    let (source, color, jokers, destination, jokers_in_line) = match *action {
        Action::Place { row, column } => {
            return Move::Place { row: Row::ALL[row], column: Column::ALL[column] };
        }
        Action::Draft { source, color, jokers, destination, jokers_in_line } => {
            (source, color, jokers, destination, jokers_in_line)
        }
    };
    let source = match source {
        reference::Source::Center => Source::Center,
        reference::Source::Factory(n) => Source::ALL[n + 1],
    };
    let pick = match color.map(|color| Color::ALL[color.index()]) {
        Some(color) if jokers => Pick::JokersAnd(color),
        Some(color) => Pick::Color(color),
        None => Pick::Jokers,
    };
    let to = match destination {
        reference::Destination::Line(row) => Destination::Line(Row::ALL[row]),
        reference::Destination::Floor => Destination::Floor,
    };
    let extra_jokers = (jokers_in_line - fewest_jokers(game, source, pick, to)) as u8;
    Move::Draft(Draft { source, pick, to, extra_jokers })
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

/// Compares the counts of both engines, those of the reference only where they are small.
fn check_perft(position: &Position, expected: &[u64]) {
    let limit = number_from("AZULEJO_PERFT_LIMIT").unwrap_or(1_000_000);
    let game = to_game(position);
    for (depth, &count) in (1..).zip(expected) {
        if count <= limit {
            assert_eq!(reference_perft(&game, depth), count, "{position} at depth {depth}");
        }
        let found = perft(position, depth, &mut |position| position.draw_deal(|_| 0));
        assert_eq!(found, count, "{position} at depth {depth}");
    }
}

/// What [`perft`] counts, by the reference.
fn reference_perft(game: &Game, depth: u32) -> u64 {
    if depth == 0 || matches!(game.phase, reference::Phase::Over(_)) {
        return 1;
    }
    let mut game = game.clone();
    if game.phase == reference::Phase::Deal {
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
