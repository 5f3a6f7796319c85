//! Where images come from on this machine: archives and folders.

mod choose;
mod contents;
mod file;
mod folder;

pub(crate) use choose::choose;
pub(crate) use contents::{Candidate, contents};
pub(crate) use file::ArchiveFile;
pub(crate) use folder::Folder;

use crate::document::MAX_DOCUMENT;
use crate::problem::{Outcome, Problem, reading};
use std::io::Read;

/// Files by name.
pub(crate) trait Blobs: Send + Sync {
    /// A file's size and contents; `None` when there is none of this name.
    fn open(&self, name: &str) -> Outcome<Option<(u64, Box<dyn Read + Send + '_>)>>;

    /// A document.
    fn read(&self, name: &str) -> Outcome<Option<Vec<u8>>> {
        let Some((size, stream)) = self.open(name)? else { return Ok(None) };
        if size > MAX_DOCUMENT {
            return Err(Problem::Limit { what: "bytes in its manifest or config", max: MAX_DOCUMENT });
        }
        let mut bytes = Vec::new();
        stream.take(MAX_DOCUMENT).read_to_end(&mut bytes).map_err(|error| reading("its manifest or config", error))?;
        Ok(Some(bytes))
    }
}
