//! Named points in what isobox does, at which a test ends, holds or fails the process.
//!
//! A crash can come between any two steps. A point gives one such place a name, so that a test can have the crash exactly
//! there: it starts a process with the variable `ISOBOX_FAULT`, which is the name of a point, `=`, and what happens there.
//!
//! | | at the point |
//! |---|---|
//! | `NAME=kill` | the process is killed with SIGKILL |
//! | `NAME=hold:FILE` | the name is written to FILE, a FIFO for example, and the thread goes no further; the test kills what it likes |
//! | `NAME=panic` | the thread panics, once |
//! | `NAME=stop` | the process is stopped with SIGSTOP, and goes on when the test continues it |
//!
//! There are points in builds with debug assertions only. In a release build [`point!`] is nothing, not even a look at the
//! environment. `core/isobox/tests/crash.rs` has a crash at every one, and fails when one is missing there.

use std::io::Write;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The variable that names a point and what happens there.
pub const ISOBOX_FAULT: &str = "ISOBOX_FAULT";

/// A place where the process may be made to end. The name is a literal, unlike that of any other point: what is being done,
/// a dot, and what was done last.
#[macro_export]
macro_rules! point {
    ($name:literal) => {
        if cfg!(debug_assertions) {
            $crate::reach($name);
        }
    };
}

/// What happens at a point.
enum Fault {
    Kill,
    Hold(PathBuf),
    Panic,
    Stop,
}

/// The point of this process, if it has one.
fn wanted() -> Option<&'static (String, Fault)> {
    static WANTED: OnceLock<Option<(String, Fault)>> = OnceLock::new();
    let wanted = WANTED.get_or_init(|| {
        let value = std::env::var(ISOBOX_FAULT).ok()?;
        let parsed = parse(&value);
        assert!(parsed.is_some(), "{ISOBOX_FAULT}={value} is not NAME=kill, NAME=panic, NAME=stop or NAME=hold:FILE");
        parsed
    });
    wanted.as_ref()
}

fn parse(value: &str) -> Option<(String, Fault)> {
    let (name, fault) = value.split_once('=')?;
    let fault = match fault.split_once(':') {
        None if fault == "kill" => Fault::Kill,
        None if fault == "panic" => Fault::Panic,
        None if fault == "stop" => Fault::Stop,
        Some(("hold", file)) => Fault::Hold(file.into()),
        _ => return None,
    };
    Some((name.to_owned(), fault))
}

/// Does what was asked for at this point. Called by [`point!`].
#[doc(hidden)]
pub fn reach(name: &str) {
    static REACHED: AtomicBool = AtomicBool::new(false);
    match wanted() {
        Some((wanted, fault)) if wanted == name && !REACHED.swap(true, Ordering::SeqCst) => happen(name, fault),
        _ => {}
    }
}

fn happen(name: &str, fault: &Fault) {
    match fault {
        Fault::Kill => {
            let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        }
        Fault::Hold(file) => {
            let told =
                std::fs::OpenOptions::new().append(true).open(file).and_then(|mut file| writeln!(file, "{name}"));
            told.expect("the test reads what it named");
        }
        Fault::Panic => panic!("the fault at {name}"),
        Fault::Stop => return stop_here(),
    }
    loop {
        std::thread::park();
    }
}

/// Stops the process with this thread no further than here. A signal to the process as a whole may be given to another of its
/// threads, and this one then goes on until that one has run.
fn stop_here() {
    #[expect(unsafe_code, reason = "a signal to the calling thread, which no safe function sends")]
    // SAFETY: it takes a number and touches no memory.
    unsafe {
        libc::raise(libc::SIGSTOP)
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_a_name_and_what_happens() {
        assert!(matches!(parse("a.b=kill"), Some((name, Fault::Kill)) if name == "a.b"));
        assert!(matches!(parse("a.b=hold:/x:y"), Some((_, Fault::Hold(file))) if file.ends_with("x:y")));
        assert!(matches!(parse("a.b=panic"), Some((_, Fault::Panic))));
        assert!(matches!(parse("a.b=stop"), Some((_, Fault::Stop))));
        for nonsense in ["", "a.b", "a.b=", "a.b=end", "a.b=hold"] {
            assert!(parse(nonsense).is_none(), "{nonsense}");
        }
    }
}
