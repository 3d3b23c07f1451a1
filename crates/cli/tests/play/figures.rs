//! Key latency while the engine searches, and processor time while idle. The bounds are far above
//! the measured values, so that a busy machine does not fail the test; `--nocapture` prints the
//! figures that docs/terminal.md quotes.

use crate::terminal::{Home, Terminal};
use std::time::{Duration, Instant};

#[test]
fn keys_are_answered_while_the_engine_thinks() {
    let home = Home::new();
    // Seat 2 starts with this seed.
    let terminal = Terminal::play("--seats Ana,ai:10 --seed 5 --think 60", &home);
    terminal.wait_for("Azulejo thinks");
    let mut times = Vec::new();
    for _ in 0..30 {
        // The whole screen changes: top and bottom of the help appear or disappear together.
        for (key, is_help) in [("?", true), ("q", false)] {
            let start = Instant::now();
            terminal.send(key);
            terminal.wait_until("the help, or its end", |screen| {
                let text = screen.contents();
                let seen = ["three keys", "1 of 7"].map(|part| text.contains(part));
                seen == [is_help; 2] && text.contains("Azulejo thinks") != is_help
            });
            times.push(start.elapsed());
        }
    }
    times.sort();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!("a key is answered in {median:.1?} (median), {worst:.1?} (worst of {})", times.len());
    assert!(worst < Duration::from_secs(1), "{worst:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn idling_takes_no_processor_time() {
    /// The processor time of a process, in hundredths of a second.
    fn ticks(id: u32) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
        let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }
    let home = Home::new();
    let terminal = Terminal::play("--seats Ana,Rui --seed 5 --clock 10+5", &home);
    terminal.wait_for("Rui to move");
    std::thread::sleep(Duration::from_millis(500));
    let (start, before) = (Instant::now(), ticks(terminal.child.id()));
    std::thread::sleep(Duration::from_secs(4));
    let used = (ticks(terminal.child.id()) - before) as f64;
    let percent = used / start.elapsed().as_secs_f64();
    println!("waiting for a person, with a running clock: {percent:.2} % of one processor");
    assert!(percent < 5.0, "{percent}");
}
