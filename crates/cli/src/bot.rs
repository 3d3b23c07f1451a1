//! `azulejo bot`: the engine as a player on a server.

use crate::Answer;
use anyhow::Context;
use azulejo_client::{BotConfig, Client, Opponent, play_bot};
use azulejo_engine::{Level, ParseLevelError};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

const DEFAULT_SERVER: &str = "http://127.0.0.1:8137";

/// Let the engine play on a server, like any other bot.
///
/// Without --against and --join it takes a seat in a game that waits in the lobby, or creates a
/// game there and waits for a player.
///
/// Example: azulejo bot --server http://127.0.0.1:8137 --level 5 --against 3
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The server, over http or https [default: the server of the link to join, or
    /// http://127.0.0.1:8137].
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Also trust the certificates in this PEM file.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// How strong it plays.
    #[arg(short, long, default_value_t = Level::MAX.number(), value_parser = level_range())]
    level: u8,
    /// Play against this level of the server's own engine.
    #[arg(long, value_parser = level_range(), conflicts_with = "join", value_name = "LEVEL")]
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
    /// Play as the person with this token, instead of a new person.
    #[arg(long, env = "AZULEJO_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Print JSON, one object for each game.
    #[arg(long)]
    json: bool,
}

fn level_range() -> clap::builder::RangedI64ValueParser<u8> {
    clap::value_parser!(u8).range(1..=Level::MAX.number().into())
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let (link_server, opponent) = opponent(args.against, args.join.as_deref());
    let server = args.server.as_deref().or(link_server).unwrap_or(DEFAULT_SERVER);
    let client = client(server, args.ca.as_deref())?;
    let config = BotConfig {
        client: args.token.as_ref().map_or(client.clone(), |token| client.with_token(token)),
        name: args.name.clone(),
        level: Level::new(args.level).ok_or(ParseLevelError)?,
        opponent,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for _ in 0..args.games {
        let mut failed = None;
        let game = runtime.block_on(play_bot(&config, &mut |line| {
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

/// A client of the server at a URL that also trusts the certificates in a file.
pub(crate) fn client(server: &str, ca: Option<&Path>) -> anyhow::Result<Client> {
    let Some(path) = ca else { return Ok(Client::new(server)?) };
    let pem = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Client::with_ca(server, &pem).with_context(|| path.display().to_string())
}

/// Whom to play, and the server of the link to join, if it names one.
fn opponent(against: Option<u8>, join: Option<&str>) -> (Option<&str>, Opponent) {
    match (against, join) {
        (Some(level), _) => (None, Opponent::Engine(level)),
        (None, None) => (None, Opponent::Lobby),
        (None, Some(link)) => {
            let (before, rest) = link.rsplit_once('/').unwrap_or(("", link));
            let server = before.strip_suffix("/join").or(before.strip_suffix("/game"));
            let server = server.filter(|server| !server.is_empty());
            let (game, secret) = match rest.split_once('#') {
                Some((game, secret)) => (game, secret.rsplit('.').next().map(str::to_owned)),
                None => (rest, None),
            };
            (server, Opponent::Invitation { game: game.to_owned(), secret })
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
    fn links_are_parsed() {
        let check = |link: &str, server: Option<&str>, game: &str, secret: Option<&str>| {
            let secret = secret.map(str::to_owned);
            let expected = Opponent::Invitation { game: game.to_owned(), secret };
            assert_eq!(opponent(None, Some(link)), (server, expected), "{link}");
        };
        check("abcd", None, "abcd", None);
        check("http://h:1/join/abcd#2.00ff", Some("http://h:1"), "abcd", Some("00ff"));
        check("https://h/azul/join/abcd#2.00ff", Some("https://h/azul"), "abcd", Some("00ff"));
        check("/join/abcd#2.00ff", None, "abcd", Some("00ff"));
        check("http://h:1/game/abcd", Some("http://h:1"), "abcd", None);
    }
}
