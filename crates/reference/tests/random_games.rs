//! Random games under many rule keys: the laws that hold in every state.

use azulejo_reference::{Action, ColorBonus, EndedBy, Game, Phase, Rules, Tile, printed_column};
use azulejo_testkit::Rng;

/// Draws the tiles of a deal as a player would: tile by tile, the lid only into an empty bag.
fn draw(game: &Game, rng: &mut Rng) -> Vec<Vec<Tile>> {
    let mut bag = game.bag.clone();
    let mut lid = game.lid.clone();
    let mut factories = Vec::new();
    for size in game.tiles_to_deal() {
        let mut factory = Vec::new();
        for _ in 0..size {
            if bag.is_empty() {
                bag.append(&mut lid);
            }
            factory.push(bag.swap_remove(rng.index(bag.len())));
        }
        factories.push(factory);
    }
    factories
}

/// Checks everything that must hold in every state.
fn check(game: &Game) {
    assert_eq!(game.all_tiles(), game.rules.tile_counts());
    for (seat, player) in game.players.iter().enumerate() {
        assert!(player.floor.len() <= 7);
        for row in 0..5 {
            let line = &player.lines[row];
            assert!(line.len() <= row + 1);
            let mut colors: Vec<Tile> = line.clone();
            colors.retain(|&tile| tile != Tile::Joker);
            colors.dedup();
            assert!(colors.len() <= 1, "line {line:?}");
            for column in 0..5 {
                let Some(tile) = player.wall[row][column] else {
                    continue;
                };
                if tile == Tile::Joker {
                    continue;
                }
                if !game.rules.grey {
                    assert_eq!(printed_column(row, tile), column);
                }
                let in_row = |&&space: &&Option<Tile>| space == Some(tile);
                assert_eq!(player.wall[row].iter().filter(in_row).count(), 1);
                let in_column = |wall_row: &&Vec<Option<Tile>>| wall_row[column] == Some(tile);
                assert_eq!(player.wall.iter().filter(in_column).count(), 1);
            }
        }
        if game.full_rows(seat) > 0 {
            assert!(matches!(game.phase, Phase::Over(EndedBy::Row) | Phase::Tiling { .. }));
        }
    }
    let actions = game.legal_actions();
    for (index, action) in actions.iter().enumerate() {
        assert!(!actions[..index].contains(action), "{action:?} twice");
    }
    match game.phase {
        Phase::Draft => assert!(!actions.is_empty()),
        Phase::Tiling { seat, .. } => {
            assert!(actions.len() >= 2);
            assert_eq!(game.to_move, seat);
        }
        Phase::Deal => {
            assert!(actions.is_empty());
            assert!(game.tiles_to_deal()[0] > 0);
            assert_eq!(game.marker, None);
            assert_eq!(game.to_move, game.starter);
        }
        Phase::Over(_) => assert!(actions.is_empty()),
    }
}

/// Plays one random game to its end.
fn random_game(rules: Rules, rng: &mut Rng) -> Game {
    let first = rng.index(rules.players);
    let mut game = Game::new(rules, first);
    loop {
        check(&game);
        match game.phase {
            Phase::Deal => {
                let factories = draw(&game, rng);
                game.deal(&factories).unwrap();
            }
            Phase::Over(_) => return game,
            Phase::Draft | Phase::Tiling { .. } => {
                let actions = game.legal_actions();
                let action: Action = actions[rng.index(actions.len())];
                game.play(&action).unwrap();
            }
        }
    }
}

#[test]
fn random_games_keep_the_laws_and_end() {
    let mut rng = Rng::new(1);
    for players in 2..=4 {
        for keys in 0..16 {
            let mut rules = Rules::official(players);
            rules.grey = keys & 1 != 0;
            rules.jokers = keys & 2 != 0;
            rules.full_displays_only = keys & 4 != 0;
            if keys & 8 != 0 {
                rules.one_plus_neighbors = true;
                rules.color_bonus = ColorBonus::BottomRowTiles(10);
            }
            for _ in 0..20 {
                let game = random_game(rules.clone(), &mut rng);
                assert!(game.ranking().contains(&1));
            }
        }
    }
}
