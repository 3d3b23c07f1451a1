//! Compression with DEFLATE (RFC 1951), made for texts of a few KiB: greedy LZ77 with one candidate for
//! each match, and one block with Huffman codes of its own.
//!
//! Compressors for files clear several hundred KiB of tables before the first byte, which takes longer
//! than compressing a message and evicts everything else from the processor's cache. Here the table has
//! 8 KiB and is on the stack.

/// A text is compressed in parts of this length, each by itself. Distances within a part need no check:
/// DEFLATE allows 32 KiB.
const PART_LEN: usize = 32 * 1024;

/// The shortest repetition that is worth a reference; DEFLATE allows 3.
const MIN_MATCH: usize = 4;
const MAX_MATCH: usize = 258;

/// Slots for the last positions of four bytes.
const HASH_BITS: u32 = 12;

/// The literals and lengths, and the distances.
const N_LITERALS: usize = 286;
const N_DISTANCES: usize = 30;
const END_OF_BLOCK: usize = 256;

/// The longest code of a literal, length or distance, and of a code length.
const MAX_CODE_LEN: u8 = 15;
const MAX_LEN_CODE_LEN: u8 = 7;

/// The order in which the code lengths of code lengths are written.
const LEN_CODE_ORDER: [usize; 19] =
    [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// The bytes compressed.
pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut bits = Bits { out: Vec::with_capacity(bytes.len() / 4), buffer: 0, n_bits: 0 };
    let last = bytes.len().saturating_sub(1) / PART_LEN;
    for n in 0..=last {
        let part = &bytes[n * PART_LEN..bytes.len().min((n + 1) * PART_LEN)];
        write_block(part, n == last, &mut bits);
    }
    bits.finish()
}

/// A byte, or a repetition.
#[derive(Clone, Copy)]
enum Token {
    Literal(u8),
    Match { len: u16, distance: u16 },
}

/// Replaces repetitions by references to the last place with the same four bytes.
fn tokens(part: &[u8]) -> Vec<Token> {
    let mut last_places = [0_u16; 1 << HASH_BITS];
    let mut tokens = Vec::with_capacity(part.len() / 3);
    let mut at = 0;
    while let Some(word) = word(part, at) {
        let slot = (word.wrapping_mul(0x9e37_79b1) >> (u32::BITS - HASH_BITS)) as usize;
        // A slot that was never used points to the first byte, which is compared as any other.
        let place = usize::from(std::mem::replace(&mut last_places[slot], at as u16));
        if place < at && self::word(part, place) == Some(word) {
            let rest = part[at..].iter().zip(&part[place..]).take(MAX_MATCH);
            let len = rest.take_while(|(a, b)| a == b).count();
            tokens.push(Token::Match { len: len as u16, distance: (at - place) as u16 });
            at += len;
        } else {
            tokens.push(Token::Literal(part[at]));
            at += 1;
        }
    }
    tokens.extend(part[at..].iter().map(|&byte| Token::Literal(byte)));
    tokens
}

/// The four bytes at a place, if there are as many.
fn word(part: &[u8], at: usize) -> Option<u32> {
    part.get(at..at + MIN_MATCH)?.try_into().ok().map(u32::from_le_bytes)
}

/// A length or distance as DEFLATE writes it: a symbol, and bits that tell the numbers of a symbol
/// apart. Every 2^`k` symbols there is one more such bit.
fn split(number: u32, k: u32) -> (usize, u32, u32) {
    let n_extra = number.checked_ilog2().unwrap_or(0).max(k) - k;
    (((n_extra << k) + (number >> n_extra)) as usize, number & ((1 << n_extra) - 1), n_extra)
}

fn split_len(len: u16) -> (usize, u32, u32) {
    if usize::from(len) == MAX_MATCH {
        return (N_LITERALS - 1, 0, 0);
    }
    let (symbol, extra, n_extra) = split(u32::from(len) - 3, 2);
    (END_OF_BLOCK + 1 + symbol, extra, n_extra)
}

fn split_distance(distance: u16) -> (usize, u32, u32) {
    split(u32::from(distance) - 1, 1)
}

