//! Reading and writing what is in a file.

use super::failed;
use super::line::Line;
use crate::process::Account;
use isobox_wire::file::{Write, WriteMode};
use isobox_wire::frame::{DATA_MAX, HEADER};
use isobox_wire::{Failure, FailureCode, Reply};
use rustix::fs::{FileType, Gid, Mode, OFlags, Uid, fchmod, fchown, fstat, link, open, rename, unlink};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write as _};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Mode of new files.
const FILE_MODE: u32 = 0o644;
/// Names that are tried for a file that is renamed into place.
const NAMES: u32 = 100;

/// Sends a part of a file.
pub(super) fn read(line: &mut Line, path: &Path, offset: u64, length: Option<u64>) -> Result<Reply, Failure> {
    let mut file = open_regular(path)?;
    let size = file.metadata().map_err(|error| failed(path, error))?.len();
    file.seek(SeekFrom::Start(offset)).map_err(|error| failed(path, error))?;
    line.reply(Reply::Opened { size })?;
    let mut left = length.unwrap_or(u64::MAX);
    let mut buffer = vec![0; HEADER + DATA_MAX.min(usize::try_from(left.min(size).max(4096)).unwrap_or(DATA_MAX))];
    while left > 0 {
        let room = HEADER + (buffer.len() - HEADER).min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = std::io::Read::read(&mut file, &mut buffer[HEADER..room]).map_err(|error| failed(path, error))?;
        if read == 0 {
            break;
        }
        line.send(&mut buffer[..HEADER + read])?;
        left -= read as u64;
    }
    line.eof()?;
    Ok(Reply::Done)
}

/// Opens a regular file, without ever waiting for the other end of a pipe that is in its place.
fn open_regular(path: &Path) -> Result<File, Failure> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = open(path, flags, Mode::empty()).map_err(|errno| failed(path, errno))?;
    regular(path, file.into())
}

fn regular(path: &Path, file: File) -> Result<File, Failure> {
    let status = fstat(&file).map_err(|errno| failed(path, errno))?;
    replaceable(path, FileType::from_raw_mode(status.st_mode)).map(|()| file)
}

/// Only regular files have contents to read or to replace.
fn replaceable(path: &Path, kind: FileType) -> Result<(), Failure> {
    match kind {
        FileType::RegularFile => Ok(()),
        FileType::Directory => Err(failed(path, rustix::io::Errno::ISDIR)),
        _ => Err(Failure::new(FailureCode::Io, format!("{}: not a regular file", path.display()))
            .on(path.as_os_str().as_bytes())),
    }
}

/// Takes a file's contents.
pub(super) fn write(line: &mut Line, path: &Path, write: &Write, owner: Option<&Account>) -> Result<Reply, Failure> {
    let parents = match path.parent() {
        Some(parent) if write.parents => super::entries::make_parents(parent)?,
        _ => Vec::new(),
    };
    let mut target = Target::open(path, write)?;
    target.prepare(write, owner)?;
    line.reply(Reply::Done)?;
    let bytes = target.take(line, write)?;
    target.commit(owner)?;
    super::entries::give_all(&parents, owner)?;
    Ok(Reply::Written { bytes })
}

/// A file that is being written.
struct Target {
    file: File,
    path: PathBuf,
    /// Where it is until it is complete.
    beside: Option<PathBuf>,
    created: bool,
    /// Whether nothing may be replaced.
    exclusive: bool,
    /// The permission bits that it gets.
    mode: Option<u32>,
}

impl Target {
    fn open(path: &Path, write: &Write) -> Result<Self, Failure> {
        if write.atomic {
            return Self::open_beside(path, write.mode == WriteMode::CreateNew);
        }
        let base = OFlags::WRONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
        let (existing, created) = match write.mode {
            WriteMode::Replace => (OFlags::TRUNC, OFlags::CREATE | OFlags::EXCL),
            WriteMode::Append => (OFlags::APPEND, OFlags::CREATE | OFlags::EXCL | OFlags::APPEND),
            WriteMode::At(_) => (OFlags::empty(), OFlags::CREATE | OFlags::EXCL),
            WriteMode::CreateNew => (OFlags::CREATE | OFlags::EXCL, OFlags::CREATE | OFlags::EXCL),
        };
        let open = |flags| open(path, base | flags, Mode::from_raw_mode(FILE_MODE));
        let (file, created) = match (open(created), write.mode) {
            (Ok(file), _) => (file, true),
            (Err(rustix::io::Errno::EXIST), mode) if mode != WriteMode::CreateNew => {
                // Through a link that points nowhere as well: the file is then made there.
                let again = open(existing).or_else(|errno| match errno {
                    rustix::io::Errno::NOENT => open(existing | OFlags::CREATE),
                    errno => Err(errno),
                });
                (again.map_err(|errno| failed(path, errno))?, false)
            }
            (Err(errno), _) => return Err(failed(path, errno)),
        };
        let file = regular(path, file.into())?;
        Ok(Self { file, path: path.to_owned(), beside: None, created, exclusive: false, mode: None })
    }

