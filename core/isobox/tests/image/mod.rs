//! Images for tests, made on the spot: a static busybox and what a test puts beside it.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use isobox_images::{Digest, Platform};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the images have of busybox.
const PROGRAMS: [&str; 16] = [
    "sh", "cat", "ls", "stat", "id", "env", "pwd", "true", "sleep", "test", "find", "readlink", "touch", "rm", "mkdir",
    "sync",
];

/// An image in the making, in a directory of its own.
pub struct Image {
    place: tempfile::TempDir,
    layers: Vec<Vec<u8>>,
    pub config: Value,
    pub platform: Platform,
}

impl Image {
    /// An image with a shell and nothing else.
    pub fn busybox() -> Self {
        let mut image = Self::empty();
        image.layer(&[], busybox_in);
        image
    }

    /// An image without layers.
    pub fn empty() -> Self {
        let place = tempfile::tempdir().unwrap();
        Self { place, layers: Vec::new(), config: json!({ "Env": ["PATH=/bin"] }), platform: Platform::here() }
    }

    /// Adds a layer of what `fill` puts into a directory; whiteouts are files whose names begin with `.wh.`.
    pub fn layer(&mut self, flags: &[&str], fill: impl FnOnce(&Path)) {
        let root = self.place.path().join("layer");
        fs::create_dir(&root).unwrap();
        fill(&root);
        let mut tar = Command::new("tar");
        tar.args(["--owner=0", "--group=0", "--numeric-owner"])
            .args(flags)
            .arg("-C")
            .arg(&root)
            .args(["-cf", "-", "."]);
        let made = tar.output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        self.layers.push(made.stdout);
        fs::remove_dir_all(&root).unwrap();
    }

    /// Adds a layer from a tar stream, also such as `tar` would not make of one directory.
    pub fn raw_layer(&mut self, tar: Vec<u8>) {
        self.layers.push(tar);
    }

    /// Its config, as it is stored.
    pub fn config(&self) -> Vec<u8> {
        let diff_ids: Vec<_> = self.layers.iter().map(|layer| Digest::of(layer).to_string()).collect();
        let config = json!({
            "os": self.platform.os, "architecture": self.platform.architecture, "config": self.config,
            "rootfs": { "type": "layers", "diff_ids": diff_ids },
        });
        config.to_string().into_bytes()
    }

    /// Its id.
    pub fn id(&self) -> String {
        Digest::of(&self.config()).to_string()
    }

    /// Writes it as `docker save` does, and says where.
    pub fn archive(&self, tag: &str) -> PathBuf {
        let config = self.config();
        let name = format!("{}.json", Digest::of(&config).hex());
        let layers: Vec<_> = (0..self.layers.len()).map(|at| format!("{at}.tar")).collect();
        let manifest = json!([{ "Config": name, "RepoTags": [tag], "Layers": layers }]);
        let mut files: Vec<_> = layers.into_iter().zip(self.layers.clone()).collect();
        files.extend([(name, config), ("manifest.json".to_owned(), manifest.to_string().into_bytes())]);
        self.tar(&tag.replace([':', '/'], "-"), &files)
    }

    /// Writes it as OCI tools do, under a tag, and says where.
    pub fn oci_archive(&self, tag: &str) -> PathBuf {
        self.tar(&format!("oci-{}", tag.replace([':', '/'], "-")), &self.oci_files(tag))
    }

    /// The files of an OCI layout with it, under a tag.
    pub fn oci_files(&self, tag: &str) -> Vec<(String, Vec<u8>)> {
        let descriptor = |kind: &str, bytes: &[u8]| json!({ "mediaType": format!("application/vnd.oci.image.{kind}"), "digest": Digest::of(bytes).to_string(), "size": bytes.len() });
        let config = self.config();
        let layers: Vec<_> = self.layers.iter().map(|layer| descriptor("layer.v1.tar", layer)).collect();
        let manifest = json!({
            "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": descriptor("config.v1+json", &config), "layers": layers,
        });
        let manifest = manifest.to_string().into_bytes();
        let mut entry = descriptor("manifest.v1+json", &manifest);
        entry["annotations"] = json!({ "io.containerd.image.name": tag });
        let index = json!({ "schemaVersion": 2, "manifests": [entry] }).to_string().into_bytes();
        let blobs = [config, manifest].into_iter().chain(self.layers.clone());
        let mut files: Vec<_> = blobs.map(|blob| (format!("blobs/sha256/{}", Digest::of(&blob).hex()), blob)).collect();
        files.extend([
            ("oci-layout".to_owned(), br#"{"imageLayoutVersion":"1.0.0"}"#.to_vec()),
            ("index.json".to_owned(), index),
        ]);
        files
    }

    fn tar(&self, name: &str, files: &[(String, Vec<u8>)]) -> PathBuf {
        let folder = self.place.path().join("files");
        let _ = fs::remove_dir_all(&folder);
        for (name, contents) in files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, contents).unwrap();
        }
        let path = self.place.path().join(format!("{name}.tar"));
        let made = Command::new("tar").arg("-C").arg(&folder).arg("-cf").arg(&path).arg(".").status().unwrap();
        assert!(made.success());
        path
    }
}

/// Puts a shell and nothing else into a directory.
pub fn busybox_in(root: &Path) {
    for name in ["bin", "etc", "tmp"] {
        fs::create_dir_all(root.join(name)).unwrap();
    }
    fs::set_permissions(root.join("tmp"), fs::Permissions::from_mode(0o1777)).unwrap();
    let users = "root:x:0:0::/root:/bin/sh\nuser:x:1000:1000::/home/user:/bin/sh\n";
    fs::write(root.join("etc/passwd"), users).unwrap();
    fs::write(root.join("etc/group"), "root:x:0:\nuser:x:1000:\n").unwrap();
    fs::copy(busybox(), root.join("bin/busybox")).unwrap();
    PROGRAMS.iter().for_each(|name| symlink("busybox", root.join("bin").join(name)).unwrap());
}

fn busybox() -> PathBuf {
    let found = ["/bin/busybox", "/usr/bin/busybox"].into_iter().map(PathBuf::from).find(|path| path.exists());
    found.expect("the package busybox-static is there: run `cargo xtask setup`")
}
