//! Bytes go in and out as they are.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Home, end, finish, providers, read_until, text};
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

/// Runs with this on stdin.
fn feed(mut command: Command, input: Vec<u8>) -> Output {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = end(child);
    writer.join().unwrap().unwrap();
    output
}

/// Every byte value, in an order that no text has.
fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|index| (index.wrapping_mul(7) ^ (index >> 8) ^ (index >> 16)) as u8).collect()
}

#[test]
fn every_byte_passes_through_both_streams() {
    for provider in providers() {
        let home = Home::new();
        let input = bytes(100_000);
        let output = feed(home.run(provider, &["sh", "-c", "tee /dev/stderr"]), input.clone());
        assert!(output.status.success(), "{provider}");
        assert!(output.stdout == input && output.stderr == input, "{provider}");
    }
}

#[test]
fn fifty_mebibytes_pass_through() {
    for provider in providers() {
        let home = Home::new();
        let input = bytes(50 << 20);
        let output = feed(home.run(provider, &["cat"]), input.clone());
        assert!(output.status.success() && output.stdout == input, "{provider}");
    }
}

#[test]
fn arguments_and_variables_are_bytes_too() {
    use std::os::unix::ffi::OsStrExt;
    for provider in providers() {
        let home = Home::new();
        let mut command = home.run(provider, &["-e", "OURS", "-e", "UNSET", "-e"]);
        command.arg(std::ffi::OsStr::from_bytes(b"WEIRD=\xff=1")).env("OURS", "passed on");
        command.args(["--", "sh", "-c", "printf '%s|' \"$OURS\" \"${UNSET-none}\" \"$WEIRD\" \"$1\"", "sh"]);
        command.arg(std::ffi::OsStr::from_bytes(b"\xfe$HOME"));
        assert_eq!(finish(command).stdout, b"passed on|none|\xff=1|\xfe$HOME|", "{provider}");
    }
}

#[test]
fn a_command_that_does_not_read_its_input_just_ends() {
    for provider in providers() {
        let home = Home::new();
        let mut child = home.run(provider, &["true"]).stdin(Stdio::piped()).spawn().unwrap();
        let stdin = child.stdin.take();
        assert!(end(child).status.success(), "{provider}");
        drop(stdin);
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_command_quietly() {
    for provider in providers() {
        let home = Home::new();
        let mut child = home.run(provider, &["sh", "-c", "trap '' TERM; yes"]).spawn().unwrap();
        drop(read_until(&mut child, "y"));
        let output = end(child);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(141), String::new()), "{provider}");

        let script = "echo y; read go; echo more; sleep 1000";
        let mut child = home.run(provider, &["sh", "-c", script]).stdin(Stdio::piped()).spawn().unwrap();
        drop(read_until(&mut child, "y"));
        child.stdin.as_mut().unwrap().write_all(b"go\n").unwrap();
        assert_eq!(end(child).status.code(), Some(141), "{provider}: its last words had no reader");
    }
}

#[test]
fn a_reader_that_stalls_does_not_keep_a_killed_command() {
    for provider in providers() {
        let home = Home::new();
        let mut child = home.run(provider, &["yes"]).spawn().unwrap();
        let stalled = read_until(&mut child, "y");
        let pid = child.id();
        common::signal(pid, rustix::process::Signal::INT);
        common::signal(pid, rustix::process::Signal::TERM);
        assert!([Some(130), Some(137)].contains(&common::status(child).code()), "{provider}");
        drop(stalled);
    }
}

#[test]
fn much_output_does_not_need_much_memory() {
    const LENGTH: u64 = 200 << 20;
    for provider in providers() {
        let home = Home::new();
        let script = format!("head -c {LENGTH} /dev/zero; read end");
        let mut child = home.run(provider, &["sh", "-c", &script]).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        assert_eq!(std::io::copy(&mut (&mut stdout).take(LENGTH), &mut std::io::sink()).unwrap(), LENGTH);
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let peak: u64 = peak.trim().strip_suffix(" kB").unwrap().parse().unwrap();
        assert!(peak < 64 << 10, "{provider}: {peak} KiB");
        drop(child.stdin.take());
        end(child);
    }
}

#[test]
fn json_has_everything_in_one_object() {
    for provider in providers() {
        let home = Home::new();
        let script = "cat; printf '\\377'; echo oops >&2; exit 3";
        let output = feed(home.run(provider, &["--output", "json", "sh", "-c", script]), b"in".to_vec());
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(3), String::new()));
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(object["stdout"], serde_json::json!({"base64": "aW7/"}));
        assert_eq!(object["stderr"], "oops\n");
        assert_eq!((&object["exit_code"], &object["termination"]), (&3.into(), &"exited".into()));
        assert_eq!(object["provider"], *provider);
        assert!(object["duration_us"].as_u64().unwrap() > 0 && object["sandbox"].as_str().unwrap().starts_with("sbx_"));
    }
}

#[test]
fn json_of_a_failure_is_on_stderr() {
    for provider in providers() {
        let home = Home::new();
        let output = finish(home.run(provider, &["--output", "json", "no-such-program"]));
        assert_eq!((output.status.code(), output.stdout.len()), (Some(127), 0));
        let object: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
        assert_eq!(object["error"]["kind"], "not_found");
        assert_eq!(object["error"]["provider"], *provider);
        assert_eq!(object["error"]["operation"], "exec.spawn");
    }
}

#[test]
fn id_leaves_stdout_to_the_id() {
    for provider in providers() {
        let home = Home::new();
        let output = finish(home.run(provider, &["--output", "id", "sh", "-c", "echo out"]));
        let id = text(&output.stdout);
        assert!(id.starts_with("sbx_") && id.ends_with('\n') && id.lines().count() == 1, "{id}");
        assert_eq!(text(&output.stderr), "out\n");
    }
}
