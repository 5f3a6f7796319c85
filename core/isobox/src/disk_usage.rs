//! What isobox's directory takes on the disk.

use crate::isobox::Isobox;
use isobox_contract::{Error, ProviderKind, Result};
use serde::Serialize;
use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Bytes of a block in `stat`, whatever the filesystem has (stat(2)).
const BLOCK: u64 = 512;
/// The names of what has a kind of its own in isobox's directory.
const NAMED: [(&str, DiskKind); 3] =
    [("images", DiskKind::Images), ("snapshots", DiskKind::Snapshots), ("volumes", DiskKind::Volumes)];

/// Whose images and snapshots are not in isobox's directory.
const ELSEWHERE: [ProviderKind; 4] =
    [ProviderKind::DOCKER, ProviderKind::KUBERNETES, ProviderKind::DAYTONA, ProviderKind::REMOTE];

/// What takes disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DiskKind {
    /// The directories of sandboxes: what they have written, beside what they are made from.
    Sandboxes,
    /// Images, with their layers.
    Images,
    /// Snapshots, with their layers.
    Snapshots,
    /// Volumes.
    Volumes,
    /// The file of the control plane, with its journal.
    Database,
    /// Everything else, such as the files that show which processes live.
    Other,
}

impl DiskKind {
    /// All of them, in the order of a report.
    pub const ALL: [Self; 6] =
        [Self::Sandboxes, Self::Images, Self::Snapshots, Self::Volumes, Self::Database, Self::Other];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sandboxes => "sandboxes",
            Self::Images => "images",
            Self::Snapshots => "snapshots",
            Self::Volumes => "volumes",
            Self::Database => "database",
            Self::Other => "other",
        }
    }
}

/// What one kind takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct KindUsage {
    /// Which.
    pub kind: DiskKind,
    /// How many there are: sandboxes, images, and so on; files of what has no such name.
    pub count: u64,
    /// Bytes on the disk, holes left out and what has several names counted once.
    pub bytes: u64,
    /// Bytes that can be had back: of what [`Isobox::collect_garbage`] removes, of images and volumes that no sandbox uses (which
    /// only their own `prune` removes), and of the database's free pages.
    pub reclaimable: u64,
    /// Directories that this user cannot look into, which belong to the other users of its sandboxes. Their bytes are missing.
    pub unreadable: u64,
}

/// What isobox's directory takes, from [`Isobox::disk_usage`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DiskUsage {
    /// One of each kind, in the order of [`DiskKind::ALL`].
    pub kinds: Vec<KindUsage>,
}

impl DiskUsage {
    /// What one kind takes.
    pub fn of(&self, kind: DiskKind) -> KindUsage {
        self.kinds.iter().copied().find(|usage| usage.kind == kind).unwrap_or(KindUsage::none(kind))
    }

    /// Bytes of all of them.
    pub fn bytes(&self) -> u64 {
        self.kinds.iter().map(|usage| usage.bytes).sum()
    }

    /// Bytes of all of them that can be had back.
    pub fn reclaimable(&self) -> u64 {
        self.kinds.iter().map(|usage| usage.reclaimable).sum()
    }
}

impl KindUsage {
    fn none(kind: DiskKind) -> Self {
        Self { kind, count: 0, bytes: 0, reclaimable: 0, unreadable: 0 }
    }
}

impl Isobox {
    /// What isobox's directory takes on the disk, and what of it can be had back. Looks at every file, and changes nothing.
    pub async fn disk_usage(&self) -> Result<DiskUsage> {
        let garbage = self.collect_garbage().dry_run().await?;
        let mut garbage: HashSet<String> = garbage.found.into_iter().map(|garbage| garbage.id).collect();
        let volumes = self.control().store().volumes().await?;
        garbage.extend(volumes.iter().filter(|volume| volume.attached == 0).map(|volume| volume.id.to_string()));
        let kinds: Vec<String> = self.providers().iter().map(ToString::to_string).collect();
        let home = self.home().to_owned();
        let walked = tokio::task::spawn_blocking(move || walk_home(&home, &kinds, &garbage)).await;
        let mut usage = walked.map_err(|_| Error::internal("looking at the disk broke off"))?;
        self.count(&mut usage).await?;
        Ok(usage)
    }

