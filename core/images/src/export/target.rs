//! The file that an archive is written to.

use crate::problem::{Outcome, Problem};
use isobox_contract::{Error, ErrorCode, Result};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file beside the place that it gets when it is whole. It goes when it is dropped before.
pub(super) struct Target {
    file: NamedTempFile,
    path: PathBuf,
}

impl Target {
    /// Makes it, mode 0600.
    ///
    /// # Errors
    /// `invalid_spec` with the field `path` when there can be no such file.
    pub(super) fn prepare(path: &Path) -> Result<Self> {
        let wrong = |reason: String| Error::invalid_spec("path", reason);
        let shown = path.display();
        let (Some(folder), Some(_)) = (path.parent(), path.file_name()) else {
            return Err(wrong(format!("{shown} names no file, give the name of one")));
        };
        match path.symlink_metadata() {
            Ok(found) if found.is_dir() => {
                return Err(wrong(format!("{shown} is a directory, give the name of a file in it")));
            }
            Ok(found) if !found.is_file() => {
                return Err(wrong(format!("{shown} is there and is no plain file, give another name")));
            }
            _ => {}
        }
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let made = tempfile::Builder::new().prefix(".isobox-export-").tempfile_in(folder);
        let file = made.map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => {
                wrong(format!("{} is no directory, make it or give another path", folder.display()))
            }
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                let message = format!("there is no room in {}, export to another disk", folder.display());
                Error::new(ErrorCode::OutOfDisk, message)
            }
            kind => wrong(format!("{} cannot be written to: {kind}", folder.display())),
        })?;
        Ok(Self { file, path: path.to_owned() })
    }

    pub(super) fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Writes it to disk and gives it its place.
    pub(super) fn finish(self) -> Outcome {
        self.file.as_file().sync_all().map_err(|error| Problem::io("write the archive to disk", error))?;
        let named = self.file.persist(&self.path);
        named.map(drop).map_err(|failed| Problem::io("name the archive", failed.error))
    }
}
