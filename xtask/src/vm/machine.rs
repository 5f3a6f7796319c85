//! One run of the machine: an emulator with a stock kernel, or a kernel that runs as a program of the host.
//!
//! It talks on three serial ports, which need no driver that a kernel could lack: the console, kept in a file and shown only
//! when something is wrong; what the run prints, passed on as it comes; and the code that it ends with.

use super::image::{Image, USER_MODE};
use crate::steps::line;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How many of the console's last lines tell what went wrong.
const CONSOLE_LINES: usize = 40;

/// For the command line of each kernel.
const WORDS: &str = "rw quiet panic=-1 systemd.show_status=0 systemd.unit=isobox.service";

/// How to boot, and what with.
pub(super) struct Machine<'a> {
    pub(super) image: &'a Image,
    /// Begins the version of its kernel, or [`USER_MODE`].
    pub(super) kernel: &'a str,
    /// More words for the kernel's command line.
    pub(super) words: &'a str,
    /// The second disk.
    pub(super) tests: &'a Path,
    /// When to take the power away.
    pub(super) deadline: Duration,
}

impl Machine<'_> {
    /// Runs until the machine turns itself off, and fails unless it said before that all went well. `place` is for files
    /// of this run.
    pub(super) fn run(&self, place: &Path) -> Result<(), String> {
        let run = |error: io::Error| format!("cannot run the machine: {error}");
        let mut command = self.command(place).map_err(run)?;
        eprintln!("xtask: booting: {}", line(&command));
        // The end of its input would take the emulator's second serial port away.
        let child = command.stdin(Stdio::piped()).process_group(0).spawn().map_err(run)?;
        let in_time = ends_within(child, self.deadline);
        match (in_time, fs::read_to_string(code(place)).unwrap_or_default().trim()) {
            (true, "0") => Ok(()),
            (true, "") => Err(format!("the machine ended without a word; {}", last_lines(&console(place)))),
            (true, code) => Err(format!("failed in the machine with code {code}")),
            (false, _) => Err(format!("not done after {:?}; {}", self.deadline, last_lines(&console(place)))),
        }
    }

    /// An emulator, or a kernel that is a program itself.
    fn command(&self, place: &Path) -> io::Result<Command> {
        if self.kernel == USER_MODE { self.user_mode(place) } else { Ok(self.emulator(place)) }
    }

    fn emulator(&self, place: &Path) -> Command {
        let mut command = Command::new("qemu-system-x86_64");
        command.args(acceleration()).args(["-smp", "2", "-m", "4096", "-nodefaults", "-no-user-config"]);
        command.args(["-display", "none", "-no-reboot", "-snapshot"]);
        command.arg("-kernel").arg(self.image.kernel(self.kernel));
        command.arg("-initrd").arg(self.image.initrd(self.kernel));
        // On a busy host the emulated timer is late, which the kernel takes for broken hardware.
        let words = format!("root=/dev/vda console=ttyS0 no_timer_check nowatchdog {WORDS} {}", self.words);
        command.arg("-append").arg(words);
        for disk in [&self.image.disk(), self.tests] {
            command.arg("-drive").arg(format!("file={},format=raw,if=virtio,cache=unsafe", disk.display()));
        }
        command.args(["-chardev", "stdio,id=output,signal=off"]);
        command.arg("-serial").arg(format!("file:{}", console(place).display()));
        command.args(["-serial", "chardev:output"]);
        command.arg("-serial").arg(format!("file:{}", code(place).display()));
        command
    }

    fn user_mode(&self, place: &Path) -> io::Result<Command> {
        // A shell opens the file for the code: the kernel takes numbers of open files alone.
        let mut command = Command::new("sh");
        command.args(["-c", "code=$1; shift; exec \"$@\" 5> \"$code\"", "sh"]).arg(code(place));
        command.arg(self.image.kernel(self.kernel));
        command.arg(format!("uml_dir={}", place.display())).args(["mem=3G", "root=/dev/ubda"]);
        command.arg(format!("ubda={},{}", place.join("changes").display(), self.image.disk().display()));
        command.arg(format!("ubdb={}", self.tests.display()));
        command.args(["con=null", "con0=null,fd:2", "ssl=null", "ssl1=null,fd:1", "ssl2=null,fd:5"]);
        command.args(WORDS.split_whitespace()).args(self.words.split_whitespace());
        command.stderr(fs::File::create(console(place))?);
        Ok(command)
    }
}

fn console(place: &Path) -> PathBuf {
    place.join("console")
}

fn code(place: &Path) -> PathBuf {
    place.join("code")
}

/// Whether the hardware's virtualisation runs any kernel: that of the processor itself, not one that wants a guest made for
/// it.
pub(super) fn is_virtual() -> bool {
    let hardware = ["/sys/module/kvm_intel", "/sys/module/kvm_amd"].iter().any(|module| Path::new(module).exists());
    hardware && fs::File::options().read(true).write(true).open("/dev/kvm").is_ok()
}

/// The most bytes of a processor's extended registers that user-mode Linux can put into a process
/// (`arch/x86/um/shared/sysdep/ptrace_user.h` of Linux 6.1); where they are more, no process of it starts.
#[cfg(target_arch = "x86_64")]
const REGISTERS: u32 = 2696;

/// Whether the kernel that is a program can be booted: only on processors whose registers it knows, which leaves out those with AMX.
#[cfg(target_arch = "x86_64")]
pub(super) fn user_mode_boots() -> bool {
    // Leaf 13: the size of what the running kernel has switched on.
    std::arch::x86_64::__cpuid_count(13, 0).ebx <= REGISTERS
}

/// Whether the kernel that is a program can be booted: it is one for other processors.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn user_mode_boots() -> bool {
    false
}

fn acceleration() -> [&'static str; 4] {
    if is_virtual() { ["-accel", "kvm", "-cpu", "host"] } else { ["-accel", "tcg,thread=multi", "-cpu", "max"] }
}

/// Waits for a process, and kills it when that takes too long.
fn ends_within(mut child: Child, deadline: Duration) -> bool {
    let (ended, end) = mpsc::channel();
    let group = format!("-{}", child.id());
    // Held until then: the other end is what the process reads from.
    let input = child.stdin.take();
    let waiter = thread::spawn(move || {
        let status = child.wait();
        let _ = ended.send(());
        status
    });
    let in_time = end.recv_timeout(deadline).is_ok();
    if !in_time {
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
    }
    let _ = waiter.join();
    drop(input);
    in_time
}

fn last_lines(console: &Path) -> String {
    let text = fs::read(console).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    format!("its console ends with:\n{}", lines[lines.len().saturating_sub(CONSOLE_LINES)..].join("\n"))
}
