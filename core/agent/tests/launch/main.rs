//! The launcher of the namespace provider, from outside and from inside the sandboxes that it makes.
#![cfg(target_os = "linux")]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "these are tests, and say what they cannot do and what they measured"
)]

mod directory;
mod filter;
mod inside;
mod layers;
mod lifecycle;
mod missing;
mod mounts;
mod refused;
mod speed;
mod support;
