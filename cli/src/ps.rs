//! `isobox ps` and `isobox kill`: the commands of a sandbox.

use crate::args::{Form, KillArgs, PsArgs};
use crate::view::{ProcessView, Processes};
use crate::{exit, find, output, runtime};
use isobox::{ExecId, Isobox, ProcessInfo, ProcessState, Replay, Result, Sandbox, Signal};

pub(crate) fn ps(args: &PsArgs) -> Result<u8> {
    runtime::with_isobox("ps", async |isobox| {
        let sandbox = find::sandbox(&isobox, &args.sandbox).await?;
        let mut all = sandbox.processes().await?;
        all.retain(|process| args.all || runs(process));
        all.sort_by_key(|process| process.started_at);
        if args.quiet {
            return output::lines(all.iter().map(|process| process.id.as_str()));
        }
        output::show(&Processes(all.into_iter().map(ProcessView).collect()), args.form.output)
    })
}

/// Whether it has not ended.
pub(crate) fn runs(process: &ProcessInfo) -> bool {
    process.state == ProcessState::Running
}

pub(crate) fn kill(args: &KillArgs) -> Result<u8> {
    runtime::with_isobox("kill", async |isobox| {
        let (sandbox, wanted) = meant(&isobox, args).await?;
        let mut told = Vec::new();
        for process in wanted {
            send(&sandbox, &process.id, args.signal).await?;
            told.push(process.id);
        }
        match args.form.output {
            Form::Table => output::lines(told.iter().map(ExecId::as_str)),
            Form::Json => output::line(&told).map(exit::of_reader),
        }
    })
}

async fn meant(isobox: &Isobox, args: &KillArgs) -> Result<(Sandbox, Vec<ProcessInfo>)> {
    if args.processes.is_empty() && args.sandbox.parse::<ExecId>().is_ok() {
        let (sandbox, process) = find::process(isobox, &args.sandbox, None).await?;
        return Ok((sandbox, vec![process]));
    }
    let sandbox = find::sandbox(isobox, &args.sandbox).await?;
    let all = sandbox.processes().await?;
    let wanted = match args.processes.is_empty() {
        true => all.into_iter().filter(runs).collect(),
        // All are found before the first is killed.
        false => args.processes.iter().map(|word| find::among(all.clone(), word)).collect::<Result<_>>()?,
    };
    Ok((sandbox, wanted))
}

async fn send(sandbox: &Sandbox, id: &ExecId, signal: Signal) -> Result<()> {
    let process = sandbox.process_from(id, Replay::New).await?;
    match signal {
        Signal::KILL => process.kill().await,
        signal => process.signal(signal).await,
    }
}
