//! A directory in the sandbox that only one user of it can look into, and what is needed to name things in it.

use isobox_contract::{Error, ErrorCode, Result, Sandbox, SandboxPath, WriteOptions};
use std::sync::Arc;

/// Where such a directory is made when the sandbox names no place, the first that can be written to.
const BASES: [&str; 2] = ["/tmp", "/dev/shm"];
/// Bytes of a random name.
const NAME: usize = 16;

/// A directory of mode 0700 under a name that nobody can guess. Goes away when it is dropped, in the background.
pub(crate) struct Private {
    sandbox: Arc<dyn Sandbox>,
    path: SandboxPath,
    owner: Option<String>,
}

impl Private {
    /// Makes one that belongs to `owner`, or to the user that commands run as.
    pub(crate) async fn make(sandbox: Arc<dyn Sandbox>, owner: Option<String>) -> Result<Self> {
        // The sandbox's own directory is closed to other users.
        let own = sandbox.runtime_dir().filter(|_| owner.is_none()).cloned();
        let bases = own.into_iter().chain(BASES.map(SandboxPath::from));
        let mut refused = None;
        for base in bases {
            let path = base.join(&format!("isobox-{}", random()?).into());
            let options =
                WriteOptions { mode: Some(0o700), owner: owner.clone(), exclusive: true, ..WriteOptions::default() };
            match sandbox.files().mkdir(&path, options).await {
                Ok(()) => return Ok(Self { sandbox, path, owner }),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        Err(refused.unwrap_or_else(|| Error::new(ErrorCode::Io, "the sandbox has no directory for private files")))
    }

    /// A path in it.
    pub(crate) fn file(&self, name: &str) -> SandboxPath {
        self.path.join(&name.into())
    }

    /// Writes a file that nobody else can read.
    pub(crate) async fn write(&self, name: &str, data: impl Into<bytes::Bytes>) -> Result<()> {
        let options = WriteOptions {
            mode: Some(0o600),
            owner: self.owner.clone(),
            parents: false,
            atomic: true,
            ..WriteOptions::default()
        };
        self.sandbox.files().write(&self.file(name), data.into(), options).await
    }

    /// Removes it now.
    pub(crate) async fn remove(&self) -> Result<()> {
        self.sandbox.files().remove(&self.path, true).await
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        let (sandbox, path) = (self.sandbox.clone(), self.path.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { drop(sandbox.files().remove(&path, true).await) });
        }
    }
}

/// A name that nobody can guess, in hexadecimal digits.
pub(crate) fn random() -> Result<String> {
    let mut bytes = [0; NAME];
    match rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty()) {
        Ok(NAME) => Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
        _ => Err(Error::internal("the system has no random numbers")),
    }
}

/// A word of a shell that means exactly these bytes.
pub(crate) fn quoted(bytes: &[u8]) -> Vec<u8> {
    let parts: Vec<&[u8]> = bytes.split(|byte| *byte == b'\'').collect();
    [b"'", &parts.join(&b"'\\''"[..])[..], b"'"].concat()
}
