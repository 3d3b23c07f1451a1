//! The binary format of self-play games: shards of a few hundred games, with their settings and a
//! checksum.
//!
//! Shards are written atomically, so a file with the name of a shard is complete unless something
//! else damaged it, which the checksum detects.

use crate::game::{Ply, Round, SelfPlayGame, StoredForecast};
use azulejo_files::write_atomic;
use azulejo_rules::{
    Column, Deal, Destination, Draft, FACTORY_SIZE, Move, Pick, Row, Rules, Seat, Source, Tile,
    Tiles,
};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"AZGAMES\x01";

/// Games that were played together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shard {
    /// The seed of the whole collection.
    pub(crate) seed: u64,
    /// The number of this shard in the collection.
    pub(crate) number: u32,
    /// The settings of self-play as text, to notice a folder that mixes settings.
    pub(crate) settings: String,
    pub(crate) games: Vec<SelfPlayGame>,
}

/// Why a file is not a shard.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShardError {
    #[error("cannot read it: {0}")]
    Io(#[from] io::Error),
    /// The magic bytes are missing or of another version.
    #[error("not a file of games of this version")]
    Magic,
    /// The checksum is wrong, or the content is invalid.
    #[error("it is damaged: its checksum is wrong")]
    Damaged,
}

impl Shard {
    /// The file of a shard in its folder.
    pub(crate) fn path(folder: &Path, number: u32) -> PathBuf {
        folder.join(format!("shard-{number:05}.azg"))
    }

    /// The files of all shards in a folder, in order of their numbers.
    pub(crate) fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "azg") {
                paths.push(path);
            }
        }
        paths.sort();
        Ok(paths)
    }

    /// Whether the forecasts come from the hand-written evaluation, which are not training targets.
    pub(crate) fn is_classic(&self) -> bool {
        self.settings.ends_with("eval=classic")
    }

    pub(crate) fn read(path: &Path) -> Result<Shard, ShardError> {
        Shard::from_bytes(&fs::read(path)?)
    }

    /// Writes the file atomically.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        write_atomic(path, &self.to_bytes())
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.number.to_le_bytes());
        put_text(&mut bytes, &self.settings);
        bytes.extend((self.games.len() as u32).to_le_bytes());
        for game in &self.games {
            put_game(&mut bytes, game);
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Result<Shard, ShardError> {
        if !bytes.starts_with(MAGIC) {
            return Err(ShardError::Magic);
        }
        let (body, sum) = bytes.split_last_chunk().ok_or(ShardError::Damaged)?;
        if checksum(body) != u64::from_le_bytes(*sum) {
            return Err(ShardError::Damaged);
        }
        let mut reader = Reader(&body[MAGIC.len()..]);
        // A checksum can match by accident or malice, so the reader checks everything.
        reader.shard().filter(|_| reader.0.is_empty()).ok_or(ShardError::Damaged)
    }
}

/// FNV-1a over words of eight bytes: enough to notice damage.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0100_0000_01b3;
    let mix = |sum: u64, word: u64| {
        let sum = (sum ^ word).wrapping_mul(PRIME);
        sum ^ (sum >> 29)
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let sum =
        words.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &word| mix(sum, u64::from_le_bytes(word)));
    rest.iter().fold(sum, |sum, &byte| mix(sum, u64::from(byte)))
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    // The texts are short settings; they are truncated to 255 bytes.
    let text = &text.as_bytes()[..text.len().min(255)];
    bytes.push(text.len() as u8);
    bytes.extend(text);
}

fn put_game(bytes: &mut Vec<u8>, game: &SelfPlayGame) {
    put_text(bytes, &game.rules.to_string());
    bytes.push(game.first.index() as u8);
    bytes.extend((game.rounds.len() as u16).to_le_bytes());
    for round in &game.rounds {
        for &factory in round.deal.factories() {
            bytes.extend(pack_factory(factory).to_le_bytes());
        }
        bytes.extend((round.plies.len() as u16).to_le_bytes());
        for ply in &round.plies {
            let explored = if ply.explored { EXPLORED } else { 0 };
            bytes.extend((pack_move(ply.m) | explored).to_le_bytes());
            for forecast in &ply.forecast[..n_stored_forecasts(&game.rules)] {
                bytes.extend(forecast.difference.to_le_bytes());
                bytes.extend(forecast.win.to_le_bytes());
            }
        }
    }
}

