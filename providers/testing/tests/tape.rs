//! Sessions that are recorded from a real provider and played without it.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

use isobox::contract::Provider;
use isobox::{ErrorCode, Isobox, OutputEvent, Sandbox};
use isobox_host::HostProvider;
use isobox_testing::{Operation, Reply, Script, Tape, TapeRecorder, TestProvider};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

async fn open(home: &Path, provider: Arc<dyn Provider>) -> Isobox {
    let builder = Isobox::builder().home(home.join("home")).with_provider(provider);
    builder.default_provider("host").open().await.unwrap()
}

/// Runs a program over the real provider and keeps what it did.
async fn recorded<T>(place: &Path, program: impl AsyncFn(&Sandbox) -> T) -> T {
    let host = Arc::new(HostProvider::open(&place.join("host")).unwrap());
    let recorder = Arc::new(TapeRecorder::open(host, place.join("tape")).unwrap().redact("hunter2"));
    let isobox = open(place, recorder.clone()).await;
    let sandbox = isobox.sandbox().create().await.unwrap();
    let done = program(&sandbox).await;
    sandbox.delete().await.unwrap();
    recorder.check().unwrap();
    done
}

/// Runs it over the tape.
async fn played<T>(place: &Path, provider: TestProvider, program: impl AsyncFn(&Sandbox) -> T) -> T {
    let isobox = open(place, Arc::new(provider.clone())).await;
    let sandbox = isobox.sandbox().create().await.unwrap();
    let done = program(&sandbox).await;
    sandbox.delete().await.unwrap();
    provider.assert_nothing_left().await;
    done
}

fn tape(place: &Path) -> Tape {
    Tape::open(place.join("tape")).unwrap().redact("hunter2")
}

/// A program that uses what is on a tape, and everything that it has seen.
async fn program(sandbox: &Sandbox) -> Vec<String> {
    let mut seen = Vec::new();
    let ran =
        sandbox.shell("cat; echo error >&2; echo $WHO | wc -c; exit 3").input("in").env("WHO", "you").await.unwrap();
    seen.push(format!("{} {} {}", ran.exit_code, ran.stdout.text(), ran.stderr.text()));
    let late = sandbox.shell("echo begun; sleep 1000").timeout(Duration::from_secs(2)).await.unwrap();
    seen.push(format!("{} {} {:?}", late.timed_out, late.stdout.text(), late.signal));
    let killed = sandbox.shell("kill -SEGV $$").await.unwrap();
    seen.push(format!("{:?} {:?}", killed.signal, killed.termination));
    let missing = sandbox.exec(["/no/such/program"]).await.unwrap_err();
    seen.push(format!("{} {}", missing.code(), missing.message()));

    let cat = sandbox.exec(["cat"]).stdin_stream().spawn().await.unwrap();
    for word in ["one\n", "two\n"] {
        cat.write(word).await.unwrap();
        let Some(OutputEvent::Stdout(answer)) = cat.next().await.unwrap() else { panic!("cat says nothing") };
        seen.push(String::from_utf8_lossy(&answer).into_owned());
    }
    cat.close_stdin().await.unwrap();
    seen.push(cat.wait().await.unwrap().stdout.text().into_owned());

    let files = sandbox.files();
    files.write("d/a", "contents").await.unwrap();
    assert!(sandbox.shell("printf 'made \\377' > d/b; ln -s a d/link; chmod 600 d/b").await.unwrap().success());
    seen.push(format!("{:?}", files.read("d/b").await.unwrap()));
    seen.push(format!("{:?}", files.stat("d/b").await.unwrap().mode));
    let listed: Vec<_> = files.list("d").await.unwrap().iter().map(|entry| entry.path.to_string()).collect();
    seen.push(listed.join(" "));
    let absent = files.read("d/c").await.unwrap_err();
    seen.push(format!("{} {}", absent.code(), absent.message()));
    seen.push(format!("{:?}", sandbox.search().grep("contents").path("d").await.unwrap()));

    let target = tempfile::tempdir().unwrap();
    let down = files.download("d", target.path().join("d")).await.unwrap();
    let bytes = std::fs::read(target.path().join("d/b")).unwrap();
    let link = std::fs::read_link(target.path().join("d/link")).unwrap();
    seen.push(format!("{down:?} {bytes:?} {}", link.display()));
    seen
}

#[tokio::test]
async fn a_session_plays_as_it_was() {
    let place = tempfile::tempdir().unwrap();
    let real = recorded(place.path(), program).await;
    assert_eq!(real[0], "3 in4\n error\n");
    assert!(real[1].starts_with("true begun\n"), "{}", real[1]);

    for provider in [tape(place.path()).provider(), tape(place.path()).strict().provider()] {
        let again = played(place.path(), provider.clone(), program).await;
        assert_eq!(again, real);
        // By the clock it took as long as then.
        assert!(provider.clock().elapsed() >= Duration::from_secs(2));
        provider.recording().assert_nothing_unexpected();
        provider.recording().assert_count(Operation::Create, 1);
    }
}

