//! Commands that a script answers: what a caller sees is what the contract says.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::Lab;
use isobox::{
    ErrorCode, ExecId, OutputEvent, OutputLimits, ProcessState, Replay, Sanitize, Secret, SecretDelivery, SecretValue,
    Signal, Spill, Termination,
};
use isobox_testing::{Reply, Script, TestProvider};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

async fn with(script: Script) -> (Lab, isobox::Sandbox) {
    let lab = Lab::open(TestProvider::builder().script(script)).await;
    let sandbox = lab.sandbox().await;
    (lab, sandbox)
}

#[tokio::test]
async fn rules_come_first_then_the_queue_then_the_rest() {
    let script = Script::new()
        .on(["a"], Reply::says("rule"))
        .next(Reply::says("first"))
        .next(Reply::says("second"))
        .otherwise(Reply::code(9));
    let (_lab, sandbox) = with(script.clone()).await;
    let mut said = Vec::new();
    for _ in 0..2 {
        said.push(sandbox.exec(["b"]).await.unwrap().stdout.text().into_owned());
        said.push(sandbox.exec(["a"]).await.unwrap().stdout.text().into_owned());
    }
    assert_eq!(said, ["first", "rule", "second", "rule"]);
    assert_eq!((sandbox.exec(["b"]).await.unwrap().exit_code, script.left()), (9, 0));
}

