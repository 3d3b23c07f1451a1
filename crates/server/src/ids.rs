//! Ids and secrets: random ids of games and people, tokens and invitations, and the hashes under
//! which they are stored.
//!
//! A secret is sent once, to its owner. The server keeps only its hash, and the `Debug` form of
//! [`Secret`] hides it from logs.

use sha2::{Digest, Sha256};
use std::fmt;

/// The characters of an id, without those that look alike.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The length of an id: 80 random bits, so that nobody can guess a game.
const ID_LENGTH: usize = 16;

/// A new id for a game or a person.
#[must_use]
pub(crate) fn new_id() -> String {
    let bytes: [u8; ID_LENGTH] = random();
    bytes.iter().map(|byte| letter(*byte)).collect()
}

fn letter(byte: u8) -> char {
    char::from(LETTERS[usize::from(byte & 31)])
}

/// Stands for the creator of the games on TV. No person has this id.
pub(crate) const TV: &str = "tv";

/// The id that follows another one: the same on every node.
#[must_use]
pub(crate) fn following_id(last: &str) -> String {
    let digest = Sha256::digest(format!("after {last}").as_bytes());
    digest.iter().take(ID_LENGTH).map(|byte| letter(*byte)).collect()
}

/// Whether a text has the form of an id. Other texts need no database query.
#[must_use]
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == ID_LENGTH && text.bytes().all(|byte| LETTERS.contains(&byte))
}

/// An id for logs: enough to find the game in the database, too little to watch it.
#[must_use]
pub(crate) fn short(id: &str) -> &str {
    id.get(..ID_LENGTH / 2).unwrap_or_default()
}

/// A secret of 256 random bits: the token of a person, or an invitation to a seat.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    /// A new random secret.
    #[must_use]
    pub(crate) fn new() -> Secret {
        Secret(hex(&random::<32>()))
    }

    /// Reads a secret from a request; `None` if it does not have the form of a secret.
    #[must_use]
    pub(crate) fn read(text: &str) -> Option<Secret> {
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == 64 && text.bytes().all(is_hex)).then(|| Secret(text.to_owned()))
    }

    /// The secret itself, for its owner.
    #[must_use]
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Its hash, which is stored.
    #[must_use]
    pub(crate) fn hash(&self) -> String {
        hash(&self.0)
    }

    /// Whether the secret has this hash, compared in constant time.
    #[must_use]
    pub(crate) fn has_hash(&self, stored: &str) -> bool {
        let hash = self.hash();
        let difference = hash.bytes().zip(stored.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        hash.len() == stored.len() && difference == 0
    }
}

impl Default for Secret {
    fn default() -> Secret {
        Secret::new()
    }
}

/// Hides the secret from logs.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The code of a transfer: 60 random bits, short enough to type, in force for minutes and guarded by rate
/// limits.
#[derive(Clone)]
pub(crate) struct TransferCode(String);

impl TransferCode {
    const LENGTH: usize = 12;

    /// A new random code, in groups of four characters.
    #[must_use]
    pub(crate) fn new() -> TransferCode {
        let letters: Vec<char> =
            random::<{ Self::LENGTH }>().iter().map(|byte| letter(*byte)).collect();
        let groups: Vec<String> = letters.chunks(4).map(|group| group.iter().collect()).collect();
        TransferCode(groups.join("-").to_uppercase())
    }

    /// Reads a code as people type it; `None` if it does not have the form of a code.
    #[must_use]
    pub(crate) fn read(text: &str) -> Option<TransferCode> {
        let is_skipped = |c: &char| c.is_whitespace() || *c == '-';
        let letters: String =
            text.chars().filter(|c| !is_skipped(c)).map(|c| c.to_ascii_lowercase()).collect();
        let is_code =
            letters.len() == Self::LENGTH && letters.bytes().all(|byte| LETTERS.contains(&byte));
        is_code.then_some(TransferCode(letters))
    }

    /// The code itself, for its owner.
    #[must_use]
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// The hash of its letters, which is stored.
    #[must_use]
    pub(crate) fn hash(&self) -> String {
        hash(&self.0.replace('-', "").to_lowercase())
    }
}

/// Whether a text has the form of a hash.
#[must_use]
pub(crate) fn is_hash(text: &str) -> bool {
    Secret::read(text).is_some()
}

/// A random seed for a game.
#[must_use]
pub(crate) fn new_seed() -> azulejo_notation::Seed {
    random::<16>().into()
}

/// The SHA-256 hash of a text in hexadecimal digits.
#[must_use]
pub(crate) fn hash(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    use fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // A server without random numbers cannot make secrets and must not go on.
    getrandom::fill(&mut bytes).expect("the operating system provides random numbers");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_their_form_and_differ() {
        let (a, b) = (new_id(), new_id());
        assert!(is_id(&a) && is_id(&b) && a != b);
        for no in ["", "abc", "ABCDEFGHIJKMNPQR", "abcdefghijkmnpq1", "abcdefghijkmnpqré"] {
            assert!(!is_id(no), "{no}");
        }
    }

    #[test]
    fn secrets_match_their_hash() {
        let secret = Secret::new();
        assert!(secret.has_hash(&secret.hash()));
        assert!(!Secret::new().has_hash(&secret.hash()));
        assert!(!secret.has_hash(""));
        assert!(!secret.hash().contains(secret.reveal()));
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        assert_eq!(Secret::read(secret.reveal()).map(|read| read.hash()), Some(secret.hash()));
        assert!(Secret::read("azulejo").is_none());
    }

    #[test]
    fn the_hash_is_sha_256() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hash(""), empty);
    }
}
