//! A game as one viewer sees it, and its line in lists.

use crate::view::moves::{Blocked, LegalMove, blocked, moves};
use crate::view::position::PositionView;
use crate::view::step::StepView;
use crate::{ClockSpec, Game, GameResult, Holder, LeaveReason, SeedBy, Status};
use azulejo_rules::Board;
use serde::{Deserialize, Serialize};

/// Who is connected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Presence {
    /// Whether each seat is connected, by seat; engines always are.
    pub seats: Vec<bool>,
    /// The number of connected people without a seat.
    pub watchers: u32,
}

/// Everything a user interface needs to show a game and to let its viewer play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameView {
    /// The id. It is also the key to watch the game.
    pub id: String,
    /// The number of the last event.
    pub number: u64,
    /// The stage of the game.
    pub status: Status,
    /// The seats.
    pub seats: Vec<SeatView>,
    /// The seats of the viewer.
    pub your_seats: Vec<u8>,
    /// Whether the viewer created the game, and may make new invitations.
    pub is_creator: bool,
    /// The position; while the game waits for players, before the first deal.
    pub position: PositionView,
    /// Whether the viewer is to move. Then `moves` and `blocked` are filled.
    pub your_turn: bool,
    /// The legal moves, if the viewer is to move.
    pub moves: Vec<LegalMove>,
    /// The lines that do not take a pick, with the reason, if the viewer is to move.
    pub blocked: Vec<Blocked>,
    /// The last move, if there is one.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub last_move: Option<String>,
    /// The number of moves played and not taken back.
    pub n_moves: usize,
    /// The steps of the last move, and of the deal that followed it.
    pub report: Vec<StepView>,
    /// The clocks.
    pub clock: ClockView,
    /// The open take-back request.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub takeback: Option<TakebackView>,
    /// Whether moves may be taken back.
    pub takebacks: bool,
    /// Whether players may ask for hints.
    pub hints: bool,
    /// Whether the lobby lists the game.
    pub listed: bool,
    /// The commitment to the deals.
    pub fair: FairView,
    /// The result, if the game is over.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub result: Option<GameResult>,
    /// The id of the rematch, if there is one.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub rematch: Option<String>,
    /// The id of the game of which this is the rematch.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub rematch_of: Option<String>,
    /// The date of the daily deal that the game is.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub daily: Option<String>,
    /// Who is connected.
    pub presence: Presence,
    /// When it was created, in milliseconds since 1970.
    pub created_ms: i64,
    /// When the last event happened.
    pub updated_ms: i64,
}

/// A seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatView {
    /// Its number, from 1.
    pub seat: u8,
    /// Who holds it.
    pub kind: HolderKind,
    /// The name to show. It is untrusted text, never markup.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub name: Option<String>,
    /// The level of an engine.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub level: Option<u8>,
    /// Why the seat left the game.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub left: Option<LeaveReason>,
}

/// Who holds a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum HolderKind {
    /// Nobody yet.
    Open,
    /// Nobody yet; the seat is reserved for one person.
    Reserved,
    /// A person.
    Person,
    /// The engine.
    Engine,
}

/// The clocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClockView {
    /// The time control.
    pub terms: ClockSpec,
    /// The time left by seat, in milliseconds; empty without a clock.
    pub left_ms: Vec<i64>,
    /// The seat whose clock runs.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub running: Option<u8>,
    /// The server's time, in milliseconds since 1970.
    pub now_ms: i64,
}

/// A take-back request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TakebackView {
    /// The seat that asks.
    pub seat: u8,
    /// The seats that have agreed.
    pub agreed: Vec<u8>,
}

/// The commitment to the deals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FairView {
    /// The SHA-256 hash of `azulejo seed ` and the seed, in hexadecimal digits.
    pub seed_hash: String,
    /// Who chose the seed.
    pub seed_by: SeedBy,
    /// The seed, once the game is over.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub seed: Option<String>,
}

impl GameView {
    /// A game as a person (or a spectator, for `None`) sees it at a time.
    #[must_use]
    pub fn new(game: &Game, person: Option<&str>, presence: &Presence, now_ms: i64) -> GameView {
        let mut view = GameView::without_moves(game, person, presence, now_ms);
        if view.your_turn {
            view.moves = moves(&game.position);
            view.blocked = blocked(&game.position);
        }
        view
    }

