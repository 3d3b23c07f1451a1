//! Names and secrets: random ids for games and people, tokens that prove who somebody is, and the
//! hashes under which tokens are stored.
//!
//! A secret is printed once, to the one it belongs to. Afterwards only its hash exists here, and
//! [`Secret`] shows nothing of itself in logs.

use sha2::{Digest, Sha256};
use std::fmt;

/// The letters of an id: none that can be mistaken for another.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// How many letters an id has: 80 random bits, so that nobody finds a game by trying.
const ID_LENGTH: usize = 16;

/// A new id for a game or a person.
#[must_use]
pub(crate) fn new_id() -> String {
    let bytes: [u8; ID_LENGTH] = random();
    bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte & 31)])).collect()
}

/// Whether a text has the form of an id; anything else is not worth a question to the database.
#[must_use]
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == ID_LENGTH && text.bytes().all(|byte| LETTERS.contains(&byte))
}

/// An id as it may stand in a log: enough to find the game in the database, too little to watch it.
#[must_use]
pub(crate) fn short(id: &str) -> &str {
    id.get(..ID_LENGTH / 2).unwrap_or_default()
}

/// A secret of 256 random bits: the token of a person, or an invitation to a seat.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    /// A new one.
    #[must_use]
    pub(crate) fn new() -> Secret {
        Secret(hex(&random::<32>()))
    }

    /// Reads a secret that somebody shows; `None` if no secret looks like that.
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

    /// What is stored of it.
    #[must_use]
    pub(crate) fn hash(&self) -> String {
        hash(&self.0)
    }

    /// Whether this is the secret that has that hash. The time it takes does not depend on where
    /// two hashes differ.
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

/// Nothing of it, so that no log can tell.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// A seed for a game that nobody can guess.
#[must_use]
pub(crate) fn new_seed() -> azulejo_notation::Seed {
    hex(&random::<16>()).parse().expect("hexadecimal digits are a seed")
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
    // Without it there is no secret; a server that cannot keep any must not go on.
    getrandom::fill(&mut bytes).expect("the operating system gives random numbers");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_look_like_ids_and_differ() {
        let (a, b) = (new_id(), new_id());
        assert!(is_id(&a) && is_id(&b) && a != b);
        for no in ["", "abc", "ABCDEFGHIJKMNPQR", "abcdefghijkmnpq1", "abcdefghijkmnpqré"] {
            assert!(!is_id(no), "{no}");
        }
    }

    #[test]
    fn a_secret_is_known_by_its_hash_only() {
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
    fn the_hash_is_the_known_one() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hash(""), empty);
    }
}
