//! What is done to the chosen sandbox.

use super::model::{Deed, What};
use crate::ps;
use isobox::{Isobox, Replay, Result, State};

/// Does it, and says what came of it.
pub(super) async fn carry_out(isobox: Isobox, deed: Deed) -> String {
    match act(&isobox, &deed).await {
        Ok(said) => format!("{said}: {}", deed.name),
        Err(error) => error.message().to_owned(),
    }
}

async fn act(isobox: &Isobox, deed: &Deed) -> Result<&'static str> {
    let sandbox = isobox.connect(deed.id.as_str()).await?;
    match deed.what {
        What::Pause if deed.state == State::Paused => sandbox.resume().await.map(|()| "goes on"),
        What::Pause => sandbox.pause().await.map(|()| "paused"),
        What::Kill => {
            for process in sandbox.processes().await?.iter().filter(|process| ps::runs(process)) {
                sandbox.process_from(&process.id, Replay::New).await?.kill().await?;
            }
            Ok("killed what ran")
        }
    }
}
