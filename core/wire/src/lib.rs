//! Placeholder.

pub mod launch;
