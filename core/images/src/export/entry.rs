//! The entries of a layer, as images have them (OCI image specification, "Image Layer Filesystem Changeset").

use super::header::{BLOCK, Fields, Records, header, padding};
use super::layer::writing;
use crate::limits::Cancel;
use crate::problem::{Outcome, Problem, show};
use isobox_tree::{Content, Contents, Visited};
use std::io::Write;
use std::ops::Range;
use tar::EntryType;

const COPY: usize = 256 << 10;
/// The longest path that a program can use at once, as those do that unpack images (`PATH_MAX` of Linux).
const LONGEST: usize = 4095;
/// What programs that read images accept as the names and attributes of one entry.
const MAX_RECORDS: usize = 1 << 20;
/// A file in more pieces than these is written without its holes.
const MAX_PIECES: usize = 1 << 17;

const WHITEOUT: &[u8] = b".wh.";
const OPAQUE: &[u8] = b".wh..wh..opq";

/// Writes entry after entry of one layer.
pub(super) struct Packer<'a> {
    out: &'a mut dyn Write,
    holes: bool,
    cancel: &'a Cancel,
    buffer: Vec<u8>,
}

impl<'a> Packer<'a> {
    pub(super) fn new(out: &'a mut dyn Write, holes: bool, cancel: &'a Cancel) -> Self {
        Self { out, holes, cancel, buffer: vec![0; COPY] }
    }

    pub(super) fn put(&mut self, entry: &Visited<'_>) -> Outcome {
        self.cancel.check()?;
        check(entry)?;
        let (path, fields) = (entry.path, fields(entry));
        match &entry.content {
            Content::Directory { opaque } => {
                let name = [if path.is_empty() { b"." } else { path }, b"/"].concat();
                self.head(EntryType::Directory, &name, b"", &fields, entry.attributes)?;
                if *opaque { self.hide(&beside(path, true, OPAQUE)) } else { Ok(()) }
            }
            Content::File(contents) => self.file(entry, contents),
            Content::HardLink(first) => self.head(EntryType::Link, path, first, &fields, &[]),
            Content::Symlink(target) => self.head(EntryType::Symlink, path, target, &fields, &[]),
            Content::Fifo => self.head(EntryType::Fifo, path, b"", &fields, &[]),
            Content::Device { character, major, minor } => {
                let kind = if *character { EntryType::Char } else { EntryType::Block };
                self.head(kind, path, b"", &Fields { device: (*major, *minor), ..fields }, &[])
            }
            Content::Whiteout => self.hide(&beside(path, false, &[WHITEOUT, last(path)].concat())),
            // Tar has none, and a program makes its own when it starts.
            Content::Socket => Ok(()),
            _ => Err(Problem::refused(path, "images have nothing of its kind")),
        }
    }

    /// Ends the stream.
    pub(super) fn finish(self) -> Outcome {
        self.out.write_all(&[0; 2 * BLOCK]).map_err(writing)
    }

    /// An empty file whose name says that something is not there.
    fn hide(&mut self, name: &[u8]) -> Outcome {
        self.head(EntryType::Regular, name, b"", &Fields::default(), &[])
    }

    fn head(
        &mut self,
        kind: EntryType,
        name: &[u8],
        link: &[u8],
        fields: &Fields,
        attributes: &[(Vec<u8>, Vec<u8>)],
    ) -> Outcome {
        let mut records = Records::beyond(name, link, fields);
        for (attribute, value) in attributes {
            records.add(&[b"SCHILY.xattr.", attribute.as_slice()].concat(), value);
        }
        self.write(&records, &header(kind, name, link, fields))
    }

    fn write(&mut self, records: &Records, header: &tar::Header) -> Outcome {
        let bytes = records.as_bytes();
        if bytes.len() > MAX_RECORDS {
            return Err(Problem::Limit {
                what: "bytes in the names and attributes of one entry",
                max: MAX_RECORDS as u64,
            });
        }
        if !bytes.is_empty() {
            let size = bytes.len() as u64;
            let before =
                self::header(EntryType::XHeader, b"././@PaxHeader", b"", &Fields { size, ..Fields::default() });
            self.all(before.as_bytes())?;
            self.all(bytes)?;
            self.all(padding(size))?;
        }
        self.all(header.as_bytes())
    }

    fn all(&mut self, bytes: &[u8]) -> Outcome {
        self.out.write_all(bytes).map_err(writing)
    }

