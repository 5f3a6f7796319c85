//! What all sandboxes of one provider share.

use crate::clock::Clock;
use crate::disk::{Author, Disk, Key, Mounted, Tree, names};
use crate::faults::{Effect, Faults, Operation};
use crate::place::{Place, PlaceState};
use crate::ports::{Listeners, Server};
use crate::recording::Recording;
use crate::script::Script;
use crate::snapshots::Kept;
use crate::sync::locked;
use crate::tape::Player;
use crate::volumes::Store;
use bytes::Bytes;
use isobox_contract::{
    Capabilities, Error, ErrorCode, Health, MountSource, ProviderKind, Resource, Result, SandboxId, SandboxImage,
    SandboxPath, SandboxSpec, SecretDelivery, Source, WriteOptions,
};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Files that a sandbox begins with.
pub(crate) type Seed = Vec<(SandboxPath, Bytes)>;

pub(crate) struct Fleet {
    pub(crate) kind: ProviderKind,
    pub(crate) capabilities: Capabilities,
    pub(crate) clock: Clock,
    pub(crate) script: Script,
    pub(crate) faults: Faults,
    pub(crate) recording: Recording,
    pub(crate) files: Seed,
    pub(crate) images: BTreeMap<String, Seed>,
    pub(crate) servers: BTreeMap<u16, Server>,
    pub(crate) health: Mutex<Health>,
    pub(crate) places: Mutex<BTreeMap<SandboxId, Arc<Place>>>,
    pub(crate) snapshots: Mutex<Vec<Kept>>,
    pub(crate) volumes: Store,
    /// The tape that is played.
    pub(crate) player: Option<Arc<Player>>,
    /// How many sandboxes were made.
    pub(crate) made: AtomicU64,
}

/// The working directory of a sandbox that names none.
const WORKDIR: &str = "/work";
/// The directories of every sandbox.
const DIRECTORIES: [&str; 6] = ["/etc", "/home", "/root", "/run/isobox", "/tmp", WORKDIR];

impl Fleet {
    /// Meets the faults of an operation.
    pub(crate) async fn meet(&self, operation: Operation, about: impl Fn() -> String) -> Result<Option<Effect>> {
        let met = self.faults.met_by(operation, about);
        if !met.delay.is_zero() {
            self.clock.sleep(met.delay).await;
        }
        match met.effect {
            Some(Effect::Fail(error)) => Err(error),
            effect => Ok(effect),
        }
    }

    /// Every sandbox that was ever made, oldest first.
    pub(crate) fn all(&self) -> Vec<Arc<Place>> {
        locked(&self.places).values().cloned().collect()
    }

    /// A sandbox that is there.
    pub(crate) fn there(&self, id: &SandboxId) -> Result<Arc<Place>> {
        let found = locked(&self.places).get(id).cloned().filter(|place| !place.is_gone());
        found.ok_or_else(|| Error::not_found(Resource::Sandbox, id))
    }

    pub(crate) fn root(&self) -> Author {
        Author { uid: 0, gid: 0, now: self.clock.now() }
    }

    /// Makes a sandbox as a spec says.
    pub(crate) fn make(self: &Arc<Self>, id: &SandboxId, spec: &SandboxSpec) -> Result<Arc<Place>> {
        let tree = self.beginning(spec)?;
        self.make_with(id, spec, tree)
    }

    /// Makes a sandbox whose files begin as these.
    pub(crate) fn make_with(
        self: &Arc<Self>,
        id: &SandboxId,
        spec: &SandboxSpec,
        mut tree: Tree,
    ) -> Result<Arc<Place>> {
        if locked(&self.places).contains_key(id) {
            return Err(Error::already_exists(Resource::Sandbox, id));
        }
        tree.limit = spec.resources.disk;
        let workdir = spec.workdir.clone().unwrap_or_else(|| WORKDIR.into());
        let workdir_key: Key = names(workdir.as_bytes()).collect();
        tree.make_directories(&workdir_key, &self.root());
        let disk = Disk::new(tree, self.mounted(spec)?, &self.root());
        let user = owner_of(&disk, spec)?;
        let image = image_of(spec);
        let created = self.clock.elapsed();
        let place = Arc::new(Place {
            fleet: self.clone(),
            id: *id,
            number: self.made.fetch_add(1, Ordering::Relaxed) + 1,
            external: (*id).into(),
            name: spec.name.clone(),
            spec: spec.clone(),
            image,
            capabilities: self.capabilities.clone(),
            disk,
            workdir,
            workdir_key,
            user,
            env: environment_of(spec),
            created,
            listeners: Listeners::new(self.servers.clone()),
            state: Mutex::new(PlaceState::new(spec, created)),
            changed: tokio::sync::watch::Sender::new(()),
            sink: OnceLock::new(),
        });
        self.give_secrets(&place)?;
        if let Some(player) = &self.player {
            player.made(spec);
        }
        locked(&self.places).insert(*id, place.clone());
        place.arm();
        place.used();
        Ok(place)
    }

