//! The way in: one place of books and files, and the providers.

use super::events::Following;
use super::snapshots::{ExportOptions, ExportedImage, ImportOptions};
use super::{
    CreateOptions, Event, EventOptions, Images, Isolation, KindUsage, Limits, LimitsOptions, Pool, PoolOptions,
    PostMortem, Queue, Report, Result, Sandbox, Snapshot, State, TakeOptions, Volume, VolumeOptions,
};
use crate::cross::Cross;
use crate::held::Held;
use crate::stream::Stream;
use crate::{LocalPath, runtime};
use isobox::{Error, EventFilter, LayerCompression, SandboxFilter, SandboxId, VolumeSpec};
use std::collections::BTreeMap;
use std::time::SystemTime;

/// Where the library is opened.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// The directory of its books and files; by default that which `ISOBOX_HOME` names, or one of this user's.
    pub home: Option<LocalPath>,
    /// The provider of sandboxes that name none; the first isolating one that works here by default.
    pub default_provider: Option<String>,
}

/// Which sandboxes are listed.
#[derive(Clone, Debug, Default)]
pub struct ListOptions {
    /// Labels that all must match.
    pub labels: BTreeMap<String, String>,
    /// States of which one must match; all but `deleted` by default.
    pub states: Vec<State>,
    /// The provider.
    pub provider: Option<String>,
    /// Those too that are deleted, as far as they are remembered.
    pub deleted: bool,
}

/// What is written down about a sandbox.
#[derive(Clone, Debug)]
pub struct SandboxInfo {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: Option<String>,
    /// The provider that made it.
    pub provider: String,
    /// What it is doing.
    pub state: State,
    /// Since when.
    pub state_since: SystemTime,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// The image that it was made from.
    pub image: Option<String>,
    /// Whether it lives on without the process that made it.
    pub detached: bool,
    /// When its time to live ends.
    pub expires_at: Option<SystemTime>,
    /// Why it is in error.
    pub error: Option<Report>,
    /// The pool that keeps it ready.
    pub pool: Option<String>,
    /// When it was begun.
    pub created_at: SystemTime,
    /// When it was deleted or found gone.
    pub ended_at: Option<SystemTime>,
}

impl Cross<SandboxInfo> for isobox::SandboxEntry {
    fn cross(self) -> SandboxInfo {
        SandboxInfo {
            id: self.id.cross(),
            name: self.name,
            provider: self.provider.cross(),
            state: self.state.cross(),
            state_since: self.state_since.cross(),
            labels: self.labels,
            image: self.image.map(|image| image.reference),
            detached: self.detached,
            expires_at: self.expires_at.cross(),
            error: self.error.cross(),
            pool: self.pool,
            created_at: self.created_at.cross(),
            ended_at: self.ended_at.cross(),
        }
    }
}

/// What a provider is.
#[derive(Clone, Debug)]
pub struct ProviderInfo {
    /// Its kind, by which it is named.
    pub kind: String,
    /// Whether it works here.
    pub works: bool,
    /// What separates its sandboxes from the machine.
    pub isolation: Option<Isolation>,
    /// What it can do, by dotted names.
    pub capabilities: Vec<String>,
    /// Why it does not work.
    pub problem: Option<String>,
}

/// Something that nobody needs.
#[derive(Clone, Debug)]
pub struct Garbage {
    /// What it is, such as `sandbox` or `volume`.
    pub kind: String,
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: Option<String>,
    /// The provider that has it.
    pub provider: Option<String>,
    /// Why nobody needs it.
    pub reason: String,
}

/// An open library: one directory of books and files, which any number of processes share, and the providers.
#[derive(Clone)]
pub struct Isobox {
    isobox: Held<isobox::Isobox>,
}

impl Isobox {
    /// Opens it. Sandboxes that a process left when it was killed are removed then.
    pub async fn open(options: OpenOptions) -> Result<Isobox> {
        let mut builder = isobox::Isobox::builder();
        if let Some(home) = options.home {
            builder = builder.home(home.0);
        }
        if let Some(provider) = options.default_provider {
            builder = builder.default_provider(provider);
        }
        Ok(Self { isobox: Held::new(builder.open().await?) })
    }

    /// The one that is used where none is named.
    pub async fn shared() -> Result<Isobox> {
        runtime::shared().await
    }

    /// The directory of its books and files.
    pub fn home(&self) -> LocalPath {
        LocalPath(self.isobox.home().to_owned())
    }

    /// Makes a sandbox.
    pub async fn create(&self, options: CreateOptions) -> Result<Sandbox> {
        let builder = options.apply(self.isobox.get()?.sandbox())?;
        Sandbox::hold(builder.create().await?)
    }

