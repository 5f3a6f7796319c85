//! Writes what Python, Node and Swift see, from the description in `bindings/src/api.rs`. With `--check` it writes nothing, and fails
//! when a file is not as it would be.
#![allow(clippy::print_stderr, reason = "it talks to whoever runs it")]

mod description;
mod node;
mod python;
mod reference;
mod text;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A file that is written: where, from the root of the repository, and what.
pub(crate) struct Written {
    pub(crate) path: &'static str,
    pub(crate) text: String,
}

fn main() -> ExitCode {
    let check = std::env::args().any(|argument| argument == "--check");
    match write(check) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("bindgen: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all is as it should be now.
fn write(check: bool) -> Result<bool, String> {
    let root = root();
    let description = description::read(&root.join("bindings/src/api.rs"))?;
    let mut good = true;
    for Written { path, text } in python::files(&description)?
        .into_iter()
        .chain(node::files(&description)?)
        .chain(reference::files(&description)?)
    {
        let place = root.join(path);
        if fs::read_to_string(&place).is_ok_and(|before| before == text) {
            continue;
        }
        if check {
            eprintln!("bindgen: {path} is not what the description says, run `cargo xtask gen`");
            good = false;
            continue;
        }
        let parent = place.parent().unwrap_or(&root);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&place, text))
            .map_err(|error| format!("{path}: {error}"))?;
        eprintln!("bindgen: wrote {path}");
    }
    Ok(good)
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