    /// The files that a sandbox of this spec begins with.
    fn beginning(&self, spec: &SandboxSpec) -> Result<Tree> {
        let image = match &spec.source {
            Source::Default => None,
            Source::Snapshot { snapshot } => return crate::snapshots::tree(self, snapshot),
            Source::Image(image) => match self.images.get(&image.reference) {
                Some(seed) => Some(seed),
                // A test that says which images there are means that there are no others.
                None if self.images.is_empty() => None,
                None => return Err(unknown_image(&image.reference)),
            },
            _ => return Err(Error::invalid_spec("source", "is none that a double has, use an image or a snapshot")),
        };
        let root = self.root();
        let mut tree = Tree::empty(&root);
        DIRECTORIES.iter().for_each(|path| {
            let key: Key = names(path.as_bytes()).collect();
            tree.make_directories(&key, &root);
        });
        let disk = Disk::new(tree, Vec::new(), &root);
        for (path, contents) in self.files.iter().chain(image.into_iter().flatten()) {
            let written = disk.with(|view| {
                let key = view.resolve(&[WORKDIR[1..].into()], path.as_bytes(), true)?;
                view.write(&key, &WriteOptions::default(), &root, |_| contents.clone())
            });
            written.map_err(|kind| Error::file(path, kind))?;
        }
        Ok(disk.copied())
    }

    /// What a spec mounts.
    fn mounted(&self, spec: &SandboxSpec) -> Result<Vec<Mounted>> {
        let mut mounted = Vec::new();
        for (mount, number) in spec.mounts.iter().zip(0..) {
            let MountSource::Tmpfs { size, .. } = &mount.source else {
                return Err(Error::unsupported(isobox_contract::Capability::MountsBind));
            };
            let mut tree = Tree::empty(&self.root());
            tree.limit = *size;
            mounted.push(Mounted {
                at: names(mount.target.as_bytes()).collect(),
                tree: Arc::new(Mutex::new(tree)),
                part: Key::new(),
                read_only: mount.read_only,
                volume: None,
                order: format!("tmpfs {number}"),
            });
        }
        for mount in &spec.volumes {
            mounted.push(self.volumes.mounted(mount)?);
        }
        Ok(mounted)
    }

    fn give_secrets(&self, place: &Arc<Place>) -> Result<()> {
        for secret in &place.spec.secrets {
            self.recording.hide(secret.value.expose());
            if let SecretDelivery::File { path } = &secret.delivery {
                let (author, options) = (place.author(), WriteOptions { mode: Some(0o400), ..WriteOptions::default() });
                let written = place.disk.with(|view| {
                    let key = view.resolve(&[], path.as_bytes(), true)?;
                    view.write(&key, &options, &author, |_| secret.value.expose().to_owned().into())
                });
                written.map_err(|kind| Error::file(path, kind))?;
            }
        }
        Ok(())
    }
}

fn unknown_image(reference: &str) -> Error {
    let message = format!("the test has no image {reference}, add it with TestProviderBuilder::image");
    Error::new(ErrorCode::ImageNotFound, message)
        .with_detail(isobox_contract::Detail::Resource { resource: Resource::Image, id: reference.to_owned() })
}

fn image_of(spec: &SandboxSpec) -> Option<SandboxImage> {
    let Source::Image(image) = &spec.source else { return None };
    let reference = image.reference.clone();
    let id = format!("sha256:{}", crate::tape::digest(reference.as_bytes()));
    Some(SandboxImage { reference, id, digest: None, entrypoint: Vec::new(), command: Vec::new() })
}

fn owner_of(disk: &Disk, spec: &SandboxSpec) -> Result<(u32, u32)> {
    let Some(user) = &spec.user else { return Ok((0, 0)) };
    let found = disk.with(|view| view.owner(user));
    let missing = || Error::not_found(Resource::User, user);
    found.map(|(uid, gid)| (uid, gid.unwrap_or(0))).ok_or_else(missing)
}

fn environment_of(spec: &SandboxSpec) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let bytes = |text: &str| text.as_bytes().to_vec();
    let mut env: BTreeMap<_, _> =
        [("HOME", "/root"), ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")]
            .into_iter()
            .map(|(name, value)| (bytes(name), bytes(value)))
            .collect();
    env.extend(spec.env.iter().map(|(name, value)| (bytes(name), bytes(value))));
    for secret in &spec.secrets {
        let value = match &secret.delivery {
            SecretDelivery::Exposed => bytes(secret.value.expose()),
            SecretDelivery::File { path } => path.as_bytes().to_vec(),
            // What the real value would be put in for, on its way out.
            _ => format!("isobox-placeholder-{}", secret.env).into_bytes(),
        };
        env.insert(bytes(&secret.env), value);
    }
    env
}
