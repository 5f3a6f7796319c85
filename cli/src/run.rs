//! `isobox run`: a sandbox, a command in it, and the end of both.
//!
//! ```text
//!   create ──▶ spawn ──▶ follow ──▶ delete ──▶ exit code
//!      │          │         └── signals stop the command, see `stopping`
//!      └──────────┴─ a signal, or a failure ──▶ delete what there is
//! ```
//!
//! The sandbox is deleted on every way out that a process has. What remains is SIGKILL, after which the sandbox notices
//! that its owner is gone and ends by itself. With `--keep` it is detached before the command starts, and stays.

use crate::args::{Output, RunArgs};
use crate::command::{self, Followed, Outlet, Plan, RawTerminal, Signalled, Signals, Stopping, Streams, Writer};
use crate::config::{Config, Settings};
use crate::progress::Bar;
use crate::spec::{self, Variables};
use crate::{exit, failure, runtime, source};
use isobox::{Error, Isobox, Result, Sandbox, SandboxBuilder};
use std::time::Duration;

/// How long the end of a sandbox is waited for.
const DELETE_TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) fn main(args: &RunArgs, config: &Config) -> Result<u8> {
    let settings = config.profile(args.sandbox.profile.as_deref())?.under(&args.sandbox);
    source::check(args, &settings)?;
    let plan = Plan::of(args.streams, args.output == Output::Table)?;
    let env = spec::variables(&args.how.env)?;
    runtime::block_on(async {
        let mut signals = Signals::catch(plan.terminal).map_err(|error| Error::io("the signal handlers", error))?;
        let isobox = Isobox::open().await?;
        let code = run(&isobox, args, config, &settings, plan, env, &mut signals).await;
        isobox.close().await;
        code
    })
}

async fn run(
    isobox: &Isobox,
    args: &RunArgs,
    config: &Config,
    settings: &Settings,
    plan: Plan,
    env: Variables,
    signals: &mut Signals,
) -> Result<u8> {
    let bar = Bar::new();
    let builder = builder(isobox, args, config, settings, &env).await?;
    let sandbox = tokio::select! {
        biased;
        () = signals.stop() => return Err(Error::cancelled("create")),
        made = builder.events(bar.sink()).create() => made?,
    };
    drop(bar);
    let code = in_sandbox(&sandbox, args, plan, env, signals).await;
    if args.keep {
        failure::note(&format!("the sandbox {} is kept, isobox rm removes it", sandbox.id()));
    } else {
        delete(&sandbox, signals).await;
    }
    code
}

async fn builder(
    isobox: &Isobox,
    args: &RunArgs,
    config: &Config,
    settings: &Settings,
    env: &Variables,
) -> Result<SandboxBuilder> {
    let builder = spec::builder(isobox, config, settings).await?;
    let builder = spec::with_command(builder, args.how.workdir.as_deref(), args.how.user.as_deref());
    if args.keep { spec::outliving(builder, settings, env.clone()) } else { Ok(builder) }
}

async fn in_sandbox(
    sandbox: &Sandbox,
    args: &RunArgs,
    plan: Plan,
    env: Variables,
    signals: &mut Signals,
) -> Result<u8> {
    let prepared = sandbox.exec(source::argv(args, sandbox.image())?);
    let captured = args.output == Output::Json;
    let prepared = command::prepared(prepared, &args.how, plan, env, captured);
    let process = tokio::select! {
        biased;
        () = signals.stop() => return Err(Error::cancelled("exec.spawn")),
        started = prepared.spawn() => started?,
    };
    let outlet = match args.output {
        Output::Table => Outlet::Streams(Writer::start(None)?),
        Output::Id => Outlet::Streams(Writer::start(Some(sandbox.id()))?),
        Output::Json => Outlet::Captured,
    };
    let streams = Streams { input: plan.input, keys: None, outlet };
    let followed = {
        let _raw = plan.raw.then(RawTerminal::enter).transpose()?;
        command::follow(&process, signals, Signalled::Stops(Stopping::new(args.how.grace)), streams).await?
    };
    match followed {
        Followed::Ended(ended) => {
            command::comment(&ended, args.how.timeout, sandbox).await;
            Ok(exit::of_exit(&ended))
        }
        Followed::Captured(result) => command::print(sandbox, &result),
        Followed::NoReader | Followed::Left => Ok(exit::NO_READER),
    }
}

/// Deletes the sandbox. A failure is told and changes nothing: the command has ended as it has.
async fn delete(sandbox: &Sandbox, signals: &mut Signals) {
    let left = tokio::select! {
        deleted = tokio::time::timeout(DELETE_TIMEOUT, sandbox.delete()) => match deleted {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.message().to_owned(),
            Err(_) => format!("it did not end within {DELETE_TIMEOUT:?}"),
        },
        () = signals.stop() => "interrupted".to_owned(),
    };
    failure::note(&format!("the sandbox {} could not be deleted and is left to end by itself: {left}", sandbox.id()));
}
