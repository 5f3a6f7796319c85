//! The mounts that this process sees.

use super::text;

/// One line of `/proc/self/mountinfo` (proc_pid_mountinfo(5)).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mount {
    pub(super) target: String,
    pub(super) filesystem: String,
    pub(super) options: String,
    /// Whether it is all of a disk.
    pub(super) whole_disk: bool,
}

pub(super) fn read() -> Vec<Mount> {
    parse(&text("/proc/self/mountinfo"))
}

pub(super) fn parse(mountinfo: &str) -> Vec<Mount> {
    let mount = |line: &str| {
        let (before, after) = line.split_once(" - ")?;
        let (mut fields, mut more) = (before.split(' ').skip(3), after.split(' '));
        let (root, target, options) = (fields.next()?, fields.next()?, fields.next()?);
        let (filesystem, device) = (more.next()?, more.next().unwrap_or_default());
        Some(Mount {
            target: unescape(target),
            options: options.to_owned(),
            filesystem: filesystem.to_owned(),
            whole_disk: root == "/" && device.starts_with("/dev/"),
        })
    };
    mountinfo.lines().filter_map(mount).collect()
}

/// The mount that a path is on: the one that is mounted last of those with the longest target.
pub(super) fn of<'a>(mounts: &'a [Mount], path: &str) -> Option<&'a Mount> {
    let above = |mount: &&Mount| {
        let target = mount.target.trim_end_matches('/');
        path.strip_prefix(target).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    mounts.iter().filter(above).max_by_key(|mount| mount.target.len())
}

/// Blanks, tabs, line ends and backslashes are written as three octal digits.
fn unescape(field: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .iter()
        .fold(field.to_owned(), |text, (code, plain)| text.replace(code, plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEN: &str = "\
29 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 29 0:5 / /proc rw,nosuid - proc proc rw
31 29 0:44 / /data\\040dir rw,noexec master:2 - nfs4 server:/x rw
32 29 0:45 / /data rw - tmpfs tmpfs rw
broken";

    #[test]
    fn a_path_is_on_the_nearest_mount() {
        let mounts = parse(SEEN);
        assert_eq!(mounts.len(), 4);
        let on = |path: &str| of(&mounts, path).unwrap().filesystem.clone();
        assert_eq!(
            [on("/data dir/x"), on("/data"), on("/data/x"), on("/datax"), on("/")].join(" "),
            "nfs4 tmpfs tmpfs ext4 ext4"
        );
        assert_eq!(of(&[], "/"), None);
    }
}
