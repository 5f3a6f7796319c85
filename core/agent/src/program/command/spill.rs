//! Writes a stream that is larger than what is kept to a file in the sandbox, whole.

use super::log::Log;
use rustix::fs::{Gid, Mode, OFlags, Uid, fchown, open};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use tokio::io::AsyncWriteExt;

/// A stream's spill file; there is none until it is needed.
pub(super) struct Spill {
    path: PathBuf,
    owner: (u32, u32),
    state: State,
}

enum State {
    Unneeded,
    Writing(tokio::fs::File),
    /// It could not be made or written: the stream is counted as cut, and the command goes on.
    Failed,
}

impl Spill {
    pub(super) fn new(path: PathBuf, owner: (u32, u32)) -> Self {
        Self { path, owner, state: State::Unneeded }
    }

    /// Called with what is about to be added to the log.
    pub(super) async fn before_append(&mut self, log: &Log, bytes: &[u8]) {
        if matches!(self.state, State::Unneeded) && log.would_overflow(bytes.len()) {
            self.state = match self.begin(log).await {
                Ok(file) => {
                    log.set_spill(Some(self.path.as_os_str().as_bytes().to_vec()));
                    State::Writing(file)
                }
                Err(_) => State::Failed,
            };
        }
        if let State::Writing(file) = &mut self.state {
            // The flush is what tells of a full disk: a write alone only queues.
            let written = match file.write_all(bytes).await {
                Ok(()) => file.flush().await,
                error => error,
            };
            if written.is_err() {
                // A file that lacks something is not named as the one that has everything.
                log.set_spill(None);
                self.state = State::Failed;
            }
        }
    }

    /// Makes the file, which must be new: a name that is taken may be somebody's trap.
    async fn begin(&self, log: &Log) -> std::io::Result<tokio::fs::File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = open(&self.path, flags, Mode::from_raw_mode(0o644))?;
        let (uid, gid) = self.owner;
        // Not possible where only one id is mapped, which is then the owner anyway.
        let _ = fchown(&file, Some(Uid::from_raw(uid)), Some(Gid::from_raw(gid)));
        let mut file = tokio::fs::File::from_std(file.into());
        file.write_all(&log.contents()).await?;
        Ok(file)
    }
}
