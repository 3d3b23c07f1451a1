//! Renders the Markdown of our own pages as text for a terminal: paragraphs and tables are wrapped,
//! headings bold, code as it is. It knows the part of Markdown that the pages use, no more.

use super::PAGES;
use anstyle::Style;
use azulejo_words::wrap;
use std::fmt::Write;
use std::iter::Peekable;
use std::str::Lines;

/// A page as lines of at most `width` columns; code and long words may be longer.
pub(super) fn page(markdown: &str, width: usize) -> String {
    let mut text = String::new();
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        let content = line.trim_start();
        let indent = &line[..line.len() - content.len()];
        if content.starts_with("```") {
            for code in lines.by_ref().take_while(|line| !line.trim_start().starts_with("```")) {
                let _ = writeln!(text, "    {code}");
            }
        } else if content.starts_with('#') {
            let bold = Style::new().bold();
            let heading = inline(content.trim_start_matches(['#', ' ']));
            for line in wrap(&heading, width, "", "") {
                let _ = writeln!(text, "{bold}{line}{bold:#}");
            }
        } else if content.starts_with('|') {
            let rows = table_rows(content, &mut lines);
            text += &table(&rows, indent, width);
        } else if content.starts_with("![") || content.starts_with("<img") {
            // A picture says nothing here, and neither does the blank line after it.
            lines.next_if(|next| next.trim().is_empty());
        } else if content.is_empty() {
            text.push('\n');
        } else {
            let marker = if content.starts_with("- ") { 2 } else { 0 };
            let first = format!("{indent}{}", &content[..marker]);
            let mut paragraph = content[marker..].to_owned();
            while let Some(next) = lines.next_if(|next| is_continuation(next)) {
                paragraph.push(' ');
                paragraph.push_str(next.trim());
            }
            let rest = " ".repeat(first.len());
            for line in wrap(&inline(&paragraph), width, &first, &rest) {
                let _ = writeln!(text, "{line}");
            }
        }
    }
    text
}

/// Whether a line belongs to the paragraph or item above it.
fn is_continuation(line: &str) -> bool {
    let starts = ["#", "|", "- ", "```", "!["];
    let content = line.trim_start();
    !content.is_empty() && !starts.iter().any(|start| content.starts_with(start))
}

/// Links as their text, with the command that shows the page they lead to; no marks of emphasis.
/// Code keeps its marks: it is the only hint where there are no colors.
fn inline(text: &str) -> String {
    let mut plain = String::new();
    for (i, part) in text.split('`').enumerate() {
        let is_code = i % 2 == 1;
        if is_code {
            let _ = write!(plain, "`{part}`");
        } else {
            plain += &part.replace('*', "");
        }
    }
    let mut linked = String::new();
    let mut rest = plain.as_str();
    while let Some((before, label, target, after)) = first_link(rest) {
        let file = target.split('#').next().unwrap_or_default();
        let name = file.trim_start_matches("docs/").trim_end_matches(".md");
        linked += before;
        match PAGES.iter().find(|page| page.name == name) {
            Some(_) if label == file => _ = write!(linked, "`azulejo help {name}`"),
            Some(_) => _ = write!(linked, "{label} (`azulejo help {name}`)"),
            None => linked += label,
        }
        rest = after;
    }
    linked + rest
}

/// The text before the first link, its label, its target, and the text after it.
fn first_link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let (before, rest) = text.split_once('[')?;
    let (label, rest) = rest.split_once("](")?;
    let (target, after) = rest.split_once(')')?;
    Some((before, label, target, after))
}

fn table_rows<'a>(first: &'a str, lines: &mut Peekable<Lines<'a>>) -> Vec<Vec<String>> {
    let mut rows = vec![cells(first)];
    while let Some(line) = lines.next_if(|line| line.trim_start().starts_with('|')) {
        let is_ruler = line.trim_start().starts_with("|---");
        if !is_ruler {
            rows.push(cells(line.trim_start()));
        }
    }
    rows
}

fn cells(row: &str) -> Vec<String> {
    let row = row.trim().trim_start_matches('|').trim_end_matches('|').replace("\\|", "\0");
    row.split('|').map(|cell| inline(&cell.trim().replace('\0', "|"))).collect()
}

