//! The end of a round, the end of the game, the bonuses and the ranking.

use crate::game::{EndedBy, Game, Phase};
use crate::rules::{ColorBonus, Tile};

/// The final bonus of one seat in points, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bonuses {
    /// Points for full rows.
    pub rows: u32,
    /// Points for full columns.
    pub columns: u32,
    /// Points for colors, or for tiles in the bottom row under that rule key.
    pub colors: u32,
}

impl Game {
    /// Completes a round after all seats have tiled: the next starter, then the ends.
    pub(crate) fn finish_round(&mut self) {
        // Rule 3.9: the marker holder starts the next round; if nobody took it, the same starter.
        if let Some(holder) = self.marker.take() {
            self.starter = holder;
        }
        self.to_move = self.starter;
        if self.placed_this_round {
            self.dry_rounds = 0;
        } else {
            self.dry_rounds += 1;
        }
        match self.end_reached() {
            Some(reason) => {
                // Rules 5.2 and 5.3: every player gets the bonuses, after the floor losses.
                for seat in 0..self.players.len() {
                    let bonuses = self.bonuses(seat);
                    self.players[seat].score += bonuses.rows + bonuses.columns + bonuses.colors;
                }
                self.phase = Phase::Over(reason);
            }
            None => {
                self.round += 1;
                self.placed_this_round = false;
                self.phase = Phase::Deal;
            }
        }
    }

    /// Why the game ends after this wall-tiling, if it does.
    fn end_reached(&self) -> Option<EndedBy> {
        // Rule 5.1: some wall has a full row.
        if (0..self.players.len()).any(|seat| self.full_rows(seat) > 0) {
            return Some(EndedBy::Row);
        }
        // Rules 4.5 and 5.6(1): no tile can be dealt.
        if self.next_deal().iter().sum::<usize>() == 0 {
            return Some(EndedBy::NoTiles);
        }
        // Rule 5.6(2): no tile of the bag or the lid fits any line of any player.
        if !self.some_tile_fits() {
            return Some(EndedBy::DeadPosition);
        }
        // Rule 5.6(3): too many rounds in a row without a placement; 0 switches this off.
        if self.rules.stall_rounds > 0 && self.dry_rounds >= self.rules.stall_rounds {
            return Some(EndedBy::Stall);
        }
        None
    }

