//! From the agent's words to the contract's error.

use isobox_contract::error::{Detail, FileErrorKind, LaunchStep};
use isobox_contract::{Error, ErrorCode, SandboxPath};
use isobox_wire::{Failure, FailureCode};

/// Longest message that is believed.
const MESSAGE: usize = 1000;

/// The error that a failure is. Text from the agent is cut and cleaned of control characters: it may be shown on a
/// terminal.
pub(crate) fn to_error(failure: Failure) -> Error {
    let message = clean(&failure.message, MESSAGE);
    let error = Error::new(code(failure.code), message.clone());
    if let Some(path) = failure.path {
        let kind = failure.errno.map_or(FileErrorKind::Other, FileErrorKind::from_errno);
        return error.with_detail(Detail::File { path: SandboxPath::from(path.into_vec()), kind });
    }
    if failure.exit_code.is_some() {
        let step = LaunchStep::Exec;
        return error.with_detail(Detail::Launch { step, errno: failure.errno, hint: None });
    }
    match failure.field {
        Some(field) if failure.code == FailureCode::LimitExceeded => {
            error.with_detail(Detail::Limit { limit: clean(&field, 64), max: None })
        }
        Some(field) => error.with_detail(Detail::InvalidSpec { field: clean(&field, 64), reason: message }),
        None => error,
    }
}

fn clean(text: &str, limit: usize) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).take(limit).collect()
}

fn code(code: FailureCode) -> ErrorCode {
    match code {
        FailureCode::NotFound => ErrorCode::NotFound,
        FailureCode::AlreadyExists => ErrorCode::AlreadyExists,
        FailureCode::PermissionDenied => ErrorCode::PermissionDenied,
        FailureCode::InvalidSpec => ErrorCode::InvalidSpec,
        FailureCode::InvalidState => ErrorCode::InvalidState,
        FailureCode::Unsupported => ErrorCode::Unsupported,
        FailureCode::LimitExceeded => ErrorCode::LimitExceeded,
        FailureCode::OutOfMemory => ErrorCode::OutOfMemory,
        FailureCode::OutOfDisk => ErrorCode::OutOfDisk,
        FailureCode::Unauthenticated => ErrorCode::Unauthenticated,
        FailureCode::Conflict => ErrorCode::Conflict,
        FailureCode::Overloaded => ErrorCode::Overloaded,
        FailureCode::Timeout => ErrorCode::Timeout,
        FailureCode::Cancelled => ErrorCode::Cancelled,
        FailureCode::Incomplete => ErrorCode::Incomplete,
        FailureCode::Transport => ErrorCode::Transport,
        FailureCode::Io => ErrorCode::Io,
        FailureCode::Internal => ErrorCode::Internal,
    }
}
