//! Images on this machine.
//!
//! An image is a stack of layers and a config. This crate takes them from registries, archives, layout folders and the local Docker,
//! unpacks each layer once into a directory that an overlay mounts, and keeps books of what is there and what is in use.
//!
//! ```text
//!   archive, folder ──▶ manifests, configs ──▶ choose ──▶ layers: unpack what is missing ──▶ image, names
//!                                                           └── one at a time for each, over all processes
//!   image ──▶ hold it for a sandbox ──▶ mount its stack
//! ```
//!
//! What it promises:
//! - **Contents are what was named.** The digests of manifests, configs and unpacked layers are checked.
//! - **Layers are hostile.** Nothing outside of a layer's directory is touched, and no layer can make more than the
//!   [`Limits`] allow.
//! - **A kill at any moment is fine.** What is half done has another name and is cleared away by the next.
//! - **What is used is there.** A use is a file that counts for as long as the sandbox's directory exists.

mod daemon;
mod decompress;
mod digest;
mod document;
mod export;
mod import;
mod limits;
mod offload;
mod pipe;
mod platform;
mod problem;
mod progress;
mod pull;
mod service;
mod source;
mod store;
mod tar;
mod unpack;

pub use digest::{Digest, ParseDigestError};
pub use document::RunDefaults;
pub use export::{Export, ExportLayer, LayerSource, export};
pub use limits::Limits;
pub use platform::Platform;
pub use service::LocalImages;
pub use store::{Hold, Image, Named, Part};
pub use unpack::{Owned, OwnerList, Owners, Range};