fn write_block(part: &[u8], is_last: bool, bits: &mut Bits) {
    let tokens = tokens(part);
    let (mut literal_counts, mut distance_counts) = ([0; N_LITERALS], [0; N_DISTANCES]);
    literal_counts[END_OF_BLOCK] = 1;
    for &token in &tokens {
        match token {
            Token::Literal(byte) => literal_counts[usize::from(byte)] += 1,
            Token::Match { len, distance } => {
                literal_counts[split_len(len).0] += 1;
                distance_counts[split_distance(distance).0] += 1;
            }
        }
    }
    let literals = Codes::new(literal_counts, MAX_CODE_LEN);
    let distances = Codes::new(distance_counts, MAX_CODE_LEN);
    bits.put(u32::from(is_last), 1);
    // The block has codes of its own.
    bits.put(2, 2);
    write_codes(&literals, &distances, bits);
    for &token in &tokens {
        match token {
            Token::Literal(byte) => literals.write(usize::from(byte), bits),
            Token::Match { len, distance } => {
                let (symbol, extra, n_extra) = split_len(len);
                literals.write(symbol, bits);
                bits.put(extra, n_extra);
                let (symbol, extra, n_extra) = split_distance(distance);
                distances.write(symbol, bits);
                bits.put(extra, n_extra);
            }
        }
    }
    literals.write(END_OF_BLOCK, bits);
}

/// Writes the lengths of all codes, which determine the codes: runs of them, in a code of their own.
fn write_codes(literals: &Codes<N_LITERALS>, distances: &Codes<N_DISTANCES>, bits: &mut Bits) {
    let mut lens = [0; N_LITERALS + N_DISTANCES];
    lens[..N_LITERALS].copy_from_slice(&literals.lens);
    lens[N_LITERALS..].copy_from_slice(&distances.lens);
    // A symbol, and for a run the number of its further bits and their value.
    let mut runs: Vec<(usize, u32, u32)> = Vec::with_capacity(lens.len());
    for equal in lens.chunk_by(|a, b| a == b) {
        let len = usize::from(equal[0]);
        let mut n = equal.len();
        while n > 0 {
            let (symbol, base, n_extra, n_run) = match (len, n) {
                (0, 11..) => (18, 11, 7, n.min(138)),
                (0, 3..) => (17, 3, 3, n),
                (1.., 4..) if n == equal.len() => (len, 1, 0, 1),
                (1.., 3..) if n < equal.len() => (16, 3, 2, n.min(6)),
                _ => (len, 1, 0, 1),
            };
            runs.push((symbol, (n_run - base) as u32, n_extra));
            n -= n_run;
        }
    }
    let mut counts = [0; LEN_CODE_ORDER.len()];
    for &(symbol, ..) in &runs {
        counts[symbol] += 1;
    }
    let codes = Codes::new(counts, MAX_LEN_CODE_LEN);
    bits.put((N_LITERALS - 257) as u32, 5);
    bits.put((N_DISTANCES - 1) as u32, 5);
    bits.put((LEN_CODE_ORDER.len() - 4) as u32, 4);
    for symbol in LEN_CODE_ORDER {
        bits.put(u32::from(codes.lens[symbol]), 3);
    }
    for (symbol, extra, n_extra) in runs {
        codes.write(symbol, bits);
        bits.put(extra, n_extra);
    }
}

/// A canonical Huffman code.
struct Codes<const N: usize> {
    /// 0 for symbols that do not occur.
    lens: [u8; N],
    /// The first bit is the lowest.
    codes: [u16; N],
}

impl<const N: usize> Codes<N> {
    /// The best code for symbols with these counts, of which none is longer than `max_len`.
    fn new(mut counts: [u32; N], max_len: u8) -> Codes<N> {
        // A code of one symbol is incomplete, and some decoders refuse it.
        if counts.iter().filter(|&&count| count > 0).count() < 2 {
            counts[0] += 1;
            counts[1] += 1;
        }
        let mut lens = code_lens(&counts);
        while lens.iter().any(|&len| len > max_len) {
            // Flatter counts make shorter codes. When all are 1, the code is as short as it can be.
            for count in &mut counts {
                *count = count.div_ceil(2);
            }
            lens = code_lens(&counts);
        }
        let mut n_of_len = [0_u16; MAX_CODE_LEN as usize + 1];
        for &len in lens.iter().filter(|&&len| len > 0) {
            n_of_len[usize::from(len)] += 1;
        }
        let mut next_code = [0_u16; MAX_CODE_LEN as usize + 2];
        for (len, n) in n_of_len.into_iter().enumerate() {
            next_code[len + 1] = (next_code[len] + n) << 1;
        }
        let mut codes = [0; N];
        for (code, &len) in codes.iter_mut().zip(&lens).filter(|(_, len)| **len > 0) {
            let next = &mut next_code[usize::from(len)];
            *code = next.reverse_bits() >> (u16::BITS - u32::from(len));
            *next += 1;
        }
        Codes { lens, codes }
    }

