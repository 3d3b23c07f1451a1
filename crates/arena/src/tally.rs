//! The running result of a match, in constant memory.
//!
//! Games count when all games of their shuffle are finished, so that all figures are about the same
//! games and every engine has had the same seats and deals.

use crate::control::Controlled;
use crate::elo::{Estimate, Mean};
use crate::game::{Ending, GameResult, Thinking};
use crate::pairs::Pentanomial;
use std::collections::BTreeMap;

/// The result of a match so far.
#[derive(Clone, Debug)]
pub struct Tally {
    /// The number of seats of each engine.
    seats: Vec<usize>,
    group_size: usize,
    engines: Vec<EngineTally>,
    head_to_head: Option<HeadToHead>,
    n_shuffles: u64,
    /// Finished games of unfinished shuffles.
    waiting: BTreeMap<u64, Vec<PendingGame>>,
}

/// The result of one engine.
#[derive(Clone, Debug, Default)]
pub struct EngineTally {
    /// By shuffle, the share of victories of all its seats.
    shares: Mean,
    /// The same with the luck of its seats.
    with_luck: Controlled,
    /// The number of games of a shuffle.
    group_size: usize,
    /// By shuffle, the mean rank of its seats.
    ranks: Mean,
    /// The final scores.
    scores: Mean,
    /// Games lost by a fault, by kind, in all finished games.
    pub faults: BTreeMap<&'static str, u64>,
    /// The first of them: game, seat and fault.
    pub first_fault: Option<String>,
    /// Its searches in all finished games.
    pub thinking: Thinking,
}

/// The head-to-head result of two engines, for the first one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeadToHead {
    /// Won games.
    pub wins: u64,
    /// Shared games.
    pub draws: u64,
    /// Lost games.
    pub losses: u64,
    /// Pairs of games by points.
    pub pairs: Pentanomial,
    /// By pair, the mean lead in points at the end.
    margins: Mean,
}

/// A finished game of an unfinished shuffle.
#[derive(Clone, Debug)]
struct PendingGame {
    engines: Vec<usize>,
    shares: Vec<f64>,
    ranks: Vec<f64>,
    luck: Vec<f64>,
    scores: Option<Vec<u16>>,
}

impl Tally {
    /// An empty tally for engines with these numbers of seats.
    #[must_use]
    pub fn new(seats: &[usize], group_size: usize) -> Tally {
        Tally {
            seats: seats.to_vec(),
            group_size,
            engines: vec![EngineTally { group_size, ..EngineTally::default() }; seats.len()],
            head_to_head: (seats == [1, 1]).then(HeadToHead::default),
            n_shuffles: 0,
            waiting: BTreeMap::new(),
        }
    }

    /// Adds a game. Returns whether it completed its shuffle, so that the figures changed.
    pub fn add(&mut self, result: &GameResult) -> bool {
        let GameResult { game, ending, .. } = result;
        for (engine, thinking) in game.engines.iter().zip(&result.thinking) {
            self.engines[*engine].thinking.add(thinking);
        }
        if let Ending::Forfeit(seat, fault) = ending {
            let engine = &mut self.engines[game.engines[seat.index()]];
            *engine.faults.entry(fault.code()).or_default() += 1;
            engine.first_fault.get_or_insert_with(|| {
                format!("game {}.{}, seat {seat}: {fault}", game.shuffle, game.rotation)
            });
        }
        let scores = match ending {
            Ending::Played(scores) => Some(scores.clone()),
            _ => None,
        };
        let games = self.waiting.entry(game.shuffle).or_default();
        games.push(PendingGame {
            engines: game.engines.clone(),
            shares: result.shares.clone(),
            ranks: result.ranks.clone(),
            luck: result.luck.clone(),
            scores,
        });
        let is_complete = games.len() == self.group_size;
        if is_complete && let Some(games) = self.waiting.remove(&game.shuffle) {
            self.count(&games);
        }
        is_complete
    }

    fn count(&mut self, games: &[PendingGame]) {
        self.n_shuffles += 1;
        let mut sums = vec![(0.0, 0.0, 0.0); self.engines.len()];
        for game in games {
            for (seat, &i) in game.engines.iter().enumerate() {
                sums[i].0 += game.shares[seat];
                sums[i].1 += game.ranks[seat];
                sums[i].2 += game.luck.get(seat).copied().unwrap_or(0.0);
                if let Some(scores) = &game.scores {
                    self.engines[i].scores.add(scores[seat].into());
                }
            }
        }
        let n_games = games.len() as f64;
        let engines = self.engines.iter_mut().zip(&self.seats);
        let has_luck = games.iter().all(|game| !game.luck.is_empty());
        for ((engine, &n_seats), (share, rank, luck)) in engines.zip(sums) {
            engine.shares.add(share / n_games);
            if has_luck {
                engine.with_luck.add(share / n_games, luck / n_games);
            }
            engine.ranks.add(rank / (n_games * n_seats as f64));
        }
        if let Some(head_to_head) = &mut self.head_to_head {
            head_to_head.count(games);
        }
    }

