//! Styles: the colors of tiles and text for terminals with 24-bit color, 256, 16 or no colors, and plain
//! ASCII. Every tile carries its letter, so that nothing depends on color alone.

use azulejo_rules::{Color as TileColor, Tile};
use ratatui::style::{Color, Modifier, Style};

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
        self.shade(Shade::Text)
    }

    /// Secondary text.
    pub(crate) fn dim(self) -> Style {
        match self.depth {
            Depth::None => Style::new().add_modifier(Modifier::DIM),
            _ => self.shade(Shade::Dim),
        }
    }

    /// Frames.
    pub(crate) fn frame(self) -> Style {
        match self.depth {
            Depth::None => Style::new().add_modifier(Modifier::DIM),
            _ => self.shade(Shade::Frame),
        }
    }

    /// Emphasis: the seat to move, the choice made.
    pub(crate) fn accent(self) -> Style {
        self.shade(Shade::Accent).add_modifier(Modifier::BOLD)
    }

    /// Points won.
    pub(crate) fn good(self) -> Style {
        self.shade(Shade::Good).add_modifier(Modifier::BOLD)
    }

    /// Points lost, and errors.
    pub(crate) fn bad(self) -> Style {
        self.shade(Shade::Bad).add_modifier(Modifier::BOLD)
    }

    /// The cell or word under the cursor.
    pub(crate) fn cursor(self) -> Style {
        match self.depth {
            Depth::None => Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD),
            _ => {
                let accent = self.color(Shade::Accent);
                Style::new().fg(self.color(Shade::Ink)).bg(accent).add_modifier(Modifier::BOLD)
            }
        }
    }

    /// The background.
    pub(crate) fn page(self) -> Style {
        match self.depth {
            // Keep the background of the terminal.
            Depth::Ansi | Depth::None => Style::new(),
            _ => Style::new().fg(self.color(Shade::Text)).bg(self.color(Shade::Page)),
        }
    }

    /// A tile.
    pub(crate) fn tile(self, tile: Tile) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        if self.depth == Depth::None {
            return style.add_modifier(Modifier::REVERSED);
        }
        style.fg(self.ink(tile)).bg(self.glaze(tile))
    }

    /// The edge of a tile, a little lighter or darker than the tile.
    pub(crate) fn edge(self, tile: Tile) -> Style {
        match self.depth {
            Depth::True => {
                let (ground, ink) =
                    (rgb(glaze_rgb(tile)), rgb(mix(glaze_rgb(tile), ink_rgb(tile), 36)));
                Style::new().fg(ink).bg(ground)
            }
            _ => self.tile(tile),
        }
    }

    /// The joint between two tiles or spaces, in the color of the background. Only with a background
    /// of our own is that color known.
    pub(crate) fn joint(self, style: Style) -> Option<Style> {
        match self.depth {
            Depth::True | Depth::Indexed if !self.ascii => {
                Some(Style::new().fg(self.color(Shade::Page)).bg(style.bg.unwrap_or(Color::Reset)))
            }
            _ => None,
        }
    }

    /// A free space of the colored wall.
    pub(crate) fn faint(self, color: TileColor) -> Style {
        let tile = Tile::Color(color);
        match self.depth {
            Depth::True => {
                let ground = rgb(mix(PAGE, glaze_rgb(tile), 22));
                Style::new().fg(rgb(mix(PAGE, light_rgb(tile), 58))).bg(ground)
            }
            Depth::Indexed => {
                let ink = match color {
                    TileColor::Blue => 67,
                    TileColor::Yellow => 136,
                    TileColor::Red => 131,
                    TileColor::Black => 244,
                    TileColor::White => 109,
                };
                // The dark colors of the palette are too saturated for an empty space.
                Style::new().fg(Color::Indexed(ink)).bg(Color::Indexed(235))
            }
            Depth::Ansi => match color {
                TileColor::Blue => Style::new().fg(Color::Blue),
                TileColor::Yellow => Style::new().fg(Color::Yellow),
                TileColor::Red => Style::new().fg(Color::Red),
                TileColor::Black => Style::new().fg(Color::DarkGray),
                TileColor::White => Style::new().fg(Color::Cyan),
            },
            Depth::None => Style::new().add_modifier(Modifier::DIM),
        }
    }

    /// An empty space.
    pub(crate) fn space(self) -> Style {
        match self.depth {
            Depth::True => Style::new().fg(rgb(mix(PAGE, TEXT, 38))).bg(rgb(mix(PAGE, TEXT, 8))),
            Depth::Indexed => Style::new().fg(Color::Indexed(243)).bg(Color::Indexed(235)),
            _ => self.dim(),
        }
    }

    /// A tile of a move that is only previewed.
    pub(crate) fn ghost(self, tile: Tile) -> Style {
        match self.depth {
            Depth::True => {
                let ground = rgb(mix(PAGE, glaze_rgb(tile), 62));
                let style = Style::new().fg(rgb(ink_rgb(tile))).bg(ground);
                style.add_modifier(Modifier::ITALIC | Modifier::BOLD)
            }
            Depth::None => Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            _ => self.tile(tile).add_modifier(Modifier::UNDERLINED),
        }
    }

    /// The starting player marker.
    pub(crate) fn marker(self) -> Style {
        match self.depth {
            Depth::True => {
                Style::new().fg(rgb(PAGE)).bg(rgb((214, 196, 156))).add_modifier(Modifier::BOLD)
            }
            Depth::Indexed => Style::new()
                .fg(Color::Indexed(16))
                .bg(Color::Indexed(180))
                .add_modifier(Modifier::BOLD),
            Depth::Ansi => {
                Style::new().fg(Color::Black).bg(Color::Green).add_modifier(Modifier::BOLD)
            }
            Depth::None => Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD),
        }
    }

    fn shade(self, shade: Shade) -> Style {
        match self.depth {
            Depth::None => Style::new(),
            _ => Style::new().fg(self.color(shade)),
        }
    }

    fn color(self, shade: Shade) -> Color {
        let (full, indexed, ansi) = match shade {
            Shade::Page => (PAGE, 233, Color::Reset),
            Shade::Text => (TEXT, 253, Color::Reset),
            Shade::Dim => ((133, 146, 162), 245, Color::DarkGray),
            Shade::Frame => ((66, 80, 98), 239, Color::DarkGray),
            Shade::Accent => ((240, 194, 92), 221, Color::Yellow),
            Shade::Good => ((126, 204, 138), 114, Color::Green),
            Shade::Bad => ((236, 116, 98), 209, Color::Red),
            Shade::Ink => ((22, 26, 34), 16, Color::Black),
        };
        match self.depth {
            Depth::True => rgb(full),
            Depth::Indexed => Color::Indexed(indexed),
            Depth::Ansi => ansi,
            Depth::None => Color::Reset,
        }
    }

    /// The color of a tile.
    fn glaze(self, tile: Tile) -> Color {
        match self.depth {
            Depth::True => rgb(glaze_rgb(tile)),
            Depth::Indexed => Color::Indexed(match tile {
                Tile::Color(TileColor::Blue) => 25,
                Tile::Color(TileColor::Yellow) => 178,
                Tile::Color(TileColor::Red) => 124,
                Tile::Color(TileColor::Black) => 240,
                Tile::Color(TileColor::White) => 255,
                Tile::Joker => 127,
            }),
            Depth::Ansi => match tile {
                Tile::Color(TileColor::Blue) => Color::Blue,
                Tile::Color(TileColor::Yellow) => Color::Yellow,
                Tile::Color(TileColor::Red) => Color::Red,
                Tile::Color(TileColor::Black) => Color::DarkGray,
                Tile::Color(TileColor::White) => Color::White,
                Tile::Joker => Color::Magenta,
            },
            Depth::None => Color::Reset,
        }
    }

    /// The color of the letter on a tile.
    fn ink(self, tile: Tile) -> Color {
        let is_light = matches!(tile, Tile::Color(TileColor::Yellow | TileColor::White));
        match self.depth {
            Depth::True => rgb(ink_rgb(tile)),
            Depth::Indexed if tile == Tile::Color(TileColor::White) => Color::Indexed(24),
            Depth::Indexed => Color::Indexed(if is_light { 16 } else { 231 }),
            Depth::Ansi if is_light => Color::Black,
            Depth::Ansi => Color::White,
            Depth::None => Color::Reset,
        }
    }
}

