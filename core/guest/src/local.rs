//! This machine's side of a transfer.

use isobox_contract::error::{Detail, FileErrorKind};
use isobox_contract::{Error, ErrorCode, Result, SandboxPath};
use rustix::fs::{Mode, OFlags};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// A file of this machine that cannot be used.
pub(crate) fn failed(path: &Path, error: io::Error) -> Error {
    let kind = error.raw_os_error().map_or(FileErrorKind::Other, FileErrorKind::from_errno);
    let message = format!("{} on this machine: {}", path.display(), error.kind());
    let detail = Detail::File { path: SandboxPath::from(path.as_os_str().as_bytes()), kind };
    Error::new(kind.code(), message).with_detail(detail).with_source(error)
}

/// A copy that broke, on either side.
pub(crate) fn stream_failed(path: &Path, error: io::Error) -> Error {
    match error.downcast::<Error>() {
        Ok(error) => error,
        Err(error) => failed(path, error),
    }
}

/// A tree of this machine that cannot be read or written.
pub(crate) fn tree_failed(root: &Path, error: isobox_tree::Error) -> Error {
    let path = error.path().map(|path| root.join(std::ffi::OsStr::from_bytes(path)));
    match error {
        isobox_tree::Error::Io { source, .. } => match source.downcast::<Error>() {
            Ok(error) => error,
            Err(source) => failed(&path.unwrap_or_else(|| root.to_owned()), source),
        },
        isobox_tree::Error::Limit { what, limit } => Error::limit_exceeded(format!("limits.{what}"), limit),
        isobox_tree::Error::Conflict { .. } => Error::new(ErrorCode::AlreadyExists, error.to_string()),
        isobox_tree::Error::Pattern { reason, .. } => Error::invalid_spec("exclude", reason),
        error => Error::new(ErrorCode::Transport, error.to_string()),
    }
}

/// A directory to read.
pub(crate) fn directory(path: &Path) -> Result<File> {
    File::open(path).map_err(|error| failed(path, error))
}

/// A directory to write into, and whether it is new. A link in its place is not followed, as what an earlier download
/// brought may have put it there.
pub(crate) fn make_directory(path: &Path) -> Result<(File, bool)> {
    let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    if is_link {
        let message =
            format!("{} is a symbolic link on this machine, give the directory that it leads to", path.display());
        let detail =
            Detail::File { path: SandboxPath::from(path.as_os_str().as_bytes()), kind: FileErrorKind::NotADirectory };
        return Err(Error::new(ErrorCode::Io, message).with_detail(detail).infrastructure(false));
    }
    make_parents(path)?;
    let made = match fs::DirBuilder::new().mode(0o755).create(path) {
        Ok(()) => true,
        Err(_) if path.is_dir() => false,
        Err(error) => return Err(failed(path, error)),
    };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = rustix::fs::open(path, flags, Mode::empty());
    opened.map(|directory| (directory.into(), made)).map_err(|errno| failed(path, errno.into()))
}

/// The directories on the way to `path`.
fn make_parents(path: &Path) -> Result<()> {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => {
            let made = fs::DirBuilder::new().recursive(true).mode(0o755).create(parent);
            made.map_err(|error| failed(parent, error))
        }
        _ => Ok(()),
    }
}

/// A file that appears under its name only when it is complete.
pub(crate) struct NewFile {
    path: PathBuf,
    beside: Option<PathBuf>,
    keep_existing: bool,
}

impl NewFile {
    /// Makes it, open for writing, which its mode may not allow later.
    pub(crate) fn create(path: &Path, keep_existing: bool, mode: u32) -> Result<(Self, File)> {
        if path.is_dir() {
            return Err(Error::new(
                ErrorCode::AlreadyExists,
                format!("{} is a directory on this machine, give the file's own name", path.display()),
            ));
        }
        if keep_existing && path.symlink_metadata().is_ok() {
            return Err(failed(path, io::Error::from_raw_os_error(17)));
        }
        make_parents(path)?;
        // The file's own name is not in it: with more to it, it might be too long.
        let beside = path.with_file_name(format!(".{}", isobox_contract::OperationId::generate()));
        let made = OpenOptions::new().write(true).create_new(true).mode(mode).open(&beside);
        let file = made.map_err(|error| failed(path, error))?;
        let new = Self { path: path.to_owned(), beside: Some(beside), keep_existing };
        // The mode is the file's own, whatever this process's mask says.
        file.set_permissions(fs::Permissions::from_mode(mode)).map_err(|error| failed(path, error))?;
        Ok((new, file))
    }

    /// Gives it its name.
    pub(crate) fn keep(mut self) -> Result<()> {
        let Some(beside) = &self.beside else { return Ok(()) };
        let named = match self.keep_existing {
            // Unlike a rename, a link never replaces what somebody made meanwhile.
            true => fs::hard_link(beside, &self.path).and_then(|()| fs::remove_file(beside)),
            false => fs::rename(beside, &self.path),
        };
        named.map_err(|error| failed(&self.path, error))?;
        self.beside = None;
        Ok(())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            let _ = fs::remove_file(beside);
        }
    }
}
