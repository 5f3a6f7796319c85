//! Git, made from commands and files where a provider has no way of its own.

use crate::Repository as Upstream;
use crate::check::{Check, Checked, Stop, same};
use crate::lab::Lab;
use isobox::{Capability::*, Detail, GitFailure, Repository, Sandbox};

pub(crate) const CHECKS: &[Check] = &[
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
    check!(
        git_fetches_and_pushes,
        "What is pushed to another repository is fetched from there, with the ids that it had."
    )
    .needs(&[GitSupported])
    .programs(&["git"]),
];

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

/// A repository that sandboxes can reach; without one, it is made in the sandbox.
async fn upstream(lab: &Lab, sandbox: &Sandbox) -> Checked<Upstream> {
    if let Some(given) = &lab.fixtures().repository {
        return Ok(given.clone());
    }
    let (made, first, _) = repository(sandbox).await?;
    let path = sandbox.workdir().join(&"repository".into()).to_string_lossy().into_owned();
    // A branch with the name of the tag and a newer commit: whoever asks for the tag by its bare name may get that.
    for words in [&["tag", "v1", first.as_str()][..], &["branch", "v1"]] {
        let done = sandbox.exec(["git", "-C", path.as_str()].iter().chain(words).copied()).await?;
        ensure!(done.success(), "git cannot {}: {}", words[0], done.stderr.text());
    }
    same("the branch with the name of the tag", made.branches().await?.len(), 2)?;
    Ok(Upstream { url: format!("file://{path}"), tag: "v1".to_owned(), commit: first })
}

async fn git_clone_pins_a_tag(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let upstream = upstream(lab, &sandbox).await?;
    let git = sandbox.git();
    let cloned = git.clone_repository(&upstream.url, "clone").tag(&upstream.tag).depth(1).await?;
    same("the commit", cloned.rev_parse("HEAD").await?, upstream.commit)?;
    same("how many commits came", cloned.log("HEAD", 10).await?.len(), 1)?;
    let missing = git.clone_repository(&upstream.url, "none").tag("no-such-tag").await;
    let Err(missing) = missing else {
        ensure!(false, "a tag that is not there is cloned");
        return Ok(());
    };
    let told = matches!(missing.detail(), Detail::Git { kind: GitFailure::RefNotFound, .. });
    ensure!(told && !missing.is_infrastructure(), "the detail is {:?}", missing.detail());
    same("what is left of it", sandbox.files().exists("none").await?, false)
}

async fn git_fetches_and_pushes(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let (repository, ..) = repository(&sandbox).await?;
    let middle = sandbox.workdir().join(&"middle.git".into()).to_string_lossy().into_owned();
    for words in [
        &["init", "-q", "--bare", middle.as_str()][..],
        &["-C", "repository", "remote", "add", "origin", middle.as_str()],
    ] {
        let done = sandbox.exec(std::iter::once("git").chain(words.iter().copied())).await?;
        ensure!(done.success(), "git cannot {}: {}", words[0], done.stderr.text());
    }
    repository.push().branch("main").set_upstream().await?;
    let cloned = sandbox.git().clone_repository(format!("file://{middle}"), "clone").branch("main").await?;
    sandbox.files().write("repository/file", "three\n").await?;
    repository.add(["file"]).await?;
    let third = repository.commit("Third").await?;
    repository.push().branch("main").await?;
    cloned.fetch().await?;
    same("what was fetched", cloned.rev_parse("origin/main").await?, third.clone())?;
    ensure!(cloned.rev_parse("HEAD").await? != third, "a fetch changed what is checked out");
    let diff = repository.diff("HEAD~1", Some("HEAD")).await?;
    ensure!(String::from_utf8_lossy(&diff).contains("+three"), "the difference does not say what is new");
    Ok(())
}
