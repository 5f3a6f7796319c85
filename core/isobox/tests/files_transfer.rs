//! Directories and files from this machine and to it.
#![allow(missing_docs, unreachable_pub, clippy::print_stderr, clippy::unwrap_used)]

mod common;
mod local;

use isobox::{Detail, DownloadOptions, ErrorCode, FileErrorKind, TransferLimits, UploadOptions};
use local::{What, file_detail, look, on_each_workspace, script};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

/// Everything that has to arrive as it was.
const TREE: &str = r#"
umask 022
mkdir -p deep/er/still empty locked
echo contents > deep/er/still/file
printf 'a\0b\377' > binary; : > nothing
ln deep/er/still/file hard; ln -s deep/er relative; ln -s nowhere dangling; ln -s ../../binary deep/er/up
truncate -s 64M sparse; printf end >> sparse
for mode in 400 644 711 751 777; do echo $mode > mode-$mode; chmod $mode mode-$mode; done
echo nl > "$(printf 'new\nline')"; echo bytes > "$(printf '\377\376')"; echo star > '*'; echo dash > -rf; echo sp > ' '
chmod 700 locked; touch -d @1000000000.123456789 binary deep/er; touch -h -d @1000000001 dangling
chmod 550 empty; touch -d @1234567890 empty
"#;

#[tokio::test]
async fn a_directory_comes_back_as_it_was() {
    on_each_workspace(async |provider, sandbox| {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        script(from.path(), TREE);
        fs::set_permissions(from.path(), fs::Permissions::from_mode(0o711)).unwrap();
        let up = sandbox.files().upload(from.path(), "tree").await.unwrap();
        let down = sandbox.files().download("tree", to.path().join("new/tree")).await.unwrap();
        let (sent, back) = (look(from.path()), look(&to.path().join("new/tree")));
        for (path, entry) in &sent {
            assert_eq!(Some(entry), back.get(path), "{path:?} on {provider}");
        }
        assert_eq!(sent.len(), back.len());
        let count = |wanted: fn(&What) -> bool| sent.values().filter(|entry| wanted(&entry.what)).count() as u64;
        let files = count(|what| matches!(what, What::File { first: None, .. }));
        let links = count(|what| matches!(what, What::Link(_)));
        let directories = count(|what| *what == What::Directory);
        for report in [up, down] {
            assert_eq!((report.files, report.links, report.directories), (files, links, directories));
            assert_eq!(report.skipped, 0);
        }
        let root = to.path().join("new/tree").metadata().unwrap();
        assert_eq!(root.permissions().mode() & 0o7777, 0o711);
        let sparse = to.path().join("new/tree/sparse").metadata().unwrap();
        assert!(sparse.blocks() < 2048, "{} blocks on {provider}", sparse.blocks());
        let inside =
            sandbox.shell("stat -c %b tree/sparse").await.unwrap().stdout.text().trim().parse::<u64>().unwrap();
        assert!(inside < 2048, "{inside} blocks in the sandbox");
        script(from.path(), "chmod 755 empty");
        script(to.path(), "chmod 755 new/tree/empty");
    })
    .await;
}

#[tokio::test]
async fn pipes_and_sockets_are_skipped_and_counted() {
    on_each_workspace(async |_, sandbox| {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        script(from.path(), "mkfifo pipe; mkdir sub; mkfifo sub/pipe; echo x > file");
        let _socket = std::os::unix::net::UnixListener::bind(from.path().join("sub/socket")).unwrap();
        let report = sandbox.files().upload(from.path(), "up").await.unwrap();
        assert_eq!((report.files, report.directories, report.skipped), (1, 1, 3));
        sandbox.shell("mkdir down; mkfifo down/pipe; echo x > down/file").await.unwrap();
        let report = sandbox.files().download("down", to.path()).await.unwrap();
        assert_eq!((report.files, report.skipped), (1, 1));
        assert_eq!(look(to.path()).len(), 1);
        let error = sandbox.files().upload(from.path().join("pipe"), "pipe").await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}");
    })
    .await;
}

