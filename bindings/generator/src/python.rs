//! What Python sees: plain classes over one native module, twice, for those who wait and for those who await.

mod errors;
mod hints;
mod native;
mod objects;
mod package;
mod records;

pub(crate) use errors::{builtin, class as error_class, file_classes};
pub(crate) use records::inputs;

use crate::Written;
use crate::description::Description;

/// The first line of every Python file.
const HEAD: &str = "# Written by `cargo xtask gen` from bindings/src/api.rs. Do not edit.\n";

/// All files of it.
pub(crate) fn files(description: &Description) -> Result<Vec<Written>, String> {
    use objects::Flavour::{Async, Sync};
    Ok(vec![
        Written { path: "python/isobox/_records.py", text: records::render(description)? },
        Written { path: "python/isobox/_errors.py", text: errors::render(description)? },
        Written { path: "python/isobox/_sync.py", text: objects::render(description, Sync) },
        Written { path: "python/isobox/_async.py", text: objects::render(description, Async) },
        Written { path: "python/isobox/_native.pyi", text: native::stubs(description) },
        Written { path: "python/isobox/__init__.py", text: package::render(description)? },
        Written { path: "python/src/generated.rs", text: native::render(description)? },
    ])
}
