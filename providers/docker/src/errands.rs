//! What goes on when no caller waits for it: watching over containers, and removing what a caller gave up.
//!
//! It has a thread and a runtime of its own, because a caller's runtime may end at any moment, and what was begun must not end
//! with it. The thread ends with the last handle of the engine, once what was given up is removed or a deadline has passed.

use isobox_contract::{Error, Result};
use std::pin::Pin;
use std::sync::Mutex;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// How long what is to be done may still take when nobody is left.
const LAST: Duration = Duration::from_secs(20);

type Errand = Pin<Box<dyn Future<Output = ()> + Send>>;

enum Order {
    /// Has to be done, also when everything ends.
    Do(Errand),
    /// Goes on for as long as there is somebody.
    Watch(Errand),
}

/// The thread. It is there from the first errand on.
pub(crate) struct Errands {
    /// The process whose thread it is. A child that was forked off it has none.
    process: u32,
    orders: mpsc::UnboundedSender<Order>,
    waiting: Mutex<Option<mpsc::UnboundedReceiver<Order>>>,
}

impl Errands {
    /// # Errors
    /// None at present; the thread is started with the first errand.
    pub(crate) fn start() -> Result<Self> {
        let (orders, waiting) = mpsc::unbounded_channel();
        Ok(Self { process: std::process::id(), orders, waiting: Mutex::new(Some(waiting)) })
    }

    /// Does it, also when the engine's last handle is gone; then within a deadline.
    pub(crate) fn run(&self, errand: impl Future<Output = ()> + Send + 'static) {
        self.order(Order::Do(Box::pin(errand)));
    }

    /// Does it until it is done, or the engine's last handle is gone.
    pub(crate) fn watch(&self, errand: impl Future<Output = ()> + Send + 'static) {
        self.order(Order::Watch(Box::pin(errand)));
    }

    fn order(&self, order: Order) {
        if std::process::id() != self.process {
            return;
        }
        let waiting = self.waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if let Some(waiting) = waiting
            && let Err(error) = begin(waiting)
        {
            tracing::error!(%error, "nothing can be done in the background");
        }
        let _ = self.orders.send(order);
    }
}

fn begin(orders: mpsc::UnboundedReceiver<Order>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Error::io("cannot make a runtime for docker", error))?;
    let named = std::thread::Builder::new().name("isobox-docker".into());
    let started = named.spawn(move || runtime.block_on(attend(orders)));
    started.map(drop).map_err(|error| Error::io("cannot start a thread for docker", error))
}

async fn attend(mut orders: mpsc::UnboundedReceiver<Order>) {
    let (mut to_do, mut watched) = (JoinSet::new(), JoinSet::new());
    loop {
        tokio::select! {
            order = orders.recv() => match order {
                Some(Order::Do(errand)) => drop(to_do.spawn(errand)),
                Some(Order::Watch(errand)) => drop(watched.spawn(errand)),
                None => break,
            },
            Some(_) = to_do.join_next() => {}
            Some(_) = watched.join_next() => {}
        }
    }
    watched.abort_all();
    let all = async { while to_do.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(LAST, all).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn what_has_to_be_done_is_done_also_when_nobody_is_left() {
        let (say, said) = channel();
        let errands = Errands::start().unwrap();
        let (begin, begun) = tokio::sync::oneshot::channel::<()>();
        errands.run(async move {
            let _ = begun.await;
            say.send(()).unwrap();
        });
        drop(errands);
        begin.send(()).unwrap();
        said.recv_timeout(Duration::from_secs(60)).unwrap();
    }

    #[test]
    fn what_is_watched_ends_with_the_last_who_could_ask() {
        let (say, said) = channel::<()>();
        let errands = Errands::start().unwrap();
        errands.watch(async move {
            let _say = say;
            std::future::pending::<()>().await;
        });
        drop(errands);
        let ended = said.recv_timeout(Duration::from_secs(60));
        assert_eq!(ended, Err(std::sync::mpsc::RecvTimeoutError::Disconnected));
    }
}
