//! What a file operation says when it cannot be done.
#![allow(missing_docs, unreachable_pub, clippy::print_stderr, clippy::unwrap_used)]

mod common;
mod local;

use common::Lab;
use isobox::{ErrorCode, Fault, FileErrorKind, Files, Mount, WriteOptions};
use local::{file_detail, is_root, on_each_workspace, script};
use std::time::Duration;

/// Every operation on one path, by its name. Writes leave parents alone.
async fn all_operations(files: &Files, path: &str) -> Vec<(&'static str, isobox::Result<()>)> {
    let local = tempfile::tempdir().unwrap();
    let plain = WriteOptions { parents: false, ..WriteOptions::default() };
    let atomic = WriteOptions { atomic: true, ..plain.clone() };
    let below = format!("{path}/below");
    vec![
        ("read", files.read(path).await.map(drop)),
        ("read_stream", files.read_stream(path).await.map(drop)),
        ("stat", files.stat(path).await.map(drop)),
        ("stat_link", files.stat_link(path).await.map(drop)),
        ("list", files.list(path).await.map(drop)),
        ("read_link", files.read_link(path).await.map(drop)),
        ("watch", files.watch(path).await.map(drop)),
        ("watch_all", files.watch_all(path).await.map(drop)),
        ("rename", files.rename(path, "elsewhere").await),
        ("copy", files.copy(path, "elsewhere").await),
        ("chmod", files.chmod(path, 0o600).await),
        ("download", files.download(path, local.path().join("x")).await.map(drop)),
        ("write", files.write_with(&*below, "x", plain.clone()).await),
        ("write atomic", files.write_with(&*below, "x", atomic).await),
        ("write_stream", files.write_stream_with(&*below, &b"x"[..], plain.clone()).await.map(drop)),
        ("mkdir", files.mkdir_with(&*below, plain).await),
        ("symlink", files.symlink("text", &*below).await),
    ]
}

