//! Putting one entry after the other into a layer's directory.

use super::metadata::{Metadata, failed, xattrs};
use super::name::{Meaning, clean, meaning, split};
use super::place::{Place, hide, hide_below, is_whiteout, kind, stat};
use super::{Giver, Unpacked};
use crate::limits::Limits;
use crate::problem::{Outcome, Problem, reading};
use crate::tar::{Entry, Kind, Segment};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;

const COPY: usize = 128 << 10;

/// How often late links are gone through: each pass finds at least those that link to one of the pass before.
const PASSES: u32 = 64;

/// Extended attributes.
type Attributes = Vec<(String, Vec<u8>)>;

pub(super) struct Unpacker<'a, 'b> {
    place: Place,
    giver: &'a mut Giver<'b>,
    limits: &'a Limits,
    /// What directories get at the end, when nothing comes into them any more.
    directories: BTreeMap<Vec<u8>, (Metadata, Attributes)>,
    /// Hard links whose first name has not come yet.
    late: Vec<(Vec<u8>, Vec<u8>)>,
    /// Bytes of the names in these two.
    names: u64,
    unpacked: Unpacked,
    buffer: Vec<u8>,
}

impl<'a, 'b> Unpacker<'a, 'b> {
    pub(super) fn new(root: OwnedFd, giver: &'a mut Giver<'b>, limits: &'a Limits) -> Outcome<Self> {
        Ok(Self {
            place: Place::new(root),
            giver,
            limits,
            directories: BTreeMap::new(),
            late: Vec::new(),
            names: 0,
            unpacked: Unpacked { bytes: 0, entries: 0, opaque: false },
            buffer: vec![0; COPY],
        })
    }

    /// Makes one entry, whose contents come from `contents`.
    pub(super) fn put(&mut self, entry: &Entry, contents: &mut impl Read) -> Outcome {
        self.unpacked.entries += 1;
        if self.unpacked.entries > self.limits.entries {
            return Err(Problem::Limit { what: "entries", max: self.limits.entries });
        }
        match meaning(&entry.path)? {
            Meaning::Root if entry.kind == Kind::Directory => self.root(entry),
            Meaning::Root => Err(Problem::refused(&entry.path, "the root of a layer must be a directory")),
            Meaning::Whiteout(path) => self.whiteout(&path),
            Meaning::Opaque(path) => self.opaque(&path),
            Meaning::Nothing => Ok(()),
            Meaning::Thing(path) => self.thing(path, entry, contents),
        }
    }

    fn thing(&mut self, path: Vec<u8>, entry: &Entry, contents: &mut impl Read) -> Outcome {
        match entry.kind {
            Kind::File => self.file(&path, entry, contents)?,
            Kind::Directory => self.directory(path.clone(), entry)?,
            Kind::Symlink => self.symlink(&path, entry)?,
            Kind::Fifo => self.fifo(&path, entry)?,
            // These are nobody's: what they link to has an owner, and what is not there has none.
            Kind::HardLink => return self.hard_link(path, entry),
            Kind::Device => return self.device(&path),
        }
        self.giver.note(&path, entry)
    }

    fn root(&mut self, entry: &Entry) -> Outcome {
        self.later(Vec::new(), entry)
    }

    fn file(&mut self, path: &[u8], entry: &Entry, contents: &mut impl Read) -> Outcome {
        if entry.size > self.limits.bytes {
            return Err(Problem::Limit { what: "bytes in a file", max: self.limits.bytes });
        }
        let metadata = Metadata::of(entry, self.giver.owners)?;
        let attributes = xattrs(entry, self.giver.owners)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = self.make(path, "make", |at, name| rustix::fs::openat(at, name, flags, Mode::RUSR | Mode::WUSR))?;
        let file = File::from(file);
        match &entry.segments {
            None => self.copy(&file, path, Segment { offset: 0, length: entry.size }, contents)?,
            Some(segments) => {
                segments.iter().try_for_each(|segment| self.copy(&file, path, *segment, contents))?;
                file.set_len(entry.size).map_err(|error| Problem::io("set the size of a file", error))?;
            }
        }
        metadata.give(file.as_fd(), &attributes).map_err(|errno| failed(path, "set the attributes of", errno))
    }

