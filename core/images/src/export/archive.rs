//! The archive: a tar file of blobs and documents, whose entries are dated 1970 and belong to root.

use super::header::{BLOCK, Fields, header, padding};
use super::target::Target;
use crate::digest::{Digest, HashedWriter};
use crate::problem::{Outcome, Problem};
use std::collections::BTreeSet;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use tar::EntryType;

const BUFFER: usize = 256 << 10;
const LAYOUT: &[u8] = br#"{"imageLayoutVersion":"1.0.0"}"#;

/// Contents by their digest.
#[derive(Clone, Debug)]
pub(super) struct Blob {
    pub(super) digest: Digest,
    pub(super) size: u64,
}

impl Blob {
    /// The name of its file.
    pub(super) fn name(&self) -> String {
        format!("blobs/sha256/{}", self.digest.hex())
    }
}

/// An archive in the making.
pub(super) struct Archive {
    target: Target,
    /// Where the next entry begins.
    end: u64,
    written: BTreeSet<Digest>,
}

impl Archive {
    /// Begins it. What says which layout it has comes first.
    pub(super) fn new(target: Target) -> Outcome<Self> {
        let mut archive = Self { target, end: 0, written: BTreeSet::new() };
        archive.entry(EntryType::Directory, "blobs/", b"")?;
        archive.entry(EntryType::Directory, "blobs/sha256/", b"")?;
        archive.file("oci-layout", LAYOUT)?;
        Ok(archive)
    }

    /// Adds a file.
    pub(super) fn file(&mut self, name: &str, bytes: &[u8]) -> Outcome {
        self.entry(EntryType::Regular, name, bytes)
    }

    /// Adds a blob that is at hand.
    pub(super) fn blob(&mut self, bytes: &[u8]) -> Outcome {
        let blob = Blob { digest: Digest::of(bytes), size: bytes.len() as u64 };
        match self.written.insert(blob.digest.clone()) {
            true => self.file(&blob.name(), bytes),
            false => Ok(()),
        }
    }

    /// Adds a blob that `write` gives piece by piece. The header before it is filled in afterwards.
    pub(super) fn stream<T>(&mut self, write: impl FnOnce(&mut dyn Write) -> Outcome<T>) -> Outcome<(Blob, T)> {
        let begin = self.end + BLOCK as u64;
        let mut file = self.target.file();
        file.seek(SeekFrom::Start(begin)).map_err(failed)?;
        let mut stream = HashedWriter::new(BufWriter::with_capacity(BUFFER, file));
        let answer = write(&mut stream)?;
        let (mut stream, digest, size) = stream.finish();
        stream.write_all(padding(size)).and_then(|()| stream.flush()).map_err(failed)?;
        let blob = Blob { digest, size };
        if self.written.insert(blob.digest.clone()) {
            let header = file_header(EntryType::Regular, &blob.name(), size);
            self.target.file().write_all_at(header.as_bytes(), self.end).map_err(failed)?;
            self.end = begin + size + padding(size).len() as u64;
        } else {
            // The same layer is there already.
            self.target.file().set_len(self.end).map_err(failed)?;
        }
        Ok((blob, answer))
    }

    /// Ends it, gives it its name, and says how large it is.
    pub(super) fn finish(mut self) -> Outcome<u64> {
        self.append(&[0; 2 * BLOCK])?;
        self.target.finish()?;
        Ok(self.end)
    }

    fn entry(&mut self, kind: EntryType, name: &str, bytes: &[u8]) -> Outcome {
        self.append(file_header(kind, name, bytes.len() as u64).as_bytes())?;
        self.append(bytes)?;
        self.append(padding(bytes.len() as u64))
    }

    fn append(&mut self, bytes: &[u8]) -> Outcome {
        self.target.file().write_all_at(bytes, self.end).map_err(failed)?;
        self.end += bytes.len() as u64;
        Ok(())
    }
}

fn file_header(kind: EntryType, name: &str, size: u64) -> tar::Header {
    let mode = if kind == EntryType::Directory { 0o755 } else { 0o644 };
    header(kind, name.as_bytes(), b"", &Fields { mode, size, ..Fields::default() })
}

fn failed(error: std::io::Error) -> Problem {
    Problem::io("write the archive", error)
}
