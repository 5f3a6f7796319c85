//! What the tests of behaviour share: a private home for each test, and the same test on every provider.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and talks to whoever runs it"
)]

pub mod limited;

use isobox::{Isobox, Sandbox};
use std::path::Path;

/// The providers that have to behave the same.
pub const PROVIDERS: [&str; 2] = ["namespace", "host"];

/// A library with a home of its own, which goes with it.
pub struct Lab {
    pub isobox: Isobox,
    home: tempfile::TempDir,
}

impl Lab {
    pub async fn open() -> Self {
        Self::open_in(&std::env::temp_dir()).await
    }

    /// With its home in a directory that stays.
    pub async fn open_in(directory: &Path) -> Self {
        let home = tempfile::tempdir_in(directory).unwrap();
        let isobox = Isobox::builder().home(home.path()).open().await.unwrap();
        Self { isobox, home }
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    pub async fn sandbox(&self, provider: &str) -> Sandbox {
        self.isobox.sandbox().provider(provider).create().await.unwrap()
    }

    /// What sandboxes left behind on the disk: nothing, when all are gone.
    pub fn left_over(&self) -> Vec<std::path::PathBuf> {
        let below = |provider: &str| std::fs::read_dir(self.home.path().join(provider)).into_iter().flatten();
        PROVIDERS.iter().flat_map(|provider| below(provider)).map(|entry| entry.unwrap().path()).collect()
    }
}

/// Runs a test in a fresh sandbox of each provider, and checks that nothing stays behind.
pub async fn on_each_provider(test: impl AsyncFn(&str, Sandbox)) {
    for provider in PROVIDERS {
        eprintln!("on {provider}");
        let lab = Lab::open().await;
        let sandbox = lab.sandbox(provider).await;
        test(provider, sandbox.clone()).await;
        sandbox.delete().await.unwrap();
        assert_eq!(lab.left_over(), Vec::<std::path::PathBuf>::new(), "on {provider}");
    }
}

/// Processes of this machine whose command line or environment holds `mark`, zombies aside.
pub fn processes_with(mark: &str) -> Vec<u32> {
    let holds = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let zombie = stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'));
        let read = |file: &str| std::fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
        let found = |bytes: Vec<u8>| bytes.windows(mark.len()).any(|window| window == mark.as_bytes());
        !zombie && *pid != std::process::id() && (found(read("cmdline")) || found(read("environ")))
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(holds).collect()
}