    /// The same without `moves` and `blocked`, which take most of the time.
    pub(super) fn without_moves(
        game: &Game,
        person: Option<&str>,
        presence: &Presence,
        now_ms: i64,
    ) -> GameView {
        let your_seats: Vec<u8> = game.seats_of(person).collect();
        let your_turn = game.engine_turn().is_none()
            && game.turn().is_some_and(|turn| your_seats.contains(&turn));
        GameView {
            id: game.id.to_string(),
            number: game.number,
            status: game.status(),
            seats: seats(game),
            your_seats,
            is_creator: person == Some(game.settings.creator.as_str()),
            position: PositionView::new(&game.position),
            your_turn,
            moves: Vec::new(),
            blocked: Vec::new(),
            last_move: game.plies.last().map(|ply| ply.m.to_string()),
            n_moves: game.plies.len(),
            report: game.report.iter().map(StepView::new).collect(),
            clock: ClockView::new(game, now_ms),
            takeback: game
                .takeback
                .as_ref()
                .map(|asked| TakebackView { seat: asked.seat, agreed: asked.agreed.clone() }),
            takebacks: game.settings.takebacks,
            hints: game.settings.hints,
            listed: game.settings.listed,
            fair: FairView {
                seed_hash: game.settings.seed_hash.clone(),
                seed_by: game.settings.seed_by,
                seed: game.public_seed().map(ToString::to_string),
            },
            result: game.result(),
            rematch: game.rematch.as_deref().map(str::to_owned),
            rematch_of: game.settings.rematch_of.clone(),
            daily: game.settings.daily.clone(),
            presence: presence.clone(),
            created_ms: game.created_ms,
            updated_ms: game.at_ms,
        }
    }
}

fn seats(game: &Game) -> Vec<SeatView> {
    (1..)
        .zip(&game.seats)
        .map(|(seat, state)| {
            let (kind, level) = match state.holder {
                Holder::Vacant => (HolderKind::Open, None),
                Holder::Reserved { .. } => (HolderKind::Reserved, None),
                Holder::Person { .. } => (HolderKind::Person, None),
                Holder::Engine { level } => (HolderKind::Engine, Some(level)),
            };
            SeatView { seat, kind, name: state.name(), level, left: state.left }
        })
        .collect()
}

impl ClockView {
    fn new(game: &Game, now_ms: i64) -> ClockView {
        let terms = game.settings.clock;
        let running = game.deadline_ms().and(game.turn());
        let left_ms = match terms {
            ClockSpec::None => Vec::new(),
            _ => (1..)
                .zip(&game.left_ms[..game.seats.len()])
                .map(|(seat, &left)| {
                    let used = if running == Some(seat) { now_ms - game.since_ms } else { 0 };
                    (left - used.max(0)).max(0)
                })
                .collect(),
        };
        ClockView { terms, left_ms, running, now_ms }
    }
}

/// A line in a list of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SummaryView {
    /// The id.
    pub id: String,
    /// The stage of the game.
    pub status: Status,
    /// The rule set in the notation.
    pub rules: String,
    /// The seats.
    pub seats: Vec<SeatView>,
    /// The seats of the viewer; only filled in the list of the viewer's own games.
    pub your_seats: Vec<u8>,
    /// The time control.
    pub clock: ClockSpec,
    /// The seat to move.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub turn: Option<u8>,
    /// The round.
    pub round: u16,
    /// The scores by seat.
    pub scores: Vec<u16>,
    /// The result, if the game is over.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub result: Option<GameResult>,
    /// The date of the daily deal that the game is.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub daily: Option<String>,
    /// The number of the last event.
    pub number: u64,
    /// When it was created, in milliseconds since 1970.
    pub created_ms: i64,
    /// When the last event happened.
    pub updated_ms: i64,
}

impl SummaryView {
    /// The summary of a game.
    #[must_use]
    pub fn new(game: &Game) -> SummaryView {
        SummaryView {
            id: game.id.to_string(),
            status: game.status(),
            rules: game.settings.rules.clone(),
            seats: seats(game),
            your_seats: Vec::new(),
            clock: game.settings.clock,
            turn: game.turn(),
            round: game.position.round(),
            scores: game.position.boards().iter().map(Board::score).collect(),
            result: game.result(),
            daily: game.settings.daily.clone(),
            number: game.number,
            created_ms: game.created_ms,
            updated_ms: game.at_ms,
        }
    }
}
