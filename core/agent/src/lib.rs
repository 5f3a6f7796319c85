//! The agent's bytes: the static program that runs inside every sandbox.
//!
//! The build script compiles the program from this package and embeds it, so a library that uses isobox needs
//! nothing at run time but itself. [`BUILD_ID`] names the sources of both; agent and client compare it when they meet.
//! The program itself is described in `src/program/main.rs`.

#[cfg(not(feature = "program"))]
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
#[cfg(not(feature = "program"))]
use std::{fs::File, io, io::Write, sync::OnceLock};

/// Names the sources of agent and client.
pub const BUILD_ID: &str = env!("ISOBOX_AGENT_BUILD");

/// The program, a static ELF executable for Linux on this processor.
#[cfg(not(feature = "program"))]
pub fn bytes() -> &'static [u8] {
    include_bytes!(concat!(env!("OUT_DIR"), "/isobox-agent"))
}

/// The program in memory, sealed: nobody, also no sandbox that got hold of it, can change what is executed.
///
/// It is made once in a process. Execute it as `/proc/self/fd/N` while the file is open.
///
/// # Errors
/// When the kernel has no memory or descriptors left.
#[cfg(not(feature = "program"))]
pub fn executable() -> io::Result<&'static File> {
    static EXECUTABLE: OnceLock<File> = OnceLock::new();
    if let Some(file) = EXECUTABLE.get() {
        return Ok(file);
    }
    let made = seal()?;
    Ok(EXECUTABLE.get_or_init(|| made))
}

#[cfg(not(feature = "program"))]
fn seal() -> io::Result<File> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    // Kernels from 6.3 on can demand that executable memory files say so; older ones refuse the flag.
    let memory =
        memfd_create("isobox-agent", flags | MemfdFlags::EXEC).or_else(|_| memfd_create("isobox-agent", flags))?;
    let mut file = File::from(memory);
    file.write_all(bytes())?;
    fcntl_add_seals(&file, SealFlags::SEAL | SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE)?;
    Ok(file)
}

/// Starts the program in one of its roles, with one end of a stream as its standard input.
///
/// It gets nothing of this process: an empty environment, no arguments but its role, and `log` as its standard error.
/// Configuration goes over the stream. The caller reaps the child.
///
/// # Errors
/// When the system can make no process, socket or memory file.
#[cfg(not(feature = "program"))]
pub fn spawn(
    role: &str,
    log: std::os::fd::OwnedFd,
) -> io::Result<(std::process::Child, std::os::unix::net::UnixStream)> {
    use std::os::{fd::AsRawFd, unix::process::CommandExt};
    use std::process::{Command, Stdio};
    let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
    let program = format!("/proc/self/fd/{}", executable()?.as_raw_fd());
    let child = Command::new(program)
        .arg0("isobox-agent")
        .arg(role)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::from(std::os::fd::OwnedFd::from(theirs)))
        .stdout(Stdio::null())
        .stderr(Stdio::from(log))
        .spawn()?;
    Ok((child, ours))
}
