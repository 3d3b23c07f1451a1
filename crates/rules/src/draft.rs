//! Drafting: tiles move from a source to a line and the floor; and [`Glance`], a draft played on a
//! part of the position for the leaves of a search.

use crate::board::Board;
use crate::legal::joker_choices;
use crate::moves::{Draft, Pick};
use crate::names::{Color, Seat, Source, Tile};
use crate::offer::Offer;
use crate::position::Position;
use crate::sets::SourceSet;
use crate::tiles::Tiles;

/// The part of a position that a draft changes, without the lid and the seat to move: enough to
/// evaluate a leaf without making the position. A third of its size.
///
/// ```
/// use azulejo_rules::{Players, Position, Row, Rules, Seat, Source};
///
/// let mut position = Position::new(Rules::official(Players::Two), Seat::One);
/// position.deal(&"BBYR-KKKK-BYRK-YWWW-RRKK".parse()?)?;
/// let glance = position.glance("1B2".parse()?);
/// assert!(glance.board().line(Row::Two).is_full());
/// assert_eq!(glance.pile(Source::Center).to_string(), "YR");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Glance {
    offer: Offer,
    board: Board,
    marker: Option<Seat>,
}

impl Position {
    /// Plays a legal draft on the part of the position that it changes. After the last draft of a
    /// round the walls are not tiled yet.
    #[inline]
    #[must_use]
    pub fn glance(&self, draft: Draft) -> Glance {
        let (offer, board, marker) = (self.offer, *self.board(self.turn), self.marker);
        let mut glance = Glance { offer, board, marker };
        play(draft, self.turn, &mut glance.offer, &mut glance.board, &mut glance.marker);
        glance
    }
}

impl Glance {
    /// The board of the seat that drafted.
    #[inline]
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    getters! {
        /// Who holds the marker; `None` is the center.
        marker: Option<Seat>,
    }

    /// The tiles of a source.
    #[inline]
    #[must_use]
    pub const fn pile(&self, source: Source) -> Tiles {
        self.offer.pile(source)
    }

    /// The sources that hold tiles.
    #[inline]
    #[must_use]
    pub const fn filled_sources(&self) -> SourceSet {
        self.offer.filled_sources()
    }

    /// The number of pairs of a kind and a source that holds it.
    #[inline]
    #[must_use]
    pub const fn n_piles(&self) -> u32 {
        self.offer.n_piles()
    }
}

/// Where the tiles of a draft went.
pub(crate) struct Drafted {
    pub(crate) into_line: Tiles,
    pub(crate) to_lid: Tiles,
    /// What the source still held.
    pub(crate) rest: Tiles,
    pub(crate) takes_marker: bool,
}

/// Plays a legal draft of a seat, on its board.
#[inline(always)]
pub(crate) fn play(
    draft: Draft,
    seat: Seat,
    offer: &mut Offer,
    board: &mut Board,
    marker: &mut Option<Seat>,
) -> Drafted {
    // Two copies of the same code: in the one without jokers most of it is compiled away.
    match draft.pick {
        Pick::Color(color) => play_picked(draft, Some(color), false, seat, offer, board, marker),
        pick => play_picked(draft, pick.color(), true, seat, offer, board, marker),
    }
}

#[inline(always)]
fn play_picked(
    draft: Draft,
    color: Option<Color>,
    has_jokers: bool,
    seat: Seat,
    offer: &mut Offer,
    board: &mut Board,
    marker: &mut Option<Seat>,
) -> Drafted {
    let Draft { source, to, extra_jokers, .. } = draft;
    let taken = offer.take(source, color, has_jokers);
    let takes_marker = source == Source::Center && marker.is_none();
    *marker = if takes_marker { Some(seat) } else { *marker };

    let room = board.room(to);
    let n_entering = room.min(taken.colored + taken.jokers);
    let jokers_in = if !has_jokers {
        0
    } else {
        let choices = joker_choices(room, taken.colored, taken.jokers);
        choices.start + u32::from(extra_jokers)
    };
    let colored_in = n_entering - jokers_in;
    // A line that only jokers enter gets no color, even if the pick has one.
    let color_in = if jokers_in > 0 && colored_in == 0 { None } else { color };
    board.fill(to, room, color_in, n_entering, jokers_in);
    let (colored_down, jokers_down) = (taken.colored - colored_in, taken.jokers - jokers_in);
    let to_lid = board.drop(color, colored_down, jokers_down, *marker == Some(seat));
    let colored_tiles = color.map(|color| Tiles::of(color.into(), colored_in));
    let into_line = colored_tiles.unwrap_or_default() + Tiles::of(Tile::Joker, jokers_in);
    Drafted { into_line, to_lid, rest: taken.rest, takes_marker }
}