    fn write(&self, symbol: usize, bits: &mut Bits) {
        bits.put(u32::from(self.codes[symbol]), u32::from(self.lens[symbol]));
    }
}

/// The code lengths of a Huffman tree: the two rarest nodes get a parent until one is left. Parents are
/// made in the order of their counts, so that two sorted queues are enough.
fn code_lens<const N: usize>(counts: &[u32; N]) -> [u8; N] {
    let mut leaves: Vec<(u32, usize)> = Vec::with_capacity(N);
    leaves.extend((0..N).filter(|&symbol| counts[symbol] > 0).map(|s| (counts[s], s)));
    leaves.sort_unstable();
    let n_leaves = leaves.len();
    // The leaves, then their parents; the last is the root.
    let mut nodes: Vec<u32> = Vec::with_capacity(2 * n_leaves);
    nodes.extend(leaves.iter().map(|(count, _)| count));
    let mut parents = vec![0; 2 * n_leaves];
    let (mut leaf, mut inner) = (0, n_leaves);
    while nodes.len() < 2 * n_leaves - 1 {
        let mut count = 0;
        for _ in 0..2 {
            let is_leaf = leaf < n_leaves && nodes.get(inner).is_none_or(|&n| nodes[leaf] <= n);
            let rarest = if is_leaf { &mut leaf } else { &mut inner };
            count += nodes[*rarest];
            parents[*rarest] = nodes.len();
            *rarest += 1;
        }
        nodes.push(count);
    }
    let mut depths = vec![0; nodes.len()];
    for node in (0..nodes.len() - 1).rev() {
        depths[node] = depths[parents[node]] + 1;
    }
    let mut lens = [0; N];
    for ((_, symbol), depth) in leaves.into_iter().zip(depths) {
        lens[symbol] = depth;
    }
    lens
}

/// Bits to bytes, the lowest bit first.
struct Bits {
    out: Vec<u8>,
    buffer: u64,
    n_bits: u32,
}

impl Bits {
    /// Writes up to 16 bits.
    fn put(&mut self, bits: u32, n: u32) {
        self.buffer |= u64::from(bits) << self.n_bits;
        self.n_bits += n;
        if self.n_bits >= 32 {
            self.out.extend_from_slice(&(self.buffer as u32).to_le_bytes());
            self.buffer >>= 32;
            self.n_bits -= 32;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        let n_bytes = self.n_bits.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.buffer.to_le_bytes()[..n_bytes]);
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_testkit::Rng;
    use miniz_oxide::inflate::decompress_to_vec;

    /// Another implementation inflates texts of all lengths and alphabets to themselves.
    #[test]
    fn texts_inflate_to_themselves() {
        let mut rng = Rng::new(1);
        let lens = (0..600).chain([MAX_MATCH * 9, PART_LEN - 1, PART_LEN, PART_LEN + 1, 150_000]);
        for (n, len) in lens.enumerate() {
            let alphabet = [1, 2, 5, 30, 256][n % 5];
            let mut text: Vec<u8> = (0..len).map(|_| rng.index(alphabet) as u8).collect();
            // Repetitions of all lengths and distances.
            for _ in 0..len / 20 {
                let (from, to) = (rng.index(len), rng.index(len));
                let n = rng.index(2 * MAX_MATCH).min(len - from.max(to));
                text.copy_within(from..from + n, to);
            }
            assert_eq!(decompress_to_vec(&deflate(&text)).unwrap(), text, "{len} of {alphabet}");
        }
    }

    /// Counts that grow like Fibonacci numbers make the deepest trees.
    #[test]
    fn no_code_is_too_long() {
        let (mut text, mut n, mut next) = (Vec::new(), 1, 1);
        for letter in b'a'..=b'w' {
            text.extend(std::iter::repeat_n(letter, n));
            (n, next) = (next, n + next);
        }
        let mut counts = [0; N_LITERALS];
        for &letter in &text {
            counts[usize::from(letter)] += 1;
        }
        assert!(code_lens(&counts).into_iter().max() > Some(MAX_CODE_LEN), "the tree is deep");
        let codes = Codes::new(counts, MAX_CODE_LEN);
        assert!(codes.lens.into_iter().max() <= Some(MAX_CODE_LEN));
        // Kraft's equality: every sequence of bits means something.
        let lens = codes.lens.iter().filter(|&&len| len > 0);
        assert_eq!(lens.map(|&len| 1 << (MAX_CODE_LEN - len)).sum::<u32>(), 1 << MAX_CODE_LEN);
    }
}
