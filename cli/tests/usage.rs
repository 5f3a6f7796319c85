//! What a person reads: help, versions, and what is wrong with the flags.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Home, finish, text};
use std::path::PathBuf;

/// Set to write the golden files anew.
const BLESS: &str = "ISOBOX_BLESS";

/// Everything that has a page of help.
const VERBS: &[&str] = &[
    "run",
    "create",
    "exec",
    "shell",
    "ls",
    "inspect",
    "ps",
    "logs",
    "attach",
    "kill",
    "stop",
    "start",
    "pause",
    "resume",
    "rm",
    "cp",
    "fork",
    "port",
    "stats",
    "top",
    "events",
    "gc",
    "limits",
    "snapshot",
    "snapshot create",
    "snapshot export",
    "snapshot import",
    "volume",
    "volume create",
    "image",
    "pool",
    "pool serve",
    "pool take",
    "doctor",
    "conformance",
    "completions",
    "bench",
];

fn golden(name: &str, arguments: &[&str]) {
    let output = finish(Home::new().isobox(arguments));
    assert!(output.status.success() && output.stderr.is_empty());
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os(BLESS).is_some() {
        std::fs::write(&path, &output.stdout).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text(&output.stdout), expected, "the help changed; if that is right, run this test with {BLESS}=1");
}

/// What stderr says about a bad command line.
fn refused(arguments: &[&str]) -> String {
    let output = finish(Home::new().isobox(arguments));
    assert_eq!((output.status.code(), output.stdout.len()), (Some(125), 0), "{arguments:?}");
    text(&output.stderr)
}

#[test]
fn help_is_as_it_was() {
    golden("help.txt", &["--help"]);
    for verb in VERBS {
        let words: Vec<&str> = verb.split(' ').chain(["--help"]).collect();
        golden(&format!("{}.txt", verb.replace(' ', "_")), &words);
    }
}

#[test]
fn no_verb_is_without_its_help_here() {
    let help = text(&finish(Home::new().isobox(["--help"])).stdout);
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    for name in names.map(|line| line.split_whitespace().next().unwrap()).filter(|name| *name != "help") {
        assert!(VERBS.contains(&name), "add {name} to the verbs whose help is looked at");
    }
}

#[test]
fn the_version_is_one_line() {
    let output = finish(Home::new().isobox(["--version"]));
    assert_eq!(text(&output.stdout), format!("isobox {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_command_is_needed() {
    assert!(refused(&["run"]).contains("<COMMAND>..."));
    assert!(refused(&["run", "--"]).contains("<COMMAND>..."));
    let empty = refused(&["run", "--provider", "host", "--", ""]);
    assert_eq!(empty, "isobox: error: argv has an empty program name, it needs a program\n");
    assert!(refused(&[]).contains("Usage: isobox [OPTIONS] <COMMAND>"));
}

#[test]
fn a_bad_variable_is_refused_and_not_repeated() {
    let message = refused(&["run", "-e", "=hunter2", "true"]);
    assert_eq!(message, "isobox: error: --env has an empty name, give NAME=VALUE or NAME\n");
}

#[test]
fn bad_values_are_refused_with_what_was_expected() {
    let cases = [
        (["--mount", "/a"], "expected SRC:DST or SRC:DST:ro"),
        (["--mount", "/a:b"], "an absolute one of the sandbox"),
        (["--timeout", "10"], "expected a length of time such as 500ms, 10s, 2m or 1h30m"),
        (["--grace", "soon"], "expected a length of time such as"),
        (["--ttl", "0s"], "longer than nothing"),
        (["--memory", "much"], "expected a size such as 512m"),
        (["--network", "some"], "expected none, public or provider-default"),
        (["--label", "x"], "expected NAME=VALUE"),
        (["--output", "yaml"], "table, json, id"),
    ];
    for ([flag, value], expected) in cases {
        let message = refused(&["run", flag, value, "true"]);
        assert!(message.contains(expected) && message.contains(flag), "{message}");
    }
}

#[test]
fn what_is_not_there_is_refused_by_its_name() {
    let message = refused(&["run", "--rootfs", "/etc/passwd", "true"]);
    assert_eq!(message, "isobox: error: source.path /etc/passwd is not a directory, give one\n");
    let message = refused(&["run", "--rootfs", "/no/such", "true"]);
    assert!(message.starts_with("isobox: error: source.path /no/such is not there"), "{message}");
    let message = refused(&["run", "-v", "/no/such:/x", "true"]);
    assert!(message.starts_with("isobox: error: mounts.source.path /no/such is not there"), "{message}");
    let message = refused(&["run", "--provider", "nonsense", "true"]);
    assert_eq!(message, "isobox: error: there is no provider nonsense, use auto or one of namespace, docker, host\n");
    let message = refused(&["run", "-w", "relative", "true"]);
    assert_eq!(message, "isobox: error: workdir is relative, give an absolute path\n");
}

#[test]
fn what_a_provider_cannot_do_is_refused_by_its_dotted_name() {
    let message = refused(&["run", "--provider", "host", "--network", "none", "true"]);
    assert!(message.starts_with("isobox: error: network.none is not supported here"), "{message}");
    let message = refused(&["run", "--provider", "host", "-v", "/tmp:/x", "true"]);
    assert!(message.starts_with("isobox: error: mounts.bind is not supported here"), "{message}");
}

#[test]
fn flags_that_exclude_each_other() {
    assert!(refused(&["run", "--rootfs", "/", "--workspace", "/tmp", "true"]).contains("cannot be used with"));
    let message = refused(&["run", "-t", "--output", "id", "true"]);
    assert_eq!(message, "isobox: error: --tty has no place in other output, use --output table\n");
}

#[test]
fn json_is_for_programs_also_when_the_flags_are_wrong() {
    let message = refused(&["run", "--output", "json", "--timeout", "10", "true"]);
    let object: serde_json::Value = serde_json::from_str(&message).unwrap();
    assert_eq!(object["error"]["kind"], "invalid_spec");
    assert!(object["error"]["message"].as_str().unwrap().contains("--timeout"), "{message}");
}

#[test]
fn the_provider_may_come_from_the_environment() {
    let home = Home::new();
    let mut command = home.isobox(["run", "true"]);
    command.env("ISOBOX_PROVIDER", "nonsense");
    assert!(text(&finish(command).stderr).contains("there is no provider nonsense"));
}

#[test]
fn every_shell_has_completions() {
    for (shell, word) in [("bash", "_isobox()"), ("zsh", "#compdef isobox"), ("fish", "complete -c isobox")] {
        let output = finish(Home::new().isobox(["completions", shell]));
        assert!(output.status.success() && text(&output.stdout).contains(word), "{shell}");
    }
}
