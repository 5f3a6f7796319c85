//! Git works against real remotes, tells why it failed, and tells nobody a credential.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

#[path = "common/commands.rs"]
mod commands;
mod common;
#[path = "common/git_server.rs"]
mod git_server;

use common::{Lab, on_each_provider};
use git_server::GitServer;
use isobox::contract::error::GitFailure;
use isobox::{Detail, Error, ErrorCode, Repository, Retry, Sandbox};

async fn has_git(sandbox: &Sandbox) -> bool {
    let has = sandbox.shell("command -v git").await.unwrap().success();
    if !has {
        eprintln!("skipped: there is no git in the sandbox, run `cargo xtask setup`");
    }
    has
}

async fn place(sandbox: &Sandbox) -> String {
    match sandbox.workdir().to_string().as_str() {
        "/" => "/tmp/git-test".to_owned(),
        workdir => format!("{workdir}/git-test"),
    }
}

fn kind(error: &Error) -> GitFailure {
    match error.detail() {
        Detail::Git { kind, .. } => *kind,
        other => panic!("{error}: {other:?}"),
    }
}

/// A repository with three commits on `main`, a tag `v1` on the second, and a branch `v1` on the third.
async fn upstream(sandbox: &Sandbox, path: &str) -> (Repository, Vec<String>) {
    let repository = sandbox.git().init(path).await.unwrap();
    repository.set_config("user.name", "It's me").await.unwrap();
    repository.set_config("user.email", "me@example.org").await.unwrap();
    let mut commits = Vec::new();
    for number in 0..3 {
        sandbox.files().write(format!("{path}/file"), format!("{number}\n")).await.unwrap();
        repository.add(["file"]).await.unwrap();
        commits.push(repository.commit(format!("Number {number}\n\nWhy\n")).await.unwrap());
        if number == 1 {
            assert!(sandbox.exec(["git", "-C", path, "tag", "v1"]).await.unwrap().success());
        }
    }
    assert!(sandbox.exec(["git", "-C", path, "branch", "v1"]).await.unwrap().success());
    (repository, commits)
}

#[tokio::test]
async fn a_repository_is_made_changed_and_read() {
    on_each_provider(async |provider, sandbox| {
        if !has_git(&sandbox).await {
            return;
        }
        let path = format!("{}/made", place(&sandbox).await);
        let (repository, commits) = upstream(&sandbox, &path).await;
        let log = repository.log("HEAD", 2).await.unwrap();
        let seen: Vec<_> = log.iter().map(|commit| (commit.id.as_str(), commit.message.as_str())).collect();
        assert_eq!(seen, [(&*commits[2], "Number 2\n\nWhy\n"), (&*commits[1], "Number 1\n\nWhy\n")], "on {provider}");
        assert_eq!((log[0].author.as_str(), log[0].parents.as_slice()), ("It's me", &commits[1..2]));

        let files = sandbox.files();
        files.write(format!("{path}/new\nline"), "x").await.unwrap();
        files.write(format!("{path}/*.txt"), "x").await.unwrap();
        files.write(format!("{path}/a.txt"), "x").await.unwrap();
        files.write(format!("{path}/file"), "changed\n").await.unwrap();
        repository.add(["*.txt"]).await.unwrap();
        let status = repository.status().await.unwrap();
        let seen: Vec<_> =
            status.entries.iter().map(|entry| (entry.path.to_string(), entry.index, entry.worktree)).collect();
        let expected = [("*.txt", 'A', '.'), ("file", '.', 'M'), ("a.txt", '?', '?'), ("new\nline", '?', '?')];
        assert_eq!(seen, expected.map(|(path, index, worktree)| (path.to_owned(), index, worktree)), "on {provider}");
        assert_eq!((status.branch.as_deref(), status.head.as_deref()), (Some("main"), Some(&*commits[2])));
        let patch = repository.diff("HEAD", None).await.unwrap();
        assert!(String::from_utf8_lossy(&patch).contains("+changed"));
        repository.add_all().await.unwrap();
        let made = repository.commit("All").author("Other", "o@example.org").await.unwrap();
        assert_eq!(repository.log(&made, 1).await.unwrap()[0].author, "Other");
        assert!(repository.status().await.unwrap().is_clean());
        assert!(repository.commit("Nothing").await.is_err());
        repository.commit("Nothing").allow_empty().await.unwrap();

        repository.create_branch("topic/one").await.unwrap();
        let branches = repository.branches().await.unwrap();
        let names: Vec<_> = branches.iter().map(|branch| (branch.name.as_str(), branch.current)).collect();
        assert_eq!(names, [("main", false), ("topic/one", true), ("v1", false)], "on {provider}");
        repository.checkout(&commits[0]).await.unwrap();
        assert!(repository.status().await.unwrap().is_detached());
        assert_eq!(files.read_text(format!("{path}/file")).await.unwrap(), "0\n");
        assert!(repository.is_ancestor(&commits[0], "main").await.unwrap());
        assert!(!repository.is_ancestor("main", &commits[0]).await.unwrap());
        assert_eq!(repository.rev_parse("refs/tags/v1").await.unwrap(), commits[1]);
        for unknown in
            [repository.rev_parse("nothing").await, repository.checkout("nothing").await.map(|()| String::new())]
        {
            let error = unknown.unwrap_err();
            assert_eq!((error.code(), kind(&error)), (ErrorCode::NotFound, GitFailure::RefNotFound), "on {provider}");
        }
        for flag in ["--help", "-f", "a..b", ""] {
            assert_eq!(repository.rev_parse(flag).await.unwrap_err().code(), ErrorCode::InvalidSpec);
            assert_eq!(repository.checkout(flag).await.unwrap_err().code(), ErrorCode::InvalidSpec);
        }
    })
    .await;
}

