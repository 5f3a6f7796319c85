//! What a pool has to do with other processes, and its end.

use super::Shared;
use crate::control::in_background;
use crate::pool::ready::{Ready, remove_all};
use crate::pool::served::Served;
use crate::sandbox::Sandbox;
use isobox_contract::{Error, Result, SandboxId};

impl Shared {
    /// Whether other processes see it.
    pub(in crate::pool) fn is_served(&self) -> bool {
        self.served.is_some()
    }

    /// Lets go of what others have taken, and closes when somebody has asked for that.
    pub(in crate::pool) async fn mind_others(&self) {
        let Some(served) = &self.served else { return };
        match served.offered().await {
            Ok(offered) => {
                // Each belongs to somebody else, whom the end of the handle here is nothing to.
                drop(self.not_among(&offered.sandboxes));
                if offered.ending {
                    self.ask_end();
                }
            }
            Err(error) => {
                tracing::warn!(code = %error.code(), "what others have taken from a pool is not known, it is looked again");
            }
        }
    }

    fn not_among(&self, offered: &[SandboxId]) -> Vec<Ready> {
        let mut state = self.state();
        let all = std::mem::take(&mut state.ready).into_iter();
        let (kept, taken) = all.partition(|one| offered.contains(one.sandbox().id()));
        state.ready = kept;
        state.taken += taken.len() as u64;
        Vec::from(taken)
    }

    /// Waits until other processes may have done something.
    pub(in crate::pool) async fn others(&self) {
        match &self.served {
            Some(served) => served.changed().await,
            None => std::future::pending().await,
        }
    }

    /// Hands nothing out any more, and lets the keeper do the rest.
    pub(in crate::pool) fn ask_end(&self) {
        self.state().closed = true;
        self.needed.notify_one();
        self.changed.notify_waiters();
    }

    /// Removes what nobody has taken, and forgets the pool.
    pub(in crate::pool) async fn wind_up(&self) {
        let ended = match &self.served {
            Some(served) => served.end().await,
            None => Ok(()),
        };
        let removed = remove_all(self.close()).await;
        let forgotten = match &self.served {
            Some(served) => served.forget().await,
            None => Ok(()),
        };
        self.over.send_replace(Some(ended.and(removed).and(forgotten)));
    }

    /// Whether nothing of it is left.
    pub(in crate::pool) fn is_over(&self) -> bool {
        self.over.borrow().is_some()
    }

    /// Waits for its end, and says how that went.
    pub(in crate::pool) async fn over(&self) -> Result<()> {
        let mut over = self.over.subscribe();
        let over = over.wait_for(Option::is_some).await.ok().and_then(|over| over.clone());
        over.unwrap_or_else(|| Err(Error::internal("the end of a pool is not known")))
    }
}

/// Lets every process take one. When that fails nobody will.
pub(super) async fn offer(sandbox: Sandbox, served: &Served) -> Result<Sandbox> {
    let offered = async {
        sandbox.relinquish()?;
        isobox_fault::point!("pool.relinquished");
        served.offer(sandbox.id()).await?;
        isobox_fault::point!("pool.offered");
        Ok(())
    };
    match offered.await {
        Ok(()) => Ok(sandbox),
        Err(error) => {
            in_background(async move {
                // Its lease ends it in any case.
                drop(sandbox.delete().await);
            });
            Err(error)
        }
    }
}
