//! What ends a command ends all of it, and what it wrote until then is there.

use crate::check::{Check, Checked, Stop, same};
use crate::lab::Lab;
use crate::processes::{none_alive, read_until, until_alive, until_gone, until_gone_here};
use isobox::{Capability::*, ExecResult, Sandbox, Signal, SignalTarget, Termination};
use std::time::Duration;

pub(crate) const CHECKS: &[Check] = &[
    check!(timeout_ends_a_command, "A command that runs into its timeout is killed, says so, and gives what it wrote."),
    check!(timeout_ends_the_whole_tree, "A timeout ends every process of a command, whatever it did to get away.")
        .shows(&[ExecTreeKill]),
    check!(timeout_ends_a_full_output, "A timeout ends a command whose output never stops.").programs(&["yes"]),
    check!(kill_ends_the_whole_tree, "A kill ends every process of a command, and gives what it wrote.").needs(&[
        ExecTreeKill,
        ExecSpawn,
        ExecStop,
    ]),
    check!(kill_is_told_from_an_exit, "A command that its caller killed says so, with signal 9.")
        .needs(&[ExecSpawn, ExecStop]),
    check!(nothing_is_written_after_the_end, "Once a timeout is told, no process of the command writes anything.")
        .needs(&[ExecTreeKill]),
    check!(stop_is_term_first, "A stop with a grace lets a command end by itself.")
        .shows(&[ExecStop])
        .needs(&[ExecSpawn]),
    check!(stop_kills_when_the_grace_is_over, "A stop kills what does not heed TERM.").needs(&[ExecSpawn, ExecStop]),
    check!(
        stop_is_told_by_its_signal,
        "A command that dies of the stop's TERM says so, with signal 15, and not as killed."
    )
    .needs(&[ExecSpawn, ExecStop]),
    check!(term_does_not_escalate, "TERM is one signal: a command that ignores it lives on.").needs(&[
        ExecSpawn,
        ExecSignals,
        ExecStop,
    ]),
    check!(signals_arrive, "Any signal arrives, at the leader alone or at the whole tree.")
        .shows(&[ExecSignals])
        .needs(&[ExecSpawn, ExecStop]),
    check!(
        grace_lets_a_timed_out_command_end,
        "A command that times out with a grace gets TERM first, and still reads as timed out."
    )
    .needs(&[ExecStop]),
    check!(grace_ends_in_a_kill, "A command that ignores TERM is killed when the grace of its timeout is over.")
        .needs(&[ExecStop]),
    check!(dropped_call_ends_the_whole_tree, "Dropping a call ends every process of its command.")
        .needs(&[ExecTreeKill]),
    check!(dropped_handle_ends_the_whole_tree, "Dropping the handle of a command ends every process of it.")
        .needs(&[ExecTreeKill, ExecSpawn]),
    check!(delete_ends_every_process, "Removing a sandbox ends everything in it.").needs(&[ExecTreeKill]),
    check!(ended_commands_can_be_ended_again, "Signals and stops for a command that has ended are fine.").needs(&[
        ExecSpawn,
        ExecSignals,
        ExecStop,
    ]),
];

/// Ways to get away from whoever ends a command, and what they need. Each says `began` when it is done.
const ESCAPES: &[(&[&str], &str)] = &[
    (&[], "sleep MARK & echo began; wait"),
    (&[], "(sh -c 'sleep MARK & exit' &); echo began; sleep MARK"),
    (&[], "sh -c \"trap '' TERM INT HUP QUIT; sleep MARK\" & echo began; sleep MARK"),
    (&[], "sleep MARK & kill -STOP $!; echo began; sleep MARK"),
    (&[], "sleep MARK >/dev/null 2>&1 </dev/null & echo began; sleep MARK"),
    // It never has the number that it had when somebody looked.
    (&[], "run() { sleep 0.05; run & }; (run : MARK &) >/dev/null 2>&1 </dev/null; echo began; sleep MARK"),
    (&["setsid"], "setsid sleep MARK & echo began; wait"),
    (&["setsid"], "(setsid sh -c 'setsid sleep MARK & exit' &); echo began; sleep MARK"),
    (&["env", "setsid"], "(trap '' TERM; env -i setsid sleep MARK >&- 2>&- & exit) & echo began; sleep MARK"),
];

fn escapes(lab: &Lab) -> impl Iterator<Item = (String, String)> {
    let possible = ESCAPES.iter().filter(|(programs, _)| programs.iter().all(|program| lab.has(program)));
    possible.map(|(_, script)| {
        let mark = lab.mark();
        (script.replace("MARK", &mark), mark)
    })
}

