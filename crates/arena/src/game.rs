//! One game between engine processes: deals from the seed, moves from the engines, the result.

use crate::client::{Client, EngineLimits, Halt};
use crate::contest::Contest;
use crate::fault::Fault;
use crate::luck::LuckMeter;
use crate::schedule::ScheduledGame;
use azulejo_notation::{Dealer, Record};
use azulejo_rules::{Move, Phase, Rules, Seat};
use std::collections::BTreeMap;
use std::time::Duration;

/// Games are stopped after this many rounds and count as a shared victory: some house rules let
/// everybody play to the floor forever.
pub(crate) const MAX_ROUNDS: u16 = 500;

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameResult {
    /// Its place in the schedule.
    pub game: ScheduledGame,
    /// The record, with names and tags.
    pub record: Record,
    /// How it ended.
    pub ending: Ending,
    /// By seat, the share of the victory; the shares add up to 1.
    pub shares: Vec<f64>,
    /// By seat, the rank from 1; ties have the mean of their ranks.
    pub ranks: Vec<f64>,
    /// By seat, the luck of the deals, as win probability; empty if it was not measured.
    pub luck: Vec<f64>,
    /// By seat, the statistics of its searches.
    pub thinking: Vec<Thinking>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules, with these scores.
    Played(Vec<u16>),
    /// A seat lost by a fault.
    Forfeit(Seat, Fault),
    /// It was stopped after too many rounds.
    Endless,
}

/// Time, depth and nodes of the searches of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Thinking {
    /// The number of moves.
    pub n_moves: u64,
    /// The total time.
    pub time: Duration,
    /// The time of the slowest move.
    pub worst: Duration,
    /// The sum of the reported depths, and the number of reports.
    pub depths: (u64, u64),
    /// The sum of the reported nodes, and the time of those moves.
    pub nodes: (u64, Duration),
}

impl Thinking {
    /// Adds the moves of another game.
    pub fn add(&mut self, other: &Thinking) {
        self.n_moves += other.n_moves;
        self.time += other.time;
        self.worst = self.worst.max(other.worst);
        self.depths = (self.depths.0 + other.depths.0, self.depths.1 + other.depths.1);
        self.nodes = (self.nodes.0.saturating_add(other.nodes.0), self.nodes.1 + other.nodes.1);
    }

    /// The mean time of a move in milliseconds.
    #[must_use]
    pub fn mean_ms(&self) -> Option<f64> {
        (self.n_moves > 0).then(|| self.time.as_secs_f64() * 1000.0 / self.n_moves as f64)
    }

    /// The mean depth.
    #[must_use]
    pub fn mean_depth(&self) -> Option<f64> {
        (self.depths.1 > 0).then(|| self.depths.0 as f64 / self.depths.1 as f64)
    }

    /// Nodes per second.
    #[must_use]
    pub fn nps(&self) -> Option<f64> {
        let seconds = self.nodes.1.as_secs_f64();
        (seconds > 0.0).then(|| self.nodes.0 as f64 / seconds)
    }
}

/// Plays one game after another and keeps the engine processes.
pub(crate) struct GameRunner<'a> {
    contest: &'a Contest,
    limits: EngineLimits<'a>,
    /// By engine and number among its seats; `None` if it must be started.
    clients: BTreeMap<(usize, usize), Option<Client>>,
    /// `None` if luck is not measured.
    luck_meter: Option<LuckMeter>,
}

/// The match was stopped before the game was over.
pub(crate) struct Stopped;

