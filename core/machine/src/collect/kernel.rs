//! The kernel, its switches and its limits.

use super::text;
use crate::facts::{Kernel, Namespaces};

/// What gVisor says of itself in `/proc/version`, whatever its own version is.
const GVISOR: &str = "#1 SMP Sun Jan 10 15:06:54 PST 2016";

pub(super) fn kernel() -> Kernel {
    let name = rustix::system::uname();
    let release = name.release().to_string_lossy().into_owned();
    let filesystems = text("/proc/filesystems");
    Kernel {
        wsl: wsl(&release),
        gvisor: text("/proc/version").contains(GVISOR),
        architecture: name.machine().to_string_lossy().into_owned(),
        filesystems: filesystems
            .lines()
            .filter_map(|line| line.strip_prefix("nodev"))
            .map(|n| n.trim().to_owned())
            .collect(),
        release,
    }
}

/// The version of the Windows Subsystem for Linux. The first has no Linux kernel, and writes its maker's name large.
fn wsl(release: &str) -> Option<u8> {
    if release.contains("microsoft") {
        Some(2)
    } else if release.contains("Microsoft") {
        Some(1)
    } else {
        None
    }
}

pub(super) fn namespaces() -> Namespaces {
    let limit = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_str()?.strip_prefix("max_")?.strip_suffix("_namespaces")?.to_owned();
        Some((name, text(entry.path()).trim().parse().ok()?))
    };
    let own = std::fs::read_dir("/proc/self/ns").into_iter().flatten().flatten();
    Namespaces {
        unprivileged_userns_clone: setting("kernel/unprivileged_userns_clone"),
        apparmor_restrict: setting("kernel/apparmor_restrict_unprivileged_userns"),
        limits: std::fs::read_dir("/proc/sys/user").into_iter().flatten().flatten().filter_map(limit).collect(),
        memfd_noexec: setting("vm/memfd_noexec"),
        types: own.filter_map(|entry| entry.file_name().into_string().ok()).filter(|n| !n.contains('_')).collect(),
    }
}

fn setting(name: &str) -> Option<u64> {
    text(format!("/proc/sys/{name}")).trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_subsystems_for_linux_are_told_apart() {
        assert_eq!(wsl("5.15.153.1-microsoft-standard-WSL2"), Some(2));
        assert_eq!(wsl("4.4.0-19041-Microsoft"), Some(1));
        assert_eq!(wsl("6.8.0-31-generic"), None);
    }
}
