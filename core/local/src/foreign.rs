//! Removing what belongs to a sandbox's other users. A keeper does that itself; this is for what a killed one left.

use isobox_contract::{Error, ErrorCode, Result};
use isobox_machine::subids::Subordinate;
use isobox_wire::launch::{self, IdHelpers, IdRange, LaunchReport, MAX_LAUNCH_REPORT, RemoveConfig};
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
    let incomplete = |message: String| Error::new(ErrorCode::Incomplete, message);
    let ids = isobox_machine::subordinate()
        .map_err(|remedy| incomplete(format!("it has files of the sandbox's other users, and {}", remedy.hint())))?;
    let (uid_map, gid_map, helpers) = maps(&ids);
    let config = RemoveConfig { path: directory.as_os_str().as_bytes().to_vec(), uid_map, gid_map, helpers };
    let frame = launch::frame(&config).map_err(|_| incomplete("its path is too long".to_owned()))?;
    match ask(&frame) {
        Ok(LaunchReport::Ready { .. }) => Ok(()),
        Ok(LaunchReport::Failed(failure)) => Err(incomplete(failure.message)),
        Err(error) => Err(incomplete(format!("the agent did not remove it: {error}")).with_source(error)),
    }
}

fn ask(frame: &[u8]) -> io::Result<LaunchReport> {
    let log = File::options().write(true).open("/dev/null")?;
    let (mut child, mut stream) = isobox_agent::spawn("remove", log.into())?;
    let answer = (|| {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(frame)?;
        let mut length = [0; 4];
        stream.read_exact(&mut length)?;
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
