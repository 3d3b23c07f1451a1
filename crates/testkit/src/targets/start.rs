//! Where a game made of bytes begins: any rule set, and a new game, a crowded table, or a table
//! on which the bytes have moved things around.

use super::bytes::Bytes;
use azulejo_rules::{
    ColorBonus, Column, EndedBy, FloorPenalties, Phase, PlacementScoring, Players, Position,
    RefillRemainder, Row, Rules, Seat, Setup, Tile, Tiles, WallKind,
};

/// Tables that play from the start hardly ever reaches: few tiles, full floors, wall choices,
/// rows and rounds about to end.
const TABLES: [&str; 9] = [
    "az1_2g_w1r2_3s1_.-.-.-.-._._rest_._9~.-BB-...-....-.....~B....-....R-.....-..B..-.....~1_4~.-..-YYY-....-RRR..~.....-.....-.....-.....-.....~KK",
    "az1_3cj_w2r1_2s2_.-.-.-.-.-.-._._rest_._5~.-..-...-....-JJ...~...K.-.....-.....-.....-.....~._3~J-JJ-...-....-.....~.....-..Y..-.....-.....-.....~1B_0~.-YY-JJJ-....-.....~.....-.....-.....-.....-.....~.",
    "az1_2gj_d1_4s2_.-.-.-.-._1BBJJ_rest_._9~.-K.-BJ.-....-.....~B....-.R...-.....-.....-.....~._4~J-..-...-R...-KKKK.~.....-.....-.....-.....-.....~KK",
    "az1_2c_d1_4s2_.-.-.-.-._BB_B3W2_rest_9~.-K.-BB.-....-.....~.....-.....-.....-.....-.....~1_4~Y-..-...-R...-KKKK.~.....-.....-.....-.....-.....~KK",
    "az1_4c_d3_6s1_.-.-.-.-.-BK-.-.-._R_Y2_rest_11~.-Y.-YY.-YYY.-YYYY.~B.RKW-WB.RK-KWB.R-RKWB.-.RKWB~._20~.-Y.-YY.-YYY.-Y....~B.RKW-WB.RK-KWB.R-RKWB.-.RKWB~1_0~.-..-...-....-.....~B.RKW-WB.RK-KWB.R-RKWB.-.RKWB~._5~.-..-...-....-.....~B.RKW-WB.R.-KWB..-RKWB.-.RK..~.",
    "az1_2c_d1_5s1_B-.-.-.-._1KB_rest_._30~.-..-...-....-.....~.YRKW-.....-.....-.....-.....~._20~.-..-...-....-.....~BYR.W-.....-.....-.....-.....~.",
    "az1_4c_d4_6s1_.-.-.-.-.-.-.-.-._YY_._._30~.-Y.-YY.-YYY.-YYYY.~B.RKW-WB.RK-KWB.R-RKWB.-.RKWB~1_31~.-..-...-....-YYYY.~B.RKW-WB.RK-KWB.R-RKWB.-.RKWB~._32~.-..-...-....-YYYY.~B.RKW-WB.RK-KWB.R-RKWB.-.RKWB~._33~.-..-...-....-.....~B.RKW-WB.RK-KWB.R-RKWB.-.RKWB~.",
    "az1_4c_d1_9s4_.-.-.-.-.-.-.-.-._1W_B8R9K5_W6_12~.-Y.-YY.-....-YYY..~B.RKW-W...K-K....-RKWB.-.....~._20~.-Y.-...-Y...-YYY..~B.RKW-WB...-KWB.R-.....-..K..~._20~.-..-Y..-....-YYY..~B.RKW-WB.RK-KW..R-RKWB.-.....~._5~.-..-...-Y...-YYYY.~B.RKW-WB.RK-KWB.R-.K...-....B~.",
    "az1_2g_n_9s2i5_.-.-.-.-._1_rest_B3K2_3~.-Y.-...-....-.....~B....-.....-.....-.....-.....~._0~.-..-K..-....-.....~.....-.....-.....-.....-.....~.",
];

/// The position in which a game begins.
pub(super) fn start(bytes: &mut Bytes<'_>) -> Position {
    let base = match bytes.below(4) {
        0 => bytes.pick(&TABLES).parse().expect("the tables are right"),
        _ => {
            let rules = any_rules(bytes);
            Position::new(rules, bytes.pick(rules.players().seats()))
        }
    };
    if bytes.below(3) > 0 {
        return base;
    }
    let mut setup = Setup::from(&base);
    for _ in 0..bytes.below(64) {
        change(&mut setup, bytes);
    }
    match setup.validate() {
        Ok(position) => position,
        Err(error) => {
            assert!(!error.faults().is_empty(), "{setup}");
            assert!(error.faults().iter().all(|fault| !fault.to_string().is_empty()));
            base
        }
    }
}

