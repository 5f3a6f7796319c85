//! Tells a client what changes in a directory.
//!
//! inotify watches one directory at a time, so a recursive watch adds each new directory as it appears, and reports what
//! was made in it before the watch was there.

use super::{Place, failed, identity};
use crate::server::Channel;
use futures::StreamExt;
use inotify::{EventMask, EventStream, Inotify, WatchDescriptor, WatchMask, Watches};
use isobox_wire::file::{Change, ChangeKind};
use isobox_wire::{Blob, Failure, FailureCode, FileRequest, Reply};
use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Directories that one watch may have.
const DIRECTORIES: usize = 10_000;
/// How long the second half of a rename may take; the kernel queues both at once.
const SECOND_HALF: std::time::Duration = std::time::Duration::from_millis(50);
/// Bytes of events read at once.
const BUFFER: usize = 16 << 10;

struct Watch {
    root: PathBuf,
    recursive: bool,
    watches: Watches,
    /// Where each watch is, relative to the root.
    places: HashMap<WatchDescriptor, PathBuf>,
    /// The first half of a rename, until its second half comes.
    moved: Option<(u32, PathBuf)>,
}

/// Watches until the client closes, or what is watched is gone.
pub(super) async fn watch(place: &Place, mut channel: Channel, request: &FileRequest, path: &Blob, recursive: bool) {
    let begun = place.account(request.user.as_deref()).map(|account| place.change_to(&account)).and_then(|who| {
        let begun = identity::assume(who.clone(), || Watch::begin(&place.resolve(path), recursive));
        begun.map(|begun| (who, begun))
    });
    let (who, (mut watch, mut events)) = match begun {
        Ok(begun) => begun,
        Err(failure) => return channel.finish(Err(super::name_as_given(place, &request.op, failure))).await,
    };
    let sender = channel.sender();
    if sender.reply(Reply::Done).await.is_err() {
        return;
    }
    loop {
        let event = tokio::select! {
            event = events.next() => event,
            () = tokio::time::sleep(SECOND_HALF), if watch.moved.is_some() => {
                for change in watch.flush() {
                    if sender.reply(Reply::Changed(change)).await.is_err() {
                        return;
                    }
                }
                continue;
            }
            _ = channel.receive() => return,
        };
        let Some(Ok(event)) = event else { break };
        let over = event.mask.contains(EventMask::IGNORED)
            && watch.places.get(&event.wd).is_some_and(|at| at.as_os_str().is_empty());
        // What may be looked at is the user's right, also in directories that are new.
        let changes = identity::assume(who.clone(), || Ok(watch.translate(event))).unwrap_or_default();
        for change in changes {
            if sender.reply(Reply::Changed(change)).await.is_err() {
                return;
            }
        }
        if over {
            break;
        }
    }
    channel.finish(Ok(Reply::Done)).await;
}

impl Watch {
    fn begin(path: &Path, recursive: bool) -> Result<(Self, EventStream<Vec<u8>>), Failure> {
        let fail = |error| failed(path, error);
        let inotify = Inotify::init().map_err(fail)?;
        let watches = inotify.watches();
        let mut watch = Self { root: path.to_owned(), recursive, watches, places: HashMap::new(), moved: None };
        let events = inotify.into_event_stream(vec![0; BUFFER]).map_err(fail)?;
        watch.add(PathBuf::new(), &mut Vec::new())?;
        Ok((watch, events))
    }

