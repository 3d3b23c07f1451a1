//! How the game is played, in a few pages with small pictures, and the keys. In the texts `[B]` is a
//! tile, `[b]` its space on the wall, `[.]` a free space and `[1]` the marker; `*words*` are a heading
//! and `<h>` is a key.

use azulejo_rules::{Color, ColorBonus, Rules, Tile};

/// How many pages follow the first, which is about keys.
pub(crate) const PAGES: usize = 6;

/// A page.
pub(crate) struct Page {
    pub(crate) title: String,
    pub(crate) lines: Vec<Vec<Piece>>,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    Head(String),
    Key(String),
    Tile(Tile),
    Printed(Color),
    Space,
    Marker,
}

/// A page by its number; 0 is about keys.
pub(crate) fn page(number: usize, rules: &Rules) -> Page {
    let (title, text) = match number {
        0 => ("Keys", KEYS.to_owned()),
        _ => text(number.min(PAGES), rules),
    };
    Page { title: title.to_owned(), lines: text.lines().map(pieces).collect() }
}

/// All rules as plain text.
pub(crate) fn plain(rules: &Rules) -> Vec<String> {
    let mut lines = Vec::new();
    for number in 1..=PAGES {
        let (title, text) = text(number, rules);
        lines.extend([String::new(), format!("{title}.")]);
        lines.extend(text.lines().map(|line| line.replace(['*', '<', '>'], "")));
    }
    lines
}

const KEYS: &str = "\
*A move* is three keys: where from, which color, where to. <3> <b> <2> takes
the blue tiles of factory 3 to line 2; <0> is the center, <f> the floor, <j>
jokers (<3> <j> <b> <2> takes jokers and blue). A wall space is <r> <2> <c> <3>, or the column.

<← →>    to the next thing that can be chosen    <enter>  chooses it
<esc>    one step back                            <space>  skips, or pauses engines
The mouse works too: click tiles, then a line. The right button goes back.

<u>  undo            <h>  hint: best move and why    <t>  engine thoughts, on and off
<+ ->  speed         <n>  new game                   <o>  your games: go on, replay
<p>  replay          <s>  save the record as a file  <i>  how to play
<q>  quit; every game is kept, and you can go on with it any time

*On the boards* a number between line and wall is what a move changes in your
score of this round. After the score: what it would be if the round ended now.
A dot marks the last move, an arrow a full line.

*Replay*  <← →> step   <↑ ↓> round   <1>–<9> to a round   <space> play   <enter> play on
";

