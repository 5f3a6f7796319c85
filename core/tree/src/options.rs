//! What a call may carry, and how it writes it down.

const ENTRIES: u64 = 1_000_000;
const BYTES: u64 = 64 << 30;
const DEPTH: usize = 512;

/// How [`pack`](crate::pack) reads a tree.
#[derive(Debug, Clone)]
pub struct PackOptions {
    /// Patterns of entries that are left out, without being named in the report or counted anywhere; none by default. A
    /// directory that is left out is not entered, so nothing beneath it is sent either.
    ///
    /// A pattern without a slash is for the names of entries at any depth, one with a slash for whole paths beneath the root,
    /// and a slash at its beginning says no more than that: `/a` is the `a` in the root only. `*` stands for any bytes of
    /// one name, `?` for one byte of it, `**` for any bytes, slashes included; `**/` at the beginning or after a slash also
    /// for nothing, so that `**/a` is every `a`. All else stands for itself: there are no character classes and no escapes.
    /// A pattern that is empty or has a NUL is an [`Error::Pattern`](crate::Error::Pattern) before anything is read.
    pub exclude: Vec<String>,
    /// The permission bits (the lowest twelve) that regular files are sent with, instead of their own; their own by default.
    pub file_mode: Option<u32>,
    /// The permission bits (the lowest twelve) that directories are sent with, the root included, instead of their own; their
    /// own by default.
    pub directory_mode: Option<u32>,
    /// The most entries that are looked at, left-out ones included unless a pattern covers them; 1,000,000 by default.
    pub max_entries: u64,
    /// The most bytes of file contents, holes not counted; 64 GiB by default.
    pub max_bytes: u64,
    /// The most components of a path; 512 by default.
    pub max_depth: usize,
}

impl Default for PackOptions {
    fn default() -> Self {
        PackOptions {
            exclude: Vec::new(),
            file_mode: None,
            directory_mode: None,
            max_entries: ENTRIES,
            max_bytes: BYTES,
            max_depth: DEPTH,
        }
    }
}

/// What [`unpack`](crate::unpack) does with symlinks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Links {
    /// All symlinks are written, with their targets unchanged.
    #[default]
    Keep,
    /// Only symlinks that stay beneath the root: relative, climbing no higher than the root, and climbing only at the
    /// beginning of the target (`../a`, not `a/../b`, which leads out when `a` is itself a link). Others are left out
    /// and named in the report.
    Beneath,
}

/// How [`unpack`](crate::unpack) writes a tree.
#[derive(Debug, Clone)]
pub struct UnpackOptions {
    /// The user and group that new entries belong to; those of the caller by default. Existing directories keep theirs.
    pub owner: Option<(u32, u32)>,
    /// Whether setuid and setgid bits are kept; false by default.
    pub keep_setid: bool,
    /// What happens to symlinks; [`Links::Keep`] by default.
    pub links: Links,
    /// Whether the root keeps its own mode and mtime, as when a tree is merged into `/tmp`; false by default.
    pub keep_root: bool,
    /// Whether something in the way of an entry is an [`Error::Conflict`](crate::Error::Conflict) that names it, instead of
    /// being replaced; false by default. Existing directories are merged into all the same.
    pub keep_existing: bool,
    /// The most entries; 1,000,000 by default.
    pub max_entries: u64,
    /// The most bytes of file contents, holes not counted; 64 GiB by default.
    pub max_bytes: u64,
    /// The largest size of one file, holes counted; 64 GiB by default.
    pub max_file_bytes: u64,
    /// The most components of a path; 512 by default.
    pub max_depth: usize,
}

impl Default for UnpackOptions {
    fn default() -> Self {
        UnpackOptions {
            owner: None,
            keep_setid: false,
            links: Links::Keep,
            keep_root: false,
            keep_existing: false,
            max_entries: ENTRIES,
            max_bytes: BYTES,
            max_file_bytes: BYTES,
            max_depth: DEPTH,
        }
    }
}

/// Whom the entries of a copy belong to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ownership {
    /// The caller.
    #[default]
    Caller,
    /// The same user and group as the original; needs the right to give files away.
    Keep,
    /// This user and group.
    Set(u32, u32),
}

/// How [`copy`](crate::copy) copies a tree.
#[derive(Debug, Clone)]
pub struct CopyOptions {
    /// Whom new entries belong to; the caller by default.
    pub owner: Ownership,
    /// Whether setuid and setgid bits are kept; false by default.
    pub keep_setid: bool,
    /// Whether extended attributes of files and directories are copied: `user.*`, `trusted.*` (visible to root only),
    /// capabilities and POSIX ACLs; false by default.
    pub xattrs: bool,
    /// The most entries that are looked at; 1,000,000 by default.
    pub max_entries: u64,
    /// The most bytes of file contents, holes not counted; 64 GiB by default.
    pub max_bytes: u64,
    /// The most components of a path; 512 by default.
    pub max_depth: usize,
}

impl Default for CopyOptions {
    fn default() -> Self {
        CopyOptions {
            owner: Ownership::Caller,
            keep_setid: false,
            xattrs: false,
            max_entries: ENTRIES,
            max_bytes: BYTES,
            max_depth: DEPTH,
        }
    }
}

impl CopyOptions {
    /// A copy that cannot be told from the original, as a layer of an overlay needs it: owners, setid bits and extended
    /// attributes are kept.
    pub fn exact() -> Self {
        CopyOptions { owner: Ownership::Keep, keep_setid: true, xattrs: true, ..CopyOptions::default() }
    }
}
