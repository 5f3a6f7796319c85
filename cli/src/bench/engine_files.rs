//! Files in and out of a container with Docker's API by itself, which takes and gives archives: packed into a file and
//! unpacked from one, as docker-py's users do.

use super::engine_api::{EngineApi, words};
use bollard::query_parameters::{DownloadFromContainerOptionsBuilder, UploadToContainerOptionsBuilder};
use bytes::{Bytes, BytesMut};
use futures::{Stream, StreamExt};
use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Bytes that are sent at once.
const CHUNK: usize = 256 << 10;

type Result<T> = std::result::Result<T, String>;

impl EngineApi {
    /// Copies a file or a directory into a directory of a container, under a name.
    pub(super) async fn upload(&self, container: &str, from: &Path, there: &str, name: &str) -> Result<Duration> {
        let begun = Instant::now();
        let (from, name) = (from.to_owned(), name.to_owned());
        let packed = blocking(move || pack(&from, &name)).await?;
        let options = UploadToContainerOptionsBuilder::default().path(there).build();
        let body = bollard::body_try_stream(chunks(packed));
        self.api().upload_to_container(container, Some(options), body).await.map_err(words)?;
        Ok(begun.elapsed())
    }

    /// Copies a file or a directory of a container into a directory of this machine.
    pub(super) async fn download(&self, container: &str, there: &str, into: &Path) -> Result<Duration> {
        let begun = Instant::now();
        let options = DownloadFromContainerOptionsBuilder::default().path(there).build();
        let mut archive = Box::pin(self.api().download_from_container(container, Some(options)));
        let failed = |error: io::Error| error.to_string();
        let mut packed = tokio::fs::File::from_std(tempfile::tempfile().map_err(failed)?);
        while let Some(chunk) = archive.next().await {
            packed.write_all(&chunk.map_err(words)?).await.map_err(failed)?;
        }
        packed.flush().await.map_err(failed)?;
        let (packed, into) = (packed.into_std().await, into.to_owned());
        blocking(move || unpack(packed, &into)).await?;
        Ok(begun.elapsed())
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())?;
    done.map_err(|error| error.to_string())
}

fn pack(from: &Path, name: &str) -> io::Result<File> {
    let mut tar = tar::Builder::new(io::BufWriter::with_capacity(CHUNK, tempfile::tempfile()?));
    tar.follow_symlinks(false);
    if from.is_dir() {
        tar.append_dir_all(name, from)?
    } else {
        tar.append_path_with_name(from, name)?
    }
    let mut packed = tar.into_inner()?.into_inner().map_err(io::IntoInnerError::into_error)?;
    packed.rewind()?;
    Ok(packed)
}

fn unpack(mut packed: File, into: &Path) -> io::Result<()> {
    packed.rewind()?;
    tar::Archive::new(io::BufReader::with_capacity(CHUNK, packed)).unpack(into)
}

fn chunks(packed: File) -> impl Stream<Item = io::Result<Bytes>> + Send {
    futures::stream::try_unfold(tokio::fs::File::from_std(packed), |mut packed| async move {
        let mut chunk = BytesMut::with_capacity(CHUNK);
        let read = packed.read_buf(&mut chunk).await?;
        Ok((read > 0).then(|| (chunk.freeze(), packed)))
    })
}