#[tokio::test]
async fn a_missing_file_is_not_found_in_every_operation() {
    on_each_workspace(async |provider, sandbox| {
        let files = sandbox.files();
        for missing in ["missing", "also/missing"] {
            for (operation, result) in all_operations(&files, missing).await {
                let error = result.expect_err(operation);
                assert_eq!(error.code(), ErrorCode::NotFound, "{operation} on {provider}: {error}");
                let (path, kind) = file_detail(&error);
                assert_eq!(kind, FileErrorKind::NotFound, "{operation}");
                assert!(path == missing || path == format!("{missing}/below"), "{operation} names {path}");
                assert_eq!(error.fault(), Fault::Caller, "{operation}");
            }
        }
        if is_root() {
            let error = files.chown("missing", "0").await.unwrap_err();
            assert_eq!(file_detail(&error), ("missing".to_owned(), FileErrorKind::NotFound));
        }
        assert!(!files.exists("missing").await.unwrap());
        files.remove("missing").await.unwrap();
        files.remove_all("also/missing").await.unwrap();
        assert!(files.list(".").await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn each_kind_of_failure_has_its_name() {
    on_each_workspace(async |provider, sandbox| {
        let files = sandbox.files();
        let made = "mkdir dir full; touch file full/inner; ln -s loop loop; ln -s dir dirlink";
        assert!(sandbox.shell(made).await.unwrap().success());
        let long = "n".repeat(300);
        let atomic = WriteOptions { atomic: true, ..WriteOptions::default() };
        use FileErrorKind::*;
        let cases = [
            ("read a directory", files.read("dir").await.map(drop), "dir", IsADirectory),
            ("write a directory", files.write("dir", "x").await, "dir", IsADirectory),
            ("write a directory atomically", files.write_with("dir", "x", atomic.clone()).await, "dir", IsADirectory),
            ("append to a directory", files.append("dir", "x").await, "dir", IsADirectory),
            ("list a file", files.list("file").await.map(drop), "file", NotADirectory),
            ("read below a file", files.read("file/x").await.map(drop), "file/x", NotADirectory),
            ("make a directory on a file", files.mkdir("file").await, "file", AlreadyExists),
            ("make a link on a file", files.symlink("x", "file").await, "file", AlreadyExists),
            ("remove what is not empty", files.remove("full").await, "full", NotEmpty),
            ("rename on what is not empty", files.rename("dir", "full").await, "full", NotEmpty),
            ("read a loop", files.read("loop").await.map(drop), "loop", TooManyLinks),
            ("stat a loop", files.stat("loop").await.map(drop), "loop", TooManyLinks),
            ("read a long name", files.read(&*long).await.map(drop), &long, NameTooLong),
            ("write a long name", files.write(&*long, "x").await, &long, NameTooLong),
            ("read the text of a file", files.read_link("file").await.map(drop), "file", InvalidPath),
        ];
        for (what, result, path, kind) in cases {
            let error = result.expect_err(what);
            assert_eq!(file_detail(&error), (path.to_owned(), kind), "{what} on {provider}: {error}");
            assert_eq!(error.code(), kind.code(), "{what}");
        }
        let unchanged = sandbox.shell("find . | sort | tr '\\n' ' '").await.unwrap();
        assert_eq!(unchanged.stdout.text(), ". ./dir ./dirlink ./file ./full ./full/inner ./loop ");
    })
    .await;
}

#[tokio::test]
async fn a_path_that_can_name_nothing_is_refused() {
    on_each_workspace(async |provider, sandbox| {
        let files = sandbox.files();
        for path in ["", "nul\0byte"] {
            for (operation, result) in all_operations(&files, path).await {
                // The ones that put something below have `/below`, which is a path.
                if path.is_empty() && (operation.starts_with("write") || ["mkdir", "symlink"].contains(&operation)) {
                    continue;
                }
                let error = result.expect_err(operation);
                assert_eq!(error.code(), ErrorCode::InvalidSpec, "{operation} on {provider}: {error}");
                assert_eq!(error.fault(), Fault::Caller);
            }
        }
        files.mkdir("dir").await.unwrap();
        for result in [files.remove("..").await, files.remove_all("dir/..").await, files.copy("..", "x").await] {
            assert!(result.is_err(), "on {provider}");
        }
        assert_eq!(files.list_depth(".", 0).await.unwrap_err().code(), ErrorCode::InvalidSpec);
    })
    .await;
}

#[tokio::test]
async fn pipes_devices_and_sockets_are_refused_without_waiting() {
    on_each_workspace(async |provider, sandbox| {
        let files = sandbox.files();
        assert!(sandbox.shell("mkfifo fifo; ln -s fifo link").await.unwrap().success());
        let mut specials = vec!["fifo", "link", "/dev/null", "/dev/tty"];
        let bind = "import socket; socket.socket(socket.AF_UNIX).bind('socket')";
        match sandbox.shell(format!("python3 -c \"{bind}\"")).await.unwrap().success() {
            true => specials.push("socket"),
            false => eprintln!("cannot make a socket on {provider} without python3"),
        }
        for special in specials {
            let local = tempfile::tempdir().unwrap();
            let atomic = WriteOptions { atomic: true, ..WriteOptions::default() };
            let all = async {
                [
                    files.read(special).await.map(drop),
                    files.read_stream(special).await.map(drop),
                    files.write(special, "x").await,
                    files.write_with(special, "x", atomic).await,
                    files.append(special, "x").await,
                    files.download(special, local.path().join("x")).await.map(drop),
                ]
            };
            let results = tokio::time::timeout(Duration::from_secs(10), all).await.expect("waits for a pipe");
            for (number, result) in results.into_iter().enumerate() {
                let error = result.expect_err(special);
                assert_eq!(error.code(), ErrorCode::Io, "{special} {number} on {provider}: {error}");
                assert_eq!(file_detail(&error).0, special);
            }
            assert_eq!(files.stat(special).await.unwrap().kind, isobox::FileKind::Other);
        }
    })
    .await;
}

#[tokio::test]
async fn permissions_are_those_of_the_sandboxs_user() {
    if !is_root() {
        eprintln!("cannot run: only root can make a sandbox with another user in it");
        return;
    }
    let lab = Lab::open().await;
    // The user has to get into the host provider's directory.
    script(lab.home(), "chmod 755 .");
    let sandbox = lab.isobox.sandbox().provider("namespace").user("nobody").workdir("/tmp").create().await.unwrap();
    let files = sandbox.files();
    let hidden = "mkdir /tmp/hidden && echo secret > /tmp/hidden/file && chmod 700 /tmp/hidden";
    assert!(sandbox.shell(hidden).user("0").await.unwrap().success());
    for (operation, result) in all_operations(&files, "/tmp/hidden/file").await {
        let error = result.expect_err(operation);
        assert_eq!(error.code(), ErrorCode::PermissionDenied, "{operation}: {error}");
        assert_eq!(file_detail(&error).1, FileErrorKind::PermissionDenied, "{operation}");
    }
    for result in [files.watch("/tmp/hidden").await.map(drop), files.list("/tmp/hidden").await.map(drop)] {
        assert_eq!(result.unwrap_err().code(), ErrorCode::PermissionDenied);
    }
    let error = files.write("/etc/made", "x").await.unwrap_err();
    assert!(matches!(file_detail(&error).1, FileErrorKind::PermissionDenied | FileErrorKind::ReadOnly));
    assert_eq!(error.code(), ErrorCode::PermissionDenied);
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn a_full_disk_is_told_and_leaves_the_old_file() {
    if !is_root() {
        eprintln!("cannot run: only root can mount a small filesystem");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    script(place.path(), "mkdir small; mount -t tmpfs -o size=1m,mode=777 none small");
    let lab = Lab::open().await;
    let mount = Mount::bind(place.path().join("small"), "/small");
    let sandbox = lab.isobox.sandbox().provider("namespace").mount(mount).create().await.unwrap();
    let files = sandbox.files();
    files.write("/small/file", "old").await.unwrap();
    let atomic = WriteOptions { atomic: true, ..WriteOptions::default() };
    let endless = tokio::io::repeat(7);
    // The source never ends: the refusal must not wait for it.
    let writing = files.write_stream_with("/small/file", endless, atomic);
    let error =
        tokio::time::timeout(Duration::from_secs(20), writing).await.expect("waits for the source").unwrap_err();
    assert_eq!(error.code(), ErrorCode::OutOfDisk, "{error}");
    assert_eq!(file_detail(&error), ("/small/file".to_owned(), FileErrorKind::NoSpace));
    assert_eq!(error.fault(), Fault::Program);
    assert_eq!(files.write("/small/new", vec![7; 2 << 20]).await.unwrap_err().code(), ErrorCode::OutOfDisk);
    script(place.path(), "mkdir tree; head -c 3000000 /dev/urandom > tree/big");
    let error = files.upload(place.path().join("tree"), "/small/tree").await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::OutOfDisk, "{error}");
    assert_eq!(file_detail(&error).0, "/small/tree/big");
    files.remove_all("/small/tree").await.unwrap();
    assert_eq!(sandbox.shell("cd /small; cat file; ls -A").await.unwrap().stdout.text(), "oldfile\n");
    sandbox.delete().await.unwrap();
    script(place.path(), "umount small");
}
