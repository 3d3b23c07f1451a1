//! `azulejo player`: the simple players of `azulejo arena`, which starts this hidden command. They
//! speak the engine protocol, so the arena treats them like any other engine.

use crate::Answer;
use azulejo_arena::Player;
use std::io::Write;

/// Play moves by a simple rule, speaking the engine protocol.
///
/// Example: echo azi | azulejo player greedy
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The rule: most points in this round, or a random legal move.
    #[arg(value_parser = ["greedy", "random"])]
    rule: String,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let player = Player::from_name(&args.rule).unwrap_or(Player::Greedy);
    azulejo_arena::serve(player, std::io::stdin().lock(), out)?;
    Ok(Answer::Yes)
}
