//! Paths on this machine that a spec names: made absolute, and looked at before a provider is asked. What is found here
//! may change until the provider uses it; this is for good messages, and the provider still checks.

use isobox_contract::{Error, MountSource, Result, SandboxSpec, Source, WorkspaceOwnership};
use std::path::{Path, PathBuf};

/// The path from the root on. Unchanged when it is empty or there is no working directory, which validation refuses.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Checks that everything of this machine that the spec names is there.
pub(crate) fn check(spec: &SandboxSpec) -> Result<()> {
    match &spec.source {
        Source::Rootfs { path }
        | Source::HostDirectory { path: Some(path), ownership: WorkspaceOwnership::Designated } => {
            directory("source.path", path)?;
        }
        Source::Archive { path, .. } => exists("source.path", path).map(drop)?,
        Source::Dockerfile { context: Some(context), .. } => directory("source.context", context)?,
        _ => {}
    }
    spec.mounts.iter().try_for_each(|mount| match &mount.source {
        MountSource::Bind { path } => exists("mounts.source.path", path).map(drop),
        _ => Ok(()),
    })
}

fn directory(field: &str, path: &Path) -> Result<()> {
    if exists(field, path)?.is_dir() {
        return Ok(());
    }
    Err(Error::invalid_spec(field, format!("{} is not a directory, give one", path.display())))
}

pub(crate) fn exists(field: &str, path: &Path) -> Result<std::fs::Metadata> {
    std::fs::metadata(path).map_err(|error| {
        let reason = match error.kind() {
            std::io::ErrorKind::NotFound => format!("{} is not there", path.display()),
            kind => format!("{} cannot be used: {kind}", path.display()),
        };
        Error::invalid_spec(field, reason).with_source(error)
    })
}
