//! Logs beside the output of commands.

use crate::error::Result;
use crate::words::words;
use async_trait::async_trait;
use tokio::io::AsyncRead;

words! {
    /// Whose log.
    pub enum LogSource {
        /// The making of the sandbox.
        Provision = "provision",
        /// The image's own entrypoint.
        Entrypoint = "entrypoint",
    }
}

/// The bytes of a log as they come. Dropping it ends the transfer and nothing else.
pub type LogStream = Box<dyn AsyncRead + Send + Unpin>;

/// The logs of one sandbox. There exactly when one of the `logs` capabilities is.
#[async_trait]
pub trait Logs: Send + Sync {
    /// What is kept of a log; with `follow`, also what comes, until the sandbox ends.
    async fn open(&self, source: LogSource, follow: bool) -> Result<LogStream>;
}
