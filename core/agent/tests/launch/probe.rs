//! The launcher with a probe in place of the agent: it runs one script after the other in the sandbox and sends back
//! what each printed.
//!
//! ```text
//! test --u32 length, script--> probe        `@fds` asks for the probe's own descriptors, `@exit N` ends it
//!      <--u32 length, output--
//! ```

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::process::{Command, ExitCode, Stdio};

#[path = "../../src/program/launch/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the supervisor of the bare host uses parts that the probe does not")]
mod launch;

fn main() -> ExitCode {
    launch::run(serve)
}

fn serve(place: launch::Place) -> ExitCode {
    let launch::Place { connection, listener, cgroups, settings } = place;
    let mut connection = UnixStream::from(connection);
    loop {
        let mut length = [0; 4];
        if connection.read_exact(&mut length).is_err() {
            drop((listener, cgroups));
            return ExitCode::SUCCESS;
        }
        let mut script = vec![0; u32::from_be_bytes(length) as usize];
        if connection.read_exact(&mut script).is_err() {
            return ExitCode::FAILURE;
        }
        let output = match script.as_slice() {
            b"@fds" => descriptors(),
            b"@exit 7" => return ExitCode::from(7),
            _ => shell(&settings, &script),
        };
        let length = u32::try_from(output.len()).expect("a script prints little");
        if connection.write_all(&length.to_be_bytes()).and_then(|()| connection.write_all(&output)).is_err() {
            return ExitCode::FAILURE;
        }
    }
}

/// Runs a script with the shell named by the settings; both of its outputs in order.
fn shell(settings: &[u8], script: &[u8]) -> Vec<u8> {
    let whole = [b"exec 2>&1\n", script].concat();
    let command = Command::new(OsStr::from_bytes(settings))
        .arg("-c")
        .arg(OsStr::from_bytes(&whole))
        .env_clear()
        .env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
        .stdin(Stdio::null())
        .output();
    command.map_or_else(|error| format!("cannot run: {error}").into_bytes(), |output| output.stdout)
}

fn descriptors() -> Vec<u8> {
    let mut lines: Vec<String> = std::fs::read_dir("/proc/self/fd")
        .expect("/proc is mounted")
        .flatten()
        .filter_map(|entry| Some((entry.file_name(), std::fs::read_link(entry.path()).ok()?)))
        // The descriptor of this very listing.
        .filter(|(_, target)| !target.starts_with("/proc"))
        .map(|(name, target)| format!("{} {}", name.display(), target.display()))
        .collect();
    lines.sort();
    lines.join("\n").into_bytes()
}
