//! The first exchange on a connection.

use crate::Blob;
use serde::{Deserialize, Serialize};

/// Who connects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// The client's build id. It must be the agent's.
    pub build: String,
    /// The secret that the provider gave the agent.
    pub token: Blob,
    /// Whether this connection keeps the sandbox alive.
    pub role: Role,
}

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// The owner: while one is connected the lease is held. May change deadlines and shut down.
    Owner,
    /// Anybody else with the token.
    Visitor,
}

/// The agent's side of the hello.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Welcome {
    /// The agent's build id.
    pub build: String,
    /// Operating system, lowercase: `linux`.
    pub os: String,
    /// Processor architecture, as in `x86_64`.
    pub arch: String,
    /// The kernel's release.
    pub kernel: String,
    /// The directory in which commands run unless they say otherwise.
    pub workdir: Blob,
}
