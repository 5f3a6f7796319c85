//! Looking at directories and changing what is in them.
#![allow(missing_docs, unreachable_pub, clippy::print_stderr, clippy::unwrap_used)]

mod common;
mod local;

use common::Lab;
use isobox::{ErrorCode, FileKind, Files, SandboxPath, WriteOptions};
use local::{is_root, on_each_workspace, script};
use std::time::{Duration, SystemTime};

async fn names(files: &Files, path: &str, depth: u32) -> Vec<Vec<u8>> {
    let entries = files.list_depth(path, depth).await.unwrap();
    entries.into_iter().map(|entry| entry.path.as_bytes().to_vec()).collect()
}

#[tokio::test]
async fn a_listing_is_sorted_bytewise_and_as_deep_as_asked() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        let made = r#"mkdir -p a/b/c A; touch a/b/c/deep a-b a.b z; ln -s a link; ln -s / root; touch "$(printf 'n\nl')" "$(printf '\377')""#;
        assert!(sandbox.shell(made).await.unwrap().success());
        let top: [&[u8]; 9] = [b"A", b"a", b"a-b", b"a.b", b"link", b"n\nl", b"root", b"z", b"\xff"];
        assert_eq!(names(&files, ".", 1).await, top);
        assert_eq!(names(&files, "a", 2).await, [&b"b"[..], b"b/c"]);
        assert_eq!(names(&files, "link/", 9).await, [&b"b"[..], b"b/c", b"b/c/deep"]);
        let all = names(&files, ".", u32::MAX).await;
        assert_eq!(all.len(), top.len() + 3);
        let mut sorted = all.clone();
        sorted.sort();
        assert_eq!(all, sorted);
        assert_eq!(files.list_depth(".", 0).await.unwrap_err().code(), ErrorCode::InvalidSpec);
        files.mkdir("empty").await.unwrap();
        assert!(files.list("empty").await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn what_may_not_be_read_further_down_is_listed_and_left_alone() {
    if !is_root() {
        on_each_workspace(async |_, sandbox| {
            sandbox.shell("mkdir -p open shut; touch open/in shut/in; chmod 0 shut").await.unwrap();
            // In a sandbox with one id, its root may enter what is shut; then there is more to see.
            let found = names(&sandbox.files(), ".", 2).await;
            assert!(found.starts_with(&[b"open".to_vec(), b"open/in".to_vec(), b"shut".to_vec()]), "{found:?}");
            sandbox.shell("chmod 700 shut").await.unwrap();
        })
        .await;
        return;
    }
    let lab = Lab::open().await;
    script(lab.home(), "chmod 755 .");
    let sandbox = lab.isobox.sandbox().provider("namespace").user("nobody").workdir("/tmp").create().await.unwrap();
    sandbox.shell("mkdir -p /tmp/open /tmp/shut; touch /tmp/shut/in; chmod 0 /tmp/shut").user("0").await.unwrap();
    assert_eq!(names(&sandbox.files(), "/tmp", 3).await, [&b"open"[..], b"shut"]);
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn metadata_is_the_systems() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        let made =
            "printf 12345 > file; chmod 640 file; touch -d @1234567890.5 file; ln -s file link; mkdir dir; mkfifo fifo";
        assert!(sandbox.shell(made).await.unwrap().success());
        let file = files.stat("link").await.unwrap();
        assert_eq!((file.kind, file.size, file.mode), (FileKind::File, 5, Some(0o640)));
        assert_eq!(file.modified_at.unwrap().unix(), (1_234_567_890, 500_000_000));
        let ids = sandbox.shell("id -u; id -g").await.unwrap();
        assert_eq!(format!("{}\n{}\n", file.uid.unwrap(), file.gid.unwrap()), ids.stdout.text());
        let link = files.stat_link("link").await.unwrap();
        assert_eq!((link.kind, link.link_target), (FileKind::Symlink, Some(SandboxPath::from("file"))));
        assert_eq!(files.stat("dir").await.unwrap().kind, FileKind::Directory);
        assert_eq!(files.stat("fifo").await.unwrap().kind, FileKind::Other);
        sandbox.shell("rm file").await.unwrap();
        assert_eq!((files.exists("link").await.unwrap(), files.exists("dir").await.unwrap()), (false, true));
        assert!(files.stat_link("link").await.is_ok());
    })
    .await;
}

#[tokio::test]
async fn rename_replaces_files_and_moves_directories() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        sandbox.shell("echo new > a; echo old > b; mkdir -p d/e full; touch d/e/f full/x; mkdir empty").await.unwrap();
        files.rename("a", "b").await.unwrap();
        files.rename("d", "empty").await.unwrap();
        files.rename("b", "b").await.unwrap();
        assert_eq!(files.read_text("b").await.unwrap(), "new\n");
        assert!(files.exists("empty/e/f").await.unwrap() && !files.exists("d").await.unwrap());
        assert_eq!(files.rename("empty", "empty/e/inside").await.unwrap_err().code(), ErrorCode::InvalidSpec);
        assert_eq!(files.rename("b", "full").await.unwrap_err().code(), ErrorCode::Io);
        assert_eq!(files.rename("b", "no/such/place").await.unwrap_err().code(), ErrorCode::NotFound);
    })
    .await;
}

