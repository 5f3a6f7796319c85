//! Snapshots, by their names and ids.

use isobox::{Error, ErrorCode, ExternalId, Result, Snapshots};

/// The provider's id of the snapshot that is meant.
pub(crate) async fn find(snapshots: &Snapshots, word: &str) -> Result<ExternalId> {
    let all = snapshots.list().await?;
    let meant = |snapshot: &&isobox::SnapshotStatus| {
        snapshot.external.as_str() == word || snapshot.name.as_deref() == Some(word)
    };
    match all.iter().find(meant) {
        Some(snapshot) => Ok(snapshot.external.clone()),
        None => {
            let message = format!("there is no snapshot {}", word.escape_debug());
            Err(Error::new(ErrorCode::NotFound, message))
        }
    }
}
