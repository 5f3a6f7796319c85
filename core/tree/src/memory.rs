//! Trees in memory, to and from the same stream: for what has files and no disk, such as the doubles of a test.

use crate::error::Error;
use crate::exclude::Exclude;
use crate::meta::Meta;
use crate::options::PackOptions;
use crate::path;
use crate::report::Report;
use crate::stream::{DATA_MAX, Decoder, Encoder, Item};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::io::{Read, Write};

/// One entry of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its path beneath the root; empty for the root itself.
    pub path: Vec<u8>,
    /// Its permission bits.
    pub mode: u32,
    /// When it was changed: seconds since 1970 began, and the nanoseconds beyond them.
    pub modified: (i64, u32),
    /// What it is.
    pub content: Content,
}

/// What an entry is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A directory.
    Directory,
    /// A file with these bytes.
    File(Vec<u8>),
    /// A symbolic link with this text.
    Symlink(Vec<u8>),
}

/// Writes entries as a stream that [`unpack`](crate::unpack) takes, without those that a pattern covers. The first is the
/// root, a directory; the others come as a depth-first walk finds them, names in byte order.
///
/// # Errors
/// [`Error::Unsafe`] for a path or an order that no walk gives, [`Error::Limit`] beyond the options' limits.
pub fn pack(entries: &[Entry], out: &mut dyn Write, options: &PackOptions) -> Result<Report, Error> {
    let exclude = Exclude::new(&options.exclude)?;
    let Some((root, rest)) = entries.split_first().filter(|(root, _)| root.path.is_empty()) else {
        return Err(Error::refused(b"", "the first entry is not the root"));
    };
    let mut packer = Packer { out: Encoder::new(out), report: Report::default(), options };
    packer.directory(root)?;
    let (mut before, mut left_out): (&[u8], Option<&[u8]>) = (b"", None);
    for entry in rest {
        path::check(&entry.path).map_err(|reason| Error::refused(&entry.path, reason))?;
        if path::order(before, &entry.path) != Ordering::Less {
            return Err(Error::refused(&entry.path, "it comes twice or out of order"));
        }
        before = &entry.path;
        let beneath = |folder: &[u8]| entry.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with(b"/"));
        let (folder, name) = path::split(&entry.path);
        if left_out.is_some_and(beneath) || exclude.covers(folder, name) {
            left_out = left_out.filter(|folder| beneath(folder)).or(Some(&entry.path));
            continue;
        }
        packer.entry(entry)?;
    }
    let Report { entries, bytes, .. } = packer.report;
    packer.item(b"", &Item::End { entries, bytes })?;
    packer.out.finish().map_err(|error| Error::io(b"", "write the stream of", error))?;
    Ok(packer.report)
}

struct Packer<'o> {
    out: Encoder<'o>,
    report: Report,
    options: &'o PackOptions,
}

impl Packer<'_> {
    fn item(&mut self, path: &[u8], item: &Item<'_>) -> Result<(), Error> {
        self.out.item(item).map_err(|error| Error::io(path, "write the stream at", error))
    }

    fn directory(&mut self, entry: &Entry) -> Result<(), Error> {
        let meta = meta(entry).with_mode(self.options.directory_mode);
        self.item(&entry.path, &Item::Directory { path: &entry.path, meta })
    }

    fn entry(&mut self, entry: &Entry) -> Result<(), Error> {
        let path = &entry.path[..];
        self.report.entries += 1;
        if self.report.entries > self.options.max_entries {
            return Err(Error::Limit { what: "entries", limit: self.options.max_entries });
        }
        match &entry.content {
            Content::Directory => {
                self.report.directories += 1;
                self.directory(entry)
            }
            Content::Symlink(target) => {
                self.report.links += 1;
                self.item(path, &Item::Symlink { path, meta: meta(entry), target })
            }
            Content::File(bytes) => {
                self.report.files += 1;
                self.report.bytes += bytes.len() as u64;
                if self.report.bytes > self.options.max_bytes {
                    return Err(Error::Limit { what: "bytes", limit: self.options.max_bytes });
                }
                let meta = meta(entry).with_mode(self.options.file_mode);
                self.item(path, &Item::File { path, meta, linked: false })?;
                self.contents(path, bytes)?;
                self.item(path, &Item::FileEnd { size: bytes.len() as u64 })
            }
        }
    }

    fn contents(&mut self, path: &[u8], bytes: &[u8]) -> Result<(), Error> {
        let mut offset = 0;
        for piece in bytes.chunks(DATA_MAX) {
            let put = |into: &mut [u8]| {
                into.copy_from_slice(piece);
                Ok(piece.len())
            };
            let written = self.out.data(offset, piece.len(), put);
            let written = written.map_err(|error| Error::io(path, "write the stream at", error))?;
            offset += written.map_err(|error| Error::io(path, "read", error))? as u64;
        }
        Ok(())
    }
}

