//! What the launcher answers.

use super::MAX_LAUNCH_REPORT;
use super::frame::{frame_within, whole};
use serde::{Deserialize, Serialize};

/// The launcher's only answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LaunchReport {
    /// The sandbox is complete and the agent serves.
    Ready {
        /// The process id of the sandbox's first process, as the caller sees it.
        pid: u32,
    },
    /// The sandbox could not be made. The launcher ends after it has removed what there was.
    Failed(LaunchFailure),
}

/// Why a sandbox could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchFailure {
    /// The step that failed.
    pub step: LaunchStep,
    /// The system's error number, 0 when no system call failed.
    pub errno: i32,
    /// What went wrong, naming the thing, in lower case.
    pub message: String,
    /// What to do about it, when that is known.
    pub hint: Option<String>,
}

/// The steps of a launch, for programs to tell failures apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum LaunchStep {
    /// Reading and checking the [`LaunchConfig`](super::LaunchConfig).
    Config,
    /// Making the state directory and the layers in it.
    StateDirectory,
    /// Binding the agent's socket.
    Listener,
    /// Making the process and its namespaces.
    Namespaces,
    /// Entering the given cgroups.
    Cgroup,
    /// Writing the id maps and taking the mapped ids.
    IdMap,
    /// Mounting the root file system.
    RootFilesystem,
    /// Mounting a host file or directory, [`LaunchConfig::mounts`](super::LaunchConfig::mounts).
    BindMount,
    /// Mounting and masking `/proc`.
    Proc,
    /// Making `/dev`.
    Devices,
    /// Mounting `/sys`.
    Sys,
    /// Changing into the new root.
    PivotRoot,
    /// Setting the host name.
    Hostname,
    /// Bringing the loopback interface up.
    Network,
    /// Dropping capabilities, keyrings and file descriptors.
    Privileges,
    /// A bug in the launcher.
    Internal,
}

impl LaunchStep {
    /// The stable name of the step.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::StateDirectory => "state_directory",
            Self::Listener => "listener",
            Self::Namespaces => "namespaces",
            Self::Cgroup => "cgroup",
            Self::IdMap => "id_map",
            Self::RootFilesystem => "root_filesystem",
            Self::BindMount => "bind_mount",
            Self::Proc => "proc",
            Self::Devices => "devices",
            Self::Sys => "sys",
            Self::PivotRoot => "pivot_root",
            Self::Hostname => "hostname",
            Self::Network => "network",
            Self::Privileges => "privileges",
            Self::Internal => "internal",
        }
    }
}

impl LaunchReport {
    /// The report with its length in front, ready to be written. Fails when it is larger than [`MAX_LAUNCH_REPORT`].
    pub fn to_frame(&self) -> postcard::Result<Vec<u8>> {
        frame_within(self, MAX_LAUNCH_REPORT)
    }

    /// Reads a report from the bytes behind the length; bytes left over are an error.
    pub fn from_body(body: &[u8]) -> postcard::Result<Self> {
        whole(body)
    }
}