    /// The sandbox with the name that is given, or a new one. Any number of callers at once get the same one.
    pub async fn get_or_create(&self, options: CreateOptions) -> Result<Sandbox> {
        let builder = options.apply(self.isobox.get()?.sandbox())?;
        Sandbox::hold(builder.get_or_create().await?)
    }

    /// A sandbox that is there, by its name or id, whatever process made it. It does not end with this handle.
    pub async fn connect(&self, id_or_name: String) -> Result<Sandbox> {
        Sandbox::hold(self.isobox.get()?.connect(&id_or_name).await?)
    }

    /// The sandboxes there are, the oldest first.
    pub async fn list(&self, options: ListOptions) -> Result<Vec<SandboxInfo>> {
        let provider = options.provider.map(|provider| kind("provider", &provider)).transpose()?;
        let filter = SandboxFilter {
            labels: options.labels,
            states: options.states.into_iter().map(Cross::cross).collect(),
            provider,
            deleted: options.deleted,
            ..SandboxFilter::default()
        };
        Ok(self.isobox.get()?.list(filter).await?.cross())
    }

    /// What is written down about a sandbox, by its name or id, also when it is gone.
    pub async fn inspect(&self, id_or_name: String) -> Result<SandboxInfo> {
        Ok(self.isobox.get()?.inspect(&id_or_name).await?.cross())
    }

    /// How a sandbox died unasked, by its name or id; none for one that lives, or that somebody deleted.
    pub async fn post_mortem(&self, id_or_name: String) -> Result<Option<PostMortem>> {
        let isobox = self.isobox.get()?;
        let id = match id_or_name.parse() {
            Ok(id) => id,
            Err(_) => isobox.inspect(&id_or_name).await?.id,
        };
        Ok(isobox.post_mortem(&id).await?.cross())
    }

    /// What happens, in this process and in others.
    pub async fn events(&self, options: EventOptions) -> Result<Stream<Event>> {
        let isobox = self.isobox.get()?;
        let sandboxes: isobox::Result<Vec<SandboxId>> = options.sandboxes.iter().map(|id| sandbox_id(id)).collect();
        let filter = EventFilter { sandboxes: sandboxes?, kinds: options.kinds };
        let after = match options.after {
            Some(after) => after,
            None => isobox.last_event().await?,
        };
        Ok(Stream::new(Following { follow: isobox.events(after, filter), waits: !options.no_follow }))
    }

    /// The providers that are built in, and whether they work here.
    pub async fn providers(&self) -> Result<Vec<ProviderInfo>> {
        let isobox = self.isobox.get()?;
        let mut all = Vec::new();
        for kind in isobox.providers() {
            all.push(match isobox.provider(kind.as_str()).await {
                Ok(provider) => ProviderInfo {
                    kind: kind.to_string(),
                    works: true,
                    isolation: Some(provider.capabilities().isolation.cross()),
                    capabilities: provider.capabilities().iter().map(|capability| capability.to_string()).collect(),
                    problem: None,
                },
                Err(error) => ProviderInfo {
                    kind: kind.to_string(),
                    works: false,
                    isolation: None,
                    capabilities: Vec::new(),
                    problem: Some(error.message().to_owned()),
                },
            });
        }
        Ok(all)
    }

    /// Removes what nobody needs: what killed processes left. With `dry_run` it is only told.
    pub async fn collect_garbage(&self, dry_run: bool) -> Result<Vec<Garbage>> {
        let collection = self.isobox.get()?.collect_garbage();
        let collected = match dry_run {
            true => collection.dry_run().await?,
            false => collection.await?,
        };
        let garbage = collected.found.into_iter().map(|garbage| Garbage {
            kind: garbage.kind.as_str().to_owned(),
            id: garbage.id,
            name: garbage.name,
            provider: garbage.provider.cross(),
            reason: garbage.reason,
        });
        Ok(garbage.collect())
    }

    /// The snapshots that a provider has.
    pub async fn snapshots(&self, provider: Option<String>) -> Result<Vec<Snapshot>> {
        Ok(self.snapshots_of(provider)?.list().await?.cross())
    }

    /// A snapshot, by its name or id.
    pub async fn snapshot(&self, id_or_name: String, provider: Option<String>) -> Result<Snapshot> {
        Ok(self.snapshots_of(provider)?.get(id_or_name).await?.cross())
    }

    /// Removes a snapshot, by its name or id. What is not there is fine.
    pub async fn delete_snapshot(&self, id_or_name: String, provider: Option<String>) -> Result<()> {
        Ok(self.snapshots_of(provider)?.delete(id_or_name).await?)
    }

    fn snapshots_of(&self, provider: Option<String>) -> Result<isobox::Snapshots> {
        let snapshots = self.isobox.get()?.snapshots();
        Ok(match provider {
            Some(provider) => snapshots.provider(provider),
            None => snapshots,
        })
    }

