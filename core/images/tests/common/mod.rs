//! Images made by the tests themselves: layers entry by entry, also such as no tool would write, and archives of them.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and talks to whoever runs it")]

use isobox_contract::{Context, Error};
use isobox_images::{Digest, Image, Limits, LocalImages, Owners};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tar::{EntryType, Header};

/// A tar stream in the making.
#[derive(Clone, Default)]
pub struct Layer(Vec<u8>);

impl Layer {
    pub fn new() -> Self {
        Self::default()
    }

    /// An entry as it is, with nothing checked.
    pub fn entry(self, kind: EntryType, path: &str, contents: &[u8]) -> Self {
        self.entry_with(kind, path, contents, |_| {})
    }

    pub fn entry_with(
        mut self,
        kind: EntryType,
        path: &str,
        contents: &[u8],
        change: impl FnOnce(&mut Header),
    ) -> Self {
        if path.len() > 100 {
            self = self.entry(EntryType::GNULongName, "././@LongLink", &[path.as_bytes(), b"\0"].concat());
        }
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        let name = &path.as_bytes()[..path.len().min(100)];
        header.as_old_mut().name[..name.len()].copy_from_slice(name);
        header.set_size(contents.len() as u64);
        header.set_mode(if kind == EntryType::Directory { 0o755 } else { 0o644 });
        header.set_mtime(1_000_000_000);
        let owner = if is_root() { 0 } else { u64::from(rustix::process::geteuid().as_raw()) };
        header.set_uid(owner);
        header.set_gid(owner);
        change(&mut header);
        header.set_cksum();
        self.raw(header.as_bytes()).raw(contents).pad()
    }

    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    fn pad(mut self) -> Self {
        self.0.resize(self.0.len().next_multiple_of(512), 0);
        self
    }

    pub fn dir(self, path: &str) -> Self {
        self.entry(EntryType::Directory, path, b"")
    }

    pub fn file(self, path: &str, contents: &str) -> Self {
        self.entry(EntryType::Regular, path, contents.as_bytes())
    }

    pub fn link(self, kind: EntryType, path: &str, target: &str) -> Self {
        self.entry_with(kind, path, b"", |header| {
            header.as_old_mut().linkname[..target.len()].copy_from_slice(target.as_bytes());
        })
    }

    pub fn symlink(self, path: &str, target: &str) -> Self {
        self.link(EntryType::Symlink, path, target)
    }

    pub fn hard_link(self, path: &str, target: &str) -> Self {
        self.link(EntryType::Link, path, target)
    }

    /// Attributes of the entry that comes next.
    pub fn pax(self, records: &[(&str, &[u8])]) -> Self {
        let mut bytes = Vec::new();
        for (key, value) in records {
            let body = [b" ", key.as_bytes(), b"=", value, b"\n"].concat();
            let mut length = body.len() + 1;
            while length != body.len() + length.to_string().len() {
                length += 1;
            }
            bytes.extend_from_slice(length.to_string().as_bytes());
            bytes.extend_from_slice(&body);
        }
        self.entry(EntryType::XHeader, "pax", &bytes)
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.0.clone();
        bytes.resize(bytes.len() + 1024, 0);
        bytes
    }

    pub fn diff_id(&self) -> Digest {
        Digest::of(&self.bytes())
    }
}

/// An image in the making.
#[derive(Clone, Default)]
pub struct Builder {
    pub layers: Vec<Layer>,
    pub run: serde_json::Value,
    pub tags: Vec<String>,
    pub platform: Option<(String, String)>,
    pub compress: Compress,
    /// A config that is not about these layers.
    pub lie: Option<Vec<u8>>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Compress {
    #[default]
    Not,
    Gzip,
    Zstd,
}

impl Builder {
    pub fn of(layers: impl IntoIterator<Item = Layer>) -> Self {
        Self { layers: layers.into_iter().collect(), ..Self::default() }
    }

    pub fn tag(mut self, tag: &str) -> Self {
        self.tags.push(tag.into());
        self
    }

    pub fn run(mut self, run: serde_json::Value) -> Self {
        self.run = run;
        self
    }

    pub fn platform(mut self, os: &str, architecture: &str) -> Self {
        self.platform = Some((os.into(), architecture.into()));
        self
    }

    pub fn compress(mut self, compress: Compress) -> Self {
        self.compress = compress;
        self
    }

    pub fn config(&self) -> Vec<u8> {
        if let Some(lie) = &self.lie {
            return lie.clone();
        }
        let here = isobox_images::Platform::here();
        let (os, architecture) = self.platform.clone().unwrap_or((here.os, here.architecture));
        let diff_ids: Vec<_> = self.layers.iter().map(|layer| layer.diff_id().to_string()).collect();
        let config = serde_json::json!({
            "os": os, "architecture": architecture, "created": "2024-05-06T07:08:09Z", "config": self.run,
            "rootfs": { "type": "layers", "diff_ids": diff_ids },
        });
        config.to_string().into_bytes()
    }

    fn blobs(&self) -> Vec<Vec<u8>> {
        self.layers.iter().map(|layer| compressed(&layer.bytes(), self.compress)).collect()
    }

