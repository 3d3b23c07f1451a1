//! Random games of the rules: the rule sets they are played under, players with different habits,
//! and a record that a failing test prints.
//!
//! A game is its seed and nothing else. `AZULEJO_SEED=n` plays only the game of that seed.

use crate::Rng;
use azulejo_rules::{
    BoardSetup, Color, Column, Deal, Destination, Draft, EndedBy, FACTORY_SIZE, Fault, Move, Phase,
    Position, Row, Rules, Setup, Step, Tile, Tiles, WallKind,
};
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// The rule sets that the games go through in turn: both walls with and without jokers for each
/// number of players, the presets, and keys that change how a game runs dry or what it pays.
pub const RULE_SETS: [&str; 31] = [
    "2c",
    "3c",
    "4c",
    "2g",
    "3g",
    "4g",
    "2cj",
    "3cj",
    "4cj",
    "2gj",
    "3gj",
    "4gj",
    "2c-overview",
    "3g-overview",
    "4gj-overview",
    "2cj-quick-guide",
    "3g-quick-guide",
    "4c-quick-guide",
    "2c-duel",
    "2gj-duel",
    "4c-whole",
    "4g-whole",
    "3cj-whole",
    "4gj-whole",
    "2g-stall1",
    "4c-stall2",
    "3gj-stall255",
    "3c-stall0",
    "4gj-stall0",
    "2c-first2-row255-col0-five255-floor9876543",
    "4g-col9-bottom200-floor0000000-neighbors-whole-stall3",
];

/// Without the stall rule no end is certain; such a game is cut off after this round.
const LAST_ROUND_WITHOUT_STALL: u16 = 60;

/// The habits of the players of one game. Uniform moves alone hardly ever meet a shortage of
/// tiles, a dead position or a stall.
#[derive(Clone, Copy)]
enum Habit {
    /// Any move.
    Any,
    /// Lines, without overflow.
    Build,
    /// Lines that stay unfinished.
    Hoard,
    /// The floor.
    Dump,
}

const HABITS: [Habit; 6] =
    [Habit::Any, Habit::Any, Habit::Build, Habit::Hoard, Habit::Hoard, Habit::Dump];

impl Habit {
    fn likes(self, position: &Position, m: Move) -> bool {
        let Move::Draft(Draft { source, pick, to, .. }) = m else { return true };
        let pile = position.pile(source);
        let jokers = if pick.has_jokers() { pile.count(Tile::Joker) } else { 0 };
        let n_tiles = jokers + pick.color().map_or(0, |color| pile.count(color.into()));
        let room = match to {
            Destination::Line(row) => position.board(position.turn()).line(row).room(),
            Destination::Floor => 0,
        };
        match self {
            Habit::Any => true,
            Habit::Build => n_tiles <= room,
            Habit::Hoard => n_tiles < room,
            Habit::Dump => to == Destination::Floor,
        }
    }
}

/// What happens next in a game.
#[derive(Clone, Copy)]
pub enum Action {
    /// A deal.
    Deal(Deal),
    /// A move.
    Move(Move),
}

/// What a run has met, by the places of `SIGHTS`: a run that never saw a line fall says nothing
/// about falling lines.
pub type Sights = [u64; SIGHTS.len()];

const SIGHTS: [&str; 15] = [
    "games",
    "steps",
    "ends by a row",
    "ends without tiles",
    "dead positions",
    "stalls",
    "short deals",
    "pourings of the lid",
    "lines that fell",
    "wall choices",
    "jokers placed",
    "drafts with extra jokers",
    "tiles beyond the floor",
    "markers beside a full floor",
    "rounds with the marker untouched",
];

/// A random game under way. If the test fails, it prints how to come back to this point.
pub struct RandomGame {
    /// The position now.
    pub position: Position,
    /// What it has met so far.
    pub sights: Sights,
    rng: Rng,
    seed: u64,
    habit: Habit,
    start: Position,
    actions: Vec<Action>,
    last_round: u32,
    marker_taken: bool,
}

