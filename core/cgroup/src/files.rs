//! Reading and writing the files of cgroups.

use crate::group::Error;
use rustix::fs::{Mode, OFlags};
use std::fs;
use std::io;
use std::path::Path;

/// Writes one value. A file that is not there is not made.
pub(crate) fn write(path: &Path, value: &str) -> Result<(), Error> {
    let open = rustix::fs::open(path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty());
    let written = open.and_then(|file| rustix::io::write(&file, value.as_bytes()));
    written.map(drop).map_err(|errno| Error::file(path, errno.into()))
}

pub(crate) fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|error| Error::file(path, error))
}

/// Makes a directory, whose parent is there. One that exists is fine.
pub(crate) fn make(path: &Path) -> Result<(), Error> {
    match fs::create_dir(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(Error::file(path, error)),
        _ => Ok(()),
    }
}

/// Moves every process of one cgroup to another, until none is left or more come than leave.
pub(crate) fn move_all(from: &Path, to: &Path) -> Result<(), Error> {
    const ROUNDS: usize = 100;
    let (from, to) = (from.join("cgroup.procs"), to.join("cgroup.procs"));
    for _ in 0..ROUNDS {
        let all = read(&from)?;
        if all.trim().is_empty() {
            return Ok(());
        }
        for pid in all.lines() {
            match write(&to, pid) {
                // It ended meanwhile.
                Err(error) if error.errno() == Some(rustix::io::Errno::SRCH) => {}
                moved => moved?,
            }
        }
    }
    Err(Error::file(&from, io::ErrorKind::ResourceBusy.into()))
}
