//! Choices made from the bytes of the fuzzer.

use arbitrary::Unstructured;

/// A source of choices that follows the bytes of an input and gives zeros after their end.
pub(super) struct Bytes<'a>(Unstructured<'a>);

impl<'a> Bytes<'a> {
    /// Choices from these bytes.
    pub(super) fn new(data: &'a [u8]) -> Bytes<'a> {
        Bytes(Unstructured::new(data))
    }

    /// Whether all bytes are used up.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A number from 0 to `n - 1`.
    pub(super) fn below(&mut self, n: u32) -> u32 {
        self.0.int_in_range(0..=n - 1).unwrap_or_default()
    }

    /// One of these.
    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    /// Any byte.
    pub(super) fn byte(&mut self) -> u8 {
        self.below(256) as u8
    }

    /// Yes or no.
    pub(super) fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    /// A long row of numbers out of two bytes: whole games fit into small inputs that way.
    pub(super) fn stream(&mut self) -> impl FnMut(u32) -> u32 + use<> {
        let mut state = u64::from(self.below(1 << 16)).wrapping_add(0x9e37_79b9_7f4a_7c15);
        move |n| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (((state >> 32) * u64::from(n)) >> 32) as u32
        }
    }
}
