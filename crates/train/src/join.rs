//! Joins sections that were trained separately into one network.

use crate::fit::{read_network, write_network};
use crate::kinds::Kinds;
use anyhow::ensure;
use azulejo_engine::network::Network;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// Join sections of several networks into one.
///
/// Example: azulejo-train join two.bin=2 more.bin=3,4 grey.bin=2g,2gj --out azulejo.net
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Networks, and the kinds of game to take from each of them; a later one replaces an earlier one.
    #[arg(required = true, value_name = "FILE=KINDS")]
    parts: Vec<Part>,
    /// The file for the joined network.
    #[arg(long)]
    out: PathBuf,
}

/// A network and the kinds of game to take from it.
#[derive(Clone, Debug)]
struct Part {
    path: PathBuf,
    kinds: Kinds,
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let (path, kinds) = text.rsplit_once('=').ok_or("expected FILE=KINDS, as in two.bin=2")?;
        Ok(Part { path: path.into(), kinds: kinds.parse()? })
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut joined = Network::blank();
    for Part { path, kinds } in &args.parts {
        let network = read_network(path)?;
        for rules in &kinds.0 {
            joined.set_correction(rules, network.correction(rules));
            // Kinds that share a section go on sharing it.
            let has_it = |other: &&_| Arc::ptr_eq(network.section(other), network.section(rules));
            let alike: Vec<_> = kinds.0.iter().filter(has_it).copied().collect();
            joined.set_section(&alike, Arc::clone(network.section(rules)));
        }
    }
    for rules in Kinds::all().0 {
        let is_given = args.parts.iter().any(|part| part.kinds.0.contains(&rules));
        ensure!(is_given, "no network is given for {rules}");
    }
    write_network(&args.out, &joined)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::quantize::quantize;
    use crate::rng::Rng;
    use azulejo_engine::features::N_FEATURES;
    use azulejo_engine::network::Correction;
    use azulejo_rules::Rules;

    #[test]
    fn each_section_comes_from_its_file() {
        let dir = crate::scratch("join");
        let layers = |seed| quantize(&Model::new(N_FEATURES, &mut Rng::new(seed))).unwrap();
        let correction = |seed| Correction { win_scale: seed as u16, ..Correction::NONE };
        let write = |name: &str, seed: u64, kinds: &str| {
            let path = dir.join(name);
            let mut network = Network::blank();
            network.set_section(&Kinds::all().0, layers(seed).into());
            for rules in Kinds::all().0 {
                network.set_correction(&rules, correction(seed));
            }
            write_network(&path, &network).unwrap();
            Part { path, kinds: kinds.parse().unwrap() }
        };
        let parts = vec![write("a", 1, "2"), write("b", 2, "3,4"), write("c", 3, "2g,4cj")];
        let out = dir.join("d");
        run(&Args { parts: parts.clone(), out: out.clone() }).unwrap();
        let joined = read_network(&out).unwrap();
        for (text, seed) in [("2c", 1), ("2g", 3), ("2gj", 1), ("3c", 2), ("4cj", 3), ("4g", 2)] {
            let rules: Rules = text.parse().unwrap();
            assert_eq!(**joined.section(&rules), layers(seed), "{text}");
            assert_eq!(joined.correction(&rules), correction(seed), "{text}");
        }
        let missing = run(&Args { parts: parts[..1].to_vec(), out: out.clone() }).unwrap_err();
        assert!(missing.to_string().contains("for 3c"), "{missing}");
        let nothing = "nothing=2".parse().unwrap();
        let error = run(&Args { parts: vec![nothing], out }).unwrap_err();
        assert!(error.to_string().contains("nothing"), "{error}");
        assert!("two.bin".parse::<Part>().is_err());
    }
}
