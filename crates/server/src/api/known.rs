//! A bounded cache of people by the hash of their token. Entries expire, and the notices of other nodes
//! remove them, so that a new name or a revoked token is known everywhere within seconds.

use crate::store::Person;
use moka::sync::Cache;
use std::sync::Arc;
use std::time::Duration;

/// The number of people kept.
const MAX_PEOPLE: u64 = 20_000;

/// An entry is read again after this time, even if a notice was missed.
const KEEP: Duration = Duration::from_secs(30);

/// People whose tokens were used lately.
pub(crate) struct KnownPeople(Cache<String, Person>);

impl Default for KnownPeople {
    fn default() -> KnownPeople {
        let cache = Cache::builder().max_capacity(MAX_PEOPLE).time_to_live(KEEP);
        KnownPeople(cache.support_invalidation_closures().build())
    }
}

impl KnownPeople {
    pub(crate) fn get(&self, token_hash: &str) -> Option<Person> {
        self.0.get(token_hash)
    }

    pub(crate) fn insert(&self, token_hash: String, person: Person) {
        self.0.insert(token_hash, person);
    }

    /// Forgets the tokens of a person.
    pub(crate) fn forget(&self, id: &str) {
        let id: Arc<str> = id.into();
        if self.0.invalidate_entries_if(move |_, person| person.id == id).is_err() {
            self.0.invalidate_all();
        }
    }
}
