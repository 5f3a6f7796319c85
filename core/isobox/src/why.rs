//! Telling why a provider or one of its sandboxes refuses what it does not claim, where it knows.

use isobox_contract::{Capability, Detail, Error, ErrorCode, Provider, Sandbox};

/// The same refusal, with the provider's reason and the way out.
pub(crate) fn explained(provider: &dyn Provider, error: Error) -> Error {
    explained_with(error, |capability| provider.why_not(capability))
}

/// The same refusal, with the reason that holds for this sandbox, or else for all of its provider.
pub(crate) fn explained_of(sandbox: &dyn Sandbox, provider: &dyn Provider, error: Error) -> Error {
    explained_with(error, |capability| sandbox.why_not(capability).or_else(|| provider.why_not(capability)))
}

fn explained_with(error: Error, why_not: impl FnOnce(Capability) -> Option<String>) -> Error {
    let Detail::Unsupported { capability } = error.detail() else { return error };
    let reason = Capability::parse(capability).and_then(why_not);
    let Some(reason) = reason else { return error };
    let message = format!("{capability} is not supported here: {reason}");
    Error::new(ErrorCode::Unsupported, message).with_detail(error.detail().clone())
}
