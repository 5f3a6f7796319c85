//! Commands in a terminal, and shell sessions.

use crate::check::{Check, Checked, refused, same};
use crate::lab::Lab;
use crate::processes::{none_alive, read_until, until_alive};
use isobox::{Capability::*, ErrorCode};
use std::time::Duration;

pub(crate) const CHECKS: &[Check] = &[
    check!(terminal_has_the_size, "A command in a terminal sees one, of the size that was asked for.")
        .shows(&[ExecPty])
        .programs(&["sh", "stty"]),
    check!(terminal_changes_its_size, "A command sees the new size of its terminal, and is told of the change.")
        .shows(&[ExecPtyResize])
        .needs(&[ExecPty, ExecSpawn, ExecStop])
        .programs(&["sh", "stty"]),
    check!(
        terminal_goes_both_ways,
        "What is typed is read, what is written is seen, and the end of the input ends a shell."
    )
    .needs(&[ExecPty, ExecSpawn, ExecStdinStream]),
    check!(terminal_interrupts, "Ctrl-C interrupts the command in the foreground.").needs(&[
        ExecPty,
        ExecSpawn,
        ExecStdinStream,
        ExecStop,
    ]),
    check!(terminal_is_one_stream, "In a terminal both streams are one, and without it no stream is a terminal.")
        .needs(&[ExecPty]),
    check!(
        session_keeps_its_state,
        "Directory, variables and functions of a session are kept, and each script has its own exit code."
    )
    .shows(&[SessionsSupported]),
    check!(
        session_outlives_an_interrupt,
        "A session can be used after a script was interrupted, or ran into its timeout."
    )
    .needs(&[SessionsSupported]),
    check!(session_ends_what_it_started, "Closing a session ends everything that came out of it.")
        .needs(&[SessionsSupported]),
];

async fn terminal_has_the_size(lab: &Lab) -> Checked {
    let result = lab
        .sandbox()
        .await?
        .shell("stty size; test -t 0 && test -t 1 && test -t 2 && echo terminal")
        .pty(33, 101)
        .await?;
    same("what the command sees", result.stdout.text().replace('\r', ""), "33 101\nterminal\n".to_owned())
}

async fn terminal_changes_its_size(lab: &Lab) -> Checked {
    let script = "trap 'stty size' WINCH; echo began; while :; do sleep 0.05; done";
    let process = lab.sandbox().await?.shell(script).pty(24, 80).spawn().await?;
    read_until(&process, "began").await?;
    process.resize(50, 132).await?;
    read_until(&process, "50 132").await?;
    process.kill().await?;
    let plain = lab.sandbox().await?.shell("sleep 1000").spawn().await?;
    refused("a size for a command without a terminal", plain.resize(10, 10).await, ErrorCode::InvalidState)?;
    Ok(())
}

async fn terminal_goes_both_ways(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let process = sandbox.exec(["sh", "-i"]).env("PS1", "prompt:").pty(24, 200).stdin_stream().spawn().await?;
    read_until(&process, "prompt:").await?;
    process.write("echo $((6 * 7))-typed\n").await?;
    read_until(&process, "42-typed").await?;
    process.close_stdin().await?;
    same("its exit code", process.wait().await?.exit_code, 0)
}

async fn terminal_interrupts(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let mark = lab.mark();
    let process = sandbox.exec(["sh", "-i"]).env("PS1", "prompt:").pty(24, 200).stdin_stream().spawn().await?;
    read_until(&process, "prompt:").await?;
    process.write(format!("sleep {mark}\n")).await?;
    until_alive(&sandbox, &mark).await?;
    process.write("\x03").await?;
    process.write("echo $((6 * 7))-after\n").await?;
    read_until(&process, "42-after").await?;
    none_alive(&sandbox, &mark, "after it was interrupted").await?;
    Ok(process.kill().await?)
}

async fn terminal_is_one_stream(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let result = sandbox.shell("echo out; echo err >&2").pty(24, 80).await?;
    same("the output", result.stdout.text(), "out\r\nerr\r\n")?;
    same("stderr", result.stderr.observed, 0)?;
    same("whether the streams are said to be apart", result.streams_separated, false)?;
    let plain = sandbox.shell("test -t 0 || test -t 1 || test -t 2 || echo none").await?;
    same("what is a terminal without one", plain.stdout.text(), "none\n")
}

async fn session_keeps_its_state(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let session = sandbox.session().env("GIVEN", "it's $HOME").await?;
    session.run("cd / && word=kept && greet() { echo hello $1; }").await?;
    let result = session.run("pwd; echo $word; greet you; echo \"$GIVEN\"; false").await?;
    same("what it says", result.text().into_owned(), "/\nkept\nhello you\nit's $HOME\n".to_owned())?;
    same("the exit code", result.exit_code, Some(1))?;
    same("the exit code of the next", session.run("(exit 7)").await?.exit_code, Some(7))?;
    let last = session.run("exit 3").await?;
    same("whether the shell is gone", last.closed, true)
}

async fn session_outlives_an_interrupt(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let session = sandbox.session().await?;
    session.run("word=kept").await?;
    let mark = lab.mark();
    let script = format!("sleep {mark}");
    let running = async { Ok::<_, crate::Stop>(session.run(script).await?) };
    let interrupt = async {
        until_alive(&sandbox, &mark).await?;
        Ok(session.interrupt().await?)
    };
    futures::future::try_join(running, interrupt).await?;
    same("a variable after the interrupt", session.run("echo $word").await?.text(), "kept\n")?;
    let late = session.run("sleep 1000").timeout(Duration::from_secs(1)).await?;
    same("whether the timeout is told", late.timed_out, true)?;
    same("a variable after the timeout", session.run("echo $word").await?.text(), "kept\n")
}

async fn session_ends_what_it_started(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let session = sandbox.session().await?;
    let mark = lab.mark();
    session.run(format!("sleep {mark} &")).await?;
    until_alive(&sandbox, &mark).await?;
    session.close().await?;
    session.close().await?;
    none_alive(&sandbox, &mark, "after the session was closed").await
}
