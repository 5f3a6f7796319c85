//! One layer: a directory becomes a tar stream, and that, or one that is there, a blob.

use super::archive::Archive;
use super::entry::Packer;
use super::{Export, ExportLayer, How, LayerSource, Written};
use crate::digest::HashedWriter;
use crate::problem::{Outcome, Problem, show};
use flate2::Compression;
use flate2::write::GzEncoder;
use isobox_contract::LayerCompression;
use isobox_tree::{LayerOptions, visit_layer};
use rustix::fd::AsFd;
use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Bytes that are copied at once.
const CHUNK: usize = 256 << 10;

/// Writes a layer into the archive.
pub(super) fn write(archive: &mut Archive, image: &Export, layer: &ExportLayer, how: &How<'_>) -> Outcome<Written> {
    let pack = |out: &mut dyn Write| pack(image, layer, how, out);
    if how.options.compression == LayerCompression::Gzip {
        let (blob, diff_id) = archive.stream(|out| {
            let mut stream = HashedWriter::new(GzEncoder::new(out, Compression::default()));
            pack(&mut stream)?;
            let (gzip, diff_id, _) = stream.finish();
            gzip.finish().map_err(writing)?;
            Ok(diff_id)
        })?;
        return Ok(Written { diff_id, blob });
    }
    let (blob, ()) = archive.stream(pack)?;
    Ok(Written { diff_id: blob.digest.clone(), blob })
}

fn pack(image: &Export, layer: &ExportLayer, how: &How<'_>, out: &mut dyn Write) -> Outcome {
    match &layer.from {
        LayerSource::Directory(directory) => pack_directory(image, directory, how, out),
        LayerSource::Packed { file, offset, size } => copy(file, *offset, *size, how, out),
    }
}

/// Takes a tar stream over as it is.
fn copy(file: &File, mut at: u64, size: u64, how: &How<'_>, out: &mut dyn Write) -> Outcome {
    let (end, mut out) = (at.saturating_add(size), how.counter.counted(out));
    let mut buffer = vec![0; CHUNK];
    while at < end {
        how.cancel.check()?;
        let length = buffer.len().min(usize::try_from(end - at).unwrap_or(usize::MAX));
        let reading = |error| Problem::io("read a layer", error);
        let count = file.read_at(&mut buffer[..length], at).map_err(reading)?;
        if count == 0 {
            return Err(reading(std::io::ErrorKind::UnexpectedEof.into()));
        }
        out.write_all(&buffer[..count]).map_err(writing)?;
        at += count as u64;
    }
    Ok(())
}

fn pack_directory(image: &Export, directory: &Path, how: &How<'_>, out: &mut dyn Write) -> Outcome {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = rustix::fs::openat(CWD, directory, flags, Mode::empty())
        .map_err(|errno| Problem::io(format!("open {}", directory.display()), errno))?;
    let options = LayerOptions { users: &image.users, groups: &image.groups, cancelled: how.cancel.flag() };
    let mut out = how.counter.counted(out);
    let mut packer = Packer::new(&mut out, how.options.holes, how.cancel);
    visit_layer(directory.as_fd(), &options, |entry| packer.put(entry))?;
    packer.finish()
}

pub(super) fn writing(error: std::io::Error) -> Problem {
    Problem::io("write the archive", error)
}

impl From<isobox_tree::Error> for Problem {
    fn from(error: isobox_tree::Error) -> Self {
        match error {
            isobox_tree::Error::Io { source, .. } if source.raw_os_error() == Some(Errno::INTR.raw_os_error()) => {
                Problem::Cancelled
            }
            isobox_tree::Error::Io { path, action, source } => Problem::io(format!("{action} {}", show(&path)), source),
            other => Problem::io("read a layer", std::io::Error::other(other.to_string())),
        }
    }
}
