//! The schedule of a match: seats and seed of every game.
//!
//! Every shuffle is played once for each rotation of the seats, so that each engine has each seat, and
//! with it each deal and the first move, equally often. Where the engines can sit around the table in
//! several orders, the shuffles go through the orders in turn.

use azulejo_notation::{Seed, SeedError};

/// All games of a match, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    seed: Seed,
    /// The distinct orders around the table, each as the engine of every seat.
    orders: Vec<Vec<usize>>,
    /// The number of games of a shuffle.
    n_rotations: usize,
}

/// A game of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// The number of its shuffle, from 1.
    pub shuffle: u64,
    /// The number of its rotation among the games of that shuffle, from 1.
    pub rotation: usize,
    /// The seed of the shuffle.
    pub seed: Seed,
    /// The engine of each seat.
    pub engines: Vec<usize>,
}

impl Schedule {
    /// The schedule for engines with these numbers of seats.
    ///
    /// # Errors
    /// If the seed is too long to append a number.
    pub fn new(seats: &[usize], seed: Seed) -> Result<Schedule, SeedError> {
        // No seed of a game is longer than this one.
        numbered(&seed, u64::MAX)?;
        let table: Vec<usize> =
            seats.iter().enumerate().flat_map(|(i, &n)| std::iter::repeat_n(i, n)).collect();
        let orders = orders(&table);
        let n_rotations = n_rotations(&orders[0]);
        Ok(Schedule { seed, orders, n_rotations })
    }

    /// The number of games with the same shuffle.
    #[must_use]
    pub fn group_size(&self) -> usize {
        self.n_rotations
    }

    /// Rounds a number of games up to whole groups.
    #[must_use]
    pub fn whole_groups(&self, n_games: u64) -> u64 {
        n_games.next_multiple_of(self.n_rotations as u64)
    }

    /// The number of a game, from 0.
    pub(crate) fn number(&self, game: &ScheduledGame) -> u64 {
        (game.shuffle - 1) * self.n_rotations as u64 + game.rotation as u64 - 1
    }

    /// The game with a number from 0.
    #[must_use]
    pub fn game(&self, number: u64) -> ScheduledGame {
        let group = number / self.n_rotations as u64;
        let rotation = (number % self.n_rotations as u64) as usize;
        let order = &self.orders[(group % self.orders.len() as u64) as usize];
        let mut engines = order.clone();
        engines.rotate_right(rotation);
        let seed = numbered(&self.seed, group + 1).expect("the longest seed was checked");
        ScheduledGame { shuffle: group + 1, rotation: rotation + 1, seed, engines }
    }
}

/// The seed of a shuffle: shuffle 12 of seed 7 is `7-12`.
fn numbered(seed: &Seed, shuffle: u64) -> Result<Seed, SeedError> {
    format!("{seed}-{shuffle}").parse()
}

/// The orders around a table that differ by more than a rotation. Orders that repeat after half a turn
/// are left out if there are others: they have only half the rotations.
fn orders(table: &[usize]) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    permute(&mut table.to_vec(), 0, &mut all);
    let mut orders: Vec<Vec<usize>> = Vec::new();
    for order in all {
        let is_known = orders.iter().any(|known| rotations(known).any(|other| other == order));
        if !is_known {
            orders.push(order);
        }
    }
    let most = orders.iter().map(|order| n_rotations(order)).max();
    orders.retain(|order| Some(n_rotations(order)) == most);
    orders
}

fn permute(table: &mut Vec<usize>, fixed: usize, found: &mut Vec<Vec<usize>>) {
    if fixed == table.len() {
        found.push(table.clone());
    }
    for i in fixed..table.len() {
        table.swap(fixed, i);
        permute(table, fixed + 1, found);
        table.swap(fixed, i);
    }
}

fn rotations(order: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    (0..order.len()).map(|n| {
        let mut rotated = order.to_vec();
        rotated.rotate_right(n);
        rotated
    })
}

/// The number of distinct rotations.
fn n_rotations(order: &[usize]) -> usize {
    let same = rotations(order).skip(1).position(|other| other == order);
    same.map_or(order.len(), |turns| turns + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn schedule(seats: &[usize]) -> Schedule {
        Schedule::new(seats, "5".parse().unwrap()).unwrap()
    }

    fn seatings(schedule: &Schedule, n: u64) -> Vec<String> {
        let letters =
            |game: ScheduledGame| game.engines.iter().map(|&i| (b'A' + i as u8) as char).collect();
        (0..n).map(|number| letters(schedule.game(number))).collect()
    }

    #[test]
    fn seats_are_rotated() {
        let check = |seats: &[usize], expected: &str| {
            let expected: Vec<_> = expected.split(' ').collect();
            assert_eq!(seatings(&schedule(seats), expected.len() as u64), expected, "{seats:?}");
        };
        check(&[1, 1], "AB BA AB BA");
        check(&[2], "AA AA");
        check(&[1, 2], "ABB BAB BBA ABB");
        check(&[1, 1, 1], "ABC CAB BCA ACB BAC CBA ABC");
        check(&[1, 3], "ABBB BABB BBAB BBBA ABBB");
        check(&[2, 2], "AABB BAAB BBAA ABBA AABB");
    }

    /// Within a shuffle each engine has each seat equally often, no seating occurs twice, and the seed
    /// is the same.
    #[test]
    fn every_rotation_occurs_once_in_a_shuffle() {
        let tables: [&[usize]; 9] = [
            &[1, 1],
            &[1, 2],
            &[2, 1],
            &[1, 1, 1],
            &[1, 3],
            &[2, 2],
            &[3, 1],
            &[2, 1, 1],
            &[1, 1, 1, 1],
        ];
        for seats in tables {
            let schedule = schedule(seats);
            let n_seats: usize = seats.iter().sum();
            assert_eq!(schedule.group_size(), n_seats, "{seats:?}");
            for shuffle in 0..12 {
                let first = shuffle * n_seats as u64;
                let games: Vec<_> =
                    (first..first + n_seats as u64).map(|n| schedule.game(n)).collect();
                let different: BTreeSet<_> = games.iter().map(|game| &game.engines).collect();
                assert_eq!(different.len(), n_seats, "{seats:?}");
                assert!(games.iter().all(|game| game.seed == games[0].seed));
                assert!(games.iter().all(|game| game.shuffle == shuffle + 1));
                for (engine, &n) in seats.iter().enumerate() {
                    for seat in 0..n_seats {
                        let times = games.iter().filter(|game| game.engines[seat] == engine);
                        assert_eq!(times.count(), n, "{seats:?}: engine {engine} in seat {seat}");
                    }
                }
            }
        }
    }

    #[test]
    fn four_engines_sit_in_all_six_orders() {
        let schedule = schedule(&[1, 1, 1, 1]);
        let all: BTreeSet<_> = seatings(&schedule, 24).into_iter().collect();
        assert_eq!(all.len(), 24);
        assert_eq!(schedule.game(24).engines, schedule.game(0).engines);
        assert_ne!(schedule.game(24).seed, schedule.game(0).seed);
    }

    #[test]
    fn shuffles_are_numbered_and_complete() {
        let schedule = schedule(&[1, 1]);
        assert_eq!(schedule.game(23).seed.as_str(), "5-12");
        assert_eq!((schedule.game(23).shuffle, schedule.game(23).rotation), (12, 2));
        assert_eq!((schedule.whole_groups(7), schedule.whole_groups(8)), (8, 8));
        let long: Seed = "x".repeat(60).parse().unwrap();
        assert_eq!(Schedule::new(&[1, 1], long), Err(SeedError::TooLong));
    }
}
