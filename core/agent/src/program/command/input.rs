//! Feeding a command's input.

use crate::server::{Agent, Channel};
use isobox_wire::{Failure, FailureCode, Reply};
use rustix::io::Errno;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use tokio::io::unix::AsyncFd;

/// The character that ends input on a terminal in its usual mode (VEOF, control-D).
const END_OF_TRANSMISSION: u8 = 4;

/// Passes data on until its end. A command that stops reading is told of to the client, which may or may not care.
pub(crate) async fn input(agent: Arc<Agent>, mut channel: Channel, process: &str) {
    let command = match agent.commands.get(process) {
        Ok(command) => command,
        Err(failure) => return channel.finish(Err(failure)).await,
    };
    let mut input = command.input.lock().await;
    let Some(pipe) = input.as_ref() else {
        let message = format!("command {process} takes no input, or its input has ended");
        return channel.finish(Err(Failure::new(FailureCode::InvalidState, message))).await;
    };
    if channel.sender().reply(Reply::Done).await.is_err() {
        return;
    }
    let fed = tokio::select! {
        fed = feed(&mut channel, pipe, command.terminal.is_some()) => fed,
        // Nobody reads any more, and nobody will.
        _ = command.ended() => Err(stopped_reading()),
    };
    let over = match &fed {
        Ok(()) => command.terminal.is_none(),
        Err(failure) => failure.errno == Some(Errno::PIPE.raw_os_error()),
    };
    if over {
        *input = None;
    }
    drop(input);
    channel.finish(fed.map(|()| Reply::Done)).await;
}

fn stopped_reading() -> Failure {
    Failure::new(FailureCode::Io, "the command has stopped reading its input").errno(Errno::PIPE.raw_os_error())
}

async fn feed(channel: &mut Channel, pipe: &AsyncFd<OwnedFd>, terminal: bool) -> Result<(), Failure> {
    while let Some(data) = channel.data().await? {
        write(pipe, &data).await?;
    }
    if terminal { write(pipe, &[END_OF_TRANSMISSION]).await } else { Ok(()) }
}

async fn write(pipe: &AsyncFd<OwnedFd>, mut data: &[u8]) -> Result<(), Failure> {
    while !data.is_empty() {
        let ready = pipe.writable().await;
        let mut ready =
            ready.map_err(|error| Failure::new(FailureCode::Io, format!("cannot feed the command: {error}")))?;
        match ready.try_io(|pipe| Ok(rustix::io::write(pipe.get_ref(), data)?)) {
            Ok(Ok(written)) => data = &data[written..],
            Ok(Err(_)) => return Err(stopped_reading()),
            Err(_) => {}
        }
    }
    Ok(())
}
