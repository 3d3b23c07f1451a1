//! The draft: which moves are legal, and what a move does.

use crate::game::{Action, Destination, Game, Source};
use crate::rules::{Tile, printed_column};

/// A pick from a source: a color or none, and whether the jokers are taken too.
type Pick = (Option<Tile>, bool);

impl Game {
    /// All drafts of the seat to move, each exactly once.
    pub(crate) fn draft_actions(&self) -> Vec<Action> {
        // Rule 2.1.1: there is no pass.
        let seat = self.to_move;
        let mut sources = vec![Source::Center];
        for index in 0..self.factories.len() {
            sources.push(Source::Factory(index));
        }
        let mut actions = Vec::new();
        for source in sources {
            let tiles = self.tiles_at(source);
            for (color, jokers) in picks(tiles) {
                for row in 0..5 {
                    if !self.line_accepts(seat, row, color) {
                        continue;
                    }
                    for jokers_in_line in self.joker_choices(seat, row, tiles, (color, jokers)) {
                        actions.push(Action::Draft {
                            source,
                            color,
                            jokers,
                            destination: Destination::Line(row),
                            jokers_in_line,
                        });
                    }
                }
                // Rule 2.2: the floor is always a legal destination.
                actions.push(Action::Draft {
                    source,
                    color,
                    jokers,
                    destination: Destination::Floor,
                    jokers_in_line: 0,
                });
            }
        }
        actions
    }

    /// The tiles at a source; the marker is not one of them (rule 2.1.5).
    fn tiles_at(&self, source: Source) -> &[Tile] {
        match source {
            Source::Center => &self.center,
            Source::Factory(index) => &self.factories[index],
        }
    }

    /// Whether a line of a seat accepts a pick of this color, or of jokers only.
    pub(crate) fn line_accepts(&self, seat: usize, row: usize, color: Option<Tile>) -> bool {
        let player = &self.players[seat];
        // Rule 2.2(1): the line is not full.
        if player.room_in_line(row) == 0 {
            return false;
        }
        // Rule 7.5: jokers alone go on any line with room.
        let Some(color) = color else {
            return true;
        };
        // Rules 2.2(2) and 7.4: the line is empty, or holds only jokers, or has this color.
        if line_color(&player.lines[row]).is_some_and(|other| other != color) {
            return false;
        }
        // Rule 2.2(3): the wall row does not hold this color yet.
        if player.wall[row].contains(&Some(color)) {
            return false;
        }
        // Rules 7.4 and 7.13: on the colored side a joker on the color's space bars the color.
        // Rule 7.12: on the grey side a joker is colorless and bars nothing.
        let barred =
            !self.rules.grey && player.wall[row][printed_column(row, color)] == Some(Tile::Joker);
        !barred
    }

    /// The numbers of jokers that may enter the line.
    fn joker_choices(&self, seat: usize, row: usize, tiles: &[Tile], pick: Pick) -> Vec<usize> {
        let (colored, jokers) = pick_sizes(tiles, pick);
        // Rule 7.7: all tiles that fit must enter; the player chooses which.
        let entering = self.players[seat].room_in_line(row).min(colored + jokers);
        let least = entering.saturating_sub(colored);
        let most = entering.min(jokers);
        (least..=most).collect()
    }

    /// Takes tiles and puts them down. The move must be legal.
    pub(crate) fn draft(
        &mut self,
        source: Source,
        color: Option<Tile>,
        jokers: bool,
        destination: Destination,
        jokers_in_line: usize,
    ) {
        let seat = self.to_move;
        let (mut colored_taken, mut jokers_taken) = self.take_from(source, color, jokers);

        // Rule 2.3: the first to take from the center takes the marker too. It gets its floor
        // space before any tile of this turn falls, because it counts from here on.
        if source == Source::Center && self.marker.is_none() {
            self.marker = Some(seat);
        }

        if let Destination::Line(row) = destination {
            // Rule 2.2: the line is filled as far as there is room.
            let taken = colored_taken.len() + jokers_taken.len();
            let entering = self.players[seat].room_in_line(row).min(taken);
            let line = &mut self.players[seat].lines[row];
            line.extend(colored_taken.drain(..entering - jokers_in_line));
            line.extend(jokers_taken.drain(..jokers_in_line));
        }
        // Rules 2.2 and 2.4: the rest falls, the colored tiles first, then the jokers.
        self.fall(seat, &colored_taken);
        self.fall(seat, &jokers_taken);
    }

    /// Takes a pick away from a source: the colored tiles and the jokers of the pick.
    fn take_from(
        &mut self,
        source: Source,
        color: Option<Tile>,
        jokers: bool,
    ) -> (Vec<Tile>, Vec<Tile>) {
        let tiles = match source {
            Source::Center => std::mem::take(&mut self.center),
            Source::Factory(index) => std::mem::take(&mut self.factories[index]),
        };
        let mut colored_taken = Vec::new();
        let mut jokers_taken = Vec::new();
        for tile in tiles {
            if Some(tile) == color {
                // Rule 2.1.2: all tiles of the color.
                colored_taken.push(tile);
            } else if tile == Tile::Joker && jokers {
                // Rule 7.2: all jokers, or none of them.
                jokers_taken.push(tile);
            } else {
                // Rules 2.1.3 and 2.1.4: the rest of a factory moves to the center, and the rest
                // of the center stays there.
                self.center.push(tile);
            }
        }
        (colored_taken, jokers_taken)
    }
}

