//! Where the agent works: paths, users and environment, as the sandbox sees them.

use crate::process::{Account, Credentials, resolve};
use isobox_wire::{Failure, FailureCode, Settings, settings};
use rustix::fs::{Access, AtFlags, Mode, OFlags, accessat, open};
use rustix::process::{getegid, geteuid};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Docker's default, so that the same image behaves the same.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const TEMPORARY: &str = "/tmp";
const TERM: &str = "xterm-256color";

/// The place and its defaults.
pub(crate) struct Place {
    kind: settings::Place,
    workdir: PathBuf,
    make_workdir: bool,
    temporary: PathBuf,
    user: Option<String>,
    uids: Vec<Mapped>,
    gids: Vec<Mapped>,
}

/// Ids that exist in this user namespace.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Mapped {
    first: u32,
    count: u32,
}

impl Mapped {
    /// Reads `/proc/self/uid_map` or its like (user_namespaces(7)).
    fn read(file: &str) -> Vec<Self> {
        let text = fs::read_to_string(file).unwrap_or_default();
        let row = |line: &str| {
            let mut fields = line.split_ascii_whitespace();
            Some(Self { first: fields.next()?.parse().ok()?, count: fields.nth(1)?.parse().ok()? })
        };
        text.lines().filter_map(row).collect()
    }

    fn contains(all: &[Self], id: u32) -> bool {
        all.iter().any(|mapped| id.checked_sub(mapped.first).is_some_and(|offset| offset < mapped.count))
    }
}

impl Place {
    pub(crate) fn new(settings: &Settings) -> Self {
        let workdir = settings.workdir.as_deref().map_or(Path::new("/"), |path| Path::new(OsStr::from_bytes(path)));
        Self {
            kind: settings.place,
            workdir: Path::new("/").join(workdir),
            make_workdir: settings.make_workdir,
            temporary: settings.temporary.as_deref().map_or(TEMPORARY.into(), |path| OsStr::from_bytes(path).into()),
            user: settings.user.clone(),
            uids: Mapped::read("/proc/self/uid_map"),
            gids: Mapped::read("/proc/self/gid_map"),
        }
    }

    pub(crate) fn workdir(&self) -> &[u8] {
        self.workdir.as_os_str().as_bytes()
    }

    pub(crate) fn workdir_os(&self) -> &Path {
        &self.workdir
    }

    /// Where files go that nobody chose a place for.
    pub(crate) fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// The path as the sandbox means it: relative ones start at the working directory.
    pub(crate) fn resolve(&self, path: &[u8]) -> PathBuf {
        self.workdir.join(OsStr::from_bytes(path))
    }

    /// Who `user` is; the place's own user when there is none.
    pub(crate) fn account(&self, user: Option<&str>) -> Result<Account, Failure> {
        let account = match user.or(self.user.as_deref()) {
            Some(user) => resolve(user).map_err(|error| Failure::invalid("user", error.to_string()))?,
            None => resolve(&geteuid().as_raw().to_string())
                .map_err(|error| Failure::invalid("user", error.to_string()))
                .map(|account| self.keep_group(account))?,
        };
        self.reachable(account, user.or(self.user.as_deref()).unwrap_or_default())
    }

    /// On the bare host the caller's own group is what counts, not what a file says.
    fn keep_group(&self, mut account: Account) -> Account {
        if self.kind == settings::Place::Host {
            account.credentials.gid = getegid().as_raw();
        }
        account
    }

    /// Refuses who cannot be become, by name, before anything starts.
    fn reachable(&self, account: Account, user: &str) -> Result<Account, Failure> {
        let Credentials { uid, gid, .. } = account.credentials;
        let own = uid == geteuid().as_raw() && gid == getegid().as_raw();
        if own {
            return Ok(account);
        }
        if !geteuid().is_root() {
            let message = format!(
                "user {user:?} is another user than the one that runs isobox; leave the user out or run as root"
            );
            return Err(Failure::new(FailureCode::Unsupported, message).at("user"));
        }
        if !Mapped::contains(&self.uids, uid) || !Mapped::contains(&self.gids, gid) {
            let message = format!(
                "user {user:?} has uid {uid} and gid {gid}, which is not mapped in this sandbox; leave the user out, or name it when the sandbox is made, for which an ordinary user needs newuidmap and a range in /etc/subuid and /etc/subgid (see isobox doctor)"
            );
            return Err(Failure::new(FailureCode::Unsupported, message).at("user"));
        }
        Ok(account)
    }

    /// The identity to take on for this account; none when the agent has it already.
    pub(crate) fn change_to(&self, account: &Account) -> Option<Credentials> {
        let own = account.credentials.uid == geteuid().as_raw() && account.credentials.gid == getegid().as_raw();
        // Where one id is mapped, or on the bare host without rights, groups cannot be set and need not be.
        let alone = !geteuid().is_root() || self.gids.iter().all(|mapped| mapped.count == 1);
        if own && alone {
            return None;
        }
        let mut credentials = account.credentials.clone();
        credentials.groups.retain(|gid| Mapped::contains(&self.gids, *gid));
        Some(credentials)
    }

    /// Checks that the place's own user exists and may enter the working directory, which is made first where that is
    /// wanted.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let account = self.account(None)?;
        if self.make_workdir && fs::metadata(&self.workdir).is_err() {
            // Why it cannot be made is what the check is about to find out.
            let _ = super::entries::make_parents(&self.workdir);
        }
        let entered = super::identity::assume(self.change_to(&account), || {
            let directory = open(&self.workdir, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
            let entered = directory.and_then(|directory| accessat(&directory, ".", Access::EXEC_OK, AtFlags::EACCESS));
            entered.map_err(|errno| super::failed(&self.workdir, errno))
        });
        entered.map_err(|failure| {
            let reason = match failure.errno {
                Some(libc::ENOENT) => "does not exist; make it first, or choose another",
                Some(libc::ENOTDIR) => "is not a directory; choose another",
                _ => "may not be entered by the sandbox's user; choose another",
            };
            Failure::invalid("workdir", format!("working directory {} {reason}", self.workdir.display()))
        })
    }

    /// What every command finds in its environment before anybody adds to it.
    pub(crate) fn environment(&self, account: &Account, terminal: bool) -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut all = Vec::new();
        let mut add = |name: &str, value: &[u8]| all.push((name.as_bytes().to_vec(), value.to_vec()));
        if self.kind != settings::Place::Host {
            add("PATH", PATH.as_bytes());
            add("HOME", &account.home);
        }
        if terminal {
            add("TERM", TERM.as_bytes());
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_mapped_ids_exist() {
        let map = [Mapped { first: 0, count: 1 }, Mapped { first: 1000, count: 10 }];
        let contained: Vec<u32> =
            [0, 1, 999, 1000, 1009, 1010, u32::MAX].into_iter().filter(|id| Mapped::contains(&map, *id)).collect();
        assert_eq!(contained, [0, 1000, 1009]);
    }
}
