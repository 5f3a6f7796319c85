//! Telling why a provider refuses what it does not claim, where it knows.

use isobox_contract::{Capability, Detail, Error, ErrorCode, Provider};

/// The same refusal, with the provider's reason and the way out.
pub(crate) fn explained(provider: &dyn Provider, error: Error) -> Error {
    let Detail::Unsupported { capability } = error.detail() else { return error };
    let reason = Capability::parse(capability).and_then(|capability| provider.why_not(capability));
    let Some(reason) = reason else { return error };
    let message = format!("{capability} is not supported here: {reason}");
    Error::new(ErrorCode::Unsupported, message).with_detail(error.detail().clone())
}
