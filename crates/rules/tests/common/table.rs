//! The table on which the scripts of `testdata/cases.txt` are played: it sets up, deals and plays,
//! and after every step asks the laws that hold everywhere. What a script expects is compared in
//! `expect.rs`.

use azulejo_rules::{
    Deal, Move, Phase, Position, Row, Rules, Seat, Setup, Source, Step, Tile, Tiles,
};
use azulejo_testkit::Rng;
use azulejo_testkit::data::caught;

/// More moves than any finite game of the tests has.
const TOO_MANY_MOVES: u32 = 20_000;

/// The table of one case.
#[derive(Default)]
pub(crate) struct Table {
    position: Option<Position>,
    /// Where `again` returns to.
    origin: Option<Position>,
    /// What the last `deal` or `play` statement did.
    pub(crate) report: Vec<Step>,
}

impl Table {
    pub(crate) fn position(&self) -> Result<&Position, String> {
        self.position.as_ref().ok_or_else(|| "there is no position yet".to_owned())
    }

    /// Carries out a statement that sets up or plays; `None` if it is not one of these.
    pub(crate) fn act(&mut self, word: &str, rest: &str) -> Option<Result<(), String>> {
        Some(match word {
            "position" => read_position(rest).and_then(|position| self.begin(position)),
            "new" => read_new(rest).and_then(|position| self.begin(position)),
            "again" => match self.origin {
                Some(origin) => self.begin(origin),
                None => Err("there is nothing to go back to".to_owned()),
            },
            "deal" => self.deal(rest),
            "play" => self.play(rest),
            _ => return None,
        })
    }

    fn begin(&mut self, position: Position) -> Result<(), String> {
        self.position = Some(position);
        self.origin = Some(position);
        self.report.clear();
        check_laws(&position)
    }

    fn deal(&mut self, deal: &str) -> Result<(), String> {
        let deal: Deal = deal.parse().map_err(|error| format!("{error}"))?;
        let mut position = *self.position()?;
        self.report.clear();
        position
            .deal_with(&deal, |step| self.report.push(step))
            .map_err(|error| format!("the deal is refused: {error}"))?;
        self.position = Some(position);
        check_laws(&position)
    }

    fn play(&mut self, moves: &str) -> Result<(), String> {
        self.report.clear();
        for text in moves.split_whitespace() {
            let m: Move = text.parse().map_err(|error| format!("{text}: {error}"))?;
            let mut position = *self.position()?;
            play_step(&mut position, m, &mut self.report)
                .map_err(|problem| format!("{text}: {problem}"))?;
            self.position = Some(position);
        }
        Ok(())
    }
}

fn read_position(text: &str) -> Result<Position, String> {
    text.parse().map_err(|error| format!("{error}"))
}

fn read_new(text: &str) -> Result<Position, String> {
    let (rules, seat) = text.split_once(' ').ok_or("expected new RULES SEAT")?;
    let rules = read_rules(rules)?;
    let seat = rules.players().seats().iter().find(|known| known.to_string() == seat);
    let seat = seat.ok_or("the seat is not in the game")?;
    Ok(Position::new(rules, *seat))
}

pub(crate) fn read_rules(text: &str) -> Result<Rules, String> {
    text.parse().map_err(|error| format!("{error}"))
}

/// Plays one move with every method, which must all lead to the same position.
fn play_step(position: &mut Position, m: Move, report: &mut Vec<Step>) -> Result<(), String> {
    let before = *position;
    let first_step = report.len();
    position
        .play_with(m, |step| report.push(step))
        .map_err(|error| format!("the move is refused: {error}"))?;
    let mut trusted = before;
    trusted.play_unchecked(m);
    if trusted != *position {
        return Err(format!("play_unchecked leads to {trusted}, play to {position}"));
    }
    if !before.is_legal(m) || !before.legal_moves().contains(&m) {
        return Err("the move is played and is not among the legal moves".to_owned());
    }
    let gained = lid_gains(&report[first_step..]);
    if before.stock().lid + gained != position.stock().lid {
        return Err(format!("the steps bring {gained} to the lid, but it holds something else"));
    }
    check_laws(position)
}

/// All tiles that the steps brought to the lid.
pub(crate) fn lid_gains(report: &[Step]) -> Tiles {
    let gains = report.iter().map(|step| match *step {
        Step::Drafted { to_lid, .. }
        | Step::Placed { to_lid, .. }
        | Step::Spilled { to_lid, .. }
        | Step::FloorCleared { to_lid, .. } => to_lid,
        _ => Tiles::EMPTY,
    });
    gains.sum()
}

/// The laws that hold after every step: all tiles are there, the position is a valid setup, its
/// text reads back, and the ways to ask for legal moves agree.
pub(crate) fn check_laws(position: &Position) -> Result<(), String> {
    let setup = Setup::from(position);
    for tile in Tile::ALL {
        let (found, expected) = (count(&setup, tile), position.rules().all_tiles().count(tile));
        if found != expected {
            return Err(format!("expected {expected} {} tiles, found {found}", tile.name()));
        }
    }
    let total: u32 = Tile::ALL.into_iter().map(|tile| count(&setup, tile)).sum();
    if total != 100 {
        return Err(format!("expected 100 tiles, found {total}"));
    }
    if setup.validate() != Ok(*position) {
        return Err(format!("{position} is no longer valid: {:?}", setup.validate()));
    }
    if position.to_string().parse() != Ok(*position) {
        return Err(format!("{position} does not read back"));
    }
    let moves = position.legal_moves();
    if moves.len() as u32 != position.n_legal_moves() {
        let counted = position.n_legal_moves();
        return Err(format!("{} moves are listed and {counted} counted", moves.len()));
    }
    let waits = matches!(position.phase(), Phase::Draft | Phase::Tiling(_));
    if waits == moves.is_empty() {
        return Err(format!("{} legal moves in {position}", moves.len()));
    }
    Ok(())
}

