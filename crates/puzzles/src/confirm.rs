//! Confirms a claim that rests on the network: the next round is searched after sampled deals, the same for the
//! end of the best line and for that of the second best (a truncated rollout).

use crate::claim::value_of_forecast;
use crate::solver::{Value, value_of};
use azulejo_engine::{Engine, Limits, Stop};
use azulejo_notation::{Chance, Seed};
use azulejo_rules::{Move, Position, Seat};

/// The number of deals, and the nodes of the search after each.
const DEALS: (u32, u64) = (24, 1_000);
/// The mean lead must be this many times its standard error.
const SURE: f32 = 3.0;

/// Whether the lead of the first line over the second, each played to the end of the round, is sure over the
/// sampled deals, and at least half of the margin.
pub(crate) fn is_confirmed(
    engine: &mut Engine,
    position: &Position,
    lines: &[Vec<Move>; 2],
    margin: Value,
) -> bool {
    let seat = position.turn();
    let ends = lines.each_ref().map(|line| {
        let mut end = *position;
        line.iter().for_each(|&m| end.play_unchecked(m));
        end
    });
    let lead = |number: u32| {
        let [best, second] = ends.map(|end| value_after(engine, &end, seat, number));
        best - second
    };
    let leads: Vec<f32> = (0..DEALS.0).map(lead).collect();
    let n = leads.len() as f32;
    let mean = leads.iter().sum::<f32>() / n;
    let variance = leads.iter().map(|lead| (lead - mean).powi(2)).sum::<f32>() / (n - 1.0);
    let error = (variance / n).sqrt();
    mean >= SURE * error && mean >= margin as f32 / 2.0
}

/// The value for a seat after the deal with a number; of a finished game its result.
fn value_after(engine: &mut Engine, end: &Position, seat: Seat, number: u32) -> f32 {
    if let Some(outcome) = end.outcome() {
        return value_of(&outcome, seat) as f32;
    }
    let seed: Seed = format!("confirm-{number}").parse().expect("a seed");
    let mut chance = Chance::new(&seed);
    let deal = end.draw_deal(|n| chance.below(n));
    let limits = Limits { nodes: Some(DEALS.1), ..Limits::default() };
    let after = engine.after_deal(end, &deal, &limits, &Stop::new());
    value_of_forecast(&after.expect("the deal is possible"), seat)
}