/// A table with aligned columns, whose cells are wrapped where it is too wide.
fn table(rows: &[Vec<String>], indent: &str, width: usize) -> String {
    const GAP: usize = 2;
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let longest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let natural: Vec<usize> = (0..n_columns).map(longest).collect();
    let room = width.saturating_sub(indent.len() + GAP * n_columns.saturating_sub(1));
    let widths = fit(&natural, room);
    let mut text = String::new();
    for (i, row) in rows.iter().enumerate() {
        let column =
            |(cell, &width): (&String, &usize)| wrap(&breakable(cell, width), width, "", "");
        let columns: Vec<Vec<String>> = row.iter().zip(&widths).map(column).collect();
        for j in 0..columns.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = indent.to_owned();
            for (cell, width) in columns.iter().zip(&widths) {
                let cell = cell.get(j).map_or("", String::as_str);
                let _ = write!(line, "{cell:<0$}", width + GAP);
            }
            let style = if i == 0 { Style::new().bold() } else { Style::new() };
            let _ = writeln!(text, "{style}{}{style:#}", line.trim_end());
        }
    }
    text
}

/// The widths of columns that together have `room`: narrow columns get what they need, the others
/// equal parts of the rest.
fn fit(natural: &[usize], room: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..natural.len()).collect();
    order.sort_by_key(|&column| natural[column]);
    let mut widths = vec![0; natural.len()];
    let mut room = room;
    for (i, &column) in order.iter().enumerate() {
        let share = room / (natural.len() - i);
        widths[column] = natural[column].min(share.max(1));
        room = room.saturating_sub(widths[column]);
    }
    widths
}

/// Breaks words that are longer than a column.
fn breakable(cell: &str, width: usize) -> String {
    let mut text = String::new();
    let mut n_chars = 0;
    for c in cell.chars() {
        n_chars = if c == ' ' { 0 } else { n_chars + 1 };
        if n_chars > width {
            text.push(' ');
            n_chars = 1;
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(markdown: &str, width: usize) -> String {
        anstream::adapter::strip_str(&page(markdown, width)).to_string()
    }

    #[test]
    fn blocks_are_rendered() {
        let check = |markdown: &str, expected: &str| assert_eq!(plain(markdown, 24), expected);
        check("# One `two`\n\nThree\nfour.\n", "One `two`\n\nThree four.\n");
        check(
            "a paragraph that is longer\nthan one line",
            "a paragraph that is\nlonger than one line\n",
        );
        check("- **1.2** an item that\n  goes on\n- two", "- 1.2 an item that goes\n  on\n- two\n");
        check("```sh\nls  *\n```\nx", "    ls  *\nx\n");
        check("![A board](board.svg)\n\nx", "x\n");
        check("see [notation.md](notation.md)", "see `azulejo help\nnotation`\n");
        check("[a record](notation.md#records)", "a record (`azulejo help\nnotation`)\n");
        check("[src](../src) `*` *new*", "src `*` new\n");
        check("| a | long |\n|---|---|\n| `x` | y |\n", "a    long\n`x`  y\n");
        check("  | a |\n  |---|\n  | b |\n", "  a\n  b\n");
        check(
            "| key | meaning |\n|---|---|\n| `k` | a cell that is too wide |\n",
            "key  meaning\n`k`  a cell that is too\n     wide\n",
        );
        check(
            "| a |\n|---|\n| 0123456789012345678901234567 |\n",
            "a\n012345678901234567890123\n4567\n",
        );
    }

    #[test]
    fn every_page_fits_the_terminal() {
        for document in PAGES {
            for width in [40, 80, 100] {
                let text = plain(document.text, width);
                let is_code = |line: &&str| line.starts_with("    ");
                for line in text.lines().filter(|line| !is_code(line)) {
                    let is_one_word = line.split_whitespace().count() <= 2;
                    assert!(
                        line.chars().count() <= width || is_one_word,
                        "{}: {line}",
                        document.name
                    );
                }
                assert!(!text.contains("]("), "{}", document.name);
            }
        }
    }
}
