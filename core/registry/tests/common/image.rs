//! Images made for the tests: real digests, contents without meaning.

use isobox_registry::Digest;
use serde_json::{Value, json};

pub const OCI_MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
pub const OCI_INDEX: &str = "application/vnd.oci.image.index.v1+json";
pub const DOCKER_MANIFEST: &str = "application/vnd.docker.distribution.manifest.v2+json";
pub const DOCKER_LIST: &str = "application/vnd.docker.distribution.manifest.list.v2+json";

/// A document and the blobs that it names.
#[derive(Clone)]
pub struct Image {
    pub manifest: Vec<u8>,
    pub media_type: &'static str,
    pub config: Vec<u8>,
    pub layers: Vec<Vec<u8>>,
}

impl Image {
    /// An OCI image for an architecture, with these layers.
    pub fn oci(architecture: &str, layers: &[&[u8]]) -> Self {
        Self::new(OCI_MANIFEST, architecture, None, layers)
    }

    pub fn new(media_type: &'static str, architecture: &str, variant: Option<&str>, layers: &[&[u8]]) -> Self {
        let mut config = json!({"os": "linux", "architecture": architecture, "config": {"Env": ["A=b"]}});
        if let Some(variant) = variant {
            config["variant"] = variant.into();
        }
        let config = config.to_string().into_bytes();
        let (config_type, layer_type) = match media_type {
            DOCKER_MANIFEST => {
                ("application/vnd.docker.container.image.v1+json", "application/vnd.docker.image.rootfs.diff.tar.gzip")
            }
            _ => ("application/vnd.oci.image.config.v1+json", "application/vnd.oci.image.layer.v1.tar+gzip"),
        };
        let manifest = json!({
            "schemaVersion": 2,
            "mediaType": media_type,
            "config": descriptor(config_type, &config),
            "layers": layers.iter().map(|layer| descriptor(layer_type, layer)).collect::<Vec<_>>(),
        });
        let layers = layers.iter().map(|layer| layer.to_vec()).collect();
        Self { manifest: manifest.to_string().into_bytes(), media_type, config, layers }
    }

    pub fn digest(&self) -> Digest {
        Digest::of(&self.manifest)
    }

    /// Everything that the manifest names.
    pub fn blobs(&self) -> impl Iterator<Item = &Vec<u8>> {
        std::iter::once(&self.config).chain(&self.layers)
    }
}

pub fn descriptor(media_type: &str, bytes: &[u8]) -> Value {
    json!({"mediaType": media_type, "digest": Digest::of(bytes).to_string(), "size": bytes.len()})
}

/// An index of images, each with its platform: architecture and variant.
pub fn index(media_type: &str, images: &[(&Image, &str, Option<&str>)]) -> Vec<u8> {
    let entry = |(image, architecture, variant): &(&Image, &str, Option<&str>)| {
        let mut entry = descriptor(image.media_type, &image.manifest);
        entry["platform"] = json!({"os": "linux", "architecture": architecture});
        if let Some(variant) = variant {
            entry["platform"]["variant"] = (*variant).into();
        }
        entry
    };
    let manifests: Vec<Value> = images.iter().map(entry).collect();
    json!({"schemaVersion": 2, "mediaType": media_type, "manifests": manifests}).to_string().into_bytes()
}

/// Bytes that do not compress and are the same each time.
pub fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    std::iter::repeat_with(next).take(length).collect()
}

/// The architecture of this machine, as images call it.
pub fn host() -> String {
    isobox_registry::Platform::host().architecture().to_owned()
}
