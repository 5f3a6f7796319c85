//! From the agent's listings to the contract's.

use crate::connection::unexpected;
use crate::exec::exit;
use isobox_contract::exec::Argument;
use isobox_contract::exec::{ProcessInfo, ProcessState};
use isobox_contract::{Entry, FileKind, ListeningPort, Metadata, Result, SandboxPath, Timestamp};
use isobox_wire as wire;
use std::time::Duration;

/// A command, unless its id is none of ours.
pub(crate) fn process(info: wire::ProcessInfo) -> Option<ProcessInfo> {
    Some(ProcessInfo {
        id: info.id.parse().ok()?,
        pid: (info.pid != 0).then_some(info.pid),
        argv: info.argv.into_iter().map(|word| Argument(word.into_vec().into())).collect(),
        label: info.label,
        user: info.user,
        pty: info.pty,
        detached: info.detached,
        started_at: Timestamp::from_unix_millis(i64::try_from(info.started_at).unwrap_or(i64::MAX)),
        stdout_bytes: info.stdout,
        stderr_bytes: info.stderr,
        cpu_time: info.cpu_micros.map(Duration::from_micros),
        memory: info.memory,
        state: match &info.exit {
            Some(ended) => ProcessState::Exited(exit(ended)),
            None => ProcessState::Running,
        },
    })
}

/// One row of a listing. Its path is below the directory that was listed, or the agent lies.
pub(crate) fn entry(given: wire::file::Entry) -> Result<Entry> {
    let path = beneath(given.path.into_vec())?;
    if path.as_bytes().is_empty() {
        return Err(unexpected());
    }
    Ok(Entry { path, metadata: metadata(given.metadata) })
}

/// A path below another one: a caller may join it to a directory of this machine, so it must not lead out of one.
pub(crate) fn beneath(path: Vec<u8>) -> Result<SandboxPath> {
    let bad = |name: &[u8]| name.is_empty() || name == b"." || name == b".." || name.contains(&0);
    match !path.is_empty() && path.split(|byte| *byte == b'/').any(bad) {
        true => Err(unexpected()),
        false => Ok(SandboxPath::from(path)),
    }
}

/// A file's facts.
pub(crate) fn metadata(given: wire::file::Metadata) -> Metadata {
    Metadata {
        kind: match given.kind {
            wire::file::FileKind::File => FileKind::File,
            wire::file::FileKind::Directory => FileKind::Directory,
            wire::file::FileKind::Symlink => FileKind::Symlink,
            wire::file::FileKind::Other => FileKind::Other,
        },
        size: given.size,
        mode: Some(given.mode & 0o7777),
        uid: Some(given.uid),
        gid: Some(given.gid),
        modified_at: Some(Timestamp::from_unix(given.modified, given.modified_nanos)),
        link_target: given.target.map(|target| SandboxPath::from(target.into_vec())),
    }
}

/// A port, unless its address is none.
pub(crate) fn port(given: wire::Port) -> Option<ListeningPort> {
    Some(ListeningPort { port: given.port, address: given.address.parse().ok()?, pid: given.pid, process: None })
}
