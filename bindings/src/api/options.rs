//! What a sandbox is made from and like.

use super::network::addresses;
use super::{Expiry, Isolation, NetworkPolicy};
use crate::cross::{Cross, words};
use crate::{Lifetime, LocalPath, Path, Size};
use isobox::{Error, ImageSource, SandboxBuilder, Source};
use std::collections::BTreeMap;
use std::time::Duration;

/// When an image is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PullPolicy {
    /// When it is not there.
    Missing,
    /// Always, when the registry has another one.
    Always,
    /// Never.
    Never,
}

words!(PullPolicy, isobox::PullPolicy { Missing, Always, Never } else Missing);

/// A credential for a registry.
#[derive(Clone)]
pub struct RegistryAuth {
    /// The user.
    pub username: String,
    /// The password or token.
    pub password: String,
    /// The registry's host; that of the image by default.
    pub server: Option<String>,
}

impl Cross<isobox::RegistryAuth> for RegistryAuth {
    fn cross(self) -> isobox::RegistryAuth {
        let Self { username, password, server } = self;
        isobox::RegistryAuth { username, password, server }
    }
}

/// Something that is mounted in a sandbox.
#[derive(Clone, Debug)]
pub enum Mount {
    /// A directory or file of this machine. Files that the sandbox makes in it belong to the caller.
    Bind {
        /// Which.
        source: LocalPath,
        /// Where in the sandbox, absolute.
        target: Path,
        /// Whether nothing can be written.
        read_only: bool,
    },
    /// A filesystem in memory.
    Tmpfs {
        /// Where in the sandbox, absolute.
        target: Path,
        /// Its size at most; the provider's default when left out.
        size: Option<Size>,
        /// Its permission bits; 0o1777 when left out.
        mode: Option<u32>,
    },
}

impl Mount {
    fn parsed(self) -> isobox::Result<isobox::Mount> {
        Ok(match self {
            Mount::Bind { source, target, read_only } => {
                let mount = isobox::Mount::bind(source.0, target.0);
                if read_only { mount.read_only() } else { mount }
            }
            Mount::Tmpfs { target, size, mode } => {
                let mount = isobox::Mount::tmpfs(target.0);
                let size = size.map(|size| size.bytes("mounts.size")).transpose()?;
                let mount = size.map_or(mount.clone(), |size| mount.size(size));
                mode.map_or(mount.clone(), |mode| mount.mode(mode))
            }
        })
    }
}

/// A volume in a sandbox.
#[derive(Clone, Debug)]
pub struct VolumeMount {
    /// Its name or id.
    pub volume: String,
    /// Where in the sandbox, absolute.
    pub target: Path,
    /// Which part of it, relative; all by default.
    pub subpath: Option<Path>,
    /// Whether nothing can be written.
    pub read_only: bool,
}

impl VolumeMount {
    fn parsed(self) -> isobox::Result<isobox::VolumeMount> {
        let problem = |error| Error::invalid_spec("volumes.volume", format!("is no name of a volume: {error}"));
        let mount = isobox::VolumeMount::new(self.volume.parse().map_err(problem)?, self.target.0);
        Ok(isobox::VolumeMount { subpath: self.subpath.cross(), read_only: self.read_only, ..mount })
    }
}

/// How a secret gets to whom it is for.
#[derive(Clone, Debug)]
pub enum SecretDelivery {
    /// The sandbox sees a placeholder; outside of it the value replaces it in requests to these hosts, and to no other.
    Hosts {
        /// Host names, exact or with a leading `*.`; at least one.
        hosts: Vec<String>,
    },
    /// The sandbox sees the value.
    Exposed,
    /// The sandbox sees a file that only its user can read.
    File {
        /// Where, absolute.
        path: Path,
    },
}

/// A secret for a sandbox. No text form of it shows the value.
#[derive(Clone)]
pub struct Secret {
    /// The environment variable that holds the placeholder, the value, or the path of the file.
    pub env: String,
    /// The value.
    pub value: String,
    /// How it gets there.
    pub delivery: SecretDelivery,
}

