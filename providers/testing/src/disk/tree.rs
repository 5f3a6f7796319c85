//! One tree: directories, files and links.

use super::Author;
use bytes::Bytes;
use isobox_contract::{FileKind, Metadata, SandboxPath, Timestamp};
use std::collections::BTreeMap;
use std::ops::Bound;

/// The names on the way from the root; none for the root itself.
pub(crate) type Key = Vec<Vec<u8>>;

/// One entry.
#[derive(Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) mode: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) modified: Timestamp,
}

/// What an entry is.
#[derive(Clone, PartialEq)]
pub(crate) enum Kind {
    Directory,
    File(Bytes),
    Link(Vec<u8>),
}

impl Node {
    pub(crate) fn is_directory(&self) -> bool {
        self.kind == Kind::Directory
    }

    pub(crate) fn metadata(&self) -> Metadata {
        let (kind, size, link_target) = match &self.kind {
            Kind::Directory => (FileKind::Directory, 0, None),
            Kind::File(bytes) => (FileKind::File, bytes.len() as u64, None),
            Kind::Link(text) => (FileKind::Symlink, text.len() as u64, Some(SandboxPath::from(text.clone()))),
        };
        Metadata {
            kind,
            size,
            mode: Some(self.mode),
            uid: Some(self.uid),
            gid: Some(self.gid),
            modified_at: Some(self.modified),
            link_target,
        }
    }
}

/// Entries by their keys. There is always a root.
#[derive(Clone)]
pub(crate) struct Tree {
    nodes: BTreeMap<Key, Node>,
    /// The most bytes of contents.
    pub(crate) limit: Option<u64>,
}

impl Tree {
    /// A tree with nothing but a root.
    pub(crate) fn empty(author: &Author) -> Self {
        let mut tree = Self { nodes: BTreeMap::new(), limit: None };
        tree.put(Key::new(), author.directory(None));
        tree
    }

    pub(crate) fn get(&self, key: &[Vec<u8>]) -> Option<&Node> {
        self.nodes.get(key)
    }

    pub(crate) fn get_mut(&mut self, key: &[Vec<u8>]) -> Option<&mut Node> {
        self.nodes.get_mut(key)
    }

    pub(crate) fn put(&mut self, key: Key, node: Node) {
        self.nodes.insert(key, node);
    }

    pub(crate) fn take(&mut self, key: &[Vec<u8>]) -> Option<Node> {
        self.nodes.remove(key)
    }

    /// What is beneath a directory, however deep, in the order of a walk.
    pub(crate) fn beneath<'a>(&'a self, key: &'a [Vec<u8>]) -> impl Iterator<Item = (&'a Key, &'a Node)> {
        let from = (Bound::Excluded(key), Bound::Unbounded);
        self.nodes.range::<[Vec<u8>], _>(from).take_while(move |(below, _)| below.starts_with(key))
    }

    pub(crate) fn make_directories(&mut self, key: &[Vec<u8>], author: &Author) {
        for length in 1..=key.len() {
            self.nodes.entry(key[..length].to_vec()).or_insert_with(|| author.directory(None));
        }
    }

    /// Bytes of all contents.
    pub(crate) fn bytes(&self) -> u64 {
        self.nodes.values().map(|node| node.metadata().size).sum()
    }
}
