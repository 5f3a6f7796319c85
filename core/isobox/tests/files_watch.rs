//! Being told what changes.
#![allow(missing_docs, unreachable_pub, clippy::print_stderr, clippy::unwrap_used)]

mod common;
mod local;

use isobox::FileChangeKind::{Attributes, Created, Modified, Removed, Renamed};
use isobox::{FileChange, FileChangeKind, Watch};
use local::on_each_workspace;
use std::time::Duration;

async fn next(watch: &mut Box<dyn Watch>) -> Option<FileChange> {
    tokio::time::timeout(Duration::from_secs(10), watch.next()).await.expect("no change came").unwrap()
}

/// Waits for a change of this kind, passing over others.
async fn expect(watch: &mut Box<dyn Watch>, kind: FileChangeKind, path: &str) -> FileChange {
    loop {
        let change = next(watch).await.expect("the watch ended");
        if change.kind == kind && change.path.as_bytes() == path.as_bytes() {
            return change;
        }
    }
}

#[tokio::test]
async fn each_change_is_told_in_order() {
    on_each_workspace(async |_, sandbox| {
        sandbox.shell("mkdir dir away; touch dir/old").await.unwrap();
        let mut watch = sandbox.files().watch("dir").await.unwrap();
        sandbox.shell("touch dir/new; echo x > dir/new; chmod 600 dir/new; mv dir/new dir/other").await.unwrap();
        for kind in [Created, Modified, Attributes] {
            expect(&mut watch, kind, "new").await;
        }
        let renamed = expect(&mut watch, Renamed, "new").await;
        assert_eq!(renamed.renamed_to.unwrap().as_bytes(), b"other");
        sandbox.shell("mv dir/other away; mv away/other dir/back; rm dir/back dir/old").await.unwrap();
        expect(&mut watch, Removed, "other").await;
        expect(&mut watch, Created, "back").await;
        expect(&mut watch, Removed, "back").await;
        expect(&mut watch, Removed, "old").await;
    })
    .await;
}

#[tokio::test]
async fn a_recursive_watch_sees_directories_that_are_new() {
    on_each_workspace(async |_, sandbox| {
        sandbox.shell("mkdir -p dir/was/here").await.unwrap();
        let mut watch = sandbox.files().watch_all("dir").await.unwrap();
        sandbox.shell("touch dir/was/here/a; mkdir -p dir/x/y/z; touch dir/x/y/z/file").await.unwrap();
        expect(&mut watch, Created, "was/here/a").await;
        expect(&mut watch, Created, "x").await;
        expect(&mut watch, Created, "x/y/z/file").await;
        sandbox.shell("rm -r dir/x").await.unwrap();
        expect(&mut watch, Removed, "x").await;
        // One that is not recursive sees its own children only.
        let mut flat = sandbox.files().watch("dir").await.unwrap();
        sandbox.shell("touch dir/was/unseen dir/seen").await.unwrap();
        loop {
            let change = next(&mut flat).await.unwrap();
            assert!(!change.path.as_bytes().starts_with(b"was/"), "{change:?}");
            if change.path.as_bytes() == b"seen" {
                break;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_directory_that_moves_in_a_recursive_watch_keeps_its_right_name() {
    on_each_workspace(async |_, sandbox| {
        sandbox.shell("mkdir -p dir/a/inner").await.unwrap();
        let mut watch = sandbox.files().watch_all("dir").await.unwrap();
        sandbox.shell("mv dir/a dir/b").await.unwrap();
        let renamed = expect(&mut watch, Renamed, "a").await;
        assert_eq!(renamed.renamed_to.unwrap().as_bytes(), b"b");
        sandbox.shell("touch dir/b/inner/file dir/b/file").await.unwrap();
        expect(&mut watch, Created, "b/inner/file").await;
        expect(&mut watch, Created, "b/file").await;
        // Out of sight is out of mind.
        sandbox.shell("mv dir/b away; touch away/unseen dir/seen").await.unwrap();
        expect(&mut watch, Removed, "b").await;
        loop {
            let change = next(&mut watch).await.unwrap();
            assert!(!change.path.as_bytes().ends_with(b"unseen"), "{change:?}");
            if change.path.as_bytes() == b"seen" {
                break;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_watch_ends_with_what_it_watches() {
    on_each_workspace(async |_, sandbox| {
        sandbox.shell("mkdir dir; touch file").await.unwrap();
        let mut directory = sandbox.files().watch("dir").await.unwrap();
        let mut file = sandbox.files().watch("file").await.unwrap();
        sandbox.shell("echo x > file").await.unwrap();
        expect(&mut file, Modified, "").await;
        sandbox.shell("rmdir dir; rm file").await.unwrap();
        for watch in [&mut directory, &mut file] {
            expect(watch, Removed, "").await;
            while let Some(change) = next(watch).await {
                assert_eq!(change.path.as_bytes(), b"");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_watch_that_is_dropped_is_given_back() {
    on_each_workspace(async |_, sandbox| {
        sandbox.files().mkdir("dir").await.unwrap();
        // Far more than a user may have instances of inotify (128) if they were not given back.
        for _ in 0..150 {
            drop(sandbox.files().watch("dir").await.unwrap());
        }
        let mut watch = sandbox.files().watch("dir").await.unwrap();
        sandbox.files().write("dir/file", "x").await.unwrap();
        expect(&mut watch, Created, "file").await;
    })
    .await;
}
