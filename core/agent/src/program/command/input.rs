//! Feeding a command's input.

use super::entry::Command;
use crate::process::{first_signal, needs_help, press};
use crate::server::{Agent, Channel};
use isobox_wire::{Failure, FailureCode, Reply};
use rustix::io::Errno;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::io::unix::AsyncFd;

/// The character that ends input on a terminal in its usual mode (VEOF, control-D).
pub(super) const END_OF_TRANSMISSION: u8 = 4;

/// Passes data on until its end. A command that stops reading is told of to the client, which may or may not care.
pub(crate) async fn input(agent: Arc<Agent>, mut channel: Channel, process: &str) {
    let command = match agent.commands.get(process) {
        Ok(command) => command,
        Err(failure) => return channel.finish(Err(failure)).await,
    };
    let fed = tokio::select! {
        fed = feed(&mut channel, &command) => fed,
        // Nobody reads any more, and nobody will.
        _ = command.ended() => Err(stopped_reading()),
    };
    if fed.as_ref().is_err_and(|failure| failure.errno == Some(Errno::PIPE.raw_os_error())) {
        *command.input.lock().await = None;
    }
    channel.finish(fed.map(|()| Reply::Done)).await;
}

fn no_input(command: &Command) -> Failure {
    if command.takes_input() && !command.input_ended.load(Ordering::Relaxed) {
        return stopped_reading();
    }
    let message = format!("command {} takes no input, or its input has ended", command.id);
    Failure::new(FailureCode::InvalidState, message)
}

fn stopped_reading() -> Failure {
    Failure::new(FailureCode::Io, "the command has stopped reading its input").errno(Errno::PIPE.raw_os_error())
}

/// Holds the input for one piece at a time: several clients may write in turn.
async fn feed(channel: &mut Channel, command: &Command) -> Result<(), Failure> {
    if command.input.lock().await.is_none() {
        return Err(no_input(command));
    }
    channel
        .sender()
        .reply(Reply::Done)
        .await
        .map_err(|error| Failure::new(FailureCode::Transport, error.to_string()))?;
    while let Some(data) = channel.data().await? {
        let input = command.input.lock().await;
        let input = input.as_ref().ok_or_else(|| no_input(command))?;
        match command.has_terminal() && needs_help() {
            true => type_in(input, &data).await?,
            false => write(input, &data).await?,
        }
    }
    let mut input = command.input.lock().await;
    match input.as_ref() {
        Some(pipe) if command.has_terminal() => write(pipe, &[END_OF_TRANSMISSION]).await?,
        _ => {
            command.input_ended.store(true, Ordering::Relaxed);
            *input = None;
        }
    }
    Ok(())
}

/// Types into a terminal that has to be helped with the keys that stand for signals.
async fn type_in(terminal: &AsyncFd<OwnedFd>, mut data: &[u8]) -> Result<(), Failure> {
    while let Some(at) = first_signal(terminal.get_ref(), data) {
        write(terminal, &data[..at]).await?;
        press(terminal.get_ref(), data[at])
            .map_err(|error| Failure::new(FailureCode::Io, format!("cannot type into the terminal: {error}")))?;
        data = &data[at + 1..];
    }
    write(terminal, data).await
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