impl Cross<isobox::Secret> for Secret {
    fn cross(self) -> isobox::Secret {
        let delivery = match self.delivery {
            SecretDelivery::Hosts { hosts } => isobox::SecretDelivery::Hosts { hosts },
            SecretDelivery::Exposed => isobox::SecretDelivery::Exposed,
            SecretDelivery::File { path } => isobox::SecretDelivery::File { path: path.cross() },
        };
        isobox::Secret { env: self.env, value: isobox::SecretValue::new(self.value), delivery }
    }
}

/// Which users a namespace sandbox can have beside its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamespaceUsers {
    /// As many as there can be and are needed.
    Auto,
    /// Its root alone.
    Single,
    /// 0 to 65535; refused where that cannot be.
    Range,
}

words!(NamespaceUsers, isobox::NamespaceUsers { Auto, Single, Range } else Auto);

/// What enforces a limit of disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskBacking {
    /// A filesystem in memory of that size.
    Tmpfs,
    /// A disk image of that size.
    Loop,
    /// A project quota.
    Quota,
}

words!(DiskBacking, isobox::DiskBacking { Tmpfs, Loop, Quota } else Quota);

/// What only the namespace provider knows.
#[derive(Clone, Debug, Default)]
pub struct NamespaceOptions {
    /// The host name inside.
    pub hostname: Option<String>,
    /// The size of `/dev/shm`.
    pub shm_size: Option<Size>,
    /// Make the root filesystem read-only.
    pub read_only_root: bool,
    /// Let processes make user namespaces, as a browser's or a container engine's own sandbox needs.
    pub nested_user_namespaces: bool,
    /// Which users there can be beside its root.
    pub users: Option<NamespaceUsers>,
    /// What the limit of disk is enforced by; a quota by default.
    pub disk_backing: Option<DiskBacking>,
}

impl NamespaceOptions {
    fn parsed(self) -> isobox::Result<isobox::NamespaceOptions> {
        Ok(isobox::NamespaceOptions {
            hostname: self.hostname,
            shm_size: size("options.shm_size", self.shm_size)?,
            read_only_root: self.read_only_root,
            nested_user_namespaces: self.nested_user_namespaces,
            users: self.users.map(Cross::cross).unwrap_or_default(),
            disk_backing: self.disk_backing.cross(),
        })
    }
}

/// What only the host provider knows.
#[derive(Clone, Debug, Default)]
pub struct HostOptions {
    /// Variables of this process that commands get beside the safe ones.
    pub inherit_env: Vec<String>,
}

/// What only the Docker provider knows.
#[derive(Clone, Debug, Default)]
pub struct DockerOptions {
    /// The runtime, such as `runsc` or `kata`.
    pub runtime: Option<String>,
    /// All privileges. Ends all isolation.
    pub privileged: bool,
    /// The machine's own network.
    pub host_network: bool,
    /// A network that exists.
    pub network: Option<String>,
    /// Names and addresses for `/etc/hosts`.
    pub extra_hosts: BTreeMap<String, String>,
    /// The addresses of name servers.
    pub dns: Vec<String>,
    /// Capabilities to add.
    pub cap_add: Vec<String>,
    /// Capabilities to drop.
    pub cap_drop: Vec<String>,
    /// Security options.
    pub security_opt: Vec<String>,
    /// The size of `/dev/shm`.
    pub shm_size: Option<Size>,
    /// Limits as `name=soft:hard`.
    pub ulimits: Vec<String>,
    /// Devices as `host[:container[:rwm]]`.
    pub devices: Vec<String>,
    /// Kernel parameters.
    pub sysctls: BTreeMap<String, String>,
    /// The host name inside.
    pub hostname: Option<String>,
    /// The working directory is a volume of the sandbox's own.
    pub workspace_volume: bool,
    /// Containers beside it.
    pub sidecars: Vec<Sidecar>,
}

