//! What has to be seen of a machine to know what it offers.

use rustix::fs::{Access, AtFlags, CWD, accessat};
use std::fs;
use std::path::Path;

/// The files of a machine, as far as they tell what cgroups it offers. All of it is reading.
pub trait View {
    /// The text of a file; nothing when it cannot be read.
    fn read(&self, path: &Path) -> Option<String>;

    /// Whether the caller may write to a file, or make entries in a directory.
    fn writable(&self, path: &Path) -> bool;

    /// Whether a manager has handed this cgroup to whoever runs in it: systemd's mark for `Delegate=`, the attribute
    /// `user.delegate` or `trusted.delegate` (systemd's CGROUP_DELEGATION document).
    fn delegated(&self, path: &Path) -> bool;
}

/// This machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Machine;

impl View for Machine {
    fn read(&self, path: &Path) -> Option<String> {
        fs::read_to_string(path).ok()
    }

    fn writable(&self, path: &Path) -> bool {
        accessat(CWD, path, Access::WRITE_OK, AtFlags::EACCESS).is_ok()
    }

    fn delegated(&self, path: &Path) -> bool {
        ["user.delegate", "trusted.delegate"].into_iter().any(|name| {
            let mut value = [0; 8];
            rustix::fs::getxattr(path, name, &mut value[..]).is_ok_and(|length| value[..length] == *b"1")
        })
    }
}
