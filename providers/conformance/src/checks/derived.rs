//! What is made from commands and files where a provider has no way of its own: search, services, git.

use crate::check::{Check, Checked, Stop, refused, same};
use crate::lab::{Lab, eventually};
use crate::processes::{none_alive, until_alive};
use isobox::{Capability::*, Detail, ErrorCode, GitFailure, Repository, Sandbox};

pub(crate) const CHECKS: &[Check] = &[
    check!(search_finds_lines, "Lines are found below a directory and in one file, with path, number and bytes.")
        .shows(&[SearchSupported])
        .programs(&[]),
    check!(search_finds_names, "Paths that match a pattern are found, sorted, and a walk gives regular files alone.")
        .needs(&[SearchSupported])
        .programs(&[]),
    check!(service_round_trips, "A service is started, found by its name, read, and stopped with everything of it.")
        .shows(&[ServicesSupported])
        .needs(&[ExecDetached]),
    check!(
        service_that_ends_is_told,
        "A service that ended says so with its exit code, and one that is never ready is stopped again."
    )
    .needs(&[ServicesSupported]),
    check!(git_round_trips, "A repository is made, changed, committed to and read.")
        .shows(&[GitSupported])
        .programs(&["git"]),
    check!(
        git_reads_are_typed,
        "Revisions, ancestry, changes, blobs and new files come as data, and what is not there fails by its kind."
    )
    .needs(&[GitSupported])
    .programs(&["git"]),
    check!(
        git_credentials_are_kept_apart,
        "Credentials of a repository answer git, are in no address, and go when they are cleared."
    )
    .needs(&[GitSupported])
    .programs(&["git", "sh"]),
    check!(git_clone_pins_a_tag, "A clone of a tag is at its commit, and of one that is not there nothing is left.")
        .needs(&[GitSupported])
        .programs(&["git"]),
];

async fn search_finds_lines(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let files = sandbox.files();
    files.write("tree/a.txt", "one\nneedle here\n").await?;
    files.write("tree/deep/b.rs", "Needle\nno\nneedle").await?;
    files.write("tree/binary", &b"\0needle\n"[..]).await?;
    let search = sandbox.search();
    let seen = |found: Vec<isobox::GrepMatch>| -> Vec<(String, u64)> {
        found.into_iter().map(|found| (found.path.to_string_lossy().into_owned(), found.line_number)).collect()
    };
    let found = seen(search.grep("needle").path("tree").await?);
    let ends = |found: &[(String, u64)], expected: &[(&str, u64)]| {
        found.len() == expected.len()
            && found
                .iter()
                .zip(expected)
                .all(|(found, expected)| found.0.ends_with(expected.0) && found.1 == expected.1)
    };
    ensure!(ends(&found, &[("a.txt", 2), ("deep/b.rs", 3)]), "below a directory: {found:?}");
    let found = seen(search.grep("needle").path("tree").ignore_case().include("*.rs").await?);
    ensure!(ends(&found, &[("deep/b.rs", 1), ("deep/b.rs", 3)]), "in some files: {found:?}");
    let found = search.grep("n[a-z]+dle").path("tree/a.txt").await?;
    same("in one file", found.first().map(|found| &found.line[..]), Some(&b"needle here"[..]))?;
    same("in a directory that is not there", search.grep("x").path("missing").await?.len(), 0)
}

async fn search_finds_names(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    for path in ["tree/b.rs", "tree/a/c.rs", "tree/a/d.txt", "tree/skip/e.rs", "tree/a/skip"] {
        sandbox.files().write(path, "x").await?;
    }
    let search = sandbox.search();
    let names = |paths: Vec<isobox::SandboxPath>| -> Vec<String> {
        paths.into_iter().map(|path| path.to_string_lossy().into_owned()).collect()
    };
    same("a pattern", names(search.glob("**/*.rs", "tree").await?), vec!["a/c.rs", "b.rs", "skip/e.rs"])?;
    same("a pattern without slashes", names(search.glob("*.rs", "tree").await?), vec!["b.rs"])?;
    let walked = search.walk("tree").exclude("skip").await?;
    let walked = names(walked.into_iter().map(|entry| entry.path).collect());
    same("a walk", walked, vec!["a/c.rs", "a/d.txt", "a/skip", "b.rs"])
}

async fn service_round_trips(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let mark = lab.mark();
    let script = format!("echo up $WHO; sleep {mark} & wait");
    let started = sandbox.services().shell("ticker", script).env("WHO", "you").ready_when_it_says("up you").await?;
    let again = sandbox.services().shell("ticker", "sleep 1000").await;
    refused("a second service with the name", again.map(drop), ErrorCode::AlreadyExists)?;
    let other = lab.isobox().connect(sandbox.id().as_str()).await?;
    let found = other.services().get("ticker").await?;
    same("its id", found.id(), started.id())?;
    same("whether it runs", found.status().await?.running, true)?;
    same("what it wrote", &found.logs(100).await?[..], &b"up you\n"[..])?;
    until_alive(&sandbox, &mark).await?;
    found.stop().await?;
    found.stop().await?;
    same("whether it runs", found.status().await?.running, false)?;
    none_alive(&sandbox, &mark, "after the stop of the service").await
}

