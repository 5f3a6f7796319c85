//! What is written down.

/// What is written down beside the lives of sandboxes, their operations, limits that were reached, connections that were
/// refused and deaths, all of which always are.
///
/// Everything by default. It is written in the background and never holds a command up; what it costs is in
/// `docs/guide/events.md`.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> isobox::Result<()> {
/// # let home = tempfile::tempdir().unwrap();
/// use isobox::{Isobox, Record};
///
/// let isobox = Isobox::builder().home(home.path()).record(Record::lifecycle()).open().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// That commands start and end, by their ids and labels, never what they are: `exec_started` and `exec_exited`, and what
    /// [`Isobox::processes`](crate::Isobox::processes) lists.
    pub commands: bool,
    /// That files were copied, by their number and bytes: `files_transferred`.
    pub files: bool,
    /// How far the fetching and unpacking of images is: `operation_progress`.
    pub progress: bool,
}

impl Default for Record {
    fn default() -> Self {
        Self { commands: true, files: true, progress: true }
    }
}

impl Record {
    /// Nothing but what always is.
    pub fn lifecycle() -> Self {
        Self { commands: false, files: false, progress: false }
    }

    /// Sets whether commands are written down.
    pub fn commands(mut self, commands: bool) -> Self {
        self.commands = commands;
        self
    }

    /// Sets whether copies of files are written down.
    pub fn files(mut self, files: bool) -> Self {
        self.files = files;
        self
    }

    /// Sets whether progress is written down.
    pub fn progress(mut self, progress: bool) -> Self {
        self.progress = progress;
        self
    }

    pub(crate) fn wants(self, event: &isobox_contract::EventKind) -> bool {
        use isobox_contract::EventKind as Kind;
        match event {
            Kind::ExecStarted { .. } | Kind::ExecExited { .. } => self.commands,
            Kind::FilesTransferred { .. } => self.files,
            Kind::OperationProgress { .. } => self.progress,
            _ => true,
        }
    }
}
