//! Specs that ask for one capability each.

use isobox::contract::{DockerfileText, Mount, MountSource, RegistryAuth, SandboxKind};
use isobox::{
    Capability, Expiry, ImageSource, Lifetimes, NetworkPolicy, Owner, Resources, SandboxSpec, Secret, SecretDelivery,
    SecretValue, Source, VolumeMount, WorkspaceOwnership,
};
use std::time::Duration;

const LONG: Duration = Duration::from_secs(3600);
const MIB: u64 = 1 << 20;

/// A spec that needs the capability; nothing when it is not one of specs.
pub(super) fn asking_for(capability: Capability) -> Option<SandboxSpec> {
    let mut spec = SandboxSpec { network: NetworkPolicy::ProviderDefault, ..SandboxSpec::default() };
    let asked = choice(capability, &mut spec)
        || source(capability, &mut spec)
        || resource(capability, &mut spec)
        || place(capability, &mut spec)
        || secret(capability, &mut spec)
        || network(capability, &mut spec)
        || lifetime(capability, &mut spec);
    asked.then_some(spec)
}

fn choice(capability: Capability, spec: &mut SandboxSpec) -> bool {
    match capability {
        Capability::CreateName => spec.name = Some("conformance".to_owned()),
        Capability::CreateEnv => drop(spec.env.insert("CONFORMANCE".to_owned(), "1".to_owned())),
        Capability::CreateLabels => drop(spec.labels.insert("conformance".to_owned(), "1".to_owned())),
        Capability::CreateUser => spec.user = Some("0".to_owned()),
        Capability::CreateWorkdir => spec.workdir = Some("/".into()),
        Capability::CreateEntrypoint => spec.entrypoint = true,
        Capability::CreateRegion => spec.region = Some("nowhere".to_owned()),
        Capability::CreatePublic => spec.public = Some(true),
        Capability::CreateEphemeral => spec.ephemeral = true,
        Capability::CreateKindContainer => spec.kind = Some(SandboxKind::Container),
        Capability::CreateKindVirtualMachine => spec.kind = Some(SandboxKind::VirtualMachine),
        _ => return false,
    }
    true
}

fn source(capability: Capability, spec: &mut SandboxSpec) -> bool {
    let image = || ImageSource { reference: "conformance.invalid/none:1".to_owned(), ..ImageSource::default() };
    spec.source = match capability {
        Capability::SourceImage => Source::Image(image()),
        Capability::SourcePlatform => {
            Source::Image(ImageSource { platform: Some("linux/amd64".to_owned()), ..image() })
        }
        Capability::SourceRegistryAuth => {
            let auth = RegistryAuth { username: "nobody".to_owned(), password: "none".to_owned(), server: None };
            Source::Image(ImageSource { auth: Some(auth), ..image() })
        }
        Capability::SourceDockerfile => {
            Source::Dockerfile { content: DockerfileText::from("FROM scratch\n"), context: None }
        }
        Capability::SourceSnapshot => match "conformance".parse() {
            Ok(snapshot) => Source::Snapshot { snapshot },
            Err(_) => return false,
        },
        Capability::SourceHostDirectory => Source::HostDirectory { path: None, ownership: WorkspaceOwnership::Managed },
        Capability::SourceRootfs => Source::Rootfs { path: "/".into() },
        Capability::SourceArchive => Source::Archive { path: "/conformance.tar".into(), reference: None },
        Capability::SourceHost => Source::Host,
        _ => return false,
    };
    true
}

fn resource(capability: Capability, spec: &mut SandboxSpec) -> bool {
    let none = Resources::default();
    spec.resources = match capability {
        Capability::ResourcesCpu => Resources { cpus: Some(1.0), ..none },
        Capability::ResourcesCpuFraction => Resources { cpus: Some(0.5), ..none },
        Capability::ResourcesMemory => Resources { memory: Some(256 * MIB), ..none },
        Capability::ResourcesDisk => Resources { disk: Some(256 * MIB), ..none },
        Capability::ResourcesPids => Resources { pids: Some(1000), ..none },
        Capability::ResourcesGpu => Resources { gpus: Some(1), ..none },
        _ => return false,
    };
    true
}

