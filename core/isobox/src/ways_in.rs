//! Logs of a sandbox and ways into it that not every provider has.

use crate::process::Process;
use crate::sandbox::Sandbox;
use isobox_contract::{Capability, Error, LogSource, LogStream, OneShotImage, OneShotRequest, PreviewUrl, Result};

impl Sandbox {
    /// What is kept of a log: of the making of the sandbox, or of the image's own program beside the commands
    /// ([`SandboxBuilder::entrypoint`](crate::SandboxBuilder::entrypoint)). With `follow` also what comes, until it ends. Dropping the
    /// stream ends the transfer and nothing else. Needs `logs.provision` or `logs.entrypoint`.
    pub async fn logs(&self, source: LogSource, follow: bool) -> Result<LogStream> {
        const NAME: &str = "logs";
        let needed = match source {
            LogSource::Provision => Capability::LogsProvision,
            // Of what is not known here, the provider says the rest.
            _ => Capability::LogsEntrypoint,
        };
        self.require(NAME, needed)?;
        let logs = self.raw().logs().ok_or_else(|| Error::unsupported(needed));
        self.told(NAME, self.told(NAME, logs)?.open(source, follow).await)
    }

    /// Runs one command in another image, in its network and with its volumes and directories of the machine, in its working
    /// directory. There is no input. It ends at the latest with the sandbox. Needs `one_shot`, and `one_shot.build` for an image that
    /// is built from a Dockerfile in the sandbox.
    pub async fn one_shot(&self, request: OneShotRequest) -> Result<Process> {
        const NAME: &str = "one_shot";
        self.require(NAME, Capability::OneShotRun)?;
        if matches!(request.image, OneShotImage::Build { .. }) {
            self.require(NAME, Capability::OneShotBuild)?;
        }
        let one_shots = self.raw().one_shots().ok_or_else(|| Error::unsupported(Capability::OneShotRun));
        let process = self.told(NAME, self.told(NAME, one_shots)?.spawn(request).await)?;
        Ok(Process::new(self.clone(), process))
    }

    /// A URL for a port of it. The same port again gives the same URL; stop, delete and [`release_preview`](Self::release_preview)
    /// end it. Needs `access.preview_urls`.
    pub async fn preview_url(&self, port: u16) -> Result<PreviewUrl> {
        const NAME: &str = "preview_url";
        self.require(NAME, Capability::AccessPreviewUrls)?;
        let access = self.raw().access().ok_or_else(|| Error::unsupported(Capability::AccessPreviewUrls));
        self.told(NAME, self.told(NAME, access)?.preview_url(port).await)
    }

    /// Closes what [`preview_url`](Self::preview_url) needed. Again is fine.
    pub async fn release_preview(&self, port: u16) -> Result<()> {
        const NAME: &str = "release_preview";
        self.require(NAME, Capability::AccessPreviewUrls)?;
        let access = self.raw().access().ok_or_else(|| Error::unsupported(Capability::AccessPreviewUrls));
        self.told(NAME, self.told(NAME, access)?.release_preview(port).await)
    }

    /// A command line that opens a shell in it from a terminal of this machine. Needs `access.shell_command`, and a shell in the
    /// sandbox.
    pub async fn shell_command(&self) -> Result<Vec<String>> {
        const NAME: &str = "shell_command";
        self.require(NAME, Capability::AccessShellCommand)?;
        let access = self.raw().access().ok_or_else(|| Error::unsupported(Capability::AccessShellCommand));
        self.told(NAME, self.told(NAME, access)?.shell_command().await)
    }
}
