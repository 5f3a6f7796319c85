//! A store of images in memory, and archives of one layer.

use isobox_contract::{Context, Images};
use isobox_images::{Limits, LocalImages, Owners};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use tar::{Builder, Header};

struct Place {
    directory: tempfile::TempDir,
    home: PathBuf,
    runtime: tokio::runtime::Runtime,
}

static PLACE: LazyLock<Place> = LazyLock::new(|| {
    let directory = tempfile::tempdir_in("/dev/shm").expect("a place in memory");
    fs::write(directory.path().join("bystander"), "untouched").expect("a file");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    Place { home: directory.path().join("home"), directory, runtime }
});

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An archive as Docker writes it, with this layer.
pub fn around(layer: &[u8]) -> Vec<u8> {
    let config = serde_json::json!({
        "os": "linux", "architecture": if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{}", digest(layer))] },
    });
    let config = config.to_string();
    let name = format!("{}.json", digest(config.as_bytes()));
    let manifest = serde_json::json!([{ "Config": name, "RepoTags": ["fuzz:1"], "Layers": ["layer.tar"] }]);
    let mut tar = Builder::new(Vec::new());
    for (name, bytes) in
        [(name.as_str(), config.as_bytes()), ("layer.tar", layer), ("manifest.json", manifest.to_string().as_bytes())]
    {
        let mut header = Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, bytes).expect("a tar in memory");
    }
    tar.into_inner().expect("a tar in memory")
}

/// Loads an archive into a fresh store.
pub fn load(archive: &[u8]) {
    let place = &*PLACE;
    let path = place.directory.path().join("archive");
    fs::write(&path, archive).expect("the archive");
    fs::create_dir_all(&place.home).expect("a home");
    let owners = if rustix::process::geteuid().is_root() { Owners::Kept } else { Owners::Caller };
    let limits = Limits { bytes: 1 << 20, entries: 100, names: 1 << 16 };
    let store = LocalImages::open(&place.home, owners, limits).expect("a store");
    let _ = place.runtime.block_on(store.load(&path, &Context::quiet()));
    drop(store);
    assert_eq!(fs::read(place.directory.path().join("bystander")).expect("the bystander"), b"untouched");
    assert_eq!(fs::read_dir(place.directory.path()).expect("the place").count(), 3, "something beside the store");
    let home = fs::File::open(&place.home).expect("the home");
    isobox_tree::remove_contents(std::os::fd::AsFd::as_fd(&home)).expect("what was unpacked can be removed");
}
