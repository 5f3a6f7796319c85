//! The state directory of one sandbox: the layers of its overlays and the agent's socket.

use super::failure::{At, Outcome, note, shown};
use super::project;
use isobox_wire::launch::{DISK_NAME, LaunchStep, SOCKET_NAME, STOPPED_NAME};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, Gid, Mode, OFlags, Uid, chownat, mkdirat, openat, renameat, unlinkat};
use rustix::io::{Errno, write};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, listen, socket_with};
use std::ffi::{CStr, CString};

/// The layer that takes what the sandbox writes.
pub(super) const UPPER: &CStr = c"upper";
/// What overlayfs needs beside [`UPPER`].
pub(super) const WORK: &CStr = c"work";
/// The layer of `/etc` in a sandbox on the host's files.
pub(super) const ETC_UPPER: &CStr = c"etc";
/// What overlayfs needs beside [`ETC_UPPER`].
pub(super) const ETC_WORK: &CStr = c"etc-work";

/// How many connections may wait for the agent to accept them.
const BACKLOG: i32 = 128;

/// A state directory that exists because of us.
pub(crate) struct StateDirectory {
    parent: OwnedFd,
    name: CString,
    directory: OwnedFd,
    project: Option<u32>,
}

impl StateDirectory {
    /// Makes the directory for `owner` and changes into it: the sandbox inherits that, and reaches its layers by
    /// names that are neither too long nor in need of quoting.
    pub(crate) fn create(path: &[u8], owner: Option<(Uid, Gid)>) -> Outcome<Self> {
        let what = || format!("cannot make the state directory {}", shown(path));
        Self::make(path, owner).at(LaunchStep::StateDirectory, what)
    }

