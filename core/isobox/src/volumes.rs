//! Volumes: directories with a life of their own, which any number of sandboxes share.

use crate::control::{facets, to_its_end};
use crate::isobox::Isobox;
use crate::why::explained;
use isobox_contract::{
    Capability, Context, Error, ErrorCode, Isolation, Provider, Result, SandboxId, VolumeSpec, VolumeState,
};
use isobox_control::VolumeEntry;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long measuring a volume may take.
const MEASURE_TIMEOUT: Duration = Duration::from_secs(60);

/// The volumes of a provider; from [`Isobox::volumes`]. Cheap to clone.
///
/// A volume is made once, put into sandboxes with [`SandboxBuilder::volume`](crate::SandboxBuilder::volume), and stays when
/// they are gone. What is begun here goes on to its end when nobody waits for it.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> isobox::Result<()> {
/// # let home = tempfile::tempdir().unwrap();
/// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
/// isobox.volumes().create("cache").await?;
/// for name in ["first", "second"] {
///     let sandbox = isobox.sandbox().volume("cache", "/cache").create().await?;
///     sandbox.shell(format!("echo {name} >> /cache/names")).await?;
///     sandbox.delete().await?;
/// }
/// let sandbox = isobox.sandbox().volume("cache", "/cache").create().await?;
/// assert_eq!(sandbox.files().read_text("/cache/names").await?, "first\nsecond\n");
///
/// let refused = isobox.volumes().delete("cache").await.unwrap_err();
/// assert_eq!(refused.code(), isobox::ErrorCode::Conflict);
/// sandbox.delete().await?;
/// isobox.volumes().delete("cache").await
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Volumes {
    isobox: Isobox,
    provider: Option<String>,
}

/// A volume, looked at closely.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct VolumeDetails {
    /// What is written down of it.
    pub entry: VolumeEntry,
    /// The sandboxes that use it, oldest first.
    pub used_by: Vec<SandboxId>,
    /// Bytes of the disk that its contents take now; none where that cannot be told.
    pub usage: Option<u64>,
}

/// Volumes that nobody used and that are gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PrunedVolumes {
    /// Their names.
    pub names: Vec<String>,
    /// Bytes of the disk that are free now, as far as they could be told.
    pub freed: u64,
}

impl Isobox {
    /// The volumes of the default provider.
    pub fn volumes(&self) -> Volumes {
        Volumes { isobox: self.clone(), provider: None }
    }
}

impl Volumes {
    /// Those of another provider.
    pub fn provider(mut self, name: impl Into<String>) -> Self {
        self.provider = Some(name.into());
        self
    }

    /// Makes one with this name, unique for the provider: 1 to 128 letters, digits, hyphens, underscores and dots.
    ///
    /// `invalid_spec` for another name, `already_exists` for one that is taken, `unsupported` by `volumes.supported` where the
    /// provider has none.
    pub async fn create(&self, name: impl Into<String>) -> Result<VolumeEntry> {
        self.create_with(VolumeSpec::named(name)).await
    }

    /// The same, with labels and, where the provider claims `volumes.size`, a size.
    pub async fn create_with(&self, spec: VolumeSpec) -> Result<VolumeEntry> {
        self.make(spec, false).await
    }

    /// Makes one, or gives the one that has this name, whoever made it and whatever its labels are. Of many that ask at once,
    /// one makes it.
    pub async fn get_or_create(&self, name: impl Into<String>) -> Result<VolumeEntry> {
        self.get_or_create_with(VolumeSpec::named(name)).await
    }

    /// The same, with labels and a size for one that is made.
    pub async fn get_or_create_with(&self, spec: VolumeSpec) -> Result<VolumeEntry> {
        self.make(spec, true).await
    }

    /// All of them, the oldest first. One whose directory is gone is in the state `error`.
    pub async fn list(&self) -> Result<Vec<VolumeEntry>> {
        let provider = self.there("volume.list").await?;
        self.isobox.control().all_volumes(&*provider).await
    }

    /// What is written down of the volumes of all providers, of whichever these are, the oldest first. No provider is asked.
    pub async fn recorded(&self) -> Result<Vec<VolumeEntry>> {
        self.isobox.control().store().volumes().await
    }

