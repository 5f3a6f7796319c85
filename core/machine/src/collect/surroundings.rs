//! What this process is in: a container, a chroot, an initramfs.

use super::mounts::Mount;
use super::text;
use crate::facts::Surroundings;
use std::path::Path;

/// Mounts in `/proc` that the kernel expects there, on directories that are always empty.
const EXPECTED: [&str; 2] = ["/proc/sys/fs/binfmt_misc", "/proc/fs/nfsd"];

/// Files that container engines put into every container.
const MARKS: [(&str, &str); 3] =
    [("/var/run/secrets/kubernetes.io", "kubernetes"), ("/.dockerenv", "docker"), ("/run/.containerenv", "podman")];

pub(super) fn surroundings(mounts: &[Mount]) -> Surroundings {
    let root = mounts.iter().rfind(|mount| mount.target == "/");
    Surroundings {
        container: container(mounts),
        chroot: !mounts.is_empty() && root.is_none(),
        initramfs: root.is_some_and(|mount| mount.filesystem == "rootfs"),
        covered_proc: covered(mounts),
        proc: !mounts.is_empty(),
    }
}

fn container(mounts: &[Mount]) -> Option<String> {
    if std::env::var_os("KUBERNETES_SERVICE_HOST").is_some() {
        return Some("kubernetes".to_owned());
    }
    // A virtual machine may have been made from a container's files, marks included.
    let own_disk = mounts.iter().rfind(|mount| mount.target == "/").is_some_and(|root| root.whole_disk);
    if own_disk && covered(mounts).is_empty() {
        return None;
    }
    if let Some((_, name)) = MARKS.iter().find(|(path, _)| Path::new(path).exists()) {
        return Some((*name).to_owned());
    }
    // systemd's container interface: a variable of the first process, and a copy that everybody may read.
    let said = [text("/run/systemd/container"), std::env::var("container").unwrap_or_default()];
    let said = said.iter().map(|name| name.trim()).find(|name| !name.is_empty() && *name != "wsl");
    // Nobody else covers parts of /proc.
    said.map(str::to_owned).or_else(|| (!covered(mounts).is_empty()).then(|| "unknown".to_owned()))
}

fn covered(mounts: &[Mount]) -> Vec<String> {
    let targets = mounts.iter().map(|mount| &mount.target);
    targets.filter(|target| target.starts_with("/proc/") && !EXPECTED.contains(&target.as_str())).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::mounts::parse;

    #[test]
    fn what_a_container_engine_covers_is_seen_and_what_a_system_mounts_is_not() {
        let container = parse(
            "1 0 0:1 / / rw - overlay overlay rw\n2 1 0:2 / /proc rw - proc proc rw\n\
             3 2 0:3 /null /proc/kcore rw - tmpfs tmpfs rw\n4 2 0:2 /sys /proc/sys ro - proc proc rw",
        );
        assert_eq!(surroundings(&container).covered_proc, ["/proc/kcore", "/proc/sys"]);
        let system = parse(
            "1 0 8:1 / / rw - ext4 /dev/sda rw\n2 1 0:2 / /proc rw - proc proc rw\n\
             3 2 0:3 / /proc/sys/fs/binfmt_misc rw - autofs systemd-1 rw",
        );
        let seen = surroundings(&system);
        assert!(seen.covered_proc.is_empty() && !seen.chroot && !seen.initramfs && seen.proc);
    }

    #[test]
    fn a_root_that_cannot_be_changed_is_seen() {
        assert!(surroundings(&parse("2 1 0:2 / /proc rw - proc proc rw")).chroot);
        assert!(surroundings(&parse("1 1 0:2 / / rw - rootfs rootfs rw")).initramfs);
        assert!(!surroundings(&[]).chroot, "nothing is known without /proc");
    }
}
