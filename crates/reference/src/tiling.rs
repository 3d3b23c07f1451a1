//! Wall-tiling: full lines move to the walls and score, then the floors are paid.

use crate::draft::line_color;
use crate::game::{Game, Phase};
use crate::rules::{Tile, printed_column};

impl Game {
    /// Starts wall-tiling after the last tile of the round was drafted.
    pub(crate) fn start_tiling(&mut self) {
        // Rule 6.9: the seats tile one after another from the starter of this round, clockwise.
        self.tile_from(self.starter);
    }

    /// Goes on with wall-tiling at a seat until somebody must choose or the round is completed.
    pub(crate) fn tile_from(&mut self, first: usize) {
        let mut seat = first;
        loop {
            // Rules 3.1 and 6.3: full lines from top to bottom. A line that was resolved is empty,
            // so that the topmost full line is always the next one.
            while let Some(row) = self.topmost_full_line(seat) {
                let columns = self.open_columns(seat, row);
                match columns.len() {
                    0 => self.drop_line(seat, row),
                    // Rule 6.9: a step with a single option is applied automatically.
                    1 => self.place(seat, row, columns[0]),
                    _ => {
                        self.to_move = seat;
                        self.phase = Phase::Tiling { seat, row };
                        return;
                    }
                }
            }
            self.pay_floor(seat);
            seat = self.seat_after(seat);
            if seat == self.starter {
                break;
            }
        }
        self.finish_round();
    }

    /// The row of the topmost full line of a seat.
    fn topmost_full_line(&self, seat: usize) -> Option<usize> {
        (0..5).find(|&row| self.players[seat].room_in_line(row) == 0)
    }

    /// The columns of the wall row that are open to the full line of a seat.
    pub(crate) fn open_columns(&self, seat: usize, row: usize) -> Vec<usize> {
        let player = &self.players[seat];
        let with_joker = player.lines[row].contains(&Tile::Joker);
        let color = line_color(&player.lines[row]);
        let mut columns = Vec::new();
        for column in 0..5 {
            if player.wall[row][column].is_some() {
                continue;
            }
            let open = match color {
                // Rule 7.10: a line of jokers only goes to any free space, on both sides.
                None => true,
                // Rules 3.1 and 7.11: on the colored side the space of the line's color.
                Some(color) if !self.rules.grey => printed_column(row, color) == column,
                // Rule 7.12: on the grey side a line with a joker goes to any free space.
                Some(_) if with_joker => true,
                // Rule 6.1: else the column must not contain the color yet.
                Some(color) => (0..5).all(|other| player.wall[other][column] != Some(color)),
            };
            if open {
                columns.push(column);
            }
        }
        columns
    }

    /// Moves one tile of a full line to the wall and scores it; the other tiles go to the lid.
    pub(crate) fn place(&mut self, seat: usize, row: usize, column: usize) {
        let player = &mut self.players[seat];
        let mut line = std::mem::take(&mut player.lines[row]);
        // Rule 7.9: a line with a joker gives a joker to the wall, never the colored tile.
        let joker = line.iter().position(|&tile| tile == Tile::Joker);
        let tile = line.swap_remove(joker.unwrap_or(0));
        player.wall[row][column] = Some(tile);
        // Rule 3.3: the points are scored at once.
        let one_plus_neighbors = self.rules.one_plus_neighbors;
        let (_, _, points) = placement_points(&player.wall, row, column, one_plus_neighbors);
        player.score += points;
        self.lid.append(&mut line);
        self.placed_this_round = true;
    }

    /// Lets all tiles of a full line without any open space fall to the floor.
    fn drop_line(&mut self, seat: usize, row: usize) {
        // Rule 3.5: this cannot happen on the colored side.
        assert!(self.rules.grey, "the colored wall always has the space");
        // Rule 6.5: before this round's floor loss, no points, and the line is empty.
        let line = std::mem::take(&mut self.players[seat].lines[row]);
        self.fall(seat, &line);
    }