#[tokio::test]
async fn copies_keep_modes_times_and_links() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        let made = "mkdir -p from/sub; echo x > from/file; chmod 750 from/file from/sub; ln from/file from/sub/hard;
            ln -s ../file from/sub/soft; ln -s nowhere from/dangling; mkdir from/empty; touch -d @1000000000 from/file from/sub from;
            ln -s from dirlink";
        assert!(sandbox.shell(made).await.unwrap().success());
        files.copy("from", "to").await.unwrap();
        let picture = "find . -printf '%P %y %m %T@ %l %n\\n' | sort";
        let from = sandbox.shell(format!("cd from; {picture}")).await.unwrap();
        let to = sandbox.shell(format!("cd to; {picture}")).await.unwrap();
        let without_times = |text: &str| {
            let dropped = ["dangling", "empty", "sub/soft"];
            text.lines().filter(|line| !dropped.iter().any(|name| line.starts_with(name))).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(without_times(&from.stdout.text()), without_times(&to.stdout.text()));
        assert_eq!(files.read_link("to/sub/soft").await.unwrap(), SandboxPath::from("../file"));
        files.copy("from/file", "single").await.unwrap();
        assert_eq!(files.stat("single").await.unwrap().mode, Some(0o750));
        files.copy("dirlink", "copied link").await.unwrap();
        assert_eq!(files.read_link("copied link").await.unwrap(), SandboxPath::from("from"));
        assert_eq!(files.copy("from", "from").await.unwrap_err().code(), ErrorCode::AlreadyExists);
        // Into itself: the copy is not copied again.
        files.copy("from", "from/copy").await.unwrap();
        assert!(!files.exists("from/copy/copy").await.unwrap());
        assert!(files.copy("from", "single").await.is_ok() || files.exists("single").await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn modes_and_owners_are_set() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        sandbox.shell("touch file; ln -s file link; mkdir dir").await.unwrap();
        files.chmod("link", 0o4751).await.unwrap();
        files.chmod("dir", 0o1777).await.unwrap();
        let modes = sandbox.shell("stat -c %a file dir").await.unwrap();
        assert_eq!(modes.stdout.text(), "4751\n1777\n");
        let options = WriteOptions { mode: Some(0o2750), ..WriteOptions::default() };
        files.mkdir_with("new/inner", options).await.unwrap();
        assert_eq!(sandbox.shell("stat -c %a new new/inner").await.unwrap().stdout.text(), "755\n2750\n");
        if !is_root() {
            eprintln!("cannot change owners: only root can");
            return;
        }
        for (owner, expected) in
            [("nobody", "65534:65534"), ("12:34", "12:34"), ("nobody:12", "65534:12"), ("7", "7:7")]
        {
            if let Err(error) = files.chown("file", owner).await {
                panic!("{owner}: {error}");
            }
            let seen = sandbox.shell("stat -c %u:%g file").await.unwrap().stdout.text().trim().to_owned();
            let group_may_differ = owner == "7" && seen.starts_with("7:");
            assert!(seen == expected || group_may_differ, "{owner}: {seen}");
        }
        let error = files.chown("file", "nobody-of-that-name").await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}");
    })
    .await;
}

#[tokio::test]
async fn remove_is_idempotent_and_never_goes_through_a_link() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        let made = "mkdir -p keep tree/shut/deep tree/sub; touch keep/safe tree/sub/x tree/shut/deep/x;
            ln -s ../keep tree/link; ln -s keep outer; chmod 0 tree/shut/deep tree/shut tree";
        assert!(sandbox.shell(made).await.unwrap().success());
        files.remove_all("tree").await.unwrap();
        files.remove_all("tree").await.unwrap();
        assert_eq!(files.remove("keep").await.unwrap_err().code(), ErrorCode::Io);
        files.remove_all("outer").await.unwrap();
        assert_eq!(sandbox.shell("find . | sort").await.unwrap().stdout.text(), ".\n./keep\n./keep/safe\n");
        files.remove("keep/safe").await.unwrap();
        files.remove("keep/safe").await.unwrap();
        files.remove("keep/").await.unwrap();
        assert!(files.list(".").await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_listing_of_many_entries_is_whole() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        let name = "n".repeat(200);
        let made = format!("mkdir many; cd many; seq -f '%05g-{name}' 5000 | xargs touch");
        assert!(sandbox.shell(made).timeout(Duration::from_secs(60)).await.unwrap().success());
        let entries = files.list("many").await.unwrap();
        assert_eq!(entries.len(), 5000);
        assert!(entries[4999].path.as_bytes().starts_with(b"05000-"));
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() as i64;
        let modified = entries[0].metadata.modified_at.unwrap().unix().0;
        assert!((now - modified).abs() < 600, "{modified} and {now}");
    })
    .await;
}
