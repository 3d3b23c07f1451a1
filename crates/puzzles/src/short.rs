//! The short form of a position in a puzzle's line: the notation of docs/notation.md without what a
//! reader can fill in. That is the version, free spaces at the end of a line or a row, empty factories,
//! and the bag, which holds every tile that is nowhere else.

use azulejo_rules::{ParsePositionError, Position, Rules};

/// The fields of a position before its boards: version, rules, phase, round, factories, center, bag, lid.
const FACTORIES: usize = 4;
const BAG: usize = 6;
const BOARDS: usize = 8;

/// The short form.
pub(crate) fn shorten(position: &Position) -> String {
    let text = position.to_string();
    let fields = text.split('_').enumerate().skip(1).map(|(i, field)| match i {
        FACTORIES => shorten_parts(field).trim_end_matches('-').to_owned(),
        BAG => "rest".to_owned(),
        i if i >= BOARDS => {
            let parts: Vec<String> = field
                .split('~')
                .enumerate()
                .map(|(i, part)| if is_grid(i) { shorten_parts(part) } else { part.to_owned() })
                .collect();
            parts.join("~")
        }
        _ => field.to_owned(),
    });
    fields.collect::<Vec<_>>().join("_")
}

/// Lines and wall are the second and third part of a board.
fn is_grid(part: usize) -> bool {
    part == 1 || part == 2
}

fn shorten_parts(grid: &str) -> String {
    grid.split('-').map(|part| part.trim_end_matches('.')).collect::<Vec<_>>().join("-")
}

/// The position of a short form.
pub(crate) fn read(text: &str) -> Result<Position, ParsePositionError> {
    let rules: Option<Rules> = text.split('_').next().and_then(|rules| rules.parse().ok());
    let n_factories = rules.map_or(0, |rules| rules.players().factories());
    let long = format!("az1_{text}");
    let fields = long.split('_').enumerate().map(|(i, field)| match i {
        FACTORIES => fill_factories(field, n_factories),
        i if i >= BOARDS => {
            let parts: Vec<String> = field
                .split('~')
                .enumerate()
                .map(|(i, part)| match i {
                    1 => fill(part, |line| line + 1),
                    2 => fill(part, |_| 5),
                    _ => part.to_owned(),
                })
                .collect();
            parts.join("~")
        }
        _ => field.to_owned(),
    });
    fields.collect::<Vec<_>>().join("_").parse()
}

/// Fills every part with free spaces to its width.
fn fill(grid: &str, width: impl Fn(usize) -> usize) -> String {
    let parts = grid.split('-').enumerate().map(|(i, part)| format!("{part:.<w$}", w = width(i)));
    parts.collect::<Vec<_>>().join("-")
}

fn fill_factories(text: &str, n: usize) -> String {
    let mut parts: Vec<&str> =
        text.split('-').map(|part| if part.is_empty() { "." } else { part }).collect();
    parts.resize(parts.len().max(n), ".");
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_are_read_back() {
        for (long, short) in [
            (
                "az1_2c-duel_d2_2s2_.-.-.-.-RRKK_BBKW_rest_._7~Y-..-RR.-....-.....~B....-.....-K....-.....-.....~1R_\
                 3~.-YY-...-B...-KKKK.~.....-W....-.....-.....-.....~.",
                "2c-duel_d2_2s2_----RRKK_BBKW_rest_._7~Y--RR--~B--K--~1R_3~-YY--B-KKKK~-W---~.",
            ),
            (
                "az1_3gj_w2r1_2s2_.-.-.-.-.-.-._._rest_._5~.-..-...-....-JJ...~...K.-.....-.....-.....-.....~._\
                 3~J-W.-...-....-.....~.....-.R...-.....-.....-.....~1B_0~.-YY-...-....-.....~.....-.....-.....-.....-.....~.",
                "3gj_w2r1_2s2__._rest_._5~----JJ~...K----~._3~J-W---~-.R---~1B_0~-YY---~----~.",
            ),
        ] {
            let position: Position = long.parse().expect("a position");
            assert_eq!(shorten(&position), short);
            assert_eq!(read(short).expect("a short form"), position);
        }
        assert!(read("2c_d1").is_err() && read("").is_err());
    }
}