    /// The points that a seat loses for its floor.
    pub(crate) fn floor_loss(&self, seat: usize) -> u32 {
        // Rules 2.3.3 and 3.6: the spaces count from the left, and the marker counts as a tile.
        let taken = self.floor_spaces_taken(seat);
        self.rules.floor_penalties[..taken].iter().sum()
    }

    /// Applies the floor loss of a seat and clears its floor.
    fn pay_floor(&mut self, seat: usize) {
        let loss = self.floor_loss(seat);
        let player = &mut self.players[seat];
        // Rule 3.7: never below 0, and no debt is carried over.
        player.score = player.score.saturating_sub(loss);
        // Rule 3.8: the tiles go to the lid; the marker stays with its holder.
        self.lid.append(&mut player.floor);
    }
}

/// The horizontal run, the vertical run and the points of the tile at a space of a wall.
pub fn placement_points(
    wall: &[Vec<Option<Tile>>],
    row: usize,
    column: usize,
    one_plus_neighbors: bool,
) -> (u32, u32, u32) {
    // Rule 3.3: the unbroken runs through the new tile, both including it.
    let horizontal = 1 + linked(wall, row, column, 0, -1) + linked(wall, row, column, 0, 1);
    let vertical = 1 + linked(wall, row, column, -1, 0) + linked(wall, row, column, 1, 0);
    let points = if one_plus_neighbors {
        // Rule 8.1, one_plus_neighbors: the tile itself counts once, and each linked tile once.
        1 + (horizontal - 1) + (vertical - 1)
    } else if horizontal == 1 && vertical == 1 {
        1
    } else {
        // Rule 3.4: a run of length 1 adds nothing when the other direction is longer.
        let mut points = 0;
        if horizontal > 1 {
            points += horizontal;
        }
        if vertical > 1 {
            points += vertical;
        }
        points
    };
    (horizontal, vertical, points)
}