fn place(capability: Capability, spec: &mut SandboxSpec) -> bool {
    let mount = |source, read_only| Mount { target: "/conformance".into(), source, read_only };
    let bind = || MountSource::Bind { path: "/usr".into() };
    let Ok(volume) = "conformance".parse() else { return false };
    let volume = VolumeMount::new(volume, "/conformance");
    match capability {
        Capability::MountsBind => spec.mounts.push(mount(bind(), false)),
        Capability::MountsReadOnly => spec.mounts.push(mount(bind(), true)),
        Capability::MountsTmpfs => spec.mounts.push(mount(MountSource::Tmpfs { size: None, mode: None }, false)),
        Capability::VolumesMount => spec.volumes.push(volume),
        Capability::VolumesSubpath => spec.volumes.push(volume.subpath("part")),
        _ => return false,
    }
    true
}

fn secret(capability: Capability, spec: &mut SandboxSpec) -> bool {
    let delivery = match capability {
        Capability::SecretsEnv => SecretDelivery::Exposed,
        Capability::SecretsFile => SecretDelivery::File { path: "/run/conformance".into() },
        Capability::SecretsHosts => SecretDelivery::Hosts { hosts: vec!["conformance.invalid".to_owned()] },
        _ => return false,
    };
    spec.secrets.push(Secret { env: "CONFORMANCE".to_owned(), value: SecretValue::new("value"), delivery });
    true
}

fn network(capability: Capability, spec: &mut SandboxSpec) -> bool {
    let rules: &[&str] = match capability {
        Capability::NetworkNone => {
            spec.network = NetworkPolicy::None;
            return true;
        }
        Capability::NetworkPublic => {
            spec.network = NetworkPolicy::Public;
            return true;
        }
        Capability::NetworkHosts | Capability::NetworkDeny | Capability::NetworkDns => &["conformance.invalid"],
        Capability::NetworkWildcards => &["*.conformance.invalid"],
        Capability::NetworkIpv4 => &["192.0.2.1"],
        Capability::NetworkIpv6 => &["2001:db8::1"],
        Capability::NetworkPorts => &["conformance.invalid:443"],
        _ => return false,
    };
    let Ok(mut policy) = NetworkPolicy::allow(rules.iter().copied()) else { return false };
    if let NetworkPolicy::Allow { allow, deny, dns } = &mut policy {
        match capability {
            Capability::NetworkDeny => deny.extend(allow.iter().cloned()),
            Capability::NetworkDns => dns.push(std::net::Ipv4Addr::new(192, 0, 2, 1).into()),
            _ => {}
        }
    }
    spec.network = policy;
    true
}

fn lifetime(capability: Capability, spec: &mut SandboxSpec) -> bool {
    let (none, long) = (Lifetimes::default(), Some(LONG.into()));
    spec.lifetimes = match capability {
        Capability::LifecycleTtl => Lifetimes { ttl: long, ..none },
        Capability::LifecycleIdleTimeout => Lifetimes { idle_timeout: long, ..none },
        Capability::LifecycleExpiryStop => Lifetimes { ttl: long, on_expiry: Expiry::Stop, ..none },
        Capability::LifecycleExpiryPause => Lifetimes { ttl: long, on_expiry: Expiry::Pause, ..none },
        Capability::LifecycleArchiveAfterStop => Lifetimes { archive_after_stop: long, ..none },
        Capability::LifecycleDeleteAfterStop => Lifetimes { delete_after_stop: long, ..none },
        Capability::LifecycleOwner => {
            spec.owner = Owner::Process;
            none
        }
        Capability::LifecycleDetach => {
            spec.owner = Owner::Detached;
            Lifetimes { ttl: long, ..none }
        }
        _ => return false,
    };
    true
}
