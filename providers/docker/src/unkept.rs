//! What the engine makes, and nobody may want by then.
//!
//! A request to make something goes on in the engine when nobody waits for its answer. So it is waited for in any case, and what is made
//! is taken away again unless somebody keeps it.
//!
//! ```text
//! make ──▶ engine ──▶ made ──kept──▶ the caller's
//!   └─ nobody waits ────────┴──────▶ undone, as an errand
//! ```

use crate::client::Engine;
use isobox_contract::{Error, Result};
use std::ops::Deref;
use std::pin::Pin;
use tokio::sync::oneshot;

/// Whether anybody waits for what is made.
pub(crate) struct Waits(oneshot::Sender<()>);

impl Waits {
    /// # Errors
    /// `cancelled` when nobody does.
    pub(crate) fn check(&self, operation: &str) -> Result<()> {
        if self.0.is_closed() { Err(Error::cancelled(operation)) } else { Ok(()) }
    }
}

type Undoing = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Something in the engine that is undone unless it is kept.
pub(crate) struct Unkept<T: Send + 'static> {
    engine: Engine,
    made: Option<T>,
    undo: Option<Box<dyn FnOnce(T) -> Undoing + Send>>,
}

impl Engine {
    /// Makes something to its end, whoever stops waiting; it may ask whether anybody waits still. `undo` takes away what nobody keeps.
    ///
    /// # Errors
    /// Those of making it, after which there is nothing to undo.
    pub(crate) async fn make<T, M, U>(
        &self,
        making: impl FnOnce(Waits) -> M + Send + 'static,
        undo: impl FnOnce(T) -> U + Send + 'static,
    ) -> Result<Unkept<T>>
    where
        T: Send + 'static,
        M: Future<Output = Result<T>> + Send + 'static,
        U: Future<Output = ()> + Send + 'static,
    {
        let (tell, told) = oneshot::channel();
        // Its other end goes with this call.
        let (wanted, _waits) = oneshot::channel();
        let engine = self.clone();
        self.errands().run(async move {
            let made = making(Waits(wanted)).await.map(|made| Unkept {
                engine,
                made: Some(made),
                undo: Some(Box::new(|made| Box::pin(undo(made)))),
            });
            // Who waits no longer does not keep it, and neither does who stops before it is taken.
            drop(tell.send(made));
        });
        told.await.unwrap_or_else(|_| Err(Error::internal("docker's thread has ended")))
    }
}

impl<T: Send + 'static> Unkept<T> {
    /// It stays.
    pub(crate) fn keep(mut self) {
        self.undo = None;
    }
}

impl<T: Send + 'static> Deref for Unkept<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.made.as_ref().expect("it is taken only when this is dropped")
    }
}

impl<T: Send + 'static> Drop for Unkept<T> {
    fn drop(&mut self) {
        if let (Some(made), Some(undo)) = (self.made.take(), self.undo.take()) {
            self.engine.errands().run(undo(made));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Address;
    use std::sync::mpsc;
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(60);

    /// An engine that is never asked, what is undone of it, and the call that makes `7` once it is let.
    fn making() -> (mpsc::Receiver<u8>, oneshot::Sender<()>, impl Future<Output = Result<Unkept<u8>>>) {
        let engine = Engine::at(Address::parse("unix:///nowhere").unwrap()).unwrap();
        let (undo, undone) = mpsc::channel();
        let (let_it, may) = oneshot::channel();
        let call = async move {
            let made = |_| async move {
                let _ = may.await;
                Ok(7)
            };
            engine.make(made, move |made| async move { undo.send(made).unwrap() }).await
        };
        (undone, let_it, call)
    }

    #[tokio::test]
    async fn what_is_kept_stays_and_what_is_not_goes() {
        let (undone, let_it, call) = making();
        let_it.send(()).unwrap();
        let made = call.await.unwrap();
        assert_eq!(*made, 7);
        made.keep();
        // Its way to be undone is gone with it.
        assert_eq!(undone.recv_timeout(LONG), Err(mpsc::RecvTimeoutError::Disconnected));
        let (undone, let_it, call) = making();
        let_it.send(()).unwrap();
        drop(call.await.unwrap());
        assert_eq!(undone.recv_timeout(LONG), Ok(7));
    }

    #[tokio::test]
    async fn what_nobody_waits_for_is_made_and_undone() {
        let (undone, let_it, call) = making();
        let mut call = Box::pin(call);
        assert!(futures::poll!(&mut call).is_pending());
        drop(call);
        let_it.send(()).unwrap();
        assert_eq!(undone.recv_timeout(LONG), Ok(7));
    }

    #[tokio::test]
    async fn what_was_made_and_not_yet_taken_is_undone_too() {
        let (undone, let_it, call) = making();
        let mut call = Box::pin(call);
        assert!(futures::poll!(&mut call).is_pending());
        let_it.send(()).unwrap();
        assert_eq!(undone.recv_timeout(Duration::from_millis(200)), Err(mpsc::RecvTimeoutError::Timeout));
        drop(call);
        assert_eq!(undone.recv_timeout(LONG), Ok(7));
    }
}
