//! SplitMix64, the random number generator of self-play and training. It never changes, so a seed gives
//! the same games and the same network in every version.

/// A random number generator.
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    /// The generator of a seed.
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// One of many independent streams of a seed.
    pub(crate) fn stream(seed: u64, number: u64) -> Rng {
        // Two rounds of mixing keep neighboring seeds and neighboring streams apart.
        let mut rng = Rng::new(Rng::new(seed).bits() ^ number);
        Rng(rng.bits())
    }

    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`: the high half of a product, biased by less than 2⁻³² `n`.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// A number from 0 up to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number between `-limit` and `limit`.
    pub(crate) fn within(&mut self, limit: f32) -> f32 {
        ((self.unit() * 2.0 - 1.0) * f64::from(limit)) as f32
    }

    /// True with this probability.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Puts items into a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the published algorithm for seed 1234567.
    #[test]
    fn numbers_of_a_seed_never_change() {
        let mut rng = Rng::new(1_234_567);
        let numbers = [(); 3].map(|()| rng.bits());
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn streams_differ() {
        let mut firsts: Vec<u64> = (0..10)
            .flat_map(|seed| (0..100).map(move |number| Rng::stream(seed, number).bits()))
            .collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 1000);
    }

    #[test]
    fn numbers_stay_in_their_range() {
        let mut rng = Rng::new(7);
        for _ in 0..1000 {
            assert!(rng.below(6) < 6);
            assert!((0.0..1.0).contains(&rng.unit()));
            assert!(rng.within(0.5).abs() <= 0.5);
        }
        let mut items: Vec<u32> = (0..50).collect();
        rng.shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..50));
    }
}
