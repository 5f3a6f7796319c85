//! Manifests and indexes, as OCI and Docker (schema 2) write them. Pure: bytes in, checked data out.
//!
//! ```text
//!   index ──▶ manifest of a platform ──▶ config, layers        all by digest and size
//! ```
//!
//! Nothing that comes out needs to be checked again: digests can be verified, layers are of kinds that can be unpacked
//! and are in the registry itself, counts are bounded.

mod media;

pub use media::Compression;
pub(crate) use media::MANIFESTS;

use crate::digest::Digest;
use crate::platform::Platform;
use media::LayerKind;
use oci_spec::image::{Descriptor, ImageIndex, ImageManifest};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::fmt;

/// Docker stops at 127 layers, and overlayfs at 500.
const MOST_LAYERS: usize = 500;
/// Real indexes have some dozens of entries.
const MOST_ENTRIES: usize = 2000;

/// Something in a registry that can be fetched and verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// What it must hash to.
    pub digest: Digest,
    /// Its bytes, exactly.
    pub size: u64,
    /// What it says it is, such as `application/vnd.oci.image.layer.v1.tar+gzip`.
    pub media_type: String,
}

/// One layer of an image, as it is in the registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Where it is.
    pub blob: Blob,
    /// How its tar archive is compressed, as its media type says.
    pub compression: Compression,
}

/// What a registry answers when it is asked for a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Document {
    /// Manifests to choose from.
    Index(Vec<Entry>),
    /// One image.
    Image(Manifest),
}

/// One image: its config and its layers, lowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// Its config.
    pub config: Blob,
    /// Its layers, the lowest first.
    pub layers: Vec<Layer>,
}

/// One manifest of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it is.
    pub blob: Blob,
    /// What it is for; `None` when the index does not say.
    pub platform: Option<Platform>,
}

/// Why bytes are no manifest that can be used. `Display` completes the sentence "the manifest ...".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Defect {
    /// It is not JSON, or not of the right shape.
    Malformed {
        /// What could not be read.
        what: &'static str,
        /// Where.
        line: usize,
        /// Where in the line.
        column: usize,
    },
    /// It is of Docker's first format.
    SchemaOne,
    /// It is neither an index nor an image, or both.
    Ambiguous,
    /// A digest cannot be verified.
    Digest(String),
    /// It is something else than the image of a container.
    NotAnImage(String),
    /// A layer is not in the registry.
    Foreign(Digest),
    /// A layer is of a kind that cannot be unpacked.
    Layer(String),
    /// It lists too much.
    TooMany(&'static str, usize),
}

impl Defect {
    /// Whether the image is sound and of a kind that this library does not take.
    pub(crate) fn is_unsupported(&self) -> bool {
        matches!(self, Defect::SchemaOne | Defect::NotAnImage(_) | Defect::Foreign(_) | Defect::Layer(_))
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::Malformed { what, line, column } => {
                write!(f, "is not {what}: line {line}, column {column}")
            }
            Defect::SchemaOne => f.write_str(
                "is of Docker's first format (schema 1), which no current tool makes: push the image again with one",
            ),
            Defect::Ambiguous => f.write_str("is neither an index nor an image"),
            Defect::Digest(shown) => {
                write!(f, "names {shown}, which is no sha256 or sha512 digest and cannot be verified")
            }
            Defect::NotAnImage(shown) => write!(f, "is not that of a container image but of {shown}"),
            Defect::Foreign(digest) => write!(
                f,
                "has the foreign layer {digest}, which is not in the registry but at addresses that the image names: \
                 push the image again with its layers"
            ),
            Defect::Layer(shown) => {
                write!(f, "has a layer of the kind {shown}, only tar archives, plain or with gzip or zstd, are taken")
            }
            Defect::TooMany(what, most) => write!(f, "has more than {most} {what}"),
        }
    }
}

/// What tells the kinds of documents apart.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shape {
    #[serde(default)]
    schema_version: Option<u64>,
    #[serde(default)]
    manifests: Option<IgnoredAny>,
    #[serde(default)]
    layers: Option<IgnoredAny>,
    #[serde(default)]
    config: Option<IgnoredAny>,
    #[serde(default)]
    fs_layers: Option<IgnoredAny>,
}

impl Document {
    /// Reads a manifest or an index. The structure decides which it is, not the media type that somebody claims.
    pub fn parse(bytes: &[u8]) -> Result<Self, Defect> {
        let shape: Shape = read(bytes, "JSON")?;
        if shape.schema_version == Some(1) || shape.fs_layers.is_some() {
            return Err(Defect::SchemaOne);
        }
        match (shape.manifests, shape.layers.or(shape.config)) {
            (Some(_), None) => index(&read(bytes, "an image index")?),
            (None, Some(_)) => image(&read(bytes, "an image manifest")?),
            _ => Err(Defect::Ambiguous),
        }
    }
}

/// Only the place of an error is passed on: its text quotes the document.
fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8], what: &'static str) -> Result<T, Defect> {
    serde_json::from_slice(bytes).map_err(|error| Defect::Malformed {
        what,
        line: error.line(),
        column: error.column(),
    })
}

fn index(index: &ImageIndex) -> Result<Document, Defect> {
    if index.manifests().len() > MOST_ENTRIES {
        return Err(Defect::TooMany("manifests", MOST_ENTRIES));
    }
    let entry = |descriptor: &Descriptor| {
        let platform = descriptor.platform().as_ref();
        let platform = platform
            .map(|p| Platform::normal(&p.os().to_string(), &p.architecture().to_string(), p.variant().as_deref()));
        Ok(Entry { blob: blob(descriptor)?, platform })
    };
    index.manifests().iter().map(entry).collect::<Result<_, _>>().map(Document::Index)
}

fn image(manifest: &ImageManifest) -> Result<Document, Defect> {
    if manifest.layers().len() > MOST_LAYERS {
        return Err(Defect::TooMany("layers", MOST_LAYERS));
    }
    let config = blob(manifest.config())?;
    if !media::is_config(&config.media_type) {
        return Err(Defect::NotAnImage(crate::text::shown(&config.media_type)));
    }
    let layers = manifest.layers().iter().map(layer).collect::<Result<_, _>>()?;
    Ok(Document::Image(Manifest { config, layers }))
}

fn layer(descriptor: &Descriptor) -> Result<Layer, Defect> {
    let blob = blob(descriptor)?;
    if descriptor.urls().as_ref().is_some_and(|urls| !urls.is_empty()) {
        return Err(Defect::Foreign(blob.digest));
    }
    match media::layer(&blob.media_type) {
        LayerKind::Tar(compression) => Ok(Layer { blob, compression }),
        LayerKind::Foreign => Err(Defect::Foreign(blob.digest)),
        LayerKind::Unknown => Err(Defect::Layer(crate::text::shown(&blob.media_type))),
    }
}

fn blob(descriptor: &Descriptor) -> Result<Blob, Defect> {
    let digest = descriptor.digest().as_ref();
    let digest = digest.parse().map_err(|_| Defect::Digest(crate::text::shown(digest)))?;
    Ok(Blob { digest, size: descriptor.size(), media_type: descriptor.media_type().to_string() })
}
