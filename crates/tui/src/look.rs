//! Styles: the colors of tiles and text for terminals with 24-bit color, 256, 16 or no colors, and plain
//! ASCII. Every tile carries its letter, so that nothing depends on color alone.

use azulejo_rules::{Color as TileColor, Tile};
use ratatui::style::{Color, Style};

/// The color depth of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// 24-bit color.
    True,
    /// The fixed palette of 256 colors.
    Indexed,
    /// Sixteen colors, which the user may have chosen.
    Ansi,
    /// No colors; bold and reversed text remain.
    None,
}

impl Depth {
    /// All of them, the richest first.
    pub const ALL: [Depth; 4] = [Depth::True, Depth::Indexed, Depth::Ansi, Depth::None];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Depth::True => "truecolor",
            Depth::Indexed => "256",
            Depth::Ansi => "16",
            Depth::None => "none",
        }
    }

    /// The depth of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Depth> {
        Depth::ALL.into_iter().find(|depth| depth.name() == name)
    }
}

/// Color depth and character set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The colors.
    pub depth: Depth,
    /// Whether only ASCII characters are drawn.
    pub ascii: bool,
}

impl Look {
    /// Detects the terminal from the environment: `NO_COLOR`, `COLORTERM`, `TERM`, and the character
    /// set of the locale. `variable` reads a variable.
    #[must_use]
    pub fn detect(variable: &dyn Fn(&str) -> Option<String>) -> Look {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let term = variable("TERM").unwrap_or_default();
        let is_true = variable("COLORTERM").is_some_and(|is| is == "truecolor" || is == "24bit");
        let depth = if variable("NO_COLOR").is_some() || term == "dumb" {
            Depth::None
        } else if is_true || term.ends_with("-direct") || variable("WT_SESSION").is_some() {
            Depth::True
        } else if term.contains("256color") {
            Depth::Indexed
        } else {
            Depth::Ansi
        };
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
        // Without a locale, assume Unicode: most terminals have it.
        let is_utf8 = locale.is_none_or(|locale| {
            let locale = locale.to_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        // The font of the Linux console has few characters.
        Look { depth, ascii: !is_utf8 || term == "linux" || term == "dumb" }
    }

    /// The first form with Unicode, the second in plain ASCII.
    pub(crate) const fn pick<T: Copy>(self, rich: T, ascii: T) -> T {
        if self.ascii { ascii } else { rich }
    }

    /// Text.
    pub(crate) fn text(self) -> Style {
        self.ink(TEXT)
    }

    /// Secondary text.
    pub(crate) fn dim(self) -> Style {
        self.faded(DIM)
    }

    /// Frames.
    pub(crate) fn frame(self) -> Style {
        self.faded(FRAME)
    }

    /// Emphasis: the seat to move, the choice made.
    pub(crate) fn accent(self) -> Style {
        self.ink(ACCENT).bold()
    }

    /// Points won.
    pub(crate) fn good(self) -> Style {
        self.ink(GOOD).bold()
    }

    /// Points lost, and errors.
    pub(crate) fn bad(self) -> Style {
        self.ink(BAD).bold()
    }

    /// The cell or word under the cursor.
    pub(crate) fn cursor(self) -> Style {
        self.solid(CURSOR_INK, ACCENT)
    }

    /// The background.
    pub(crate) fn page(self) -> Style {
        match self.depth {
            // Keep the background of the terminal.
            Depth::Ansi | Depth::None => Style::new(),
            _ => self.ink(TEXT).bg(self.color(PAGE)),
        }
    }

    /// A tile.
    pub(crate) fn tile(self, tile: Tile) -> Style {
        self.solid(TILE_INKS[tile.index()], GLAZES[tile.index()])
    }

    /// The edge of a tile, a little lighter or darker than the tile.
    pub(crate) fn edge(self, tile: Tile) -> Style {
        let (glaze, ink) = (GLAZES[tile.index()].rgb, TILE_INKS[tile.index()].rgb);
        match self.depth {
            Depth::True => Style::new().fg(mix(glaze, ink, 36)).bg(rgb(glaze)),
            _ => self.tile(tile),
        }
    }

    /// The joint between two tiles or spaces, in the color of the background. Only with a background
    /// of our own is that color known.
    pub(crate) fn joint(self, style: Style) -> Option<Style> {
        match self.depth {
            Depth::True | Depth::Indexed if !self.ascii => {
                Some(self.ink(PAGE).bg(style.bg.unwrap_or(Color::Reset)))
            }
            _ => None,
        }
    }

    /// A free space of the colored wall.
    pub(crate) fn faint(self, color: TileColor) -> Style {
        let (glaze, letter) = (GLAZES[color.index()], LETTERS[color.index()]);
        match self.depth {
            Depth::True => {
                Style::new().fg(mix(PAGE.rgb, letter.rgb, 58)).bg(mix(PAGE.rgb, glaze.rgb, 22))
            }
            // The dark colors of the palette are too saturated for an empty space.
            Depth::Indexed => self.ink(letter).bg(EMPTY_INDEXED),
            Depth::Ansi | Depth::None => self.faded(letter),
        }
    }

    /// An empty space.
    pub(crate) fn space(self) -> Style {
        match self.depth {
            Depth::True => {
                Style::new().fg(mix(PAGE.rgb, TEXT.rgb, 38)).bg(mix(PAGE.rgb, TEXT.rgb, 8))
            }
            Depth::Indexed => Style::new().fg(Color::Indexed(243)).bg(EMPTY_INDEXED),
            _ => self.dim(),
        }
    }

    /// A tile of a move that is only previewed.
    pub(crate) fn ghost(self, tile: Tile) -> Style {
        match self.depth {
            Depth::True => {
                let ground = mix(PAGE.rgb, GLAZES[tile.index()].rgb, 62);
                self.tile(tile).bg(ground).italic()
            }
            Depth::None => Style::new().bold().underlined(),
            _ => self.tile(tile).underlined(),
        }
    }

    /// The starting player marker.
    pub(crate) fn marker(self) -> Style {
        self.solid(MARKER_INK, MARKER)
    }

    fn ink(self, paint: Paint) -> Style {
        match self.depth {
            Depth::None => Style::new(),
            _ => Style::new().fg(self.color(paint)),
        }
    }

    /// An ink that is dimmed where there are no colors.
    fn faded(self, paint: Paint) -> Style {
        match self.depth {
            Depth::None => Style::new().dim(),
            _ => self.ink(paint),
        }
    }

    /// Bold text on a ground, reversed where there are no colors.
    fn solid(self, ink: Paint, ground: Paint) -> Style {
        match self.depth {
            Depth::None => Style::new().bold().reversed(),
            _ => self.ink(ink).bg(self.color(ground)).bold(),
        }
    }

    fn color(self, paint: Paint) -> Color {
        match self.depth {
            Depth::True => rgb(paint.rgb),
            Depth::Indexed => Color::Indexed(paint.indexed),
            Depth::Ansi => paint.ansi,
            Depth::None => Color::Reset,
        }
    }
}

type Rgb = (u8, u8, u8);

/// A color in 24 bits, in the palette of 256 and among the sixteen.
#[derive(Clone, Copy)]
struct Paint {
    rgb: Rgb,
    indexed: u8,
    ansi: Color,
}

const fn paint(rgb: Rgb, indexed: u8, ansi: Color) -> Paint {
    Paint { rgb, indexed, ansi }
}

/// A night-blue background, on which cobalt and white glaze both stand out.
const PAGE: Paint = paint((17, 22, 31), 233, Color::Reset);
const TEXT: Paint = paint((219, 226, 234), 253, Color::Reset);
const DIM: Paint = paint((133, 146, 162), 245, Color::DarkGray);
const FRAME: Paint = paint((66, 80, 98), 239, Color::DarkGray);
const ACCENT: Paint = paint((240, 194, 92), 221, Color::Yellow);
const GOOD: Paint = paint((126, 204, 138), 114, Color::Green);
const BAD: Paint = paint((236, 116, 98), 209, Color::Red);
const CURSOR_INK: Paint = paint((22, 26, 34), 16, Color::Black);
const MARKER: Paint = paint((214, 196, 156), 180, Color::Green);
const MARKER_INK: Paint = paint(PAGE.rgb, 16, Color::Black);
/// The ground of an empty space in the palette of 256.
const EMPTY_INDEXED: Color = Color::Indexed(235);

/// The glazes of the five tiles and the joker.
const GLAZES: [Paint; 6] = [
    paint((31, 92, 172), 25, Color::Blue),
    paint((228, 168, 44), 178, Color::Yellow),
    paint((181, 54, 44), 124, Color::Red),
    paint((72, 76, 88), 240, Color::DarkGray),
    paint((232, 238, 240), 255, Color::White),
    paint((130, 70, 158), 127, Color::Magenta),
];

/// The letters on the tiles.
const TILE_INKS: [Paint; 6] = [
    paint((222, 238, 255), 231, Color::White),
    paint((74, 44, 6), 16, Color::Black),
    paint((255, 230, 216), 231, Color::White),
    paint((232, 232, 238), 231, Color::White),
    paint((24, 112, 132), 24, Color::Black),
    paint((252, 232, 255), 231, Color::White),
];

/// The letters of the five colors on the dark background.
const LETTERS: [Paint; 5] = [
    paint((110, 166, 240), 67, Color::Blue),
    paint((228, 168, 44), 136, Color::Yellow),
    paint((236, 112, 98), 131, Color::Red),
    paint((168, 172, 184), 244, Color::DarkGray),
    paint((232, 238, 240), 109, Color::Cyan),
];

const fn rgb((r, g, b): Rgb) -> Color {
    Color::Rgb(r, g, b)
}

/// Mixes `percent` of the second color into the first.
const fn mix(a: Rgb, b: Rgb, percent: u16) -> Color {
    const fn part(a: u8, b: u8, percent: u16) -> u8 {
        ((a as u16 * (100 - percent) + b as u16 * percent) / 100) as u8
    }
    rgb((part(a.0, b.0, percent), part(a.1, b.1, percent), part(a.2, b.2, percent)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides() {
        let check = |variables: &[(&str, &str)], depth: Depth, ascii: bool| {
            let look = Look::detect(&|name| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            });
            assert_eq!(look, Look { depth, ascii }, "{variables:?}");
        };
        check(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")], Depth::True, false);
        check(&[("TERM", "xterm-256color"), ("LANG", "pt_PT.UTF-8")], Depth::Indexed, false);
        check(&[("TERM", "xterm"), ("LANG", "C")], Depth::Ansi, true);
        check(&[("TERM", "linux"), ("LANG", "C.utf8")], Depth::Ansi, true);
        check(&[("COLORTERM", "24bit"), ("NO_COLOR", "1")], Depth::None, false);
        check(&[("COLORTERM", "24bit"), ("NO_COLOR", "")], Depth::True, false);
        check(&[("TERM", "dumb")], Depth::None, true);
        check(&[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")], Depth::Ansi, true);
        for depth in Depth::ALL {
            assert_eq!(Depth::from_name(depth.name()), Some(depth));
        }
    }

    /// The letter on a tile must be readable: the contrast is that of the WCAG for large text.
    #[test]
    fn letters_stand_out_from_their_tiles() {
        fn luminance((r, g, b): Rgb) -> f64 {
            let part = |c: u8| {
                let c = f64::from(c) / 255.0;
                if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
        }
        let contrast = |a, b| {
            let (a, b) = (luminance(a), luminance(b));
            (f64::max(a, b) + 0.05) / (f64::min(a, b) + 0.05)
        };
        for tile in Tile::ALL {
            let ratio = contrast(GLAZES[tile.index()].rgb, TILE_INKS[tile.index()].rgb);
            assert!(ratio >= 4.5, "{tile}: {ratio:.1}");
        }
        assert!(contrast(PAGE.rgb, TEXT.rgb) >= 7.0);
        assert!(contrast(PAGE.rgb, DIM.rgb) >= 4.5);
    }
}
