//! What a command is given arrives as it is: input with a real end, arguments, variables.

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

use commands::{LONG, read_until, within_long};
use common::on_each_provider;
use isobox::{ErrorCode, OutputEvent, OutputLimits, Process};
use std::time::Duration;

fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[tokio::test]
async fn fifty_mebibytes_arrive_and_come_back() {
    on_each_provider(async |_, sandbox| {
        let data = noise(50 << 20);
        let command = sandbox.exec(["cat"]).input(data.clone()).output(OutputLimits::bytes(64 << 20));
        let result = within_long(command.run()).await.unwrap();
        assert!(result.success() && result.stdout.bytes == data);
    })
    .await;
}

#[tokio::test]
async fn input_ends() {
    on_each_provider(async |_, sandbox| {
        let result = within_long(sandbox.exec(["cat"]).run()).await.unwrap();
        assert!(result.success() && result.stdout.bytes.is_empty());
        let result = within_long(sandbox.exec(["cat"]).input("").run()).await.unwrap();
        assert!(result.success() && result.stdout.bytes.is_empty());
        let process = sandbox.shell("cat; echo end").stdin_stream().spawn().await.unwrap();
        process.close_stdin().await.unwrap();
        process.close_stdin().await.unwrap();
        assert_eq!(within_long(process.wait()).await.unwrap().stdout.text(), "end\n");
        let error = process.write("more").await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidState, "{error}");
    })
    .await;
}

#[tokio::test]
async fn input_may_come_late_and_in_pieces() {
    on_each_provider(async |_, sandbox| {
        let script = "echo ready; read line; echo got $line; cat";
        let process = sandbox.shell(script).stdin_stream().spawn().await.unwrap();
        read_until(&process, "ready\n").await;
        for piece in ["he", "llo", "\n"] {
            process.write(piece).await.unwrap();
        }
        assert_eq!(read_until(&process, "hello\n").await, "got hello\n");
        process.write(&b"\0\xff"[..]).await.unwrap();
        assert_eq!(process.next().await.unwrap(), Some(OutputEvent::Stdout((&b"\0\xff"[..]).into())));
        process.close_stdin().await.unwrap();
        assert!(within_long(process.wait()).await.unwrap().success());
    })
    .await;
}

#[tokio::test]
async fn a_program_that_does_not_read_its_input_is_no_error() {
    on_each_provider(async |provider, sandbox| {
        for (script, output) in [
            ("exit 0", ""),
            ("head -c 5", "aaaaa"),
            ("exec 0<&-; sleep 0.2; echo done", "done\n"),
            ("sleep 0.2; echo done", "done\n"),
            ("sleep 1000 & echo done", "done\n"),
        ] {
            let command = sandbox.shell(script).input(vec![b'a'; 20 << 20]);
            let result = within_long(command.clone().run()).await.unwrap();
            assert!(result.success() && result.stdout.text() == output, "{script} on {provider}: {result:?}");
            let process = command.spawn().await.unwrap();
            let result = within_long(process.wait()).await.unwrap();
            assert!(result.success() && result.stdout.text() == output, "{script} on {provider}: {result:?}");
        }
    })
    .await;
}

/// Writes until that fails.
async fn write_on(process: &Process) -> isobox::Error {
    within_long(async {
        loop {
            if let Err(error) = process.write(vec![b'a'; 64 << 10]).await {
                return error;
            }
        }
    })
    .await
}

