//! Git: a provider's own way to clone. Every other verb, and clone where this is missing, is derived from commands.

use crate::error::Result;
use crate::path::SandboxPath;
use crate::spec::SecretValue;
use async_trait::async_trait;

/// Git in one sandbox. Errors have [`crate::Detail::Git`].
#[async_trait]
pub trait Git: Send + Sync {
    /// Clones a repository. When it fails, no checkout is left.
    async fn clone_repository(&self, request: &CloneRequest) -> Result<()>;
}

/// What to clone. A pinned clone fetches exactly that object and never falls back to a branch's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CloneRequest {
    /// From where.
    pub url: String,
    /// To where; must not exist, or be an empty directory.
    pub target: SandboxPath,
    /// The branch; with a pin, the branch that the checkout is put on.
    pub branch: Option<String>,
    /// What to pin.
    pub pin: Option<ClonePin>,
    /// How many commits; all when left out.
    pub depth: Option<u32>,
    /// For this operation only, never stored in the repository.
    pub credentials: Option<GitCredentials>,
}

/// A fixed revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClonePin {
    /// A commit: 40 hexadecimal digits.
    Commit(String),
    /// A tag by its bare name, fetched by its full one.
    Tag(String),
}

/// A credential for a remote. `Debug` shows no password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitCredentials {
    /// The user.
    pub username: String,
    /// The password or token.
    pub password: SecretValue,
}
