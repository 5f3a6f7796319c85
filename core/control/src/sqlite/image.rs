//! Images.
//!
//! ```text
//!   begin ─▶ (the provider changes) ─┬─▶ read the revision ─▶ list what is there ─▶ settle ─▶ written, and the change is over
//!                                    └────────── the revision is another ◀────────────┘
//! ```

use super::column::{bits_or_null, plain, time_or_null, word, word_or_null};
use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::{ImageChange, ImageEntry, ImageList, OperationEntry, SandboxEntry};
use isobox_contract::{OperationId, ProviderKind, SandboxImage, Source};
use rusqlite::{Connection, OptionalExtension, Row, params};

/// The most bytes of what a sandbox's image is called and runs.
const MAX_IMAGE: usize = 64 << 10;

/// The images of a provider.
pub(crate) fn list(sql: &Connection, provider: &ProviderKind) -> Outcome<ImageList> {
    let mut statement =
        sql.prepare_cached("SELECT * FROM images WHERE provider = ?1 ORDER BY reference, platform, id")?;
    let mut rows = statement.query([provider.as_str()])?;
    let mut images = Vec::new();
    while let Some(row) = rows.next()? {
        images.push(read(row)?);
    }
    Ok(ImageList { revision: revision(sql, provider)?, images })
}

fn read(row: &Row<'_>) -> Outcome<ImageEntry> {
    Ok(ImageEntry {
        provider: word(row, "provider")?,
        reference: plain(row, "reference")?,
        id: Some(plain::<String>(row, "id")?).filter(|id| !id.is_empty()),
        digest: plain(row, "digest")?,
        platform: plain(row, "platform")?,
        size: bits_or_null(row, "size")?,
        fetched_at: time_or_null(row, "fetched_at")?,
        used_at: time_or_null(row, "used_at")?,
    })
}

fn revision(sql: &Connection, provider: &ProviderKind) -> Outcome<u64> {
    let query = "SELECT revision FROM image_lists WHERE provider = ?1";
    let revision: Option<i64> =
        sql.prepare_cached(query)?.query_row([provider.as_str()], |row| row.get(0)).optional()?;
    Ok(revision.unwrap_or_default().cast_unsigned())
}

/// Says that the images of a provider are about to change.
pub(crate) fn begin(session: &Session, change: &ImageChange) -> Outcome<()> {
    let statement = "INSERT INTO image_changes (operation, provider, owner) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    let owner = change.owner.map(|owner| owner.to_string());
    session.sql.prepare_cached(statement)?.execute(params![
        change.operation.as_str(),
        change.provider.as_str(),
        owner
    ])?;
    Ok(())
}

/// What was begun and is not over.
pub(crate) fn changes(sql: &Connection) -> Outcome<Vec<ImageChange>> {
    let mut statement = sql.prepare_cached("SELECT * FROM image_changes ORDER BY operation")?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let (operation, provider) = (word(row, "operation")?, word(row, "provider")?);
        found.push(ImageChange { operation, provider, owner: word_or_null(row, "owner")? });
    }
    Ok(found)
}

/// Replaces the images of a provider, and ends what changed them; false when they were replaced since that revision.
pub(crate) fn settle(
    session: &Session,
    provider: &ProviderKind,
    list: &ImageList,
    ended: &[OperationId],
) -> Outcome<bool> {
    if revision(&session.sql, provider)? != list.revision {
        return Ok(false);
    }
    let before = self::list(&session.sql, provider)?.images;
    let used = |image: &ImageEntry| {
        let known = before.iter().filter(|known| known.id == image.id);
        known.filter_map(|known| known.used_at).chain(image.used_at).max()
    };
    session.sql.prepare_cached("DELETE FROM images WHERE provider = ?1")?.execute([provider.as_str()])?;
    for image in &list.images {
        insert(session, provider, &ImageEntry { used_at: used(image), ..image.clone() })?;
    }
    for operation in ended {
        session.sql.prepare_cached("DELETE FROM image_changes WHERE operation = ?1")?.execute([operation.as_str()])?;
    }
    let count = "INSERT INTO image_lists (provider, revision) VALUES (?1, 1)
        ON CONFLICT (provider) DO UPDATE SET revision = revision + 1";
    session.sql.prepare_cached(count)?.execute([provider.as_str()])?;
    Ok(true)
}

fn insert(session: &Session, provider: &ProviderKind, image: &ImageEntry) -> Outcome<()> {
    let statement = "INSERT OR REPLACE INTO images
        (provider, reference, id, digest, platform, size, fetched_at, used_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    session.sql.prepare_cached(statement)?.execute(params![
        provider.as_str(),
        image.reference,
        image.id.as_deref().unwrap_or_default(),
        image.digest,
        image.platform,
        image.size.map(u64::cast_signed),
        image.fetched_at.map(to_micros),
        image.used_at.map(to_micros),
    ])?;
    Ok(())
}

/// Says that a sandbox was made from an image. One that came with it, and that nobody knows, is a change by `operation` that is
/// not over.
pub(super) fn used(
    session: &Session,
    sandbox: &SandboxEntry,
    image: &SandboxImage,
    operation: &OperationId,
) -> Outcome<()> {
    let text = super::column::to_json("image", image, MAX_IMAGE)?;
    session
        .sql
        .prepare_cached("UPDATE sandboxes SET image = ?2 WHERE id = ?1")?
        .execute([sandbox.id.as_str(), &text])?;
    let now = to_micros(session.now());
    let update = "UPDATE images SET used_at = max(coalesce(used_at, 0), ?3) WHERE provider = ?1 AND id = ?2";
    let known = session.sql.prepare_cached(update)?.execute(params![sandbox.provider.as_str(), image.id, now])? > 0;
    // In an archive it may have names that it has not here.
    let by_name = matches!(sandbox.spec.source, Source::Image(_)) && image.reference != image.id;
    if is_unlisted(sandbox, image, known) {
        return Ok(());
    }
    if known && (!by_name || is_named(&session.sql, sandbox, image)?) {
        return Ok(());
    }
    let (operation, provider, owner) = (*operation, sandbox.provider.clone(), sandbox.owner);
    begin(session, &ImageChange { operation, provider, owner })
}

/// Says that an image may have come with a sandbox that was not made.
pub(super) fn may_have_come(session: &Session, sandbox: &SandboxEntry, operation: &OperationEntry) -> Outcome<()> {
    let (provider, owner) = (sandbox.provider.clone(), operation.owner);
    begin(session, &ImageChange { operation: operation.id, provider, owner })
}

/// Whether an engine has the image by a name that it does not list images by: one with a digest, one of its own, or that of nothing,
/// which is no image. To look for it would be in vain, and again with the next sandbox.
fn is_unlisted(sandbox: &SandboxEntry, image: &SandboxImage, known: bool) -> bool {
    let name = &image.reference;
    let unlisted = name.contains('@') || name.starts_with("docker-daemon:");
    sandbox.provider == ProviderKind::DOCKER && (name == "scratch" || (known && unlisted))
}

fn is_named(sql: &Connection, sandbox: &SandboxEntry, image: &SandboxImage) -> Outcome<bool> {
    let query = "SELECT 1 FROM images WHERE provider = ?1 AND reference = ?2 AND id = ?3";
    Ok(sql.prepare_cached(query)?.exists([sandbox.provider.as_str(), &image.reference, &image.id])?)
}
