//! Making a new volume one in which every user of a sandbox may make files.
//!
//! The engine makes a directory that only root may write to, and changes it only by what a container finds at the place of the
//! mount. So a container that never runs, of an image with nothing in it, is made with the volume, and a directory with the
//! right mode is put where that is.

use crate::client::{Engine, or_absent};
use crate::images::own_tag;
use crate::labels;
use bollard::models::{ContainerCreateBody, HostConfig, Mount, MountType, MountVolumeOptions};
use bollard::query_parameters::{
    CreateContainerOptions, CreateImageOptions, RemoveContainerOptions, UploadToContainerOptions,
};
use futures::TryStreamExt;
use isobox_contract::{Error, Labels, Resource, Result};

/// Where the volume is in the container, without the slash.
const PLACE: &str = "volume";
/// As a directory for everybody's temporary files has.
const MODE: u32 = 0o1777;
/// The role of the container and of the image.
const ROLE: &str = "helper";

/// Lets every user of a sandbox make files in a volume, and remove their own.
pub(super) async fn open_to_everybody(engine: &Engine, volume: &str, fleet: String) -> Result<()> {
    let image = empty_image(engine).await?;
    let mut own = labels::write(volume, ROLE, None, &Labels::new());
    own.insert(labels::FLEET.into(), fleet);
    let mount = Mount {
        target: Some(format!("/{PLACE}")),
        source: Some(volume.to_owned()),
        typ: Some(MountType::VOLUME),
        volume_options: Some(MountVolumeOptions { no_copy: Some(true), ..MountVolumeOptions::default() }),
        ..Mount::default()
    };
    let body = ContainerCreateBody {
        image: Some(image),
        cmd: Some(vec!["/never-run".to_owned()]),
        labels: Some(own),
        network_disabled: Some(true),
        host_config: Some(HostConfig {
            mounts: Some(vec![mount]),
            network_mode: Some("none".to_owned()),
            ..HostConfig::default()
        }),
        ..ContainerCreateBody::default()
    };
    let options = CreateContainerOptions { name: Some(helper(volume)), ..CreateContainerOptions::default() };
    let (maker, remover) = (engine.clone(), engine.clone());
    let making = |_| async move {
        let made = maker.api().create_container(Some(options), body).await;
        made.map(|made| made.id).map_err(maker.failed("make a container for a new volume"))
    };
    let undo = |container: String| async move {
        if let Err(error) = remove(&remover, &container).await {
            tracing::warn!(%error, "the container that a volume was opened with is left");
        }
    };
    let made = engine.make(making, undo).await?;
    isobox_fault::point!("docker.volume.helper_made");
    let options = UploadToContainerOptions { path: "/".to_owned(), ..UploadToContainerOptions::default() };
    let put = engine.api().upload_to_container(&made, Some(options), bollard::body_full(directory()?.into())).await;
    put.map_err(engine.failed("open a new volume to every user"))?;
    remove(engine, &made).await?;
    made.keep();
    Ok(())
}

/// Removes the container of a volume that a process was opening when it died.
pub(super) async fn forget(engine: &Engine, volume: &str) -> Result<()> {
    remove(engine, &helper(volume)).await
}

fn helper(volume: &str) -> String {
    format!("{volume}-opened")
}

async fn remove(engine: &Engine, container: &str) -> Result<()> {
    let options = RemoveContainerOptions { force: true, ..RemoveContainerOptions::default() };
    let removed = engine.api().remove_container(container, Some(options)).await;
    or_absent(removed.map_err(engine.failed_on("remove a container", Resource::Volume, container)))
}

/// An archive with the directory alone.
fn directory() -> Result<Vec<u8>> {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Directory);
    header.set_mode(MODE);
    header.set_size(0);
    let mut archive = tar::Builder::new(Vec::new());
    let written = archive.append_data(&mut header, format!("{PLACE}/"), std::io::empty());
    written.and_then(|()| archive.into_inner()).map_err(|error| Error::io("cannot write an archive", error))
}

/// The image with nothing in it; made when the engine has none.
async fn empty_image(engine: &Engine) -> Result<String> {
    let tag = own_tag("empty", "1");
    if engine.api().inspect_image(&tag).await.is_ok() {
        return Ok(tag);
    }
    // Podman takes no notice of a tag beside the name.
    let (from_src, repo) = (Some("-".to_owned()), Some(tag.clone()));
    let options = CreateImageOptions { from_src, repo, ..CreateImageOptions::default() };
    let nothing =
        tar::Builder::new(Vec::new()).into_inner().map_err(|error| Error::io("cannot write an archive", error))?;
    let made = engine.api().create_image(Some(options), Some(bollard::body_full(nothing.into())), None);
    let _: Vec<_> = made.try_collect().await.map_err(engine.failed("make an image with nothing in it"))?;
    Ok(tag)
}
