//! What can be seen of a machine from where this process is.

use crate::subids::{self, Range, Subordinate};
use isobox_wire::remedy::{self, Remedy, Switches};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Everything that decides whether sandboxes can be made here. What could not be looked at is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The kernel.
    pub kernel: Kernel,
    /// Who asks.
    pub caller: Caller,
    /// What this process is in.
    pub surroundings: Surroundings,
    /// The kernel's switches and limits for namespaces.
    pub namespaces: Namespaces,
    /// Further ids of the caller.
    pub users: Users,
    /// isobox's directory.
    pub home: Home,
    /// How the disk of a sandbox can be limited.
    pub disk: Vec<DiskLimit>,
    /// Limits of this process.
    pub limits: Limits,
}

/// The kernel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// Its release, such as `6.8.0-31-generic`.
    pub release: String,
    /// The processor architecture.
    pub architecture: String,
    /// 1 or 2 in the Windows Subsystem for Linux of that version.
    pub wsl: Option<u8>,
    /// Whether it is gVisor's.
    pub gvisor: bool,
    /// Filesystems that it has loaded and cannot do without a device: `overlay`, `tmpfs` and the like.
    pub filesystems: Vec<String>,
}

/// Who asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Caller {
    /// The effective user id.
    pub uid: u32,
    /// The effective group id.
    pub gid: u32,
    /// The name in `/etc/passwd`.
    pub name: Option<String>,
    /// Whether it has `CAP_SYS_ADMIN`.
    pub may_mount: bool,
    /// Whether a filter of system calls is on.
    pub filtered: bool,
    /// Whether programs cannot give it privileges (`no_new_privs`).
    pub no_new_privileges: bool,
    /// The profile of AppArmor, where there is one.
    pub profile: Option<String>,
    /// How many ids the user namespace has that it is in; 4294967295 in the first one.
    pub mapped_ids: u64,
}

/// What this process is in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Surroundings {
    /// The kind of container: `docker`, `podman`, `kubernetes`, `lxc`, `systemd-nspawn` or another.
    pub container: Option<String>,
    /// Whether the root directory is not a mount's root, as in a chroot.
    pub chroot: bool,
    /// Whether the root is the first root filesystem of the kernel, as on an initramfs.
    pub initramfs: bool,
    /// What is covered of `/proc`.
    pub covered_proc: Vec<String>,
    /// Whether there is a `/proc` at all.
    pub proc: bool,
}

/// The kernel's switches and limits for namespaces, as the files of `/proc/sys` say; absent where it has none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Namespaces {
    /// `kernel.unprivileged_userns_clone`.
    pub unprivileged_userns_clone: Option<u64>,
    /// `kernel.apparmor_restrict_unprivileged_userns`.
    pub apparmor_restrict: Option<u64>,
    /// `user.max_*_namespaces`, by the name between.
    pub limits: std::collections::BTreeMap<String, u64>,
    /// `vm.memfd_noexec`.
    pub memfd_noexec: Option<u64>,
    /// The types of namespace that the kernel has, as in `/proc/self/ns`.
    pub types: Vec<String>,
}

/// Further ids of the caller.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Users {
    /// `newuidmap`.
    pub newuidmap: Option<Helper>,
    /// `newgidmap`.
    pub newgidmap: Option<Helper>,
    /// What root gives to its sandboxes; absent for others, and where there is nothing.
    #[serde(default)]
    pub of_root: Option<Range>,
    /// What `/etc/subuid` gives the caller, as far as it is there.
    pub subuid: Vec<Range>,
    /// What `/etc/subgid` gives the caller, as far as it is there.
    pub subgid: Vec<Range>,
    /// Another source of ranges that `/etc/nsswitch.conf` names, which isobox does not read.
    pub other_source: Option<String>,
}

/// A program that maps ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Helper {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it has the privileges it needs when this process starts it.
    pub privileged: bool,
}

/// isobox's directory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Home {
    /// Where it is.
    pub path: PathBuf,
    /// The type of its filesystem.
    pub filesystem: Option<String>,
    /// Why it cannot be used.
    pub problem: Option<String>,
    /// Bytes that are free for the caller.
    pub free_bytes: Option<u64>,
    /// Files that can still be made.
    pub free_files: Option<u64>,
}

/// A way to limit the disk of a sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskLimit {
    /// Its name: `quota`, `loop` or `tmpfs`.
    pub backing: String,
    /// Why it cannot be had here, and what to do; absent where it can.
    pub obstacle: Option<String>,
}

/// Limits of this process; absent is unlimited.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Processes of the user.
    pub processes: Option<u64>,
    /// Open files.
    pub files: Option<u64>,
}

impl Users {
    /// What an ordinary user's sandbox with several users takes, or what is lacking.
    pub fn subordinate(&self, uid: u32, gid: u32) -> Result<Subordinate, &'static Remedy> {
        let path =
            |helper: &Option<Helper>| helper.clone().filter(|helper| helper.privileged).map(|helper| helper.path);
        let helpers = (path(&self.newuidmap), path(&self.newgidmap));
        let (Some(newuidmap), Some(newgidmap)) = helpers else { return Err(&remedy::NO_ID_HELPERS) };
        let maps = (subids::map(uid, &self.subuid), subids::map(gid, &self.subgid));
        let (Some(uid_map), Some(gid_map)) = maps else { return Err(&remedy::NO_ID_RANGE) };
        Ok(Subordinate { newuidmap, newgidmap, uid_map, gid_map })
    }
}

impl Facts {
    /// What decides why namespaces are refused.
    pub fn switches(&self) -> Switches {
        Switches {
            userns_clone: self.namespaces.unprivileged_userns_clone,
            apparmor_restrict: self.namespaces.apparmor_restrict,
            max_user_namespaces: self.namespaces.limits.get("user").copied(),
            root: self.caller.uid == 0,
            filtered: self.caller.filtered,
            container: self.surroundings.container.is_some(),
            chroot: self.surroundings.chroot,
        }
    }
}