impl DockerOptions {
    fn parsed(self) -> isobox::Result<isobox::DockerOptions> {
        let host = |(name, address): (String, String)| {
            let addresses = addresses("options.extra_hosts", std::slice::from_ref(&address))?;
            Ok(addresses.into_iter().map(|address| (name.clone(), address)).collect::<Vec<_>>())
        };
        let hosts: isobox::Result<Vec<_>> = self.extra_hosts.into_iter().map(host).collect();
        let sidecars: isobox::Result<Vec<_>> = self.sidecars.into_iter().map(Sidecar::parsed).collect();
        Ok(isobox::DockerOptions {
            runtime: self.runtime,
            privileged: self.privileged,
            host_network: self.host_network,
            network: self.network,
            extra_hosts: hosts?.into_iter().flatten().collect(),
            dns: addresses("options.dns", &self.dns)?,
            cap_add: self.cap_add,
            cap_drop: self.cap_drop,
            security_opt: self.security_opt,
            shm_size: size("options.shm_size", self.shm_size)?,
            ulimits: self.ulimits,
            devices: self.devices,
            sysctls: self.sysctls,
            hostname: self.hostname,
            workspace_volume: self.workspace_volume,
            sidecars: sidecars?,
        })
    }
}

/// A container beside a sandbox, reachable from it by its name.
#[derive(Clone)]
pub struct Sidecar {
    /// Its name, and its host name for the sandbox.
    pub name: String,
    /// Its image.
    pub image: String,
    /// The credential for its registry.
    pub auth: Option<RegistryAuth>,
    /// Its environment.
    pub env: BTreeMap<String, String>,
    /// Its program; that of the image by default.
    pub entrypoint: Vec<String>,
    /// Its arguments; those of the image by default.
    pub command: Vec<String>,
    /// Its user.
    pub user: Option<String>,
    /// When it counts as ready; at once by default.
    pub health: Option<SidecarHealth>,
}

impl std::fmt::Debug for Sidecar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sidecar").field("name", &self.name).field("image", &self.image).finish_non_exhaustive()
    }
}

impl Sidecar {
    fn parsed(self) -> isobox::Result<isobox::Sidecar> {
        let health = self.health.map(|health| isobox::SidecarHealth {
            command: health.command,
            interval: health.interval,
            timeout: health.timeout,
            retries: health.retries,
            start_period: health.start_period,
        });
        Ok(isobox::Sidecar {
            name: self.name,
            image: self.image,
            auth: self.auth.map(Cross::cross),
            env: self.env,
            entrypoint: self.entrypoint,
            command: self.command,
            user: self.user,
            health,
            ..isobox::Sidecar::default()
        })
    }
}

/// When a sidecar counts as ready; the meaning of the fields is Docker's.
#[derive(Clone, Debug, Default)]
pub struct SidecarHealth {
    /// The command that succeeds then.
    pub command: Vec<String>,
    /// How often it is run.
    pub interval: Option<Duration>,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// How often it may fail.
    pub retries: Option<u32>,
    /// How long failures do not count.
    pub start_period: Option<Duration>,
}

