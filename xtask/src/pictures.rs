//! Draws the terminal pictures of the documentation from what the program really prints, with its
//! colors, as SVG.

use crate::{build_program, cargo_command, program, root};
use anyhow::{Context, ensure};
use std::fmt::Write;
use std::process::Command;

/// The pictures: file and command.
const PICTURES: [(&str, &[&str]); 1] = [(
    "docs/show.svg",
    &[
        "show",
        concat!(
            "az1_2c_d1_3s2_BYRW-.-.-RRKW-BBBY_1YKKW_rest_._",
            "14~R-WW-BBB-KK..-YYYY.~.Y..W-.B.R.-.W...-R....-.....~._",
            "11~W-K.-RR.-YYYY-BB...~B..K.-WB...-K....-.....-...W.~RR",
        ),
    ],
)];

/// The width and height of a character, in the units of the picture.
const CELL: (f64, f64) = (8.4, 18.0);
const MARGIN: f64 = 14.0;
const PAPER: &str = "#16181d";
const INK: &str = "#d7dae0";

pub(crate) fn make() -> anyhow::Result<()> {
    build_program()?;
    for (file, args) in PICTURES {
        picture(file, Command::new(program("debug")).args(args).args(["--color", "always"]))?;
    }
    picture(
        "docs/play.svg",
        &mut cargo_command(&["run", "--quiet", "--package", "azulejo-tui", "--example", "picture"]),
    )
}

/// Makes a picture of what a command prints.
fn picture(file: &str, command: &mut Command) -> anyhow::Result<()> {
    let output = command.output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let svg = draw(&String::from_utf8(output.stdout)?);
    std::fs::write(root().join(file), svg).with_context(|| file.to_owned())?;
    println!("xtask: {file}");
    Ok(())
}

/// How characters look until the next change.
#[derive(Clone, Default)]
struct Style {
    ink: Option<String>,
    paper: Option<String>,
    bold: bool,
    dim: bool,
    underline: bool,
    invert: bool,
}

impl Style {
    /// Changes the style as an escape sequence says: the numbers between `ESC [` and `m`.
    fn change(&mut self, codes: &str) {
        let codes: Vec<u8> = codes.split(';').filter_map(|code| code.parse().ok()).collect();
        match codes.as_slice() {
            [] | [0] => *self = Style::default(),
            [1] => self.bold = true,
            [2] => self.dim = true,
            [4] => self.underline = true,
            [7] => self.invert = true,
            [38, 5, index] => self.ink = Some(color(*index)),
            [48, 5, index] => self.paper = Some(color(*index)),
            [38, 2, r, g, b] => self.ink = Some(format!("#{r:02x}{g:02x}{b:02x}")),
            [48, 2, r, g, b] => self.paper = Some(format!("#{r:02x}{g:02x}{b:02x}")),
            _ => {}
        }
    }
}

fn draw(terminal: &str) -> String {
    let mut shapes = String::new();
    let mut style = Style::default();
    let (mut row, mut column, mut widest) = (0_u32, 0_u32, 0_u32);
    let mut rest = terminal;
    while let Some(letter) = rest.chars().next() {
        if let Some(sequence) = rest.strip_prefix("\u{1b}[") {
            let (codes, after) = sequence.split_once('m').unwrap_or((sequence, ""));
            style.change(codes);
            rest = after;
            continue;
        }
        rest = &rest[letter.len_utf8()..];
        if letter == '\n' {
            (row, column) = (row + 1, 0);
            continue;
        }
        shapes += &draw_letter(letter, row, column, &style);
        column += 1;
        widest = widest.max(column);
    }
    let width = f64::from(widest) * CELL.0 + 2.0 * MARGIN;
    let height = f64::from(row) * CELL.1 + 2.0 * MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{PAPER}\"/>\n{shapes}</svg>\n"
    )
}

fn draw_letter(letter: char, row: u32, column: u32, style: &Style) -> String {
    let (x, y) = (MARGIN + f64::from(column) * CELL.0, MARGIN + f64::from(row) * CELL.1);
    let mut ink = style.ink.clone().unwrap_or(INK.to_owned());
    let mut paper = style.paper.clone();
    if style.invert {
        paper = Some(std::mem::replace(&mut ink, paper.unwrap_or(PAPER.to_owned())));
    }
    let mut shape = String::new();
    if let Some(paper) = paper {
        let (width, height) = (CELL.0 + 0.2, CELL.1 - 2.0);
        let _ = writeln!(
            shape,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{paper}\"/>"
        );
    }
    if letter != ' ' {
        let letter = match letter {
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            '&' => "&amp;".to_owned(),
            other => other.to_string(),
        };
        let weight = if style.bold { " font-weight=\"bold\"" } else { "" };
        let faint = if style.dim { " opacity=\"0.5\"" } else { "" };
        let line = if style.underline { " text-decoration=\"underline\"" } else { "" };
        let base = y + 12.5;
        let _ = writeln!(
            shape,
            "<text x=\"{x:.1}\" y=\"{base:.1}\" fill=\"{ink}\"{weight}{faint}{line}>{letter}</text>"
        );
    }
    shape
}

/// A color of the 256 of terminals: the cube and the greys.
fn color(index: u8) -> String {
    let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
    let (red, green, blue) = match index {
        16..=231 => {
            let n = index - 16;
            (level(n / 36), level(n / 6 % 6), level(n % 6))
        }
        232..=255 => {
            let grey = 8 + 10 * (index - 232);
            (grey, grey, grey)
        }
        _ => (0xd7, 0xda, 0xe0),
    };
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_those_of_terminals() {
        assert_eq!(color(16), "#000000");
        assert_eq!(color(231), "#ffffff");
        assert_eq!(color(26), "#005fd7");
        assert_eq!(color(240), "#585858");
    }

    #[test]
    fn styles_hold_until_they_are_reset() {
        let svg = draw("\u{1b}[1m\u{1b}[48;5;26mB<\u{1b}[0mc\n");
        assert_eq!(svg.matches("#005fd7").count(), 2);
        assert_eq!(svg.matches("bold").count(), 2);
        assert!(svg.contains("&lt;"));
    }
}
