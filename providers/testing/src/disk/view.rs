//! A sandbox's tree with what is mounted over it, while nobody else changes either.

use super::change::Change;
use super::tree::{Key, Node, Tree};
use super::{Outcome, Shared};
use crate::sync::locked;
use isobox_contract::{ExternalId, FileErrorKind};
use std::sync::MutexGuard;

/// A tree, or a part of one, at a place in another.
#[derive(Clone)]
pub(crate) struct Mounted {
    pub(crate) at: Key,
    pub(crate) tree: Shared,
    /// Which part of the tree.
    pub(crate) part: Key,
    pub(crate) read_only: bool,
    /// The volume that it is, if it is one.
    pub(crate) volume: Option<ExternalId>,
    /// In which order trees are locked.
    pub(crate) order: String,
}

/// The trees, locked.
pub(crate) struct View<'a> {
    /// The sandbox's own first. A tree that is mounted twice is locked once.
    trees: Vec<MutexGuard<'a, Tree>>,
    /// What is mounted, and the number of its tree.
    mounts: Vec<(&'a Mounted, usize)>,
    pub(super) changes: &'a mut Vec<Change>,
}

impl<'a> View<'a> {
    pub(super) fn of(own: &'a Shared, mounted: &'a [Mounted], changes: &'a mut Vec<Change>) -> Self {
        let mut trees = vec![locked(own)];
        let mut mounts: Vec<(&Mounted, usize)> = Vec::with_capacity(mounted.len());
        for mount in mounted {
            let same = mounts.iter().find(|(other, _)| std::sync::Arc::ptr_eq(&other.tree, &mount.tree));
            let number = same.map(|(_, number)| *number).unwrap_or_else(|| {
                trees.push(locked(&mount.tree));
                trees.len() - 1
            });
            mounts.push((mount, number));
        }
        Self { trees, mounts, changes }
    }

    /// The tree that has a key, the key there, and whether it may be written to.
    fn place(&self, key: &[Vec<u8>]) -> (usize, Key, bool) {
        let covering = self.mounts.iter().filter(|(mount, _)| key.starts_with(&mount.at));
        match covering.max_by_key(|(mount, _)| mount.at.len()) {
            Some((mount, number)) => (*number, [&mount.part[..], &key[mount.at.len()..]].concat(), !mount.read_only),
            None => (0, key.to_vec(), true),
        }
    }

    pub(super) fn get(&self, key: &[Vec<u8>]) -> Option<&Node> {
        let (tree, key, _) = self.place(key);
        self.trees[tree].get(&key)
    }

    fn writable(&mut self, key: &[Vec<u8>]) -> Outcome<(&mut Tree, Key)> {
        match self.place(key) {
            (tree, key, true) => Ok((&mut self.trees[tree], key)),
            _ => Err(FileErrorKind::ReadOnly),
        }
    }

    pub(super) fn get_mut(&mut self, key: &[Vec<u8>]) -> Outcome<Option<&mut Node>> {
        let (tree, key) = self.writable(key)?;
        Ok(tree.get_mut(&key))
    }

    /// Puts a node there, in place of another.
    pub(super) fn put(&mut self, key: &[Vec<u8>], node: Node) -> Outcome<()> {
        let (tree, key) = self.writable(key)?;
        if let Some(limit) = tree.limit {
            let before = tree.get(&key).map_or(0, |node| node.metadata().size);
            if tree.bytes() - before + node.metadata().size > limit {
                return Err(FileErrorKind::NoSpace);
            }
        }
        tree.put(key, node);
        Ok(())
    }

    pub(super) fn take(&mut self, key: &[Vec<u8>]) -> Outcome<Option<Node>> {
        let (tree, key) = self.writable(key)?;
        Ok(tree.take(&key))
    }

    /// What is beneath a directory, what is mounted there too, in the order of a walk.
    pub(crate) fn beneath(&self, key: &[Vec<u8>]) -> Vec<(Key, Node)> {
        let (tree, inside, _) = self.place(key);
        let mut found: Vec<(Key, Node)> = Vec::new();
        let mut add = |tree: usize, inside: &Key, at: &[Vec<u8>]| {
            let moved = self.trees[tree].beneath(inside).map(|(below, node)| {
                let key = [at, &below[inside.len()..]].concat();
                (key, node.clone())
            });
            found.extend(moved);
        };
        add(tree, &inside, key);
        for (mount, number) in self.mounts.iter().filter(|(mount, _)| mount.at.len() > key.len()) {
            if mount.at.starts_with(key) {
                add(*number, &mount.part, &mount.at);
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        // Of what is covered by a mount, the mount's own is seen.
        found.retain(|(key, _)| self.get(key).is_some());
        found.dedup_by(|later, earlier| later.0 == earlier.0);
        found
    }

    /// Whether both are in one filesystem.
    pub(super) fn same_tree(&self, a: &[Vec<u8>], b: &[Vec<u8>]) -> bool {
        self.place(a).0 == self.place(b).0
    }

    /// Whether something is mounted exactly there.
    pub(super) fn is_mount(&self, key: &[Vec<u8>]) -> bool {
        self.mounts.iter().any(|(mount, _)| mount.at == key)
    }
}
