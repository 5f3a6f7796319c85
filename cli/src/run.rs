//! `isobox run`: a sandbox, a command in it, and the end of both.
//!
//! ```text
//!   create ──▶ spawn ──▶ follow ──▶ delete ──▶ exit code
//!      │          │         └── signals stop the command, see `stopping`
//!      └──────────┴─ a signal, or a failure ──▶ delete what there is
//! ```
//!
//! The sandbox is deleted on every way out that a process has. What remains is SIGKILL, after which the sandbox notices
//! that its owner is gone and ends by itself.

mod captured;
mod follow;
mod image;
mod input;
mod plan;
mod signals;
mod stopping;
mod terminal;
mod writer;

use crate::args::{Output, RunArgs};
use crate::progress::Bar;
use crate::{environment, exit, failure, parse};
use follow::{Followed, Outlet};
use isobox::{
    Command, Error, Exit, Isobox, NamespaceOptions, OutputLimits, ProviderOptions, Result, Sandbox, SandboxBuilder,
    Termination,
};
use plan::Plan;
use signals::Signals;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::ffi::OsStringExt as _;
use std::time::Duration;
use stopping::Stopping;
use terminal::RawTerminal;
use writer::Writer;

/// How long the end of a sandbox is waited for.
const DELETE_TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) fn main(args: RunArgs) -> Result<u8> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::io("the event loop", error))?;
    let code = runtime.block_on(run(&args));
    runtime.shutdown_background();
    code
}

async fn run(args: &RunArgs) -> Result<u8> {
    let plan = Plan::of(args)?;
    let env = variables(args)?;
    let mut signals = Signals::catch(plan.terminal).map_err(|error| Error::io("the signal handlers", error))?;
    let isobox = Isobox::open().await?;
    let bar = Bar::new();
    let sandbox = tokio::select! {
        biased;
        () = signals.stop() => return Err(Error::cancelled("create")),
        made = spec(&isobox, args)?.events(bar.sink()).create() => made?,
    };
    drop(bar);
    let code = in_sandbox(&sandbox, args, plan, env, &mut signals).await;
    delete(&sandbox, &mut signals).await;
    code
}

type Variables = Vec<(Vec<u8>, Vec<u8>)>;

fn variables(args: &RunArgs) -> Result<Variables> {
    let parsed = args.env.iter().map(|text| parse::variable(text, |name| std::env::var_os(name)));
    parsed.filter_map(Result::transpose).collect()
}

fn spec(isobox: &Isobox, args: &RunArgs) -> Result<SandboxBuilder> {
    let builder = isobox.sandbox().provider(&args.provider).resources(isobox::Resources {
        cpus: args.cpus,
        memory: args.memory,
        disk: args.disk,
        pids: args.pids,
        gpus: None,
    });
    // Only the namespace provider has a choice there; any other refuses the limit by its own reason.
    let chosen = args.disk.filter(|_| [isobox::AUTO, "namespace"].contains(&args.provider.as_str()));
    let disk_backing = chosen.map(|_| args.disk_backing);
    let mounts = args.mounts.iter().chain(&args.tmpfs);
    let builder = mounts.cloned().fold(builder, SandboxBuilder::mount);
    let options = NamespaceOptions { read_only_root: args.read_only, disk_backing, ..NamespaceOptions::default() };
    let wanted = options != NamespaceOptions::default();
    let builder = maybe(builder, wanted.then_some(ProviderOptions::Namespace(options)), SandboxBuilder::options);
    let builder = args.labels.iter().fold(builder, |builder, (name, value)| builder.label(name, value));
    let builder = maybe(builder, image::source(args)?, SandboxBuilder::source);
    let builder = maybe(builder, args.rootfs.as_ref(), SandboxBuilder::rootfs);
    let builder = maybe(builder, args.workspace.as_ref(), SandboxBuilder::workspace);
    let builder = maybe(builder, args.network.clone(), SandboxBuilder::network);
    let builder = maybe(builder, args.ttl, SandboxBuilder::ttl);
    let builder = maybe(builder, args.name.as_ref(), SandboxBuilder::name);
    let builder = maybe(builder, args.user.as_ref(), SandboxBuilder::user);
    Ok(maybe(builder, args.workdir.as_ref(), |builder, workdir| builder.workdir(workdir.as_bytes())))
}

fn maybe<B, V>(builder: B, value: Option<V>, set: impl FnOnce(B, V) -> B) -> B {
    match value {
        Some(value) => set(builder, value),
        None => builder,
    }
}

fn command(sandbox: &Sandbox, args: &RunArgs, plan: Plan, env: Variables) -> Result<Command> {
    let mut command = sandbox.exec(image::argv(args, sandbox.image())?);
    if plan.terminal {
        let size = terminal::size().unwrap_or_default();
        let term = std::env::var_os(environment::TERM).unwrap_or_else(|| "xterm".into());
        command = command.pty(size.rows, size.cols).env(environment::TERM, term.into_vec());
    }
    if plan.input {
        command = command.stdin_stream();
    }
    if args.output != Output::Json {
        command = command.output(OutputLimits::none());
    }
    command = maybe(command, args.timeout, Command::timeout);
    command = maybe(command, args.grace, Command::grace);
    Ok(command.envs(env))
}

async fn in_sandbox(
    sandbox: &Sandbox,
    args: &RunArgs,
    plan: Plan,
    env: Variables,
    signals: &mut Signals,
) -> Result<u8> {
    let process = tokio::select! {
        biased;
        () = signals.stop() => return Err(Error::cancelled("exec.spawn")),
        started = command(sandbox, args, plan, env)?.spawn() => started?,
    };
    let outlet = match args.output {
        Output::Table => Outlet::Streams(Writer::start(None)?),
        Output::Id => Outlet::Streams(Writer::start(Some(sandbox.id()))?),
        Output::Json => Outlet::Captured,
    };
    let followed = {
        let _raw = plan.raw.then(RawTerminal::enter).transpose()?;
        follow::follow(&process, signals, Stopping::new(args.grace), plan.input, outlet).await?
    };
    match followed {
        Followed::Ended(ended) => {
            comment(&ended, args, sandbox).await;
            Ok(exit::of_exit(&ended))
        }
        Followed::Captured(result) => captured::print(sandbox, &result),
        Followed::NoReader => Ok(exit::NO_READER),
    }
}

/// Says what the exit code alone leaves open.
async fn comment(ended: &Exit, args: &RunArgs, sandbox: &Sandbox) {
    if ended.oom_killed {
        // The end of the sandbox, too, is what the limit may have brought about.
        let metrics = sandbox.metrics().await.ok();
        let numbers = metrics.and_then(|metrics| metrics.memory_limit.zip(metrics.peak_memory));
        let numbers = numbers.map(|(limit, peak)| format!(" (limit {}, peak {})", size(limit), size(peak)));
        failure::note(&format!("killed: out of memory{}", numbers.unwrap_or_default()));
    } else if let (Termination::TimedOut, Some(timeout)) = (ended.termination, args.timeout) {
        failure::note(&format!("the command timed out after {timeout:?}"));
    }
}

/// A number of bytes as people read it.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["bytes", "KiB", "MiB", "GiB"];
    let power = (bytes.max(1).ilog2() / 10).min(3);
    let value = bytes as f64 / f64::from(1 << (10 * power));
    let rounded = (value * 10.0).round() / 10.0;
    format!("{rounded} {}", UNITS[power as usize])
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