/// The picks at a source with these tiles.
fn picks(tiles: &[Tile]) -> Vec<Pick> {
    let with_jokers = tiles.contains(&Tile::Joker);
    let mut picks = Vec::new();
    for color in Tile::COLORS {
        if tiles.contains(&color) {
            // Rule 7.2(a): all tiles of one color.
            picks.push((Some(color), false));
            if with_jokers {
                // Rule 7.2(c): all jokers and all tiles of one color.
                picks.push((Some(color), true));
            }
        }
    }
    if with_jokers {
        // Rule 7.2(b): all jokers only.
        picks.push((None, true));
    }
    picks
}

/// How many colored tiles and how many jokers a pick takes from these tiles.
fn pick_sizes(tiles: &[Tile], (color, jokers): Pick) -> (usize, usize) {
    let mut sizes = (0, 0);
    for &tile in tiles {
        if Some(tile) == color {
            sizes.0 += 1;
        } else if tile == Tile::Joker && jokers {
            sizes.1 += 1;
        }
    }
    sizes
}

/// The color of a line; none while it is empty or holds only jokers (rule 7.6).
pub(crate) fn line_color(line: &[Tile]) -> Option<Tile> {
    line.iter().copied().find(|&tile| tile != Tile::Joker)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Phase;
    use crate::rules::Rules;
    use crate::testing::{drafting, set_line, set_wall, take, take_jokers, tile, tiles};
    use Source::{Center, Factory};

    fn with_jokers() -> Rules {
        let mut rules = Rules::official(2);
        rules.jokers = true;
        rules
    }

    #[test]
    fn t04_first_moves() {
        let factories = ["BBYR", "KKKK", "BYRK", "WWWY", "RRKK"];
        let game = drafting(Rules::official(2), &factories, "");
        assert_eq!(game.legal_actions().len(), 72);
    }

    #[test]
    fn t05_to_t08_factory_center_marker_and_excess() {
        let mut game = drafting(Rules::official(2), &["BBYR", "RRRR"], "");
        game.play(&take(Factory(0), 'B', 2)).unwrap();
        assert_eq!(game.players[0].lines[1], tiles("BB"));
        assert_eq!(game.center, tiles("YR"));
        assert!(game.factories[0].is_empty());
        assert_eq!(game.marker, None);
        assert_eq!(game.to_move, 1);

        let mut game = drafting(Rules::official(2), &["RRRR"], "YRR");
        game.play(&take(Center, 'R', 3)).unwrap();
        assert_eq!(game.players[0].lines[2], tiles("RR"));
        assert_eq!(game.marker, Some(0));
        assert_eq!(game.center, tiles("Y"));
        game.play(&take(Center, 'Y', 1)).unwrap();
        assert_eq!(game.marker, Some(0));
        assert_eq!(game.floor_spaces_taken(1), 0);

        let mut game = drafting(Rules::official(2), &["RRRR"], "KKKKK");
        game.play(&take(Center, 'K', 3)).unwrap();
        assert_eq!(game.players[0].lines[2], tiles("KKK"));
        assert_eq!(game.players[0].floor, tiles("KK"));
        assert_eq!(game.floor_spaces_taken(0), 3);
    }

    #[test]
    fn t09_the_marker_counts_on_the_floor() {
        let mut game = drafting(Rules::official(2), &["RRRR"], "Y");
        game.players[0].floor = tiles("BB");
        game.play(&take(Center, 'Y', 1)).unwrap();
        assert_eq!(game.floor_loss(0), 4);
    }

    #[test]
    fn t10_the_marker_beside_a_full_floor() {
        let mut game = drafting(Rules::official(2), &["KKKK"], "RR");
        game.players[0].floor = tiles("BBBBBBB");
        game.play(&take(Center, 'R', 2)).unwrap();
        assert_eq!(game.players[0].floor, tiles("BBBBBBB"));
        assert!(game.lid.is_empty());
        assert_eq!(game.floor_loss(0), 14);
        // The other seat ends the round, and the marker holder starts the next one.
        game.starter = 1;
        game.play(&take(Factory(0), 'K', 4)).unwrap();
        assert_eq!(game.phase, Phase::Deal);
        assert_eq!((game.starter, game.marker), (0, None));
    }

    #[test]
    fn t11_the_marker_takes_the_last_floor_space() {
        let mut game = drafting(Rules::official(2), &["KKKK"], "WWW");
        game.players[0].floor = tiles("BBBBBB");
        game.play(&take(Center, 'W', 0)).unwrap();
        assert_eq!(game.marker, Some(0));
        assert_eq!(game.players[0].floor, tiles("BBBBBB"));
        assert_eq!(game.lid, tiles("WWW"));
        assert_eq!(game.floor_loss(0), 14);
    }

    #[test]
    fn t12_excess_beyond_the_floor_goes_to_the_lid() {
        let mut game = drafting(Rules::official(2), &["YYYY", "KKKK"], "");
        game.players[0].floor = tiles("BBBBB");
        game.play(&take(Factory(0), 'Y', 1)).unwrap();
        assert_eq!(game.players[0].lines[0], tiles("Y"));
        assert_eq!(game.players[0].floor, tiles("BBBBBYY"));
        assert_eq!(game.lid, tiles("Y"));
    }

    #[test]
    fn t14_to_t16_and_t21_illegal_drafts_change_nothing() {
        let mut game = drafting(Rules::official(2), &["YYKB", "KKKK"], "");
        set_wall(&mut game, 0, "..... ..Y.. ...Y. ..... .....");
        set_line(&mut game, 0, 4, "B");
        set_line(&mut game, 0, 2, "BB");
        let before = game.clone();
        for line in 0..=5 {
            let legal = game.legal_actions().contains(&take(Factory(0), 'Y', line));
            assert_eq!(legal, [0, 1, 5].contains(&line), "line {line}");
        }
        for wrong in [
            take(Factory(0), 'K', 4),
            take(Factory(0), 'B', 2),
            take(Factory(0), 'W', 1),
            take(Factory(2), 'Y', 1),
            take(Center, 'Y', 1),
            take_jokers(Factory(0), Some('Y'), 1, 0),
            take_jokers(Factory(0), None, 1, 0),
            Action::Place { row: 0, column: 0 },
        ] {
            assert!(game.play(&wrong).is_err(), "{wrong:?}");
            assert_eq!(game, before);
        }
    }

    #[test]
    fn t44_picks_with_jokers() {
        let mut game = drafting(with_jokers(), &["JBBR"], "");
        assert_eq!(game.legal_actions().len(), 33);
        game.play(&take(Factory(0), 'B', 2)).unwrap();
        assert_eq!(game.center, tiles("JR"));
    }

    #[test]
    fn most_first_moves_with_jokers() {
        let factories = ["JBYR", "JBYR", "JBYR", "JKWR", "JKWR"];
        let game = drafting(with_jokers(), &factories, "");
        assert_eq!(game.legal_actions().len(), 225);
    }

    #[test]
    fn t48_the_player_chooses_what_overflows() {
        let start = drafting(with_jokers(), &["JBB", "KKKK"], "");
        for (jokers_in_line, line, floor) in [(0, "BB", "J"), (1, "BJ", "B")] {
            let mut game = start.clone();
            let action = take_jokers(Factory(0), Some('B'), 2, jokers_in_line);
            game.play(&action).unwrap();
            assert_eq!(game.players[0].lines[1], tiles(line));
            assert_eq!(game.players[0].floor, tiles(floor));
        }
        let mut game = start.clone();
        assert!(game.play(&take_jokers(Factory(0), Some('B'), 2, 2)).is_err());
        assert!(game.play(&take_jokers(Factory(0), Some('B'), 0, 1)).is_err());
        assert_eq!(game, start);
    }

    #[test]
    fn t49_jokers_join_a_colored_line() {
        let mut game = drafting(with_jokers(), &["KKKK"], "JJR");
        set_line(&mut game, 0, 4, "Y");
        game.play(&take_jokers(Center, None, 4, 2)).unwrap();
        assert_eq!(game.players[0].lines[3], tiles("YJJ"));
        assert_eq!(game.marker, Some(0));
        assert!(game.players[0].floor.is_empty());
        assert_eq!(game.center, tiles("R"));
        assert!(!game.line_accepts(0, 3, Some(tile('R'))));
        assert!(game.line_accepts(0, 3, Some(tile('Y'))));
    }

    #[test]
    fn a_mixed_pick_falls_color_first() {
        let mut game = drafting(with_jokers(), &["JJRR", "KKKK"], "");
        game.players[0].floor = tiles("BBBB");
        game.play(&take_jokers(Factory(0), Some('R'), 0, 0)).unwrap();
        assert_eq!(game.players[0].floor, tiles("BBBBRRJ"));
        assert_eq!(game.lid, tiles("J"));
    }

    #[test]
    fn a_line_of_jokers_takes_any_color_the_wall_allows() {
        let mut game = drafting(with_jokers(), &["KKKK"], "");
        set_line(&mut game, 0, 3, "J");
        set_wall(&mut game, 0, "..... ..... .WJ.. ..... .....");
        let accepted = |game: &Game| Tile::COLORS.map(|color| game.line_accepts(0, 2, Some(color)));
        // Blue is barred by the joker on its space, white by the white tile.
        assert_eq!(accepted(&game), [false, true, true, true, false]);
        game.rules.grey = true;
        assert_eq!(accepted(&game), [true, true, true, true, false]);
    }
}
