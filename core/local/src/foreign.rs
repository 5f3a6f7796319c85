//! Files of the other users that an ordinary user's sandboxes have: giving them to those, and removing them. What a sandbox
//! leaves its keeper removes; this is for what a killed one left, and for the layers of images.

use isobox_contract::{Error, ErrorCode, Result};
use isobox_machine::subids::Subordinate;
use isobox_wire::launch::{self, IdHelpers, IdRange, LaunchReport, MAX_LAUNCH_REPORT, RangeConfig};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

/// How long the agent may take to remove everything.
const PATIENCE: Duration = Duration::from_secs(120);

/// The maps of a sandbox with these ids, as the launcher takes them.
pub fn maps(ids: &Subordinate) -> (Vec<IdRange>, Vec<IdRange>, IdHelpers) {
    let map = |map: &[(u32, isobox_machine::subids::Range)]| -> Vec<IdRange> {
        let range = |(inside, range): &(u32, isobox_machine::subids::Range)| IdRange {
            inside: *inside,
            outside: range.first,
            count: range.count,
        };
        map.iter().map(range).collect()
    };
    let path = |path: &Path| path.as_os_str().as_bytes().to_vec();
    let helpers = IdHelpers { users: path(&ids.newuidmap), groups: path(&ids.newgidmap) };
    (map(&ids.uid_map), map(&ids.gid_map), helpers)
}

/// Removes a directory of the caller's with everything in it that belongs to the caller's subordinate ids.
///
/// # Errors
/// `incomplete` when something is left, or the caller has no such ids.
pub(crate) fn remove(directory: &Path) -> Result<()> {
    let ids = isobox_machine::subordinate()
        .map_err(|remedy| incomplete(format!("it has files of the sandbox's other users, and {}", remedy.hint())))?;
    remove_as(&ids, directory)
}

/// The same for these ids.
///
/// # Errors
/// `incomplete` when something is left.
pub fn remove_as(ids: &Subordinate, directory: &Path) -> Result<()> {
    match ask("remove", &config(ids, directory)?, |_| Ok(())) {
        Ok(LaunchReport::Ready { .. }) => Ok(()),
        Ok(LaunchReport::Failed(failure)) => Err(incomplete(failure.message)),
        Err(error) => Err(incomplete(format!("the agent did not remove it: {error}")).with_source(error)),
    }
}

/// Gives what is in a directory of the caller's to ids of a sandbox that has these. `next` fills the next message with
/// [`Owner`](isobox_wire::Owner)s, none when there are no more.
///
/// # Errors
/// `engine_unavailable` when the machine refuses it; then some may have been given.
pub fn give_as(
    ids: &Subordinate,
    directory: &Path,
    mut next: impl FnMut(&mut Vec<u8>) -> io::Result<()>,
) -> Result<()> {
    let unavailable = |message: String| Error::new(ErrorCode::EngineUnavailable, message);
    let messages = |stream: &mut dyn Write| loop {
        let mut message = vec![0; 4];
        next(&mut message)?;
        let length = message.len() - 4;
        // A message is far below 4 GiB.
        message[..4].copy_from_slice(&(length as u32).to_be_bytes());
        stream.write_all(&message)?;
        if length == 0 {
            return Ok(());
        }
    };
    match ask("own", &config(ids, directory)?, messages) {
        Ok(LaunchReport::Ready { .. }) => Ok(()),
        Ok(LaunchReport::Failed(failure)) => Err(unavailable(match failure.hint {
            Some(hint) => format!("{}; {hint}", failure.message),
            None => failure.message,
        })),
        Err(error) => Err(unavailable(format!("the agent did not give files to their owners: {error}"))),
    }
}

fn config(ids: &Subordinate, directory: &Path) -> Result<Vec<u8>> {
    let (uid_map, gid_map, helpers) = maps(ids);
    let config = RangeConfig { path: directory.as_os_str().as_bytes().to_vec(), uid_map, gid_map, helpers };
    launch::frame(&config).map_err(|_| incomplete("its path is too long".to_owned()))
}

fn incomplete(message: String) -> Error {
    Error::new(ErrorCode::Incomplete, message)
}

/// Runs an errand of the agent's; `more` writes what follows its config.
fn ask(role: &str, config: &[u8], more: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<LaunchReport> {
    let log = File::options().write(true).open("/dev/null")?;
    let (mut child, mut stream) = isobox_agent::spawn(role, log.into())?;
    let answer = (|| {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let sent = stream.write_all(config).and_then(|()| more(&mut stream));
        let mut length = [0; 4];
        // An agent that does not want to hear all of it has said why.
        stream.read_exact(&mut length).map_err(|error| sent.err().unwrap_or(error))?;
        let mut body = vec![0; (u32::from_be_bytes(length) as usize).min(MAX_LAUNCH_REPORT)];
        stream.read_exact(&mut body)?;
        LaunchReport::from_body(&body).map_err(|_| io::ErrorKind::InvalidData.into())
    })();
    if answer.is_err() {
        let _ = child.kill();
    }
    let _ = child.wait();
    answer
}
