//! What is where in an archive that the engine wrote.
//!
//! It comes from an engine and not from a sandbox, but what is in an image is hostile, so nothing is unpacked: names are only
//! looked up, and sizes are limited.

use isobox_contract::{Error, Result};
use isobox_images::Digest;
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::os::unix::fs::FileExt;

/// The most bytes of a document, entries of an archive, and links on the way to a layer.
const DOCUMENT: u64 = 16 << 20;
const ENTRIES: usize = 100_000;
const LINKS: usize = 8;

/// Where the bytes of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) offset: u64,
    pub(super) size: u64,
}

/// One image of an archive.
#[derive(Debug)]
pub(super) struct Saved {
    /// Its config, as it came.
    pub(super) config: Vec<u8>,
    /// Its layers, the first at the bottom.
    pub(super) layers: Vec<Place>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Row {
    config: String,
    layers: Vec<String>,
}

#[derive(Deserialize)]
struct Config {
    rootfs: RootFs,
}

#[derive(Deserialize)]
struct RootFs {
    diff_ids: Vec<String>,
}

enum Found {
    File(Place),
    Link(String),
}

impl Saved {
    /// Looks through an archive with one image.
    pub(super) fn read(mut file: &File) -> Result<Self> {
        let broken = |error: std::io::Error| Error::transport("docker's archive cannot be read").with_source(error);
        file.seek(SeekFrom::Start(0)).map_err(broken)?;
        let mut files = HashMap::new();
        let mut archive = tar::Archive::new(file);
        for entry in archive.entries_with_seek().map_err(broken)?.take(ENTRIES) {
            let entry = entry.map_err(broken)?;
            let name = plain(&entry.path().map_err(broken)?.to_string_lossy());
            let found = match entry.link_name().map_err(broken)? {
                Some(target) => Found::Link(beside(&name, &target.to_string_lossy(), entry.header().entry_type())),
                None => Found::File(Place { offset: entry.raw_file_position(), size: entry.size() }),
            };
            files.insert(name, found);
        }
        let rows: Vec<Row> = serde_json::from_slice(&document(file, &files, "manifest.json")?)
            .map_err(|error| Error::transport("docker's list of an archive is no JSON").with_source(error))?;
        let [row] = &rows[..] else {
            return Err(Error::transport("docker's archive has not the one image that was asked for"));
        };
        let layers = row.layers.iter().map(|name| place(&files, name));
        Ok(Self { config: document(file, &files, &row.config)?, layers: layers.collect::<Result<_>>()? })
    }

    /// The digests of the layers, as the config has them.
    pub(super) fn diff_ids(&self) -> Result<Vec<Digest>> {
        let config: Config = serde_json::from_slice(&self.config)
            .map_err(|error| Error::transport("docker's config of an image has no layers").with_source(error))?;
        let parsed = config.rootfs.diff_ids.iter().map(|digest| digest.parse());
        parsed.collect::<Result<_, _>>().map_err(|_| Error::transport("docker's config of an image has no digests"))
    }
}

fn document(file: &File, files: &HashMap<String, Found>, name: &str) -> Result<Vec<u8>> {
    let Place { offset, size } = place(files, name)?;
    if size > DOCUMENT {
        return Err(Error::limit_exceeded("bytes of a document in docker's archive", DOCUMENT));
    }
    let mut bytes = vec![0; usize::try_from(size).unwrap_or_default()];
    let read = file.read_exact_at(&mut bytes, offset);
    read.map_err(|error| Error::transport("docker's archive cannot be read").with_source(error))?;
    Ok(bytes)
}

/// Where a file is, also through links: engines before 25 write a layer that is there already as one.
fn place(files: &HashMap<String, Found>, name: &str) -> Result<Place> {
    let mut name = plain(name);
    for _ in 0..LINKS {
        match files.get(&name) {
            Some(Found::File(place)) => return Ok(*place),
            Some(Found::Link(target)) => name.clone_from(target),
            None => break,
        }
    }
    Err(Error::transport("docker's archive lacks a file that it names"))
}

/// A name without `.` and `..`, which never leave the archive.
fn plain(name: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// What a link stands for: symbolic ones count from their directory, hard ones from the top.
fn beside(name: &str, target: &str, kind: tar::EntryType) -> String {
    match name.rsplit_once('/') {
        Some((directory, _)) if kind.is_symlink() && !target.starts_with('/') => {
            plain(&format!("{directory}/{target}"))
        }
        _ => plain(target),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_found_also_through_links() {
        let mut file = tempfile::tempfile().unwrap();
        let diff_id = format!("sha256:{}", "a".repeat(64));
        let config = serde_json::json!({ "rootfs": { "diff_ids": [diff_id, diff_id] } }).to_string();
        let list = r#"[{"Config":"c.json","RepoTags":null,"Layers":["a/layer.tar","b/layer.tar"]}]"#;
        let mut archive = tar::Builder::new(&mut file);
        let mut add = |name: &str, bytes: &[u8]| {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            archive.append_data(&mut header, name, bytes).unwrap();
        };
        add("a/layer.tar", b"the layer");
        add("c.json", config.as_bytes());
        add("manifest.json", list.as_bytes());
        let mut link = tar::Header::new_gnu();
        link.set_entry_type(tar::EntryType::Symlink);
        link.set_size(0);
        archive.append_link(&mut link, "b/layer.tar", "../a/layer.tar").unwrap();
        archive.into_inner().unwrap();
        let saved = Saved::read(&file).unwrap();
        assert_eq!((saved.layers[0], saved.diff_ids().unwrap().len()), (saved.layers[1], 2));
        let mut bytes = vec![0; 9];
        file.read_exact_at(&mut bytes, saved.layers[0].offset).unwrap();
        assert_eq!(bytes, b"the layer");
    }

    #[test]
    fn no_name_leads_out() {
        assert_eq!(plain("../../etc/passwd"), "etc/passwd");
        assert_eq!(beside("a/b", "../../../c", tar::EntryType::Symlink), "c");
        assert_eq!(beside("a/b", "c/d", tar::EntryType::Link), "c/d");
    }
}
