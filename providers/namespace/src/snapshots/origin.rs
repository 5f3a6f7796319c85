//! What a sandbox was made from, written down in its directory, for whoever copies it later.
//!
//! It is the spec, without the values of secrets, and the layers under the sandbox's own. The environment is in it in
//! clear, as in the state directory of any container engine: the file is its owner's alone, in a directory that is so too.

use isobox_contract::{
    Capabilities, Capability, Error, ErrorCode, ExternalId, Resource, Result, SandboxId, SandboxSpec, VolumeMount,
};
use isobox_tree::IdShift;
use isobox_wire::launch::{Disk, IdRange, LaunchConfig, Layer, RootFs};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The name of the file in a sandbox's directory.
const NAME: &str = "origin";

/// What a sandbox was made from.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Origin {
    pub(crate) spec: SandboxSpec,
    pub(crate) root: Root,
    /// The snapshot that it was restored from.
    pub(crate) snapshot: Option<String>,
    /// The id of the image that it was made from, when there is no snapshot in between.
    #[serde(default)]
    pub(crate) image: Option<String>,
    ids: [Vec<(u32, u32, u32)>; 2],
    /// Whether what it writes is in memory, where only the sandbox sees it.
    in_memory: bool,
}

/// The layers of a root filesystem.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Root {
    /// Whether it stands on the machine's own programs.
    pub(crate) host: bool,
    /// Layers of the snapshots' store by their names, the first on top.
    pub(crate) own: Vec<String>,
    /// Other directories below these.
    pub(crate) below: Vec<Directory>,
}

/// A directory as a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Directory {
    path: Vec<u8>,
    id_mapped: bool,
}

impl Root {
    /// Of what is launched so; `id_mapped` is whether a directory is.
    pub(crate) fn of(root: &RootFs, id_mapped: bool) -> Self {
        let layer = |layer: &Layer| Directory { path: layer.path.clone(), id_mapped: layer.id_mapped };
        let (host, below) = match root {
            RootFs::Host | RootFs::HostLayers { .. } => (true, Vec::new()),
            RootFs::Directory(path) => (false, vec![Directory { path: path.clone(), id_mapped }]),
            RootFs::Layers { layers } => (false, layers.iter().map(layer).collect()),
        };
        Self { host, own: Vec::new(), below }
    }

    /// For the launcher, with the store's layers in this directory.
    pub(crate) fn for_launch(&self, layers: &Path, id_mapped: bool) -> RootFs {
        let own = self.own.iter().map(|name| {
            let path = layers.join(name);
            let path = if self.host { path } else { path.join(super::take::UPPER) };
            Layer { path: path.into_os_string().into_vec(), id_mapped }
        });
        if self.host {
            return match self.own.is_empty() {
                true => RootFs::Host,
                false => RootFs::HostLayers { layers: own.collect() },
            };
        }
        let below = self.below.iter().map(|layer| Layer { path: layer.path.clone(), id_mapped: layer.id_mapped });
        RootFs::Layers { layers: own.chain(below).collect() }
    }

    /// The directories below the store's own layers.
    pub(crate) fn directories(&self) -> impl Iterator<Item = PathBuf> {
        self.below.iter().map(|layer| PathBuf::from(OsString::from_vec(layer.path.clone())))
    }

    /// One of them that is not there any more.
    pub(crate) fn missing(&self) -> Option<PathBuf> {
        self.directories().find(|path| !path.is_dir())
    }
}

impl Origin {
    /// Of a sandbox that is launched so. `from` is what it is restored from, with the name of the snapshot if it has one.
    pub(crate) fn of(spec: &SandboxSpec, config: &LaunchConfig, from: Option<(&Root, Option<String>)>) -> Self {
        let (root, snapshot) = match from {
            Some((root, snapshot)) => (root.clone(), snapshot),
            None => (Root::of(&config.root, config.id_mapped), None),
        };
        let ids = [&config.uid_map, &config.gid_map]
            .map(|map| map.iter().map(|IdRange { inside, outside, count }| (*inside, *outside, *count)).collect());
        let in_memory = matches!(config.disk, Disk::Memory(_));
        Self { spec: spec.redacted(), root, snapshot, image: None, ids, in_memory }
    }

