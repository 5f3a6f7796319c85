//! Volumes and snapshots: what is left of a sandbox on purpose.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and talks to whoever runs it")]

mod common;
#[path = "common/sandboxes.rs"]
mod sandboxes;

use common::{Home, finish, providers, text};
use sandboxes::{Made, json, refuses, says};

/// Only sandboxes of this provider have them.
fn works() -> bool {
    let works = providers().contains(&"namespace");
    if !works {
        eprintln!("skipped: sandboxes of namespaces do not work here");
    }
    works
}

#[test]
fn a_volume_outlives_its_sandboxes_and_is_not_removed_under_one() {
    if !works() {
        return;
    }
    let home = Home::new();
    let volume = json(&home, &["volume", "create", "cache", "--label", "a=b", "--output", "json"]);
    assert_eq!(
        (&volume["name"], &volume["state"], &volume["labels"]["a"]),
        (&"cache".into(), &"ready".into(), &"b".into())
    );
    let run =
        |script: &str| says(&home, &["run", "--provider", "namespace", "--volume", "cache:/cache", "sh", "-c", script]);
    run("echo one > /cache/file");
    assert_eq!(run("cat /cache/file"), "one\n");
    let made = Made::new(&home, "namespace", &["--volume", "cache:/cache:ro", "--name", "reader"]);
    let refused = finish(home.isobox(["exec", "reader", "sh", "-c", "echo two > /cache/file"]));
    assert!(text(&refused.stderr).contains("Read-only file system"), "{}", text(&refused.stderr));
    let inspected = json(&home, &["volume", "inspect", "cache", "--output", "json"]);
    assert_eq!((&inspected[0]["attached"], &inspected[0]["used_by"][0]), (&1.into(), &made.id.as_str().into()));
    assert!(says(&home, &["volume", "ls"]).contains("cache"));
    let refused = refuses(&home, &["volume", "rm", "cache"]);
    assert!(refused.contains(&made.id), "{refused}");
    assert!(refuses(&home, &["volume", "create", "cache"]).contains("cache"));
    says(&home, &["volume", "create", "cache", "--get"]);
    drop(made);
    says(&home, &["volume", "create", "other"]);
    assert_eq!(says(&home, &["volume", "rm", "cache"]), "cache\n");
    let pruned = json(&home, &["volume", "prune", "--output", "json"]);
    assert_eq!(pruned["names"], serde_json::json!(["other"]));
    assert_eq!(says(&home, &["volume", "ls", "-q"]), "");
}

#[test]
fn a_snapshot_is_a_beginning_for_others() {
    if !works() {
        return;
    }
    let home = Home::new();
    let made = Made::new(&home, "namespace", &[]);
    made.sh("echo prepared > /root/state");
    let taken = json(&home, &["snapshot", "create", &made.id, "--name", "base", "--label", "a=b", "--output", "json"]);
    assert_eq!((&taken["name"], &taken["labels"]["a"]), (&"base".into(), &"b".into()), "{taken}");
    made.sh("echo changed > /root/state");
    let run = ["run", "--provider", "namespace", "--snapshot", "base", "cat", "/root/state"];
    assert_eq!(says(&home, &run), "prepared\n");
    assert!(says(&home, &["snapshot", "ls"]).contains("base"));
    assert_eq!(json(&home, &["snapshot", "inspect", "base", "--output", "json"])[0]["name"], "base");
    assert_eq!(says(&home, &["snapshot", "rm", "base"]), "base\n");
    let refused = refuses(&home, &["snapshot", "inspect", "base"]);
    assert!(refused.contains("there is no snapshot base"), "{refused}");
    let refused = refuses(&home, &run);
    assert!(refused.contains("there is no snapshot base"), "{refused}");
}
