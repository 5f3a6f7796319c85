//! The native module of the Swift package: records, words and objects behind those of the package, and what they run on.
//!
//! [UniFFI](https://mozilla.github.io/uniffi-rs) carries them across. What is in `generated.rs` is written from the description of
//! the public surface, and `bindings/swift/Sources/Isobox` is what people see of it.
// Names that only UniFFI and Swift see, and what its macros write.
#![allow(unreachable_pub, unsafe_code, reason = "the other side of everything here is Swift")]

mod call;
mod convert;
mod error;
mod generated;

uniffi::setup_scaffolding!("isobox");