#[tokio::test]
async fn nothing_of_the_repository_s_choice_runs() {
    on_each_provider(async |provider, sandbox| {
        if !has_git(&sandbox).await {
            return;
        }
        let path = format!("{}/hooks", place(&sandbox).await);
        let (repository, _) = upstream(&sandbox, &path).await;
        let script = r#"cd "$1" && for hook in pre-commit commit-msg post-commit post-checkout prepare-commit-msg reference-transaction; do
            printf '#!/bin/sh\ntouch ran; exit 1\n' >.git/hooks/$hook; chmod +x .git/hooks/$hook; done
            git config core.fsmonitor "touch $1/ran; false"; git config commit.gpgsign true; git config diff.external "touch $1/ran; false"
            git config core.pager "touch $1/ran"; git config core.editor "touch $1/ran""#;
        assert!(sandbox.exec(["sh", "-c", script, "sh", &path]).await.unwrap().success());
        sandbox.files().write(format!("{path}/file"), "more\n").await.unwrap();
        repository.status().await.unwrap();
        repository.diff("HEAD", None).await.unwrap();
        repository.add_all().await.unwrap();
        repository.commit("With hooks").await.unwrap();
        repository.create_branch("other").await.unwrap();
        repository.log("HEAD", 5).await.unwrap();
        assert!(!sandbox.files().exists(format!("{path}/ran")).await.unwrap(), "on {provider}");
    })
    .await;
}

