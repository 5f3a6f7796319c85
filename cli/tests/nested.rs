//! Root of a user namespace, as in a container without privileges: its sandboxes get what ids that has.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::{Home, end, text};
use std::fs;
use std::process::{Child, Command, Output, Stdio};

/// Whose the ids of the namespace are outside: nobody's.
const OUTSIDE: u32 = 1_000_000_000;

/// A user namespace with a process in it, which goes with this.
struct Namespace(Child);

impl Namespace {
    /// With `count` ids from 0 on. As an ordinary user this one's id is all that there can be.
    fn with(count: u32) -> Self {
        let mut command = Command::new("unshare");
        command.args(["--user", "sh", "-c", "echo up; exec cat"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        drop(common::read_until(&mut child, "up"));
        for file in ["uid_map", "gid_map"] {
            fs::write(format!("/proc/{}/{file}", child.id()), format!("0 {OUTSIDE} {count}\n")).unwrap();
        }
        Self(child)
    }

    /// Runs the command as its root.
    fn isobox(&self, home: &Home, arguments: &[&str]) -> Output {
        let isobox = home.isobox(arguments);
        let mut command = Command::new("nsenter");
        command.args(["--user", "--setuid", "0", "--setgid", "0", "--target", &self.0.id().to_string(), "--"]);
        command.arg(isobox.get_program()).args(isobox.get_args()).env_clear();
        command.envs(isobox.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        end(command.spawn().unwrap())
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// A home of the root of such a namespace; nothing where nobody may map ids by hand.
fn home() -> Option<Home> {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap();
    if !rustix::process::geteuid().is_root() || !map.contains("4294967295") {
        println!("skipped: only root of a machine maps ids that are nobody's");
        return None;
    }
    let home = Home::new();
    std::os::unix::fs::chown(home.path(), Some(OUTSIDE), Some(OUTSIDE)).unwrap();
    Some(home)
}

#[test]
fn sandboxes_get_the_last_ids_that_there_are() {
    let Some(home) = home() else { return };
    let run = |namespace: &Namespace, script: &str| {
        let flags = ["run", "--provider", "namespace", "--", "sh", "-c", script];
        let output = namespace.isobox(&home, &flags);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let map = "id -u; cat /proc/self/uid_map";
    // In /proc the sandbox's map is told in its own ids; what is outside is seen from the namespace around it.
    let plenty = Namespace::with(100_000);
    assert_eq!(run(&plenty, map)[0], "0");
    assert_eq!(run(&plenty, map)[3], "65536");
    let few = Namespace::with(1_000);
    assert_eq!(run(&few, map)[3], "999");
    let said = few.isobox(&home, &["doctor"]);
    assert!(
        text(&said.stdout).contains("have fewer users than the 65536 that images expect (there are 999"),
        "{said:?}"
    );
}

#[test]
fn a_root_without_other_ids_is_told_so() {
    let Some(home) = home() else { return };
    let alone = Namespace::with(1);
    let output = alone.isobox(&home, &["run", "--provider", "namespace", "--", "true"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(125));
    assert!(said.contains("has no other id") && said.contains("/etc/subuid"), "{said}");
}