#[derive(Clone, Copy)]
enum Shade {
    Page,
    Text,
    Dim,
    Frame,
    Accent,
    Good,
    Bad,
    Ink,
}

type Rgb = (u8, u8, u8);

/// A night-blue background, on which cobalt and white glaze both stand out.
const PAGE: Rgb = (17, 22, 31);
const TEXT: Rgb = (219, 226, 234);

/// The glazes of the five tiles and the joker.
const fn glaze_rgb(tile: Tile) -> Rgb {
    match tile {
        Tile::Color(TileColor::Blue) => (31, 92, 172),
        Tile::Color(TileColor::Yellow) => (228, 168, 44),
        Tile::Color(TileColor::Red) => (181, 54, 44),
        Tile::Color(TileColor::Black) => (72, 76, 88),
        Tile::Color(TileColor::White) => (232, 238, 240),
        Tile::Joker => (130, 70, 158),
    }
}

/// The color of the letter on a tile.
const fn ink_rgb(tile: Tile) -> Rgb {
    match tile {
        Tile::Color(TileColor::Blue) => (222, 238, 255),
        Tile::Color(TileColor::Yellow) => (74, 44, 6),
        Tile::Color(TileColor::Red) => (255, 230, 216),
        Tile::Color(TileColor::Black) => (232, 232, 238),
        Tile::Color(TileColor::White) => (24, 112, 132),
        Tile::Joker => (252, 232, 255),
    }
}

/// The color of a letter on the dark background.
const fn light_rgb(tile: Tile) -> Rgb {
    match tile {
        Tile::Color(TileColor::Blue) => (110, 166, 240),
        Tile::Color(TileColor::Black) => (168, 172, 184),
        Tile::Color(TileColor::Red) => (236, 112, 98),
        _ => glaze_rgb(tile),
    }
}

const fn rgb((r, g, b): Rgb) -> Color {
    Color::Rgb(r, g, b)
}

/// Mixes `percent` of the second color into the first.
const fn mix(a: Rgb, b: Rgb, percent: u16) -> Rgb {
    const fn part(a: u8, b: u8, percent: u16) -> u8 {
        ((a as u16 * (100 - percent) + b as u16 * percent) / 100) as u8
    }
    (part(a.0, b.0, percent), part(a.1, b.1, percent), part(a.2, b.2, percent))
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
            let ratio = contrast(glaze_rgb(tile), ink_rgb(tile));
            assert!(ratio >= 4.5, "{tile}: {ratio:.1}");
        }
        assert!(contrast(PAGE, TEXT) >= 7.0);
        assert!(contrast(PAGE, (133, 146, 162)) >= 4.5);
    }
}