#[tokio::test]
async fn a_writer_hears_that_nobody_reads_any_more() {
    on_each_provider(async |provider, sandbox| {
        for script in ["exec 0<&-; echo closed; sleep 1000", "head -c 3 >/dev/null", "exit 7"] {
            let process = sandbox.shell(script).stdin_stream().spawn().await.unwrap();
            let error = write_on(&process).await;
            assert!(error.code() == ErrorCode::Io, "{script} on {provider}: {error}");
            process.close_stdin().await.unwrap();
            process.kill().await.unwrap();
            within_long(process.wait()).await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn input_without_a_stream_is_refused() {
    on_each_provider(async |_, sandbox| {
        for command in [sandbox.exec(["sleep", "1000"]), sandbox.exec(["sleep", "1000"]).input("x")] {
            let process = command.spawn().await.unwrap();
            assert_eq!(process.write("x").await.unwrap_err().code(), ErrorCode::InvalidState);
        }
        let error = sandbox.exec(["cat"]).stdin_stream().run().await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}");
    })
    .await;
}

#[tokio::test]
async fn a_write_that_is_given_up_leaves_no_rubbish() {
    on_each_provider(async |provider, sandbox| {
        let data = noise(8 << 20);
        let script = "read go; echo going; cat";
        let process = sandbox.shell(script).stdin_stream().output(OutputLimits::bytes(64 << 20)).spawn().await.unwrap();
        // More than fits on the way, so that it stops somewhere in the middle.
        let written = tokio::time::timeout(Duration::from_millis(500), process.write(data.clone())).await;
        assert!(written.is_err(), "everything was taken, on {provider}");
        // From here on somebody takes the output, so that the input can move again.
        let (_, result) = tokio::join!(
            async {
                let _ = within_long(process.write("after")).await;
                within_long(process.close_stdin()).await.unwrap();
            },
            within_long(process.wait())
        );
        let result = result.unwrap();
        // What `read` takes ends at a line end of the noise.
        let line = data.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        let came = result.stdout.bytes.strip_prefix(b"going\n").unwrap();
        let came = came.strip_suffix(b"after").expect("what follows comes last, and whole");
        assert!(!came.is_empty() && data[line..].starts_with(came), "{} bytes on {provider}", came.len());
    })
    .await;
}

#[tokio::test]
async fn two_handles_can_write_in_turn() {
    on_each_provider(async |_, sandbox| {
        let process = sandbox.exec(["cat"]).stdin_stream().spawn().await.unwrap();
        process.write("one\n").await.unwrap();
        read_until(&process, "one\n").await;
        let second = sandbox.process(process.id()).await.unwrap();
        within_long(second.write("two\n")).await.unwrap();
        read_until(&process, "two\n").await;
        within_long(process.write("three\n")).await.unwrap();
        read_until(&process, "three\n").await;
        within_long(second.close_stdin()).await.unwrap();
        assert_eq!(within_long(process.wait()).await.unwrap().stdout.text(), "one\ntwo\nthree\n");
        let _ = write_on(&process).await;
    })
    .await;
}

#[tokio::test]
async fn arguments_are_literal() {
    on_each_provider(async |_, sandbox| {
        let words = [
            "", " ", "$HOME", "`id`", "$(id)", "a b", "'", "\"", "\\", "*", "?", "[a]", "{a,b}", "~", "#", "!", "&",
            "|", ";", "<", ">", "(", ")", "\n", "\t", "-n", "--", "%s", "=",
        ];
        let print = "import os, sys\nfor word in sys.argv[1:]: os.write(1, os.fsencode(word) + b'\\0')";
        let mut argv: Vec<Vec<u8>> = ["python3", "-c", print].map(Vec::from).to_vec();
        argv.extend(words.map(Vec::from));
        argv.push(b"\xff\x80 no text".to_vec());
        let result = sandbox.exec(argv.clone()).await.unwrap();
        let expected: Vec<u8> = argv[3..].iter().flat_map(|word| [&word[..], b"\0"].concat()).collect();
        assert_eq!(result.stdout.bytes, expected);
    })
    .await;
}

#[tokio::test]
async fn a_mebibyte_of_arguments_arrives() {
    on_each_provider(async |_, sandbox| {
        // The kernel takes 128 KiB in one argument, with its NUL (MAX_ARG_STRLEN in execve(2)).
        let word = "x".repeat((128 << 10) - 1);
        let argv = |words: usize| {
            ["sh", "-c", "printf %s \"$@\" | wc -c", "sh"].into_iter().chain(std::iter::repeat_n(&*word, words))
        };
        let result = within_long(sandbox.exec(argv(8)).run()).await.unwrap();
        assert_eq!(result.stdout.text().trim(), (8 * word.len()).to_string());

        let error = sandbox.exec(["true", &format!("{word}x")]).run().await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::LimitExceeded, "{error}");
        let error = within_long(sandbox.exec(argv(100)).run()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::LimitExceeded, "{error}");
        assert!(sandbox.exec(["true"]).timeout(LONG).await.unwrap().success());
    })
    .await;
}

#[tokio::test]
async fn variables_arrive_whatever_their_name() {
    on_each_provider(async |_, sandbox| {
        let command = sandbox
            .exec(["env", "-0"])
            .env("with-dash.and-dot", "a b\n$x")
            .env("1", "")
            .env("SAME", "1")
            .env("SAME", "2");
        let result = command.env("ODD", b"\xff\xfe".to_vec()).await.unwrap();
        let variables: Vec<&[u8]> = result.stdout.bytes.split(|byte| *byte == 0).collect();
        for expected in [&b"with-dash.and-dot=a b\n$x"[..], b"1=", b"SAME=2", b"ODD=\xff\xfe"] {
            assert_eq!(
                variables.iter().filter(|variable| **variable == expected).count(),
                1,
                "{}",
                expected.escape_ascii()
            );
        }
        assert!(!variables.contains(&&b"SAME=1"[..]));
    })
    .await;
}

#[tokio::test]
async fn programs_are_looked_up_on_the_path_of_the_command() {
    on_each_provider(async |provider, sandbox| {
        sandbox.files().write("own/program", "#!/bin/sh\necho mine\n").await.unwrap();
        sandbox.files().chmod("own/program", 0o755).await.unwrap();
        let directory = format!("{}/own", sandbox.workdir());
        for path in [format!("/nowhere:{directory}"), "/nowhere:own".to_owned()] {
            let result = sandbox.exec(["program"]).env("PATH", path.clone()).await.unwrap();
            assert_eq!(result.stdout.text(), "mine\n", "{path} on {provider}");
        }
        let error = sandbox.exec(["true"]).env("PATH", "/nowhere").await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::NotFound, "{error}");
        let result = sandbox.exec(["./program"]).cwd("own").env("PATH", "/nowhere").await.unwrap();
        assert_eq!(result.stdout.text(), "mine\n");
    })
    .await;
}