#[tokio::test]
async fn a_single_file_keeps_its_mode() {
    on_each_workspace(async |_, sandbox| {
        let place = tempfile::tempdir().unwrap();
        script(place.path(), "echo '#!/bin/sh\necho ran' > run; chmod 755 run; ln -s run link");
        let report = sandbox.files().upload(place.path().join("link"), "bin/run").await.unwrap();
        assert_eq!((report.files, report.bytes), (1, 19));
        assert_eq!(sandbox.exec(["bin/run"]).await.unwrap().stdout.text(), "ran\n");
        let options = UploadOptions { file_mode: Some(0o600), ..UploadOptions::default() };
        sandbox.files().upload_with(place.path().join("run"), "bin/quiet", options).await.unwrap();
        assert_eq!(sandbox.files().stat("bin/quiet").await.unwrap().mode, Some(0o600));
        sandbox.files().download("bin/run", place.path().join("a/b/back")).await.unwrap();
        assert_eq!(place.path().join("a/b/back").metadata().unwrap().permissions().mode() & 0o7777, 0o755);
        let long = "n".repeat(250);
        sandbox.files().download("bin/run", place.path().join(&long)).await.unwrap();
        assert_eq!(fs::read(place.path().join(long)).unwrap(), fs::read(place.path().join("run")).unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_download_merges_into_what_is_there() {
    on_each_workspace(async |_, sandbox| {
        let to = tempfile::tempdir().unwrap();
        script(to.path(), "mkdir sub; echo mine > sub/mine; echo old > sub/both; echo safe > safe; ln -s ../safe sub/link; chmod 700 .");
        sandbox.shell("mkdir -p d/sub; echo new > d/sub/both; echo theirs > d/sub/link; chmod 777 d").await.unwrap();
        let keep = DownloadOptions { keep_existing: true, ..DownloadOptions::default() };
        let error = sandbox.files().download_with("d", to.path(), keep.clone()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::AlreadyExists, "{error}");
        assert_eq!(fs::read_to_string(to.path().join("sub/both")).unwrap(), "old\n");
        sandbox.files().download("d", to.path()).await.unwrap();
        let read = |name: &str| fs::read_to_string(to.path().join(name)).unwrap();
        assert_eq!((read("sub/mine"), read("sub/both"), read("sub/link")), ("mine\n".into(), "new\n".into(), "theirs\n".into()));
        // The link was replaced and not written through, and the directory that was there keeps its mode.
        assert_eq!(read("safe"), "safe\n");
        assert_eq!(to.path().metadata().unwrap().permissions().mode() & 0o777, 0o700);
        let error = sandbox.files().download_with("d/sub/both", to.path().join("sub/both"), keep).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::AlreadyExists);
    })
    .await;
}

#[tokio::test]
async fn a_link_in_place_of_the_local_target_is_not_followed() {
    on_each_workspace(async |_, sandbox| {
        let place = tempfile::tempdir().unwrap();
        script(place.path(), "mkdir victim; echo safe > victim/file; ln -s victim dir; ln -s victim/file file");
        sandbox.shell("mkdir d; echo evil > d/file").await.unwrap();
        let error = sandbox.files().download("d", place.path().join("dir")).await.unwrap_err();
        assert_eq!(file_detail(&error).1, FileErrorKind::NotADirectory, "{error}");
        sandbox.files().download("d/file", place.path().join("file")).await.unwrap();
        assert_eq!(fs::read_to_string(place.path().join("victim/file")).unwrap(), "safe\n");
        assert_eq!(fs::read_to_string(place.path().join("file")).unwrap(), "evil\n");
        assert!(place.path().join("file").symlink_metadata().unwrap().is_file());
    })
    .await;
}

#[tokio::test]
async fn what_is_excluded_stays_and_given_modes_are_used() {
    on_each_workspace(async |_, sandbox| {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        script(
            from.path(),
            "mkdir -p .git/objects src/target target; touch .git/x src/a.rs src/a.o src/target/y target/z keep.o",
        );
        let options = UploadOptions {
            exclude: [".git", "*.o", "/target"].map(String::from).to_vec(),
            file_mode: Some(0o604),
            directory_mode: Some(0o705),
            ..UploadOptions::default()
        };
        sandbox.files().upload_with(from.path(), "up", options).await.unwrap();
        let seen = sandbox.shell("cd up; find . -printf '%m %P\\n' | sort").await.unwrap();
        assert_eq!(seen.stdout.text(), "604 src/a.rs\n604 src/target/y\n705 \n705 src\n705 src/target\n");
        let exclude = vec!["src/**/y".to_owned()];
        let options = DownloadOptions { exclude, ..DownloadOptions::default() };
        sandbox.files().download_with("up", to.path(), options).await.unwrap();
        assert!(to.path().join("src/target").is_dir() && !to.path().join("src/target/y").exists());
        for exclude in [vec![String::new()], vec!["a\0b".to_owned()]] {
            let options = UploadOptions { exclude: exclude.clone(), ..UploadOptions::default() };
            let up = sandbox.files().upload_with(from.path(), "bad", options).await.unwrap_err();
            let options = DownloadOptions { exclude, ..DownloadOptions::default() };
            let down = sandbox.files().download_with("up", to.path(), options).await.unwrap_err();
            for error in [up, down] {
                assert!(matches!(error.detail(), Detail::InvalidSpec { field, .. } if field == "exclude"), "{error:?}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn limits_stop_a_transfer_and_leave_what_was_there() {
    on_each_workspace(async |provider, sandbox| {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let made = "for i in $(seq 50); do head -c 10000 /dev/zero > f$i; done; echo old > zz";
        script(from.path(), made);
        script(to.path(), "echo old > zz");
        sandbox.shell(format!("mkdir d up; echo old > up/zz; cd d; {made}")).await.unwrap();
        let few = TransferLimits { entries: 10, ..TransferLimits::default() };
        let small = TransferLimits { bytes: 100_000, ..TransferLimits::default() };
        for (limits, name) in [(few, "limits.entries"), (small, "limits.bytes")] {
            let up = UploadOptions { limits, ..UploadOptions::default() };
            let down = DownloadOptions { limits, ..DownloadOptions::default() };
            let up = sandbox.files().upload_with(from.path(), "up", up).await.unwrap_err();
            let down = sandbox.files().download_with("d", to.path(), down).await.unwrap_err();
            for error in [up, down] {
                assert_eq!(error.code(), ErrorCode::LimitExceeded, "{name} on {provider}: {error}");
                assert!(matches!(error.detail(), Detail::Limit { limit, .. } if limit == name), "{error:?}");
            }
            assert_eq!(fs::read_to_string(to.path().join("zz")).unwrap(), "old\n");
            assert_eq!(sandbox.files().read_text("up/zz").await.unwrap(), "old\n");
        }
        let one = TransferLimits { bytes: 9_999, ..TransferLimits::default() };
        let up = UploadOptions { limits: one, ..UploadOptions::default() };
        let down = DownloadOptions { limits: one, ..DownloadOptions::default() };
        let up = sandbox.files().upload_with(from.path().join("f1"), "one", up).await.unwrap_err();
        let down = sandbox.files().download_with("d/f1", to.path().join("one"), down).await.unwrap_err();
        assert_eq!((up.code(), down.code()), (ErrorCode::LimitExceeded, ErrorCode::LimitExceeded));
        assert!(!to.path().join("one").exists() && !sandbox.files().exists("one").await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn errors_of_this_machine_name_its_paths() {
    on_each_workspace(async |_, sandbox| {
        let place = tempfile::tempdir().unwrap();
        script(place.path(), "echo x > file; mkdir dir");
        sandbox.shell("mkdir d; echo x > d/file").await.unwrap();
        let path = |name: &str| place.path().join(name);
        let named = |error: isobox::Error, path: &Path, code: ErrorCode| {
            assert_eq!(error.code(), code, "{error}");
            assert!(error.message().contains("on this machine"), "{error}");
            assert!(error.message().contains(&path.display().to_string()), "{error}");
        };
        let files = sandbox.files();
        let missing = path("missing");
        named(files.upload(&missing, "x").await.unwrap_err(), &missing, ErrorCode::NotFound);
        let below_file = path("file/below");
        named(files.download("d", &below_file).await.unwrap_err(), &path("file"), ErrorCode::AlreadyExists);
        named(files.download("d/file", path("dir")).await.unwrap_err(), &path("dir"), ErrorCode::AlreadyExists);
        named(files.download("d", path("file")).await.unwrap_err(), &path("file"), ErrorCode::AlreadyExists);
        // The sandbox's side names the sandbox's.
        let error = files.upload(path("dir"), "d/file").await.unwrap_err();
        assert_eq!(file_detail(&error), ("d/file".to_owned(), FileErrorKind::NotADirectory), "{error}");
        let error = files.upload(path("file"), "d").await.unwrap_err();
        assert_eq!(file_detail(&error), ("d".to_owned(), FileErrorKind::IsADirectory), "{error}");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2);
    })
    .await;
}
