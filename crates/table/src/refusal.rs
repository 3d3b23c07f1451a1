//! Why something cannot be done. Each reason has a code for programs and a sentence for people,
//! and nothing has changed.

use azulejo_rules::IllegalMove;

/// Why an action was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game waits for players.
    #[error("the game has not begun: a seat is free")]
    NotStarted,
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The game is not over.
    #[error("the game is not over yet")]
    NotOver,
    /// The one who asks has no seat.
    #[error("you have no seat in this game")]
    NotSeated,
    /// The seat belongs to another.
    #[error("seat {0} is not yours")]
    NotYourSeat(u8),
    /// It is not the seat's turn.
    #[error("it is the turn of seat {turn}")]
    NotYourTurn {
        /// Whose turn it is.
        turn: u8,
    },
    /// The client has not seen everything that changed the position.
    #[error("the position changed in event {number}, which you had not seen")]
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
    /// The id belongs to another move.
    #[error("the move id was used for another move")]
    MoveIdReused,
    /// The id is too long or empty, or has strange characters in it.
    #[error("a move id has 1 to 64 letters, digits, `-` and `_`")]
    BadMoveId,
    /// The game is played without take-backs.
    #[error("this game is played without take-backs")]
    NoTakebacks,
    /// There is no move of this seat to take back.
    #[error("there is no move of yours to take back")]
    NothingToTakeBack,
    /// The tiles of the next round are known already.
    #[error("the next round was dealt since your last move: between people it stays")]
    AcrossDeal,
    /// Nobody has asked for a take-back.
    #[error("nobody has asked to take a move back")]
    NothingAsked,
    /// The seat has asked already.
    #[error("you have asked already")]
    AlreadyAsked,
    /// There is no such seat.
    #[error("there is no seat {0}")]
    NoSuchSeat(u8),
    /// Somebody sits there.
    #[error("seat {0} is taken")]
    SeatTaken(u8),
    /// All seats are taken.
    #[error("every seat is taken")]
    Full,
    /// The person has a seat in this game.
    #[error("you sit in this game already")]
    AlreadySeated,
    /// A private game needs an invitation.
    #[error("this seat needs its invitation link")]
    NotInvited,
    /// Something was played.
    #[error("the game has begun: resign instead")]
    AlreadyBegun,
    /// Nobody else is there to hear it, or too much was said.
    #[error("enough was said for now")]
    TooChatty,
    /// The rematch exists.
    #[error("there is a rematch already: {0}")]
    RematchExists(String),
}

impl Refusal {
    /// The code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::NotStarted => "not_started",
            Refusal::GameOver => "game_over",
            Refusal::NotOver => "not_over",
            Refusal::NotSeated => "not_seated",
            Refusal::NotYourSeat(_) => "not_your_seat",
            Refusal::NotYourTurn { .. } => "not_your_turn",
            Refusal::Stale { .. } => "stale",
            Refusal::NotAMove(_) => "not_a_move",
            Refusal::Illegal { .. } => "illegal_move",
            Refusal::MoveIdReused => "move_id_reused",
            Refusal::BadMoveId => "bad_move_id",
            Refusal::NoTakebacks => "no_takebacks",
            Refusal::NothingToTakeBack => "nothing_to_take_back",
            Refusal::AcrossDeal => "across_deal",
            Refusal::NothingAsked => "nothing_asked",
            Refusal::AlreadyAsked => "already_asked",
            Refusal::NoSuchSeat(_) => "no_such_seat",
            Refusal::SeatTaken(_) => "seat_taken",
            Refusal::Full => "full",
            Refusal::AlreadySeated => "already_seated",
            Refusal::NotInvited => "not_invited",
            Refusal::AlreadyBegun => "already_begun",
            Refusal::TooChatty => "too_chatty",
            Refusal::RematchExists(_) => "rematch_exists",
        }
    }

    /// Why the move is against the rules, for programs.
    #[must_use]
    pub const fn illegal_code(&self) -> Option<&'static str> {
        match self {
            Refusal::Illegal { reason, .. } => Some(reason.code()),
            _ => None,
        }
    }
}
