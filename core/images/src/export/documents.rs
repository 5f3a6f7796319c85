//! The documents of an exported image: its config, its manifest, and what names it.

use super::{Export, Written};
use crate::digest::Digest;
use crate::document::Config;
use crate::platform::Platform;
use crate::problem::{Outcome, Problem};
use isobox_registry::Reference;
use serde_json::{Map, Value, json};

const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar";
/// The variables of an image that says none; Docker gives containers the same.
const PATH: &str = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The documents, as bytes.
pub(super) struct Documents {
    pub(super) config: Vec<u8>,
    pub(super) manifest: Vec<u8>,
    /// `index.json`.
    pub(super) index: Vec<u8>,
    /// `manifest.json`.
    pub(super) saved: Vec<u8>,
}

impl Documents {
    pub(super) fn of(image: &Export, layers: &[Written], name: Option<&Reference>, gzip: bool) -> Outcome<Self> {
        let config = config(image, layers)?;
        let media_type = if gzip { format!("{LAYER}+gzip") } else { LAYER.to_owned() };
        let blobs = layers.iter().map(
            |layer| json!({ "mediaType": media_type, "digest": layer.blob.digest.as_str(), "size": layer.blob.size }),
        );
        let manifest = json!({
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": descriptor(CONFIG, &config),
            "layers": blobs.collect::<Vec<_>>(),
        });
        let manifest = bytes(&manifest);
        let mut named = descriptor(MANIFEST, &manifest);
        if let Some(name) = name {
            named["annotations"] = json!({
                "io.containerd.image.name": name.to_string(),
                "org.opencontainers.image.ref.name": name.tag(),
            });
        }
        let index = json!({ "schemaVersion": 2, "manifests": [named] });
        let files: Vec<_> = layers.iter().map(|layer| layer.blob.name()).collect();
        let names: Vec<_> = name.iter().map(ToString::to_string).collect();
        let saved = json!([{
            "Config": format!("blobs/sha256/{}", Digest::of(&config).hex()),
            "RepoTags": names,
            "Layers": files,
        }]);
        Ok(Self { config, manifest, index: bytes(&index), saved: bytes(&saved) })
    }
}

fn descriptor(media_type: &str, bytes: &[u8]) -> Value {
    json!({ "mediaType": media_type, "digest": Digest::of(bytes).as_str(), "size": bytes.len() })
}

fn bytes(document: &Value) -> Vec<u8> {
    document.to_string().into_bytes()
}

/// The config of the image that it came from, with the layers and the history of this one.
fn config(image: &Export, layers: &[Written]) -> Outcome<Vec<u8>> {
    let mut config: Map<String, Value> = match &image.config {
        Some(config) => serde_json::from_slice(config)
            .map_err(|error| Problem::corrupt("the config of the image that it was made from", error.to_string()))?,
        None => of_nothing(),
    };
    // About the container that the image was committed from, if it was.
    config.remove("container");
    config.remove("container_config");
    config.insert("created".into(), json!(image.created));
    let diff_ids: Vec<_> = layers.iter().map(|layer| layer.diff_id.as_str()).collect();
    config.insert("rootfs".into(), json!({ "type": "layers", "diff_ids": diff_ids }));
    config.insert("history".into(), Value::Array(history(image)?));
    Ok(bytes(&Value::Object(config)))
}

fn of_nothing() -> Map<String, Value> {
    let here = Platform::here();
    let mut config = Map::new();
    config.insert("os".into(), json!(here.os));
    config.insert("architecture".into(), json!(here.architecture));
    config.insert("config".into(), json!({ "Env": [PATH] }));
    config
}

/// One entry for each layer. Those of the image stay; of its layers that were not mounted, since others hide them, it is
/// said that they are empty.
fn history(image: &Export) -> Outcome<Vec<Value>> {
    let (mut history, told) = told(image)?;
    for layer in image.layers.iter().filter(|layer| !told || layer.diff_id.is_none()) {
        history.push(json!({ "created": image.created, "created_by": layer.made_by }));
    }
    Ok(history)
}

/// The history of the image that it came from, and whether that is one of all its layers.
fn told(image: &Export) -> Outcome<(Vec<Value>, bool)> {
    let Some(config) = &image.config else { return Ok((Vec::new(), false)) };
    let diff_ids = Config::parse(config)?.rootfs.diff_ids;
    let document: Value = serde_json::from_slice(config).unwrap_or_default();
    let mut history = document["history"].as_array().cloned().unwrap_or_default();
    let mut filled: Vec<_> = history.iter_mut().filter(|entry| entry["empty_layer"] != true).collect();
    if filled.len() != diff_ids.len() || !filled.iter().all(|entry| entry.is_object()) {
        return Ok((Vec::new(), false));
    }
    for (index, entry) in filled.iter_mut().enumerate() {
        // One that is there twice is mounted at its upper place.
        let is_last = !diff_ids[index + 1..].contains(&diff_ids[index]);
        let is_there = image.layers.iter().any(|layer| layer.diff_id.as_ref() == Some(&diff_ids[index]));
        if !(is_last && is_there) {
            entry["empty_layer"] = json!(true);
        }
    }
    Ok((history, true))
}
