//! The README's Rust code, run. It is here word for word, which the test checks.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

use std::fs;

#[tokio::test]
async fn the_code_in_the_readme_works() {
    assert!(in_this_file(&code_of_the_readme()), "README.md and this test differ; copy the code from there");
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("project")).unwrap();
    std::env::set_current_dir(directory.path()).unwrap();
    quick_start().await.unwrap();
}

#[rustfmt::skip]
async fn quick_start() -> Result<(), isobox::Error> {
use isobox::{Isobox, Mount};
use std::time::Duration;

let isobox = Isobox::open().await?;
let sandbox = isobox.sandbox().create().await?;

let result = sandbox.exec(["python3", "-c", "print(6*7)"]).await?;      // a list: no shell
assert_eq!(result.stdout.text(), "42\n");

let result = sandbox.shell("sleep 1000 & sleep 1000").timeout(Duration::from_secs(1)).await?;
assert!(result.timed_out);                                              // and neither sleep runs any more

sandbox.files().write("notes.txt", "remember").await?;
assert_eq!(sandbox.files().read_text("notes.txt").await?, "remember");
sandbox.delete().await?;

let sandbox = isobox
    .sandbox()
    .mount(Mount::bind("./project", "/src").read_only())
    .workdir("/src")
    .env("LANG", "C.UTF-8")
    .ttl(Duration::from_secs(600))
    .create()
    .await?;
let process = sandbox.command(["cat"]).stdin_stream().spawn().await?;   // a command to talk to
process.write("ping\n").await?;
process.close_stdin().await?;
assert_eq!(process.wait().await?.stdout.text(), "ping\n");
    Ok(())
}

fn code_of_the_readme() -> String {
    let readme = include_str!("../../../README.md");
    let (_, rest) = readme.split_once("```rust\n").expect("the README has Rust code");
    rest.split_once("```").expect("its block ends").0.to_owned()
}

fn in_this_file(code: &str) -> bool {
    include_str!("readme.rs").contains(code)
}
