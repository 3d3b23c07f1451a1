//! Rejections: why a game does not accept a command. Each has a code for programs and a sentence for
//! people. A rejected command changes nothing.

use crate::decide::{MAX_EVENTS, MAX_MOVES};
use azulejo_rules::IllegalMove;

/// Why a command was rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The game waits for players.
    #[error("the game has not started: it waits for players")]
    NotStarted,
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The game has reached the limit of its length.
    #[error(
        "the game has reached the limit of {MAX_MOVES} moves or {MAX_EVENTS} events and is closed \
         without a result"
    )]
    TooLong,
    /// The game is not over.
    #[error("the game is not over yet")]
    NotOver,
    /// The caller has no seat.
    #[error("you have no seat in this game")]
    NotSeated,
    /// The seat belongs to somebody else.
    #[error("seat {0} is not yours")]
    NotYourSeat(u8),
    /// It is not the seat's turn.
    #[error("it is seat {turn}'s turn")]
    NotYourTurn {
        /// Whose turn it is.
        turn: u8,
    },
    /// The client has not seen everything that changed the position.
    #[error("the position changed in event {number}, which you have not seen")]
    Stale {
        /// The last event that changed the position.
        number: u64,
    },
    /// The text is not a move.
    #[error("{0}")]
    NotAMove(String),
    /// The move is against the rules.
    #[error("{m} is illegal: {reason}")]
    Illegal {
        /// The move.
        m: String,
        /// Why.
        reason: IllegalMove,
    },
    /// The id was used for another move.
    #[error("this move id was used for another move")]
    MoveIdReused,
    /// The id is empty, too long, or has other characters.
    #[error("a move id has 1 to 64 letters, digits, `-` or `_`")]
    BadMoveId,
    /// The game is played without take-backs.
    #[error("this game is played without take-backs")]
    NoTakebacks,
    /// The game is played without hints.
    #[error("this game is played without hints")]
    NoHints,
    /// The player has not moved.
    #[error("you have no move to take back")]
    NothingToTakeBack,
    /// The tiles of the next round are already known.
    #[error("the next round has been dealt since your last move, so it cannot be taken back")]
    AcrossDeal,
    /// Nobody has asked for a take-back.
    #[error("nobody has asked for a take-back")]
    NothingAsked,
    /// The player has already asked.
    #[error("you have already asked")]
    AlreadyAsked,
    /// There is no such seat.
    #[error("there is no seat {0}")]
    NoSuchSeat(u8),
    /// Somebody holds the seat.
    #[error("seat {0} is taken")]
    SeatTaken(u8),
    /// All seats are taken.
    #[error("every seat is taken")]
    Full,
    /// The person has a seat in this game.
    #[error("you already have a seat in this game")]
    AlreadySeated,
    /// A private game needs an invitation.
    #[error("this seat needs an invitation link")]
    NotInvited,
    /// A move has been played.
    #[error("the game has begun; resign instead")]
    AlreadyBegun,
    /// The seat has just said something, or the log is too long for more phrases.
    #[error("too many messages; wait a moment")]
    TooChatty,
    /// A rematch already exists.
    #[error("the rematch already exists: {0}")]
    RematchExists(String),
}

impl Rejection {
    /// The code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Rejection::NotStarted => "not_started",
            Rejection::GameOver => "game_over",
            Rejection::TooLong => "too_long",
            Rejection::NotOver => "not_over",
            Rejection::NotSeated => "not_seated",
            Rejection::NotYourSeat(_) => "not_your_seat",
            Rejection::NotYourTurn { .. } => "not_your_turn",
            Rejection::Stale { .. } => "stale",
            Rejection::NotAMove(_) => "not_a_move",
            Rejection::Illegal { .. } => "illegal_move",
            Rejection::MoveIdReused => "move_id_reused",
            Rejection::BadMoveId => "bad_move_id",
            Rejection::NoTakebacks => "no_takebacks",
            Rejection::NoHints => "forbidden",
            Rejection::NothingToTakeBack => "nothing_to_take_back",
            Rejection::AcrossDeal => "across_deal",
            Rejection::NothingAsked => "nothing_asked",
            Rejection::AlreadyAsked => "already_asked",
            Rejection::NoSuchSeat(_) => "no_such_seat",
            Rejection::SeatTaken(_) => "seat_taken",
            Rejection::Full => "full",
            Rejection::AlreadySeated => "already_seated",
            Rejection::NotInvited => "not_invited",
            Rejection::AlreadyBegun => "already_begun",
            Rejection::TooChatty => "too_chatty",
            Rejection::RematchExists(_) => "rematch_exists",
        }
    }

    /// The code of the rule that an illegal move breaks.
    #[must_use]
    pub const fn illegal_code(&self) -> Option<&'static str> {
        match self {
            Rejection::Illegal { reason, .. } => Some(reason.code()),
            _ => None,
        }
    }
}
