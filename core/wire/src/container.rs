//! Where the agent of a container finds what it needs, and is found.
//!
//! The config is the agent's [`Settings`](crate::Settings) as [`encode`](crate::encode) makes it, and nothing else.

/// The directory of everything that is isobox's in a container.
pub const DIRECTORY: &str = "/.isobox";

/// The agent's program.
pub const AGENT: &str = "/.isobox/agent";

/// The directory that the host may share with the container.
pub const SHARED: &str = "/.isobox/run";

/// The agent's settings, which it unlinks as soon as it has read them.
pub const CONFIG: &str = "/.isobox/run/config";

/// The agent's socket.
pub const SOCKET: &str = "/.isobox/run/agent.sock";

/// Where its socket is when the shared directory's filesystem has none.
pub const ELSEWHERE: &str = "/.isobox/agent.sock";
