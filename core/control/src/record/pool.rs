//! Pools that every process may take from.

use isobox_contract::{OwnerId, ProviderKind, Report, SandboxId, SandboxSpec, Timestamp};

/// A pool that is to be shared.
#[derive(Clone, Debug)]
pub struct NewPool {
    /// Its name, unique among pools whose processes have not ended.
    pub name: String,
    /// The process that keeps it.
    pub owner: OwnerId,
    /// The kind of provider of its sandboxes.
    pub provider: ProviderKind,
    /// What a sandbox of it counts as once it is taken. Values of secrets are left out.
    pub spec: SandboxSpec,
    /// The version of the library that keeps it.
    pub library: String,
    /// How many it keeps ready.
    pub size: u64,
}

/// What is known about a pool that every process may take from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PoolEntry {
    /// Its name.
    pub name: String,
    /// The process that keeps it.
    pub owner: OwnerId,
    /// That process's number, in its own pid namespace.
    pub pid: Option<u32>,
    /// The name of that process's program.
    pub program: Option<String>,
    /// The kind of provider of its sandboxes.
    pub provider: ProviderKind,
    /// What a sandbox of it counts as once it is taken, without the values of secrets.
    pub spec: SandboxSpec,
    /// Whether that is all there is to say, so that whoever finds none ready can make one.
    pub whole: bool,
    /// The version of the library that keeps it.
    pub library: String,
    /// How many it keeps ready.
    pub size: u64,
    /// How many are ready.
    pub ready: u64,
    /// How many are being made.
    pub making: u64,
    /// How many were ready when they were taken, by whatever process.
    pub taken: u64,
    /// Whether somebody has asked for its end.
    pub ending: bool,
    /// Why the last refill failed, until one succeeds.
    pub failure: Option<Report>,
    /// Since when it is there.
    pub created_at: Timestamp,
}

/// What the keeper of a pool has to know of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Offered {
    /// What nobody has taken, in whatever state.
    pub sandboxes: Vec<SandboxId>,
    /// Whether somebody has asked for the end of the pool.
    pub ending: bool,
}

/// A request for a sandbox of a pool that another process may keep.
#[derive(Clone, Debug)]
pub struct Take {
    /// The pool's name.
    pub pool: String,
    /// The process that keeps it, as far as the caller knows.
    pub keeper: OwnerId,
    /// What the sandbox counts as from now on, as in [`crate::Handout::spec`]. Until its new owner says otherwise it is not
    /// detached.
    pub spec: SandboxSpec,
    /// The process that it will belong to.
    pub owner: OwnerId,
}
