//! What comes one by one, when it is asked for.

use crate::api::Result;
use crate::held::Held;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

/// Things that come one by one. Nothing is read ahead: a consumer that does not ask slows down who sends, and nothing else.
pub struct Stream<T: Send + 'static>(Held<Inner<T>>);

struct Inner<T: Send + 'static> {
    source: Mutex<Option<Box<dyn Source<T>>>>,
    closed: CancellationToken,
}

/// Where a stream's things come from.
pub(crate) trait Source<T>: Send {
    /// The next one; `None` at the end. Dropping the future loses nothing.
    fn next(&mut self) -> Pin<Box<dyn Future<Output = Result<Option<T>>> + Send + '_>>;
}

impl<T: Send + 'static> Stream<T> {
    pub(crate) fn new(source: impl Source<T> + 'static) -> Self {
        let source: Box<dyn Source<T>> = Box::new(source);
        Self(Held::new(Inner { source: Mutex::new(Some(source)), closed: CancellationToken::new() }))
    }

    /// The next one; `None` at the end, after a failure, and once it is closed. Several callers share what comes.
    pub async fn next(&self) -> Result<Option<T>> {
        self.0.get()?.next().await
    }

    /// Ends it and what it came from, also under a caller that waits for the next one. Again is fine.
    pub async fn close(&self) -> Result<()> {
        let inner = self.0.get()?;
        inner.closed.cancel();
        inner.source.lock().await.take();
        Ok(())
    }
}

impl<T: Send + 'static> Inner<T> {
    async fn next(&self) -> Result<Option<T>> {
        let next = async {
            let mut source = self.source.lock().await;
            let Some(open) = source.as_mut() else { return Ok(None) };
            let next = open.next().await;
            if !matches!(next, Ok(Some(_))) {
                source.take();
            }
            next
        };
        self.closed.run_until_cancelled(next).await.unwrap_or(Ok(None))
    }
}

impl<T: Send + 'static> Clone for Stream<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Send + 'static> fmt::Debug for Stream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream")
    }
}
