//! What Node sees: TypeScript classes over one native module that makes calls by name.

mod names;
mod native;
mod package;
mod typescript;

use crate::Written;
use crate::description::Description;

/// The first line of every file.
const HEAD: &str = "// Written by `cargo xtask gen` from bindings/src/api.rs. Do not edit.\n";

/// All files of it.
pub(crate) fn files(description: &Description) -> Result<Vec<Written>, String> {
    Ok(vec![
        Written { path: "node/src/generated.rs", text: native::render(description)? },
        Written { path: "node/ts/records.ts", text: typescript::records(description) },
        Written { path: "node/ts/errors.ts", text: typescript::errors(description)? },
        Written { path: "node/ts/objects.ts", text: typescript::objects(description) },
        Written { path: "node/index.mjs", text: package::modules(description)? },
    ])
}