fn any_rules(bytes: &mut Bytes<'_>) -> Rules {
    let players = bytes.pick(&Players::ALL);
    let mut rules = Rules::official(players);
    rules.wall = bytes.pick(&[WallKind::Colored, WallKind::Grey]);
    rules.jokers = bytes.flip();
    if bytes.below(4) > 0 {
        return rules;
    }
    let first = bytes.flip().then(|| bytes.pick(players.seats()));
    rules = rules.with_first_player(first).expect("it is a seat of the game");
    rules.row_bonus = bytes.byte();
    rules.column_bonus = bytes.byte();
    rules.color_bonus = match bytes.byte() {
        points if bytes.flip() => ColorBonus::BottomRowTiles(points),
        points => ColorBonus::FiveOfColor(points),
    };
    let penalties = [(); FloorPenalties::SPACES].map(|()| bytes.below(10) as u8);
    rules.floor_penalties = FloorPenalties::new(penalties).expect("each is below ten");
    rules.placement_scoring =
        bytes.pick(&[PlacementScoring::Official, PlacementScoring::OnePlusNeighbors]);
    rules.refill_remainder =
        bytes.pick(&[RefillRemainder::PartialDisplay, RefillRemainder::FullDisplaysOnly]);
    rules.stall_rounds = bytes.byte();
    rules
}

/// Changes one thing on the table, often so that it can stay.
fn change(setup: &mut Setup, bytes: &mut Bytes<'_>) {
    match bytes.below(16) {
        0 => {
            setup.phase = match bytes.below(11) {
                0 => Phase::Draft,
                1 => Phase::Deal,
                n @ 2..=6 => Phase::Tiling(Row::ALL[n as usize - 2]),
                n => Phase::Over(EndedBy::ALL[n as usize - 7]),
            };
        }
        1 => setup.turn = bytes.pick(&Seat::ALL),
        2 => setup.starter = bytes.pick(&Seat::ALL),
        3 => setup.round = bytes.pick(&[0, 1, 2, 5, 6, 255, u16::MAX - 1, u16::MAX]),
        4 => setup.dry_rounds = bytes.pick(&[0, 1, 2, 4, 5, 6, 254, 255]),
        5 => {
            let score = bytes.pick(&[0, 1, 7, 50, 300, 9990, 9999, u16::MAX]);
            if let Some(board) = any_of(&mut setup.boards, bytes) {
                board.score = score;
            }
        }
        6 => {
            setup.marker_in_center = false;
            setup.boards.iter_mut().for_each(|board| board.has_marker = false);
            match any_of(&mut setup.boards, bytes).filter(|_| bytes.below(3) > 0) {
                Some(board) => board.has_marker = true,
                None => setup.marker_in_center = true,
            }
        }
        7 => match bytes.below(8) {
            0 => drop(setup.boards.pop()),
            1 => setup.boards.extend(setup.boards.first().cloned()),
            2 => drop(setup.factories.pop()),
            3 => setup.factories.push(Tiles::EMPTY),
            4 => setup.bag = Tiles::EMPTY,
            5 => setup.marker_in_center ^= true,
            _ => setup.rules.jokers ^= true,
        },
        8..=10 => place_on_wall(setup, bytes),
        _ => {
            let tile = bytes.pick(&Tile::ALL);
            let n = 1 + bytes.below(4);
            for _ in 0..n {
                let Some(from) = any_pile(setup, bytes).filter(|pile| pile.count(tile) > 0) else {
                    return;
                };
                *from -= Tiles::of(tile, 1);
                match any_pile(setup, bytes).and_then(|pile| {
                    *pile = pile.checked_with(tile, 1)?;
                    Some(())
                }) {
                    Some(()) => {}
                    None => setup.lid += Tiles::of(tile, 1),
                }
            }
        }
    }
}

fn any_of<'a, T>(from: &'a mut [T], bytes: &mut Bytes<'_>) -> Option<&'a mut T> {
    if from.is_empty() { None } else { from.get_mut(bytes.below(from.len() as u32) as usize) }
}

fn any_pile<'a>(setup: &'a mut Setup, bytes: &mut Bytes<'_>) -> Option<&'a mut Tiles> {
    match bytes.below(8) {
        0 | 1 => Some(&mut setup.bag),
        2 => Some(&mut setup.lid),
        3 => Some(&mut setup.center),
        4 => any_of(&mut setup.factories, bytes),
        5 => any_of(&mut setup.boards, bytes).map(|board| &mut board.floor),
        _ => {
            let board = any_of(&mut setup.boards, bytes)?;
            any_of(&mut board.lines, bytes)
        }
    }
}

/// Moves a tile from the bag to a wall; a tile that lay there goes back.
fn place_on_wall(setup: &mut Setup, bytes: &mut Bytes<'_>) {
    let (row, column) = (bytes.pick(&Row::ALL), bytes.pick(&Column::ALL));
    let tile = match bytes.below(8) {
        0 => bytes.pick(&Tile::ALL),
        1 => Tile::Joker,
        _ => Rules::printed_color(row, column).into(),
    };
    let Some(board) = any_of(&mut setup.boards, bytes) else { return };
    if let Some(old) = board.wall[row.index()][column.index()].take() {
        setup.bag += Tiles::of(old, 1);
    }
    if setup.bag.count(tile) > 0 {
        setup.bag -= Tiles::of(tile, 1);
        board.wall[row.index()][column.index()] = Some(tile);
    }
}
