//! To whom new files belong, and with which modes.
#![allow(missing_docs, unreachable_pub, clippy::print_stderr, clippy::unwrap_used)]

mod common;
mod local;

use common::Lab;
use isobox::{ErrorCode, Sandbox, UploadOptions, WriteOptions};
use local::{is_root, on_each_workspace, script};

/// Owners and modes of everything below a directory.
async fn owners(sandbox: &Sandbox, at: &str) -> String {
    let seen = sandbox.shell(format!("cd {at} && find . -mindepth 1 -printf '%U:%G %m %P\\n' | sort -k3")).user("0");
    seen.await.unwrap().stdout.text().into_owned()
}

fn owned_by(owner: &str) -> WriteOptions {
    WriteOptions { owner: Some(owner.to_owned()), ..WriteOptions::default() }
}

/// A sandbox whose commands run as nobody, who may write in `/tmp`.
async fn nobodys(lab: &Lab) -> Option<Sandbox> {
    if !is_root() {
        eprintln!("cannot run: only root can make a sandbox with another user in it");
        return None;
    }
    Some(lab.isobox.sandbox().provider("namespace").user("nobody").workdir("/tmp").create().await.unwrap())
}

#[tokio::test]
async fn what_is_made_belongs_to_the_user_that_commands_run_as() {
    let lab = Lab::open().await;
    let Some(sandbox) = nobodys(&lab).await else { return };
    let files = sandbox.files();
    let place = tempfile::tempdir().unwrap();
    script(place.path(), "mkdir sub; echo x > sub/file; chmod 640 sub/file; ln -s file sub/link");
    files.write("t/a/file", "x").await.unwrap();
    files.write_with("t/atomic", "x", WriteOptions { atomic: true, ..WriteOptions::default() }).await.unwrap();
    files.append("t/log", "x").await.unwrap();
    files.mkdir("t/b/c").await.unwrap();
    files.symlink("x", "t/soft").await.unwrap();
    files.copy("t/a", "t/copy").await.unwrap();
    files.upload(place.path(), "t/up").await.unwrap();
    files.upload(place.path().join("sub/file"), "t/single").await.unwrap();
    let seen = owners(&sandbox, "/tmp/t").await;
    assert!(!seen.is_empty() && seen.lines().all(|line| line.starts_with("65534:65534 ")), "{seen}");
    // What commands make and what the library makes can be changed by both.
    assert!(sandbox.shell("echo more >> t/a/file && rm -r t/up t/b && chmod 600 t/log").await.unwrap().success());
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn another_owner_gets_the_file_and_the_directories_on_the_way() {
    let lab = Lab::open().await;
    let Some(sandbox) = nobodys(&lab).await else { return };
    let files = sandbox.files();
    let place = tempfile::tempdir().unwrap();
    script(place.path(), "umask 022; chmod 755 .; mkdir sub; echo x > sub/file; ln -s file sub/link");
    files.mkdir("t").await.unwrap();
    files.write_with("t/a/b/file", "x", owned_by("12:34")).await.unwrap();
    files
        .write_with("t/exact", "x", WriteOptions { mode: Some(0o600), atomic: true, ..owned_by("root") })
        .await
        .unwrap();
    files.mkdir_with("t/c/d", WriteOptions { mode: Some(0o750), ..owned_by("12") }).await.unwrap();
    let options = UploadOptions { owner: Some("0:0".to_owned()), ..UploadOptions::default() };
    files.upload_with(place.path(), "t/up/to", options.clone()).await.unwrap();
    files.upload_with(place.path().join("sub/file"), "t/one", options).await.unwrap();
    let group = sandbox.shell("stat -c %g t/c").await.unwrap().stdout.text().trim().to_owned();
    let expected = format!(
        "12:34 755 a\n12:34 755 a/b\n12:34 644 a/b/file\n12:{group} 755 c\n12:{group} 750 c/d\n0:0 600 exact\n0:0 644 one\n\
         0:0 755 up\n0:0 755 up/to\n0:0 755 up/to/sub\n0:0 644 up/to/sub/file\n0:0 777 up/to/sub/link\n"
    );
    assert_eq!(owners(&sandbox, "/tmp/t").await, expected);
    let error = files.write_with("t/x", "x", owned_by("no-such-user")).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}");
    assert!(!files.exists("t/x").await.unwrap());
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn modes_are_the_same_whatever_the_mask_of_this_process() {
    // The mask is the whole process's, so this runs in one of its own.
    const MARK: &str = "ISOBOX_TEST_MASKED";
    if std::env::var_os(MARK).is_none() {
        let test = std::env::current_exe().unwrap();
        let run = "umask 077; exec \"$0\" --exact modes_are_the_same_whatever_the_mask_of_this_process --nocapture";
        let done = std::process::Command::new("sh").args(["-c", run]).arg(test).env(MARK, "1").output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        return;
    }
    on_each_workspace(async |provider, sandbox| {
        let files = sandbox.files();
        let place = tempfile::tempdir().unwrap();
        script(
            place.path(),
            "umask 0; mkdir tree tree/sub; echo x > tree/sub/file; chmod 664 tree/sub/file; chmod 775 tree/sub tree",
        );
        files.write("a/file", "x").await.unwrap();
        files.write_with("a/atomic", "x", WriteOptions { atomic: true, ..WriteOptions::default() }).await.unwrap();
        files.mkdir("a/dir").await.unwrap();
        files.upload(place.path().join("tree"), "a/up").await.unwrap();
        let seen = sandbox.shell("find a -printf '%m %P\\n' | sort -k2; umask").await.unwrap();
        let expected = "755 \n644 atomic\n755 dir\n644 file\n775 up\n775 up/sub\n664 up/sub/file\n0022\n";
        assert_eq!(seen.stdout.text(), expected, "on {provider}");
        files.download("a/up", place.path().join("down")).await.unwrap();
        files.download("a/up/sub/file", place.path().join("file")).await.unwrap();
        script(
            place.path(),
            "[ \"$(stat -c %a down/sub/file file down/sub down | tr '\\n' ' ')\" = '664 664 775 775 ' ]",
        );
    })
    .await;
}
