//! `serde` over the forms of this crate: a record as its JSON object, a seed and an action as text.

use crate::json::{JsonRecord, whole};
use crate::{Action, Record, Seed};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        JsonRecord::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Record, D::Error> {
        let record = JsonRecord::deserialize(deserializer)?.read();
        record.and_then(whole).map_err(D::Error::custom)
    }
}

azulejo_rules::serde_as_text!(Action, Seed);
