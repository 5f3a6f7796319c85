//! A command and the client that waits for it.

use super::entry::{Command, Order};
use super::log::Log;
use super::pump::Sink;
use super::start::{Running, start};
use crate::server::{Agent, Channel, Sender};
use isobox_wire::exec::Stats;
use isobox_wire::{Exec, Failure, Kind, Reply};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The longest id; the client's own are shorter.
const ID: usize = 64;

/// Runs a command for as long as its client listens.
pub(crate) async fn exec(agent: Arc<Agent>, mut channel: Channel, exec: Exec) {
    let activity = agent.deadlines.busy();
    let open = Arc::new(AtomicBool::new(true));
    let sink = exec.output.stream.then(|| Sink { sender: channel.sender(), open: open.clone() });
    let begun = match check(&exec) {
        Ok(()) => tokio::select! {
            begun = start(&agent, &exec, sink) => begun,
            // Gone before it began: what there is of it ends as it is dropped.
            _ = channel.receive() => return,
        },
        Err(failure) => Err(failure),
    };
    let Running { command, mut runner, pumps } = match begun {
        Ok(running) => running,
        Err(failure) => return channel.finish(Err(failure)).await,
    };
    runner.activity = Some(activity);
    let sender = channel.sender();
    // The client hears of the start before any output, unless it neither follows nor feeds the command: then the news
    // would only wake it for nothing.
    if exec.output.stream || exec.stdin {
        let _ = sender.reply(Reply::Started(command.info())).await;
    }
    for pump in pumps {
        tokio::spawn(pump.run());
    }
    let ends = agent.clone();
    tokio::spawn(async move {
        let command = runner.command.clone();
        runner.run().await;
        ends.commands.note_end(&command);
    });
    tokio::select! {
        exit = command.ended() => {
            if agent.commands.are_ending() {
                let _ = channel.receive().await;
                return;
            }
            open.store(false, Ordering::Relaxed);
            deliver(&command, &sender, &exec, exit).await;
            if !command.is_detached() {
                command.stdout.shrink();
                command.stderr.shrink();
            }
        }
        // The client only ever listens here; whatever it sends, or its absence, means that it is gone.
        _ = channel.receive() => {
            open.store(false, Ordering::Relaxed);
            if !command.is_detached() {
                let _ = command.order(Order::Stop(None));
            }
        }
    }
    sender.close().await;
}

fn check(exec: &Exec) -> Result<(), Failure> {
    if exec.argv.is_empty() {
        return Err(Failure::invalid("argv", "argv is empty; it needs a program"));
    }
    let plain = |id: &str| id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if exec.id.is_empty() || exec.id.len() > ID || !plain(&exec.id) {
        return Err(Failure::invalid("id", "an id is 1 to 64 letters, digits, underscores or hyphens"));
    }
    Ok(())
}

/// Sends what was kept, unless the client had it as it came, and how the command ended.
async fn deliver(command: &Command, sender: &Sender, exec: &Exec, mut exit: isobox_wire::Exit) {
    if !exec.output.stream {
        let (Some(stdout), Some(stderr)) =
            (kept(&command.stdout, Kind::Stdout, sender).await, kept(&command.stderr, Kind::Stderr, sender).await)
        else {
            return;
        };
        (exit.stdout, exit.stderr) = (stdout, stderr);
    }
    let _ = sender.reply(Reply::Exited(exit)).await;
}

async fn kept(log: &Log, kind: Kind, sender: &Sender) -> Option<Stats> {
    let (bytes, stats) = log.captured();
    sender.data(kind, &bytes).await.ok()?;
    Some(stats)
}
