//! What cannot be run is refused with the reason, and leaves nothing behind.

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

use commands::{LONG, is_root, within_long};
use common::on_each_provider;
use isobox::{Command, Detail, Error, ErrorCode, Sandbox};
use std::time::Duration;

async fn refused(sandbox: &Sandbox, command: Command) -> Error {
    let error = within_long(command.clone().run()).await.unwrap_err();
    let spawned = within_long(command.spawn()).await.unwrap_err();
    assert_eq!((error.code(), error.message()), (spawned.code(), spawned.message()));
    assert!(sandbox.processes().await.unwrap().is_empty(), "{error}");
    error
}

fn field(error: &Error) -> &str {
    match error.detail() {
        Detail::InvalidSpec { field, .. } if error.code() == ErrorCode::InvalidSpec => field,
        detail => panic!("{error}: {detail:?}"),
    }
}

#[tokio::test]
async fn a_request_that_means_nothing_names_its_field() {
    on_each_provider(async |provider, sandbox| {
        let none: [&str; 0] = [];
        let run = || sandbox.exec(["true"]);
        for (command, expected) in [
            (sandbox.exec(none), "argv"),
            (sandbox.exec([""]), "argv"),
            (sandbox.exec(["echo", "a\0b"]), "argv"),
            (sandbox.shell("echo \0"), "command"),
            (run().env("A", "b\0c"), "env"),
            (run().env("A\0", "b"), "env"),
            (run().env("A=B", "c"), "env"),
            (run().env("", "c"), "env"),
            (run().cwd(""), "cwd"),
            (run().cwd("a\0b"), "cwd"),
            (run().cwd("/no/such/directory"), "cwd"),
            (run().cwd("/etc/passwd"), "cwd"),
            (run().user(""), "user"),
            (run().user("a:b:c"), "user"),
            (run().timeout(Duration::ZERO), "timeout"),
            (run().pty(0, 80), "pty"),
        ] {
            let error = refused(&sandbox, command).await;
            assert_eq!(field(&error), expected, "{error} on {provider}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_program_that_cannot_be_executed_says_why() {
    on_each_provider(async |provider, sandbox| {
        for (name, content, mode) in [
            ("plain", "#!/bin/sh\n", 0o644),
            ("lost", "#!/no/such/interpreter\n", 0o755),
            ("data", "\x01\0\x02", 0o755),
        ] {
            sandbox.files().write(name, content).await.unwrap();
            sandbox.files().chmod(name, mode).await.unwrap();
        }
        for (program, code) in [
            ("no-such-program-here", ErrorCode::NotFound),
            ("/no/such/program", ErrorCode::NotFound),
            ("./plain", ErrorCode::PermissionDenied),
            ("/etc", ErrorCode::PermissionDenied),
            ("./lost", ErrorCode::InvalidSpec),
            ("./data", ErrorCode::InvalidSpec),
        ] {
            let error = refused(&sandbox, sandbox.exec([program])).await;
            assert_eq!(error.code(), code, "{program} on {provider}: {error}");
            assert!(matches!(error.detail(), Detail::Launch { .. }), "{program} on {provider}: {:?}", error.detail());
            assert!(!error.is_infrastructure() && !error.is_retryable(), "{program} on {provider}");
            assert_eq!(error.operation(), Some("exec.run"));
        }
    })
    .await;
}

#[tokio::test]
async fn the_longest_times_are_fine() {
    on_each_provider(async |_, sandbox| {
        for longest in [Duration::MAX, Duration::from_secs(u64::MAX), Duration::from_millis(u64::MAX)] {
            let command = sandbox.exec(["true"]).timeout(longest).grace(longest).drain(longest);
            assert!(within_long(command.clone().run()).await.unwrap().success());
            let process = command.spawn().await.unwrap();
            assert!(within_long(process.wait()).await.unwrap().success());

            let process = sandbox.exec(["sleep", "1000"]).spawn().await.unwrap();
            within_long(process.stop_within(longest)).await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn another_user() {
    on_each_provider(async |provider, sandbox| {
        if is_root() {
            let error = refused(&sandbox, sandbox.exec(["id"]).user("no-such-user-here")).await;
            assert_eq!(field(&error), "user", "{error} on {provider}");
            for (user, expected) in [("nobody", "65534:65534"), ("1234", "1234"), ("1234:4321", "1234:4321")] {
                let result = sandbox.shell("echo $(id -u):$(id -g)").user(user).cwd("/").timeout(LONG).await.unwrap();
                assert!(result.stdout.text().trim().starts_with(expected), "{user} on {provider}: {result:?}");
            }
        } else {
            for user in ["daemon", "no-such-user-here", "1234", "0:1234"] {
                let error = refused(&sandbox, sandbox.exec(["id"]).user(user)).await;
                let refusal = matches!(
                    error.code(),
                    ErrorCode::InvalidSpec | ErrorCode::PermissionDenied | ErrorCode::Unsupported
                );
                assert!(refusal, "{user} on {provider}: {error}");
                assert!(error.message().contains("user"), "{user} on {provider}: {error}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_user_that_another_one_cannot_signal_is_still_ended() {
    on_each_provider(async |provider, sandbox| {
        if !is_root() {
            return eprintln!("not run on {provider}: needs root");
        }
        let mark = commands::mark();
        let command = sandbox.shell(format!("setsid sleep {mark} & echo began; sleep {mark}")).user("1234").cwd("/");
        let process = command.spawn().await.unwrap();
        commands::read_until(&process, "began\n").await;
        within_long(process.kill()).await.unwrap();
        assert_eq!(common::processes_with(&mark), [] as [u32; 0], "on {provider}");
    })
    .await;
}
