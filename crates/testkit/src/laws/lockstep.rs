//! Differential testing in lockstep with the reference, a slow implementation written from the rule
//! book alone: it must accept and refuse the same deals and moves and reach the same position.

use azulejo_reference as reference;
use azulejo_rules::{
    Color, ColorBonus, Column, Deal, Destination, Draft, EndedBy, Move, Phase, Pick,
    PlacementScoring, Position, RefillRemainder, Row, Rules, Seat, Setup, Source, Stock, Tile,
    Tiles, WallKind,
};
use reference::{Action, Game};

/// A game of the reference.
#[derive(Clone)]
pub struct Lockstep {
    game: Game,
}

impl Lockstep {
    /// The same table in the reference. `None` if the game is over, or so close to a limit of
    /// the engine (scores, rounds) that the reference, which has none, would pass it.
    pub fn new(position: &Position) -> Option<Lockstep> {
        let is_high = |score: u16| score > Setup::MAX_SCORE - 5000;
        let has_high_score = position.boards().iter().any(|board| is_high(board.score()));
        let is_late = position.round() > 60_000 || position.dry_rounds() > 200;
        let is_over = position.ended_by().is_some();
        let is_comparable = !(has_high_score || is_late || is_over);
        is_comparable.then(|| Lockstep { game: to_game(position) })
    }

    /// The game of the reference.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Deals in the reference what was tried in the engine, with the same result.
    pub fn deal(&mut self, before: &Position, deal: &Deal, is_dealt: bool) {
        let dealt = self.game.deal(&in_drawing_order(deal, before.stock()));
        assert_eq!(dealt.is_ok(), is_dealt, "{before}: {deal}: {dealt:?}");
    }

    /// Plays in the reference what was tried in the engine, with the same result.
    pub fn play(&mut self, before: &Position, m: Move, is_played: bool) {
        let played = match to_action(m, &self.game) {
            Some(action) => self.game.play(&action),
            None => Err("there is no such factory".to_owned()),
        };
        assert_eq!(played.is_ok(), is_played, "{before}: {m}: {played:?}");
    }

    /// Compares everything that a player could see.
    pub fn check_same(&self, position: &Position) {
        let game = &self.game;
        let mut moves = position.legal_moves().to_vec();
        let actions = game.legal_actions();
        let mut expected: Vec<Move> = actions.iter().map(|action| to_move(action, game)).collect();
        for (action, &m) in actions.iter().zip(&expected) {
            assert_eq!(to_action(m, game), Some(*action), "{position}: {m}");
        }
        moves.sort_unstable();
        expected.sort_unstable();
        assert_eq!(moves, expected, "{position}: legal moves");

        let so_far = if game.placed_this_round { 0 } else { game.dry_rounds + 1 };
        let (phase, dry_rounds) = match game.phase {
            reference::Phase::Deal => (Phase::Deal, game.dry_rounds + 1),
            reference::Phase::Draft => (Phase::Draft, game.dry_rounds + 1),
            reference::Phase::Tiling { row, .. } => (Phase::Tiling(Row::ALL[row]), so_far),
            reference::Phase::Over(by) => (Phase::Over(to_end(by)), game.dry_rounds),
        };
        assert_eq!(position.phase(), phase, "{position}");
        assert_eq!(u32::from(position.dry_rounds()), dry_rounds, "{position}: dry rounds");
        assert_eq!(u32::from(position.round()), game.round, "{position}: round");
        assert_eq!(position.turn().index(), game.to_move, "{position}: turn");
        assert_eq!(position.starter().index(), game.starter, "{position}: starter");
        assert_eq!(position.marker().map(Seat::index), game.marker, "{position}: marker");
        assert_eq!(position.stock().bag, to_tiles(&game.bag), "{position}: bag");
        assert_eq!(position.stock().lid, to_tiles(&game.lid), "{position}: lid");
        assert_eq!(position.pile(Source::Center), to_tiles(&game.center), "{position}: center");
        let factories = game.factories.iter().map(|tiles| to_tiles(tiles));
        assert!(
            position.factories().map(|(_, tiles)| tiles).eq(factories),
            "{position}: factories"
        );
        for (board, player) in position.boards().iter().zip(&game.players) {
            assert_eq!(u32::from(board.score()), player.score, "{position}: score");
            assert_eq!(board.floor(), to_tiles(&player.floor), "{position}: floor");
            for row in Row::ALL {
                let line = to_tiles(&player.lines[row.index()]);
                assert_eq!(board.line(row).tiles(), line, "{position}: line {row}");
                for column in Column::ALL {
                    let tile = player.wall[row.index()][column.index()].map(to_tile);
                    assert_eq!(board.wall().tile(row, column), tile, "{position}: wall");
                }
            }
        }
        self.check_same_outcome(position);
    }

    fn check_same_outcome(&self, position: &Position) {
        let Some(outcome) = position.outcome() else { return };
        let ranks = outcome.ranks.iter().map(|&rank| usize::from(rank));
        assert!(ranks.eq(self.game.ranking()), "{position}: ranks");
        for (seat, bonuses) in outcome.bonuses.iter().enumerate() {
            let reference::Bonuses { rows, columns, colors } = self.game.bonuses(seat);
            let points = [bonuses.row_points, bonuses.column_points, bonuses.color_points];
            assert_eq!(points.map(u32::from), [rows, columns, colors], "{position}: bonuses");
            assert_eq!(bonuses.rows as usize, self.game.full_rows(seat), "{position}");
        }
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
        players: rules.players().count(),
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
/// reference from none. `None` if there is no such factory.
fn fewest_jokers(game: &Game, source: Source, pick: Pick, to: Destination) -> Option<usize> {
    let pile = match source {
        Source::Center => &game.center,
        factory => game.factories.get(factory.index() - 1)?,
    };
    let Destination::Line(row) = to else { return Some(0) };
    let count = |tile| pile.iter().filter(|&&other| to_tile(other) == tile).count();
    let colored = pick.color().map_or(0, |color| count(color.into()));
    let jokers = if pick.has_jokers() { count(Tile::Joker) } else { 0 };
    let room = row.capacity() as usize - game.players[game.to_move].lines[row.index()].len();
    Some(room.min(colored + jokers).saturating_sub(colored))
}

fn to_action(m: Move, game: &Game) -> Option<Action> {
    Some(match m {
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
            jokers_in_line: fewest_jokers(game, source, pick, to)? + usize::from(extra_jokers),
        },
    })
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
    let fewest = fewest_jokers(game, source, pick, to).expect("the reference drafts from there");
    Move::Draft(Draft { source, pick, to, extra_jokers: (jokers_in_line - fewest) as u8 })
}