/// The tiles of one kind, counted in the plain fields of a setup.
fn count(setup: &Setup, tile: Tile) -> u32 {
    let piles = setup.factories.iter().chain([&setup.center, &setup.bag, &setup.lid]);
    let boards = setup.boards.iter().map(|board| {
        let lines: u32 = board.lines.iter().map(|line| line.count(tile)).sum();
        let wall = board.wall.iter().flatten().filter(|&&space| space == Some(tile)).count();
        lines + wall as u32 + board.floor.count(tile)
    });
    piles.map(|pile| pile.count(tile)).sum::<u32>() + boards.sum::<u32>()
}

/// Draws a deal by chance and lays it out.
fn deal_by_chance(position: &mut Position, rng: &mut Rng) -> Result<(), String> {
    let stock = position.stock();
    let deal = position.draw_deal(|n| rng.below(n));
    // As long as the bag lasts, the tiles come from it.
    let n_from_bag = stock.bag.total() as usize / 4;
    let from_bag: Tiles = deal.factories().iter().take(n_from_bag).copied().sum();
    if !stock.bag.contains(from_bag) {
        return Err(format!("{deal} takes tiles from the lid too early"));
    }
    position.deal(&deal).map_err(|error| format!("{deal} was drawn and is refused: {error}"))?;
    check_laws(position)
}

/// Draws deals from a position.
pub(crate) fn draw_deals(position: &Position, n_deals: u64) -> Result<(), String> {
    if position.phase() != Phase::Deal {
        return Err("expected a position that waits for a deal".to_owned());
    }
    (1..=n_deals).try_for_each(|seed| {
        caught(|| deal_by_chance(&mut { *position }, &mut Rng::new(seed)))
            .map_err(|problem| format!("seed {seed}: {problem}"))
    })
}

/// Plays random games to their ends.
pub(crate) fn play_games(rules: Rules, n_games: u64) -> Result<(), String> {
    (1..=n_games).try_for_each(|seed| {
        caught(|| play_game(rules, Rng::new(seed)))
            .map_err(|problem| format!("seed {seed}: {problem}"))
    })
}

fn play_game(rules: Rules, mut rng: Rng) -> Result<(), String> {
    let mut position = rng.new_game(rules);
    check_laws(&position)?;
    for _ in 0..TOO_MANY_MOVES {
        match position.phase() {
            Phase::Over(_) => return Ok(()),
            Phase::Deal => deal_by_chance(&mut position, &mut rng)?,
            Phase::Draft | Phase::Tiling(_) => {
                let moves = position.legal_moves();
                let m = moves[rng.below(moves.len() as u32) as usize];
                let before = position.to_string();
                play_step(&mut position, m, &mut Vec::new())
                    .map_err(|problem| format!("{m} in {before}: {problem}"))?;
            }
        }
    }
    Err(format!("the game does not end: {position}"))
}

/// Starts games, each of them twice.
pub(crate) fn check_same_start(rules: Rules, n_seeds: u64) -> Result<(), String> {
    let start = |seed| {
        let mut rng = Rng::new(seed);
        let mut position = rng.new_game(rules);
        deal_by_chance(&mut position, &mut rng).map(|()| position)
    };
    let mut n_changes = 0;
    for seed in 1..=n_seeds {
        let (once, twice) = (start(seed)?, start(seed)?);
        if once != twice {
            return Err(format!("seed {seed} gives {once}, then {twice}"));
        }
        n_changes += u64::from(once != start(seed + 1)?);
    }
    // Another seed is another game; two equal deals in a row practically never happen.
    if n_changes < n_seeds { Err("two seeds give the same start".to_owned()) } else { Ok(()) }
}

/// Starts games and counts the first players: within a tenth of the fair share.
pub(crate) fn check_fair_start(rules: Rules, n_seeds: u64) -> Result<(), String> {
    let mut starts = [0_u64; Seat::ALL.len()];
    for seed in 1..=n_seeds {
        starts[Rng::new(seed).new_game(rules).starter().index()] += 1;
    }
    let share = n_seeds / rules.players().count() as u64;
    let starts = &starts[..rules.players().count()];
    if starts.iter().all(|&n| n.abs_diff(share) <= share / 10) {
        return Ok(());
    }
    Err(format!("expected about {share} starts for each seat, found {starts:?}"))
}

/// The text of a wall: five rows separated by `-`.
pub(crate) fn wall_text(position: &Position, seat: Seat) -> String {
    let setup = Setup::from(position);
    let rows = Row::ALL.map(|row| {
        let spaces = setup.boards[seat.index()].wall[row.index()];
        spaces.map(|space| space.map_or('.', Tile::letter)).iter().collect::<String>()
    });
    rows.join("-")
}

/// The tiles of a source with the marker, if it lies there.
pub(crate) fn center(position: &Position) -> (bool, Tiles) {
    (position.marker().is_none(), position.pile(Source::Center))
}