impl<'a> GameRunner<'a> {
    pub(crate) fn new(contest: &'a Contest, limits: EngineLimits<'a>) -> GameRunner<'a> {
        let luck_meter = contest.luck_nodes.map(LuckMeter::new);
        GameRunner { contest, limits, clients: BTreeMap::new(), luck_meter }
    }

    /// Plays a game.
    pub(crate) fn play(&mut self, game: ScheduledGame) -> Result<GameResult, Stopped> {
        let (record, dealer) = self.contest.new_record(&game);
        let n_seats = game.engines.len();
        let engines = game.engines.iter();
        let mut state = GameState {
            clocks: engines.map(|&i| self.contest.engines[i].limits.clock_ms).collect(),
            game,
            dealer,
            record,
            thinking: vec![Thinking::default(); n_seats],
        };
        match self.play_on(&mut state) {
            Ok(ending) => Ok(self.finish(state, ending)),
            Err((_, Halt::Stopped)) => Err(Stopped),
            Err((seat, Halt::Fault(fault))) => {
                // The state of the process is unknown, so the next game starts a new one.
                *self.client(&state.game, seat) = None;
                Ok(self.finish(state, Ending::Forfeit(seat, fault)))
            }
        }
    }

    fn play_on(&mut self, state: &mut GameState) -> Result<Ending, (Seat, Halt)> {
        for &seat in self.contest.rules.players().seats() {
            self.get_ready(state, seat).map_err(|halt| (seat, halt))?;
        }
        loop {
            let position = *state.record.final_position();
            match position.phase() {
                Phase::Over(_) => {
                    let scores = position.boards().iter().map(azulejo_rules::Board::score);
                    return Ok(Ending::Played(scores.collect()));
                }
                Phase::Deal if position.round() > MAX_ROUNDS => return Ok(Ending::Endless),
                Phase::Deal => {
                    let deal = state.dealer.deal(&position).expect("the dealer follows the game");
                    state.record.deal(&deal).expect("the dealer deals what there is");
                }
                Phase::Draft | Phase::Tiling(_) => {
                    let seat = position.turn();
                    let m = self.ask(state, seat).map_err(|halt| (seat, halt))?;
                    let played = state.record.play(m);
                    played.map_err(|why| (seat, Fault::Illegal { m, why }.into()))?;
                }
            }
        }
    }

    fn get_ready(&mut self, state: &GameState, seat: Seat) -> Result<(), Halt> {
        let engine_limits = self.limits;
        let contest = self.contest;
        let engine = &contest.engines[state.game.engines[seat.index()]];
        let place = self.client(&state.game, seat);
        let client = match place {
            Some(client) => client,
            None => place.insert(Client::start(engine, engine_limits)?),
        };
        client.new_game(engine_limits)
    }

    /// Asks a seat for its move and measures the time.
    fn ask(&mut self, state: &mut GameState, seat: Seat) -> Result<Move, Halt> {
        let engine_limits = self.limits;
        let contest = self.contest;
        let engine = &contest.engines[state.game.engines[seat.index()]];
        let clock = &mut state.clocks[seat.index()];
        let go = engine.limits.go(*clock);
        let limit = engine.limits.time(*clock).map(|time| time + engine.margin);
        let client = self.client(&state.game, seat).as_mut().expect("all engines are ready");
        let reply = client.search(state.record.final_position(), go, limit, engine_limits)?;
        if let Some(left) = clock {
            let used = u64::try_from(reply.time.as_millis()).unwrap_or(u64::MAX);
            *left = left.saturating_sub(used) + engine.limits.increment_ms.unwrap_or(0);
        }
        let thinking = &mut state.thinking[seat.index()];
        thinking.add(&Thinking {
            n_moves: 1,
            time: reply.time,
            worst: reply.time,
            depths: reply.info.depth.map_or((0, 0), |depth| (depth.into(), 1)),
            nodes: reply.info.nodes.map_or((0, Duration::ZERO), |nodes| (nodes, reply.time)),
        });
        Ok(reply.m)
    }

    fn finish(&mut self, play: GameState, ending: Ending) -> GameResult {
        let GameState { game, mut record, thinking, .. } = play;
        let (shares, ranks) = shares_and_ranks(&record, &ending);
        let luck = self.luck_meter.as_mut().map_or(Vec::new(), |meter| meter.of_game(&record));
        write_tags(&mut record, &game, &ending, &shares, self.contest);
        GameResult { game, record, ending, shares, ranks, luck, thinking }
    }

    /// The process of a seat. An engine with several seats has a process for each.
    fn client(&mut self, game: &ScheduledGame, seat: Seat) -> &mut Option<Client> {
        let engine = game.engines[seat.index()];
        let before = game.engines[..seat.index()].iter().filter(|&&other| other == engine);
        self.clients.entry((engine, before.count())).or_default()
    }
}

/// A game under way.
struct GameState {
    game: ScheduledGame,
    dealer: Dealer,
    record: Record,
    /// By seat, the milliseconds left on its clock, if it has one.
    clocks: Vec<Option<u64>>,
    thinking: Vec<Thinking>,
}

/// Shares of the victory and ranks by seat.
pub(crate) fn shares_and_ranks(record: &Record, ending: &Ending) -> (Vec<f64>, Vec<f64>) {
    let n_seats = record.rules().players().count();
    let places: Vec<u8> = match (ending, record.final_position().outcome()) {
        (Ending::Played(_), Some(outcome)) => outcome.ranks.to_vec(),
        // The seat that forfeits is last; the others share the victory.
        (Ending::Forfeit(loser, _), _) => {
            (0..n_seats).map(|i| if i == loser.index() { n_seats as u8 } else { 1 }).collect()
        }
        _ => vec![1; n_seats],
    };
    let equal = |place: u8| places.iter().filter(|&&other| other == place).count() as f64;
    let share = |&place: &u8| if place == 1 { 1.0 / equal(1) } else { 0.0 };
    let rank = |&place: &u8| f64::from(place) + (equal(place) - 1.0) / 2.0;
    (places.iter().map(share).collect(), places.iter().map(rank).collect())
}

/// Writes names, game number and result into the record.
fn write_tags(
    record: &mut Record,
    game: &ScheduledGame,
    ending: &Ending,
    shares: &[f64],
    contest: &Contest,
) {
    record.set_seed(Some(game.seed.clone()));
    let rules: Rules = *record.rules();
    let seats = rules.players().seats();
    for (&seat, &engine) in seats.iter().zip(&game.engines) {
        // A name that is not allowed in a record is left out.
        let _ = record.set_name(seat, &contest.engines[engine].name);
    }
    let winners = seats.iter().zip(shares).filter(|(_, share)| **share > 0.0);
    let winners: Vec<_> = winners.map(|(seat, _)| seat.to_string()).collect();
    let mut tags = vec![
        ("Event", "azulejo arena".to_owned()),
        ("Game", format!("{}.{}", game.shuffle, game.rotation)),
        ("Winners", winners.join(" ")),
    ];
    match ending {
        Ending::Played(_) => {}
        Ending::Forfeit(seat, fault) => {
            tags.push(("Forfeit", format!("{seat} {}", fault.code())));
            tags.push(("Reason", format!("seat {seat} {fault}")));
        }
        Ending::Endless => {
            tags.push(("Reason", format!("stopped after {MAX_ROUNDS} rounds")));
        }
    }
    for (name, value) in tags {
        let value: String = value.replace(char::is_control, " ").chars().take(500).collect();
        record.set_tag(name, &value).expect("these tags are short and plain");
    }
}
