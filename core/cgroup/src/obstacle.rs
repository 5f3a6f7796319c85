//! Why something cannot be done here, and what to do about it.

use crate::layout::Controller;
use std::path::PathBuf;

/// Why a hierarchy or a controller cannot be used. The text says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Obstacle {
    /// No hierarchy is mounted.
    #[error("no cgroups are mounted: mount cgroup v2 at /sys/fs/cgroup")]
    NotMounted,
    /// The hierarchy is mounted read-only, as in most containers.
    #[error(
        "the cgroups at {} are read-only, as in most containers: run the container with writable cgroups \
         (docker run --security-opt writable-cgroups=true, or --privileged)",
        .0.display()
    )]
    ReadOnly(PathBuf),
    /// The controller is in a v1 hierarchy, which only root can use.
    #[error(
        "the controller {0} is in a hierarchy of cgroup v1, which only root can use: run as root, or boot with \
         systemd.unified_cgroup_hierarchy=1 and use a delegated cgroup"
    )]
    LegacyNeedsRoot(Controller),
    /// No cgroup was delegated to this user.
    #[error(
        "no cgroup is delegated to this user: run under `systemd-run --user --scope -p Delegate=yes`, or as a service \
         with Delegate=yes"
    )]
    NotDelegated,
    /// The own cgroup cannot be seen where the hierarchy is mounted.
    #[error(
        "the cgroup of this process is not below {}, as with a cgroup namespace over the mount of another: mount cgroup2 \
         again in this namespace",
        .0.display()
    )]
    Elsewhere(PathBuf),
    /// The cgroup is of a threaded kind, in which memory cannot be limited.
    #[error("the cgroup {} is threaded, where sandboxes cannot be: run in one of the kind domain", .0.display())]
    Threaded(PathBuf),
    /// The hierarchy that can be used has no such controller.
    #[error(
        "the cgroup {} has no controller {controller}: delegate it (a drop-in for user@.service with Delegate=cpu memory \
         pids), or boot a kernel that has it turned on",
        .parent.display()
    )]
    NoController {
        /// What is missing.
        controller: Controller,
        /// Where it is missing.
        parent: PathBuf,
    },
    /// The kernel has the controller without the part that limits.
    #[error("the kernel cannot limit processor time, it lacks CONFIG_CFS_BANDWIDTH")]
    NoBandwidth,
    /// The kernel has no cgroup.freeze.
    #[error("freezing needs the v2 hierarchy and linux 5.2 or newer")]
    NoFreezer,
}
