//! Volumes in a new sandbox.

use super::{ROLE, Store, has_subpath};
use crate::labels;
use bollard::models::{Mount, MountType, MountVolumeOptions};
use isobox_contract::{Capability, Error, Result, SandboxPath, SandboxSpec};

/// The mounts of a spec's volumes, in the order of the spec.
///
/// # Errors
/// `not_found` for a volume that is not there or not ours, `unsupported` for a part of one where the engine is too old.
pub(crate) async fn mounts(store: &Store, spec: &SandboxSpec) -> Result<Vec<Mount>> {
    let mut mounts = Vec::with_capacity(spec.volumes.len());
    for (index, wanted) in spec.volumes.iter().enumerate() {
        let volume = store.find(&wanted.volume).await?;
        debug_assert!(labels::is(&volume.labels, ROLE), "only our own are found");
        let subpath = match &wanted.subpath {
            None => None,
            Some(_) if !has_subpath(store.engine.facts().await?.api) => {
                return Err(Error::unsupported(Capability::VolumesSubpath));
            }
            Some(part) => Some(text(part, index, "subpath")?),
        };
        mounts.push(Mount {
            target: Some(text(&wanted.target, index, "target")?),
            source: Some(volume.name),
            typ: Some(MountType::VOLUME),
            read_only: Some(wanted.read_only),
            // A new volume is empty, whatever the image has at that place.
            volume_options: Some(MountVolumeOptions { no_copy: Some(true), subpath, ..MountVolumeOptions::default() }),
            ..Mount::default()
        });
    }
    Ok(mounts)
}

/// A path as the engine can be told it.
fn text(path: &SandboxPath, index: usize, field: &str) -> Result<String> {
    let text = str::from_utf8(path.as_bytes()).ok().filter(|text| !text.is_empty());
    let reason = "is empty or not text, which docker's paths are";
    text.map(str::to_owned).ok_or_else(|| Error::invalid_spec(format!("volumes.{index}.{field}"), reason))
}
