//! Snapshots as images in archives.
//!
//! ```text
//!   engine's archive ──▶ a file without a name ──▶ where each layer is ──▶ the archive that isobox writes everywhere
//! ```
//!
//! The engine's own archive differs from version to version and is no OCI layout before 25; isobox's is both, and the same
//! snapshot always gives the same bytes.

use super::saved::Saved;
use crate::client::Engine;
use crate::images::Found;
use futures::StreamExt;
use isobox_contract::{Context, Error, ExportOptions, ExportedImage, Resource, Result, Timestamp};
use isobox_images::{Digest, Export, ExportLayer, LayerSource};
use rustix::fs::{CWD, Mode, OFlags};
use serde_json::Value;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long the engine may say nothing: it gathers an image before it begins to send it.
const SILENCE: Duration = Duration::from_secs(900);

/// Writes the image of a snapshot into a file.
pub(super) async fn export(
    engine: &Engine,
    found: &Found,
    to: &Path,
    options: &ExportOptions,
    context: &Context,
) -> Result<ExportedImage> {
    if options.holes {
        let reason = "cannot be left out: docker keeps no holes in its layers, leave this option out";
        return Err(Error::invalid_spec("holes", reason));
    }
    let file = Arc::new(save(engine, &found.id, to).await?);
    let from = file.clone();
    let read = tokio::task::spawn_blocking(move || Saved::read(&from)).await;
    let saved = read.unwrap_or_else(|_| Err(Error::internal("reading docker's archive broke off")))?;
    let export = Export {
        layers: layers(&saved, &file)?,
        config: Some(config(&saved.config)?),
        created: created(found),
        users: Vec::new(),
        groups: Vec::new(),
    };
    isobox_images::export(export, to, options, context).await
}

/// The image as the engine saves it, in a file that has no name, beside the archive to be.
async fn save(engine: &Engine, image: &str, to: &Path) -> Result<File> {
    let directory = to.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = directory.map_or_else(|| PathBuf::from("."), Path::to_owned);
    let unwritable = |error| Error::io(format!("cannot write below {}", directory.display()), error);
    let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
    let file = rustix::fs::openat(CWD, &directory, flags, Mode::RUSR | Mode::WUSR);
    let mut file = File::from(file.map_err(|errno| match errno {
        rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR => {
            Error::invalid_spec("path", format!("is in {}, which is no directory, make it first", directory.display()))
        }
        errno => unwritable(errno.into()),
    })?);
    let mut chunks = std::pin::pin!(engine.api().export_image(image));
    loop {
        let chunk = tokio::time::timeout(SILENCE, chunks.next()).await;
        let Some(chunk) = chunk.map_err(|_| Error::timeout("snapshot.export", SILENCE))? else { return Ok(file) };
        let chunk = chunk.map_err(engine.failed_on("save the image", Resource::Image, image))?;
        let written = tokio::task::spawn_blocking(move || file.write_all(&chunk).map(|()| file)).await;
        file = written.map_err(|_| Error::internal("writing docker's archive broke off"))?.map_err(unwritable)?;
    }
}

/// The layers, each once: one that is there twice counts where it is uppermost.
fn layers(saved: &Saved, file: &Arc<File>) -> Result<Vec<ExportLayer>> {
    let diff_ids = saved.diff_ids()?;
    if diff_ids.len() != saved.layers.len() {
        return Err(Error::transport("docker's archive has not the layers that its config names"));
    }
    let all = diff_ids.iter().zip(&saved.layers).enumerate();
    let uppermost = all.filter(|(index, (diff_id, _))| !diff_ids[index + 1..].contains(diff_id));
    let layer = |(_, (diff_id, place)): (usize, (&Digest, &super::saved::Place))| ExportLayer {
        from: LayerSource::Packed { file: file.clone(), offset: place.offset, size: place.size },
        diff_id: Some(diff_id.clone()),
        made_by: "isobox: a layer of the image".to_owned(),
    };
    Ok(uppermost.map(layer).collect())
}

/// The config without what only this engine's books need.
fn config(bytes: &[u8]) -> Result<Vec<u8>> {
    let unreadable = |error| Error::transport("docker's config of an image is no JSON").with_source(error);
    let mut config: Value = serde_json::from_slice(bytes).map_err(unreadable)?;
    if let Some(labels) = config.pointer_mut("/config/Labels").and_then(Value::as_object_mut) {
        labels.retain(|name, _| !name.starts_with("isobox."));
    }
    Ok(config.to_string().into_bytes())
}

/// When the image was made, so that the same one gives the same bytes.
fn created(found: &Found) -> Timestamp {
    let created = found.inspected.created.as_ref().and_then(|at| at.parse().ok());
    created.unwrap_or_else(|| Timestamp::from_unix(0, 0))
}