    fn file(&mut self, entry: &Visited<'_>, contents: &Contents<'_>) -> Outcome {
        let size = contents.size();
        if self.holes
            && let Some(pieces) = pieces(contents).map_err(|error| reading(entry.path, error))?
        {
            return self.sparse(entry, contents, &pieces);
        }
        let fields = Fields { size, ..fields(entry) };
        self.head(EntryType::Regular, entry.path, b"", &fields, entry.attributes)?;
        self.copy(entry.path, contents, 0..size)?;
        self.all(padding(size))
    }

    /// A file with holes, in GNU tar's format 1.0: a map in front of the data (GNU tar manual, "Storing Sparse Files").
    fn sparse(&mut self, entry: &Visited<'_>, contents: &Contents<'_>, pieces: &[Range<u64>]) -> Outcome {
        let mut map = format!("{}\n", pieces.len());
        pieces.iter().for_each(|piece| map.push_str(&format!("{}\n{}\n", piece.start, piece.end - piece.start)));
        let filled = map.len() + padding(map.len() as u64).len();
        let data: u64 = pieces.iter().map(|piece| piece.end - piece.start).sum();
        let fields = Fields { size: filled as u64 + data, ..fields(entry) };
        let mut records = Records::beyond(b"", b"", &fields);
        for (key, value) in [("major", "1"), ("minor", "0"), ("realsize", &contents.size().to_string())] {
            records.add(format!("GNU.sparse.{key}").as_bytes(), value.as_bytes());
        }
        records.add(b"GNU.sparse.name", entry.path);
        for (attribute, value) in entry.attributes {
            records.add(&[b"SCHILY.xattr.", attribute.as_slice()].concat(), value);
        }
        self.write(&records, &header(EntryType::Regular, b"GNUSparseFile.0", b"", &fields))?;
        self.all(map.as_bytes())?;
        self.all(padding(map.len() as u64))?;
        pieces.iter().try_for_each(|piece| self.copy(entry.path, contents, piece.clone()))?;
        self.all(padding(data))
    }

    fn copy(&mut self, path: &[u8], contents: &Contents<'_>, range: Range<u64>) -> Outcome {
        let mut at = range.start;
        while at < range.end {
            self.cancel.check()?;
            let most = usize::try_from(range.end - at).unwrap_or(COPY).min(COPY);
            match contents.read_at(&mut self.buffer[..most], at).map_err(|error| reading(path, error))? {
                0 => return Err(reading(path, std::io::Error::other("it was changed meanwhile"))),
                count => {
                    self.out.write_all(&self.buffer[..count]).map_err(writing)?;
                    at += count as u64;
                }
            }
        }
        Ok(())
    }
}

/// Where the data of a file is, when it has holes and they can be written down.
fn pieces(contents: &Contents<'_>) -> std::io::Result<Option<Vec<Range<u64>>>> {
    let pieces: Vec<_> = contents.data().take(MAX_PIECES + 1).collect::<Result<_, _>>()?;
    let data: u64 = pieces.iter().map(|piece| piece.end - piece.start).sum();
    Ok((data < contents.size() && pieces.len() <= MAX_PIECES).then_some(pieces))
}

fn fields(entry: &Visited<'_>) -> Fields {
    let (mode, user, group, modified) = (entry.mode, entry.user, entry.group, entry.modified);
    Fields { mode, user, group, modified, size: 0, device: (0, 0) }
}

/// Fails for what an image cannot hold.
fn check(entry: &Visited<'_>) -> Outcome {
    let path = entry.path;
    if last(path).starts_with(WHITEOUT) {
        let reason = "a name that begins with .wh. says in an image that something is not there, rename it in a sandbox \
                      made from the snapshot and take another";
        return Err(Problem::refused(path, reason));
    }
    if path.len() > LONGEST {
        return Err(Problem::refused(
            path,
            format!("its path is longer than {LONGEST} bytes, which no program can unpack"),
        ));
    }
    let odd = |name: &[u8]| name.contains(&b'=') || str::from_utf8(name).is_err();
    if entry.attributes.iter().any(|(name, _)| odd(name)) {
        let reason =
            "it has an extended attribute whose name is no text or has a = in it, which an archive cannot hold";
        return Err(Problem::refused(path, reason));
    }
    Ok(())
}

fn last(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

/// A name in the directory at `path`, or in that which has `path` in it.
fn beside(path: &[u8], inside: bool, name: &[u8]) -> Vec<u8> {
    let folder = if inside { path } else { path.get(..path.len() - last(path).len()).unwrap_or_default() };
    let slash: &[u8] = if folder.is_empty() || folder.ends_with(b"/") { b"" } else { b"/" };
    [folder, slash, name].concat()
}

fn reading(path: &[u8], error: std::io::Error) -> Problem {
    Problem::io(format!("read {}", show(path)), error)
}
