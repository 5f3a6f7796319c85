//! What Swift sees: a module of records and handles that UniFFI carries across, and over it the one that people import, with named
//! arguments, streams and the cancellation of tasks.

mod carried;
mod names;
mod native;
mod objects;
mod records;
mod values;

use crate::Written;
use crate::description::Description;

pub(crate) use carried::carried;

/// The first line of every Swift file.
const HEAD: &str = "// Written by `cargo xtask gen` from bindings/src/api.rs. Do not edit.\n";

/// All files that are written from the description alone.
pub(crate) fn files(description: &Description) -> Result<Vec<Written>, String> {
    Ok(vec![
        Written { path: "bindings/swift/src/generated.rs", text: native::render(description)? },
        Written { path: "bindings/swift/Sources/Isobox/Records.swift", text: records::render(description) },
        Written { path: "bindings/swift/Sources/Isobox/Objects.swift", text: objects::render(description) },
    ])
}
