//! What sandboxes of this kind can do.

use isobox_contract::{Capabilities, Capability, Isolation};
use isobox_local::CLAIMS;

/// The claims. Another user can only be taken on by root.
pub(crate) fn capabilities(root: bool) -> Capabilities {
    let mut claims = CLAIMS.to_vec();
    claims.push(Capability::SourceHostDirectory);
    if root {
        claims.extend([Capability::CreateUser, Capability::ExecUser, Capability::FilesOwnership]);
    }
    Capabilities::of(Isolation::None, claims)
}
