//! Looking at the machine. Reads files and asks the kernel; changes nothing and starts nothing.

mod disk;
mod home;
mod kernel;
mod mounts;
mod surroundings;
mod users;

use crate::facts::{Caller, Facts, Limits};
use crate::subids::{Range, Subordinate};
use isobox_wire::remedy::Remedy;
use rustix::process::{Resource, getegid, geteuid, getrlimit};
use std::path::Path;

/// What can be seen from this process. `home` is isobox's directory, which may not exist, and `problem` why it cannot be
/// used, if somebody tried.
pub fn collect(home: &Path, problem: Option<String>) -> Facts {
    let mounts = mounts::read();
    let status = text("/proc/self/status");
    let caller = caller(&status);
    Facts {
        kernel: kernel::kernel(),
        surroundings: surroundings::surroundings(&mounts),
        namespaces: kernel::namespaces(),
        users: users::users(caller.uid, caller.name.as_deref(), caller.no_new_privileges),
        home: home::home(home, problem, &mounts),
        disk: disk::disk(home),
        limits: Limits { processes: getrlimit(Resource::Nproc).current, files: getrlimit(Resource::Nofile).current },
        caller,
    }
}

/// What a sandbox of this user with several users takes, or what is lacking. Reads four small files.
pub fn subordinate() -> Result<Subordinate, &'static Remedy> {
    let caller = caller(&text("/proc/self/status"));
    users::users(caller.uid, caller.name.as_deref(), caller.no_new_privileges).subordinate(caller.uid, caller.gid)
}

/// The ids that root here gives to its sandboxes; `None` when there is no other than its own.
pub fn root_range() -> Option<Range> {
    crate::rootids::root_range(&text("/proc/self/uid_map"), &text("/proc/self/gid_map"))
}

fn caller(status: &str) -> Caller {
    const SYS_ADMIN: u32 = 21;
    let field = |name: &str| status.lines().find_map(|line| Some(line.strip_prefix(name)?.trim().to_owned()));
    let capabilities = field("CapEff:").and_then(|hex| u64::from_str_radix(&hex, 16).ok()).unwrap_or_default();
    let uid = geteuid().as_raw();
    let profiles = ["/proc/self/attr/apparmor/current", "/proc/self/attr/current"].map(text);
    let profile = profiles.iter().map(|profile| profile.trim_end_matches(['\n', '\0']).to_owned());
    Caller {
        uid,
        gid: getegid().as_raw(),
        name: crate::subids::name_of(&text("/etc/passwd"), uid).map(str::to_owned),
        may_mount: capabilities & (1 << SYS_ADMIN) != 0,
        filtered: field("Seccomp:").is_some_and(|mode| mode == "2"),
        no_new_privileges: field("NoNewPrivs:").is_some_and(|set| set == "1"),
        profile: profile.into_iter().find(|profile| !profile.is_empty()),
        mapped_ids: mapped(&text("/proc/self/uid_map")),
    }
}

/// How many ids a map has.
fn mapped(map: &str) -> u64 {
    map.lines().filter_map(|line| line.split_whitespace().nth(2)?.parse::<u64>().ok()).sum()
}

/// The text of a file, or nothing.
fn text(path: impl AsRef<Path>) -> String {
    let bytes = std::fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_seen_as_it_is() {
        let place = tempfile::tempdir().unwrap();
        let facts = collect(&place.path().join("not/yet"), None);
        assert_eq!(facts.caller.uid, geteuid().as_raw());
        assert!(facts.caller.mapped_ids > 0 && facts.surroundings.proc);
        assert_eq!(facts.kernel.release, rustix::system::uname().release().to_string_lossy());
        assert!(facts.home.filesystem.is_some() && facts.home.free_bytes.is_some(), "{:?}", facts.home);
        assert_eq!(facts.disk.iter().map(|way| &*way.backing).collect::<Vec<_>>(), ["quota", "loop", "tmpfs"]);
        assert!(facts.namespaces.types.iter().any(|kind| kind == "user"), "{:?}", facts.namespaces);
    }

    #[test]
    fn a_status_is_understood() {
        let seen = caller("Name:\tx\nNoNewPrivs:\t1\nSeccomp:\t2\nCapEff:\t00000000a80425fb\n");
        assert!(seen.filtered && seen.no_new_privileges && !seen.may_mount);
        assert!(caller("CapEff:\t000001ffffffffff\nSeccomp:\t0\n").may_mount);
        assert_eq!(mapped("         0          0 4294967295\n"), 4_294_967_295);
        assert_eq!(mapped("0 1000 1\n1 100000 65536\n"), 65_537);
    }
}
