//! Running the command about images: what it printed, or what it said when it failed.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]

use crate::common::{Home, finish, text};
use serde_json::Value;

/// What it prints when it succeeds.
pub fn runs(home: &Home, arguments: &[&str]) -> String {
    let output = finish(home.isobox(arguments));
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// What it says when it fails: with isobox's own exit code, and nothing on stdout.
pub fn fails(home: &Home, arguments: &[&str]) -> String {
    let output = finish(home.isobox(arguments));
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(125), ""), "{arguments:?}");
    text(&output.stderr)
}

/// What it prints as JSON.
pub fn json(home: &Home, arguments: &[&str]) -> Value {
    serde_json::from_str(&runs(home, &[arguments, &["--output", "json"]].concat())).unwrap()
}

/// The outcome of `run` as JSON.
pub fn outcome(home: &Home, arguments: &[&str]) -> Value {
    serde_json::from_str(&runs(home, &[&["run", "--output", "json"], arguments].concat())).unwrap()
}

/// The table of `image ls`, by words.
pub fn table(home: &Home) -> Vec<Vec<String>> {
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    runs(home, &["image", "ls"]).lines().map(words).collect()
}
