//! What a command is given and how its end is told.

use crate::check::{Check, Checked, refused, same};
use crate::lab::Lab;
use bytes::Bytes;
use isobox::{Capability::*, Detail, ErrorCode, ExecRequest, LaunchStep, Termination};
use std::time::Duration;

pub(crate) const CHECKS: &[Check] = &[
    check!(exec_reports_exit_codes, "An exit code comes back as it was."),
    check!(exec_reports_a_foreign_signal, "A signal that the command got from elsewhere is named, and reads as 128+n."),
    check!(exec_argv_is_literal, "No shell looks at a list of arguments.").programs(&["printf"]),
    check!(
        exec_env_arrives_as_it_is,
        "Variables arrive byte for byte, also with names that no shell takes, and replace those of the sandbox."
    )
    .programs(&["sh", "cat"]),
    check!(
        exec_starts_in_the_working_directory,
        "A command starts in the directory that the sandbox names, and a relative one is below it."
    ),
    check!(exec_tells_a_missing_program, "A program that is not there is not_found, and the step is told."),
    check!(
        exec_tells_what_cannot_be_executed,
        "A file that is no program is told by its kind, and is no fault of the provider."
    )
    .needs(&[FilesPermissions]),
    check!(exec_takes_a_megabyte_of_arguments, "Arguments of a megabyte arrive whole."),
    check!(exec_tells_a_missing_directory, "A working directory that is not there is an error, and nothing is run."),
    check!(exec_refuses_what_cannot_be_run, "Bad input is invalid_spec with the field, before anything is started."),
    check!(exec_many_at_once, "Commands at the same time do not wait for each other and do not mix."),
    check!(exec_bash_reads_no_startup_file, "The bash helper reads no startup file, whatever the environment says.")
        .programs(&["bash"]),
    check!(exec_environment_is_read_back, "The environment that is told is the one that commands get.")
        .shows(&[ExecEnvironment, CreateEnv])
        .programs(&["cat"]),
    check!(exec_runs_as_another_user, "A command runs as the user and group that it is told, by number.")
        .shows(&[ExecUser])
        .programs(&["id"]),
    check!(exec_counts_what_a_command_uses, "Processor time and peak memory of a command are told.")
        .shows(&[ExecUsage]),
    check!(exec_after_delete_says_that_it_is_gone, "A command for a sandbox that was removed says so.").programs(&[]),
];

async fn exec_reports_exit_codes(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    for code in [0, 1, 7, 126, 255] {
        let result = sandbox.shell(format!("exit {code}")).await?;
        same("the exit code", result.exit_code, code)?;
        same("how it ended", result.termination, Termination::Exited)?;
        same("its signal", result.signal, None)?;
        same("its success", result.success(), code == 0)?;
    }
    Ok(())
}

async fn exec_reports_a_foreign_signal(lab: &Lab) -> Checked {
    let result = lab.sandbox().await?.shell("kill -TERM $$; sleep 1000").await?;
    same("the signal", result.signal, Some(15))?;
    same("the exit code", result.exit_code, 128 + 15)?;
    same("how it ended", result.termination, Termination::Signalled)?;
    ensure!(!result.cancelled && !result.timed_out, "it reads as if the caller had ended it");
    Ok(())
}

async fn exec_argv_is_literal(lab: &Lab) -> Checked {
    let words = ["$HOME", "`id`", "$(id)", "*", ";", "a b", "'", "\"", "\\", "", "-n", "\u{e9}", "\n", "|", "&", "~"];
    let argv = ["printf", "[%s]"].into_iter().chain(words);
    let result = lab.sandbox().await?.exec(argv).await?;
    let expected = words.iter().fold(String::new(), |text, word| text + "[" + word + "]");
    same("what the program got", result.stdout.text().into_owned(), expected)
}

