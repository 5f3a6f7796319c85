//! The attempts, one row each.

mod agent;
mod devices;
mod files;
mod kernel;
mod mounts;
mod namespaces;
mod neighbours;
mod network;
mod privileges;
mod settings;

use crate::seen::Seen;

/// One attempt.
pub(crate) struct Attempt {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it tries.
    pub(crate) tries: &'static str,
    /// How it may end in a sandbox.
    pub(crate) promise: &'static [Seen],
    /// Tries it.
    pub(crate) run: fn() -> Seen,
}

/// Every attempt.
pub(crate) fn all() -> Vec<Attempt> {
    [
        namespaces::attempts(),
        mounts::attempts(),
        kernel::attempts(),
        settings::attempts(),
        devices::attempts(),
        files::attempts(),
        agent::attempts(),
        neighbours::attempts(),
        network::attempts(),
        privileges::attempts(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A row.
pub(crate) fn row(name: &'static str, tries: &'static str, promise: &'static [Seen], run: fn() -> Seen) -> Attempt {
    Attempt { name, tries, promise, run }
}

/// Promises that many rows make.
pub(crate) const EPERM: &[Seen] = &[Seen::Refused(libc::EPERM)];
pub(crate) const NO_SUCH_FILE: &[Seen] = &[Seen::Refused(libc::ENOENT)];
pub(crate) const NO_FAMILY: &[Seen] = &[Seen::Refused(libc::EAFNOSUPPORT)];
pub(crate) const NO_PROTOCOL: &[Seen] = &[Seen::Refused(libc::EPROTONOSUPPORT)];
/// As the sandbox's root read-only, as a user not permitted in the first place.
pub(crate) const READ_ONLY: &[Seen] = &[Seen::Refused(libc::EROFS), Seen::Refused(libc::EACCES)];
/// Read-only, or a file that this kernel does not have.
pub(crate) const READ_ONLY_OR_ABSENT: &[Seen] =
    &[Seen::Refused(libc::EROFS), Seen::Refused(libc::EACCES), Seen::Refused(libc::ENOENT)];
/// Masked: empty, or closed to a user.
pub(crate) const EMPTY: &[Seen] = &[Seen::Nothing, Seen::Refused(libc::EACCES), Seen::Refused(libc::ENOENT)];
