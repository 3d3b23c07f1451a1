//! `serde` over the text forms: every value is the string that `Display` prints and `FromStr` reads.

use crate::{
    Color, Column, Deal, Destination, Draft, EndedBy, Move, Pick, Players, Position, Preset, Row,
    Rules, Seat, Setup, Source, Tile, Tiles, WallKind,
};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! as_text {
    ($($type:ident),+ $(,)?) => {$(
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

as_text!(
    Color,
    Column,
    Deal,
    Destination,
    Draft,
    EndedBy,
    Move,
    Pick,
    Players,
    Position,
    Preset,
    Row,
    Rules,
    Seat,
    Setup,
    Source,
    Tile,
    Tiles,
    WallKind,
);
