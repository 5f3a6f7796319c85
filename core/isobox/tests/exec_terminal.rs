//! A command in a terminal behaves as a person at one expects.

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

use commands::{read_until, until_gone, within_long};
use common::on_each_provider;
use isobox::{ErrorCode, Termination};

#[tokio::test]
async fn it_is_a_terminal_of_that_size() {
    on_each_provider(async |provider, sandbox| {
        let script = "test -t 0 && test -t 1 && test -t 2 && echo terminal; stty size; echo $TERM; echo error >&2";
        let result = sandbox.shell(script).pty(31, 97).await.unwrap();
        let text = result.stdout.text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], lines[1], lines[3]), ("terminal", "31 97", "error"), "on {provider}");
        assert!(!lines[2].is_empty() && lines[2] != "dumb", "TERM is {:?} on {provider}", lines[2]);
        assert!(!result.streams_separated && result.stderr.bytes.is_empty());
        let result = sandbox.shell("echo $TERM").pty(24, 80).env("TERM", "mine").await.unwrap();
        assert_eq!(result.stdout.text(), "mine\r\n");
        let result = sandbox.shell("test -t 0 || test -t 1 || test -t 2 || echo none").await.unwrap();
        assert_eq!(result.stdout.text(), "none\n");
    })
    .await;
}

#[tokio::test]
async fn a_program_sees_its_terminal_change() {
    on_each_provider(async |_, sandbox| {
        let script = "trap 'stty size' WINCH; echo began; while :; do sleep 0.05; done";
        let process = sandbox.shell(script).pty(24, 80).spawn().await.unwrap();
        read_until(&process, "began").await;
        process.resize(50, 132).await.unwrap();
        read_until(&process, "50 132").await;
        process.kill().await.unwrap();
        process.resize(10, 10).await.unwrap();
        let plain = sandbox.exec(["sleep", "1000"]).spawn().await.unwrap();
        assert_eq!(plain.resize(10, 10).await.unwrap_err().code(), ErrorCode::InvalidState);
    })
    .await;
}

#[tokio::test]
async fn control_c_interrupts_the_foreground_and_nothing_else() {
    on_each_provider(async |provider, sandbox| {
        let mark = commands::mark();
        let process =
            sandbox.exec(["sh", "-i"]).env("PS1", "prompt:").pty(24, 200).stdin_stream().spawn().await.unwrap();
        read_until(&process, "prompt:").await;
        process.write(format!("sleep {mark}\n")).await.unwrap();
        commands::until_there(&mark).await;
        // The sleeper may not be in the foreground the moment it appears.
        commands::until_gone_with(&mark, async || process.write("\x03").await.unwrap()).await;
        process.write("echo still $((20 + 3))\n").await.unwrap();
        read_until(&process, "still 23").await;
        process.write("exit 5\n").await.unwrap();
        let result = within_long(process.wait()).await.unwrap();
        assert_eq!((result.exit_code, result.termination), (5, Termination::Exited), "on {provider}");
    })
    .await;
}

#[tokio::test]
async fn control_c_at_a_plain_command_ends_it_by_signal() {
    on_each_provider(async |_, sandbox| {
        let process = sandbox.shell("echo began; exec sleep 1000").pty(24, 80).stdin_stream().spawn().await.unwrap();
        read_until(&process, "began").await;
        process.write("\x03").await.unwrap();
        let result = within_long(process.wait()).await.unwrap();
        assert_eq!((result.termination, result.signal), (Termination::Signalled, Some(2)));
    })
    .await;
}

#[tokio::test]
async fn the_end_of_input_is_the_end_of_file_character() {
    on_each_provider(async |provider, sandbox| {
        let process = sandbox.exec(["cat"]).pty(24, 80).stdin_stream().spawn().await.unwrap();
        process.write("hello\n").await.unwrap();
        // What is typed is shown once, what the program writes once.
        assert_eq!(read_until(&process, "hello\r\nhello\r\n").await, "hello\r\nhello\r\n");
        process.close_stdin().await.unwrap();
        let result = within_long(process.wait()).await.unwrap();
        assert!(
            result.success() && result.stdout.text() == "hello\r\nhello\r\n",
            "{:?} on {provider}",
            result.stdout.text()
        );

        let result = within_long(sandbox.exec(["cat"]).pty(24, 80).input("given\n").run()).await.unwrap();
        assert!(result.success(), "{result:?} on {provider}");
        assert_eq!(result.stdout.text(), "given\r\ngiven\r\n", "on {provider}");
    })
    .await;
}

#[tokio::test]
async fn a_terminal_with_no_input_reads_as_ended() {
    on_each_provider(async |provider, sandbox| {
        let result = within_long(sandbox.exec(["cat"]).pty(24, 80).run()).await.unwrap();
        assert!(result.success(), "{result:?} on {provider}");
    })
    .await;
}

#[tokio::test]
async fn the_last_words_on_a_terminal_arrive() {
    on_each_provider(async |provider, sandbox| {
        for _ in 0..20 {
            let result = within_long(sandbox.exec(["seq", "1", "5000"]).pty(24, 80).run()).await.unwrap();
            let expected: String = (1..=5000).map(|n| format!("{n}\r\n")).collect();
            assert!(result.stdout.text() == expected, "{:?} on {provider}", result.stdout);
        }
    })
    .await;
}

#[tokio::test]
async fn closing_a_terminal_ends_what_runs_in_it() {
    on_each_provider(async |_, sandbox| {
        let mark = commands::mark();
        let script = format!("sleep {mark} & trap '' HUP; setsid sleep {mark} & echo began; sleep {mark}");
        let process = sandbox.shell(script).pty(24, 80).spawn().await.unwrap();
        read_until(&process, "began").await;
        drop(process);
        until_gone(&mark).await;
    })
    .await;
}
