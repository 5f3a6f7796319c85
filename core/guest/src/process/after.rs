//! A command that goes on when its handle is dropped.

use crate::channel::Channel;
use crate::connection::Guest;
use crate::exec::exit;
use crate::observer::{End, Guard};
use isobox_contract::{ExecId, Result};
use isobox_wire as wire;
use isobox_wire::{Reply, Request};

/// Waits for the end of a command that goes on without its handle, for as long as there is another one of its sandbox.
pub(super) fn follow(guest: &Guest, id: ExecId, guard: Guard) -> impl Future<Output = ()> + Send + 'static {
    let (weak, dropped) = (guest.downgrade(), guest.until_dropped());
    async move {
        let end = async {
            let guest = weak.upgrade()?;
            let channel = guest.begin(Request::Attach(silently(id))).await;
            // What is left is the stream: it keeps the connection, and no handle.
            drop(guest);
            Some(last_word(channel).await)
        };
        let end = tokio::select! { end = end => end, () = dropped => None };
        match end {
            Some(end) => guard.ended(end),
            None => guard.leave(),
        }
    }
}

/// Behind everything that will ever be written, so that nothing comes but the end.
fn silently(id: ExecId) -> wire::Attach {
    let from = wire::exec::From::Offset { stdout: u64::MAX, stderr: u64::MAX };
    wire::Attach { process: id.to_string(), from }
}

async fn last_word(channel: Result<Channel>) -> End {
    let Ok(mut channel) = channel else { return End::unknown() };
    loop {
        match channel.answer().await {
            Ok(Reply::Exited(ended)) => return End::exit(exit(&ended)),
            Ok(_) => {}
            Err(_) => return End::unknown(),
        }
    }
}
