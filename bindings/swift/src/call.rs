//! A call that is awaited, with a token that ends it: cancelling a task of Swift does not reach Rust by itself.

use crate::convert::Shown;
use crate::error::Failure;
use isobox_bindings::{api, call, runtime};
use std::future::Future;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Ends the call that it was given to.
#[derive(Debug, uniffi::Object)]
pub struct CancelToken(CancellationToken);

#[uniffi::export]
impl CancelToken {
    /// For one call.
    #[uniffi::constructor]
    pub fn new() -> Arc<Self> {
        Arc::new(Self(CancellationToken::new()))
    }

    /// Ends the call, and everything that it began.
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

/// What a call gives, as Swift has it.
pub(crate) async fn guard<A, B>(
    cancel: Arc<CancelToken>,
    work: impl Future<Output = api::Result<A>> + Send + 'static,
) -> Result<B, Failure>
where
    A: Shown<B> + Send + 'static,
{
    match cancel.0.run_until_cancelled(call(work)).await {
        Some(result) => Ok(result?.shown()),
        None => Err(Failure::Cancelled),
    }
}

/// Ends the sandboxes of this process and all threads of this library. For the end of the process.
#[uniffi::export]
pub fn end() {
    runtime::end();
}

/// Panics, which must be an error of the call alone. For the tests of this package.
#[uniffi::export]
pub async fn panic_on_purpose(cancel: Arc<CancelToken>) -> Result<bool, Failure> {
    guard(cancel, async { if true { panic!("on purpose") } else { Ok(false) } }).await
}
