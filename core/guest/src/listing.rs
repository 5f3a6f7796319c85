//! From the agent's listings to the contract's.

use crate::exec::exit;
use isobox_contract::exec::Argument;
use isobox_contract::exec::{ProcessInfo, ProcessState};
use isobox_contract::{FileKind, ListeningPort, Metadata, SandboxPath, Timestamp};
use isobox_wire as wire;

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
        state: match &info.exit {
            Some(ended) => ProcessState::Exited(exit(ended)),
            None => ProcessState::Running,
        },
    })
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
        mode: Some(given.mode),
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
