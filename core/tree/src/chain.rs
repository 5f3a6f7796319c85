//! The directories between a root and the place where a walk is.
//!
//! ```text
//!   root ── a ── b ── … ── y ── z
//!   open    closed, known      open: the last 64
//!           by (device, inode)
//! ```
//!
//! A tree may be thousands of levels deep, and a process has perhaps 1024 descriptors: so only the root and the last
//! levels are open. A closed one is opened again through `..` of its child and believed only when it is the same directory
//! as before; if somebody moved it meanwhile, the walk ends with a conflict instead of going on elsewhere.

use crate::error::Error;
use crate::meta::Identity;
use crate::{path, sys};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};

const OPEN_MAX: usize = 64;

/// A path of open directories, each with what its user wants to remember of it.
pub(crate) struct Chain<T> {
    levels: Vec<Level<T>>,
    path: Vec<u8>,
}

struct Level<T> {
    folder: Folder,
    /// The length of the path of the parent.
    parent: usize,
    state: T,
}

enum Folder {
    Open(OwnedFd),
    Closed(Identity),
}

/// A directory that was left.
pub(crate) struct Left<T> {
    pub(crate) folder: OwnedFd,
    pub(crate) state: T,
    /// Its parent was opened again, so reading it starts from its beginning.
    pub(crate) reopened: bool,
}

impl<T> Chain<T> {
    pub(crate) fn new(root: OwnedFd, state: T) -> Self {
        Chain { levels: vec![Level { folder: Folder::Open(root), parent: 0, state }], path: Vec::new() }
    }

    /// The path of the current directory beneath the root.
    pub(crate) fn path(&self) -> &[u8] {
        &self.path
    }

    /// The path of a name in the current directory.
    pub(crate) fn path_of(&self, name: &[u8]) -> Vec<u8> {
        let mut joined = Vec::with_capacity(self.path.len() + 1 + name.len());
        joined.extend_from_slice(&self.path);
        path::push(&mut joined, name);
        joined
    }

    /// How many levels the current directory lies beneath the root.
    pub(crate) fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    pub(crate) fn root(&self) -> BorrowedFd<'_> {
        self.levels.first().expect("a chain has its root").folder.opened()
    }

    pub(crate) fn current(&self) -> BorrowedFd<'_> {
        self.levels.last().expect("a chain has its root").folder.opened()
    }

    pub(crate) fn state(&mut self) -> &mut T {
        self.split().1
    }

    /// The current directory and its state at once.
    pub(crate) fn split(&mut self) -> (BorrowedFd<'_>, &mut T) {
        let level = self.levels.last_mut().expect("a chain has its root");
        (level.folder.opened(), &mut level.state)
    }

    /// Makes `folder`, which is `name` in the current directory, the current one.
    pub(crate) fn enter(&mut self, name: &[u8], folder: OwnedFd, state: T) -> Result<(), Error> {
        let parent = self.path.len();
        path::push(&mut self.path, name);
        self.levels.push(Level { folder: Folder::Open(folder), parent, state });
        match self.levels.len().checked_sub(OPEN_MAX + 1) {
            None | Some(0) => Ok(()),
            Some(oldest) => self.close(oldest),
        }
    }

    fn close(&mut self, index: usize) -> Result<(), Error> {
        let folder = &mut self.levels[index].folder;
        if let Folder::Open(opened) = folder {
            let identity = sys::identity(opened.as_fd()).map_err(|error| Error::io(&self.path, "look at", error))?;
            *folder = Folder::Closed(identity);
        }
        Ok(())
    }

    /// Goes back to the parent; `None` at the root.
    pub(crate) fn leave(&mut self) -> Result<Option<Left<T>>, Error> {
        let [.., parent, child] = self.levels.as_mut_slice() else { return Ok(None) };
        let reopened = match parent.folder {
            Folder::Open(_) => false,
            Folder::Closed(identity) => {
                parent.folder = Folder::Open(reopen(child.folder.opened(), identity, &self.path)?);
                true
            }
        };
        let Level { folder, parent, state } = self.levels.pop().expect("a child was just looked at");
        self.path.truncate(parent);
        let Folder::Open(folder) = folder else { unreachable!("the current directory is open") };
        Ok(Some(Left { folder, state, reopened }))
    }
}

fn reopen(child: BorrowedFd<'_>, identity: Identity, path: &[u8]) -> Result<OwnedFd, Error> {
    let parent = sys::open_folder(child, b"..").map_err(|error| Error::io(path, "go back from", error))?;
    match sys::identity(parent.as_fd()) {
        Ok(found) if found == identity => Ok(parent),
        _ => Err(Error::conflict(path, "it was moved by somebody else meanwhile")),
    }
}

impl Folder {
    fn opened(&self) -> BorrowedFd<'_> {
        match self {
            Folder::Open(folder) => folder.as_fd(),
            Folder::Closed(_) => unreachable!("only the root and the current directory are asked for, both open"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};
    use std::path::Path;

    fn descend(root: &Path, levels: usize) -> Chain<usize> {
        let mut chain = Chain::new(File::open(root).unwrap().into(), 0);
        for level in 1..=levels {
            rustix::fs::mkdirat(chain.current(), "d", rustix::fs::Mode::RWXU).unwrap();
            let folder = sys::open_folder(chain.current(), b"d").unwrap();
            chain.enter(b"d", folder, level).unwrap();
        }
        chain
    }

    #[test]
    fn a_deep_chain_holds_few_descriptors_and_comes_back() {
        let temporary = tempfile::tempdir().unwrap();
        let mut chain = descend(temporary.path(), 200);
        let open = chain.levels.iter().filter(|level| matches!(level.folder, Folder::Open(_))).count();
        assert_eq!(open, OPEN_MAX + 1);
        for level in (1..=200).rev() {
            assert_eq!(chain.path().len(), level * 2 - 1);
            assert_eq!(chain.leave().unwrap().unwrap().state, level);
        }
        let root = sys::identity(File::open(temporary.path()).unwrap().as_fd()).unwrap();
        assert_eq!(sys::identity(chain.current()).unwrap(), root);
        assert!(chain.leave().unwrap().is_none());
    }

    #[test]
    fn a_moved_directory_is_a_conflict() {
        let temporary = tempfile::tempdir().unwrap();
        fs::create_dir(temporary.path().join("root")).unwrap();
        let mut chain = descend(&temporary.path().join("root"), 100);
        fs::rename(temporary.path().join("root/d/d/d"), temporary.path().join("elsewhere")).unwrap();
        let error = loop {
            if let Err(error) = chain.leave() {
                break error;
            }
        };
        assert!(matches!(error, Error::Conflict { .. }), "{error}");
    }
}
