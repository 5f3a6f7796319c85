//! The directory that a sandbox works in.

use isobox_contract::{Error, Result, SandboxPath, SandboxSpec, Source, WorkspaceOwnership};
use isobox_local::Workspace;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The name of a managed workspace in the sandbox's directory.
const MANAGED: &str = "workspace";

/// Where a sandbox works.
pub(crate) struct Place {
    pub(crate) ownership: Workspace,
    pub(crate) path: PathBuf,
    /// What the agent has to make, and takes away again.
    pub(crate) managed: Option<String>,
}

/// The workspace for a spec: the caller's own directory, or a new one that goes with the sandbox.
pub(crate) fn workspace(spec: &SandboxSpec, state_dir: &Path) -> Result<Place> {
    let designated = |path: &Path| Place {
        ownership: Workspace(WorkspaceOwnership::Designated),
        path: path.to_owned(),
        managed: None,
    };
    match &spec.source {
        Source::HostDirectory { path: Some(path), ownership: WorkspaceOwnership::Designated } => {
            Ok(designated(&existing(path)?))
        }
        Source::HostDirectory { path: Some(_), .. } => {
            let reason =
                "is the caller's, and a managed workspace is made by the provider; leave the path out, or designate it";
            Err(Error::invalid_spec("source.path", reason))
        }
        Source::HostDirectory { path: None, ownership: WorkspaceOwnership::Designated } => {
            Err(Error::invalid_spec("source.path", "is missing, a designated workspace needs one"))
        }
        Source::Default | Source::HostDirectory { .. } => Ok(Place {
            ownership: Workspace(WorkspaceOwnership::Managed),
            path: state_dir.join(MANAGED),
            managed: Some(MANAGED.into()),
        }),
        _ => Err(Error::unsupported("source.image")),
    }
}

fn existing(path: &Path) -> Result<PathBuf> {
    match path.canonicalize() {
        Ok(path) if path.is_dir() => Ok(path),
        Ok(path) => {
            let reason = format!("{} is not a directory, give one to work in", path.display());
            Err(Error::invalid_spec("source.path", reason))
        }
        Err(error) => {
            let reason = format!("{} cannot be used on this machine: {}", path.display(), error.kind());
            Err(Error::invalid_spec("source.path", reason))
        }
    }
}

/// The working directory: the spec's, from the workspace on, or the workspace.
pub(crate) fn workdir(spec: &SandboxSpec, place: &Place) -> Vec<u8> {
    let given = spec.workdir.as_ref().map_or(&b""[..], SandboxPath::as_bytes);
    place.path.join(std::ffi::OsStr::from_bytes(given)).into_os_string().as_bytes().to_vec()
}
