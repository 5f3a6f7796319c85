//! What is below a directory.

use super::RESULTS;
use futures::stream::{FuturesUnordered, StreamExt};
use isobox_contract::search::WalkEntry;
use isobox_contract::{Entry, Error, FileKind, Files, Result, SandboxPath};

/// Directories that are listed at the same time.
const AT_ONCE: usize = 16;

/// Everything below a directory, sorted bytewise.
pub(super) async fn everything(files: &dyn Files, base: &SandboxPath, depth: u32) -> Result<Vec<Entry>> {
    files.list(base, depth.max(1)).await
}

/// The regular files below a directory, sorted bytewise, without those in directories with one of the names.
pub(super) async fn files(
    files: &dyn Files,
    base: &SandboxPath,
    max_depth: Option<u32>,
    exclude: &[Vec<u8>],
) -> Result<Vec<WalkEntry>> {
    if max_depth == Some(0) {
        return Ok(Vec::new());
    }
    let all = match exclude {
        [] => everything(files, base, max_depth.unwrap_or(u32::MAX)).await?,
        exclude => pruned(files, base, max_depth.unwrap_or(u32::MAX), exclude).await?,
    };
    let regular = all.into_iter().filter(|entry| entry.metadata.kind == FileKind::File);
    Ok(regular.map(|entry| WalkEntry { path: entry.path, size: Some(entry.metadata.size) }).collect())
}

/// The same one directory at a time: what is excluded may be too large to be listed.
async fn pruned(files: &dyn Files, base: &SandboxPath, depth: u32, exclude: &[Vec<u8>]) -> Result<Vec<Entry>> {
    let list = |below: Option<SandboxPath>, level: u32| async move {
        let path = below.as_ref().map_or_else(|| base.clone(), |below| base.join(below));
        (below, level, everything(files, &path, 1).await)
    };
    let (mut found, mut waiting) = (Vec::new(), vec![(None, 1)]);
    let mut running = FuturesUnordered::new();
    loop {
        while running.len() < AT_ONCE
            && let Some((below, level)) = waiting.pop()
        {
            running.push(list(below, level));
        }
        let Some((below, level, listed)) = running.next().await else { break };
        let listed = match listed {
            // It may not be read, or was there a moment ago.
            Err(error) if below.is_some() && (super::is_absent(&error) || unreadable(&error)) => continue,
            listed => listed?,
        };
        for mut entry in listed {
            let enter = entry.metadata.kind == FileKind::Directory
                && level < depth
                && !exclude.iter().any(|name| name == entry.path.file_name());
            entry.path = below.as_ref().map_or(entry.path.clone(), |below| below.join(&entry.path));
            if enter {
                waiting.push((Some(entry.path.clone()), level + 1));
            }
            found.push(entry);
        }
        if found.len() > RESULTS {
            return Err(Error::limit_exceeded("search.results", RESULTS as u64));
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Whether something is there that may not be looked at.
fn unreadable(error: &Error) -> bool {
    error.code() == isobox_contract::ErrorCode::PermissionDenied
}
