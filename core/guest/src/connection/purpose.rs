//! What requests are for, in the contract's words.

use isobox_contract::Action;
use isobox_wire::Request;

/// What a request is for, in the contract's words.
pub(super) fn action(request: &Request) -> Action {
    match request {
        Request::File(_) => Action::Files,
        Request::Exec(_)
        | Request::Attach(_)
        | Request::Input { .. }
        | Request::Resize { .. }
        | Request::Detach { .. }
        | Request::Signal { .. }
        | Request::Stop { .. }
        | Request::Processes => Action::Exec,
        Request::Lifetimes(set) if set.touch => Action::RefreshActivity,
        Request::Lifetimes(_) => Action::SetLifetimes,
        _ => Action::Access,
    }
}
