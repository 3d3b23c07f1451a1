//! The lockless transposition table, shared by all threads, and a small one for each thread.
//!
//! An entry is two words: the hash XOR the data, and the data. Two threads that write the same entry
//! at once leave words that do not match, which reads as a miss.

use super::pack::PackedMove;
use crate::eval::{Certainty, Value};
use std::sync::atomic::{AtomicU64, Ordering};

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Upper = 1,
    Lower = 2,
    Equal = 3,
}

/// The result of an earlier search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) value: Value,
    pub(super) depth: u32,
    pub(super) bound: Bound,
    /// From [`Certainty::Drafted`] on any depth is enough.
    pub(super) certainty: Certainty,
    pub(super) best: PackedMove,
}

impl Entry {
    /// Whether the search was at least this deep or reached the end of the round.
    #[inline]
    pub(super) fn is_deep(&self, depth: u32) -> bool {
        self.certainty >= Certainty::Drafted || self.depth >= depth
    }
}

/// Entries of a bucket: they share a cache line.
const BUCKET: usize = 4;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; BUCKET]);

/// A hash table of positions already searched.
pub(crate) struct TranspositionTable {
    buckets: Vec<Bucket>,
    /// Counts searches; older entries are replaced first.
    generation: u16,
    /// Whether older entries are ignored.
    is_fresh: bool,
}

impl TranspositionTable {
    /// A table of at most `bytes`, at least one bucket; smaller if memory cannot be reserved.
    pub(crate) fn new(bytes: usize) -> TranspositionTable {
        let mut n_buckets = usize::max(1, bytes / size_of::<Bucket>());
        let mut buckets = Vec::new();
        while buckets.try_reserve_exact(n_buckets).is_err() && n_buckets > 1 {
            n_buckets /= 2;
        }
        buckets.resize_with(n_buckets, Bucket::default);
        TranspositionTable { buckets, generation: 0, is_fresh: false }
    }

    /// Its size in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.buckets.as_slice())
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        for bucket in &mut self.buckets {
            *bucket = Bucket::default();
        }
        self.generation = 0;
    }

    /// Starts another search; a fresh one ignores all older entries.
    pub(crate) fn next_generation(&mut self, is_fresh: bool) {
        if self.generation == u16::MAX {
            self.clear();
        }
        self.generation += 1;
        self.is_fresh = is_fresh;
    }

    #[inline]
    fn get(&self, hash: u64) -> Option<Entry> {
        let bucket = self.bucket(hash);
        bucket.0.iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            let matches = check.load(Ordering::Relaxed) ^ data == hash && data != 0;
            let counts = !self.is_fresh || self.age(data) == 0;
            (matches && counts).then(|| unpack(data)).flatten()
        })
    }

    /// Stores an entry in place of the same position or the least valuable one of the bucket.
    #[inline]
    fn put(&self, hash: u64, entry: Entry) {
        let bucket = self.bucket(hash);
        let mut worst = (&bucket.0[0], i32::MAX);
        for slot in &bucket.0 {
            let data = slot[1].load(Ordering::Relaxed);
            if slot[0].load(Ordering::Relaxed) ^ data == hash {
                worst = (slot, 0);
                break;
            }
            let value = self.replacement_value(data);
            if value < worst.1 {
                worst = (slot, value);
            }
        }
        let data = pack(entry, self.generation);
        worst.0[0].store(hash ^ data, Ordering::Relaxed);
        worst.0[1].store(data, Ordering::Relaxed);
    }

    /// The share of entries written by this search, in parts of a thousand.
    pub(crate) fn permille_full(&self) -> u32 {
        let sample = self.buckets.iter().take(250);
        let slots = sample.flat_map(|bucket| &bucket.0);
        let (mut n, mut used) = (0, 0);
        for slot in slots {
            let data = slot[1].load(Ordering::Relaxed);
            n += 1;
            used += u32::from(data != 0 && self.age(data) == 0);
        }
        used * 1000 / u32::max(n, 1)
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &Bucket {
        let index = (u128::from(hash) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Deep and recent entries are kept.
    #[inline]
    fn replacement_value(&self, data: u64) -> i32 {
        if data == 0 || self.is_fresh && self.age(data) > 0 {
            return -1;
        }
        let depth = (data >> DEPTH & 0x7f) as i32;
        depth - 4 * i32::from(self.age(data))
    }

    /// How many searches ago an entry was written.
    #[inline]
    fn age(&self, data: u64) -> u16 {
        self.generation.wrapping_sub((data >> GENERATION) as u16)
    }
}

/// The two levels that a thread probes: a small table of its own, which stays in the processor's cache,
/// and the one that all threads share. Most transpositions come soon after each other, and waiting
/// for memory took a fifth of the time of a search.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    pub(super) local: &'a TranspositionTable,
    pub(super) shared: &'a TranspositionTable,
}

/// The size of the local table: half of a typical second-level cache.
pub(super) const LOCAL_BYTES: usize = 256 << 10;

/// Shallower entries are kept in the local table only.
const SHARED_DEPTH: u32 = 6;

impl Tables<'_> {
    /// The entry of a hash, preferring one that was searched at least to `depth`.
    #[inline]
    pub(super) fn get(self, hash: u64, depth: u32) -> Option<Entry> {
        let local = self.local.get(hash);
        if depth < SHARED_DEPTH || local.is_some_and(|entry| entry.is_deep(depth)) {
            return local;
        }
        self.shared.get(hash).or(local)
    }

    /// Stores an entry.
    #[inline]
    pub(super) fn put(self, hash: u64, entry: Entry) {
        self.local.put(hash, entry);
        if entry.depth >= SHARED_DEPTH {
            self.shared.put(hash, entry);
        }
    }
}

