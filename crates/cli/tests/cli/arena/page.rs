//! Checks `docs/arena.md`: its commands run, and its tables match the output.

use super::arena;
use crate::markdown::{Kind, Section, sections};
use crate::run::{Folder, repository, sh};
use azulejo_arena::Fault;
use serde_json::Value;
use std::collections::BTreeSet;

fn page() -> String {
    std::fs::read_to_string(repository().join("docs/arena.md")).unwrap()
}

#[test]
fn every_command_of_the_page_runs() {
    let here = Folder::new();
    let page = page();
    let blocks: Vec<_> = page.split("```sh\n").skip(1).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let command = block.split("\n```").next().unwrap();
        assert!(sh(command, &here).fine().contains(" games on "), "{command}");
    }
    assert_eq!(here.names(), ["games.txt"]);
}

#[test]
fn every_fault_is_explained() {
    let page = page();
    for code in Fault::CODES {
        assert!(page.contains(&format!("| `{code}` | ")), "{code}");
    }
}

#[test]
fn the_tables_are_what_is_printed() {
    let page = page();
    let (_, json) = page.split_once("\n## JSON\n").unwrap();
    let sections = sections(json);
    let here = Folder::new();
    let match_args = "-e 'nodes=50 option.Seed=1' -e cmd=greedy --seed 5 --games 4";
    let mut page = Page { sections, printed: BTreeSet::new() };
    for args in [
        &format!("{match_args} --sprt 'elo0=0 elo1=1'"),
        "-e cmd=greedy -e 'cmd=greedy option.Seed=1' --seed 5 --games 8",
        "-e cmd=greedy -e cmd=random --seed 5 --games 4 -p4",
        "-e cmd=greedy -e 'cmd=greedy option.Seed=1' --seed 5 --games 24 --luck 5",
    ] {
        let result = arena(args, &here);
        page.compare(&Kind::Object("Match".to_owned()), &result, args);
    }
    let keys = page.sections.iter().flat_map(|section| {
        section.keys.iter().map(|key| format!("{}.{}", section.name, key.name))
    });
    let never: Vec<_> = keys.filter(|key| !page.printed.contains(key)).collect();
    // Faults are tested elsewhere.
    assert_eq!(never, ["Engine.first_fault"]);
}

struct Page {
    sections: Vec<Section>,
    /// All keys that had a value.
    printed: BTreeSet<String>,
}

impl Page {
    #[track_caller]
    fn compare(&mut self, kind: &Kind, value: &Value, place: &str) {
        let is_right = match kind {
            Kind::Text => value.is_string(),
            Kind::Number => value.is_number(),
            Kind::Null => value.is_null(),
            Kind::Exactly(text) => value == text.as_str(),
            Kind::Either(kinds) => {
                let outside = |kind: &&Kind| match kind {
                    Kind::Object(_) => value.is_object(),
                    Kind::Exactly(text) => value == text.as_str(),
                    Kind::Number => value.is_number(),
                    Kind::Text => value.is_string(),
                    _ => value.is_null(),
                };
                let kind = kinds.iter().find(outside);
                return self.compare(
                    kind.unwrap_or_else(|| panic!("{place}: {value}")),
                    value,
                    place,
                );
            }
            Kind::List(of) => {
                let list = value.as_array().unwrap_or_else(|| panic!("{place}: {value}"));
                return list.iter().for_each(|value| self.compare(of, value, place));
            }
            // Its keys are the names of options.
            Kind::Object(name) if name == "Options" => {
                value.as_object().is_some_and(|options| options.values().all(Value::is_string))
            }
            Kind::Object(name) => {
                let section = self.sections.iter().find(|section| section.name == *name);
                let keys = section.unwrap_or_else(|| panic!("no table {name}")).keys.clone();
                let names: Vec<_> = keys.iter().map(|key| key.name.as_str()).collect();
                let object = value.as_object().unwrap_or_else(|| panic!("{place}: {value}"));
                assert_eq!(object.keys().collect::<Vec<_>>(), names, "{place}: {name}");
                for key in &keys {
                    let value = &object[&key.name];
                    if !value.is_null() {
                        self.printed.insert(format!("{name}.{}", key.name));
                    }
                    self.compare(&key.kind, value, &format!("{place}: {name}.{}", key.name));
                }
                true
            }
            other => panic!("the page has no {other:?}"),
        };
        assert!(is_right, "{place}: {value} is not {kind:?}");
    }
}