impl RandomGame {
    /// The game of a seed before its first deal.
    pub fn new(seed: u64) -> RandomGame {
        let mut rng = Rng::new(seed);
        let text = RULE_SETS[(seed % RULE_SETS.len() as u64) as usize];
        let rules: Rules = text.parse().expect("the rule sets are well written");
        assert_eq!(rules.to_string(), text, "the rule sets are canonical");
        let starter = rng.pick(rules.players().seats());
        // One game in three begins late, where tiles are scarce.
        let start = match rng.below(6) {
            0 => crowded_position(rules, &mut rng),
            1 => littered_position(rules, &mut rng),
            _ => Position::new(rules, starter),
        };
        // Without a full row a wall has at most 20 tiles, and one must come in `stall` rounds.
        let placing_rounds = 20 * rules.players().count() as u32 + 1;
        let last_round = u32::from(start.round()) + placing_rounds * u32::from(rules.stall_rounds);
        RandomGame {
            position: start,
            sights: [0; SIGHTS.len()],
            habit: rng.pick(&HABITS),
            rng,
            seed,
            start,
            actions: Vec::new(),
            last_round,
            marker_taken: false,
        }
    }

    /// Chooses the next action; `None` at the end of the game.
    ///
    /// # Panics
    /// If the game should have ended long ago.
    pub fn next_action(&mut self) -> Option<Action> {
        let position = &self.position;
        let stall_rounds = position.rules().stall_rounds;
        if stall_rounds == 0 && position.round() > LAST_ROUND_WITHOUT_STALL {
            return None;
        }
        assert!(stall_rounds == 0 || u32::from(position.round()) <= self.last_round, "no end");
        let action = match position.phase() {
            Phase::Over(_) => return None,
            Phase::Deal => Action::Deal(position.draw_deal(|n| self.rng.below(n))),
            Phase::Draft | Phase::Tiling(_) => Action::Move(self.choose_move()),
        };
        self.actions.push(action);
        Some(action)
    }

    fn choose_move(&mut self) -> Move {
        let moves = self.position.legal_moves();
        // A habit is broken now and then: pure ones never get anywhere.
        let habit = if self.rng.below(6) == 0 { Habit::Any } else { self.habit };
        let liked: Vec<Move> =
            moves.iter().copied().filter(|&m| habit.likes(&self.position, m)).collect();
        self.rng.pick(if liked.is_empty() { &moves } else { &liked })
    }

    /// Plays an action and returns what it reported.
    pub fn play(&mut self, action: Action) -> Vec<Step> {
        let mut report = Vec::new();
        let before = self.position;
        match action {
            Action::Deal(deal) => {
                self.position.deal_with(&deal, |step| report.push(step)).expect("it was drawn");
            }
            Action::Move(m) => {
                self.position.play_with(m, |step| report.push(step)).expect("it is legal");
            }
        }
        self.note_action(action);
        report.iter().for_each(|step| self.note_step(&before, step));
        report
    }

    fn note(&mut self, sight: &str, is_seen: bool) {
        let place = SIGHTS.iter().position(|&name| name == sight);
        self.sights[place.expect("every sight is in the list")] += u64::from(is_seen);
    }

    fn note_action(&mut self, action: Action) {
        self.note("games", self.actions.len() == 1);
        self.note("steps", true);
        match action {
            Action::Move(Move::Place { .. }) => self.note("wall choices", true),
            Action::Move(Move::Draft(draft)) => {
                self.note("drafts with extra jokers", draft.extra_jokers > 0);
            }
            Action::Deal(_) => {}
        }
    }

