//! Joins sections that were trained separately into one network.

use crate::fit::{read_network, write_network};
use azulejo_engine::network::Network;
use std::path::PathBuf;

/// Join the sections of three networks, one for each number of players.
///
/// Example: azulejo-train join --two two/best.bin --three more/best.bin --four four.bin --out
/// azulejo.net
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The network to take the section for two players from.
    #[arg(long)]
    two: PathBuf,
    /// The network to take the section for three players from.
    #[arg(long)]
    three: PathBuf,
    /// The network to take the section for four players from.
    #[arg(long)]
    four: PathBuf,
    /// The file for the joined network.
    #[arg(long)]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let Network { two, .. } = read_network(&args.two)?;
    let Network { three, .. } = read_network(&args.three)?;
    let Network { four, .. } = read_network(&args.four)?;
    write_network(&args.out, &Network { two, three, four })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::quantize::quantize;
    use crate::rng::Rng;
    use azulejo_engine::features::N_FEATURES;

    #[test]
    fn each_section_comes_from_its_file() {
        let dir = crate::scratch("join");
        let layers = |seed| quantize(&Model::new(N_FEATURES, &mut Rng::new(seed))).unwrap();
        let write = |name: &str, seeds: [u64; 3]| {
            let [two, three, four] = seeds.map(layers);
            let path = dir.join(name);
            write_network(&path, &Network { two, three, four }).unwrap();
            path
        };
        let args = Args {
            two: write("a", [1, 2, 3]),
            three: write("b", [4, 5, 6]),
            four: write("c", [7, 8, 9]),
            out: dir.join("d"),
        };
        run(&args).unwrap();
        let expected = write("e", [1, 5, 9]);
        assert_eq!(read_network(&args.out).unwrap(), read_network(&expected).unwrap());
        let missing = Args { two: dir.join("nothing"), ..args };
        assert!(run(&missing).unwrap_err().to_string().contains("nothing"));
    }
}
