//! Contents of files and changes to them, as they come.

use crate::channel::Channel;
use crate::connection::unexpected;
use crate::listing::beneath;
use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::try_unfold;
use isobox_contract::files::{FileChange, FileChangeKind, FileReader, Watch};
use isobox_contract::{Error, Result};
use isobox_wire::Reply;
use isobox_wire::file::ChangeKind;
use std::io;
use tokio_util::io::StreamReader;

/// What the agent sends as a reader of at most `wanted` bytes. A transfer that fails half way is an error, never an early
/// end.
pub(crate) fn reader(channel: Channel, wanted: u64) -> FileReader {
    let pieces = try_unfold((channel, wanted), |(mut channel, left)| async move {
        let data = piece(&mut channel, left).await?;
        Ok::<_, io::Error>(data.map(|data| {
            let left = left - data.len() as u64;
            (data, (channel, left))
        }))
    });
    Box::new(StreamReader::new(Box::pin(pieces)))
}

async fn piece(channel: &mut Channel, left: u64) -> io::Result<Option<Bytes>> {
    match channel.receiver.data().await.map_err(to_io)? {
        Some(data) if data.len() as u64 > left => Err(to_io(unexpected())),
        Some(data) => Ok(Some(data)),
        None => channel.answer().await.map(|_| None).map_err(to_io),
    }
}

/// The error as an I/O error that still holds it.
pub(crate) fn to_io(error: Error) -> io::Error {
    io::Error::other(error)
}

/// A watch in the sandbox; it ends when it is dropped.
pub(crate) struct GuestWatch {
    pub(crate) channel: Channel,
}

#[async_trait]
impl Watch for GuestWatch {
    async fn next(&mut self) -> Result<Option<FileChange>> {
        match self.channel.answer().await? {
            Reply::Changed(change) => Ok(Some(FileChange {
                kind: kind(change.kind),
                path: beneath(change.path.into_vec())?,
                renamed_to: change.renamed_to.map(|path| beneath(path.into_vec())).transpose()?,
            })),
            Reply::Done => Ok(None),
            _ => Err(unexpected()),
        }
    }
}

fn kind(kind: ChangeKind) -> FileChangeKind {
    match kind {
        ChangeKind::Created => FileChangeKind::Created,
        ChangeKind::Modified => FileChangeKind::Modified,
        ChangeKind::Attributes => FileChangeKind::Attributes,
        ChangeKind::Renamed => FileChangeKind::Renamed,
        ChangeKind::Removed => FileChangeKind::Removed,
        ChangeKind::Overflow => FileChangeKind::Overflow,
    }
}
