//! Images from Dockerfiles.
//!
//! ```text
//!   text, directory ──▶ what .dockerignore leaves ──▶ engine's builder ──▶ image  isobox.invalid/build:sbx_…
//!                                                        └─ steps as progress, the whole log kept
//! ```
//!
//! The engine's own builder is used, which every engine from 20.10 on has without anything beside it. The image goes with its
//! sandbox unless somebody has given it another name; what its steps have made is kept for the next build as long as an image
//! stands on it.

mod context;
mod ignore;
mod log;
mod problem;

pub(crate) use context::Files;

use crate::client::Engine;
use crate::images::{Found, Library, Named, Progresses, credentials, own_tag, pull_problem};
use bollard::auth::DockerCredentials;
use bollard::models::BuildInfo;
use bollard::query_parameters::BuildImageOptions;
use futures::StreamExt;
use isobox_contract::{Capability, Context, Error, Result};
use isobox_registry::Reference;
use log::Log;
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

/// The role of a built image in labels.
pub(crate) const ROLE: &str = "build";
/// What can be done with Dockerfiles.
pub(crate) const CLAIMS: [Capability; 1] = [Capability::SourceDockerfile];
/// How long a build may take when the caller says nothing.
const PATIENCE: Duration = Duration::from_secs(3600);

/// What to build.
pub(crate) struct Recipe<'a> {
    /// The Dockerfile's text.
    pub(crate) text: &'a str,
    /// The files that it copies from.
    pub(crate) files: Files,
    /// The name of the image.
    pub(crate) tag: String,
    /// Its labels.
    pub(crate) labels: HashMap<String, String>,
    /// Where the log goes.
    pub(crate) log: Option<&'a Path>,
    /// Whether what it stands on may be fetched with the credentials of this machine.
    pub(crate) credentials: bool,
}

/// Builds an image.
///
/// # Errors
/// `invalid_spec` for a Dockerfile that cannot be understood or copies what is not there, `command_failed` with the step whose
/// command has failed, `image_not_found` for what it stands on.
pub(crate) async fn build(
    engine: &Engine,
    library: &Library,
    home: &Path,
    recipe: Recipe<'_>,
    context: &Context,
) -> Result<Found> {
    let wait = context.remaining("build")?.unwrap_or(PATIENCE);
    let credentials = if recipe.credentials { known_credentials(home, recipe.text).await? } else { None };
    let (body, dockerfile, failure) = recipe.files.pack(recipe.text);
    let options = BuildImageOptions {
        dockerfile,
        t: Some(recipe.tag.clone()),
        labels: Some(recipe.labels),
        rm: true,
        forcerm: true,
        ..BuildImageOptions::default()
    };
    let progresses = Progresses::default();
    progresses.tell(context.events.clone());
    let mut log = Log::new(recipe.log, context.events.clone());
    let api = engine.api().clone().with_timeout(wait);
    let building = async {
        let mut lines = std::pin::pin!(api.build_image(options, credentials, Some(bollard::body_try_stream(body))));
        while let Some(line) = lines.next().await {
            match line {
                Ok(line) => take(line, &mut log, &progresses)?,
                Err(error) => {
                    let error = problem::refused(&log, error, |error| engine.failed("build an image")(error));
                    return Err(failure.or(error));
                }
            }
        }
        Ok(())
    };
    // Dropped, it ends the connection, and the engine gives the build up.
    tokio::time::timeout(wait, building).await.map_err(|_| Error::timeout("build", wait))??;
    isobox_fault::point!("docker.build.built");
    let found = library.look(&Named::parse(&recipe.tag)?).await?;
    found.ok_or_else(|| Error::transport("docker has built an image that it does not know"))
}

/// Takes a line of the engine: of a base that it fetches, or of the log.
fn take(line: BuildInfo, log: &mut Log, progresses: &Progresses) -> Result<()> {
    if let Some(text) = &line.stream {
        log.take(text);
    }
    if let (Some(layer), Some(status)) = (&line.id, &line.status) {
        let (current, total) = line.progress_detail.map_or((None, None), |detail| (detail.current, detail.total));
        progresses.take(layer, status, current, total);
    }
    match line.error_detail.and_then(|error| Some((error.code, error.message?))) {
        None => Ok(()),
        Some((code, words)) => {
            log.take(&format!("{words}\n"));
            Err(problem::failed(log, code, &words))
        }
    }
}

/// What is known for the registries of the images that a Dockerfile stands on.
async fn known_credentials(home: &Path, text: &str) -> Result<Option<HashMap<String, DockerCredentials>>> {
    let mut known = HashMap::new();
    for reference in bases(text) {
        let registry = reference.registry();
        let key = if registry == "docker.io" { "https://index.docker.io/v1/" } else { registry };
        if !known.contains_key(key)
            && let Some(found) = credentials(home, registry, None).await?
        {
            known.insert(key.to_owned(), found);
        }
    }
    Ok((!known.is_empty()).then_some(known))
}

/// The images that a Dockerfile stands on, as far as its text tells.
fn bases(text: &str) -> Vec<Reference> {
    let lines = text.lines().map(str::split_whitespace);
    let images = lines.filter_map(|mut words| {
        words.next().filter(|word| word.eq_ignore_ascii_case("FROM"))?;
        let image = words.find(|word| !word.starts_with("--"))?;
        Reference::parse(image).ok()
    });
    images.collect()
}

/// The name of a sandbox's own image.
pub(crate) fn tag(id: &isobox_contract::SandboxId) -> String {
    own_tag(ROLE, id.as_str())
}

/// What is wrong with an image that the engine could not fetch while it built.
fn base_problem(words: &str) -> Option<Error> {
    let error = bollard::errors::Error::DockerStreamError { error: words.to_owned() };
    let pulling = ["manifest", "pull access denied", "toomanyrequests", "no such host", "unauthorized", "x509:"];
    let lower = words.to_ascii_lowercase();
    if !pulling.iter().any(|part| lower.contains(part)) {
        return None;
    }
    pull_problem("of an image in the dockerfile", "that the dockerfile is from", false, &error)
}

#[cfg(test)]
mod tests {
    use super::bases;

    #[test]
    fn the_images_under_a_dockerfile_are_found() {
        let text =
            "ARG V=1\nFROM --platform=linux/amd64 r.example:5000/a:1 AS x\nfrom alpine\nCOPY --from=x /a /a\nFROM $V\n";
        let found: Vec<_> = bases(text).iter().map(|reference| reference.registry().to_owned()).collect();
        assert_eq!(found, ["r.example:5000", "docker.io"]);
    }
}
