//! The agent in a container: the process that an engine starts there, and the way to it for who cannot reach its socket.
//!
//! ```text
//! engine --start--> container: config read and unlinked, socket bound --> serves --end--> exits, and with it the container
//! engine --exec---> connect: its standard input and output are a connection to the socket
//! ```
//!
//! Without a config it was not the library that started it: then it ends as if it was stopped, so that nothing is lost.

use crate::launch::Granted;
use isobox_wire::container::{CONFIG, ELSEWHERE, SOCKET};
use isobox_wire::settings::ended;
use rustix::fd::{AsFd, BorrowedFd};
use rustix::fs::Mode;
use rustix::io::{read, retry_on_intr, write};
use rustix::process::{DumpableBehavior, set_dumpable_behavior};
use rustix::stdio::{stdin, stdout};
use std::fs::{self, File};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::ExitCode;
use std::time::Duration;

/// How often the socket is looked for, and how long apart: the agent binds it when it is ready.
const ATTEMPTS: u32 = 10_000;
const PAUSE: Duration = Duration::from_millis(1);
/// Bytes that are passed on at once.
const CHUNK: usize = 64 << 10;
/// The accounts of what was killed for want of memory, as a container sees its own (cgroups v2, v1).
const EVENTS: [&str; 2] = ["/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"];

/// Runs until the sandbox has to end.
pub(crate) fn run() -> ExitCode {
    let Ok(settings) = fs::read(CONFIG) else {
        crate::report("there is no config: start the sandbox with isobox, which puts one there");
        return ExitCode::from(ended::STOPPED);
    };
    // No process in here may learn what it says. On the host it may belong to somebody else, who then removes it.
    let _ = fs::remove_file(CONFIG);
    // The sandbox's root is this process's user, and would reach its memory.
    let hidden = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    rustix::process::umask(Mode::empty());
    let listener = [SOCKET, ELSEWHERE].iter().find_map(|path| {
        let _ = fs::remove_file(path);
        UnixListener::bind(path).ok()
    });
    let (Ok(()), Some(listener)) = (hidden, listener) else {
        crate::report("cannot bind a socket below /.isobox");
        return ExitCode::from(ended::FAILED);
    };
    let events = EVENTS.iter().find_map(|path| File::open(path).ok()).map(Into::into);
    crate::serve(None, listener.into(), Granted { events, ..Granted::default() }, &settings)
}

/// Joins standard input and output with the agent's socket until either side ends.
pub(crate) fn connect() -> ExitCode {
    // What goes through here is nobody's business in the sandbox.
    let hidden = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    let Some(stream) = hidden.ok().and_then(|()| dial()) else {
        crate::report("the agent does not listen");
        return ExitCode::from(ended::FAILED);
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            pump(stdin(), stream.as_fd());
            let _ = stream.shutdown(Shutdown::Both);
        });
        pump(stream.as_fd(), stdout());
        // Its input may never end.
        std::process::exit(0)
    })
}

/// Passes bytes on as they come. The standard library would keep some back on their way to standard output.
fn pump(from: BorrowedFd<'_>, to: BorrowedFd<'_>) {
    let mut buffer = vec![0; CHUNK];
    loop {
        let Ok(length @ 1..) = retry_on_intr(|| read(from, &mut *buffer)) else { return };
        let mut rest = &buffer[..length];
        while !rest.is_empty() {
            let Ok(written) = retry_on_intr(|| write(to, rest)) else { return };
            rest = &rest[written..];
        }
    }
}

/// The agent is the container's first process. Whoever else listens there is after the client's token.
fn dial() -> Option<UnixStream> {
    for _ in 0..ATTEMPTS {
        if let Some(stream) = [SOCKET, ELSEWHERE].iter().find_map(|path| UnixStream::connect(path).ok()) {
            let peer = rustix::net::sockopt::socket_peercred(&stream).ok()?;
            // gVisor does not tell: there it is this process itself, which nobody else can be.
            let known = [rustix::process::Pid::INIT, rustix::process::getpid()].contains(&peer.pid);
            return known.then_some(stream);
        }
        std::thread::sleep(PAUSE);
    }
    None
}
