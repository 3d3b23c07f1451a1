//! The learned evaluation: a quantized network with one sparse layer (an NNUE-style accumulator of one
//! row of weights per active feature), thirty clipped-ReLU units, and two outputs: the expected final
//! difference and the log odds of a win.
//!
//! All weights and sums are integers, so every machine computes the same value. The first two lanes
//! of a row skip the hidden layer and go straight to the outputs: a linear evaluation that the
//! hidden units refine.

use super::features::{Feature, N_FEATURES};
use azulejo_rules::{Rules, WallKind};
use std::io::{self, Read, Write};
use std::sync::{Arc, LazyLock};
use wide::{i16x8, i32x4};

/// Lanes in a row: thirty hidden units and the two linear outputs. 64 bytes, one cache line.
pub const LANES: usize = 32;
/// The linear lane of the difference.
pub const DIFFERENCE_LANE: usize = 0;
/// The linear lane of the log odds of a win.
pub const WIN_LANE: usize = 1;
/// The first hidden lane.
pub const FIRST_HIDDEN: usize = 2;

/// One point of difference, in quantized units.
pub const POINT: i32 = 64;
/// One unit of log odds, in quantized units.
pub const LOG_ODDS: i32 = 1024;
/// A factor of one for the log odds ([`Correction::win_scale`]).
pub const WIN_SCALE: i32 = 1000;
/// The upper bound of the clipped ReLU: the activation of a saturated hidden unit.
pub const CLIP: i32 = 512;

/// The magic bytes of the file; the last one is the version of the format.
const MAGIC: &[u8; 8] = b"AZNET\0\0\x05";

/// One weight, or one sum of weights, per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Lanes(pub [i16; LANES]);

impl Lanes {
    /// All zero.
    pub const ZERO: Lanes = Lanes([0; LANES]);

    #[inline]
    fn eighths(&self) -> [i16x8; 4] {
        // Each slice has eight lanes; this compiles to four loads.
        std::array::from_fn(|i| i16x8::from(&self.0[8 * i..8 * i + 8]))
    }
}

/// The accumulator: a running sum of rows in vector registers.
#[derive(Clone, Copy, Debug)]
pub struct Accumulator([i16x8; 4]);

impl Accumulator {
    /// An accumulator that starts with a row, usually the bias.
    #[inline]
    #[must_use]
    pub fn new(lanes: &Lanes) -> Accumulator {
        Accumulator(lanes.eighths())
    }

    /// Adds a row, lane by lane.
    #[inline]
    pub fn add(&mut self, row: &Lanes) {
        for (sum, row) in self.0.iter_mut().zip(row.eighths()) {
            *sum += row;
        }
    }

    /// The sum as a row.
    #[inline]
    #[must_use]
    pub fn lanes(self) -> Lanes {
        let mut lanes = Lanes::ZERO;
        for (eight, sum) in lanes.0.as_chunks_mut().0.iter_mut().zip(self.0) {
            *eight = sum.to_array();
        }
        lanes
    }

    /// The two linear lanes.
    #[inline]
    fn linear(&self) -> (i32, i32) {
        let first = self.0[0].as_array();
        (i32::from(first[DIFFERENCE_LANE]), i32::from(first[WIN_LANE]))
    }

    /// The dot product of the clipped hidden lanes and their weights.
    #[inline]
    fn dot(&self, weights: &Lanes) -> i32 {
        let (off, on) = (i16x8::splat(0), i16x8::splat(CLIP as i16));
        let weights = weights.eighths();
        let mut sum = i32x4::splat(0);
        for (lanes, weights) in self.0.iter().zip(weights) {
            sum += lanes.max(off).min(on).dot(weights);
        }
        sum.reduce_add()
    }
}

/// The outputs of the network for a seat, quantized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Final score minus the best other's, in units of [`POINT`].
    pub difference: i32,
    /// The log odds of a win, in units of [`LOG_ODDS`].
    pub log_odds: i32,
}

/// The weights of one section: for one kind of game, or for several alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    rows: Vec<Lanes>,
    bias: Lanes,
    /// Output weights of the difference; the first two lanes are not used.
    difference: Lanes,
    /// Output weights of the log odds, likewise.
    win: Lanes,
}

impl Layers {
    /// Layers from their weights; `None` unless `rows` has one row for each feature.
    #[must_use]
    pub fn new(rows: Vec<Lanes>, bias: Lanes, difference: Lanes, win: Lanes) -> Option<Layers> {
        (rows.len() == N_FEATURES).then_some(Layers { rows, bias, difference, win })
    }

