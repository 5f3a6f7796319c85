//! What is wrong with a spec for one provider. This is the one place where what is not claimed is refused, with its
//! dotted name, so that no provider has to.

use super::{
    AllowRule, Destination, Expiry, Labels, Lifetimes, MountSource, NetworkPolicy, Owner, Resources, SandboxSpec,
    SecretDelivery, Source,
};
use crate::capability::{Capabilities, Capability};
use crate::error::{Error, Result};
use crate::ids::{ProviderKind, SnapshotId, VolumeId};
use crate::isolation::SandboxKind;
use crate::snapshot::{ImportOptions, SnapshotOptions, SnapshotSource, SnapshotSpec};
use crate::time::Lifetime;
use crate::volume::VolumeSpec;
use std::net::IpAddr;

impl SandboxSpec {
    /// Checks everything: by itself, for the capabilities, and for the kind of provider.
    pub fn validate_for(&self, kind: &ProviderKind, capabilities: &Capabilities) -> Result<()> {
        self.validate()?;
        self.validate_against(capabilities)?;
        match self.options.as_ref().and_then(|options| options.provider()) {
            Some(other) if other != *kind => {
                Err(Error::invalid_spec("options", format!("are for {other}, and the provider is {kind}")))
            }
            _ => Ok(()),
        }
    }

    /// Refuses everything that is not claimed, by its dotted name.
    pub fn validate_against(&self, capabilities: &Capabilities) -> Result<()> {
        if self.isolation > capabilities.isolation {
            return Err(Error::unsupported(format!("isolation.{}", self.isolation)));
        }
        self.needs().into_iter().try_for_each(|capability| capabilities.require(capability))
    }

    /// Every capability that the spec needs.
    pub fn needs(&self) -> Vec<Capability> {
        let mut needs = self.create_needs();
        needs.extend(self.source.needs());
        needs.extend(self.resources.needs());
        needs.extend(self.network.needs());
        needs.extend(self.lifetimes.needs());
        needs.extend(self.place_needs());
        needs.extend(self.secrets.iter().map(|secret| match secret.delivery {
            SecretDelivery::Hosts { .. } => Capability::SecretsHosts,
            SecretDelivery::Exposed => Capability::SecretsEnv,
            SecretDelivery::File { .. } => Capability::SecretsFile,
        }));
        needs
    }

    fn create_needs(&self) -> Vec<Capability> {
        use Capability::*;
        let kind = self.kind.map(|kind| match kind {
            SandboxKind::Container => CreateKindContainer,
            SandboxKind::VirtualMachine | SandboxKind::Unknown => CreateKindVirtualMachine,
        });
        let owner = match self.owner {
            Owner::Process => LifecycleOwner,
            Owner::Detached => LifecycleDetach,
        };
        let wanted = [
            (self.name.is_some(), CreateName),
            (!self.env.is_empty(), CreateEnv),
            (!self.labels.is_empty(), CreateLabels),
            (self.user.is_some(), CreateUser),
            (self.workdir.is_some(), CreateWorkdir),
            (self.entrypoint, CreateEntrypoint),
            (self.region.is_some(), CreateRegion),
            (self.public.is_some(), CreatePublic),
            (self.ephemeral, CreateEphemeral),
            (!self.ports.is_empty(), AccessPorts),
            (true, owner),
        ];
        wanted.into_iter().filter_map(|(wanted, need)| wanted.then_some(need)).chain(kind).collect()
    }

    fn place_needs(&self) -> Vec<Capability> {
        let mut needs = Vec::new();
        for mount in &self.mounts {
            needs.push(match mount.source {
                MountSource::Bind { .. } => Capability::MountsBind,
                MountSource::Tmpfs { .. } => Capability::MountsTmpfs,
            });
            needs.extend(mount.read_only.then_some(Capability::MountsReadOnly));
        }
        for volume in &self.volumes {
            needs.push(Capability::VolumesMount);
            needs.extend(volume.subpath.as_ref().map(|_| Capability::VolumesSubpath));
            needs.extend(volume.read_only.then_some(Capability::MountsReadOnly));
        }
        needs
    }
}

impl Source {
    fn needs(&self) -> Vec<Capability> {
        match self {
            Source::Default => Vec::new(),
            Source::Image(image) => [
                Some(Capability::SourceImage),
                image.platform.as_ref().map(|_| Capability::SourcePlatform),
                image.auth.as_ref().map(|_| Capability::SourceRegistryAuth),
            ]
            .into_iter()
            .flatten()
            .collect(),
            Source::Dockerfile { .. } => vec![Capability::SourceDockerfile],
            Source::Snapshot { .. } => vec![Capability::SourceSnapshot],
            Source::HostDirectory { .. } => vec![Capability::SourceHostDirectory],
            Source::Rootfs { .. } => vec![Capability::SourceRootfs],
            Source::Archive { .. } => vec![Capability::SourceArchive],
            Source::Host => vec![Capability::SourceHost],
        }
    }
}

impl Resources {
    /// Every capability that these limits need.
    pub fn needs(&self) -> Vec<Capability> {
        let cpu = |cpus: f64| {
            if cpus.fract() == 0.0 { Capability::ResourcesCpu } else { Capability::ResourcesCpuFraction }
        };
        let wanted = [
            self.cpus.map(cpu),
            self.memory.map(|_| Capability::ResourcesMemory),
            self.disk.map(|_| Capability::ResourcesDisk),
            self.pids.map(|_| Capability::ResourcesPids),
            self.gpus.map(|_| Capability::ResourcesGpu),
        ];
        wanted.into_iter().flatten().collect()
    }
}