#[tokio::test]
async fn output_comes_in_the_pieces_and_at_the_times_of_the_recording() {
    let place = tempfile::tempdir().unwrap();
    let script = "printf a; read line; printf b; read line; sleep 0.2; printf c >&2";
    let pieces = async |sandbox: &Sandbox| {
        let process = sandbox.shell(script).stdin_stream().spawn().await.unwrap();
        let mut seen = Vec::new();
        while let Some(event) = process.next().await.unwrap() {
            match event {
                OutputEvent::Stdout(bytes) => seen.push((1, bytes)),
                OutputEvent::Stderr(bytes) => seen.push((2, bytes)),
                _ => break,
            }
            if seen.len() < 3 {
                process.write("\n").await.unwrap();
            }
        }
        (seen, process.wait().await.unwrap().duration)
    };
    let (real, took) = recorded(place.path(), pieces).await;
    assert_eq!(real.iter().map(|(stream, _)| *stream).collect::<Vec<_>>(), [1, 1, 2]);
    let (again, duration) = played(place.path(), tape(place.path()).provider(), pieces).await;
    assert_eq!((again, duration.as_micros()), (real, took.as_micros()));
}

#[tokio::test]
async fn what_is_not_on_the_tape_is_named_with_the_way_out() {
    let place = tempfile::tempdir().unwrap();
    recorded(place.path(), async |sandbox: &Sandbox| {
        sandbox.exec(["echo", "one"]).await.unwrap();
        sandbox.exec(["echo", "two"]).await.unwrap();
    })
    .await;
    played(place.path(), tape(place.path()).provider(), async |sandbox: &Sandbox| {
        // In another order, and more often.
        for word in ["two", "one", "two", "two"] {
            assert_eq!(sandbox.exec(["echo", word]).await.unwrap().stdout.text(), format!("{word}\n"));
        }
        let error = sandbox.exec(["echo", "three"]).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Internal);
        let message = error.message();
        assert!(message.contains("`echo three`") && message.contains("TapeRecorder"), "{message}");
        let error = sandbox.files().read("unknown").await.unwrap_err();
        assert!(error.message().contains("`read unknown`"), "{error}");
    })
    .await;
    played(place.path(), tape(place.path()).strict().provider(), async |sandbox: &Sandbox| {
        let message = sandbox.exec(["echo", "two"]).await.unwrap_err().to_string();
        assert!(message.contains("has the command `echo one` next, and the command `echo two`"), "{message}");
        sandbox.exec(["echo", "one"]).await.unwrap();
        sandbox.exec(["echo", "two"]).await.unwrap();
        let message = sandbox.exec(["echo", "two"]).await.unwrap_err().to_string();
        assert!(message.contains("the tape is over"), "{message}");
    })
    .await;
    // A script says what else there is.
    let provider = tape(place.path()).builder().script(Script::new().on(["echo", "three"], Reply::says("3"))).build();
    played(place.path(), provider, async |sandbox: &Sandbox| {
        assert_eq!(sandbox.exec(["echo", "three"]).await.unwrap().stdout.text(), "3");
        assert_eq!(sandbox.exec(["echo", "one"]).await.unwrap().stdout.text(), "one\n");
    })
    .await;
}

#[tokio::test]
async fn secrets_values_and_input_are_on_no_tape() {
    let place = tempfile::tempdir().unwrap();
    let program = async |sandbox: &Sandbox| {
        let command = sandbox.shell("cat > /dev/null; printf hunt; sleep 0.1; printf er2; echo hunter2 >&2");
        let result = command.env("PASSWORD", "swordfish").input("typed in").await.unwrap();
        sandbox.exec(["echo", "--token=hunter2"]).await.unwrap();
        sandbox.files().write("secret", "hunter2").await.unwrap();
        sandbox.files().read("secret").await.unwrap();
        result.stdout.text().into_owned()
    };
    assert_eq!(recorded(place.path(), program).await, "hunter2");
    let text = std::fs::read_to_string(place.path().join("tape")).unwrap();
    for secret in ["hunter2", "swordfish", "typed in"] {
        assert!(!text.contains(secret), "{secret}");
    }
    assert!(text.contains("PASSWORD") && text.contains("--token=[secret]"));
    assert_eq!(played(place.path(), tape(place.path()).strict().provider(), program).await, "[secret]");
}

#[tokio::test]
async fn values_are_on_the_tape_when_that_is_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let host = Arc::new(HostProvider::open(&place.path().join("host")).unwrap());
    let recorder = Arc::new(TapeRecorder::open_with_values(host, place.path().join("tape")).unwrap());
    let program = async |sandbox: &Sandbox| {
        let mut said = Vec::new();
        for who in ["you", "me"] {
            let result = sandbox.shell("echo $WHO").env("WHO", who).await.unwrap();
            said.push(result.stdout.text().into_owned());
        }
        said
    };
    let isobox = open(place.path(), recorder).await;
    let sandbox = isobox.sandbox().create().await.unwrap();
    program(&sandbox).await;
    sandbox.delete().await.unwrap();
    let back =
        async |sandbox: &Sandbox| sandbox.shell("echo $WHO").env("WHO", "me").await.unwrap().stdout.text().into_owned();
    assert_eq!(played(place.path(), tape(place.path()).provider(), back).await, "me\n");
}

#[test]
fn what_is_no_tape_is_refused_with_the_line() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("tape");
    let message = |text: &str| {
        std::fs::write(&path, text).unwrap();
        Tape::open(&path).unwrap_err().to_string()
    };
    assert!(message("").contains("does not begin as a tape"));
    assert!(message("hello\n").contains("line 1 is none of a tape"));
    let first = r#"{"type":"tape","version":9,"kind":"host","capabilities":{},"env_values":false}"#;
    assert!(message(first).contains("of version 9 and not 1"));
    let cut = format!("{}\n{{\"type\":\"exec\",\"sandbox\":1", first.replace('9', "1"));
    assert!(message(&cut).contains("line 2"));
    let absent = Tape::open(place.path().join("absent")).unwrap_err();
    assert_eq!(absent.code(), ErrorCode::Io);
    assert!(absent.message().contains("absent"), "{absent}");
}
