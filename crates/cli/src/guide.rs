//! `azulejo guide`: what there is to try.

use crate::Answer;
use std::io::Write;

/// Show what there is to try.
///
/// Example: azulejo guide
#[derive(clap::Args)]
pub(crate) struct Args {}

const GUIDE: &str = "\
Azulejo, for the board game Azul: exact rules and a strong engine.

`azulejo` alone serves games, and says where to play. Try:
  azulejo play                             play in this terminal
  azulejo play --seats me,ai:7             begin at once, against level 7
  azulejo new | azulejo show -             deal a game and look at it
  azulejo new --players 4 --wall grey --jokers --seed 5
  azulejo moves \"$(azulejo new --seed 5)\"  all legal moves and what each does
  azulejo apply POSITION 3B2               play a move, get the new position
  azulejo explain POSITION 3B2             its effect, or why it is illegal
  azulejo random --games 3 > games.txt     random games as records
  azulejo replay games.txt                 play records back: scores, ranking
  azulejo arena -e nodes=300 -e cmd=greedy -n 2   let engines play a match
  azulejo bench rules --official           how fast the rules are

`azulejo help` lists all commands, `azulejo COMMAND --help` explains one.
Positions and moves are short texts, described in docs/notation.md.
";

pub(crate) fn run(_: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    out.write_all(GUIDE.as_bytes())?;
    Ok(Answer::Yes)
}
