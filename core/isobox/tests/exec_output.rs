//! Every byte that a command writes arrives as it is, and what does not is counted.

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

use commands::{LONG, within_long};
use common::on_each_provider;
use isobox::{Captured, OutputEvent, OutputLimits, Process, Sandbox, Sanitize, Spill, Stream};

const EVERY_BYTE: &str = "
import os
data = bytes(range(256)) * 1000 + b'\\xff\\xfe\\x00 no line end'
while data: data = data[os.write(1, data):]
os.write(2, bytes(range(255, -1, -1)))
";

fn every_byte() -> (Vec<u8>, Vec<u8>) {
    let mut stdout: Vec<u8> = (0..=255).collect::<Vec<u8>>().repeat(1000);
    stdout.extend_from_slice(b"\xff\xfe\x00 no line end");
    (stdout, (0..=255).rev().collect())
}

/// Everything that a process writes, and how it ended.
async fn everything(process: &Process) -> (Vec<u8>, Vec<u8>) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    loop {
        match within_long(process.next()).await.unwrap() {
            Some(OutputEvent::Stdout(bytes)) => stdout.extend_from_slice(&bytes),
            Some(OutputEvent::Stderr(bytes)) => stderr.extend_from_slice(&bytes),
            Some(OutputEvent::Exited(_)) => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(process.next().await.unwrap(), None);
    assert_eq!(process.next().await.unwrap(), None);
    (stdout, stderr)
}

fn check(captured: &Captured) {
    assert_eq!(captured.retained, captured.bytes.len() as u64);
    assert_eq!(captured.observed, captured.retained + captured.omitted);
}

#[tokio::test]
async fn bytes_are_exact_and_the_streams_apart() {
    on_each_provider(async |_, sandbox| {
        let command = sandbox.exec(["python3", "-c", EVERY_BYTE]);
        let expected = every_byte();
        let result = command.clone().await.unwrap();
        assert!(result.success() && result.streams_separated);
        assert!(result.stdout.bytes == expected.0 && result.stderr.bytes == expected.1);
        assert!(!result.stdout.truncated() && result.stdout.omitted == 0);
        let process = command.spawn().await.unwrap();
        assert!(everything(&process).await == expected);
        let result = process.wait().await.unwrap();
        assert!(result.stdout.bytes == expected.0 && result.stderr.bytes == expected.1);
    })
    .await;
}

#[tokio::test]
async fn an_output_of_nothing_but_line_ends_and_one_of_nothing() {
    on_each_provider(async |_, sandbox| {
        let result = sandbox.shell(r"printf '\n\n\r\n\n'").await.unwrap();
        assert_eq!(&result.stdout.bytes[..], b"\n\n\r\n\n");
        let result = sandbox.exec(["true"]).await.unwrap();
        assert_eq!((result.stdout, result.stderr), (Captured::default(), Captured::default()));
    })
    .await;
}

#[tokio::test]
async fn merged_streams_keep_their_order() {
    on_each_provider(async |_, sandbox| {
        let script = "for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done";
        let expected: String = (1..10).map(|i| format!("o{i}\ne{i}\n")).collect();
        let result = sandbox.shell(script).merge_stderr().await.unwrap();
        assert_eq!(result.stdout.text(), expected);
        assert!(result.stderr.bytes.is_empty() && !result.streams_separated);
        let process = sandbox.shell(script).merge_stderr().spawn().await.unwrap();
        assert_eq!(everything(&process).await, (expected.into_bytes(), Vec::new()));
    })
    .await;
}

#[tokio::test]
async fn the_head_and_the_tail_are_kept_and_the_rest_is_counted() {
    on_each_provider(async |provider, sandbox| {
        let whole: String = (1..=100_000).map(|i| format!("{i}\n")).collect();
        let length = whole.len() as u64;
        let limits = |head, tail| OutputLimits { head, tail, ..OutputLimits::default() };
        for limits in [
            limits(500, 500),
            limits(1, 0),
            limits(0, 1),
            limits(0, 0),
            limits(0, 300_000),
            limits(300_000, 0),
            limits(length / 2, length - length / 2),
            limits(length - 1, 0),
            limits(u64::MAX, u64::MAX),
        ] {
            let (head, tail) = (limits.head.min(length), limits.tail.min(length - limits.head.min(length)));
            let kept = [&whole[..head as usize], &whole[(length - tail) as usize..]].concat();
            let command = sandbox.exec(["seq", "1", "100000"]).output(limits.clone());
            let process = command.clone().spawn().await.unwrap();
            for result in [command.await.unwrap(), within_long(process.wait()).await.unwrap()] {
                check(&result.stdout);
                assert!(result.stdout.bytes == kept.as_bytes(), "{limits:?} on {provider}: {:?}", result.stdout);
                assert_eq!(result.stdout.observed, length, "{limits:?} on {provider}");
                assert_eq!(result.stdout.truncated(), head + tail < length);
                if result.stdout.truncated() {
                    assert_eq!(result.stdout.omitted_at, head, "{limits:?} on {provider}");
                }
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_consumer_gets_every_byte_whatever_is_captured() {
    on_each_provider(async |_, sandbox| {
        let process = sandbox.exec(["seq", "1", "100000"]).output(OutputLimits::none()).spawn().await.unwrap();
        let (stdout, _) = everything(&process).await;
        assert!(stdout == (1..=100_000).map(|i| format!("{i}\n")).collect::<String>().as_bytes());
        let result = process.wait().await.unwrap();
        assert_eq!((result.stdout.observed, result.stdout.retained), (stdout.len() as u64, 0));
    })
    .await;
}

async fn spilled(sandbox: &Sandbox, captured: &Captured) -> Vec<u8> {
    check(captured);
    let path = captured.spill.clone().expect("it was more than is captured");
    sandbox.files().read(path).await.unwrap().to_vec()
}

#[tokio::test]
async fn a_spill_file_holds_everything() {
    on_each_provider(async |provider, sandbox| {
        sandbox.files().mkdir("spills").await.unwrap();
        for spill in [Spill::Temporary, Spill::Directory("spills".into())] {
            let limits = OutputLimits { spill: spill.clone(), ..OutputLimits::bytes(1000) };
            let command = sandbox.shell("seq 1 100000; seq 5 >&2").output(limits);
            let result = command.clone().await.unwrap();
            assert!(result.stdout.truncated());
            let whole: String = (1..=100_000).map(|i| format!("{i}\n")).collect();
            assert!(spilled(&sandbox, &result.stdout).await == whole.as_bytes(), "{spill:?} on {provider}");
            assert_eq!(result.stderr.spill, None, "it fits, {spill:?} on {provider}");
            let process = command.spawn().await.unwrap();
            let result = within_long(process.wait()).await.unwrap();
            assert!(spilled(&sandbox, &result.stdout).await == whole.as_bytes(), "{spill:?} on {provider}");
            if let Spill::Directory(directory) = &spill {
                let name = format!("{}.stdout", process.id());
                assert!(sandbox.files().exists(directory.join(&name.as_str().into())).await.unwrap());
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_spill_that_cannot_be_written_is_no_spill() {
    on_each_provider(async |_, sandbox| {
        let limits = OutputLimits { spill: Spill::Directory("/proc/no/such".into()), ..OutputLimits::bytes(1000) };
        let result = within_long(sandbox.exec(["seq", "1", "100000"]).output(limits).run()).await.unwrap();
        assert!(result.success() && result.stdout.spill.is_none() && result.stdout.truncated());
        assert_eq!(result.stdout.retained, 1000);
    })
    .await;
}

#[tokio::test]
async fn control_sequences_are_taken_out_when_asked_also_split_ones() {
    on_each_provider(async |provider, sandbox| {
        let script = r"printf '\033[31mred\033['; sleep 0.1; printf '0m\007\ttab\r\n\033]0;title\007end\033'";
        for (sanitize, expected) in [
            (Sanitize::Raw, "\x1b[31mred\x1b[0m\x07\ttab\r\n\x1b]0;title\x07end\x1b"),
            (Sanitize::StripAnsi, "red\x07\ttab\r\nend"),
            (Sanitize::StripAll, "red\ttab\nend"),
        ] {
            let limits = OutputLimits { sanitize, ..OutputLimits::default() };
            let command = sandbox.shell(script).output(limits);
            let result = command.clone().await.unwrap();
            assert_eq!(result.stdout.text(), expected, "{sanitize} on {provider}");
            assert_eq!(result.stdout.observed, expected.len() as u64);
            let (stdout, _) = everything(&command.spawn().await.unwrap()).await;
            assert_eq!(String::from_utf8(stdout).unwrap(), expected, "{sanitize} on {provider}");
        }
    })
    .await;
}

#[tokio::test]
async fn waiting_and_reading_at_once_lose_nothing() {
    on_each_provider(async |_, sandbox| {
        let process = sandbox.exec(["seq", "1", "1000000"]).spawn().await.unwrap();
        let (read, waited) = tokio::join!(
            async {
                let mut bytes = 0;
                while let Some(event) = within_long(process.next()).await.unwrap() {
                    match event {
                        OutputEvent::Stdout(data) => bytes += data.len() as u64,
                        OutputEvent::Gap { stream: Stream::Stdout, bytes: missed } => bytes += missed,
                        _ => {}
                    }
                }
                bytes
            },
            within_long(process.wait())
        );
        assert_eq!((read, waited.unwrap().stdout.observed), (6_888_896, 6_888_896));
    })
    .await;
}

#[tokio::test]
async fn output_that_nobody_reads_does_not_hang_a_wait() {
    on_each_provider(async |_, sandbox| {
        let process = sandbox.shell("seq 1 1000000; seq 1 1000000 >&2").timeout(LONG).spawn().await.unwrap();
        let result = within_long(process.wait()).await.unwrap();
        assert!(result.success() && result.stderr.observed == 6_888_896);
    })
    .await;
}
