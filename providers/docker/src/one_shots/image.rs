//! What a one-shot is made from.
//!
//! A Dockerfile in a sandbox, and what it copies, are the sandbox's word. So a build gets none of this machine's credentials, its
//! files are copied out as those of any download, and it is done only for sandboxes that may reach as far as the engine, which
//! fetches what a Dockerfile names, and whose isolation is no stronger than that of the engine's builder.

use crate::build::{self, Files, Recipe};
use crate::images::{Found, Named, is_ours};
use crate::labels;
use crate::options;
use crate::own_images::BeingBuilt;
use crate::sandbox::DockerSandbox;
use isobox_contract::one_shot::OneShotImage;
use isobox_contract::{
    Capability, Context, DownloadOptions, Error, FileKind, Files as _, ImageSource, NetworkPolicy, Range, Result,
    SandboxId, SandboxPath, SandboxSpec,
};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A Dockerfile's name when none is given.
const DOCKERFILE: &str = "Dockerfile";
/// The most bytes of one.
const LONGEST: u64 = 1 << 20;
/// What says what is left out of a context.
const IGNORE: &str = ".dockerignore";

/// Whether a sandbox may reach what an engine fetches for a Dockerfile.
pub(super) fn may_build(spec: &SandboxSpec) -> bool {
    match spec.network {
        NetworkPolicy::Public => true,
        NetworkPolicy::ProviderDefault => options::of(spec).network.is_none(),
        _ => false,
    }
}

/// Where the files of a build are.
struct Wanted<'a> {
    directory: SandboxPath,
    dockerfile: SandboxPath,
    tag: &'a str,
}

impl DockerSandbox {
    /// The image of a one-shot with this id, fetched or built.
    ///
    /// # Errors
    /// `unsupported` with `one_shot.build`; those of a pull and of a build.
    pub(super) async fn image_of_one_shot(
        &self,
        id: &SandboxId,
        image: &OneShotImage,
        context: &Context,
    ) -> Result<Found> {
        match image {
            OneShotImage::Registry { reference } => {
                let source = ImageSource { reference: reference.clone(), ..ImageSource::default() };
                self.inner.library.obtain(&source, context).await
            }
            OneShotImage::Build { context: directory, dockerfile, tag, reuse } => {
                self.require_builds()?;
                let named = tagged(tag)?;
                if *reuse && let Some(found) = self.inner.library.look(&named).await? {
                    return Ok(found);
                }
                let directory = self.core.guest.workdir().join(directory);
                let dockerfile = directory.join(dockerfile.as_ref().unwrap_or(&DOCKERFILE.into()));
                let tag = &named.for_engine();
                let wanted = Wanted { directory, dockerfile, tag };
                let building = BeingBuilt::new(&self.inner, id);
                let built = self.built_from_its_files(id, &wanted, context).await;
                building.done();
                if built.is_err() {
                    // The error to report is the first one.
                    let _ = self.inner.forget_images(id).await;
                }
                built
            }
        }
    }

    async fn built_from_its_files(&self, id: &SandboxId, wanted: &Wanted<'_>, context: &Context) -> Result<Found> {
        let guest = &self.core.guest;
        if guest.stat(&wanted.directory, true).await?.kind != FileKind::Directory {
            return Err(Error::invalid_spec("image.context", "is no directory in the sandbox, give one"));
        }
        let text = guest.read(&wanted.dockerfile, Range::ALL, LONGEST).await?;
        let text = str::from_utf8(&text).map_err(|_| Error::invalid_spec("image.dockerfile", "is not text"))?;
        let staged = Staged { path: self.core.place.stage(id) };
        // What a link names is not followed here.
        let options = DownloadOptions { keep_escaping_links: true, ..DownloadOptions::default() };
        guest.download(&wanted.directory, &staged.path, options).await?;
        staged.check()?;
        let own = HashMap::from([
            (labels::BUILT.to_owned(), id.to_string()),
            (labels::FLEET.to_owned(), self.inner.places.fleet()?),
        ]);
        let files = Files::Directory(staged.path.clone());
        let recipe = Recipe { text, files, tag: wanted.tag.to_owned(), labels: own, log: None, credentials: false };
        let inner = &self.inner;
        build::build(&inner.engine, &inner.library, &inner.home, recipe, context).await
    }

    fn require_builds(&self) -> Result<()> {
        use isobox_contract::Sandbox as _;
        self.capabilities().require(Capability::OneShotBuild)
    }
}

/// The name of what is built.
fn tagged(tag: &str) -> Result<Named> {
    match Named::parse(tag) {
        Ok(named @ Named::Registry(_)) if !named.is_fixed() && !is_ours(tag) => Ok(named),
        _ => Err(Error::invalid_spec("image.tag", "is no name that an image can get, give one such as acme/lint:3")),
    }
}

/// Files of a sandbox on this machine. They go with this.
struct Staged {
    path: PathBuf,
}

impl Staged {
    /// Refuses what would be followed although it is the sandbox's word.
    fn check(&self) -> Result<()> {
        let ignore = self.path.join(IGNORE);
        match ignore.symlink_metadata() {
            Ok(found) if !found.is_file() => {
                Err(Error::invalid_spec("image.context", format!("has a {IGNORE} that is no file, make it one")))
            }
            _ => Ok(()),
        }
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// On a thread of its own: there may be much, and no runtime.
fn remove(path: &Path) {
    let path = path.to_owned();
    let removed = std::thread::Builder::new().name("isobox-staged".into()).spawn(move || {
        if let Err(error) = std::fs::remove_dir_all(&path)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "the files of a build are left over");
        }
    });
    // What is left goes with the sandbox.
    drop(removed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_gets_a_name_that_others_can_use() {
        assert!(tagged("acme/lint:3").is_ok() && tagged("localhost:5000/lint").is_ok());
        let digest = format!("sha256:{}", "0".repeat(64));
        for tag in ["", "No Name", "docker-daemon:lint:1", "isobox.invalid/build:x", &digest, &format!("lint@{digest}")]
        {
            assert!(tagged(tag).unwrap_err().message().starts_with("image.tag"), "{tag}");
        }
    }

    #[test]
    fn only_who_may_reach_anything_may_have_the_engine_fetch_it() {
        let with = |network| SandboxSpec { network, ..SandboxSpec::default() };
        assert!(may_build(&with(NetworkPolicy::Public)) && may_build(&with(NetworkPolicy::ProviderDefault)));
        assert!(!may_build(&with(NetworkPolicy::None)));
    }
}
