//! Plots the losses and the gating matches of a run as SVG with a light background, which is readable
//! on light and dark pages.

use anyhow::{Context, bail, ensure};
use azulejo_arena::Estimate;
use azulejo_files::write_atomic;
use std::fs;
use std::path::{Path, PathBuf};

/// Plot losses and matches of a run as an SVG file.
///
/// Example: azulejo-train plot --dir run --out docs/training.svg
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder of the run.
    #[arg(long)]
    dir: PathBuf,
    /// The SVG file.
    #[arg(long)]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let losses = Losses::read(&args.dir.join("losses.csv"))?;
    let matches = Matches::read(&args.dir.join("matches.csv"))?;
    let picture = draw(&losses, &matches);
    write_atomic(&args.out, picture.as_bytes()).with_context(|| args.out.display().to_string())
}

/// A CSV file with a header.
struct Csv {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Csv {
    fn read(path: &Path) -> anyhow::Result<Csv> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let split = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = text.lines();
        let Some(columns) = lines.next().map(split) else {
            bail!("{}: the file is empty", path.display());
        };
        let rows: Vec<_> = lines.map(split).collect();
        ensure!(
            rows.iter().all(|row| row.len() == columns.len()),
            "{}: every line must have as many columns as the header",
            path.display()
        );
        Ok(Csv { columns, rows })
    }

    fn texts(&self, name: &str) -> anyhow::Result<impl Iterator<Item = &str>> {
        let column = self.columns.iter().position(|column| column == name);
        let column = column.with_context(|| format!("there is no column `{name}`"))?;
        Ok(self.rows.iter().map(move |row| row[column].as_str()))
    }

    fn numbers(&self, name: &str) -> anyhow::Result<Vec<f64>> {
        let number = |text: &str| {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            number.with_context(|| format!("`{text}` in column `{name}` is not a number"))
        };
        self.texts(name)?.map(number).collect()
    }
}

/// The losses of all epochs in order.
struct Losses {
    generation: Vec<f64>,
    training: Vec<f64>,
    held_out: Vec<f64>,
}

impl Losses {
    fn read(path: &Path) -> anyhow::Result<Losses> {
        let table = Csv::read(path)?;
        Ok(Losses {
            generation: table.numbers("generation")?,
            training: table.numbers("training_loss")?,
            held_out: table.numbers("validation_loss")?,
        })
    }
}

/// The match of one generation, on one Elo scale for the whole run.
struct Bar {
    elo: Estimate,
    accepted: bool,
}

struct Matches {
    /// The opponent at 0 Elo.
    origin: String,
    bars: Vec<Bar>,
}

impl Matches {
    fn read(path: &Path) -> anyhow::Result<Matches> {
        let table = Csv::read(path)?;
        let origin = table.texts("against")?.next().unwrap_or("nothing").to_owned();
        let [mean, low, high] = ["elo", "elo_low", "elo_high"].map(|name| table.numbers(name));
        let (mean, low, high) = (mean?, low?, high?);
        let mut champion = 0.0;
        let mut bars = Vec::new();
        for (i, accepted) in table.texts("accepted")?.enumerate() {
            let accepted = accepted == "true";
            // Each generation played the last accepted one, so its Elo adds to that one's.
            let elo = Estimate { mean: mean[i], low: low[i], high: high[i] };
            bars.push(Bar { elo: elo.map(|elo| champion + elo), accepted });
            if accepted {
                champion += mean[i];
            }
        }
        Ok(Matches { origin, bars })
    }
}

const WIDTH: f64 = 760.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const PANEL: f64 = 220.0;
const HEIGHT: f64 = 620.0;

pub(crate) const GROUND: &str = "#fbf9f4";
pub(crate) const INK: &str = "#2b2a28";
pub(crate) const FAINT: &str = "#d9d4c8";
pub(crate) const BLUE: &str = "#1f5fa8";
const PALE_BLUE: &str = "#9fc0e4";
const RED: &str = "#b3372b";

/// A panel with its scales.
struct Panel {
    svg: String,
    top: f64,
    x: (f64, f64),
    y: (f64, f64),
}

