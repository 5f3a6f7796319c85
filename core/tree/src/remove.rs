//! Removing trees, also hostile ones, fast.
//!
//! ```text
//!   scan a buffer of names ──▶ unlink, or rmdir ──▶ not empty: remember it
//!        ▲                                              │
//!        │ next buffer                                  ▼ descend, scan, come back
//!        └───────────────────── rmdir from the parent ──┘
//!                                 │ not empty by now: scan again, at most RETRIES in all
//! ```
//!
//! The kind of an entry comes with its name, so a file costs one system call. No recursion, and few descriptors, however deep
//! the tree is; memory grows with its depth by about the length of its names. A mount in the tree is not entered: `rmdir`
//! says that it is busy. What cannot be removed does not keep the rest: the first error is returned at the end.

use crate::chain::{Chain, Left};
use crate::error::Error;
use crate::{path, sys};
use rustix::fd::{BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, FileType, RawDir, SeekFrom};
use rustix::io::Errno;

/// About a thousand names.
const BUFFER: usize = 32 << 10;
/// How often directories may turn out to be not empty after all, because somebody adds entries.
const RETRIES: u32 = 256;

/// Removes `name` in the directory `parent`, with everything beneath it. A missing one is fine.
///
/// Links are removed and never followed. Directories that their owner, whom we are, made inaccessible are made accessible
/// first. Everything that can be removed is; the first thing that cannot (immutable, a mount point) is the error.
pub fn remove(parent: BorrowedFd<'_>, name: &[u8]) -> Result<(), Error> {
    path::check_name(name).map_err(|reason| Error::refused(name, reason))?;
    match unlink(parent, name, FileType::Unknown) {
        Ok(Gone::Yes) => return Ok(()),
        Ok(Gone::NotEmpty) => {}
        Err(error) => return Err(Error::io(name, "remove", error)),
    }
    let parent = rustix::io::fcntl_dupfd_cloexec(parent, 0).map_err(|error| Error::io(b"", "open", error))?;
    let mut remover = Remover::new(parent, Root::Parent);
    remover.descend(name)?;
    remover.run()
}

/// Removes everything in the directory `folder`, but not the directory itself; else like [`remove`].
pub fn remove_contents(folder: BorrowedFd<'_>) -> Result<(), Error> {
    let folder = sys::open_folder_of_ours(folder, b".").map_err(|error| Error::io(b"", "open", error))?;
    let mut remover = Remover::new(folder, Root::Emptied);
    remover.scan();
    remover.run()
}

struct Remover {
    root: Root,
    chain: Chain<Todo>,
    names: Vec<u8>,
    retries: u32,
    failure: Option<Error>,
}

/// What the root of the chain is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    /// The parent of what is removed; what else is in it is not even looked at.
    Parent,
    /// The directory whose contents are removed.
    Emptied,
}

/// What is left to do in a directory.
#[derive(Default)]
struct Todo {
    /// Subdirectories that were found and are not empty.
    pending: Vec<Box<[u8]>>,
    /// There are names beyond those that were read.
    more: bool,
    /// Something was removed since the directory was read from its beginning.
    progress: bool,
    /// Something in it cannot be removed.
    failed: bool,
}

enum Gone {
    Yes,
    NotEmpty,
}

impl Remover {
    fn new(folder: OwnedFd, root: Root) -> Self {
        Remover {
            root,
            chain: Chain::new(folder, Todo::default()),
            names: Vec::with_capacity(BUFFER),
            retries: 0,
            failure: None,
        }
    }

    fn run(mut self) -> Result<(), Error> {
        loop {
            let todo = self.chain.state();
            if let Some(name) = todo.pending.pop() {
                self.descend(&name)?;
            } else if todo.more {
                self.scan();
            } else if !self.ascend()? {
                return self.failure.map_or(Ok(()), Err);
            }
        }
    }

    fn descend(&mut self, name: &[u8]) -> Result<(), Error> {
        match sys::open_folder_of_ours(self.chain.current(), name) {
            Ok(folder) => {
                self.chain.enter(name, folder, Todo::default())?;
                self.scan();
            }
            Err(Errno::NOENT) => {}
            // It is no directory any more.
            Err(Errno::NOTDIR | Errno::LOOP) => match unlink(self.chain.current(), name, FileType::Unknown) {
                Ok(Gone::Yes) => {}
                Ok(Gone::NotEmpty) => self.retry(name),
                Err(error) => self.fail(name, error),
            },
            Err(error) => self.fail(name, error),
        }
        Ok(())
    }

