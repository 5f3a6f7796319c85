//! `isobox ps` and `isobox kill`: the commands of a sandbox.

use crate::args::{Form, KillArgs, PsArgs};
use crate::view::{ProcessView, Processes};
use crate::{exit, find, output, runtime};
use isobox::{
    ErrorCode, ExecId, Isobox, ProcessInfo, ProcessState, Replay, Result, Sandbox, SandboxEntry, Signal, State,
};

pub(crate) fn ps(args: &PsArgs) -> Result<u8> {
    runtime::with_isobox("ps", async |isobox| {
        let entry = find::remembered(&isobox, &args.sandbox).await?;
        let mut all = there(&isobox, &entry, args.all).await?;
        if args.all {
            let known = isobox.processes(entry.id.as_str()).await?;
            let told: Vec<_> = all.iter().map(|view| *view.id()).collect();
            let more = known.into_iter().filter(|process| !told.contains(&process.id));
            all.extend(more.map(|process| ProcessView::Remembered(Box::new(process.into()))));
        }
        all.sort_by_key(ProcessView::started_at);
        if args.quiet {
            return output::lines(all.iter().map(|view| view.id().as_str()));
        }
        output::show(&Processes(all), args.form.output)
    })
}

/// What the sandbox itself tells. One that is not there is an error unless what is remembered is wanted too.
async fn there(isobox: &Isobox, entry: &SandboxEntry, ended: bool) -> Result<Vec<ProcessView>> {
    if ended && entry.state != State::Running {
        return Ok(Vec::new());
    }
    let told = async { isobox.connect(entry.id.as_str()).await?.processes().await };
    let told = match told.await {
        Err(error) if ended && error.code() == ErrorCode::SandboxGone => Vec::new(),
        told => told?,
    };
    let wanted = told.into_iter().filter(|process| ended || runs(process));
    Ok(wanted.map(|process| ProcessView::There(Box::new(process))).collect())
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
