//! Sandboxes from Linux namespaces: no daemon, no setuid helper, as root or as an ordinary user.
//!
//! Each sandbox has user, mount, pid, network, ipc, uts and cgroup namespaces of its own, an overlay root whose upper layer is
//! thrown away with it, a minimal `/dev`, a masked `/proc`, no new privileges, few capabilities and a filter of system calls.
//! The root filesystem is a directory, or a read-only view of the machine's own programs. The agent is its PID 1.
//!
//! As an ordinary user one id is mapped, the caller's, as root. As root a range of ids is mapped that owns nothing on the
//! machine, and directories are mounted with their ids mapped, so the sandbox's root is nobody outside.
//!
//! Needs Linux 5.12 and the permission to make user namespaces.

mod capabilities;
mod cgroups;
mod entrypoint;
mod facet;
mod ids;
mod images;
mod mounts;
mod provider;
mod seccomp;
mod snapshots;
mod spec;
mod subordinates;
mod volumes;

pub use provider::NamespaceProvider;
