//! Giving an image another name, and making one that differs from another in its labels only.

use crate::client::Engine;
use crate::images::Found;
use bollard::query_parameters::{BuildImageOptions, TagImageOptions};
use futures::TryStreamExt;
use isobox_contract::{Error, ErrorCode, Resource, Result};
use std::collections::HashMap;

/// Gives an image one more name.
pub(super) async fn name(engine: &Engine, image: &str, tag: &str) -> Result<()> {
    let (repo, version) = tag.rsplit_once(':').ok_or_else(|| Error::internal("a name of ours without a version"))?;
    let options = TagImageOptions { repo: Some(repo.to_owned()), tag: Some(version.to_owned()) };
    let tagged = engine.api().tag_image(image, Some(options)).await;
    tagged.map_err(engine.failed_on("name the image", Resource::Image, image))
}

/// Makes an image with the same layers and these labels more, under this name. It costs nothing: no layer is added.
pub(super) async fn derive(engine: &Engine, from: &Found, tag: &str, labels: HashMap<String, String>) -> Result<()> {
    let context = dockerfile(&format!("FROM {}\n", from.id))?;
    let options = BuildImageOptions {
        dockerfile: "Dockerfile".to_owned(),
        t: Some(tag.to_owned()),
        labels: Some(labels),
        rm: true,
        forcerm: true,
        ..BuildImageOptions::default()
    };
    let built = engine.api().build_image(options, None, Some(bollard::body_full(context.into())));
    let lines: Vec<_> = built.try_collect().await.map_err(engine.failed("label an image"))?;
    match lines.into_iter().find_map(|line| line.error_detail) {
        None => Ok(()),
        Some(error) => {
            let said = error.message.unwrap_or_default();
            Err(Error::new(ErrorCode::Internal, format!("docker cannot label an image: {said}")))
        }
    }
}

/// An archive with a Dockerfile and nothing else.
fn dockerfile(text: &str) -> Result<Vec<u8>> {
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_mode(0o644);
    let mut archive = tar::Builder::new(Vec::new());
    let written = archive.append_data(&mut header, "Dockerfile", text.as_bytes());
    written.and_then(|()| archive.into_inner()).map_err(|error| Error::io("cannot write an archive", error))
}
