//! Sandboxes that outlive the command that made them.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]

use crate::common::{Home, finish, text};
use serde_json::Value;

/// What a command prints when it succeeds.
pub fn says(home: &Home, arguments: &[&str]) -> String {
    let output = finish(home.isobox(arguments));
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// What it says when it fails: with isobox's own exit code.
pub fn refuses(home: &Home, arguments: &[&str]) -> String {
    let output = finish(home.isobox(arguments));
    assert_eq!(output.status.code(), Some(125), "{arguments:?}: {}", text(&output.stdout));
    text(&output.stderr)
}

/// What it prints as JSON.
pub fn json(home: &Home, arguments: &[&str]) -> Value {
    serde_json::from_str(&says(home, arguments)).unwrap()
}

/// The lines of JSON that it prints.
pub fn lines(home: &Home, arguments: &[&str]) -> Vec<Value> {
    says(home, arguments).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A sandbox, removed with everything in it when this is dropped.
pub struct Made<'h> {
    pub id: String,
    home: &'h Home,
}

impl<'h> Made<'h> {
    pub fn new(home: &'h Home, provider: &str, flags: &[&str]) -> Self {
        let made = says(home, &[&["create", "--provider", provider], flags].concat());
        Self { id: made.trim_end().to_owned(), home }
    }

    /// What a script in it prints.
    pub fn sh(&self, script: &str) -> String {
        says(self.home, &["exec", &self.id, "sh", "-c", script])
    }

    /// Starts a script that goes on by itself, and gives its id.
    pub fn background(&self, script: &str) -> String {
        says(self.home, &["exec", "-d", &self.id, "sh", "-c", script]).trim_end().to_owned()
    }
}

impl Drop for Made<'_> {
    fn drop(&mut self) {
        let removed = finish(self.home.isobox(["rm", "--force", &self.id]));
        assert!(removed.status.success() || std::thread::panicking(), "{}", text(&removed.stderr));
    }
}
