//! The fleet.

use crate::capabilities::{NO_COPY, NO_COPY_OF_MEMORY, NO_DISK, NO_SIZE, capabilities};
use crate::cgroups::Machine;
use crate::entrypoint;
use crate::ids::Ids;
use crate::images::Library;
use crate::snapshots::{Lock, Origin, Root, Store, Taken, blocking, gone, take};
use crate::spec::{config, disk, users};
use crate::volumes;
use async_trait::async_trait;
use isobox_contract::{
    Capabilities, Capability, Context, Error, Filter, ForkOptions, Health, Images, Provider, ProviderKind, Resource,
    Result, Sandbox, SandboxId, SandboxRecord, SandboxSpec, SnapshotId, SnapshotOptions, SnapshotStatus, Snapshots,
    Source, Status, Volumes,
};
use isobox_local::{Copies, Fleet, Launch, LocalSandbox, MadeDisk, settings};
use isobox_wire::launch::{IdRange, LaunchConfig};
use isobox_wire::settings::Place;
use std::path::Path;
use std::sync::Arc;

/// Makes sandboxes from Linux namespaces.
pub struct NamespaceProvider {
    inner: Arc<Inner>,
}

struct Inner {
    fleet: Fleet,
    ids: Ids,
    cgroups: Machine,
    library: Arc<Library>,
    snapshots: Store,
    volumes: volumes::Store,
}

/// What a sandbox is made from in place of the source of its spec.
struct From<'a> {
    root: &'a Root,
    snapshot: Option<String>,
}

impl NamespaceProvider {
    /// A provider that keeps its sandboxes below `home`. Starts nothing.
    ///
    /// # Errors
    /// When there is no directory for sandboxes, and none can be made.
    pub fn open(home: &Path) -> Result<Self> {
        let (ids, cgroups) = (Ids::here(), Machine::open());
        let ways = isobox_disk::Ways::below(home);
        let mut limits = cgroups.claims();
        if ways.any() {
            limits.push(Capability::ResourcesDisk);
        }
        if ways.quota.is_ok() {
            limits.push(Capability::VolumesSize);
        }
        if ways.quota.is_ok() && !limits.contains(&Capability::LifecycleResize) {
            limits.push(Capability::LifecycleResize);
        }
        let capabilities = capabilities(ids.several(), limits);
        let fleet = Fleet::open(home, ProviderKind::NAMESPACE, capabilities)?;
        let library = Arc::new(Library::new(home, &ids));
        let snapshots = Store::new(home, library.clone());
        let volumes = volumes::Store::new(home);
        let inner = Arc::new(Inner { fleet, ids, cgroups, library, snapshots, volumes });
        let copies = Arc::downgrade(&inner);
        inner.fleet.copied_by(copies);
        Ok(Self { inner })
    }
}

