//! An error as plain data: for events, the store and the wire.

use super::{Detail, Error, ErrorCode};
use crate::ids::{ProviderKind, SandboxId};
use crate::time::optional_millis;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Everything about an error that may leave the process. Bounded: at most 8 causes of at most 500 bytes, and a message
/// of at most 4,000.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The code.
    pub kind: ErrorCode,
    /// The message.
    pub message: String,
    /// Whether trying again can help.
    #[serde(default)]
    pub retryable: bool,
    /// When to try again.
    #[serde(default, rename = "retry_after_ms", with = "optional_millis", skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<Duration>,
    /// Whether the infrastructure is to blame.
    #[serde(default)]
    pub infrastructure: bool,
    /// The provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<ProviderKind>,
    /// The sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxId>,
    /// The call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// The chain of causes, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<String>,
    /// The typed facts, without any output.
    #[serde(default, skip_serializing_if = "Detail::is_none")]
    pub detail: Detail,
}

impl Report {
    /// The most causes that are kept.
    pub const MAX_CAUSES: usize = 8;
    /// The most bytes of one cause.
    pub const MAX_CAUSE_BYTES: usize = 500;
    /// The most bytes of the message.
    pub const MAX_MESSAGE_BYTES: usize = 4000;
}

impl Detail {
    fn is_none(&self) -> bool {
        matches!(self, Detail::None)
    }
}

/// Cuts at a character boundary and marks the cut; the result fits into `max` bytes.
fn cut(text: &str, max: usize) -> String {
    const MARK: &str = "…";
    if text.len() <= max {
        return text.to_owned();
    }
    let mut end = max - MARK.len();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{MARK}", &text[..end])
}

impl From<&Error> for Report {
    fn from(error: &Error) -> Self {
        let first = std::error::Error::source(error);
        let chain = std::iter::successors(first, |cause| cause.source());
        let causes = chain.take(Self::MAX_CAUSES).map(|cause| cut(&cause.to_string(), Self::MAX_CAUSE_BYTES)).collect();
        Self {
            kind: error.code(),
            message: cut(error.message(), Self::MAX_MESSAGE_BYTES),
            retryable: error.is_retryable(),
            retry_after: error.retry_after(),
            infrastructure: error.is_infrastructure(),
            provider: error.provider().cloned(),
            sandbox: error.sandbox().copied(),
            operation: error.operation().map(str::to_owned),
            causes,
            detail: error.detail().clone(),
        }
    }
}

/// A cause that was only a text by the time it got here.
#[derive(Debug)]
struct Cause {
    message: String,
    source: Option<Box<Cause>>,
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Cause {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

impl From<Report> for Error {
    fn from(report: Report) -> Self {
        let mut error = Error::new(report.kind, report.message).with_detail(report.detail).retryable(report.retryable);
        if error.is_infrastructure() != report.infrastructure {
            error = error.infrastructure(report.infrastructure);
        }
        let inner = &mut *error.0;
        inner.retry_after = report.retry_after;
        inner.provider = report.provider;
        inner.sandbox = report.sandbox;
        inner.operation = report.operation;
        let causes = report.causes.into_iter().take(Report::MAX_CAUSES).rev();
        let chain = causes.fold(None, |source, message| Some(Box::new(Cause { message, source })));
        match chain {
            Some(cause) => error.with_source(*cause),
            None => error,
        }
    }
}