    /// The row of a feature.
    #[inline]
    #[must_use]
    pub fn row(&self, feature: Feature) -> &Lanes {
        &self.rows[usize::from(feature)]
    }

    /// The bias that every accumulator starts with.
    #[must_use]
    pub fn bias(&self) -> &Lanes {
        &self.bias
    }

    /// The forward pass from the accumulator to the outputs. The lead is known and added to the
    /// difference.
    #[inline]
    #[must_use]
    pub fn forward(&self, sum: &Accumulator, lead: i32) -> Estimate {
        let (difference, log_odds) = sum.linear();
        // The output weights of the two linear lanes are zero.
        let difference = lead * POINT + difference + sum.dot(&self.difference) / CLIP;
        Estimate { difference, log_odds: log_odds + sum.dot(&self.win) / CLIP }
    }
}

/// The weights of the evaluation: sections, and the one that each of the twelve kinds of game uses.
///
/// ```
/// use azulejo_engine::network::Network;
/// use azulejo_engine::{Engine, Options};
///
/// // A network reads back as it was written.
/// let mut bytes = Vec::new();
/// Network::built_in().write(&mut bytes)?;
/// let network = Network::read(bytes.as_slice())?;
/// assert_eq!(network, *Network::built_in());
///
/// let mut engine = Engine::new(Options::default());
/// engine.set_network(network.into());
/// # Ok::<(), azulejo_engine::network::NetworkError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// In the order of the first kinds of game that use them.
    sections: Vec<Arc<Layers>>,
    kinds: [Kind; KINDS],
}

/// Kinds of game: two, three or four players, a colored or a grey wall, with or without jokers.
const KINDS: usize = 12;

/// What belongs to one kind of game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    /// The index of its section.
    section: u16,
    correction: Correction,
}

/// How the outputs of a section are corrected in one kind of game, so that they agree with results on average.
/// Calibration finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The factor of the log odds around those of a fair share, in units of [`WIN_SCALE`].
    pub win_scale: u16,
    /// What is added to the expected difference in each round, in units of [`POINT`]; the last one is for all
    /// later rounds. All zero with two players, where the difference of one seat is minus that of the other.
    pub differences: [i16; Correction::ROUNDS],
}

impl Correction {
    /// Rounds with a correction of their own.
    pub const ROUNDS: usize = 6;
    /// Leaves the outputs as they are.
    pub const NONE: Correction =
        Correction { win_scale: WIN_SCALE as u16, differences: [0; Correction::ROUNDS] };

    /// The index in [`differences`](Correction::differences) of a round, from 1.
    #[must_use]
    pub fn index(round: u16) -> usize {
        usize::from(round).clamp(1, Correction::ROUNDS) - 1
    }

    fn numbers(&self) -> [u16; 1 + Correction::ROUNDS] {
        std::array::from_fn(|i| match i {
            0 => self.win_scale,
            _ => self.differences[i - 1].cast_unsigned(),
        })
    }

    fn of_numbers(numbers: &[u16; 1 + Correction::ROUNDS]) -> Correction {
        let [win_scale, differences @ ..] = *numbers;
        Correction { win_scale, differences: differences.map(u16::cast_signed) }
    }
}

/// The index of a kind of game.
fn kind_index(rules: &Rules) -> usize {
    let is_grey = rules.wall == WallKind::Grey;
    4 * (rules.players().count() - 2) + 2 * usize::from(is_grey) + usize::from(rules.jokers)
}

/// Why a network cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// Reading failed.
    #[error("cannot read the network: {0}")]
    Io(#[from] io::Error),
    /// The file does not start with the magic bytes, or its format has another version.
    #[error("not a network of this version")]
    Magic,
    /// The network was trained for other features.
    #[error("the network has {found} features, this program has {N_FEATURES}")]
    Features {
        /// The number of features in the file.
        found: u32,
    },
    /// The length or the checksum is wrong.
    #[error("the network is damaged: its checksum is wrong")]
    Damaged,
}

impl Network {
    /// A network of zeros, which expects the game to end with the current lead.
    #[must_use]
    pub fn blank() -> Network {
        let rows = vec![Lanes::ZERO; N_FEATURES];
        let layers = Layers { rows, bias: Lanes::ZERO, difference: Lanes::ZERO, win: Lanes::ZERO };
        let kind = Kind { section: 0, correction: Correction::NONE };
        Network { sections: vec![Arc::new(layers)], kinds: [kind; KINDS] }
    }

    /// The section for a kind of game.
    #[must_use]
    pub fn section(&self, rules: &Rules) -> &Arc<Layers> {
        &self.sections[usize::from(self.kinds[kind_index(rules)].section)]
    }