fn text(number: usize, rules: &Rules) -> (&'static str, String) {
    let penalties = rules.floor_penalties.each();
    match number {
        1 => (
            "The game",
            format!(
                "\
You decorate a wall with tiles, like the [B][b][B][b] azulejos of Portugal.

Everybody has a board: five *lines* on the left, a *wall* of five by five
on the right, and a *floor* below.

          1 [.]   [B][y][r][k][w]      Tiles are taken from the factories and
       2 [R][R]   [w][B][y][R][k]      collected in the lines. A full line sends
       [.][.][K]  [k][w][b][y][r]      one tile to the wall, and every tile on
    [.][.][.][.]  [r][k][w][b][y]      the wall brings points.
 [.][.][.][Y][Y]  [y][r][k][w][b]

The game goes over some rounds, mostly five or six. It ends with the round in which
somebody fills a whole row of a wall. Most points win.
"
            ),
        ),
        2 => (
            "Taking tiles",
            format!(
                "\
In your turn take *all tiles of one color from one place*.

  [B][B]      From factory 3 you might take both blue tiles. The yellow and
  [Y][R]      the red one then go to the center.

  [1][Y][R][R][K]   Or take all tiles of one color from the *center*, which is
              number 0. Whoever does so first in a round also takes the marker [1]:
              it costs a place on the floor, and its owner starts the next round.

You must take something, and all that you take goes to *one* line or to the floor.

The round lasts until all factories and the center are empty. So the last tiles
are not always a gift: keep count of what will be left for you.
"
            ),
        ),
        3 => (
            "Lines",
            format!(
                "\
*A line takes one color.* Line 1 has room for one tile, line 5 for five.

      [.][.][K]   here only black fits: two more fill the line
      [.][.][.]   here any color fits, unless the wall of this row has it:

      [.][.][.]   [k][w][B][y][r]     not blue, it is on the wall already

Tiles that find no room fall to the floor:

      [Y]+[Y][Y]  to an empty line 2:  [Y][Y]   and one [Y] falls.

A line that is not full when the round ends stays as it is for the next one.
"
            ),
        ),
        4 => (
            "The floor",
            format!(
                "\
What falls costs points at the end of the round, the more the fuller the floor:

   [1][R][R][.][.][.][.]
   -{} -{} -{} -{} -{} -{} -{}       these three cost {} points.

Further tiles go to the lid and cost nothing. A score never falls below zero.

You may put everything on the floor of your own free will. Sometimes you have to,
when no line takes the color, and sometimes it is wise, with one tile, to leave
somebody else with five.
",
                penalties[0],
                penalties[1],
                penalties[2],
                penalties[3],
                penalties[4],
                penalties[5],
                penalties[6],
                rules.floor_penalties.loss(3)
            ),
        ),
        5 => (
            "The wall and its points",
            format!(
                "\
When all tiles are taken, every *full line* sends one tile to its space in the row.
The others of the line leave the game for a while; the floor is paid and cleared.

A tile alone brings 1 point. With neighbors it brings the length of its row of
tiles *and* of its column of tiles, itself included in both:

   [b][Y][r][k][w]
   [w][B][y][r][k]        The new [B] in the third row: two in its row and
   [k][W][B][y][r]        three in its column if [B] [Y] and [Y] stand there.
   [r][k][w][b][y]        Here row 2 and column 1: it brings 2 points.
   [y][r][k][w][b]

So tiles that touch many others are worth most: build around what you have.
Lines are tiled from the top, and each tile counts for the next.
"
            ),
        ),
        _ => {
            let colors = match rules.color_bonus {
                ColorBonus::FiveOfColor(points) => {
                    format!("{points} for each color that is complete, five tiles")
                }
                ColorBonus::BottomRowTiles(points) => {
                    format!("{points} for each tile in the bottom row")
                }
            };
            (
                "The end, and variants",
                format!(
                    "\
After the round in which a row of five is full the game ends. Everybody gets

    {} points for each full row,
    {} for each full column,
    {colors}.

With equal points more full rows win; else the victory is shared.

*Grey wall*: spaces have no color. You choose the column of each tile; no color
may be twice in a row or a column. If there is no place left, the line falls.

*Jokers* [J] are taken alone or along with a color, and help to fill any line.
A line with a joker sends the joker to the wall. It counts for rows and columns,
not for colors.
",
                    rules.row_bonus, rules.column_bonus
                ),
            )
        }
    }
}

/// Reads the marks of a line.
fn pieces(line: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut text = String::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let marked = match c {
            '[' => rest
                .get(1..2)
                .zip(rest.get(2..3))
                .and_then(|(letter, end)| Some((tile(letter).filter(|_| end == "]")?, 3))),
            '<' => between(rest, '>').map(|(key, n)| (Piece::Key(key), n)),
            '*' => between(rest, '*').map(|(head, n)| (Piece::Head(head), n)),
            _ => None,
        };
        match marked {
            Some((piece, n)) => {
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                pieces.push(piece);
                rest = &rest[n..];
            }
            None => {
                text.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    pieces
}

/// The words up to the closing mark, and the bytes with both marks.
fn between(rest: &str, end: char) -> Option<(String, usize)> {
    let inner = &rest[1..];
    let at = inner.find(end).filter(|&at| at > 0)?;
    Some((inner[..at].to_owned(), at + 2))
}

fn tile(letter: &str) -> Option<Piece> {
    let letter = letter.chars().next()?;
    match letter {
        '.' => Some(Piece::Space),
        '1' => Some(Piece::Marker),
        _ => Tile::from_letter(letter)
            .map(Piece::Tile)
            .or_else(|| Color::from_letter(letter.to_ascii_uppercase()).map(Piece::Printed)),
    }
}
