//! Processes that own sandboxes.

use isobox_contract::{OwnerId, Timestamp};

/// What tells a process from every other, also from a later one with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessIdentity {
    /// Its number in its pid namespace.
    pub pid: u32,
    /// When it started, in clock ticks since the machine booted: field 22 of `/proc/PID/stat` (proc(5)). No clock that can
    /// be set has a part in it.
    pub started: u64,
    /// The boot of the machine: `/proc/sys/kernel/random/boot_id`.
    pub boot: String,
    /// The inode of its pid namespace.
    pub pid_namespace: u64,
}

/// A process that owns sandboxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnerEntry {
    /// Its id.
    pub id: OwnerId,
    /// Which process.
    pub process: ProcessIdentity,
    /// The inode of the file that it keeps locked, so that another file in its place proves nothing.
    pub lock_inode: u64,
    /// The name of its program, at most 15 bytes, for people.
    pub program: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When it said that it ends, or was found dead.
    pub ended_at: Option<Timestamp>,
}