fn meta(entry: &Entry) -> Meta {
    Meta::new(entry.mode, entry.modified)
}

/// Reads a stream of [`pack`](crate::pack) into memory: the root, then what is beneath it in the order of a walk. A further
/// name of a file is a file of its own, a hole is zeros.
///
/// # Errors
/// [`Error::Corrupt`] and [`Error::Unsafe`] for what no `pack` writes, [`Error::Limit`] for more than `max_bytes` of
/// contents.
pub fn read(input: &mut dyn Read, max_bytes: u64) -> Result<Vec<Entry>, Error> {
    let mut decoder = Decoder::new(input)?;
    let mut reader = Reader { entries: Vec::new(), named: HashMap::new(), bytes: 0, max_bytes };
    while reader.item(&mut decoder)? {}
    match reader.entries.first() {
        Some(root) if root.path.is_empty() => Ok(reader.entries),
        _ => Err(Error::Corrupt { reason: "its first entry is not the root" }),
    }
}

struct Reader {
    entries: Vec<Entry>,
    /// Where a file that may have further names is.
    named: HashMap<Vec<u8>, usize>,
    bytes: u64,
    max_bytes: u64,
}

impl Reader {
    /// Takes one entry; false at the end.
    fn item(&mut self, decoder: &mut Decoder<'_>) -> Result<bool, Error> {
        let (path, meta, content) = match decoder.item()? {
            Item::Directory { path, meta } => (path.to_vec(), meta, Content::Directory),
            Item::Symlink { path, meta, target } => (path.to_vec(), meta, Content::Symlink(target.to_vec())),
            Item::HardLink { path, first } => {
                let first = self.named.get(first).and_then(|at| self.entries.get(*at));
                let first = first.ok_or(Error::Corrupt { reason: "a further name is that of no file" })?;
                let entry = Entry { path: path.to_vec(), ..first.clone() };
                self.push(entry)?;
                return Ok(true);
            }
            Item::File { path, meta, linked } => {
                let path = path.to_vec();
                if linked {
                    self.named.insert(path.clone(), self.entries.len());
                }
                let bytes = self.contents(decoder)?;
                (path, meta, Content::File(bytes))
            }
            Item::End { .. } => return Ok(false),
            Item::Data { .. } | Item::FileEnd { .. } => {
                return Err(Error::Corrupt { reason: "it has data outside of a file" });
            }
        };
        if !meta.is_valid() {
            return Err(Error::Corrupt { reason: "a mode or a time is out of range" });
        }
        let mode = meta.mode().as_raw_mode();
        self.push(Entry { path, mode, modified: meta.modified(), content })?;
        Ok(true)
    }

    fn push(&mut self, entry: Entry) -> Result<(), Error> {
        if let Some(last) = self.entries.last() {
            path::check(&entry.path).map_err(|reason| Error::refused(&entry.path, reason))?;
            if path::order(&last.path, &entry.path) != Ordering::Less {
                return Err(Error::refused(&entry.path, "it comes twice or out of order"));
            }
        }
        self.entries.push(entry);
        Ok(())
    }

