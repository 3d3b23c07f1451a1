//! Follows the notices of the database: what other nodes and operators have changed.

use crate::api::App;
use crate::store::{BanList, Notice, StoreError};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How often new notices are queried.
const INTERVAL: Duration = Duration::from_secs(1);

/// Follows the notices after a number until the server stops.
pub(crate) async fn follow(app: App, mut last: i64, bans: watch::Sender<Arc<BanList>>) {
    let mut closing = app.closing.clone();
    loop {
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            _ = closing.changed() => return,
        }
        if let Err(error) = read(&app, &mut last, &bans).await {
            tracing::warn!(%error, "cannot query what other nodes have changed");
        }
    }
}

async fn read(
    app: &App,
    last: &mut i64,
    bans: &watch::Sender<Arc<BanList>>,
) -> Result<(), StoreError> {
    for (number, notice) in app.store.notices(*last).await? {
        match notice {
            Notice::Person(id) => app.known.forget(&id),
            Notice::Game(id) => app.tables.reload(&id).await,
            Notice::Bans => {
                bans.send_replace(Arc::new(BanList::new(app.store.bans().await?)));
            }
        }
        // A notice counts as read when it was acted upon.
        *last = number;
    }
    Ok(())
}