async fn service_that_ends_is_told(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let service = sandbox.services().shell("short", "exit 6").await?;
    eventually("the end of the service", async || Ok(!service.status().await?.running)).await?;
    same("its exit code", service.status().await?.exit_code, Some(6))?;
    let mark = lab.mark();
    let never = sandbox.services().shell("never", format!("sleep {mark}")).ready_when_it_says("ready");
    let never = never.ready_timeout(std::time::Duration::from_secs(1)).await;
    refused("a service that is never ready", never.map(drop), ErrorCode::Timeout)?;
    none_alive(&sandbox, &mark, "after it was not ready in time").await?;
    refused("a service that there is none of", sandbox.services().get("none").await.map(drop), ErrorCode::NotFound)?;
    Ok(())
}

/// A repository with two commits, and their ids.
async fn repository(sandbox: &Sandbox) -> Checked<(Repository, String, String)> {
    let repository = sandbox.git().init("repository").await?;
    repository.set_config("user.name", "It's me").await?;
    repository.set_config("user.email", "me@example.org").await?;
    sandbox.files().write("repository/file", "one\n").await?;
    repository.add(["file"]).await?;
    let first = repository.commit("First").await?;
    sandbox.files().write("repository/file", "two\n").await?;
    repository.add_all().await?;
    let second = repository.commit("Second\n\nWhy\n").await?;
    Ok((repository, first, second))
}

async fn git_round_trips(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let (repository, first, second) = repository(&sandbox).await?;
    let status = repository.status().await?;
    same("the branch", status.branch.as_deref(), Some("main"))?;
    same("the commit", status.head.as_deref(), Some(second.as_str()))?;
    ensure!(status.is_clean(), "it is not clean: {:?}", status.entries);
    let log = repository.log("HEAD", 10).await?;
    same("the commits", log.iter().map(|commit| commit.id.clone()).collect::<Vec<_>>(), vec![second, first])?;
    same("a message", log.first().map(|commit| commit.message.as_str()), Some("Second\n\nWhy\n"))?;
    repository.create_branch("side").await?;
    let branches = repository.branches().await?;
    same("how many branches there are", branches.len(), 2)
}

async fn git_reads_are_typed(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let (repository, first, second) = repository(&sandbox).await?;
    same("a revision", repository.rev_parse("HEAD~1").await?, first.clone())?;
    same("whether the first is before the second", repository.is_ancestor(&first, &second).await?, true)?;
    same("whether the second is before the first", repository.is_ancestor(&second, &first).await?, false)?;
    let changes = repository.changes(&first, Some(&second)).await?;
    same(
        "what changed",
        changes.iter().map(|change| (change.status, change.added)).collect::<Vec<_>>(),
        vec![('M', Some(1))],
    )?;
    let blob =
        changes.first().and_then(|change| change.new.as_ref()).and_then(|file| file.id.clone()).unwrap_or_default();
    same("a blob", repository.blobs(&[blob], 100).await?, vec![bytes::Bytes::from_static(b"two\n")])?;
    sandbox.files().write("repository/new\nline", "x").await?;
    same("new files", repository.untracked_files().await?, vec![isobox::SandboxPath::from("new\nline")])?;
    let Err(missing) = repository.rev_parse("no-such-branch").await else {
        ensure!(false, "a revision that is not there is resolved");
        return Ok(());
    };
    let told = matches!(missing.detail(), Detail::Git { kind: GitFailure::RefNotFound, .. });
    ensure!(told && !missing.is_infrastructure(), "the detail is {:?}", missing.detail());
    Ok(())
}

async fn git_credentials_are_kept_apart(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let (repository, ..) = repository(&sandbox).await?;
    let url = "https://conformance.invalid/project.git";
    let add = sandbox.exec(["git", "-C", "repository", "remote", "add", "origin", url]).await?;
    same("adding a remote", add.success(), true)?;
    let ask = async || {
        let script = "printf 'protocol=https\\nhost=conformance.invalid\\n\\n' | GIT_TERMINAL_PROMPT=0 git -C repository credential fill 2>/dev/null";
        Ok::<_, Stop>(sandbox.shell(script).await?.stdout.text().into_owned())
    };
    for password in ["p@ss:w/rd %25", "rotated"] {
        repository.set_credentials("some@body", password).await?;
        let answer = ask().await?;
        ensure!(answer.contains("username=some@body\n"), "git does not get the name");
        ensure!(answer.contains(&format!("password={password}\n")), "git does not get the password");
    }
    let told = sandbox.exec(["git", "-C", "repository", "remote", "get-url", "origin"]).await?;
    same("the address of the remote", told.stdout.text().trim_end(), url)?;
    repository.clear_credentials().await?;
    ensure!(!ask().await?.contains("password=rotated"), "git gets the password after it was cleared");
    Ok(())
}

async fn git_clone_pins_a_tag(lab: &Lab) -> Checked {
    let upstream = lab.fixture("repository", |fixtures| &fixtures.repository)?;
    let sandbox = lab.sandbox().await?;
    let git = sandbox.git();
    let cloned = git.clone_repository(&upstream.url, "clone").tag(&upstream.tag).depth(1).await?;
    same("the commit", cloned.rev_parse("HEAD").await?, upstream.commit)?;
    let missing = git.clone_repository(&upstream.url, "none").tag("no-such-tag").await;
    ensure!(missing.is_err(), "a tag that is not there is cloned");
    same("what is left of it", sandbox.files().exists("none").await?, false)
}
