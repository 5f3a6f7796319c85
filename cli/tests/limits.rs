//! `isobox limits`, and what it does to who makes sandboxes.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::{Home, finish, text};

#[test]
fn limits_are_shown_changed_and_kept() {
    let home = Home::new();
    let limits = |arguments: &[&str]| {
        let output = finish(home.isobox([&["limits", "--output", "json"], arguments].concat()));
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_str::<serde_json::Value>(&text(&output.stdout)).unwrap()
    };
    let before = limits(&[]);
    assert!(before["live_sandboxes"].is_null() && before["live"] == 0 && before["waiting"] == 0, "{before}");
    limits(&["--live-sandboxes", "3", "--queue-wait", "500ms"]);
    let after = limits(&[]);
    assert_eq!((&after["live_sandboxes"], &after["queue_wait_ms"]), (&3.into(), &500.into()), "{after}");
    assert_eq!(after["concurrent_creates"], before["concurrent_creates"]);
    assert!(limits(&["--live-sandboxes", "none"])["live_sandboxes"].is_null());

    let refused = finish(home.isobox(["limits", "--concurrent-creates", "0"]));
    assert!(text(&refused.stderr).contains("limits.concurrent_creates must be 1 to"), "{}", text(&refused.stderr));
    let table = text(&finish(home.isobox(["limits"])).stdout);
    assert!(table.starts_with("LIMIT") && table.contains("live sandboxes"), "{table}");
}
