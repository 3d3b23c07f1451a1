//! A complete engine for `azulejo arena` in fifty lines: it plays the move that gains most if the
//! round ended now.
//!
//! `cargo build -p azulejo-notation --examples`, then
//! `azulejo arena --engine "name=mine cmd=target/debug/examples/greedy_engine" --engine cmd=random -n 10`

use azulejo_notation::protocol::{FromEngine, ToEngine, play_all};
use azulejo_rules::{Move, Players, Position, Rules, Seat};
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let mut position = Position::new(Rules::official(Players::Two), Seat::One);
    for line in std::io::stdin().lock().split(b'\n') {
        let answers = match ToEngine::parse(line?) {
            Ok(Some(ToEngine::Azi)) => {
                vec![FromEngine::IdName("Greedy example".to_owned()), FromEngine::AziOk]
            }
            Ok(Some(ToEngine::IsReady)) => vec![FromEngine::ReadyOk],
            Ok(Some(ToEngine::Position { start, moves })) => match play_all(&start, &moves) {
                Ok(next) => {
                    position = next;
                    Vec::new()
                }
                Err(error) => vec![FromEngine::InfoString(error.to_string())],
            },
            // It answers at once, so that there is never a search to stop.
            Ok(Some(ToEngine::Go(_))) => vec![FromEngine::BestMove(best_move(&position))],
            Ok(Some(ToEngine::Quit)) => break,
            // An engine ignores what it does not know.
            Ok(_) => Vec::new(),
            Err(error) => vec![FromEngine::InfoString(error.to_string())],
        };
        for answer in answers {
            writeln!(out, "{answer}")?;
        }
        out.flush()?;
    }
    Ok(())
}

fn best_move(position: &Position) -> Option<Move> {
    let gain = |m: &Move| position.preview(*m).map_or(i32::MIN, |preview| preview.change());
    position.legal_moves().iter().copied().max_by_key(gain)
}
