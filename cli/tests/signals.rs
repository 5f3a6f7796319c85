//! Stopping a command from outside.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Home, end, finish, providers, read_until, rest, signal, status, wait_for};
use rustix::process::Signal;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// Says when it is there and when it was asked to go, and stays.
const STUBBORN: &str = "trap 'echo asked' TERM; echo ready; while :; do sleep 0.02; done";
/// Says goodbye and goes.
const POLITE: &str = "trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.02; done";

#[test]
fn one_interrupt_asks() {
    for provider in providers() {
        let home = Home::new();
        let mut child = home.run(provider, &["sh", "-c", POLITE]).spawn().unwrap();
        let stdout = read_until(&mut child, "ready");
        signal(child.id(), Signal::INT);
        assert_eq!(rest(stdout), "bye\n", "{provider}");
        assert_eq!(status(child).code(), Some(130), "{provider}");
    }
}

#[test]
fn a_second_interrupt_kills() {
    for provider in providers() {
        let home = Home::new();
        let mut child = home.run(provider, &["sh", "-c", STUBBORN]).spawn().unwrap();
        let mut stdout = read_until(&mut child, "ready");
        signal(child.id(), Signal::INT);
        wait_for(&mut stdout, "asked");
        signal(child.id(), Signal::INT);
        assert_eq!(status(child).code(), Some(137), "{provider}");
    }
}

#[test]
fn a_grace_kills_after_one_interrupt() {
    for provider in providers() {
        let home = Home::new();
        let mut child = home.run(provider, &["--grace", "50ms", "sh", "-c", STUBBORN]).spawn().unwrap();
        let stdout = read_until(&mut child, "ready");
        signal(child.id(), Signal::INT);
        assert_eq!(rest(stdout), "asked\n", "{provider}");
        assert_eq!(status(child).code(), Some(137), "{provider}");
    }
}

#[test]
fn the_end_of_isobox_is_the_end_of_the_command() {
    for provider in providers() {
        for asked in [Signal::TERM, Signal::HUP, Signal::QUIT] {
            let home = Home::new();
            let mut child = home.run(provider, &["sh", "-c", POLITE]).spawn().unwrap();
            let stdout = read_until(&mut child, "ready");
            signal(child.id(), asked);
            assert_eq!(rest(stdout), "bye\n", "{provider}");
            assert_eq!(status(child).code(), Some(130), "{provider}");
            assert!(home.left_over().is_empty());
        }
        let home = Home::new();
        let mut child = home.run(provider, &["--grace", "50ms", "sh", "-c", STUBBORN]).spawn().unwrap();
        let _stdout = read_until(&mut child, "ready");
        signal(child.id(), Signal::TERM);
        assert_eq!(status(child).code(), Some(137), "{provider}");
    }
}

#[test]
fn json_says_who_ended_it() {
    for provider in providers() {
        let (home, shared) = (Home::new(), tempfile::tempdir().unwrap());
        let place = shared.path().to_str().unwrap();
        let mut command = home.run(provider, &["--output", "json"]);
        if *provider != "host" {
            // The bare host has no mounts, and its commands see the directory anyway.
            command.args(["--mount", &format!("{place}:{place}")]);
        }
        let ready = shared.path().join("ready");
        pipe_for_all(&ready);
        // Input only comes once isobox waits for the command and answers signals by stopping it.
        let script = format!("trap 'exit 3' TERM; read go; echo there > {place}/ready; while :; do sleep 0.02; done");
        let mut child = command.args(["sh", "-c", &script]).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.as_mut().unwrap().write_all(b"go\n").unwrap();
        let pid = child.id();
        let there = common::within(pid, move || std::fs::read_to_string(ready).unwrap());
        assert_eq!(there, "there\n");
        signal(pid, Signal::INT);
        let output = end(child);
        assert_eq!(output.status.code(), Some(130));
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&object["exit_code"], &object["termination"]), (&3.into(), &"cancelled".into()));
    }
}

/// A named pipe that others may use: the sandbox of root runs as another user.
fn pipe_for_all(path: &Path) {
    use rustix::fs::{CWD, FileType, Mode, chmod, mknodat};
    let mode = Mode::from_raw_mode(0o666);
    mknodat(CWD, path, FileType::Fifo, mode, 0).unwrap();
    chmod(path, mode).unwrap();
    chmod(path.parent().unwrap(), Mode::from_raw_mode(0o755)).unwrap();
}

#[test]
fn a_signal_that_was_ignored_before_stays_ignored() {
    for provider in providers() {
        let home = Home::new();
        let inner = home.run(provider, &["sh", "-c", "echo ready; read line; echo $line"]);
        let mut outer = std::process::Command::new("sh");
        outer.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]).arg(inner.get_program()).args(inner.get_args());
        outer.env_clear().envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let mut child = outer.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stdout = read_until(&mut child, "ready");
        signal(child.id(), Signal::HUP);
        child.stdin.as_mut().unwrap().write_all(b"still here\n").unwrap();
        assert_eq!(rest(stdout), "still here\n", "{provider}");
        assert!(status(child).success(), "{provider}");
    }
}

#[test]
fn two_runs_do_not_disturb_each_other() {
    for provider in providers() {
        let home = Home::new();
        let mut long = home.run(provider, &["sh", "-c", POLITE]).spawn().unwrap();
        let stdout = read_until(&mut long, "ready");
        assert!(finish(home.run(provider, &["true"])).status.success(), "{provider}");
        signal(long.id(), Signal::INT);
        assert_eq!(rest(stdout), "bye\n", "{provider}");
        assert_eq!(status(long).code(), Some(130), "{provider}");
    }
}