/// What a sandbox is made from and like. It is made from one of `image`, `archive`, `rootfs`, `snapshot` and `workspace`; from the
/// machine's own programs, read-only, by default.
#[derive(Clone, Default)]
pub struct CreateOptions {
    /// Which provider makes it, such as `namespace`, `docker` or `host`; the first isolating one that works here by default.
    pub provider: Option<String>,
    /// A name, unique among live sandboxes.
    pub name: Option<String>,
    /// An image, such as `debian:12`.
    pub image: Option<String>,
    /// When the image is fetched; when it is missing by default.
    pub pull: Option<PullPolicy>,
    /// The platform of the image, such as `linux/arm64`; this machine's by default.
    pub platform: Option<String>,
    /// The credential for the image's registry.
    pub auth: Option<RegistryAuth>,
    /// An archive or layout folder of this machine with an image, as `docker save` and OCI tools write them.
    pub archive: Option<LocalPath>,
    /// A directory of this machine as the root filesystem, which is never written to.
    pub rootfs: Option<LocalPath>,
    /// A snapshot, by its name or id.
    pub snapshot: Option<String>,
    /// A directory of this machine as the workspace, which it may change and which is never removed.
    pub workspace: Option<LocalPath>,
    /// Variables for every command.
    pub env: BTreeMap<String, String>,
    /// Labels, by which it is listed.
    pub labels: BTreeMap<String, String>,
    /// The user that commands run as: a name, `uid`, `uid:gid` or `name:group`; that of the image by default.
    pub user: Option<String>,
    /// The working directory, absolute; that of the image by default.
    pub workdir: Option<Path>,
    /// Processors; fractions are fine.
    pub cpus: Option<f64>,
    /// Memory.
    pub memory: Option<Size>,
    /// Disk.
    pub disk: Option<Size>,
    /// Processes and threads.
    pub pids: Option<u64>,
    /// GPUs.
    pub gpus: Option<u32>,
    /// What is mounted.
    pub mounts: Vec<Mount>,
    /// Volumes.
    pub volumes: Vec<VolumeMount>,
    /// Secrets.
    pub secrets: Vec<Secret>,
    /// Ports that will be asked for.
    pub ports: Vec<u16>,
    /// What it may reach; nothing by default.
    pub network: Option<NetworkPolicy>,
    /// How long it exists, whatever it does; for ever by default, and a day when it is detached.
    pub ttl: Option<Lifetime>,
    /// How long it exists without use: a running command, a transfer, or a connection to a port.
    pub idle_timeout: Option<Lifetime>,
    /// What happens at the end of either; it is removed by default.
    pub on_expiry: Option<Expiry>,
    /// What happens at the end of the idle timeout, where that differs.
    pub on_idle: Option<Expiry>,
    /// Let it live on without this process.
    pub detached: bool,
    /// How long this process may be out of touch; a few seconds by default.
    pub owner_lease: Option<Duration>,
    /// Run the image's own entrypoint too.
    pub entrypoint: bool,
    /// The least isolation that is accepted.
    pub least_isolation: Option<Isolation>,
    /// How long making it may take; 300 seconds by default.
    pub create_timeout: Option<Duration>,
    /// The same key with the same request gives the same sandbox, and makes nothing again.
    pub idempotency_key: Option<String>,
    /// What only the namespace provider knows.
    pub namespace: Option<NamespaceOptions>,
    /// What only the Docker provider knows.
    pub docker: Option<DockerOptions>,
    /// What only the host provider knows.
    pub host: Option<HostOptions>,
}

impl std::fmt::Debug for CreateOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CreateOptions")
            .field("provider", &self.provider)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

fn size(field: &str, given: Option<Size>) -> isobox::Result<Option<u64>> {
    given.map(|size| size.bytes(field)).transpose()
}

/// The builder with what is given, or as it is.
fn with<T>(
    builder: SandboxBuilder,
    given: Option<T>,
    change: impl FnOnce(SandboxBuilder, T) -> SandboxBuilder,
) -> SandboxBuilder {
    match given {
        Some(given) => change(builder, given),
        None => builder,
    }
}

impl CreateOptions {
    /// The same as a builder; `invalid_spec` for what is no size, rule or name.
    pub(super) fn apply(mut self, builder: SandboxBuilder) -> isobox::Result<SandboxBuilder> {
        let builder = self.source(builder)?;
        let builder = self.bounds(builder)?;
        let builder = self.parts(builder)?;
        let builder = self.provider_options(builder)?;
        let builder = builder.envs(self.env);
        let builder = self.labels.into_iter().fold(builder, |builder, (name, value)| builder.label(name, value));
        let builder = with(builder, self.provider, SandboxBuilder::provider);
        let builder = with(builder, self.name, SandboxBuilder::name);
        let builder = with(builder, self.user, SandboxBuilder::user);
        let builder = with(builder, self.workdir, |builder, directory| builder.workdir(directory.0));
        let builder = with(builder, self.idempotency_key, SandboxBuilder::idempotency_key);
        let builder = with(builder, self.create_timeout, SandboxBuilder::create_timeout);
        let isolation = self.least_isolation.map(Cross::cross);
        let builder = with(builder, isolation, SandboxBuilder::least_isolation);
        let builder = if self.entrypoint { builder.entrypoint() } else { builder };
        Ok(if self.detached { builder.detached() } else { builder })
    }