async fn timeout_ends_a_command(lab: &Lab) -> Checked {
    let result = timed_out(&lab.sandbox().await?, "echo began; echo error >&2; sleep 1000; echo never").await?;
    same("its signal", result.signal, Some(9))?;
    same("what it wrote", result.stdout.text(), "began\n")
}

/// Timeouts in seconds for a command that must have begun by then. The next is tried where it had not, on a machine that has
/// much to do.
const TIMEOUTS: [u64; 3] = [1, 10, 60];

/// Runs into a timeout after something was written.
async fn timed_out(sandbox: &Sandbox, script: &str) -> Checked<ExecResult> {
    timed_out_with(sandbox, script, None).await
}

async fn timed_out_with(sandbox: &Sandbox, script: &str, grace: Option<Duration>) -> Checked<ExecResult> {
    for seconds in TIMEOUTS {
        let command = sandbox.shell(script).timeout(Duration::from_secs(seconds));
        let result = match grace {
            Some(grace) => command.grace(grace).await?,
            None => command.await?,
        };
        same("how it ended", result.termination, Termination::TimedOut)?;
        ensure!(result.timed_out && !result.success(), "it does not read as timed out");
        if result.stdout.observed > 0 {
            return Ok(result);
        }
    }
    Err(Stop::Failed("what it wrote is lost".to_owned()))
}

async fn timeout_ends_the_whole_tree(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let ends = escapes(lab).map(|(script, mark)| {
        let sandbox = &sandbox;
        async move {
            let result = timed_out(sandbox, &script).await?;
            none_alive(sandbox, &mark, "after the timeout was told").await?;
            same("what it wrote", result.stdout.text(), "began\n")
        }
    });
    futures::future::try_join_all(ends).await.map(drop)
}

async fn timeout_ends_a_full_output(lab: &Lab) -> Checked {
    let result = timed_out(&lab.sandbox().await?, "yes").await?;
    ensure!(result.stdout.bytes.starts_with(b"y\ny\n"), "what it wrote is lost");
    Ok(())
}

async fn kill_ends_the_whole_tree(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let ends = escapes(lab).map(|(script, mark)| {
        let sandbox = &sandbox;
        async move {
            let process = sandbox.shell(script).spawn().await?;
            read_until(&process, "began\n").await?;
            process.kill().await?;
            none_alive(sandbox, &mark, "after the kill").await?;
            same("what it wrote", process.wait().await?.stdout.text(), "began\n")
        }
    });
    futures::future::try_join_all(ends).await.map(drop)
}

async fn kill_is_told_from_an_exit(lab: &Lab) -> Checked {
    let process = lab.sandbox().await?.shell("echo began; sleep 1000").spawn().await?;
    read_until(&process, "began\n").await?;
    process.kill().await?;
    let result = process.wait().await?;
    same("how it ended", result.termination, Termination::Killed)?;
    same("its signal", result.signal, Some(9))?;
    ensure!(result.cancelled && !result.timed_out, "it does not read as ended by its caller");
    Ok(())
}

async fn nothing_is_written_after_the_end(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let writer = "while :; do echo x >> written; sleep 0.02; done";
    let away = if lab.has("setsid") { "setsid " } else { "" };
    timed_out(&sandbox, &format!("echo x >> written; echo began; ({away}sh -c '{writer}' &); {writer}")).await?;
    let then = sandbox.files().stat("written").await?.size;
    ensure!(then > 0, "nothing was written at all");
    sandbox.shell("sleep 0.5").await?;
    same("bytes of the file half a second later", sandbox.files().stat("written").await?.size, then)
}

async fn stop_is_term_first(lab: &Lab) -> Checked {
    let script = "trap 'echo bye; exit 3' TERM; echo began; while :; do sleep 0.1; done";
    let process = lab.sandbox().await?.shell(script).spawn().await?;
    read_until(&process, "began\n").await?;
    process.stop_within(Duration::from_secs(600)).await?;
    let result = process.wait().await?;
    same("what it wrote", result.stdout.text(), "began\nbye\n")?;
    same("the exit code", result.exit_code, 3)?;
    same("how it ended", result.termination, Termination::Cancelled)
}

async fn stop_kills_when_the_grace_is_over(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let mark = lab.mark();
    let script = format!(
        "trap 'echo term' TERM; sh -c \"trap '' TERM; sleep {mark}\" & echo began; while :; do sleep 0.1; done"
    );
    let process = sandbox.shell(script).spawn().await?;
    read_until(&process, "began\n").await?;
    until_alive(&sandbox, &mark).await?;
    process.stop_within(Duration::from_secs(5)).await?;
    none_alive(&sandbox, &mark, "after the stop").await?;
    let result = process.wait().await?;
    ensure!(result.stdout.text().contains("term\n"), "it was killed without TERM before");
    same("how it ended", result.termination, Termination::Killed)?;
    same("its signal", result.signal, Some(9))
}

