//! Prints a table in the middle of a game, with its colors, as a terminal of 80 × 24 shows it. The
//! pictures of the documentation are made from it.

use azulejo_notation::Record;
use azulejo_rules::Seat;
use azulejo_tui::app::{App, Input, Opening, Settings, Speed};
use azulejo_tui::look::{Depth, Look};
use azulejo_tui::session::{Choices, Session};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use std::error::Error;
use std::time::{Duration, Instant};

const POSITION: &str = "az1_2c_d1_3s2_BYRW-.-.-RRKW-BBBY_1YKKW_rest_._14~R-WW-BBB-KK..-YYYY.~.Y..W-.B.R.-.W...-R....-.....~._11~W-K.-RR.-YYYY-BB...~B..K.-WB...-K....-.....-...W.~RR";

fn main() -> Result<(), Box<dyn Error>> {
    let mut record = Record::from_position(POSITION.parse()?);
    record.set_name(Seat::One, "Ana")?;
    record.set_name(Seat::Two, "Artisan")?;
    let session = Session::resume(record, &"5".parse()?);
    let settings = Settings {
        look: Look { depth: Depth::True, ascii: false },
        speed: Speed::INSTANT,
        think: Duration::from_secs(1),
        random_state: 5,
        choices: Choices::default(),
    };
    let now = Instant::now();
    let (mut app, _) = App::new(settings, Opening::Game(Box::new(session), None), (80, 24), now);
    for code in [KeyCode::Char('0'), KeyCode::Char('k')] {
        app.update(Input::Key(KeyEvent::new(code, KeyModifiers::NONE)), now);
    }
    let mut screen = Buffer::empty(Rect::new(0, 0, 80, 24));
    app.draw(&mut screen, now);
    // The ground is the paper of the picture.
    let ground = screen[(79, 23)].bg;
    for row in screen.content.chunks(80) {
        let line: String = row.iter().map(|cell| print(cell, ground)).collect();
        println!("{line}");
    }
    Ok(())
}

/// A character with the codes that give it its look.
fn print(cell: &Cell, ground: Color) -> String {
    let mut text = String::new();
    for (layer, color) in [(38, cell.fg), (48, cell.bg)] {
        if let Color::Rgb(r, g, b) = color
            && (layer, color) != (48, ground)
        {
            text += &format!("\u{1b}[{layer};2;{r};{g};{b}m");
        }
    }
    let modifiers = [(Modifier::BOLD, 1), (Modifier::DIM, 2), (Modifier::UNDERLINED, 4)];
    for (_, code) in modifiers.iter().filter(|(modifier, _)| cell.modifier.contains(*modifier)) {
        text += &format!("\u{1b}[{code}m");
    }
    format!("{text}{}\u{1b}[0m", cell.symbol())
}
