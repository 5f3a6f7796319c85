//! Small files that are there whole or not at all.

use crate::problem::{Outcome, Problem};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// How the names of files begin that are being written.
pub(super) const PART: &str = ".part-";

/// Makes names that nobody else has.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// Writes a file under another name and renames it.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Outcome {
    let part = beside(path);
    let written = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        fs::rename(&part, path)
    });
    written.map_err(|error| {
        let _ = fs::remove_file(&part);
        Problem::io("write down an image", error)
    })
}

fn beside(path: &Path) -> PathBuf {
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!("{PART}{}-{count}", std::process::id()))
}

pub(super) fn write_json(path: &Path, value: &impl Serialize) -> Outcome {
    write(path, &serde_json::to_vec(value).expect("plain data always serializes"))
}

/// Reads a file that [`write_json`] wrote; `None` when there is none, or it means nothing to this version.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Outcome<Option<T>> {
    match fs::read(path) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Problem::io("read what is known of an image", error)),
    }
}

/// Everything that [`write_json`] wrote into a directory, with where it is.
pub(super) fn read_all<T: DeserializeOwned>(folder: &Path) -> Outcome<Vec<(PathBuf, T)>> {
    let mut all = Vec::new();
    for path in list(folder)? {
        if let Some(value) = read_json(&path)? {
            all.push((path, value));
        }
    }
    Ok(all)
}

/// The finished things in a directory, by name.
pub(super) fn list(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let failed = |error| Problem::io("list the images", error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if !entry.file_name().as_encoded_bytes().starts_with(PART.as_bytes()) {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

/// Removes a file. One that is not there is fine.
pub(super) fn remove(path: &Path) -> Outcome {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Problem::io("remove an image", error)),
        _ => Ok(()),
    }
}
