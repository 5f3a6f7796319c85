//! That a sandbox is about to expire is told once for each time that it expires at, whoever tells it.

use super::event::key;
use crate::failure::Outcome;
use crate::record::NewEvent;
use isobox_contract::EventKind;
use rusqlite::Connection;

/// Whether an event may be appended: false for an expiry that was told.
pub(super) fn is_news(sql: &Connection, event: &NewEvent) -> Outcome<bool> {
    let EventKind::ExpirySoon { expires_at } = &event.kind else { return Ok(true) };
    let expires_at = serde_json::to_value(expires_at).unwrap_or_default();
    let told = "SELECT 1 FROM events
        WHERE subject = ?1 AND type = 'expiry_soon' AND json_extract(event, '$.expires_at') = ?2";
    let told =
        sql.prepare_cached(told)?.exists([key(&event.subject).as_str(), expires_at.as_str().unwrap_or_default()])?;
    Ok(!told)
}