#[tokio::test]
async fn clones_are_whole_or_pinned_or_not_there() {
    on_each_provider(async |provider, sandbox| {
        if !has_git(&sandbox).await {
            return;
        }
        let base = place(&sandbox).await;
        let (_, commits) = upstream(&sandbox, &format!("{base}/up")).await;
        let (git, url) = (sandbox.git(), format!("file://{base}/up"));
        let target = |name: &str| format!("{base}/{name}");

        let whole = git.clone_repository(&url, target("whole")).await.unwrap();
        let status = whole.status().await.unwrap();
        assert_eq!(
            (status.branch.as_deref(), status.head.as_deref()),
            (Some("main"), Some(&*commits[2])),
            "on {provider}"
        );
        assert_eq!(status.upstream.as_deref(), Some("origin/main"));
        assert!(status.is_clean());
        let shallow = git.clone_repository(&url, target("shallow")).branch("v1").depth(1).await.unwrap();
        assert_eq!(shallow.log("HEAD", 9).await.unwrap().len(), 1);
        assert_eq!(shallow.status().await.unwrap().branch.as_deref(), Some("v1"));

        // The branch of the same name is newer.
        let tagged = git.clone_repository(&url, target("tagged")).tag("v1").branch("work").depth(1).await.unwrap();
        let status = tagged.status().await.unwrap();
        assert_eq!(
            (status.branch.as_deref(), status.head.as_deref()),
            (Some("work"), Some(&*commits[1])),
            "on {provider}"
        );
        sandbox.files().mkdir(target("pinned")).await.unwrap();
        let pinned = git.clone_repository(&url, target("pinned")).commit(&*commits[0]).await.unwrap();
        let status = pinned.status().await.unwrap();
        assert_eq!((status.branch, status.head.as_deref()), (None, Some(&*commits[0])), "on {provider}");

        let missing = [
            git.clone_repository(&url, target("none")).tag("main").await,
            git.clone_repository(&url, target("none")).commit("0".repeat(40)).await,
            git.clone_repository(&url, target("none")).branch("none").await,
        ];
        for error in missing {
            let error = error.unwrap_err();
            assert_eq!(kind(&error), GitFailure::RefNotFound, "{error:?} on {provider}");
            assert!(!sandbox.files().exists(target("none")).await.unwrap(), "on {provider}");
        }
        sandbox.files().mkdir(target("empty")).await.unwrap();
        git.clone_repository(&url, target("empty")).tag("none").await.unwrap_err();
        assert_eq!(sandbox.files().list(target("empty")).await.unwrap(), [], "on {provider}");
        for taken in ["whole", "whole/file"] {
            let error = git.clone_repository(&url, target(taken)).await.unwrap_err();
            assert_eq!((error.code(), kind(&error)), (ErrorCode::AlreadyExists, GitFailure::TargetExists));
        }
        assert!(sandbox.files().exists(target("whole/file")).await.unwrap());
        for bad in ["", "-u", "ext::sh -c touch", "https://user:secret@example.org/a"] {
            let error = git.clone_repository(bad, target("bad")).await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::InvalidSpec, "{bad}");
            assert!(!error.to_string().contains("secret"));
        }
        let error = git.clone_repository("http://127.0.0.1:1/a", target("bad")).await.unwrap_err();
        assert_eq!((error.code(), kind(&error)), (ErrorCode::Transport, GitFailure::RemoteUnavailable), "{error:?}");
        assert!(error.is_retryable() && error.is_infrastructure());
    })
    .await;
}

#[tokio::test]
async fn commits_go_to_a_remote_and_come_back() {
    on_each_provider(async |provider, sandbox| {
        if !has_git(&sandbox).await {
            return;
        }
        let base = place(&sandbox).await;
        upstream(&sandbox, &format!("{base}/up")).await;
        let bare = format!("{base}/bare.git");
        assert!(sandbox.exec(["git", "clone", "-q", "--bare", &format!("{base}/up"), &bare]).await.unwrap().success());
        let url = format!("file://{bare}");
        let one = sandbox.git().clone_repository(&url, format!("{base}/one")).await.unwrap();
        let two = sandbox.git().clone_repository(&url, format!("{base}/two")).await.unwrap();
        let made = one.commit("One").author("A", "a@b").allow_empty().await.unwrap();
        assert_eq!(one.status().await.unwrap().ahead, 1);
        one.push().await.unwrap();
        assert_eq!(one.status().await.unwrap().ahead, 0);
        two.fetch().await.unwrap();
        assert_eq!(two.status().await.unwrap().behind, 1, "on {provider}");
        two.pull().await.unwrap();
        assert_eq!(two.rev_parse("HEAD").await.unwrap(), made);
        one.create_branch("topic").await.unwrap();
        one.push().set_upstream().await.unwrap();
        assert_eq!(one.status().await.unwrap().upstream.as_deref(), Some("origin/topic"));
        // Both sides have commits of their own.
        one.checkout("main").await.unwrap();
        one.commit("Left").author("A", "a@b").allow_empty().await.unwrap();
        one.push().await.unwrap();
        two.commit("Right").author("A", "a@b").allow_empty().await.unwrap();
        assert_eq!(kind(&two.push().await.unwrap_err()), GitFailure::Unclassified, "on {provider}");
        two.pull().await.unwrap_err();
        assert_eq!(kind(&one.push().branch("none").await.unwrap_err()), GitFailure::RefNotFound);
        assert_eq!(one.fetch().branch("a:b").await.unwrap_err().code(), ErrorCode::InvalidSpec);
    })
    .await;
}

