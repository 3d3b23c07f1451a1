//! The same random games with the clear reference.

use super::luck::Luck;
use super::rules::{Figures, Until};
use azulejo_reference::{Game, Phase, Tile};
use azulejo_rules::Rules;
use std::time::Instant;

/// Official games of so many players on the colored wall.
pub(crate) fn random_games(rules: &Rules, until: Until) -> Figures {
    let mut luck = Luck::new(1);
    let mut figures = Figures::default();
    let start = Instant::now();
    loop {
        match until {
            Until::Time(limit) if start.elapsed() >= limit => break,
            Until::Games(n) if figures.n_games >= n => break,
            _ => random_game(rules.players.count(), &mut luck, &mut figures),
        }
    }
    figures.seconds = start.elapsed().as_secs_f64();
    figures
}

fn random_game(players: usize, luck: &mut Luck, figures: &mut Figures) {
    let mut game =
        Game::new(azulejo_reference::Rules::official(players), luck.below(players as u32) as usize);
    loop {
        match game.phase {
            Phase::Over(_) => break,
            Phase::Deal => {
                let deal = draw(&game, luck);
                game.deal(&deal).expect("the deal was drawn from the bag and the lid");
            }
            Phase::Draft | Phase::Tiling { .. } => {
                let actions = game.legal_actions();
                let action = actions[luck.below(actions.len() as u32) as usize];
                game.play(&action).expect("the action is on the list");
                figures.n_moves += 1;
            }
        }
    }
    figures.n_games += 1;
    figures.n_rounds += u64::from(game.round);
    figures.score_sum += game.players.iter().map(|player| u64::from(player.score)).sum::<u64>();
}

fn draw(game: &Game, luck: &mut Luck) -> Vec<Vec<Tile>> {
    let (mut bag, mut lid) = (game.bag.clone(), game.lid.clone());
    let mut draw_one = || {
        if bag.is_empty() {
            bag.append(&mut lid);
        }
        bag.swap_remove(luck.below(bag.len() as u32) as usize)
    };
    game.tiles_to_deal().into_iter().map(|n| (0..n).map(|_| draw_one()).collect()).collect()
}
