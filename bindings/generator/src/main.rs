//! Writes what Python, Node and Swift see, from the description in `bindings/src/api.rs`. With `--check` it writes nothing, and fails
//! when a file is not as it would be. With `--library PATH` it writes what UniFFI makes of the native module of Swift,
//! which has to be built first.
#![allow(clippy::print_stderr, reason = "it talks to whoever runs it")]

mod description;
mod node;
mod python;
mod reference;
mod swift;
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
    let arguments: Vec<String> = std::env::args().collect();
    let check = arguments.iter().any(|argument| argument == "--check");
    let library = arguments.iter().skip_while(|argument| *argument != "--library").nth(1);
    let files = match library {
        Some(library) => swift::carried(Path::new(library)),
        None => described(),
    };
    match files.and_then(|files| write(files, check)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("bindgen: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// What is written from the description alone.
fn described() -> Result<Vec<Written>, String> {
    let description = description::read(&root().join("bindings/src/api.rs"))?;
    let mut files = python::files(&description)?;
    files.extend(node::files(&description)?);
    files.extend(reference::files(&description)?);
    files.extend(swift::files(&description)?);
    Ok(files)
}

/// Whether all is as it should be now.
fn write(files: Vec<Written>, check: bool) -> Result<bool, String> {
    let root = root();
    let mut good = true;
    for Written { path, text } in files {
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
