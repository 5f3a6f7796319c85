//! Every POSIX shell keeps its state, tells exit codes and output exactly, and lives through what scripts do to it.

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

use commands::{LONG, mark, until_gone, until_there, within_long};
use common::on_each_local_provider;
use isobox::{Sandbox, Session, SessionOutput};
use std::future::IntoFuture;
use std::time::Duration;

/// Until a script that does not end by itself is interrupted.
const SHORT: Duration = Duration::from_millis(400);

/// A shell, and the name under which it is run when that is not its own.
type Shell = (&'static str, Option<&'static str>);

/// Runs a test in a fresh session of a shell, on each provider.
async fn on(shell: Shell, test: impl AsyncFn(&str, &Session, &Sandbox)) {
    let (path, name) = shell;
    if !std::path::Path::new(path).exists() {
        eprintln!("skipped: {path} is not installed, run `cargo xtask setup`");
        return;
    }
    on_each_local_provider(async |provider, sandbox| {
        let what = format!("{path} as {} on {provider}", name.unwrap_or("itself"));
        let shell = match name {
            None => path.to_owned(),
            Some(name) => {
                let link = format!("{}/{name}", sandbox.workdir());
                sandbox.files().symlink(path, link.as_str()).await.unwrap();
                link
            }
        };
        let session = within_long(sandbox.session().shell(shell).open()).await.expect(&what);
        test(&what, &session, &sandbox).await;
        session.close().await.unwrap();
    })
    .await;
}

macro_rules! on_each_shell {
    ($($test:ident)+) => {
        on_each_shell! { @shells [$($test)+]
            dash("/bin/dash", None)
            bash("/bin/bash", None)
            bash_as_sh("/bin/bash", Some("sh"))
            busybox("/bin/busybox", Some("sh"))
            mksh("/bin/mksh", None)
            ksh93("/bin/ksh93", None)
            yash("/usr/bin/yash", None)
            zsh("/bin/zsh", None)
            zsh_as_sh("/bin/zsh", Some("sh"))
        }
    };
    (@shells $tests:tt $($shell:ident $of:tt)+) => { $(on_each_shell! { @tests $shell $of $tests })+ };
    (@tests $shell:ident $of:tt [$($test:ident)+]) => {
        mod $shell {
            $(#[tokio::test]
            async fn $test() {
                super::$test($of).await;
            })+
        }
    };
}

on_each_shell! {
    state_output_and_exit_codes_are_exact
    bytes_are_bytes_and_much_is_bounded
    scripts_that_are_broken_leave_the_shell_usable
    scripts_that_change_the_shell_leave_it_usable
    what_a_terminal_echoes_is_no_output
    what_ends_the_shell_is_told
    an_interrupt_leaves_the_shell_usable
    a_timeout_interrupts_and_then_kills
    background_jobs_do_not_disturb
}

async fn run(session: &Session, script: &str) -> SessionOutput {
    within_long(session.run(script).timeout(LONG / 2).into_future()).await.unwrap()
}

/// A script that ends by itself with this output and exit code.
async fn gives(what: &str, session: &Session, script: &str, output: &str, code: i32) {
    let result = run(session, script).await;
    assert_eq!((result.text().as_ref(), result.exit_code), (output, Some(code)), "{script:?} in {what}");
    assert!(!result.closed && !result.timed_out, "{script:?} in {what}");
}

async fn state_output_and_exit_codes_are_exact(shell: Shell) {
    on(shell, async |what, session, _sandbox| {
        let same = async |script: &str, output: &str, code: i32| gives(what, session, script, output, code).await;
        same("", "", 0).await;
        same("echo one; echo two >&2; echo three", "one\ntwo\nthree\n", 0).await;
        same("cd /usr && here=there; f() { echo \"f $1 $here\"; }; set -f; export out=side", "", 0).await;
        same("pwd; f x; echo *; sh -c 'echo $out'; echo \"${here-}\"", "/usr\nf x there\n*\nside\nthere\n", 0).await;
        same("set +f; (exit 7)", "", 7).await;
        same("echo $?; false", "7\n", 1).await;
        same("printf 'no end'", "no end", 0).await;
        same("printf '\\r\\n\\t\\001\\000x\\377' | od -An -tx1 | tr -d ' \\n'", "0d0a09010078ff", 0).await;
        same("sh -c 'exit 12'; echo $?$((5 * 5))", "1225\n", 0).await;
        same("alias echo='nothing here'; alias set=false", "", 0).await;
        same("unalias echo; unalias set", "", 0).await;
        same("echo 'it'\\''s' \"fine\" `echo and` $(echo dandy)", "it's fine and dandy\n", 0).await;
    })
    .await;
}

