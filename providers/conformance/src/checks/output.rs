//! What a command writes.

use crate::check::{Check, Checked, same};
use crate::lab::Lab;
use crate::memory::Memory;
use crate::processes::{alive, read_until};
use isobox::{Capability::*, OutputEvent, OutputLimits, Process, Sandbox, Sanitize, Spill};
use std::time::Duration;

pub(crate) const CHECKS: &[Check] = &[
    check!(output_is_binary_safe, "Every byte comes back as it was, NUL bytes and a missing last newline too.")
        .programs(&["cat"]),
    check!(output_streams_are_apart, "What is written to stderr comes as stderr, and to stdout as stdout.")
        .shows(&[ExecStreamsSeparated]),
    check!(output_streams_can_be_merged, "Merged, both streams are one, in the order of the writes."),
    check!(output_is_live, "Output comes while the command runs: it goes on only when that was seen.")
        .shows(&[ExecLiveStreaming])
        .needs(&[ExecSpawn]),
    check!(
        output_is_the_same_however_it_is_read,
        "A command's output is the same in its result and as it comes, a partial last line too."
    )
    .needs(&[ExecSpawn]),
    check!(
        output_of_both_streams_is_drained,
        "A command that fills one stream while nobody asks for the other does not hang."
    ),
    check!(
        output_keeps_head_and_tail,
        "Of too much output the head and the tail are kept, and what is missing is counted."
    ),
    check!(
        output_is_not_collected,
        "A quarter of a gigabyte goes through with little of it kept, and is counted to the byte."
    )
    .alone()
    .programs(&["head"]),
    check!(
        output_as_a_stream_is_not_collected,
        "A quarter of a gigabyte comes to the byte to who reads it as it is written, in little memory."
    )
    .needs(&[ExecSpawn, ExecLiveStreaming])
    .alone()
    .programs(&["head"]),
    check!(output_goes_to_a_file, "What does not fit into the result is in a file of the sandbox, whole.")
        .shows(&[ExecSpill]),
    check!(
        output_is_sanitized,
        "Escape sequences are taken out also where a write splits them, and before anything is counted."
    ),
    check!(output_in_order_for_a_slow_reader, "A reader that takes its time gets every line, in order.")
        .needs(&[ExecSpawn]),
    check!(output_of_one_delays_no_other, "A command whose output nobody reads delays no other command.")
        .needs(&[ExecSpawn])
        .programs(&["sh", "cat"]),
    check!(
        output_held_open_does_not_hold_the_result,
        "A background process that keeps the output open does not hold the result back."
    ),
    check!(
        output_is_waited_for_when_told,
        "What a background process writes within the time that is given for it is there."
    ),
];

async fn output_is_binary_safe(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let mut bytes: Vec<u8> = (0..=255).flat_map(|byte| [byte; 8]).collect();
    bytes.extend_from_slice(b"\r\n\n\n\0\0no newline");
    sandbox.files().write("bytes", bytes.clone()).await?;
    let result = sandbox.exec(["cat", "bytes"]).await?;
    ensure!(
        result.stdout.bytes[..] == bytes[..],
        "{} bytes came back of {}, or others",
        result.stdout.observed,
        bytes.len()
    );
    Ok(())
}

async fn output_streams_are_apart(lab: &Lab) -> Checked {
    let result = lab.sandbox().await?.shell("echo out; echo err >&2; echo more").await?;
    same("stdout", result.stdout.text(), "out\nmore\n")?;
    same("stderr", result.stderr.text(), "err\n")?;
    same("whether they are said to be apart", result.streams_separated, true)
}

async fn output_streams_can_be_merged(lab: &Lab) -> Checked {
    let script = "for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done";
    let result = lab.sandbox().await?.shell(script).merge_stderr().await?;
    let expected = (1..=5).fold(String::new(), |text, i| text + &format!("out {i}\nerr {i}\n"));
    same("the output", result.stdout.text().into_owned(), expected)?;
    same("stderr", result.stderr.observed, 0)
}

