//! A tar archive on this machine: an index of its names is made once, contents are read where they are.

use super::Blobs;
use crate::decompress::decompress;
use crate::limits::{Bounded, Cancel, Limits};
use crate::problem::{Outcome, Problem, reading};
use crate::tar::{Entries, Kind, Stream};
use rustix::fs::{CWD, Mode, OFlags};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The most files in an archive, of which an image has a few for each layer.
const MAX_FILES: usize = 20_000;

/// How many links are followed, since an archive may link files that are the same.
const MAX_LINKS: usize = 8;

/// An opened archive.
pub(crate) struct ArchiveFile {
    file: File,
    names: BTreeMap<String, Place>,
}

#[derive(Debug)]
enum Place {
    Contents { offset: u64, size: u64 },
    Link(String),
}

impl ArchiveFile {
    /// Reads the names in an archive. A compressed one is unpacked first, into a file in `scratch` that has no name.
    pub(crate) fn open(file: File, scratch: &Path, limits: &Limits, cancel: &Cancel) -> Outcome<Self> {
        let file = plain(file, scratch, limits, cancel)?;
        let names = index(&file, cancel)?;
        Ok(Self { file, names })
    }
}

/// The file itself when it is plain tar.
fn plain(file: File, scratch: &Path, limits: &Limits, cancel: &Cancel) -> Outcome<File> {
    let mut start = [0; 4];
    let count = file.read_at(&mut start, 0).map_err(|error| Problem::io("read the archive", error))?;
    if !matches!(
        &start[..count],
        [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd] | [b'B', b'Z', b'h', ..] | [0xfd, b'7', b'z', b'X']
    ) {
        return Ok(file);
    }
    let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
    let unpacked = rustix::fs::openat(CWD, scratch, flags, Mode::RUSR | Mode::WUSR)
        .map_err(|errno| Problem::io("unpack the archive", errno))?;
    let mut unpacked = File::from(unpacked);
    let mut stream = Bounded::new(decompress(&file)?, limits.bytes, cancel);
    io::copy(&mut stream, &mut unpacked).map_err(|error| reading("the archive", error))?;
    Ok(unpacked)
}

fn index(file: &File, cancel: &Cancel) -> Outcome<BTreeMap<String, Place>> {
    let size = file.metadata().map_err(|error| Problem::io("look at the archive", error))?.len();
    let mut entries = Entries::new(Cursor { file, at: 0, size });
    let mut names = BTreeMap::new();
    while let Some(entry) = entries.next()? {
        cancel.check()?;
        let Some(name) = normal("", &String::from_utf8_lossy(&entry.path)) else { continue };
        let link = String::from_utf8_lossy(&entry.link).into_owned();
        let place = match entry.kind {
            Kind::File if entry.segments.is_none() => Place::Contents { offset: entries.stream().at, size: entry.size },
            Kind::HardLink => Place::Link(normal("", &link).unwrap_or_default()),
            Kind::Symlink => Place::Link(normal(parent(&name), &link).unwrap_or_default()),
            _ => continue,
        };
        names.insert(name, place);
        if names.len() > MAX_FILES {
            return Err(Problem::Limit { what: "files in its archive", max: MAX_FILES as u64 });
        }
    }
    Ok(names)
}

impl Blobs for ArchiveFile {
    fn open(&self, name: &str) -> Outcome<Option<(u64, Box<dyn Read + Send + '_>)>> {
        let mut name = normal("", name).unwrap_or_default();
        for _ in 0..MAX_LINKS {
            match self.names.get(&name) {
                None => return Ok(None),
                Some(Place::Link(target)) => name = target.clone(),
                Some(Place::Contents { offset, size }) => {
                    let end = offset.saturating_add(*size);
                    return Ok(Some((*size, Box::new(Cursor { file: &self.file, at: *offset, size: end }))));
                }
            }
        }
        Err(Problem::corrupt("the archive", "its links lead nowhere"))
    }
}

/// A part of a file that several may read at once.
struct Cursor<'a> {
    file: &'a File,
    at: u64,
    /// Where it ends.
    size: u64,
}

impl Read for Cursor<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.size.saturating_sub(self.at)).unwrap_or(usize::MAX).min(buffer.len());
        let count = self.file.read_at(&mut buffer[..most], self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl Stream for Cursor<'_> {
    fn skip(&mut self, count: u64) -> io::Result<u64> {
        let passed = count.min(self.size.saturating_sub(self.at));
        self.at += passed;
        Ok(passed)
    }
}

/// A name from the root of the archive on, without `.` and `..`; `None` when it leads out.
fn normal(base: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn parent(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(parent, _)| parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_an_archive_stay_in_it() {
        assert_eq!(normal("a", "../b/layer.tar").as_deref(), Some("b/layer.tar"));
        assert_eq!(normal("", "./blobs//x").as_deref(), Some("blobs/x"));
        assert_eq!(normal("a", "../../etc/passwd"), None);
    }
}