    /// Whether some tile of the bag or the lid could be put on some line of some player.
    fn some_tile_fits(&self) -> bool {
        for &tile in self.bag.iter().chain(&self.lid) {
            let color = if tile == Tile::Joker { None } else { Some(tile) };
            for seat in 0..self.players.len() {
                for row in 0..5 {
                    if self.line_accepts(seat, row, color) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The number of full rows on the wall of a seat.
    pub fn full_rows(&self, seat: usize) -> usize {
        // Rule 7.15: jokers count for full rows.
        let mut full = 0;
        for row in &self.players[seat].wall {
            if row.iter().all(Option::is_some) {
                full += 1;
            }
        }
        full
    }

    /// The number of full columns on the wall of a seat.
    fn full_columns(&self, seat: usize) -> usize {
        // Rule 7.15: jokers count for full columns.
        let wall = &self.players[seat].wall;
        let mut full = 0;
        for column in 0..5 {
            if wall.iter().all(|row| row[column].is_some()) {
                full += 1;
            }
        }
        full
    }

    /// The bonuses that the wall of a seat is worth now.
    ///
    /// When the game is over they are already in the score.
    pub fn bonuses(&self, seat: usize) -> Bonuses {
        let wall = &self.players[seat].wall;
        let colors = match self.rules.color_bonus {
            ColorBonus::FiveOfColor(points) => {
                // Rules 5.2, 6.8 and 7.15: five real tiles of a color; jokers never count here.
                let mut total = 0;
                for color in Tile::COLORS {
                    let spaces = wall.iter().flatten();
                    if spaces.filter(|space| **space == Some(color)).count() == 5 {
                        total += points;
                    }
                }
                total
            }
            ColorBonus::BottomRowTiles(points) => {
                // Rule 8.1: points for each tile in the last row; a joker is a tile too.
                points * wall[4].iter().flatten().count() as u32
            }
        };
        Bonuses {
            rows: self.rules.row_bonus * self.full_rows(seat) as u32,
            columns: self.rules.column_bonus * self.full_columns(seat) as u32,
            colors,
        }
    }

    /// The rank of each seat by the current scores: 1 is the winner, and ties share a rank.
    pub fn ranking(&self) -> Vec<usize> {
        // Rules 5.4 and 5.5: points first, then full rows.
        let result = |seat: usize| (self.players[seat].score, self.full_rows(seat));
        let mut ranks = Vec::new();
        for seat in 0..self.players.len() {
            let mut rank = 1;
            for other in 0..self.players.len() {
                if result(other) > result(seat) {
                    rank += 1;
                }
            }
            ranks.push(rank);
        }
        ranks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Action, Destination};
    use crate::rules::Rules;
    use crate::testing::{deal_in_order, print_spaces, printed_color, set_line, set_wall, tiles};

    /// The 15 tiles of T39: rows 1 and 3, column 2 and all blue.
    fn t39_wall(game: &mut Game) {
        for line in 1..=5 {
            let spaces = [(1, line), (3, line), (line, 2), (line, line)];
            print_spaces(game, 0, &spaces);
        }
    }

    #[test]
    fn t37_no_tiles() {
        let mut game = Game::new(Rules::official(4), 0);
        game.bag.clear();
        print_spaces(&mut game, 2, &[(1, 1), (2, 1), (3, 1), (4, 1), (5, 1)]);
        game.finish_round();
        assert_eq!(game.phase, Phase::Over(EndedBy::NoTiles));
        assert_eq!(game.round, 1);
        assert_eq!(game.players[2].score, 7);
        assert_eq!(game.ranking(), [2, 2, 1, 2]);
    }

    #[test]
    fn no_tiles_under_full_displays_only() {
        let mut game = Game::new(Rules::official(4), 0);
        game.bag = tiles("BY");
        game.lid = tiles("R");
        let mut strict = game.clone();
        strict.rules.full_displays_only = true;
        game.finish_round();
        assert_eq!(game.phase, Phase::Deal);
        strict.finish_round();
        assert_eq!(strict.phase, Phase::Over(EndedBy::NoTiles));
        assert_eq!((strict.bag.len(), strict.lid.len()), (2, 1));
    }

    #[test]
    fn t38_everybody_finishes_the_last_round() {
        let mut game = Game::new(Rules::official(2), 0);
        print_spaces(&mut game, 0, &[(3, 1), (3, 2), (3, 4), (3, 5)]);
        set_line(&mut game, 0, 3, "BBB");
        set_line(&mut game, 1, 5, "YYYYY");
        game.players[1].score = 20;
        game.players[1].floor = tiles("RRRRRRR");
        game.start_tiling();
        assert_eq!(game.phase, Phase::Over(EndedBy::Row));
        assert_eq!(game.players[0].score, 5 + 2);
        assert_eq!(game.players[1].score, 7);
        // Equal points, but only seat 0 has a full row.
        assert_eq!(game.ranking(), [1, 2]);
    }

    #[test]
    fn t39_bonuses() {
        let mut game = Game::new(Rules::official(2), 0);
        t39_wall(&mut game);
        assert_eq!(game.players[0].wall.iter().flatten().flatten().count(), 15);
        let bonuses = Bonuses { rows: 4, columns: 7, colors: 10 };
        assert_eq!(game.bonuses(0), bonuses);
        game.rules.row_bonus = 3;
        assert_eq!(game.bonuses(0).rows, 6);
        game.rules.color_bonus = ColorBonus::BottomRowTiles(10);
        assert_eq!(game.bonuses(0).colors, 20);
    }

    #[test]
    fn jokers_fill_rows_and_columns_but_no_color() {
        let mut game = Game::new(Rules::official(2), 0);
        t39_wall(&mut game);
        game.players[0].wall[0][0] = Some(Tile::Joker);
        let bonuses = game.bonuses(0);
        assert_eq!((bonuses.rows, bonuses.columns, bonuses.colors), (4, 7, 0));
    }

    #[test]
    fn t40_ranking() {
        let mut game = Game::new(Rules::official(2), 0);
        game.players[0].score = 50;
        game.players[1].score = 50;
        set_wall(&mut game, 0, "BYRKW WBYRK ..... ..... .....");
        set_wall(&mut game, 1, "BYRKW ..... ..... ..... .....");
        assert_eq!(game.ranking(), [1, 2]);

        let mut game = Game::new(Rules::official(3), 0);
        for (seat, score) in [50, 50, 40].into_iter().enumerate() {
            game.players[seat].score = score;
            set_wall(&mut game, seat, "BYRKW ..... ..... ..... .....");
        }
        set_wall(&mut game, 2, "BYRKW WBYRK ..... ..... .....");
        assert_eq!(game.ranking(), [1, 1, 3]);
    }

    #[test]
    fn t43_dead_position() {
        let mut game = Game::new(Rules::official(4), 0);
        game.bag = tiles("BBBBRRRRRKKWWWW");
        game.lid = tiles("BBBBRRRRKKKWWW");
        for (seat, wall) in [
            "B.RKW W...K K.... RKWB. .....",
            "B.RKW WB... KWB.R ..... ..K..",
            "B.RKW WB.RK KW..R RKWB. .....",
            "B.RKW WB.RK KWB.R .K... ....B",
        ]
        .into_iter()
        .enumerate()
        {
            set_wall(&mut game, seat, wall);
        }
        for (seat, line, word) in [
            (0, 2, "Y"),
            (0, 3, "YY"),
            (0, 5, "YYY"),
            (1, 2, "Y"),
            (1, 4, "Y"),
            (1, 5, "YYY"),
            (2, 3, "Y"),
            (2, 5, "YYY"),
            (3, 4, "Y"),
            (3, 5, "YYYY"),
        ] {
            set_line(&mut game, seat, line, word);
        }
        for (seat, score) in [12, 20, 20, 5].into_iter().enumerate() {
            game.players[seat].score = score;
        }
        assert_eq!(game.all_tiles(), [20, 20, 20, 20, 20, 0]);

        // One yellow tile, or one joker, in circulation would keep the game going.
        for extra in [Tile::Yellow, Tile::Joker] {
            let mut alive = game.clone();
            alive.lid.push(extra);
            alive.finish_round();
            assert_eq!(alive.phase, Phase::Deal);
        }
        game.finish_round();
        assert_eq!(game.phase, Phase::Over(EndedBy::DeadPosition));
        let scores: Vec<u32> = game.players.iter().map(|player| player.score).collect();
        assert_eq!(scores, [12, 20, 20, 5]);
        assert_eq!(game.ranking(), [3, 1, 1, 4]);
    }

    /// Plays a round in which every tile goes to the floor.
    fn dump_a_round(game: &mut Game) {
        deal_in_order(game);
        while game.phase == Phase::Draft {
            let to_floor = |action: &Action| {
                matches!(action, Action::Draft { destination: Destination::Floor, .. })
            };
            let action = game.legal_actions().into_iter().find(to_floor).unwrap();
            game.play(&action).unwrap();
        }
    }

    #[test]
    fn t50_stall() {
        let mut game = Game::new(Rules::official(2), 0);
        for round in 1..=5 {
            assert_eq!((game.phase, game.round), (Phase::Deal, round));
            dump_a_round(&mut game);
            assert_eq!(game.dry_rounds, round);
        }
        assert_eq!(game.phase, Phase::Over(EndedBy::Stall));
        assert_eq!(game.round, 5);

        let mut game = Game::new(Rules::official(2), 0);
        game.rules.stall_rounds = 0;
        for _ in 1..=12 {
            dump_a_round(&mut game);
        }
        assert_eq!((game.phase, game.round), (Phase::Deal, 13));
        assert_eq!(game.dry_rounds, 12);
    }

    #[test]
    fn the_wall_of_240_points() {
        // For each round the columns, counted from 1, of the tiles in rows 1 to 5.
        let columns =
            [[5, 4, 3, 2, 1], [4, 3, 2, 1, 2], [3, 2, 1, 3, 3], [2, 1, 4, 4, 4], [1, 5, 5, 5, 5]];
        let mut game = Game::new(Rules::official(2), 0);
        for (columns, score) in columns.into_iter().zip([5, 26, 60, 101, 240]) {
            for (row, column) in columns.into_iter().enumerate() {
                let color = printed_color(row, column - 1);
                game.players[0].lines[row] = vec![color; row + 1];
            }
            game.start_tiling();
            assert_eq!(game.players[0].score, score);
        }
        assert_eq!(game.phase, Phase::Over(EndedBy::Row));
        let bonuses = game.bonuses(0);
        assert_eq!((bonuses.rows, bonuses.columns, bonuses.colors), (10, 35, 50));
    }
}
