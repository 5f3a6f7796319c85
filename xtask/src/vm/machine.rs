//! One run of the machine.
//!
//! It talks on three serial ports, which need no driver that a kernel could lack: the console, kept in a file and shown only
//! when something is wrong; what the run prints, passed on as it comes; and the code that it ends with.

use super::image::Image;
use crate::steps::line;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How many of the console's last lines tell what went wrong.
const CONSOLE_LINES: usize = 40;

/// How to boot, and what with.
pub(super) struct Machine<'a> {
    pub(super) image: &'a Image,
    /// Begins the version of its kernel.
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
        let (console, code) = (place.join("console"), place.join("code"));
        let mut command = self.command(&console, &code);
        eprintln!("xtask: booting: {}", line(&command));
        // Its end would take the second serial port from the machine.
        let child = command.stdin(Stdio::piped()).spawn();
        let child = child.map_err(|error| format!("cannot run {}: {error}", command.get_program().display()))?;
        let in_time = ends_within(child, self.deadline);
        match (in_time, fs::read_to_string(code).unwrap_or_default().trim()) {
            (true, "0") => Ok(()),
            (true, "") => Err(format!("the machine ended without a word; {}", last_lines(&console))),
            (true, code) => Err(format!("failed in the machine with code {code}")),
            (false, _) => Err(format!("the machine was not done after {:?}; {}", self.deadline, last_lines(&console))),
        }
    }

    fn command(&self, console: &Path, code: &Path) -> Command {
        let mut command = Command::new("qemu-system-x86_64");
        command.args(acceleration()).args(["-smp", "2", "-m", "4096", "-nodefaults", "-no-user-config"]);
        command.args(["-display", "none", "-no-reboot", "-snapshot"]);
        command.arg("-kernel").arg(self.image.kernel(self.kernel));
        command.arg("-initrd").arg(self.image.initrd(self.kernel));
        let words = "root=/dev/vda rw rootflags=prjquota console=ttyS0 quiet systemd.show_status=0 panic=-1 no_timer_check nowatchdog systemd.unit=isobox.service";
        command.arg("-append").arg(format!("{words} {}", self.words));
        for disk in [&self.image.disk(), self.tests] {
            command.arg("-drive").arg(format!("file={},format=raw,if=virtio,cache=unsafe", disk.display()));
        }
        command.args(["-chardev", "stdio,id=output,signal=off"]);
        command.arg("-serial").arg(format!("file:{}", console.display()));
        command.args(["-serial", "chardev:output"]);
        command.arg("-serial").arg(format!("file:{}", code.display()));
        command
    }
}

/// Hardware's virtualisation where it runs any kernel: that of the processor itself, not one that wants a guest made for it.
fn acceleration() -> [&'static str; 4] {
    let hardware = ["/sys/module/kvm_intel", "/sys/module/kvm_amd"].iter().any(|module| Path::new(module).exists());
    if hardware && fs::File::options().read(true).write(true).open("/dev/kvm").is_ok() {
        return ["-accel", "kvm", "-cpu", "host"];
    }
    ["-accel", "tcg,thread=multi", "-cpu", "max"]
}

/// Waits for a process, and kills it when that takes too long.
fn ends_within(mut child: Child, deadline: Duration) -> bool {
    let (ended, end) = mpsc::channel();
    let pid = child.id().to_string();
    // Held until then: the other end is what the process reads from.
    let input = child.stdin.take();
    let waiter = thread::spawn(move || {
        let status = child.wait();
        let _ = ended.send(());
        status
    });
    let in_time = end.recv_timeout(deadline).is_ok();
    if !in_time {
        let _ = Command::new("kill").args(["-KILL", &pid]).status();
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
