//! A client of image registries: reads references, resolves them, fetches what they consist of.
//!
//! ```text
//!   Reference ──▶ Registry::pull ──▶ Pull::resolve ──▶ manifest, config
//!                                         Pull::fetch ──▶ a verified file, for each layer
//! ```
//!
//! What it promises:
//! - Everything that a digest names is verified against it before it is read, or before it counts as fetched.
//! - Everything that comes from outside is bounded: sizes, counts, redirects, headers, the output of helpers; and every
//!   wait has a limit of its own, besides the caller's deadline.
//! - A fetch that broke off goes on where it stopped, in this process and in a later one.
//! - Credentials go to the registry that they are for, and to the token server that it names. They are in no message.
//! - A failure says whose it is.
//! - Dropping any future leaves nothing but the partial file.
//!
//! # Errors
//!
//! `image_not_found` when the registry does not know the image, or not for that platform; `unauthenticated` and
//! `permission_denied` with the name of the registry; `rate_limited` with the time to wait; `image_pull_failed` for
//! everything that is the registry's or the network's fault, retryable when it may pass; `timeout` for the caller's
//! deadline; `invalid_spec` for references and configurations.
//!
//! # Examples
//!
//! ```no_run
//! # async fn example() -> isobox_contract::Result<()> {
//! use isobox_registry::{Reference, Registry, RegistryConfig};
//!
//! let registry = Registry::new(RegistryConfig::load("/home/me/.local/share/isobox".as_ref())?)?;
//! let pull = registry.pull(&Reference::parse("alpine:3.22")?, None)?;
//! let image = pull.resolve(None, None).await?;
//! for layer in &image.manifest.layers {
//!     let partial = std::env::temp_dir().join(layer.blob.digest.hex());
//!     pull.fetch(&layer.blob, &partial, &|bytes| println!("{bytes}"), None).await?;
//! }
//! # Ok(())
//! # }
//! ```

mod challenge;
mod config;
mod credentials;
#[doc(hidden)]
pub mod decode;
mod digest;
mod document;
mod endpoint;
mod failure;
mod fetch;
mod manifest;
mod partial;
mod platform;
mod progress;
mod pull;
mod reference;
mod resolve;
mod retry;
mod session;
mod text;
mod token;
mod transport;

pub use config::{
    DOCKER_CONFIG, FILE_NAME, ISOBOX_REGISTRY_CA_FILE, ISOBOX_REGISTRY_CONFIG, ISOBOX_REGISTRY_INSECURE,
    ISOBOX_REGISTRY_MIRRORS, RegistryConfig,
};
pub use credentials::{Credential, credential};
pub use digest::{Algorithm, Digest};
pub use fetch::Fetched;
pub use manifest::{Blob, Compression, Defect, Document, Entry, Layer, Manifest};
pub use platform::Platform;
pub use progress::{LayerProgress, Watcher};
pub use pull::{Pull, Registry};
pub use reference::Reference;
pub use resolve::Resolved;
