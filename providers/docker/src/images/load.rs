//! Images from archives of this machine.

use super::archive;
use super::found::Found;
use super::{Library, Named};
use crate::piped::piped;
use bollard::errors::Error as EngineError;
use bollard::query_parameters::ImportImageOptions;
use bytes::Bytes;
use futures::{Stream, StreamExt};
use isobox_contract::{Action, Context, Error, EventKind, EventSink, Progress, ProgressUnit, Result};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncReadExt;

/// Bytes that are read at once.
const CHUNK: usize = 256 * 1024;
/// Bytes between two reports.
const EVERY: u64 = 4 << 20;
/// How long the engine may say nothing: it says nothing while it unpacks.
const SILENCE: Duration = Duration::from_secs(600);
/// The field that errors name.
const FIELD: &str = "source.path";

impl Library {
    /// Takes the images of an archive, by the names that they have there.
    ///
    /// # Errors
    /// `invalid_spec` with the field `source.path` for what is no archive that this engine reads.
    pub(crate) async fn loaded(&self, archive: &Path, context: &Context) -> Result<Vec<Found>> {
        let shown = archive.display().to_string();
        let unreadable = |error| Error::io(format!("cannot read the image archive {shown}"), error);
        let file = tokio::fs::File::open(archive).await.map_err(unreadable)?;
        let metadata = file.metadata().await.map_err(unreadable)?;
        if metadata.is_dir() {
            let reason = "is a folder, and docker takes archives as docker save writes them: pack it with a tool that writes those";
            return Err(Error::invalid_spec(FIELD, reason));
        }
        let body = counted(file, metadata.len(), context.events.clone());
        let names = self.feed(body, archive).await?;
        let mut found = Vec::with_capacity(names.len());
        for name in names {
            found.extend(self.look(&Named::parse(&name)?).await?);
        }
        found.iter().for_each(|found| self.books.brought(&found.id));
        if found.is_empty() {
            return Err(Error::invalid_spec(FIELD, format!("{shown} holds no image that docker knows")));
        }
        Ok(found)
    }

    /// The image of an archive that is meant: the only one, or the one of that name. It gets no name in the engine.
    ///
    /// # Errors
    /// `invalid_spec` with the fields `source.path` and `source.reference`.
    pub(crate) async fn of_archive(&self, archive: &Path, wanted: Option<&str>, context: &Context) -> Result<Found> {
        context.remaining("image.load")?;
        let (path, wanted) = (archive.to_owned(), wanted.map(str::to_owned));
        let chosen = tokio::task::spawn_blocking(move || archive::choose(&path, wanted.as_deref())).await;
        let chosen = chosen.unwrap_or_else(|_| Err(Error::internal("reading an archive broke off")))?;
        let path = archive.to_owned();
        let (body, failure) = piped(move |out| archive::repack(&path, &chosen, out));
        let names = self.feed(body, archive).await.map_err(|error| failure.or(error))?;
        let id = names.iter().find(|name| name.starts_with("sha256:"));
        let name = id.ok_or_else(|| Error::invalid_spec(FIELD, "holds no image that docker knows"))?;
        let found = self.look(&Named::parse(name)?).await?;
        let found = found.ok_or_else(|| Error::transport("docker does not know an image that it has loaded"))?;
        self.books.brought(&found.id);
        Ok(found)
    }

    /// Gives the engine an archive, and says which images were in it.
    async fn feed(
        &self,
        body: impl Stream<Item = std::io::Result<Bytes>> + Send + 'static,
        archive: &Path,
    ) -> Result<Vec<String>> {
        let mut names = Vec::new();
        let options = ImportImageOptions { quiet: true, ..ImportImageOptions::default() };
        let api = self.engine.api().clone().with_timeout(SILENCE);
        let mut lines = std::pin::pin!(api.import_image(options, bollard::body_try_stream(body), None));
        loop {
            let line = tokio::time::timeout(SILENCE, lines.next()).await;
            match line.map_err(|_| Error::timeout("image.load", SILENCE))? {
                None => return Ok(names),
                Some(Ok(line)) => names.extend(line.stream.iter().flat_map(|text| text.lines()).filter_map(name)),
                Some(Err(error)) => return Err(self.not_loaded(&archive.display().to_string(), error)),
            }
        }
    }

    fn not_loaded(&self, shown: &str, error: EngineError) -> Error {
        let refused = match &error {
            EngineError::DockerStreamError { .. } => true,
            EngineError::DockerResponseServerError { status_code, .. } => *status_code != 503,
            _ => false,
        };
        let error = self.engine.failed("load an archive")(error);
        let about_the_archive = error.code() == isobox_contract::ErrorCode::Internal
            || error.code() == isobox_contract::ErrorCode::InvalidSpec;
        if refused && about_the_archive {
            let reason = format!("{shown} is no archive that this docker reads, give one that docker save wrote");
            return Error::invalid_spec(FIELD, reason).with_source(error);
        }
        error
    }
}

/// The name or the id in a line of the engine.
fn name(line: &str) -> Option<String> {
    let (_, name) = line.split_once("Loaded image: ").or_else(|| line.split_once("Loaded image ID: "))?;
    Some(name.trim().to_owned())
}

/// A file as a body, with progress.
fn counted(
    file: tokio::fs::File,
    total: u64,
    events: Arc<dyn EventSink>,
) -> impl Stream<Item = std::io::Result<Bytes>> + Send + 'static {
    futures::stream::try_unfold((file, 0_u64, events), move |(mut file, done, events)| async move {
        let mut chunk = vec![0; CHUNK];
        let count = file.read(&mut chunk).await?;
        if count == 0 {
            return Ok(None);
        }
        chunk.truncate(count);
        let now = done + count as u64;
        if done / EVERY != now / EVERY || now == total {
            let progress = Progress {
                code: "image.unpack".to_owned(),
                message: None,
                completed: Some(now),
                total: Some(total),
                unit: Some(ProgressUnit::Bytes),
            };
            events.emit(EventKind::OperationProgress { action: Action::Pull, progress });
        }
        Ok(Some((Bytes::from(chunk), (file, now, events))))
    })
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn names_and_ids_are_found_in_what_the_engine_says() {
        assert_eq!(name("Loaded image: a/b:1").as_deref(), Some("a/b:1"));
        assert_eq!(name("Loaded image ID: sha256:12").as_deref(), Some("sha256:12"));
        assert_eq!(name("Loading layer"), None);
    }
}
