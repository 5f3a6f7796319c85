//! The files of a double, for tests: at once, without errors to handle.

use crate::disk::{Author, Key, Kind, paths_of};
use crate::place::Place;
use bytes::Bytes;
use isobox_contract::{FileErrorKind, SandboxPath, WriteOptions};
use std::fmt;
use std::sync::Arc;

/// The files of a sandbox, for a test or a script. Cheap to clone.
///
/// Nothing here is counted, delayed or failed, and it works also once the sandbox is gone. What cannot be done panics with the
/// path and the reason.
#[derive(Clone)]
pub struct TestFiles {
    place: Arc<Place>,
    directory: SandboxPath,
}

impl TestFiles {
    pub(crate) fn new(place: Arc<Place>, directory: SandboxPath) -> Self {
        Self { place, directory }
    }

    fn author(&self) -> Author {
        self.place.author()
    }

    fn key(&self) -> Key {
        crate::disk::names(self.directory.as_bytes()).collect()
    }

    /// The contents of a file; nothing when there is none.
    pub fn read(&self, path: impl Into<SandboxPath>) -> Option<Bytes> {
        let path = path.into();
        let read = self.place.disk.with(|view| {
            let key = view.existing(&self.key(), path.as_bytes(), true)?;
            view.contents(&key)
        });
        match read {
            Err(FileErrorKind::NotFound | FileErrorKind::NotADirectory) => None,
            read => Some(expected(&path, "read", read)),
        }
    }

    /// The contents of a file as text, with replacement characters where it is not UTF-8; nothing when there is none.
    pub fn read_text(&self, path: impl Into<SandboxPath>) -> Option<String> {
        self.read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Writes a file and makes the directories on the way.
    pub fn write(&self, path: impl Into<SandboxPath>, contents: impl Into<Bytes>) {
        self.write_bytes(path.into(), contents.into());
    }

    pub(crate) fn write_bytes(&self, path: SandboxPath, contents: Bytes) {
        let author = self.author();
        let written = self.place.disk.with(|view| {
            let key = view.resolve(&self.key(), path.as_bytes(), true)?;
            view.write(&key, &WriteOptions::default(), &author, |_| contents)
        });
        expected(&path, "write", written);
    }

    /// Makes a directory and those on the way.
    pub fn mkdir(&self, path: impl Into<SandboxPath>) {
        let (path, author) = (path.into(), self.author());
        let made = self.place.disk.with(|view| {
            let key = view.resolve(&self.key(), path.as_bytes(), true)?;
            view.mkdir(&key, &WriteOptions::default(), &author)
        });
        expected(&path, "make the directory", made);
    }

    /// Makes a symbolic link with this text.
    pub fn symlink(&self, text: impl Into<SandboxPath>, path: impl Into<SandboxPath>) {
        let (text, path, author) = (text.into(), path.into(), self.author());
        let made = self.place.disk.with(|view| {
            let key = view.resolve(&self.key(), path.as_bytes(), false)?;
            view.symlink(&key, text.as_bytes(), &author)
        });
        expected(&path, "make the link", made);
    }

    /// Whether there is something, after following links.
    pub fn exists(&self, path: impl Into<SandboxPath>) -> bool {
        let path = path.into();
        self.place.disk.with(|view| view.existing(&self.key(), path.as_bytes(), true).is_ok())
    }

    /// Removes what is there, with everything beneath it. Nothing is fine.
    pub fn remove(&self, path: impl Into<SandboxPath>) {
        let path = path.into();
        let removed = self.place.disk.with(|view| {
            let key = view.resolve(&self.key(), path.as_bytes(), false)?;
            view.remove(&key, true)
        });
        expected(&path, "remove", removed);
    }

    /// Every file and link, as absolute paths, sorted.
    pub fn paths(&self) -> Vec<SandboxPath> {
        let all = self.place.disk.with(|view| view.list(&[], usize::MAX)).unwrap_or_default();
        let files = all.into_iter().filter(|(_, node)| node.kind != Kind::Directory);
        files.map(|(key, _)| paths_of(&key).into()).collect()
    }
}

#[track_caller]
fn expected<T>(path: &SandboxPath, action: &str, result: Result<T, FileErrorKind>) -> T {
    match result {
        Ok(done) => done,
        Err(kind) => panic!("cannot {action} {}: {kind}", path.escaped()),
    }
}

impl fmt::Debug for TestFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestFiles").field("sandbox", &self.place.id).finish_non_exhaustive()
    }
}
