//! The hash of a position: what it must tell apart, what it must not, and values that stay the
//! same on every machine and in every version.
//!
//! `AZULEJO_HASH_POSITIONS` is the number of positions among which collisions are looked for.

use azulejo_rules::{
    ColorBonus, EndedBy, FloorPenalties, Phase, PlacementScoring, Position, RefillRemainder, Seat,
    Setup, Tile, Tiles, WallKind,
};
use azulejo_testkit::Rng;
use azulejo_testkit::random_play::{RandomGame, number_from};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// In the middle of a draft: three boards, all of them different, tiles everywhere.
const MIDDLE: &str = "az1_3c_d2_4s1_BBYR-.-KKWW-.-BYRK-.-._1YYW_B6Y8R9K7W8_rest_\
    12~R-W.-BB.-....-YYY..~.Y...-.....-.W...-.....-.....~RR_\
    9~.-KK-R..-W...-KK...~B....-.B...-.....-.....-.....~._\
    30~Y-..-...-BBB.-.....~....W-.....-.W...-.....-....B~K";

/// Between two rounds, no placement for five of them: the game goes on or has just stalled.
const DRY: &str = "az1_2g_n_9s2i5_.-.-.-.-._1_rest_B3K2_\
    3~.-Y.-...-....-.....~B....-.....-.....-.....-.....~._\
    0~.-..-K..-....-.....~.....-.....-.....-.....-.....~.";

