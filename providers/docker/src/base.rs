//! What a sandbox is made from.

use crate::build::Files;
use crate::images::{Found, Named};
use crate::provider::Inner;
use bollard::models::Mount;
use bollard::query_parameters::CreateImageOptionsBuilder;
use bytes::Bytes;
use futures::TryStreamExt;
use isobox_contract::{Context, Error, Result, SandboxId, SandboxImage, SandboxSpec, Source};

/// The image with nothing in it, by the name that Dockerfiles have for it, and what isobox calls its own.
const SCRATCH: &str = "scratch";
const SCRATCH_REPOSITORY: &str = "isobox.invalid/scratch";
/// An archive with nothing in it.
const EMPTY: [u8; 1024] = [0; 1024];

/// An image at the engine, and the spec with what it says.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    /// The image's id.
    pub(crate) id: String,
    /// What it is called, and what it runs.
    pub(crate) image: Option<SandboxImage>,
    /// The spec with what the image says under it.
    pub(crate) spec: SandboxSpec,
    /// Whether the working directory is the image's, which need not be there.
    pub(crate) makes_workdir: bool,
    /// Whether the image has a health check, which would run beside what was asked for.
    pub(crate) checks_health: bool,
    /// For which platform, where that was chosen.
    pub(crate) platform: Option<String>,
    /// The sandbox whose one-shot it is.
    pub(crate) beside: Option<Beside>,
}

/// A sandbox that something runs beside.
#[derive(Clone, Debug)]
pub(crate) struct Beside {
    pub(crate) sandbox: SandboxId,
    pub(crate) container: String,
    /// The volume that is its working directory.
    pub(crate) workspace: Option<Mount>,
}

/// Makes what a spec is made from ready.
///
/// # Errors
/// `image_not_found`, `invalid_spec` for a source that docker has not, and whatever the engine says.
pub(crate) async fn base(inner: &Inner, id: &SandboxId, spec: &SandboxSpec, context: &Context) -> Result<Base> {
    match &spec.source {
        Source::Image(image) if image.reference == SCRATCH => scratch(inner, spec).await,
        Source::Image(image) => {
            let found = inner.library.obtain(image, context).await?;
            Ok(based(&found, spec, image.platform.clone()))
        }
        Source::Archive { path, reference } => {
            let found = inner.library.of_archive(path, reference.as_deref(), context).await?;
            Ok(based(&found, spec, None))
        }
        Source::Snapshot { snapshot } => {
            let found = inner.snapshots.image(snapshot).await?;
            Ok(copied(&found, spec))
        }
        Source::Dockerfile { content, context: directory } => {
            let files = directory.clone().map_or(Files::Nothing, Files::Directory);
            let found = inner.built(id, content.as_str(), files, context).await?;
            let mut base = based(&found, spec, None);
            if let Some(image) = &mut base.image {
                image.reference = found.id;
            }
            Ok(base)
        }
        Source::Default => {
            let reason = "is missing, and docker has no files of its own: give an image, or scratch for an empty one";
            Err(Error::invalid_spec("source", reason))
        }
        _ => Err(Error::unsupported("source.image")),
    }
}

/// What an image says, under a spec.
pub(crate) fn based(found: &Found, spec: &SandboxSpec, platform: Option<String>) -> Base {
    let (spec, makes_workdir) = found.under(spec);
    let checks_health = found.inspected.config.as_ref().is_some_and(|config| config.healthcheck.is_some());
    let (id, image) = (found.id.clone(), Some(found.image.clone()));
    Base { id, image, spec, makes_workdir, checks_health, platform, beside: None }
}

/// What a copy of a sandbox says, under a spec. It is no image that anybody asked for.
pub(crate) fn copied(found: &Found, spec: &SandboxSpec) -> Base {
    Base { image: None, ..based(found, spec, None) }
}

/// An image with nothing in it, made when it is first needed.
async fn scratch(inner: &Inner, spec: &SandboxSpec) -> Result<Base> {
    let name = Named::parse(&format!("docker-daemon:{SCRATCH_REPOSITORY}:latest"))?;
    let found = match inner.library.look(&name).await? {
        Some(found) => found,
        None => {
            make_scratch(inner).await?;
            let made = inner.library.look(&name).await?;
            made.ok_or_else(|| Error::transport("docker has made an empty image and does not have it"))?
        }
    };
    let mut base = based(&found, spec, None);
    if let Some(image) = &mut base.image {
        image.reference = SCRATCH.into();
    }
    Ok(base)
}

async fn make_scratch(inner: &Inner) -> Result<()> {
    let options = CreateImageOptionsBuilder::default().from_src("-").repo(SCRATCH_REPOSITORY).tag("latest").build();
    let body = bollard::body_full(Bytes::from_static(&EMPTY));
    let made = inner.engine.api().create_image(Some(options), Some(body), None).try_collect::<Vec<_>>().await;
    made.map(drop).map_err(inner.engine.failed("make an empty image"))
}
