//! What a script of `testdata/cases.txt` expects, compared with what is on its table. Every
//! statement ends in the same way: it holds, or it says what was expected and what was found.

use super::compare::{
    Outcome, Pile, contains, join, number, one_letter, read_pile, read_tiles, same, same_amount,
    same_lists, same_set,
};
use super::table::{self, Table};
use azulejo_rules::{
    Board, Color, Deal, Destination, Draft, EndedBy, Move, Pick, Position, Row, Rules, Seat,
    Source, Step,
};

impl Table {
    /// Checks a statement that expects something; `None` if there is no such statement.
    pub(crate) fn expect(&self, word: &str, rest: &str) -> Option<Outcome> {
        self.expect_checks_of_their_own(word, rest)
            .or_else(|| self.expect_result(word, rest))
            .or_else(|| self.expect_on_table(word, rest))
            .or_else(|| self.expect_of_seat(word, rest))
            .or_else(|| self.expect_done(word, rest))
            .or_else(|| self.expect_possible(word, rest))
    }

    /// Statements that need no position.
    fn expect_checks_of_their_own(&self, word: &str, rest: &str) -> Option<Outcome> {
        let with_rules = |check: fn(Rules, u64) -> Outcome| {
            let (rules, n) = rest.split_once(' ').ok_or("expected rules and a number")?;
            check(table::read_rules(rules)?, number(n)?)
        };
        Some(match word {
            "printed" => check_printed(rest),
            "same-start" => with_rules(table::check_same_start),
            "fair-start" => with_rules(table::check_fair_start),
            "random-games" => with_rules(table::play_games),
            _ => return None,
        })
    }

    /// Statements about the end of a game.
    fn expect_result(&self, word: &str, rest: &str) -> Option<Outcome> {
        let check = |found: &dyn Fn(&azulejo_rules::Outcome) -> String| {
            let outcome = self.position()?.outcome().ok_or("the game is not over")?;
            same(rest, &found(&outcome))
        };
        Some(match word {
            "ended" => self.position().and_then(|position| {
                same(rest, position.ended_by().map_or("not yet", EndedBy::name))
            }),
            "ranks" => check(&|outcome| join(&outcome.ranks, " ")),
            "winners" => check(&|outcome| join(outcome.winners(), " ")),
            "bonuses" => self.check_bonuses(rest),
            _ => return None,
        })
    }

    /// Statements about what all seats share.
    fn expect_on_table(&self, word: &str, rest: &str) -> Option<Outcome> {
        let with = |check: &dyn Fn(&Position) -> Outcome| self.position().and_then(check);
        let field = |n: usize| {
            with(&|position| same(rest, position.to_string().split('_').nth(n).unwrap_or_default()))
        };
        Some(match word {
            "phase" => field(2),
            "round" => field(3),
            "starter" => with(&|position| same(rest, &position.starter().to_string())),
            "marker" => with(&|position| {
                let holder = position.marker().map_or("center".to_owned(), |seat| seat.to_string());
                same(rest, &holder)
            }),
            "factory" => with(&|position| {
                let (factory, tiles) = rest.split_once(' ').ok_or("expected factory and tiles")?;
                let source = one_letter(factory, Source::from_letter, "factory")?;
                same(&read_tiles(tiles)?, &position.pile(source))
            }),
            "factory-sizes" => with(&|position| {
                same(rest, &join(position.factories().map(|(_, tiles)| tiles.total()), "-"))
            }),
            "center" => with(&|position| {
                let (marker, tiles) = table::center(position);
                same(&read_pile(rest)?, &Pile { marker, tiles })
            }),
            "bag" => with(&|position| same_amount(rest, position.stock().bag)),
            "lid" => with(&|position| same_amount(rest, position.stock().lid)),
            "scores" => {
                with(&|position| same(rest, &join(position.boards().iter().map(Board::score), " ")))
            }
            "position-is" => with(&|position| {
                let expected: Position = rest.parse().map_err(|error| format!("{error}"))?;
                same(&expected, position)
            }),
            _ => return None,
        })
    }

    /// Statements about one board.
    fn expect_of_seat(&self, word: &str, rest: &str) -> Option<Outcome> {
        let check: fn(&Position, Seat, &str) -> Outcome = match word {
            "line" => check_line,
            "floor" => |position, seat, rest| {
                let marker = position.marker() == Some(seat);
                same(&read_pile(rest)?, &Pile { marker, tiles: position.board(seat).floor() })
            },
            "wall" => |position, seat, rest| same(rest, &table::wall_text(position, seat)),
            _ => return None,
        };
        Some(self.position().and_then(|position| {
            let (seat, rest) = self.seat(rest)?;
            check(position, seat, rest)
        }))
    }

