//! The input of a command that runs.

use crate::channel::Channel;
use crate::connection::{Guest, unexpected};
use bytes::Bytes;
use isobox_contract::{Error, ErrorCode, ExecId, Result};
use isobox_wire::{Reply, Request};

/// The input, as far as its handle has used it.
pub(super) enum Input {
    Unopened,
    Open(Channel),
    Closed,
}

impl Input {
    /// Writes to it, and opens it before that.
    pub(super) async fn write(&mut self, guest: &Guest, id: ExecId, data: &Bytes) -> Result<()> {
        if matches!(self, Input::Unopened) {
            *self = Input::Open(open_input(guest, id).await?);
        }
        let Input::Open(channel) = self else {
            return Err(Error::new(ErrorCode::InvalidState, "the command's input has ended, nothing can follow"));
        };
        let sent = tokio::select! {
            biased;
            // The agent only speaks here when it takes no more.
            answer = channel.receiver.answer() => answer.and(Err(unexpected())),
            sent = channel.sender.data(data) => sent,
        };
        if sent.is_err() {
            *self = Input::Closed;
        }
        sent
    }

    /// Ends it. More may follow what ends the input of a terminal.
    pub(super) async fn close(&mut self, guest: &Guest, id: ExecId, is_terminal: bool) -> Result<()> {
        if matches!(self, Input::Unopened) {
            *self = match open_input(guest, id).await {
                Ok(channel) => Input::Open(channel),
                // It has ended, and its input with it.
                Err(error) if is_over(&error) => Input::Closed,
                Err(error) => return Err(error),
            };
        }
        let after = if is_terminal { Input::Unopened } else { Input::Closed };
        if let Input::Open(mut channel) = std::mem::replace(self, after) {
            let _ = channel.sender.eof().await;
            if is_terminal {
                let _ = channel.answer().await;
            } else {
                // The agent goes on feeding what it has; a closed channel would tell it to stop.
                tokio::spawn(async move { drop(channel.answer().await) });
            }
        }
        Ok(())
    }
}

async fn open_input(guest: &Guest, id: ExecId) -> Result<Channel> {
    let mut channel = guest.begin(Request::Input { process: id.to_string() }).await?;
    match channel.answer().await? {
        Reply::Done => Ok(channel),
        _ => Err(unexpected()),
    }
}

/// Gives a command its whole input and waits until it has taken it, or stopped reading.
pub(crate) async fn feed(guest: &Guest, id: ExecId, bytes: Bytes) -> Result<()> {
    let Channel { mut receiver, mut sender } = open_input(guest, id).await?;
    let sending = async {
        sender.data(&bytes).await?;
        sender.eof().await
    };
    tokio::select! {
        biased;
        answer = receiver.answer() => return answer.map(drop),
        sent = sending => sent?,
    }
    receiver.answer().await.map(drop)
}

/// Whether a refusal of input means that the command, or its input, has ended already.
fn is_over(error: &Error) -> bool {
    matches!(error.code(), ErrorCode::InvalidState | ErrorCode::NotFound | ErrorCode::Io)
}