    /// Sets the section of some kinds of game. Sections that no kind uses are dropped.
    pub fn set_section(&mut self, kinds: &[Rules], layers: Arc<Layers>) {
        self.sections.push(layers);
        for rules in kinds {
            self.kinds[kind_index(rules)].section = self.sections.len() as u16 - 1;
        }
        let mut used: Vec<u16> = Vec::new();
        for kind in &mut self.kinds {
            let place = used.iter().position(|&section| section == kind.section);
            kind.section = place.unwrap_or_else(|| {
                used.push(kind.section);
                used.len() - 1
            }) as u16;
        }
        self.sections =
            used.iter().map(|&section| Arc::clone(&self.sections[usize::from(section)])).collect();
    }

    /// The correction of the outputs in a kind of game.
    #[must_use]
    pub fn correction(&self, rules: &Rules) -> Correction {
        self.kinds[kind_index(rules)].correction
    }

    /// Sets the correction of the outputs in a kind of game.
    pub fn set_correction(&mut self, rules: &Rules, correction: Correction) {
        self.kinds[kind_index(rules)].correction = correction;
    }

    /// The network that comes with the crate.
    ///
    /// # Panics
    /// If `network/azulejo.net` does not fit the features that the crate was compiled with. A test
    /// reads it, so this happens only to someone who changes the features: train and install a new
    /// network first (crates/train/README.md); self-play with `--classic` does not need one.
    #[must_use]
    pub fn built_in() -> Arc<Network> {
        static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let bytes: &[u8] = include_bytes!("../../network/azulejo.net");
            match Network::read(bytes) {
                Ok(network) => Arc::new(network),
                Err(error) => panic!("the built-in network azulejo.net is unusable: {error}"),
            }
        });
        Arc::clone(&NETWORK)
    }

    /// Reads a network: magic, number of features, number of sections, kinds of game, all sections,
    /// and a checksum.
    ///
    /// # Errors
    /// If reading fails, or if the bytes are not a complete network for these features.
    pub fn read(from: impl Read) -> Result<Network, NetworkError> {
        let mut bytes = Vec::new();
        // One byte more than the largest network has, to notice a file that is too long.
        from.take(size(KINDS) as u64 + 1).read_to_end(&mut bytes)?;
        let magic = bytes.get(..MAGIC.len()).ok_or(NetworkError::Magic)?;
        if magic != MAGIC {
            return Err(NetworkError::Magic);
        }
        let number = |place: usize| {
            let bytes = bytes.get(place..place + 4).and_then(|bytes| bytes.try_into().ok());
            bytes.map(u32::from_le_bytes).ok_or(NetworkError::Damaged)
        };
        let (found, n_sections) = (number(8)?, number(12)? as usize);
        if found as usize != N_FEATURES {
            return Err(NetworkError::Features { found });
        }
        if !(1..=KINDS).contains(&n_sections) || bytes.len() != size(n_sections) {
            return Err(NetworkError::Damaged);
        }
        let (body, sum) = bytes.split_at(bytes.len() - 8);
        if checksum(body).to_le_bytes() != sum {
            return Err(NetworkError::Damaged);
        }
        let numbers = |bytes: &[u8]| -> Vec<u16> {
            bytes.as_chunks().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect()
        };
        let (kinds, weights) = body[16..].split_at(KIND_SIZE * KINDS);
        let mut network = Network::blank();
        for (kind, numbers) in network.kinds.iter_mut().zip(numbers(kinds).as_chunks().0) {
            let [section, correction @ ..]: &[u16; KIND_SIZE / 2] = numbers;
            *kind = Kind { section: *section, correction: Correction::of_numbers(correction) };
            if usize::from(kind.section) >= n_sections {
                return Err(NetworkError::Damaged);
            }
        }
        let weights = numbers(weights);
        let rows = weights.as_chunks::<LANES>().0;
        let mut lanes = rows.iter().map(|row| Lanes(row.map(u16::cast_signed)));
        let mut layers = || {
            let rows: Vec<Lanes> = lanes.by_ref().take(N_FEATURES).collect();
            let mut next = || lanes.next().unwrap_or(Lanes::ZERO);
            Arc::new(Layers { rows, bias: next(), difference: next(), win: next() })
        };
        network.sections = (0..n_sections).map(|_| layers()).collect();
        Ok(network)
    }

    /// Writes a file for [`read`](Self::read).
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(size(self.sections.len()));
        bytes.extend(MAGIC);
        bytes.extend((N_FEATURES as u32).to_le_bytes());
        bytes.extend((self.sections.len() as u32).to_le_bytes());
        for Kind { section, correction } in self.kinds {
            bytes.extend(section.to_le_bytes());
            bytes.extend(correction.numbers().map(u16::to_le_bytes).as_flattened());
        }
        for layers in &self.sections {
            let last = [&layers.bias, &layers.difference, &layers.win];
            for lanes in layers.rows.iter().chain(last) {
                bytes.extend(lanes.0.iter().flat_map(|lane| lane.to_le_bytes()));
            }
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        to.write_all(&bytes)
    }
}

