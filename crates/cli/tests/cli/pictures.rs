//! Properties of the pictures of many positions.

use crate::round_trips::RandomGame;
use crate::run::{VARIANTS, azulejo, program};

const WIDTHS: [&str; 5] = ["25", "33", "80", "110", "200"];

/// Positions from the beginning, the middle and the end of a game.
fn positions(variant: &str) -> Vec<String> {
    let game = RandomGame::new(variant, "pictures");
    let n = game.steps.len();
    [0, 1, n / 3, n / 2, n - 1, n].iter().map(|&n_steps| game.position(n_steps)).collect()
}

/// The text without color codes.
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').expect("a code for a color").1)
}

#[test]
fn pictures_fit_their_width() {
    for variant in VARIANTS {
        for position in positions(variant) {
            for width in WIDTHS {
                let picture = azulejo(&["show", &position, "--width", width]).fine();
                for line in picture.lines() {
                    let n_columns = line.chars().count();
                    assert!(n_columns <= width.parse().unwrap(), "{position}\n{picture}");
                    assert_eq!(line, line.trim_end(), "{position}\n{picture}");
                    assert!(!line.contains('\u{1b}'), "{position}\n{picture}");
                }
            }
        }
    }
}

#[test]
fn colors_change_nothing_else() {
    for position in positions("-p3 -wgrey -j").into_iter().chain(positions("-p2")) {
        let plain = azulejo(&["show", &position, "--color", "never"]).fine();
        let colored = azulejo(&["show", &position, "--color", "always"]).fine();
        assert!(colored.contains("\u{1b}["), "{colored}");
        let stripped: Vec<_> = without_colors(&colored).lines().map(trimmed).collect();
        assert_eq!(stripped, plain.lines().collect::<Vec<_>>());
    }
}

fn trimmed(line: &str) -> String {
    line.trim_end().to_owned()
}

#[test]
fn colors_appear_where_they_are_asked_for() {
    let position = azulejo(&["new", "--seed", "5"]).fine();
    let position = position.trim();
    let check = |args: &[&str], env: &[(&str, &str)], has_colors: bool| {
        let output = program(&[&["show", position], args].concat())
            .envs(env.iter().copied())
            .output()
            .unwrap();
        assert!(output.status.success());
        assert_eq!(output.stdout.contains(&0x1b), has_colors, "{args:?} {env:?}");
    };
    check(&[], &[], false);
    check(&["--color", "always"], &[], true);
    check(&["--color", "always"], &[("NO_COLOR", "1")], true);
    check(&["--color", "never"], &[("CLICOLOR_FORCE", "1")], false);
    check(&[], &[("CLICOLOR_FORCE", "1")], true);
    check(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false);
}

#[test]
fn the_boards_of_every_seat_are_there() {
    for variant in ["-p2", "-p3", "-p4"] {
        let n_seats: usize = variant[2..].parse().unwrap();
        for position in positions(variant) {
            let picture = azulejo(&["show", &position]).fine();
            for seat in 1..=4 {
                let is_there = picture.contains(&format!("Seat {seat} "));
                assert_eq!(is_there, seat <= n_seats, "{picture}");
            }
            assert_eq!(picture.matches("Floor:").count(), n_seats, "{picture}");
        }
    }
}
