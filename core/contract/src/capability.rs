//! What a provider or a sandbox can do, as one tree of yes and no.
//!
//! The tree is settled when a handle is made and never changes for it; a sandbox may be able to do less than its
//! provider. Claims are honest both ways: what is claimed works, what is not claimed is refused with its dotted name. A
//! dotted name is the path in the tree. Unknown members are ignored when reading and missing ones are `false`.
//!
//! Plugin protocol v2 has its own names; [`Capability::plugin_name`] gives the one that its `unsupported` errors use.

mod define;
mod list;

pub use list::*;

use crate::isolation::Isolation;
use std::fmt;

impl Capability {
    /// The capability with this dotted name.
    pub fn parse(name: &str) -> Option<Capability> {
        Capability::ALL.iter().copied().find(|capability| capability.as_str() == name)
    }
}

impl Capabilities {
    /// Whether the dotted name is a capability that is there. An unknown name is not.
    pub fn supports(&self, name: &str) -> bool {
        Capability::parse(name).is_some_and(|capability| self.has(capability))
    }

    /// Fails with `unsupported` and the dotted name when the capability is not there.
    pub fn require(&self, capability: Capability) -> crate::Result<()> {
        if self.has(capability) { Ok(()) } else { Err(crate::Error::unsupported(capability)) }
    }

    /// Everything that is there.
    pub fn iter(&self) -> impl Iterator<Item = Capability> + '_ {
        Capability::ALL.iter().copied().filter(|capability| self.has(*capability))
    }

    /// A tree with these claims.
    pub fn of(isolation: Isolation, claims: impl IntoIterator<Item = Capability>) -> Self {
        let mut tree = Self { isolation, ..Self::default() };
        claims.into_iter().for_each(|capability| tree.set(capability, true));
        tree
    }

    /// What both can do: a sandbox can never do more than its provider.
    pub fn narrowed_to(&self, other: &Capabilities) -> Self {
        let both = self.iter().filter(|capability| other.has(*capability));
        Self::of(self.isolation.min(other.isolation), both)
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl From<Capability> for String {
    fn from(capability: Capability) -> Self {
        capability.as_str().to_owned()
    }
}
