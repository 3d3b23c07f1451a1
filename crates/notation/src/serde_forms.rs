//! `serde` over the forms of this crate: a record as its JSON object, a seed and an action as text.

use crate::json::JsonRecord;
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
        match record.map_err(D::Error::custom)? {
            (record, None) => Ok(record),
            (_, Some(error)) => Err(D::Error::custom(error)),
        }
    }
}

macro_rules! as_text {
    ($($type:ident),+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )+};
}

as_text!(Action, Seed);
