//! What to do about a failure, as far as the step and the error number tell.

use isobox_wire::launch::LaunchStep;
use rustix::io::Errno;

/// The usual cause and its cure. Reads a few settings of the kernel, so it must be called while the host's `/proc` is
/// there.
pub(super) fn of(step: LaunchStep, errno: Errno) -> Option<String> {
    if errno == Errno::NOSYS {
        return Some(format!("isobox needs linux 5.12 or newer, this is {}", release()));
    }
    let text = match (step, errno) {
        (LaunchStep::Namespaces, Errno::NOSPC | Errno::USERS) => return Some(exhausted()),
        (LaunchStep::Namespaces, Errno::AGAIN) => {
            "the limit of processes is reached: raise `ulimit -u` or the pids cgroup"
        }
        (LaunchStep::Namespaces, Errno::INVAL) => {
            "the kernel lacks a namespace type: enable CONFIG_USER_NS and its siblings"
        }
        (LaunchStep::Proc, Errno::PERM) => {
            "parts of /proc are hidden here, as in a container: run it with --security-opt systempaths=unconfined"
        }
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
        (_, Errno::PERM | Errno::ACCESS) if by_namespace(step) => return Some(forbidden()),
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
            | S::Devices
            | S::PivotRoot
            | S::Hostname
            | S::Network
            | S::Privileges
    )
}

fn forbidden() -> String {
    let text = if setting("kernel/unprivileged_userns_clone") == Some(0) {
        "user namespaces are turned off: sysctl kernel.unprivileged_userns_clone=1"
    } else if setting("kernel/apparmor_restrict_unprivileged_userns") == Some(1) {
        "AppArmor restricts user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0, or give the program a \
         profile that allows `userns`"
    } else {
        "something forbids user namespaces, most likely the seccomp filter of a container: run it with --security-opt \
         seccomp=unconfined, or choose another provider"
    };
    text.to_owned()
}

fn exhausted() -> String {
    match setting("user/max_user_namespaces") {
        Some(0) => "user namespaces are turned off: sysctl user.max_user_namespaces=65536".to_owned(),
        _ => "a limit of namespaces is reached: raise the sysctl user.max_*_namespaces, or nest less deeply".to_owned(),
    }
}

fn setting(name: &str) -> Option<u64> {
    std::fs::read_to_string(format!("/proc/sys/{name}")).ok()?.trim().parse().ok()
}

fn release() -> String {
    rustix::system::uname().release().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_kernel_is_told_its_version() {
        let hint = of(LaunchStep::RootFilesystem, Errno::NOSYS).unwrap();
        assert!(hint.contains("5.12") && hint.contains(&release()), "{hint}");
    }

    #[test]
    fn a_full_disk_is_not_taken_for_a_limit_of_namespaces() {
        assert!(of(LaunchStep::StateDirectory, Errno::NOSPC).unwrap().contains("space"));
        assert!(of(LaunchStep::Namespaces, Errno::NOSPC).unwrap().contains("namespaces"));
    }
}