async fn output_is_live(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let script = "for i in 1 2 3; do echo step $i; while [ ! -e seen$i ]; do sleep 0.02; done; done";
    let process = sandbox.shell(script).spawn().await?;
    for step in 1..=3 {
        read_until(&process, &format!("step {step}\n")).await?;
        sandbox.files().write(format!("seen{step}"), "").await?;
    }
    same("its success", process.wait().await?.success(), true)
}

/// Everything that a command writes to stdout, as it comes.
async fn read_all(process: &Process) -> Checked<Vec<u8>> {
    let mut read = Vec::new();
    while let Some(event) = process.next().await? {
        if let OutputEvent::Stdout(bytes) = event {
            ensure!(!bytes.is_empty(), "an empty piece of output came");
            read.extend_from_slice(&bytes);
        }
    }
    Ok(read)
}

async fn output_is_the_same_however_it_is_read(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    for script in ["printf 'one\\n\\n\\ntwo'", "printf 'a\\r\\nb\\r'", "printf ' '", ":"] {
        let buffered = sandbox.shell(script).await?.stdout.bytes;
        let process = sandbox.shell(script).spawn().await?;
        let streamed = read_all(&process).await?;
        same("the output as it comes", &streamed[..], &buffered[..])?;
        same("the output when it was read before", &process.wait().await?.stdout.bytes[..], &buffered[..])?;
    }
    Ok(())
}

/// Lines that are told apart, made by the shell alone.
const LINES: &str = "i=0; while [ $i -lt COUNT ]; do echo line $i of many; i=$((i+1)); done";

fn lines(count: usize) -> String {
    (0..count).fold(String::new(), |text, i| text + &format!("line {i} of many\n"))
}

async fn output_of_both_streams_is_drained(lab: &Lab) -> Checked {
    let one = LINES.replace("COUNT", "20000");
    let script = format!("({one}) >&2; {one}");
    let result = lab.sandbox().await?.shell(script).await?;
    let expected = lines(20000);
    same("stdout", result.stdout.text() == expected.as_str(), true)?;
    if result.streams_separated {
        same("bytes of stderr", result.stderr.observed, expected.len() as u64)?;
    }
    Ok(())
}

async fn output_keeps_head_and_tail(lab: &Lab) -> Checked {
    let script = LINES.replace("COUNT", "5000");
    let limits = OutputLimits { head: 300, tail: 212, ..OutputLimits::default() };
    let captured = lab.sandbox().await?.shell(script).output(limits).await?.stdout;
    let whole = lines(5000);
    same("bytes observed", captured.observed, whole.len() as u64)?;
    same("bytes retained", captured.retained, 512)?;
    same("bytes omitted", captured.omitted, whole.len() as u64 - 512)?;
    same("where the gap is", captured.omitted_at, 300)?;
    ensure!(captured.truncated(), "it does not say that something is missing");
    same("the head", captured.bytes.get(..300), Some(&whole.as_bytes()[..300]))?;
    same("the tail", captured.bytes.get(300..), Some(&whole.as_bytes()[whole.len() - 212..]))
}

async fn output_is_not_collected(lab: &Lab) -> Checked {
    let much = lab.amount(256 << 20, 5 << 30);
    let sandbox = lab.sandbox().await?;
    let memory = Memory::now();
    let command = sandbox.exec(["head", "-c", &much.to_string(), "/dev/zero"]).output(OutputLimits::bytes(4096));
    let captured = command.await?.stdout;
    same("bytes observed", captured.observed, much)?;
    same("bytes retained", captured.retained, 4096)?;
    memory.is_flat()
}

