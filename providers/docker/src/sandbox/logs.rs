//! Logs beside the output of commands: of a Dockerfile that was built, and of the image's own program.

use super::DockerSandbox;
use async_trait::async_trait;
use bytes::Bytes;
use futures::Stream;
use isobox_contract::exec::{OutputEvent, Process, ProcessInfo, Replay};
use isobox_contract::{Error, Exec, LogSource, LogStream, Logs, Resource, Result};
use std::io;
use tokio_util::io::StreamReader;

/// The label of the image's own program.
const ENTRYPOINT: &str = "entrypoint";

#[async_trait]
impl Logs for DockerSandbox {
    async fn open(&self, source: LogSource, follow: bool) -> Result<LogStream> {
        self.here()?;
        match source {
            // It is whole once there is a sandbox.
            LogSource::Provision => match tokio::fs::File::open(self.core.place.build_log()).await {
                Ok(file) => Ok(Box::new(file)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Box::new(tokio::io::empty())),
                Err(error) => Err(Error::io("cannot read the log of the sandbox's making", error)),
            },
            LogSource::Entrypoint => self.entrypoint_log(follow).await,
            _ => Err(Error::unsupported("logs")),
        }
    }
}

impl DockerSandbox {
    async fn entrypoint_log(&self, follow: bool) -> Result<LogStream> {
        let guest = &self.core.guest;
        let all = guest.processes().await?;
        let own = all.into_iter().find(|process| process.label.as_deref() == Some(ENTRYPOINT));
        let own = own.ok_or_else(|| Error::not_found(Resource::Exec, ENTRYPOINT))?;
        let process = guest.attach(&own.id, Replay::All).await?;
        let end = (!follow).then(|| written(&own));
        Ok(Box::new(StreamReader::new(Box::pin(output(process, end)))))
    }
}

/// Bytes that a program has written so far.
fn written(process: &ProcessInfo) -> u64 {
    process.stdout_bytes.saturating_add(process.stderr_bytes)
}

/// What a program writes, up to so many bytes.
fn output(process: Box<dyn Process>, end: Option<u64>) -> impl Stream<Item = io::Result<Bytes>> + Send {
    futures::stream::try_unfold((process, 0_u64), move |(process, mut seen)| async move {
        while end.is_none_or(|end| seen < end) {
            match process.next().await.map_err(io::Error::other)? {
                Some(OutputEvent::Stdout(bytes) | OutputEvent::Stderr(bytes)) => {
                    seen = seen.saturating_add(bytes.len() as u64);
                    return Ok(Some((bytes, (process, seen))));
                }
                // What is not kept any more.
                Some(OutputEvent::Gap { bytes, .. }) => seen = seen.saturating_add(bytes),
                _ => break,
            }
        }
        Ok(None)
    })
}
