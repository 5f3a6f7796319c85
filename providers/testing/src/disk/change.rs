//! Who is told of changes.

use super::tree::Key;
use crate::sync::locked;
use isobox_contract::{FileChange, FileChangeKind, SandboxPath};
use std::sync::Mutex;
use tokio::sync::mpsc;

/// The most changes that wait for a watcher.
const WAITING: usize = 4096;

/// One change, before anybody is told.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    pub(crate) kind: FileChangeKind,
    pub(crate) key: Key,
    /// Where it went.
    pub(crate) to: Option<Key>,
}

#[derive(Default)]
pub(crate) struct Watchers(Mutex<Vec<Watcher>>);

struct Watcher {
    key: Key,
    recursive: bool,
    changes: mpsc::Sender<FileChange>,
}

impl Watchers {
    /// Changes of what is there now, or beneath it.
    pub(crate) fn add(&self, key: Key, recursive: bool) -> mpsc::Receiver<FileChange> {
        let (changes, receiver) = mpsc::channel(WAITING + 1);
        locked(&self.0).push(Watcher { key, recursive, changes });
        receiver
    }

    pub(super) fn tell(&self, changes: Vec<Change>) {
        if changes.is_empty() {
            return;
        }
        let mut watchers = locked(&self.0);
        for change in changes {
            watchers.retain(|watcher| watcher.tell(&change));
        }
    }

    /// Ends all watches.
    pub(crate) fn end(&self) {
        locked(&self.0).clear();
    }
}

impl Watcher {
    /// Tells of a change; false when nothing can follow.
    fn tell(&self, change: &Change) -> bool {
        let to = change.to.as_deref().and_then(|to| self.seen(to));
        let told = match (self.seen(&change.key), to) {
            (Some(path), Some(renamed_to)) => FileChange { kind: change.kind, path, renamed_to: Some(renamed_to) },
            // What leaves is gone, what comes is new.
            (Some(path), None) if change.to.is_some() => removed(path),
            (None, Some(path)) => FileChange { kind: FileChangeKind::Created, path, renamed_to: None },
            (Some(path), None) => FileChange { kind: change.kind, path, renamed_to: None },
            (None, None) => return !self.changes.is_closed(),
        };
        let gone = change.key == self.key && matches!(told.kind, FileChangeKind::Removed | FileChangeKind::Renamed);
        self.put(told) && !gone
    }

    fn put(&self, change: FileChange) -> bool {
        match self.changes.capacity() {
            // The last place says that there were more.
            1 => {
                let lost = FileChange { kind: FileChangeKind::Overflow, path: ".".into(), renamed_to: None };
                self.changes.try_send(lost).is_ok()
            }
            0 => !self.changes.is_closed(),
            _ => self.changes.try_send(change).is_ok(),
        }
    }

    /// The path of a key as this watcher sees it.
    fn seen(&self, key: &[Vec<u8>]) -> Option<SandboxPath> {
        let below = key.strip_prefix(&self.key[..])?;
        match below.len() {
            0 => Some(".".into()),
            1 => Some(below.join(&b'/').into()),
            _ => self.recursive.then(|| below.join(&b'/').into()),
        }
    }
}

fn removed(path: SandboxPath) -> FileChange {
    FileChange { kind: FileChangeKind::Removed, path, renamed_to: None }
}