#[tokio::test]
async fn a_responder_sees_the_whole_command() {
    let script = Script::new().respond(|call| {
        let said = format!(
            "{:?} {} {} {} {:?} {}",
            call.words(),
            call.env("WHO").unwrap_or_default(),
            call.env("LANG").unwrap_or_default(),
            call.cwd(),
            String::from_utf8_lossy(&call.stdin()),
            call.files().read_text("note").unwrap_or_default(),
        );
        call.files().write("seen", "yes");
        Some(Reply::says(said))
    });
    let (lab, _) = with(script).await;
    let sandbox = lab.isobox.sandbox().env("LANG", "C").env("WHO", "nobody").create().await.unwrap();
    sandbox.files().write("sub/note", "hi").await.unwrap();
    let said = sandbox.exec(["x", "y z"]).env("WHO", "you").cwd("sub").input("in").await.unwrap();
    assert_eq!(said.stdout.text(), r#"["x", "y z"] you C /work/sub "in" hi"#);
    assert_eq!(sandbox.files().read_text("sub/seen").await.unwrap(), "yes");
}

#[tokio::test]
async fn output_comes_in_pieces_at_their_times() {
    let slow = Reply::says("one\n").after(SECOND).stderr("two\n").after(SECOND).stdout("three\n").exit(3);
    let (lab, sandbox) = with(Script::new().otherwise(slow)).await;
    let (process, clock) = (sandbox.exec(["slow"]).spawn().await.unwrap(), lab.provider.clock());
    let begun = clock.elapsed();
    let mut seen = Vec::new();
    while let Some(event) = process.next().await.unwrap() {
        seen.push((clock.elapsed() - begun, event));
    }
    let [one, two, three, end] = &seen[..] else { panic!("{seen:?}") };
    assert_eq!((one.0, &one.1), (Duration::ZERO, &OutputEvent::Stdout("one\n".into())));
    assert_eq!((two.0, &two.1), (SECOND, &OutputEvent::Stderr("two\n".into())));
    assert_eq!((three.0, &three.1), (2 * SECOND, &OutputEvent::Stdout("three\n".into())));
    assert!(matches!(&end.1, OutputEvent::Exited(exit) if exit.exit_code == 3 && exit.duration == 2 * SECOND));
    assert_eq!(process.wait().await.unwrap().stdout.text(), "one\nthree\n");
}

#[tokio::test]
async fn timeouts_and_stops_end_commands_as_they_do_in_earnest() {
    let script = Script::new()
        .on(["stubborn"], Reply::says("x").then_hangs().ignores_term())
        .on(["oom"], Reply::ok().out_of_memory())
        .on(["segv"], Reply::ok().killed_by(Signal::SEGV))
        .otherwise(Reply::says("x").then_hangs());
    let (_lab, sandbox) = with(script).await;
    let run = async |name: &str, grace| {
        let command = sandbox.exec([name]).timeout(SECOND);
        let result = if grace { command.grace(2 * SECOND) } else { command }.await.unwrap();
        assert_eq!(result.stdout.text(), if result.timed_out { "x" } else { "" });
        (result.termination, result.signal, result.exit_code, result.duration)
    };
    assert_eq!(run("a", false).await, (Termination::TimedOut, Some(9), 137, SECOND));
    assert_eq!(run("a", true).await, (Termination::TimedOut, Some(15), 143, SECOND));
    assert_eq!(run("stubborn", true).await, (Termination::TimedOut, Some(9), 137, 3 * SECOND));
    assert_eq!(run("segv", false).await, (Termination::Signalled, Some(11), 139, Duration::ZERO));
    assert!(sandbox.exec(["oom"]).await.unwrap().oom_killed);

    let stopped = async |name: &str, grace: Option<Duration>| {
        let process = sandbox.exec([name]).spawn().await.unwrap();
        match grace {
            Some(grace) => process.stop_within(grace).await.unwrap(),
            None => process.kill().await.unwrap(),
        }
        let result = process.wait().await.unwrap();
        (result.termination, result.signal, result.cancelled)
    };
    assert_eq!(stopped("a", None).await, (Termination::Killed, Some(9), true));
    assert_eq!(stopped("a", Some(SECOND)).await, (Termination::Cancelled, Some(15), true));
    assert_eq!(stopped("stubborn", Some(SECOND)).await, (Termination::Killed, Some(9), true));
}

#[tokio::test]
async fn signals_end_a_command_unless_it_does_not_mind() {
    let (lab, sandbox) = with(Script::new().otherwise(Reply::hang())).await;
    let process = sandbox.exec(["a"]).spawn().await.unwrap();
    process.signal(Signal::WINCH).await.unwrap();
    process.signal(Signal::INT).await.unwrap();
    let result = process.wait().await.unwrap();
    assert_eq!((result.termination, result.signal), (Termination::Signalled, Some(2)));
    assert_eq!(lab.provider.recording().commands()[0].signals, [Signal::WINCH, Signal::INT]);
}

#[tokio::test]
async fn what_is_captured_keeps_within_the_limits() {
    let long = Reply::says("0123456789").stderr("\x1b[31mred\x1b[0m");
    let (lab, sandbox) = with(Script::new().otherwise(long)).await;
    let limits = OutputLimits { spill: Spill::Temporary, sanitize: Sanitize::StripAnsi, ..OutputLimits::bytes(4) };
    let result = sandbox.exec(["a"]).output(limits).await.unwrap();
    let (out, err) = (&result.stdout, &result.stderr);
    assert_eq!((&out.bytes[..], out.observed, out.retained, out.omitted), (&b"0189"[..], 10, 4, 6));
    assert_eq!(err.text(), "red");
    let spilled = lab.provider.sandboxes()[0].files().read_text(out.spill.as_ref().unwrap()).unwrap();
    assert_eq!(spilled, "0123456789");
    let merged = sandbox.exec(["a"]).merge_stderr().await.unwrap();
    assert_eq!((merged.stdout.text().as_ref(), merged.streams_separated), ("0123456789\x1b[31mred\x1b[0m", false));
}

#[tokio::test]
async fn an_interactive_command_talks() {
    let upper = Reply::talk(async |mut talk| {
        talk.write("ready\n");
        while let Some(line) = talk.read_line().await {
            talk.sleep(SECOND).await;
            talk.write(line.to_uppercase() + "\n");
        }
        4
    });
    let (lab, sandbox) = with(Script::new().otherwise(upper)).await;
    let process = sandbox.exec(["upper"]).stdin_stream().spawn().await.unwrap();
    assert_eq!(process.next().await.unwrap(), Some(OutputEvent::Stdout("ready\n".into())));
    process.write("one\ntw").await.unwrap();
    assert_eq!(process.next().await.unwrap(), Some(OutputEvent::Stdout("ONE\n".into())));
    process.write("o").await.unwrap();
    process.close_stdin().await.unwrap();
    let result = process.wait().await.unwrap();
    assert_eq!((result.exit_code, result.stdout.text().as_ref()), (4, "ready\nONE\nTWO\n"));
    assert_eq!(result.duration, 2 * SECOND);
    assert_eq!(lab.provider.recording().commands()[0].stdin, "one\ntwo");
    assert_eq!(process.write("late").await.unwrap_err().code(), ErrorCode::Io);
}

#[tokio::test]
async fn a_terminal_has_a_size_and_one_stream() {
    let shell = Reply::talk(async |mut talk| {
        while let Some(line) = talk.read_line().await {
            let size = talk.terminal().unwrap();
            talk.write_err(format!("{line} {}x{}\n", size.rows, size.cols));
        }
        0
    });
    let (_lab, sandbox) = with(Script::new().otherwise(shell)).await;
    let process = sandbox.exec(["sh"]).pty(24, 80).stdin_stream().spawn().await.unwrap();
    process.write("a\n").await.unwrap();
    assert_eq!(process.next().await.unwrap(), Some(OutputEvent::Stdout("a 24x80\n".into())));
    process.resize(50, 100).await.unwrap();
    process.write("b\n").await.unwrap();
    assert_eq!(process.next().await.unwrap(), Some(OutputEvent::Stdout("b 50x100\n".into())));
    process.close_stdin().await.unwrap();
    assert!(process.wait().await.unwrap().success());
}

#[tokio::test]
async fn a_command_is_found_again_and_ends_with_its_last_handle() {
    let (lab, sandbox) = with(Script::new().otherwise(Reply::says("abc").stderr("x").then_hangs())).await;
    let id = ExecId::generate();
    let process = sandbox.exec(["a"]).id(id).label("job").detached().spawn().await.unwrap();
    assert_eq!(sandbox.exec(["a"]).id(id).spawn().await.unwrap_err().code(), ErrorCode::Conflict);
    drop(process);
    let other = lab.isobox.connect(sandbox.id().as_str()).await.unwrap();
    let listed = &other.processes().await.unwrap()[0];
    assert_eq!((listed.id, listed.label.as_deref(), listed.stdout_bytes), (id, Some("job"), 3));
    let found = other.process_from(&id, Replay::From { stdout: 1, stderr: 1 }).await.unwrap();
    assert_eq!(found.next().await.unwrap(), Some(OutputEvent::Stdout("bc".into())));
    found.stop_within(SECOND).await.unwrap();
    assert_eq!(sandbox.process(&ExecId::generate()).await.unwrap_err().code(), ErrorCode::NotFound);

    let attached = sandbox.exec(["a"]).spawn().await.unwrap();
    let id = *attached.id();
    drop(attached);
    let listed = sandbox.processes().await.unwrap().into_iter().find(|process| process.id == id).unwrap();
    assert!(matches!(listed.state, ProcessState::Exited(exit) if exit.termination == Termination::Killed));
}

#[tokio::test]
async fn services_sessions_and_search_work_on_the_doubles() {
    let script = Script::new()
        .starting_with(["server"], Reply::says("listening\n").then_hangs())
        .on_shell("cd /src && pwd", Reply::says("/src\n"))
        .on_shell("false", Reply::code(1));
    let (lab, sandbox) = with(script).await;
    let service = sandbox.services().exec("web", ["server", "80"]).start().await.unwrap();
    assert!(service.status().await.unwrap().running);
    assert_eq!(&service.logs(100).await.unwrap()[..], b"listening\n");
    service.stop().await.unwrap();
    assert!(!service.status().await.unwrap().running);

    let session = sandbox.session().await.unwrap();
    assert_eq!(session.run("cd /src && pwd").await.unwrap().text(), "/src\n");
    assert_eq!(session.run("false").await.unwrap().exit_code, Some(1));
    assert!(session.run("unknown").await.unwrap_err().message().contains("unknown"));

    lab.provider.sandboxes()[0].files().write("src/a.rs", "fn a() {}\n// todo\n");
    let found = sandbox.search().grep("todo").await.unwrap();
    assert_eq!((found[0].line_number, found[0].path.to_string().as_str()), (2, "./src/a.rs"));
}

#[tokio::test]
async fn the_value_of_a_secret_is_shown_nowhere() {
    let script = Script::new().otherwise(Reply::ok());
    let (lab, _) = with(script).await;
    let secret = Secret { env: "TOKEN".into(), value: SecretValue::new("hunter2"), delivery: SecretDelivery::Exposed };
    let sandbox = lab.isobox.sandbox().secret(secret).create().await.unwrap();
    sandbox.exec(["login", "hunter2"]).env("OTHER", "swordfish").input("hunter2").await.unwrap();
    let recording = lab.provider.recording();
    let debugged = format!("{:?} {:?} {:?}", recording, recording.commands(), recording.operations());
    let shown = format!("{recording}");
    for text in [&debugged, &shown] {
        assert!(!text.contains("hunter2") && !text.contains("swordfish"), "{text}");
    }
    assert!(shown.contains("login [redacted]"), "{shown}");
    assert_eq!(recording.commands()[0].stdin, "hunter2");
}
