//! Sets of rows, columns, sources and destinations as bit masks.
//!
//! Each is one word, compares and copies like a number, and iterates over its members in order.

use crate::names::{Column, Destination, Row, Source};
use std::fmt;

macro_rules! set_type {
    ($(#[$meta:meta])* $set:ident of $item:ident, $iter:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
        pub struct $set(u32);

        impl $set {
            /// The empty set.
            pub const EMPTY: $set = $set(0);

            /// The set with all members.
            pub const ALL: $set = $set((1 << $item::ALL.len()) - 1);

            /// The set of a mask that has no other bits than those of members.
            #[inline]
            pub(crate) const fn from_bits(bits: u32) -> $set {
                debug_assert!(bits <= $set::ALL.0);
                $set(bits)
            }

            /// The mask: bit `i` stands for the member with index `i`.
            #[inline]
            #[must_use]
            pub const fn bits(self) -> u32 {
                self.0
            }

            /// Whether something is in the set.
            #[inline]
            #[must_use]
            pub const fn contains(self, item: $item) -> bool {
                self.0 >> item.index() & 1 == 1
            }

            /// The number of members.
            #[inline]
            #[must_use]
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Whether the set has no members.
            #[inline]
            #[must_use]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The first member, in the order of their indices.
            #[inline]
            #[must_use]
            pub const fn first(self) -> Option<$item> {
                if self.0 == 0 {
                    return None;
                }
                Some($item::from_index_or_last(self.0.trailing_zeros() as usize))
            }

            /// The members, in the order of their indices.
            #[inline]
            #[must_use]
            pub const fn iter(self) -> $iter {
                $iter(self)
            }
        }

        #[doc = concat!("Iterator over the members of a [`", stringify!($set), "`].")]
        #[derive(Clone, Debug)]
        pub struct $iter($set);

        impl Iterator for $iter {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                let first = self.0.first()?;
                self.0.0 &= self.0.0 - 1;
                Some(first)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.0.len(), Some(self.0.len()))
            }
        }

        impl ExactSizeIterator for $iter {}

        impl DoubleEndedIterator for $iter {
            fn next_back(&mut self) -> Option<$item> {
                let last = $item::from_index(self.0.0.checked_ilog2()? as usize)?;
                self.0.0 &= !(1 << last.index());
                Some(last)
            }
        }

        impl IntoIterator for $set {
            type Item = $item;
            type IntoIter = $iter;

            #[inline]
            fn into_iter(self) -> $iter {
                self.iter()
            }
        }

        impl FromIterator<$item> for $set {
            fn from_iter<I: IntoIterator<Item = $item>>(items: I) -> $set {
                items.into_iter().fold($set::EMPTY, |set, item| $set(set.0 | 1 << item.index()))
            }
        }

        impl fmt::Debug for $set {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_set().entries(self.iter()).finish()
            }
        }
    };
}

set_type! {
    /// A set of wall rows or pattern lines.
    RowSet of Row, RowSetIter
}

set_type! {
    /// A set of wall columns, for example the spaces of a row that take a tile.
    ///
    /// ```
    /// use azulejo_rules::{Column, ColumnSet};
    ///
    /// let columns: ColumnSet = [Column::Four, Column::Two].into_iter().collect();
    /// assert!(columns.contains(Column::Four) && !columns.contains(Column::One));
    /// assert_eq!(columns.iter().collect::<Vec<_>>(), [Column::Two, Column::Four]);
    /// ```
    ColumnSet of Column, ColumnSetIter
}

set_type! {
    /// A set of sources: the center and the factories.
    SourceSet of Source, SourceSetIter
}

set_type! {
    /// A set of destinations of a draft: pattern lines and the floor.
    DestinationSet of Destination, DestinationSetIter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_in_order_from_both_ends() {
        let set: DestinationSet =
            [Destination::Floor, Destination::Line(Row::Two)].into_iter().collect();
        assert_eq!((set.bits(), set.len()), (0b100010, 2));
        assert_eq!(set.first(), Some(Destination::Line(Row::Two)));
        assert_eq!(set.iter().next_back(), Some(Destination::Floor));
        assert_eq!(set.iter().rev().count(), 2);
        assert_eq!(format!("{set:?}"), "{Line(Two), Floor}");
        assert_eq!(DestinationSet::EMPTY.iter().next_back(), None);
        assert!(SourceSet::ALL.into_iter().eq(Source::ALL));
        assert!(RowSet::ALL.into_iter().eq(Row::ALL));
    }
}