/// With two players the second forecast follows from the first.
fn n_stored_forecasts(rules: &Rules) -> usize {
    match rules.players().count() {
        2 => 1,
        n => n,
    }
}

const PLACE: u16 = 1 << 15;
const EXPLORED: u16 = 1 << 14;

fn pack_move(m: Move) -> u16 {
    match m {
        Move::Draft(Draft { source, pick, to, extra_jokers }) => {
            let pick = Pick::ALL.iter().position(|&other| other == pick).unwrap_or(0);
            let draft = (source.index() * Pick::ALL.len() + pick) * Destination::ALL.len();
            (draft + to.index()) as u16 * 16 + u16::from(extra_jokers.min(15))
        }
        Move::Place { row, column } => PLACE | (row.index() * 5 + column.index()) as u16,
    }
}

fn unpack_move(packed: u16) -> Option<Move> {
    let packed = packed & !EXPLORED;
    if packed & PLACE != 0 {
        let space = usize::from(packed & !PLACE);
        let (row, column) = (Row::from_index(space / 5)?, Column::from_index(space % 5)?);
        return Some(Move::Place { row, column });
    }
    let (draft, extra_jokers) = (usize::from(packed / 16), (packed % 16) as u8);
    let to = Destination::ALL[draft % Destination::ALL.len()];
    let draft = draft / Destination::ALL.len();
    let pick = Pick::ALL[draft % Pick::ALL.len()];
    let source = Source::from_index(draft / Pick::ALL.len())?;
    Some(Move::Draft(Draft { source, pick, to, extra_jokers }))
}

/// Up to four tiles with three bits each; 7 stands for none.
fn pack_factory(tiles: Tiles) -> u16 {
    let mut packed = 0;
    let mut each = tiles.each();
    for place in 0..FACTORY_SIZE {
        packed |= each.next().map_or(7, |tile| tile.index() as u16) << (3 * place);
    }
    packed
}

fn unpack_factory(packed: u16) -> Option<Tiles> {
    let mut tiles = Tiles::EMPTY;
    for place in 0..FACTORY_SIZE {
        match packed >> (3 * place) & 7 {
            7 => {}
            index => tiles += Tiles::of(*Tile::ALL.get(usize::from(index))?, 1),
        }
    }
    Some(tiles)
}

