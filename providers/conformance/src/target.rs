//! What is looked at: a provider, what its sandboxes are made from, and what else there is.

use futures::future::BoxFuture;
use isobox::contract::Provider;
use isobox::{
    DiskBacking, Isobox, NamespaceOptions, ProviderKind, ProviderOptions, Result, SandboxBuilder, SandboxSpec,
};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

type Open = dyn Fn(PathBuf) -> BoxFuture<'static, Result<Isobox>> + Send + Sync;
type Template = dyn Fn(SandboxBuilder) -> SandboxBuilder + Send + Sync;
type Elsewhere = dyn Fn() -> Command + Send + Sync;

/// What is looked at. Cheap to clone.
#[derive(Clone)]
pub struct Target {
    provider: String,
    open: Arc<Open>,
    template: Arc<Template>,
    /// Whether sandboxes as the template says can do less than the provider.
    pub(crate) narrower: bool,
    elsewhere: Option<Arc<Elsewhere>>,
    pub(crate) fixtures: Fixtures,
}

/// What a check may use that no suite can bring along. What is not there, a check that needs it is skipped for.
#[derive(Clone, Debug, Default)]
pub struct Fixtures {
    /// An image with `sh` that sandboxes are made from.
    pub image: Option<String>,
    /// An image with `sh` in a registry, which is fetched from there and removed again; `image` where there is none.
    pub remote_image: Option<String>,
    /// An archive of an image with `sh`, on this machine.
    pub archive: Option<PathBuf>,
    /// An image whose entrypoint writes `entrypoint` to stdout.
    pub entrypoint_image: Option<String>,
    /// The text of a Dockerfile that makes an image with `sh` and the file `/conformance` in it.
    pub dockerfile: Option<String>,
    /// An image with `sh` for one-shots.
    pub one_shot_image: Option<String>,
    /// A repository that sandboxes can clone over their network; one that is made in the sandbox where there is none.
    pub repository: Option<Repository>,
    /// Options with which the disk can be limited where that does not go without: the first that are not refused are taken.
    pub disk_options: Vec<ProviderOptions>,
}

/// A repository that sandboxes can clone.
#[derive(Clone, Debug)]
pub struct Repository {
    /// Where it is.
    pub url: String,
    /// A tag that is not the newest commit of any branch.
    pub tag: String,
    /// The commit of the tag.
    pub commit: String,
}

impl Target {
    /// A provider that is built into `isobox`, by its kind.
    pub fn built_in(kind: impl Into<String>) -> Self {
        let kind = kind.into();
        let backings =
            [DiskBacking::Loop, DiskBacking::Tmpfs].into_iter().filter(|_| kind == ProviderKind::NAMESPACE.as_str());
        let options =
            backings.map(|backing| NamespaceOptions { disk_backing: Some(backing), ..NamespaceOptions::default() });
        let disk_options = options.map(ProviderOptions::Namespace).collect();
        let target = Self::new(kind, |home| Box::pin(async move { Isobox::builder().home(home).open().await }));
        target.fixtures(Fixtures { disk_options, ..Fixtures::default() })
    }

    /// A provider of your own, by its kind and how it is opened for a directory that belongs to `isobox`.
    pub fn opened(
        kind: impl Into<String>,
        open: impl Fn(&Path) -> Result<Arc<dyn Provider>> + Clone + Send + Sync + 'static,
    ) -> Self {
        Self::new(kind.into(), move |home| {
            let open = open.clone();
            Box::pin(async move { Isobox::builder().with_provider(open(&home)?).home(home).open().await })
        })
    }

    fn new(
        provider: String,
        open: impl Fn(PathBuf) -> BoxFuture<'static, Result<Isobox>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            provider,
            open: Arc::new(open),
            template: Arc::new(|builder| builder),
            narrower: false,
            elsewhere: None,
            fixtures: Fixtures::default(),
        }
    }

    /// Says what every sandbox is like, such as its options.
    pub fn template(mut self, template: impl Fn(SandboxBuilder) -> SandboxBuilder + Send + Sync + 'static) -> Self {
        self.template = Arc::new(template);
        self
    }

    /// Says that sandboxes as the template says can do less than the provider, as those of a stronger isolation may: what a first one
    /// of them does not claim has to be refused of all.
    pub fn narrower(mut self) -> Self {
        self.narrower = true;
        self
    }

    /// Says what there is for checks to use. With an image, sandboxes are made from it.
    pub fn fixtures(mut self, fixtures: Fixtures) -> Self {
        let known = std::mem::take(&mut self.fixtures.disk_options);
        self.fixtures = fixtures;
        if self.fixtures.disk_options.is_empty() {
            self.fixtures.disk_options = known;
        }
        self
    }

    /// Says how another process of this program is started that calls [`serve`](crate::serve) with the same target. Without it,
    /// what happens when a process is killed is not looked at.
    pub fn elsewhere(mut self, command: impl Fn() -> Command + Send + Sync + 'static) -> Self {
        self.elsewhere = Some(Arc::new(command));
        self
    }

    /// The kind of the provider.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    pub(crate) async fn open(&self, home: &Path) -> Result<Isobox> {
        (self.open)(home.to_owned()).await
    }

    /// A sandbox of the provider, as the target says, without a source.
    pub(crate) fn bare(&self, isobox: &Isobox) -> SandboxBuilder {
        (self.template)(isobox.sandbox().provider(&self.provider))
    }

    /// A sandbox of the provider with this spec, and what the target says on top.
    pub(crate) fn with_spec(&self, isobox: &Isobox, spec: SandboxSpec) -> SandboxBuilder {
        (self.template)(isobox.sandbox().provider(&self.provider).spec(spec))
    }

    /// A sandbox of the provider, as the target says.
    pub(crate) fn builder(&self, isobox: &Isobox) -> SandboxBuilder {
        match &self.fixtures.image {
            Some(image) => self.bare(isobox).image(image.as_str()),
            None => self.bare(isobox),
        }
    }

    pub(crate) fn another_process(&self) -> Option<Command> {
        self.elsewhere.as_ref().map(|command| command())
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Target")
            .field("provider", &self.provider)
            .field("fixtures", &self.fixtures)
            .finish_non_exhaustive()
    }
}
