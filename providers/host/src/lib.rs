//! Sandboxes without isolation: a directory and a process tree on this machine.
//!
//! For code that is trusted, and for machines where nothing else works. Commands run as the calling user and see everything that
//! user sees; what they get is the same supervision as everywhere: trees that end for certain, exact output, deadlines, and
//! an environment that starts empty and is filled from a safelist.
//!
//! It is never chosen for anybody: it has to be asked for by name.

mod capabilities;
mod environment;
mod provider;
mod workspace;

pub use provider::HostProvider;
