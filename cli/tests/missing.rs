//! What a machine lacks is named to the person who runs the command, with the way out.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;
#[path = "../../core/agent/tests/launch/filter.rs"]
mod filter;

use common::{Home, finish, text};

/// What it is about, the calls that are refused, and the words that must be in what is said.
type Case = (&'static str, &'static [(libc::c_long, i32)], &'static [&'static str]);

const CASES: [Case; 6] = [
    ("no memory files", &[(libc::SYS_memfd_create, libc::ENOSYS)], &["memfd_create", "filter of system calls"]),
    ("memory files that may not be executed", &[(libc::SYS_memfd_create, libc::EACCES)], &["vm.memfd_noexec"]),
    ("no process descriptors", &[(libc::SYS_pidfd_open, libc::ENOSYS)], &["pidfd_open", "filter of system calls"]),
    (
        "no namespaces, as in a container",
        &[(libc::SYS_unshare, libc::EPERM), (libc::SYS_mount, libc::EPERM)],
        &["not permitted: unshare, mount", "host"],
    ),
    ("no new mounts", &[(libc::SYS_fsopen, libc::ENOSYS)], &["does not offer fsopen", "filter of system calls"]),
    ("no mount attributes", &[(libc::SYS_mount_setattr, libc::EPERM)], &["not permitted: mount_setattr"]),
];

#[test]
fn what_is_missing_is_named_and_nothing_is_left() {
    for (case, denied, words) in CASES {
        let home = Home::new();
        let mut command = home.run("namespace", &["-v", "/usr/share:/mnt:ro", "true"]);
        filter::deny(&mut command, denied);
        let output = finish(command);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(125), "{case}: {said}");
        assert!(words.iter().all(|word| said.contains(word)), "{case}: {said}");
        assert_eq!(home.left_over(), Vec::<String>::new(), "{case}");
    }
}

#[test]
fn the_doctor_says_the_same_and_that_the_host_works() {
    let home = Home::new();
    let mut command = home.isobox(["doctor"]);
    filter::deny(&mut command, &[(libc::SYS_unshare, libc::EPERM)]);
    let output = finish(command);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("namespace: does not work") && said.contains("host: works"), "{said}");
    assert!(said.contains("because: not permitted: unshare: ") && said.contains("no provider that isolates"), "{said}");
}

#[test]
fn clone3_is_not_needed_without_a_control_group() {
    if rustix::process::geteuid().is_root() {
        return println!("skipped: the sandboxes of root are born in their control group, which is clone3's alone");
    }
    let home = Home::new();
    let mut command = home.run("namespace", &["true"]);
    filter::deny(&mut command, &[(libc::SYS_clone3, libc::ENOSYS)]);
    let output = finish(command);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}
