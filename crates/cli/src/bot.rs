//! `azulejo bot`: the engine as a player on a server.

use crate::Answer;
use anyhow::Context;
use azulejo_client::{BotPlan, Opponent, play_bot};
use azulejo_engine::Level;
use serde_json::{Value, json};
use std::io::Write;

/// Let the engine play on a server, like any other bot.
///
/// Without --against and --join it sits down in the lobby: at a game that waits, or at one of its
/// own that waits for somebody to come.
///
/// Example: azulejo bot --server http://127.0.0.1:8137 --level 5 --against 3
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The server.
    #[arg(long, default_value = "http://127.0.0.1:8137", value_name = "URL")]
    server: String,
    /// How strong it plays.
    #[arg(short, long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=10))]
    level: u8,
    /// Play against this level of the server's own engine.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=10), conflicts_with = "join", value_name = "LEVEL")]
    against: Option<u8>,
    /// Join this game: its id, or the link of an invitation.
    #[arg(long, value_name = "LINK")]
    join: Option<String>,
    /// How many games to play, one after the other.
    #[arg(short, long, default_value_t = 1)]
    games: u32,
    /// The name to show.
    #[arg(long, default_value = "Azulejo bot")]
    name: String,
    /// The token of the person to be, if not a new one.
    #[arg(long, env = "AZULEJO_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Print JSON, one object for each game.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let plan = BotPlan {
        server: args.server.trim_end_matches('/').to_owned(),
        token: args.token.clone(),
        name: args.name.clone(),
        level: Level::new(args.level).context("levels are 1 to 10")?,
        opponent: opponent(args),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for _ in 0..args.games {
        let mut failed = None;
        let game = runtime.block_on(play_bot(&plan, &mut |line| {
            if !args.json && failed.is_none() {
                failed = writeln!(out, "{line}").and_then(|()| out.flush()).err();
            }
        }))?;
        if let Some(error) = failed {
            return Err(error.into());
        }
        if args.json {
            let (id, result) = (&game["id"], &game["result"]);
            writeln!(
                out,
                "{}",
                json!({ "game": id, "your_seats": game["your_seats"], "result": result })
            )?;
        } else {
            writeln!(out, "{}", sentence(&game))?;
        }
    }
    Ok(Answer::Yes)
}

fn opponent(args: &Args) -> Opponent {
    match (args.against, &args.join) {
        (Some(level), _) => Opponent::Engine(level),
        (None, None) => Opponent::Lobby,
        (None, Some(link)) => {
            let rest = link.rsplit('/').next().unwrap_or(link);
            let (id, secret) = match rest.split_once('#') {
                Some((id, secret)) => (id, secret.rsplit('.').next().map(str::to_owned)),
                None => (rest, None),
            };
            Opponent::Invitation(id.to_owned(), secret)
        }
    }
}

fn sentence(game: &Value) -> String {
    let scores: Vec<String> = list(&game["result"]["scores"]).map(ToString::to_string).collect();
    let own = &game["your_seats"][0];
    let result = match list(&game["result"]["winners"]).collect::<Vec<_>>().as_slice() {
        [] => "no result",
        [winner] if *winner == own => "won",
        winners if winners.contains(&own) => "shared the victory",
        _ => "lost",
    };
    let by = game["result"]["ended_by"].as_str().unwrap_or_default();
    format!("{result} as seat {own}, {} ({by})", scores.join("-"))
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read() {
        let check = |link: &str, id: &str, secret: Option<&str>| {
            let args = Args {
                server: String::new(),
                level: 1,
                against: None,
                join: Some(link.to_owned()),
                games: 1,
                name: String::new(),
                token: None,
                json: false,
            };
            let expected = Opponent::Invitation(id.to_owned(), secret.map(str::to_owned));
            assert_eq!(opponent(&args), expected, "{link}");
        };
        check("abcd", "abcd", None);
        check("http://h:1/join/abcd#2.00ff", "abcd", Some("00ff"));
        check("/join/abcd#2.00ff", "abcd", Some("00ff"));
    }
}
