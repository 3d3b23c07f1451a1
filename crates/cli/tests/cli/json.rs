//! Checks `docs/json.md` against the output of `--json`: the same keys in the same order, values of
//! the same types, and the same examples.

use crate::markdown::{Key, Kind, Section, sections};
use crate::round_trips::RandomGame;
use crate::run::{Folder, VARIANTS, repository, sh};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A line whose tile no space of the grey wall takes, if it becomes full.
const FALLS: &str = "az1_2g_d1_3s1_.-.-.-.-._B_rest_._20~.-..-BB.-....-.....~.B...-.....-Y.RK.-\
                     ....B-.....~1K_4~.-..-...-....-RRR..~.....-.....-.....-.....-.....~.";
const CHOICE: &str = "az1_2g_w1r2_3s1_.-.-.-.-._._rest_._9~.-BB-...-....-.....~B....-....R-.....-\
                      ..B..-.....~1_4~.-..-YYY-....-RRR..~.....-.....-.....-.....-.....~KK";
const OVER: &str = "az1_2c_xrow_5s2i0_.-.-.-.-._1_._B12Y16R16K14W15_0~.-Y.-BB.-....-BBB..~.YRKW-\
                    ....K-.....-..W..-.R...~._2~.-..-KK.-....-BB...~BYRKW-W.YR.-.....-.KW..-.....~.";
/// An interchange game with wrong results.
const OTHER: &str = r#"{"players":2,"first":0,"rounds":[{"factories":[[0,0,1,2],[3,3,3,3],[0,1,2,3],[1,4,4,4],[2,2,3,3]],"moves":[{"player":0,"source":0,"color":0,"line":1}]}],"expect":{"legal_counts":[[71]]}}"#;

/// Keys whose values depend on the machine or the version.
const PASSING: [&str; 12] = [
    "hash",
    "seconds",
    "bytes",
    "parts",
    "games_per_second",
    "moves_per_second",
    "ns_per_move",
    "nodes",
    "nodes_per_second",
    "ms",
    "times",
    "by_plies",
];

/// The page, and what was compared with it.
struct Page {
    text: String,
    sections: Vec<Section>,
    /// The values seen of each object, without machine-dependent keys.
    seen: BTreeMap<String, BTreeSet<String>>,
    /// The keys that had a value other than null.
    filled: BTreeSet<(String, String)>,
    /// The errors found, each listed once.
    faults: BTreeSet<String>,
}

#[test]
fn the_page_says_what_is_printed() {
    let here = Folder::new();
    std::os::unix::fs::symlink(repository().join("testdata/records"), here.path().join("records"))
        .unwrap();
    let text = std::fs::read_to_string(repository().join("docs/json.md")).unwrap();
    let mut page = Page {
        sections: sections(&text),
        text,
        seen: BTreeMap::new(),
        filled: BTreeSet::new(),
        faults: BTreeSet::new(),
    };
    for (kind, command) in commands() {
        for value in run(&command, &here) {
            page.compare(&kind, &value, short(&command));
        }
    }
    for (name, command, example) in page.examples() {
        let example: Value = serde_json::from_str(&example)
            .unwrap_or_else(|error| panic!("the example of {name}: {error}"));
        page.compare(&Kind::Object(name.clone()), &example, "the example");
        if let Some(command) = command {
            let printed = run(&command, &here);
            page.compare(&Kind::Object(name.clone()), &printed[0], short(&command));
            let (is, was) = (lasting(&printed[0]), lasting(&example));
            page.check(is == was, || format!("{name}: the example is now\n{is}\nand was\n{was}"));
        }
    }
    page.check_that_nothing_is_invented();
    let faults: Vec<_> = page.faults.into_iter().collect();
    assert!(faults.is_empty(), "docs/json.md is not what is printed:\n{}", faults.join("\n"));
}

/// The beginning of a command, without its long arguments.
fn short(command: &str) -> &str {
    command.find(" az1_").map_or(command, |end| &command[..end])
}

