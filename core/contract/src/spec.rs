//! What a sandbox is made from and like.
//!
//! A provider does exactly what the spec says, or refuses before anything has started. What is left out is the default
//! that the field names. [`SandboxSpec::validate`] finds what is wrong everywhere, [`SandboxSpec::validate_against`]
//! what is wrong for one provider; both name the field and the way out.

mod lifetimes;
mod mounts;
mod network;
mod options;
mod resources;
mod secrets;
mod source;
mod validate;
mod validate_against;

pub use lifetimes::{Expiry, Lifetimes, Owner};
pub use mounts::{Mount, MountSource, VolumeMount};
pub use network::{AllowRule, Destination, NetworkPolicy, ParseRuleError};
pub use options::{
    DaytonaDocker, DaytonaOptions, DiskBacking, DockerOptions, HostOptions, KubernetesOptions, NamespaceOptions,
    NamespaceUsers, PluginOptions, ProviderOptions, RemoteOptions, Sidecar, SidecarHealth,
};
pub use resources::{ParseSizeError, Resources, parse_size};
pub use secrets::{Secret, SecretDelivery, SecretValue};
pub use source::{DockerfileText, ImageSource, PullPolicy, RegistryAuth, Source, WorkspaceOwnership};

use crate::isolation::{Isolation, SandboxKind};
use crate::path::SandboxPath;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Names and values that a backend keeps with a thing. Not for secrets.
pub type Labels = BTreeMap<String, String>;

/// What a sandbox is made from and like. `Debug` shows no environment values and no secrets.
///
/// ```
/// use isobox_contract::{SandboxSpec, Source};
/// let spec = SandboxSpec::new(Source::image("alpine:3.22")).env("LANG", "C.UTF-8");
/// assert!(spec.validate().is_ok());
/// ```
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SandboxSpec {
    /// A name, unique among live sandboxes; none by default.
    pub name: Option<String>,
    /// What it is made from.
    pub source: Source,
    /// Its limits.
    pub resources: Resources,
    /// Variables for every command.
    pub env: BTreeMap<String, String>,
    /// Labels.
    pub labels: Labels,
    /// The user that commands run as: a name, `uid`, `uid:gid` or `name:group`; the image's by default.
    pub user: Option<String>,
    /// The working directory, absolute, which must be there; the image's by default.
    pub workdir: Option<SandboxPath>,
    /// What it may reach; nothing by default.
    pub network: NetworkPolicy,
    /// Ports that will be asked for; backends that must know beforehand open these.
    pub ports: Vec<u16>,
    /// Directories of this machine and memory filesystems.
    pub mounts: Vec<Mount>,
    /// Volumes.
    pub volumes: Vec<VolumeMount>,
    /// Secrets.
    pub secrets: Vec<Secret>,
    /// How long it may exist.
    #[serde(flatten)]
    pub lifetimes: Lifetimes,
    /// Whether it dies with this process.
    pub owner: Owner,
    /// The least isolation that is accepted.
    pub isolation: Isolation,
    /// The kind that it must be of.
    pub kind: Option<SandboxKind>,
    /// Run the image's own entrypoint, with its command, beside the agent once the sandbox is made; no by default. It is a
    /// process like any other: listed, with its output kept, and its end is not that of the sandbox.
    pub entrypoint: bool,
    /// Where it is made.
    pub region: Option<String>,
    /// Whether previews need no credential; the provider's default when left out.
    pub public: Option<bool>,
    /// Remove it when it is stopped.
    pub ephemeral: bool,
    /// What only one provider knows.
    pub options: Option<ProviderOptions>,
}

impl SandboxSpec {
    /// A spec with every default.
    pub fn new(source: Source) -> Self {
        Self { source, ..Self::default() }
    }

    /// Sets the name.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets a variable.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.insert(name.into(), value.into());
        self
    }

    /// Sets a label.
    pub fn label(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.labels.insert(name.into(), value.into());
        self
    }

    /// Sets what it may reach.
    pub fn network(mut self, network: NetworkPolicy) -> Self {
        self.network = network;
        self
    }

    /// Sets how long it may exist.
    pub fn lifetimes(mut self, lifetimes: Lifetimes) -> Self {
        self.lifetimes = lifetimes;
        self
    }

    /// Lets it live on without this process. Give it a lifetime too.
    pub fn detached(mut self) -> Self {
        self.owner = Owner::Detached;
        self
    }

    /// The spec without the values of secrets and the passwords of registries, for records.
    pub fn redacted(&self) -> Self {
        let mut spec = self.clone();
        spec.secrets.iter_mut().for_each(|secret| secret.value = SecretValue::new(""));
        if let Source::Image(image) = &mut spec.source {
            image.auth = None;
        }
        if let Some(options) = &mut spec.options {
            options.redact();
        }
        spec
    }

    /// Sets its limits.
    pub fn resources(mut self, resources: Resources) -> Self {
        self.resources = resources;
        self
    }
}

impl fmt::Debug for SandboxSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SandboxSpec")
            .field("name", &self.name)
            .field("source", &self.source)
            .field("resources", &self.resources)
            .field("env_names", &self.env.keys().collect::<Vec<_>>())
            .field("labels", &self.labels)
            .field("user", &self.user)
            .field("workdir", &self.workdir)
            .field("network", &self.network)
            .field("ports", &self.ports)
            .field("mounts", &self.mounts)
            .field("volumes", &self.volumes)
            .field("secrets", &self.secrets)
            .field("lifetimes", &self.lifetimes)
            .field("owner", &self.owner)
            .field("isolation", &self.isolation)
            .field("kind", &self.kind)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
