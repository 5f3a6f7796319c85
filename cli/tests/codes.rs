//! The exit code says how it went.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Home, finish, providers, text};
use std::process::Command;
use std::time::{Duration, Instant};

fn code(command: Command) -> (i32, String) {
    let output = finish(command);
    (output.status.code().unwrap(), text(&output.stderr))
}

#[test]
fn a_command_that_ends_by_itself_has_its_own_code() {
    for provider in providers() {
        let home = Home::new();
        for wanted in [0, 7, 255] {
            let script = format!("exit {wanted}");
            assert_eq!(code(home.run(provider, &["sh", "-c", &script])), (wanted, String::new()), "{provider}");
        }
        assert_eq!(code(home.run(provider, &["sh", "-c", "kill -SEGV $$"])).0, 139, "{provider}");
    }
}

#[test]
fn a_timeout_is_124_and_ends_everything() {
    for provider in providers() {
        let home = Home::new();
        let start = Instant::now();
        let script = "trap '' TERM; setsid sleep 1000 & sleep 1000";
        let (code, stderr) = code(home.run(provider, &["--timeout", "200ms", "sh", "-c", script]));
        assert_eq!((code, stderr.as_str()), (124, "isobox: the command timed out after 200ms\n"), "{provider}");
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}

#[test]
fn a_program_that_is_not_there_is_127_and_one_that_cannot_be_executed_126() {
    for provider in providers() {
        let home = Home::new();
        let (code, stderr) = code(home.run(provider, &["no-such-program"]));
        assert_eq!(code, 127, "{stderr}");
        assert!(stderr.starts_with("isobox: error: ") && stderr.contains("no-such-program"), "{stderr}");
        assert_eq!(self::code(home.run(provider, &["/etc/passwd"])).0, 126, "{provider}");
        assert_eq!(self::code(home.run(provider, &["sh", "-c", "no-such-program"])).0, 127, "{provider}");
    }
}

#[test]
fn what_is_isoboxs_own_failure_is_125() {
    let home = Home::new();
    for arguments in [&["run", "--provider", "nonsense", "true"][..], &["run", "--nonsense", "true"], &["nonsense"]] {
        assert_eq!(code(home.isobox(arguments)).0, 125, "{arguments:?}");
    }
    std::fs::write(home.path().join("file"), "").unwrap();
    let mut command = home.isobox(["run", "true"]);
    command.env("ISOBOX_HOME", home.path().join("file"));
    let (code, stderr) = code(command);
    assert_eq!(code, 125);
    assert!(stderr.contains("set ISOBOX_HOME to another one") && stderr.contains("caused by: "), "{stderr}");
}

#[test]
fn a_child_that_goes_on_is_not_waited_for_and_does_not_go_on() {
    for provider in providers() {
        let home = Home::new();
        let start = Instant::now();
        let output = finish(home.run(provider, &["sh", "-c", "sleep 1000 & echo $!; exit 0"]));
        assert!(output.status.success() && start.elapsed() < Duration::from_secs(30), "{provider}");
        if *provider == "host" {
            let pid = text(&output.stdout).trim().parse().unwrap();
            let pid = rustix::process::Pid::from_raw(pid).unwrap();
            assert_eq!(rustix::process::test_kill_process(pid), Err(rustix::io::Errno::SRCH));
        }
    }
}
