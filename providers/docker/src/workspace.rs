//! A working directory that is a volume of the sandbox's own, so that its one-shots can be shown it.
//!
//! It begins with what the image has at that place, carries the sandbox's labels and goes with the sandbox. It is in no copy of the
//! container's files, so there are none.

use crate::client::or_absent;
use crate::labels;
use crate::provider::Inner;
use crate::{mounts, options};
use bollard::models::{Mount, MountType, MountVolumeOptions};
use bollard::query_parameters::{ListVolumesOptions, RemoveVolumeOptions};
use isobox_contract::{Error, Labels, MountSource, Resource, Result, SandboxId, SandboxPath, SandboxSpec};
use std::collections::BTreeSet;

/// The role of the volume in labels.
pub(crate) const ROLE: &str = "workspace";
/// The field that errors name.
const FIELD: &str = "options.docker.workspace_volume";

/// Why a sandbox with it has no copies.
pub(crate) const WHY_NO_COPIES: &str = "its working directory is a volume of its own, which would not be in the copy: make it without the option workspace_volume";

/// Whether a spec asks for it.
pub(crate) fn is_wanted(spec: &SandboxSpec) -> bool {
    options::of(spec).workspace_volume
}

/// The volume as it is mounted in the sandbox, if it is asked for. `spec` is one with what its image says.
///
/// # Errors
/// `invalid_spec` when there is no working directory to mount it at, or something else is mounted there.
pub(crate) fn of(id: &SandboxId, spec: &SandboxSpec, fleet: &str) -> Result<Option<Mount>> {
    if !is_wanted(spec) {
        return Ok(None);
    }
    let Some(workdir) = spec.workdir.as_ref().filter(|path| path.as_bytes().iter().any(|byte| *byte != b'/')) else {
        return Err(Error::invalid_spec(FIELD, "is at the working directory, and there is none but /, set workdir"));
    };
    if is_mounted(spec, workdir) {
        let reason = "is at the working directory, and that is in another mount or volume, leave one of them out";
        return Err(Error::invalid_spec(FIELD, reason));
    }
    let mut own = labels::write(id.as_str(), ROLE, None, &Labels::new());
    own.insert(labels::FLEET.into(), fleet.into());
    let options = MountVolumeOptions { labels: Some(own), ..MountVolumeOptions::default() };
    Ok(Some(Mount { volume_options: Some(options), ..mount(id, workdir)? }))
}

/// The same as a one-shot beside the sandbox sees it.
///
/// # Errors
/// `invalid_spec` for a path that docker cannot be told.
pub(crate) fn beside(id: &SandboxId, workdir: &SandboxPath) -> Result<Mount> {
    let options = MountVolumeOptions { no_copy: Some(true), ..MountVolumeOptions::default() };
    Ok(Mount { volume_options: Some(options), ..mount(id, workdir)? })
}

/// Whether a path is in something that is mounted from outside, which other containers can be shown too.
pub(crate) fn is_mounted(spec: &SandboxSpec, path: &SandboxPath) -> bool {
    let bound = spec.mounts.iter().filter(|mount| matches!(mount.source, MountSource::Bind { .. }));
    let mut targets = bound.map(|mount| &mount.target).chain(spec.volumes.iter().map(|volume| &volume.target));
    targets.any(|target| {
        let rest = path.as_bytes().strip_prefix(target.as_bytes());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/") || target.as_bytes().ends_with(b"/"))
    })
}

fn mount(id: &SandboxId, workdir: &SandboxPath) -> Result<Mount> {
    let (source, target) = (Some(volume(id)), Some(mounts::target(workdir)?));
    Ok(Mount { source, target, typ: Some(MountType::VOLUME), ..Mount::default() })
}

fn volume(id: &SandboxId) -> String {
    format!("isobox-{id}-{ROLE}")
}

impl Inner {
    /// Removes the volume of a sandbox whose container is gone. What is not there is fine.
    pub(crate) async fn forget_workspace(&self, id: &SandboxId) -> Result<()> {
        // Of most it is known that they have none, which spares the engine the question.
        match self.places.of(id).origin() {
            Some(spec) if !is_wanted(&spec) => Ok(()),
            _ => self.remove_workspace(&volume(id)).await,
        }
    }

    async fn remove_workspace(&self, volume: &str) -> Result<()> {
        let removed = self.engine.api().remove_volume(volume, None::<RemoveVolumeOptions>).await;
        or_absent(removed.map_err(self.engine.failed_on("remove a workspace", Resource::Volume, volume)))
    }

    /// Removes the volumes of sandboxes that are gone, such as those whose containers somebody else has removed.
    pub(crate) async fn tidy_workspaces(&self) -> Result<()> {
        let filters = labels::filters(ROLE, None, Some(&self.places.fleet()?));
        let listed = self.engine.api().list_volumes(Some(ListVolumesOptions { filters: Some(filters) })).await;
        let listed = listed.map_err(self.engine.failed("list its volumes"))?;
        let left = listed.volumes.unwrap_or_default();
        // After the list: what is made meanwhile is not in that.
        let there = if left.is_empty() { BTreeSet::new() } else { self.there().await? };
        for left in left {
            if labels::sandbox(&left.labels).is_some_and(|id| !there.contains(&id)) {
                self.remove_workspace(&left.name).await?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox_contract::{DockerOptions, ProviderOptions, VolumeMount};

    #[test]
    fn a_path_is_mounted_when_it_is_in_a_volume() {
        let volume = |target: &str| SandboxSpec {
            volumes: vec![VolumeMount::new("v".parse().unwrap(), target)],
            ..SandboxSpec::default()
        };
        let mounted = |target: &str, path: &str| is_mounted(&volume(target), &path.into());
        assert!(mounted("/work", "/work") && mounted("/work", "/work/deep"));
        assert!(!mounted("/work", "/workshop") && !mounted("/work/deep", "/work"));
        assert!(!is_mounted(&SandboxSpec::default(), &"/".into()));
    }

    #[test]
    fn it_needs_a_working_directory_of_the_containers_own() {
        let asked = |workdir: Option<&str>, volume: Option<&str>| {
            let options = DockerOptions { workspace_volume: true, ..DockerOptions::default() };
            let spec = SandboxSpec {
                workdir: workdir.map(Into::into),
                volumes: volume.map(|target| VolumeMount::new("v".parse().unwrap(), target)).into_iter().collect(),
                options: Some(ProviderOptions::Docker(Box::new(options))),
                ..SandboxSpec::default()
            };
            of(&SandboxId::generate(), &spec, "fleet").map(|mount| mount.unwrap().target.unwrap())
        };
        assert_eq!(asked(Some("/work"), Some("/work/deep")).unwrap(), "/work");
        for (workdir, volume) in [(None, None), (Some("//"), None), (Some("/work/here"), Some("/work"))] {
            assert!(asked(workdir, volume).unwrap_err().message().starts_with(FIELD), "{workdir:?} {volume:?}");
        }
    }
}
