//! The learned evaluation: a quantized network with one sparse layer (an NNUE-style accumulator of one
//! row of weights per active feature), thirty clipped-ReLU units, and two outputs: the expected final
//! difference and the log odds of a win.
//!
//! All weights and sums are integers, so every machine computes the same value. The first two lanes
//! of a row skip the hidden layer and go straight to the outputs: a linear evaluation that the
//! hidden units refine.

use super::features::{Feature, N_FEATURES};
use azulejo_rules::Players;
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
/// The upper bound of the clipped ReLU: the activation of a saturated hidden unit.
pub const CLIP: i32 = 512;

/// The magic bytes of the file; the last one is the version of the format.
const MAGIC: &[u8; 8] = b"AZNET\0\0\x03";

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
        for (eight, sum) in lanes.0.chunks_exact_mut(8).zip(self.0) {
            eight.copy_from_slice(sum.as_array());
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

/// The weights for one number of players.
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

/// The weights of the evaluation, with a section for each number of players.
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
    /// For two players.
    pub two: Layers,
    /// For three.
    pub three: Layers,
    /// For four.
    pub four: Layers,
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
        Network { two: layers.clone(), three: layers.clone(), four: layers }
    }

    /// The section for a number of players.
    #[inline]
    #[must_use]
    pub fn section(&self, players: Players) -> &Layers {
        match players {
            Players::Two => &self.two,
            Players::Three => &self.three,
            Players::Four => &self.four,
        }
    }

    /// The section for a number of players, to be changed.
    pub fn section_mut(&mut self, players: Players) -> &mut Layers {
        match players {
            Players::Two => &mut self.two,
            Players::Three => &mut self.three,
            Players::Four => &mut self.four,
        }
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

    /// Reads a network: magic, number of features, all sections, and a checksum.
    ///
    /// # Errors
    /// If reading fails, or if the bytes are not a complete network for these features.
    pub fn read(mut from: impl Read) -> Result<Network, NetworkError> {
        let mut bytes = Vec::new();
        // One byte more than a network has, to notice a file that is too long.
        from.by_ref().take(SIZE as u64 + 1).read_to_end(&mut bytes)?;
        let header = bytes.get(..12).ok_or(NetworkError::Magic)?;
        if header[..8] != MAGIC[..] {
            return Err(NetworkError::Magic);
        }
        let found = u32::from_le_bytes([header[8], header[9], header[10], header[11]]);
        if found as usize != N_FEATURES {
            return Err(NetworkError::Features { found });
        }
        if bytes.len() != SIZE {
            return Err(NetworkError::Damaged);
        }
        let (body, sum) = bytes.split_at(SIZE - 8);
        if checksum(body).to_le_bytes() != sum {
            return Err(NetworkError::Damaged);
        }
        let mut lanes = body[12..].chunks_exact(2 * LANES).map(|bytes| {
            let mut lanes = Lanes::ZERO;
            for (lane, bytes) in lanes.0.iter_mut().zip(bytes.chunks_exact(2)) {
                *lane = i16::from_le_bytes([bytes[0], bytes[1]]);
            }
            lanes
        });
        let mut layers = || {
            let rows: Vec<Lanes> = lanes.by_ref().take(N_FEATURES).collect();
            let mut next = || lanes.next().unwrap_or(Lanes::ZERO);
            Layers { rows, bias: next(), difference: next(), win: next() }
        };
        Ok(Network { two: layers(), three: layers(), four: layers() })
    }

    /// Writes a file for [`read`](Self::read).
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(SIZE);
        bytes.extend(MAGIC);
        bytes.extend((N_FEATURES as u32).to_le_bytes());
        for layers in [&self.two, &self.three, &self.four] {
            let last = [&layers.bias, &layers.difference, &layers.win];
            for lanes in layers.rows.iter().chain(last) {
                bytes.extend(lanes.0.iter().flat_map(|lane| lane.to_le_bytes()));
            }
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        to.write_all(&bytes)
    }
}

const SIZE: usize = 12 + 3 * (N_FEATURES + 3) * 2 * LANES + 8;

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
        assert!(bytes.len() <= 1_000_000, "{}", bytes.len());
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
        check(&|bytes| bytes.truncate(5000), "damaged");
        check(&|bytes| bytes.push(0), "damaged");
        check(&|bytes| bytes[70_000] ^= 1, "damaged");
        check(&|bytes| *bytes.last_mut().unwrap() ^= 1, "damaged");
    }
}
