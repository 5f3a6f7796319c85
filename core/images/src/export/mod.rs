//! From layers on this machine to an archive that others read.
//!
//! ```text
//!   directory ──▶ entries in order ──▶ tar ──▶ hash ──▶ gzip, hash ──▶ blobs/sha256/<digest>
//!                                                                       └─ its header is written when the digest is known
//!   oci-layout, blobs, index.json     for readers of OCI layouts
//!   manifest.json                     for `docker load`, with the same blobs
//! ```
//!
//! What it promises:
//! - **All or nothing.** The archive is written beside its place, to disk, and gets its name when it is whole.
//! - **The same layers give the same bytes**, whenever and wherever that is.
//! - **Exact or refused.** What an image cannot hold, such as a name that begins with `.wh.`, ends the export.
//! - Memory does not grow with the layers.

mod archive;
mod documents;
mod entry;
mod header;
mod layer;
mod target;

use crate::digest::Digest;
use crate::limits::Cancel;
use crate::offload::offload;
use crate::problem::{Outcome, Problem};
use crate::progress::{Counter, Step};
use archive::{Archive, Blob};
use documents::Documents;
use isobox_contract::{Context, Error, ErrorCode, ExportOptions, ExportedImage, LayerCompression, Result, Timestamp};
use isobox_registry::Reference;
use isobox_tree::IdShift;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use target::Target;

/// What to make an image from.
#[derive(Clone, Debug)]
pub struct Export {
    /// Its layers, the first at the bottom.
    pub layers: Vec<ExportLayer>,
    /// The config of the image that the first layers are from, as it came.
    pub config: Option<Vec<u8>>,
    /// When it was made.
    pub created: Timestamp,
    /// What the ids of files become; what is not in it belongs to nobody.
    pub users: Vec<IdShift>,
    /// The same for groups.
    pub groups: Vec<IdShift>,
}

/// What the files of a layer come from.
#[derive(Clone, Debug)]
pub enum LayerSource {
    /// An overlay's layer that nobody writes to, with overlayfs' books in `user.overlay.*`.
    Directory(PathBuf),
    /// A tar stream as layers are, which is taken as it is.
    Packed {
        /// The file that it is in.
        file: Arc<File>,
        /// Where it begins.
        offset: u64,
        /// Its bytes.
        size: u64,
    },
}

/// A layer of it.
#[derive(Clone, Debug)]
pub struct ExportLayer {
    /// Its files.
    pub from: LayerSource,
    /// Which layer of the image it is, where it is one.
    pub diff_id: Option<Digest>,
    /// Whose doing it is, in a few words, for the image's history.
    pub made_by: String,
}

/// Writes an image into the file `to`, which is replaced if it is there. When the future is dropped, nothing is left. The
/// events of `context` tell now and then how many bytes of files are in it.
///
/// # Errors
/// `invalid_spec` with the fields `path` and `reference` before anything is written; `unsupported` for what an image
/// cannot hold; `out_of_disk`, `io`.
pub async fn export(image: Export, to: &Path, options: &ExportOptions, context: &Context) -> Result<ExportedImage> {
    let reference = options.reference.as_deref().map(name).transpose()?;
    let (to, options) = (to.to_owned(), options.clone());
    let counter = Counter::new(context, Step::Export, None);
    offload(move |cancel| {
        let target = Target::prepare(&to)?;
        let how = How { options: &options, counter: &counter, cancel };
        let written = write(&image, reference.as_ref(), target, &how);
        written.map_err(|problem| explain(problem, &to))
    })
    .await
}

/// How an image is written.
struct How<'a> {
    options: &'a ExportOptions,
    counter: &'a Counter,
    cancel: &'a Cancel,
}

fn write(image: &Export, reference: Option<&Reference>, target: Target, how: &How<'_>) -> Outcome<ExportedImage> {
    let mut archive = Archive::new(target)?;
    let mut layers = Vec::with_capacity(image.layers.len());
    for from in &image.layers {
        layers.push(layer::write(&mut archive, image, from, how)?);
    }
    let documents = Documents::of(image, &layers, reference, how.options.compression == LayerCompression::Gzip)?;
    for blob in [&documents.config, &documents.manifest] {
        archive.blob(blob)?;
    }
    archive.file("index.json", &documents.index)?;
    archive.file("manifest.json", &documents.saved)?;
    how.cancel.check()?;
    Ok(ExportedImage {
        id: Digest::of(&documents.config).to_string(),
        digest: Digest::of(&documents.manifest).to_string(),
        reference: reference.map(ToString::to_string),
        layers: layers.into_iter().map(|layer| layer.diff_id.to_string()).collect(),
        size: archive.finish()?,
    })
}

/// A layer that was written.
struct Written {
    diff_id: Digest,
    blob: Blob,
}

fn name(text: &str) -> Result<Reference> {
    let field = "reference";
    let reference = Reference::parse(text).map_err(|error| match error.detail() {
        isobox_contract::Detail::InvalidSpec { reason, .. } => Error::invalid_spec(field, reason.clone()),
        _ => error,
    })?;
    match reference.digest() {
        None => Ok(reference),
        Some(_) => {
            let reason = "has a digest, which the image gets from its contents, give a name and a tag";
            Err(Error::invalid_spec(field, reason))
        }
    }
}

fn explain(problem: Problem, to: &Path) -> Error {
    let message = format!("cannot export the snapshot to {}: {problem}", to.display());
    match problem {
        Problem::Cancelled => Error::cancelled("snapshot.export"),
        Problem::Refused { .. } => Error::new(ErrorCode::Unsupported, message)
            .with_detail(isobox_contract::Detail::Unsupported { capability: "snapshots.export".into() }),
        Problem::Limit { what, max } => Error::limit_exceeded(format!("snapshots.export {what}"), max),
        Problem::Io { source, .. } => match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                let message = format!("{message}; free some space, or export to another disk");
                Error::new(ErrorCode::OutOfDisk, message).with_source(source)
            }
            io::ErrorKind::PermissionDenied => {
                let message = format!("{message}; make it readable for you, or export as root");
                Error::new(ErrorCode::PermissionDenied, message).with_source(source)
            }
            _ => Error::new(ErrorCode::Io, message).with_source(source),
        },
        _ => Error::new(ErrorCode::Io, message),
    }
}
