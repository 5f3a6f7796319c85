//! `isobox doctor` as people and programs call it.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::Home;
use std::process::Output;

fn doctor(home: &Home, arguments: &[&str]) -> Output {
    let mut command = home.isobox(["doctor"].iter().chain(arguments));
    // Whether there is an engine on this machine decides nothing here.
    command.env("DOCKER_HOST", home.path().join("no.sock"));
    common::finish(command)
}

#[test]
fn the_exit_code_is_the_state_of_the_provider_that_was_named() {
    let home = Home::new();
    assert_eq!(doctor(&home, &["--provider", "host"]).status.code(), Some(0));
    assert_eq!(doctor(&home, &["--provider", "docker"]).status.code(), Some(1));
    let unknown = doctor(&home, &["--provider", "nonsense"]);
    assert_eq!(unknown.status.code(), Some(125));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("docker"));
}

#[test]
fn both_forms_say_the_same() {
    let home = Home::new();
    let json = doctor(&home, &["--output", "json"]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let text = doctor(&home, &[]);
    assert_eq!(text.status.code(), json.status.code());
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains(value["facts"]["kernel"]["release"].as_str().unwrap()), "{text}");
    for provider in value["providers"].as_array().unwrap() {
        let state = match (provider["built_in"].as_bool().unwrap(), provider["works"].as_bool().unwrap()) {
            (false, _) => "not built in",
            (true, true) => "works",
            (true, false) => "does not work",
        };
        let line = format!("{}: {state}", provider["kind"].as_str().unwrap());
        assert!(text.lines().any(|told| told.starts_with(&line)), "{line} is not in:\n{text}");
    }
    if !text.contains("namespace: works") {
        println!("skipped: namespace sandboxes do not work here, so nothing is said of their disks");
        return;
    }
    for way in value["facts"]["disk"].as_array().unwrap() {
        let backing = way["backing"].as_str().unwrap();
        let refused = text.contains(&format!("    not by {backing}: "));
        let offered = text.lines().any(|line| line.starts_with("  disk by: ") && line.contains(backing));
        assert_eq!((refused, offered), (!way["obstacle"].is_null(), way["obstacle"].is_null()), "{backing}:\n{text}");
    }
}

#[test]
fn a_directory_that_cannot_be_used_is_told_and_fails() {
    let (home, place) = (Home::new(), tempfile::NamedTempFile::new().unwrap());
    let mut command = home.isobox(["doctor"]);
    command.env("ISOBOX_HOME", place.path().join("home"));
    let told = common::finish(command);
    assert_eq!(told.status.code(), Some(1));
    let text = String::from_utf8(told.stdout).unwrap();
    assert!(text.contains("blocks: ") && text.contains("fix: set ISOBOX_HOME"), "{text}");
}
