//! Which project number a sandbox is about to have, for whoever cleans up after its maker.
//!
//! ```text
//! number chosen ──> `ID.project` is written ──> it gets its limit ──> the sandbox has it ──> `ID.project` goes
//! ```
//!
//! The kernel knows limits by numbers alone. So the number is written down before it has one, beside the place of the sandbox;
//! later it is on the directory of the sandbox's layers.

use isobox_contract::SandboxId;
use isobox_disk::Project;
use isobox_wire::launch::DISK_NAME;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const EXTENSION: &str = "project";

fn file(state_dir: &Path) -> PathBuf {
    state_dir.with_extension(EXTENSION)
}

/// Writes the number down for the sandbox with this directory, which need not be there.
pub(crate) fn reserve(state_dir: &Path, project: Project) -> io::Result<()> {
    fs::write(file(state_dir), project.number().to_string())
}

/// Forgets what was written down.
pub(crate) fn forget(state_dir: &Path) {
    let _ = fs::remove_file(file(state_dir));
}

/// The sandbox whose reservation a file in the directory of sandboxes is.
pub(crate) fn sandbox(path: &Path) -> Option<SandboxId> {
    let reservation = path.extension()? == EXTENSION;
    reservation.then(|| path.file_stem()?.to_str()?.parse().ok())?
}

/// Every project that the sandbox with this directory has or was about to have.
pub(crate) fn projects(state_dir: &Path) -> Vec<Project> {
    let written = fs::read_to_string(file(state_dir)).ok();
    let reserved = written.and_then(|text| Project::numbered(text.parse().ok()?));
    let mut projects: Vec<_> = reserved.into_iter().chain(Project::of(&state_dir.join(DISK_NAME))).collect();
    projects.dedup();
    projects
}