    /// Statements about what the last `deal` or `play` did.
    fn expect_done(&self, word: &str, rest: &str) -> Option<Outcome> {
        Some(match word {
            "placed" => self.check_placed(rest),
            "spilled" => self.check_spilled(rest),
            "loss" => self.check_loss(rest),
            "lid-gains" => read_tiles(rest)
                .and_then(|expected| same(&expected, &table::lid_gains(&self.report))),
            "poured" => self.check_poured(rest),
            _ => return None,
        })
    }

    /// Statements about what may be done now.
    fn expect_possible(&self, word: &str, rest: &str) -> Option<Outcome> {
        let with = |check: fn(&Position, &str) -> Outcome| {
            self.position().and_then(|position| check(position, rest))
        };
        Some(match word {
            "legal" => with(check_legal),
            "picks" => with(check_picks),
            "moves" => with(check_moves),
            "illegal" => with(check_illegal),
            "unreadable" => check_unreadable(rest),
            "no-deal" => with(check_no_deal),
            "deals-drawn" => {
                with(|position, rest| table::draw_deals(position, u64::from(number::<u32>(rest)?)))
            }
            _ => return None,
        })
    }

    /// Reads the seat at the beginning of the rest of a statement.
    fn seat<'a>(&self, rest: &'a str) -> Result<(Seat, &'a str), String> {
        let (seat, rest) = rest.split_once(' ').ok_or("expected a seat and more")?;
        let seat = one_letter(seat, Seat::from_letter, "seat")?;
        if !self.position()?.rules().players().seats().contains(&seat) {
            return Err(format!("seat {seat} is not in the game"));
        }
        Ok((seat, rest.trim_start()))
    }

    fn check_bonuses(&self, rest: &str) -> Outcome {
        let (seat, expected) = self.seat(rest)?;
        let outcome = self.position()?.outcome().ok_or("the game is not over")?;
        let bonuses = outcome.bonuses[seat.index()];
        for step in &self.report {
            if let Step::BonusesScored { seat: scored, bonuses: found, score } = *step
                && scored == seat
                && (found, score) != (bonuses, outcome.scores[seat.index()])
            {
                return Err(format!("expected {outcome:?}, but the last play reported {step:?}"));
            }
        }
        let parts = [bonuses.row_points, bonuses.column_points, bonuses.color_points];
        same(expected, &join(parts, "+"))
    }

    fn check_placed(&self, rest: &str) -> Outcome {
        let (who, expected) = self.seat(rest)?;
        let placements = self.report.iter().filter_map(|step| match step {
            Step::Placed { seat, row, column, tile, points, .. } if *seat == who => {
                Some(format!("r{row}c{column} {tile} +{points}"))
            }
            _ => None,
        });
        let found = join(placements, ", ");
        same(expected, if found.is_empty() { "nothing" } else { &found })
    }

    fn check_spilled(&self, rest: &str) -> Outcome {
        let (who, rest) = self.seat(rest)?;
        let (line, expected) = rest.split_once(' ').ok_or("expected a row and tiles")?;
        let line = one_letter(line, Row::from_letter, "row")?;
        let found = self.report.iter().find_map(|step| match step {
            Step::Spilled { seat, row, to_floor, .. } if (*seat, *row) == (who, line) => {
                Some(*to_floor)
            }
            _ => None,
        });
        same(&read_tiles(expected)?, &found.ok_or("that line did not fall")?)
    }

    fn check_loss(&self, rest: &str) -> Outcome {
        let (who, rest) = self.seat(rest)?;
        let cleared = self.report.iter().find_map(|step| match *step {
            Step::FloorCleared { seat, n_spaces, loss, score, to_lid } if seat == who => {
                let pile = Pile { marker: n_spaces > to_lid.total(), tiles: to_lid };
                Some((loss, pile, score))
            }
            _ => None,
        });
        let (loss, floor, score) = cleared.ok_or("the floor has not been paid for")?;
        let (rest, expected_score) = match rest.split_once("->") {
            Some((rest, score)) => (rest.trim_end(), number(score.trim())?),
            None => (rest, score),
        };
        let (expected_loss, expected_floor) = match rest.split_once(' ') {
            Some((loss, floor)) => (number(loss)?, read_pile(floor)?),
            None => (number(rest)?, floor),
        };
        same(&expected_floor, &floor)?;
        same(&expected_loss, &loss)?;
        same(&expected_score, &score).map_err(|problem| format!("score: {problem}"))
    }

    fn check_poured(&self, rest: &str) -> Outcome {
        let poured = self.report.iter().find_map(|step| match step {
            Step::Dealt { poured, .. } => Some(*poured),
            _ => None,
        });
        match poured.ok_or("the last statement was not a deal")? {
            None => same(rest, "nothing"),
            Some(_) if rest == "nothing" => Err("expected nothing, but the lid was poured".into()),
            Some(tiles) => same_amount(rest, tiles),
        }
    }
}