    /// The number of counted games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.n_shuffles * self.group_size as u64
    }

    /// The number of complete shuffles.
    #[must_use]
    pub fn shuffles(&self) -> u64 {
        self.n_shuffles
    }

    /// The number of finished games that do not count yet, because others of their shuffle are missing.
    #[must_use]
    pub fn unpaired(&self) -> u64 {
        self.waiting.values().map(|games| games.len() as u64).sum()
    }

    /// The results of the engines.
    #[must_use]
    pub fn engines(&self) -> &[EngineTally] {
        &self.engines
    }

    /// The share of victories of an engine among equally strong ones.
    #[must_use]
    pub fn fair_share(&self, engine: usize) -> f64 {
        self.seats[engine] as f64 / self.seats.iter().sum::<usize>() as f64
    }

    /// The number of seats of an engine.
    #[must_use]
    pub fn seats(&self, engine: usize) -> usize {
        self.seats[engine]
    }

    /// The head-to-head result, if there are two engines with a seat each.
    #[must_use]
    pub fn head_to_head(&self) -> Option<&HeadToHead> {
        self.head_to_head.as_ref()
    }
}

impl EngineTally {
    /// The share of victories, from 0 to 1; a shared victory counts as a part.
    #[must_use]
    pub fn share(&self) -> Option<Estimate> {
        self.shares.share(self.group_size as f64)
    }

    /// The share of victories without the luck of the deals; `None` for fewer than ten shuffles, or if
    /// luck was not measured.
    #[must_use]
    pub fn adjusted_share(&self) -> Option<Estimate> {
        self.with_luck.adjusted_share(self.group_size as f64)
    }

    /// The shares by shuffle with the luck of the deals.
    #[must_use]
    pub fn with_luck(&self) -> &Controlled {
        &self.with_luck
    }

    /// The mean rank.
    #[must_use]
    pub fn rank(&self) -> Option<Estimate> {
        self.ranks.estimate()
    }

    /// The mean final score of games that ended by the rules.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        self.scores.mean()
    }
}

impl HeadToHead {
    fn count(&mut self, games: &[PendingGame]) {
        let first = |game: &PendingGame| game.engines.iter().position(|&engine| engine == 0);
        let mut half_points = 0;
        let mut margin = Mean::default();
        for game in games {
            let seat = first(game).unwrap_or(0);
            let points = (game.shares[seat] * 2.0).round() as usize;
            *[&mut self.losses, &mut self.draws, &mut self.wins][points] += 1;
            half_points += points;
            if let Some(scores) = &game.scores {
                margin.add(f64::from(scores[seat]) - f64::from(scores[1 - seat]));
            }
        }
        self.pairs.add(half_points);
        if let Some(margin) = margin.mean() {
            self.margins.add(margin);
        }
    }

