//! What sandboxes of this kind can do.

use isobox_contract::{Capabilities, Capability, Isolation};
use isobox_local::CLAIMS;

/// The claims. Running commands as another user needs more than one mapped id, which only root can have.
pub(crate) fn capabilities(root: bool) -> Capabilities {
    use Capability::*;
    let own = [
        CreateUser,
        CreateKindContainer,
        SourceRootfs,
        SourceHost,
        MountsBind,
        MountsReadOnly,
        MountsTmpfs,
        NetworkNone,
    ];
    let mut claims = [&CLAIMS[..], &own].concat();
    if root {
        claims.extend([ExecUser, FilesOwnership]);
    }
    Capabilities::of(Isolation::Container, claims)
}
