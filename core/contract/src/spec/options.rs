//! What only one provider knows. The types live here so that a client on the wire needs no provider's code. Unknown
//! keys are refused.

use super::{Labels, RegistryAuth};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use crate::time::optional_millis;
use crate::words::words;

/// Options of one provider. Options of another than the one that makes the sandbox are refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ProviderOptions {
    /// For `host`.
    Host(HostOptions),
    /// For `namespace`.
    Namespace(NamespaceOptions),
    /// For `docker`.
    Docker(Box<DockerOptions>),
    /// For `kubernetes`.
    Kubernetes(Box<KubernetesOptions>),
    /// For `daytona`.
    Daytona(Box<DaytonaOptions>),
    /// For `remote`.
    Remote(RemoteOptions),
    /// For any plugin.
    Plugin(PluginOptions),
}

impl ProviderOptions {
    /// The kind of provider that they are for; none for a plugin, which has a kind of its own.
    pub fn provider(&self) -> Option<crate::ProviderKind> {
        use crate::ProviderKind as Kind;
        match self {
            ProviderOptions::Host(_) => Some(Kind::HOST),
            ProviderOptions::Namespace(_) => Some(Kind::NAMESPACE),
            ProviderOptions::Docker(_) => Some(Kind::DOCKER),
            ProviderOptions::Kubernetes(_) => Some(Kind::KUBERNETES),
            ProviderOptions::Daytona(_) => Some(Kind::DAYTONA),
            ProviderOptions::Remote(_) => Some(Kind::REMOTE),
            ProviderOptions::Plugin(_) => None,
        }
    }
}

impl ProviderOptions {
    /// Takes every credential out.
    pub(super) fn redact(&mut self) {
        let sidecars = match self {
            ProviderOptions::Docker(docker) => &mut docker.sidecars,
            ProviderOptions::Daytona(daytona) => match &mut daytona.nested_docker {
                Some(nested) => &mut nested.options.sidecars,
                None => return,
            },
            ProviderOptions::Remote(remote) => {
                return remote.options.iter_mut().for_each(|options| options.redact());
            }
            // What a plugin understands nobody else does, so nothing of it can be told to be harmless.
            ProviderOptions::Plugin(plugin) => return plugin.config.clear(),
            ProviderOptions::Host(_) | ProviderOptions::Namespace(_) | ProviderOptions::Kubernetes(_) => return,
        };
        sidecars.iter_mut().for_each(|sidecar| sidecar.auth = None);
    }
}

/// Options of the host provider.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HostOptions {
    /// Variables of this process that commands get beside the safe ones.
    pub inherit_env: Vec<String>,
}

/// Options of the namespace provider.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NamespaceOptions {
    /// The host name inside.
    pub hostname: Option<String>,
    /// Bytes of `/dev/shm`.
    pub shm_size: Option<u64>,
    /// Make the root filesystem read-only. `/tmp`, `/var/tmp` and `/run` are then filesystems in memory of 64 MiB;
    /// mounts are as they say.
    pub read_only_root: bool,
    /// Let processes make user namespaces, and mount and have all capabilities in them, as a browser's or a container
    /// engine's own sandbox needs. Opens much more of the kernel to attacks; off by default.
    pub nested_user_namespaces: bool,
    /// Which users there can be beside its root.
    pub users: NamespaceUsers,
    /// What the limit of disk, [`Resources::disk`](super::Resources::disk), is enforced by; [`DiskBacking::Quota`] when absent.
    pub disk_backing: Option<DiskBacking>,
}

words! {
    /// What enforces a limit of disk.
    pub enum DiskBacking {
        /// What the sandbox writes is kept in a memory filesystem of that size. It counts as memory of whoever writes it, and
        /// does not outlive the sandbox, which therefore cannot be stopped and started. Needs Linux 6.6.
        Tmpfs = "tmpfs",
        /// What the sandbox writes is kept in a disk image of that size, of which the machine's disk holds what is written.
        /// A part of it, of about a twentieth, is for the filesystem's own use. Needs root, loop devices and `mkfs.ext4`; at
        /// least 4 MiB.
        Loop = "loop",
        /// A project quota of the filesystem that isobox's directory is on, which is what a limit without a backing is
        /// enforced by. It can be changed while the sandbox runs. Needs root and a filesystem that is mounted with
        /// `prjquota`.
        Quota = "quota",
    }
}

words! {
    /// Which users a namespace sandbox can have beside its root.
    #[derive(Default)]
    pub enum NamespaceUsers {
        /// As root 0 to 65535. As an ordinary user the same, made of the subordinate ids in `/etc/subuid` and
        /// `/etc/subgid`, for a sandbox with a user of its own or from an image, which likely needs them; one id
        /// otherwise, and where there are no such ids.
        #[default]
        Auto = "auto",
        /// Its root alone: files cannot be given to others, and commands run as nobody else.
        Single = "single",
        /// 0 to 65535; refused where that cannot be.
        Range = "range",
    }
}