async fn output_as_a_stream_is_not_collected(lab: &Lab) -> Checked {
    let much = lab.amount(256 << 20, 5 << 30);
    let sandbox = lab.sandbox().await?;
    let memory = Memory::now();
    let command = sandbox.exec(["head", "-c", &much.to_string(), "/dev/zero"]).output(OutputLimits::none());
    let process = command.spawn().await?;
    let mut read = 0;
    while let Some(event) = process.next().await? {
        if let OutputEvent::Stdout(bytes) = event {
            ensure!(bytes.iter().all(|byte| *byte == 0), "other bytes came than were written");
            read += bytes.len() as u64;
        }
    }
    same("bytes that came", read, much)?;
    same("bytes that are said to have come", process.wait().await?.stdout.observed, much)?;
    memory.is_flat()
}

async fn output_goes_to_a_file(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let script = LINES.replace("COUNT", "5000");
    let limits = OutputLimits { spill: Spill::Temporary, ..OutputLimits::bytes(100) };
    let captured = sandbox.shell(script).output(limits).await?.stdout;
    let Some(spilled) = captured.spill else {
        ensure!(false, "no file is named");
        return Ok(());
    };
    let whole = sandbox.files().read_text(&spilled).await?;
    ensure!(whole == lines(5000), "the file has {} bytes, or others", whole.len());
    Ok(())
}

async fn output_is_sanitized(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    // The sequences are written in pieces, with time between them to be read apart.
    let script = "printf 'a\\033['; sleep 0.2; printf '31mred\\033'; sleep 0.2; printf '[0m\\a\\tb\\n'";
    for (sanitize, expected) in [
        (Sanitize::Raw, "a\x1b[31mred\x1b[0m\x07\tb\n"),
        (Sanitize::StripAnsi, "ared\x07\tb\n"),
        (Sanitize::StripAll, "ared\tb\n"),
    ] {
        let limits = OutputLimits { sanitize, ..OutputLimits::default() };
        let captured = sandbox.shell(script).output(limits).await?.stdout;
        same(&format!("the output with {sanitize}"), captured.text(), expected)?;
        same("bytes counted", captured.observed, expected.len() as u64)?;
    }
    Ok(())
}

async fn output_in_order_for_a_slow_reader(lab: &Lab) -> Checked {
    const COUNT: usize = 20000;
    let sandbox = lab.sandbox().await?;
    let limits = OutputLimits::none();
    let process = sandbox.shell(LINES.replace("COUNT", &COUNT.to_string())).output(limits).spawn().await?;
    let mut read = Vec::new();
    while let Some(event) = process.next().await? {
        if let OutputEvent::Stdout(bytes) = event {
            read.extend_from_slice(&bytes);
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    ensure!(read == lines(COUNT).as_bytes(), "{} bytes came, or in another order", read.len());
    same("bytes retained", process.wait().await?.stdout.retained, 0)
}

async fn output_of_one_delays_no_other(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    // Nobody reads these: they stop when all buffers on the way are full.
    let stalled = futures::future::try_join_all((0..4).map(|_| sandbox.exec(["cat", "/dev/zero"]).spawn())).await?;
    for number in 0..10 {
        let result = sandbox.shell(format!("echo {number}")).await?;
        same("the output of another", result.stdout.text().into_owned(), format!("{number}\n"))?;
    }
    sandbox.describe().await?;
    sandbox.files().write("file", "contents").await?;
    drop(stalled);
    Ok(())
}

async fn output_held_open_does_not_hold_the_result(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let mark = lab.mark();
    let result = sandbox.shell(format!("sleep {mark} & echo now; echo error >&2; exit 3")).await?;
    same("the exit code", result.exit_code, 3)?;
    same("the output", result.stdout.text(), "now\n")?;
    same("whether the background process lives on", alive(&sandbox, &mark).await?.len(), 1)
}

async fn output_is_waited_for_when_told(lab: &Lab) -> Checked {
    let sandbox: Sandbox = lab.sandbox().await?;
    let result = sandbox.shell("(sleep 0.5; echo late) & echo now").drain(Duration::MAX).await?;
    same("the output", result.stdout.text(), "now\nlate\n")
}
