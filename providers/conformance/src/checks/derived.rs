//! What is made from commands and files where a provider has no way of its own: search and services.

use crate::check::{Check, Checked, refused, same};
use crate::lab::{Lab, eventually};
use crate::processes::{none_alive, until_alive};
use isobox::{Capability::*, ErrorCode};

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
