//! The rule book, `docs/rules.md`, held against the code: every rule that is cited anywhere in the
//! repository is a rule of the book, and every example and table of the book is computed again.
//!
//! A rule is defined by its number in bold at the beginning of a line or by a numbered heading, a
//! case by its row in section 9. Examples are fenced blocks: `case` holds a script as in
//! `testdata/cases.txt`, `wall` draws one player's wall-tiling, `bonus` a wall at the end.

mod common {
    pub(crate) mod compare;
    pub(crate) mod expect;
    pub(crate) mod table;
}

use azulejo_rules::{Preset, RuleKey, Rules};
use azulejo_testkit::data;
use common::table::Table;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const BOOK: &str = include_str!("../../../docs/rules.md");
const CASES: &str = include_str!("../../../testdata/cases.txt");

/// Where citations are looked for, from the top of the repository.
const FOLDERS: [&str; 6] = ["crates", "docs", "fuzz/fuzz_targets", "testdata", "web/src", "xtask"];

/// A board with nothing on it.
const EMPTY: &str = "0~.-..-...-....-.....~.....-.....-.....-.....-.....~.";

#[test]
fn every_citation_resolves() {
    let defined = defined(BOOK);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("two folders up");
    let mut files: Vec<PathBuf> =
        FOLDERS.iter().flat_map(|folder| files(&root.join(folder))).collect();
    files.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| root.join(name)));
    let mut n_citations = 0;
    let mut unknown = Vec::new();
    // This file cites rules that do not exist, on purpose.
    for file in files.iter().filter(|file| !file.ends_with("rule_book.rs")) {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        for (number, line) in (1..).zip(text.lines()) {
            for id in citations(line) {
                n_citations += 1;
                if !defined.contains(&id) {
                    unknown.push(format!("{}:{number}: {id}", file.display()));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "docs/rules.md does not define\n{}", unknown.join("\n"));
    // The reference implementation alone cites more; fewer means that none were found.
    assert!(n_citations > 100, "only {n_citations} citations were found");
}

#[test]
fn the_book_refers_to_its_own_rules() {
    let defined = defined(BOOK);
    let text = prose(BOOK);
    let unknown: Vec<_> = text
        .iter()
        .flat_map(|line| numbers(line).into_iter().map(move |id| (id, line)))
        .filter(|(id, _)| !defined.contains(id))
        .collect();
    assert!(unknown.is_empty(), "not defined: {unknown:#?}");
}

#[test]
fn no_rule_is_numbered_twice() {
    let mut seen = BTreeSet::new();
    let twice: Vec<_> = definitions(BOOK).filter(|id| !seen.insert(id.clone())).collect();
    assert!(twice.is_empty(), "defined twice: {}", twice.join(" "));
    assert!(seen.len() > 120, "only {} definitions were found", seen.len());
}

#[test]
fn the_book_lists_the_numbered_cases() {
    let in_book: BTreeSet<_> = definitions(BOOK).filter(|id| id.starts_with('T')).collect();
    let in_data: BTreeSet<_> = CASES
        .lines()
        .filter_map(|line| line.strip_prefix("case "))
        .filter_map(|title| title.split_whitespace().next())
        .filter(|id| id.starts_with('T'))
        .map(str::to_owned)
        .collect();
    assert_eq!(in_book, in_data);
}

#[test]
fn every_example_computes() {
    let (mut n_examples, mut failures) = (0, Vec::new());
    for (kind, line, text) in blocks(BOOK) {
        let result = match kind {
            "case" => run(&text),
            "wall" => wall_script(&text).and_then(|script| run(&script)),
            "bonus" => bonus_script(&text).and_then(|script| run(&script)),
            _ => Err(format!("`{kind}` is not a kind of example")),
        };
        n_examples += 1;
        failures.extend(result.err().map(|problem| format!("docs/rules.md:{line}: {problem}")));
    }
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
    assert!(n_examples >= 15, "only {n_examples} examples were found");
}

#[test]
fn the_tables_compute() {
    let row = |name: &str| table_row(BOOK, name);
    let check = |script: &str| run(script).unwrap_or_else(|problem| panic!("{problem}"));

    // Rule 1.2.
    for (players, n) in row("players").iter().zip(row("factories")) {
        let n: usize = n.parse().expect("a number of factories");
        check(&format!("new {players}c 1\nfactory-sizes {}\n", vec!["0"; n].join("-")));
    }
    // Rule 1.9.
    for r in 1..=5 {
        for (c, color) in (1..).zip(row(&format!("r{r}"))) {
            check(&format!("printed {color} r{r}c{c}\n"));
        }
    }
    // Rule 3.6.
    let mut sum = 0;
    for (n, loss) in row("loss in total").iter().enumerate() {
        let floor = if n == 0 { "." } else { &"BBYYRKW"[..n] };
        sum += row("this space costs")[n].parse::<u32>().unwrap_or(0);
        assert_eq!(&sum.to_string(), loss, "{n} things on the floor");
        let board = format!("20~.-..-...-....-.....~.....-.....-.....-.....-.....~{floor}");
        check(&format!("{}play 1W5\nloss 1 {loss} {floor}\n", last_turn(&board)));
    }
    // Rule 8.2: every key with its official value, and what the presets are equal to. The number of
    // players has no official value.
    let official: Rules = "2c".parse().expect("a rule set");
    for key in RuleKey::ALL.iter().filter(|key| key.name != "players") {
        let value = row(&format!("`{}`", key.name))[0].trim_matches('`').to_owned();
        assert_eq!(value, key.value(&official), "{}", key.name);
    }
    for preset in Preset::ALL {
        let keys: Rules =
            row(&format!("`{}`", preset.name()))[1].trim_matches('`').parse().expect("rules");
        assert_eq!(keys, official.with_preset(preset).expect("two players"), "{}", preset.name());
    }
    // Section 10.
    for (players, n_factories) in [(2, 5), (3, 7), (4, 9)] {
        for (name, jokers, factory) in [
            ("most legal moves in the first turn", "", "BYRK"),
            ("the same with jokers", "j", "BYRJ"),
        ] {
            let deal = vec![factory; n_factories].join("-");
            let n_moves = &row(name)[players - 2];
            check(&format!("new {players}c{jokers} 1\ndeal {deal}\nlegal {n_moves}\n"));
        }
    }
}

/// Everything that the book defines.
fn defined(book: &str) -> BTreeSet<String> {
    definitions(book).collect()
}

/// The ids of rules, sections and cases, in the order of the book.
fn definitions(book: &str) -> impl Iterator<Item = String> {
    prose(book).into_iter().filter_map(|line| {
        let line = line.trim_start();
        if let Some(heading) = line.strip_prefix('#') {
            let (id, _) = number(heading.trim_start_matches('#').trim_start())?;
            return Some(id.to_owned());
        }
        if let Some((id, _)) = line.strip_prefix("| ").and_then(|row| row.split_once(" |")) {
            return is_case(id).then(|| id.to_owned());
        }
        let line = line.strip_prefix("- ").unwrap_or(line).strip_prefix("**")?;
        let (id, rest) = number(line)?;
        rest.starts_with("**").then(|| id.to_owned())
    })
}

/// The rules and cases that a line cites: `Rule 2.2(3)`, `rules 5.2, 6.8 and 7.15`, `T39`.
fn citations(line: &str) -> Vec<String> {
    let mut found: Vec<String> =
        words(line).filter(|word| is_case(word)).map(str::to_owned).collect();
    let lower = line.to_ascii_lowercase();
    for (at, word) in lower.match_indices("rule") {
        let mut rest = line[at + word.len()..].trim_start_matches('s');
        let mut separator = " ";
        while let Some((id, after)) = rest.strip_prefix(separator).and_then(number) {
            // A bare number is not a citation: "rules 2 players know".
            if !id.contains('.') {
                break;
            }
            found.push(id.to_owned());
            rest = after;
            separator = if rest.starts_with(", ") { ", " } else { " and " };
        }
    }
    found
}

/// All numbers of rules in a line of the book: two or more numbers with dots between them.
fn numbers(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (id, after) = number(&rest[at..]).unwrap_or_default();
        if id.contains('.') {
            found.push(id.to_owned());
        }
        rest = after;
    }
    found
}

/// The number of a rule at the beginning of a text, and what follows: `2`, `2.1.3`, `7.2(a)`.
fn number(text: &str) -> Option<(&str, &str)> {
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mut end = digits(text);
    if end == 0 {
        return None;
    }
    while let Some(rest) = text[end..].strip_prefix('.') {
        match digits(rest) {
            0 => break,
            n => end += 1 + n,
        }
    }
    let item = text[end..].strip_prefix('(').and_then(|item| item.split_once(')'));
    if item.is_some_and(|(item, _)| item.len() == 1) {
        end += 3;
    }
    Some(text.split_at(end))
}

fn is_case(word: &str) -> bool {
    word.len() == 3 && word.starts_with('T') && word[1..].bytes().all(|b| b.is_ascii_digit())
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// The lines outside fenced blocks.
fn prose(book: &str) -> Vec<&str> {
    let mut is_inside = false;
    book.lines()
        .filter(|line| {
            let is_fence = line.starts_with("```");
            is_inside ^= is_fence;
            !is_inside && !is_fence
        })
        .collect()
}

/// The fenced blocks: their kind, the line after which they begin, their text.
fn blocks(book: &str) -> Vec<(&str, usize, String)> {
    let mut blocks: Vec<(&str, usize, String)> = Vec::new();
    let mut is_inside = false;
    for (number, line) in (1..).zip(book.lines()) {
        if let Some(kind) = line.strip_prefix("```") {
            is_inside = !is_inside;
            if is_inside {
                blocks.push((kind, number, String::new()));
            }
        } else if let Some((_, _, text)) = blocks.last_mut().filter(|_| is_inside) {
            text.push_str(line);
            text.push('\n');
        }
    }
    blocks
}

/// The cells of the first table row with this name, without the name.
fn table_row(book: &str, name: &str) -> Vec<String> {
    let start = format!("| {name} |");
    let row = book.lines().map(str::trim).find_map(|line| line.strip_prefix(&start));
    let row = row.unwrap_or_else(|| panic!("docs/rules.md has no row `{name}`"));
    row.trim_end_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// Runs a script: what it expects holds, and it expects something.
fn run(script: &str) -> Result<(), String> {
    let mut table = Table::default();
    let mut n_checks = 0;
    for line in data::read(script).map_err(|(line, problem)| format!("line {line}: {problem}"))? {
        let (word, rest) = line.statement();
        let result = table.act(word, rest).or_else(|| {
            n_checks += 1;
            table.expect(word, rest)
        });
        let result = result.unwrap_or_else(|| Err("there is no such statement".to_owned()));
        result.map_err(|problem| format!("{}: {problem}", line.text))?;
    }
    if n_checks == 0 { Err("nothing is checked".to_owned()) } else { Ok(()) }
}

/// A script up to the last turn of a round, in which seat 1 has this board and `1W5` ends the round.
fn last_turn(board: &str) -> String {
    format!("position az1_2c_d2_2s1_W-.-.-.-._1_rest_._{board}_{EMPTY}\n")
}

/// Five rows of five letters, and what stands after the `=` and before a colon.
fn picture(text: &str) -> Result<(Vec<Vec<char>>, Vec<&str>), String> {
    let (rows, sums) = text.split_once("= ").ok_or("a picture ends with `= POINTS`")?;
    let letters = |row: &str| row.split_whitespace().flat_map(str::chars).collect::<Vec<_>>();
    let rows: Vec<_> = rows.lines().map(letters).collect();
    if rows.len() != 5 || rows.iter().any(|row| row.len() != 5) {
        return Err("a picture has five rows of five".to_owned());
    }
    let sums = sums.split([':', '\n']).next().unwrap_or_default();
    Ok((rows, sums.split('+').map(str::trim).collect()))
}

/// The lines and the wall before the round ended, and the tiles that were then placed: those in
/// small letters, as `r1c3 R`.
fn before_tiling(mut wall: Vec<Vec<char>>) -> (String, Vec<String>) {
    let mut lines: Vec<String> = (1..=5).map(|n| ".".repeat(n)).collect();
    let mut placed = Vec::new();
    for (r, row) in wall.iter_mut().enumerate() {
        for (c, space) in row.iter_mut().enumerate().filter(|(_, space)| space.is_ascii_lowercase())
        {
            let tile = space.to_ascii_uppercase().to_string();
            placed.push(format!("r{}c{} {tile}", r + 1, c + 1));
            lines[r] = tile.repeat(r + 1);
            *space = '.';
        }
    }
    let wall: Vec<String> = wall.iter().map(|row| row.iter().collect()).collect();
    (format!("0~{}~{}~.", lines.join("-"), wall.join("-")), placed)
}

/// Each tile placed has its points after the `=`.
fn wall_script(text: &str) -> Result<String, String> {
    let (wall, points) = picture(text)?;
    let (board, placed) = before_tiling(wall);
    if placed.len() != points.len() {
        return Err(format!("{} tiles are placed and {} score", placed.len(), points.len()));
    }
    let placed: Vec<_> =
        placed.iter().zip(points).map(|(tile, points)| format!("{tile} +{points}")).collect();
    Ok(format!("{}play 1W5\nplaced 1 {}\n", last_turn(&board), placed.join(", ")))
}

/// The tiles placed end the game; after the `=` are the points for rows, columns and colors.
fn bonus_script(text: &str) -> Result<String, String> {
    let (wall, points) = picture(text)?;
    let (board, _) = before_tiling(wall);
    Ok(format!("{}play 1W5\nended row\nbonuses 1 {}\n", last_turn(&board), points.join("+")))
}

/// All files with text below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            if !["node_modules", "target", "games"].contains(&name) {
                found.extend(files(&path));
            }
        } else if [".rs", ".txt", ".md", ".ts", ".svelte"].iter().any(|end| name.ends_with(end)) {
            found.push(path);
        }
    }
    found
}

