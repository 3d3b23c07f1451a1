//! Putting together a network whose sections were trained apart.

use crate::fit::{read_network, write_network};
use azulejo_engine::network::Network;
use std::path::PathBuf;

/// Join the sections of two networks: one for two players, one for three and four.
///
/// Example: azulejo-train join --two training/two/best.bin --more training/more/best.bin --out
/// azulejo.net
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The network to take the section for two players from.
    #[arg(long)]
    two: PathBuf,
    /// The network to take the section for three and four players from.
    #[arg(long)]
    more: PathBuf,
    /// The file for both.
    #[arg(long)]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let Network { two, .. } = read_network(&args.two)?;
    let Network { more, .. } = read_network(&args.more)?;
    write_network(&args.out, &Network { two, more })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::luck::Luck;
    use crate::model::Model;
    use crate::quantize::quantize;
    use azulejo_engine::features::N_FEATURES;

    #[test]
    fn each_section_comes_from_its_file() {
        let dir = crate::scratch("join");
        let layers = |seed| quantize(&Model::new(N_FEATURES, &mut Luck::new(seed))).unwrap();
        let write = |name: &str, seeds: [u64; 2]| {
            let [two, more] = seeds.map(layers);
            let path = dir.join(name);
            write_network(&path, &Network { two, more }).unwrap();
            path
        };
        let args = Args { two: write("a", [1, 2]), more: write("b", [3, 4]), out: dir.join("c") };
        run(&args).unwrap();
        let expected = write("d", [1, 4]);
        assert_eq!(read_network(&args.out).unwrap(), read_network(&expected).unwrap());
        let missing = Args { two: dir.join("nothing"), ..args };
        assert!(run(&missing).unwrap_err().to_string().contains("nothing"));
    }
}
