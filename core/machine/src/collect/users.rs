//! Further ids of the caller: the helpers that map them, and the ranges.

use super::text;
use crate::facts::{Helper, Users};
use crate::subids::{ranges, within};
use rustix::fs::{StatVfsMountFlags, statvfs};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Where distributions put programs that give privileges. `PATH` is not asked: it is not the place to look for those.
const DIRECTORIES: [&str; 5] = ["/usr/bin", "/bin", "/run/wrappers/bin", "/usr/local/bin", "/usr/sbin"];

pub(crate) fn users(uid: u32, name: Option<&str>, no_new_privileges: bool) -> Users {
    Users {
        newuidmap: helper("newuidmap", no_new_privileges),
        newgidmap: helper("newgidmap", no_new_privileges),
        subuid: within(&ranges(&text("/etc/subuid"), uid, name), &text("/proc/self/uid_map")),
        subgid: within(&ranges(&text("/etc/subgid"), uid, name), &text("/proc/self/gid_map")),
        of_root: super::root_range().filter(|_| uid == 0),
        other_source: other_source(&text("/etc/nsswitch.conf")),
    }
}

fn helper(name: &str, no_new_privileges: bool) -> Option<Helper> {
    let found = DIRECTORIES.iter().map(|directory| Path::new(directory).join(name)).find(|path| path.is_file())?;
    let privileged = !no_new_privileges && gives_privileges(&found);
    Some(Helper { path: found, privileged })
}

/// Whether a program is root's with the set-user-id bit, or has capabilities, where that counts.
fn gives_privileges(path: &PathBuf) -> bool {
    let Ok(metadata) = std::fs::metadata(path) else { return false };
    let setuid = metadata.permissions().mode() & 0o4000 != 0 && metadata.uid() == 0;
    let capable = rustix::fs::getxattr(path, c"security.capability", &mut [0u8; 64]).is_ok_and(|size| size > 0);
    let counts = statvfs(path).is_ok_and(|mount| !mount.f_flag.contains(StatVfsMountFlags::NOSUID));
    counts && (setuid || capable)
}

/// What `/etc/nsswitch.conf` names for subordinate ids, unless that is the files.
fn other_source(configuration: &str) -> Option<String> {
    let line = configuration.lines().find_map(|line| line.trim().strip_prefix("subid:"))?.trim();
    (!line.is_empty() && line != "files").then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_programs_that_give_privileges_count() {
        let place = tempfile::tempdir().unwrap();
        let program = place.path().join("newuidmap");
        std::fs::write(&program, "").unwrap();
        assert!(!gives_privileges(&program));
        assert!(!gives_privileges(&place.path().join("missing")));
    }

    #[test]
    fn another_source_is_named() {
        assert_eq!(other_source("passwd: files\nsubid: sss files\n").as_deref(), Some("sss files"));
        assert_eq!(other_source("subid: files\n"), None);
        assert_eq!(other_source("passwd: files\n"), None);
    }
}
