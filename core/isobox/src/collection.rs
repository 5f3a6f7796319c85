//! Collecting garbage now.

use crate::control::{Pass, Reconciled};
use crate::isobox::Isobox;
use isobox_contract::{Error, Result};
use std::future::{Future, IntoFuture};
use std::pin::Pin;

/// A collection of garbage, from [`Isobox::collect_garbage`]. Await it; it goes on to its end when its future is dropped.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> isobox::Result<()> {
/// # let home = tempfile::tempdir().unwrap();
/// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
/// let would = isobox.collect_garbage().dry_run().await?;
/// for garbage in &would.found {
///     println!("{} {}: {}", garbage.kind.as_str(), garbage.id, garbage.reason);
/// }
/// let done = isobox.collect_garbage().await?;
/// assert!(done.failed.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is collected before it is awaited"]
pub struct Collection {
    isobox: Isobox,
    dry_run: bool,
}

impl Collection {
    pub(crate) fn new(isobox: Isobox) -> Self {
        Self { isobox, dry_run: false }
    }

    /// Says what would be done and changes nothing.
    pub fn dry_run(mut self) -> Self {
        self.dry_run = true;
        self
    }

    async fn run(self) -> Result<Reconciled> {
        // A removal that was begun has its sandbox until it is over.
        let collected = tokio::spawn(async move {
            let pass = Pass { all: true, dry_run: self.dry_run };
            self.isobox.control().reconcile(self.isobox.registry(), pass).await
        });
        let collected = collected.await;
        collected.unwrap_or_else(|_| Err(Error::internal("the collection of garbage ended without a word")))
    }
}

impl IntoFuture for Collection {
    type Output = Result<Reconciled>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}
