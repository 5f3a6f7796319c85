//! From the mounts of a spec to the engine's.

use bollard::models::{Mount, MountTmpfsOptions, MountType};
use isobox_contract::{Error, MountSource, Result, SandboxPath, SandboxSpec};
use isobox_wire::container::DIRECTORY;
use std::path::Path;

/// The mounts of a spec. Those of this machine must be there when `here` says that it is the engine's machine.
///
/// # Errors
/// `invalid_spec` with the field `mounts`.
pub(crate) fn of(spec: &SandboxSpec, here: bool) -> Result<Vec<Mount>> {
    spec.mounts.iter().map(|mount| one(mount, here)).collect()
}

fn one(mount: &isobox_contract::Mount, here: bool) -> Result<Mount> {
    let target = target(&mount.target)?;
    let read_only = mount.read_only.then_some(true);
    match &mount.source {
        MountSource::Bind { path } => {
            let source = if here { existing(path)? } else { path.clone() };
            Ok(bind(text(&source)?, target, read_only))
        }
        MountSource::Tmpfs { size, mode } => {
            let size_bytes = size.map(|size| i64::try_from(size).unwrap_or(i64::MAX));
            let options = MountTmpfsOptions { size_bytes, mode: mode.map(i64::from), ..MountTmpfsOptions::default() };
            let typ = Some(MountType::TMPFS);
            let tmpfs_options = Some(options);
            Ok(Mount { target: Some(target), typ, read_only, tmpfs_options, ..Mount::default() })
        }
        _ => Err(Error::invalid_spec("mounts.source", "is of a kind that docker does not have, use bind or tmpfs")),
    }
}

/// A directory or file of the engine's machine.
pub(crate) fn bind(source: String, target: String, read_only: Option<bool>) -> Mount {
    Mount { source: Some(source), target: Some(target), typ: Some(MountType::BIND), read_only, ..Mount::default() }
}

/// A place in the sandbox, as the engine can be told it.
pub(crate) fn target(path: &SandboxPath) -> Result<String> {
    let text = str::from_utf8(path.as_bytes());
    let text = text.map_err(|_| Error::invalid_spec("mounts.target", "is not text, which docker's paths are"))?;
    if Path::new(text).starts_with(DIRECTORY) {
        return Err(Error::invalid_spec("mounts.target", format!("is in {DIRECTORY}, which is isobox's own")));
    }
    if Path::new(text).starts_with("/proc") {
        let reason = format!("is {}, but /proc is the kernel's, choose another target", text.escape_debug());
        return Err(Error::invalid_spec("mounts.target", reason));
    }
    Ok(text.to_owned())
}

/// A path of this machine, as the engine can be told it.
pub(crate) fn text(path: &Path) -> Result<String> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| {
        Error::invalid_spec("mounts.source", format!("{} is not text, which docker's paths are", path.display()))
    })
}

fn existing(path: &Path) -> Result<std::path::PathBuf> {
    let absolute =
        std::path::absolute(path).map_err(|_| Error::invalid_spec("mounts.source", "is empty, give a path"))?;
    match absolute.try_exists() {
        Ok(true) => Ok(absolute),
        Ok(false) => {
            let reason = format!("{} does not exist on this machine", absolute.display());
            Err(Error::invalid_spec("mounts.source", reason))
        }
        Err(error) => {
            let reason = format!("{} cannot be looked at: {}", absolute.display(), error.kind());
            Err(Error::invalid_spec("mounts.source", reason))
        }
    }
}
