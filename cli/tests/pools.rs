//! Pools that one command serves and others take from.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::{Home, end, finish, providers, read_until, signal, status, text};
use rustix::process::Signal;
use serde_json::Value;
use std::process::Child;

/// What a command prints that succeeds.
fn prints(home: &Home, arguments: &[&str]) -> String {
    let output = finish(home.isobox(arguments));
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout).trim_end().to_owned()
}

fn json(home: &Home, arguments: &[&str]) -> Value {
    serde_json::from_str(&prints(home, &[arguments, &["--output", "json"]].concat())).unwrap()
}

/// What a command says that fails.
fn refused(home: &Home, arguments: &[&str]) -> String {
    let output = finish(home.isobox(arguments));
    assert_eq!((output.status.code(), output.stdout.len()), (Some(125), 0), "{arguments:?}");
    text(&output.stderr)
}

fn serves(home: &Home, provider: &str, flags: &[&str]) -> Child {
    let arguments = [&["pool", "serve", "build", "--provider", provider], flags].concat();
    let mut server = home.isobox(arguments).spawn().unwrap();
    drop(read_until(&mut server, "build"));
    server
}

#[test]
fn what_is_taken_is_there_for_everybody_and_outlives_the_pool() {
    for provider in providers() {
        let home = Home::new();
        let flags = ["-n", "2", "--min-ready", "2", "-e", "GREETING=hello", "-l", "team=blue"];
        let server = serves(&home, provider, &flags);
        let pools = json(&home, &["pool", "ls"]);
        assert_eq!(
            (&pools[0]["name"], &pools[0]["wanted"], &pools[0]["pid"]),
            (&"build".into(), &2.into(), &server.id().into())
        );
        assert_eq!((&pools[0]["ready"], &pools[0]["taken"], &pools[0]["error"]), (&2.into(), &0.into(), &Value::Null));
        assert_eq!(prints(&home, &["pool", "ls", "-q"]), "build");

        let id = prints(&home, &["pool", "take", "build", "--name", "mine", "-l", "run=7"]);
        assert_eq!(prints(&home, &["exec", "mine", "sh", "-c", "echo $GREETING"]), "hello", "{provider}");
        let taken = &json(&home, &["inspect", &id])[0];
        assert_eq!((&taken["labels"]["team"], &taken["labels"]["run"]), (&"blue".into(), &"7".into()));
        assert!(taken["detached"].as_bool().unwrap() && !taken["expires_at"].is_null(), "{taken}");
        assert!(refused(&home, &["pool", "take", "build", "--name", "mine"]).contains("already exists"));
        let other = json(&home, &["pool", "take", "build", "--ttl", "1h"]);
        assert_ne!(other["id"].as_str().unwrap(), id);
        assert_eq!(json(&home, &["pool", "ls"])[0]["taken"], 2);

        signal(server.id(), Signal::INT);
        assert_eq!(status(server).code(), Some(0), "{provider}");
        assert!(json(&home, &["pool", "ls"]).as_array().unwrap().is_empty());
        assert_eq!(home.left_over().len(), 2, "{provider}: what was ready is gone");
        assert_eq!(prints(&home, &["exec", "mine", "echo", "lives"]), "lives", "{provider}");
        prints(&home, &["rm", "--force", "mine", other["id"].as_str().unwrap()]);
    }
}

#[test]
fn stop_ends_what_another_command_serves() {
    let home = Home::new();
    let server = serves(&home, "host", &["-n", "2"]);
    let second = refused(&home, &["pool", "serve", "build", "--provider", "host"]);
    assert!(second.contains(&format!("process {} keeps a pool named build", server.id())), "{second}");
    assert_eq!(prints(&home, &["pool", "stop", "build"]), "build");
    let ended = end(server);
    assert!(ended.status.success() && text(&ended.stderr).contains("another process has ended the pool build"));
    assert!(home.left_over().is_empty());
    for arguments in [["pool", "stop", "build"], ["pool", "take", "build"]] {
        assert!(refused(&home, &arguments).contains("isobox pool serve build"));
    }
}

#[test]
fn a_server_that_is_killed_takes_what_is_ready_along() {
    let home = Home::new();
    let server = serves(&home, "host", &["-n", "2", "--min-ready", "2"]);
    let id = prints(&home, &["pool", "take", "build"]);
    signal(server.id(), Signal::KILL);
    status(server);
    assert!(refused(&home, &["pool", "take", "build"]).contains("no process keeps a pool named build"));
    prints(&home, &["gc"]);
    assert_eq!(prints(&home, &["exec", &id, "echo", "lives"]), "lives");
    prints(&home, &["rm", &id]);
}

#[test]
fn what_cannot_be_served_is_said_at_once() {
    let home = Home::new();
    let named = refused(&home, &["pool", "serve", "build", "--provider", "host", "--name", "mine"]);
    assert!(named.contains("--name is for one sandbox, say it to isobox pool take"), "{named}");
    let none = refused(&home, &["pool", "serve", "build", "--provider", "host", "-n", "0"]);
    assert!(none.contains("pool.size must be 1 to"), "{none}");
    let bad = refused(&home, &["pool", "serve", "-", "--provider", "host"]);
    assert!(bad.contains("name must be 1 to 128 letters"), "{bad}");
    let broken = refused(&home, &["pool", "serve", "build", "--provider", "host", "--workspace", "/not/there"]);
    assert!(broken.contains("/not/there"), "{broken}");
    assert!(json(&home, &["pool", "ls"]).as_array().unwrap().is_empty());
}
