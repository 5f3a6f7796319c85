//! Removes a tree that a sandbox wrote: of any depth and any mode, without following a link.

use rustix::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, RawDir, RenameFlags, chmodat, fchmod, openat, renameat_with, unlinkat,
};
use rustix::io::{Errno, Result};
use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;

/// How deep the removal goes before it moves what is deeper up, so that neither descriptors nor the stack run out.
const DEEPEST: usize = 32;

/// Removes what is at `name` in `parent`, whatever it is. Something that is not there is fine. Nobody may be writing
/// to it.
pub(super) fn remove_tree(parent: BorrowedFd<'_>, name: &CStr) -> Result<()> {
    match unlinkat(parent, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => return Ok(()),
        Err(Errno::NOTDIR) => return unlinkat(parent, name, AtFlags::empty()),
        Err(Errno::NOTEMPTY | Errno::EXIST | Errno::ACCESS) => {}
        Err(errno) => return Err(errno),
    }
    let top = open_directory(parent, name)?;
    let mut removal = Removal { top: top.as_fd(), moved: 0 };
    loop {
        // What was moved up, or was skipped because the directory changed while it was read, comes with the next round.
        let removed = removal.empty(top.as_fd(), 0)?;
        match unlinkat(parent, name, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT) => return Ok(()),
            Err(Errno::NOTEMPTY | Errno::EXIST) if removed > 0 => {}
            Err(errno) => return Err(errno),
        }
    }
}

struct Removal<'a> {
    top: BorrowedFd<'a>,
    moved: u64,
}

impl Removal<'_> {
    /// Removes what is in `directory`; answers how many entries went.
    fn empty(&mut self, directory: BorrowedFd<'_>, depth: usize) -> Result<u64> {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut entries = RawDir::new(directory, &mut buffer);
        let mut removed = 0;
        while let Some(entry) = entries.next() {
            let entry = entry?;
            let name = entry.file_name();
            if name == c"." || name == c".." {
                continue;
            }
            self.remove(directory, name, entry.file_type(), depth)?;
            removed += 1;
        }
        // Read again from the start next time.
        rustix::fs::seek(directory, rustix::fs::SeekFrom::Start(0))?;
        Ok(removed)
    }

    fn remove(&mut self, directory: BorrowedFd<'_>, name: &CStr, kind: FileType, depth: usize) -> Result<()> {
        if kind != FileType::Directory {
            match unlink(directory, name, AtFlags::empty()) {
                Err(Errno::ISDIR) => {}
                other => return other,
            }
        }
        match unlink(directory, name, AtFlags::REMOVEDIR) {
            Err(Errno::NOTEMPTY | Errno::EXIST) => {}
            other => return other,
        }
        if depth == DEEPEST {
            return self.move_up(directory, name);
        }
        let inner = open_directory(directory, name)?;
        loop {
            let removed = self.empty(inner.as_fd(), depth + 1)?;
            match unlink(directory, name, AtFlags::REMOVEDIR) {
                Err(Errno::NOTEMPTY | Errno::EXIST) if removed > 0 => {}
                other => return other,
            }
        }
    }

    /// Moves a directory to the top of the tree under a name that nothing has.
    fn move_up(&mut self, directory: BorrowedFd<'_>, name: &CStr) -> Result<()> {
        let mut opened = false;
        loop {
            let target = CString::new(format!("removed-{}", self.moved)).expect("digits have no zero byte");
            self.moved += 1;
            match renameat_with(directory, name, self.top, &target, RenameFlags::NOREPLACE) {
                Err(Errno::EXIST) => {}
                // All three directories have to be writable, also the one that moves: its `..` changes.
                Err(Errno::ACCESS) if !opened => {
                    opened = true;
                    fchmod(directory, Mode::RWXU)?;
                    fchmod(self.top, Mode::RWXU)?;
                    open_writable(directory, name)?;
                }
                other => return other,
            }
        }
    }
}

/// Unlinks, after making the directory writable if that is what it takes.
fn unlink(directory: BorrowedFd<'_>, name: &CStr, flags: AtFlags) -> Result<()> {
    let result = match unlinkat(directory, name, flags) {
        Err(Errno::ACCESS) => {
            fchmod(directory, Mode::RWXU)?;
            unlinkat(directory, name, flags)
        }
        other => other,
    };
    match result {
        Err(Errno::NOENT) => Ok(()),
        other => other,
    }
}

fn open_directory(parent: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match openat(parent, name, flags, Mode::empty()) {
        Err(Errno::ACCESS) => open_writable(parent, name),
        other => other,
    }
}

/// Opens a directory whose mode forbids it, which its owner may change.
fn open_writable(parent: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let found = openat(parent, name, flags, Mode::empty())?;
    let path = format!("/proc/self/fd/{}", found.as_raw_fd());
    chmodat(CWD, path.as_str(), Mode::RWXU, AtFlags::empty())?;
    openat(&found, c".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}
