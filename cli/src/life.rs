//! `isobox start`, `stop`, `pause`, `resume`, `rm` and `fork`: what sandboxes are doing, several at once.

use crate::args::{ForkArgs, Form, FormFlag, RmArgs, SandboxesArgs, StopArgs};
use crate::view::{SandboxView, Sandboxes};
use crate::{exit, failure, find, output, ps, runtime, spec};
use futures::StreamExt;
use isobox::{Error, ErrorCode, ForkOptions, Isobox, Result, Sandbox, SandboxFilter, SandboxId, State};

/// How many are acted on at once.
const AT_ONCE: usize = 8;

pub(crate) fn start(args: &SandboxesArgs) -> Result<u8> {
    change("start", &args.sandboxes, args.form, async |sandbox| sandbox.start().await)
}

pub(crate) fn pause(args: &SandboxesArgs) -> Result<u8> {
    change("pause", &args.sandboxes, args.form, async |sandbox| sandbox.pause().await)
}

pub(crate) fn resume(args: &SandboxesArgs) -> Result<u8> {
    change("resume", &args.sandboxes, args.form, async |sandbox| sandbox.resume().await)
}

pub(crate) fn stop(args: &StopArgs) -> Result<u8> {
    let grace = Some(args.grace);
    change("stop", &args.which.sandboxes, args.which.form, async |sandbox| sandbox.stop(grace).await)
}

/// Does the same to several sandboxes.
fn change(what: &str, words: &[String], form: FormFlag, act: impl AsyncFn(&Sandbox) -> Result<()>) -> Result<u8> {
    runtime::with_isobox(what, async |isobox| {
        let one = async |word: &String| {
            let sandbox = find::sandbox(&isobox, word).await?;
            act(&sandbox).await?;
            Ok(sandbox.id().to_string())
        };
        each(words, form, one).await
    })
}

/// Does something with each, and prints what came of it. A failure is told and keeps nothing else from being done; the last
/// one is the command's.
async fn each<W>(words: &[W], form: FormFlag, act: impl AsyncFn(&W) -> Result<String>) -> Result<u8> {
    let mut done = Vec::new();
    let mut failed = None;
    let mut results = std::pin::pin!(futures::stream::iter(words).map(|word| act(word)).buffered(AT_ONCE));
    while let Some(result) = results.next().await {
        match result {
            Ok(id) => done.push(id),
            Err(error) => {
                if let Some(earlier) = failed.replace(error) {
                    failure::tell(&earlier, form.output.into());
                }
            }
        }
    }
    let code = match form.output {
        Form::Table => output::lines(&done)?,
        Form::Json => output::line(&done).map(exit::of_reader)?,
    };
    failed.map_or(Ok(code), Err)
}

pub(crate) fn rm(args: &RmArgs) -> Result<u8> {
    runtime::with_isobox("rm", async |isobox| {
        if args.all {
            let all = isobox.list(SandboxFilter::default()).await?;
            let ids: Vec<_> = all.iter().map(|entry| entry.id.to_string()).collect();
            return each(&ids, args.form, async |id| remove(&isobox, id, args.force).await).await;
        }
        each(&args.sandboxes, args.form, async |word| remove(&isobox, word, args.force).await).await
    })
}

async fn remove(isobox: &Isobox, word: &str, force: bool) -> Result<String> {
    let entry = match find::entry(isobox, word).await {
        Err(error) if force && error.code() == ErrorCode::NotFound => return Ok(word.to_owned()),
        found => found?,
    };
    if entry.state == State::Deleted {
        return Ok(entry.id.to_string());
    }
    let sandbox = match isobox.connect(entry.id.as_str()).await {
        // It ended meanwhile, or was found to have ended.
        Err(error) if error.code() == ErrorCode::SandboxGone => return Ok(entry.id.to_string()),
        connected => connected?,
    };
    if !force && entry.state == State::Running {
        idle(&sandbox).await?;
    }
    sandbox.delete().await?;
    Ok(entry.id.to_string())
}

/// Refuses a sandbox in which a command runs.
async fn idle(sandbox: &Sandbox) -> Result<()> {
    let running = match sandbox.processes().await {
        Ok(all) => all.into_iter().find(ps::runs),
        // One that does not answer has nothing to lose.
        Err(_) => None,
    };
    let Some(process) = running else { return Ok(()) };
    let message = format!("{} runs in the sandbox {}, kill it first or use --force", process.id, sandbox.id());
    Err(Error::new(ErrorCode::InvalidState, message).with_sandbox(sandbox.id()))
}

pub(crate) fn fork(args: &ForkArgs) -> Result<u8> {
    runtime::with_isobox("fork", async |isobox| {
        let entry = find::entry(&isobox, &args.sandbox).await?;
        let original = isobox.connect(entry.id.as_str()).await?;
        let labels = (!args.labels.is_empty()).then(|| args.labels.iter().cloned().collect());
        let options = ForkOptions { name: args.name.clone(), labels, ..ForkOptions::default() };
        let copies = original.fork_with(usize::from(args.count), options).await?;
        let mut ids = Vec::new();
        for copy in copies {
            if !entry.detached {
                if entry.spec.lifetimes.ttl.is_none() && entry.spec.lifetimes.idle_timeout.is_none() {
                    copy.set_ttl(spec::DEFAULT_TTL).await?;
                }
                copy.detach().await?;
            }
            ids.push(*copy.id());
        }
        print(&isobox, &ids, args.form.output).await
    })
}

async fn print(isobox: &Isobox, ids: &[SandboxId], form: Form) -> Result<u8> {
    if form == Form::Table {
        return output::lines(ids.iter().map(SandboxId::as_str));
    }
    let mut views = Vec::new();
    for id in ids {
        views.push(SandboxView::of(&isobox.inspect(id.as_str()).await?));
    }
    output::show(&Sandboxes(views), form)
}
