//! What a command reads.

use crate::check::{Check, Checked, refused, same};
use crate::lab::Lab;
use crate::processes::read_until;
use isobox::{Capability::*, ErrorCode, OutputEvent};

pub(crate) const CHECKS: &[Check] = &[
    check!(input_is_empty_by_default, "Without input a command reads the end at once.").programs(&["cat"]),
    check!(input_bytes_round_trip, "Bytes given as input arrive whole and end.").shows(&[ExecStdin]).programs(&["cat"]),
    check!(input_may_be_ignored, "A command that does not read its input ends as it likes.").needs(&[ExecStdin]),
    check!(
        input_stream_arrives_late,
        "What is written while a command runs arrives while it runs, and the end is a real end."
    )
    .shows(&[ExecStdinStream])
    .needs(&[ExecSpawn, ExecLiveStreaming]),
    check!(input_stream_round_trips, "Fifty megabytes of input come back whole, with output read at the same time.")
        .needs(&[ExecStdinStream, ExecSpawn])
        .programs(&["cat"]),
    check!(input_after_the_end_is_refused, "Writing to a command that has ended is io, and its result is still there.")
        .needs(&[ExecStdinStream, ExecSpawn]),
];

async fn input_is_empty_by_default(lab: &Lab) -> Checked {
    let result = lab.sandbox().await?.exec(["cat"]).await?;
    same("its success", result.success(), true)?;
    same("what it read", result.stdout.observed, 0)
}

async fn input_bytes_round_trip(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let all: Vec<u8> = (0..=255).cycle().take(3 << 20).collect();
    for input in [Vec::new(), b"\0\0".to_vec(), b"no newline".to_vec(), all] {
        let length = input.len();
        let result = sandbox.exec(["cat"]).input(input.clone()).await?;
        ensure!(result.stdout.bytes[..] == input[..], "{length} bytes came back as {}", result.stdout.observed);
    }
    Ok(())
}

async fn input_may_be_ignored(lab: &Lab) -> Checked {
    let result = lab.sandbox().await?.shell("exit 3").input(vec![b'x'; 1 << 20]).await?;
    same("the exit code", result.exit_code, 3)
}

async fn input_stream_arrives_late(lab: &Lab) -> Checked {
    let script = "echo ready; while read -r line; do echo \"got $line\"; done; echo end";
    let process = lab.sandbox().await?.shell(script).stdin_stream().spawn().await?;
    read_until(&process, "ready\n").await?;
    // Each is only written when what came before was answered: had the input been collected, nothing would come.
    for word in ["one", "two", "three"] {
        process.write(format!("{word}\n")).await?;
        read_until(&process, &format!("got {word}\n")).await?;
    }
    process.close_stdin().await?;
    read_until(&process, "end\n").await?;
    same("its success", process.wait().await?.success(), true)
}

async fn input_stream_round_trips(lab: &Lab) -> Checked {
    // Much takes long enough for both ends to look after the connection at the same time.
    let pieces = lab.amount(800, 64_000);
    let process = lab.sandbox().await?.exec(["cat"]).stdin_stream().spawn().await?;
    let piece = |number: u64| vec![number as u8; 64 << 10];
    let write = async {
        for number in 0..pieces {
            process.write(piece(number)).await?;
        }
        process.close_stdin().await
    };
    let read = async {
        let (mut read, mut right) = (0, true);
        while let Some(event) = process.next().await? {
            if let OutputEvent::Stdout(bytes) = event {
                right &= bytes.iter().zip(read..).all(|(byte, at)| *byte == (at >> 16) as u8);
                read += bytes.len() as u64;
            }
        }
        Ok((read, right))
    };
    let ((), (read, right)) = futures::future::try_join(write, read).await?;
    same("how many bytes came back, and whether they are those", (read, right), (pieces << 16, true))
}

async fn input_after_the_end_is_refused(lab: &Lab) -> Checked {
    let process = lab.sandbox().await?.shell("exit 4").stdin_stream().spawn().await?;
    let result = process.wait().await?;
    same("the exit code", result.exit_code, 4)?;
    let written = process.write("late").await;
    let Err(error) = written else {
        ensure!(false, "input for a command that has ended was accepted");
        return Ok(());
    };
    ensure!(matches!(error.code(), ErrorCode::Io | ErrorCode::InvalidState), "it says {}: {error}", error.code());
    same("the exit code afterwards", process.wait().await?.exit_code, 4)?;
    let closed = lab.sandbox().await?.shell("cat > /dev/null; exit 5").stdin_stream().spawn().await?;
    closed.close_stdin().await?;
    refused("writing after the end of the input", closed.write("late").await, ErrorCode::InvalidState)?;
    same("the exit code", closed.wait().await?.exit_code, 5)
}
