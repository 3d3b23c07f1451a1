//! `serde` over the text forms: every value is the string that `Display` prints and `FromStr` reads.

use crate::{
    Color, Column, Deal, Destination, Draft, EndedBy, Move, Pick, Players, Position, Preset, Row,
    Rules, Seat, Setup, Source, Tile, Tiles, WallKind,
};

/// Implements `Serialize` and `Deserialize` of types as the text that `Display` prints and `FromStr`
/// reads. Shared with `azulejo-notation` and `azulejo-engine`.
#[doc(hidden)]
#[macro_export]
macro_rules! serde_as_text {
    ($($type:ident),+ $(,)?) => {$(
        impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(text: D) -> Result<$type, D::Error> {
                let text = <String as ::serde::Deserialize>::deserialize(text)?;
                text.parse().map_err(::serde::de::Error::custom)
            }
        }
    )+};
}

serde_as_text! {
    Color, Column, Deal, Destination, Draft, EndedBy, Move, Pick, Players, Position, Preset, Row,
    Rules, Seat, Setup, Source, Tile, Tiles, WallKind,
}