impl NetworkPolicy {
    /// Every capability that this policy needs.
    pub fn needs(&self) -> Vec<Capability> {
        match self {
            NetworkPolicy::None => vec![Capability::NetworkNone],
            NetworkPolicy::Public => vec![Capability::NetworkPublic],
            NetworkPolicy::ProviderDefault => Vec::new(),
            NetworkPolicy::Allow { allow, deny, dns } => {
                let mut needs: Vec<_> = allow.iter().chain(deny).flat_map(AllowRule::needs).collect();
                needs.extend((!deny.is_empty()).then_some(Capability::NetworkDeny));
                needs.extend((!dns.is_empty()).then_some(Capability::NetworkDns));
                needs
            }
        }
    }
}

impl AllowRule {
    fn needs(&self) -> impl Iterator<Item = Capability> + use<> {
        let destination = match self.destination {
            Destination::Host(_) => Capability::NetworkHosts,
            Destination::Wildcard(_) => Capability::NetworkWildcards,
            Destination::Network { address: IpAddr::V4(_), .. } => Capability::NetworkIpv4,
            Destination::Network { address: IpAddr::V6(_), .. } => Capability::NetworkIpv6,
        };
        [Some(destination), self.port.map(|_| Capability::NetworkPorts)].into_iter().flatten()
    }
}

impl Lifetimes {
    /// Every capability that these lifetimes need. A provider that knows no lifetimes keeps everything for ever, so
    /// `never` needs none.
    pub fn needs(&self) -> Vec<Capability> {
        let ends = |lifetime: Option<Lifetime>| matches!(lifetime, Some(Lifetime::After(_)));
        let expiry = |wanted: bool, expiry: Expiry| match expiry {
            Expiry::Stop if wanted => Some(Capability::LifecycleExpiryStop),
            Expiry::Pause if wanted => Some(Capability::LifecycleExpiryPause),
            _ => None,
        };
        let wanted = [
            ends(self.ttl).then_some(Capability::LifecycleTtl),
            ends(self.idle_timeout).then_some(Capability::LifecycleIdleTimeout),
            ends(self.archive_after_stop).then_some(Capability::LifecycleArchiveAfterStop),
            ends(self.delete_after_stop).then_some(Capability::LifecycleDeleteAfterStop),
            self.owner_lease.map(|_| Capability::LifecycleOwner),
            expiry(ends(self.ttl), self.on_expiry),
            expiry(ends(self.idle_timeout), self.idle_expiry()),
        ];
        wanted.into_iter().flatten().collect()
    }
}

impl SnapshotSpec {
    /// Checks everything that is wrong with every provider, and refuses what is not claimed by its dotted name.
    pub fn validate_against(&self, capabilities: &Capabilities) -> Result<()> {
        use Capability::*;
        self.labels.iter().try_for_each(|(name, value)| super::validate::validate_label(name, value))?;
        self.resources.validate()?;
        capabilities.require(SnapshotsSupported)?;
        let (container, machine) = match &self.source {
            SnapshotSource::Image { .. } => (SnapshotsImageContainer, SnapshotsImageVirtualMachine),
            SnapshotSource::Dockerfile { .. } => (SnapshotsDockerfileContainer, SnapshotsDockerfileVirtualMachine),
            SnapshotSource::Sandbox { include_memory: true, .. } => {
                return capabilities.require(SnapshotsLiveProcessState);
            }
            SnapshotSource::Sandbox { .. } => return capabilities.require(SnapshotsFilesystem),
        };
        match self.kind {
            Some(SandboxKind::Unknown) => {
                Err(Error::invalid_spec("kind", "is not known, give container or virtual_machine"))
            }
            Some(SandboxKind::VirtualMachine) => capabilities.require(machine),
            None if capabilities.has(machine) => Ok(()),
            Some(SandboxKind::Container) | None => capabilities.require(container),
        }
    }
}

impl SnapshotOptions {
    /// Checks everything that is wrong with every provider: `invalid_spec` with the field.
    pub fn validate(&self) -> Result<()> {
        validate_labelled(self.name.as_deref(), &self.labels, SnapshotId::PREFIX)
    }
}

/// A name that is no id, and labels.
pub(crate) fn validate_labelled(name: Option<&str>, labels: &Labels, prefix: &str) -> Result<()> {
    labels.iter().try_for_each(|(name, value)| super::validate::validate_label(name, value))?;
    name.map_or(Ok(()), |name| super::validate::validate_name_of(name, prefix))
}

impl ImportOptions {
    /// Checks everything that is wrong with every provider: `invalid_spec` with the field.
    pub fn validate(&self) -> Result<()> {
        validate_labelled(self.name.as_deref(), &self.labels, SnapshotId::PREFIX)
    }
}

impl VolumeSpec {
    /// Checks everything that is wrong with every provider: `invalid_spec` with the field.
    pub fn validate(&self) -> Result<()> {
        validate_labelled(Some(&self.name), &self.labels, VolumeId::PREFIX)?;
        match self.size {
            Some(0) => Err(Error::invalid_spec("size", "is zero, leave it out for no limit")),
            _ => Ok(()),
        }
    }

    /// Checks everything that is wrong with every provider, and refuses what is not claimed by its dotted name.
    pub fn validate_against(&self, capabilities: &Capabilities) -> Result<()> {
        self.validate()?;
        capabilities.require(Capability::VolumesSupported)?;
        self.size.map_or(Ok(()), |_| capabilities.require(Capability::VolumesSize))
    }
}
