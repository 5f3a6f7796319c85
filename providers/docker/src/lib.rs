//! Sandboxes in Docker, through the Engine API: no Docker command line, no compose.
//!
//! ```text
//! DockerProvider ── Engine (one request, one connection) ──> dockerd
//!        │
//!        └─ Sandbox = one container; its PID 1 is the agent, which does everything that happens inside
//! ```
//!
//! Docker Engine 20.10 (API 1.41) and up. The labels of a container are the truth about whose it is; what has none of isobox's is
//! never touched.

#![allow(dead_code, reason = "sandboxes are to come")]

mod address;
mod client;
mod errands;
mod facts;
mod failure;
mod images;
mod labels;
mod provider;
mod transport;
mod volumes;

pub use provider::DockerProvider;
