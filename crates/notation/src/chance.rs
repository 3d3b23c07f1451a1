//! Reproducible random numbers: ChaCha8 keyed by the hash of a seed, the same on every machine and in
//! every version. The shuffle and the bounded draw are our own, because those of libraries may change.

use crate::seed::Seed;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// A ChaCha8 generator whose key is the SHA-256 hash of a seed.
///
/// ```
/// use azulejo_notation::{Chance, Seed};
///
/// let seed: Seed = "5".parse()?;
/// let draw = |mut chance: Chance| [chance.below(6), chance.below(6), chance.below(6)];
/// assert_eq!(draw(Chance::new(&seed)), draw(Chance::new(&seed)));
/// # Ok::<(), azulejo_notation::SeedError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chance(ChaCha8Rng);

impl Chance {
    /// The numbers of a seed, from their beginning.
    #[must_use]
    pub fn new(seed: &Seed) -> Chance {
        let key: [u8; 32] = Sha256::digest(seed.as_str()).into();
        Chance(ChaCha8Rng::from_seed(key))
    }

    /// A number from 0 to `n - 1`, each equally likely.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "there is no number below 0");
        let n_numbers = 1_u64 << 32;
        // The numbers above would make some results likelier than others.
        let limit = n_numbers - n_numbers % u64::from(n);
        loop {
            let number = self.0.next_u32();
            if u64::from(number) < limit {
                return number % n;
            }
        }
    }

    /// Puts items into a random order, each equally likely.
    ///
    /// # Panics
    /// If there are 2³² items or more.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let n = u32::try_from(last + 1).expect("fewer than 2³² items");
            items.swap(last, self.below(n) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers come from a ChaCha8 written anew in another language.
    #[test]
    fn the_numbers_of_a_seed_never_change() {
        let mut chance = Chance::new(&"5".parse().unwrap());
        let numbers: Vec<u32> = (0..20).map(|_| chance.0.next_u32()).collect();
        let expected = [
            2_449_596_081,
            1_298_701_233,
            3_657_228_177,
            1_697_655_169,
            129_352_958,
            446_705_749,
            260_876_358,
            1_421_174_046,
            373_484_126,
            3_751_378_210,
            4_163_374_109,
            1_932_140_768,
            193_902_765,
            1_023_898_353,
            3_095_993_975,
            3_807_413_757,
            561_539_621,
            1_663_721_912,
            3_957_254_406,
            3_700_374_193,
        ];
        assert_eq!(numbers, expected);
    }

    #[test]
    fn numbers_past_the_last_multiple_are_skipped() {
        let mut chance = Chance::new(&"5".parse().unwrap());
        let numbers = [(); 4].map(|()| chance.below(3_000_000_000));
        assert_eq!(numbers, [2_449_596_081, 1_298_701_233, 1_697_655_169, 129_352_958]);
        assert_eq!(chance.below(1), 0);
    }

    #[test]
    fn a_shuffle_keeps_everything() {
        let mut chance = Chance::new(&"shuffle".parse().unwrap());
        let mut items: Vec<u32> = (0..100).collect();
        chance.shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
        chance.shuffle::<u32>(&mut []);
    }
}
