//! Runs the attempts, in a sandbox or outside: whoever started this process decides.

use crate::attempts::{Attempt, all};
use crate::seen::Seen;
use crate::system::{fork, wait};
use crate::target;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

/// What a line of ours begins with, among those of the harness.
pub(crate) const MARK: &str = "escape ";

/// Not a test by itself: does nothing unless it is run as a part of one.
#[test]
fn attempts() {
    if std::env::var_os("ESCAPE_RUN").is_none() {
        return;
    }
    for attempt in all() {
        println!("{MARK}{}\t{}", attempt.name, one(&attempt));
    }
}

/// Runs one attempt in a process of its own, so that none changes what the next one finds.
fn one(attempt: &Attempt) -> Seen {
    let (mut ours, mut theirs) = UnixStream::pair().unwrap();
    let pid = fork(|| {
        if target::is_outside() {
            seclude();
        }
        let seen = (attempt.run)();
        i32::from(theirs.write_all(seen.to_string().as_bytes()).is_err())
    });
    drop(theirs);
    let status = wait(pid);
    if libc::WIFSIGNALED(status) {
        return Seen::Killed(libc::WTERMSIG(status));
    }
    let mut text = String::new();
    // A process that the attempt left may hold the other end; what was said is there already.
    ours.set_nonblocking(true).unwrap();
    let _ = ours.read_to_string(&mut text);
    text.parse().unwrap_or_else(|problem| panic!("{}: {problem}", attempt.name))
}

/// What an attempt mounts, unmounts and names outside is its own.
fn seclude() {
    use crate::system::{at, call};
    // As an ordinary user both fail, and so do the attempts.
    let _ = call(libc::SYS_unshare, [(libc::CLONE_NEWNS | libc::CLONE_NEWUTS).into()]);
    let private = libc::MS_REC | libc::MS_PRIVATE;
    let _ =
        call(libc::SYS_mount, [at(c"none".to_bytes_with_nul()), at(c"/".to_bytes_with_nul()), 0, private as i64, 0]);
}