async fn bytes_are_bytes_and_much_is_bounded(shell: Shell) {
    on(shell, async |what, session, _sandbox| {
        let script = "i=0; while [ $i -lt 3 ]; do printf '\\000\\001\\r\\n\\r\\r\\n\\036\\377\\003\\004\\021\\023'; i=$((i+1)); done";
        let result = run(session, script).await;
        assert_eq!(&result.output[..], b"\0\x01\r\n\r\r\n\x1e\xff\x03\x04\x11\x13".repeat(3), "{what}");
        let result = run(session, "head -c 20000000 /dev/zero | tr '\\0' x; echo; echo end").await;
        let kept = result.output.len() as u64;
        assert_eq!(kept + result.omitted, 20_000_005, "{what}");
        assert!(result.omitted > 0 && result.output.ends_with(b"xx\nend\n"), "{what}");
    })
    .await;
}

async fn scripts_that_are_broken_leave_the_shell_usable(shell: Shell) {
    on(shell, async |what, session, _sandbox| {
        for broken in [
            "echo 'unbalanced",
            "if true; then",
            "cat <<END\nno end",
            "echo $(",
            "}",
            "fi",
            "${bad",
            "((",
            "exec /no/such/program </no/such/file || :",
        ] {
            let result = run(session, broken).await;
            if result.closed {
                // Some of these end a shell whatever one does; that is told.
                panic!("{broken:?} ended {what}");
            }
            gives(what, session, "echo still here", "still here\n", 0).await;
        }
        let long = format!("printf %s {}", "x".repeat(100_000));
        gives(what, session, &long, &"x".repeat(100_000), 0).await;
        gives(what, session, "read line; echo \"read $? <$line>\"; cat; wc -c", "read 1 <>\n0\n", 0).await;
    })
    .await;
}

async fn what_a_terminal_echoes_is_no_output(shell: Shell) {
    on(shell, async |what, session, _sandbox| {
        for round in 0..10 {
            gives(what, session, "stty echo <&1", "", 0).await;
            gives(what, session, &format!("echo still here {round}"), &format!("still here {round}\n"), 0).await;
        }
        // The line that a killed script's shell is given is typed while the script's output is read.
        session.run("stty echo <&1").await.unwrap();
        let stubborn = session.run("trap '' INT; echo begun; sleep 1000").timeout(SHORT);
        let result = within_long(stubborn.into_future()).await.unwrap();
        assert_eq!((result.timed_out, result.text().lines().next()), (true, Some("begun")), "{what}");
        assert!(!result.text().contains("abandoned"), "{what}: {:?}", result.text());
    })
    .await;
}

async fn scripts_that_change_the_shell_leave_it_usable(shell: Shell) {
    on(shell, async |what, session, _sandbox| {
        for script in [
            "PS1='prompt> '; PS2='more> '",
            "IFS=0123456789:",
            "exec >/dev/null",
            "exec 2>&-",
            "exec <&- >&- 2>&-",
            "exec 3>&1 4>&2",
            "set -u; set -f; set -C",
            "set +u +f +C",
            "stty raw -echo <&1",
            "stty sane <&1",
            "stty echo onlcr <&1",
            "trap 'echo trapped' USR1; trap : INT",
            "trap - INT",
            "echo() { :; }; unset -f echo",
            "set -x",
            "set +x",
            "set -v",
            "set +v",
            "set -b 2>/dev/null || :",
            "set -m",
        ] {
            if what.contains("ksh") && (script == "set -x" || script == "set -v") {
                eprintln!("skipped: {script} in {what}, which also shows the lines after the script");
                continue;
            }
            let result = run(session, script).await;
            assert!(!result.closed, "{script:?} closed {what}");
            let result = run(session, "{ echo still here; } 2>/dev/null").await;
            let traced = result.text().into_owned();
            // With tracing on, the script's own lines are shown, and nothing else.
            let text: Vec<&str> = traced.lines().filter(|line| !line.contains("{ echo still here; }")).collect();
            assert_eq!(text.last(), Some(&"still here"), "after {script:?} in {what}: {traced:?}");
            if !script.starts_with("set -x") && !script.starts_with("set -v") {
                assert_eq!(traced, "still here\n", "after {script:?} in {what}");
            }
        }
        gives(what, session, "kill -USR1 \"$$\"; :", "trapped\n", 0).await;
    })
    .await;
}

