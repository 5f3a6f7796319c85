//! One image of an archive, without the names that it has there.
//!
//! The engine takes archives as `docker save` writes them, gives what is in them their names, whoever has these now, and reads no
//! OCI layout before version 25. So what it is given is written anew: the files of the archive as they are, and a list with the
//! one image that is meant.

use isobox_contract::{Error, Result};
use isobox_registry::{Platform, Reference};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

/// The list of an archive, and those of OCI layouts.
const LIST: &str = "manifest.json";
const INDEX: &str = "index.json";
/// What is left out: whatever names images.
const NAMING: [&str; 4] = [LIST, INDEX, "oci-layout", "repositories"];
/// The most bytes of a document, and of documents in all.
const DOCUMENT: u64 = 8 << 20;
/// The field that errors name.
const FIELD: &str = "source.path";

/// The image that is meant: its row in a list, without names.
#[derive(Debug)]
pub(super) struct Chosen(Value);

/// Finds the image of an archive that is meant: the only one, or the one of that name.
///
/// # Errors
/// `invalid_spec` with the fields `source.path` and `source.reference`.
pub(super) fn choose(path: &Path, wanted: Option<&str>) -> Result<Chosen> {
    let documents = documents(path, |name| name == LIST || name == INDEX)?;
    let rows = match (documents.get(LIST), documents.get(INDEX)) {
        (Some(list), _) => parse(list)?.as_array().cloned().unwrap_or_default(),
        (None, Some(index)) => rows_of_index(path, &parse(index)?)?,
        (None, None) => return Err(broken(path, "has no list of images")),
    };
    let names: Vec<_> = rows.iter().flat_map(names).collect();
    let row = match wanted {
        Some(wanted) => rows.iter().find(|row| names_it(row, wanted)).ok_or_else(|| {
            Error::invalid_spec("source.reference", format!("is not in the archive, which has {}", names.join(", ")))
        })?,
        None => match &rows[..] {
            [only] => only,
            [] => return Err(broken(path, "has no image")),
            _ => {
                let reason =
                    format!("is missing, and the archive has several images, name one of {}", names.join(", "));
                return Err(Error::invalid_spec("source.reference", reason));
            }
        },
    };
    Ok(Chosen(json!([{ "Config": row["Config"], "RepoTags": null, "Layers": row["Layers"] }])))
}

/// Writes the archive with that image alone.
pub(super) fn repack(path: &Path, chosen: &Chosen, out: &mut dyn Write) -> Result<()> {
    let failed = |error| Error::io(format!("cannot read the image archive {}", path.display()), error);
    let mut archive = tar::Archive::new(open(path)?);
    let mut new = tar::Builder::new(out);
    for entry in archive.entries().map_err(failed)? {
        let mut entry = entry.map_err(failed)?;
        let name = name_of(&entry.path().map_err(failed)?.to_string_lossy());
        let mut header = entry.header().clone();
        if NAMING.contains(&name.as_str()) || name.is_empty() {
            continue;
        }
        let put = match entry.link_name().map_err(failed)? {
            Some(target) => {
                let target = target.into_owned();
                new.append_link(&mut header, &name, target)
            }
            None if header.entry_type().is_file() => new.append_data(&mut header, &name, &mut entry),
            None => Ok(()),
        };
        put.map_err(failed)?;
    }
    let list = chosen.0.to_string();
    let mut header = tar::Header::new_gnu();
    header.set_size(list.len() as u64);
    header.set_mode(0o644);
    new.append_data(&mut header, LIST, list.as_bytes()).and_then(|()| new.into_inner().map(drop)).map_err(failed)
}

fn names(row: &Value) -> Vec<String> {
    row["RepoTags"].as_array().into_iter().flatten().filter_map(|name| Some(name.as_str()?.to_owned())).collect()
}

fn names_it(row: &Value, wanted: &str) -> bool {
    let whole = |name: &str| Reference::parse(name).map_or_else(|_| name.to_owned(), |name| name.to_string());
    let config = row["Config"].as_str().unwrap_or_default();
    let id = wanted.strip_prefix("sha256:").is_some_and(|digits| config.contains(digits));
    id || names(row).iter().any(|name| whole(name) == whole(wanted))
}

/// The images of an OCI layout, as rows of the engine's list.
fn rows_of_index(path: &Path, index: &Value) -> Result<Vec<Value>> {
    let here = Platform::host();
    let fits = |entry: &&Value| {
        let platform = &entry["platform"];
        let text = format!(
            "{}/{}",
            platform["os"].as_str().unwrap_or_default(),
            platform["architecture"].as_str().unwrap_or_default()
        );
        platform.is_null() || text.parse().is_ok_and(|platform| here.runs(&platform))
    };
    let all: Vec<_> = index["manifests"].as_array().into_iter().flatten().collect();
    let fitting: Vec<_> = all.iter().copied().filter(fits).collect();
    let wanted: Vec<_> = fitting.iter().filter_map(|entry| blob(&entry["digest"])).collect();
    let manifests = documents(path, |name| wanted.iter().any(|wanted| wanted == name))?;
    let mut rows = Vec::new();
    for entry in fitting {
        let Some(manifest) = blob(&entry["digest"]).and_then(|name| manifests.get(&name)) else { continue };
        let manifest = parse(manifest)?;
        if manifest["manifests"].is_array() {
            rows.extend(rows_of_index(path, &manifest)?);
            continue;
        }
        let layers = manifest["layers"].as_array().into_iter().flatten().filter_map(|layer| blob(&layer["digest"]));
        let annotations = &entry["annotations"];
        let name = annotations
            .get("io.containerd.image.name")
            .or_else(|| annotations.get("org.opencontainers.image.ref.name"));
        let tags: Vec<_> = name.into_iter().collect();
        rows.push(json!({ "Config": blob(&manifest["config"]["digest"]), "RepoTags": tags, "Layers": layers.collect::<Vec<_>>() }));
    }
    Ok(rows)
}

