//! The web app: the files that the build script made from `web/`, embedded in the program. (Here and not in
//! the server, which is compiled while they are made.)

use azulejo_server::WebFile;
use rust_embed::Embed;

/// The output of the build script. A debug build reads the files at run time.
#[derive(Embed)]
#[folder = "$OUT_DIR/web"]
struct Files;

/// A file of the web app, such as `puzzles/1.txt`; `None` also in a program without the web app.
pub(crate) fn file(path: &str) -> Option<WebFile> {
    let file = Files::get(path)?;
    Some(WebFile { hash: file.metadata.sha256_hash(), content: file.data })
}
