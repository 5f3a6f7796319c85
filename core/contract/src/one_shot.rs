//! One-shot containers: another image for one command, in the sandbox's workspace and network.

use crate::error::Result;
use crate::exec::{OutputLimits, Process};
use crate::path::SandboxPath;
use async_trait::async_trait;
use std::fmt;
use std::time::Duration;

/// Where the image of a one-shot comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OneShotImage {
    /// A registry.
    Registry {
        /// The reference.
        reference: String,
    },
    /// A build.
    Build {
        /// The context, a directory in the sandbox.
        context: SandboxPath,
        /// The Dockerfile, relative to the context; `Dockerfile` by default.
        dockerfile: Option<SandboxPath>,
        /// The tag of the result.
        tag: String,
        /// Take an image with this tag that is there already.
        reuse: bool,
    },
}

/// What to run once. There is no input. `Debug` shows no arguments and no values.
#[derive(Clone, PartialEq, Eq)]
pub struct OneShotRequest {
    /// In which image.
    pub image: OneShotImage,
    /// The program, instead of the image's own.
    pub entrypoint: Option<Vec<u8>>,
    /// Its arguments.
    pub args: Vec<Vec<u8>>,
    /// Its environment, added to the image's.
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    /// Its directory; the sandbox's by default.
    pub cwd: Option<SandboxPath>,
    /// When it is ended at the latest.
    pub timeout: Option<Duration>,
    /// TERM, this long, then KILL.
    pub grace: Option<Duration>,
    /// What is captured.
    pub output: OutputLimits,
}

impl OneShotRequest {
    /// A request with every default.
    pub fn new(image: OneShotImage) -> Self {
        Self {
            image,
            entrypoint: None,
            args: Vec::new(),
            env: Vec::new(),
            cwd: None,
            timeout: None,
            grace: None,
            output: OutputLimits::default(),
        }
    }
}

impl fmt::Debug for OneShotRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OneShotRequest")
            .field("image", &self.image)
            .field("args", &self.args.len())
            .field("env", &self.env.len())
            .field("cwd", &self.cwd)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

/// The one-shots of one sandbox. There exactly when `one_shot.run` is.
#[async_trait]
pub trait OneShots: Send + Sync {
    /// Starts one. It shares the sandbox's workspace and network namespace, is removed when it ends, and ends at the
    /// latest with the sandbox. `write`, `close_stdin` and `resize` of the process are `unsupported`.
    async fn spawn(&self, request: OneShotRequest) -> Result<Box<dyn Process>>;
}