/// The bytes of a kind of game in a file.
const KIND_SIZE: usize = 2 * (2 + Correction::ROUNDS);

/// The size of a file with some sections.
const fn size(n_sections: usize) -> usize {
    16 + KIND_SIZE * KINDS + n_sections * (N_FEATURES + 3) * 2 * LANES + 8
}

/// FNV-1a: enough to notice damage.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum: u64, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(network: &Network) -> Vec<u8> {
        let mut bytes = Vec::new();
        network.write(&mut bytes).expect("a vector takes everything");
        bytes
    }

    #[test]
    fn built_in_network_is_valid_and_small() {
        let bytes = bytes_of(&Network::built_in());
        assert_eq!(bytes, include_bytes!("../../network/azulejo.net"), "it does not fit");
        // Web pages download it compressed; what a Huffman code of single bytes needs is an upper bound.
        let mut counts = [0.0_f64; 256];
        bytes.iter().for_each(|&byte| counts[usize::from(byte)] += 1.0);
        let bits = |n: &f64| if *n > 0.0 { n * (bytes.len() as f64 / n).log2() } else { 0.0 };
        let compressed = counts.iter().map(bits).sum::<f64>() / 8.0;
        assert!(compressed <= 1_000_000.0, "{compressed:.0} of {} bytes", bytes.len());
        assert_eq!(Network::read(&bytes[..]).ok(), Some((*Network::built_in()).clone()));
    }

    #[test]
    fn damage_is_noticed() {
        let bytes = bytes_of(&Network::blank());
        let check = |damage: &dyn Fn(&mut Vec<u8>), expected: &str| {
            let mut bytes = bytes.clone();
            damage(&mut bytes);
            let error = Network::read(&bytes[..]).expect_err(expected);
            assert!(error.to_string().contains(expected), "{error}");
        };
        check(&|bytes| bytes.clear(), "not a network");
        check(&|bytes| bytes[0] ^= 1, "not a network");
        check(&|bytes| bytes[8] ^= 1, "features");
        check(&|bytes| bytes[12] = 0, "damaged");
        check(&|bytes| bytes.truncate(10), "damaged");
        check(&|bytes| bytes.truncate(5000), "damaged");
        check(&|bytes| bytes.push(0), "damaged");
        check(&|bytes| bytes[70_000] ^= 1, "damaged");
        check(&|bytes| sign(bytes, 16, 1), "damaged");
        check(&|bytes| *bytes.last_mut().unwrap() ^= 1, "damaged");
    }

    /// Changes a byte and makes the checksum right again.
    fn sign(bytes: &mut Vec<u8>, place: usize, byte: u8) {
        bytes[place] = byte;
        bytes.truncate(bytes.len() - 8);
        bytes.extend(checksum(bytes).to_le_bytes());
    }

    #[test]
    fn sections_belong_to_kinds_of_game() {
        let [two, grey, three, four]: [Rules; 4] =
            ["2c", "2g", "3c", "4cj"].map(|rules| rules.parse().expect("rules"));
        let biased = |bias: i16| {
            let blank = Network::blank();
            Arc::new(Layers { bias: Lanes([bias; LANES]), ..(**blank.section(&two)).clone() })
        };
        let mut network = Network::blank();
        network.set_section(&[three, four], biased(1));
        network.set_section(&[grey], biased(2));
        network.set_section(&[three], biased(3));
        let correction = Correction { win_scale: 1250, differences: [0, -64, 128, 1, -1, 300] };
        network.set_correction(&grey, correction);
        let network = Network::read(&bytes_of(&network)[..]).expect("a network");
        let bias = |rules: &Rules| network.section(rules).bias().0[0];
        assert_eq!([two, grey, three, four].map(|rules| bias(&rules)), [0, 2, 3, 1]);
        assert_eq!(network.sections.len(), 4, "none is kept that is not used");
        assert_eq!(network.correction(&grey), correction);
        assert_eq!(network.correction(&two), Correction::NONE);
    }
}