    fn copy(&mut self, file: &File, path: &[u8], segment: Segment, contents: &mut impl Read) -> Outcome {
        let (mut at, mut left) = (segment.offset, segment.length);
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(COPY).min(COPY);
            let count = match contents.read(&mut self.buffer[..most]) {
                Ok(0) => return Err(Problem::corrupt("a layer", "it ends in the middle of a file")),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(reading("a layer", error)),
            };
            file.write_all_at(&self.buffer[..count], at)
                .map_err(|error| Problem::io(format!("write {}", crate::problem::show(path)), error))?;
            at += count as u64;
            left -= count as u64;
        }
        self.unpacked.bytes += segment.length;
        Ok(())
    }

    fn directory(&mut self, path: Vec<u8>, entry: &Entry) -> Outcome {
        let (parent, name) = split(&path);
        let at = self.place.parent(parent)?;
        let found = stat(at, name).map_err(|errno| failed(&path, "look at", errno))?;
        let hidden = found.is_some_and(|found| is_whiteout(&found));
        if found.is_none_or(|found| kind(&found) != FileType::Directory) {
            self.make(&path, "make the directory", |at, name| rustix::fs::mkdirat(at, name, Mode::RWXU))?;
        }
        if hidden {
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            rustix::fs::openat(self.place.parent(parent)?, name, flags, Mode::empty())
                .and_then(|folder| hide_below(folder.as_fd()))
                .map_err(|errno| failed(&path, "hide what is below", errno))?;
        }
        self.later(path, entry)
    }

    fn symlink(&mut self, path: &[u8], entry: &Entry) -> Outcome {
        let metadata = Metadata::of(entry, self.giver.owners)?;
        if entry.link.is_empty() || entry.link.contains(&0) {
            return Err(Problem::refused(path, "it is a link to nothing that could be there"));
        }
        self.make(path, "make", |at, name| {
            rustix::fs::symlinkat(entry.link.as_slice(), at, name)?;
            metadata.give_name(at, name, true)
        })
    }

    fn fifo(&mut self, path: &[u8], entry: &Entry) -> Outcome {
        let metadata = Metadata::of(entry, self.giver.owners)?;
        self.make(path, "make", |at, name| {
            rustix::fs::mknodat(at, name, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)?;
            metadata.give_name(at, name, false)
        })
    }

    fn device(&mut self, path: &[u8]) -> Outcome {
        self.make(path, "make a whiteout for", hide)
    }

    fn hard_link(&mut self, path: Vec<u8>, entry: &Entry) -> Outcome {
        let Some(first) = clean(&entry.link)? else {
            return Err(Problem::refused(&path, "it is a hard link to the root"));
        };
        if first == path || self.link(&path, &first)? {
            return Ok(());
        }
        self.remember(path.len() + first.len())?;
        self.late.push((path, first));
        Ok(())
    }

    /// Makes a hard link; `false` when there is nothing to link to yet.
    fn link(&mut self, path: &[u8], first: &[u8]) -> Outcome<bool> {
        let (parent, first_name) = split(first);
        let folder = match self.place.find(parent) {
            Ok(folder) => folder,
            Err(Errno::NOENT | Errno::NOTDIR) => return Ok(false),
            Err(errno) => return Err(failed(first, "find", errno)),
        };
        match stat(folder.as_fd(), first_name).map_err(|errno| failed(first, "find", errno))? {
            None => return Ok(false),
            Some(found) if kind(&found) == FileType::Directory => {
                return Err(Problem::refused(path, "it is a hard link to a directory"));
            }
            Some(found) if is_whiteout(&found) => return Ok(false),
            Some(_) => {}
        }
        self.make(path, "link", |at, name| rustix::fs::linkat(&folder, first_name, at, name, AtFlags::empty()))?;
        Ok(true)
    }

    fn whiteout(&mut self, path: &[u8]) -> Outcome {
        let (parent, name) = split(path);
        let at = self.place.parent(parent)?;
        let here = match stat(at, name).map_err(|errno| failed(path, "look at", errno))? {
            None => hide(at, name),
            // What this layer has there stays: the whiteout is about the layers below.
            Some(found) if kind(&found) == FileType::Directory => {
                let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                rustix::fs::openat(at, name, flags, Mode::empty()).and_then(|folder| hide_below(folder.as_fd()))
            }
            Some(_) => Ok(()),
        };
        here.map_err(|errno| match errno {
            Errno::PERM => Problem::io(
                format!("make a whiteout for {}, which a user may since linux 5.8", crate::problem::show(path)),
                errno,
            ),
            errno => failed(path, "make a whiteout for", errno),
        })
    }

    fn opaque(&mut self, path: &[u8]) -> Outcome {
        self.unpacked.opaque |= path.is_empty();
        let folder = self.place.parent(path)?;
        hide_below(folder).map_err(|errno| failed(path, "hide what is below", errno))
    }

    /// Makes something at a path, in the place of what this layer had there before.
    fn make<T>(
        &mut self,
        path: &[u8],
        action: &str,
        make: impl Fn(rustix::fd::BorrowedFd<'_>, &[u8]) -> rustix::io::Result<T>,
    ) -> Outcome<T> {
        let (parent, name) = split(path);
        let at = self.place.parent(parent)?;
        match make(at, name) {
            Err(Errno::EXIST) => {
                self.place.clear(path)?;
                self.forget(path);
                let at = self.place.parent(parent)?;
                make(at, name).map_err(|errno| failed(path, action, errno))
            }
            made => made.map_err(|errno| failed(path, action, errno)),
        }
    }

    /// What was to be given to directories that are gone.
    fn forget(&mut self, path: &[u8]) {
        let below = [path, b"/"].concat();
        let gone = self.directories.range(path.to_vec()..).map(|(known, _)| known);
        let gone = gone.take_while(|known| known.starts_with(path));
        let gone: Vec<_> = gone.filter(|known| *known == path || known.starts_with(&below)).cloned().collect();
        gone.iter().for_each(|path| drop(self.directories.remove(path)));
    }

    /// A directory gets everything at the end: modes and default ACLs would have a say in what comes into it.
    fn later(&mut self, path: Vec<u8>, entry: &Entry) -> Outcome {
        let metadata = Metadata::of(entry, self.giver.owners)?;
        let attributes: Attributes =
            xattrs(entry, self.giver.owners)?.into_iter().map(|(name, value)| (name, value.to_vec())).collect();
        let length = attributes.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
        self.remember(path.len() + length)?;
        self.directories.insert(path, (metadata, attributes));
        Ok(())
    }

    fn remember(&mut self, length: usize) -> Outcome {
        // The length alone would not count many short ones.
        self.names += length as u64 + 64;
        if self.names > self.limits.names {
            return Err(Problem::Limit { what: "bytes in the names of directories", max: self.limits.names });
        }
        Ok(())
    }

    /// Makes late links, and gives directories what they get when nothing comes into them any more.
    pub(super) fn finish(mut self) -> Outcome<Unpacked> {
        self.link_late()?;
        // Backwards, so that what is below is done before a directory is closed to us.
        for (path, (metadata, attributes)) in std::mem::take(&mut self.directories).iter().rev() {
            let folder = match self.place.find(path) {
                Ok(folder) => folder,
                // Something else took its place.
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => continue,
                Err(errno) => return Err(failed(path, "open", errno)),
            };
            rustix::fs::openat(&folder, c".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
                .and_then(|folder| metadata.give(folder.as_fd(), attributes))
                .map_err(|errno| failed(path, "set the attributes of", errno))?;
        }
        Ok(self.unpacked)
    }

    fn link_late(&mut self) -> Outcome {
        for _ in 0..PASSES {
            let waiting = std::mem::take(&mut self.late);
            let before = waiting.len();
            for (path, first) in waiting {
                if !self.link(&path, &first)? {
                    self.late.push((path, first));
                }
            }
            if self.late.is_empty() || self.late.len() == before {
                break;
            }
        }
        match self.late.first() {
            None => Ok(()),
            Some((path, _)) => {
                Err(Problem::refused(path, "it is a hard link to something that this layer does not have"))
            }
        }
    }
}
