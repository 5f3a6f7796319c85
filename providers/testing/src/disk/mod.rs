//! The files of a sandbox, in memory.
//!
//! ```text
//!   path ──resolve (paths.rs)──▶ key ──▶ disk ──▶ the tree of the longest mount on the way, or its own
//! ```
//!
//! A tree is one map from keys, lists of names, to nodes. Keys sort as a depth-first walk goes, so what is beneath a directory is
//! a range, and a copy of all of it is a copy of a map whose contents are shared.

mod change;
mod owners;
mod paths;
mod tree;
mod view;
mod work;

pub(crate) use change::Watchers;
pub(crate) use paths::{names, path_of as paths_of};
pub(crate) use tree::{Key, Kind, Node, Tree};
pub(crate) use view::{Mounted, View};
pub(crate) use work::Author;

use crate::sync::locked;
use isobox_contract::FileErrorKind;
use std::sync::{Arc, Mutex};

/// What goes wrong with a file, before its path is known.
pub(crate) type Outcome<T> = Result<T, FileErrorKind>;

/// A tree that several sandboxes may have at once.
pub(crate) type Shared = Arc<Mutex<Tree>>;

/// Everything that paths of one sandbox lead to.
pub(crate) struct Disk {
    own: Shared,
    mounts: Vec<Mounted>,
    watchers: Watchers,
}

impl Disk {
    /// A disk that begins as this tree, with these over it. Their places are made.
    pub(crate) fn new(mut tree: Tree, mut mounts: Vec<Mounted>, author: &Author) -> Self {
        // Trees are locked in this order, which is the same for all sandboxes.
        mounts.sort_by(|a, b| a.order.cmp(&b.order));
        mounts.iter().for_each(|mounted| tree.make_directories(&mounted.at, author));
        Self { own: Arc::new(Mutex::new(tree)), mounts, watchers: Watchers::default() }
    }

    /// Looks at it or changes it, with nobody else in between.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut View<'_>) -> T) -> T {
        let mut changes = Vec::new();
        let done = {
            let mut view = View::of(&self.own, &self.mounts, &mut changes);
            work(&mut view)
        };
        self.watchers.tell(changes);
        done
    }

    /// A copy of its own tree, as it is now, without what is mounted.
    pub(crate) fn copied(&self) -> Tree {
        locked(&self.own).clone()
    }

    /// Limits the bytes of its own tree.
    pub(crate) fn limit(&self, bytes: Option<u64>) {
        locked(&self.own).limit = bytes;
    }

    pub(crate) fn mounts(&self) -> &[Mounted] {
        &self.mounts
    }

    pub(crate) fn watchers(&self) -> &Watchers {
        &self.watchers
    }
}
