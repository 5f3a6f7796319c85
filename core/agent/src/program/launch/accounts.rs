//! The accounts and names of a sandbox on the host's files, in place of the machine's own.
//!
//! Accounts: `root` (0), `daemon` (1), `nobody` (65534), the group `tty` (5), and `user` (1000, home `/home/user`) in
//! a sandbox that has the id 1000. No account has a password.

use super::maps::outside;
use isobox_wire::launch::LaunchConfig;
use std::ffi::CStr;

/// The id of the account `user`.
pub(super) const USER: u32 = 1000;

/// One file in `/etc`.
pub(super) struct File {
    /// Its name.
    pub(super) name: &'static CStr,
    /// Its mode.
    pub(super) mode: u32,
    /// Its content.
    pub(super) text: String,
}

/// Files of the machine that tell about its accounts or identify it, and that have no use in a sandbox.
pub(super) const HIDDEN: [&CStr; 10] = [
    c"passwd-",
    c"group-",
    c"shadow-",
    c"gshadow-",
    c"subuid",
    c"subgid",
    c"subuid-",
    c"subgid-",
    c"fstab",
    c"crypttab",
];

/// Whether the sandbox has the account `user`.
pub(super) fn has_user(config: &LaunchConfig) -> bool {
    outside(&config.uid_map, USER).is_some() && outside(&config.gid_map, USER).is_some()
}

/// The files of `/etc` that the sandbox has instead of the machine's.
pub(super) fn files(config: &LaunchConfig) -> [File; 8] {
    let user = has_user(config);
    let with = |base: &str, more: &str| if user { format!("{base}{more}") } else { base.to_owned() };
    let passwd = "root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1:daemon:/:/usr/sbin/nologin\n\
                  nobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n";
    let group = "root:x:0:\ndaemon:x:1:\ntty:x:5:\nnogroup:x:65534:\n";
    let shadow = "root:*:19000:0:99999:7:::\ndaemon:*:19000:0:99999:7:::\nnobody:*:19000:0:99999:7:::\n";
    let gshadow = "root:*::\ndaemon:*::\ntty:*::\nnogroup:*::\n";
    [
        File { name: c"passwd", mode: 0o644, text: with(passwd, "user:x:1000:1000:user:/home/user:/bin/sh\n") },
        File { name: c"group", mode: 0o644, text: with(group, "user:x:1000:\n") },
        File { name: c"shadow", mode: 0o600, text: with(shadow, "user:*:19000:0:99999:7:::\n") },
        File { name: c"gshadow", mode: 0o600, text: with(gshadow, "user:*::\n") },
        File { name: c"hostname", mode: 0o644, text: format!("{}\n", config.hostname) },
        File { name: c"hosts", mode: 0o644, text: hosts(&config.hostname) },
        // Empty on purpose: there is no network to resolve names over, and the machine's own tells about its
        // surroundings.
        File { name: c"resolv.conf", mode: 0o644, text: String::new() },
        File { name: c"machine-id", mode: 0o444, text: String::new() },
    ]
}

/// The content of `/etc/hosts`.
pub(super) fn hosts(hostname: &str) -> String {
    format!("127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n127.0.1.1\t{hostname}\n")
}
