//! What can be done with files.

use super::Outcome;
use super::change::Change;
use super::tree::{Key, Kind, Node};
use super::view::View;
use bytes::Bytes;
use isobox_contract::{FileChangeKind, FileErrorKind, Timestamp, WriteOptions};

/// Who makes something, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Author {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) now: Timestamp,
}

impl Author {
    pub(crate) fn directory(&self, mode: Option<u32>) -> Node {
        self.node(Kind::Directory, mode.unwrap_or(0o755))
    }

    pub(crate) fn file(&self, bytes: Bytes, mode: Option<u32>) -> Node {
        self.node(Kind::File(bytes), mode.unwrap_or(0o644))
    }

    pub(crate) fn link(&self, text: Vec<u8>) -> Node {
        self.node(Kind::Link(text), 0o777)
    }

    fn node(&self, kind: Kind, mode: u32) -> Node {
        Node { kind, mode: mode & 0o7777, uid: self.uid, gid: self.gid, modified: self.now }
    }
}

impl View<'_> {
    fn changed(&mut self, kind: FileChangeKind, key: &[Vec<u8>]) {
        self.changes.push(Change { kind, key: key.to_vec(), to: None });
    }

    /// Puts something where nothing is.
    pub(super) fn make(&mut self, key: &[Vec<u8>], node: Node) -> Outcome<()> {
        self.put(key, node)?;
        self.changed(FileChangeKind::Created, key);
        Ok(())
    }

    pub(crate) fn node(&self, key: &[Vec<u8>]) -> Outcome<&Node> {
        self.get(key).ok_or(FileErrorKind::NotFound)
    }

    pub(crate) fn contents(&self, key: &[Vec<u8>]) -> Outcome<Bytes> {
        match &self.node(key)?.kind {
            Kind::File(bytes) => Ok(bytes.clone()),
            Kind::Directory => Err(FileErrorKind::IsADirectory),
            Kind::Link(_) => Err(FileErrorKind::Other),
        }
    }

    /// Writes a file, or what `add` makes of what it has.
    pub(crate) fn write(
        &mut self,
        key: &[Vec<u8>],
        options: &WriteOptions,
        author: &Author,
        contents: impl FnOnce(&[u8]) -> Bytes,
    ) -> Outcome<()> {
        let own = self.author(author, options.owner.as_deref())?;
        let before = match self.get(key).map(|node| (&node.kind, node)) {
            Some((Kind::Directory, _)) => return Err(FileErrorKind::IsADirectory),
            Some(_) if options.exclusive => return Err(FileErrorKind::AlreadyExists),
            Some((Kind::File(bytes), node)) => Some((bytes.clone(), node.clone())),
            Some((Kind::Link(_), _)) | None => None,
        };
        self.parent(key, options.parents, &own)?;
        let Some((bytes, node)) = before else {
            return self.make(key, own.file(contents(&[]), options.mode));
        };
        let (uid, gid) = if options.owner.is_some() { (own.uid, own.gid) } else { (node.uid, node.gid) };
        let mode = options.mode.map_or(node.mode, |mode| mode & 0o7777);
        let kind = Kind::File(contents(&bytes));
        self.put(key, Node { kind, mode, uid, gid, modified: author.now })?;
        self.changed(FileChangeKind::Modified, key);
        Ok(())
    }

    /// What is below a directory, so many levels deep, with keys relative to it.
    pub(crate) fn list(&self, key: &[Vec<u8>], depth: usize) -> Outcome<Vec<(Key, Node)>> {
        if !self.node(key)?.is_directory() {
            return Err(FileErrorKind::NotADirectory);
        }
        let beneath = self.beneath(key).into_iter().map(|(below, node)| (below[key.len()..].to_vec(), node));
        let mut found: Vec<_> = beneath.filter(|(below, _)| below.len() <= depth).collect();
        found.sort_by_key(|(below, _)| below.join(&b'/'));
        Ok(found)
    }

    pub(crate) fn mkdir(&mut self, key: &[Vec<u8>], options: &WriteOptions, author: &Author) -> Outcome<()> {
        let own = self.author(author, options.owner.as_deref())?;
        match self.get(key) {
            Some(_) if options.exclusive => return Err(FileErrorKind::AlreadyExists),
            Some(node) if node.is_directory() => return Ok(()),
            Some(_) => return Err(FileErrorKind::AlreadyExists),
            None => {}
        }
        self.parent(key, options.parents, &own)?;
        self.make(key, own.directory(options.mode))
    }

    pub(crate) fn symlink(&mut self, key: &[Vec<u8>], text: &[u8], author: &Author) -> Outcome<()> {
        if self.get(key).is_some() {
            return Err(FileErrorKind::AlreadyExists);
        }
        self.parent(key, true, author)?;
        self.make(key, author.link(text.to_vec()))
    }

    pub(crate) fn rename(&mut self, from: &[Vec<u8>], to: &[Vec<u8>], author: &Author) -> Outcome<()> {
        let node = self.node(from)?.clone();
        if from == to {
            return Ok(());
        }
        if self.is_mount(from) || self.is_mount(to) || from.is_empty() || to.is_empty() {
            return Err(FileErrorKind::Busy);
        }
        if !self.same_tree(from, to) {
            return Err(FileErrorKind::CrossDevice);
        }
        if to.starts_with(from) {
            return Err(FileErrorKind::InvalidPath);
        }
        self.parent(to, false, author)?;
        match self.get(to) {
            Some(other) if other.is_directory() && !node.is_directory() => return Err(FileErrorKind::IsADirectory),
            Some(other) if !other.is_directory() && node.is_directory() => return Err(FileErrorKind::NotADirectory),
            Some(_) if !self.beneath(to).is_empty() => return Err(FileErrorKind::NotEmpty),
            _ => {}
        }
        for (key, node) in [(from.to_vec(), node)].into_iter().chain(self.beneath(from)) {
            self.take(&key)?;
            self.put(&[to, &key[from.len()..]].concat(), node)?;
        }
        let (key, to) = (from.to_vec(), Some(to.to_vec()));
        self.changes.push(Change { kind: FileChangeKind::Renamed, key, to });
        Ok(())
    }

    /// Copies what is there, keeping modes, times and links. A directory that exists is merged into.
    pub(crate) fn copy(&mut self, from: &[Vec<u8>], to: &[Vec<u8>], author: &Author) -> Outcome<()> {
        let node = self.node(from)?.clone();
        if to.starts_with(from) {
            return Err(FileErrorKind::InvalidPath);
        }
        self.parent(to, true, author)?;
        for (key, node) in [(from.to_vec(), node)].into_iter().chain(self.beneath(from)) {
            let key = [to, &key[from.len()..]].concat();
            self.place_node(&key, Node { uid: author.uid, gid: author.gid, ..node })?;
        }
        Ok(())
    }

    /// Puts a whole entry there, as a copy does: a directory over a directory, anything else in place of a file or a link.
    pub(crate) fn place_node(&mut self, key: &[Vec<u8>], node: Node) -> Outcome<()> {
        match self.get(key).map(Node::is_directory) {
            None => self.make(key, node),
            Some(true) if node.is_directory() => Ok(()),
            Some(true) => Err(FileErrorKind::IsADirectory),
            Some(false) if node.is_directory() => Err(FileErrorKind::NotADirectory),
            Some(false) => {
                self.put(key, node)?;
                self.changed(FileChangeKind::Modified, key);
                Ok(())
            }
        }
    }

    pub(crate) fn change(&mut self, key: &[Vec<u8>], change: impl FnOnce(&mut Node)) -> Outcome<()> {
        change(self.get_mut(key)?.ok_or(FileErrorKind::NotFound)?);
        self.changed(FileChangeKind::Attributes, key);
        Ok(())
    }

    pub(crate) fn remove(&mut self, key: &[Vec<u8>], recursive: bool) -> Outcome<()> {
        let Some(node) = self.get(key) else { return Ok(()) };
        if key.is_empty() || self.is_mount(key) {
            return Err(FileErrorKind::Busy);
        }
        let beneath = if node.is_directory() { self.beneath(key) } else { Vec::new() };
        if !beneath.is_empty() && !recursive {
            return Err(FileErrorKind::NotEmpty);
        }
        if beneath.iter().any(|(below, _)| self.is_mount(below)) {
            return Err(FileErrorKind::Busy);
        }
        // The deepest first, as they go.
        for below in beneath.iter().rev().map(|(below, _)| &below[..]).chain([key]) {
            self.take(below)?;
            self.changed(FileChangeKind::Removed, below);
        }
        Ok(())
    }
}
