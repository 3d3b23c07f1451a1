//! The same random games on `azulejo-reference`, the slow and plain implementation.

use super::rng::Rng;
use super::rules::{Figures, Until};
use azulejo_reference::{Game, Phase, Tile};
use azulejo_rules::Rules;
use std::time::Instant;

/// Plays official games on the colored wall.
pub(crate) fn random_games(rules: &Rules, until: Until) -> Figures {
    let mut rng = Rng::new(1);
    let mut figures = Figures::default();
    let start = Instant::now();
    loop {
        match until {
            Until::Time(limit) if start.elapsed() >= limit => break,
            Until::Games(n) if figures.n_games >= n => break,
            _ => random_game(rules.players().count(), &mut rng, &mut figures),
        }
    }
    figures.seconds = start.elapsed().as_secs_f64();
    figures
}

fn random_game(players: usize, rng: &mut Rng, figures: &mut Figures) {
    let mut game =
        Game::new(azulejo_reference::Rules::official(players), rng.below(players as u32) as usize);
    loop {
        match game.phase {
            Phase::Over(_) => break,
            Phase::Deal => {
                let deal = draw(&game, rng);
                game.deal(&deal).expect("the deal was drawn from the bag and the lid");
            }
            Phase::Draft | Phase::Tiling { .. } => {
                let actions = game.legal_actions();
                let action = actions[rng.below(actions.len() as u32) as usize];
                game.play(&action).expect("the action is on the list");
                figures.n_moves += 1;
            }
        }
    }
    figures.n_games += 1;
    figures.n_rounds += u64::from(game.round);
    figures.score_sum += game.players.iter().map(|player| u64::from(player.score)).sum::<u64>();
}

fn draw(game: &Game, rng: &mut Rng) -> Vec<Vec<Tile>> {
    let (mut bag, mut lid) = (game.bag.clone(), game.lid.clone());
    let mut draw_one = || {
        if bag.is_empty() {
            bag.append(&mut lid);
        }
        bag.swap_remove(rng.below(bag.len() as u32) as usize)
    };
    game.tiles_to_deal().into_iter().map(|n| (0..n).map(|_| draw_one()).collect()).collect()
}