    /// The same for a sandbox that is made from an image.
    pub(crate) fn with_image(self, image: Option<String>) -> Self {
        Self { image, ..self }
    }

    /// Writes it into the directory of the sandbox.
    pub(crate) fn write(&self, state_dir: &Path) -> Result<()> {
        let text = serde_json::to_vec(self).map_err(|error| Error::internal(error.to_string()))?;
        let mut options = fs::OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(0o600).open(state_dir.join(NAME));
        file.and_then(|mut file| file.write_all(&text))
            .map_err(|error| Error::io("cannot write down what the sandbox was made from", error))
    }

    /// Reads it from there.
    ///
    /// # Errors
    /// `not_found` when there is none.
    pub(crate) fn read(state_dir: &Path, id: &SandboxId) -> Result<Self> {
        let text = match fs::read(state_dir.join(NAME)) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::not_found(Resource::Sandbox, id));
            }
            Err(error) => return Err(Error::io("cannot read what the sandbox was made from", error)),
        };
        serde_json::from_slice(&text).map_err(|error| {
            let message = "what was written down of the sandbox's origin cannot be read, another version has made it";
            Error::new(ErrorCode::Conflict, message).with_source(error)
        })
    }

    /// Whether this user can copy its files. Those of an ordinary user's sandbox with several ids could only be read
    /// inside of its user namespace, and those in memory inside of its mount namespace.
    pub(crate) fn can_be_copied(&self) -> bool {
        let one = |map: &Vec<(u32, u32, u32)>| map.iter().map(|(_, _, count)| count).sum::<u32>() <= 1;
        !self.in_memory && (rustix::process::geteuid().is_root() || self.ids.iter().all(one))
    }

    /// What such a sandbox can do of what the provider can.
    pub(crate) fn narrow(&self, capabilities: &Capabilities) -> Capabilities {
        let mut capabilities = capabilities.clone();
        let mut cannot = Vec::new();
        if self.has_one_user() {
            cannot.extend([Capability::ExecUser, Capability::FilesOwnership]);
        }
        if !self.can_be_copied() {
            cannot.extend([Capability::LifecycleSnapshot, Capability::LifecycleForkFilesystem]);
        }
        cannot.into_iter().for_each(|capability| capabilities.set(capability, false));
        capabilities
    }

    fn has_one_user(&self) -> bool {
        self.ids[0].iter().map(|(_, _, count)| count).sum::<u32>() == 1
    }

    /// How the owners of files become ids of the sandbox: nothing when the sandbox has one id, the caller's.
    pub(crate) fn shifts(&self) -> Result<[Vec<IdShift>; 2]> {
        let root = rustix::process::geteuid().is_root();
        if !self.can_be_copied() {
            return Err(Error::unsupported("snapshots.filesystem"));
        }
        let shift = |(inside, outside, count): &(u32, u32, u32)| IdShift { from: *outside, to: *inside, count: *count };
        Ok(self.ids.each_ref().map(|map| if root { map.iter().map(shift).collect() } else { Vec::new() }))
    }
}

/// The volumes that the sandbox in a directory uses.
pub(crate) fn volumes(state_dir: &Path) -> Vec<ExternalId> {
    #[derive(Deserialize)]
    struct Uses {
        spec: Spec,
    }
    #[derive(Deserialize)]
    struct Spec {
        #[serde(default)]
        volumes: Vec<VolumeMount>,
    }
    let text = fs::read(state_dir.join(NAME)).unwrap_or_default();
    let uses: Option<Uses> = serde_json::from_slice(&text).ok();
    uses.into_iter().flat_map(|uses| uses.spec.volumes).map(|mount| mount.volume).collect()
}

/// The layers of the store and the snapshot that the sandbox in a directory uses.
pub(crate) fn uses(state_dir: &Path) -> Option<(Vec<String>, Option<String>)> {
    #[derive(Deserialize)]
    struct Uses {
        root: Root,
        snapshot: Option<String>,
    }
    let text = fs::read(state_dir.join(NAME)).ok()?;
    let uses: Uses = serde_json::from_slice(&text).ok()?;
    Some((uses.root.own, uses.snapshot))
}
