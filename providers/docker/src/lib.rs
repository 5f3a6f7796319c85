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

mod address;
mod attach;
mod attention;
mod base;
mod body;
mod build;
mod capabilities;
mod client;
mod context;
mod create;
mod entrypoint;
mod errands;
mod facts;
mod failure;
mod first_process;
mod freeze;
mod gvisor;
mod images;
mod keeper;
mod labels;
mod list;
mod mounts;
mod one_shots;
mod options;
mod own_images;
mod piped;
mod place;
mod podman;
mod provider;
mod raw;
mod reach;
mod record;
mod removal;
mod runtime;
mod sandbox;
mod seal;
mod sidecars;
mod snapshots;
mod status;
mod stream;
mod tls;
mod transport;
mod unkept;
mod volumes;
mod workspace;

pub use provider::DockerProvider;