async fn stop_is_told_by_its_signal(lab: &Lab) -> Checked {
    let process = lab.sandbox().await?.shell("echo began; exec sleep 1000").spawn().await?;
    read_until(&process, "began\n").await?;
    process.stop_within(Duration::from_secs(600)).await?;
    let result = process.wait().await?;
    same("how it ended", result.termination, Termination::Cancelled)?;
    same("its signal and exit code", (result.signal, result.exit_code), (Some(15), 128 + 15))
}

async fn term_does_not_escalate(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let script = "trap 'echo term' TERM; trap 'echo usr1' USR1; echo began; while :; do sleep 0.1; done";
    let process = sandbox.shell(script).spawn().await?;
    read_until(&process, "began\n").await?;
    process.signal_to(Signal::TERM, SignalTarget::Leader).await?;
    read_until(&process, "term\n").await?;
    sandbox.shell("sleep 1").await?;
    process.signal_to(Signal::USR1, SignalTarget::Leader).await?;
    read_until(&process, "usr1\n").await?;
    process.kill().await?;
    let written = process.wait().await?.stdout.text().matches("term").count();
    same("how often TERM came", written, 1)
}

async fn signals_arrive(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let child = "trap 'echo child' USR2; while :; do sleep 0.1; done";
    let script = format!("trap 'echo leader' USR2; sh -c \"{child}\" & echo began; while :; do sleep 0.1; done");
    let process = sandbox.shell(script.replace("echo began", "sleep 1; echo began")).spawn().await?;
    read_until(&process, "began\n").await?;
    process.signal_to(Signal::USR2, SignalTarget::Leader).await?;
    let seen = read_until(&process, "leader\n").await?;
    ensure!(!seen.contains("child"), "a signal for the leader came to its child");
    process.signal_to(Signal::USR2, SignalTarget::Tree).await?;
    // The loop's own sleep dies of it, which its shell reports or not.
    read_until(&process, "child\n").await?;
    process.kill().await?;
    Ok(())
}

async fn grace_lets_a_timed_out_command_end(lab: &Lab) -> Checked {
    let script = "trap 'echo bye; exit 3' TERM; echo began; while :; do sleep 0.1; done";
    let result = timed_out_with(&lab.sandbox().await?, script, Some(Duration::from_secs(600))).await?;
    same("what it wrote", result.stdout.text(), "began\nbye\n")?;
    same("the exit code", result.exit_code, 3)
}

async fn grace_ends_in_a_kill(lab: &Lab) -> Checked {
    let script = "trap 'echo term' TERM; echo began; while :; do sleep 0.1; done";
    let grace = Duration::from_secs(5);
    let result = timed_out_with(&lab.sandbox().await?, script, Some(grace)).await?;
    same("what it wrote", result.stdout.text(), "began\nterm\n")?;
    ensure!(result.duration >= grace, "it was killed after {:?}, before the grace was over", result.duration);
    same("its signal", result.signal, Some(9))
}

async fn dropped_call_ends_the_whole_tree(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    for (script, mark) in escapes(lab) {
        tokio::select! {
            result = sandbox.shell(script).run() => ensure!(false, "it ended by itself: {result:?}"),
            there = until_alive(&sandbox, &mark) => there?,
        }
        until_gone(&sandbox, &mark).await?;
    }
    Ok(())
}

async fn dropped_handle_ends_the_whole_tree(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    for (script, mark) in escapes(lab) {
        let process = sandbox.shell(script).spawn().await?;
        read_until(&process, "began\n").await?;
        until_alive(&sandbox, &mark).await?;
        drop(process);
        until_gone(&sandbox, &mark).await?;
    }
    Ok(())
}

async fn delete_ends_every_process(lab: &Lab) -> Checked {
    for (script, mark) in escapes(lab) {
        let sandbox = lab.sandbox().await?;
        let script = format!("({script}) >/dev/null 2>&1 & exit 0");
        sandbox.shell(script).await?;
        until_alive(&sandbox, &mark).await?;
        sandbox.delete().await?;
        until_gone_here(&mark).await?;
    }
    Ok(())
}

async fn ended_commands_can_be_ended_again(lab: &Lab) -> Checked {
    let process = lab.sandbox().await?.shell("exit 6").spawn().await?;
    same("the exit code", process.wait().await?.exit_code, 6)?;
    process.signal(Signal::TERM).await?;
    process.stop_within(Duration::from_secs(1)).await?;
    process.kill().await?;
    let result = process.wait().await?;
    same("the exit code afterwards", result.exit_code, 6)?;
    same("how it ended", result.termination, Termination::Exited)
}