#[test]
fn citations_are_found() {
    let check = |line: &str, expected: &[&str]| assert_eq!(citations(line), expected, "{line}");
    check("// Rule 2.2(3): the wall row", &["2.2(3)"]);
    check("// Rules 5.2, 6.8 and 7.15: five", &["5.2", "6.8", "7.15"]);
    check("(rule 2.1.5). Rule 7.2(b)", &["2.1.5", "7.2(b)"]);
    check("/// The 15 tiles of T39: rows 1", &["T39"]);
    check("Rule 9.99 and rule 2.2(7)", &["9.99", "2.2(7)"]);
    check("the rules 2 players know, T1 T123 xT39 2026-01-01T10", &[]);
}

#[test]
fn a_wrong_book_is_noticed() {
    let book = "## 2 Two\n### 2.1 A turn\n- **2.1.1** Text (2.9).\n  - **7.2(a)** x\n| T01 | 1.2 |\n\
                ```case\n- **3.1** inside\n```\n";
    assert_eq!(definitions(book).collect::<Vec<_>>(), ["2", "2.1", "2.1.1", "7.2(a)", "T01"]);
    assert_eq!(numbers("- **2.1.1** Text (2.9), 14 or 7.2(a)"), ["2.1.1", "2.9", "7.2(a)"]);

    let wall = ". . . . .\n. . . . .\n. W B y .\n. . . . .\n. . . . .\n= ";
    let script = |points: &str| wall_script(&format!("{wall}{points}"));
    assert_eq!(run(&script("3: a row").unwrap()), Ok(()));
    assert!(run(&script("4: a row").unwrap()).unwrap_err().contains("found r3c4 Y +3"));
    assert!(script("3 + 1").is_err());
    let bonus = "b Y R K W\n. . . . .\n. . . . .\n. . . . .\n. . . . .\n= ";
    let script = |points: &str| bonus_script(&format!("{bonus}{points}"));
    assert_eq!(run(&script("2 + 0 + 0").unwrap()), Ok(()));
    assert!(run(&script("3 + 0 + 0").unwrap()).is_err());
    assert_eq!(run("new 2c 1\n"), Err("nothing is checked".to_owned()));
}
