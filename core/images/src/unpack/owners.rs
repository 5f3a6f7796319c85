//! Whom the entries of a layer belong to, for those who cannot give files away while they unpack: written down in a file
//! that has no name, and read once the layer is whole.

use super::{IDS, Owners};
use crate::problem::{Outcome, Problem};
use crate::tar::{Entry, Kind};
use rustix::fs::{CWD, Mode, OFlags};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

/// What giving a file away takes from it: the set-user-id and set-group-id bits.
const TAKEN: u32 = 0o6000;

/// Something in a layer, and whom it is to belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owned {
    /// Its path in the layer. The same one may come several times; the last one counts.
    pub path: Vec<u8>,
    /// The user, as the sandbox has it.
    pub user: u32,
    /// The group, as the sandbox has it.
    pub group: u32,
    /// The permission bits that a file gets back, since giving it away takes some; 0 for none.
    pub mode: u32,
}

/// Who gives files to their owners, and what is to be given at the end.
pub(crate) struct Giver<'a> {
    pub(super) owners: &'a Owners,
    scratch: &'a Path,
    list: Option<BufWriter<File>>,
}

impl<'a> Giver<'a> {
    /// Nothing is to be given yet. `scratch` is a directory for files.
    pub(crate) fn new(owners: &'a Owners, scratch: &'a Path) -> Self {
        Self { owners, scratch, list: None }
    }

    /// Writes down whose an entry is, from the first one on that is not root's: most layers have only root's.
    pub(super) fn note(&mut self, path: &[u8], entry: &Entry) -> Outcome {
        // The root of the sandbox is not that of a layer, and a layer's stays the caller's, who has to move it.
        if !matches!(self.owners, Owners::Range(_)) || path.is_empty() {
            return Ok(());
        }
        let (user, group) = (id(entry, "user", entry.uid)?, id(entry, "group", entry.gid)?);
        if self.list.is_none() && (user, group) == (0, 0) {
            return Ok(());
        }
        let mode = if entry.kind == Kind::File && entry.mode & TAKEN != 0 { entry.mode } else { 0 };
        self.write(&Owned { path: path.to_vec(), user, group, mode })
            .map_err(|error| Problem::io("write down whose files are in a layer", error))
    }

    fn write(&mut self, owned: &Owned) -> io::Result<()> {
        let list = match &mut self.list {
            Some(list) => list,
            empty => {
                let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
                let file = rustix::fs::openat(CWD, self.scratch, flags, Mode::RUSR | Mode::WUSR)?;
                empty.insert(BufWriter::new(file.into()))
            }
        };
        // The names of tar entries are bounded far below 4 GiB.
        for number in [owned.user, owned.group, owned.mode, owned.path.len() as u32] {
            list.write_all(&number.to_ne_bytes())?;
        }
        list.write_all(&owned.path)
    }

    /// Gives what there is to give.
    pub(crate) fn finish(self, directory: &Path) -> Outcome {
        let (Owners::Range(range), Some(list)) = (self.owners, self.list) else { return Ok(()) };
        let failed = |error| Problem::io("give the files of a layer to their owners", error);
        let mut file = list.into_inner().map_err(|error| failed(error.into_error()))?;
        file.rewind().map_err(failed)?;
        let given = range.give(directory, &mut OwnerList(BufReader::new(file)));
        given.map_err(|error| failed(io::Error::other(error.message().to_owned())))
    }
}

/// The owners of what is in a layer, in the order of its entries.
#[derive(Debug)]
pub struct OwnerList(BufReader<File>);

impl OwnerList {
    fn read(&mut self) -> io::Result<Option<Owned>> {
        let mut numbers = [[0; 4]; 4];
        for (index, number) in numbers.iter_mut().enumerate() {
            match self.0.read_exact(number) {
                Err(error) if index == 0 && error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                read => read?,
            }
        }
        let [user, group, mode, length] = numbers.map(u32::from_ne_bytes);
        let mut path = vec![0; length as usize];
        self.0.read_exact(&mut path)?;
        Ok(Some(Owned { path, user, group, mode }))
    }
}

impl Iterator for OwnerList {
    type Item = io::Result<Owned>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// An id that a sandbox has.
pub(super) fn id(entry: &Entry, what: &str, id: u64) -> Outcome<u32> {
    let reason = || format!("it belongs to the {what} {id}, and a sandbox has the ids 0 to {}", IDS - 1);
    u32::try_from(id).ok().filter(|id| *id < IDS).ok_or_else(|| Problem::refused(&entry.path, reason()))
}