    /// Files as `docker save` wrote them before it knew the OCI layout.
    pub fn docker_files(&self) -> Vec<(String, Vec<u8>)> {
        let config = self.config();
        let name = format!("{}.json", Digest::of(&config).hex());
        let mut files = Vec::new();
        let mut layers = Vec::new();
        for (index, blob) in self.blobs().into_iter().enumerate() {
            let name = format!("{index:064x}/layer.tar");
            files.push((name.clone(), blob));
            layers.push(name);
        }
        let manifest = serde_json::json!([{ "Config": name, "RepoTags": self.tags, "Layers": layers }]);
        files.push((name, config));
        files.push(("manifest.json".into(), manifest.to_string().into_bytes()));
        files
    }

    /// Files of an OCI layout, with `manifest.json` beside it when `hybrid`.
    pub fn oci_files(&self, hybrid: bool) -> Vec<(String, Vec<u8>)> {
        let blob = |bytes: &[u8]| format!("blobs/sha256/{}", Digest::of(bytes).hex());
        let descriptor = |kind: &str, bytes: &[u8]| serde_json::json!({ "mediaType": kind, "digest": Digest::of(bytes).to_string(), "size": bytes.len() });
        let mut files = vec![("oci-layout".to_owned(), br#"{"imageLayoutVersion":"1.0.0"}"#.to_vec())];
        let layers = self.blobs();
        let config = self.config();
        let manifest = serde_json::json!({
            "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": descriptor("application/vnd.oci.image.config.v1+json", &config),
            "layers": layers.iter().map(|layer| descriptor("application/vnd.oci.image.layer.v1.tar", layer)).collect::<Vec<_>>(),
        });
        let manifest = manifest.to_string().into_bytes();
        let entry = |tag: Option<&String>| {
            let mut entry = descriptor("application/vnd.oci.image.manifest.v1+json", &manifest);
            if let Some(tag) = tag {
                entry["annotations"] = serde_json::json!({ "io.containerd.image.name": tag });
            }
            entry
        };
        let entries: Vec<_> = match self.tags.as_slice() {
            [] => vec![entry(None)],
            tags => tags.iter().map(|tag| entry(Some(tag))).collect(),
        };
        let index = serde_json::json!({ "schemaVersion": 2, "manifests": entries });
        files.push(("index.json".into(), index.to_string().into_bytes()));
        if hybrid {
            let names: Vec<_> = layers.iter().map(|layer| blob(layer)).collect();
            let saved = serde_json::json!([{ "Config": blob(&config), "RepoTags": self.tags, "Layers": names }]);
            files.push(("manifest.json".into(), saved.to_string().into_bytes()));
        }
        files.push((blob(&manifest), manifest));
        files.push((blob(&config), config));
        files.extend(layers.into_iter().map(|layer| (blob(&layer), layer)));
        files
    }
}

pub fn compressed(bytes: &[u8], how: Compress) -> Vec<u8> {
    match how {
        Compress::Not => bytes.to_vec(),
        Compress::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        Compress::Zstd => zstd::encode_all(bytes, 1).unwrap(),
    }
}

/// Files as a tar archive.
pub fn archive(path: &Path, files: &[(String, Vec<u8>)]) -> PathBuf {
    let mut tar = Layer::new();
    for (name, contents) in files {
        tar = tar.entry(EntryType::Regular, name, contents);
    }
    fs::write(path, tar.bytes()).unwrap();
    path.to_owned()
}

/// Files as a folder.
pub fn folder(path: &Path, files: &[(String, Vec<u8>)]) -> PathBuf {
    for (name, contents) in files {
        let file = path.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, contents).unwrap();
    }
    path.to_owned()
}

/// Images in a directory of their own, which goes with them.
pub struct Lab {
    pub images: LocalImages,
    pub home: tempfile::TempDir,
}

impl Lab {
    pub fn open() -> Self {
        Self::with(Limits::default())
    }

    pub fn with(limits: Limits) -> Self {
        let home = tempfile::tempdir().unwrap();
        Self { images: LocalImages::open(home.path(), owners(), limits).unwrap(), home }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Unpacks an image from an archive.
    pub async fn import(&self, image: &Builder) -> Result<Image, Error> {
        let name = format!("{}.tar", Digest::of(&image.config()).hex());
        let path = archive(&self.path(&name), &image.docker_files());
        Ok(self.images.archive(&path, None, &Context::quiet()).await?.0)
    }

    /// The directory of an image of one layer.
    pub async fn unpack(&self, layer: Layer) -> Result<PathBuf, Error> {
        let image = self.import(&Builder::of([layer])).await?;
        Ok(self.images.layer(&image.stack[0]))
    }

    /// Where layers are.
    pub fn layers_dir(&self) -> PathBuf {
        let kind = if is_root() { "kept" } else { "caller" };
        self.home.path().join("images").join(kind).join("layers")
    }

    /// Directories of layers, finished and not.
    pub fn layers(&self) -> Vec<String> {
        let entries = fs::read_dir(self.layers_dir()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// Whose files layers are, for whoever runs the test.
pub fn owners() -> Owners {
    if is_root() { Owners::Kept } else { Owners::Caller }
}

pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// An extended attribute.
pub fn xattr(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut buffer = [0; 256];
    let length = rustix::fs::lgetxattr(path, name, &mut buffer).ok()?;
    Some(buffer[..length].to_vec())
}