    fn contents(&mut self, decoder: &mut Decoder<'_>) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        loop {
            match decoder.item()? {
                Item::Data { offset, length } => {
                    self.grow(&mut bytes, offset)?;
                    self.admit(u64::from(length))?;
                    decoder.data(length, |piece| {
                        bytes.extend_from_slice(piece);
                        Ok(())
                    })?;
                }
                Item::FileEnd { size } => {
                    self.grow(&mut bytes, size)?;
                    return Ok(bytes);
                }
                _ => return Err(Error::Corrupt { reason: "a file has no end" }),
            }
        }
    }

    /// Fills a hole.
    fn grow(&mut self, bytes: &mut Vec<u8>, size: u64) -> Result<(), Error> {
        let hole = size.checked_sub(bytes.len() as u64);
        self.admit(hole.ok_or(Error::Corrupt { reason: "the data of a file overlaps or goes back" })?)?;
        // Within the limit of all bytes, which are in memory.
        bytes.resize(usize::try_from(size).unwrap_or(usize::MAX), 0);
        Ok(())
    }

    fn admit(&mut self, more: u64) -> Result<(), Error> {
        self.bytes = self.bytes.saturating_add(more);
        if self.bytes > self.max_bytes {
            return Err(Error::Limit { what: "bytes", limit: self.max_bytes });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{UnpackOptions, unpack};
    use std::fs::{self, File};
    use std::os::fd::AsFd;

    fn entry(path: &[u8], content: Content) -> Entry {
        Entry { path: path.to_vec(), mode: 0o755, modified: (1_700_000_000, 5), content }
    }

    fn tree() -> Vec<Entry> {
        vec![
            entry(b"", Content::Directory),
            entry(b"a", Content::Directory),
            entry(b"a/\xff\n", Content::File(vec![7; DATA_MAX + 1])),
            // The mode that Linux gives every link.
            Entry { mode: 0o777, ..entry(b"a-b", Content::Symlink(b"a".to_vec())) },
            entry(b"empty", Content::File(Vec::new())),
        ]
    }

    #[test]
    fn a_tree_goes_through_a_stream_and_a_disk_unchanged() {
        let place = tempfile::tempdir().unwrap();
        let mut stream = Vec::new();
        let packed = pack(&tree(), &mut stream, &PackOptions::default()).unwrap();
        assert_eq!((packed.entries, packed.files, packed.links, packed.bytes), (4, 2, 1, DATA_MAX as u64 + 1));
        assert_eq!(read(&mut stream.as_slice(), u64::MAX).unwrap(), tree());

        let root = File::open(place.path()).unwrap();
        unpack(root.as_fd(), &mut stream.as_slice(), &UnpackOptions::default()).unwrap();
        let mut again = Vec::new();
        crate::pack(root.as_fd(), &mut again, &PackOptions::default()).unwrap();
        assert_eq!(read(&mut again.as_slice(), u64::MAX).unwrap(), tree());
        assert_eq!(fs::read_link(place.path().join("a-b")).unwrap().to_str(), Some("a"));
    }

    #[test]
    fn patterns_and_limits_hold() {
        let options = PackOptions { exclude: vec!["a".to_owned()], ..PackOptions::default() };
        let mut stream = Vec::new();
        pack(&tree(), &mut stream, &options).unwrap();
        let paths: Vec<_> = read(&mut stream.as_slice(), 0).unwrap().into_iter().map(|entry| entry.path).collect();
        assert_eq!(paths, [&b""[..], b"a-b", b"empty"]);

        let options = PackOptions { max_bytes: 10, ..PackOptions::default() };
        assert!(matches!(pack(&tree(), &mut Vec::new(), &options), Err(Error::Limit { what: "bytes", .. })));
        let mut stream = Vec::new();
        pack(&tree(), &mut stream, &PackOptions::default()).unwrap();
        assert!(matches!(read(&mut stream.as_slice(), 10), Err(Error::Limit { what: "bytes", .. })));
    }

    #[test]
    fn what_no_walk_gives_is_refused() {
        for path in [&b"../a"[..], b"/a", b"a\0", b"b/../c"] {
            let entries = [entry(b"", Content::Directory), entry(path, Content::Directory)];
            assert!(matches!(pack(&entries, &mut Vec::new(), &PackOptions::default()), Err(Error::Unsafe { .. })));
        }
        let mut entries = tree();
        entries.swap(1, 3);
        assert!(matches!(pack(&entries, &mut Vec::new(), &PackOptions::default()), Err(Error::Unsafe { .. })));
        assert!(pack(&tree()[1..], &mut Vec::new(), &PackOptions::default()).is_err());
    }

    #[test]
    fn further_names_and_holes_become_files_of_their_own() {
        let place = tempfile::tempdir().unwrap();
        let file = File::create(place.path().join("a")).unwrap();
        file.set_len(100_000).unwrap();
        fs::hard_link(place.path().join("a"), place.path().join("b")).unwrap();
        let mut stream = Vec::new();
        crate::pack(File::open(place.path()).unwrap().as_fd(), &mut stream, &PackOptions::default()).unwrap();
        let entries = read(&mut stream.as_slice(), u64::MAX).unwrap();
        let zeros = Content::File(vec![0; 100_000]);
        assert_eq!((&entries[1].content, &entries[2].content), (&zeros, &zeros));
    }
}
