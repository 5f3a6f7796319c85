//! Waiting for what somebody else does.

use crate::record::OperationEntry;
use crate::store::Store;
use isobox_contract::{OperationId, Result};

/// Waits for the end of an operation, which another task or process may be doing, and gives it as it is then. Cancel safe.
///
/// There is no deadline in it: whoever does the operation has one. That it is dead says [`crate::life`] of
/// [`OperationEntry::owner`], which is worth asking from time to time.
pub async fn ended(store: &dyn Store, operation: &OperationId) -> Result<OperationEntry> {
    loop {
        // Asked for first: the end may come between the two.
        let last = store.last_sequence().await?;
        let found = store.operation(operation).await?;
        if !found.state.is_running() {
            return Ok(found);
        }
        store.wait_past(last).await?;
    }
}
