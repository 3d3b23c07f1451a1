//! Reads `docs/json.md`: the tables of keys, and the examples below them.
//!
//! The page is the only description of our JSON, so the test reads the shapes from it.

/// An object of the page.
pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) keys: Vec<Key>,
    /// The commands that print the example, if there are any.
    pub(crate) command: Option<String>,
    /// The example.
    pub(crate) example: Option<String>,
}

/// A row of a table.
#[derive(Clone)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Whether the key may be absent.
    pub(crate) is_optional: bool,
}

/// The type of a value.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Text,
    Number,
    Counts,
    Null,
    True,
    False,
    /// Exactly this text.
    Exactly(String),
    List(Box<Kind>),
    Either(Vec<Kind>),
    /// An object with a section of its own.
    Object(String),
}

/// All sections of a page that have a table.
pub(crate) fn sections(page: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")) {
            let name = name.to_owned();
            sections.push(Section { name, keys: Vec::new(), command: None, example: None });
            continue;
        }
        let Some(section) = sections.last_mut() else { continue };
        if line.starts_with("| `") {
            section.keys.push(key(line));
        } else if let Some(language) = line.strip_prefix("```") {
            let block: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
            let place = match language {
                "sh" => &mut section.command,
                "json" => &mut section.example,
                other => panic!("{}: a block of {other}", section.name),
            };
            assert!(place.replace(block.join("\n")).is_none(), "{}: two examples", section.name);
        }
    }
    // `position … outcome` stands for all keys of another object.
    for i in 0..sections.len() {
        let is_all = |key: &Key| key.name.contains('…');
        let Some(at) = sections[i].keys.iter().position(is_all) else { continue };
        let Kind::Object(name) = sections[i].keys.remove(at).kind else { panic!("what is `…`?") };
        let of = sections.iter().find(|section| section.name == name).expect("a section");
        let keys = of.keys.clone();
        sections[i].keys.splice(at..at, keys);
    }
    sections.retain(|section| !section.keys.is_empty());
    sections
}

fn key(row: &str) -> Key {
    let cells: Vec<_> = row.trim_matches('|').split(" | ").map(str::trim).collect();
    let [name, kind, ..] = cells.as_slice() else { panic!("{row}") };
    let (name, is_optional) = match name.split_once(" (") {
        Some((name, _)) => (name, true),
        None => (*name, false),
    };
    Key { name: name.replace('`', ""), kind: self::kind(kind), is_optional }
}

/// `text or null`, `list of (Board or null)`, `"row" or "stall"`.
fn kind(text: &str) -> Kind {
    let is_one = text.starts_with("list of (") && text.find(')') == Some(text.len() - 1);
    if !is_one && text.contains(" or ") {
        return Kind::Either(text.split(" or ").map(kind).collect());
    }
    if let Some(of) = text.strip_prefix("list of ") {
        let of = of.strip_prefix('(').and_then(|of| of.strip_suffix(')')).unwrap_or(of);
        return Kind::List(Box::new(kind(of)));
    }
    if let Some(exactly) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        return Kind::Exactly(exactly.to_owned());
    }
    match text {
        "text" => Kind::Text,
        "number" => Kind::Number,
        "counts" => Kind::Counts,
        "null" => Kind::Null,
        "true" => Kind::True,
        "false" => Kind::False,
        name => {
            assert!(name.starts_with(char::is_uppercase), "{name} is not a type");
            Kind::Object(name.to_owned())
        }
    }
}
