//! The change from one view of a game to the next, as a JSON Merge Patch (RFC 7386). A client merges it
//! into the view that it has, without knowing the game: objects are merged key by key, everything else
//! is replaced, and null removes a key. In a view, a missing key means null.

use crate::Game;
use crate::view::game::{ClockView, GameView, Presence};
use crate::view::moves::{blocked, moves};
use crate::view::position::{Counts, PositionView};
use azulejo_rules::Tile;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// What an event changes in the view of one viewer. It becomes JSON as a merge patch.
///
/// It never holds `presence`, which changes without an event.
#[derive(Clone, Debug)]
pub struct GamePatch {
    /// The view before the event, without moves.
    last: GameView,
    next: GameView,
}

impl GamePatch {
    /// The change from a game to the same game after one event, as a person (or a spectator, for
    /// `None`) sees it at a time.
    #[must_use]
    pub fn new(last: &Game, next: &Game, person: Option<&str>, now_ms: i64) -> GamePatch {
        let view = |game| GameView::without_moves(game, person, &Presence::default(), now_ms);
        let mut patch = GamePatch { last: view(last), next: view(next) };
        if patch.has_moves() && patch.next.your_turn {
            patch.next.moves = moves(&next.position);
            patch.next.blocked = blocked(&next.position);
        }
        patch
    }

    /// Whether the legal moves of the viewer change.
    fn has_moves(&self) -> bool {
        let GamePatch { last, next } = self;
        last.your_turn != next.your_turn
            || (next.your_turn && last.position.position != next.position.position)
    }
}

impl Serialize for GamePatch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let GamePatch { last, next } = self;
        let mut map = serializer.serialize_map(None)?;
        next.changes(last, &mut map)?;
        if self.has_moves() {
            map.serialize_entry("moves", &next.moves)?;
            map.serialize_entry("blocked", &next.blocked)?;
        }
        map.serialize_entry("clock", &Changes(&last.clock, &next.clock))?;
        map.end()
    }
}

/// An object that is merged key by key.
trait MergePatch {
    /// Writes the keys whose values differ from those of the last object.
    fn changes<M: SerializeMap>(&self, last: &Self, map: &mut M) -> Result<(), M::Error>;
}

/// The patch from the first object to the second.
struct Changes<'a, T>(&'a T, &'a T);

impl<T: MergePatch> Serialize for Changes<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.1.changes(self.0, &mut map)?;
        map.end()
    }
}

/// Implements [`MergePatch`] for a view whose fields are `replaced` or `merged` when they differ, or
/// are written by the caller (`other`). A field that is in none of the lists does not compile.
///
/// An object is replaced only if its keys are always the same: a merge keeps keys that are not
/// mentioned.
macro_rules! merge_patch {
    ($view:ident, replaced: [$($replaced:ident),*], merged: [$($merged:ident),*], other: [$($other:ident),*]) => {
        impl MergePatch for $view {
            fn changes<M: SerializeMap>(&self, last: &Self, map: &mut M) -> Result<(), M::Error> {
                let $view { $($replaced,)* $($merged,)* $($other: _,)* } = self;
                $(if *$replaced != last.$replaced {
                    map.serialize_entry(stringify!($replaced), $replaced)?;
                })*
                $(if *$merged != last.$merged {
                    map.serialize_entry(stringify!($merged), &Changes(&last.$merged, $merged))?;
                })*
                Ok(())
            }
        }
    };
}

merge_patch!(
    GameView,
    replaced: [
        id, number, status, seats, your_seats, is_creator, your_turn, last_move, n_moves, report, takeback,
        takebacks, hints, listed, daily, fair, result, rematch, rematch_of, created_ms, updated_ms
    ],
    merged: [position],
    other: [moves, blocked, clock, presence]
);

merge_patch!(
    PositionView,
    replaced: [
        position, hash, rules, phase, turn, row, round, starter, dry_rounds, marker, factories,
        center, boards, n_legal_moves, outcome
    ],
    merged: [bag, lid],
    other: []
);

impl MergePatch for ClockView {
    /// The times are always written: the view that the client has is older than the last event.
    fn changes<M: SerializeMap>(&self, last: &Self, map: &mut M) -> Result<(), M::Error> {
        let ClockView { terms: _, left_ms, running, now_ms } = self;
        if !left_ms.is_empty() {
            map.serialize_entry("left_ms", left_ms)?;
        }
        if *running != last.running {
            map.serialize_entry("running", running)?;
        }
        map.serialize_entry("now_ms", now_ms)
    }
}

impl MergePatch for Counts {
    fn changes<M: SerializeMap>(&self, last: &Self, map: &mut M) -> Result<(), M::Error> {
        for tile in Tile::ALL {
            let (before, after) = (last.0.count(tile), self.0.count(tile));
            if before != after {
                map.serialize_entry(&tile.letter(), &(after > 0).then_some(after))?;
            }
        }
        Ok(())
    }
}
