//! Two baseline players, greedy and random, which speak the engine protocol.

use azulejo_notation::protocol::{
    FromEngine, MAX_MESSAGE, OptionKind, OptionSpec, ToEngine, play_all,
};
use azulejo_notation::{Chance, Seed};
use azulejo_rules::{Destination, Move, Position, Preview, Projection, Step};
use std::cmp::Reverse;
use std::io::{self, BufRead, Read, Write};

/// A baseline player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Maximizes the points of this round.
    Greedy,
    /// Plays a uniformly random legal move.
    Random,
}

impl Player {
    /// All of them.
    pub const ALL: [Player; 2] = [Player::Greedy, Player::Random];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Player::Greedy => "greedy",
            Player::Random => "random",
        }
    }

    /// The player with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Player> {
        Player::ALL.into_iter().find(|player| player.name() == name)
    }

    /// Its move, determined by position and seed; `None` if there is no legal move.
    #[must_use]
    pub fn choose(self, position: &Position, seed: u64) -> Option<Move> {
        let seed = format!("{seed}-{:016x}", position.hash_key());
        let mut chance = Chance::new(&seed.parse::<Seed>().ok()?);
        match self {
            Player::Random => position.pick_move(|n| chance.below(n)),
            Player::Greedy => {
                let moves = position.legal_moves();
                let merit = |m: &Move| Merit::of(position, *m);
                let best = moves.iter().filter_map(merit).max()?;
                let best: Vec<_> = moves.iter().filter(|m| merit(m) == Some(best)).collect();
                Some(*best[chance.below(best.len() as u32) as usize])
            }
        }
    }
}

/// How the greedy player compares moves; the first difference decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Merit {
    /// The change in the points of this round. A score cannot fall below 0, so at the start of a game
    /// the floor would cost nothing; here it always does.
    gain: i32,
    /// The room left in the line, the less the better; the floor is worst.
    room: Reverse<u32>,
    /// The number of tiles that enter the line.
    n_placed: u32,
}

impl Merit {
    fn of(position: &Position, m: Move) -> Option<Merit> {
        let preview = position.preview(m).ok()?;
        let round = |projection: &Projection| {
            i32::try_from(projection.points()).unwrap_or(i32::MAX) - i32::from(projection.loss)
        };
        let Preview { seat, step, before, after, .. } = &preview;
        Some(match *step {
            Step::Drafted { to, into_line, .. } => Merit {
                gain: round(after) - round(before),
                room: Reverse(match to {
                    Destination::Line(row) => {
                        position.board(*seat).line(row).room() - into_line.total()
                    }
                    Destination::Floor => u32::MAX,
                }),
                n_placed: into_line.total(),
            },
            // A wall choice scores at once.
            _ => Merit { gain: i32::from(after.score), room: Reverse(0), n_placed: 0 },
        })
    }
}

/// Speaks the engine side of the protocol until `quit` or the end of the input.
///
/// # Errors
/// If reading or writing fails.
pub fn serve(player: Player, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut position: Option<Position> = None;
    let mut seed = 0;
    loop {
        let mut line = Vec::new();
        input.by_ref().take(MAX_MESSAGE as u64 + 2).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(());
        }
        let mut say = |message: FromEngine| writeln!(output, "{message}");
        match ToEngine::parse(&line) {
            Ok(Some(ToEngine::Azi)) => {
                say(FromEngine::IdName(format!("Azulejo's {} player", player.name())))?;
                let kind = OptionKind::Spin { default: 0, min: 0, max: u64::MAX };
                say(FromEngine::Option(OptionSpec { name: "Seed".to_owned(), kind }))?;
                say(FromEngine::AziOk)?;
            }
            Ok(Some(ToEngine::IsReady)) => say(FromEngine::ReadyOk)?,
            Ok(Some(ToEngine::SetOption { name, value })) => {
                if name.eq_ignore_ascii_case("Seed") {
                    seed = value.parse().unwrap_or(seed);
                }
            }
            Ok(Some(ToEngine::Position { start, moves })) => match play_all(&start, &moves) {
                Ok(reached) => position = Some(reached),
                Err(error) => say(FromEngine::InfoString(error.to_string()))?,
            },
            Ok(Some(ToEngine::Go(_))) => {
                let best = position.and_then(|position| player.choose(&position, seed));
                say(FromEngine::BestMove(best))?;
            }
            Ok(Some(ToEngine::Quit)) => return Ok(()),
            // Each search is over before the next line is read, and games are not remembered.
            Ok(_) => {}
            Err(error) => say(FromEngine::InfoString(error.to_string()))?,
        }
        output.flush()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "az1_2c_d1_1s1_BBYR-KKKK-BYRK-YWWW-RRKK_1_rest_._0~.-..-...-....-.....~\
                         .....-.....-.....-.....-.....~._0~.-..-...-....-.....~\
                         .....-.....-.....-.....-.....~.";

    fn conversation(player: Player, input: &str) -> Vec<String> {
        let mut output = Vec::new();
        serve(player, input.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn greedy_takes_the_points() {
        let start: Position = START.parse().unwrap();
        // Four black fill line 4: one point, as any full line, and no line takes more tiles.
        assert_eq!(Player::Greedy.choose(&start, 0).unwrap().to_string(), "2K4");
        // Whatever the seed, no better move exists.
        for seed in 0..20 {
            assert_eq!(Player::Greedy.choose(&start, seed).unwrap().to_string(), "2K4");
        }
    }

    #[test]
    fn greedy_avoids_the_floor_at_zero_points() {
        // Only one black tile is left in the center, and with it the marker: line 1 brings a point
        // that the marker costs; the floor would cost two more.
        let text = START.replace("BBYR-KKKK-BYRK-YWWW-RRKK", ".-.-.-.-.").replace("._1_", "._1K_");
        let text = text.replace("_1_rest", "_1K_rest");
        let position: Position = text.parse().unwrap();
        assert_eq!(Player::Greedy.choose(&position, 0).unwrap().to_string(), "0K1");
    }

    #[test]
    fn seed_determines_random_moves() {
        let start: Position = START.parse().unwrap();
        let moves: Vec<_> = (0..20).map(|seed| Player::Random.choose(&start, seed)).collect();
        let again: Vec<_> = (0..20).map(|seed| Player::Random.choose(&start, seed)).collect();
        assert_eq!(moves, again);
        assert!(moves.iter().any(|m| *m != moves[0]));
    }

    #[test]
    fn players_speak_the_protocol() {
        let input = format!(
            "azi\nsetoption name seed value 3\nisready\nnewgame\nposition {START} moves 1B2\n\
             go movetime 5\nposition nonsense\nposition {START} moves 9B2\nhello\nstop\nquit\nazi\n"
        );
        let lines = conversation(Player::Greedy, &input);
        assert_eq!(lines[0], "id name Azulejo's greedy player");
        assert_eq!(lines[2..5], ["aziok", "readyok", "bestmove 2K4"]);
        assert!(lines[5..].iter().all(|line| line.starts_with("info string ")), "{lines:?}");
        assert_eq!(lines.len(), 7);
        assert_eq!(conversation(Player::Random, "go\n"), ["bestmove none"]);
    }
}