impl Inner {
    async fn make(
        self: &Arc<Self>,
        id: &SandboxId,
        spec: &SandboxSpec,
        from: Option<From<'_>>,
        context: &Context,
    ) -> Result<Arc<dyn Sandbox>> {
        context.remaining("create")?;
        let state_dir = self.fleet.place(id)?;
        // What an image says changes nothing about them: one has several users whenever there can be.
        let maps = self.ids.maps(spec, users(spec))?;
        let _volumes = self.volumes.hold(spec).await?;
        let image = self.library.prepare(id, spec, &maps, &state_dir, context).await?;
        let _kept = match (&image, &from) {
            (None, Some(from)) => self.library.keep(id.as_str(), &state_dir, from.root)?,
            _ => Vec::new(),
        };
        let spec = image.as_ref().map_or(spec, |image| &image.spec);
        let made_from = image.as_ref().map(|image| image.image.clone());
        let entrypoint = entrypoint::of(spec, made_from.as_ref())?;
        let mut settings = settings(spec, Place::Sandbox)?;
        settings.make_workdir = image.as_ref().is_some_and(|image| image.makes_workdir);
        let id_mapped = rustix::process::geteuid().is_root();
        let given = from.as_ref().map(|from| from.root.for_launch(&self.snapshots.layers(), id_mapped));
        let given = given.or_else(|| image.as_ref().map(|image| image.root.clone()));
        let mut config = config(id, spec, given.as_ref(), &state_dir, maps, &settings, &self.volumes)?;
        let disk = match disk(spec, &state_dir)? {
            Some((backing, bytes)) => Some(MadeDisk::make(backing, bytes, &state_dir, root_of(&config)).await?),
            None => None,
        };
        isobox_fault::point!("create.disk_made");
        config.disk = disk.as_ref().map(MadeDisk::for_launch).unwrap_or_default();
        let origin = Origin::of(spec, &config, from.map(|from| (from.root, from.snapshot)))
            .with_image(image.as_ref().map(|image| image.image.id.clone()));
        let owner = rustix::process::geteuid().is_root().then(|| root_of(&config));
        let born = self.cgroups.make(id, spec, owner)?;
        isobox_fault::point!("create.cgroups_made");
        config.cgroups = born.for_launch();
        let frame = config
            .to_frame()
            .map_err(|_| Error::limit_exceeded("spec", isobox_wire::launch::MAX_LAUNCH_CONFIG as u64))?;
        let token = settings.token.into_vec();
        let cgroups = born.for_sandbox();
        let launch = Launch {
            id: *id,
            state_dir: state_dir.clone(),
            role: "launch",
            config: frame,
            token,
            cgroups,
            disk,
            image: made_from,
        };
        let capabilities = origin.narrow(self.fleet.capabilities());
        let kind = self.fleet.kind().clone();
        let sandbox = LocalSandbox::create(launch, spec, kind, capabilities, None).await?;
        born.hand_over();
        self.cgroups.sweep();
        if let Err(error) = origin.write(&state_dir) {
            // One that has died already has taken its directory along, and its keeper says why.
            let gone = sandbox.obituary().await;
            sandbox.delete(context).await?;
            return Err(gone.unwrap_or(error));
        }
        isobox_fault::point!("create.origin_written");
        sandbox.copied_by(self.clone());
        isobox_local::confirm(&sandbox, spec).await?;
        if let Some(entrypoint) = entrypoint
            && let Err(error) = sandbox.exec().spawn(entrypoint).await
        {
            sandbox.delete(context).await?;
            return Err(error);
        }
        Ok(Arc::new(sandbox))
    }

    /// Makes a sandbox from a snapshot. It holds the store until the sandbox is there, which needs the layers from then on.
    async fn restore(
        self: &Arc<Self>,
        id: &SandboxId,
        spec: &SandboxSpec,
        context: &Context,
    ) -> Result<Arc<dyn Sandbox>> {
        let Source::Snapshot { snapshot } = &spec.source else { return Err(Error::internal("not a snapshot")) };
        let _lock = self.shared().await?;
        let manifest = Store::get(&self.snapshots, snapshot.as_str());
        let manifest = manifest.ok_or_else(|| Error::not_found(Resource::Snapshot, snapshot))?;
        if let Some(path) = manifest.root.missing() {
            return Err(gone(&path));
        }
        let from = From { root: &manifest.root, snapshot: Some(manifest.id.to_string()) };
        self.make(id, &manifest.under(spec), Some(from), context).await
    }

    async fn shared(&self) -> Result<Lock> {
        let store = self.snapshots.clone();
        blocking(move || store.shared()).await
    }
}

#[async_trait]
impl Copies for Inner {
    async fn snapshot(
        &self,
        sandbox: &SandboxId,
        id: &SnapshotId,
        options: &SnapshotOptions,
        context: &Context,
    ) -> Result<SnapshotStatus> {
        context.remaining("snapshot")?;
        self.snapshots.snapshot(sandbox, id, options).await
    }

