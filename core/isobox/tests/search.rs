//! Searching gives the same everywhere, whatever is in the way.

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

use commands::{is_root, within_long};
use common::{Lab, on_each_provider};
use isobox::{Detail, ErrorCode, GrepMatch, Sandbox, SandboxPath};
use std::future::IntoFuture;

/// Matches as `path:line:text`.
fn lines(found: &[GrepMatch]) -> Vec<String> {
    let row =
        |found: &GrepMatch| format!("{}:{}:{}", found.path, found.line_number, String::from_utf8_lossy(&found.line));
    found.iter().map(row).collect()
}

/// On the host, /tmp is everybody's.
async fn place(sandbox: &Sandbox) -> String {
    match sandbox.workdir().to_string().as_str() {
        "/" => "/tmp/search-test".to_owned(),
        workdir => format!("{workdir}/search-test"),
    }
}

#[tokio::test]
async fn lines_are_found_in_directories_and_single_files() {
    on_each_provider(async |provider, sandbox| {
        let base = place(&sandbox).await;
        let at = |path: &str| format!("{base}/{path}");
        for (path, contents) in [
            ("b.txt", &b"one\ntwo\nthree"[..]),
            ("a/c.rs", b"Two twos\r\n\nnot\ntwo\n"),
            ("a/.hidden", b"two\n"),
            ("a.txt", b"caf\xc3\xa9 two\n\xff two \xfe\n"),
            ("binary", b"two\n\0two\n"),
            ("late-binary", &[&b"two\n".repeat(3000)[..], b"\0"].concat()),
            (".gitignore", b"*\n"),
            ("empty", b""),
        ] {
            sandbox.files().write(at(path), contents.to_vec()).await.unwrap();
        }
        let search = sandbox.search();
        let found = search.grep("^two$").path(&*base).include("*.txt").await.unwrap();
        assert_eq!(lines(&found), [format!("{base}/b.txt:2:two")], "on {provider}");
        let found = search.grep("two").path(&*base).await.unwrap();
        let text: Vec<String> = lines(&found).into_iter().filter(|line| !line.contains("late-binary")).collect();
        let expected = [
            "a.txt:1:café two",
            "a.txt:2:\u{fffd} two \u{fffd}",
            "a/.hidden:1:two",
            "a/c.rs:1:Two twos\r",
            "a/c.rs:4:two",
            "b.txt:2:two",
        ];
        assert_eq!(text, expected.map(&at), "on {provider}");
        assert_eq!(found.len(), 3006, "only the first 8 KiB tell a binary file, on {provider}");
        let found = search.grep("^TWO").path(&*base).ignore_case().max_matches(3).await.unwrap();
        let expected = ["a/.hidden:1:two", "a/c.rs:1:Two twos\r", "a/c.rs:4:two"];
        assert_eq!(lines(&found), expected.map(&at), "on {provider}");
        let found = search.grep("^t").path(at("b.txt")).await.unwrap();
        assert_eq!(lines(&found), [at("b.txt:2:two"), at("b.txt:3:three")], "on {provider}");
        assert_eq!(search.grep("$").path(at("empty")).await.unwrap(), []);
        assert_eq!(search.grep("x").path(at("not-there")).await.unwrap(), []);
        assert_eq!(search.grep("two").path(&*base).max_matches(0).await.unwrap(), []);
        for (pattern, include) in [("(", "*"), ("a{99999}{99999}", "*"), ("a", "[")] {
            let error = search.grep(pattern).include(include).await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::InvalidSpec, "{pattern}");
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    })
    .await;
}