    fn source(&mut self, builder: SandboxBuilder) -> isobox::Result<SandboxBuilder> {
        if self.image.is_none() && (self.pull.is_some() || self.platform.is_some() || self.auth.is_some()) {
            let reason = "is missing, but how to get one is said: give the image";
            return Err(Error::invalid_spec("image", reason));
        }
        let image = self.image.take().map(|reference| {
            let pull = self.pull.map(Cross::cross).unwrap_or_default();
            let auth = self.auth.take().map(Cross::cross);
            Source::Image(ImageSource { reference, pull, platform: self.platform.take(), auth })
        });
        let builder = with(builder, image, SandboxBuilder::source);
        let builder = with(builder, self.archive.take(), |builder, path| builder.archive(path.0));
        let builder = with(builder, self.rootfs.take(), |builder, path| builder.rootfs(path.0));
        let builder = with(builder, self.snapshot.take(), SandboxBuilder::snapshot);
        Ok(with(builder, self.workspace.take(), |builder, path| builder.workspace(path.0)))
    }

    fn bounds(&mut self, builder: SandboxBuilder) -> isobox::Result<SandboxBuilder> {
        let builder = builder.resources(isobox::Resources {
            cpus: self.cpus,
            memory: size("memory", self.memory.take())?,
            disk: size("disk", self.disk.take())?,
            pids: self.pids,
            gpus: self.gpus,
        });
        let lifetime = |given: Option<Lifetime>| given.map(Cross::<isobox::Lifetime>::cross);
        let builder = with(builder, lifetime(self.ttl), SandboxBuilder::ttl);
        let builder = with(builder, lifetime(self.idle_timeout), SandboxBuilder::idle_timeout);
        let builder = with(builder, self.on_expiry.map(Cross::cross), SandboxBuilder::on_expiry);
        let builder = with(builder, self.on_idle.map(Cross::cross), SandboxBuilder::on_idle);
        Ok(with(builder, self.owner_lease, SandboxBuilder::owner_lease))
    }

    fn parts(&mut self, mut builder: SandboxBuilder) -> isobox::Result<SandboxBuilder> {
        for mount in std::mem::take(&mut self.mounts) {
            builder = builder.mount(mount.parsed()?);
        }
        for volume in std::mem::take(&mut self.volumes) {
            builder = builder.volume_mount(volume.parsed()?);
        }
        for secret in std::mem::take(&mut self.secrets) {
            builder = builder.secret(secret.cross());
        }
        for port in std::mem::take(&mut self.ports) {
            builder = builder.port(port);
        }
        let network = self.network.take().map(NetworkPolicy::parsed).transpose()?;
        Ok(with(builder, network, SandboxBuilder::network))
    }

    fn provider_options(&mut self, builder: SandboxBuilder) -> isobox::Result<SandboxBuilder> {
        let namespace = self.namespace.take().map(NamespaceOptions::parsed).transpose()?;
        let docker = self.docker.take().map(DockerOptions::parsed).transpose()?;
        let host = self.host.take().map(|host| isobox::HostOptions { inherit_env: host.inherit_env });
        let given = [
            namespace.map(isobox::ProviderOptions::Namespace),
            docker.map(|docker| isobox::ProviderOptions::Docker(Box::new(docker))),
            host.map(isobox::ProviderOptions::Host),
        ];
        let mut given = given.into_iter().flatten();
        let first = given.next();
        if given.next().is_some() {
            let reason = "are given for two providers, and one makes the sandbox: give those of one";
            return Err(Error::invalid_spec("options", reason));
        }
        Ok(with(builder, first, SandboxBuilder::options))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross::Words;

    #[test]
    fn every_word_has_its_variant() {
        for lost in [PullPolicy::lost(), NamespaceUsers::lost(), DiskBacking::lost()] {
            assert!(lost.is_empty(), "{lost:?}");
        }
    }
}
