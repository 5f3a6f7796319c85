//! `isobox start`, `stop`, `pause`, `resume`, `rm` and `fork`: what sandboxes are doing, several at once.

use crate::args::{ForkArgs, Form, FormFlag, RmArgs, SandboxesArgs, StopArgs};
use crate::each::each;
use crate::view::{SandboxView, Sandboxes};
use crate::{find, output, ps, runtime, spec};
use isobox::{Error, ErrorCode, ForkOptions, Isobox, Result, Sandbox, SandboxFilter, SandboxId, State};

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
        each(words, form.output, one).await
    })
}

pub(crate) fn rm(args: &RmArgs) -> Result<u8> {
    runtime::with_isobox("rm", async |isobox| {
        if args.all {
            let all = isobox.list(SandboxFilter::default()).await?;
            let ids: Vec<_> = all.iter().map(|entry| entry.id.to_string()).collect();
            return each(&ids, args.form.output, async |id| remove(&isobox, id, args.force).await).await;
        }
        each(&args.sandboxes, args.form.output, async |word| remove(&isobox, word, args.force).await).await
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
