//! The static program inside every sandbox.

#[allow(dead_code, unused_imports, reason = "the agent's main is not here yet")]
mod process;

fn main() {}
