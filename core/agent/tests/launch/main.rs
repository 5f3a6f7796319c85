//! The launcher of the namespace provider, from outside and from inside the sandboxes that it makes.
#![cfg(target_os = "linux")]
#![allow(missing_docs)]

mod directory;
mod inside;
mod lifecycle;
mod mounts;
mod refused;
mod speed;
mod support;
