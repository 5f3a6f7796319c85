//! What a sandbox is made from.

use super::SandboxBuilder;
use crate::local;
use isobox_contract::{Error, ImageSource, Source, WorkspaceOwnership};
use std::path::Path;

impl SandboxBuilder {
    /// Makes it from an image, such as `alpine:3.22`.
    pub fn image(self, image: impl Into<ImageReference>) -> Self {
        self.source(Source::Image(image.into().0))
    }

    /// Makes it from an archive or layout folder of this machine, as `docker save` and OCI tools write them. When it holds
    /// several images, say which one with [`image_in_archive`](Self::image_in_archive).
    pub fn archive(self, path: impl AsRef<Path>) -> Self {
        let path = local::absolute(path.as_ref());
        self.source(Source::Archive { path, reference: None })
    }

    /// Makes it from one of the images of an archive, by its name there.
    pub fn image_in_archive(self, path: impl AsRef<Path>, name: impl Into<String>) -> Self {
        let path = local::absolute(path.as_ref());
        self.source(Source::Archive { path, reference: Some(name.into()) })
    }

    /// Makes it from a directory of this machine as the root filesystem, which is never written to.
    pub fn rootfs(self, directory: impl AsRef<Path>) -> Self {
        let path = local::absolute(directory.as_ref());
        self.source(Source::Rootfs { path })
    }

    /// Makes it from a snapshot, by its name or one of its ids.
    pub fn snapshot(self, snapshot: impl AsRef<str>) -> Self {
        match snapshot.as_ref().parse() {
            Ok(snapshot) => self.source(Source::Snapshot { snapshot }),
            Err(error) => self.refuse(Error::invalid_spec("source.snapshot", format!("is no snapshot: {error}"))),
        }
    }

    /// Makes it with a directory of this machine as the workspace, which it may change and which is never removed.
    pub fn workspace(self, directory: impl AsRef<Path>) -> Self {
        let path = Some(local::absolute(directory.as_ref()));
        self.source(Source::HostDirectory { path, ownership: WorkspaceOwnership::Designated })
    }

    /// Makes it from this. A sandbox has one source: a second one is refused by [`create`](Self::create).
    pub fn source(mut self, source: Source) -> Self {
        if self.source.is_some() {
            let reason =
                "is given twice, choose one of image, archive, rootfs, workspace and source, and mount the rest";
            self.problem.get_or_insert_with(|| Error::invalid_spec("source", reason));
        }
        self.source = Some(source);
        self
    }
}

/// An image to make a sandbox from: a reference, or an [`ImageSource`] that also says how to get it.
#[derive(Clone, Debug)]
pub struct ImageReference(ImageSource);

impl ImageReference {
    pub(crate) fn into_source(self) -> ImageSource {
        self.0
    }
}

impl From<ImageSource> for ImageReference {
    fn from(source: ImageSource) -> Self {
        Self(source)
    }
}

impl From<&str> for ImageReference {
    fn from(reference: &str) -> Self {
        reference.to_owned().into()
    }
}

impl From<String> for ImageReference {
    fn from(reference: String) -> Self {
        Self(ImageSource { reference, ..ImageSource::default() })
    }
}
