//! Media types: what a registry says a blob is.

/// What is asked for when a manifest is wanted. Docker's first format is in no list, so that registries that can
/// convert to it do not.
pub(crate) const MANIFESTS: &str = "application/vnd.oci.image.index.v1+json, \
     application/vnd.oci.image.manifest.v1+json, \
     application/vnd.docker.distribution.manifest.list.v2+json, \
     application/vnd.docker.distribution.manifest.v2+json";

/// How the tar archive of a layer is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Not at all.
    None,
    /// With gzip.
    Gzip,
    /// With Zstandard.
    Zstd,
}

/// What a layer is.
pub(super) enum LayerKind {
    Tar(Compression),
    /// Kept elsewhere, as Docker marks layers of Windows.
    Foreign,
    Unknown,
}

/// From the image specification of OCI ("layer.md") and Docker's ("manifest-v2-2.md"). Layers that may not be
/// distributed are taken when a registry has them: nothing else is asked for them.
pub(super) fn layer(media_type: &str) -> LayerKind {
    const OCI: [&str; 2] =
        ["application/vnd.oci.image.layer.v1.tar", "application/vnd.oci.image.layer.nondistributable.v1.tar"];
    if let Some(suffix) = OCI.iter().find_map(|prefix| media_type.strip_prefix(prefix)) {
        return match suffix {
            "" => LayerKind::Tar(Compression::None),
            "+gzip" => LayerKind::Tar(Compression::Gzip),
            "+zstd" => LayerKind::Tar(Compression::Zstd),
            _ => LayerKind::Unknown,
        };
    }
    match media_type {
        "application/vnd.docker.image.rootfs.diff.tar" => LayerKind::Tar(Compression::None),
        "application/vnd.docker.image.rootfs.diff.tar.gzip" => LayerKind::Tar(Compression::Gzip),
        "application/vnd.docker.image.rootfs.diff.tar.zstd" => LayerKind::Tar(Compression::Zstd),
        "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip"
        | "application/vnd.docker.image.rootfs.foreign.diff.tar" => LayerKind::Foreign,
        _ => LayerKind::Unknown,
    }
}

/// Whether a config is that of a container image. Docker's old pushes call it an octet stream.
pub(super) fn is_config(media_type: &str) -> bool {
    matches!(
        media_type,
        "application/vnd.oci.image.config.v1+json"
            | "application/vnd.docker.container.image.v1+json"
            | "application/octet-stream"
    )
}
