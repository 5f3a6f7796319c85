//! Names of images, written whole.

use isobox_contract::{Error, Result};

/// The whole form of a name: `alpine` is `docker.io/library/alpine:latest`.
///
/// # Errors
/// `invalid_spec` that names `source.reference`.
pub(crate) fn canonical(text: &str) -> Result<String> {
    let refused = || {
        let reason = format!("{} is no name of an image, give one such as alpine:3.22", text.escape_debug());
        Error::invalid_spec("source.reference", reason)
    };
    let fine = |byte: u8| byte.is_ascii_graphic();
    if text.is_empty() || text.len() > 1024 || !text.bytes().all(fine) {
        return Err(refused());
    }
    let (name, digest) = match text.split_once('@') {
        Some((name, digest)) => (name, Some(digest)),
        None => (text, None),
    };
    let (registry, rest) = match name.split_once('/') {
        Some((first, rest)) if !first.starts_with('.') && (first.contains(['.', ':']) || first == "localhost") => {
            (first.to_ascii_lowercase(), rest)
        }
        _ => ("docker.io".to_owned(), name),
    };
    let registry = if registry == "index.docker.io" { "docker.io".to_owned() } else { registry };
    let (path, tag) = match rest.rsplit_once(':') {
        Some((path, tag)) if !tag.contains('/') => (path, Some(tag)),
        _ => (rest, None),
    };
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b))
    };
    let word = |tag: &str| !tag.is_empty() && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
    if !path.split('/').all(part) || !tag.is_none_or(word) {
        return Err(refused());
    }
    let library = if registry == "docker.io" && !path.contains('/') { "library/" } else { "" };
    let tag = match (tag, digest) {
        (Some(tag), _) => format!(":{tag}"),
        (None, Some(_)) => String::new(),
        (None, None) => ":latest".to_owned(),
    };
    let digest = digest.map(|digest| format!("@{digest}")).unwrap_or_default();
    Ok(format!("{registry}/{library}{path}{tag}{digest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_name_is_written_whole() {
        for (short, whole) in [
            ("alpine", "docker.io/library/alpine:latest"),
            ("a/b:5000", "docker.io/a/b:5000"),
            ("localhost:5000/a", "localhost:5000/a:latest"),
            ("Registry.example.com/a/b:1", "registry.example.com/a/b:1"),
        ] {
            assert_eq!(canonical(short).unwrap(), whole);
        }
        for bad in ["", "A", "a b", "a:", "a//b", "/a", "../a"] {
            assert!(canonical(bad).is_err(), "{bad}");
        }
    }
}
