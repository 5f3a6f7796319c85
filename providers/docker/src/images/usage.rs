//! How much of the engine's disk images and volumes take.

use super::Library;
use crate::client::Engine;
use bollard::query_parameters::ListImagesOptions;
use isobox_contract::{Error, ImageUsage, Result};
use serde::Deserialize;
use std::collections::BTreeSet;

/// What the engine says about its disk. The client library knows the answer of the newest engines only.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct DiskUsage {
    layers_size: Option<i64>,
    images: Option<Vec<ImageRow>>,
    pub(crate) volumes: Option<Vec<VolumeRow>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct ImageRow {
    id: String,
    size: i64,
    containers: i64,
}

/// What a volume takes.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct VolumeRow {
    pub(crate) name: String,
    pub(crate) usage_data: Option<VolumeBytes>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct VolumeBytes {
    pub(crate) size: i64,
}

/// Asks the engine how much of its disk is used for what. It looks at every file, which takes its time.
pub(crate) async fn disk_usage(engine: &Engine) -> Result<DiskUsage> {
    let answer = engine.get("/system/df", "say how much of its disk is used").await?;
    serde_json::from_slice(&answer)
        .map_err(|error| Error::transport("docker's answer about its disk cannot be understood").with_source(error))
}

impl Library {
    pub(super) async fn used(&self) -> Result<ImageUsage> {
        let usage = disk_usage(&self.engine).await?;
        let bytes = |size: i64| u64::try_from(size).unwrap_or_default();
        let rows = usage.images.unwrap_or_default();
        let listed = self.engine.api().list_images(None::<ListImagesOptions>).await;
        let mut layers = BTreeSet::new();
        for image in listed.map_err(self.engine.failed("list its images"))? {
            let found = self.look(&super::Named::Id(image.id)).await?;
            let root = found.and_then(|found| found.inspected.root_fs);
            layers.extend(root.and_then(|root| root.layers).into_iter().flatten());
        }
        let ids: BTreeSet<_> = rows.iter().map(|row| &row.id).collect();
        Ok(ImageUsage {
            images: ids.len() as u64,
            layers: layers.len() as u64,
            size: bytes(usage.layers_size.unwrap_or_default()),
            in_use: rows.iter().filter(|row| row.containers > 0).map(|row| bytes(row.size)).sum(),
        })
    }
}
