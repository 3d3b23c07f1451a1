//! Drawings of a position: text for terminals and SVG for notebooks and pages. Every tile has a letter,
//! so that nothing depends on color alone.

mod ink;
mod svg;
mod text;

pub use svg::svg;
pub use text::{MIN_WIDTH, picture};
