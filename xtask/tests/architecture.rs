//! ARCHITECTURE.md draws which crate may use which; `cargo metadata` says which one does.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// By crate, what it uses.
type Arrows = BTreeMap<String, BTreeSet<String>>;

const MAP: &str = include_str!("../../ARCHITECTURE.md");

#[test]
fn drawn_arrows_are_the_real_ones() {
    let workspace = Workspace::read();
    for (block, kind) in [("arrows", None), ("test-arrows", Some("dev"))] {
        let drawn = lists(MAP, block);
        let mut real = workspace.arrows(kind);
        if kind.is_some() {
            // Most crates use no other one for their tests only.
            real.retain(|_, used| !used.is_empty());
        }
        let problems = differences(&drawn, &real);
        assert!(problems.is_empty(), "ARCHITECTURE.md, block `{block}`:\n{}", problems.join("\n"));
    }
}

#[test]
fn crates_stay_free_of_what_they_must_not_use() {
    let workspace = Workspace::read();
    let without = lists(MAP, "without");
    assert!(!without.is_empty(), "ARCHITECTURE.md has no block `without`");
    for (name, forbidden) in without {
        let used = workspace.everything_used_by(&name);
        let found: Vec<_> = forbidden.intersection(&used).collect();
        assert!(found.is_empty(), "{name} must not use {found:?}, not even indirectly");
    }
}

/// The crates that the map calls published are those that `cargo publish --workspace` publishes.
#[test]
fn published_crates_are_those_of_the_map() {
    let marked = MAP.lines().filter(|line| line.ends_with("| yes |"));
    let marked = marked.filter_map(|line| line.strip_prefix("| `crates/")?.split('`').next());
    let workspace = Workspace::read();
    let is_published = |package: &Value| package["publish"].is_null();
    let published = workspace.members().filter(|(_, package)| is_published(package));
    let published: BTreeSet<_> = published.map(|(folder, _)| folder).collect();
    assert_eq!(marked.map(str::to_owned).collect::<BTreeSet<_>>(), published);
    assert!(published.contains("rules") && !published.contains("server"));
}

#[test]
fn differences_are_noticed() {
    let drawn = lists("```arrows\na -> b c\nb ->\n```\n```other\nx -> y\n```\n", "arrows");
    assert_eq!(drawn.len(), 2);
    let real = lists("```arrows\na -> b d\nc -> a\n```\n", "arrows");
    assert_eq!(
        differences(&drawn, &real),
        [
            "a -> c is drawn, but there is no such dependency",
            "a -> d is a dependency, but not drawn",
            "b is drawn, but there is nothing to draw",
            "c is missing: c -> {\"a\"}",
        ]
    );
}

/// The lines `name -> other other` of a fenced block.
fn lists(text: &str, block: &str) -> Arrows {
    let fence = format!("```{block}");
    text.lines()
        .skip_while(|line| *line != fence)
        .skip(1)
        .take_while(|line| *line != "```")
        .map(|line| {
            let (name, others) = line.split_once("->").expect("a line `name -> other other`");
            (name.trim().to_owned(), others.split_whitespace().map(str::to_owned).collect())
        })
        .collect()
}

fn differences(drawn: &Arrows, real: &Arrows) -> Vec<String> {
    let names: BTreeSet<_> = drawn.keys().chain(real.keys()).collect();
    let mut problems = Vec::new();
    for name in names {
        match (drawn.get(name), real.get(name)) {
            (Some(drawn), Some(real)) => {
                let gone = drawn.difference(real);
                problems.extend(gone.map(|other| {
                    format!("{name} -> {other} is drawn, but there is no such dependency")
                }));
                let new = real.difference(drawn);
                problems.extend(
                    new.map(|other| format!("{name} -> {other} is a dependency, but not drawn")),
                );
            }
            (_, None) => problems.push(format!("{name} is drawn, but there is nothing to draw")),
            (None, Some(real)) => problems.push(format!("{name} is missing: {name} -> {real:?}")),
        }
    }
    problems
}

/// What cargo knows about this workspace.
struct Workspace(Value);

impl Workspace {
    fn read() -> Workspace {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in a folder");
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--locked"])
            .current_dir(root)
            .output()
            .expect("cargo can be started");
        let problem = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "cargo metadata: {problem}");
        Workspace(serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON"))
    }

    fn packages(&self) -> impl Iterator<Item = &Value> {
        self.0["packages"].as_array().into_iter().flatten()
    }

    /// The packages of this repository, by the names of their folders.
    fn members(&self) -> impl Iterator<Item = (String, &Value)> {
        self.packages().filter(|package| package["source"].is_null()).map(|package| {
            let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
            let folder = manifest.parent().and_then(Path::file_name).expect("a folder");
            (folder.to_string_lossy().into_owned(), package)
        })
    }

    /// The dependencies between members, of one kind: `None` for what is built into them.
    fn arrows(&self, kind: Option<&str>) -> Arrows {
        let folders: BTreeMap<&str, String> = self
            .members()
            .map(|(folder, package)| (package["name"].as_str().expect("a name"), folder))
            .collect();
        let used_by = |package: &Value| {
            let dependencies = package["dependencies"].as_array().into_iter().flatten();
            dependencies
                .filter(|dependency| dependency["kind"].as_str() == kind)
                .filter_map(|dependency| folders.get(dependency["name"].as_str()?).cloned())
                .collect()
        };
        self.members().map(|(folder, package)| (folder, used_by(package))).collect()
    }

    /// The names of all packages that are built into a member, directly or not.
    fn everything_used_by(&self, folder: &str) -> BTreeSet<String> {
        let (_, package) = self
            .members()
            .find(|(name, _)| name == folder)
            .unwrap_or_else(|| panic!("there is no crate {folder}"));
        let names: BTreeMap<&str, &str> = self
            .packages()
            .filter_map(|p| Some((p["id"].as_str()?, p["name"].as_str()?)))
            .collect();
        let nodes: BTreeMap<&str, &Value> = self.0["resolve"]["nodes"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|node| Some((node["id"].as_str()?, node)))
            .collect();
        let mut used = BTreeSet::new();
        let mut to_visit = vec![package["id"].as_str().expect("an id")];
        while let Some(id) = to_visit.pop() {
            if used.insert(id) {
                let deps = nodes[id]["deps"].as_array().into_iter().flatten();
                to_visit.extend(
                    deps.filter(|dep| is_built_in(dep)).filter_map(|dep| dep["pkg"].as_str()),
                );
            }
        }
        used.into_iter().map(|id| names[id].to_owned()).collect()
    }
}

/// Whether a dependency is more than one of tests and build scripts.
fn is_built_in(dep: &Value) -> bool {
    dep["dep_kinds"].as_array().into_iter().flatten().any(|kind| kind["kind"].is_null())
}
