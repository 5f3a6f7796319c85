//! What to do about a failure, as far as the step, the error number and the machine tell. The words are those of the
//! doctor.

use super::needs;
use isobox_wire::launch::LaunchStep;
use isobox_wire::remedy::{self, Switches};
use rustix::io::Errno;
use rustix::process::getpid;
use rustix::thread::{CapabilitySet, capabilities};
use std::sync::atomic::{AtomicI32, Ordering};

const NOT_PERMITTED: &str = "not permitted: ";
const NOT_OFFERED: &str = " does not offer ";

/// The keeper of root, which is the only root that is not a sandbox's; 0 for others.
static ROOT: AtomicI32 = AtomicI32::new(0);

/// Remembers who launches.
pub(super) fn remember(root: bool) {
    ROOT.store(if root { getpid().as_raw_pid() } else { 0 }, Ordering::Relaxed);
}

/// The usual cause and its cure. Reads a few settings of the kernel, so it must be called while the host's `/proc` is
/// there.
pub(super) fn of(step: LaunchStep, errno: Errno) -> Option<String> {
    if errno == Errno::NOSYS {
        return Some(missing());
    }
    let text = match (step, errno) {
        (LaunchStep::Namespaces, Errno::NOSPC | Errno::USERS) => return Some(switches().exhausted().hint()),
        (LaunchStep::Namespaces, Errno::AGAIN) => return Some(remedy::PROCESS_LIMIT.hint()),
        (LaunchStep::PivotRoot, Errno::INVAL) => return Some(remedy::NO_PIVOT.hint()),
        (LaunchStep::Namespaces, Errno::INVAL) => return Some(remedy::NO_NAMESPACE_TYPE.hint()),
        (LaunchStep::Proc, Errno::PERM) => return Some(refused().unwrap_or_else(|| remedy::MASKED_PROC.hint())),
        (LaunchStep::Cgroup, Errno::ACCESS | Errno::PERM) => "the cgroup and its parent must be delegated to this user",
        (LaunchStep::Cgroup, Errno::BUSY | Errno::OPNOTSUPP) => {
            "a cgroup with controllers for its children, or of a threaded kind, cannot hold processes: use a leaf"
        }
        (LaunchStep::StateDirectory, Errno::EXIST) => {
            "give every sandbox a state directory of its own, or remove the old one"
        }
        (LaunchStep::StateDirectory, Errno::NOENT) => "make the parent directory first",
        (LaunchStep::StateDirectory, Errno::ACCESS) => "the parent directory must be writable for this user",
        (_, Errno::NOSPC | Errno::DQUOT) => {
            "free some space or inodes, or choose a state directory on another file system"
        }
        (_, Errno::MFILE | Errno::NFILE) => "raise the limit of open files: `ulimit -n`",
        (_, Errno::PERM) if weak_root() => return Some(remedy::WEAK_ROOT.hint()),
        (_, Errno::PERM | Errno::ACCESS) => {
            let forbidden = || by_namespace(step).then(|| switches().forbidden().hint());
            return refused().or_else(forbidden);
        }
        _ => return None,
    };
    Some(text.to_owned())
}

/// Whether a hint says what is the matter, so that no general one may take its place.
pub(super) fn is_certain(hint: &str) -> bool {
    hint.starts_with(NOT_PERMITTED) || hint.contains(NOT_OFFERED) || hint == remedy::WEAK_ROOT.hint()
}

/// Whether this is the keeper of a root that may not mount. In the sandbox everybody may.
fn weak_root() -> bool {
    let mounts = || capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN));
    ROOT.load(Ordering::Relaxed) == getpid().as_raw_pid() && !mounts()
}

/// The steps whose rights come from the user namespace.
fn by_namespace(step: LaunchStep) -> bool {
    use LaunchStep as S;
    matches!(
        step,
        S::Namespaces
            | S::IdMap
            | S::RootFilesystem
            | S::BindMount
            | S::Devices
            | S::Sys
            | S::PivotRoot
            | S::Hostname
            | S::Network
            | S::Privileges
    )
}

/// Which calls the kernel does not know, or is made not to know.
fn missing() -> String {
    let release = rustix::system::uname().release().to_string_lossy().into_owned();
    let calls = needs::missing();
    if calls.is_empty() {
        return format!("isobox needs linux 5.12 or newer, this is {release}");
    }
    let calls = calls.join(", ");
    let remedy = if remedy::is_old(&release) { remedy::OLD_KERNEL } else { filter() };
    format!("linux {release}{NOT_OFFERED}{calls}: {}", remedy.hint())
}

/// Which calls something refuses that the kernel would not.
fn refused() -> Option<String> {
    let calls = needs::refused();
    // The limit is another error, and the sandbox's own may be zero.
    let switches = Switches { max_user_namespaces: None, ..switches() };
    let remedy = switches.turned_off().map_or_else(filter, |remedy| remedy::Remedy { ..*remedy });
    (!calls.is_empty()).then(|| format!("{NOT_PERMITTED}{}: {}", calls.join(", "), remedy.hint()))
}

fn filter() -> remedy::Remedy {
    if switches().container { remedy::CONTAINER_FILTER } else { remedy::FILTER }
}

fn switches() -> Switches {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok();
    let on_root = |mount: &&str| mount.split(' ').nth(4) == Some("/");
    let root = mounts.as_ref().and_then(|mounts| mounts.lines().find(on_root));
    let marks = ["/.dockerenv", "/run/.containerenv", "/var/run/secrets/kubernetes.io"];
    let marked = marks.iter().any(|path| std::fs::exists(path).unwrap_or(false));
    Switches {
        userns_clone: setting("kernel/unprivileged_userns_clone"),
        apparmor_restrict: setting("kernel/apparmor_restrict_unprivileged_userns"),
        max_user_namespaces: setting("user/max_user_namespaces"),
        root: ROOT.load(Ordering::Relaxed) != 0,
        filtered: std::fs::read_to_string("/proc/self/status").is_ok_and(|status| status.contains("Seccomp:\t2")),
        // A virtual machine may have been made from a container's files, marks included; its root is all of a disk.
        container: marked && !root.as_ref().is_some_and(|mount| mount.contains(" / / ") && mount.contains(" /dev/")),
        chroot: mounts.is_some() && root.is_none(),
    }
}

fn setting(name: &str) -> Option<u64> {
    std::fs::read_to_string(format!("/proc/sys/{name}")).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_that_is_told_to_be_old_is_named() {
        let hint = of(LaunchStep::RootFilesystem, Errno::NOSYS).unwrap();
        let release = rustix::system::uname().release().to_string_lossy().into_owned();
        assert!(hint.contains("5.12") && hint.contains(&release), "{hint}");
    }

    #[test]
    fn a_full_disk_is_not_taken_for_a_limit_of_namespaces() {
        assert!(of(LaunchStep::StateDirectory, Errno::NOSPC).unwrap().contains("space"));
        assert!(of(LaunchStep::Namespaces, Errno::NOSPC).unwrap().contains("namespaces"));
    }
}
