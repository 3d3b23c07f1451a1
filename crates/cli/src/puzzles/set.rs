//! The folder of a set: parts of puzzles and an index.

use anyhow::{Context, bail};
use azulejo_puzzles::{PART, Puzzle, read_part};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The parts of a set with their names: of a folder or of one file.
pub(super) fn parts(path: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let files: Vec<PathBuf> = if path.is_dir() {
        let numbered = (1..).map(|n| path.join(format!("{n}.txt")));
        numbered.take_while(|file| file.exists()).collect()
    } else {
        vec![path.to_owned()]
    };
    if files.is_empty() {
        bail!("{} has no file 1.txt", path.display());
    }
    let read = |file: PathBuf| -> anyhow::Result<(String, String)> {
        let name = file.display().to_string();
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {name}"))?;
        Ok((name, text))
    };
    files.into_iter().map(read).collect()
}

/// The parts of the set that is built into the program with the web app.
pub(super) fn built_in() -> anyhow::Result<Vec<(String, String)>> {
    let read = |n: usize| {
        let name = format!("puzzles/{n}.txt");
        let text = String::from_utf8(crate::web::file(&name)?.content.into_owned()).ok()?;
        Some((name, text))
    };
    let parts: Vec<_> = (1..).map_while(read).collect();
    if parts.is_empty() {
        bail!("this program was built without the web app, which holds the puzzles: give --set");
    }
    Ok(parts)
}

/// The puzzles of parts with their places.
pub(super) fn puzzles(parts: &[(String, String)]) -> anyhow::Result<Vec<(String, Puzzle)>> {
    let mut puzzles = Vec::new();
    for (name, text) in parts {
        for (line, puzzle) in read_part(text) {
            let place = format!("{name}, line {line}");
            let puzzle = puzzle.with_context(|| place.clone())?;
            puzzles.push((place, puzzle));
        }
    }
    Ok(puzzles)
}

/// Writes puzzles as a set, sorted by rating, and removes parts that are left over from a larger one.
pub(super) fn write(folder: &Path, head: &str, mut puzzles: Vec<Puzzle>) -> anyhow::Result<()> {
    puzzles.sort_by_cached_key(|puzzle| (puzzle.rating, puzzle.id()));
    let n_parts = puzzles.len().div_ceil(PART);
    let mut index: Vec<Value> = Vec::new();
    for (i, part) in puzzles.chunks(PART).enumerate() {
        let file = format!("{}.txt", i + 1);
        let lines: String = part.iter().map(|puzzle| format!("{puzzle}\n")).collect();
        let text = format!("{head}, part {} of {n_parts}\n{lines}", i + 1);
        write_file(&folder.join(&file), &text)?;
        let (from, to) = (part[0].rating, part[part.len() - 1].rating);
        index.push(json!({ "file": file, "puzzles": part.len(), "from": from, "to": to }));
    }
    for left_over in (n_parts + 1..).map(|n| folder.join(format!("{n}.txt"))) {
        if fs::remove_file(left_over).is_err() {
            break;
        }
    }
    let index = json!({ "puzzles": puzzles.len(), "parts": index });
    write_file(&folder.join("index.json"), &format!("{index:#}\n"))
}

fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    azulejo_files::write_atomic(path, text.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))
}
