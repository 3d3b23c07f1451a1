//! A game as a record: all moves that were not taken back, with names and tags. The record holds the
//! seed only when the game is over.

use crate::state::{Game, Holder, SeatState, Status};
use azulejo_notation::{Record, Seed, utc_date};
use azulejo_rules::{Phase, Seat};
use sha2::{Digest, Sha256};

/// The commitment to the deals that is published before the first one: the SHA-256 hash of
/// `azulejo seed ` and the seed, in hexadecimal digits. It is not the hash of the seed alone, which is
/// the key of the dealer's generator.
#[must_use]
pub fn seed_hash(seed: &Seed) -> String {
    let digest = Sha256::digest(format!("azulejo seed {seed}"));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A name for a record by which its reviews are kept, of 32 hexadecimal digits: two texts of the same record
/// have the same.
#[must_use]
pub fn record_key(record: &Record) -> String {
    let digest = Sha256::digest(record.to_string());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

impl Game {
    /// The seed, for checks of the database. Nothing that clients receive may contain it before the
    /// game is over; see [`public_seed`](Game::public_seed).
    #[must_use]
    pub fn seed(&self) -> &Seed {
        &self.seed
    }

    /// The seed, once the game is over.
    #[must_use]
    pub fn public_seed(&self) -> Option<&Seed> {
        (self.status() == Status::Over).then_some(&self.seed)
    }

    /// The record of the game so far.
    #[must_use]
    pub fn record(&self) -> Record {
        let rules = *self.position.rules();
        let (start, mut dealer) = crate::apply::start(&self.settings, &self.seed, rules)
            .expect("the game was made from these settings");
        let mut record = match self.settings.position {
            Some(_) => Record::from_position(start),
            None => {
                Record::new(rules, start.starter()).expect("the dealer names a seat of the game")
            }
        };
        for (seat, state) in Seat::ALL.into_iter().zip(&self.seats) {
            if let Some(name) = state.name().filter(|_| !matches!(state.holder, Holder::Vacant)) {
                // The host checks names before it accepts them.
                let _ = record.set_name(seat, &name);
            }
        }
        let tags = [
            ("Date", utc_date(self.created_ms)),
            ("Game", self.id.to_string()),
            ("SeedHash", self.settings.seed_hash.clone()),
        ];
        for (name, value) in tags {
            let _ = record.set_tag(name, &value);
        }
        if let Some(result) = self.result() {
            let _ = record.set_tag("EndedBy", result.ended_by.name());
            let ranks: Vec<String> = result.ranks.iter().map(u8::to_string).collect();
            if !ranks.is_empty() {
                let _ = record.set_tag("Ranks", &ranks.join("-"));
            }
        }
        record.set_seed(self.public_seed().cloned());
        // A game that was aborted while it waited for players was never dealt.
        if self.seats.iter().any(SeatState::is_vacant) {
            return record;
        }
        let mut moves = self.plies.iter().map(|ply| ply.m);
        loop {
            if record.final_position().phase() == Phase::Deal {
                let deal = dealer.deal(record.final_position());
                let deal = deal.expect("a deal is due, and the dealer knows the bag");
                record.deal(&deal).expect("the dealer's deals are possible");
            }
            let Some(m) = moves.next() else { break };
            record.play(m).expect("the moves of a game are legal");
        }
        record
    }
}
