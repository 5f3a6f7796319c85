//! A sandbox as a test sees it.

use crate::files::TestFiles;
use crate::place::Place;
use crate::ports::server;
use isobox_contract::{DeathCause, Denial, EventKind, SandboxId, SandboxSpec, State};
use std::fmt;
use std::sync::Arc;
use tokio::io::DuplexStream;

/// A sandbox as a test sees it, from outside and also when it is gone. Cheap to clone.
#[derive(Clone)]
pub struct TestSandbox {
    place: Arc<Place>,
}

impl TestSandbox {
    pub(crate) fn of(place: Arc<Place>) -> Self {
        Self { place }
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.place.is_gone()
    }

    pub(crate) fn about(&self) -> String {
        self.place.about()
    }

    /// Its id.
    pub fn id(&self) -> &SandboxId {
        &self.place.id
    }

    /// Its name.
    pub fn name(&self) -> Option<&str> {
        self.place.name.as_deref()
    }

    /// What it is doing; `error` when it has died.
    pub fn state(&self) -> State {
        self.place.life().state()
    }

    /// What it was made from and like. It may hold secrets.
    pub fn spec(&self) -> &SandboxSpec {
        &self.place.spec
    }

    /// Its files, relative paths starting at its working directory.
    pub fn files(&self) -> TestFiles {
        self.place.files_at_path(self.place.workdir.clone())
    }

    /// Lets it die now.
    pub fn die(&self, cause: DeathCause) {
        self.place.die(cause);
    }

    /// Tells that its network policy has refused something.
    pub fn deny(&self, denial: Denial) {
        self.place.tell(EventKind::NetworkDenied { denial });
    }

    /// Has something listen on a port from now on, which serves each connection so.
    pub fn listen<F, T>(&self, port: u16, serve: F)
    where
        F: Fn(DuplexStream) -> T + Send + Sync + 'static,
        T: Future<Output = ()> + Send + 'static,
    {
        self.place.listen(port, Some(server(serve)));
    }

    /// Has nothing listen on a port any more.
    pub fn close_port(&self, port: u16) {
        self.place.listen(port, None);
    }
}

impl fmt::Debug for TestSandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestSandbox").field("id", self.id()).field("state", &self.state()).finish_non_exhaustive()
    }
}
