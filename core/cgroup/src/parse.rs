//! The text formats of the kernel: `/proc/self/mountinfo`, `/proc/self/cgroup`, and files of `name value` lines.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

/// One mounted hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mount {
    /// The cgroup that is seen at `point`, as the reader's cgroup namespace names it.
    pub(crate) root: PathBuf,
    pub(crate) point: PathBuf,
    pub(crate) read_only: bool,
    /// The controllers of a v1 hierarchy; nothing for v2.
    pub(crate) controllers: Option<Vec<String>>,
}

/// The mounted hierarchies (proc_pid_mountinfo(5)), the last one at a path being the one that is seen.
pub(crate) fn mounts(mountinfo: &str) -> Vec<Mount> {
    let mut found: Vec<Mount> = Vec::new();
    for mount in mountinfo.lines().filter_map(mount) {
        found.retain(|earlier| earlier.point != mount.point);
        found.push(mount);
    }
    found
}

fn mount(line: &str) -> Option<Mount> {
    let (before, after) = line.split_once(" - ")?;
    let mut before = before.split(' ').skip(3);
    let (root, point, options) = (before.next()?, before.next()?, before.next()?);
    let mut after = after.split(' ');
    let (kind, _source, super_options) = (after.next()?, after.next()?, after.next()?);
    let controllers = match kind {
        "cgroup" => Some(super_options.split(',').map(str::to_owned).collect()),
        "cgroup2" => None,
        _ => return None,
    };
    let read_only = options.split(',').chain(super_options.split(',')).any(|option| option == "ro");
    Some(Mount { root: unescape(root), point: unescape(point), read_only, controllers })
}

/// The octal escapes of mountinfo for space, tab, newline and backslash.
fn unescape(text: &str) -> PathBuf {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 4).filter(|_| bytes[at] == b'\\');
        let code = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        plain.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 4 } else { 1 };
    }
    OsString::from_vec(plain).into()
}

/// The reader's own cgroup in the v2 hierarchy (`0::/path`).
pub(crate) fn own_unified(cgroup: &str) -> Option<PathBuf> {
    let path = cgroup.lines().find_map(|line| line.strip_prefix("0::"))?;
    // The kernel says so of a cgroup that was removed while somebody is still in it.
    Some(path.strip_suffix(" (deleted)").unwrap_or(path).into())
}

/// Where `own` is below a mount; nothing when it is not below what is mounted.
pub(crate) fn below(mount: &Mount, own: &Path) -> Option<PathBuf> {
    // `/..` is how the kernel names what is above the root of the reader's cgroup namespace.
    let outside = |path: &Path| path.components().any(|part| part == Component::ParentDir);
    if outside(&mount.root) || outside(own) {
        return None;
    }
    let rest = own.strip_prefix(&mount.root).ok()?;
    Some(if rest.as_os_str().is_empty() { mount.point.clone() } else { mount.point.join(rest) })
}

/// The number behind `name ` in a file of such lines.
pub(crate) fn value(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line?.trim().parse().ok()
}

/// A number in a file of its own; nothing for `max`.
pub(crate) fn number(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_are_read_with_their_escapes_and_options() {
        let text = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n\
                    32 31 0:29 /docker/a /sys/fs/cgroup/cpu,cpuacct ro,nosuid master:1 - cgroup cgroup rw,cpu,cpuacct\n\
                    33 31 0:30 / /mnt/a\\040b rw - cgroup2 cgroup2 rw,nsdelegate\n";
        let [v1, v2] = &mounts(text)[..] else { panic!("two hierarchies") };
        assert_eq!((v1.root.to_str(), v1.read_only), (Some("/docker/a"), true));
        assert_eq!(v1.controllers.as_ref().map(|all| all.iter().any(|name| name == "cpuacct")), Some(true));
        assert_eq!((v2.point.to_str(), v2.read_only, &v2.controllers), (Some("/mnt/a b"), false, &None));
    }

    #[test]
    fn what_is_mounted_over_hides_what_was_there() {
        let text = "1 0 0:1 / /c rw - cgroup2 cgroup2 rw\n2 1 0:2 /x /c ro - cgroup2 cgroup2 rw\n";
        assert_eq!(mounts(text).iter().map(|mount| mount.read_only).collect::<Vec<_>>(), [true]);
    }

    #[test]
    fn a_cgroup_is_found_below_the_mount_or_not_at_all() {
        let mount = |root: &str| Mount { root: root.into(), point: "/c".into(), read_only: false, controllers: None };
        assert_eq!(below(&mount("/"), Path::new("/a/b")), Some("/c/a/b".into()));
        assert_eq!(below(&mount("/"), Path::new("/")), Some("/c".into()));
        assert_eq!(below(&mount("/a"), Path::new("/a/b")), Some("/c/b".into()));
        assert_eq!(below(&mount("/x"), Path::new("/a/b")), None);
        assert_eq!(below(&mount("/.."), Path::new("/")), None);
        assert_eq!(below(&mount("/"), Path::new("/../b")), None);
    }

    #[test]
    fn values_are_whole_names() {
        let text = "oom 3\noom_kill 2\noom_group_kill 1\n";
        assert_eq!((value(text, "oom_kill"), value(text, "oom_ki")), (Some(2), None));
    }
}