impl Panel {
    /// An empty panel with its title, horizontal lines and their numbers.
    fn new(top: f64, title: &str, x: (f64, f64), values: impl Iterator<Item = f64>) -> Panel {
        let (low, high) = values
            .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let step = nice_step((high - low).max(1e-3) / 5.0);
        let y = ((low / step).floor() * step, (high / step).ceil() * step);
        let y = if y.0 < y.1 { y } else { (y.0, y.0 + step) };
        let mut panel = Panel { svg: String::new(), top, x, y };
        let style = format!("font-weight=\"600\" fill=\"{INK}\"");
        panel.text(LEFT, top - 14.0, "start", &style, title);
        let n_lines = ((y.1 - y.0) / step).round() as u32;
        for i in 0..=n_lines {
            let value = y.0 + f64::from(i) * step;
            let at = panel.y(value);
            panel.line((LEFT, at), (WIDTH - RIGHT, at), FAINT, 1.0);
            let digits = (-step.log10().floor()).max(0.0) as usize;
            panel.label(LEFT - 8.0, at + 4.0, "end", &format!("{value:.digits$}"));
        }
        panel
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + (value - self.x.0) / (self.x.1 - self.x.0) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        self.top + PANEL - (value - self.y.0) / (self.y.1 - self.y.0) * PANEL
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), color: &str, width: f64) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.put(&format!(
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{color}" stroke-width="{width}"/>"#
        ));
    }

    fn curve(&mut self, points: impl Iterator<Item = (f64, f64)>, color: &str, width: f64) {
        let points: Vec<String> =
            points.map(|(x, y)| format!("{:.1},{:.1}", self.x(x), self.y(y))).collect();
        self.put(&format!(
            r#"<polyline points="{}" fill="none" stroke="{color}" stroke-width="{width}" stroke-linejoin="round"/>"#,
            points.join(" ")
        ));
    }

    fn dot(&mut self, at: (f64, f64), filled: bool) {
        let (fill, color) = if filled { (BLUE, BLUE) } else { (GROUND, RED) };
        self.put(&format!(
            r#"<circle cx="{:.1}" cy="{:.1}" r="5" fill="{fill}" stroke="{color}" stroke-width="2"/>"#,
            at.0, at.1
        ));
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, style: &str, text: &str) {
        let text = escape(text);
        self.put(&format!(
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" {style}>{text}</text>"#
        ));
    }

    fn label(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        self.text(x, y, anchor, &format!("font-size=\"12\" fill=\"{INK}\""), text);
    }

    fn put(&mut self, element: &str) {
        self.svg.push_str(element);
        self.svg.push('\n');
    }
}

fn draw(losses: &Losses, matches: &Matches) -> String {
    let (loss, elo) = (draw_losses(losses), draw_matches(matches));
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="14">
<title>Training: losses by epoch and Elo by generation</title>
<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="{GROUND}"/>
{loss}{elo}</svg>
"#
    )
}

fn draw_losses(losses: &Losses) -> String {
    let n = losses.held_out.len();
    // The early epochs of the first generation would flatten the rest.
    let cut = usize::from(n > 10);
    let values = losses.training.iter().skip(cut).chain(losses.held_out.iter().skip(cut)).copied();
    let title = "Loss by epoch, generation after generation";
    let x = (0.0, n.max(2) as f64 - 1.0);
    let mut panel = Panel::new(48.0, title, x, values);
    let bottom = panel.top + PANEL;
    let mut start = 0;
    for epochs in losses.generation.chunk_by(|a, b| a == b) {
        let range = start..start + epochs.len();
        let (left, top) = (panel.x(start as f64), panel.top);
        panel.line((left, top), (left, bottom), FAINT, 1.0);
        panel.label(left + 3.0, bottom + 16.0, "start", &epochs[0].to_string());
        for (series, color, width) in
            [(&losses.training, PALE_BLUE, 1.5), (&losses.held_out, BLUE, 2.0)]
        {
            let ceiling = panel.y.1;
            let points = range.clone().map(|i| (i as f64, series[i].min(ceiling)));
            panel.curve(points, color, width);
        }
        start = range.end;
    }
    panel.label(WIDTH / 2.0, bottom + 34.0, "middle", "generation");
    let key = panel.top - 18.0;
    for (x, color, name) in
        [(WIDTH - 200.0, PALE_BLUE, "training"), (WIDTH - 110.0, BLUE, "held out")]
    {
        panel.line((x, key), (x + 18.0, key), color, 2.0);
        panel.label(x + 24.0, key + 4.0, "start", name);
    }
    panel.svg
}

