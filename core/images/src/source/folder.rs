//! A folder with the layout of the OCI image specification.

use super::Blobs;
use crate::problem::{Outcome, Problem, show};
use rustix::fd::OwnedFd;
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// An opened folder.
pub(crate) struct Folder(OwnedFd);

impl Folder {
    pub(crate) fn open(path: &Path) -> Outcome<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = rustix::fs::openat(CWD, path, flags, Mode::empty());
        opened.map(Self).map_err(|errno| Problem::io("open the folder", errno))
    }
}

impl Blobs for Folder {
    fn open(&self, name: &str) -> Outcome<Option<(u64, Box<dyn Read + Send + '_>)>> {
        // Links may be there, as long as they stay in the folder. Not blocking, so that nobody's fifo holds it up.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        let failed = |source: std::io::Error| Problem::io(format!("open {}", show(name.as_bytes())), source);
        let file = match rustix::fs::openat2(&self.0, name, flags, Mode::empty(), resolve) {
            Ok(file) => File::from(file),
            Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
            Err(errno) => return Err(failed(errno.into())),
        };
        let metadata = file.metadata().map_err(failed)?;
        match metadata.is_file() {
            true => Ok(Some((metadata.len(), Box::new(file)))),
            false => Err(Problem::corrupt("the folder", format!("{} is no file", show(name.as_bytes())))),
        }
    }
}