fn check_printed(rest: &str) -> Outcome {
    let (color, space) = rest.split_once(' ').ok_or("expected a color and a space")?;
    let color = one_letter(color, Color::from_letter, "color")?;
    let Ok(Move::Place { row, column }) = space.parse() else {
        return Err(format!("`{space}` is not a space like r3c4"));
    };
    same(&color, &Rules::printed_color(row, column))?;
    same(&column, &Rules::printed_column(row, color))
}

fn check_line(position: &Position, seat: Seat, rest: &str) -> Outcome {
    let (row, expected) = rest.split_once(' ').ok_or("expected a row and tiles")?;
    let row = one_letter(row, Row::from_letter, "row")?;
    if expected.chars().count() != row.capacity() as usize {
        return Err(format!("line {row} has {} spaces, not those of `{expected}`", row.capacity()));
    }
    let filled = expected.trim_end_matches('.');
    let expected = read_tiles(if filled.is_empty() { "." } else { filled })?;
    same(&expected, &position.board(seat).line(row).tiles())
}

fn check_legal(position: &Position, rest: &str) -> Outcome {
    let moves = position.legal_moves();
    // A move is legal if and only if it is in the list, whichever way one asks.
    for (n, m) in (0..).zip(&moves) {
        if position.nth_legal_move(n) != Some(*m) {
            return Err(format!("legal move number {n} is not {m}"));
        }
    }
    if let Some(m) = every_move().find(|m| position.is_legal(*m) != moves.contains(m)) {
        return Err(format!("{m} is legal or in the list of legal moves, but not both"));
    }
    same_set(rest, moves.iter().map(ToString::to_string))
}

/// Every move that can be written, legal or not.
fn every_move() -> impl Iterator<Item = Move> {
    let places = (1..=5).flat_map(|row| (1..=5).map(move |column| format!("r{row}c{column}")));
    let places = places.filter_map(|text| text.parse().ok());
    let drafts = Source::ALL.into_iter().flat_map(|source| {
        Pick::ALL.into_iter().flat_map(move |pick| {
            Destination::ALL.into_iter().flat_map(move |to| {
                (0..=9)
                    .map(move |extra_jokers| Move::Draft(Draft { source, pick, to, extra_jokers }))
            })
        })
    });
    places.chain(drafts)
}

fn check_picks(position: &Position, rest: &str) -> Outcome {
    let moves = position.legal_moves();
    let picks = moves.iter().filter_map(|m| match m {
        Move::Draft(Draft { source, pick, .. }) => Some(format!("{source}{pick}")),
        Move::Place { .. } => None,
    });
    let mut picks: Vec<_> = picks.collect();
    picks.sort();
    picks.dedup();
    same_set(rest, picks.into_iter())
}

fn check_moves(position: &Position, rest: &str) -> Outcome {
    let (pick, destinations) = rest.split_once(' ').ok_or("expected a pick and destinations")?;
    let moves = position.legal_moves();
    let found = moves.iter().filter_map(|m| match m {
        Move::Draft(draft) if format!("{}{}", draft.source, draft.pick) == pick => {
            m.to_string().strip_prefix(pick).map(str::to_owned)
        }
        _ => None,
    });
    let expected: Vec<_> = destinations.split_whitespace().map(str::to_owned).collect();
    same_lists(expected, found.collect())
}

fn check_illegal(position: &Position, rest: &str) -> Outcome {
    let (text, words) = rest.split_once(' ').unwrap_or((rest, ""));
    let m: Move = text.parse().map_err(|error| format!("{text}: {error}"))?;
    let mut after = *position;
    let mut n_events = 0;
    let Err(reason) = after.play_with(m, |_| n_events += 1) else {
        return Err(format!("expected {m} to be refused, but it was played"));
    };
    if after != *position || n_events > 0 {
        return Err(format!("{m} is refused and still changes something"));
    }
    if position.is_legal(m) || position.legal_moves().contains(&m) {
        return Err(format!("{m} is refused and still called legal"));
    }
    if position.preview(m).err() != Some(reason) {
        return Err(format!("{m} is refused and its preview is not, or for another reason"));
    }
    contains(words, &reason.to_string())
}

fn check_unreadable(rest: &str) -> Outcome {
    let (text, column) = rest.split_once(' ').ok_or("expected a text and a column")?;
    match text.parse::<Move>() {
        Ok(m) => Err(format!("expected no move, found {m}")),
        Err(error) => same(&number(column)?, &error.column),
    }
}

fn check_no_deal(position: &Position, rest: &str) -> Outcome {
    let (text, words) = rest.split_once(' ').unwrap_or((rest, ""));
    let deal: Deal = text.parse().map_err(|error| format!("{error}"))?;
    let mut after = *position;
    let Err(reason) = after.deal(&deal) else {
        return Err(format!("expected {deal} to be refused, but it was dealt"));
    };
    if after != *position {
        return Err(format!("{deal} is refused and still changes something"));
    }
    contains(words, &reason.to_string())
}
