//! The reliability diagrams of calibration as SVG: one small square for each kind of game.

use crate::calibration::Calibration;
use crate::plot::{BLUE, FAINT, GROUND, INK};
use std::fmt::Write;

/// The side of a square, and the space around it.
const SIDE: f64 = 160.0;
const GAP: f64 = 34.0;
const COLUMNS: usize = 4;

pub(crate) fn draw(all: &[Calibration]) -> String {
    let n_columns = all.len().clamp(1, COLUMNS);
    let n_rows = all.len().div_ceil(COLUMNS).max(1);
    let width = GAP + n_columns as f64 * (SIDE + GAP);
    let height = GAP + n_rows as f64 * (SIDE + GAP) + 16.0;
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="system-ui, sans-serif" font-size="12">
<title>Calibration: observed share of victories by predicted win probability, with 95 % errors</title>
<rect width="{width}" height="{height}" rx="8" fill="{GROUND}"/>
"#
    );
    for (i, calibration) in all.iter().enumerate() {
        let left = GAP + (i % COLUMNS) as f64 * (SIDE + GAP);
        let top = GAP + (i / COLUMNS) as f64 * (SIDE + GAP);
        draw_kind(&mut svg, calibration, left, top);
    }
    let (x, y) = (width / 2.0, height - 10.0);
    let caption = "observed share of victories (up) by predicted win probability (right)";
    let _ = writeln!(
        svg,
        r#"<text x="{x:.1}" y="{y:.1}" text-anchor="middle" fill="{INK}">{caption}</text>"#
    );
    svg + "</svg>\n"
}

fn draw_kind(svg: &mut String, calibration: &Calibration, left: f64, top: f64) {
    let x = |share: f64| left + SIDE * share;
    let y = |share: f64| top + SIDE * (1.0 - share.clamp(0.0, 1.0));
    // Writing to a string cannot fail.
    let mut put = |element: String| svg.write_fmt(format_args!("{element}\n")).unwrap_or(());
    put(format!(
        r#"<rect x="{left}" y="{top}" width="{SIDE}" height="{SIDE}" fill="none" stroke="{FAINT}"/>"#
    ));
    let line = |from: (f64, f64), to: (f64, f64), color: &str| {
        let [x1, x2] = [from.0, to.0].map(x);
        let [y1, y2] = [from.1, to.1].map(y);
        format!(
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{color}" stroke-width="1.5"/>"#
        )
    };
    put(line((0.0, 0.0), (1.0, 1.0), FAINT));
    for bin in calibration.bins.iter().filter(|bin| bin.off.n > 1) {
        let (at, happened, error) = (bin.predicted, bin.predicted + bin.off.mean, bin.off.error);
        if error.is_finite() {
            put(line((at, happened - error), (at, happened + error), BLUE));
        }
        let (cx, cy) = (x(at), y(happened));
        put(format!(r#"<circle cx="{cx:.1}" cy="{cy:.1}" r="3" fill="{BLUE}"/>"#));
    }
    let (middle, title) = (left + SIDE / 2.0, top - 8.0);
    let rules = calibration.rules;
    put(format!(
        r#"<text x="{middle:.1}" y="{title:.1}" text-anchor="middle" font-weight="600" fill="{INK}">{rules}</text>"#
    ));
}