async fn exec_env_arrives_as_it_is(lab: &Lab) -> Checked {
    let mut builder = lab.builder();
    let claimed = lab.claims(CreateEnv);
    if claimed {
        builder = builder.env("CONFORMANCE_BOTH", "sandbox").env("CONFORMANCE_OURS", "kept");
    }
    let sandbox = lab.make(builder).await?;
    let variables: [(&str, &[u8]); 5] = [
        ("CONFORMANCE_PLAIN", b"value"),
        ("conformance-with-dashes.and dots", b"odd"),
        ("CONFORMANCE_LINES", b"one\ntwo = $three `four`"),
        ("CONFORMANCE_BYTES", b"\xff\xfe\x01"),
        ("CONFORMANCE_BOTH", b"command"),
    ];
    let result = sandbox.exec(["cat", "/proc/self/environ"]).envs(variables).await?;
    let found: Vec<Bytes> = result.stdout.bytes.split(|byte| *byte == 0).map(Bytes::copy_from_slice).collect();
    for (name, value) in variables {
        let wanted = [name.as_bytes(), b"=", value].concat();
        ensure!(found.iter().any(|variable| variable[..] == wanted[..]), "{name} did not arrive as it was given");
    }
    let both = found.iter().filter(|variable| variable.starts_with(b"CONFORMANCE_BOTH=")).count();
    same("how often a variable is there that the sandbox has too", both, 1)?;
    ensure!(
        !claimed || found.iter().any(|variable| &variable[..] == b"CONFORMANCE_OURS=kept"),
        "a variable of the sandbox is lost"
    );
    Ok(())
}

async fn exec_starts_in_the_working_directory(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    ensure!(sandbox.workdir().is_absolute(), "{} is not absolute", sandbox.workdir().escaped());
    let there = sandbox.shell("pwd -P").await?.stdout;
    // The directory that is named may be reached through a link.
    let named = sandbox.shell("pwd -P").cwd(sandbox.workdir().clone()).await?.stdout;
    same("where it starts", there.text(), named.text())?;
    sandbox.files().mkdir("below/deeper").await?;
    let below = sandbox.shell("pwd -P").cwd("below/deeper").await?.stdout;
    let root = there.text().trim_end().trim_end_matches('/').to_owned();
    same("where a relative directory is", below.text().into_owned(), format!("{root}/below/deeper\n"))?;
    let connected = lab.isobox().connect(sandbox.id().as_str()).await?;
    same("where it starts for who connects", connected.shell("pwd -P").await?.stdout.text(), there.text())
}

async fn exec_tells_a_missing_program(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    for program in ["conformance-is-not-there", "/conformance/is/not/there", "./neither"] {
        let error = refused("running a program that is not there", sandbox.exec([program]).await, ErrorCode::NotFound)?;
        let told = matches!(error.detail(), Detail::Launch { step: LaunchStep::Exec, .. });
        ensure!(told, "the detail is {:?} and not the step", error.detail());
        ensure!(!error.is_infrastructure(), "it reads as if the provider were to blame");
    }
    Ok(())
}

async fn exec_tells_what_cannot_be_executed(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    for (name, contents, mode, code) in [
        ("plain", "#!/bin/sh\n", 0o644, ErrorCode::PermissionDenied),
        ("lost", "#!/no/such/interpreter\n", 0o755, ErrorCode::InvalidSpec),
        ("data", "\x01\0\x02", 0o755, ErrorCode::InvalidSpec),
    ] {
        sandbox.files().write(name, contents).await?;
        sandbox.files().chmod(name, mode).await?;
        let path = sandbox.workdir().join(&name.into());
        let error = refused(&format!("running {name}"), sandbox.exec([path.as_bytes().to_vec()]).await, code)?;
        ensure!(matches!(error.detail(), Detail::Launch { .. }), "the detail is {:?} and not the step", error.detail());
        ensure!(!error.is_infrastructure(), "it reads as if the provider were to blame");
    }
    Ok(())
}

async fn exec_takes_a_megabyte_of_arguments(lab: &Lab) -> Checked {
    let word = "x".repeat(100_000);
    let argv = ["sh", "-c", "echo $# ${#1}", "sh"].into_iter().chain(std::iter::repeat_n(word.as_str(), 10));
    let result = lab.sandbox().await?.exec(argv).await?;
    same("what the program got", result.stdout.text(), "10 100000\n")
}

async fn exec_tells_a_missing_directory(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let run = sandbox.shell("echo ran > ran").cwd("is/not/there").await;
    let Err(error) = run else {
        ensure!(false, "it ran");
        return Ok(());
    };
    ensure!(!error.is_infrastructure(), "it reads as if the provider were to blame: {error}");
    same("whether it ran", sandbox.files().exists("ran").await?, false)
}

