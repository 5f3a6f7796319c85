//! isobox's directory and the disk that it is on.

use super::mounts::{self, Mount};
use crate::facts::Home;
use rustix::fs::statvfs;
use std::path::Path;

pub(super) fn home(path: &Path, problem: Option<String>, mounts: &[Mount]) -> Home {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // It may not be there yet; then it will be on the disk of what is.
    let existing = absolute.ancestors().find_map(|path| path.canonicalize().ok());
    let disk = existing.as_ref().and_then(|path| statvfs(path).ok());
    let on = existing.as_ref().and_then(|path| mounts::of(mounts, path.to_str()?));
    Home {
        filesystem: on.map(|mount| mount.filesystem.clone()),
        problem: problem.or_else(|| on.is_some_and(read_only).then(|| "it is on a read-only filesystem".to_owned())),
        free_bytes: disk.as_ref().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize)),
        // Filesystems that do not count their files say that there can be none.
        free_files: disk.filter(|disk| disk.f_files > 0).map(|disk| disk.f_favail),
        path: absolute,
    }
}

fn read_only(mount: &Mount) -> bool {
    mount.options.split(',').any(|option| option == "ro")
}
