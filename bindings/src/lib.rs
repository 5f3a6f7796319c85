//! The public surface of isobox for other languages, written once.
//!
//! [`api`] is the description: records, enums, objects and streams over the `isobox` crate, in a small grammar that a
//! generator reads. Python, Node and Swift are written from it and hold no behaviour of their own. [`runtime`] is what
//! calls run on: a runtime of this library's own, that comes back after a fork and ends before the process does.

pub mod api;
mod cross;
mod held;
pub mod runtime;
mod stream;
mod values;

pub use runtime::{Call, call};
pub use stream::Stream;
pub use values::{Argument, Lifetime, LocalPath, Path, Program, Size, Text};
