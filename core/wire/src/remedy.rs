//! What a machine can refuse a sandbox, and what to do about it. The launcher's failures and the doctor use these same
//! words, and decide by the same rule which of them apply.

/// A cause and its cure.
#[derive(Debug, PartialEq, Eq)]
pub struct Remedy {
    /// The stable name, for programs.
    pub id: &'static str,
    /// What is the matter.
    pub cause: &'static str,
    /// What to do.
    pub fix: &'static str,
}

impl Remedy {
    /// Both in one sentence.
    pub fn hint(&self) -> String {
        format!("{}: {}", self.cause, self.fix)
    }
}

macro_rules! remedies {
    ($($(#[$meta:meta])* $name:ident = $id:literal, $cause:literal, $fix:literal;)+) => {
        $($(#[$meta])* pub const $name: Remedy = Remedy { id: $id, cause: $cause, fix: $fix };)+

        /// All of them.
        pub const ALL: &[Remedy] = &[$($name),+];
    };
}

remedies! {
    /// A kernel without one of the calls that mounts need.
    OLD_KERNEL = "old_kernel",
        "the kernel is older than linux 5.12, whose mount_setattr shows files under other owners",
        "run a newer kernel, or use the provider host";
    /// Debian's switch.
    USERNS_CLONE = "userns_clone",
        "user namespaces are turned off for ordinary users",
        "sysctl -w kernel.unprivileged_userns_clone=1, and keep it in /etc/sysctl.d";
    /// The kernel's own limit, at zero.
    NO_USER_NAMESPACES = "no_user_namespaces",
        "user namespaces are turned off",
        "sysctl -w user.max_user_namespaces=65536, and keep it in /etc/sysctl.d";
    /// One of the kernel's limits, reached.
    NAMESPACE_LIMIT = "namespace_limit",
        "a limit of namespaces is reached",
        "raise the sysctl user.max_*_namespaces, end other sandboxes, or nest less deeply";
    /// Ubuntu's switch, on since 24.04.
    APPARMOR = "apparmor",
        "AppArmor keeps ordinary programs from using user namespaces",
        "give the program a profile with `userns,`, or sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
    /// A filter around a container.
    CONTAINER_FILTER = "container_filter",
        "the filter of system calls of the container around this process refuses new namespaces",
        "start the container with --security-opt seccomp=unconfined --security-opt systempaths=unconfined (on Kubernetes \
         seccompProfile Unconfined and procMount Unmasked), or use the provider host inside of the container's own walls";
    /// A filter around anything else.
    FILTER = "filter",
        "a filter of system calls around this process refuses what a sandbox needs",
        "run it without the filter (systemd: SystemCallFilter=, RestrictNamespaces=), or use the provider host";
    /// A refusal that nothing explains.
    FORBIDDEN = "forbidden",
        "a security module or the surroundings of this process forbid user namespaces",
        "see the kernel's log (dmesg) for the module's refusal, or use the provider host";
    /// `/proc` of a container, in which parts are covered.
    MASKED_PROC = "masked_proc",
        "parts of /proc are covered here, as in a container, and then the kernel gives no new one",
        "start the container with --security-opt systempaths=unconfined (on Kubernetes procMount Unmasked)";
    /// A root that cannot be changed.
    NO_PIVOT = "no_pivot",
        "this process is in a chroot or on an initramfs, whose root cannot be changed",
        "run it outside: as a service of the booted system, or enter the directory with a container engine or pivot_root \
         instead of chroot";
    /// A home that holds no upper layer.
    NO_LAYER = "no_layer",
        "its filesystem cannot hold the layer of an overlay",
        "set ISOBOX_HOME to a directory on ext4, xfs, btrfs or tmpfs (in a container: a volume)";
    /// A user without processes left.
    PROCESS_LIMIT = "process_limit",
        "the limit of processes is reached",
        "raise `ulimit -u` or the pids limit of the cgroup";
    /// A kernel built without a namespace.
    NO_NAMESPACE_TYPE = "no_namespace_type",
        "the kernel lacks a type of namespace",
        "use a kernel with CONFIG_USER_NS, CONFIG_PID_NS, CONFIG_NET_NS, CONFIG_IPC_NS, CONFIG_UTS_NS and CONFIG_CGROUPS";
    /// Memory files that may not be executed.
    MEMFD_NOEXEC = "memfd_noexec",
        "memory files may not be executed here, and the agent is one",
        "sysctl -w vm.memfd_noexec=1";
    /// No helpers for more than one id.
    NO_ID_HELPERS = "no_id_helpers",
        "newuidmap and newgidmap are missing, or have no privileges here",
        "apt install uidmap, and do not set no_new_privs or mount /usr nosuid";
    /// No range of ids.
    NO_ID_RANGE = "no_id_range",
        "/etc/subuid and /etc/subgid give this user less than 65535 subordinate ids",
        "usermod --add-subuids 100000-165535 --add-subgids 100000-165535 USER, with a range that nobody else has";
    /// Root of a user namespace, which other filesystems than its own do not heed.
    NESTED_ROOT = "nested_root",
        "this is root of a user namespace, which cannot show files under other owners: images, mounts and a rootfs on filesystems that were not mounted in it are refused",
        "use isobox as an ordinary user in it, or keep ISOBOX_HOME and what is mounted on a tmpfs that was mounted in it";
    /// Not enough ids for the users of a sandbox.
    FEW_IDS = "few_ids",
        "the sandboxes of this user namespace have fewer users than the 65536 that images expect",
        "map 65537 ids or more into the container, with a larger range in /etc/subuid and /etc/subgid where it is started";
    /// No ids for a sandbox.
    NO_IDS = "no_ids",
        "this is root of a user namespace that has no other id, and a sandbox never gets its root's own",
        "map more ids into it, with a range in /etc/subuid and /etc/subgid where it is started (unshare --map-auto), or use isobox outside of it";
    /// Root without its rights.
    WEAK_ROOT = "weak_root",
        "root has no CAP_SYS_ADMIN here, without which nothing can be mounted for a sandbox's ids",
        "start the container with --cap-add SYS_ADMIN or --privileged, or use isobox as an ordinary user in it";
}

/// Whether a kernel of this release is older than what sandboxes need, Linux 5.12.
pub fn is_old(release: &str) -> bool {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(|text| text.parse::<u32>().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) < (5, 12)
}

/// What decides why namespaces are refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// `kernel.unprivileged_userns_clone`, where the kernel has it.
    pub userns_clone: Option<u64>,
    /// `kernel.apparmor_restrict_unprivileged_userns`, where the kernel has it.
    pub apparmor_restrict: Option<u64>,
    /// `user.max_user_namespaces`.
    pub max_user_namespaces: Option<u64>,
    /// Whether the caller is root, whom the first two do not concern.
    pub root: bool,
    /// Whether a filter of system calls is on.
    pub filtered: bool,
    /// Whether a container is around.
    pub container: bool,
    /// Whether this is in a chroot, where the kernel gives no user namespace.
    pub chroot: bool,
}

impl Switches {
    /// What turns namespaces off, whoever tries.
    pub fn turned_off(&self) -> Option<&'static Remedy> {
        if self.max_user_namespaces == Some(0) {
            Some(&NO_USER_NAMESPACES)
        } else if !self.root && self.userns_clone == Some(0) {
            Some(&USERNS_CLONE)
        } else if !self.root && self.apparmor_restrict.is_some_and(|on| on != 0) {
            Some(&APPARMOR)
        } else {
            None
        }
    }

    /// Why a namespace was refused as not permitted.
    pub fn forbidden(&self) -> &'static Remedy {
        match self.turned_off() {
            Some(remedy) => remedy,
            None if self.chroot => &NO_PIVOT,
            None if self.filtered && self.container => &CONTAINER_FILTER,
            None if self.filtered => &FILTER,
            None => &FORBIDDEN,
        }
    }

    /// Why there was no room for a namespace.
    pub fn exhausted(&self) -> &'static Remedy {
        if self.max_user_namespaces == Some(0) { &NO_USER_NAMESPACES } else { &NAMESPACE_LIMIT }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_words_have_no_end() {
        for (index, remedy) in ALL.iter().enumerate() {
            assert!(ALL[..index].iter().all(|other| other.id != remedy.id), "{}", remedy.id);
            assert!(!remedy.cause.ends_with('.') && !remedy.fix.ends_with('.'), "{}", remedy.id);
            assert!(!remedy.hint().contains("  "), "{}", remedy.hint());
        }
    }

    #[test]
    fn releases_are_compared_by_their_numbers() {
        let old = ["5.11.0-generic", "4.19.0", "5.4", "3.10.0-1160.el7.x86_64"];
        let new = ["5.12.0", "5.15.153.1-microsoft-standard-WSL2", "6.18.44-fc", "10.0"];
        assert!(old.into_iter().all(is_old) && !new.into_iter().any(is_old));
    }

    #[test]
    fn what_is_certain_comes_before_what_is_likely() {
        let all = Switches {
            userns_clone: Some(0),
            apparmor_restrict: Some(1),
            max_user_namespaces: Some(0),
            root: false,
            filtered: true,
            container: true,
            chroot: false,
        };
        assert_eq!(all.forbidden().id, "no_user_namespaces");
        let some = Switches { max_user_namespaces: Some(9), ..all };
        assert_eq!(some.forbidden().id, "userns_clone");
        let apparmor = Switches { userns_clone: Some(1), ..some };
        assert_eq!(apparmor.forbidden().id, "apparmor");
        assert_eq!(Switches { root: true, ..some }.forbidden().id, "container_filter");
        assert_eq!(Switches { root: true, chroot: true, ..some }.forbidden().id, "no_pivot");
        let filtered = Switches { filtered: true, ..Switches::default() };
        assert_eq!((filtered.forbidden().id, Switches::default().forbidden().id), ("filter", "forbidden"));
    }
}
