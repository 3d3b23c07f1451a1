//! Link previews: the document of a page about a game, with the players and the score in its meta tags
//! (Open Graph). Names come from strangers, so every text is escaped.

use crate::api::App;
use crate::api::lists::summaries;
use crate::ids::is_id;
use azulejo_table::Status;
use azulejo_table::view::SummaryView;

/// The tags of a document about a game.
pub(super) struct Preview {
    title: String,
    description: String,
}

impl Preview {
    /// The preview of a path below `/game/`, `/replay/` and the like; `None` if there is no such game, or
    /// the database does not answer: the page will say so.
    pub(super) async fn of(app: &App, path: &str) -> Option<Preview> {
        let (page, id) = path.split_once('/')?;
        if !matches!(page, "game" | "replay" | "join" | "embed" | "review") || !is_id(id) {
            return None;
        }
        let game = app.store.listed_game(id).await.ok()??;
        let summary = summaries(vec![game], None).ok()?.pop()?;
        Some(Preview { title: title(&summary), description: description(&summary) })
    }

    /// The document with the tags, and whole addresses for the picture and the page: services that show
    /// previews need them.
    pub(super) fn put_into(&self, document: &str, origin: Option<&str>, path: &str) -> String {
        let mut html = document.to_owned();
        set(&mut html, "og:title", &self.title);
        set(&mut html, "og:description", &self.description);
        if let Some(origin) = origin {
            set(&mut html, "og:image", &format!("{origin}/social.png"));
            set(&mut html, "og:url", &format!("{origin}/{path}"));
        }
        html
    }
}

fn names(game: &SummaryView) -> Vec<&str> {
    game.seats.iter().map(|seat| seat.name.as_deref().unwrap_or("…")).collect()
}

fn title(game: &SummaryView) -> String {
    let names = names(game).join(" – ");
    if game.status == Status::Waiting {
        return format!("{names} · Azulejo");
    }
    let scores: Vec<String> = game.scores.iter().map(u16::to_string).collect();
    format!("{names}, {} · Azulejo", scores.join(" : "))
}

fn description(game: &SummaryView) -> String {
    let names = names(game);
    let winners = game.result.as_ref().map(|result| {
        let name = |seat: &u8| names.get(usize::from(*seat) - 1).copied().unwrap_or("…");
        result.winners.iter().map(name).collect::<Vec<_>>().join(" and ")
    });
    let n_rounds =
        if game.round == 1 { "1 round".to_owned() } else { format!("{} rounds", game.round) };
    match (game.status, winners) {
        (Status::Waiting, _) => {
            "A game of Azul waits for a player. Sit down: no account needed.".to_owned()
        }
        (Status::Playing, _) => format!("A game of Azul in round {}. Watch it live.", game.round),
        (_, Some(winners)) if !winners.is_empty() => {
            format!("A game of Azul: {winners} won in {n_rounds}. Replay it move by move.")
        }
        _ => format!("A game of Azul that ended without a result after {n_rounds}."),
    }
}

/// Sets the content of a meta tag, which is added if the document has none.
fn set(html: &mut String, property: &str, content: &str) {
    let start = format!("<meta property=\"{property}\" content=\"");
    let content = escape(content);
    let place = html.find(&start).map(|at| at + start.len());
    let place = place.and_then(|from| Some(from..from + html[from..].find('"')?));
    if let Some(place) = place {
        html.replace_range(place, &content);
    } else if let Some(end) = html.find("</head>") {
        html.insert_str(end, &format!("{start}{content}\">"));
    }
}

/// A text for an attribute in double quotes.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "<head><meta property=\"og:title\" content=\"Azulejo\"></head>";

    #[test]
    fn tags_are_replaced_or_added() {
        let preview = Preview { title: "Ana – Bob".to_owned(), description: "won".to_owned() };
        let html = preview.put_into(DOCUMENT, Some("https://a.org"), "game/x");
        assert_eq!(html.matches("og:title").count(), 1);
        for tag in [
            "<meta property=\"og:title\" content=\"Ana – Bob\">",
            "<meta property=\"og:description\" content=\"won\">",
            "<meta property=\"og:image\" content=\"https://a.org/social.png\">",
            "<meta property=\"og:url\" content=\"https://a.org/game/x\">",
        ] {
            assert!(html.contains(tag), "{tag} in {html}");
        }
    }

    #[test]
    fn nothing_in_a_name_ends_its_attribute() {
        let hostile = "\"><script>alert('1')</script>&amp;";
        let preview = Preview { title: hostile.to_owned(), description: hostile.to_owned() };
        let html = preview.put_into(DOCUMENT, None, "game/x");
        assert!(!html.contains("<script"), "{html}");
        let tag = "<meta property=\"og:title\" content=\"&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;\">";
        assert!(html.contains(tag), "{html}");
    }
}