const DEPTH: u32 = 16;
const BOUND: u32 = 23;
const CERTAINTY: u32 = 25;
const MOVE: u32 = 32;
const GENERATION: u32 = 48;

#[inline]
fn pack(entry: Entry, generation: u16) -> u64 {
    u64::from(entry.value as i16 as u16)
        | u64::from(entry.depth.min(127)) << DEPTH
        | (entry.bound as u64) << BOUND
        | (entry.certainty as u64) << CERTAINTY
        | u64::from(entry.best.0) << MOVE
        | u64::from(generation) << GENERATION
}

#[inline]
fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> BOUND & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Equal,
        _ => return None,
    };
    let certainty = match data >> CERTAINTY & 3 {
        0 => Certainty::Estimated,
        1 => Certainty::Drafted,
        2 => Certainty::Exact,
        _ => Certainty::Proved,
    };
    Some(Entry {
        value: Value::from(data as u16 as i16),
        depth: (data >> DEPTH & 0x7f) as u32,
        bound,
        certainty,
        best: PackedMove((data >> MOVE) as u16),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: Entry = Entry {
        value: -12_345,
        depth: 9,
        bound: Bound::Lower,
        certainty: Certainty::Exact,
        best: PackedMove(0x7123),
    };

    #[test]
    fn entries_are_found_again() {
        let table = TranspositionTable::new(1 << 20);
        assert_eq!(table.get(7), None);
        table.put(7, ENTRY);
        assert_eq!(table.get(7), Some(ENTRY));
        let other = Entry { value: 3, bound: Bound::Equal, certainty: Certainty::Proved, ..ENTRY };
        table.put(7, other);
        assert_eq!(table.get(7), Some(other));
        assert_eq!(table.get(8), None);
    }

    #[test]
    fn deep_entries_replace_shallow_ones() {
        let table = TranspositionTable::new(0);
        for hash in 1..=100 {
            table.put(hash, Entry { depth: hash as u32, ..ENTRY });
        }
        let found: Vec<u64> = (1..=100).filter(|&hash| table.get(hash).is_some()).collect();
        assert_eq!(found.len(), BUCKET);
        assert!(found.contains(&100), "{found:?}");
    }

    #[test]
    fn old_entries_are_replaced_first() {
        let mut table = TranspositionTable::new(0);
        table.put(1, Entry { depth: 20, ..ENTRY });
        for _ in 0..6 {
            table.next_generation(false);
        }
        for hash in 2..=5 {
            table.put(hash, Entry { depth: 1, ..ENTRY });
        }
        assert_eq!(table.get(1), None);
    }

    #[test]
    fn deep_entries_are_found_in_the_shared_table() {
        let (local, shared) = (TranspositionTable::new(0), TranspositionTable::new(1 << 20));
        let tables = Tables { local: &local, shared: &shared };
        let certainty = Certainty::Estimated;
        let entry = |depth| Entry { depth, certainty, ..ENTRY };
        tables.put(1, entry(SHARED_DEPTH + 1));
        tables.put(2, entry(SHARED_DEPTH - 1));
        assert_eq!(tables.get(2, 3), Some(entry(SHARED_DEPTH - 1)));
        // The local table has room for four.
        for hash in 3..20 {
            tables.put(hash << 50, entry(SHARED_DEPTH + 2));
        }
        assert_eq!(tables.get(1, SHARED_DEPTH), Some(entry(SHARED_DEPTH + 1)));
        assert_eq!(tables.get(2, SHARED_DEPTH), None);
        // A shallow local entry does not hide a deep shared one.
        tables.put(1, entry(3));
        assert_eq!(tables.get(1, 3), Some(entry(3)));
        assert_eq!(tables.get(1, SHARED_DEPTH), Some(entry(SHARED_DEPTH + 1)));
    }

    #[test]
    fn fresh_search_ignores_old_entries() {
        let mut table = TranspositionTable::new(0);
        table.put(1, ENTRY);
        table.next_generation(true);
        assert_eq!(table.get(1), None);
        table.next_generation(false);
        assert_eq!(table.get(1), Some(ENTRY));
        for _ in 0..=u16::MAX {
            table.next_generation(false);
        }
        assert_eq!(table.get(1), None);
    }
}
