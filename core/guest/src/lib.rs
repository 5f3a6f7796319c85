//! The client of the agent in a sandbox.
//!
//! ```text
//! provider ──one byte stream──> Guest::connect ──> Exec, Files, Ports, metrics, lifetimes
//!                                    │
//!                                  driver (a task): multiplexes; ends with the last handle
//! ```
//!
//! Every provider that puts the agent into its sandboxes has this one implementation of everything that happens inside.
//!
//! The agent is **not trusted**: it may have been taken over by what it runs. Every frame, count and text is bounded before it
//! is kept, output beyond the limits that were asked for ends the call, streams that the agent opens are
//! closed, and no path from it is used on this machine except beneath a download's own target.
//!
//! Dropping any future here ends what it was waiting for: the agent sees its stream reset and ends the command, the
//! transfer or the connection.

mod capture;
mod channel;
mod connection;
mod exec;
mod failure;
mod file_streams;
mod files;
mod frames;
mod listing;
mod local;
mod observer;
mod ports;
mod process;
mod system;
mod transfer;

pub use connection::{Gate, Greeting, Guest, Obituary};
pub use observer::Witness;
