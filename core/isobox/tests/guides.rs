//! The Rust code of the guides, run. It is here word for word, which the tests check.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::on_each_provider;
use isobox::{Error, Sandbox};
use std::time::Duration;

/// Every block of Rust code of a page is in this file.
fn is_here(page: &str) {
    let blocks: Vec<&str> = page.split("```rust\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect();
    assert!(!blocks.is_empty(), "the page has no code");
    for block in blocks {
        assert!(include_str!("guides.rs").contains(block), "a page and this test differ; copy from there:\n{block}");
    }
}

#[tokio::test]
async fn sessions() {
    is_here(include_str!("../../../docs/guide/sessions.md"));
    on_each_provider(async |_, sandbox| session_code(&sandbox).await.unwrap()).await;
}

#[rustfmt::skip]
async fn session_code(sandbox: &Sandbox) -> Result<(), Error> {
let session = sandbox.session().await?;
session.run("cd /usr && greeting=hello").await?;

let result = session.run("echo $greeting from $PWD; false").await?;
assert_eq!((result.text().as_ref(), result.exit_code), ("hello from /usr\n", Some(1)));

let result = session.run("sleep 1000").timeout(Duration::from_millis(200)).await?;
assert!(result.timed_out && !result.closed);                            // interrupted, and the shell is still there
assert_eq!(session.run("echo $greeting").await?.text(), "hello\n");

let result = session.run("exit 3").await?;
assert!(result.closed && result.exit_code == Some(3));                  // the shell has ended with it
    Ok(())
}