    /// Removes the emptied directory from its parent and goes there; false when the whole is done.
    fn ascend(&mut self) -> Result<bool, Error> {
        if self.chain.depth() == 0 {
            return self.finish_root();
        }
        let name = path::split(self.chain.path()).1.to_vec();
        let Some(Left { state, reopened, folder }) = self.chain.leave()? else { return Ok(false) };
        drop(folder);
        if state.failed {
            let todo = self.chain.state();
            todo.failed = true;
            if reopened {
                // Reading it again would find what failed again.
                *todo = Todo { failed: true, ..Todo::default() };
            }
            return Ok(true);
        }
        let todo = self.chain.state();
        if reopened {
            todo.pending.clear();
            todo.more = true;
        }
        match rmdir(self.chain.current(), &name) {
            Ok(Gone::Yes) => self.chain.state().progress = true,
            Ok(Gone::NotEmpty) => self.retry(&name),
            Err(error) => self.fail(&name, error),
        }
        Ok(true)
    }

    /// An emptied root stays, so nothing but a look shows that it is empty.
    fn finish_root(&mut self) -> Result<bool, Error> {
        let (root, todo) = self.chain.split();
        if self.root == Root::Parent || todo.failed || !todo.progress {
            return Ok(false);
        }
        todo.progress = false;
        rustix::fs::seek(root, SeekFrom::Start(0)).map_err(|error| Error::io(b"", "list", error))?;
        self.scan();
        Ok(true)
    }

    /// Somebody added entries while we were removing, or the file system hid some from us.
    fn retry(&mut self, name: &[u8]) {
        self.retries += 1;
        if self.retries > RETRIES {
            self.fail(name, Errno::NOTEMPTY);
        } else {
            self.chain.state().pending.push(name.into());
        }
    }

    /// Takes one buffer of names.
    fn scan(&mut self) {
        assert!(self.chain.depth() > 0 || self.root == Root::Emptied, "the parent's other entries are not ours");
        let (folder, todo) = self.chain.split();
        let mut failure = None;
        let mut names = RawDir::new(folder, self.names.spare_capacity_mut());
        todo.more = false;
        while let Some(entry) = names.next() {
            match entry {
                Ok(entry) => {
                    let name = entry.file_name().to_bytes();
                    if let Err(error) = todo.take(folder, name, entry.file_type()) {
                        failure.get_or_insert_with(|| (name.to_vec(), error));
                    }
                }
                Err(Errno::INTR) => continue,
                Err(Errno::NOENT) => break,
                Err(error) => {
                    failure.get_or_insert((Vec::new(), error));
                    break;
                }
            }
            if names.is_buffer_empty() && !todo.pending.is_empty() {
                todo.more = true;
                break;
            }
        }
        if let Some((name, error)) = failure {
            self.fail(&name, error);
        }
    }

    fn fail(&mut self, name: &[u8], error: Errno) {
        self.chain.state().failed = true;
        if self.failure.is_none() {
            self.failure = Some(Error::io(&self.chain.path_of(name), "remove", error));
        }
    }
}

impl Todo {
    fn take(&mut self, folder: BorrowedFd<'_>, name: &[u8], kind: FileType) -> rustix::io::Result<()> {
        if matches!(name, b"." | b"..") {
            return Ok(());
        }
        let mut gone = unlink(folder, name, kind);
        if matches!(gone, Err(Errno::ACCESS)) && sys::allow(folder).is_ok() {
            gone = unlink(folder, name, kind);
        }
        match gone? {
            Gone::Yes => self.progress = true,
            Gone::NotEmpty => self.pending.push(name.into()),
        }
        Ok(())
    }
}

/// Removes a file, or a directory if it is empty. `kind` is what it was when it was listed.
fn unlink(at: BorrowedFd<'_>, name: &[u8], kind: FileType) -> rustix::io::Result<Gone> {
    if kind == FileType::Directory {
        return match rmdir(at, name) {
            Err(Errno::NOTDIR) => unlink_file(at, name),
            result => result,
        };
    }
    match unlink_file(at, name) {
        Err(Errno::ISDIR) => rmdir(at, name),
        // What POSIX says for a directory, and what Linux says for an immutable file.
        Err(Errno::PERM) => match rmdir(at, name) {
            Err(Errno::NOTDIR) => Err(Errno::PERM),
            result => result,
        },
        result => result,
    }
}

fn unlink_file(at: BorrowedFd<'_>, name: &[u8]) -> rustix::io::Result<Gone> {
    match rustix::fs::unlinkat(at, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(Gone::Yes),
        Err(error) => Err(error),
    }
}

fn rmdir(at: BorrowedFd<'_>, name: &[u8]) -> rustix::io::Result<Gone> {
    match rustix::fs::unlinkat(at, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => Ok(Gone::Yes),
        Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(Gone::NotEmpty),
        Err(error) => Err(error),
    }
}