    /// The mean lead in points at the end of games that ended by the rules.
    #[must_use]
    pub fn margin(&self) -> Option<Estimate> {
        self.margins.estimate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Fault;
    use crate::schedule::Schedule;
    use azulejo_notation::Record;
    use azulejo_rules::{Players, Rules, Seat};

    /// A tally of scheduled games, given as scores by seat or as the seat that forfeits.
    fn tally(seats: &[usize], games: &[&str]) -> Tally {
        let schedule = Schedule::new(seats, "5".parse().unwrap()).unwrap();
        let mut tally = Tally::new(seats, schedule.group_size());
        for (number, text) in (0..).zip(games) {
            tally.add(&result(&schedule, number, text));
        }
        tally
    }

    fn result(schedule: &Schedule, number: u64, text: &str) -> GameResult {
        let game = schedule.game(number);
        let n = game.engines.len();
        let rules = Rules::official(Players::from_count(n).unwrap());
        let (ending, points) = match text.strip_prefix("forfeit ") {
            Some(seat) => {
                let i = seat.parse::<usize>().unwrap() - 1;
                let ending = Ending::Forfeit(Seat::from_index(i).unwrap(), Fault::NoMove);
                (ending, (0..n).map(|seat| u16::from(seat != i)).collect::<Vec<_>>())
            }
            None => {
                let scores: Vec<u16> = text.split('-').map(|n| n.parse().unwrap()).collect();
                (Ending::Played(scores.clone()), scores)
            }
        };
        let best = *points.iter().max().unwrap();
        let n_best = points.iter().filter(|&&n| n == best).count() as f64;
        let rank = |mine: &u16| {
            let ahead = points.iter().filter(|other| *other > mine).count() as f64;
            let equal = points.iter().filter(|other| *other == mine).count() as f64;
            1.0 + ahead + (equal - 1.0) / 2.0
        };
        let thinking = Thinking { n_moves: 10, ..Thinking::default() };
        GameResult {
            game,
            record: Record::new(rules, Seat::One).unwrap(),
            ending,
            shares: points.iter().map(|&n| if n == best { 1.0 / n_best } else { 0.0 }).collect(),
            ranks: points.iter().map(rank).collect(),
            luck: Vec::new(),
            thinking: vec![thinking; n],
        }
    }

    #[test]
    fn two_engines_are_counted_in_pairs() {
        // The first engine sits in seat 1 of odd games and in seat 2 of even ones.
        let tally = tally(&[1, 1], &["40-30", "20-50", "30-40", "30-30", "33-33", "forfeit 1"]);
        let head_to_head = tally.head_to_head().unwrap();
        assert_eq!((head_to_head.wins, head_to_head.draws, head_to_head.losses), (3, 2, 1));
        assert_eq!(head_to_head.pairs, Pentanomial([0, 1, 0, 1, 1]));
        // By pair: (10 + 30) / 2, (-10 + 0) / 2, and 0 in the one game that was played.
        let margin = head_to_head.margin().unwrap();
        assert!((margin.mean - 5.0).abs() < 1e-9, "{margin:?}");
        let [first, second] = tally.engines() else { panic!("two engines") };
        let (share, of_pairs) = (first.share().unwrap(), head_to_head.pairs.share());
        assert!(
            (share.low - of_pairs.low).abs() < 1e-9 && (share.high - of_pairs.high).abs() < 1e-9
        );
        assert!((first.share().unwrap().mean - 4.0 / 6.0).abs() < 1e-12);
        assert!((first.share().unwrap().mean + second.share().unwrap().mean - 1.0).abs() < 1e-12);
        assert_eq!(first.score(), Some((40 + 50 + 30 + 30 + 33) as f64 / 5.0));
        assert_eq!(second.faults["illegal_move"], 1);
        assert!(first.faults.is_empty());
        let text = "game 3.2, seat 1: `bestmove none` where there are moves";
        assert_eq!(second.first_fault.as_deref(), Some(text));
        assert_eq!((tally.games(), tally.shuffles(), tally.unpaired()), (6, 3, 0));
        assert_eq!(first.thinking.n_moves, 60);
    }

    #[test]
    fn incomplete_pairs_do_not_count() {
        let tally = tally(&[1, 1], &["40-30", "20-50", "30-40"]);
        assert_eq!((tally.games(), tally.shuffles(), tally.unpaired()), (2, 1, 1));
        assert_eq!(tally.head_to_head().unwrap().wins, 2);
    }

    #[test]
    fn empty_tally_has_no_result() {
        let empty = tally(&[1, 1], &[]);
        assert_eq!(empty.engines()[0].share(), None);
        assert_eq!(empty.engines()[0].score(), None);
    }

    #[test]
    fn one_against_three_is_a_share() {
        // The first engine goes round the table: seats 1, 2, 3, 4.
        let tally = tally(&[1, 3], &["50-10-20-30", "60-50-0-0", "10-20-40-40", "forfeit 4"]);
        assert!(tally.head_to_head().is_none());
        let [one, three] = tally.engines() else { panic!("two engines") };
        // A victory, none, half of one, none.
        assert_eq!(one.share().unwrap().mean, 1.5 / 4.0);
        assert_eq!(three.share().unwrap().mean, 2.5 / 4.0);
        assert_eq!((tally.fair_share(0), tally.fair_share(1)), (0.25, 0.75));
        // Ranks 1, 2, 1½ and 4; all ranks of a table add up to 10.
        let rank = one.rank().unwrap().mean;
        assert!((rank - 8.5 / 4.0).abs() < 1e-12, "{rank}");
        assert!((rank + 3.0 * three.rank().unwrap().mean - 10.0).abs() < 1e-12);
        assert_eq!(one.faults["illegal_move"], 1);
    }

    /// Four rotations of a shuffle that the starter always wins count as one observation.
    #[test]
    fn errors_come_from_shuffles() {
        let starter_wins = ["9-0-0-0"; 40];
        let share = tally(&[1, 3], &starter_wins).engines()[0].share().unwrap();
        assert_eq!(share.mean, 0.25);
        let swings: Vec<_> = (0..40).map(|i| ["9-0-0-0", "0-9-0-0"][i / 4 % 2]).collect();
        let steady = tally(&[1, 3], &swings).engines()[0].share().unwrap();
        assert_eq!(steady.mean, 0.25);
        // Shuffles in which everything is won or lost.
        let mut games = Vec::new();
        for i in 0..10 {
            let of_seat = ["9-0-0-0", "0-9-0-0", "0-0-9-0", "0-0-0-9"];
            games.extend(
                (0..4).map(|seat| if i < 5 { of_seat[seat] } else { of_seat[(seat + 1) % 4] }),
            );
        }
        let wild = tally(&[1, 3], &games).engines()[0].share().unwrap();
        assert_eq!(wild.mean, 0.5);
        // Wilson's interval of 5 in 10.
        assert!((wild.low - 0.236_593).abs() < 1e-5, "{wild:?}");
        assert!(wild.error() > 2.0 * share.error());
    }
}
