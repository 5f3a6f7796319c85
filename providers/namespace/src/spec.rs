//! From a spec to what the launcher is told.

use crate::ids::Maps;
use crate::volumes::Store as Volumes;
use crate::{mounts, seccomp};
use isobox_contract::{
    DiskBacking, Error, Expiry, NamespaceOptions, NamespaceUsers, NetworkPolicy, ProviderOptions, Result, SandboxId,
    SandboxSpec, Source,
};
use isobox_disk::Ways;
use isobox_wire::Settings;
use isobox_wire::launch::{Cgroups, Confinement, Disk, LaunchConfig, Network, RootFs};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Characters of an id that make a host name.
const HOSTNAME: usize = 12;

/// The config for the launcher, with the root filesystem that is `given` in place of that of the source.
pub(crate) fn config(
    id: &SandboxId,
    spec: &SandboxSpec,
    given: Option<&RootFs>,
    state_dir: &Path,
    maps: Maps,
    settings: &Settings,
    volumes: &Volumes,
) -> Result<LaunchConfig> {
    let options = options(spec)?;
    let (mounts, memory) = mounts::of(spec, options.read_only_root, volumes)?;
    Ok(LaunchConfig {
        state_dir: state_dir.as_os_str().as_bytes().to_vec(),
        root: given.map_or_else(|| root_filesystem(spec), |given| Ok(given.clone()))?,
        mounts,
        memory,
        hostname: options.hostname.clone().unwrap_or_else(|| hostname(id)),
        uid_map: maps.users,
        gid_map: maps.groups,
        id_helpers: maps.helpers,
        id_mapped: maps.id_mapped,
        network: match spec.network {
            NetworkPolicy::None | NetworkPolicy::ProviderDefault => Network::None,
            _ => return Err(Error::unsupported("network.public")),
        },
        confinement: Confinement {
            system_calls: Some(seccomp::filter(options.nested_user_namespaces).to_vec()),
            nested_user_namespaces: options.nested_user_namespaces,
            read_only_root: options.read_only_root,
        },
        keep: false,
        again: false,
        stop_after: isobox_local::stop_after(&spec.lifetimes),
        pauses: !isobox_local::pause_after(&spec.lifetimes).is_empty(),
        shm_size: options.shm_size,
        tmp_size: None,
        disk: Disk::default(),
        cgroups: Cgroups::default(),
        agent: isobox_wire::encode(settings),
    })
}

/// Which ids the spec asks for.
pub(crate) fn users(spec: &SandboxSpec) -> NamespaceUsers {
    match &spec.options {
        Some(ProviderOptions::Namespace(options)) => options.users,
        _ => NamespaceUsers::default(),
    }
}

fn options(spec: &SandboxSpec) -> Result<NamespaceOptions> {
    let options = match &spec.options {
        Some(ProviderOptions::Namespace(options)) => options.clone(),
        _ => NamespaceOptions::default(),
    };
    if options.shm_size == Some(0) {
        return Err(Error::invalid_spec("options.namespace.shm_size", "is zero, leave it out for 64 MiB"));
    }
    if let Some(hostname) = &options.hostname
        && (hostname.is_empty()
            || hostname.len() > 64
            || !hostname.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b)))
    {
        let reason = "is no host name, give 1 to 64 letters, digits, hyphens and dots";
        return Err(Error::invalid_spec("options.namespace.hostname", reason));
    }
    Ok(options)
}

/// The limit of disk, and what it is enforced by.
///
/// # Errors
/// `invalid_spec` with the field for what this machine cannot enforce, or the sandbox could not live with.
pub(crate) fn disk(spec: &SandboxSpec, state_dir: &Path) -> Result<Option<(DiskBacking, u64)>> {
    let options = options(spec)?;
    let Some(bytes) = spec.resources.disk else {
        return match options.disk_backing {
            None => Ok(None),
            Some(_) => Err(Error::invalid_spec("options.namespace.disk_backing", "needs a size, set resources.disk")),
        };
    };
    let backing = options.disk_backing.unwrap_or(DiskBacking::Quota);
    let lifetimes = &spec.lifetimes;
    if backing == DiskBacking::Tmpfs && [lifetimes.on_expiry, lifetimes.idle_expiry()].contains(&Expiry::Stop) {
        let reason = "cannot be stop for a sandbox whose disk is in memory and would be lost, choose delete";
        return Err(Error::invalid_spec("on_expiry", reason));
    }
    let ways = Ways::below(state_dir.parent().unwrap_or(state_dir));
    let obstacle = match backing {
        DiskBacking::Tmpfs => ways.memory.as_ref().err(),
        DiskBacking::Loop => ways.image.as_ref().err(),
        _ => ways.quota.as_ref().err(),
    };
    match (obstacle, options.disk_backing) {
        (None, _) => Ok(Some((backing, bytes))),
        (Some(obstacle), Some(backing)) => {
            let reason = format!("cannot be {backing} here: {obstacle}");
            Err(Error::invalid_spec("options.namespace.disk_backing", reason))
        }
        (Some(obstacle), None) => {
            let reason = format!("cannot be enforced by a quota, as {obstacle}{}", others(&ways));
            Err(Error::invalid_spec("resources.disk", reason))
        }
    }
}

/// What else can be asked for.
fn others(ways: &Ways) -> String {
    let all =
        [(&ways.image, "loop for a disk image"), (&ways.memory, "tmpfs to keep what the sandbox writes in memory")];
    let possible: Vec<_> = all.into_iter().filter_map(|(way, name)| way.is_ok().then_some(name)).collect();
    match possible.is_empty() {
        true => String::new(),
        false => format!("; or set options.namespace.disk_backing to {}", possible.join(", or to ")),
    }
}

/// The last characters of the id: the first ones are the time, which many sandboxes share.
fn hostname(id: &SandboxId) -> String {
    let id = id.as_str();
    id[id.len() - HOSTNAME..].to_owned()
}

fn root_filesystem(spec: &SandboxSpec) -> Result<RootFs> {
    match &spec.source {
        Source::Default | Source::Host => Ok(RootFs::Host),
        Source::Rootfs { path } => {
            let path = existing("source.rootfs", path)?;
            match path.is_dir() {
                true => Ok(RootFs::Directory(path.as_os_str().as_bytes().to_vec())),
                false => {
                    let reason =
                        format!("{} is not a directory, give one with a root filesystem in it", path.display());
                    Err(Error::invalid_spec("source.rootfs", reason))
                }
            }
        }
        _ => Err(Error::unsupported("source.image")),
    }
}

/// An absolute path that names something.
pub(crate) fn existing(field: &str, path: &Path) -> Result<PathBuf> {
    let absolute = std::path::absolute(path).map_err(|_| Error::invalid_spec(field, "is empty, give a path"))?;
    match absolute.try_exists() {
        Ok(true) => Ok(absolute),
        Ok(false) => Err(Error::invalid_spec(field, format!("{} does not exist on this machine", absolute.display()))),
        Err(error) => {
            let reason = format!("{} cannot be looked at: {}", absolute.display(), error.kind());
            Err(Error::invalid_spec(field, reason))
        }
    }
}
