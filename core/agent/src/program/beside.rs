//! A program in a container beside a sandbox, which must not outlive it, whoever dies.
//!
//! ```text
//! engine --start--> beside: connects to the sandbox's agent ──exec──> the program that was meant
//!                     └─ watcher: waits for the end of that connection, then TERM, a moment, KILL for everything in sight
//! ```
//!
//! Both containers have one network namespace, and with it one space of abstract names. The agent of the sandbox listens there and
//! never answers: what counts is that the kernel ends the connection together with the agent, however that ends. Nothing but the
//! start of the program goes through here, so signals, output and exit code are its own.

use isobox_wire::settings::ended;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, retry_on_intr};
use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::process::ExitCode;
use std::time::Duration;

/// How long everything has to end by itself.
const GRACE: Duration = Duration::from_secs(2);
/// What shells say of a program that is not there, and of one that cannot be run.
const NOT_FOUND: u8 = 127;
const NOT_RUN: u8 = 126;

/// Binds the name that programs beside the sandbox hold on to, for as long as this process lives.
pub(crate) fn bind(name: &str) -> io::Result<OwnedFd> {
    UnixListener::bind_addr(&SocketAddr::from_abstract_name(name)?).map(Into::into)
}

/// Becomes the program of the command line, with a watcher beside it.
pub(crate) fn run() -> ExitCode {
    let mut words = std::env::args_os().skip(2);
    let (Some(name), Some(program)) = (words.next(), words.next()) else {
        crate::report("a name and a program are missing");
        return ExitCode::from(ended::FAILED);
    };
    if let Err(error) = hold_on(&name).and_then(watch) {
        crate::report(&format!("the sandbox that this is beside does not run: {error}"));
        return ExitCode::from(ended::FAILED);
    }
    let argv = std::iter::once(program).chain(words).map(|word| CString::new(word.into_vec()));
    // No word of a command line has a zero in it.
    let Ok(argv) = argv.collect::<Result<Vec<_>, _>>() else { return ExitCode::from(NOT_RUN) };
    let error = become_program(&argv);
    crate::report(&format!("the program cannot be run: {error}"));
    ExitCode::from(if error.kind() == io::ErrorKind::NotFound { NOT_FOUND } else { NOT_RUN })
}

/// Executes it, found as a shell would; returns when that is not possible. The standard library's way there would make the agent
/// larger by 25 KB.
#[allow(unsafe_code, reason = "rustix looks for no program on the PATH")]
fn become_program(argv: &[CString]) -> io::Error {
    let table: Vec<_> = argv.iter().map(|word| word.as_ptr()).chain([std::ptr::null()]).collect();
    // SAFETY: the strings and the table, which ends with null, live until the call returns, and there is one thread. What the
    // runtime of this program ignores, the other must not.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        libc::execvp(table[0], table.as_ptr());
    }
    io::Error::last_os_error()
}

fn hold_on(name: &OsStr) -> io::Result<UnixStream> {
    UnixStream::connect_addr(&SocketAddr::from_abstract_name(name.as_bytes())?)
}

/// Starts the watcher, as a child of the container's first process: the program knows nothing of it.
fn watch(lifeline: UnixStream) -> io::Result<()> {
    if let Some(between) = fork()? {
        let status = retry_on_intr(|| rustix::process::waitpid(Some(between), rustix::process::WaitOptions::empty()))?;
        let started = status.is_some_and(|(_, status)| status.exit_status() == Some(0));
        return if started { Ok(()) } else { Err(Errno::AGAIN.into()) };
    }
    let code = match rustix::process::setsid().map_err(Into::into).and_then(|_| fork()) {
        Ok(None) => end_with(&lifeline),
        Ok(Some(_)) => 0,
        Err(_) => 1,
    };
    leave(code)
}

/// Waits for the end of the sandbox, and ends the container.
fn end_with(lifeline: &UnixStream) -> i32 {
    let _ = rustix::thread::set_name(c"isobox-beside");
    // Of the program's streams it holds none.
    let _ = (
        rustix::stdio::dup2_stdin(lifeline),
        rustix::stdio::dup2_stdout(lifeline),
        rustix::stdio::dup2_stderr(lifeline),
    );
    let gone = PollFlags::HUP | PollFlags::ERR;
    loop {
        let mut events = [PollFd::new(lifeline, PollFlags::RDHUP)];
        match poll(&mut events, None) {
            Ok(_) if events[0].revents().intersects(gone | PollFlags::RDHUP) => break,
            // It cannot watch any more.
            Err(error) if error != Errno::INTR => break,
            _ => {}
        }
    }
    end_all(libc::SIGTERM);
    std::thread::sleep(GRACE);
    end_all(libc::SIGKILL);
    0
}

#[allow(unsafe_code, reason = "rustix has no form of it for everything in sight")]
fn end_all(signal: libc::c_int) {
    // SAFETY: takes two integers. It reaches neither this process nor the container's first one, which ends with its child.
    unsafe { libc::kill(-1, signal) };
}

/// The child, in the parent.
#[allow(unsafe_code, reason = "there is no safe call for it")]
fn fork() -> io::Result<Option<rustix::process::Pid>> {
    // SAFETY: there is one thread, so nothing is held by another one in the child.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        child => Ok(rustix::process::Pid::from_raw(child)),
    }
}

#[allow(unsafe_code, reason = "a forked child must not do what a program does when it exits")]
fn leave(code: i32) -> ! {
    // SAFETY: takes an integer and does not return.
    unsafe { libc::_exit(code) }
}