    fn make(path: &[u8], owner: Option<(Uid, Gid)>) -> Result<Self, Errno> {
        let (parent, name) = split(path).ok_or(Errno::INVAL)?;
        let parent = openat(CWD, parent, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        mkdirat(&parent, &name, Mode::RWXU)?;
        match enter(&parent, &name, owner) {
            Ok(directory) => Ok(Self { parent, name, directory, project: None }),
            Err(errno) => {
                // It is empty still, and the failure to report is the first one.
                let _ = unlinkat(&parent, &name, AtFlags::REMOVEDIR);
                Err(errno)
            }
        }
    }

    /// Opens the directory of a stopped sandbox and changes into it. What it was stopped with is still there until
    /// [`Self::forget_stop`].
    pub(crate) fn again(path: &[u8]) -> Outcome<Self> {
        let open = || {
            let (parent, name) = split(path).ok_or(Errno::INVAL)?;
            let parent = openat(CWD, parent, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
            let directory = enter(&parent, &name, None)?;
            // A keeper that was killed has left it.
            unlink(&directory, SOCKET_NAME);
            Ok(Self { parent, name, directory, project: None })
        };
        open().at(LaunchStep::StateDirectory, || format!("cannot open the state directory {}", shown(path)))
    }

    /// With a directory for the layers that is in a project, which ends with this. It is made if it has an owner. The rest is
    /// not in the project: a full sandbox must be possible to stop, which writes some of that.
    pub(super) fn in_project(self, number: u32, owner: Option<(Uid, Gid)>) -> Outcome<Self> {
        match owner.map_or(Ok(()), |owner| self.make_in_project(number, owner)) {
            Ok(()) => Ok(Self { project: Some(number), ..self }),
            Err(errno) => {
                self.remove(false);
                Err(errno).at(LaunchStep::StateDirectory, || format!("cannot put the layer into project {number}"))
            }
        }
    }

    fn make_in_project(&self, number: u32, (user, group): (Uid, Gid)) -> Result<(), Errno> {
        mkdirat(&self.directory, DISK_NAME, Mode::RWXU)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let layers = openat(&self.directory, DISK_NAME, flags, Mode::empty())?;
        project::assign(layers.as_fd(), number)?;
        chownat(&layers, c"", Some(user), Some(group), AtFlags::EMPTY_PATH)
    }

    /// The directory itself.
    pub(super) fn directory(&self) -> &OwnedFd {
        &self.directory
    }

    /// The sandbox runs: what comes now is not the end of the start.
    pub(crate) fn forget_stop(&self) {
        unlink(&self.directory, STOPPED_NAME);
    }

    /// What remains of a sandbox that has ended: its layers and the config it was launched with, when that was a stop;
    /// otherwise as [`Self::remove`].
    pub(crate) fn settle(&self, stopped: bool, launched: &[u8], keep: bool) {
        if !stopped {
            return self.remove(keep);
        }
        match self.note_stop(launched) {
            Ok(()) => unlink(&self.directory, SOCKET_NAME),
            Err(errno) => {
                note(&format!("cannot write down how {} is started again: {errno}", shown(self.name.to_bytes())))
            }
        }
    }

    fn note_stop(&self, launched: &[u8]) -> Result<(), Errno> {
        const NEW: &CStr = c"stopped.new";
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(&self.directory, NEW, flags, Mode::RUSR | Mode::WUSR)?;
        for mut rest in [env!("ISOBOX_AGENT_BUILD").as_bytes(), b"\n", launched] {
            while !rest.is_empty() {
                rest = &rest[write(&file, rest)?..];
            }
        }
        renameat(&self.directory, NEW, &self.directory, STOPPED_NAME)
    }

    /// Binds the agent's socket. The address is relative, so the path of the directory may have any length.
    pub(crate) fn listen(&self) -> Outcome<OwnedFd> {
        let listener = || {
            let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
            bind(&socket, &SocketAddrUnix::new(SOCKET_NAME)?)?;
            listen(&socket, BACKLOG)?;
            Ok(socket)
        };
        listener().at(LaunchStep::Listener, || format!("cannot bind {SOCKET_NAME} in the state directory"))
    }

    /// Removes the layers and the socket, and the directory itself unless it is to be kept. What cannot be removed is
    /// said in the log.
    pub(crate) fn remove(&self, keep: bool) {
        let removed = if keep { self.remove_contents() } else { remove(self.parent.as_fd(), &self.name) };
        if let Err(error) = removed {
            note(&format!("cannot remove the state directory {}: {error}", shown(self.name.to_bytes())));
        }
        if let Some(number) = self.project {
            project::end(self.parent.as_fd(), number);
        }
    }

    fn remove_contents(&self) -> Result<(), isobox_tree::Error> {
        let socket = CString::new(SOCKET_NAME).expect("the name has no zero byte");
        [UPPER, WORK, ETC_UPPER, ETC_WORK, &socket]
            .into_iter()
            .try_for_each(|name| remove(self.directory.as_fd(), name))
    }
}

/// What is not there need not go, and what cannot go is found by the next start.
fn unlink(directory: &OwnedFd, name: &str) {
    let _ = unlinkat(directory, name, AtFlags::empty());
}

fn remove(parent: BorrowedFd<'_>, name: &CStr) -> Result<(), isobox_tree::Error> {
    isobox_tree::remove(parent, name.to_bytes())
}

fn enter(parent: &OwnedFd, name: &CStr, owner: Option<(Uid, Gid)>) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = openat(parent, name, flags, Mode::empty())?;
    if let Some((user, group)) = owner {
        chownat(&directory, c"", Some(user), Some(group), AtFlags::EMPTY_PATH)?;
    }
    rustix::process::fchdir(&directory)?;
    Ok(directory)
}

/// The parent's path and the last name.
fn split(path: &[u8]) -> Option<(CString, CString)> {
    let end = path.iter().rposition(|byte| *byte != b'/')? + 1;
    let start = path[..end].iter().rposition(|byte| *byte == b'/')? + 1;
    let name = &path[start..end];
    (name != b"." && name != b"..").then(|| Some((CString::new(&path[..start]).ok()?, CString::new(name).ok()?)))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_splits_into_parent_and_name() {
        let pair = |a: &str, b: &str| Some((CString::new(a).unwrap(), CString::new(b).unwrap()));
        assert_eq!(split(b"/a/b"), pair("/a/", "b"));
        assert_eq!(split(b"/a/b//"), pair("/a/", "b"));
        assert_eq!(split(b"/a"), pair("/", "a"));
        assert_eq!(split(b"/a/.."), None);
        assert_eq!(split(b"/"), None);
    }
}