#[test]
fn every_change_changes_the_hash() {
    type Change = (&'static str, fn(&mut Setup));
    const BLUE: Tile = Tile::Color(azulejo_rules::Color::Blue);
    const WHITE: Tile = Tile::Color(azulejo_rules::Color::White);
    fn shift(tile: Tile, from: &mut Tiles, to: &mut Tiles) {
        *from -= Tiles::of(tile, 1);
        *to += Tiles::of(tile, 1);
    }
    let changes: &[Change] = &[
        ("nothing", |_| {}),
        ("a tile from the bag to the lid", |s| shift(BLUE, &mut s.bag, &mut s.lid)),
        ("a tile from the lid to the bag", |s| shift(BLUE, &mut s.lid, &mut s.bag)),
        ("a tile from the bag to the center", |s| shift(BLUE, &mut s.bag, &mut s.center)),
        ("a tile from the center to the lid", |s| shift(WHITE, &mut s.center, &mut s.lid)),
        ("a tile from the bag to a factory", |s| shift(BLUE, &mut s.bag, &mut s.factories[1])),
        ("a tile from a factory to the center", |s| {
            shift(BLUE, &mut s.factories[0], &mut s.center);
        }),
        ("a tile from one factory to another", |s| {
            let [first, second, ..] = &mut s.factories[..] else { unreachable!() };
            shift(BLUE, first, second);
        }),
        ("a tile from the bag to a floor", |s| shift(BLUE, &mut s.bag, &mut s.boards[0].floor)),
        ("the same to another floor", |s| shift(BLUE, &mut s.bag, &mut s.boards[1].floor)),
        ("another color to the floor", |s| shift(WHITE, &mut s.bag, &mut s.boards[0].floor)),
        ("a tile from the bag to a line", |s| shift(BLUE, &mut s.bag, &mut s.boards[0].lines[2])),
        ("a tile to the line below", |s| shift(BLUE, &mut s.bag, &mut s.boards[0].lines[3])),
        ("a tile to another board's line", |s| shift(BLUE, &mut s.bag, &mut s.boards[2].lines[3])),
        ("a tile from a line to the lid", |s| shift(BLUE, &mut s.boards[0].lines[2], &mut s.lid)),
        ("a tile from the bag to a wall", |s| {
            s.bag -= Tiles::of(BLUE, 1);
            s.boards[0].wall[0][0] = Some(BLUE);
        }),
        ("the same in another row", |s| {
            s.bag -= Tiles::of(BLUE, 1);
            s.boards[0].wall[4][4] = Some(BLUE);
        }),
        ("the same on another board", |s| {
            s.bag -= Tiles::of(BLUE, 1);
            s.boards[1].wall[4][4] = Some(BLUE);
        }),
        ("two boards swapped", |s| s.boards.swap(0, 1)),
        ("two scores swapped", |s| (s.boards[0].score, s.boards[1].score) = (9, 12)),
        ("a point for seat 1", |s| s.boards[0].score += 1),
        ("a point for seat 2", |s| s.boards[1].score += 1),
        ("a point for seat 3", |s| s.boards[2].score += 1),
        ("the marker with seat 1", |s| give_marker(s, 0)),
        ("the marker with seat 2", |s| give_marker(s, 1)),
        ("the marker with seat 3", |s| give_marker(s, 2)),
        ("the turn of seat 1", |s| s.turn = Seat::One),
        ("the turn of seat 3", |s| s.turn = Seat::Three),
        ("started by seat 2", |s| s.starter = Seat::Two),
        ("started by seat 3", |s| s.starter = Seat::Three),
        ("the second dry round", |s| s.dry_rounds = 2),
        ("the third dry round", |s| s.dry_rounds = 3),
        ("the grey wall", |s| s.rules.wall = WallKind::Grey),
        ("jokers in play", |s| {
            s.rules.jokers = true;
            s.bag = Tiles::EMPTY;
            s.lid = Tiles::EMPTY;
            s.bag = s.missing_tiles();
        }),
        ("another row bonus", |s| s.rules.row_bonus = 3),
        ("another column bonus", |s| s.rules.column_bonus = 8),
        ("another color bonus", |s| s.rules.color_bonus = ColorBonus::FiveOfColor(11)),
        ("bottom row tiles", |s| s.rules.color_bonus = ColorBonus::BottomRowTiles(10)),
        ("a cheaper floor", |s| {
            s.rules.floor_penalties = FloorPenalties::new([1, 1, 2, 2, 2, 2, 3]).unwrap();
        }),
        ("the floor in another order", |s| {
            s.rules.floor_penalties = FloorPenalties::new([1, 1, 2, 2, 3, 2, 3]).unwrap();
        }),
        ("one plus neighbors", |s| {
            s.rules.placement_scoring = PlacementScoring::OnePlusNeighbors;
        }),
        ("whole factories only", |s| {
            s.rules.refill_remainder = RefillRemainder::FullDisplaysOnly;
        }),
        ("a longer stall", |s| s.rules.stall_rounds = 6),
        ("no stall", |s| s.rules.stall_rounds = 0),
    ];
    let mut seen = HashMap::new();
    for (name, change) in changes {
        let mut setup: Setup = MIDDLE.parse().unwrap();
        change(&mut setup);
        let position = setup.validate().unwrap_or_else(|faults| panic!("{name}: {faults:?}"));
        let other = seen.insert(position.hash_key(), name);
        assert_eq!(other, None, "{name} has the same hash");
    }
}

fn give_marker(setup: &mut Setup, seat: usize) {
    setup.marker_in_center = false;
    setup.boards[seat].has_marker = true;
}

/// These are the only two phases that can have the same table.
#[test]
fn the_phase_changes_the_hash() {
    let mut setup: Setup = DRY.parse().unwrap();
    let waiting = setup.validate().unwrap().hash_key();
    setup.phase = Phase::Over(EndedBy::Stall);
    assert_ne!(setup.validate().unwrap().hash_key(), waiting);
}

#[test]
fn what_does_not_matter_does_not_change_the_hash() {
    for text in [MIDDLE, DRY] {
        let setup: Setup = text.parse().unwrap();
        let hash = setup.validate().unwrap().hash_key();
        for round in [setup.round + 1, setup.round + 90, u16::MAX] {
            let later = Setup { round, ..setup.clone() };
            assert_eq!(later.validate().unwrap().hash_key(), hash);
        }
        for &seat in setup.rules.players().seats() {
            let rules = setup.rules.with_first_player(Some(seat)).unwrap();
            assert_eq!(Setup { rules, ..setup.clone() }.validate().unwrap().hash_key(), hash);
        }
    }
}

#[test]
fn the_order_of_factories_does_not_change_the_hash() {
    let mut rng = Rng::new(1);
    let mut n_permuted = 0;
    for seed in 0..200 {
        let mut game = RandomGame::new(seed);
        while let Some(action) = game.next_action() {
            game.play(action);
            let mut setup = Setup::from(&game.position);
            for i in (1..setup.factories.len()).rev() {
                setup.factories.swap(i, rng.below(i as u32 + 1) as usize);
            }
            let permuted = setup.validate().unwrap();
            assert_eq!(permuted.hash_key(), game.position.hash_key(), "{permuted}");
            n_permuted += u32::from(permuted != game.position);
        }
    }
    assert!(n_permuted > 5000, "{n_permuted}");
}

/// Positions and all their neighbors one move away, which differ in as little as positions can.
#[test]
fn no_two_positions_have_the_same_hash() {
    let wanted = number_from("AZULEJO_HASH_POSITIONS").unwrap_or(200_000);
    let mut seen: HashMap<u64, Position> = HashMap::new();
    let mut look_at = |position: &Position| {
        match seen.entry(position.hash_key()) {
            Entry::Vacant(entry) => {
                entry.insert(*position);
            }
            Entry::Occupied(entry) => {
                assert_eq!(future(entry.get()), future(position), "{} {position}", entry.get());
            }
        }
        seen.len()
    };
    for seed in 0.. {
        let mut game = RandomGame::new(seed);
        while let Some(action) = game.next_action() {
            if seed % 4 == 0 {
                for m in game.position.legal_moves() {
                    let mut next = game.position;
                    next.play_unchecked(m);
                    look_at(&next);
                }
            }
            game.play(action);
            if look_at(&game.position) >= wanted {
                return;
            }
        }
    }
}

/// Everything that bears on the future of a position.
fn future(position: &Position) -> Setup {
    let mut setup = Setup::from(position);
    setup.factories.sort_by_key(Tiles::to_string);
    setup.round = 1;
    setup.rules = setup.rules.with_first_player(None).unwrap();
    setup
}

#[test]
fn hashes_are_stable() {
    let check = |text: &str, expected: u64| {
        let position: Position = text.parse().unwrap();
        assert_eq!(position.hash_key(), expected, "{:#018x} {text}", position.hash_key());
    };
    check(MIDDLE, 0x2454_75ae_cdef_24ba);
    check(DRY, 0x11a4_1091_6b6a_d152);
    let new_game = Position::new("4gj".parse().unwrap(), Seat::Three);
    check(&new_game.to_string(), 0x97e0_9259_67de_066f);
}