/// Commands that together print every key, and the type of what each prints.
fn commands() -> Vec<(Kind, String)> {
    let object = |name: &str| Kind::Object(name.to_owned());
    let list = |name: &str| Kind::List(Box::new(object(name)));
    let first = r#""$(azulejo new --seed 5)""#;
    let mut commands = vec![
        (object("Position"), format!("azulejo show --json {OVER}")),
        (object("Position"), format!("azulejo show --json {CHOICE}")),
        (object("Position"), r#"azulejo show --json "$(azulejo new --undealt)""#.to_owned()),
        (list("Preview"), format!("azulejo moves --json {first}")),
        (list("Preview"), format!("azulejo moves --json {FALLS}")),
        (list("Preview"), format!("azulejo moves --json {OVER}")),
        (Kind::List(Box::new(Kind::Text)), format!("azulejo moves --json --plain {first}")),
        (object("Count"), format!("azulejo moves --json --count {OVER}")),
        (object("Illegal move"), format!("azulejo explain --json {first} 9B1")),
        (object("Apply"), format!("azulejo apply --json {FALLS} 0B3")),
        (object("Perft"), format!("azulejo perft --json {first} 1")),
        (object("Perft"), format!("azulejo perft --json {OVER} 1 --divide")),
        (object("Bench"), "azulejo bench rules --json --players 3 --games 1".to_owned()),
        (object("Search bench"), "azulejo bench --json --depth 1".to_owned()),
        (object("Solve bench"), "azulejo bench solve --json --times 1 --rounds 1".to_owned()),
        (object("Tactics bench"), "azulejo bench tactics --json --nodes 1".to_owned()),
        (object("Replay"), "azulejo replay --json records/*.txt".to_owned()),
        (object("Replay"), "azulejo replay --json records/damaged/*.txt".to_owned()),
        (object("Replay"), "azulejo replay --json --salvage records/damaged/*.txt".to_owned()),
        (object("Replay"), format!("echo '{OTHER}' | azulejo replay --json -")),
    ];
    for deal in ["BBYR-KKKK-BYRK-YWWW-RRK", "BBBB-BBBB-BBBB-BBBB-BBBB-BBBB"] {
        let undealt = r#""$(azulejo new --undealt)""#;
        commands
            .push((object("Impossible deal"), format!("azulejo apply --json {undealt} {deal}")));
    }
    for variant in VARIANTS {
        commands.push((object("New"), format!("azulejo new --json {variant}")));
        let RandomGame { start, steps } = RandomGame::new(variant, "json");
        let steps = steps.join(" ");
        commands.push((object("Apply"), format!("azulejo apply --json {start} {steps}")));
        commands.push((
            object("Replay"),
            format!("azulejo random {variant} --seed 7 | azulejo replay --json -"),
        ));
    }
    commands
}

/// The output of a command, one value per line.
fn run(command: &str, here: &Folder) -> Vec<Value> {
    let run = sh(command, here);
    let value = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{command}: {e}"));
    let values: Vec<Value> = run.stdout.lines().map(value).collect();
    assert!(!values.is_empty(), "{command} prints nothing: {}", run.stderr);
    values
}

/// A value as text, without machine-dependent keys.
fn lasting(value: &Value) -> String {
    fn scrub(value: &mut Value) {
        match value {
            Value::Array(list) => list.iter_mut().for_each(scrub),
            Value::Object(object) => {
                for (key, value) in object {
                    let is_passing = PASSING.contains(&key.as_str());
                    if is_passing { *value = Value::Null } else { scrub(value) }
                }
            }
            _ => {}
        }
    }
    let mut value = value.clone();
    scrub(&mut value);
    value.to_string()
}

impl Page {
    fn check(&mut self, is_right: bool, fault: impl FnOnce() -> String) {
        if !is_right {
            self.faults.insert(fault());
        }
    }

    fn examples(&self) -> Vec<(String, Option<String>, String)> {
        let example = |section: &Section| {
            Some((section.name.clone(), section.command.clone(), section.example.clone()?))
        };
        self.sections.iter().filter_map(example).collect()
    }

    /// Compares a value with its type, recursively.
    fn compare(&mut self, kind: &Kind, value: &Value, place: &str) {
        let is_right = match kind {
            Kind::Text => value.is_string(),
            Kind::Number => value.is_number(),
            Kind::Null => value.is_null(),
            Kind::True => *value == true,
            Kind::False => *value == false,
            Kind::Exactly(text) => value == text.as_str(),
            Kind::Counts => value.as_object().is_some_and(|counts| {
                counts.iter().all(|(k, n)| "BYRKWJ".contains(k.as_str()) && n.as_u64() > Some(0))
            }),
            Kind::List(of) => match value.as_array() {
                Some(list) => return list.iter().for_each(|value| self.compare(of, value, place)),
                None => false,
            },
            Kind::Either(kinds) => match kinds.iter().find(|kind| resembles(kind, value)) {
                Some(kind) => return self.compare(kind, value, place),
                None => false,
            },
            Kind::Object(name) => return self.compare_object(name, value, place),
        };
        self.check(is_right, || format!("{place}: {value} is not {kind:?}"));
    }

    fn compare_object(&mut self, name: &str, value: &Value, place: &str) {
        // The first key of a step says which one it is.
        let name = if name == "Step" { value["type"].as_str().unwrap_or(name) } else { name };
        let (Some(section), Some(object)) =
            (self.sections.iter().find(|section| section.name == name), value.as_object())
        else {
            return self.check(false, || format!("{place}: there is no {name} in {value}"));
        };
        let keys: Vec<Key> = section.keys.clone();
        self.seen.entry(name.to_owned()).or_default().insert(lasting(value));
        let is_due = |key: &&Key| !key.is_optional || object.contains_key(&key.name);
        let written: Vec<_> = keys.iter().filter(is_due).map(|key| &key.name).collect();
        let printed: Vec<_> = object.keys().collect();
        self.check(written == printed, || {
            format!("{place}: {name} has the keys {printed:?} and should have {written:?}")
        });
        for key in keys {
            let Some(value) = object.get(&key.name) else { continue };
            if !value.is_null() {
                self.filled.insert((name.to_owned(), key.name.clone()));
            }
            if key.name == "code" {
                let code = format!("`{}`", value.as_str().unwrap_or_default());
                self.check(self.text.contains(&code), || format!("{code} is not on the page"));
            }
            self.compare(&key.kind, value, &format!("{place}: {name}.{}", key.name));
        }
    }

    /// Checks that some command printed everything on the page.
    fn check_that_nothing_is_invented(&mut self) {
        let mut faults = Vec::new();
        for section in &self.sections {
            let name = &section.name;
            for key in &section.keys {
                // In a new game some keys of a position are always null.
                if name != "New" && !self.filled.contains(&(name.clone(), key.name.clone())) {
                    faults.push(format!("{name}.{} is never printed", key.name));
                }
            }
        }
        for section in &self.sections {
            let name = &section.name;
            let Some(example) = &section.example else {
                if name != "New" {
                    faults.push(format!("{name} has no example"));
                }
                continue;
            };
            // An example without a command is a part of some output.
            let example: Value = serde_json::from_str(example).expect("it was read before");
            let passing = ["Bytes", "Parts", "Solve time", "Plies to go"];
            let is_passing = passing.contains(&name.as_str());
            if !is_passing && !self.is_part_of_output(&lasting(&example)) {
                faults.push(format!("the example of {name} is not printed by any command"));
            }
        }
        for fault in faults {
            self.check(false, || fault);
        }
    }

    /// Whether a value is an output or a part of one. Examples with a command are compared with its
    /// output instead.
    fn is_part_of_output(&self, value: &str) -> bool {
        let whole = ["Position", "Apply", "Preview", "Count", "Illegal move", "Impossible deal"];
        let benches = ["Bench", "Search bench", "Solve bench", "Tactics bench"];
        let whole = whole.into_iter().chain(["Replay", "Perft"]).chain(benches);
        let mut outputs = whole.filter_map(|name| self.seen.get(name)).flatten();
        outputs.any(|output| output.contains(value))
    }
}

/// Whether a value can have a type, judged by its outer shape.
fn resembles(kind: &Kind, value: &Value) -> bool {
    match kind {
        Kind::Text => value.is_string(),
        Kind::Exactly(text) => value == text.as_str(),
        Kind::Number => value.is_number(),
        Kind::Null => value.is_null(),
        Kind::True => *value == true,
        Kind::False => *value == false,
        Kind::List(_) => value.is_array(),
        Kind::Counts | Kind::Object(_) => value.is_object(),
        Kind::Either(kinds) => kinds.iter().any(|kind| resembles(kind, value)),
    }
}
