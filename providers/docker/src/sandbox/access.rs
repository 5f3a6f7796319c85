//! Ways into a sandbox from outside.

use super::DockerSandbox;
use async_trait::async_trait;
use isobox_contract::{Access, Capability, Error, Ports, PreviewUrl, Result};
use std::collections::BTreeMap;
use std::time::Duration;

#[async_trait]
impl Access for DockerSandbox {
    async fn preview_url(&self, port: u16) -> Result<PreviewUrl> {
        let endpoint = self.core.guest.forward(port, None).await?;
        Ok(PreviewUrl { url: endpoint.url, headers: BTreeMap::new(), expires_at: None })
    }

    async fn signed_preview_url(&self, _port: u16, _expires_in: Duration) -> Result<PreviewUrl> {
        Err(Error::unsupported(Capability::AccessSignedPreviewUrls))
    }

    async fn release_preview(&self, port: u16) -> Result<()> {
        self.core.guest.release(port).await
    }

    async fn shell_command(&self) -> Result<Vec<String>> {
        self.here()?;
        let workdir = self.core.guest.workdir().to_string_lossy().into_owned();
        let user = self.core.place.origin().and_then(|spec| spec.user);
        let mut words = vec!["docker".to_owned(), "--host".to_owned(), self.inner.engine.address().to_string()];
        words.extend(["exec", "--interactive", "--tty", "--workdir"].map(str::to_owned));
        words.push(workdir);
        words.extend(user.into_iter().flat_map(|user| ["--user".to_owned(), user]));
        words.extend([self.core.container().to_owned(), "/bin/sh".to_owned()]);
        Ok(words)
    }
}