#[tokio::test]
async fn a_credential_opens_a_remote_and_is_nowhere_afterwards() {
    let lab = Lab::open().await;
    // Only the host provider reaches this machine's loopback.
    let sandbox = lab.sandbox("host").await;
    if !has_git(&sandbox).await {
        return;
    }
    let base = place(&sandbox).await;
    upstream(&sandbox, &format!("{base}/up")).await;
    let bare = format!("{base}/srv/repo.git");
    assert!(sandbox.exec(["git", "clone", "-q", "--bare", &format!("{base}/up"), &bare]).await.unwrap().success());
    assert!(sandbox.exec(["git", "-C", &bare, "config", "http.receivepack", "true"]).await.unwrap().success());
    let password = "s3cr3t: 'quoted' $HOME %41 \\ \u{e4}";
    let server = GitServer::start(format!("{base}/srv").into(), "user", password).await;
    let (git, url) = (sandbox.git(), server.url("repo.git"));

    for refused in [
        git.clone_repository(&url, format!("{base}/a")),
        git.clone_repository(&url, format!("{base}/a")).credentials("user", "wrong-one"),
    ] {
        let error = refused.await.unwrap_err();
        assert_eq!((error.code(), kind(&error)), (ErrorCode::Unauthenticated, GitFailure::AuthRejected), "{error:?}");
        let told = format!("{error} {error:?} {}", serde_json::to_string(&isobox::Report::from(&error)).unwrap());
        assert!(!told.contains("wrong-one") && !told.contains("127.0.0.1"), "{told}");
    }
    let cloned = git.clone_repository(&url, format!("{base}/a")).credentials("user", password).await.unwrap();
    let made = cloned.commit("Over HTTP").author("A", "a@b").allow_empty().await.unwrap();
    assert_eq!(kind(&cloned.push().await.unwrap_err()), GitFailure::AuthRejected);
    cloned.push().credentials("user", password).await.unwrap();
    cloned.fetch().credentials("user", password).await.unwrap();
    let pinned = git.clone_repository(&url, format!("{base}/b")).commit(made).credentials("user", password);
    pinned.await.unwrap();

    let listed = sandbox.processes().await.unwrap();
    let words = listed.iter().flat_map(|process| &process.argv);
    assert!(!words.into_iter().any(|word| word.0.windows(6).any(|window| window == b"s3cr3t")));
    let left = sandbox.exec(["grep", "-rlF", "s3cr3t", &format!("{base}/a"), &format!("{base}/b")]).await.unwrap();
    assert_eq!(left.exit_code, 1, "a credential is in {}", left.stdout.text());
    // No other host gets it.
    let error = git.clone_repository("file:///nowhere", format!("{base}/c")).credentials("user", password).await;
    assert_eq!(error.unwrap_err().code(), ErrorCode::InvalidSpec);
    let gone = server.url("none.git");
    let error = git.clone_repository(gone, format!("{base}/c")).credentials("user", password).await.unwrap_err();
    assert_eq!(error.operation(), Some("git.clone"));
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn changes_are_told_with_their_contents() {
    on_each_provider(async |provider, sandbox| {
        if !has_git(&sandbox).await {
            return;
        }
        let path = format!("{}/changed", place(&sandbox).await);
        let (repository, commits) = upstream(&sandbox, &path).await;
        let files = sandbox.files();
        let many: String = (0..50).map(|line| format!("line {line}\n")).collect();
        files.write(format!("{path}/long"), many.clone()).await.unwrap();
        files.write(format!("{path}/gone"), "x\n").await.unwrap();
        repository.add_all().await.unwrap();
        let before = repository.commit("Before").await.unwrap();
        let hostile = "-new\t\"name\"\n:100644";
        files.rename(format!("{path}/long"), format!("{path}/{hostile}")).await.unwrap();
        files.append(format!("{path}/{hostile}"), "more\n").await.unwrap();
        files.write(format!("{path}/binary"), [0_u8, 255, 10, 0].as_slice()).await.unwrap();
        files.symlink("binary", format!("{path}/link")).await.unwrap();
        files.remove(format!("{path}/gone")).await.unwrap();
        repository.add_all().await.unwrap();
        let after = repository.commit("After").await.unwrap();

        let changes = repository.changes(&before, Some(&after)).await.unwrap();
        let seen: Vec<_> = changes.iter().map(|c| (c.path.to_string(), c.status, c.added, c.removed)).collect();
        let expected = [
            (hostile, 'R', Some(1), Some(0)),
            ("binary", 'A', None, None),
            ("gone", 'D', Some(0), Some(1)),
            ("link", 'A', Some(1), Some(0)),
        ];
        assert_eq!(seen, expected.map(|(path, status, a, r)| (path.to_owned(), status, a, r)), "on {provider}");
        assert_eq!(changes[0].from, Some("long".into()));
        assert_eq!(changes[3].new.as_ref().unwrap().mode, 0o120_000);
        let id = |number: usize| changes[number].new.as_ref().unwrap().id.clone().unwrap();
        let ids = [id(0), id(1), id(3), id(1)];
        assert_eq!(repository.blob_sizes(&ids).await.unwrap(), [many.len() as u64 + 5, 4, 6, 4]);
        let contents = repository.blobs(&ids, 1 << 20).await.unwrap();
        assert_eq!(contents, [(many + "more\n").as_bytes(), &[0, 255, 10, 0], b"binary", &[0, 255, 10, 0]]);
        assert_eq!(repository.blobs(&ids, 100).await.unwrap_err().code(), ErrorCode::LimitExceeded);
        assert_eq!(repository.blobs(&[], 0).await.unwrap(), [""; 0]);
        let missing = repository.blobs(&["0123456789".repeat(4)], 100).await.unwrap_err();
        assert_eq!((missing.code(), kind(&missing)), (ErrorCode::NotFound, GitFailure::RefNotFound));
        for bad in [&commits[0], "HEAD:file", "--help"] {
            assert_eq!(repository.blobs(&[bad.to_owned()], 100).await.unwrap_err().code(), ErrorCode::InvalidSpec);
        }

        files.write(format!("{path}/.gitignore"), "*.log\n").await.unwrap();
        files.write(format!("{path}/a.log"), "x").await.unwrap();
        files.write(format!("{path}/new\nline"), "x").await.unwrap();
        files.write(format!("{path}/file"), "9\n").await.unwrap();
        assert_eq!(repository.untracked_files().await.unwrap(), [".gitignore", "new\nline"].map(Into::into));
        let open = repository.changes("HEAD", None).await.unwrap();
        assert_eq!((open.len(), open[0].path.to_string(), open[0].status), (1, "file".into(), 'M'));
        assert_eq!(open[0].new.as_ref().unwrap().id, None, "git has not looked into it");
    })
    .await;
}

#[tokio::test]
async fn a_kept_credential_serves_every_git_until_it_is_taken_away() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("host").await;
    if !has_git(&sandbox).await {
        return;
    }
    let base = place(&sandbox).await;
    upstream(&sandbox, &format!("{base}/up")).await;
    let bare = format!("{base}/srv/repo.git");
    assert!(sandbox.exec(["git", "clone", "-q", "--bare", &format!("{base}/up"), &bare]).await.unwrap().success());
    let password = "s3cr3t: 'quoted' $HOME %41";
    let server = GitServer::start(format!("{base}/srv").into(), "user", password).await;
    let target = format!("{base}/it's a place");
    let clone = sandbox.git().clone_repository(server.url("repo.git"), &*target).credentials("user", password);
    let cloned = clone.await.unwrap();
    let fetched = async || sandbox.exec(["git", "-C", &target, "fetch", "-q"]).env("GIT_TERMINAL_PROMPT", "0").await;
    assert!(!fetched().await.unwrap().success());
    cloned.set_credentials("user", "of yesterday").await.unwrap();
    assert_eq!(kind(&cloned.fetch().await.unwrap_err()), GitFailure::AuthRejected);
    // In its place, and git has not erased it at the refusal.
    cloned.set_credentials("user", password).await.unwrap();
    cloned.fetch().await.unwrap();
    assert!(fetched().await.unwrap().success());
    let kept =
        sandbox.shell(format!("find \"{target}\" -type f -perm /077 -exec grep -lF s3cr3t {{}} +")).await.unwrap();
    assert_eq!(kept.stdout.text(), "", "others can read the credential");
    cloned.clear_credentials().await.unwrap();
    cloned.clear_credentials().await.unwrap();
    assert!(!fetched().await.unwrap().success());
    let left = sandbox.exec(["grep", "-rlE", "s3cr3t|isobox-credentials", &target]).await.unwrap();
    assert_eq!(left.exit_code, 1, "left in {}", left.stdout.text());
    // Only http and https have a place for one.
    let local = sandbox.git().clone_repository(format!("file://{bare}"), format!("{base}/local")).await.unwrap();
    let error = local.set_credentials("user", "secret").await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn a_remote_that_comes_back_is_met_by_another_attempt() {
    on_each_provider(async |provider, sandbox| {
        if !has_git(&sandbox).await {
            return;
        }
        let base = place(&sandbox).await;
        let (_, commits) = upstream(&sandbox, &format!("{base}/srv/up")).await;
        // Git's own server, on the sandbox's loopback or, without isolation, on the machine's.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let url = format!("git://127.0.0.1:{port}/up");
        let retry = || Retry::attempts(3).wait(std::time::Duration::from_millis(1));
        let error = sandbox.git().clone_repository(&url, format!("{base}/no")).retry(retry()).await.unwrap_err();
        let Detail::Git { earlier, .. } = error.detail() else { panic!("{error:?}") };
        assert_eq!(*earlier, [GitFailure::RemoteUnavailable; 2], "on {provider}");
        assert!(!sandbox.files().exists(format!("{base}/no")).await.unwrap());

        let command =
            format!("sleep 0.5; exec git daemon --export-all --listen=127.0.0.1 --port={port} --base-path={base}/srv");
        let server = sandbox.shell(command).spawn().await.unwrap();
        let retry = Retry::attempts(100).wait(std::time::Duration::from_millis(50));
        let cloned = sandbox.git().clone_repository(&url, format!("{base}/yes")).retry(retry).await.unwrap();
        assert_eq!(cloned.rev_parse("HEAD").await.unwrap(), commits[2], "on {provider}");
        cloned.fetch().await.unwrap();
        let denied = cloned.push().await.unwrap_err();
        assert_eq!(kind(&denied), GitFailure::AccessDenied, "{denied:?}");
        server.kill().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn without_git_it_says_so() {
    let lab = Lab::open().await;
    let root = tempfile::tempdir().unwrap();
    let sandbox = lab.isobox.sandbox().provider("namespace").rootfs(root.path()).create().await.unwrap();
    let error = sandbox.git().clone_repository("https://example.org/a", "/a").await.unwrap_err();
    assert_eq!((error.code(), kind(&error)), (ErrorCode::Unsupported, GitFailure::GitUnavailable));
    assert!(sandbox.git().init("/b").await.is_err());
    sandbox.delete().await.unwrap();
}
