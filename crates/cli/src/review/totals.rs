//! Totals of several games for each player, by name; players without a name by seat.

use azulejo_review::{Review, Share};
use azulejo_words as words;
use std::fmt::Write;

#[derive(Default)]
pub(super) struct Totals {
    /// In the order in which the players appeared.
    players: Vec<Total>,
}

struct Total {
    name: String,
    n_games: u32,
    n_decisions: u32,
    loss: Share,
    /// The sum of the accuracies of decisions.
    accuracy: f64,
    luck: Share,
    own_errors: Share,
    result: Share,
}

impl Totals {
    pub(super) fn add(&mut self, review: &Review) {
        for player in &review.players {
            let name = player.name.clone().filter(|name| !name.is_empty());
            let name = name.unwrap_or_else(|| format!("Seat {}", player.seat));
            let known = self.players.iter().position(|total| total.name == name);
            let at = known.unwrap_or_else(|| {
                self.players.push(Total::new(name));
                self.players.len() - 1
            });
            let (total, all) = (&mut self.players[at], player.all);
            total.n_games += 1;
            total.n_decisions += all.n_decisions;
            total.loss += all.loss;
            total.accuracy += all.accuracy.unwrap_or(0.0) * f64::from(all.n_decisions);
            total.luck += player.ledger.lot + player.ledger.luck;
            total.own_errors += player.ledger.own_errors;
            total.result += player.ledger.result;
        }
    }

    /// A line for each player.
    pub(super) fn table(&self) -> String {
        let mut text = format!(
            "{:<16}{:>6}{:>7}{:>10}{:>15}{:>13}{:>13}\n",
            "Totals", "games", "wins", "accuracy", "loss/decision", "luck/game", "errors/game"
        );
        for total in &self.players {
            let (games, decisions) =
                (f64::from(total.n_games), f64::from(total.n_decisions.max(1)));
            let per_game = |share: Share| format!("{:+.1} %", 100.0 * share.get() / games);
            let _ = writeln!(
                text,
                "{:<16}{:>6}{:>7.1}{:>10.1}{:>15}{:>13}{:>13}",
                words::clip(&total.name, 15),
                total.n_games,
                total.result.get(),
                total.accuracy / decisions,
                format!("{:.2} %", 100.0 * total.loss.get() / decisions),
                per_game(total.luck),
                per_game(total.own_errors),
            );
        }
        text
    }
}

impl Total {
    fn new(name: String) -> Total {
        Total {
            name,
            n_games: 0,
            n_decisions: 0,
            loss: Share::ZERO,
            accuracy: 0.0,
            luck: Share::ZERO,
            own_errors: Share::ZERO,
            result: Share::ZERO,
        }
    }
}