#[tokio::test]
async fn hostile_trees_do_no_harm() {
    on_each_provider(async |provider, sandbox| {
        let base = place(&sandbox).await;
        let script = r#"
            mkdir -p "$1/loop" && cd "$1" && ln -s . loop/again && ln -s loop link && ln -s b.txt file-link && ln -s none dangling
            printf 'needle\n' > "$(printf 'new\nline')"; printf 'needle\n' > "$(printf '\377\376')"; printf 'needle\n' > '-n'
            mkfifo pipe; printf 'needle\n' > b.txt
            head -c 3000000 /dev/zero | tr '\0' x > long; printf 'needle\nneedle\n' >> long
            mkdir closed; printf 'needle\n' > closed/file; chmod 0 closed
            truncate -s 1T sparse
        "#;
        let made = sandbox.exec(["sh", "-c", script, "sh", &base]).await.unwrap();
        assert!(made.success(), "{}", made.stderr.text());
        let search = sandbox.search();
        let found = within_long(search.grep("^needle").path(&*base).into_future()).await.unwrap();
        let mut names: Vec<(Vec<u8>, u64)> = found
            .iter()
            .map(|found| (found.path.as_bytes()[base.len() + 1..].to_vec(), found.line_number))
            .collect();
        names.retain(|(name, _)| !name.starts_with(b"closed"));
        let expected: [(&[u8], u64); 5] =
            [(b"-n", 1), (b"b.txt", 1), (b"long", 2), (b"new\nline", 1), (b"\xff\xfe", 1)];
        assert_eq!(names, expected.map(|(name, line)| (name.to_vec(), line)), "on {provider}");
        if !is_root() && provider == "host" {
            assert!(!found.iter().any(|found| found.path.to_string().contains("closed")));
        }
        // Of a very long line the first MiB is looked at.
        assert_eq!(search.grep("xneedle").path(&*base).await.unwrap(), []);
        for query in [search.grep("needle").path(format!("{base}/link")), search.grep("needle").path(format!("{base}/file-link"))] {
            assert!(matches!(query.await.unwrap_err().detail(), Detail::InvalidSpec { field, .. } if field == "path"));
        }
        assert_eq!(search.grep("needle").path(format!("{base}/pipe")).await.unwrap(), []);
        assert_eq!(search.grep("needle").path(format!("{base}/b.txt/x")).await.unwrap(), []);
        sandbox.exec(["chmod", "700", &format!("{base}/closed")]).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn names_are_matched_and_walked() {
    on_each_provider(async |provider, sandbox| {
        let base = place(&sandbox).await;
        for path in
            ["a.rs", "src/b.rs", "src/deep/c.rs", "src/deep/.d.rs", "target/x.rs", "src/target/y.rs", "doc/target"]
        {
            sandbox.files().write(format!("{base}/{path}"), "1234567").await.unwrap();
        }
        sandbox.files().symlink("src", format!("{base}/link")).await.unwrap();
        let search = sandbox.search();
        let glob = async |pattern: &str| -> Vec<String> {
            search.glob(pattern, &*base).await.unwrap().iter().map(ToString::to_string).collect()
        };
        assert_eq!(glob("*.rs").await, ["a.rs"], "on {provider}");
        assert_eq!(glob("src/*").await, ["src/b.rs", "src/deep", "src/target"], "on {provider}");
        assert_eq!(glob("**/[.c]*.rs").await, ["src/deep/.d.rs", "src/deep/c.rs"], "on {provider}");
        assert_eq!(glob("{src,doc}/target").await, ["doc/target", "src/target"], "on {provider}");
        assert_eq!(glob("l*").await, ["link"], "on {provider}");
        assert_eq!(glob("link/*").await, Vec::<String>::new(), "on {provider}");
        assert_eq!(search.glob("*", "/not/there").await.unwrap(), [], "on {provider}");
        assert!(search.glob("[", &*base).await.is_err() && search.glob("*", format!("{base}/link")).await.is_err());

        let walk = search.walk(&*base).await.unwrap();
        assert!(walk.iter().all(|entry| entry.size == Some(7)) && walk.len() == 7, "on {provider}");
        let paths =
            |walk: Vec<isobox::WalkEntry>| walk.into_iter().map(|entry| entry.path).collect::<Vec<SandboxPath>>();
        let pruned = paths(search.walk(&*base).exclude("target").exclude("deep").await.unwrap());
        assert_eq!(pruned, ["a.rs", "doc/target", "src/b.rs"].map(SandboxPath::from), "on {provider}");
        assert_eq!(paths(search.walk(&*base).max_depth(1).await.unwrap()), [SandboxPath::from("a.rs")]);
        assert_eq!(paths(search.walk(&*base).max_depth(1).exclude("x").await.unwrap()), [SandboxPath::from("a.rs")]);
        assert_eq!(paths(search.walk(&*base).max_depth(0).await.unwrap()), []);
        assert_eq!(paths(search.walk(format!("{base}/a.rs")).await.unwrap()), []);
    })
    .await;
}

#[tokio::test]
async fn it_needs_nothing_in_the_image() {
    let lab = Lab::open().await;
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("only"), "a needle\n").unwrap();
    std::os::unix::fs::symlink("only", root.path().join("link")).unwrap();
    let made = lab.isobox.sandbox().provider("namespace").rootfs(root.path()).create().await;
    let sandbox = made.unwrap();
    let found = sandbox.search().grep("needle").include("only").await.unwrap();
    assert_eq!(lines(&found).len(), 1);
    assert_eq!(sandbox.search().glob("on*", "/").await.unwrap(), [SandboxPath::from("only")]);
    sandbox.delete().await.unwrap();
}

/// Prints what a search costs, beside the sandbox's own grep: `cargo test --release -p isobox --test search -- --ignored
/// --nocapture`.
#[tokio::test]
#[ignore = "a measurement"]
async fn what_it_costs() {
    on_each_provider(async |provider, sandbox| {
        let base = place(&sandbox).await;
        let script = "mkdir -p \"$1\" && cd \"$1\" && seq 1000 >one && \
            for d in $(seq 100); do mkdir d$d; for f in $(seq 100); do cat one >d$d/f$f; done; done";
        assert!(sandbox.exec(["sh", "-c", script, "sh", &base]).await.unwrap().success());
        for round in 0..3 {
            let begun = std::time::Instant::now();
            let found = sandbox.search().grep("^999$").path(&*base).await.unwrap().len();
            let searched = begun.elapsed();
            let begun = std::time::Instant::now();
            let grep = sandbox.exec(["grep", "-rn", "^999$", &base]).await.unwrap();
            let lines = grep.stdout.text().lines().count();
            println!("{provider}, round {round}: search {searched:?} ({found}), grep {:?} ({lines})", begun.elapsed());
        }
    })
    .await;
}
