//! `isobox exec`, `isobox shell` and `isobox attach`: a command in a sandbox of somebody.

use crate::args::{AttachArgs, CommandFlags, ExecArgs, Form, KeysFlag, ShellArgs, StreamFlags};
use crate::command::{self, Followed, Outlet, Plan, RawTerminal, Signalled, Signals, Stopping, Streams, Writer};
use crate::spec::maybe;
use crate::{exit, failure, find, output, runtime, spec};
use isobox::{Command, Error, Isobox, Process, Replay, Result, Sandbox};
use serde::Serialize;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Shells, the best first. What is not at these places is looked for as `sh`.
const SHELLS: [&str; 3] = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"];

/// A command that goes on by itself.
#[derive(Serialize)]
struct Started<'a> {
    sandbox: &'a str,
    process: &'a str,
}

/// How to be with a command.
struct With<'a> {
    flags: &'a CommandFlags,
    plan: Plan,
    keys: &'a KeysFlag,
    form: Form,
}

pub(crate) fn exec(args: &ExecArgs) -> Result<u8> {
    let plan = match args.detach {
        true => Plan { terminal: args.streams.tty, raw: false, input: false },
        false => Plan::of(args.streams, args.form.output == Form::Table)?,
    };
    let with = With { flags: &args.how, plan, keys: &args.keys, form: args.form.output };
    runtime::with_isobox_and_signals(async |isobox| {
        let mut signals = catch(plan)?;
        let sandbox = within(&mut signals, find::sandbox(&isobox, &args.sandbox)).await?;
        let argv = args.command.iter().map(|word| word.clone().into_vec());
        let command = maybe(sandbox.exec(argv), args.label.as_ref(), Command::label);
        if args.detach {
            return detached(&sandbox, command, &with).await;
        }
        run(&sandbox, command, &with, &mut signals).await
    })
}

pub(crate) fn shell(args: &ShellArgs) -> Result<u8> {
    let plan = Plan::of(StreamFlags::default(), true)?;
    let with = With { flags: &args.how, plan, keys: &args.keys, form: Form::Table };
    runtime::with_isobox_and_signals(async |isobox| {
        let mut signals = catch(plan)?;
        let sandbox = within(&mut signals, find::sandbox(&isobox, &args.sandbox)).await?;
        let shell = within(&mut signals, best_shell(&sandbox)).await?;
        run(&sandbox, sandbox.exec([shell]), &with, &mut signals).await
    })
}

async fn best_shell(sandbox: &Sandbox) -> Result<&'static str> {
    for shell in SHELLS {
        if sandbox.files().exists(shell).await? {
            return Ok(shell);
        }
    }
    Ok("sh")
}

fn catch(plan: Plan) -> Result<Signals> {
    Signals::catch(plan.terminal).map_err(|error| Error::io("the signal handlers", error))
}

/// Does something unless a signal comes first.
async fn within<T>(signals: &mut Signals, work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::select! {
        biased;
        () = signals.stop() => Err(Error::cancelled("exec")),
        done = work => done,
    }
}

fn prepared(command: Command, with: &With<'_>) -> Result<Command> {
    let flags = with.flags;
    let command =
        maybe(command, flags.workdir.as_ref(), |command, directory: &OsString| command.cwd(directory.as_bytes()));
    let command = maybe(command, flags.user.as_ref(), Command::user);
    let captured = with.form == Form::Json;
    Ok(command::prepared(command, flags, with.plan, spec::variables(&flags.env)?, captured))
}

/// Starts a command, and leaves it.
async fn detached(sandbox: &Sandbox, command: Command, with: &With<'_>) -> Result<u8> {
    let process = prepared(command, with)?.detached().spawn().await?;
    match with.form {
        Form::Table => output::lines([process.id().as_str()]),
        Form::Json => {
            let started = Started { sandbox: sandbox.id().as_str(), process: process.id().as_str() };
            output::line(&started).map(exit::of_reader)
        }
    }
}

async fn run(sandbox: &Sandbox, command: Command, with: &With<'_>, signals: &mut Signals) -> Result<u8> {
    let process = within(signals, prepared(command, with)?.spawn()).await?;
    let outlet = match with.form {
        Form::Table => Outlet::Streams(Writer::start(None)?),
        Form::Json => Outlet::Captured,
    };
    let keys = with.plan.raw.then(|| with.keys.detach_keys.clone());
    let streams = Streams { input: with.plan.input, keys, outlet };
    let signalled = Signalled::Stops(Stopping::new(with.flags.grace));
    let followed = {
        let _raw = with.plan.raw.then(RawTerminal::enter).transpose()?;
        let followed = command::follow(&process, signals, signalled, streams).await?;
        if let Followed::Left = followed {
            process.detach().await?;
        }
        followed
    };
    ended(sandbox, &process, followed, with.flags).await
}

async fn ended(sandbox: &Sandbox, process: &Process, followed: Followed, flags: &CommandFlags) -> Result<u8> {
    match followed {
        Followed::Ended(ended) => {
            command::comment(&ended, flags.timeout, sandbox).await;
            Ok(exit::of_exit(&ended))
        }
        Followed::Captured(result) => command::print(sandbox, &result),
        Followed::NoReader => Ok(exit::NO_READER),
        Followed::Left => {
            failure::note(&format!("{} goes on, isobox attach {} joins it again", process.id(), process.id()));
            Ok(0)
        }
    }
}

pub(crate) fn attach(args: &AttachArgs) -> Result<u8> {
    runtime::with_isobox_and_signals(async |isobox| Box::pin(attached(&isobox, args)).await)
}

async fn attached(isobox: &Isobox, args: &AttachArgs) -> Result<u8> {
    // Whether there is a terminal is not known yet.
    let mut signals = Signals::catch(true).map_err(|error| Error::io("the signal handlers", error))?;
    let wanted = &args.process;
    let found = find::process(isobox, &wanted.sandbox, wanted.process.as_deref());
    let (sandbox, info) = within(&mut signals, Box::pin(found)).await?;
    let from = if args.replay { Replay::All } else { Replay::New };
    let process = within(&mut signals, sandbox.process_from(&info.id, from)).await?;
    let plan = Plan::of_running(info.pty, args.interactive);
    let keys = plan.raw.then(|| args.keys.detach_keys.clone());
    let streams = Streams { input: plan.input, keys, outlet: Outlet::Streams(Writer::start(None)?) };
    let followed = {
        let _raw = plan.raw.then(RawTerminal::enter).transpose()?;
        if let (true, Some(size)) = (plan.raw, command::size()) {
            // It has the size of the terminal that it was started from. That this fails for one that has ended is fine.
            let _ = process.resize(size.rows, size.cols).await;
        }
        command::follow(&process, &mut signals, Signalled::PassesOn, streams).await?
    };
    ended(&sandbox, &process, followed, &CommandFlags::default()).await
}