    /// A new file beside the one to replace, under a name that nobody had. Like any other write, it goes through a link.
    fn open_beside(path: &Path, exclusive: bool) -> Result<Self, Failure> {
        if exclusive && rustix::fs::lstat(path).is_ok() {
            return Err(failed(path, rustix::io::Errno::EXIST));
        }
        let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if let Ok(status) = rustix::fs::stat(&real) {
            replaceable(path, FileType::from_raw_mode(status.st_mode))?;
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        static NEXT: AtomicU32 = AtomicU32::new(0);
        for _ in 0..NAMES {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let beside = real.with_file_name(format!(".isobox-{}-{number}", std::process::id()));
            match open(&beside, flags, Mode::from_raw_mode(FILE_MODE)) {
                Ok(file) => {
                    let (file, beside) = (file.into(), Some(beside));
                    return Ok(Self { file, path: real, beside, created: true, exclusive, mode: None });
                }
                Err(rustix::io::Errno::EXIST) => {}
                Err(errno) => return Err(failed(path, errno)),
            }
        }
        Err(failed(path, rustix::io::Errno::EXIST))
    }

    fn prepare(&mut self, write: &Write, owner: Option<&Account>) -> Result<(), Failure> {
        let inherited = self.beside.is_some().then(|| rustix::fs::stat(&self.path).ok()).flatten();
        let mode = write.permissions.or(inherited.map(|old| old.st_mode & 0o7777));
        let fail = |errno| failed(&self.path, errno);
        if let Some(account) = owner {
            super::identity::as_agent(|| {
                let (uid, gid) = (account.credentials.uid, account.credentials.gid);
                fchown(&self.file, Some(Uid::from_raw(uid)), Some(Gid::from_raw(gid)))
            })
            .map_err(fail)?;
        }
        self.mode = mode;
        self.set_mode()?;
        if let WriteMode::At(offset) = write.mode {
            self.file.seek(SeekFrom::Start(offset)).map_err(|error| failed(&self.path, error))?;
        }
        Ok(())
    }

    fn set_mode(&self) -> Result<(), Failure> {
        let Some(mode) = self.mode else { return Ok(()) };
        let mode = Mode::from_raw_mode(mode & 0o7777);
        super::identity::as_agent(|| fchmod(&self.file, mode)).map_err(|errno| failed(&self.path, errno))
    }

    fn take(&mut self, line: &mut Line, write: &Write) -> Result<u64, Failure> {
        let mut bytes = 0;
        while let Some(data) = line.data()? {
            bytes += data.len() as u64;
            if write.length.is_some_and(|length| bytes > length) {
                return Err(Failure::invalid("length", "more data came than the length says"));
            }
            self.file.write_all(&data).map_err(|error| failed(&self.path, error))?;
        }
        match write.length {
            Some(length) if bytes < length => {
                let message = format!("the data ended after {bytes} of {length} bytes");
                Err(Failure::new(FailureCode::Io, message).at("length"))
            }
            _ => Ok(bytes),
        }
    }

    fn commit(mut self, owner: Option<&Account>) -> Result<(), Failure> {
        // Writing takes the setuid and setgid bits away.
        if self.mode.is_some_and(|mode| mode & 0o6000 != 0) {
            self.set_mode()?;
        }
        self.created = false;
        match self.beside.take() {
            Some(beside) => {
                let name = || match self.exclusive {
                    // Unlike a rename, a link never replaces what somebody made meanwhile.
                    true => link(&beside, &self.path).and_then(|()| unlink(&beside)),
                    false => rename(&beside, &self.path),
                };
                // In a sticky directory, what was given away is no longer the user's to rename.
                let named = if owner.is_some() { super::identity::as_agent(name) } else { name() };
                named.map_err(|errno| {
                    let _ = unlink(&beside);
                    failed(&self.path, errno)
                })
            }
            None => Ok(()),
        }
    }
}

/// A file that was made for a transfer that failed is taken away again.
impl Drop for Target {
    fn drop(&mut self) {
        if self.created {
            let _ = unlink(self.beside.as_deref().unwrap_or(&self.path));
        }
    }
}
