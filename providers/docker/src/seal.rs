//! Directories in which nobody makes or removes anything any more, where this user and the filesystem can have that.
//!
//! It is the flag that `chattr +i` sets. Only root may, and in a container nobody unless it was given `LINUX_IMMUTABLE`.

use rustix::fs::{IFlags, Mode, OFlags, ioctl_getflags, ioctl_setflags, open};
use std::io;
use std::path::Path;

/// Closes a directory. What is in it stays usable.
///
/// # Errors
/// Where this user or the filesystem cannot.
pub(crate) fn seal(directory: &Path) -> io::Result<()> {
    change(directory, |flags| flags | IFlags::IMMUTABLE)
}

/// Opens it again. One that is open is fine.
///
/// # Errors
/// As [`seal`].
pub(crate) fn unseal(directory: &Path) -> io::Result<()> {
    change(directory, |flags| flags - IFlags::IMMUTABLE)
}

fn change(directory: &Path, change: impl FnOnce(IFlags) -> IFlags) -> io::Result<()> {
    let opened =
        open(directory, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty());
    let opened = opened?;
    let before = ioctl_getflags(&opened)?;
    let after = change(before);
    if before != after {
        ioctl_setflags(&opened, after)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn in_a_sealed_directory_nothing_is_made_until_it_is_opened() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("sealed");
        fs::create_dir(&directory).unwrap();
        fs::write(directory.join("kept"), "x").unwrap();
        if let Err(error) = seal(&directory) {
            println!("skipped: the flag cannot be set here: {error}");
            return;
        }
        let refused = fs::write(directory.join("new"), "x").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied, "{refused}");
        assert!(fs::remove_file(directory.join("kept")).is_err() && fs::remove_dir_all(&directory).is_err());
        unseal(&directory).unwrap();
        unseal(&directory).unwrap();
        fs::remove_dir_all(&directory).unwrap();
    }
}