    fn note_step(&mut self, before: &Position, step: &Step) {
        match *step {
            Step::Dealt { deal, poured, .. } => {
                let all = FACTORY_SIZE * before.rules().players().factories() as u32;
                self.note("short deals", deal.total().total() < all);
                self.note("pourings of the lid", poured.is_some());
            }
            Step::Drafted { seat, to_lid, takes_marker, .. } => {
                let was_full = before.board(seat).floor().total() == 7;
                self.note("tiles beyond the floor", !to_lid.is_empty());
                self.note("markers beside a full floor", takes_marker && was_full);
                self.marker_taken |= takes_marker;
            }
            Step::Placed { tile, .. } => self.note("jokers placed", tile == Tile::Joker),
            Step::Spilled { .. } => self.note("lines that fell", true),
            Step::RoundEnded { .. } => {
                let was_taken = std::mem::take(&mut self.marker_taken);
                self.note("rounds with the marker untouched", !was_taken);
            }
            Step::GameEnded { by: EndedBy::Row } => self.note("ends by a row", true),
            Step::GameEnded { by: EndedBy::NoTiles } => self.note("ends without tiles", true),
            Step::GameEnded { by: EndedBy::DeadPosition } => self.note("dead positions", true),
            Step::GameEnded { by: EndedBy::Stall } => self.note("stalls", true),
            Step::FloorCleared { .. } | Step::BonusesScored { .. } => {}
        }
    }
}

impl Drop for RandomGame {
    fn drop(&mut self) {
        if !thread::panicking() {
            return;
        }
        let words = self.actions.iter().map(|action| match action {
            Action::Deal(deal) => format!("\n  {deal}"),
            Action::Move(m) => m.to_string(),
        });
        eprintln!(
            "\nAZULEJO_SEED={} rules {}\nstart {}\nsteps {}\nposition {}",
            self.seed,
            self.start.rules(),
            self.start,
            words.collect::<Vec<_>>().join(" "),
            self.position
        );
    }
}

/// A run of this number of games must meet everything in [`SIGHTS`].
const ENOUGH_GAMES: u64 = 2000;

/// Plays the games of all seeds from 0, as many as the environment variable says, on all cores.
///
/// # Panics
/// If a game fails, or if a long run has not met everything.
pub fn each_game(variable: &str, default: u64, play: impl Fn(u64) -> Sights + Sync) {
    if let Some(seed) = number_from("AZULEJO_SEED") {
        play(seed);
        return;
    }
    let n_games = number_from(variable).unwrap_or(default);
    let next = AtomicU64::new(0);
    let total = Mutex::new([0; SIGHTS.len()]);
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= n_games {
                return;
            }
            let sights = play(seed);
            let mut total = total.lock().expect("no game fails while it holds this");
            total.iter_mut().zip(sights).for_each(|(sum, n)| *sum += n);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let total = total.into_inner().expect("no game failed");
    let lines = SIGHTS.iter().zip(total).map(|(name, n)| format!("{n:>12} {name}\n"));
    println!("{}", lines.collect::<String>());
    let missing = SIGHTS.iter().zip(total).find(|&(_, n)| n == 0 && n_games >= ENOUGH_GAMES);
    assert_eq!(missing, None, "{n_games} games should meet everything");
}

/// The number in an environment variable, if it is set.
///
/// # Panics
/// If it is not a number: a run of the wrong length would go unnoticed.
pub fn number_from<T: FromStr>(variable: &str) -> Option<T> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")))
}

/// A position between two rounds with crowded boards, so that few tiles are left to deal. It need
/// not come from play.
pub fn crowded_position(rules: Rules, rng: &mut Rng) -> Position {
    loop {
        let starter = rng.pick(rules.players().seats());
        let mut setup = Setup::from(&Position::new(rules, starter));
        setup.round = 5 + rng.below(4) as u16;
        let most_dry = if rules.stall_rounds == 0 { 3 } else { rules.stall_rounds.min(3) };
        setup.dry_rounds = 1 + rng.below(most_dry.into()) as u8;
        // Boards that wait for one color alone are close to a dead position.
        let hoarded = (rng.below(3) == 0).then(|| rng.pick(&Color::ALL));
        let percent = rng.pick(&[30, 60, 80, 90, 95, 98]);
        for board in &mut setup.boards {
            board.score = rng.below(60) as u16;
            for row in Row::ALL {
                crowd_wall(board, row, hoarded, percent, &rules, &mut setup.bag, rng);
                crowd_line(board, row, hoarded, percent, &rules, &mut setup.bag, rng);
            }
        }
        let percent_to_lid = rng.pick(&[0, 50, 90, 100]);
        for tile in setup.bag.each() {
            if rng.below(100) < percent_to_lid {
                setup.bag -= Tiles::of(tile, 1);
                setup.lid += Tiles::of(tile, 1);
            }
        }
        match setup.validate() {
            Ok(position) => return position,
            Err(error) => {
                let is_over = |fault: &Fault| matches!(fault, Fault::GameShouldBeOver(_));
                assert!(error.faults().iter().all(is_over), "{setup}: {error}");
            }
        }
    }
}