    /// What is written down of one, by its id or its name. `not_found` when there is none.
    pub async fn get(&self, id_or_name: &str) -> Result<VolumeEntry> {
        let provider = self.there("volume.get").await?;
        self.isobox.control().known_volume(&*provider, id_or_name).await
    }

    /// The same with who uses it and how much is in it, for which every file of it is looked at.
    pub async fn inspect(&self, id_or_name: &str) -> Result<VolumeDetails> {
        let provider = self.there("volume.inspect").await?;
        let entry = self.isobox.control().known_volume(&*provider, id_or_name).await?;
        let used_by = self.isobox.control().store().volume_users(&entry.id).await?;
        let usage = usage(&*provider, &entry).await?;
        Ok(VolumeDetails { entry, used_by, usage })
    }

    /// Removes one with its contents, by its id or its name. What is not there is fine; `conflict`, with the names of the
    /// sandboxes, while one has it, also a stopped one.
    pub async fn delete(&self, id_or_name: &str) -> Result<()> {
        let provider = self.there("volume.delete").await?;
        let (isobox, wanted) = (self.isobox.clone(), id_or_name.to_owned());
        let work = async move {
            let deleted = isobox.control().delete_volume(&*provider, &wanted).await;
            deleted.map_err(|error| error.with_provider(provider.kind()).with_operation("volume.delete"))
        };
        to_its_end("volume.delete", work).await
    }

    /// Removes all that no sandbox has.
    pub async fn prune(&self) -> Result<PrunedVolumes> {
        let provider = self.there("volume.prune").await?;
        let isobox = self.isobox.clone();
        to_its_end("volume.prune", async move { prune(&isobox, &*provider).await }).await
    }

    async fn make(&self, spec: VolumeSpec, get: bool) -> Result<VolumeEntry> {
        const NAME: &str = "volume.create";
        let provider = self.there(NAME).await?;
        let told = |error: Error| error.with_provider(provider.kind()).with_operation(NAME);
        let fits = spec.validate_against(provider.capabilities());
        fits.map_err(|error| told(explained(&*provider, error)))?;
        let (isobox, maker) = (self.isobox.clone(), provider.clone());
        let work = async move { isobox.control().make_volume(&*maker, &spec, get, &Context::quiet()).await };
        to_its_end(NAME, work).await.map_err(told)
    }

    async fn there(&self, operation: &str) -> Result<Arc<dyn Provider>> {
        let provider = self.isobox.choose(self.provider.as_deref(), Isolation::None).await?;
        let required = provider.capabilities().require(Capability::VolumesSupported);
        required
            .map_err(|error| explained(&*provider, error).with_provider(provider.kind()).with_operation(operation))?;
        Ok(provider)
    }
}

async fn usage(provider: &dyn Provider, entry: &VolumeEntry) -> Result<Option<u64>> {
    let (Some(external), VolumeState::Ready) = (&entry.external, entry.state) else { return Ok(None) };
    let mut context = Context::quiet();
    context.deadline = Instant::now().checked_add(MEASURE_TIMEOUT);
    match facets::volumes(provider)?.usage(external, &context).await {
        Err(error) if matches!(error.code(), ErrorCode::Timeout | ErrorCode::NotFound) => Ok(None),
        measured => measured,
    }
}

async fn prune(isobox: &Isobox, provider: &dyn Provider) -> Result<PrunedVolumes> {
    let mut pruned = PrunedVolumes::default();
    for entry in isobox.control().all_volumes(provider).await?.into_iter().filter(|entry| entry.attached == 0) {
        if matches!(entry.state, VolumeState::Creating | VolumeState::Deleting) {
            continue;
        }
        let freed = usage(provider, &entry).await?;
        match isobox.control().delete_volume(provider, entry.id.as_str()).await {
            // Somebody uses it by now.
            Err(error) if error.code() == ErrorCode::Conflict => continue,
            deleted => deleted?,
        }
        pruned.freed += freed.unwrap_or(0);
        pruned.names.push(entry.name);
    }
    Ok(pruned)
}