    /// Completes it with what is counted elsewhere.
    async fn count(&self, usage: &mut DiskUsage) -> Result<()> {
        let stats = self.control().store().stats().await?;
        let (mut images, mut in_use, mut snapshots) = (0, 0, 0);
        for kind in self.providers().into_iter().filter(|kind| !ELSEWHERE.contains(kind)) {
            let Ok(provider) = self.registry().named(kind.as_str()) else { continue };
            if let Some(facet) = provider.images() {
                let used = facet.usage().await?;
                (images, in_use) = (images + used.images, in_use + used.in_use);
            }
            if let Some(facet) = provider.snapshots() {
                snapshots += facet.list(None).await?.len() as u64;
            }
        }
        for kind in &mut usage.kinds {
            match kind.kind {
                DiskKind::Images => {
                    kind.count = images;
                    kind.reclaimable = kind.bytes.saturating_sub(in_use);
                }
                DiskKind::Snapshots => kind.count = snapshots,
                DiskKind::Database => {
                    kind.count = 1;
                    kind.reclaimable = stats.free_bytes.min(kind.bytes);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn walk_home(home: &Path, providers: &[String], garbage: &HashSet<String>) -> DiskUsage {
    let mut kinds = DiskKind::ALL.map(KindUsage::none);
    let mut seen = HashSet::new();
    for (name, path) in entries(home) {
        let kind = kind_of(&name, providers);
        let usage = kinds.iter_mut().find(|usage| usage.kind == kind).expect("every kind is in the list");
        if !matches!(kind, DiskKind::Sandboxes | DiskKind::Volumes) {
            let walked = Walked::of(&path, &mut seen);
            usage.bytes += walked.bytes;
            usage.unreadable += walked.unreadable;
            usage.count += walked.files;
            continue;
        }
        for (id, path) in entries(&path).filter(|(_, path)| path.is_dir()) {
            let walked = Walked::of(&path, &mut seen);
            usage.count += 1;
            usage.bytes += walked.bytes;
            usage.unreadable += walked.unreadable;
            if garbage.contains(&id) {
                usage.reclaimable += walked.bytes;
            }
        }
    }
    DiskUsage { kinds: kinds.to_vec() }
}

fn kind_of(name: &str, providers: &[String]) -> DiskKind {
    if providers.iter().any(|provider| provider == name) {
        return DiskKind::Sandboxes;
    }
    if name.starts_with(crate::control::DATABASE) {
        return DiskKind::Database;
    }
    let named = NAMED.iter().find(|(named, _)| name == *named);
    named.map_or(DiskKind::Other, |(_, kind)| *kind)
}

fn entries(directory: &Path) -> impl Iterator<Item = (String, PathBuf)> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
}

/// What was found below a path. Links are not followed, nor are mounts.
#[derive(Default)]
struct Walked {
    bytes: u64,
    files: u64,
    unreadable: u64,
}

impl Walked {
    fn of(root: &Path, seen: &mut HashSet<(u64, u64)>) -> Self {
        let mut walked = Self::default();
        let Ok(device) = root.symlink_metadata().map(|metadata| metadata.dev()) else { return walked };
        let mut open = vec![root.to_owned()];
        while let Some(path) = open.pop() {
            // It may be on its way out.
            let Ok(metadata) = path.symlink_metadata() else { continue };
            if metadata.dev() != device || (metadata.nlink() > 1 && !seen.insert((metadata.dev(), metadata.ino()))) {
                continue;
            }
            walked.bytes += metadata.blocks() * BLOCK;
            if !metadata.is_dir() {
                walked.files += 1;
                continue;
            }
            match fs::read_dir(&path) {
                Ok(entries) => open.extend(entries.flatten().map(|entry| entry.path())),
                Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => walked.unreadable += 1,
                Err(_) => {}
            }
        }
        walked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_the_directory_has_a_kind() {
        let providers = ["namespace".to_owned(), "host".to_owned()];
        let kinds = [
            ("namespace", DiskKind::Sandboxes),
            ("images", DiskKind::Images),
            ("snapshots", DiskKind::Snapshots),
            ("volumes", DiskKind::Volumes),
            ("control.db-wal", DiskKind::Database),
            ("owners", DiskKind::Other),
            ("imagesque", DiskKind::Other),
        ];
        for (name, kind) in kinds {
            assert_eq!(kind_of(name, &providers), kind, "{name}");
        }
    }

    #[test]
    fn what_has_two_names_is_counted_once_and_links_are_not_followed() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        fs::write(&file, vec![1; 100_000]).unwrap();
        let alone = Walked::of(place.path(), &mut HashSet::new());
        fs::hard_link(&file, place.path().join("again")).unwrap();
        std::os::unix::fs::symlink("/usr", place.path().join("link")).unwrap();
        let both = Walked::of(place.path(), &mut HashSet::new());
        assert!(alone.bytes >= 100_000 && both.bytes < alone.bytes + 50_000, "{} {}", alone.bytes, both.bytes);
        assert_eq!((alone.files, both.files), (1, 2));
    }
}
