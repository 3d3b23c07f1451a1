//! The review of a replayed game: the app asks for it, shows the judgement of each move, and jumps to
//! mistakes. The judgements come from the real engine.

use azulejo_engine::Stop;
use azulejo_notation::Record;
use azulejo_review::{Budget, Reviewer, Settings as ReviewSettings};
use azulejo_tui::app::{App, Effect, Input, Opening, Settings, Speed};
use azulejo_tui::look::{Depth, Look};
use azulejo_tui::review_thread::Judged;
use azulejo_tui::session::Choices;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use std::time::{Duration, Instant};

/// The third move and the fifth drop tiles for no reason.
const GAME: &str = "[Azulejo \"1\"]\n[Rules \"2c\"]\n[First \"1\"]\n[Seat1 \"Ana\"]\n[Seat2 \"Rui\"]\n\n\
    round 1 BBYR-KKKK-BYRK-YWWW-RRKK\n2K4 4W3 5RF 1B2 3KF\n*\n";

struct Screen {
    app: App,
    now: Instant,
}

impl Screen {
    fn key(&mut self, code: KeyCode) -> Vec<Effect> {
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        self.app.update(Input::Key(key), self.now)
    }

    fn text(&self) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 120, 40));
        self.app.draw(&mut buffer, self.now);
        let rows = buffer.content.chunks(120);
        rows.map(|row| row.iter().map(Cell::symbol).collect::<String>() + "\n").collect()
    }
}

#[test]
fn a_replay_shows_judgements_and_jumps_to_mistakes() {
    let record: Record = GAME.parse().unwrap();
    let settings = Settings {
        look: Look { depth: Depth::ALL[0], ascii: false },
        speed: Speed::new(5).unwrap(),
        think: Duration::from_secs(1),
        random_state: 1,
        choices: Choices::default(),
    };
    let now = Instant::now();
    let opening = Opening::Replay(Box::new(record));
    let (app, effects) = App::new(settings, opening, (120, 40), now);
    let mut screen = Screen { app, now };
    let Some(Effect::Review { id, record }) = effects.into_iter().next() else {
        panic!("the app asks for a review");
    };
    assert!(!screen.text().contains("mistakes"), "nothing is judged yet");

    let budget = Budget { nodes: 5_000, n_deals: 2, deal_nodes: 1_000 };
    let asked = ReviewSettings { budget, ..ReviewSettings::default() };
    let mut reviewer = Reviewer::new(&record, asked).unwrap();
    while reviewer.step(&Stop::new()) {}
    let decisions = reviewer.decisions().to_vec();
    let marks: Vec<_> = decisions.iter().filter(|at| at.judgement.is_mark()).collect();
    assert!(marks.len() >= 2, "dropping tiles is a mistake: {decisions:?}");
    for decision in &decisions {
        for of in [id, id + 1] {
            // Those of another review are ignored.
            let judged = Judged { id: of, decision: Box::new(decision.clone()) };
            screen.app.update(Input::Judged(judged), now);
        }
    }
    for mark in &marks {
        assert!(screen.key(KeyCode::Char('n')).is_empty());
        let text = screen.text();
        assert!(text.contains(&format!("move {} of 5", mark.ply + 1)), "{text}");
        assert!(text.contains(&format!("{}{}", mark.played, mark.judgement.sign())), "{text}");
        assert!(text.contains("To win: Ana ") && text.contains("mistakes"), "{text}");
        assert!(!text.contains("Better: "), "{text}");
    }
    screen.key(KeyCode::Char('h'));
    assert!(screen.text().contains("Better: "), "{}", screen.text());
    screen.key(KeyCode::Char('p'));
    let before = &marks[marks.len() - 2];
    assert!(screen.text().contains(&format!("move {} of 5", before.ply + 1)), "{}", screen.text());

    let effects = screen.key(KeyCode::Esc);
    let is_stopped = effects.iter().any(|effect| matches!(effect, Effect::StopReview));
    assert!(is_stopped, "leaving the replay stops the review: {effects:?}");
}