    async fn fork(
        self: Arc<Self>,
        sandbox: &SandboxId,
        ids: &[SandboxId],
        options: &ForkOptions,
        context: &Context,
    ) -> Result<Vec<Arc<dyn Sandbox>>> {
        context.remaining("fork")?;
        let store = self.snapshots.clone();
        blocking(move || {
            store.tidy();
            Ok(())
        })
        .await?;
        let Taken { layer, origin, root, .. } = take(&self.snapshots, sandbox).await?;
        isobox_fault::point!("fork.copied");
        let _lock = self.shared().await?;
        layer.keep()?;
        isobox_fault::point!("fork.layer_kept");
        let mut spec = origin.spec;
        spec.name = options.name.clone();
        // What runs in the original does not run in a fork.
        spec.entrypoint = false;
        spec.labels = options.labels.clone().unwrap_or(spec.labels);
        let mut made: Vec<Arc<dyn Sandbox>> = Vec::with_capacity(ids.len());
        for id in ids {
            let from = From { root: &root, snapshot: None };
            match self.make(id, &spec, Some(from), context).await {
                Ok(child) => made.push(child),
                Err(error) => {
                    for child in made {
                        child.delete(context).await?;
                    }
                    return Err(error);
                }
            }
        }
        Ok(made)
    }
}

#[async_trait]
impl Provider for NamespaceProvider {
    fn kind(&self) -> &ProviderKind {
        self.inner.fleet.kind()
    }

    fn capabilities(&self) -> &Capabilities {
        self.inner.fleet.capabilities()
    }

    fn why_not(&self, capability: Capability) -> Option<String> {
        match capability {
            Capability::ResourcesDisk => Some(NO_DISK.to_owned()),
            Capability::VolumesSize => Some(NO_SIZE.to_owned()),
            Capability::ExecUser | Capability::FilesOwnership => self.inner.ids.why_one(),
            Capability::LifecycleSnapshot | Capability::SnapshotsFilesystem | Capability::LifecycleForkFilesystem => {
                let reason = if rustix::process::geteuid().is_root() { NO_COPY_OF_MEMORY } else { NO_COPY };
                Some(reason.to_owned())
            }
            _ => self.inner.cgroups.why_not(capability),
        }
    }

    async fn create(&self, id: &SandboxId, spec: &SandboxSpec, context: &Context) -> Result<Arc<dyn Sandbox>> {
        match spec.source {
            Source::Snapshot { .. } => self.inner.restore(id, spec, context).await,
            _ => self.inner.make(id, spec, None, context).await,
        }
    }

    async fn attach(&self, record: &SandboxRecord, _context: &Context) -> Result<Arc<dyn Sandbox>> {
        let all = self.inner.fleet.capabilities();
        let origin = Origin::read(&self.inner.snapshots.sandbox(&record.id), &record.id);
        // Without it, it is gone, which is found next.
        let able = origin.map_or_else(|_| all.clone(), |origin| origin.narrow(all));
        self.inner.fleet.attach_with(record, able).await
    }

    async fn delete(&self, record: &SandboxRecord, context: &Context) -> Result<()> {
        self.inner.fleet.delete(record, context).await
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Status>> {
        Ok(self.inner.fleet.list(filter).await)
    }

    fn images(&self) -> Option<&dyn Images> {
        Some(&*self.inner.library)
    }

    async fn leavings(&self) -> Result<Vec<SandboxId>> {
        Ok(self.inner.fleet.leavings().await)
    }

    async fn tidy(&self) -> Result<()> {
        let inner = self.inner.clone();
        blocking(move || {
            inner.cgroups.sweep_now();
            inner.snapshots.tidy();
            Ok(())
        })
        .await
    }

    async fn health(&self) -> Health {
        isobox_local::probe(self).await
    }

    fn snapshots(&self) -> Option<&dyn Snapshots> {
        Some(&self.inner.snapshots)
    }

    fn volumes(&self) -> Option<&dyn Volumes> {
        Some(&self.inner.volumes)
    }
}

/// The user and group outside that are root in the sandbox.
fn root_of(config: &LaunchConfig) -> (u32, u32) {
    let root = |map: &[IdRange]| map.iter().find(|range| range.inside == 0).map_or(0, |range| range.outside);
    (root(&config.uid_map), root(&config.gid_map))
}