/// Options of the Docker provider.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DockerOptions {
    /// The runtime, such as `runsc` or `kata`.
    pub runtime: Option<String>,
    /// All privileges. Ends all isolation.
    pub privileged: bool,
    /// The machine's own network. Conflicts with every policy but the provider's default.
    pub host_network: bool,
    /// A network that exists.
    pub network: Option<String>,
    /// Names and addresses for `/etc/hosts`.
    pub extra_hosts: BTreeMap<String, IpAddr>,
    /// Name servers.
    pub dns: Vec<IpAddr>,
    /// Capabilities to add.
    pub cap_add: Vec<String>,
    /// Capabilities to drop.
    pub cap_drop: Vec<String>,
    /// Security options.
    pub security_opt: Vec<String>,
    /// Bytes of `/dev/shm`.
    pub shm_size: Option<u64>,
    /// Limits as `name=soft:hard`.
    pub ulimits: Vec<String>,
    /// Devices as `host[:container[:rwm]]`.
    pub devices: Vec<String>,
    /// Kernel parameters.
    pub sysctls: BTreeMap<String, String>,
    /// The host name inside.
    pub hostname: Option<String>,
    /// The working directory is a volume of the sandbox's own, which begins with what the image has there and goes with the sandbox.
    /// One-shots see it; snapshots and copies are refused, since they would be without it.
    pub workspace_volume: bool,
    /// Containers beside it.
    pub sidecars: Vec<Sidecar>,
}

/// A container beside a sandbox, reachable from it by its name.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sidecar {
    /// Its name, and its host name for the sandbox.
    pub name: String,
    /// Its image.
    pub image: String,
    /// The credential for its registry.
    pub auth: Option<RegistryAuth>,
    /// Its environment.
    pub env: BTreeMap<String, String>,
    /// Its program; the image's by default.
    pub entrypoint: Vec<String>,
    /// Its arguments; the image's by default.
    pub command: Vec<String>,
    /// Its user.
    pub user: Option<String>,
    /// Name servers.
    pub dns: Vec<IpAddr>,
    /// Capabilities to add.
    pub cap_add: Vec<String>,
    /// All privileges.
    pub privileged: bool,
    /// When it counts as ready; at once by default.
    pub health: Option<SidecarHealth>,
}

impl fmt::Debug for Sidecar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sidecar").field("name", &self.name).field("image", &self.image).finish_non_exhaustive()
    }
}

/// When a sidecar counts as ready; the meaning of the fields is Docker's.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SidecarHealth {
    /// The command that succeeds then.
    pub command: Vec<String>,
    /// How often it is run.
    #[serde(rename = "interval_ms", with = "optional_millis")]
    pub interval: Option<Duration>,
    /// How long it may take.
    #[serde(rename = "timeout_ms", with = "optional_millis")]
    pub timeout: Option<Duration>,
    /// How often it may fail.
    pub retries: Option<u32>,
    /// How long failures do not count.
    #[serde(rename = "start_period_ms", with = "optional_millis")]
    pub start_period: Option<Duration>,
}

impl fmt::Debug for SidecarHealth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SidecarHealth").field("interval", &self.interval).finish_non_exhaustive()
    }
}

/// Options of the Kubernetes provider.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KubernetesOptions {
    /// The namespace; the configured one by default.
    pub namespace: Option<String>,
    /// The RuntimeClass.
    pub runtime_class: Option<String>,
    /// The service account.
    pub service_account: Option<String>,
    /// Labels that the node must have.
    pub node_selector: Labels,
    /// Tolerations, as in a pod.
    pub tolerations: Vec<serde_json::Value>,
    /// Secrets for the image's registry.
    pub image_pull_secrets: Vec<String>,
    /// The priority class.
    pub priority_class: Option<String>,
    /// Annotations of the pod.
    pub annotations: Labels,
    /// The storage class of the workspace.
    pub storage_class: Option<String>,
}

/// Options of the Daytona provider.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DaytonaOptions {
    /// The proxy for outgoing requests.
    pub outbound_proxy: Option<String>,
    /// Run a Docker engine in the sandbox, and work in this image there.
    pub nested_docker: Option<DaytonaDocker>,
}

/// A Docker engine in a Daytona sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DaytonaDocker {
    /// The image of the container to work in.
    pub image: String,
    /// Its user.
    #[serde(default)]
    pub user: Option<String>,
    /// Options as for Docker; binds and the machine's own network are refused.
    #[serde(default)]
    pub options: DockerOptions,
}

/// Options of the remote provider.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RemoteOptions {
    /// The provider that the server uses; its default when left out.
    pub provider: Option<String>,
    /// Options for that provider.
    pub options: Option<Box<ProviderOptions>>,
}

/// Options of a plugin: whatever it understands, which it checks itself. `Debug` shows the names only.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PluginOptions {
    /// Its `provider_config`.
    pub config: serde_json::Map<String, serde_json::Value>,
}

impl fmt::Debug for PluginOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PluginOptions").field(&self.config.keys().collect::<Vec<_>>()).finish()
    }
}
