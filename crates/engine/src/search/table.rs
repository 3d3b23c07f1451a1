//! The table of positions already searched, shared by all threads without a lock.
//!
//! An entry is two words: the position's hash combined with the data, and the data. Two threads
//! that write the same entry at once leave words that do not fit together, which reads as a miss.

use super::pack::PackedMove;
use crate::eval::Value;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Upper = 1,
    Lower = 2,
    Equal = 3,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) value: Value,
    pub(super) depth: u32,
    pub(super) bound: Bound,
    /// Whether the value rests on the whole rest of the round, so that no depth is too small.
    pub(super) exact: bool,
    pub(super) best: PackedMove,
}

/// Entries that share a cache line and compete for a place.
const BUCKET: usize = 4;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; BUCKET]);

/// The table.
pub(crate) struct Table {
    buckets: Vec<Bucket>,
    /// Counts searches; older entries are replaced first.
    generation: u16,
    /// Whether older entries are not even looked at.
    is_fresh: bool,
}

impl Table {
    /// A table of so many bytes, at least one bucket; smaller if there is not so much memory.
    pub(crate) fn new(bytes: usize) -> Table {
        let mut n_buckets = usize::max(1, bytes / size_of::<Bucket>());
        let mut buckets = Vec::new();
        while buckets.try_reserve_exact(n_buckets).is_err() && n_buckets > 1 {
            n_buckets /= 2;
        }
        buckets.resize_with(n_buckets, Bucket::default);
        Table { buckets, generation: 0, is_fresh: false }
    }

    /// Its size.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.buckets.as_slice())
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for bucket in &mut self.buckets {
            *bucket = Bucket::default();
        }
        self.generation = 0;
    }

    /// Begins another search; a fresh one as if the table were empty.
    pub(crate) fn next_generation(&mut self, is_fresh: bool) {
        if self.generation == u16::MAX {
            self.clear();
        }
        self.generation += 1;
        self.is_fresh = is_fresh;
    }

    /// What is stored for a hash.
    #[inline]
    fn get(&self, hash: u64) -> Option<Entry> {
        let bucket = self.bucket(hash);
        bucket.0.iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            let is_it = check.load(Ordering::Relaxed) ^ data == hash && data != 0;
            let counts = !self.is_fresh || self.age(data) == 0;
            (is_it && counts).then(|| unpack(data)).flatten()
        })
    }

    /// Stores what was found, in place of what is worth least.
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
            let worth = self.worth(data);
            if worth < worst.1 {
                worst = (slot, worth);
            }
        }
        let data = pack(entry, self.generation);
        worst.0[0].store(hash ^ data, Ordering::Relaxed);
        worst.0[1].store(data, Ordering::Relaxed);
    }

    /// Parts in a thousand that this search has filled.
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

    /// Deep results of this search are worth most.
    #[inline]
    fn worth(&self, data: u64) -> i32 {
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

/// What a thread looks up positions in: a small table of its own, which stays in the processor's cache,
/// and the one that all threads share. Most positions that come back come back soon, and waiting
/// for memory took a fifth of a search's time.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    pub(super) near: &'a Table,
    pub(super) far: &'a Table,
}

/// The size of the near table: half of a cache of the second level.
pub(super) const NEAR_BYTES: usize = 256 << 10;

/// What is searched less deeply is kept in the near table only.
const FAR_DEPTH: u32 = 6;

impl Tables<'_> {
    /// What is stored for a hash, if possible of a search that was at least so deep.
    #[inline]
    pub(super) fn get(self, hash: u64, depth: u32) -> Option<Entry> {
        let near = self.near.get(hash);
        if depth < FAR_DEPTH || near.is_some_and(|entry| entry.exact || entry.depth >= depth) {
            return near;
        }
        self.far.get(hash).or(near)
    }

    /// Stores what was found.
    #[inline]
    pub(super) fn put(self, hash: u64, entry: Entry) {
        self.near.put(hash, entry);
        if entry.depth >= FAR_DEPTH {
            self.far.put(hash, entry);
        }
    }
}

const DEPTH: u32 = 16;
const BOUND: u32 = 23;
const EXACT: u32 = 25;
const MOVE: u32 = 32;
const GENERATION: u32 = 48;

#[inline]
fn pack(entry: Entry, generation: u16) -> u64 {
    u64::from(entry.value as i16 as u16)
        | u64::from(entry.depth.min(127)) << DEPTH
        | (entry.bound as u64) << BOUND
        | u64::from(entry.exact) << EXACT
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
    Some(Entry {
        value: Value::from(data as u16 as i16),
        depth: (data >> DEPTH & 0x7f) as u32,
        bound,
        exact: data >> EXACT & 1 == 1,
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
        exact: true,
        best: PackedMove(0x7123),
    };

    #[test]
    fn entries_are_found_again() {
        let table = Table::new(1 << 20);
        assert_eq!(table.get(7), None);
        table.put(7, ENTRY);
        assert_eq!(table.get(7), Some(ENTRY));
        let other = Entry { value: 3, bound: Bound::Equal, exact: false, ..ENTRY };
        table.put(7, other);
        assert_eq!(table.get(7), Some(other));
        assert_eq!(table.get(8), None);
    }

    #[test]
    fn shallow_entries_make_room_for_deep_ones() {
        let table = Table::new(0);
        for hash in 1..=100 {
            table.put(hash, Entry { depth: hash as u32, ..ENTRY });
        }
        let found: Vec<u64> = (1..=100).filter(|&hash| table.get(hash).is_some()).collect();
        assert_eq!(found.len(), BUCKET);
        assert!(found.contains(&100), "{found:?}");
    }

    #[test]
    fn old_entries_go_first() {
        let mut table = Table::new(0);
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
    fn what_was_searched_deeply_is_found_far_away() {
        let (near, far) = (Table::new(0), Table::new(1 << 20));
        let tables = Tables { near: &near, far: &far };
        let entry = |depth| Entry { depth, exact: false, ..ENTRY };
        tables.put(1, entry(FAR_DEPTH + 1));
        tables.put(2, entry(FAR_DEPTH - 1));
        assert_eq!(tables.get(2, 3), Some(entry(FAR_DEPTH - 1)));
        // The near table has room for four.
        for hash in 3..20 {
            tables.put(hash << 50, entry(FAR_DEPTH + 2));
        }
        assert_eq!(tables.get(1, FAR_DEPTH), Some(entry(FAR_DEPTH + 1)));
        assert_eq!(tables.get(2, FAR_DEPTH), None);
        // A shallow result nearby does not hide a deep one.
        tables.put(1, entry(3));
        assert_eq!(tables.get(1, 3), Some(entry(3)));
        assert_eq!(tables.get(1, FAR_DEPTH), Some(entry(FAR_DEPTH + 1)));
    }

    #[test]
    fn a_fresh_search_sees_nothing_old() {
        let mut table = Table::new(0);
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