async fn exec_refuses_what_cannot_be_run(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let nothing: [&str; 0] = [];
    for (field, command) in [
        ("argv", sandbox.exec(nothing)),
        ("argv", sandbox.exec([""])),
        ("argv", sandbox.exec(["echo", "a\0b"])),
        ("env", sandbox.exec(["true"]).env("A=B", "c")),
        ("env", sandbox.exec(["true"]).env("A", "b\0c")),
        ("cwd", sandbox.exec(["true"]).cwd("")),
        ("timeout", sandbox.exec(["true"]).timeout(Duration::ZERO)),
    ] {
        let error = refused(&format!("a command with a bad {field}"), command.await, ErrorCode::InvalidSpec)?;
        let Detail::InvalidSpec { field: named, .. } = error.detail() else {
            ensure!(false, "the detail is {:?} and not the field", error.detail());
            return Ok(());
        };
        same("the field that is named", named.as_str(), field)?;
    }
    Ok(())
}

async fn exec_many_at_once(lab: &Lab) -> Checked {
    const MANY: usize = 32;
    let sandbox = lab.sandbox().await?;
    // The last one lets the others go: if they waited for each other, none would end.
    let waiting = (0..MANY).map(|number| {
        let script = format!("while [ ! -e go ]; do sleep 0.1; done; echo {number}; echo {number} >&2; exit {number}");
        let command = sandbox.shell(script);
        async move { Ok::<_, crate::Stop>((number, command.await?)) }
    });
    let go = async {
        sandbox.shell("sleep 0.2; : > go").await?;
        Ok::<_, crate::Stop>(())
    };
    let (results, ()) = futures::future::try_join(futures::future::try_join_all(waiting), go).await?;
    for (number, result) in results {
        same("the exit code", result.exit_code, number as i32)?;
        same("the output", result.stdout.text().into_owned(), format!("{number}\n"))?;
    }
    Ok(())
}

async fn exec_bash_reads_no_startup_file(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    sandbox.files().write("startup", "echo read\n").await?;
    let request = ExecRequest::bash("echo ${BASH_VERSION:+bash}; shopt -q login_shell && echo login; :");
    let result = sandbox.request(request).env("ENV", "startup").await?;
    same("what it says", result.stdout.text(), "bash\n")?;
    let mut request = ExecRequest::bash("echo started");
    request.env.insert(0, (b"BASH_ENV".to_vec(), b"startup".to_vec()));
    same("what it says", sandbox.request(request).await?.stdout.text(), "started\n")
}

async fn exec_environment_is_read_back(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().env("CONFORMANCE", "kept")).await?;
    let told = lab.raw(&sandbox).await?.environment().await?;
    same("a variable of the spec", told.get(&b"CONFORMANCE"[..]).map(Vec::as_slice), Some(&b"kept"[..]))?;
    let result = sandbox.exec(["cat", "/proc/self/environ"]).await?;
    let found: std::collections::BTreeMap<_, _> = result
        .stdout
        .bytes
        .split(|byte| *byte == 0)
        .filter_map(|variable| {
            let end = variable.iter().position(|byte| *byte == b'=')?;
            Some((variable[..end].to_vec(), variable[end + 1..].to_vec()))
        })
        .collect();
    same("what commands get", found, told)
}

async fn exec_runs_as_another_user(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    for (user, expected) in [("1234:2345", "1234 2345\n"), ("0:0", "0 0\n"), ("4321", "4321")] {
        let result = sandbox.shell("echo $(id -u) $(id -g)").user(user).cwd("/").await?;
        let found = result.stdout.text().into_owned();
        ensure!(found.starts_with(expected), "as {user} it runs as {found:?}");
    }
    let unknown = sandbox.shell("id").user("conformance-nobody").await;
    ensure!(unknown.is_err(), "a user that is not there runs something");
    Ok(())
}

async fn exec_counts_what_a_command_uses(lab: &Lab) -> Checked {
    let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
    let result = lab.sandbox().await?.shell(busy).await?;
    let used = result.cpu_time.unwrap_or_default();
    ensure!(used >= Duration::from_millis(10), "a busy command used {used:?} of processor time");
    let peak = result.peak_memory.unwrap_or_default();
    ensure!((64 << 10..1 << 32).contains(&peak), "its peak memory is {peak} bytes");
    Ok(())
}

async fn exec_after_delete_says_that_it_is_gone(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    sandbox.delete().await?;
    let Err(error) = sandbox.exec(["true"]).await else {
        ensure!(false, "a command ran in a sandbox that was removed");
        return Ok(());
    };
    let codes = [ErrorCode::SandboxGone, ErrorCode::NotFound, ErrorCode::InvalidState];
    ensure!(codes.contains(&error.code()), "it says {}: {error}", error.code());
    Ok(())
}