async fn what_ends_the_shell_is_told(shell: Shell) {
    for (script, code) in [
        ("echo bye; exit 3", 3),
        ("set -e; echo bye; false; echo no", 1),
        ("exec sh -c 'echo bye; exit 4'", 4),
        ("echo bye; kill -9 $$", 137),
    ] {
        on(shell, async |what, session, _sandbox| {
            let result = run(session, script).await;
            assert_eq!(
                (result.text().as_ref(), result.exit_code, result.closed),
                ("bye\n", Some(code), true),
                "{script:?} in {what}"
            );
            let error = session.run("echo again").await.unwrap_err();
            assert_eq!(error.code(), isobox::ErrorCode::InvalidState, "{what}");
        })
        .await;
    }
}

async fn an_interrupt_leaves_the_shell_usable(shell: Shell) {
    if shell.0.contains("ksh93") {
        eprintln!("skipped: ksh93 goes on after an interrupted subshell, and now and then ends at an interrupt");
        return;
    }
    on(shell, async |what, session, _sandbox| {
        for body in [
            "/bin/sleep MARK; /bin/sleep MARK",
            "/bin/sleep MARK | cat",
            "(/bin/sleep MARK; echo no)",
            "/bin/sleep MARK & while :; do :; done",
        ] {
            if shell.0.contains("busybox") && body.ends_with("done") {
                eprintln!("skipped: {body}: busybox leaves its allocator by a jump when it is interrupted there, and then locks up");
                continue;
            }
            let mark = mark();
            let script = format!(
                "before=$((${{before-0}} + 1)); echo \"begun $before\"; {}; echo not reached",
                body.replace("MARK", &mark)
            );
            let interrupt = async {
                until_there(&mark).await;
                // A shell that is just about to wait may miss one, and a person presses the keys again.
                loop {
                    session.interrupt().await.unwrap();
                    tokio::time::sleep(Duration::from_secs(2)).await;
                }
            };
            let run = session.run(script).into_future();
            let result = within_long(async {
                tokio::select! { result = run => result, () = interrupt => unreachable!() }
            });
            let result = result.await.unwrap();
            assert!(!result.closed && !result.timed_out, "{body} in {what}");
            assert_eq!(result.exit_code, None, "{body} in {what}");
            let text = result.text();
            assert!(text.starts_with("begun ") && !text.contains("not reached"), "{body} in {what}: {text:?}");
            gives(what, session, "echo \"${before}\" >/dev/null; echo usable", "usable\n", 0).await;
        }
        gives(what, session, "test \"$before\" -ge 3", "", 0).await;
        session.interrupt().await.unwrap();
        gives(what, session, "echo usable", "usable\n", 0).await;
    })
    .await;
}

async fn a_timeout_interrupts_and_then_kills(shell: Shell) {
    on(shell, async |what, session, _sandbox| {
        for body in [
            "echo begun; /bin/sleep MARK",
            "echo begun; trap '' INT; /bin/sleep MARK",
            "echo begun; sh -c 'trap \"\" INT TERM HUP; /bin/sleep MARK; /bin/sleep MARK'",
        ] {
            let mark = mark();
            let script = format!("{}; echo not reached", body.replace("MARK", &mark));
            let result = within_long(session.run(script).timeout(SHORT).into_future()).await.unwrap();
            assert!(result.timed_out, "{body} in {what}");
            assert!(result.text().starts_with("begun\n"), "{body} in {what}: {:?}", result.text());
            until_gone(&mark).await;
            if result.closed {
                eprintln!("{body} closed {what}");
                return;
            }
            gives(what, session, "trap - INT; echo usable", "usable\n", 0).await;
        }
    })
    .await;
}

async fn background_jobs_do_not_disturb(shell: Shell) {
    on(shell, async |what, session, sandbox| {
        let mark = mark();
        let script = format!("/bin/sleep {mark} & job=$!; echo started; (sleep 0.05; echo late) &");
        let result = run(session, &script).await;
        // The Korn shells tell the number of a job whenever they are interactive.
        let text = result.text().into_owned();
        let lines: Vec<&str> = text.lines().filter(|line| !(what.contains("ksh") && line.starts_with('['))).collect();
        assert_eq!((lines, result.exit_code), (vec!["started"], Some(0)), "{what}");
        sandbox.exec(["sleep", "0.2"]).await.unwrap();
        gives(what, session, "echo next", "next\n", 0).await;
        gives(what, session, "kill $job; wait; kill -0 $$ && echo alive", "alive\n", 0).await;
    })
    .await;
}