/// The bytes left to read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn byte(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    fn short(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn text(&mut self) -> Option<String> {
        let n = usize::from(self.byte()?);
        String::from_utf8(self.take(n)?.to_vec()).ok()
    }

    fn shard(&mut self) -> Option<Shard> {
        let seed = self.array().map(u64::from_le_bytes)?;
        let number = self.array().map(u32::from_le_bytes)?;
        let settings = self.text()?;
        let n_games = self.array().map(u32::from_le_bytes)?;
        let games = (0..n_games).map(|_| self.game()).collect::<Option<_>>()?;
        Some(Shard { seed, number, settings, games })
    }

    fn game(&mut self) -> Option<SelfPlayGame> {
        let rules: Rules = self.text()?.parse().ok()?;
        let first = Seat::from_index(usize::from(self.byte()?))?;
        if !rules.players().seats().contains(&first) {
            return None;
        }
        let n_rounds = self.short()?;
        let rounds = (0..n_rounds).map(|_| self.round(&rules)).collect::<Option<_>>()?;
        Some(SelfPlayGame { rules, first, rounds })
    }

    fn round(&mut self, rules: &Rules) -> Option<Round> {
        let factories = (0..rules.players().factories())
            .map(|_| self.short().and_then(unpack_factory))
            .collect::<Option<Vec<_>>>()?;
        let deal = Deal::new(&factories)?;
        let n_plies = self.short()?;
        let plies = (0..n_plies).map(|_| self.ply(rules)).collect::<Option<_>>()?;
        Some(Round { deal, plies })
    }

    fn ply(&mut self, rules: &Rules) -> Option<Ply> {
        let packed = self.short()?;
        let mut forecast = [StoredForecast::default(); 4];
        let n_stored = n_stored_forecasts(rules);
        for forecast in &mut forecast[..n_stored] {
            let difference = i16::from_le_bytes(self.array()?).max(-i16::MAX);
            *forecast = StoredForecast { difference, win: self.short()? };
        }
        if n_stored == 1 {
            forecast[1] = forecast[0].mirrored();
        }
        let m = unpack_move(packed)?;
        Some(Ply { m, explored: packed & EXPLORED != 0, forecast })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::random_game;

    fn shard() -> Shard {
        let rules = ["2c", "2gj", "3c", "3g", "4cj", "4gj"];
        let games = rules.iter().zip(0..).map(|(rules, seed)| random_game(rules, seed)).collect();
        Shard { seed: 7, number: 3, settings: "eval=classic".to_owned(), games }
    }

    #[test]
    fn games_read_back() {
        let shard = shard();
        let bytes = shard.to_bytes();
        assert_eq!(Shard::from_bytes(&bytes).unwrap(), shard);
        let n_plies: usize = shard.games.iter().map(|game| game.plies().count()).sum();
        assert!(bytes.len() < 17 * n_plies, "{} bytes for {n_plies} plies", bytes.len());
        assert!(shard.is_classic());
    }

    #[test]
    fn every_move_packs() {
        for source in Source::ALL {
            for pick in Pick::ALL {
                for to in Destination::ALL {
                    for extra_jokers in 0..=9 {
                        let m = Move::Draft(Draft { source, pick, to, extra_jokers });
                        assert_eq!(unpack_move(pack_move(m)), Some(m));
                        assert_eq!(unpack_move(pack_move(m) | EXPLORED), Some(m));
                    }
                }
            }
        }
        for row in Row::ALL {
            for column in Column::ALL {
                let m = Move::Place { row, column };
                assert_eq!(unpack_move(pack_move(m)), Some(m));
            }
        }
        assert_eq!(unpack_move(PLACE | 25), None);
        assert_eq!(unpack_move(EXPLORED - 1), None);
    }

    #[test]
    fn damage_is_noticed() {
        let bytes = shard().to_bytes();
        for length in (0..bytes.len()).step_by(97) {
            assert!(Shard::from_bytes(&bytes[..length]).is_err(), "{length}");
        }
        for place in (8..bytes.len()).step_by(101) {
            let mut bytes = bytes.clone();
            bytes[place] ^= 0x10;
            assert!(matches!(Shard::from_bytes(&bytes), Err(ShardError::Damaged)), "{place}");
        }
        let mut other = bytes.clone();
        other[7] = 2;
        assert!(matches!(Shard::from_bytes(&other), Err(ShardError::Magic)));
    }

    /// A valid checksum does not make invalid content a shard, and invalid content never panics.
    #[test]
    fn invalid_content_with_a_valid_checksum_is_refused() {
        let bytes = shard().to_bytes();
        let body = &bytes[..bytes.len() - 8];
        for place in (8..body.len()).step_by(5) {
            let mut invalid = body.to_vec();
            invalid[place] = 0xff;
            invalid.extend(checksum(&invalid).to_le_bytes());
            if let Ok(shard) = Shard::from_bytes(&invalid) {
                for game in &shard.games {
                    let _ = game.replay(|_| {});
                }
            }
        }
        let mut longer = body.to_vec();
        longer.push(0);
        longer.extend(checksum(&longer).to_le_bytes());
        assert!(matches!(Shard::from_bytes(&longer), Err(ShardError::Damaged)));
    }

    #[test]
    fn files_are_listed_in_order() {
        let dir = crate::scratch("list");
        let shard = shard();
        for number in [10, 2, 0] {
            shard.write(&Shard::path(&dir, number)).unwrap();
        }
        fs::write(dir.join("shard-00005.azg.part"), b"half").unwrap();
        let names = Shard::list(&dir).unwrap();
        assert_eq!(names, [0, 2, 10].map(|number| Shard::path(&dir, number)));
        assert_eq!(Shard::read(&names[1]).unwrap(), shard);
        assert!(matches!(Shard::read(&dir.join("none.azg")), Err(ShardError::Io(_))));
    }
}
