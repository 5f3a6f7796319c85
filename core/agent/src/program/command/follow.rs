//! Following a command that somebody else started: first what is kept, then what comes.
//!
//! A follower never holds the command up. One that is too slow for what is kept is told how much it missed.

use super::entry::Command;
use super::log::Log;
use crate::server::{Agent, Channel, Sender};
use isobox_wire::exec::From;
use isobox_wire::{Attach, Kind, Reply};
use std::io;
use std::sync::Arc;

/// Sent at once.
const PIECE: usize = 128 << 10;

/// One stream and how much of it the follower has.
struct Position {
    log: Arc<Log>,
    kind: Kind,
    at: u64,
}

/// Follows a command until it has ended or the client is gone.
pub(crate) async fn attach(agent: Arc<Agent>, mut channel: Channel, attach: Attach) {
    let command = match agent.commands.get(&attach.process) {
        Ok(command) => command,
        Err(failure) => return channel.finish(Err(failure)).await,
    };
    let sender = channel.sender();
    tokio::select! {
        _ = follow(&agent, &command, attach.from, &sender) => {}
        _ = channel.receive() => {}
    }
    sender.close().await;
}

async fn follow(agent: &Agent, command: &Command, from: From, sender: &Sender) -> io::Result<()> {
    sender.reply(Reply::Started(command.info())).await?;
    let mut streams =
        [Position::new(&command.stdout, Kind::Stdout, from), Position::new(&command.stderr, Kind::Stderr, from)];
    let mut progress = command.progress.subscribe();
    loop {
        let (log, other) = (command.stdout.clone(), command.stderr.clone());
        let changed = (log.changed(), other.changed());
        let exit = progress.borrow_and_update().exit.clone();
        let mut moved = false;
        for stream in &mut streams {
            moved |= stream.send(sender).await?;
        }
        match exit {
            _ if moved => continue,
            Some(_) if agent.commands.are_ending() => return std::future::pending().await,
            // What is written after the end belongs to nobody's result.
            Some(exit) => return sender.reply(Reply::Exited(exit)).await,
            None => {}
        }
        tokio::select! { () = changed.0 => {}, () = changed.1 => {}, _ = progress.changed() => {} }
    }
}

impl Position {
    fn new(log: &Arc<Log>, kind: Kind, from: From) -> Self {
        let at = match (from, kind) {
            (From::Start, _) => 0,
            (From::Now, _) => log.observed(),
            (From::Offset { stderr, .. }, Kind::Stderr) => stderr,
            (From::Offset { stdout, .. }, _) => stdout,
        };
        Self { log: log.clone(), kind, at }
    }

    /// Sends what is there, and says whether that was anything.
    async fn send(&mut self, sender: &Sender) -> io::Result<bool> {
        let piece = self.log.read(self.at, PIECE);
        if piece.missing > 0 {
            sender.reply(Reply::Gap { stderr: self.kind == Kind::Stderr, bytes: piece.missing }).await?;
        }
        sender.data(self.kind, &piece.bytes).await?;
        self.at += piece.missing + piece.bytes.len() as u64;
        Ok(piece.missing > 0 || !piece.bytes.is_empty())
    }
}
