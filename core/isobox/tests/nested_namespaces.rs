//! User namespaces inside of a sandbox: off, unless the options ask for them.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::Lab;
use isobox::contract::{NamespaceOptions, ProviderOptions};

#[tokio::test]
async fn a_sandbox_makes_no_namespaces_unless_asked_for() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("namespace").await;
    if !sandbox.shell("command -v unshare").await.unwrap().success() {
        return eprintln!("skipped: there is no unshare");
    }
    for kind in ["--user", "--mount", "--pid --fork", "--net", "--user --map-root-user"] {
        let result = sandbox.shell(format!("unshare {kind} true")).await.unwrap();
        assert!(!result.success() && result.stderr.text().contains("not permitted"), "{kind}: {result:?}");
    }
    // Threads and processes are made as always.
    assert_eq!(sandbox.shell("(echo a | cat) & wait; echo b").await.unwrap().stdout.text(), "a\nb\n");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn nested_namespaces_have_mounts_of_their_own_and_change_nothing_outside() {
    let lab = Lab::open().await;
    let options =
        ProviderOptions::Namespace(NamespaceOptions { nested_user_namespaces: true, ..NamespaceOptions::default() });
    let sandbox = lab.isobox.sandbox().provider("namespace").options(options).create().await.unwrap();
    if !sandbox.shell("command -v unshare").await.unwrap().success() {
        return eprintln!("skipped: there is no unshare");
    }
    let script = "unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none /mnt && echo x > /mnt/x && ls /mnt; \
                  umount /proc/sys 2>/dev/null; echo 1 > /proc/sys/vm/overcommit_memory' ; ls /mnt";
    let result = sandbox.shell(script).await.unwrap();
    assert_eq!(result.stdout.text(), "x\n");
    assert!(result.stderr.text().contains("Read-only"), "{}", result.stderr.text());
    sandbox.delete().await.unwrap();
}
