//! The documentation as a whole: links lead somewhere, and the names in the glossary exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn links_lead_somewhere() {
    let files: Vec<_> = files(&root()).into_iter().filter(|file| ends_with(file, ".md")).collect();
    assert!(files.len() > 20, "only {} pages were found", files.len());
    let mut broken = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a page can be read");
        for link in links(&text) {
            if let Err(problem) = follow(&file, link) {
                broken.push(format!("{}: {link}: {problem}", file.display()));
            }
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn names_in_the_glossary_exist() {
    let glossary = fs::read_to_string(root().join("docs/glossary.md")).expect("docs/glossary.md");
    let mut sources: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut unknown = Vec::new();
    let mut n_names = 0;
    for place in glossary.lines().filter_map(third_cell) {
        let Some((name, words)) = place.split_once(": ") else {
            if !root().join(place).exists() {
                unknown.push(place.to_owned());
            }
            continue;
        };
        let source = sources.entry(name.to_owned()).or_insert_with(|| words_of(name));
        for word in words.split(", ").map(|word| word.trim_matches('`')) {
            n_names += 1;
            if !source.contains(word) {
                unknown.push(format!("{name}: {word}"));
            }
        }
    }
    assert!(unknown.is_empty(), "docs/glossary.md names what is not there: {unknown:#?}");
    assert!(n_names > 50, "only {n_names} names were found");
}

/// Where the words of a row are in the code: the third cell of a table row other than the header.
fn third_cell(line: &str) -> Option<&str> {
    let cell = line.strip_prefix("| ")?.trim_end_matches(" |").split(" | ").nth(2)?.trim();
    (!cell.is_empty() && cell != "in the code").then_some(cell)
}

/// All words in the sources of a crate, and the names of its files.
fn words_of(name: &str) -> BTreeSet<String> {
    let folder = root().join("crates").join(name).join("src");
    let mut words = BTreeSet::new();
    for file in files(&folder) {
        words.extend(file.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        words.extend(
            file.parent().and_then(Path::file_name).map(|f| f.to_string_lossy().into_owned()),
        );
        let text = fs::read_to_string(&file).unwrap_or_default();
        words.extend(text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned));
    }
    words
}

/// The targets of all links and pictures outside fenced blocks.
fn links(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    let targets = prose.flat_map(|text| {
        let markdown = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let html = text.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
        markdown.chain(html)
    });
    targets.filter(|target| !target.contains("://")).collect()
}

fn follow(from: &Path, link: &str) -> Result<(), String> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let folder = from.parent().expect("a page is in a folder");
    let to = if path.is_empty() { from.to_owned() } else { folder.join(path) };
    if !to.exists() {
        return Err("there is no such file".to_owned());
    }
    if anchor.is_empty() {
        return Ok(());
    }
    let text = fs::read_to_string(&to).map_err(|error| error.to_string())?;
    let mut headings = text.lines().filter(|line| line.starts_with('#')).map(anchor_of);
    if headings.any(|heading| heading == anchor) {
        Ok(())
    } else {
        Err("no such heading".to_owned())
    }
}

/// The anchor of a heading: small letters, words joined by hyphens.
fn anchor_of(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|&c| c.is_alphanumeric() || c == ' ' || c == '-' || c == '_');
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// All files below a folder that are kept in the repository.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let is_skipped = [".git", "target", "node_modules", "dist", "corpus"];
        if !path.is_dir() {
            found.push(path);
        } else if !is_skipped.iter().any(|name| path.ends_with(name)) {
            found.extend(files(&path));
        }
    }
    found
}

fn ends_with(file: &Path, end: &str) -> bool {
    file.to_string_lossy().ends_with(end)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in a folder").to_owned()
}

#[test]
fn broken_links_and_names_are_noticed() {
    let page = root().join("docs/rules.md");
    assert!(follow(&page, "notation.md#positions").is_ok());
    assert!(follow(&page, "#82-rule-keys-and-presets").is_ok());
    assert!(follow(&page, "notation.md#nowhere").is_err());
    assert!(follow(&page, "nowhere.md").is_err());
    let text = "[a](b.md) ![c](d.svg) `x` [e](https://f)\n```sh\n[g](h)\n```\n<img src=\"i.jpg\">";
    assert_eq!(links(text), ["b.md", "d.svg", "i.jpg"]);
    assert_eq!(third_cell("| bag | where | rules: `Stock` |"), Some("rules: `Stock`"));
    assert_eq!(third_cell("| word | meaning | in the code |"), None);
    assert!(!words_of("rules").contains("Nonsense"));
}
