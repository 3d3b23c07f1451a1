//! Replays the committed fuzz corpus, so that what fuzzing has found once stays found without a
//! nightly compiler.

use azulejo_testkit::targets::TARGETS;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

#[test]
fn the_fuzz_corpus_holds_no_failure() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let folders = fs::read_dir(&corpus).expect("fuzz/corpus").count();
    assert_eq!(folders, TARGETS.len(), "every folder of fuzz/corpus has a target");
    for target in TARGETS {
        let files = fs::read_dir(corpus.join(target.name)).expect(target.name);
        let mut n_inputs = 0;
        for file in files {
            let path = file.expect("an entry of the corpus").path();
            let data = fs::read(&path).expect("a file of the corpus");
            assert!(catch_unwind(|| (target.check)(&data)).is_ok(), "{}", path.display());
            n_inputs += 1;
        }
        assert!(n_inputs > 0, "the corpus of {} is empty", target.name);
    }
}