/// The file of a digest.
fn blob(digest: &Value) -> Option<String> {
    let (algorithm, digits) = digest.as_str()?.split_once(':')?;
    let fine = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (fine(algorithm) && fine(digits)).then(|| format!("blobs/{algorithm}/{digits}"))
}

/// Documents of an archive, by their names.
fn documents(path: &Path, wanted: impl Fn(&str) -> bool) -> Result<HashMap<String, Vec<u8>>> {
    let unreadable = |_| broken(path, "cannot be read as one");
    let mut found = HashMap::new();
    let mut archive = tar::Archive::new(open(path)?);
    for entry in archive.entries().map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = name_of(&entry.path().map_err(unreadable)?.to_string_lossy());
        if wanted(&name) {
            let mut bytes = Vec::new();
            entry.take(DOCUMENT).read_to_end(&mut bytes).map_err(unreadable)?;
            found.insert(name, bytes);
        }
    }
    Ok(found)
}

fn open(path: &Path) -> Result<Box<dyn Read>> {
    let failed = |error| Error::io(format!("cannot read the image archive {}", path.display()), error);
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(broken(path, "is a folder, pack it with tar"));
    }
    let mut start = [0; 4];
    let count = std::os::unix::fs::FileExt::read_at(&file, &mut start, 0).map_err(failed)?;
    match &start[..count] {
        [0x1f, 0x8b, ..] => Ok(Box::new(flate2::read::MultiGzDecoder::new(BufReader::new(file)))),
        [0x28, 0xb5, 0x2f, 0xfd] => Err(broken(path, "is packed with zstd, unpack it with zstd -d")),
        _ => Ok(Box::new(BufReader::new(file))),
    }
}

fn parse(bytes: &[u8]) -> Result<Value> {
    serde_json::from_slice(bytes).map_err(|_| Error::invalid_spec(FIELD, "has a list of images that is no JSON"))
}

fn broken(path: &Path, how: &str) -> Error {
    let reason =
        format!("{} is no image archive: it {how}; give one that docker save or OCI tools wrote", path.display());
    Error::invalid_spec(FIELD, reason)
}

fn name_of(name: &str) -> String {
    name.trim_start_matches("./").trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(files: &[(&str, &str)]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut new = tar::Builder::new(file.reopen().unwrap());
        for (name, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            new.append_data(&mut header, name, bytes.as_bytes()).unwrap();
        }
        new.into_inner().unwrap();
        file
    }

    #[test]
    fn an_image_is_chosen_and_loses_its_names() {
        let list = r#"[{"Config":"a.json","RepoTags":["alpine:3"],"Layers":["a/layer.tar"]},
            {"Config":"b.json","RepoTags":["b:1"],"Layers":["b/layer.tar"]}]"#;
        let file = archive(&[(LIST, list), ("repositories", "{}"), ("a/layer.tar", "layer")]);
        let refused = choose(file.path(), None).unwrap_err();
        assert!(refused.message().contains("alpine:3, b:1"), "{refused}");
        let chosen = choose(file.path(), Some("docker.io/library/alpine:3")).unwrap();
        let mut new = tempfile::NamedTempFile::new().unwrap();
        repack(file.path(), &chosen, &mut new).unwrap();
        let found = documents(new.path(), |_| true).unwrap();
        let list = parse(&found[LIST]).unwrap();
        assert_eq!((&list[0]["Config"], &list[0]["RepoTags"]), (&json!("a.json"), &Value::Null));
        assert!(found.contains_key("a/layer.tar") && !found.contains_key("repositories"));
    }

    #[test]
    fn an_oci_layout_is_listed_as_the_engine_lists() {
        let manifest = r#"{"config":{"digest":"sha256:c0"},"layers":[{"digest":"sha256:1a"}]}"#;
        let index = r#"{"manifests":[{"digest":"sha256:0f","annotations":{"io.containerd.image.name":"x:1"}},
            {"digest":"sha256:0e","platform":{"os":"windows","architecture":"amd64"}}]}"#;
        let file = archive(&[(INDEX, index), ("blobs/sha256/0f", manifest)]);
        let Chosen(list) = choose(file.path(), None).unwrap();
        assert_eq!(list[0]["Config"], "blobs/sha256/c0");
        assert_eq!(list[0]["Layers"], json!(["blobs/sha256/1a"]));
        assert!(choose(archive(&[("x", "y")]).path(), None).unwrap_err().message().starts_with(FIELD));
    }
}