fn draw_matches(matches: &Matches) -> String {
    let bars = &matches.bars;
    let values = bars.iter().flat_map(|bar| [bar.elo.low, bar.elo.high]).chain([0.0]);
    let x = (-0.5, bars.len().max(1) as f64 - 0.5);
    let origin = match matches.origin.as_str() {
        "classic" => "the hand-written evaluation",
        "start" => "the network of the start",
        other => other,
    };
    let title = format!("Elo over {origin}, from match to match");
    let mut panel = Panel::new(48.0 + PANEL + 90.0, &title, x, values);
    let bottom = panel.top + PANEL;
    let accepted = bars.iter().enumerate().filter(|(_, bar)| bar.accepted);
    let path: Vec<(f64, f64)> = accepted.map(|(i, bar)| (i as f64, bar.elo.mean)).collect();
    panel.curve(path.into_iter(), BLUE, 2.0);
    for (i, bar) in bars.iter().enumerate() {
        let x = panel.x(i as f64);
        let elo = bar.elo.map(|elo| panel.y(elo));
        panel.line((x, elo.low), (x, elo.high), if bar.accepted { BLUE } else { RED }, 1.5);
        panel.dot((x, elo.mean), bar.accepted);
        panel.label(x, bottom + 16.0, "middle", &i.to_string());
    }
    panel.label(WIDTH / 2.0, bottom + 34.0, "middle", "generation");
    let key = panel.top - 18.0;
    for (x, filled, name) in [(WIDTH - 200.0, true, "accepted"), (WIDTH - 110.0, false, "refused")]
    {
        panel.dot((x + 10.0, key), filled);
        panel.label(x + 24.0, key + 4.0, "start", name);
    }
    panel.svg
}

/// The next larger of 1, 2 and 5 times a power of ten.
fn nice_step(at_least: f64) -> f64 {
    let power = 10_f64.powf(at_least.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|n| n * power)
        .find(|&step| step >= at_least)
        .unwrap_or(10.0 * power)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_numbers() {
        for (at_least, expected) in
            [(0.003, 0.005), (0.01, 0.01), (0.011, 0.02), (3.0, 5.0), (7.0, 10.0), (120.0, 200.0)]
        {
            assert!((nice_step(at_least) - expected).abs() < 1e-9, "{at_least}");
        }
    }

    #[test]
    fn a_run_is_drawn() {
        let dir = crate::scratch("plot");
        let losses = "generation,training_loss,validation_loss\n0,0.9,0.8\n0,0.7,0.7\n1,0.6,0.65\n";
        let matches = "generation,against,elo,elo_low,elo_high,accepted\n\
            0,classic,200,150,250,true\n1,0,-20,-50,10,false\n2,0,40,10,70,true\n";
        fs::write(dir.join("losses.csv"), losses).unwrap();
        fs::write(dir.join("matches.csv"), matches).unwrap();
        let out = dir.join("training.svg");
        run(&Args { dir: dir.to_path_buf(), out: out.clone() }).unwrap();
        let svg = fs::read_to_string(&out).unwrap();
        // Two curves for each generation and one through the accepted ones.
        assert_eq!(svg.matches("<polyline").count(), 5);
        // Three matches and two in the key.
        assert_eq!(svg.matches("<circle").count(), 5);
        assert!(svg.contains("Elo over the hand-written evaluation"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        for tag in ["<svg", "<text"] {
            assert_eq!(svg.matches(tag).count(), svg.matches(&tag.replace('<', "</")).count());
        }
    }

    /// The Elo of a network adds to that of its opponent.
    #[test]
    fn elo_adds_up_over_accepted_generations() {
        let dir = crate::scratch("sums");
        let path = dir.join("matches.csv");
        let text = "against,elo,elo_low,elo_high,accepted\n\
            start,100,90,110,true\n0,-5,-10,0,false\n0,30,20,40,true\n2,10,-5,25,false\n";
        fs::write(&path, text).unwrap();
        let matches = Matches::read(&path).unwrap();
        let elo: Vec<f64> = matches.bars.iter().map(|bar| bar.elo.mean).collect();
        assert_eq!(elo, [100.0, 95.0, 130.0, 140.0]);
        assert_eq!((matches.bars[3].elo.low, matches.origin.as_str()), (125.0, "start"));
    }

    #[test]
    fn invalid_csv_is_refused() {
        let dir = crate::scratch("tables");
        let path = dir.join("losses.csv");
        for (text, problem) in [
            ("", "empty"),
            ("generation,training_loss\n1,2\n", "no column `validation_loss`"),
            ("generation,training_loss,validation_loss\n1,2\n", "as many columns as the header"),
            ("generation,training_loss,validation_loss\n1,2,x\n", "not a number"),
        ] {
            fs::write(&path, text).unwrap();
            let error = format!("{:#}", Losses::read(&path).err().unwrap());
            assert!(error.contains(problem), "{error}");
        }
    }
}
