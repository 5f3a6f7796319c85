//! Who `user` means: the sandbox's own `/etc/passwd` and `/etc/group`, read as plain files.
//!
//! A static program has no name service, and a sandbox's users are those of its image. The files are hostile: they are read up
//! to a cap, lines that make no sense are passed over, and so are the `+` and `-` lines of NIS.
//!
//! Forms: `name`, `uid`, `name:group`, `uid:gid` and mixtures. As in Docker, a uid without an entry is fine: its group is
//! 0, its home `/`, and it has no supplementary groups. A group in the spec replaces the primary group and drops the
//! supplementary ones.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::credentials::Credentials;

/// The most that is read of either file.
const FILE_CAP: u64 = 4 << 20;
/// The most supplementary groups that Linux takes.
const GROUPS_CAP: usize = 65536;
const DEFAULT_SHELL: &[u8] = b"/bin/sh";

/// A user of the sandbox, as far as starting a program needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Account {
    /// The ids to run with.
    pub(crate) credentials: Credentials,
    /// Home directory, for `HOME`.
    pub(crate) home: Vec<u8>,
    /// Login shell, for `SHELL`.
    pub(crate) shell: Vec<u8>,
    /// Login name, for `USER`; none for a uid without an entry.
    pub(crate) name: Option<Vec<u8>>,
}

/// Why a user cannot be resolved.
#[derive(Debug)]
pub(crate) enum UserError {
    /// Empty, or with an empty part.
    Malformed(String),
    /// No such user in `/etc/passwd`.
    UnknownUser(String),
    /// No such group in `/etc/group`.
    UnknownGroup(String),
    /// A file that is there but cannot be read.
    Unreadable(&'static str, io::Error),
}

impl fmt::Display for UserError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(spec) => {
                write!(formatter, "user {spec:?} is malformed; write name, uid, name:group or uid:gid")
            }
            Self::UnknownUser(name) => {
                write!(
                    formatter,
                    "user {name:?} is not in the sandbox's /etc/passwd; add it to the image or give a numeric uid"
                )
            }
            Self::UnknownGroup(name) => {
                write!(
                    formatter,
                    "group {name:?} is not in the sandbox's /etc/group; add it to the image or give a numeric gid"
                )
            }
            Self::Unreadable(file, error) => write!(formatter, "{file} of the sandbox cannot be read: {error}"),
        }
    }
}

impl std::error::Error for UserError {}

/// Resolves a user spec against the files of this process's root.
pub(crate) fn resolve(spec: &str) -> Result<Account, UserError> {
    resolve_in(Path::new("/"), spec)
}

fn resolve_in(root: &Path, spec: &str) -> Result<Account, UserError> {
    let (user, group) = match spec.split_once(':') {
        Some((user, group)) => (user, Some(group)),
        None => (spec, None),
    };
    if user.is_empty() || group.is_some_and(str::is_empty) {
        return Err(UserError::Malformed(spec.to_owned()));
    }
    let passwd = read(root, "/etc/passwd")?;
    let groups = read(root, "/etc/group")?;
    let mut account = account(&passwd, user)?;
    match group {
        Some(group) => account.credentials.gid = gid(&groups, group)?,
        None => account.credentials.groups = supplementary(&groups, &account),
    }
    Ok(account)
}

/// An image without the file has no entries.
fn read(root: &Path, name: &'static str) -> Result<Vec<u8>, UserError> {
    let path = root.join(name.trim_start_matches('/'));
    let read = || {
        // A FIFO or a device in the place of the file would never end, and opening it might not either.
        let file = File::options().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(&path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::other("it is not a regular file"));
        }
        // Room for one byte more, so that one read takes all and the next one sees the end.
        let mut text = Vec::with_capacity(metadata.len().min(FILE_CAP) as usize + 1);
        file.take(FILE_CAP).read_to_end(&mut text)?;
        Ok(text)
    };
    match read() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        result => result.map_err(|error| UserError::Unreadable(name, error)),
    }
}

/// A name goes before a number, as in Docker: a user may be called `1000`.
fn account(passwd: &[u8], user: &str) -> Result<Account, UserError> {
    let accounts = || entries(passwd).filter_map(|fields| passwd_entry(&fields));
    let id = number(user.as_bytes());
    let named = accounts().find(|account| account.name.as_deref() == Some(user.as_bytes()));
    let found = named.or_else(|| accounts().find(|account| Some(account.credentials.uid) == id));
    match (found, id) {
        (Some(account), _) => Ok(account),
        (None, Some(uid)) => Ok(Account {
            credentials: Credentials { uid, gid: 0, groups: Vec::new() },
            home: b"/".to_vec(),
            shell: DEFAULT_SHELL.to_vec(),
            name: None,
        }),
        (None, None) => Err(UserError::UnknownUser(user.to_owned())),
    }
}

fn passwd_entry(fields: &[&[u8]]) -> Option<Account> {
    let [name, _password, uid, gid, _comment, home, rest @ ..] = fields else { return None };
    let or = |value: &[u8], default: &[u8]| if value.is_empty() { default.to_vec() } else { value.to_vec() };
    Some(Account {
        credentials: Credentials { uid: number(uid)?, gid: number(gid)?, groups: Vec::new() },
        home: or(home, b"/"),
        shell: or(rest.first().copied().unwrap_or_default(), DEFAULT_SHELL),
        name: Some(name.to_vec()),
    })
}

fn gid(groups: &[u8], group: &str) -> Result<u32, UserError> {
    let named = entries(groups).find_map(|fields| match fields.as_slice() {
        [name, _password, gid, ..] if *name == group.as_bytes() => number(gid),
        _ => None,
    });
    named.or_else(|| number(group.as_bytes())).ok_or_else(|| UserError::UnknownGroup(group.to_owned()))
}

/// The groups that list the user's name, as initgroups(3) has them: the primary one is among them.
fn supplementary(groups: &[u8], account: &Account) -> Vec<u32> {
    let Some(name) = account.name.as_deref() else { return Vec::new() };
    let listed = entries(groups).filter_map(|fields| match fields.as_slice() {
        [_name, _password, gid, members, ..] if members.split(|byte| *byte == b',').any(|member| member == name) => {
            number(gid)
        }
        _ => None,
    });
    let mut all: Vec<u32> = std::iter::once(account.credentials.gid).chain(listed).take(GROUPS_CAP).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn entries(text: &[u8]) -> impl Iterator<Item = Vec<&[u8]>> {
    let lines = text.split(|byte| *byte == b'\n');
    let lines = lines.filter(|line| !matches!(line.first(), None | Some(b'#' | b'+' | b'-')));
    lines.map(|line| line.split(|byte| *byte == b':').collect())
}

/// A plain decimal id. The largest number means "no change" to the kernel and is nobody's id.
fn number(text: &[u8]) -> Option<u32> {
    let digits = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let value: u32 = std::str::from_utf8(text).ok().filter(|_| digits)?.parse().ok()?;
    (value != u32::MAX).then_some(value)
}

#[cfg(test)]
#[path = "users_tests.rs"]
mod tests;
