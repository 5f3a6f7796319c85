//! What the tests share: the library over a double.

#![allow(dead_code, reason = "each test binary uses its own part")]

use isobox::{Isobox, Sandbox};
use isobox_testing::{TestProvider, TestProviderBuilder};
use std::sync::Arc;

/// A library with a home of its own whose default provider is a double.
pub struct Lab {
    pub isobox: Isobox,
    pub provider: TestProvider,
    pub home: tempfile::TempDir,
}

impl Lab {
    pub async fn open(builder: TestProviderBuilder) -> Self {
        let (provider, home) = (builder.build(), tempfile::tempdir().unwrap());
        let isobox = Isobox::builder()
            .home(home.path())
            .with_provider(Arc::new(provider.clone()))
            .default_provider("testing")
            .open()
            .await
            .unwrap();
        Self { isobox, provider, home }
    }

    pub async fn sandbox(&self) -> Sandbox {
        self.isobox.sandbox().create().await.unwrap()
    }
}