/// How many tiles are linked to a space in one direction, without the space itself.
fn linked(
    wall: &[Vec<Option<Tile>>],
    row: usize,
    column: usize,
    row_step: isize,
    column_step: isize,
) -> u32 {
    let mut count = 0;
    let mut row = row.checked_add_signed(row_step);
    let mut column = column.checked_add_signed(column_step);
    while let (Some(r), Some(c)) = (row, column) {
        if r >= 5 || c >= 5 || wall[r][c].is_none() {
            break;
        }
        count += 1;
        row = r.checked_add_signed(row_step);
        column = c.checked_add_signed(column_step);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Action, EndedBy, Source};
    use crate::rules::Rules;
    use crate::testing::{
        deal_in_order, drafting, print_spaces, printed_color, set_line, set_wall, take, tile, tiles,
    };

    fn official() -> Game {
        Game::new(Rules::official(2), 0)
    }

    fn grey() -> Game {
        let mut rules = Rules::official(2);
        rules.grey = true;
        Game::new(rules, 0)
    }

    fn sorted(mut tiles: Vec<Tile>) -> Vec<Tile> {
        tiles.sort();
        tiles
    }

    /// The columns offered now, counted from 1.
    fn offered(game: &Game) -> Vec<usize> {
        let mut columns = Vec::new();
        for action in game.legal_actions() {
            let Action::Place { column, .. } = action else {
                panic!("{action:?} is not a placement");
            };
            columns.push(column + 1);
        }
        columns
    }

    #[test]
    fn t20_nobody_takes_the_marker() {
        let factories = ["BBBB", "YYYY", "RRRR", "KKKK", "WWWW"];
        let mut game = drafting(Rules::official(2), &factories, "");
        game.starter = 1;
        game.to_move = 1;
        for (index, (color, line)) in "BYRKW".chars().zip([5, 5, 4, 4, 3]).enumerate() {
            assert_eq!((game.phase, game.marker), (Phase::Draft, None));
            game.play(&take(Source::Factory(index), color, line)).unwrap();
        }
        assert_eq!(game.phase, Phase::Deal);
        assert_eq!((game.starter, game.to_move, game.marker), (1, 1, None));
        assert_eq!(game.round, 2);
        // Seat 1 placed white and red for 2 points and lost 1 for the fourth white tile.
        assert_eq!((game.players[0].score, game.players[1].score), (1, 1));
        deal_in_order(&mut game);
        assert_eq!(game.to_move, 1);
    }

    #[test]
    fn t22_to_t26_placements() {
        for (spaces, row, column, points) in [
            (vec![], 1, 2, 1),
            (vec![(3, 2), (3, 3)], 3, 4, 3),
            (vec![(1, 4), (2, 4)], 3, 4, 3),
            (vec![(3, 1), (3, 2), (3, 3), (1, 4), (2, 4)], 3, 4, 7),
            (vec![(3, 1), (3, 2), (3, 4)], 3, 5, 2),
        ] {
            let mut game = official();
            print_spaces(&mut game, 0, &spaces);
            game.players[0].lines[row - 1] = vec![printed_color(row - 1, column - 1); row];
            game.start_tiling();
            assert_eq!(game.players[0].score, points);
            assert!(game.players[0].wall[row - 1][column - 1].is_some());
        }
    }

    #[test]
    fn t25_under_one_plus_neighbors() {
        let mut game = official();
        print_spaces(&mut game, 0, &[(3, 1), (3, 2), (3, 3), (1, 4), (2, 4), (3, 4)]);
        let wall = &game.players[0].wall;
        assert_eq!(placement_points(wall, 2, 3, false), (4, 3, 7));
        assert_eq!(placement_points(wall, 2, 3, true), (4, 3, 6));
    }

    #[test]
    fn t27_top_to_bottom() {
        let mut game = official();
        print_spaces(&mut game, 0, &[(2, 2)]);
        set_line(&mut game, 0, 1, "B");
        set_line(&mut game, 0, 2, "WW");
        game.start_tiling();
        assert_eq!(game.players[0].score, 5);
    }

    #[test]
    fn t29_the_worked_round() {
        let mut game = official();
        print_spaces(&mut game, 0, &[(1, 2), (2, 2), (2, 3), (3, 4)]);
        for (line, word) in [(1, "R"), (2, "WW"), (3, "BBB"), (4, "KK"), (5, "YYYYY")] {
            set_line(&mut game, 0, line, word);
        }
        game.players[0].floor = tiles("RR");
        game.players[0].score = 12;
        game.marker = Some(0);
        game.start_tiling();
        assert_eq!(game.players[0].score, 21);
        assert_eq!(sorted(game.lid), sorted(tiles("WBBYYYYRR")));
        assert_eq!(game.players[0].lines[3], tiles("KK"));
    }

    #[test]
    fn t30_to_t32_floor_losses() {
        for (taken, loss) in [0, 1, 2, 4, 6, 8, 11, 14].into_iter().enumerate() {
            let mut game = official();
            game.players[0].floor = vec![Tile::Red; taken];
            assert_eq!(game.floor_loss(0), loss);
        }
        for (score, floor, after) in [(3, "BKKR", 0), (0, "", 1)] {
            let mut game = official();
            game.players[0].score = score;
            game.players[0].floor = tiles(floor);
            game.marker = Some(0);
            print_spaces(&mut game, 0, &[(3, 2)]);
            set_line(&mut game, 0, 3, "BBB");
            game.start_tiling();
            assert_eq!(game.players[0].score, after);
        }
    }

    #[test]
    fn t41_grey_columns() {
        let mut game = grey();
        set_wall(&mut game, 0, "B.... ....R ..... ..B.. .....");
        set_line(&mut game, 0, 2, "BB");
        game.start_tiling();
        assert_eq!(game.phase, Phase::Tiling { seat: 0, row: 1 });
        assert_eq!(offered(&game), [2, 4]);
        let before = game.clone();
        assert!(game.play(&Action::Place { row: 1, column: 0 }).is_err());
        assert!(game.play(&Action::Place { row: 2, column: 1 }).is_err());
        assert_eq!(game, before);
    }

    #[test]
    fn t42_a_grey_line_without_a_space_falls() {
        let mut game = grey();
        set_wall(&mut game, 0, ".B... ..... Y.RK. ....B .....");
        assert!(game.line_accepts(0, 2, Some(Tile::Blue)));
        set_line(&mut game, 0, 3, "BBB");
        game.players[0].floor = tiles("K");
        game.players[0].score = 20;
        game.marker = Some(0);
        game.start_tiling();
        assert_eq!(game.players[0].score, 12);
        assert!(game.players[0].lines[2].is_empty());
        assert_eq!(sorted(game.lid.clone()), sorted(tiles("KBBB")));
        assert!(!game.placed_this_round);
        assert_eq!((game.dry_rounds, game.starter), (1, 0));
    }

    #[test]
    fn t45_a_joker_on_the_colored_wall() {
        let mut game = official();
        game.rules.jokers = true;
        print_spaces(&mut game, 0, &[(3, 2), (2, 3)]);
        set_line(&mut game, 0, 3, "JBB");
        game.start_tiling();
        assert_eq!(game.players[0].wall[2][2], Some(Tile::Joker));
        assert_eq!(game.players[0].score, 4);
        assert_eq!(game.lid, tiles("BB"));
        assert!(!game.line_accepts(0, 2, Some(Tile::Blue)));
        assert!(game.line_accepts(0, 2, Some(Tile::Yellow)));
        assert!(game.line_accepts(0, 2, None));
    }

    #[test]
    fn jokers_only_choose_also_on_the_colored_wall() {
        let mut game = official();
        game.rules.jokers = true;
        // Seat 1 started, so it chooses before seat 0.
        game.starter = 1;
        print_spaces(&mut game, 1, &[(2, 3)]);
        set_line(&mut game, 1, 2, "JJ");
        set_line(&mut game, 0, 1, "J");
        game.start_tiling();
        assert_eq!(game.phase, Phase::Tiling { seat: 1, row: 1 });
        assert_eq!(game.to_move, 1);
        assert_eq!(offered(&game), [1, 2, 4, 5]);
        game.play(&Action::Place { row: 1, column: 3 }).unwrap();
        assert_eq!(game.players[1].score, 2);
        assert_eq!(game.lid, tiles("J"));
        assert_eq!(game.phase, Phase::Tiling { seat: 0, row: 0 });
        game.play(&Action::Place { row: 0, column: 0 }).unwrap();
        assert_eq!(game.phase, Phase::Deal);
        assert_eq!(game.starter, 1);
    }

    #[test]
    fn t46_an_upper_line_may_block_a_lower_one() {
        let mut start = grey();
        set_wall(&mut start, 0, "..... YR.KW ..... ..... .....");
        set_line(&mut start, 0, 1, "B");
        set_line(&mut start, 0, 2, "BB");
        start.players[0].score = 10;
        start.start_tiling();
        assert_eq!(start.phase, Phase::Tiling { seat: 0, row: 0 });

        let mut blocked = start.clone();
        blocked.play(&Action::Place { row: 0, column: 2 }).unwrap();
        assert_eq!(blocked.players[0].score, 9);
        assert_eq!(blocked.lid, tiles("BB"));
        assert_eq!(blocked.phase, Phase::Deal);

        let mut placed = start;
        placed.play(&Action::Place { row: 0, column: 1 }).unwrap();
        assert_eq!(placed.phase, Phase::Over(EndedBy::Row));
        // 10 + 2 + 5 = 17, and 2 points for the row.
        assert_eq!(placed.players[0].score, 19);
    }

    #[test]
    fn t47_a_joker_on_the_grey_wall_is_colorless() {
        let mut game = grey();
        game.rules.jokers = true;
        set_wall(&mut game, 0, "B.... ...R. ..... ..... .....");
        set_line(&mut game, 0, 2, "JB");
        game.start_tiling();
        assert_eq!(offered(&game), [1, 2, 3, 5]);
        game.play(&Action::Place { row: 1, column: 0 }).unwrap();
        assert_eq!(game.players[0].score, 2);
        assert_eq!(game.players[0].wall[1][0], Some(Tile::Joker));
        assert!(game.line_accepts(0, 1, Some(tile('B'))));
    }
}
