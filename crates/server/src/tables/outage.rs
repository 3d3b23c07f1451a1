//! Outages: time in which no node could write is not charged to players. It is logged in a game as an
//! event of its own, so that the clocks follow from the log alone.

use crate::store::StoreError;
use crate::tables::owner::Owner;

impl Owner {
    /// Logs the outages since the last event, if they have to be known before the next one.
    pub(super) async fn log_outages(&mut self) -> Result<(), StoreError> {
        loop {
            let down_ms = self.shared.store.outage_ms(self.game.at_ms);
            let Some(event) = self.game.pause(down_ms, self.now_ms()) else { return Ok(()) };
            // If another node has logged an event first, that event decides what is left to log.
            if self.log(event).await? {
                return Ok(());
            }
        }
    }

    /// The same before a command. A clock that runs has to be right, also if this node does not know
    /// yet whether the database was away.
    pub(super) async fn log_outages_before_command(&mut self) -> Result<(), StoreError> {
        if !self.game.is_timed() {
            return Ok(());
        }
        if !self.shared.store.is_beating() {
            self.shared.store.check_writable(self.shared.clock).await?;
        }
        self.log_outages().await
    }
}
