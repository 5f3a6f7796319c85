//! Directory trees as a byte stream, for both sides of a sandbox's wall.
//!
//! The agent packs and unpacks in the sandbox, the host on the user's machine, and neither trusts the other. What the
//! crate promises:
//!
//! - **Nothing is followed.** Every step goes one name at a time from an open directory, with `O_NOFOLLOW`. A symlink
//!   that is swapped in while a walk runs is seen as a link or not at all; a stream that plants a link and then writes
//!   through it is refused.
//! - **Nothing is trusted.** A stream that lies, ends early or is garbage is a typed [`Error`], and never a panic or a
//!   large allocation. Entries, bytes, sizes and depth have limits.
//! - **Nothing is changed.** Names are bytes; modes, mtimes, links, hard links, holes and empty directories arrive as
//!   they were, whatever the umask. What cannot be carried (sockets, devices) is named in the [`Report`].
//!
//! All functions block; run them on a thread that may. They work with open directories, so that the caller decides once
//! what the root is.
//!
//! ```
//! use std::{fs, fs::File, os::fd::AsFd};
//! use isobox_tree::{PackOptions, UnpackOptions, pack, unpack};
//!
//! let (from, to) = (tempfile::tempdir()?, tempfile::tempdir()?);
//! fs::write(from.path().join("hello"), "world")?;
//!
//! let mut stream = Vec::new();
//! pack(File::open(from.path())?.as_fd(), &mut stream, &PackOptions::default())?;
//! let report = unpack(File::open(to.path())?.as_fd(), &mut stream.as_slice(), &UnpackOptions::default())?;
//!
//! assert_eq!(fs::read(to.path().join("hello"))?, b"world");
//! assert_eq!((report.entries, report.files, report.bytes), (1, 1, 5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chain;
mod content;
mod copy;
mod error;
mod exclude;
mod extents;
mod layer;
mod lend;
pub mod memory;
mod meta;
mod options;
mod pack;
mod path;
mod place;
mod remove;
mod report;
mod stream;
mod sys;
mod unpack;
mod visit;
mod walk;
mod xattr;

pub use copy::copy;
pub use error::Error;
pub use layer::{IdShift, LayerOptions, copy_layer};
pub use options::{CopyOptions, Links, Ownership, PackOptions, UnpackOptions};
pub use pack::pack;
pub use remove::{remove, remove_contents};
pub use report::{Report, SkipReason, Skipped};
pub use unpack::unpack;
pub use visit::{Content, Contents, Visited, visit_layer};
