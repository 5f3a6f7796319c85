//! What a call did, and what it left out.

/// The most left-out entries that a report names; all of them are counted.
const NAMED_MAX: usize = 256;

/// What a call did. The root itself is not counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Entries carried: directories, files and symlinks, and what is counted here only: further hard links, and the FIFOs
    /// and whiteouts of a copy.
    pub entries: u64,
    /// Directories among them, also those that existed and were merged into.
    pub directories: u64,
    /// Regular files among them, a further hard link not counted.
    pub files: u64,
    /// Symlinks among them.
    pub links: u64,
    /// Bytes of file contents, holes not counted.
    pub bytes: u64,
    /// The first 256 entries that were left out, in the order of the walk.
    pub skipped: Vec<Skipped>,
    /// How many entries were left out in all.
    pub skipped_total: u64,
}

/// An entry that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its path beneath the root.
    pub path: Vec<u8>,
    /// Why.
    pub reason: SkipReason,
}

/// Why an entry was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// A named pipe.
    Fifo,
    /// A Unix socket.
    Socket,
    /// A character device.
    CharacterDevice,
    /// A block device.
    BlockDevice,
    /// It was removed while the walk ran.
    Vanished,
    /// It kept changing its kind while the walk ran.
    Changed,
    /// Its holder blocks the opening of it (a lease).
    Busy,
    /// A symlink whose target can lie outside the tree, with [`Links::Beneath`](crate::Links::Beneath).
    Escaping,
}

impl Report {
    pub(crate) fn skip(&mut self, path: &[u8], reason: SkipReason) {
        self.skipped_total += 1;
        if self.skipped.len() < NAMED_MAX {
            self.skipped.push(Skipped { path: path.to_vec(), reason });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_exact_beyond_the_named() {
        let mut report = Report::default();
        (0..1000).for_each(|_| report.skip(b"x", SkipReason::Fifo));
        assert_eq!((report.skipped.len(), report.skipped_total), (256, 1000));
    }
}