    /// Makes a volume.
    pub async fn create_volume(&self, name: String, options: VolumeOptions) -> Result<Volume> {
        let size = options.size.map(|size| size.bytes("size")).transpose()?;
        let spec = VolumeSpec { size, labels: options.labels, ..VolumeSpec::named(name) };
        Ok(self.volumes_of(options.provider)?.create_with(spec).await?.cross())
    }

    /// The volumes that a provider has.
    pub async fn volumes(&self, provider: Option<String>) -> Result<Vec<Volume>> {
        Ok(self.volumes_of(provider)?.list().await?.cross())
    }

    /// A volume, by its name or id.
    pub async fn volume(&self, id_or_name: String, provider: Option<String>) -> Result<Volume> {
        Ok(self.volumes_of(provider)?.get(&id_or_name).await?.cross())
    }

    /// Removes a volume with its contents, by its name or id. One that a sandbox uses is refused.
    pub async fn delete_volume(&self, id_or_name: String, provider: Option<String>) -> Result<()> {
        Ok(self.volumes_of(provider)?.delete(&id_or_name).await?)
    }

    fn volumes_of(&self, provider: Option<String>) -> Result<isobox::Volumes> {
        let volumes = self.isobox.get()?.volumes();
        Ok(match provider {
            Some(provider) => volumes.provider(provider),
            None => volumes,
        })
    }

    /// Writes a snapshot into a file of this machine, as an image that `docker load` and others take.
    pub async fn export_snapshot(
        &self,
        id_or_name: String,
        to: LocalPath,
        options: ExportOptions,
    ) -> Result<ExportedImage> {
        let ExportOptions { provider, reference, compress } = options;
        let compression = if compress { LayerCompression::Gzip } else { LayerCompression::None };
        let wanted = isobox::ExportOptions { reference, compression, holes: false };
        Ok(self.snapshots_of(provider)?.export(id_or_name, to.0, wanted).await?.cross())
    }

    /// Makes a snapshot from an image in an archive or layout folder of this machine.
    pub async fn import_snapshot(&self, archive: LocalPath, options: ImportOptions) -> Result<Snapshot> {
        let ImportOptions { provider, name, labels, image } = options;
        let wanted = isobox::ImportOptions { name, labels, image };
        Ok(self.snapshots_of(provider)?.import(archive.0, wanted).await?.cross())
    }

    /// The images that a provider has.
    pub async fn images(&self, provider: Option<String>) -> Result<Images> {
        let images = self.isobox.get()?.images();
        Ok(Images::new(match provider {
            Some(provider) => images.provider(provider),
            None => images,
        }))
    }

    /// Keeps so many sandboxes ready.
    pub async fn pool(&self, size: u32, options: PoolOptions) -> Result<Pool> {
        Ok(Pool::new(options.apply(self.isobox.get()?, size)?.open().await?))
    }

    /// A sandbox from a pool of another process, by the name that it is shared as.
    pub async fn take_from(&self, pool: String, options: TakeOptions) -> Result<Sandbox> {
        Sandbox::hold(self.isobox.get()?.take_from_with(&pool, options.cross()).await?)
    }

    /// What may be at once on this machine.
    pub async fn limits(&self) -> Result<Limits> {
        Ok(self.isobox.get()?.limits().await?.cross())
    }

    /// Changes what may be at once on this machine.
    pub async fn set_limits(&self, options: LimitsOptions) -> Result<()> {
        let isobox = self.isobox.get()?;
        let limits = options.apply(isobox.limits().await?);
        Ok(isobox.set_limits(limits).await?)
    }

    /// What is made now on this machine, and who waits.
    pub async fn queue(&self) -> Result<Queue> {
        Ok(self.isobox.get()?.queue().await?.cross())
    }

    /// What takes disk.
    pub async fn disk_usage(&self) -> Result<Vec<KindUsage>> {
        let usage = self.isobox.get()?.disk_usage().await?;
        Ok(isobox::DiskKind::ALL.iter().map(|kind| usage.of(*kind).cross()).collect())
    }

    /// Writes down what is not written down yet. Sandboxes live on with their handles.
    pub async fn close(&self) -> Result<()> {
        self.isobox.get()?.close().await;
        Ok(())
    }
}

fn kind(field: &str, name: &str) -> isobox::Result<isobox::ProviderKind> {
    name.parse().map_err(|error| Error::invalid_spec(field, format!("is {name:?}: {error}")))
}

fn sandbox_id(id: &str) -> isobox::Result<SandboxId> {
    id.parse().map_err(|error| Error::invalid_spec("sandboxes", format!("has {id:?}: {error}")))
}
