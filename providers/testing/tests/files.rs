//! Files in memory: what a caller sees is what the contract says.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::Lab;
use isobox::{
    Detail, DownloadOptions, Error, ErrorCode, FileChangeKind, FileErrorKind, FileKind, Range, SandboxPath,
    UploadOptions, WriteOptions,
};
use isobox_testing::{Fault, FaultPlan, Operation, TestProvider};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

async fn sandbox() -> (Lab, isobox::Sandbox) {
    let lab = Lab::open(TestProvider::builder()).await;
    let sandbox = lab.sandbox().await;
    (lab, sandbox)
}

fn kind(error: &Error) -> FileErrorKind {
    match error.detail() {
        Detail::File { kind, .. } => *kind,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_is_written_is_read_in_whole_and_in_parts() {
    let (_lab, sandbox) = sandbox().await;
    let files = sandbox.files();
    files.write("a/b.bin", vec![0, 1, 2, 255]).await.unwrap();
    files.append("a/b.bin", "end").await.unwrap();
    assert_eq!(&files.read("/work/a/b.bin").await.unwrap()[..], b"\x00\x01\x02\xffend");
    let range = |offset, length| Range { offset, length };
    assert_eq!(&files.read_range("a/b.bin", range(4, Some(2)), 10).await.unwrap()[..], b"en");
    assert!(files.read_range("a/b.bin", range(100, None), 10).await.unwrap().is_empty());
    let large = files.read_range("a/b.bin", range(0, None), 3).await.unwrap_err();
    assert_eq!(large.code(), ErrorCode::LimitExceeded);
    let stat = files.stat("a/b.bin").await.unwrap();
    assert_eq!((stat.kind, stat.size, stat.mode), (FileKind::File, 7, Some(0o644)));
    assert_eq!(files.stat("a").await.unwrap().mode, Some(0o755));
}

#[tokio::test]
async fn every_error_says_what_is_wrong_with_which_path() {
    let (_lab, sandbox) = sandbox().await;
    let files = sandbox.files();
    files.write("dir/file", "x").await.unwrap();
    let error = files.read("missing").await.unwrap_err();
    assert_eq!((error.code(), kind(&error)), (ErrorCode::NotFound, FileErrorKind::NotFound));
    assert!(error.message().contains("missing"), "{error}");
    assert_eq!(kind(&files.read("dir").await.unwrap_err()), FileErrorKind::IsADirectory);
    assert_eq!(kind(&files.read("dir/file/x").await.unwrap_err()), FileErrorKind::NotADirectory);
    assert_eq!(kind(&files.list("dir/file").await.unwrap_err()), FileErrorKind::NotADirectory);
    assert_eq!(kind(&files.remove("dir").await.unwrap_err()), FileErrorKind::NotEmpty);
    assert_eq!(kind(&files.read("").await.unwrap_err()), FileErrorKind::InvalidPath);
    assert_eq!(kind(&files.write("x".repeat(300), "").await.unwrap_err()), FileErrorKind::NameTooLong);
    let exclusive = WriteOptions { exclusive: true, ..WriteOptions::default() };
    let exists = files.write_with("dir/file", "y", exclusive).await.unwrap_err();
    assert_eq!((exists.code(), kind(&exists)), (ErrorCode::AlreadyExists, FileErrorKind::AlreadyExists));
    files.symlink("loop", "loop").await.unwrap();
    assert_eq!(kind(&files.read("loop").await.unwrap_err()), FileErrorKind::TooManyLinks);
    files.remove("never there").await.unwrap();
}

#[tokio::test]
async fn trees_are_listed_moved_copied_and_removed() {
    let (lab, sandbox) = sandbox().await;
    let files = sandbox.files();
    files.write("t/a", "1").await.unwrap();
    files.write("t/a-b", "2").await.unwrap();
    files.write("t/d/deep", "3").await.unwrap();
    files.symlink("../a", "t/d/link").await.unwrap();
    let list = async |path: &str, depth| {
        let entries = files.list_depth(path, depth).await.unwrap();
        entries.iter().map(|entry| entry.path.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(list("t", 1).await, ["a", "a-b", "d"]);
    assert_eq!(list("t", 9).await, ["a", "a-b", "d", "d/deep", "d/link"]);
    assert_eq!(files.read_text("t/d/link").await.unwrap(), "1");

    files.copy("t", "copy").await.unwrap();
    files.rename("t", "moved").await.unwrap();
    assert!(!files.exists("t").await.unwrap());
    assert_eq!(list("moved", 9).await, list("copy", 9).await);
    assert_eq!(files.read_link("copy/d/link").await.unwrap(), "../a".into());
    assert_eq!(kind(&files.rename("moved", "moved/d/x").await.unwrap_err()), FileErrorKind::InvalidPath);

    files.chmod("moved/a", 0o4755).await.unwrap();
    files.write("moved/a", "new").await.unwrap();
    assert_eq!(files.stat("moved/a").await.unwrap().mode, Some(0o4755));
    files.remove_all("moved").await.unwrap();
    assert!(!lab.provider.sandboxes()[0].files().exists("moved"));
}

#[tokio::test]
async fn names_are_bytes_and_owners_are_looked_up_inside() {
    let builder = TestProvider::builder().file("/etc/passwd", "dev:x:1000:1001::/home/dev:/bin/sh\n");
    let lab = Lab::open(builder).await;
    let sandbox = lab.isobox.sandbox().user("dev").create().await.unwrap();
    let files = sandbox.files();
    let hostile = SandboxPath::from(&b"-n\n\xff; rm"[..]);
    files.write(&hostile, "x").await.unwrap();
    assert_eq!(files.list(".").await.unwrap()[0].path, hostile);
    let stat = files.stat(&hostile).await.unwrap();
    assert_eq!((stat.uid, stat.gid), (Some(1000), Some(1001)));
    files.chown(&hostile, "0:7").await.unwrap();
    let stat = files.stat(&hostile).await.unwrap();
    assert_eq!((stat.uid, stat.gid), (Some(0), Some(7)));
    let unknown = files.chown(&hostile, "nobody").await.unwrap_err();
    assert_eq!(unknown.code(), ErrorCode::NotFound);
    assert!(unknown.message().contains("nobody"), "{unknown}");
}

#[tokio::test]
async fn changes_are_seen_as_they_happen() {
    let (lab, sandbox) = sandbox().await;
    let files = sandbox.files();
    files.mkdir("d").await.unwrap();
    let mut watch = files.watch_all("d").await.unwrap();
    files.write("d/x/a", "1").await.unwrap();
    files.rename("d/x/a", "d/b").await.unwrap();
    files.rename("d/b", "elsewhere").await.unwrap();
    files.write("other", "1").await.unwrap();
    lab.provider.sandboxes()[0].files().remove("d/x");
    let mut seen = Vec::new();
    for _ in 0..5 {
        let change = watch.next().await.unwrap().unwrap();
        let to = change.renamed_to.map(|to| to.to_string());
        seen.push((change.kind, change.path.to_string(), to));
    }
    use FileChangeKind::{Created, Removed, Renamed};
    let expected = [
        (Created, "x", None),
        (Created, "x/a", None),
        (Renamed, "x/a", Some("b")),
        (Removed, "b", None),
        (Removed, "x", None),
    ];
    assert_eq!(seen, expected.map(|(kind, path, to)| (kind, path.to_owned(), to.map(str::to_owned))));
    sandbox.delete().await.unwrap();
    assert!(watch.next().await.unwrap().is_none());
}

#[tokio::test]
async fn directories_go_to_a_sandbox_and_come_back_unchanged() {
    let (_lab, sandbox) = sandbox().await;
    let place = tempfile::tempdir().unwrap();
    let (from, to) = (place.path().join("from"), place.path().join("to/deep"));
    fs::create_dir_all(from.join("sub/empty")).unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"odd \xff\n");
    fs::write(from.join(odd), [7; 300_000]).unwrap();
    fs::write(from.join("run.sh"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(from.join("run.sh"), fs::Permissions::from_mode(0o750)).unwrap();
    fs::write(from.join("left.log"), "out").unwrap();
    std::os::unix::fs::symlink("sub", from.join("link")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", from.join("escape")).unwrap();

    let options = UploadOptions { exclude: vec!["*.log".into()], ..UploadOptions::default() };
    let up = sandbox.files().upload_with(&from, "in", options).await.unwrap();
    assert_eq!((up.files, up.directories, up.links), (2, 2, 2));
    assert!(!sandbox.files().exists("in/left.log").await.unwrap());
    assert_eq!(sandbox.files().stat("in/run.sh").await.unwrap().mode, Some(0o750));

    let down = sandbox.files().download("in", &to).await.unwrap();
    // A link that leads out is left out.
    assert_eq!((down.files, down.directories, down.links, down.skipped), (2, 2, 1, 1));
    assert_eq!(fs::read(to.join(odd)).unwrap(), [7; 300_000]);
    assert_eq!(fs::metadata(to.join("run.sh")).unwrap().permissions().mode() & 0o777, 0o750);
    let time = |path: std::path::PathBuf| fs::metadata(path).unwrap().modified().unwrap();
    assert_eq!(time(to.join("run.sh")), time(from.join("run.sh")));
    assert!(to.join("sub/empty").is_dir() && !to.join("escape").exists());
    assert_eq!(fs::read_link(to.join("link")).unwrap().to_str(), Some("sub"));
}

#[tokio::test]
async fn a_download_never_leaves_its_target() {
    let (lab, sandbox) = sandbox().await;
    let place = tempfile::tempdir().unwrap();
    let (target, outside) = (place.path().join("target"), place.path().join("outside"));
    fs::create_dir(&target).unwrap();
    fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, target.join("d")).unwrap();
    let inside = lab.provider.sandboxes()[0].files();
    inside.write("tree/d/file", "through");
    drop(sandbox.files().download("tree", &target).await);
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);

    let link = place.path().join("link");
    std::os::unix::fs::symlink(&outside, &link).unwrap();
    let error = sandbox.files().download("tree", &link).await.unwrap_err();
    assert!(error.message().contains("symbolic link"), "{error}");
    let file = place.path().join("file");
    fs::write(&file, "mine").unwrap();
    let keep = DownloadOptions { keep_existing: true, ..DownloadOptions::default() };
    let error = sandbox.files().download_with("tree/d/file", &file, keep).await.unwrap_err();
    assert_eq!((error.code(), fs::read_to_string(&file).unwrap().as_str()), (ErrorCode::AlreadyExists, "mine"));
}

#[tokio::test]
async fn a_disk_is_full_when_it_is() {
    let lab = Lab::open(TestProvider::builder()).await;
    let sandbox = lab.isobox.sandbox().disk(100).create().await.unwrap();
    sandbox.files().write("a", vec![0; 90]).await.unwrap();
    let error = sandbox.files().write("b", vec![0; 20]).await.unwrap_err();
    assert_eq!((error.code(), kind(&error)), (ErrorCode::OutOfDisk, FileErrorKind::NoSpace));
    sandbox.files().remove("a").await.unwrap();
    sandbox.files().write("b", vec![0; 20]).await.unwrap();
}

#[tokio::test]
async fn faults_meet_the_files_that_they_are_about() {
    let plan = FaultPlan::seeded(1)
        .with(Fault::on(Operation::Write).about("results").nth(2).fails(ErrorCode::Io))
        .with(Fault::on(Operation::Download).loses_output_after(0));
    let lab = Lab::open(TestProvider::builder().faults(plan)).await;
    let sandbox = lab.sandbox().await;
    for (path, fails) in [("results/1", false), ("other", false), ("results/2", true), ("results/3", false)] {
        assert_eq!(sandbox.files().write(path, "x").await.is_err(), fails, "{path}");
    }
    let lost = sandbox.files().download("other", lab.home.path().join("other")).await.unwrap_err();
    assert_eq!(lost.code(), ErrorCode::Transport);
    let recording = lab.provider.recording();
    recording.assert_count(Operation::Write, 4);
    assert_eq!(recording.operations().iter().filter(|done| done.failed == Some(ErrorCode::Io)).count(), 1);
}
