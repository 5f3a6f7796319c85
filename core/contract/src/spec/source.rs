//! What a sandbox is made from.

use crate::ids::ExternalId;
use crate::words::words;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// What a sandbox is made from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Source {
    /// What the provider uses when nothing is said, without a download where it can.
    #[default]
    Default,
    /// An image.
    Image(ImageSource),
    /// A Dockerfile.
    Dockerfile {
        /// Its text.
        content: DockerfileText,
        /// The directory of this machine that it copies from; nothing by default.
        #[serde(default)]
        context: Option<PathBuf>,
    },
    /// A snapshot.
    Snapshot {
        /// The backend's id for it.
        snapshot: ExternalId,
    },
    /// A directory of this machine as the workspace.
    HostDirectory {
        /// Which; a new one in the provider's own place by default, which is then managed.
        #[serde(default)]
        path: Option<PathBuf>,
        /// Whether it is removed with the sandbox.
        ownership: WorkspaceOwnership,
    },
    /// A directory of this machine as the root filesystem. It is never written to.
    Rootfs {
        /// Which.
        path: PathBuf,
    },
    /// An archive of an image on this machine, as `docker save` and OCI tools write it.
    Archive {
        /// Which.
        path: PathBuf,
        /// The image in it, when there are several.
        #[serde(default)]
        reference: Option<String>,
    },
    /// A read-only view of this machine's own programs, with nothing of its users' files.
    Host,
}

impl Source {
    /// An image by its reference.
    pub fn image(reference: impl Into<String>) -> Self {
        Source::Image(ImageSource { reference: reference.into(), ..ImageSource::default() })
    }
}

/// The text of a Dockerfile. `Debug` shows its length only: people write credentials into them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DockerfileText(String);

impl DockerfileText {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<T: Into<String>> From<T> for DockerfileText {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl fmt::Debug for DockerfileText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

/// An image and how to get it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImageSource {
    /// Its reference, such as `alpine:3.22` or `registry.example.com/base@sha256:...`.
    pub reference: String,
    /// When it is fetched.
    pub pull: PullPolicy,
    /// For which platform, such as `linux/arm64`; this machine's by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// The credential for its registry; what the provider is configured with by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<RegistryAuth>,
}

words! {
    /// When an image is fetched.
    #[derive(Default)]
    pub enum PullPolicy {
        /// When it is not there.
        #[default]
        Missing = "missing",
        /// Always, when the registry has another one.
        Always = "always",
        /// Never: `image_not_found` when it is not there.
        Never = "never",
    }
}

/// A credential for a registry. `Debug` shows the server only.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegistryAuth {
    /// The user.
    pub username: String,
    /// The password or token.
    pub password: String,
    /// The registry's host; the image's by default.
    #[serde(default)]
    pub server: Option<String>,
}

impl fmt::Debug for RegistryAuth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RegistryAuth").field("server", &self.server).finish_non_exhaustive()
    }
}

words! {
    /// Whose a workspace directory is.
    pub enum WorkspaceOwnership {
        /// The caller's: never removed.
        Designated = "designated",
        /// The provider's: made if it is not there, and removed with the sandbox.
        Managed = "managed",
    }
}