    /// Watches a directory, and what is in it when the watch is recursive; what it finds there goes to `found`.
    fn add(&mut self, place: PathBuf, found: &mut Vec<Change>) -> Result<(), Failure> {
        // With nothing joined to it, a file would get the slash of a directory.
        let path = if place.as_os_str().is_empty() { self.root.clone() } else { self.root.join(&place) };
        if self.places.len() >= DIRECTORIES {
            let message = format!("more than {DIRECTORIES} directories to watch; watch a part of them");
            return Err(Failure::new(FailureCode::LimitExceeded, message).at("recursive"));
        }
        let mut mask = WatchMask::CREATE | WatchMask::MODIFY | WatchMask::ATTRIB | WatchMask::DELETE | WatchMask::MOVE;
        mask |= WatchMask::DELETE_SELF | WatchMask::MOVE_SELF;
        if !place.as_os_str().is_empty() {
            mask |= WatchMask::DONT_FOLLOW | WatchMask::ONLYDIR;
        }
        let descriptor = self.watches.add(&path, mask).map_err(|error| failed(&path, error))?;
        self.places.insert(descriptor, place.clone());
        if !self.recursive {
            return Ok(());
        }
        let Ok(entries) = std::fs::read_dir(&path) else { return Ok(()) };
        for entry in entries.flatten() {
            let inner = place.join(entry.file_name());
            found.push(change(ChangeKind::Created, &inner));
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                // One that cannot be watched is gone again, or not ours to see.
                let added = self.add(inner, found);
                if added.as_ref().is_err_and(|failure| failure.code == FailureCode::LimitExceeded) {
                    return added;
                }
            }
        }
        Ok(())
    }

    fn translate(&mut self, event: inotify::Event<OsString>) -> Vec<Change> {
        let mask = event.mask;
        if mask.contains(EventMask::Q_OVERFLOW) {
            return vec![change(ChangeKind::Overflow, Path::new(""))];
        }
        let Some(place) = self.places.get(&event.wd).cloned() else { return Vec::new() };
        if mask.contains(EventMask::IGNORED) {
            self.places.remove(&event.wd);
            return self.flush();
        }
        let path = event.name.as_ref().map_or(place.clone(), |name| place.join(name));
        let mut changes = Vec::new();
        if mask.contains(EventMask::MOVED_FROM) {
            changes = self.flush();
            self.moved = Some((event.cookie, path));
            return changes;
        }
        if mask.contains(EventMask::MOVED_TO) {
            changes.extend(self.arrived(event.cookie, &path));
        } else {
            changes.extend(self.flush());
            changes.extend(kind(mask, &place).map(|kind| change(kind, &path)));
        }
        // One that was renamed is watched already.
        let renamed = changes.last().is_some_and(|change| change.kind == ChangeKind::Renamed);
        let appeared =
            !renamed && mask.intersects(EventMask::CREATE | EventMask::MOVED_TO) && mask.contains(EventMask::ISDIR);
        if appeared
            && self.recursive
            && self.add(path, &mut changes).is_err_and(|failure| failure.code == FailureCode::LimitExceeded)
        {
            changes.push(change(ChangeKind::Overflow, Path::new("")));
        }
        changes
    }

    /// The first half of a rename whose second half never came: it went out of sight.
    fn flush(&mut self) -> Vec<Change> {
        let Some((_, path)) = self.moved.take() else { return Vec::new() };
        let out: Vec<_> = self.below(&path).map(|(watch, _)| watch).collect();
        for watch in out {
            self.places.remove(&watch);
            let _ = self.watches.remove(watch);
        }
        vec![change(ChangeKind::Removed, &path)]
    }

    /// The watches of a directory and of all below it, with their places relative to it.
    fn below(&self, path: &Path) -> impl Iterator<Item = (WatchDescriptor, PathBuf)> {
        let found = move |(watch, place): (&WatchDescriptor, &PathBuf)| {
            Some((watch.clone(), place.strip_prefix(path).ok()?.to_owned()))
        };
        self.places.iter().filter_map(found)
    }

    /// Watches stay with a directory that is renamed, under its new name.
    fn follow(&mut self, old: &Path, new: &Path) {
        let renamed: Vec<_> = self.below(old).collect();
        for (watch, rest) in renamed {
            let place = if rest.as_os_str().is_empty() { new.to_owned() } else { new.join(rest) };
            self.places.insert(watch, place);
        }
    }

    fn arrived(&mut self, cookie: u32, path: &Path) -> Vec<Change> {
        match self.moved.take() {
            Some((from, old)) if from == cookie => {
                self.follow(&old, path);
                vec![Change { renamed_to: Some(bytes(path)), ..change(ChangeKind::Renamed, &old) }]
            }
            other => {
                self.moved = other;
                let mut changes = self.flush();
                changes.push(change(ChangeKind::Created, path));
                changes
            }
        }
    }
}

fn kind(mask: EventMask, place: &Path) -> Option<ChangeKind> {
    let itself = place.as_os_str().is_empty();
    let kinds = [
        (EventMask::CREATE, ChangeKind::Created),
        (EventMask::MODIFY, ChangeKind::Modified),
        (EventMask::DELETE, ChangeKind::Removed),
        (EventMask::ATTRIB, ChangeKind::Attributes),
    ];
    // What happens to an inner directory itself is told by the one that holds it.
    let own = (itself && mask.intersects(EventMask::DELETE_SELF | EventMask::MOVE_SELF)).then_some(ChangeKind::Removed);
    own.or_else(|| kinds.into_iter().find(|(flag, _)| mask.contains(*flag)).map(|(_, kind)| kind))
}

fn bytes(path: &Path) -> Blob {
    Blob::from(path.as_os_str().as_bytes().to_vec())
}

fn change(kind: ChangeKind, path: &Path) -> Change {
    Change { kind, path: bytes(path), renamed_to: None }
}
