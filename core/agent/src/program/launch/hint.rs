//! What to do about a failure, as far as the step, the error number and the machine tell. The words are those of the
//! doctor.

use super::needs;
use isobox_wire::launch::LaunchStep;
use isobox_wire::remedy::{self, Switches};
use rustix::io::Errno;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether root launches. In the sandbox everybody is root.
static ROOT: AtomicBool = AtomicBool::new(false);

/// Remembers who launches.
pub(super) fn remember(root: bool) {
    ROOT.store(root, Ordering::Relaxed);
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
        (_, Errno::PERM | Errno::ACCESS) if by_namespace(step) => {
            return Some(refused().unwrap_or_else(|| switches().forbidden().hint()));
        }
        _ => return None,
    };
    Some(text.to_owned())
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
    format!("linux {release} does not offer {calls}: {}", remedy.hint())
}

/// Which calls something refuses that the kernel would not.
fn refused() -> Option<String> {
    let calls = needs::refused();
    let remedy = switches().turned_off().map_or_else(filter, |remedy| remedy::Remedy { ..*remedy });
    (!calls.is_empty()).then(|| format!("not permitted: {}: {}", calls.join(", "), remedy.hint()))
}

fn filter() -> remedy::Remedy {
    if switches().container { remedy::CONTAINER_FILTER } else { remedy::FILTER }
}

fn switches() -> Switches {
    Switches {
        userns_clone: setting("kernel/unprivileged_userns_clone"),
        apparmor_restrict: setting("kernel/apparmor_restrict_unprivileged_userns"),
        max_user_namespaces: setting("user/max_user_namespaces"),
        root: ROOT.load(Ordering::Relaxed),
        filtered: std::fs::read_to_string("/proc/self/status").is_ok_and(|status| status.contains("Seccomp:\t2")),
        container: ["/.dockerenv", "/run/.containerenv", "/var/run/secrets/kubernetes.io"]
            .iter()
            .any(|path| std::fs::exists(path).unwrap_or(false)),
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