/// A crowded position at the start of a draft with tiles on the floors already: play alone hardly
/// ever brings a full floor and an untouched marker together.
pub fn littered_position(rules: Rules, rng: &mut Rng) -> Position {
    let mut position = crowded_position(rules, rng);
    position.deal_unchecked(&position.draw_deal(|n| rng.below(n)));
    let mut setup = Setup::from(&position);
    setup.turn = rng.pick(rules.players().seats());
    for board in &mut setup.boards {
        for _ in 0..rng.below(12).min(7) {
            let pile = if setup.bag.is_empty() { &mut setup.lid } else { &mut setup.bag };
            let Some(tile) = pile.each().next() else { break };
            *pile -= Tiles::of(tile, 1);
            board.floor += Tiles::of(tile, 1);
        }
    }
    setup.validate().unwrap_or_else(|faults| panic!("{setup}: {faults:?}"))
}

/// Fills about this percentage of a wall row from the bag, never all of it.
fn crowd_wall(
    board: &mut BoardSetup,
    row: Row,
    hoarded: Option<Color>,
    percent: u32,
    rules: &Rules,
    bag: &mut Tiles,
    rng: &mut Rng,
) {
    for column in Column::ALL {
        let color = match rules.wall {
            WallKind::Grey if hoarded.is_none() => rng.pick(&Color::ALL),
            _ => Rules::printed_color(row, column),
        };
        let is_joker = rules.jokers && rng.below(8) == 0;
        let tile = if is_joker { Tile::Joker } else { Tile::Color(color) };
        let spaces = &board.wall[row.index()];
        let is_twice = !is_joker
            && (spaces.contains(&Some(tile))
                || board.wall.iter().any(|spaces| spaces[column.index()] == Some(tile)));
        let has_place = spaces.iter().flatten().count() < 4 && hoarded != Some(color) && !is_twice;
        // The first line never holds a hoard, so its row must be closed to all other colors.
        let is_wanted = hoarded.is_some() && row == Row::One || rng.below(100) < percent;
        if has_place && is_wanted && bag.count(tile) > 0 {
            *bag -= Tiles::of(tile, 1);
            board.wall[row.index()][column.index()] = Some(tile);
        }
    }
}

/// Fills about this percentage of a line from the bag, never all of it.
fn crowd_line(
    board: &mut BoardSetup,
    row: Row,
    hoarded: Option<Color>,
    percent: u32,
    rules: &Rules,
    bag: &mut Tiles,
    rng: &mut Rng,
) {
    let spaces = &board.wall[row.index()];
    let mut open = hoarded.map_or(Color::ALL.to_vec(), |color| vec![color]);
    open.retain(|&color| match rules.wall {
        WallKind::Colored => spaces[Rules::printed_column(row, color).index()].is_none(),
        WallKind::Grey => !spaces.contains(&Some(Tile::Color(color))),
    });
    let color = (!open.is_empty()).then(|| rng.pick(&open));
    for n in 1..row.capacity() {
        let is_joker = rules.jokers && rng.below(8) == 0;
        let tile = color.filter(|_| !is_joker).map_or(Tile::Joker, Tile::Color);
        let is_wanted = hoarded.is_some() && n == 1 || rng.below(100) < percent;
        if is_wanted && bag.count(tile) > 0 {
            *bag -= Tiles::of(tile, 1);
            board.lines[row.index()] += Tiles::of(tile, 1);
        }
    }
}
