//! The learned evaluation: a sum of one row of weights for each feature that holds, a hidden layer
//! of thirty, and two answers: the expected final difference and the chance to win.
//!
//! Whole numbers only, so that every machine gives the same answers. The first two lanes of a
//! row are not hidden but go straight to the answers: a linear evaluation that the hidden lanes
//! refine.

use super::features::{Feature, N_FEATURES};
use azulejo_rules::Players;
use std::io::{self, Read, Write};
use std::sync::{Arc, LazyLock};
use wide::{i16x8, i32x4};

/// Lanes in a row: thirty hidden ones and the two linear answers. 64 bytes, one cache line.
pub const LANES: usize = 32;
/// The lane of the difference.
pub const DIFFERENCE_LANE: usize = 0;
/// The lane of the chance to win.
pub const WIN_LANE: usize = 1;
/// The first hidden lane.
pub const HIDDEN: usize = 2;

/// One point of difference.
pub const POINT: i32 = 64;
/// One unit of log odds to win.
pub const LOG_ODDS: i32 = 1024;
/// The activation of a hidden lane that is fully on.
pub const ON: i32 = 512;

/// The magic word and version of the file.
const MAGIC: &[u8; 8] = b"AZNET\0\0\x03";

/// Sums of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Lanes(pub [i16; LANES]);

impl Lanes {
    /// Nothing.
    pub const ZERO: Lanes = Lanes([0; LANES]);

    #[inline]
    fn eighths(&self) -> [i16x8; 4] {
        // The slices have eight lanes, and this is four loads.
        std::array::from_fn(|i| i16x8::from(&self.0[8 * i..8 * i + 8]))
    }
}

/// A running sum of rows.
#[derive(Clone, Copy)]
pub struct Sum([i16x8; 4]);

impl Sum {
    /// A sum that begins with a row.
    #[inline]
    #[must_use]
    pub fn of(lanes: &Lanes) -> Sum {
        Sum(lanes.eighths())
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

    /// The first two lanes, which are answers already.
    #[inline]
    fn linear(&self) -> (i32, i32) {
        let first = self.0[0].as_array();
        (i32::from(first[DIFFERENCE_LANE]), i32::from(first[WIN_LANE]))
    }

    /// The hidden lanes switched on, times their weights.
    #[inline]
    fn dot(&self, weights: &Lanes) -> i32 {
        let (off, on) = (i16x8::splat(0), i16x8::splat(ON as i16));
        let weights = weights.eighths();
        let mut sum = i32x4::splat(0);
        for (lanes, weights) in self.0.iter().zip(weights) {
            sum += lanes.max(off).min(on).dot(weights);
        }
        sum.reduce_add()
    }
}

/// What is expected for a seat, in whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Final score minus the best other's, in units of [`POINT`].
    pub difference: i32,
    /// The log odds to win, in units of [`LOG_ODDS`].
    pub log_odds: i32,
}

/// The weights for one number of players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    rows: Vec<Lanes>,
    bias: Lanes,
    /// What the hidden lanes add to the difference; the first two are not used.
    difference: Lanes,
    /// What they add to the log odds.
    win: Lanes,
}

impl Layers {
    /// Layers from their weights; `rows` has one row for each feature.
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

    /// What is there before any feature.
    #[must_use]
    pub fn bias(&self) -> &Lanes {
        &self.bias
    }

    /// The answers for the sum of the rows. The lead that is known goes into the difference.
    #[inline]
    #[must_use]
    pub fn answer(&self, sum: &Sum, lead: i32) -> Estimate {
        let (difference, log_odds) = sum.linear();
        // The two linear lanes have no weights here.
        let difference = lead * POINT + difference + sum.dot(&self.difference) / ON;
        Estimate { difference, log_odds: log_odds + sum.dot(&self.win) / ON }
    }
}

/// The weights of the whole network: a section for each number of players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// For two players.
    pub two: Layers,
    /// For three.
    pub three: Layers,
    /// For four.
    pub four: Layers,
}

/// Why a file is not a network.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// It cannot be read.
    #[error("cannot read the network: {0}")]
    Io(#[from] io::Error),
    /// It does not begin like one, or is of another version.
    #[error("not a network of this version")]
    Magic,
    /// It was made for other features.
    #[error("the network has {found} features, this program {N_FEATURES}")]
    Features {
        /// What the file says.
        found: u32,
    },
    /// It ends too early, goes on too long, or some bits are wrong.
    #[error("the network is damaged: its checksum is wrong")]
    Damaged,
}

impl Network {
    /// A network that knows nothing: it adds nothing to the lead.
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

    /// The same, to be changed.
    pub fn section_mut(&mut self, players: Players) -> &mut Layers {
        match players {
            Players::Two => &mut self.two,
            Players::Three => &mut self.three,
            Players::Four => &mut self.four,
        }
    }

    /// The network that comes with the program.
    #[must_use]
    pub fn built_in() -> Arc<Network> {
        static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let bytes: &[u8] = include_bytes!("../../network/azulejo.net");
            // While features change there is no file that fits them: until one has been trained,
            // which a test demands, the hand-written evaluation plays the games to learn from.
            Arc::new(Network::read(bytes).unwrap_or_else(|_| Network::blank()))
        });
        Arc::clone(&NETWORK)
    }

    /// Reads a network: magic, number of features, all sections, and a checksum.
    ///
    /// # Errors
    /// If it cannot be read or is not a whole network for these features.
    pub fn read(mut from: impl Read) -> Result<Network, NetworkError> {
        let mut bytes = Vec::new();
        // One byte more than a network has: enough to see that a file is too long.
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

    /// Writes it as [`read`](Self::read) reads it.
    ///
    /// # Errors
    /// If it cannot be written.
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

/// FNV-1a: enough to notice damage, which is all it is for.
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
    fn the_built_in_network_is_whole_and_small() {
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
